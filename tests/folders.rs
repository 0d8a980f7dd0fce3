//! Results go to a folder that is theirs, or to none: what else is there stays as it was.

use std::path::Path;

use arena::league::folder::{RUN_RECORD, TABLES};

use crate::harness::{Done, Scratch, arena, arena_command, bot};

const HEAD: &str = "game = \"little-hunters\"\nseed = 3\ndeals = 2\n";

fn league(scratch: &Scratch, file: &str, head: &str) -> std::path::PathBuf {
    let bots = ["uniform", "reader"].map(|name| (name, bot("little-hunters", name)));
    scratch.league(file, head, &bots)
}

/// Names and contents of all files.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entry = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap())
    };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(entry).collect();
    files.sort();
    files
}

#[test]
fn a_run_writes_the_files_that_are_said() {
    let scratch = Scratch::new();
    scratch.run(&league(&scratch, "l.toml", HEAD), "out", 1).expect(0);
    let mut said: Vec<_> = TABLES.iter().chain(&[RUN_RECORD, "journal.jsonl"]).map(ToString::to_string).collect();
    said.sort();
    assert_eq!(files(&scratch.path("out")).into_iter().map(|(name, _)| name).collect::<Vec<_>>(), said);
}

#[track_caller]
fn assert_refused(scratch: &Scratch, league: &Path, why: &str) {
    let before = files(&scratch.path("out"));
    let done = scratch.run(league, "out", 1).expect(2);
    assert!(done.err.contains(why) && done.err.contains("--out"), "{}", done.err);
    let out = scratch.path("out");
    let words = ["run".as_ref(), league.as_os_str(), "--out".as_ref(), out.as_os_str(), "--dry-run".as_ref()];
    arena(words).expect(2);
    assert_eq!(files(&out), before);
}

#[test]
fn files_of_somebody_are_not_replaced() {
    let scratch = Scratch::new();
    let league = league(&scratch, "l.toml", HEAD);
    for name in TABLES.iter().chain(&[RUN_RECORD]) {
        let file = scratch.write(&format!("out/{name}"), "mine");
        assert_refused(&scratch, &league, &format!("it has {name}, which would be replaced, and no journal"));
        std::fs::remove_file(file).unwrap();
    }
    let file = scratch.write("out/journal.jsonl", "dear diary\n");
    assert_refused(&scratch, &league, "journal.jsonl: this is not a journal of arena");
    std::fs::remove_file(file).unwrap();
    // What no run writes may be there.
    scratch.write("out/notes.txt", "mine");
    scratch.run(&league, "out", 1).expect(0);
    assert_eq!(scratch.read("out/notes.txt"), "mine");
}

/// What `--csv` writes replaces earlier tables of the same kind and nothing else.
#[test]
fn files_of_somebody_are_not_replaced_by_tables() {
    let scratch = Scratch::new();
    let [nash, uniform] = ["nash", "uniform"].map(|name| bot("little-hunters", name));
    let league = scratch.league("l.toml", HEAD, &[("nash", nash), ("uniform", uniform)]);
    scratch.run(&league, "out", 1).expect(0);
    scratch.run(&league, "other", 1).expect(0);
    let games = scratch.write("games.csv", "home,away,result\nann,bob,1-0\nbob,ann,1-0\n");
    let table = |to: &str| arena(["table".into(), scratch.path("out"), "--csv".into(), scratch.path(to)]);
    let rate = |to: &str| arena(["rate".into(), games.clone(), "--csv".into(), scratch.path(to)]);
    for _ in 0..2 {
        table("tables").expect(0);
        rate("ratings").expect(0);
    }
    let before = files(&scratch.path("other"));
    for refused in [table("other"), rate("other")] {
        let message = refused.expect(2).err;
        assert!(message.contains("this is a results folder, whose tables are its run's"), "{message}");
    }
    assert_eq!(files(&scratch.path("other")), before);
    for (folder, name, write) in [("a", "pairs.csv", &table as &dyn Fn(&str) -> _), ("b", "results.json", &rate)] {
        scratch.write(&format!("{folder}/{name}"), "mine");
        let message = write(folder).expect(2).err;
        assert!(message.contains(&format!("{name}: there is another file of this name")), "{message}");
        assert_eq!(files(&scratch.path(folder)), [(name.to_owned(), b"mine".to_vec())]);
    }
}

/// A league with fewer bots than its file matches would be another league.
#[cfg(unix)]
#[test]
fn what_a_pattern_matches_is_there_or_said() {
    let scratch = Scratch::new();
    for name in ["nash", "uniform"] {
        scratch.write(&format!("bots/{name}.wasm"), std::fs::read(bot("little-hunters", name)).unwrap());
    }
    std::os::unix::fs::symlink("nowhere", scratch.path("bots/z.wasm")).unwrap();
    let league = scratch.write("l.toml", format!("{HEAD}[[bots]]\npath = \"bots/*.wasm\"\n"));
    let refused = scratch.run(&league, "out", 1).expect(2).err;
    assert!(refused.contains("l.toml:") && refused.contains("bots/z.wasm: a link that leads nowhere"), "{refused}");
}

#[test]
fn results_of_another_game_or_league_are_not_mixed_with() {
    let scratch = Scratch::new();
    scratch.run(&league(&scratch, "l.toml", HEAD), "out", 1).expect(0);
    let other = league(&scratch, "other.toml", &HEAD.replace("seed = 3", "seed = 4"));
    assert_refused(&scratch, &other, "out: its results are of another league, l.toml");
    let bots = ["random", "miser"].map(|name| (name, bot("card-hunt", name)));
    let other = scratch.league("l.toml", &HEAD.replace("little-hunters", "card-hunt"), &bots);
    assert_refused(&scratch, &other, "its results are of little-hunters, and this league is of card-hunt");
    // The same league may get another name, or another seed.
    scratch.run(&league(&scratch, "renamed.toml", HEAD), "out", 1).expect(0);
    let again = league(&scratch, "renamed.toml", &HEAD.replace("seed = 3", "seed = 4"));
    scratch.run(&again, "out", 1).expect(0);
}

#[test]
fn a_submission_that_could_not_be_played_there_is_not_recorded() {
    let scratch = Scratch::new();
    league(&scratch, "x.toml", HEAD);
    scratch.write("out/elo.csv", "mine");
    let mut submit = arena_command(["submit", "--league"]);
    submit.arg(scratch.path("x.toml")).arg("--out").arg(scratch.path("out")).arg(bot("little-hunters", "nash"));
    let done = Done::of(submit.output().unwrap()).expect(2);
    assert!(done.err.contains("it has elo.csv, which would be replaced"), "{}", done.err);
    assert!(!scratch.path("x.submissions").exists());
    assert_eq!(files(&scratch.path("out")), [("elo.csv".into(), b"mine".to_vec())]);
}
