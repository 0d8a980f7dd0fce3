//! `arena run`: plays a league, or what is left of it, and writes its tables.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::Args;

use super::compiling::Compiling;
use super::error::{Failure, exit};
use super::output::{note, unless_closed};
use super::progress::Progress;
use super::rating_args::RatingArgs;
use super::table::{print_text, write_tables};
use crate::ids::shown;
use crate::league::folder::{self, RUN_RECORD};
use crate::league::identity::LeftOut;
use crate::league::run::{Prepared, RunError, prepare_leaving_out, run};
use crate::league::standings::Standings;
use crate::league::verify::played;
use crate::league::{League, Results};
use crate::report::files::write_whole;
use crate::report::run_record::RunRecord;
use crate::report::table::{counted, grouped};
use crate::words::shell_word;

/// Play a league, or what is left of it, and print its Elo table
///
/// Results go to a folder: elo.csv, crosstable.csv, pairs.csv, seats.csv, points.csv, faults.csv, all of them in
/// results.json, run.json, and the journal from which they are made.
/// Running the same command again goes on where it was stopped, and plays nothing twice.
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena run leagues/little-hunters.toml
  arena run leagues/little-hunters.toml --out trial --threads 1
  arena run leagues/little-hunters.toml --dry-run")]
pub(super) struct Run {
    /// The league file; `.toml` may be left out
    league: PathBuf,
    #[command(flatten)]
    playing: Playing,
    /// Say what would be played, and play nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    rating: RatingArgs,
}

/// Where and how a league is played.
#[derive(Args)]
pub(super) struct Playing {
    /// The results folder [default: results/<name of the league file>, beside the folder leagues or else beside the file]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads that play [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    pub(super) compiling: Compiling,
}

impl Playing {
    /// Where a league's results go.
    pub(super) fn folder(&self, league: &League) -> PathBuf {
        self.out.clone().unwrap_or_else(|| default_folder(&league.path))
    }

    /// The same, if nothing but results of this league is there.
    pub(super) fn free_folder(&self, league: &League) -> Result<PathBuf, Failure> {
        let folder = self.folder(league);
        folder::check(&folder, league)?;
        Ok(folder)
    }

    /// Compiles a league's bots. Those that were submitted and cannot be played are left out of it, as its results have
    /// it if they have.
    pub(super) fn prepare<'l>(&self, league: &'l mut League) -> Result<Prepared<'l>, Failure> {
        let threads = self.threads.map_or_else(processors, usize::from);
        if league.bots.iter().any(|bot| bot.line.is_none())
            && let Some(before) = played(&self.folder(league)).map_err(RunError::from)?
        {
            league.leave_out_as(&before);
        }
        let prepared = prepare_leaving_out(league, threads, self.compiling.compiler()?)?;
        for LeftOut { name, reason, .. } in &prepared.league().identity().left_out {
            note!("Left out: {name}, which was submitted and cannot be played: {reason}");
        }
        Ok(prepared)
    }

    /// The command that goes on with a league.
    pub(super) fn command(&self, league: &Path) -> String {
        let mut command = format!("arena run {}", word(league));
        if let Some(out) = &self.out {
            command += &format!(" --out {}", word(out));
        }
        if let Some(threads) = self.threads {
            command += &format!(" --threads {threads}");
        }
        command + self.compiling.as_words()
    }
}

impl Run {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        let mut league = League::read(&self.league)?;
        let names: Vec<String> = league.bots.iter().map(|bot| bot.name.to_string()).collect();
        self.rating.apply(league.rating_mut(), names.iter().map(String::as_str))?;
        let folder = self.playing.free_folder(&league)?;
        let prepared = self.playing.prepare(&mut league)?;
        let league = prepared.league();
        league.repeats().iter().for_each(|repeat| note!("{repeat}"));
        say_plan(&prepared, &folder);
        if self.dry_run {
            note!("Nothing is played: --dry-run.");
            return Ok(exit::DONE);
        }

        let played = play_missing(&prepared, &folder, &stop_on_interrupt())?;
        let printed = unless_closed(print_text(&played.results, &played.standings));
        note!("Written to {}.", shown(&folder));
        printed?;
        if played.results.bots.iter().any(|bot| bot.fault_count() > 0) {
            note!("Decisions failed: faults.csv counts them, and this shows the first:");
            note!("  arena play --from {} --league {} --fault", word(&folder), word(&league.path));
        }
        if played.interrupted {
            note!("Stopped before the end; what is finished is kept. The same command goes on:");
            note!("  {}{}", self.playing.command(&self.league), self.rating.command());
            return Ok(exit::INTERRUPTED);
        }
        Ok(exit::DONE)
    }
}

