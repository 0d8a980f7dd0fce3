//! Promises of SECURITY.md that the other tests do not name.

use std::path::{Path, PathBuf};

use crate::harness::{Done, Scratch, arena, arena_command, block_lines, bot, lasting_files, rows};

/// A bot with these two functions' bodies, and more at its top.
fn module(more: &str, init: &str, decide: &str) -> Vec<u8> {
    let text = format!(
        r#"(module {more} (memory (export "memory") 1)
            (func (export "arena_abi") (result i32) (i32.const 1))
            (func (export "arena_init") (param $seat i32) (param $seats i32) (param $seed i64) (result i32) {init})
            (func (export "arena_decide") (param $decision i32) (param $len i32) (result i64) {decide}))"#
    );
    wat::parse_str(text).unwrap_or_else(|error| panic!("{error}"))
}

const BUFFER: &str = "(i32.const 1024)";

fn check(file: &Path) -> Done {
    arena(["check".as_ref(), "--game".as_ref(), "little-hunters".as_ref(), file.as_os_str()])
}

/// The decisions of a match between two bots, as `arena play --json` tells them.
fn decisions(bots: [&Path; 2]) -> Vec<serde_json::Value> {
    let arguments = ["play", "--game", "little-hunters", "--json"].map(AsRef::as_ref);
    let done = arena(arguments.into_iter().chain(bots.map(Path::as_os_str))).expect(0);
    let events = done.out.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    events.filter(|event: &serde_json::Value| event["type"] == "decision").collect()
}

/// A bot's row in `faults.csv` after a league of it against `uniform`.
fn row_of_faults(scratch: &Scratch, file: PathBuf) -> std::collections::HashMap<String, String> {
    let bots = [("x", file), ("uniform", bot("little-hunters", "uniform"))];
    let league = scratch.league("l.toml", "game = \"little-hunters\"\ndeals = 2\n", &bots);
    let _ = std::fs::remove_dir_all(scratch.path("out"));
    scratch.run(&league, "out", 1).expect(0);
    let mut faults = rows(&scratch.read("out/faults.csv"));
    faults.remove(faults.iter().position(|row| row["bot"] == "x").expect("a row"))
}

#[test]
fn every_instance_of_a_match_has_a_seed_of_its_own() {
    let scratch = Scratch::new();
    // Answers with its seed, and traps when it is asked again.
    let teller = module(
        "(global $told (mut i64) (i64.const 0)) (global $again (mut i32) (i32.const 0))",
        &format!("(global.set $told (local.get $seed)) {BUFFER}"),
        "(if (global.get $again) (then unreachable)) (global.set $again (i32.const 1)) (global.get $told)",
    );
    let teller = scratch.write("teller.wasm", teller);
    let told = || {
        let decisions = decisions([&teller, &teller]);
        let seeds = decisions.iter().filter_map(|decision| decision["action"].as_i64());
        seeds.collect::<Vec<_>>()
    };
    let seeds = told();
    assert!(seeds.len() >= 8, "{seeds:?}");
    let distinct: std::collections::HashSet<_> = seeds.iter().collect();
    assert_eq!(distinct.len(), seeds.len(), "no two instances, of either seat, have the same: {seeds:?}");
    assert_eq!(told(), seeds, "and the same match gives the same ones");
}

#[test]
fn a_buffer_that_is_not_aligned_is_a_fault_of_protocol_in_play() {
    let scratch = Scratch::new();
    // The trial start sits at seat 0.
    for (offset, protocol) in [(0, false), (1, true), (2, true), (4, true), (8, false)] {
        let init =
            format!("(i32.add {BUFFER} (i32.mul (i32.const {offset}) (i32.eq (local.get $seat) (i32.const 1))))");
        let file = scratch.write("x.wasm", module("", &init, "(i64.const -1)"));
        let row = row_of_faults(&scratch, file);
        assert_eq!(row["protocol"] != "0", protocol, "{offset} bytes further: {row:?}");
    }
}

/// Whether it is kept, as by `play`, or dropped, as by a league.
#[test]
fn logging_costs_fuel_by_its_length() {
    let scratch = Scratch::new();
    let import = "(import \"arena\" \"log\" (func $log (param i32 i32)))";
    let costs = [0, 1, 1000, 60_000].map(|length: u64| {
        let decide = format!("(call $log (i32.const 2048) (i32.const {length})) (i64.const -1)");
        let file = scratch.write(&format!("{length}.wasm"), module(import, BUFFER, &decide));
        let opponent = bot("little-hunters", "uniform");
        let played = decisions([&file, &opponent]);
        let own = played.iter().find(|decision| decision["seat"] == 0).expect("a decision");
        let kept = own["fuel"].as_u64().expect("fuel");
        let row = row_of_faults(&scratch, file);
        assert_eq!(row["fuel_max"].parse::<u64>(), Ok(kept), "dropped or kept, it costs the same");
        kept - length
    });
    assert!(costs.iter().all(|&cost| cost == costs[0]), "one for each byte, and the same beside: {costs:?}");
    assert!((100..200).contains(&costs[0]), "{costs:?}");
}

