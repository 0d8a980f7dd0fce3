//! Hostile and odd modules: each is refused with the error it deserves, or plays and harms nobody.
//!
//! `hostile/expected.csv` says what is right for each: a refusal by its code, or the fault of its decisions.

use std::path::PathBuf;

use crate::harness::{Scratch, arena, block_lines, bot, repository, rows};

struct Module {
    name: String,
    /// The code of the refusal; empty for one that is accepted.
    refused: String,
    /// A text that the refusal must contain.
    says: String,
    /// The kinds of fault in play, no others.
    faults: Vec<String>,
}

fn modules() -> Vec<Module> {
    let text = std::fs::read_to_string(repository().join("tests/hostile/expected.csv")).expect("expected.csv");
    rows(&text)
        .into_iter()
        .map(|mut row| {
            let mut take = |column: &str| row.remove(column).unwrap_or_else(|| panic!("no column {column}"));
            Module {
                name: take("module"),
                refused: take("refused"),
                says: take("says"),
                faults: take("faults").split(' ').map(str::to_owned).filter(|kind| !kind.is_empty()).collect(),
            }
        })
        .collect()
}

fn build(scratch: &Scratch, name: &str) -> PathBuf {
    let source = repository().join(format!("tests/hostile/{name}.wat"));
    let wasm = wat::parse_file(&source).unwrap_or_else(|error| panic!("{error}"));
    scratch.write(&format!("{name}.wasm"), wasm)
}

#[test]
fn every_module_has_its_expectation() {
    let mut files: Vec<_> = std::fs::read_dir(repository().join("tests/hostile"))
        .expect("tests/hostile")
        .filter_map(|entry| entry.expect("an entry").file_name().to_str()?.strip_suffix(".wat").map(str::to_owned))
        .collect();
    let mut expected: Vec<_> = modules().into_iter().map(|module| module.name).collect();
    files.sort();
    expected.sort();
    assert_eq!(files, expected);
}

#[test]
fn check_accepts_and_refuses_as_expected() {
    let scratch = Scratch::new();
    for module in modules() {
        let file = build(&scratch, &module.name);
        let done = arena(["check", "--game", "little-hunters", file.to_str().unwrap()]);
        let name = &module.name;
        if module.refused.is_empty() {
            assert_eq!(done.code, Some(0), "{name}: {}", done.out);
        } else {
            assert_eq!(done.code, Some(2), "{name}: {}", done.out);
            assert!(done.out.contains(&format!("[{}]", module.refused)), "{name}: {}", done.out);
            assert!(done.out.contains(&module.says), "{name}: {}", done.out);
        }
    }
}

#[test]
fn a_league_refuses_what_check_refuses() {
    let scratch = Scratch::new();
    for module in modules().into_iter().filter(|module| !module.refused.is_empty()) {
        let bots = [("good", bot("little-hunters", "uniform")), ("bad", build(&scratch, &module.name))];
        let league = scratch.league("l.toml", "game = \"little-hunters\"\ndeals = 1\n", &bots);
        let done = scratch.run(&league, "out", 1);
        assert_eq!(done.code, Some(2), "{}: {}", module.name, done.err);
        assert!(done.err.contains("the bot bad"), "{}: {}", module.name, done.err);
        assert!(done.err.contains(&format!("[{}]", module.refused)), "{}: {}", module.name, done.err);
    }
}

