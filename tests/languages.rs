//! Bots in other languages than Rust.

use std::path::{Path, PathBuf};

use arena::games::{GameId, with_game};
use arena::sandbox::{Limits, Sandbox};

use crate::bots::{Others, SameGame, files_below, load, on_a_bot_thread, sources_hash};
use crate::harness::{Scratch, arena, repository, rows};

/// The bots of a game in a folder like `example-bots/wasm/languages`: language and file.
fn bots(folder: &Path, game: GameId) -> Vec<(String, PathBuf)> {
    let folder = folder.join(game.name());
    let mut bots: Vec<_> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("an entry").path())
        .map(|path| (path.file_stem().expect("a stem").to_string_lossy().into_owned(), path))
        .collect();
    bots.sort();
    bots
}

fn prebuilt() -> PathBuf {
    repository().join("example-bots/wasm/languages")
}

/// The Rust bot that a bot is a translation of.
fn twin(game: GameId, language: &str) -> &'static str {
    match (game, language) {
        (GameId::LittleHunters, "wat") => "lowest",
        (GameId::CardHunt, "wat") => "miser",
        (GameId::LittleHunters, _) => "uniform",
        _ => "random",
    }
}

/// So views are read, dice thrown and actions packed alike in every language.
fn decide_as_their_twins_in_rust(folder: &Path) {
    on_a_bot_thread(|thread| {
        let sandbox = Sandbox::new(Limits::default(), 12).expect("a sandbox");
        for &game in GameId::ALL {
            let bots = bots(folder, game);
            let modules: Vec<_> = bots.iter().map(|(_, path)| load(&sandbox, game, path)).collect();
            let names: Vec<_> = bots.into_iter().map(|(language, _)| language).collect();
            let twins = names.iter().map(|language| twin(game, language));
            let makes: Vec<_> =
                twins.map(|twin| example_bots::find(game.name(), twin).expect("a bot in Rust").make).collect();
            let (least, most) = game.info().seats;
            for seats in [least, most] {
                let others = Others::Native(makes.clone());
                with_game!(game, G => SameGame { modules: &modules, others, names: &names, seats }.play::<G>(thread));
            }
        }
    });
}

#[test]
fn prebuilt_bots_decide_as_their_twins_in_rust() {
    decide_as_their_twins_in_rust(&prebuilt());
}

/// CI builds the bots from source and names the folder.
#[test]
fn rebuilt_bots_decide_as_their_twins_in_rust() {
    let folder = std::env::var_os("ARENA_REBUILT_BOTS").map(|folder| Path::new(&folder).join("languages"));
    match folder.filter(|folder| folder.is_dir()) {
        Some(folder) => {
            for &game in GameId::ALL {
                let languages = |folder: &Path| bots(folder, game).into_iter().map(|bot| bot.0).collect::<Vec<_>>();
                assert_eq!(languages(&folder), languages(&prebuilt()), "{game}");
            }
            decide_as_their_twins_in_rust(&folder);
        }
        None => eprintln!("not checked: ARENA_REBUILT_BOTS names no folder of bots in other languages"),
    }
}

#[test]
fn prebuilt_bots_are_current() {
    let recorded = std::fs::read_to_string(prebuilt().join("SOURCES.sha256")).expect("a hash");
    let mut files = Vec::new();
    for kit in ["bot-sdk/c", "bot-sdk/assemblyscript", "bot-sdk/zig"] {
        files_below(kit, &mut files);
    }
    for language in ["c", "assemblyscript", "zig", "wat"] {
        files_below(&format!("example-bots/languages/{language}"), &mut files);
    }
    assert_eq!(
        recorded.trim(),
        sources_hash(files),
        "sources have changed: run example-bots/languages/build.sh and commit example-bots/wasm/languages"
    );
}

#[test]
fn every_source_is_prebuilt_small_and_says_its_language() {
    let mut sources = Vec::new();
    files_below("example-bots/languages", &mut sources);
    for &game in GameId::ALL {
        let built = bots(&prebuilt(), game);
        for (language, path) in &built {
            let size = std::fs::metadata(path).expect("a file").len();
            assert!(size < 16 * 1024, "{} has {size} bytes", path.display());
            let checked = arena(["check", &path.to_string_lossy()]).expect(0).out;
            for line in [format!("  game          {game}\n"), format!("  language      {language}\n")] {
                assert!(checked.contains(&line), "{checked}");
            }
        }
        let mut wanted: Vec<_> = ["c", "assemblyscript", "zig", "wat"]
            .into_iter()
            .filter(|language| {
                let start = format!("example-bots/languages/{language}/{game}.");
                sources.iter().any(|source| source.starts_with(&start))
            })
            .collect();
        wanted.sort_unstable();
        assert!(built.iter().map(|(language, _)| language.as_str()).eq(wanted), "{game}: {built:?}");
    }
}

/// Each bot plays as many matches, without one fault.
#[test]
fn bots_of_every_language_play_ten_thousand_matches_legally() {
    for (game, deals) in
        [("little-hunters", 1700), ("card-hunt", 1700), ("animal-rescuers", 2500), ("passing-cards", 1000)]
    {
        let scratch = Scratch::new();
        let pattern = prebuilt().join(game).join("*.wasm");
        let league = format!("game = \"{game}\"\ndeals = {deals}\n[[bots]]\npath = '{}'\n", pattern.display());
        let league = scratch.write("league.toml", league);
        scratch.run(&league, "out", 2).expect(0);
        let faults = rows(&scratch.read("out/faults.csv"));
        assert!(faults.len() >= 3, "{game}: {faults:?}");
        for bot in faults {
            assert!(bot["matches"].parse::<u64>().expect("a number") >= 10_000, "{game}: {bot:?}");
            for fault in ["illegal", "timeout", "crash", "protocol", "retired"] {
                assert_eq!(bot[fault], "0", "{game}: {bot:?}");
            }
        }
    }
}
