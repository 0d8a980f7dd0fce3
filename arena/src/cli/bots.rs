//! Bots as commands are given them: their files, their game, their modules; and those of a results folder, found again by
//! the SHA-256 that it has of them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::error::Failure;
use super::output::note;
use crate::failure::FileError;
use crate::games::GameId;
use crate::ids::{escaped, shown};
use crate::league::config::{read_limited, read_module};
use crate::league::folder::league_beside;
use crate::league::identity::Identity;
use crate::league::submissions::stored_file;
use crate::league::{League, Submissions};
use crate::sandbox::module::sha256_hex;
use crate::sandbox::{BotModule, Limits, LoadError, Refusal, Sandbox};

/// A bot's bytes.
pub(super) fn read_bot(path: &Path, limits: &Limits) -> Result<Vec<u8>, Failure> {
    read_module(path, limits).map_err(|error| match error.into() {
        FileError::Bad(reason) => Failure::Refused(format!("{}: {reason}", shown(path))),
        FileError::Host(error) => error.into(),
    })
}

/// A bot's module, if it is one for the game, tried with this number of seats. `path` is what errors name.
pub(super) fn load_bot(
    sandbox: &Sandbox,
    game: GameId,
    seats: usize,
    path: &Path,
    bytes: &[u8],
) -> Result<BotModule, Failure> {
    BotModule::load(sandbox, bytes, game.view_size(), seats).and_then(|module| module.for_game(game.name())).map_err(
        |error| match error {
            LoadError::Refused(refused) => refusal(path, &refused),
            LoadError::Host(error) => error.into(),
        },
    )
}

/// A bot is refused.
fn refusal(path: &Path, refused: &Refusal) -> Failure {
    Failure::Refused(format!("{} is refused:\n{refused}", shown(path)))
}

/// The game that the bots name.
pub(super) fn named_game(files: &[(&PathBuf, Vec<u8>)], limits: &Limits) -> Result<GameId, Failure> {
    let mut refused = None;
    for (path, bytes) in files {
        match crate::sandbox::check(bytes, limits) {
            Ok(checked) => {
                if let Some(game) = checked.metadata().named_games().find_map(GameId::from_name) {
                    return Ok(game);
                }
            }
            // A file that is no bot is why its game is not known.
            Err(problems) => {
                refused.get_or_insert_with(|| refusal(path, &Refusal(problems)));
            }
        }
    }
    if let Some(refused) = refused {
        return Err(refused);
    }
    Err(Failure::Refused(format!("no bot names its game; say it with --game: {}", GameId::names())))
}

/// Bots' files, by their SHA-256.
pub(super) struct Bots {
    by_hash: HashMap<String, (PathBuf, Vec<u8>)>,
    /// The files that a league file names, by the bot's name there.
    named: HashMap<String, PathBuf>,
}

impl Bots {
    /// Those that a league file names, those ever submitted to it, and those of `files`, for playing results again. Without
    /// either it is the league file beside the results; without that, `how` says how to name them.
    pub(super) fn find(
        results: &Path,
        identity: &Identity,
        league: Option<&Path>,
        files: &[PathBuf],
        how: &str,
    ) -> Result<Bots, Failure> {
        let limits = &identity.limits;
        let mut bots = Bots { by_hash: HashMap::new(), named: HashMap::new() };
        let beside = || if files.is_empty() { league_beside(results) } else { None };
        if let Some(file) = league.map(Path::to_owned).or_else(beside) {
            bots.add_league(&file, identity)?;
        } else if files.is_empty() {
            return Err(Failure::Refused(format!("where are the bots? {how}")));
        }
        for path in files {
            let bytes = read_bot(path, limits)?;
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            bots.named.insert(stem, path.clone());
            bots.by_hash.insert(sha256_hex(&bytes), (path.clone(), bytes));
        }
        Ok(bots)
    }

    /// Adds the bots of a league file. Whether it could be played now does not matter: what is asked for was played.
    fn add_league(&mut self, file: &Path, identity: &Identity) -> Result<(), Failure> {
        let league = League::bot_files(file)?;
        if league.game.name() != identity.game {
            let (file, game) = (shown(file), league.game);
            let played = escaped(&identity.game, 60);
            return Err(Failure::Refused(format!("{file}: a league of {game}, and the results are of {played}")));
        }
        league.problems.iter().for_each(|problem| note!("{problem}"));
        for bot in league.bots {
            self.named.insert(bot.name.to_string(), bot.path.clone());
            self.by_hash.insert(bot.sha256, (bot.path, bot.bytes));
        }
        for bot in Submissions::read(&league.submissions)?.bots() {
            let path = stored_file(&league.submissions, bot.newest().sha256);
            self.named.entry(bot.name.to_string()).or_insert(path);
        }
        // Older and withdrawn versions stay there. Only digits become a path.
        let digits = |sha256: &&str| sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
        for sha256 in identity.bots.iter().map(|bot| bot.sha256.as_str()).filter(digits) {
            if !self.by_hash.contains_key(sha256) {
                let path = stored_file(&league.submissions, sha256);
                match read_limited(&path, identity.limits.module_bytes, "for a module") {
                    Ok(bytes) if sha256_hex(&bytes) == sha256 => {
                        self.by_hash.insert(sha256.to_owned(), (path, bytes));
                    }
                    // It is not there: this is said where it is needed.
                    Ok(_) | Err(FileError::Bad(_)) => {}
                    Err(FileError::Host(error)) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    /// The file with these bytes.
    pub(super) fn get(&self, sha256: &str) -> Option<(PathBuf, Vec<u8>)> {
        self.by_hash.get(sha256).cloned()
    }

    /// Why the bot of a name, which played with other bytes, is not found.
    pub(super) fn lack(&self, name: &str) -> String {
        match self.named.get(name) {
            Some(path) if path.exists() => format!("{} has another SHA-256: it was changed since", shown(path)),
            _ => "it is not among the files given".into(),
        }
    }
}
