//! `arena verify` finds what was altered, with care or without.

use sha2::{Digest, Sha256};

use crate::harness::{Done, Scratch, arena, bot};

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
    forge(&scratch, |line| {
        let mut json: serde_json::Value = serde_json::from_str(&line[17..]).unwrap();
        let fuel = json["tally"]["places"][0]["fuel"].as_u64().unwrap();
        json["tally"]["places"][0]["fuel"] = (fuel + 1).into();
        signed(&json.to_string())
    });
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
