//! The bots of a results folder, found again by the SHA-256 that it has of them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::error::Failure;
use crate::league::League;
use crate::sandbox::Limits;
use crate::sandbox::module::sha256_hex;

/// Bots' files, by their SHA-256.
pub(super) struct Bots {
    by_hash: HashMap<String, (PathBuf, Vec<u8>)>,
    /// The files that a league file names, by the bot's name there.
    named: HashMap<String, PathBuf>,
}

impl Bots {
    /// Those that a league file names and those of `files`. Without either it is the league file of the folder's name.
    pub(super) fn find(
        results: &Path,
        league: Option<&Path>,
        files: &[PathBuf],
        limits: &Limits,
    ) -> Result<Bots, Failure> {
        let mut bots = Bots { by_hash: HashMap::new(), named: HashMap::new() };
        let usual = || {
            let name = results.file_name()?.to_str()?;
            Some(Path::new("leagues").join(format!("{name}.toml"))).filter(|file| file.is_file())
        };
        let file = league.map(Path::to_owned).or_else(|| if files.is_empty() { usual() } else { None });
        if let Some(file) = file {
            for bot in League::read(&file)?.bots {
                bots.named.insert(bot.name.to_string(), bot.path.clone());
                bots.by_hash.insert(bot.sha256, (bot.path, bot.bytes));
            }
        } else if files.is_empty() {
            return Err(Failure::Refused("where are the bots? Name them with --league or --bots".into()));
        }
        for path in files {
            let bytes = super::play::read_bot(path, limits)?;
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            bots.named.insert(stem, path.clone());
            bots.by_hash.insert(sha256_hex(&bytes), (path.clone(), bytes));
        }
        Ok(bots)
    }

    /// The file with these bytes.
    pub(super) fn get(&self, sha256: &str) -> Option<&(PathBuf, Vec<u8>)> {
        self.by_hash.get(sha256)
    }

    /// The file that should be the bot of a name.
    pub(super) fn named(&self, name: &str) -> Option<&Path> {
        self.named.get(name).map(PathBuf::as_path)
    }
}
