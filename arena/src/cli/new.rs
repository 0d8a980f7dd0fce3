//! `arena new`: a bot to start from, in a folder that builds as it is.
//!
//! What it writes are the files of `example-bots/languages` and the SDK of the language, which are part of this program:
//! a new bot needs no copy of the repository.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::error::{Failure, exit};
use super::games::known_game;
use crate::draft;
use crate::games::GameId;
use crate::ids::{BotName, escaped, shown};
use crate::league::submissions::checked_author;
use crate::words::shell_word;

/// Make a folder with a bot to start from, which plays legally
///
/// The folder's name is the bot's. Its README has the commands that build the bot; the bot in it plays at random, or as simply.
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena new my-bot --game little-hunters
  arena new bots/my-bot --game card-hunt --lang c --author ann")]
pub(super) struct New {
    /// The folder to make
    folder: PathBuf,
    /// The game that the bot plays: see `arena games`
    #[arg(long, value_name = "GAME")]
    game: String,
    /// The language: rust, c, assemblyscript, zig or wat
    #[arg(long, value_name = "LANGUAGE", default_value = "rust")]
    lang: String,
    /// Whose the bot is, as it stands in its metadata
    #[arg(long, value_name = "NAME", default_value = NOBODY)]
    author: String,
}

/// The author of a bot that nobody put a name to.
pub(super) const NOBODY: &str = "me";

/// A file of a new bot: its path there, its text.
type File = (&'static str, &'static str);

/// A language that a bot can be begun in.
struct Language {
    name: &'static str,
    /// The files that are the same for every game: what builds the bot, and the SDK.
    files: &'static [File],
    /// By the game's name: the bot itself.
    bots: &'static [(&'static str, &'static [File])],
}

macro_rules! template {
    ($path:literal) => {
        include_str!(concat!("../../../example-bots/languages/", $path))
    };
}

macro_rules! sdk {
    ($path:literal) => {
        include_str!(concat!("../../../bot-sdk/", $path))
    };
}

const LANGUAGES: &[Language] = &[
    Language {
        name: "rust",
        files: &[
            ("README.md", template!("rust/README.md")),
            ("Cargo.toml", template!("rust/Cargo.toml")),
            (".cargo/config.toml", template!("rust/config.toml")),
            ("build.sh", template!("rust/build.sh")),
            ("bot-sdk/Cargo.toml", template!("rust/bot-sdk.toml")),
            ("bot-sdk/src/abi.rs", sdk!("src/abi.rs")),
            ("bot-sdk/src/animal_rescuers.rs", sdk!("src/animal_rescuers.rs")),
            ("bot-sdk/src/blocks.rs", sdk!("src/blocks.rs")),
            ("bot-sdk/src/card_hunt.rs", sdk!("src/card_hunt.rs")),
            ("bot-sdk/src/export.rs", sdk!("src/export.rs")),
            ("bot-sdk/src/lib.rs", sdk!("src/lib.rs")),
            ("bot-sdk/src/little_hunters.rs", sdk!("src/little_hunters.rs")),
            ("bot-sdk/src/log.rs", sdk!("src/log.rs")),
            ("bot-sdk/src/passing_cards.rs", sdk!("src/passing_cards.rs")),
            ("bot-sdk/src/plain.rs", sdk!("src/plain.rs")),
            ("bot-sdk/src/rng.rs", sdk!("src/rng.rs")),
            ("bot-sdk/src/runtime.rs", sdk!("src/runtime.rs")),
        ],
        bots: &[
            (
                "little-hunters",
                &[
                    ("src/lib.rs", template!("rust/little-hunters.rs")),
                    ("tests/legal.rs", template!("rust/little-hunters-legal.rs")),
                ],
            ),
            (
                "card-hunt",
                &[
                    ("src/lib.rs", template!("rust/card-hunt.rs")),
                    ("tests/legal.rs", template!("rust/card-hunt-legal.rs")),
                ],
            ),
            (
                "animal-rescuers",
                &[
                    ("src/lib.rs", template!("rust/animal-rescuers.rs")),
                    ("tests/legal.rs", template!("rust/animal-rescuers-legal.rs")),
                ],
            ),
            (
                "passing-cards",
                &[
                    ("src/lib.rs", template!("rust/passing-cards.rs")),
                    ("tests/legal.rs", template!("rust/passing-cards-legal.rs")),
                ],
            ),
        ],
    },
    Language {
        name: "c",
        files: &[("README.md", template!("c/README.md")), ("arena.h", sdk!("c/arena.h"))],
        bots: &[
            ("little-hunters", &[("bot.c", template!("c/little-hunters.c"))]),
            ("card-hunt", &[("bot.c", template!("c/card-hunt.c"))]),
            ("animal-rescuers", &[("bot.c", template!("c/animal-rescuers.c"))]),
            ("passing-cards", &[("bot.c", template!("c/passing-cards.c"))]),
        ],
    },
    Language {
        name: "assemblyscript",
        files: &[
            ("README.md", template!("assemblyscript/README.md")),
            ("arena.ts", sdk!("assemblyscript/arena.ts")),
            ("metadata.mjs", template!("assemblyscript/metadata.mjs")),
            ("package.json", template!("assemblyscript/package.json")),
            ("package-lock.json", template!("assemblyscript/package-lock.json")),
        ],
        bots: &[
            (
                "little-hunters",
                &[
                    ("bot.ts", template!("assemblyscript/little-hunters.ts")),
                    ("bot.json", template!("assemblyscript/little-hunters.json")),
                ],
            ),
            (
                "card-hunt",
                &[
                    ("bot.ts", template!("assemblyscript/card-hunt.ts")),
                    ("bot.json", template!("assemblyscript/card-hunt.json")),
                ],
            ),
            (
                "animal-rescuers",
                &[
                    ("bot.ts", template!("assemblyscript/animal-rescuers.ts")),
                    ("bot.json", template!("assemblyscript/animal-rescuers.json")),
                ],
            ),
            (
                "passing-cards",
                &[
                    ("bot.ts", template!("assemblyscript/passing-cards.ts")),
                    ("bot.json", template!("assemblyscript/passing-cards.json")),
                ],
            ),
        ],
    },
    Language {
        name: "zig",
        files: &[("README.md", template!("zig/README.md")), ("arena.zig", sdk!("zig/arena.zig"))],
        bots: &[
            ("little-hunters", &[("bot.zig", template!("zig/little-hunters.zig"))]),
            ("card-hunt", &[("bot.zig", template!("zig/card-hunt.zig"))]),
            ("animal-rescuers", &[("bot.zig", template!("zig/animal-rescuers.zig"))]),
            ("passing-cards", &[("bot.zig", template!("zig/passing-cards.zig"))]),
        ],
    },
    Language {
        name: "wat",
        files: &[
            ("README.md", template!("wat/README.md")),
            ("package.json", template!("wat/package.json")),
            ("package-lock.json", template!("wat/package-lock.json")),
        ],
        bots: &[
            ("little-hunters", &[("bot.wat", template!("wat/little-hunters.wat"))]),
            ("card-hunt", &[("bot.wat", template!("wat/card-hunt.wat"))]),
        ],
    },
];