/// Start function, `_initialize` and `arena_init` have one amount of fuel, not one each.
#[test]
fn the_start_of_an_instance_shares_its_fuel() {
    let scratch = Scratch::new();
    let three = |start: &str, initialize: &str, init: &str| {
        // Fills 64 KiB 120 times: about 7.9 of 20 million.
        let more = format!(
            r#"(func $burn (local $n i32) (local.set $n (i32.const 120))
                (loop $l (memory.fill (i32.const 0) (i32.const 0) (i32.const 65536))
                    (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1))))))
            (func $start {start}) (start $start)
            (func (export "_initialize") {initialize})"#
        );
        let file = scratch.write("x.wasm", module(&more, &format!("{init} {BUFFER}"), "(i64.const 1)"));
        check(&file)
    };
    let burn = "(call $burn)";
    for two in [three(burn, burn, ""), three(burn, "", burn), three("", burn, burn)] {
        assert!(!two.out.contains("ran out of fuel"), "{}", two.out);
    }
    let all = three(burn, burn, burn).expect(2);
    assert!(all.out.contains("arena_init ran out of fuel"), "{}", all.out);
}

#[test]
fn a_table_does_not_grow_beyond_its_limit() {
    let scratch = Scratch::new();
    // Traps where growth by `$n` is not answered as it must be: the table has one element.
    let grows = |by: u32, answer: i32| {
        let decide = format!(
            "(if (i32.ne (table.grow (ref.null func) (i32.const {by})) (i32.const {answer})) (then unreachable))
             (i64.const -1)"
        );
        let file = scratch.write(&format!("{by}.wasm"), module("(table 1 funcref)", BUFFER, &decide));
        decisions([&file, &bot("little-hunters", "uniform")])[0]["fault"].as_str().map(str::to_owned)
    };
    assert_eq!(grows(9_999, 1).as_deref(), Some("illegal"));
    assert_eq!(grows(10_000, -1).as_deref(), Some("illegal"));
}

#[test]
fn run_json_states_every_limit() {
    let scratch = Scratch::new();
    let bots = [("uniform", bot("little-hunters", "uniform")), ("nash", bot("little-hunters", "nash"))];
    let head = "game = \"little-hunters\"\ndeals = 1\n[limits]\ndecision_fuel = 1234567\n";
    let league = scratch.league("l.toml", head, &bots);
    scratch.run(&league, "out", 1).expect(0);
    let run: serde_json::Value = serde_json::from_str(&scratch.read("out/run.json")).expect("JSON");
    let limits = arena::sandbox::Limits { decision_fuel: 1_234_567, ..Default::default() };
    assert_eq!(run["limits"], serde_json::to_value(limits).expect("JSON"));
}

/// What was played of a range counts only if all before it was: else tables would depend on what was finished first.
#[test]
fn a_block_behind_a_gap_does_not_count() {
    let scratch = Scratch::new();
    let bots: Vec<_> = ["uniform", "nash", "reader"].map(|name| (name, bot("little-hunters", name))).into();
    let league = scratch.league("l.toml", "game = \"little-hunters\"\nseed = 4\ndeals = 4\nblock = 1\n", &bots);
    scratch.run(&league, "out", 1).expect(0);
    let whole = scratch.read("out/journal.jsonl");
    let field = |line: &str| {
        let block: serde_json::Value = serde_json::from_str(&line[17..]).expect("JSON");
        (block["first"].as_u64(), block["bots"].clone())
    };
    let blocks = block_lines(&scratch.path("out"));
    assert_eq!(blocks.len(), 12);
    // The schedule's order: deal by deal, and of each deal the lineups in their order, which is that of deal 0 too.
    let tables = |journal: &str| {
        scratch.write("cut/journal.jsonl", journal);
        let csv = scratch.path("tables");
        let (cut, to) = (scratch.path("cut"), ["--csv".as_ref(), csv.as_os_str()]);
        let done = arena(["table".as_ref(), cut.as_os_str()].into_iter().chain(to)).expect(0);
        let [elo, faults] = ["elo", "faults"].map(|name| scratch.read(&format!("tables/{name}.csv")));
        (done.err, elo, faults)
    };
    for gap in [4, 7] {
        let lineups: Vec<_> = {
            let json: serde_json::Value = serde_json::from_str(&scratch.read("out/run.json")).expect("JSON");
            let hash = |bot: usize| json["bots"][bot]["sha256"].clone();
            [[0, 1], [0, 2], [1, 2]].map(|pair| serde_json::Value::from(pair.map(hash).to_vec())).into()
        };
        let index = |line: &str| {
            let (first, bots) = field(line);
            let lineup = lineups.iter().position(|lineup| *lineup == bots).expect("a lineup");
            first.expect("a number") as usize * 3 + lineup
        };
        let without = |leaves_out: &dyn Fn(usize) -> bool| -> String {
            let keeps = |line: &&str| !blocks.iter().any(|block| block == line) || !leaves_out(index(line));
            whole.lines().filter(keeps).map(|line| format!("{line}\n")).collect()
        };
        let with_gap = tables(&without(&|index| index == gap));
        let prefix = tables(&without(&|index| index >= gap));
        assert_eq!((&with_gap.1, &with_gap.2), (&prefix.1, &prefix.2), "block {gap} is missing");
        assert_ne!(with_gap.1, tables(&whole).1);
    }
}

