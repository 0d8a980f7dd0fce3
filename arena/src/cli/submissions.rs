//! `arena submissions`, `arena history`, `arena withdraw`: what was submitted to a league, and taking it back.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;
use serde::Serialize;

use super::desk::read_submissions;
use super::error::{Failure, exit};
use super::output::note;
use super::run::{Playing, default_folder, stop_on_interrupt};
use super::table::print_text;
use crate::ids::{BotName, escaped, shown};
use crate::league::identity::LeftOut;
use crate::league::run::RunError;
use crate::league::submissions::{Action, Record, Submitted, checked_author};
use crate::league::verify::played;
use crate::league::{League, Ledger, Submissions, SubmissionsError};
use crate::report::table::{Align, Table};

/// Digits of a hash that are shown to people.
const HASH_SHOWN: usize = 12;

/// A league's folder of submissions, and what it says.
fn read(league: &Path) -> Result<(PathBuf, Submissions), Failure> {
    let (_, folder) = League::read_file(league)?;
    let submissions = read_submissions(&folder)?;
    Ok((folder, submissions))
}

fn known_name(name: &str) -> Result<BotName, Failure> {
    BotName::new(name).map_err(|bad| Failure::Refused(bad.to_string()))
}

fn unknown(name: &BotName, submissions: &Submissions) -> Failure {
    let names: Vec<_> = submissions.bots().iter().map(|bot| bot.name.to_string()).collect();
    let there = if names.is_empty() { "nothing was so far".into() } else { format!("there are {}", names.join(", ")) };
    Failure::Refused(format!("{}; {there}", SubmissionsError::Unknown { name: name.clone() }))
}

fn nothing_yet(folder: &Path) -> u8 {
    note!("Nothing was submitted yet: there is nothing in {}.", shown(folder));
    exit::DONE
}

/// A version and a hash as people read them.
fn cells(version: Option<&str>, sha256: &str) -> [String; 2] {
    [version.map_or("-".into(), |version| escaped(version, 20)), sha256[..HASH_SHOWN].to_owned()]
}

/// List the bots that were submitted to a league
///
/// A bot that plays, that is withdrawn, or that is left out, since it cannot be played: the results in the usual folder say so.
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena submissions leagues/x
  arena submissions leagues/x --json")]
pub(super) struct List {
    /// The league file; `.toml` may be left out
    league: PathBuf,
    /// One JSON object a bot
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listed<'a> {
    name: &'a BotName,
    author: &'a str,
    version: Option<&'a str>,
    submissions: usize,
    submitted: &'a str,
    sha256: &'a str,
    withdrawn: bool,
    /// Whether the league's results leave it out.
    left_out: bool,
}

impl<'a> Listed<'a> {
    fn of(bot: &Submitted<'a>, left_out: &[LeftOut]) -> Listed<'a> {
        let newest = bot.newest();
        Listed {
            name: bot.name,
            author: bot.author,
            version: newest.version,
            submissions: bot.versions.len(),
            submitted: newest.time,
            sha256: newest.sha256,
            withdrawn: bot.withdrawn,
            left_out: left_out.iter().any(|out| out.name == bot.name.as_str() && out.sha256 == newest.sha256),
        }
    }

    fn state(&self) -> &'static str {
        match self {
            Listed { withdrawn: true, .. } => "withdrawn",
            Listed { left_out: true, .. } => "left out",
            _ => "plays",
        }
    }
}

impl List {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        let (league, folder) = League::read_file(&self.league)?;
        let submissions = read_submissions(&folder)?;
        let results = played(&default_folder(&league.path)).map_err(RunError::from)?;
        let left_out = results.map_or(Vec::new(), |results| results.left_out);
        let bots = submissions.bots();
        let mut out = std::io::stdout().lock();
        if self.json {
            for bot in &bots {
                writeln!(out, "{}", serde_json::to_string(&Listed::of(bot, &left_out)).expect("plain data"))?;
            }
            return Ok(exit::DONE);
        }
        if bots.is_empty() {
            return Ok(nothing_yet(&folder));
        }
        let mut table = Table::new([
            ("bot", Align::Left),
            ("author", Align::Left),
            ("version", Align::Left),
            ("submissions", Align::Right),
            ("submitted", Align::Left),
            ("state", Align::Left),
            ("SHA-256", Align::Left),
        ]);
        for bot in &bots {
            let newest = bot.newest();
            let [version, sha256] = cells(newest.version, newest.sha256);
            table.row([
                bot.name.to_string(),
                escaped(bot.author, 60),
                version,
                bot.versions.len().to_string(),
                escaped(newest.time, 20),
                Listed::of(bot, &left_out).state().into(),
                sha256,
            ]);
        }
        write!(out, "{table}")?;
        Ok(exit::DONE)
    }
}

