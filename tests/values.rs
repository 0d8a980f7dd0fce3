//! The WebAssembly bots, through the real binary, against independently computed values.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
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
        let (file, second) = (bot("little-hunters", name), Box::leak(format!("{name}_2").into_boxed_str()) as &str);
        let copy = scratch.write(&format!("{second}.wasm"), std::fs::read(&file).expect("a bot"));
        [(*name, file), (second, copy)]
    };
    let bots: Vec<_> = POLICIES.iter().flat_map(twice).collect();
    let league = scratch.league("l.toml", "game = \"little-hunters\"\nseed = 5\ndeals = 10000\n", &bots);
    scratch.run(&league, "out", 2).expect(0);

    let pairs = rows(&scratch.read("out/pairs.csv"));
    let matches = 20_000_u32;
    // Wins, draws and losses of the first of two bots.
    let counts = |a: &str, b: &str| -> [f64; 3] {
        let columns = ["wins", "draws", "losses"];
        let row = |a, b| pairs.iter().find(|row| row["bot"] == a && row["opponent"] == b);
        let number = |row: &std::collections::HashMap<String, String>, column| row[column].parse().expect("a number");
        match row(a, b) {
            Some(found) => columns.map(|column| number(found, column)),
            None => {
                let found = row(b, a).expect("a pair");
                ["losses", "draws", "wins"].map(|column| number(found, column))
            }
        }
    };
    let score = |a: &str, b: &str| {
        let [wins, draws, _] = counts(a, b);
        (wins + draws / 2.0) / f64::from(matches)
    };
    for (a, b, exact) in exact_pairs(&values()["little_hunters"]["match"]) {
        for (count, chance) in counts(name_of(a), &format!("{}_2", name_of(b))).into_iter().zip(exact) {
            assert_close(&format!("{a}{b}"), count as u64, matches.into(), chance);
        }
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

/// A match as `arena play --json` tells it, with the events of one kind.
struct Told {
    /// The bots' names, by seat.
    names: Vec<String>,
    points: Vec<f64>,
    placements: Vec<u64>,
    events: Vec<Value>,
}

/// Plays deals with the bots in these places and hands on those in which `seated` sit in that order.
fn play(bots: &[PathBuf], seating: usize, deals: u64, kinds: &[&str], mut each: impl FnMut(Told)) {
    let mut child = arena_command(["play", "--json", "--seed", "3"])
        .args(["--deals", &deals.to_string(), "--seating", &seating.to_string()])
        .args(bots)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let kinds: Vec<_> = kinds.iter().map(|kind| format!("\"event\":\"{kind}\"")).collect();
    let (mut names, mut events) = (Vec::new(), Vec::new());
    let mut lines = BufReader::with_capacity(1 << 20, child.stdout.take().expect("piped"));
    let mut line = String::new();
    while lines.read_line(&mut line).expect("text") > 0 {
        let wanted = line.starts_with("{\"type\":\"match\"")
            || line.starts_with("{\"type\":\"result\"")
            || kinds.iter().any(|kind| line.contains(kind));
        if wanted {
            let told: Value = serde_json::from_str(&line).expect("JSON");
            match told["type"].as_str() {
                Some("match") => {
                    let bots = told["bots"].as_array().expect("bots");
                    names = bots.iter().map(|bot| bot["name"].as_str().expect("a name").to_owned()).collect();
                }
                Some("result") => {
                    let numbers = |key: &str| told[key].as_array().expect("a list").clone();
                    each(Told {
                        names: std::mem::take(&mut names),
                        points: numbers("points").iter().map(|n| n.as_f64().expect("a number")).collect(),
                        placements: numbers("placements").iter().map(|n| n.as_u64().expect("a number")).collect(),
                        events: std::mem::take(&mut events),
                    });
                }
                _ => events.push(told),
            }
        }
        line.clear();
    }
    assert!(child.wait().expect("it ends").success());
}

/// Sums for a mean with its standard error.
#[derive(Default, Clone)]
struct Mean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    fn error(&self) -> f64 {
        ((self.squares / self.count - self.mean().powi(2)).max(0.0) / self.count).sqrt()
    }

    /// Within four standard errors, both together.
    #[track_caller]
    fn assert_near(&self, what: &str, value: f64, its_error: f64) {
        let allowed = 4.0 * self.error().hypot(its_error) + 1e-9;
        let found = self.mean();
        assert!((found - value).abs() <= allowed, "{what}: {found}, wanted {value}, allowed {allowed}");
    }
}

/// A share as the values' authors estimated it, from so many matches.
fn share_error(share: f64, matches: f64) -> f64 {
    (share * (1.0 - share) / matches).sqrt()
}

/// Where the bots of a key must be given, and with which seating, so that some deals seat them as the key says:
/// in seating s the first bot sits at seat n - s.
fn with_last_first(key: &str) -> (Vec<&str>, Vec<&str>) {
    let seats: Vec<&str> = key.split(' ').collect();
    let mut places = seats.clone();
    places.rotate_right(1);
    (seats, places)
}

