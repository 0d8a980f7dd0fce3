//! `arena watch`: submits what appears in a folder, and keeps a league's tables current.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use clap::Args;

use super::catch_up::lacking;
use super::desk::{Claim, Desk};
use super::error::{Failure, exit};
use super::output::note;
use super::run::{Playing, stop_on_interrupt};
use super::table::print_text;
use crate::ids::shown;
use crate::league::League;
use crate::league::identity::Identity;
use crate::report::standings::elo_table;

/// Follow a folder of bots: submit what is new in it, play, and print the table whenever it changes
///
/// Every .wasm file directly in the folder is submitted as `arena submit` does, once it is complete: its size and its
/// time did not change from one look to the next. A file that is refused is told, and tried again when it changes. What
/// was submitted before is never submitted again by itself, so a withdrawn bot stays withdrawn; deleting a file
/// withdraws nothing: `arena withdraw` does. What others submit, and changes of the league file, are followed too.
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena watch inbox --league leagues/x
  arena watch inbox --league leagues/x --every 1m
  arena watch inbox --league leagues/x --once     as from cron")]
pub(super) struct Watch {
    /// The folder
    folder: PathBuf,
    /// The league file; `.toml` may be left out
    #[arg(long, value_name = "FILE")]
    league: PathBuf,
    /// Between two looks: 500ms, 5s, 2m
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    every: Duration,
    /// Look, look again after that time if there are new files, play, and end
    #[arg(long)]
    once: bool,
    /// Whose bots are that name no author
    #[arg(long, value_name = "NAME")]
    author: Option<String>,
    #[command(flatten)]
    playing: Playing,
}

impl Watch {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        let stop = stop_on_interrupt();
        let mut watcher = Watcher::new(&self, &stop);
        // What is wrong from the beginning is the user's to mend; what goes wrong later may mend itself.
        watcher.look()?;
        self.playing.free_folder(&League::read_file(&self.league)?.0)?;
        if self.once {
            if watcher.awaits() {
                wait(self.every, &stop);
            }
            watcher.pass()?;
            return Ok(watcher.code());
        }
        note!("Watching {}; Ctrl-C ends.", shown(&self.folder));
        let mut told = None;
        while !stop.load(Ordering::Relaxed) {
            let problem = watcher.pass().err().map(|failure| failure.to_string());
            if let Some(problem) = problem.as_ref().filter(|_| problem != told) {
                note!("error: {problem}\nStill watching.");
            }
            told = problem;
            wait(self.every, &stop);
        }
        Ok(watcher.code())
    }
}

/// Sleeps, but not through Ctrl-C.
fn wait(time: Duration, stop: &AtomicBool) {
    let started = Instant::now();
    while !stop.load(Ordering::Relaxed) && started.elapsed() < time {
        std::thread::sleep(time.saturating_sub(started.elapsed()).min(Duration::from_millis(50)));
    }
}

/// A file as it was at the last look.
#[derive(PartialEq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    /// A file that could not be read is tried again once it may be.
    permissions: std::fs::Permissions,
}

struct Seen {
    stamp: Stamp,
    /// Whether it was the same in two looks, and not dealt with yet.
    complete: bool,
    /// Whether it was submitted, refused, or is nothing new.
    done: bool,
}

struct Watcher<'w> {
    watch: &'w Watch,
    stop: &'w AtomicBool,
    files: HashMap<PathBuf, Seen>,
    /// What the tables are of.
    played: Option<Identity>,
    /// The table as it was printed last.
    table: String,
    lacking: Option<&'static str>,
    interrupted: bool,
}