#[test]
fn faults_of_the_baseline_are_its_own() {
    let scratch = Scratch::new();
    let good = bot("little-hunters", "uniform");
    let bad = scratch.write("bad.wasm", module("", BUFFER, "unreachable"));
    let compared = |candidate: &Path, baseline: &Path| -> (u64, u64, String) {
        let more = ["compare", "--game", "little-hunters", "--deals", "10", "--format", "json"].map(AsRef::as_ref);
        let done = arena(more.into_iter().chain([candidate.as_os_str(), baseline.as_os_str()])).expect(0);
        let json: serde_json::Value = serde_json::from_str(&done.out).expect("JSON");
        let row = if json.is_array() { &json[0] } else { &json["compare"][0] };
        let of = |key: &str| row[key].as_u64().unwrap_or_else(|| panic!("{key}: {json}"));
        (of("candidate_faults"), of("baseline_faults"), done.out.clone())
    };
    let (candidate, baseline, json) = compared(&good, &bad);
    assert!(candidate == 0 && baseline > 0, "{json}");
    let (candidate, baseline, json) = compared(&bad, &good);
    assert!(candidate > 0 && baseline == 0, "{json}");
    let told = arena([
        "compare".as_ref(),
        "--game".as_ref(),
        "little-hunters".as_ref(),
        "--deals".as_ref(),
        "10".as_ref(),
        good.as_os_str(),
        bad.as_os_str(),
    ])
    .expect(0);
    let lines: Vec<_> = told.out.lines().filter(|line| line.ends_with(" failed decisions")).collect();
    assert!(lines.len() == 1 && lines[0].starts_with("  bad: "), "{}", told.out);
}

#[test]
fn another_seed_or_option_is_told_and_never_mixed_in() {
    let scratch = Scratch::new();
    let bots = [("uniform", bot("little-hunters", "uniform")), ("nash", bot("little-hunters", "nash"))];
    let enter = |seed: u32, series: u32| {
        let head =
            format!("game = \"little-hunters\"\nseed = {seed}\ndeals = 20\n[options]\ntiebreak_series = {series}\n");
        scratch.league("l.toml", &head, &bots)
    };
    scratch.run(&enter(1, 3), "out", 1).expect(0);
    for (seed, series, word) in [(2, 3, "seed"), (2, 1, "tiebreak_series")] {
        let league = enter(seed, series);
        let done = scratch.run(&league, "out", 1).expect(0);
        assert!(done.err.contains(word), "{}", done.err);
        let fresh = format!("fresh-{seed}-{series}");
        scratch.run(&league, &fresh, 1).expect(0);
        let tables = |out: &str| {
            let mut files = lasting_files(&scratch.path(out));
            files.retain(|(name, _)| name != "journal.jsonl");
            files
        };
        assert_eq!(tables("out"), tables(&fresh), "as if it had been so from the beginning");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_compiling_process_has_an_empty_environment() {
    use crate::fault_injection::strace_works;
    if !strace_works() {
        return;
    }
    let scratch = Scratch::new();
    let log = scratch.path("log");
    let program = env!("CARGO_BIN_EXE_arena");
    let mut command = std::process::Command::new("strace");
    command.args(["-f", "-qqq", "-v", "-e", "trace=execve", "-o"]).arg(&log).arg(program);
    let check = arena_command(["check", "--no-cache", bot("little-hunters", "nash").to_str().expect("UTF-8")]);
    let mut command = crate::harness::with_command(&command, &check);
    assert!(command.env("SECRET", "1").output().expect("it runs").status.success());
    let log = std::fs::read_to_string(log).expect("a log");
    let compiling: Vec<_> = log.lines().filter(|line| line.contains("\"__compile\"")).collect();
    assert!(!compiling.is_empty(), "{log}");
    for line in compiling {
        assert!(line.contains("], [])"), "{line}");
    }
}