#[test]
fn card_hunt_scores_are_the_known_ones() {
    for (key, known) in values()["card_hunt"].as_object().expect("lineups") {
        let (seats, places) = with_last_first(key);
        let files: Vec<_> = places.iter().map(|name| bot("card-hunt", name)).collect();
        let exact = known["exact"].as_bool().expect("a flag");
        let matches = known["matches"].as_f64().expect("a number");
        let mut points = vec![Mean::default(); seats.len()];
        let mut sole = vec![Mean::default(); seats.len()];
        let mut shared = vec![Mean::default(); seats.len()];
        play(&files, 1, if exact { 12 } else { 2_000 }, &[], |told| {
            if told.names != seats {
                return;
            }
            let firsts = told.placements.iter().filter(|&&place| place == 1).count();
            for seat in 0..seats.len() {
                points[seat].add(told.points[seat]);
                let first = told.placements[seat] == 1;
                sole[seat].add(f64::from(u8::from(first && firsts == 1)));
                shared[seat].add(f64::from(u8::from(first && firsts > 1)));
            }
        });
        for seat in 0..seats.len() {
            let what = |of: &str| format!("{key}: {of} of seat {seat}");
            let number = |name: &str| known[name][seat].as_f64();
            let of = |name: &str| number(name).expect("a number");
            points[seat].assert_near(&what("points"), of("mean_points"), number("se_points").unwrap_or(0.0));
            let error = |share: f64| if exact { 0.0 } else { share_error(share, matches) };
            // Where none of a rare kind came up, the own error is no measure: the known share's is.
            let rare = |share: f64| error(share).hypot(share_error(share, points[seat].count));
            sole[seat].assert_near(&what("sole firsts"), of("sole_first"), rare(of("sole_first")));
            shared[seat].assert_near(&what("shared firsts"), of("shared_first"), rare(of("shared_first")));
        }
    }
}

#[test]
fn animal_rescuers_thanks_are_the_known_ones() {
    for (key, known) in values()["animal_rescuers"].as_object().expect("lineups") {
        let (seats, places) = with_last_first(key);
        let files: Vec<_> = places.iter().map(|name| bot("animal-rescuers", name)).collect();
        let matches = known["matches"].as_f64().expect("a number");
        let alike = seats.iter().all(|name| *name == seats[0]);
        let mut thanks = vec![Mean::default(); seats.len()];
        let mut turns = Mean::default();
        let mut limit = Mean::default();
        let deals = if alike || seats.len() == 2 { 3_000 } else { 12_000 };
        play(&files, 1, deals, &["round_ends", "played", "passed"], |told| {
            if told.names != seats {
                return;
            }
            for (mean, points) in thanks.iter_mut().zip(&told.points) {
                mean.add(*points);
            }
            let count =
                |wanted: &dyn Fn(&Value) -> bool| told.events.iter().filter(|event| wanted(event)).count() as f64;
            let rounds = count(&|event| event["event"] == "round_ends");
            assert_eq!(rounds, seats.len() as f64);
            turns.add((told.events.len() as f64 - rounds) / rounds);
            limit.add(count(&|event| event["ending"] == "limit") / rounds);
        });
        for (seat, mean) in thanks.iter().enumerate() {
            let of = |name: &str| known[name][seat].as_f64().expect("a number");
            mean.assert_near(&format!("{key}: thanks of seat {seat}"), of("mean_thanks"), of("se_thanks"));
        }
        let of = |name: &str| known[name].as_f64().expect("a number");
        // The known ones' own errors: that of ours, for their number of matches.
        let theirs = |mean: &Mean| mean.error() * (mean.count / matches).sqrt();
        turns.assert_near(&format!("{key}: turns"), of("turns_per_round"), theirs(&turns));
        limit.assert_near(&format!("{key}: ended by the limit"), of("rounds_ended_by_limit"), theirs(&limit));
    }
}

#[test]
fn passing_cards_matches_end_as_the_known_ones() {
    let known = &values()["passing_cards"]["claim from 11"];
    let matches = known["matches"].as_f64().expect("a number");
    let files = vec![bot("passing-cards", "random"); 10];
    let mut last_round = vec![Mean::default(); 15];
    let (mut winners, mut trades) = (Mean::default(), Mean::default());
    play(&files, 0, 3_000, &["round_begins", "traded", "won", "eliminated"], |told| {
        let of = |kind: &'static str| told.events.iter().filter(move |event| event["event"] == kind);
        let last = of("round_begins").map(|event| event["round"].as_u64().expect("a round")).max();
        for (round, mean) in last_round.iter_mut().enumerate() {
            mean.add(f64::from(u8::from(last == Some(round as u64))));
        }
        // Who becomes the elimination candidate has not won.
        let won = of("won").map(|event| event["winners"].as_array().expect("a list").len()).sum::<usize>();
        let lost = of("eliminated").filter(|event| event["lost_token"] == true).count();
        winners.add((won - lost) as f64);
        // A trade counts one for both players.
        trades.add(2.0 * of("traded").count() as f64 / 10.0);
    });
    for (round, share) in known["last_round"].as_object().expect("rounds") {
        let share = share.as_f64().expect("a number");
        let round: usize = round.parse().expect("a round");
        let rare = share_error(share, matches).hypot(share_error(share, last_round[round].count));
        last_round[round].assert_near(&format!("round {round} is the last"), share, rare);
    }
    let of = |name: &str| known[name].as_f64().expect("a number");
    winners.assert_near("winners", of("mean_winners"), of("se_winners"));
    let theirs = trades.error() * (trades.count / matches).sqrt();
    trades.assert_near("trades a player", of("mean_trades_per_player"), theirs);
}
