//! The WebAssembly bots, through the real binary, against independently computed values.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::harness::{Scratch, arena_command, bot, rows};

fn values() -> Value {
    serde_json::from_str(include_str!("values/games.json")).expect("values")
}

const POLICIES: [(char, &str); 5] =
    [('U', "uniform"), ('H', "highest"), ('L', "lowest"), ('S', "silent"), ('N', "nash")];

fn name_of(policy: char) -> &'static str {
    POLICIES.iter().find(|(letter, _)| *letter == policy).expect("a policy").1
}

/// The pairs whose values are exact for our bots; N's later rounds are not unique.
fn exact_pairs(section: &Value) -> Vec<(char, char, [f64; 3])> {
    let pairs = section.as_object().expect("pairs");
    pairs
        .iter()
        .filter(|(pair, _)| !pair.contains('N'))
        .map(|(pair, chances)| {
            let mut letters = pair.chars();
            let chance = |i: usize| chances[i].as_f64().expect("a number");
            let mut next = || letters.next().expect("two letters");
            (next(), next(), [chance(0), chance(1), chance(2)])
        })
        .collect()
}

#[track_caller]
fn assert_close(what: &str, count: u64, of: u64, chance: f64) {
    let n = of as f64;
    // At a chance of 0 or 1 nothing else may happen.
    let allowed = 4.0 * (chance * (1.0 - chance) / n).sqrt() + 1e-9;
    let found = count as f64 / n;
    assert!((found - chance).abs() <= allowed, "{what}: {found} of {n}, exact {chance}, allowed {allowed}");
}

#[test]
fn little_hunters_matches_have_the_exact_probabilities() {
    let scratch = Scratch::new();
    // The second copy of each bot is for the pair of a policy with itself.
    let twice = |(_, name): &(char, &'static str)| {
        let file = bot("little-hunters", name);
        [(*name, file.clone()), (Box::leak(format!("{name}_2").into_boxed_str()) as &str, file)]
    };
    let bots: Vec<_> = POLICIES.iter().flat_map(twice).collect();
    let league = scratch.league("l.toml", "game = \"little-hunters\"\nseed = 5\ndeals = 10000\n", &bots);
    scratch.run(&league, "out", 2).expect(0);

    let crosstable = rows(&scratch.read("out/crosstable.csv"));
    let matches = 20_000;
    let score = |a: &str, b: &str| -> f64 {
        let row = crosstable.iter().find(|row| row["bot"] == a).expect("a row");
        row[b].parse().expect("a number")
    };
    for (a, b, [win, tie, loss]) in exact_pairs(&values()["little_hunters"]["match"]) {
        let (a_name, b_name) = (name_of(a), format!("{}_2", name_of(b)));
        let expected = win + tie / 2.0;
        let variance = win + tie / 4.0 - expected * expected;
        let allowed = 4.0 * (variance / f64::from(matches)).sqrt() + 1e-9;
        let found = score(a_name, &b_name);
        assert!((found - expected).abs() <= allowed, "{a}{b}: {found}, exact {expected}, allowed {allowed} ({loss})");
    }
    // An equilibrium loses to nobody, and is level with itself.
    for (_, name) in POLICIES {
        let found = score("nash", &format!("{name}_2"));
        assert!(found >= 0.5 - 4.0 * (0.25 / f64::from(matches)).sqrt(), "nash against {name}: {found}");
    }
    assert!((score("nash", "nash_2") - 0.5).abs() < 4.0 * (0.25 / f64::from(matches)).sqrt());
    // And the one that models its opponent beats the one that cannot be read... by a clear margin.
    let league = scratch.league(
        "reader.toml",
        "game = \"little-hunters\"\nseed = 5\ndeals = 1000\n",
        &[("reader", bot("little-hunters", "reader")), ("uniform", bot("little-hunters", "uniform"))],
    );
    scratch.run(&league, "reader", 2).expect(0);
    let crosstable = rows(&scratch.read("reader/crosstable.csv"));
    let found: f64 = crosstable[0]["uniform"].parse().expect("a number");
    assert!(crosstable[0]["bot"] == "reader" && found > 0.7, "{found}");
}

#[test]
fn little_hunters_bouts_have_the_exact_probabilities() {
    const MATCHES: u64 = 1_000;
    // A match has at least eight bouts; counting all would count more where it is close.
    const BOUTS: u64 = 8;
    for (a, b, chances) in exact_pairs(&values()["little_hunters"]["bout"]) {
        let files = [a, b].map(|policy| bot("little-hunters", name_of(policy)));
        let mut child = arena_command(["play", "--json", "--seed", "11", "--deals", &MATCHES.to_string()])
            .args(files)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        // Wins of seat 0, ties, wins of seat 1.
        let mut counts = [0u64; 3];
        let mut bouts = BOUTS;
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        for line in lines.map(|line| line.expect("text")) {
            if line.starts_with("{\"type\":\"match\"") {
                assert_eq!(bouts, BOUTS, "a match with fewer bouts");
                bouts = 0;
            } else if line.contains("\"event\":\"bout_ends\"") && bouts < BOUTS {
                let event: Value = serde_json::from_str(&line).expect("JSON");
                let cell = match event["winner"].as_u64() {
                    Some(0) => 0,
                    Some(_) => 2,
                    None => 1,
                };
                counts[cell] += 1;
                bouts += 1;
            }
        }
        assert!(child.wait().expect("it ends").success());
        assert_eq!(counts.iter().sum::<u64>(), MATCHES * BOUTS);
        for (i, what) in ["wins", "ties", "losses"].iter().enumerate() {
            assert_close(&format!("{a}{b} {what}"), counts[i], MATCHES * BOUTS, chances[i]);
        }
    }
}
