//! Where submissions are taken: the checks of a league, then the name, then the record.

use std::path::{Path, PathBuf};

use super::bots::{load_bot, read_bot};
use super::compiling::Compiling;
use super::error::Failure;
use super::output::note;
use crate::ids::{BotName, escaped, shown};
use crate::league::submissions::{Submission, Submitted, checked_author};
use crate::league::{League, Ledger, Submissions, SubmissionsError};
use crate::sandbox::module::sha256_hex;
use crate::sandbox::{Metadata, Sandbox};

/// A league that takes submissions.
pub(super) struct Desk {
    league: League,
    folder: PathBuf,
    sandbox: Sandbox,
}

/// What is said of a file beside what the bot in it says.
#[derive(Default)]
pub(super) struct Claim<'a> {
    /// The name, in place of the bot's.
    pub(super) name: Option<&'a str>,
    /// Who submits it, in place of the author that it names.
    pub(super) author: Option<&'a str>,
    /// Who submits it if it names no author.
    pub(super) else_author: Option<&'a str>,
}

/// What was taken.
pub(super) struct Receipt {
    pub(super) name: BotName,
    pub(super) author: String,
    sha256: String,
    /// Its number among the submissions under its name, from 1.
    number: usize,
    new: bool,
    /// Another bot that plays with the same bytes, and whose it is.
    twin: Option<(BotName, String)>,
}

impl std::fmt::Display for Receipt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Receipt { name, author, sha256, number, new, twin } = self;
        let what = if *new { "submitted" } else { "already submitted, nothing is recorded" };
        write!(f, "{what}: {name}, submission {number}, by {author}, SHA-256 {sha256}")?;
        match twin {
            Some((name, author)) => write!(f, "; {name} by {author} is the same file"),
            None => Ok(()),
        }
    }
}

/// What was submitted so far, telling what is left out.
pub(super) fn read_submissions(folder: &Path) -> Result<Submissions, Failure> {
    let submissions = Submissions::read(folder)?;
    if submissions.torn {
        note!("{}: the last record is torn, as by a kill; it is left out.", shown(folder));
    }
    Ok(submissions)
}

impl Desk {
    /// Opens the desk of a league, whatever is entered in it so far.
    pub(super) fn open(league: &Path, compiling: &Compiling) -> Result<Desk, Failure> {
        let (league, folder) = League::read_file(league)?;
        let sandbox = Sandbox::with_compiler(league.limits().clone(), 4, compiling.compiler()?.with_margin())?;
        Ok(Desk { league, folder, sandbox })
    }

    /// A file's bytes, if it is not too large for a bot.
    pub(super) fn read(&self, file: &Path) -> Result<Vec<u8>, Failure> {
        read_bot(file, self.league.limits())
    }

    /// Whether these bytes were ever submitted, under whatever name.
    pub(super) fn knows(&self, bytes: &[u8]) -> Result<bool, Failure> {
        Ok(Submissions::read(&self.folder)?.holds(&sha256_hex(bytes)))
    }

    /// Checks a bot as the league would, and records it. When this returns, the disk has it.
    pub(super) fn submit(&self, file: &Path, bytes: &[u8], claim: &Claim<'_>) -> Result<Receipt, Failure> {
        let refused = |reason: String| Failure::Refused(format!("{}: {reason}", shown(file)));
        let module = load_bot(&self.sandbox, self.league.game(), self.league.seats(), file, bytes)?;
        let metadata = module.metadata();
        let name = name(file, metadata, claim).map_err(refused)?;
        let author = author(metadata, claim).map_err(refused)?;

        let there = read_submissions(&self.folder)?;
        // A name that was submitted before the league file had it is still its author's.
        if there.bot(&name).is_none() && self.is_own(&name) {
            let league = shown(&self.league.path);
            return Err(refused(format!("the name \"{name}\" is that of a bot in {league}; choose another name")));
        }
        let mut ledger = Ledger::open(&self.folder)?;
        let submission = Submission { name: &name, author: &author, version: metadata.version.as_deref(), bytes };
        let new = ledger.submit(submission).map_err(|error| match error {
            SubmissionsError::Taken { .. } => refused(format!("{error}; choose another name")),
            other => other.into(),
        })?;
        let bots = ledger.submissions().bots();
        let is_it = |other: &BotName| other.folded() == name.folded();
        let number = bots.iter().find(|bot| is_it(bot.name)).map_or(1, |bot| bot.versions.len());
        let plays = |bot: &Submitted<'_>| bot.current().is_some_and(|version| version.sha256 == module.sha256());
        let twin = bots.iter().find(|bot| !is_it(bot.name) && plays(bot));
        let twin = twin.map(|bot| (bot.name.clone(), escaped(bot.author, 60)));
        Ok(Receipt { name, author, sha256: module.sha256().to_owned(), number, new, twin })
    }

    /// Whether the league file itself enters a bot of this name.
    fn is_own(&self, name: &BotName) -> bool {
        self.league.bots.iter().any(|bot| bot.name.folded() == name.folded())
    }
}

/// The name under which a bot is entered.
///
/// # Errors
/// Why it has none.
pub(super) fn name(file: &Path, metadata: &Metadata, claim: &Claim<'_>) -> Result<BotName, String> {
    match (claim.name, &metadata.name) {
        (Some(name), _) => BotName::new(name).map_err(|bad| bad.to_string()),
        (None, Some(name)) => Ok(name.clone()),
        (None, None) => BotName::new(&file.file_stem().unwrap_or_default().to_string_lossy()).map_err(|bad| {
            format!("the bot has no name in its metadata, and its file name cannot be used as one: {bad}; pass --name")
        }),
    }
}

/// Who enters it.
///
/// # Errors
/// Why that is nobody.
pub(super) fn author(metadata: &Metadata, claim: &Claim<'_>) -> Result<String, String> {
    match claim.author.or(metadata.author.as_deref()).or(claim.else_author) {
        Some(author) => checked_author(author),
        None => Err("it names no author, and a name belongs to somebody; --author says whose it is".into()),
    }
}
