//! `arena play`: the match of a league again, the built-in opponent, a person at the table.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::harness::{Done, Scratch, arena, arena_command, bot, repository, rows};

fn lh(name: &str) -> String {
    bot("little-hunters", name).display().to_string()
}

/// A bot of `tests/hostile`.
fn hostile(scratch: &Scratch, name: &str) -> std::path::PathBuf {
    let source = repository().join(format!("tests/hostile/{name}.wat"));
    scratch.write(&format!("{name}.wasm"), wat::parse_file(source).expect("a module"))
}

fn lines(done: &Done) -> Vec<Value> {
    done.out.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

/// `arena play` with something typed.
fn typed(arguments: &[&str], input: &str) -> Done {
    let mut child = arena_command(["play", "--interactive"].iter().chain(arguments))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // It may end before it has read everything.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    Done::of(child.wait_with_output().expect("it ends"))
}

/// A league with honest bots and two that fail, in which deals and blocks do not come out even.
fn league(scratch: &Scratch) -> std::path::PathBuf {
    let bots = [
        ("nash", bot("little-hunters", "nash")),
        ("uniform", bot("little-hunters", "uniform")),
        ("cheat", hostile(scratch, "illegal_actions")),
        ("slow", hostile(scratch, "loop-in-decide")),
    ];
    let head = "game = \"little-hunters\"\nseed = 11\ndeals = 3\nblock = 2\n[options]\ntiebreak_series = 1\n\
                [limits]\ndecision_fuel = 20000\nrestarts = 3\n";
    let league = scratch.league("l.toml", head, &bots);
    scratch.run(&league, "out", 2).expect(0);
    league
}

/// The sum of all matches of a league, each played again by its number, is what the league's tables say.
#[test]
fn every_match_of_a_league_is_played_again_as_it_was() {
    let scratch = Scratch::new();
    let league = league(&scratch);
    let (out, league) = (scratch.path("out"), league.display().to_string());
    let out = out.to_str().unwrap();
    let replay = |number: usize| {
        let number = number.to_string();
        arena(["play", "--json", "--from", out, "--league", &league, "--match", &number])
    };
    #[derive(Default, Debug, PartialEq)]
    struct Sums {
        matches: u64,
        wins: u64,
        draws: u64,
        points: i64,
        decisions: u64,
        faults: [u64; 5],
    }
    let mut sums: BTreeMap<String, Sums> = BTreeMap::new();
    let mut seats: BTreeMap<(String, usize), u64> = BTreeMap::new();
    let matches = 6 * 3 * 2;
    let mut seen = std::collections::BTreeSet::new();
    for number in 1..=matches {
        let lines = lines(&replay(number).expect(0));
        let (first, last) = (&lines[0], lines.last().unwrap());
        assert_eq!((&first["match"], &first["seed"]), (&json!(number), &json!(11)));
        assert_eq!(first["options"]["tiebreak_series"], 1);
        assert!(seen.insert((first["deal"].to_string(), first["seating"].to_string(), first["bots"].to_string())));
        let placements: Vec<u64> = serde_json::from_value(last["placements"].clone()).unwrap();
        for seat in 0..2 {
            let name = first["bots"][seat]["name"].as_str().unwrap().to_owned();
            let sum = sums.entry(name.clone()).or_default();
            sum.matches += 1;
            let shared = placements[0] == placements[1];
            sum.wins += u64::from(placements[seat] == 1 && !shared);
            sum.draws += u64::from(shared);
            sum.points += last["points"][seat].as_i64().unwrap();
            let asked = |line: &&Value| line["type"] == "decision" && line["seat"] == seat;
            sum.decisions += lines.iter().filter(asked).count() as u64;
            for kind in 0..5 {
                sum.faults[kind] += last["faults"][seat][kind].as_u64().unwrap();
            }
            *seats.entry((name, seat)).or_default() += u64::from(placements[seat] == 1 && !shared);
        }
    }
    let number = |row: &std::collections::HashMap<String, String>, column: &str| row[column].parse::<u64>().unwrap();
    for row in rows(&scratch.read("out/elo.csv")) {
        let sum = &sums[&row["bot"]];
        assert_eq!(
            (sum.matches, sum.wins, sum.draws),
            (number(&row, "matches"), number(&row, "wins"), number(&row, "draws"))
        );
    }
    for row in rows(&scratch.read("out/faults.csv")) {
        let sum = &sums[&row["bot"]];
        let kinds = ["illegal", "timeout", "crash", "protocol", "retired"].map(|kind| number(&row, kind));
        assert_eq!(sum.faults, kinds, "{row:?}");
        assert_eq!(sum.decisions, number(&row, "decisions"));
    }
    assert!(sums["cheat"].faults[0] > 0 && sums["slow"].faults[1] > 0 && sums["slow"].faults[4] > 0);
    let done = replay(matches + 1).expect(2);
    assert!(done.err.contains("--match 37: the league has matches 1 to 36"), "{}", done.err);
}

#[test]
fn matches_are_found_by_bots_and_faults() {
    let scratch = Scratch::new();
    let league = league(&scratch);
    let (out, league) = (scratch.path("out"), league.display().to_string());
    let out = out.to_str().unwrap();
    let find = |more: &[&str]| arena(["play", "--from", out, "--league", &league].iter().chain(more));
    let head = |done: &Done| done.out.lines().next().unwrap_or_default().to_owned();
    // Lineups: nash with uniform, cheat, slow; uniform with cheat, slow; cheat with slow. Two deals, then one.
    assert!(head(&find(&["--with", "nash,uniform"]).expect(0)).starts_with("little-hunters, match 1, "));
    let told = find(&["--fault", "--with", "slow,uniform"]).expect(0);
    assert!(head(&told).starts_with("little-hunters, match 17, "), "{}", told.out);
    assert!(told.out.contains("slow fails to play: timeout"), "{}", told.out);
    assert!(told.out.contains(" faults\n"), "{}", told.out);
    assert!(head(&find(&["--with", "uniform,slow", "--match", "18"]).expect(0)).contains("match 18, "));
    assert!(head(&find(&["--with", "uniform,slow", "--match", "21"]).expect(0)).contains("match 33, "));
    let done = find(&["--fault", "--with", "nash,uniform"]).expect(2);
    assert!(done.err.contains("there is no match of nash, uniform with a fault"), "{}", done.err);
    let done = find(&["--with", "nobody"]).expect(2);
    assert!(
        done.err.contains("--with nobody: the league has no such bot; it has nash, uniform, cheat, slow"),
        "{}",
        done.err
    );
    let done = find(&[]).expect(2);
    assert!(done.err.contains("which match? --match K, --with NAMES or --fault"), "{}", done.err);
}

#[test]
fn a_changed_bot_is_told_and_not_played() {
    let scratch = Scratch::new();
    let bots =
        [("a", scratch.write("a.wasm", std::fs::read(lh("nash")).unwrap())), ("b", bot("little-hunters", "uniform"))];
    let league = scratch.league("l.toml", "game = \"little-hunters\"\ndeals = 1\n", &bots);
    scratch.run(&league, "out", 1).expect(0);
    let (out, league) = (scratch.path("out").display().to_string(), league.display().to_string());
    let first = arena(["play", "--from", &out, "--league", &league, "--match", "1"]).expect(0).out;
    // Without a journal, run.json says the same.
    std::fs::remove_file(scratch.path("out/journal.jsonl")).unwrap();
    assert_eq!(arena(["play", "--from", &out, "--league", &league, "--match", "1"]).expect(0).out, first);
    // Files found by their bytes, whatever they are called now.
    assert_eq!(arena(["play", &lh("uniform"), &lh("nash"), "--from", &out, "--match", "1"]).expect(0).out, first);
    scratch.write("a.wasm", std::fs::read(lh("highest")).unwrap());
    let done = arena(["play", "--from", &out, "--league", &league, "--match", "1"]).expect(2);
    assert!(done.err.contains("the bot a played with SHA-256 "), "{}", done.err);
    assert!(done.err.contains("a.wasm has another SHA-256: it was changed since"), "{}", done.err);
    let nowhere = scratch.path("nowhere").display().to_string();
    let done = arena(["play", "--from", &nowhere, "--match", "1"]).expect(2);
    assert!(done.err.contains("this is no results folder"), "{}", done.err);
}

#[test]
fn a_league_gives_options_limits_seed_and_bots() {
    let scratch = Scratch::new();
    let bots = [("a", bot("little-hunters", "nash")), ("b", bot("little-hunters", "uniform"))];
    let head = "game = \"little-hunters\"\nseed = 5\ndeals = 1\n[options]\ntiebreak_series = 0\n";
    let league = scratch.league("l.toml", head, &bots);
    let league = league.to_str().unwrap();
    let told = lines(&arena(["play", "b", "a", "--league", league, "--json"]).expect(0));
    assert_eq!(told[0]["seed"], 5);
    assert_eq!(told[0]["options"]["tiebreak_series"], 0);
    assert_eq!(told[0]["bots"][0]["name"], "uniform");
    let told = lines(
        &arena(["play", "a", "b", "--league", league, "--option", "tiebreak_series=2", "--seed", "6", "--json"])
            .expect(0),
    );
    assert_eq!((&told[0]["seed"], &told[0]["options"]["tiebreak_series"]), (&json!(6), &json!(2)));
    let done = arena(["play", "a", "c", "--league", league]).expect(2);
    assert!(done.err.contains("c: there is no such file, and the league's bots are a, b"), "{}", done.err);
    // Fuel that is too little for anything: the league's limits hold.
    let tight = scratch.league("t.toml", &format!("{head}[limits]\ndecision_fuel = 100\n"), &bots);
    let done = arena(["play", &lh("reader"), "b", "--league", tight.to_str().unwrap()]).expect(0);
    assert!(done.out.contains("reader fails to play: timeout"), "{}", done.out);
    for (option, why) in [
        ("tiebreak=1", "--option tiebreak: unknown field"),
        ("tiebreak_series=x", "--option tiebreak_series: invalid type"),
        (
            "tiebreak_series=101",
            "--option tiebreak_series: invalid value: integer `101`, expected a whole number from 0 to 100",
        ),
    ] {
        let done = arena(["play", &lh("nash"), &lh("nash"), "--option", option]).expect(2);
        assert!(done.err.contains(why), "{}", done.err);
    }
}

#[test]
fn the_first_bot_sits_where_it_is_told_to() {
    let names = |arguments: &[&str]| -> (Vec<String>, Value) {
        let told = lines(&arena(["play", "--json"].iter().chain(arguments)).expect(0));
        let names = told[0]["bots"].as_array().unwrap().iter().map(|bot| bot["name"].as_str().unwrap().to_owned());
        (names.collect(), told[0]["seating"].clone())
    };
    let card_hunt = |name| bot("card-hunt", name).display().to_string();
    let (a, b) = (card_hunt("counter"), card_hunt("miser"));
    for seat in 0..4 {
        let (found, _) = names(&[&a, &b, "@random", "--seats", "4", "--seat", &seat.to_string()]);
        let mut wanted = vec!["counter", "miser", "@random", "@random"];
        wanted.rotate_right(seat);
        assert_eq!(found, wanted);
    }
    // Of two bots each order is one of the deal's seatings, and the same match.
    for deal in ["0", "1", "2"] {
        let (_, seating) = names(&[&lh("nash"), &lh("uniform"), "--deal", deal, "--seat", "1"]);
        let seating = seating.to_string();
        let by_seat = arena(["play", &lh("nash"), &lh("uniform"), "--deal", deal, "--seat", "1"]).expect(0).out;
        let by_seating =
            arena(["play", &lh("nash"), &lh("uniform"), "--deal", deal, "--seating", &seating]).expect(0).out;
        assert_eq!(by_seat, by_seating);
    }
}

#[test]
fn the_built_in_opponent_plays_legally_and_the_same_each_time() {
    for game in ["little-hunters", "card-hunt", "animal-rescuers", "passing-cards"] {
        let play = || arena(["play", "@random", "@random", "--game", game, "--json"]);
        let told = match game {
            "passing-cards" => arena(["play", "--game", game, "--seats", "10", "--json"]).expect(0),
            _ => {
                let told = play().expect(0);
                assert_eq!(told.out, play().out);
                told
            }
        };
        let told = lines(&told);
        assert!(told.iter().filter(|line| line["type"] == "decision").all(|line| line["fault"].is_null()));
        assert_eq!(told[0]["bots"][0]["name"], "@random");
        assert!(told[0]["bots"][0]["sha256"].is_null());
    }
}

#[test]
fn what_cannot_be_played_is_refused_in_words() {
    let scratch = Scratch::new();
    let empty = scratch.write("empty.wasm", "").display().to_string();
    let (nash, miser) = (lh("nash"), bot("card-hunt", "miser").display().to_string());
    let (empty, nash, miser) = (empty.as_str(), nash.as_str(), miser.as_str());
    for (arguments, why) in [
        (&[][..], "no bots are given: name their files, or @random"),
        (&[empty, nash], "empty.wasm is refused:\nnot a WebAssembly module: the file is empty"),
        (&[empty, empty], "empty.wasm is refused:\nnot a WebAssembly module: the file is empty"),
        (&[nash, miser], "miser.wasm is refused:\nit plays card-hunt, and little-hunters is wanted"),
        (&["@random", "@random"], "no bot names its game; say it with --game"),
        (&[nash, nash, nash], "little-hunters has 2 seats, and 3 players are given"),
        (&[nash, "--seats", "3"], "--seats 3: little-hunters has 2 seats"),
        (&[miser, miser, miser, "--seats", "2"], "--seats 2: 3 players are given"),
        (&[nash, "@rand"], "@rand: the one built-in opponent is @random"),
        (&[nash, nash, "--game", "LittleHunters"], "no such game; did you mean `little-hunters`?"),
        (&[nash, nash, "--game", "little_hunters"], "no such game; did you mean `little-hunters`?"),
        (&[nash], "little-hunters has 2 seats, and 1 player is given; --seats 2 fills up with @random"),
        (&[nash, "--seats", "2", "--seat", "2"], "--seat 2: the seats are 0 to 1"),
        (&[nash, nash, "--deals", "0"], "invalid value '0' for '--deals <N>'"),
        (&[nash, nash, "--match", "1"], "--from"),
        (&["--from", "x", "--deal", "3"], "cannot be used with"),
    ] {
        let done = arena(["play"].iter().chain(arguments)).expect(2);
        assert!(done.err.contains(why), "{arguments:?}: {}", done.err);
    }
}

#[test]
fn a_person_plays_a_whole_match_in_words() {
    // Always the lowest card that is left, never a guess; whatever is illegal is asked again.
    let input = "1\n2\nskip\n3\n4\n5\n".repeat(200);
    let done = typed(&[&lh("highest"), "--seat", "0"], &input).expect(0);
    assert!(done.out.contains("seat 0: human") && done.out.contains("seat 1: highest"), "{}", done.out);
    assert!(done.out.contains("You hold 1 2 3 4 5, the opponent 1 2 3 4 5. Which card do you lay?"), "{}", done.out);
    assert!(
        done.out.contains("Your 1 is the lower card. The opponent's is one of 2 3 4 5. Which, or `skip`?"),
        "{}",
        done.out
    );
    assert!(done.out.contains("Legal is `"), "{}", done.out);
    assert!(done.out.contains("The match again, with all that was hidden:"), "{}", done.out);
    assert!(done.out.contains("\nResult\n  place 1: "), "{}", done.out);
}

#[test]
fn a_person_is_told_how_to_answer_and_how_to_leave() {
    let help = "`help` says what can be answered, `quit` leaves the table.\n";
    let said = typed(&[&lh("nash")], "q\n").expect(0).out;
    assert!(said.contains(help), "{said}");
    assert!(said.contains("> `quit` leaves the table.\n"), "{said}");
    for asking in ["help\n", "?\n"] {
        let said = typed(&[&lh("nash")], asking).expect(0).out;
        assert_eq!(said.matches("Which card do you lay?").count(), 2, "{said}");
        assert_eq!(said.matches(help).count(), 2, "{said}");
    }
}

#[test]
fn accounts_show_the_hands_of_every_round() {
    let told = arena(["play", &lh("nash"), &lh("uniform")]).expect(0).out;
    assert!(told.contains("\nBout 1\n  round 1: nash holds 1 2 3 4 5, uniform holds 1 2 3 4 5\n"), "{told}");
    assert!(told.contains("\n  round 2: nash holds 1 3 4 5, uniform holds 1 2 3 4\n"), "{told}");
}

#[test]
fn the_end_of_the_input_leaves_the_table() {
    for input in ["", "3\n", "nonsense\n", "quit\n3\n", "EXIT\n"] {
        let done = typed(&[&lh("nash")], input).expect(0);
        assert!(done.out.ends_with("\nYou left the table.\n"), "{}", done.out);
        assert!(!done.out.contains("Result"), "{}", done.out);
    }
}

/// What a person reads before the end is the same whatever the hidden cards are called by the account.
#[test]
fn hidden_cards_stay_hidden_from_a_person() {
    let done = typed(&["--game", "animal-rescuers", "--seats", "3"], "pass\npass\n").expect(0);
    assert!(done.out.contains("Round 1: ") && done.out.contains("You hold "), "{}", done.out);
    assert!(!done.out.contains("hidden from all") && !done.out.contains("@random (1) holds"), "{}", done.out);
    let done = typed(&["--game", "passing-cards"], "nothing\nchallenge 0, peek\n").expect(0);
    assert!(done.out.contains("You hold 0 0 0 and 2 garnets"), "{}", done.out);
    for hidden in ["may challenge", "challenges", "@random (1) claims", "@random (1) peeks"] {
        assert!(!done.out.contains(hidden), "{hidden}: {}", done.out);
    }
}

#[test]
fn a_run_with_faults_says_how_to_see_one() {
    let scratch = Scratch::new();
    let bots = [("five", hostile(&scratch, "illegal_actions")), ("uniform", bot("little-hunters", "uniform"))];
    let league = scratch.league("l.toml", "game = \"little-hunters\"\ndeals = 2\n", &bots);
    let done = scratch.run(&league, "out", 1).expect(0);
    let command = done.err.lines().find_map(|line| line.trim().strip_prefix("arena play ")).expect("a command");
    let told = arena(std::iter::once("play").chain(command.split(' '))).expect(0);
    assert!(told.out.contains("five fails to play: illegal"), "{}", told.out);
}

/// With more than two seats: sampled lineups, and bots that sit in several seats.
#[test]
fn matches_of_many_seats_are_played_again_as_they_were() {
    for (game, seats, names, matches) in [
        ("card-hunt", 3, ["counter", "miser", "random", "spender"], 3 * 3 * 3),
        ("passing-cards", 10, ["tracker", "random", "collector", "silent"], 3 * 3),
    ] {
        let scratch = Scratch::new();
        let bots = names.map(|name| (name, bot(game, name)));
        let head = format!("game = \"{game}\"\nseed = 4\ndeals = 3\nblock = 2\nseats = {seats}\nlineups = 3\n");
        let league = scratch.league("l.toml", &head, &bots).display().to_string();
        scratch.run(league.as_ref(), "out", 2).expect(0);
        let out = scratch.path("out").display().to_string();
        let mut points: BTreeMap<String, (u64, u64, i64)> = BTreeMap::new();
        for number in 1..=matches {
            let done = arena(["play", "--json", "--from", &out, "--league", &league, "--match", &number.to_string()]);
            let lines = lines(&done.expect(0));
            let result = lines.last().unwrap();
            for seat in 0..seats {
                let sum = points.entry(lines[0]["bots"][seat]["name"].as_str().unwrap().to_owned()).or_default();
                sum.0 += 1;
                sum.1 += result["placements"][seat].as_u64().unwrap();
                sum.2 += result["points"][seat].as_i64().unwrap();
            }
        }
        let done =
            arena(["play", "--from", &out, "--league", &league, "--match", &(matches + 1).to_string()]).expect(2);
        assert!(done.err.contains(&format!("the league has matches 1 to {matches}")), "{}", done.err);
        for row in rows(&scratch.read("out/points.csv")) {
            let (count, _, total) = points[&row["bot"]];
            assert_eq!(
                (row["matches"].parse(), row["points_total"].parse()),
                (Ok(count), Ok(total)),
                "{game}: {row:?}"
            );
        }
        for row in rows(&scratch.read("out/elo.csv")) {
            let (count, placements, _) = points[&row["bot"]];
            let mean: f64 = row["placement_mean"].parse().unwrap();
            assert!((mean - placements as f64 / count as f64).abs() < 0.05, "{game}: {row:?}");
        }
    }
}

/// The account shows the options that are played; options that the game does not take are refused, not replaced.
#[test]
fn options_of_results_are_those_that_are_played_or_refused() {
    let scratch = Scratch::new();
    let bots = [("a", bot("little-hunters", "uniform")), ("b", bot("little-hunters", "nash"))];
    let league = scratch.league("l.toml", "game = \"little-hunters\"\ndeals = 1\n", &bots);
    scratch.run(&league, "out", 1).expect(0);
    std::fs::remove_file(scratch.path("out/journal.jsonl")).unwrap();
    let mut record: Value = serde_json::from_str(&scratch.read("out/run.json")).unwrap();
    let mut with = |options: &str| {
        record["options"] = serde_json::from_str(options).unwrap();
        scratch.write("out/run.json", record.to_string());
        let out = scratch.path("out");
        arena(["play", "--from", out.to_str().unwrap(), "--match", "1", "--league", league.to_str().unwrap(), "--json"])
    };
    assert_eq!(lines(&with("{\"tiebreak_series\":2}").expect(0))[0]["options"]["tiebreak_series"], 2);
    for (options, says) in [
        ("{\"tiebreak_series\":999}", "options.tiebreak_series: expected a whole number from 0 to 100, found 999"),
        ("{\"tiebreak_serie\":0}", "options.tiebreak_serie: unknown key; the only one here is tiebreak_series"),
        ("7", "options: expected a table, found 7"),
    ] {
        let refused = with(options).expect(2).err;
        assert!(refused.contains(says), "{refused}");
    }
}