impl<'w> Watcher<'w> {
    fn new(watch: &'w Watch, stop: &'w AtomicBool) -> Watcher<'w> {
        Watcher {
            watch,
            stop,
            files: HashMap::new(),
            played: None,
            table: String::new(),
            lacking: None,
            interrupted: false,
        }
    }

    /// Looks at the folder.
    fn look(&mut self) -> Result<(), Failure> {
        let folder = &self.watch.folder;
        let unreadable =
            |error: std::io::Error| Failure::Refused(format!("{}: failed to read the folder: {error}", shown(folder)));
        let mut files = HashMap::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if let Some(stamp) = stamp(&path) {
                let before = self.files.get(&path).filter(|before| before.stamp == stamp);
                let done = before.is_some_and(|before| before.done);
                files.insert(path, Seen { stamp, complete: before.is_some() && !done, done });
            }
        }
        self.files = files;
        Ok(())
    }

    /// Whether there are files that may be complete at the next look.
    fn awaits(&self) -> bool {
        self.files.values().any(|file| !file.done)
    }

    /// One turn: look, submit what is complete, play what is new.
    fn pass(&mut self) -> Result<(), Failure> {
        self.look()?;
        self.submit()?;
        self.keep_current()
    }

    fn submit(&mut self) -> Result<(), Failure> {
        let mut complete: Vec<_> = self.files.iter().filter(|(_, seen)| seen.complete).map(|(path, _)| path).collect();
        if complete.is_empty() {
            return Ok(());
        }
        complete.sort();
        let complete: Vec<PathBuf> = complete.into_iter().cloned().collect();
        let desk = Desk::open(&self.watch.league, &self.watch.playing.compiling)?;
        for path in complete {
            match self.submit_one(&desk, &path) {
                Ok(()) => {}
                Err(Failure::Refused(reason)) => note!("{reason}"),
                Err(other) => return Err(other),
            }
            if let Some(seen) = self.files.get_mut(&path) {
                seen.done = true;
            }
        }
        Ok(())
    }

    fn submit_one(&self, desk: &Desk, path: &Path) -> Result<(), Failure> {
        let bytes = desk.read(path)?;
        if !desk.knows(&bytes)? {
            let claim = Claim { else_author: self.watch.author.as_deref(), ..Claim::default() };
            note!("{}: {}", shown(path), desk.submit(path, &bytes, &claim)?);
        }
        Ok(())
    }

    /// Plays if the league is not that of the tables.
    fn keep_current(&mut self) -> Result<(), Failure> {
        let league = &self.watch.league;
        let lacking = lacking(league)?;
        if let Some(lacking) = lacking {
            if self.lacking != Some(lacking) {
                note!("{lacking}");
                self.watch.playing.clear(league)?;
            }
            self.lacking = Some(lacking);
            // The tables are gone: the same bots again are tables anew.
            self.played = None;
            self.table.clear();
            return Ok(());
        }
        self.lacking = None;
        let mut now = League::read(league)?;
        if let Some(played) = &self.played {
            now.leave_out_as(played);
            if *now.identity() == *played {
                return Ok(());
            }
        }
        let Some(played) = self.watch.playing.catch_up(league, self.stop)? else { return Ok(()) };
        let table = elo_table(&played.results, &played.standings);
        if table != self.table {
            print_text(&played.results, &played.standings)?;
        }
        self.table = table;
        self.interrupted = played.interrupted;
        self.played = Some(played.results.identity);
        Ok(())
    }

    /// Ctrl-C is the way to end it; only blocks that are left to play make that an interruption.
    fn code(&self) -> u8 {
        if !self.interrupted {
            return exit::DONE;
        }
        note!("Stopped before the end; what is finished is kept. This goes on:");
        note!("  {}", self.watch.playing.command(&self.watch.league));
        exit::INTERRUPTED
    }
}

/// A file that may be a submission. Links are left alone: they would show arena's user what the sender may not read.
fn stamp(path: &Path) -> Option<Stamp> {
    let hidden = path.file_name()?.to_string_lossy().starts_with('.');
    let metadata = std::fs::symlink_metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let submission = !hidden && path.extension()? == "wasm";
    submission.then(|| Stamp {
        length: metadata.len(),
        modified: metadata.modified().ok(),
        permissions: metadata.permissions(),
    })
}

/// `500ms`, `5s`, `2m`, `1h`.
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let milliseconds = match &text[digits..] {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => 0,
    };
    let number: Option<u64> = text[..digits].parse().ok();
    let time =
        number.and_then(|number| number.checked_mul(milliseconds)).filter(|time| (10..=86_400_000).contains(time));
    time.map(Duration::from_millis).ok_or_else(|| "a time from 10ms to 24h is wanted, as 500ms, 5s or 2m".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_unit() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for bad in ["", "5", "s", "-1s", "0s", "1.5s", "25h", "99999999999999999999h", "5é"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