/// Beside honest bots: each hostile one's faults are counted, and the honest ones' results against each other
/// are what they are without it.
#[test]
fn a_league_with_hostile_bots_finishes_and_harms_nobody() {
    let scratch = Scratch::new();
    let honest = ["uniform", "nash", "reader"].map(|name| (name, bot("little-hunters", name)));
    let head = "game = \"little-hunters\"\nseed = 6\ndeals = 6\nblock = 3\n[limits]\ndecision_fuel = 200000\n";
    let alone = scratch.league("alone.toml", head, &honest);
    scratch.run(&alone, "alone", 2).expect(0);
    let alone = rows(&scratch.read("alone/crosstable.csv"));

    let accepted: Vec<_> = modules().into_iter().filter(|module| module.refused.is_empty()).collect();
    let mut bots: Vec<_> = honest.to_vec();
    let files: Vec<_> = accepted.iter().map(|module| build(&scratch, &module.name)).collect();
    bots.extend(accepted.iter().map(|module| module.name.as_str()).zip(files));
    let league = scratch.league("all.toml", head, &bots);
    scratch.run(&league, "all", 2).expect(0);

    let faults = rows(&scratch.read("all/faults.csv"));
    let of = |name: &str| faults.iter().find(|row| row["bot"] == name).expect("a row");
    for (name, _) in &honest {
        for kind in ["illegal", "timeout", "crash", "protocol", "retired"] {
            assert_eq!(of(name)[kind], "0", "{name}: {kind}");
        }
    }
    for module in &accepted {
        let row = of(&module.name);
        for kind in ["illegal", "timeout", "crash", "protocol"] {
            let count: u64 = row[kind].parse().expect("a number");
            assert_eq!(count > 0, module.faults.iter().any(|fault| fault == kind), "{}: {kind} {count}", module.name);
        }
        // Retired only after ten lost instances, and never in place of them.
        let number = |column: &str| row[column].parse::<u64>().expect("a number");
        let lost = number("timeout") + number("crash") + number("protocol");
        assert!(number("retired") == 0 || lost >= 10, "{}: {lost} lost", module.name);
    }
    // Block by block the honest ones' matches are the same to the last unit of fuel.
    let with_others: std::collections::HashSet<_> = block_lines(&scratch.path("all")).into_iter().collect();
    let honest_blocks = block_lines(&scratch.path("alone"));
    assert_eq!(honest_blocks.len(), 6);
    assert!(honest_blocks.iter().all(|block| with_others.contains(block)));
    let all = rows(&scratch.read("all/crosstable.csv"));
    for row in &alone {
        let same = all.iter().find(|other| other["bot"] == row["bot"]).expect("a row");
        for (name, _) in &honest {
            assert_eq!(row[*name], same[*name], "{} against {name}", row["bot"]);
        }
    }
}

/// Example bots of each game, which play fast: at least as many as a match has seats.
const HONEST: &[(&str, &[&str])] = &[
    ("little-hunters", &["uniform", "nash"]),
    ("card-hunt", &["random", "counter"]),
    ("animal-rescuers", &["random", "high"]),
    ("passing-cards", &["random", "collector", "hoarder", "silent"]),
];

/// In every game, on any number of threads: what honest bots play among each other is the same, byte for byte, whoever
/// else is in the league.
#[test]
fn honest_bots_play_the_same_beside_every_hostile_one() {
    let scratch = Scratch::new();
    let accepted = modules().into_iter().filter(|module| module.refused.is_empty());
    let hostile: Vec<_> = accepted.map(|module| (module.name.clone(), build(&scratch, &module.name))).collect();
    for &game in arena::games::GameId::ALL {
        let game = game.info();
        let (_, names) = HONEST.iter().find(|(name, _)| *name == game.name).expect("honest bots of every game");
        let seats = game.seats.0;
        // As many as have seats, some twice: a file of their own makes them two.
        let honest: Vec<_> = names
            .iter()
            .cycle()
            .take(seats.max(names.len()))
            .enumerate()
            .map(|(number, name)| {
                let wasm = std::fs::read(bot(game.name, name)).expect("an example bot");
                (format!("{name}-{number}"), scratch.write(&format!("{}/{number}/{name}.wasm", game.name), wasm))
            })
            .collect();
        let head =
            format!("game = \"{}\"\nseed = 7\ndeals = 3\nblock = 1\n[limits]\ndecision_fuel = 50000\n", game.name);
        let enter = |file: &str, bots: &[(String, PathBuf)]| {
            let bots: Vec<_> = bots.iter().map(|(name, path)| (name.as_str(), path.clone())).collect();
            scratch.league(file, &head, &bots)
        };
        let alone = format!("{}-alone", game.name);
        scratch.run(&enter("alone.toml", &honest), &alone, 1).expect(0);
        let faults = rows(&scratch.read(&format!("{alone}/faults.csv")));
        assert!(faults.iter().all(|row| row["timeout"] == "0"), "{faults:?}");
        let wanted = block_lines(&scratch.path(&alone));
        assert_eq!(wanted.len(), 3, "{}", game.name);
        // Few strangers at a time leave the table to the honest ones often enough.
        let guests = if seats == 2 { 5 } else { 2 };
        for (number, guests) in hostile.chunks(guests).enumerate() {
            let league = enter("beside.toml", &[&honest, guests].concat());
            for threads in [1, 3, 8] {
                let out = format!("{}-{number}-{threads}", game.name);
                scratch.run(&league, &out, threads).expect(0);
                let beside: std::collections::HashSet<_> = block_lines(&scratch.path(&out)).into_iter().collect();
                for block in &wanted {
                    assert!(beside.contains(block), "{out}, beside {:?}: {block}", guests[0].0);
                }
            }
        }
    }
}

