//! A results folder: what lies in it, whose it is, and where its league is.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::League;
use super::config::read_limited;
use super::identity::Identity;
use super::journal::{Beginning, Journal};
use crate::ids::{escaped, shown};

/// What a run writes beside the journal, in this order. [`RUN_RECORD`] is written after them: where it is, all are.
pub const TABLES: [&str; 7] =
    ["elo.csv", "crosstable.csv", "pairs.csv", "seats.csv", "points.csv", "faults.csv", "results.json"];

/// What was played and how it went: the last file that a run writes.
pub const RUN_RECORD: &str = "run.json";

/// The largest `run.json` that is read: a league of a hundred thousand bots has a smaller one.
const MOST_RECORD_BYTES: u64 = 1 << 26;

/// A folder that holds something else than results of a league. Nothing was written to it.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// There are files with names of tables, and nothing says that a run wrote them.
    #[error(
        "{}: this is not a results folder: it has {file}, which would be replaced, and no journal; name another folder \
         with --out, or move {file} away",
        shown(folder)
    )]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// The file.
        file: &'static str,
    },
    /// The file that should be the journal is something else.
    #[error("{}: this is not a journal of arena; name another folder with --out", shown(path))]
    NotAJournal {
        /// The file.
        path: PathBuf,
    },
    /// Results of another game.
    #[error(
        "{}: its results are of {found}, and this league is of {game}; name another folder with --out",
        shown(folder)
    )]
    OtherGame {
        /// The folder.
        folder: PathBuf,
        /// The game that was played there, escaped.
        found: String,
        /// The league's.
        game: &'static str,
    },
    /// Results of another league file, which has nothing in common with this one.
    #[error(
        "{}: its results are of another league{}; name another folder with --out",
        shown(folder),
        found.as_ref().map_or(String::new(), |found| format!(", {found}"))
    )]
    OtherLeague {
        /// The folder.
        folder: PathBuf,
        /// The name of the other league's file, escaped, if it is known.
        found: Option<String>,
    },
}

/// Refuses a folder that is in use for something else than results of this league. One that is not there yet, or has nothing in
/// it that a run would replace, is free. Only reads.
///
/// # Errors
/// What is there. What cannot be read is left to whoever opens it for writing.
pub fn check(folder: &Path, league: &League) -> Result<(), FolderError> {
    match Journal::beginning(folder) {
        Beginning::Nothing => match written(folder) {
            Some(file) => Err(FolderError::Foreign { folder: folder.to_owned(), file }),
            None => Ok(()),
        },
        Beginning::Foreign { path } => Err(FolderError::NotAJournal { path }),
        Beginning::Damaged | Beginning::Unread => Ok(()),
        Beginning::Played(first) if first.game != league.game().name() => {
            let (found, game) = (escaped(&first.game, 60), league.game().name());
            Err(FolderError::OtherGame { folder: folder.to_owned(), found, game })
        }
        Beginning::Played(first) => {
            let other = |found| Err(FolderError::OtherLeague { folder: folder.to_owned(), found });
            match record(folder) {
                Some(record) if league.path.file_name().is_some_and(|name| name.to_string_lossy() == record.league) => {
                    Ok(())
                }
                Some(record) if !shares_blocks(&record.identity, league) => other(Some(escaped(&record.league, 100))),
                Some(_) => Ok(()),
                // Whose tables they are, only the journal says.
                None if written(folder).is_some() => {
                    let last = Journal::read(folder, drop).ok().and_then(|contents| contents.identity);
                    if shares_blocks(last.as_ref().unwrap_or(&first), league) { Ok(()) } else { other(None) }
                }
                // A journal keeps what it has, whatever is added.
                None => Ok(()),
            }
        }
    }
}

/// A file in a folder that has the name of one that a run writes beside the journal.
fn written(folder: &Path) -> Option<&'static str> {
    let there = |name: &&str| folder.join(name).symlink_metadata().is_ok();
    TABLES.iter().chain([&RUN_RECORD]).copied().find(there)
}

/// What `run.json` says of whose results these are.
#[derive(Deserialize)]
struct Record {
    league: String,
    #[serde(flatten)]
    identity: Identity,
}