/// What the compilers of all languages leave behind.
const GITIGNORE: &str = "/target\n/node_modules\n/.venv\n/bot.wasm\n";

/// A game's page, as the new bot's `RULES.md`.
fn rules(game: GameId) -> &'static str {
    match game {
        GameId::LittleHunters => include_str!("../../docs/little-hunters.md"),
        GameId::CardHunt => include_str!("../../docs/card-hunt.md"),
        GameId::AnimalRescuers => include_str!("../../docs/animal-rescuers.md"),
        GameId::PassingCards => include_str!("../../docs/passing-cards.md"),
    }
}

impl New {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        let game = known_game(&self.game)?;
        let language = known_language(&self.lang)?;
        let bot = language.bot(game)?;
        let author = known_author(&self.author)?;
        let Some(name) = self.folder.file_name() else {
            return Err(Failure::Refused(format!(
                "{}: name a folder that is not there yet, such as my-bot; it is made, and the bot is named as it",
                shown(&self.folder)
            )));
        };
        let name = name.to_string_lossy();
        let name = BotName::new(&name).map_err(|error| {
            Failure::Refused(format!("{}: the folder is named as the bot, and {error}", shown(&self.folder)))
        })?;
        let bots = vec!["bot.wasm"; game.info().seats.0].join(" ");
        let filled = |text: &str| {
            let title = game.info().title;
            text.replace("{author}", &author)
                .replace("{name}", name.as_str())
                .replace("{title}", title)
                .replace("{bots}", &bots)
        };
        let own = language.files.iter().chain(bot).map(|&(path, text)| (path, filled(text)));
        let common = [("RULES.md", rules(game).to_owned()), (".gitignore", GITIGNORE.to_owned())];
        let files: Vec<_> = own.chain(common).collect();
        write_folder(&self.folder, &files)?;

        let mut out = std::io::stdout().lock();
        writeln!(out, "{}: a bot for {game} in {}, which plays legally", shown(&self.folder), self.lang)?;
        writeln!(out, "Its README.md says where to start. To build it and watch it play:\n")?;
        writeln!(out, "    cd {}", shell_word(&shown(&self.folder)))?;
        let readme = files.iter().find(|(path, _)| *path == "README.md");
        let mut lines = readme.iter().flat_map(|(_, text)| text.lines()).filter(|line| line.starts_with("    "));
        for command in lines.by_ref().take_while(|line| !line.starts_with("    arena submit")) {
            writeln!(out, "{command}")?;
        }
        let first = if author == NOBODY { ", put your name as its author first" } else { "" };
        writeln!(out, "\nTo enter it in a league{first}:\n\n    arena submit bot.wasm --league leagues/x.toml")?;
        Ok(exit::DONE)
    }
}

/// An author's name that may stand in a string of every language.
fn known_author(text: &str) -> Result<String, Failure> {
    let refused = |reason: &str| Failure::Refused(format!("--author: {reason}"));
    let author = checked_author(text).map_err(|reason| refused(&reason))?;
    match author.contains(['"', '{', '}']) {
        true => Err(refused(&format!("\"{author}\": quotation marks and braces may not stand in it"))),
        false => Ok(author),
    }
}

