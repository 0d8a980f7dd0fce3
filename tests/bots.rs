//! The bots that come with the repository.

use std::path::{Path, PathBuf};

use arena::games::{Game, GameId, with_game};
use arena::league::block::{Rules, decision_fuel, play_block};
use arena::league::schedule::Block;
use arena::play::native::Native;
use arena::play::wasm::Wasm;
use arena::sandbox::{BotModule, BotThread, Limits, Sandbox};
use arena::tally::BlockTally;

use crate::harness::{bot, repository};

fn prebuilt() -> Vec<(GameId, String, PathBuf)> {
    let mut bots = Vec::new();
    for &game in GameId::ALL {
        let folder = repository().join("example-bots/wasm").join(game.name());
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a stem").to_string_lossy().into_owned();
            bots.push((game, name, path));
        }
    }
    bots.sort_by(|a, b| a.2.cmp(&b.2));
    bots
}

#[test]
fn every_source_is_prebuilt_and_small() {
    let mut built: Vec<_> = prebuilt().into_iter().map(|(game, name, _)| (game.name().to_owned(), name)).collect();
    let mut sources: Vec<_> = example_bots::BOTS.iter().map(|bot| (bot.game.to_owned(), bot.name.to_owned())).collect();
    built.sort();
    sources.sort();
    assert_eq!(built, sources);
    for (_, name, path) in prebuilt() {
        let size = std::fs::metadata(&path).expect("a file").len();
        assert!(size < 16 * 1024, "{name} has {size} bytes");
    }
}

/// Files below a folder or named themselves, relative to the repository.
pub fn files_below(path: &str, found: &mut Vec<String>) {
    let full = repository().join(path);
    if !full.is_dir() {
        found.push(path.to_owned());
        return;
    }
    for entry in std::fs::read_dir(&full).unwrap_or_else(|error| panic!("{path}: {error}")) {
        files_below(&format!("{path}/{}", entry.expect("an entry").file_name().to_string_lossy()), found);
    }
}

/// A hash of sources as `sources.sh` makes it.
pub fn sources_hash(mut files: Vec<String>) -> String {
    files.sort();
    let lines: String = files
        .iter()
        .map(|name| {
            let bytes = std::fs::read(repository().join(name)).expect("a source");
            format!("{}  {name}\n", arena::sandbox::module::sha256_hex(&bytes))
        })
        .collect();
    arena::sandbox::module::sha256_hex(lines.as_bytes())
}

#[test]
fn prebuilt_bots_are_current() {
    let recorded = std::fs::read_to_string(repository().join("example-bots/wasm/SOURCES.sha256")).expect("a hash");
    let mut files = Vec::new();
    files_below("bot-sdk/src", &mut files);
    files_below("example-bots", &mut files);
    // Bots in other languages have a hash of their own (`languages.rs`).
    files.retain(|name| name.ends_with(".rs") && !name.starts_with("example-bots/languages/"));
    files.extend([".cargo/config.toml", "example-bots/Cargo.toml"].map(String::from));
    assert_eq!(
        recorded.trim(),
        sources_hash(files),
        "sources of the bots have changed: run example-bots/build.sh and commit example-bots/wasm"
    );
}

/// Plays each lineup of neighbours in the list: a bot beside the ones after it.
pub struct SameGame<'a> {
    pub modules: &'a [BotModule],
    pub others: Others<'a>,
    pub names: &'a [String],
    pub seats: usize,
}

pub enum Others<'a> {
    Native(Vec<arena::play::native::Make>),
    Modules(&'a [BotModule]),
}

impl SameGame<'_> {
    /// Plays in a game.
    pub fn play<G: Game>(self, thread: BotThread) {
        let options = G::Options::default();
        let rules = Rules::<G> { options: &options, seed: 77, max_restarts: 10 };
        let fuel = decision_fuel(&G::INFO, &Limits::default());
        let block = Block { lineup: 0, first: 0, deals: 40 };
        let at = |first: usize, place: usize| (first + place) % self.modules.len();
        for first in 0..self.modules.len() {
            let one = play_block(&rules, block, self.seats, |place| {
                Wasm::new(thread, &self.modules[at(first, place)], &fuel)
            });
            let other = match &self.others {
                Others::Native(makes) => {
                    play_block(&rules, block, self.seats, |place| Native::new(makes[at(first, place)]))
                }
                Others::Modules(modules) => {
                    play_block(&rules, block, self.seats, |place| Wasm::new(thread, &modules[at(first, place)], &fuel))
                }
            };
            assert_eq!(
                without_fuel(one.unwrap()),
                without_fuel(other.unwrap()),
                "{} and its neighbours",
                self.names[first]
            );
        }
    }
}

/// Natives are not metered.
fn without_fuel(mut tally: BlockTally) -> BlockTally {
    tally.places.iter_mut().for_each(|place| (place.fuel, place.fuel_max) = (0, 0));
    tally
}

pub fn load(sandbox: &Sandbox, game: GameId, path: &Path) -> BotModule {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    BotModule::load(sandbox, &bytes, game.view_size(), game.info().seats.0)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn on_a_bot_thread(test: impl FnOnce(BotThread) + Send) {
    BotThread::run(test).expect("a thread");
}

#[test]
fn a_bot_does_the_same_natively_and_as_webassembly() {
    on_a_bot_thread(|thread| {
        let sandbox = Sandbox::new(Limits::default(), 12).expect("a sandbox");
        for &game in GameId::ALL {
            let bots: Vec<_> = prebuilt().into_iter().filter(|bot| bot.0 == game).collect();
            let modules: Vec<_> = bots.iter().map(|bot| load(&sandbox, game, &bot.2)).collect();
            let names: Vec<_> = bots.iter().map(|bot| bot.1.clone()).collect();
            let makes = names
                .iter()
                .map(|name| example_bots::find(game.name(), name).expect("a native bot of the same name").make)
                .collect();
            let seats = game.info().seats.0;
            with_game!(game, G => SameGame { modules: &modules, others: Others::Native(makes), names: &names, seats }.play::<G>(thread));
        }
    });
}

/// CI builds the bots from source and names the folder.
#[test]
fn rebuilt_bots_decide_as_the_prebuilt_ones() {
    let Some(folder) = std::env::var_os("ARENA_REBUILT_BOTS") else {
        eprintln!("not checked: ARENA_REBUILT_BOTS names no folder of rebuilt bots");
        return;
    };
    on_a_bot_thread(move |thread| {
        let sandbox = Sandbox::new(Limits::default(), 12).expect("a sandbox");
        for &game in GameId::ALL {
            let bots: Vec<_> = prebuilt().into_iter().filter(|bot| bot.0 == game).collect();
            let modules: Vec<_> = bots.iter().map(|bot| load(&sandbox, game, &bot.2)).collect();
            let rebuilt: Vec<_> = bots
                .iter()
                .map(|bot| Path::new(&folder).join(game.name()).join(format!("{}.wasm", bot.1)))
                .map(|path| load(&sandbox, game, &path))
                .collect();
            let names: Vec<_> = bots.iter().map(|bot| bot.1.clone()).collect();
            let seats = game.info().seats.0;
            with_game!(game, G => SameGame { modules: &modules, others: Others::Modules(&rebuilt), names: &names, seats }.play::<G>(thread));
        }
    });
}

#[test]
fn a_bot_is_found_by_its_game_and_name() {
    assert!(bot("little-hunters", "nash").is_file());
}
