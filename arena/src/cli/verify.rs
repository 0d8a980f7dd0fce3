//! `arena verify`: plays blocks of a results folder again and compares.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::bots::Bots;
use super::compiling::Compiling;
use super::error::{Failure, exit};
use super::output::{note, unless_closed};
use super::run::processors;
use super::table::tables;
use crate::ids::shown;
use crate::league::Results;
use crate::league::config::Identity;
use crate::league::run::prepare;
use crate::league::standings::Standings;
use crate::league::verify::{Verified, played, verify};
use crate::report::table::{counted, grouped};

/// Blocks that are played again where no number is given.
const SAMPLE: usize = 1000;

/// How its bots are named.
const HOW: &str = "Name them with --league or --bots";

/// Play blocks of a results folder again, and say whether they come out as its journal says
///
/// Finds lines of the journal that are damaged, blocks that come out differently when they are played again, and
/// tables that are not what the journal gives. The bots are found by the SHA-256 that the journal has of them: among
/// the files of the league file (leagues/<name of the folder>.toml, or --league) and those of --bots. The exit code is
/// 0 only if nothing is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena verify results/little-hunters
  arena verify results/little-hunters --sample 50 --seed 7
  arena verify results/trial --league my-league.toml
  arena verify results/trial --bots old/*.wasm new/*.wasm")]
pub(super) struct Verify {
    /// The results folder
    results: PathBuf,
    /// So many blocks, chosen by --seed [default: all, but 1000 at most]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// Chooses the blocks
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The league file that names the bots [default: leagues/<name of the folder>.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    league: Option<PathBuf>,
    /// Files of bots
    #[arg(long, value_name = "FILE", num_args = 1..)]
    bots: Vec<PathBuf>,
    /// Threads that play [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    compiling: Compiling,
}

impl Verify {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        let identity =
            played(&self.results).map_err(|error| Failure::Refused(error.to_string()))?.ok_or_else(|| {
                Failure::Refused(format!(
                    "{}: no journal here says what was played: there is none, or its `run` lines are damaged",
                    shown(&self.results)
                ))
            })?;
        let bots = Bots::find(&self.results, self.league.as_deref(), &self.bots, &identity.limits, HOW)?;
        let league = identity.league(&self.results, |sha256| bots.get(sha256))?;
        let prepared = prepare(&league, self.threads.map_or_else(processors, usize::from), self.compiling.compiler()?)?;
        let sample = self.sample.map_or(SAMPLE, |sample| sample as usize);
        let verified = verify(&prepared, &self.results, sample, self.seed, &mut |blocks| {
            note!("Playing {} again.", counted(blocks as u64, "block", "blocks"));
        })
        ?;
        let stale = stale_tables(&self.results, &identity)?;
        if verified.others > 0 {
            let others = counted(verified.others, "block", "blocks");
            note!("Not looked at, since they are in no table: {others} of other bots or settings.");
        }
        let lines = problems(&verified, &stale);
        let code = if lines.is_empty() { exit::DONE } else { exit::BAD_INPUT };
        unless_closed(print(&verified, &lines))?;
        Ok(code)
    }
}

/// The tables in the folder that are not what its journal gives.
fn stale_tables(folder: &Path, identity: &Identity) -> Result<Vec<String>, Failure> {
    let results = Results::collect(folder, identity)?;
    let standings = Standings::of(&results)?;
    let differs = |(name, contents): &(String, Vec<u8>)| match std::fs::read(folder.join(name)) {
        Ok(there) => there != *contents,
        // A run that was killed has none yet.
        Err(_) => false,
    };
    Ok(tables(&results, &standings).into_iter().filter(differs).map(|(name, _)| name).collect())
}

/// What is wrong, a line each.
fn problems(verified: &Verified, stale: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    for line in &verified.damaged {
        lines.push(format!("journal line {line}: damaged, its checksum is not that of its text"));
    }
    if verified.torn {
        lines.push("journal: its last line is torn; `arena run` plays its block again".into());
    }
    for block in &verified.differing {
        let last = block.first + u64::from(block.deals) - 1;
        let bots = block.bots.join(", ");
        lines.push(format!("block of {bots}, deals {} to {last}: comes out differently", block.first));
    }
    for name in stale {
        lines.push(format!("{name}: is not what the journal gives; `arena run` writes it anew"));
    }
    lines
}

fn print(verified: &Verified, problems: &[String]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    if problems.is_empty() {
        let (replayed, blocks) = (grouped(verified.replayed), counted(verified.blocks, "block", "blocks"));
        writeln!(out, "Nothing is wrong: {replayed} of {blocks} played again, with the same outcome.")?;
    }
    problems.iter().try_for_each(|line| writeln!(out, "{line}"))
}