/// A path as it stands in a command line.
fn word(path: &Path) -> String {
    shell_word(&shown(path))
}

/// What a league came to.
pub(super) struct Played {
    pub(super) results: Results,
    pub(super) standings: Standings,
    /// Whether it was stopped before the end.
    pub(super) interrupted: bool,
}

/// Plays what is missing in a results folder, and writes its tables.
pub(super) fn play_missing(prepared: &Prepared<'_>, folder: &Path, stop: &AtomicBool) -> Result<Played, Failure> {
    let league = prepared.league();
    folder::check(folder, league)?;
    let started = Instant::now();
    let mut progress = Progress::new();
    let played = run(prepared, folder, stop, &mut |event| progress.tell(&event));
    let estimate = progress.estimated();
    progress.finish();
    let sitting = played?;

    let results = Results::collect(folder, league.identity())?;
    let standings = Standings::of(&results)?;
    write_tables(folder, &results, &standings)?;
    let record =
        RunRecord::new(&league.path, &results, sitting.played, prepared.threads(), started.elapsed(), estimate);
    write_whole(&folder.join(RUN_RECORD), &record.json())?;
    Ok(Played { results, standings, interrupted: sitting.interrupted })
}

pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Where a league's results go unless told otherwise: `results/<name>` beside the folder `leagues` that the file is in, else
/// beside the file. It does not depend on the current folder: whoever submits finds what others played.
pub(super) fn default_folder(league: &Path) -> PathBuf {
    let folder = league.parent().unwrap_or(Path::new(""));
    let whole = std::path::absolute(if folder == Path::new("") { Path::new(".") } else { folder });
    let among_leagues = whole.is_ok_and(|whole| whole.file_name().is_some_and(|name| name == "leagues"));
    let base = match (among_leagues, folder.file_name()) {
        (false, _) => folder.to_owned(),
        (true, Some(_)) => folder.parent().unwrap_or(Path::new("")).to_owned(),
        // The current folder is named so.
        (true, None) => folder.join(".."),
    };
    base.join("results").join(league.file_stem().unwrap_or_default())
}

pub(super) fn say_plan(prepared: &Prepared<'_>, folder: &Path) {
    let league = prepared.league();
    let schedule = league.schedule();
    let lineups = schedule.lineups().len() as u64;
    if lineups < schedule.possible() {
        let possible = match schedule.possible() {
            u64::MAX => "very many".into(),
            possible => grouped(possible),
        };
        note!("A balanced sample of {} of {possible} lineups, drawn by the league's seed.", grouped(lineups));
    }
    let bots = counted(league.bots.len() as u64, "bot", "bots");
    if league.bots.len() < league.seats() {
        let seats = league.seats();
        note!("{bots} for {seats} seats: each sits in several, as copies that are not rated against each other.");
    }
    note!(
        "{}: {bots}, {} x {} x {} = {}, seed {}, {}, into {}",
        league.game().info().title,
        counted(lineups, "lineup", "lineups"),
        counted(league.identity().deals, "deal", "deals"),
        counted(league.seatings() as u64, "seating", "seatings"),
        counted(league.matches(), "match", "matches"),
        league.identity().seed,
        counted(prepared.threads() as u64, "thread", "threads"),
        shown(folder)
    );
}

/// The first Ctrl-C ends the run after the blocks being played; the second ends the process.
pub(super) fn stop_on_interrupt() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let seen = stop.clone();
    let handled = ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(exit::INTERRUPTED.into());
        }
        note!("Stopping after the blocks being played; once more to stop at once (nothing finished is lost).");
    });
    if let Err(error) = handled {
        tracing::warn!("no handler for Ctrl-C: {error}");
    }
    stop
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_go_beside_the_leagues() {
        for (league, folder) in [
            ("leagues/x.toml", "results/x"),
            ("/club/leagues/x.toml", "/club/results/x"),
            ("../leagues/x.toml", "../results/x"),
            ("/club/x.toml", "/club/results/x"),
            ("x.toml", "results/x"),
        ] {
            assert_eq!(default_folder(Path::new(league)), Path::new(folder), "{league}");
        }
    }
}