/// What `arena play` tells of a module against an honest bot, a value a line.
fn played(file: &std::path::Path, more: &[&str]) -> Vec<serde_json::Value> {
    let opponent = bot("little-hunters", "uniform");
    let files = [file.as_os_str(), opponent.as_os_str()];
    let arguments = ["play", "--game", "little-hunters", "--json"].into_iter().chain(more.iter().copied());
    let done = arena(arguments.map(AsRef::as_ref).chain(files)).expect(0);
    done.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The decisions of the first seat: (action, fault).
fn decisions(events: &[serde_json::Value]) -> Vec<(Option<i64>, Option<String>)> {
    let own = events.iter().filter(|event| event["type"] == "decision" && event["seat"] == 0);
    own.map(|event| (event["action"].as_i64(), event["fault"].as_str().map(str::to_owned))).collect()
}

#[test]
fn play_shows_what_is_expected_of_each_module() {
    let scratch = Scratch::new();
    for module in modules() {
        let file = build(&scratch, &module.name);
        if module.refused.is_empty() {
            let decisions = decisions(&played(&file, &[]));
            let kinds: Vec<_> = decisions.iter().filter_map(|(_, fault)| fault.as_deref()).collect();
            for kind in kinds {
                assert!(
                    kind == "retired" || module.faults.iter().any(|known| known == kind),
                    "{}: {kind}",
                    module.name
                );
            }
            assert_eq!(
                decisions.iter().any(|(_, fault)| fault.is_some()),
                !module.faults.is_empty(),
                "{}",
                module.name
            );
        } else {
            let opponent = bot("little-hunters", "uniform");
            let arguments = ["play".as_ref(), "--game".as_ref(), "little-hunters".as_ref(), file.as_os_str()];
            let done = arena(arguments.into_iter().chain([opponent.as_os_str()])).expect(2);
            assert!(done.err.contains(&format!("[{}]", module.refused)), "{}: {}", module.name, done.err);
        }
    }
}

#[test]
fn a_module_traps_at_its_own_decision_and_not_before() {
    let scratch = Scratch::new();
    let decisions = decisions(&played(&build(&scratch, "unreachable_in_act"), &[]));
    let faults: Vec<_> = decisions.iter().take(4).map(|(_, fault)| fault.as_deref()).collect();
    assert!(faults[..3].iter().all(|fault| *fault != Some("crash")), "{faults:?}");
    assert_eq!(faults[3], Some("crash"), "{faults:?}");
}

#[test]
fn counters_begin_anew_in_every_match() {
    let scratch = Scratch::new();
    for name in ["counter-global", "counter_across_matches"] {
        let file = build(&scratch, name);
        let first = |deal: &str| decisions(&played(&file, &["--deal", deal]))[0].0;
        assert_eq!(first("0"), first("1"), "{name}");
    }
}

#[test]
fn what_a_bot_logs_in_a_match_is_capped() {
    let scratch = Scratch::new();
    let events = played(&build(&scratch, "log-spam"), &[]);
    let logged: usize = events.iter().filter_map(|event| event["text"].as_str()).map(str::len).sum();
    assert!(logged <= 65_536, "{logged} bytes");
}