fn record(folder: &Path) -> Option<Record> {
    let bytes = read_limited(&folder.join(RUN_RECORD), MOST_RECORD_BYTES, "for a record of a run").ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Whether a league may have blocks of what was played. A league changes: its bots, its seed, its rules. A file of another
/// name that shares no block with it is another league.
fn shares_blocks(before: &Identity, league: &League) -> bool {
    let now = league.identity();
    let rules = before.options == now.options && before.limits == now.limits && before.seed == now.seed;
    let plays = |sha256: &str| before.bots.iter().any(|bot| bot.sha256 == sha256);
    rules && now.bots.iter().any(|bot| plays(&bot.sha256))
}

/// The league file whose results go to a folder where nothing else is said, wherever the current folder is: `x.toml` in the
/// folder `leagues` beside the folder that holds `x`, or beside that folder itself; then `leagues/x.toml` from the current folder.
pub fn league_beside(results: &Path) -> Option<PathBuf> {
    let beside = |folder: PathBuf| {
        let file = PathBuf::from(folder.file_name()?).with_added_extension("toml");
        let above =
            folder.parent().filter(|parent| parent.file_name().is_some_and(|name| name == "results"))?.parent()?;
        [above.join("leagues").join(&file), above.join(&file)].into_iter().find(|file| file.is_file())
    };
    // As it is written, and behind `..` and links.
    let whole = [std::path::absolute(results), results.canonicalize()];
    let here = || {
        let name = results.file_name()?.to_str()?;
        Some(Path::new("leagues").join(format!("{name}.toml"))).filter(|file| file.is_file())
    };
    whole.into_iter().flatten().find_map(beside).or_else(here)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn a_league_is_found_beside_its_results() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let results = at("results/x");
        std::fs::create_dir_all(&results).unwrap();
        assert_eq!(league_beside(&results), None);
        write(&at("x.toml"), "");
        assert_eq!(league_beside(&results), Some(at("x.toml")));
        write(&at("leagues/x.toml"), "");
        let wanted = at("leagues/x.toml");
        for spelling in ["results/x", "results/x/", "results/./x", "results/../results/x"] {
            let found = league_beside(&at(spelling)).unwrap();
            assert_eq!(found.canonicalize().unwrap(), wanted.canonicalize().unwrap(), "{spelling}");
        }
        std::fs::create_dir_all(at("elsewhere/x")).unwrap();
        assert_eq!(league_beside(&at("elsewhere/x")), None, "only a folder `results` has a league beside it");
    }

    /// The folder is as it was before, whatever it is refused for.
    #[test]
    fn a_folder_of_something_else_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for bot in ["a.wasm", "b.wasm"] {
            write(&at(bot), bot);
        }
        let head = "game = \"little-hunters\"\ndeals = 1\n[[bots]]\npath = \"*.wasm\"\n";
        write(&at("l.toml"), head);
        write(&at("m.toml"), &format!("seed = 7\n{head}"));
        write(&at("n.toml"), head);
        let league = |name: &str| League::read(&at(name)).unwrap();
        let checked = |name: &str| check(&at("out"), &league(name)).map_err(|error| error.to_string());
        let journal = at("out/journal.jsonl");
        assert_eq!(checked("l.toml"), Ok(()), "it is not there yet");
        write(&at("out/notes.txt"), "mine");
        assert_eq!(checked("l.toml"), Ok(()), "nothing in it is replaced");
        for file in TABLES.iter().chain([&RUN_RECORD]) {
            write(&at("out").join(file), "mine");
            let refused = checked("l.toml").unwrap_err();
            assert!(refused.contains(&format!("it has {file}, which would be replaced")), "{refused}");
            std::fs::remove_file(at("out").join(file)).unwrap();
        }
        for text in ["mine", "mine\n", "{\"a\":1}\n\nface\n{\"b\":2}\n", "---\ntitle: x\n---\n", "deadbeef", "0123"] {
            write(&journal, text);
            assert!(checked("l.toml").unwrap_err().contains("not a journal of arena"), "{text:?}");
        }
        // A kill or a disk may have done this.
        for text in ["", "0123456789abcdef {\"li", "0123456789abcdef {}\n", "-----------------\n", "0123456789abcdef"] {
            write(&journal, text);
            assert_eq!(checked("l.toml"), Ok(()), "{text:?}");
        }
        std::fs::remove_file(&journal).unwrap();
        let mut begun = Journal::open(&at("out"), drop).unwrap().0;
        begun.begin(league("l.toml").identity()).unwrap();
        for name in ["l.toml", "m.toml", "n.toml"] {
            assert_eq!(checked(name), Ok(()), "{name}");
        }
        // Tables without a run.json that can be read: the journal says whose they are.
        write(&at("out/elo.csv"), "theirs");
        for record in [None, Some("{")] {
            record.iter().for_each(|text| write(&at("out").join(RUN_RECORD), text));
            assert_eq!((checked("l.toml"), checked("n.toml")), (Ok(()), Ok(())));
            let refused = checked("m.toml").unwrap_err();
            assert!(refused.contains("its results are of another league; "), "{refused}");
        }
        std::fs::remove_file(at("out/elo.csv")).unwrap();
        let mut record = serde_json::to_value(league("l.toml").identity()).unwrap();
        record["league"] = "l.toml".into();
        write(&at("out").join(RUN_RECORD), &record.to_string());
        assert_eq!(checked("n.toml"), Ok(()), "a league that got another name");
        let refused = checked("m.toml").unwrap_err();
        assert!(refused.contains("its results are of another league, l.toml; "), "{refused}");
        write(&at("l.toml"), &format!("seed = 7\n{head}"));
        assert_eq!(checked("l.toml"), Ok(()), "a league that got another seed");
        write(&at("l.toml"), &head.replace("little-hunters", "card-hunt"));
        let refused = checked("l.toml").unwrap_err();
        assert!(refused.contains("its results are of little-hunters, and this league is of card-hunt"), "{refused}");
    }
}
