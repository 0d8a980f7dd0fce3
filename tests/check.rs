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
    let metadata = json!({"game": "chess", "name": "knight", "author": "me"});
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
    let bot = module(json!({"game": "little-hunters", "name": "five", "author": "me"}), decide, "");
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

/// A loop of so many turns before an answer that is legal in the first round only.
fn slow(turns: u32) -> String {
    format!(
        "(local $i i32) (local.set $i (i32.const {turns}))
         (loop $l (br_if $l (local.tee $i (i32.sub (local.get $i) (i32.const 1))))) (i64.const 1)"
    )
}

#[test]
fn probes_that_stop_early_say_so_and_why() {
    let scratch = Scratch::new();
    let metadata = json!({"game": "little-hunters", "name": "slow", "author": "me"});
    // Its fuel does for every decision, or for `play` alone.
    for (turns, stopped, why) in
        [(700_000, "fuel", "10 000 000 000 fuel"), (1_200_000, "timeouts", "60 decisions that ran out of fuel")]
    {
        let file = scratch.write("slow.wasm", module(metadata.clone(), &slow(turns), ""));
        let file = file.to_str().unwrap();
        let report = report(&arena(["check", "--json", file]).expect(0));
        let probed = &report["probes"][0];
        assert_eq!(probed["stopped"], stopped, "{probed}");
        let matches = probed["matches"].as_u64().unwrap();
        assert!(0 < matches && matches < 1000, "{matches}");
        if stopped == "timeouts" {
            let out = arena(["check", file]).expect(0).out;
            assert!(out.contains(&format!("{matches} of 1 000 matches of little-hunters in 2 seats")), "{out}");
            assert!(out.contains(&format!("no further round begins after {why}: rare failures")), "{out}");
        }
    }
    let report = report(&arena(["check", "--json", &lh("nash")]).expect(0));
    assert_eq!(report["probes"][0]["stopped"], json!(null));
}

#[test]
fn every_wrong_field_of_the_metadata_is_told() {
    let scratch = Scratch::new();
    let metadata = json!({"game": 5, "name": "../x", "author": ["a"], "version": "1", "later": 1});
    let file = scratch.write("x.wasm", module(metadata, "(i64.const 1)", ""));
    let done = arena(["check", file.to_str().unwrap()]).expect(2);
    for wrong in [
        "arena.bot: author: expected a text, found a list",
        "arena.bot: game: expected a text, found 5",
        "arena.bot: name: \"../x\" is not a valid bot name",
    ] {
        assert!(done.out.contains(wrong), "{wrong}: {}", done.out);
    }
    assert!(done.out.contains("version       1\n"), "{}", done.out);
    assert!(done.out.ends_with("x.wasm: not ready: 3 problems\n"), "{}", done.out);
    assert!(!done.out.contains("none named") && !done.out.contains(" at line "), "{}", done.out);
    let broken = wat::parse_str(r#"(module (@custom "arena.bot" "{") (memory (export "memory") 1))"#).unwrap();
    let file = scratch.write("y.wasm", broken);
    let done = arena(["check", file.to_str().unwrap()]).expect(2);
    assert!(done.out.contains("arena.bot: it is not JSON: EOF"), "{}", done.out);
    assert!(!done.out.contains("none named"), "{}", done.out);
}

#[test]
fn the_verdict_is_what_submit_will_say() {
    let scratch = Scratch::new();
    let decide = "(i64.const -1)";
    let verdict = |metadata: Value, arguments: &[&str]| {
        let file = scratch.write("x.wasm", module(metadata, decide, ""));
        let arguments = ["check", file.to_str().unwrap()].into_iter().chain(arguments.iter().copied());
        arena(arguments)
    };
    let done = verdict(json!({"name": "x", "author": "me"}), &["--no-probes"]).expect(0);
    assert!(done.out.contains("probes        none: --no-probes\n"), "{}", done.out);
    assert!(
        done.out.contains("warning       it names no game, and plays whatever it is entered for\n"),
        "{}",
        done.out
    );
    let game = ["--game", "little-hunters"];
    let done = verdict(json!({"name": "x", "game": "little-hunters"}), &game).expect(0);
    assert!(done.out.contains("it names no author: `arena submit` will want --author\n"), "{}", done.out);
    assert!(done.out.ends_with("; it never answers legally; submit will want --author\n"), "{}", done.out);
    for author in [String::new(), "x".repeat(61)] {
        let metadata = json!({"name": "x", "game": "little-hunters", "author": author});
        let done = verdict(metadata, &game).expect(2);
        assert!(done.out.contains("is no author's name: ") && done.out.contains(" [author]\n"), "{}", done.out);
        assert!(done.out.contains("not ready: 1 problem; it never answers legally\n"), "{}", done.out);
    }
}

#[test]
fn decisions_that_are_not_asked_any_more_are_warned_of_and_memory_that_is_unknown_is_left_out() {
    let scratch = Scratch::new();
    let metadata = json!({"game": "little-hunters", "name": "x"});
    let file = scratch.write("x.wasm", module(metadata, "(unreachable)", ""));
    let bots = [("a", bot("little-hunters", "nash")), ("b", bot("little-hunters", "uniform"))];
    let league = scratch.league("l.toml", "game = \"little-hunters\"\ndeals = 1\n[limits]\nrestarts = 2\n", &bots);
    let out = arena(["check", file.to_str().unwrap(), "--league", league.to_str().unwrap()]).expect(0).out;
    assert!(out.contains("warning       is not asked, having lost too many instances, at "), "{out}");
    assert!(!out.contains("at most in play"), "{out}");
    assert!(out.contains("; it never answers legally; submit will"), "{out}");
}

/// Reading a FIFO would wait for whoever writes to it.
#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused_and_not_waited_for() {
    let scratch = Scratch::new();
    let fifo = scratch.path("fifo.wasm");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo");
    assert!(made.success());
    let fifo = fifo.to_str().unwrap();
    let (a, b) = (bot("little-hunters", "nash"), bot("little-hunters", "uniform"));
    let league = scratch.league("l.toml", "game = \"little-hunters\"\ndeals = 1\n", &[("a", a), ("b", b)]);
    let league = league.to_str().unwrap();
    for arguments in
        [vec!["check", fifo], vec!["play", fifo, "@random"], vec!["submit", fifo, "--league", league, "--author", "me"]]
    {
        let done = arena(arguments).expect(2);
        let said = done.out + &done.err;
        assert!(said.contains("this is a FIFO, device or socket, and a regular file is wanted"), "{said}");
    }
    let done = arena(["check", "/dev/zero", scratch.path("").to_str().unwrap()]).expect(2);
    assert!(done.out.contains("this is a folder, and a regular file is wanted"), "{}", done.out);
    let entered = [("a", bot("little-hunters", "nash")), ("b", fifo.into())];
    let league = scratch.league("m.toml", "game = \"little-hunters\"\ndeals = 1\n", &entered);
    assert!(scratch.run(&league, "out", 1).expect(2).err.contains("fifo.wasm: not a regular file"));
}