/// Tell every submission and withdrawal of a league, or of one bot, oldest first
///
/// Every version that was ever submitted is kept in the folder of submissions as <SHA-256>.wasm; `arena submit` of that
/// file brings it back.
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena history leagues/x
  arena history leagues/x my-bot
  arena history leagues/x --json")]
pub(super) struct History {
    /// The league file; `.toml` may be left out
    league: PathBuf,
    /// Only this bot's
    name: Option<String>,
    /// One JSON object a record
    #[arg(long)]
    json: bool,
}

impl History {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        let (folder, submissions) = read(&self.league)?;
        let name = self.name.as_deref().map(known_name).transpose()?;
        if let Some(name) = name.as_ref().filter(|name| submissions.bot(name).is_none()) {
            return Err(unknown(name, &submissions));
        }
        if submissions.records.is_empty() && !self.json {
            return Ok(nothing_yet(&folder));
        }
        let wanted = |record: &&Record| name.as_ref().is_none_or(|name| record.name.folded() == name.folded());
        let mut out = std::io::stdout().lock();
        let mut table = Table::new([
            ("time", Align::Left),
            ("action", Align::Left),
            ("bot", Align::Left),
            ("submission", Align::Right),
            ("author", Align::Left),
            ("version", Align::Left),
            ("SHA-256", Align::Left),
        ]);
        // By name, in one case: how many so far.
        let mut counts: HashMap<String, usize> = HashMap::new();
        for record in submissions.records.iter().filter(wanted) {
            if self.json {
                writeln!(out, "{}", serde_json::to_string(record).expect("plain data"))?;
                continue;
            }
            let count = counts.entry(record.name.folded()).or_default();
            let (action, number, [version, sha256]) = match &record.action {
                Action::Submit { version, sha256 } => {
                    *count += 1;
                    ("submit", count.to_string(), cells(version.as_deref(), sha256))
                }
                Action::Withdraw => ("withdraw", String::new(), Default::default()),
            };
            let (time, author) = (escaped(&record.time, 20), escaped(&record.author, 60));
            table.row([time, action.into(), record.name.to_string(), number, author, version, sha256]);
        }
        if !self.json {
            write!(out, "{table}")?;
        }
        Ok(exit::DONE)
    }
}

/// Take a submitted bot out of a league
///
/// Its versions stay stored and its name stays its author's, who may submit it again. Nothing that was played is lost.
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena withdraw my-bot --league leagues/x --author ann")]
pub(super) struct Withdraw {
    /// The bot's name in the league
    name: String,
    /// The league file; `.toml` may be left out
    #[arg(long, value_name = "FILE")]
    league: PathBuf,
    /// Whose it is
    #[arg(long, value_name = "NAME")]
    author: String,
    /// Only record it: `arena run` makes the tables without it
    #[arg(long)]
    no_play: bool,
    #[command(flatten)]
    playing: Playing,
}

impl Withdraw {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        let name = known_name(&self.name)?;
        let author = checked_author(&self.author).map_err(Failure::Refused)?;
        let (league, folder) = League::read_file(&self.league)?;
        let submissions = read_submissions(&folder)?;
        if submissions.bot(&name).is_none() {
            return Err(unknown(&name, &submissions));
        }
        if !self.no_play {
            self.playing.free_folder(&league)?;
        }
        let new = Ledger::open(&folder)?.withdraw(&name, &author).map_err(|error| match error {
            SubmissionsError::Taken { name, author } => {
                Failure::Refused(format!("the bot \"{name}\" belongs to {author}; only {author} may withdraw it"))
            }
            other => other.into(),
        })?;
        let what = if new { "withdrawn" } else { "withdrawn already, nothing is recorded" };
        note!("{what}: {name}; its versions stay stored, and the name stays {author}'s");
        if self.no_play {
            return Ok(exit::DONE);
        }
        let stop = stop_on_interrupt();
        if let Some(played) = self.playing.catch_up(&self.league, &stop)? {
            print_text(&played.results, &played.standings)?;
        }
        if stop.load(Ordering::Relaxed) {
            note!("Stopped before the end; the withdrawal is recorded. This goes on:");
            note!("  {}", self.playing.command(&self.league));
            return Ok(exit::INTERRUPTED);
        }
        Ok(exit::DONE)
    }
}