fn known_language(name: &str) -> Result<&'static Language, Failure> {
    LANGUAGES.iter().find(|language| language.name == name).ok_or_else(|| {
        let names: Vec<_> = LANGUAGES.iter().map(|language| language.name).collect();
        let (name, names) = (escaped(name, 60), names.join(", "));
        Failure::Refused(format!("--lang {name}: no bot can be begun in it; the languages are {names}"))
    })
}

impl Language {
    fn find(&self, game: GameId) -> Option<&'static [File]> {
        self.bots.iter().find(|(name, _)| *name == game.name()).map(|&(_, files)| files)
    }

    /// The bot for a game.
    fn bot(&self, game: GameId) -> Result<&'static [File], Failure> {
        self.find(game).ok_or_else(|| {
            let games: Vec<_> = self.bots.iter().map(|&(name, _)| name).collect();
            let others = LANGUAGES.iter().filter(|other| other.find(game).is_some());
            let others: Vec<_> = others.map(|other| other.name).collect();
            Failure::Refused(format!(
                "--lang {}: there is no bot for {game} to begin with, but for {}; for {game} there is one in {}",
                self.name,
                games.join(", "),
                others.join(", ")
            ))
        })
    }
}

/// Writes a new folder under another name and then gives it its own, so that no half of it is ever there.
fn write_folder(folder: &Path, files: &[(&'static str, String)]) -> Result<(), Failure> {
    if folder.symlink_metadata().is_ok() {
        let message = format!("{}: it is there already; a new bot wants a new folder", shown(folder));
        return Err(Failure::Refused(message));
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let above = folder.parent().unwrap_or(Path::new(""));
    draft::sweep(above, |other| other == name);
    let temporary = draft::path(above, &name);
    let write = || {
        fs::create_dir(&temporary)?;
        for (path, text) in files {
            let path = temporary.join(path);
            fs::create_dir_all(path.parent().unwrap_or(&temporary))?;
            fs::write(path, text)?;
        }
        fs::rename(&temporary, folder)
    };
    write().map_err(|error| {
        let _ = fs::remove_dir_all(&temporary);
        Failure::Refused(format!("{}: failed to make the folder: {error}", shown(folder)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_bot_to_begin_with_but_for_text_by_hand() {
        for &game in GameId::ALL {
            for language in ["rust", "c", "assemblyscript", "zig"] {
                assert!(known_language(language).unwrap().bot(game).is_ok(), "{language} {game}");
            }
        }
    }

    #[test]
    fn a_language_without_the_game_is_refused_with_what_there_is() {
        let wat = known_language("wat").unwrap();
        let message = wat.bot(GameId::PassingCards).unwrap_err().to_string();
        assert!(message.contains("but for little-hunters, card-hunt"), "{message}");
        assert!(message.ends_with("in rust, c, assemblyscript, zig"), "{message}");
        let message = known_language("cobol\u{1b}").err().unwrap().to_string();
        assert!(message.contains("cobol\\u{1b}") && message.contains("rust, c, assemblyscript"), "{message}");
    }

    #[test]
    fn name_and_author_stand_in_every_bot_once() {
        for language in LANGUAGES {
            for (game, files) in language.bots {
                let count: usize = files.iter().map(|(_, text)| text.matches("{name}").count()).sum();
                assert_eq!(count, 1, "{} {game}", language.name);
                let count: usize = files.iter().map(|(_, text)| text.matches("{author}").count()).sum();
                assert_eq!(count, 1, "{} {game}", language.name);
            }
        }
    }

    #[test]
    fn the_rust_sdk_is_whole() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bot-sdk/src");
        let files = known_language("rust").unwrap().files;
        for entry in fs::read_dir(source).unwrap() {
            let path = format!("bot-sdk/src/{}", entry.unwrap().file_name().to_string_lossy());
            assert!(files.iter().any(|(known, _)| *known == path), "{path} is missing in a new Rust bot");
        }
    }

    #[test]
    fn nothing_is_left_of_a_folder_that_could_not_be_made() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("bot");
        // The second file cannot be: the first has its folder's name.
        let files = [("a", String::new()), ("a/b", String::new())];
        assert!(write_folder(&folder, &files).is_err());
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn what_a_killed_process_left_of_a_folder_is_removed() {
        let scratch = tempfile::tempdir().unwrap();
        let half = draft::abandoned(scratch.path(), "bot");
        fs::create_dir(&half).unwrap();
        fs::write(half.join("a"), "").unwrap();
        write_folder(&scratch.path().join("bot"), &[("a", String::new())]).unwrap();
        assert!(!half.exists());
    }

    #[test]
    fn what_is_there_is_left_alone() {
        let scratch = tempfile::tempdir().unwrap();
        let message = write_folder(scratch.path(), &[("a", String::new())]).unwrap_err().to_string();
        assert!(message.contains("it is there already"), "{message}");
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
    }
}
