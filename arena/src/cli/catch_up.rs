//! Plays what is new in a league whose submissions changed.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::error::Failure;
use super::output::note;
use super::run::{Played, Playing, play_missing, say_plan};
use super::table::remove_tables;
use crate::ids::shown;
use crate::league::folder;
use crate::league::run::Prepared;
use crate::league::{JournalError, League, RunError, Submissions};

/// How often a results folder is tried that another run uses.
const WAIT: Duration = Duration::from_millis(200);

impl Playing {
    /// Plays what a league's results lack and writes its tables; nothing if there are too few bots.
    ///
    /// Somebody else may have submitted while this played: the tables that are written last must be those of all bots.
    pub(super) fn catch_up(&self, league: &Path, stop: &AtomicBool) -> Result<Option<Played>, Failure> {
        if let Some(lacking) = lacking(league)? {
            note!("{lacking}");
            self.clear(league)?;
            return Ok(None);
        }
        loop {
            let mut now = League::read(league)?;
            let (folder, read) = (self.folder(&now), now.identity().clone());
            let prepared = self.prepare(&mut now)?;
            say_plan(&prepared, &folder);
            let Some(played) = play_when_free(&prepared, &folder, stop)? else { return Ok(None) };
            let changed = || League::read(league).is_ok_and(|after| *after.identity() != read);
            if played.interrupted || !changed() {
                return Ok(Some(played));
            }
        }
    }

    /// Takes away the tables of a league with too few bots for any: they would go on ranking who is withdrawn. The
    /// journal stays.
    pub(super) fn clear(&self, league: &Path) -> Result<(), Failure> {
        let (league, _) = League::read_file(league)?;
        let folder = self.folder(&league);
        // What is not of this league is somebody else's.
        if folder::check(&folder, &league).is_ok() && remove_tables(&folder)? {
            note!("The tables in {} are removed; the journal stays.", shown(&folder));
        }
        Ok(())
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
