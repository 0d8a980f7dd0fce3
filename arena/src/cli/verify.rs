//! `arena verify`: plays blocks of a results folder again and compares.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::bots::Bots;
use super::compiling::Compiling;
use super::error::{Failure, exit};
use super::output::{note, unless_closed};
use super::run::processors;
use super::table::tables;
use crate::failure::FileError;
use crate::ids::{escaped, shown};
use crate::league::config::{Found, read_limited};
use crate::league::folder::{RUN_RECORD, TABLES};
use crate::league::identity::Identity;
use crate::league::run::prepare;
use crate::league::standings::Standings;
use crate::league::verify::{Subject, Verified, played, verify};
use crate::league::{League, Results};
use crate::report::run_record;
use crate::report::table::{counted, grouped};

/// Blocks that are played again where no number is given.
const SAMPLE: usize = 1000;

/// How its bots are named.
const HOW: &str = "Name them with --league or --bots";

/// Play blocks of a results folder again, and say whether they come out as its journal says
///
/// Finds lines of the journal that are damaged or contradict each other, blocks that come out differently when they are
/// played again, tables and a run.json that are not what the journal gives, and those that are missing. The bots are
/// found by the SHA-256 that the journal has of them: among the files of the league file (--league, or leagues/x.toml
/// beside results/x) and those of --bots. Blocks of bots that are not found are not played. The exit code is 0 only if
/// nothing is wrong and every bot is found.
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
    /// The league file that names the bots [default: leagues/x.toml beside the folder results/x, if there is one]
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
        let bots = Bots::find(&self.results, &identity, self.league.as_deref(), &self.bots, HOW)?;
        let Found { league, numbers } = League::found(&identity, &self.results, |sha256| bots.get(sha256))?;
        let prepared = prepare(&league, self.threads.map_or_else(processors, usize::from), self.compiling.compiler()?)?;
        let sample = self.sample.map_or(SAMPLE, |sample| sample as usize);
        let subject = Subject { identity: &identity, prepared: &prepared, numbers: &numbers };
        let verified = verify(&subject, &self.results, sample, self.seed, &mut |blocks| {
            note!("Playing {} again.", counted(blocks as u64, "block", "blocks"));
        })?;
        let missing: Vec<_> = identity.bots.iter().zip(&numbers).filter(|(_, number)| number.is_none()).collect();
        if verified.unplayable > 0 && verified.unplayable == verified.blocks {
            let list = missing.iter().map(|(bot, _)| format!("\n  {}, SHA-256 {}", bot.name, escaped(&bot.sha256, 64)));
            let list: String = list.collect();
            let folder = shown(&self.results);
            return Err(Failure::Refused(format!("{folder}: of its bots these are not among the files given:{list}")));
        }
        let files = Files::compare(&self.results, &identity, &verified)?;
        if verified.others > 0 {
            let others = counted(verified.others, "block", "blocks");
            note!("Not looked at, since they are in no table: {others} of other bots or settings.");
        }
        if files == Files::NotYet {
            note!(
                "There are no tables: the run was stopped before it wrote them, or they were removed. `arena run` writes them."
            );
        }
        let mut lines = journal_problems(&verified);
        lines.extend(missing.iter().map(|(bot, _)| {
            let lack = bots.lack(&bot.name);
            format!("bot {}: {lack}; blocks in which it sits are not played", bot.name)
        }));
        if let Files::There { problems } = files {
            lines.extend(problems);
        }
        let code = if lines.is_empty() { exit::DONE } else { exit::BAD_INPUT };
        unless_closed(print(&verified, &lines))?;
        Ok(code)
    }
}

/// What a run writes beside the journal.
#[derive(PartialEq, Eq)]
enum Files {
    /// Nothing of it: a run was stopped before it wrote any.
    NotYet,
    /// What is wrong with them, a line each.
    There { problems: Vec<String> },
}

impl Files {
    /// Compares the files with what the journal gives. `run.json` is written last: where it is, all must be.
    fn compare(folder: &Path, identity: &Identity, verified: &Verified) -> Result<Files, Failure> {
        let is_there = |name: &&&str| folder.join(name).symlink_metadata().is_ok();
        if TABLES.iter().chain([&RUN_RECORD]).filter(is_there).count() == 0 {
            return Ok(Files::NotYet);
        }
        if !verified.contradictions.is_empty() {
            let line = "tables and run.json: not compared, since the journal does not say what they should be";
            return Ok(Files::There { problems: vec![line.into()] });
        }
        let results = Results::collect(folder, identity)?;
        let standings = Standings::of(&results)?;
        let mut problems = Vec::new();
        for (name, contents) in tables(&results, &standings) {
            match read(folder, &name) {
                Ok(there) if there == contents => {}
                Ok(_) => problems.push(format!("{name}: is not what the journal gives; {WRITES}")),
                Err(FileError::Bad(problem)) => problems.push(problem),
                Err(FileError::Host(error)) => return Err(error.into()),
            }
        }
        match read(folder, RUN_RECORD) {
            Ok(record) => {
                let wrong = run_record::problems(&record, &results);
                problems.extend(wrong.iter().map(|problem| format!("{RUN_RECORD}: {problem}; {WRITES}")));
            }
            Err(FileError::Bad(problem)) => problems.push(problem),
            Err(FileError::Host(error)) => return Err(error.into()),
        }
        Ok(Files::There { problems })
    }
}

/// The remedy for every file that is made from the journal.
const WRITES: &str = "`arena run` writes it anew";

/// A file that a run wrote, or what is wrong with it.
fn read(folder: &Path, name: &str) -> Result<Vec<u8>, FileError> {
    let path = folder.join(name);
    let bad = |problem: String| Err(FileError::Bad(problem));
    match path.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => bad(format!(
            "{name}: is missing, though other files of the run are there: it was removed, or the run was stopped while \
             it wrote them; {WRITES}"
        )),
        Ok(metadata) if metadata.is_dir() => bad(format!("{name}: this is a folder; move it away, and {WRITES}")),
        _ => read_limited(&path, u64::MAX - 1, "").or_else(|error| match error {
            FileError::Bad(reason) => bad(format!("{name}: {reason}; {WRITES}")),
            host => Err(host),
        }),
    }
}

/// What is wrong with the journal, a line each.
fn journal_problems(verified: &Verified) -> Vec<String> {
    let mut lines = Vec::new();
    for line in &verified.damaged {
        lines.push(format!("journal line {line}: damaged, its checksum is not that of its text"));
    }
    if verified.torn {
        lines.push("journal: its last line is torn; `arena run` plays its block again".into());
    }
    for contradiction in &verified.contradictions {
        lines.push(format!("journal: {contradiction}; `arena run` drops them and plays it again"));
    }
    for block in &verified.differing {
        let last = block.first + u64::from(block.deals) - 1;
        let bots = block.bots.join(", ");
        lines.push(format!("block of {bots}, deals {} to {last}: comes out differently", block.first));
    }
    lines
}

fn print(verified: &Verified, problems: &[String]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let (replayed, blocks) = (grouped(verified.replayed), counted(verified.blocks, "block", "blocks"));
    if problems.is_empty() {
        return writeln!(out, "Nothing is wrong: {replayed} of {blocks} played again, with the same outcome.");
    }
    problems.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    let outcome = match verified.differing.len() as u64 {
        0 => "with the same outcome".into(),
        differing => format!("{} with another outcome", grouped(differing)),
    };
    writeln!(out, "{replayed} of {blocks} played again, {outcome}.")
}
