//! The same results byte for byte, whatever the number of threads.

use crate::harness::{Scratch, bot, lasting_files, repository};

#[test]
fn one_thread_and_several_give_identical_files() {
    let scratch = Scratch::new();
    let bots: Vec<_> = ["uniform", "reader", "repeater", "nash"].map(|name| (name, bot("little-hunters", name))).into();
    let league = scratch.league("l.toml", "game = \"little-hunters\"\nseed = 3\ndeals = 330\nblock = 20\n", &bots);
    let tables: Vec<_> = [("one", 1), ("two", 2), ("five", 5)]
        .map(|(out, threads)| {
            let done = scratch.run(&league, out, threads).expect(0);
            (done.out, lasting_files(&scratch.path(out)))
        })
        .into();
    assert!(tables[0].1.len() >= 5, "{:?}", tables[0].1.iter().map(|file| &file.0).collect::<Vec<_>>());
    assert_eq!(tables[0], tables[1]);
    assert_eq!(tables[0], tables[2]);
}

#[test]
fn a_seed_alters_the_results() {
    let scratch = Scratch::new();
    let bots = [("uniform", bot("little-hunters", "uniform")), ("nash", bot("little-hunters", "nash"))];
    let digests: Vec<_> = [1, 2]
        .map(|seed| {
            let head = format!("game = \"little-hunters\"\nseed = {seed}\ndeals = 50\n");
            let league = scratch.league(&format!("{seed}.toml"), &head, &bots);
            scratch.run(&league, &format!("out{seed}"), 1).expect(0);
            let json: serde_json::Value = serde_json::from_str(&scratch.read(&format!("out{seed}/run.json"))).unwrap();
            json["digest"].clone()
        })
        .into();
    assert_ne!(digests[0], digests[1]);
}

/// A small result of each game stands in the repository: whoever plays it, wherever, gets the same.
#[test]
fn reference_results_are_reproduced_byte_for_byte() {
    let folder = repository().join("results/reference");
    let scratch = Scratch::new();
    let mut seen = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("results/reference") {
        let reference = entry.expect("an entry").path();
        let league = reference.join("league.toml");
        if !league.is_file() {
            continue;
        }
        let name = reference.file_name().unwrap().to_string_lossy().into_owned();
        scratch.run(&league, &name, 2).expect(0);
        let played = lasting_files(&scratch.path(&name));
        for threads in [1, 3] {
            let out = format!("{name}-{threads}");
            scratch.run(&league, &out, threads).expect(0);
            assert_eq!(lasting_files(&scratch.path(&out)), played, "{name} on {threads} thread(s)");
        }
        if std::env::var_os("ARENA_BLESS").is_some() {
            for (file, text) in played.iter().filter(|(file, _)| file != "journal.jsonl") {
                std::fs::write(reference.join(file), text).expect("blessed");
            }
        }
        for (file, text) in played.iter().filter(|(file, _)| file != "journal.jsonl") {
            let kept = std::fs::read_to_string(reference.join(file)).unwrap_or_else(|e| panic!("{name}/{file}: {e}"));
            assert_eq!(*text, kept, "{name}/{file}");
        }
        seen.push(name);
    }
    seen.sort();
    let mut games: Vec<_> = arena::games::GameId::ALL.iter().map(|game| game.name()).collect();
    games.sort_unstable();
    assert_eq!(seen, games, "a reference result for each game");
}
