//! `arena check`: everything that is wrong at once, and what is told can be seen with `arena play`.

use serde_json::{Value, json};

use crate::harness::{Done, Scratch, arena, bot, repository};

fn lh(name: &str) -> String {
    bot("little-hunters", name).display().to_string()
}

fn hostile(scratch: &Scratch, name: &str) -> String {
    let source = repository().join(format!("tests/hostile/{name}.wat"));
    let file = scratch.write(&format!("{name}.wasm"), wat::parse_file(source).expect("a module"));
    file.display().to_string()
}

/// A bot with this decision, these metadata and more.
fn module(metadata: Value, decide: &str, more: &str) -> Vec<u8> {
    let metadata = metadata.to_string().replace('"', "\\\"");
    wat::parse_str(format!(
        r#"(module
            (@custom "arena.bot" "{metadata}")
            {more}
            (memory (export "memory") 1)
            (global $seat (mut i32) (i32.const 0))
            (func (export "arena_abi") (result i32) (i32.const 1))
            (func (export "arena_init") (param i32 i32 i64) (result i32)
                (global.set $seat (local.get 0)) (i32.const 1024))
            (func (export "arena_decide") (param i32 i32) (result i64) {decide}))"#
    ))
    .expect("a module")
}

fn report(done: &Done) -> Value {
    serde_json::from_str(done.out.lines().next().expect("a line")).expect("JSON")
}

/// The command that a report gives, run.
fn shown(command: &str) -> Done {
    let words = command.strip_prefix("arena ").expect("a command of arena").split(' ');
    arena(words).expect(0)
}

#[test]
fn a_good_bot_is_ready_and_its_fuel_is_told() {
    let done = arena(["check", &lh("nash")]).expect(0);
    assert!(done.out.ends_with("\nnash: ready to submit\n"), "{}", done.out);
    assert!(done.out.contains("1 000 matches of little-hunters in 2 seats against random play"), "{}", done.out);
    assert!(done.out.contains("fuel: median  99 %  largest       limit\n"), "{}", done.out);
    let report = report(&arena(["check", "--json", &lh("nash")]).expect(0));
    assert_eq!(report["ok"], true);
    assert_eq!(report["metadata"]["name"], "nash");
    assert_eq!((&report["imports"], &report["games"]), (&json!([]), &json!(["little-hunters"])));
    let probed = &report["probes"][0];
    assert_eq!(
        (&probed["matches"], &probed["differing"], &probed["failures"]),
        (&json!(1000), &json!(null), &json!([]))
    );
    for decision in probed["decisions"].as_array().unwrap() {
        let number = |key: &str| decision[key].as_u64().unwrap();
        assert!(number("asked") >= 1000 && number("asked") == number("answered"), "{decision}");
        assert!(0 < number("fuel_median") && number("fuel_median") <= number("fuel_p99"));
        assert!(number("fuel_p99") <= number("fuel_max") && number("fuel_max") < number("fuel_limit"));
    }
    // The same each time.
    assert_eq!(arena(["check", &lh("nash")]).expect(0).out, done.out);
}

#[test]
fn every_problem_is_told_at_once_and_counted() {
    let scratch = Scratch::new();
    let metadata = json!({"game": "chess", "name": "knight"});
    let more = r#"(import "env" "a" (func)) (import "wasi_snapshot_preview1" "b" (func))
                  (func (export "arena_initialize") (param i32))"#;
    let bytes = module(metadata, "(i64.const 1)", more);
    let file = scratch.write("knight.wasm", bytes);
    let file = file.to_str().unwrap();
    let done = arena(["check", file]).expect(2);
    for problem in
        ["env.a is not known", "wasi_snapshot_preview1.b is not known", "it plays chess, and there are little-hunters"]
    {
        assert!(done.out.contains(problem), "{problem}: {}", done.out);
    }
    assert!(done.out.ends_with("\nknight: not ready: 3 problems\n"), "{}", done.out);
    let report = report(&arena(["check", "--json", file]).expect(2));
    assert_eq!(report["problems"].as_array().unwrap().len(), 3);
    assert_eq!((&report["ok"], &report["metadata"]["name"]), (&json!(false), &json!("knight")));
    let done = arena(["check", &lh("nash"), "--game", "card-hunt"]).expect(2);
    assert!(done.out.contains("it plays little-hunters, and card-hunt is wanted [game]"), "{}", done.out);
}

