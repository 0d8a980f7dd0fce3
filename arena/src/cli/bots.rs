//! Bots as commands are given them: their files, their game, their modules; and those of a results folder, found again by
//! the SHA-256 that it has of them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::error::Failure;
use crate::games::GameId;
use crate::ids::shown;
use crate::league::config::{read_limited, read_module};
use crate::league::submissions::stored_file;
use crate::league::{League, Submissions};
use crate::sandbox::module::sha256_hex;
use crate::sandbox::{BotModule, Limits, LoadError, Sandbox};

/// A bot's bytes.
pub(super) fn read_bot(path: &Path, limits: &Limits) -> Result<Vec<u8>, Failure> {
    read_module(path, limits).map_err(|problem| Failure::Refused(format!("{}: {}", shown(path), problem.message)))
}

/// A bot's module, if it is one for the game, tried with this number of seats. `path` is what errors name.
pub(super) fn load_bot(
    sandbox: &Sandbox,
    game: GameId,
    seats: usize,
    path: &Path,
    bytes: &[u8],
) -> Result<BotModule, Failure> {
    BotModule::load(sandbox, bytes, game.view_size(), seats)
        .and_then(|module| module.for_game(game.name()))
        .map_err(|error| refusal(path, &error))
}

/// A bot is refused.
fn refusal(path: &Path, error: &LoadError) -> Failure {
    Failure::Refused(format!("{} is refused:\n{error}", shown(path)))
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
                refused.get_or_insert_with(|| refusal(path, &LoadError { problems }));
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
    /// Where the league's submissions are: older and withdrawn versions stay there.
    submissions: Option<PathBuf>,
    most_bytes: u64,
}

impl Bots {
    /// Those that a league file names, those ever submitted to it, and those of `files`. Without either it is the league
    /// file of the folder's name; without that, `how` says how to name them.
    pub(super) fn find(
        results: &Path,
        league: Option<&Path>,
        files: &[PathBuf],
        limits: &Limits,
        how: &str,
    ) -> Result<Bots, Failure> {
        let most_bytes = limits.module_bytes;
        let mut bots = Bots { by_hash: HashMap::new(), named: HashMap::new(), submissions: None, most_bytes };
        let usual = || {
            let name = results.file_name()?.to_str()?;
            Some(Path::new("leagues").join(format!("{name}.toml"))).filter(|file| file.is_file())
        };
        let file = league.map(Path::to_owned).or_else(|| if files.is_empty() { usual() } else { None });
        if let Some(file) = file {
            // Whether the league could be played now does not matter: what is asked for was played.
            let (league, submissions) = League::read_file(&file)?;
            for bot in league.bots {
                bots.named.insert(bot.name.to_string(), bot.path.clone());
                bots.by_hash.insert(bot.sha256, (bot.path, bot.bytes));
            }
            for bot in Submissions::read(&submissions)?.bots() {
                let path = stored_file(&submissions, bot.newest().sha256);
                bots.named.entry(bot.name.to_string()).or_insert(path);
            }
            bots.submissions = Some(submissions);
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

    /// The file with these bytes.
    pub(super) fn get(&self, sha256: &str) -> Option<(PathBuf, Vec<u8>)> {
        self.by_hash.get(sha256).cloned().or_else(|| self.stored(sha256))
    }

    /// The version with these bytes that was submitted once. Only its digits become a path.
    fn stored(&self, sha256: &str) -> Option<(PathBuf, Vec<u8>)> {
        let digits = sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
        let path = self.submissions.as_ref().filter(|_| digits).map(|folder| stored_file(folder, sha256))?;
        let bytes = read_limited(&path, self.most_bytes, "for a module").ok()?;
        (sha256_hex(&bytes) == sha256).then_some((path, bytes))
    }

    /// The file that should be the bot of a name.
    pub(super) fn named(&self, name: &str) -> Option<&Path> {
        self.named.get(name).map(PathBuf::as_path)
    }
}
