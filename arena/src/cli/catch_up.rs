//! Plays what is new in a league whose submissions changed.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;

use super::compiling::Compiling;
use super::error::Failure;
use super::output::note;
use super::run::{Played, default_folder, play_missing, processors, say_plan};
use super::table::remove_tables;
use crate::ids::shown;
use crate::league::run::{Prepared, prepare};
use crate::league::{JournalError, League, RunError, Submissions};

/// How often a results folder is tried that another run uses.
const WAIT: Duration = Duration::from_millis(200);

/// How what is new is played.
#[derive(Args)]
pub(super) struct CatchUp {
    /// The results folder [default: results/<name of the league file>, beside the folder leagues or else beside the file]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads that play [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    pub(super) compiling: Compiling,
}

impl CatchUp {
    /// Plays what a league's results lack and writes its tables; nothing if there are too few bots.
    ///
    /// Somebody else may have submitted while this played: the tables that are written last must be those of all bots.
    pub(super) fn play(&self, league: &Path, stop: &AtomicBool) -> Result<Option<Played>, Failure> {
        if let Some(lacking) = lacking(league)? {
            note!("{lacking}");
            self.clear(league)?;
            return Ok(None);
        }
        loop {
            let now = League::read(league)?;
            let threads = self.threads.map_or_else(processors, usize::from);
            let folder = self.folder(&now);
            say_plan(&now, &folder, threads);
            let prepared = prepare(&now, threads, self.compiling.compiler()?)?;
            let Some(played) = play_when_free(&prepared, &folder, stop)? else { return Ok(None) };
            let changed = || League::read(league).is_ok_and(|after| after.identity() != now.identity());
            if played.interrupted || !changed() {
                return Ok(Some(played));
            }
        }
    }

    fn folder(&self, league: &League) -> PathBuf {
        self.out.clone().unwrap_or_else(|| default_folder(&league.path))
    }

    /// Takes away the tables of a league with too few bots for any: they would go on ranking who is withdrawn. The
    /// journal stays.
    pub(super) fn clear(&self, league: &Path) -> Result<(), Failure> {
        let (league, _) = League::read_file(league)?;
        let folder = self.folder(&league);
        if remove_tables(&folder)? {
            note!("The tables in {} are removed; the journal stays.", shown(&folder));
        }
        Ok(())
    }

    /// The command that goes on with a league.
    pub(super) fn command(&self, league: &Path) -> String {
        let mut command = format!("arena run {}", shown(league));
        if let Some(out) = &self.out {
            command += &format!(" --out {}", shown(out));
        }
        if let Some(threads) = self.threads {
            command += &format!(" --threads {threads}");
        }
        command + self.compiling.as_words()
    }
}

/// What a league lacks to be played, in words.
pub(super) fn lacking(league: &Path) -> Result<Option<&'static str>, Failure> {
    let (file, folder) = League::read_file(league)?;
    let submissions = Submissions::read(&folder)?;
    Ok(match file.bots.len() + submissions.bots().iter().filter(|bot| !bot.withdrawn).count() {
        0 => Some("No bot is entered; two are needed to play."),
        1 => Some("Only one bot is entered; one more is needed to play."),
        _ => None,
    })
}

/// Waits for another run that uses the results folder; `None` if it is stopped while it waits.
fn play_when_free(prepared: &Prepared<'_>, folder: &Path, stop: &AtomicBool) -> Result<Option<Played>, Failure> {
    let mut told = false;
    while !stop.load(Ordering::Relaxed) {
        match play_missing(prepared, folder, stop) {
            Err(Failure::Run(RunError::Journal(JournalError::Locked { .. }))) => {
                if !std::mem::replace(&mut told, true) {
                    note!("Waiting for another run, which uses {}.", shown(folder));
                }
                std::thread::sleep(WAIT);
            }
            played => return played.map(Some),
        }
    }
    Ok(None)
}