#[test]
fn files_that_are_none_are_told_and_the_others_checked() {
    let scratch = Scratch::new();
    let text = scratch.write("x.wasm", "#!/bin/sh");
    let folder = scratch.path("").display().to_string();
    let done = arena(["check", "nowhere.wasm", text.to_str().unwrap(), &folder, &lh("nash")]).expect(2);
    assert!(done.out.contains("nowhere.wasm: not ready: 1 problem\n"), "{}", done.out);
    assert!(done.out.contains("failed to open it: No such file"), "{}", done.out);
    assert!(done.out.contains("x.wasm: not ready: 1 problem\n"), "{}", done.out);
    assert!(done.out.contains("[not-wasm]"), "{}", done.out);
    assert!(done.out.ends_with("nash: ready to submit\n"), "{}", done.out);
    let report = report(&arena(["check", "--json", "nowhere.wasm"]).expect(2));
    assert_eq!(
        (&report["ok"], &report["bytes"], &report["problems"][0]["code"]),
        (&json!(false), &json!(null), &json!("file"))
    );
}

/// A bot that fails now and then is ready, with a warning; the command that comes with it shows the failure.
#[test]
fn a_warning_comes_with_a_command_that_shows_it() {
    let scratch = Scratch::new();
    // From seat 1 it always lays the 5, and so illegally in the rounds after.
    let decide = "(if (global.get $seat) (then (return (i64.const 5)))) (i64.const 0)";
    let bot = module(json!({"game": "little-hunters", "name": "five"}), decide, "");
    let file = scratch.write("five.wasm", bot);
    let file = file.to_str().unwrap();
    let done = arena(["check", file]).expect(0);
    assert!(done.out.contains("answers illegally at "), "{}", done.out);
    assert!(done.out.ends_with("\nfive: ready to submit, with 1 warning\n"), "{}", done.out);
    arena(["check", file, "--strict"]).expect(2);
    let report = report(&arena(["check", "--json", file]).expect(0));
    let command = report["warnings"][0]["command"].as_str().unwrap();
    assert!(shown(command).out.contains("five fails to play: illegal, it answered 0"), "{command}");
    arena(["check", file, "--strict", "--no-probes"]).expect(0);
}

#[test]
fn every_kind_of_failure_is_shown_by_its_command() {
    let scratch = Scratch::new();
    for (name, how, fault) in [
        ("loop-in-decide", "runs out of fuel at ", "timeout"),
        ("unreachable_in_act", "traps at ", "crash"),
        ("log-out-of-bounds", "breaks the interface at ", "protocol"),
        ("illegal_actions", "answers illegally at ", "illegal"),
    ] {
        let file = hostile(&scratch, name);
        let done = arena(["check", "--json", "--game", "little-hunters", &file]).expect(0);
        let report = report(&done);
        let warnings = report["warnings"].as_array().unwrap();
        let warning = warnings.iter().find(|warning| warning["message"].as_str().unwrap().starts_with(how));
        let warning = warning.unwrap_or_else(|| panic!("{name}: {}", done.out));
        let told = shown(warning["command"].as_str().unwrap()).out;
        assert!(told.contains(&format!("fails to play: {fault}")), "{name}: {told}");
    }
}

/// A bot that only fails where its own play never leads: a note.
#[test]
fn what_fails_only_after_sitting_down_late_is_a_note() {
    let done = arena(["check", "--json", &lh("repeater")]).expect(0);
    let report = report(&done);
    assert_eq!(report["warnings"], json!([]), "{}", done.out);
    let command = report["notes"][0]["command"].as_str().unwrap();
    assert!(command.contains(" --late "), "{command}");
    assert!(shown(command).out.contains("repeater fails to play: illegal"), "{command}");
    assert!(arena(["check", &lh("repeater")]).out.ends_with("\nrepeater: ready to submit\n"));
}

#[test]
fn a_leagues_game_and_limits_are_those_of_the_check() {
    let scratch = Scratch::new();
    let bots = [("a", bot("little-hunters", "reader")), ("b", bot("little-hunters", "uniform"))];
    let head = "game = \"little-hunters\"\ndeals = 1\n[limits]\ndecision_fuel = 2000\n";
    let league = scratch.league("l.toml", head, &bots).display().to_string();
    let done = arena(["check", "--json", "--league", &league, &lh("reader")]).expect(0);
    let report = report(&done);
    assert_eq!(report["probes"][0]["decisions"][0]["fuel_limit"], 2000);
    let warning = &report["warnings"][0];
    assert!(warning["message"].as_str().unwrap().starts_with("runs out of fuel at "), "{}", done.out);
    assert!(shown(warning["command"].as_str().unwrap()).out.contains("reader fails to play: timeout"));
    let done = arena(["check", "--league", &league, &bot("card-hunt", "miser").display().to_string()]).expect(2);
    assert!(done.out.contains("it plays card-hunt, and little-hunters is wanted"), "{}", done.out);
}
