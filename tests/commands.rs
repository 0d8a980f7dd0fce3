//! The commands as a user meets them.

use crate::harness::{Scratch, arena, bot, rows};

fn lh(name: &str) -> String {
    bot("little-hunters", name).display().to_string()
}

#[test]
fn the_readmes_league_runs_from_its_file() {
    // The league file that comes with the repository, with fewer deals.
    let text = std::fs::read_to_string(crate::harness::repository().join("leagues/little-hunters.toml")).unwrap();
    let bots = crate::harness::repository().join("example-bots");
    let text = text.replace("deals = 5000", "deals = 60").replace("../example-bots", &bots.display().to_string());
    let scratch = Scratch::new();
    let league = scratch.write("leagues/l.toml", text);
    let done = scratch.run(&league, "out", 2).expect(0);
    assert!(done.out.starts_with("#  bot"), "{}", done.out);
    let elo = rows(&scratch.read("out/elo.csv"));
    assert_eq!(elo.len(), 7);
    for row in &elo {
        let number = |column: &str| row[column].parse::<f64>().expect("a number");
        assert!(number("elo_low") < number("elo") && number("elo") < number("elo_high"), "{row:?}");
        assert_eq!(number("wins") + number("draws") + number("losses"), number("matches"));
        assert_eq!(number("matches"), 720.0);
        assert_eq!(row["faults"], "0");
    }
    let mean: f64 = elo.iter().map(|row| row["elo"].parse::<f64>().unwrap()).sum::<f64>() / 7.0;
    // Files hold seven digits.
    assert!((mean - 1500.0).abs() < 1e-3, "{mean}");
    let record: serde_json::Value = serde_json::from_str(&scratch.read("out/run.json")).unwrap();
    assert_eq!(record["matches"], 2520);
    assert_eq!(record["complete"], true);
    assert!(record["sitting"]["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(record["bots"][0]["sha256"].as_str().unwrap().len(), 64);
}

#[test]
fn a_dry_run_says_the_plan_and_writes_nothing() {
    let scratch = Scratch::new();
    let bots = [("a", bot("little-hunters", "nash")), ("b", bot("little-hunters", "uniform"))];
    let league = scratch.league("l.toml", "game = \"little-hunters\"\ndeals = 7\n", &bots);
    let out = scratch.path("out");
    let done = arena(["run", "--dry-run", "--out", out.to_str().unwrap(), league.to_str().unwrap()]).expect(0);
    assert!(done.err.contains("2 bots, 1 lineup x 7 deals x 2 seatings = 14 matches"), "{}", done.err);
    assert!(!out.exists());
}

#[test]
fn bad_leagues_are_refused_with_file_line_and_key() {
    let scratch = Scratch::new();
    let league = scratch.write("l.toml", "game = \"little-hunters\"\ndeals = 0\n");
    let done = arena(["run".as_ref(), league.as_os_str()]).expect(2);
    assert!(done.err.contains("l.toml:2: deals: expected a whole number from 1 to 2^63-1, found 0"), "{}", done.err);
    assert!(done.out.is_empty());

    let bots = [("a", bot("little-hunters", "nash")), ("b", scratch.write("b.wasm", "no wasm"))];
    let league = scratch.league("m.toml", "game = \"little-hunters\"\ndeals = 1\n", &bots);
    let done = scratch.run(&league, "out", 1).expect(2);
    assert!(done.err.contains("m.toml:10: path: the bot b (") && done.err.contains("[not-wasm]"), "{}", done.err);
    assert!(!done.err.contains("Little Hunters: 2 bots"), "no plan of a league that is refused: {}", done.err);
    assert!(!scratch.path("out").exists(), "a league that is refused leaves nothing behind");

    let done = arena(["run", "no-such-file.toml"]).expect(2);
    assert!(done.err.contains("no-such-file.toml: failed to read it"), "{}", done.err);
}

#[test]
fn a_match_is_told_for_people_and_the_same_each_time() {
    let told = arena(["play", &lh("nash"), &lh("uniform"), "--seed", "4"]).expect(0).out;
    assert!(told.contains("seat 0: nash") && told.contains("Bout 1") && told.contains("place 1: "), "{told}");
    assert_eq!(told, arena(["play", &lh("nash"), &lh("uniform"), "--seed", "4"]).expect(0).out);
    let turned = arena(["play", &lh("nash"), &lh("uniform"), "--seed", "4", "--seating", "1"]).expect(0).out;
    assert!(turned.contains("seat 1: nash"), "{turned}");
}

/// Derives the result from the events alone, as an outsider would.
#[test]
fn the_event_stream_suffices_to_derive_the_result() {
    for seed in 0..20 {
        let done = arena(["play", &lh("reader"), &lh("repeater"), "--json", "--seed", &seed.to_string()]).expect(0);
        let lines: Vec<serde_json::Value> =
            done.out.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect();
        assert_eq!(lines[0]["type"], "match");
        assert_eq!(lines[0]["schema"], 1);
        let (mut hands, mut revealed) = ([0b1_1111u8; 2], [Vec::new(), Vec::new()]);
        let mut laid = [0u8; 2];
        let (mut series, mut total) = ([0i32; 2], [0i32; 2]);
        let mut guess = None;
        let mut over: Option<[i32; 2]> = None;
        for line in &lines {
            match (line["type"].as_str().unwrap(), line["event"].as_str()) {
                ("decision", _) => {
                    let seat = line["seat"].as_u64().unwrap() as usize;
                    let action = line["action"].as_i64().unwrap() as u8;
                    match line["decision"].as_str().unwrap() {
                        "play" => {
                            assert_eq!(line["view"]["own_hand"], hands[seat]);
                            laid[seat] = action;
                        }
                        _ => guess = Some((seat, action)),
                    }
                }
                ("event", Some("bout_begins")) => {
                    (hands, revealed) = ([0b1_1111; 2], [Vec::new(), Vec::new()]);
                }
                ("event", Some("same_cards" | "guessed")) => {
                    for seat in 0..2 {
                        revealed[seat].push(laid[seat]);
                        hands[seat] &= !(1 << (laid[seat] - 1));
                    }
                }
                ("event", Some("bout_ends")) => {
                    let right = guess.take().filter(|&(seat, guess)| guess == laid[1 - seat]).map(|(seat, _)| seat);
                    let key = |seat: usize| {
                        let mut set = revealed[seat].clone();
                        set.sort_unstable_by(|a, b| b.cmp(a));
                        (set.iter().map(|&card| u32::from(card)).sum::<u32>(), set)
                    };
                    let winner = right.or(match key(0).cmp(&key(1)) {
                        std::cmp::Ordering::Greater => Some(0),
                        std::cmp::Ordering::Less => Some(1),
                        std::cmp::Ordering::Equal => None,
                    });
                    assert_eq!(line["winner"].as_u64().map(|seat| seat as usize), winner);
                    if let Some(seat) = winner {
                        series[seat] += 1;
                        total[seat] += 1;
                    }
                }
                ("event", Some("series_ends")) => over = Some(std::mem::take(&mut series)),
                ("result", _) => {
                    assert_eq!(line["points"], serde_json::json!(total));
                    let [a, b] = over.expect("a series has ended");
                    let places = if a > b {
                        [1, 2]
                    } else if a < b {
                        [2, 1]
                    } else {
                        [1, 1]
                    };
                    assert_eq!(line["placements"], serde_json::json!(places));
                }
                _ => {}
            }
            if line["event"] == "guessed" {
                guess = guess.filter(|&(seat, guess)| guess == laid[1 - seat]);
            }
        }
        assert_eq!(lines.last().unwrap()["type"], "result");
    }
}

#[test]
fn wrong_numbers_of_bots_and_wrong_games_are_refused() {
    let done = arena(["play", &lh("nash")]).expect(2);
    assert!(done.err.contains("little-hunters has 2 seats, and 1 player is given"), "{}", done.err);
    let done = arena(["play", &lh("nash"), &lh("nash"), "--game", "chess"]).expect(2);
    assert!(done.err.contains("there is no such game; there are little-hunters"), "{}", done.err);
    let done = arena(["play", &lh("nash"), "nowhere.wasm"]).expect(2);
    assert!(done.err.contains("nowhere.wasm: failed to open it"), "{}", done.err);
    let done = arena(["play", &lh("nash"), &lh("nash"), "--seating", "2"]).expect(2);
    assert!(done.err.contains("the seatings are 0 to 1"), "{}", done.err);
}

#[test]
fn games_and_completions_and_help_are_there() {
    assert!(arena(["games"]).expect(0).out.contains("little-hunters (Little Hunters)"));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = arena(["completions", shell]).expect(0).out;
        assert!(script.contains("arena") && !script.contains("__compile") && !script.contains("__bot"), "{shell}");
    }
    for command in ["run", "play", "check", "submit", "withdraw", "submissions", "history", "watch"] {
        let help = arena([command, "--help"]).expect(0).out;
        assert!(help.contains("Examples:\n  arena "), "{help}");
    }
    arena(["--version"]).expect(0);
    arena(["no-such-command"]).expect(2);
    // What the program starts itself for is nobody's tip.
    assert!(!arena(["_compile"]).expect(2).err.contains("__compile"));
}
