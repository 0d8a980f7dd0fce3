//! `arena verify` finds what was altered, with care or without.

use sha2::{Digest, Sha256};

use crate::harness::{Done, Scratch, arena, arena_command, bot, lasting_files};

/// What a run writes beside the journal and `run.json`.
const TABLES: [&str; 7] =
    ["elo.csv", "crosstable.csv", "pairs.csv", "seats.csv", "points.csv", "faults.csv", "results.json"];

const HEAD: &str = "game = \"little-hunters\"\nseed = 3\nblock = 5\ndeals = 40\n";

fn played(scratch: &Scratch) -> std::path::PathBuf {
    let bots: Vec<_> = ["uniform", "reader", "nash"].map(|name| (name, bot("little-hunters", name))).into();
    let league = scratch.league("l.toml", HEAD, &bots);
    scratch.run(&league, "out", 2).expect(0);
    league
}

fn verify(scratch: &Scratch, more: &[&str]) -> Done {
    let (out, league) = (scratch.path("out"), scratch.path("l.toml"));
    arena(["verify", out.to_str().unwrap(), "--league", league.to_str().unwrap()].iter().chain(more))
}

/// A line of the journal with a true checksum, as somebody would forge it.
fn signed(json: &str) -> String {
    let sum: String = Sha256::digest(json)[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{sum} {json}")
}

fn forge(scratch: &Scratch, alter: impl Fn(&str) -> String) {
    let journal = scratch.read("out/journal.jsonl");
    let mut forged = 0;
    let lines: Vec<_> = journal
        .lines()
        .map(|line| {
            if forged == 0 && line.contains("\"line\":\"block\"") {
                forged += 1;
                alter(line)
            } else {
                line.to_owned()
            }
        })
        .collect();
    assert_eq!(forged, 1);
    assert_ne!(lines.join("\n") + "\n", journal, "it was altered");
    scratch.write("out/journal.jsonl", lines.join("\n") + "\n");
}

#[test]
fn honest_results_come_out_the_same() {
    let scratch = Scratch::new();
    played(&scratch);
    let done = verify(&scratch, &[]).expect(0);
    assert!(done.out.contains("24 of 24 blocks played again, with the same outcome"), "{}", done.out);
    let done = verify(&scratch, &["--sample", "7", "--seed", "2"]).expect(0);
    assert!(done.out.contains("7 of 24 blocks"), "{}", done.out);
}

#[test]
fn a_changed_line_is_found() {
    let scratch = Scratch::new();
    played(&scratch);
    forge(&scratch, |line| line.replacen("\"matches\":10", "\"matches\":12", 1));
    let done = verify(&scratch, &[]).expect(2);
    assert!(done.out.contains("journal line 2: damaged"), "{}", done.out);
}

#[test]
fn a_forged_line_is_found_by_playing_it() {
    let scratch = Scratch::new();
    let league = played(&scratch);
    forge(&scratch, with_more_fuel);
    // The run itself believes it: its checksum is true.
    assert!(scratch.run(&league, "out", 2).expect(0).err.contains("240 of 240 matches are played already"));
    let done = verify(&scratch, &[]).expect(2);
    assert_eq!(done.out.matches("comes out differently").count(), 1, "{}", done.out);
    assert!(done.out.contains("block of "), "{}", done.out);
}

#[test]
fn a_changed_table_is_found() {
    let scratch = Scratch::new();
    played(&scratch);
    scratch.write("out/elo.csv", scratch.read("out/elo.csv").replacen("nash", "best", 1));
    let done = verify(&scratch, &[]).expect(2);
    assert!(done.out.contains("elo.csv: is not what the journal gives"), "{}", done.out);
}

/// The first block's line with another outcome and a true checksum.
fn with_more_fuel(line: &str) -> String {
    let mut json: serde_json::Value = serde_json::from_str(&line[17..]).unwrap();
    let fuel = json["tally"]["places"][0]["fuel"].as_u64().unwrap();
    json["tally"]["places"][0]["fuel"] = (fuel + 1).into();
    signed(&json.to_string())
}

#[test]
fn lines_that_contradict_each_other_are_refused_and_a_run_plays_their_block_again() {
    let scratch = Scratch::new();
    let league = played(&scratch);
    let whole = lasting_files(&scratch.path("out"));
    forge(&scratch, |line| format!("{line}\n{}", with_more_fuel(line)));
    let lines = "lines 2 and 3 contradict each other";
    let out = scratch.path("out").display().to_string();
    let at = league.display().to_string();
    for words in [
        &["table", &out][..],
        &["analyse", &out],
        &["play", "--from", &out, "--league", &at, "--with", "nash", "--fault"],
    ] {
        let done = arena(words).expect(2);
        assert!(done.err.contains(lines), "{words:?}: {}", done.err);
    }
    let done = verify(&scratch, &[]).expect(2);
    assert!(done.out.contains(lines), "{}", done.out);
    // One of them is true, the other is not.
    assert_eq!(done.out.matches("comes out differently").count(), 1, "{}", done.out);
    assert!(done.out.contains("tables and run.json: not compared"), "{}", done.out);

    let done = scratch.run(&league, "out", 2).expect(0);
    assert!(done.err.contains(lines) && done.err.contains("230 of 240 matches are played already"), "{}", done.err);
    assert_eq!(lasting_files(&scratch.path("out")), whole);
    assert!(!scratch.run(&league, "out", 2).expect(0).err.contains("contradict"), "it is said once");
    verify(&scratch, &[]).expect(0);
}

#[test]
fn a_line_that_is_there_twice_is_harmless() {
    let scratch = Scratch::new();
    let league = played(&scratch);
    let tables = |scratch: &Scratch| TABLES.map(|table| scratch.read(&format!("out/{table}")));
    let before = tables(&scratch);
    forge(&scratch, |line| format!("{line}\n{line}"));
    let told = verify(&scratch, &[]).expect(0).out;
    assert!(told.contains("24 of 24 blocks played again"), "{told}");
    let done = scratch.run(&league, "out", 2).expect(0);
    assert!(done.err.contains("240 of 240 matches are played already"), "{}", done.err);
    assert!(!done.err.contains("contradict"), "{}", done.err);
    assert_eq!(tables(&scratch), before);
}

#[test]
fn every_missing_file_is_found() {
    let scratch = Scratch::new();
    played(&scratch);
    for name in TABLES.iter().chain(&["run.json"]) {
        let file = scratch.path(&format!("out/{name}"));
        let contents = std::fs::read(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        let done = verify(&scratch, &[]).expect(2);
        assert!(
            done.out.contains(&format!("{name}: is missing, though other files of the run are there")),
            "{}",
            done.out
        );
        // A folder, or nothing that can be read.
        std::fs::create_dir(&file).unwrap();
        let done = verify(&scratch, &[]).expect(2);
        assert!(done.out.contains(&format!("{name}: this is a folder")), "{}", done.out);
        std::fs::remove_dir(&file).unwrap();
        std::fs::write(&file, contents).unwrap();
    }
    verify(&scratch, &[]).expect(0);
}

/// `run.json` is written last: a run that is killed before it wrote tables has none of these files.
#[test]
fn a_run_that_was_stopped_before_its_tables_is_not_wrong() {
    let scratch = Scratch::new();
    played(&scratch);
    for name in TABLES.iter().chain(&["run.json"]) {
        std::fs::remove_file(scratch.path(&format!("out/{name}"))).unwrap();
    }
    let journal = scratch.read("out/journal.jsonl");
    let some: Vec<_> = journal.lines().take(9).collect();
    scratch.write("out/journal.jsonl", some.join("\n") + "\n");
    let done = verify(&scratch, &[]).expect(0);
    assert!(done.err.contains("There are no tables: the run was stopped before it wrote them"), "{}", done.err);
    assert!(done.out.contains("8 of 8 blocks played again, with the same outcome"), "{}", done.out);
}

#[test]
fn a_run_json_that_is_not_the_journals_is_found() {
    let scratch = Scratch::new();
    played(&scratch);
    let text = scratch.read("out/run.json");
    let found = |text: &str| {
        scratch.write("out/run.json", text);
        verify(&scratch, &[]).expect(2).out
    };
    for cut in [0, 1, text.len() / 2, text.len() - 3] {
        let out = found(&text[..cut]);
        assert!(out.contains("run.json: it is not whole JSON"), "{out}");
    }
    assert!(found("[]").contains("run.json: it is not a JSON object"));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut keys = 0;
    for key in json.as_object().unwrap().keys().filter(|key| *key != "league" && *key != "sitting") {
        let mut forged = json.clone();
        forged[key] = "forged".into();
        let out = found(&forged.to_string());
        assert!(out.contains(&format!("run.json: `{key}` is \"forged\", and the journal gives ")), "{out}");
        forged.as_object_mut().unwrap().remove(key);
        let out = found(&forged.to_string());
        assert!(out.contains(&format!("run.json: `{key}` is missing")), "{out}");
        keys += 1;
    }
    assert!(keys > 15, "{keys}");
    for (key, value) in [("league", 1.into()), ("sitting", "a".into()), ("sitting", serde_json::json!({"matches": 1}))]
    {
        let mut forged = json.clone();
        forged[key] = value;
        let out = found(&forged.to_string());
        assert!(out.contains(&format!("run.json: `{key}` is not")), "{out}");
    }
    let out = found(&text.replacen('{', "{\n  \"winner\": \"me\",", 1));
    assert!(out.contains("run.json: `winner` is not a key of it"), "{out}");
    let out = found(&text.replacen('{', "{\n  \"matches\": 1,", 1));
    assert!(out.contains("run.json: its values are right, but it is not the text that a run writes"), "{out}");
    scratch.write("out/run.json", &text);
    verify(&scratch, &[]).expect(0);
}

#[test]
fn where_a_bot_is_not_there_the_others_are_played() {
    let scratch = Scratch::new();
    let file = scratch.write("x.wasm", std::fs::read(bot("little-hunters", "nash")).unwrap());
    let others = ["uniform", "reader"].map(|name| (name, bot("little-hunters", name)));
    let bots: Vec<_> = others.into_iter().chain([("x", file.clone())]).collect();
    let league = scratch.league("l.toml", HEAD, &bots);
    scratch.run(&league, "out", 2).expect(0);
    std::fs::write(&file, std::fs::read(bot("little-hunters", "lowest")).unwrap()).unwrap();
    let done = verify(&scratch, &[]).expect(2);
    assert!(
        done.out.contains("bot x: ") && done.out.contains("x.wasm has another SHA-256: it was changed since"),
        "{}",
        done.out
    );
    assert!(done.out.contains("\n8 of 24 blocks played again, with the same outcome.\n"), "{}", done.out);
    assert_eq!(done.out.lines().count(), 2, "nothing else is wrong: {}", done.out);
    // A lie about the others is found. Blocks are in the journal in any order.
    let journal = scratch.read("out/journal.jsonl");
    let gone: String = Sha256::digest(std::fs::read(bot("little-hunters", "nash")).unwrap())
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    let is_of_the_others = |line: &&str| line.contains("\"line\":\"block\"") && !line.contains(&gone);
    let line = journal.lines().find(is_of_the_others).unwrap();
    scratch.write("out/journal.jsonl", journal.replace(line, &with_more_fuel(line)));
    let done = verify(&scratch, &[]).expect(2);
    assert!(
        done.out.contains("block of uniform, reader, deals ") && done.out.contains(": comes out differently"),
        "{}",
        done.out
    );
    assert!(done.out.contains("\n8 of 24 blocks played again, 1 with another outcome.\n"), "{}", done.out);
    std::fs::remove_file(&file).unwrap();
    let done = verify(&scratch, &[]).expect(2);
    assert!(done.out.contains("bot x: it is not among the files given"), "{}", done.out);
    assert!(done.err.contains("l.toml:") && done.err.contains("x.wasm: there is no such file"), "{}", done.err);
    assert!(done.out.contains("8 of 24 blocks played again"), "{}", done.out);
    // What was played without it can be seen again too.
    let out = scratch.path("out").display().to_string();
    let play = |number: &str| arena(["play", "--from", &out, "--league", league.to_str().unwrap(), "--match", number]);
    play("1").expect(0);
    let done = play("11").expect(2);
    assert!(done.err.contains("the bot x played with SHA-256 "), "{}", done.err);
}

#[test]
fn a_league_is_found_beside_its_results_wherever_the_command_is_given() {
    let scratch = Scratch::new();
    let bots = ["uniform", "reader"].map(|name| (name, bot("little-hunters", name)));
    let league = scratch.league("leagues/x.toml", HEAD, &bots);
    scratch.run(&league, "results/x", 2).expect(0);
    std::fs::create_dir_all(scratch.path("else/where")).unwrap();
    let whole = scratch.path("results/x").display().to_string();
    for (folder, results) in
        [("", "results/x"), ("else/where", "../../results/x"), ("else", &whole), ("results", "x/"), ("results/x", ".")]
    {
        for words in [&["verify", results][..], &["play", "--match", "3", "--from", results]] {
            let mut command = arena_command(words);
            command.current_dir(scratch.path(folder));
            let done = Done::of(command.output().unwrap());
            assert_eq!(done.code, Some(0), "{folder}: {words:?}: {}", done.err);
        }
    }
}

#[test]
fn a_league_of_another_game_is_refused() {
    let scratch = Scratch::new();
    played(&scratch);
    let bots = ["random", "miser"].map(|name| (name, bot("card-hunt", name)));
    let other = scratch.league("other.toml", "game = \"card-hunt\"\ndeals = 1\n", &bots).display().to_string();
    let out = scratch.path("out").display().to_string();
    for words in
        [&["verify", &out, "--league", &other][..], &["play", "--from", &out, "--league", &other, "--match", "1"]]
    {
        let done = arena(words).expect(2);
        assert!(
            done.err.contains("other.toml: a league of card-hunt, and the results are of little-hunters"),
            "{}",
            done.err
        );
    }
}

#[test]
fn without_its_bots_or_a_journal_nothing_is_verified() {
    let scratch = Scratch::new();
    played(&scratch);
    let out = scratch.path("out");
    let out = out.to_str().unwrap();
    let file = |name| bot("little-hunters", name).display().to_string();
    let done = arena(["verify", out]).expect(2);
    assert!(done.err.contains("where are the bots? Name them with --league or --bots"), "{}", done.err);
    let done = arena(["verify", out, "--bots", &file("uniform"), &file("highest")]).expect(2);
    assert!(done.err.contains("not among the files given:\n  reader, SHA-256 "), "{}", done.err);
    assert!(!done.err.contains("uniform"), "{}", done.err);
    arena(["verify", out, "--bots", &file("uniform"), &file("reader"), &file("nash")]).expect(0);
    let nothing = scratch.path("nothing");
    let done = arena(["verify", nothing.to_str().unwrap()]).expect(2);
    assert!(done.err.contains("no journal here says what was played"), "{}", done.err);
}
