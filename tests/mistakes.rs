//! What people hand in by mistake, and ordinary bots that were once refused or misled.

use std::path::Path;

use crate::harness::{Done, Scratch, arena, bot, repository};
use crate::new::{build_with, commands, missing_for_c, new_bot, skipped};

/// A bot for Little Hunters that always plays its lowest card and guesses the highest, with places for more.
fn lowest(more: &str, init: &str, abi: &str, name: &str) -> Vec<u8> {
    let metadata = format!(r#"{{\"game\":\"little-hunters\",\"name\":\"{name}\",\"author\":\"me\"}}"#);
    wat::parse_str(format!(
        r#"(module (@custom "arena.bot" "{metadata}")
            (import "arena" "log" (func $log (param i32 i32)))
            (memory (export "memory") 1) (global $g (mut i32) (i32.const 0)) {more}
            (func (export "arena_abi") (result i32) {abi} (i32.const 1))
            (func (export "arena_init") (param $seat i32) (param $seats i32) (param $seed i64) (result i32) {init} (i32.const 0))
            (func (export "arena_decide") (param $k i32) (param i32) (result i64)
                (i64.extend_i32_u (if (result i32) (i32.eqz (local.get $k))
                    (then (i32.add (i32.ctz (i32.load8_u (i32.const 0))) (i32.const 1)))
                    (else (i32.sub (i32.const 32) (i32.clz (i32.load8_u (i32.const 1)))))))))"#
    ))
    .expect("a module")
}

fn check(file: &Path, more: &[&str]) -> Done {
    arena(["check".as_ref(), file.as_os_str()].into_iter().chain(more.iter().map(AsRef::as_ref)))
}

/// Each file says what it is, in every command that takes bots.
#[test]
fn a_file_that_is_not_a_module_is_named_by_every_command() {
    let scratch = Scratch::new();
    let league = [("a", bot("little-hunters", "nash")), ("b", bot("little-hunters", "uniform"))];
    let league = scratch.league("l.toml", "game = \"little-hunters\"\ndeals = 1\n", &league);
    let lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:8b\nsize 1538\n";
    for (name, bytes, says) in [
        ("page", "<!DOCTYPE html><html>".as_bytes(), "an HTML page"),
        ("lfs", lfs.as_bytes(), "a Git LFS pointer to the module of 1538 bytes, not the module itself; `git lfs pull`"),
        ("packed", b"\x1f\x8b\x08\0", "compressed with gzip; unpack it"),
        ("native", b"\x7fELF\x02\x01\x01\xc8", "code that wasmtime precompiled (.cwasm)"),
    ] {
        let file = scratch.write(&format!("{name}.wasm"), bytes);
        let file = file.to_str().expect("UTF-8");
        let opponent = bot("little-hunters", "nash").display().to_string();
        let league = league.to_str().expect("UTF-8");
        for arguments in [
            vec!["check", file],
            vec!["play", file, &opponent],
            vec!["compare", file, &opponent],
            vec!["submit", file, "--league", league, "--author", "me"],
        ] {
            let done = arena(&arguments).expect(2);
            let said = done.out + &done.err;
            assert!(said.contains(says) && said.contains("not a WebAssembly module"), "{arguments:?}: {said}");
        }
    }
}

/// Everything that is wrong is said of a module that is too large, too; what is larger than any league allows is not
/// looked into.
#[test]
fn a_module_above_the_size_limit_hears_everything_at_once() {
    let scratch = Scratch::new();
    let module = |bytes: usize| {
        let zeros = "\\00".repeat(bytes);
        wat::parse_str(format!(
            r#"(module (import "wasi_snapshot_preview1" "a" (func)) (import "wasi_snapshot_preview1" "b" (func))
                (memory (export "mem") 64) (data (i32.const 0) "{zeros}") (@custom ".debug_info" "{zeros}"))"#
        ))
        .expect("a module")
    };
    let file = scratch.write("large.wasm", module(700_000));
    let all = [
        "[limit:size]",
        "700011 bytes of it are debug information",
        "2 imports are not known",
        "exported as `mem`",
        "arena_decide (i32, i32) -> i64",
    ];
    let out = check(&file, &[]).expect(2).out;
    assert!(all.iter().all(|says| out.contains(says)), "{out}");
    assert!(out.ends_with("large.wasm: not ready: 4 problems\n"), "{out}");
    let nash = bot("little-hunters", "nash");
    let played =
        arena(["play".as_ref(), file.as_os_str(), nash.as_os_str(), "--game".as_ref(), "little-hunters".as_ref()]);
    let played = played.expect(2).err;
    assert!(all.iter().all(|says| played.contains(says)), "{played}");
    let league = scratch.league("l.toml", "game = \"little-hunters\"\ndeals = 1\n", &[("a", nash), ("b", file)]);
    let run = scratch.run(&league, "out", 1).expect(2).err;
    assert!(all.iter().all(|says| run.contains(says)), "{run}");
    let huge = scratch.write("huge.wasm", [b"\0asm\x01\0\0\0".to_vec(), vec![0; 17 << 20]].concat());
    let out = check(&huge, &[]).expect(2).out;
    assert!(out.contains("the module has 17825800 bytes, above the limit of 1048576 (limits.module_bytes)"), "{out}");
}

#[test]
fn debug_information_within_the_limits_is_a_note() {
    let scratch = Scratch::new();
    for (bytes, noted) in [(20, false), (1_100, true)] {
        let section = format!("(@custom \".debug_line\" \"{}\")", "x".repeat(bytes));
        let file = scratch.write("debug.wasm", lowest(&section, "", "", "debug"));
        let out = check(&file, &["--strict"]).expect(0).out;
        assert_eq!(out.contains(" bytes are debug information, which a bot does not need: "), noted, "{out}");
    }
}

/// `check` needs a league's game, options and limits; whoever writes the league may have no bots yet.
#[test]
fn a_league_file_without_bots_serves_to_check_one() {
    let scratch = Scratch::new();
    let nash = bot("little-hunters", "nash");
    let bare = "game = \"little-hunters\"\n[limits]\ndecision_fuel = 9000\n";
    for text in
        [bare.to_owned(), format!("deals = 10\n{bare}"), format!("{bare}[[bots]]\npath = \"not-there-yet.wasm\"\n")]
    {
        let league = scratch.write("l.toml", text);
        let out = check(&nash, &["--league", league.to_str().expect("UTF-8")]).expect(0).out;
        assert!(out.contains(" 9 000\n") && out.ends_with("nash: ready to submit\n"), "{out}");
    }
    // To play it needs both.
    let league = scratch.write("l.toml", bare);
    let told = scratch.run(&league, "out", 1).expect(2).err;
    assert!(told.contains("the key `deals` is missing: how many deals"), "{told}");
    let league = scratch.write("l.toml", format!("deals = 10\n{bare}"));
    assert!(scratch.run(&league, "out", 1).expect(2).err.contains("no bot is entered"));
    // Nor does a single match of bots that are given need any of the league.
    for text in [bare.to_owned(), format!("deals = 10\n{bare}")] {
        let league = scratch.write("l.toml", text);
        let with = ["--league".as_ref(), league.as_os_str()];
        let play = |bots: [&std::ffi::OsStr; 2]| arena(["play".as_ref()].into_iter().chain(bots).chain(with));
        play([nash.as_os_str(), nash.as_os_str()]).expect(0);
        let unknown = play([nash.as_os_str(), "mash".as_ref()]).expect(2).err;
        assert!(unknown.contains("mash: there is no such file, and the league has no bots"), "{unknown}");
    }
}

/// A bot that accepts only matches of its game is tried with one, and a refusal says with which.
#[test]
fn the_trial_is_a_match_of_the_game() {
    let scratch = Scratch::new();
    let only = |condition: &str| format!("(if {condition} (then (unreachable)))");
    let accepted =
        [("two", only("(i32.ne (local.get $seats) (i32.const 2))")), ("seeded", only("(i64.eqz (local.get $seed))"))];
    for (name, init) in accepted {
        let file = scratch.write(&format!("{name}.wasm"), lowest("", &init, "", name));
        let out = check(&file, &["--strict"]).expect(0).out;
        assert!(out.ends_with(": ready to submit\n"), "{name}: {out}");
    }
    let four = scratch.write("four.wasm", lowest("", &only("(i32.ne (local.get $seats) (i32.const 4))"), "", "four"));
    let out = check(&four, &[]).expect(2).out;
    assert!(
        out.contains("arena_init trapped, called for seat 0 of 2 with the seed 4801137946720258613 [init]"),
        "{out}"
    );
    let seats10 = r#"(module (memory (export "memory") 1)
        (func (export "arena_abi") (result i32) (i32.const 1))
        (func (export "arena_init") (param $seat i32) (param $seats i32) (param i64) (result i32)
            (if (i32.ne (local.get $seats) (i32.const 10)) (then (unreachable))) (i32.const 0))
        (func (export "arena_decide") (param i32 i32) (result i64) (i64.const 0)))"#;
    let file = scratch.write("ten.wasm", wat::parse_str(seats10).expect("a module"));
    check(&file, &["--game", "passing-cards"]).expect(0);
    let out = check(&file, &["--game", "card-hunt"]).expect(2).out;
    assert!(out.contains("called for seat 0 of 2 with"), "{out}");
    // In a league it is tried with the league's seats.
    let eight = seats10.replace("(i32.const 10)", "(i32.const 8)");
    let file = scratch.write("eight.wasm", wat::parse_str(eight).expect("a module"));
    let league = scratch.write("l.toml", "game = \"card-hunt\"\nseats = 8\n");
    check(&file, &["--league", league.to_str().expect("UTF-8"), "--no-probes"]).expect(0);
}

/// What the start function logs is kept like any other text.
#[test]
fn a_start_function_may_log() {
    let scratch = Scratch::new();
    let more = r#"(data (i32.const 100) "hi") (start $s) (func $s (call $log (i32.const 100) (i32.const 2)))"#;
    let file = scratch.write("starter.wasm", lowest(more, "", "", "starter"));
    let out = check(&file, &["--strict"]).expect(0).out;
    assert!(out.ends_with("starter: ready to submit\n"), "{out}");
    let opponent = bot("little-hunters", "nash");
    let played = arena(["play".as_ref(), file.as_os_str(), opponent.as_os_str()]).expect(0).out;
    assert_eq!(played.matches("starter says: hi\n").count(), 1, "{played}");
    // Text outside the memory breaks the interface there as elsewhere.
    let more = "(start $s) (func $s (call $log (i32.const 65535) (i32.const 2)))";
    let file = scratch.write("outside.wasm", lowest(more, "", "", "outside"));
    let out = check(&file, &[]).expect(2).out;
    assert!(out.contains("the start function broke the interface [instantiate]"), "{out}");
}

/// In the trial and in every match, whether the instance is fresh or was reset: `arena_abi`, `_initialize`, `arena_init`.
#[test]
fn every_instance_is_asked_for_its_version_before_everything_else() {
    let scratch = Scratch::new();
    let step = |from: u32| {
        format!(
            "(if (i32.ne (global.get $g) (i32.const {from})) (then (unreachable))) (global.set $g (i32.const {}))",
            from + 1
        )
    };
    let initialize = format!("(func (export \"_initialize\") {})", step(1));
    let file = scratch.write("steps.wasm", lowest(&initialize, &step(2), &step(0), "steps"));
    let out = check(&file, &["--strict"]).expect(0).out;
    assert!(out.ends_with("steps: ready to submit\n"), "{out}");
    // A version that is another only in a match is a fault there.
    let abi = "(if (i32.load (i32.const 4096)) (then (return (i32.const 2))))";
    let init = "(i32.store (i32.const 4096) (i32.const 1))";
    let file = scratch.write("once.wasm", lowest("", init, abi, "once"));
    let out = check(&file, &["--strict"]).expect(0).out;
    assert!(out.ends_with("once: ready to submit\n"), "a reset instance is as a fresh one: {out}");
}

#[test]
fn what_is_never_called_is_warned_of() {
    let scratch = Scratch::new();
    let more = "(func (export \"_start\") (global.set $g (i32.const 1)))";
    let file = scratch.write("starts.wasm", lowest(more, "", "", "starts"));
    let out = check(&file, &[]).expect(0).out;
    assert!(out.contains("  warning       it exports _start, which arena never calls: "), "{out}");
    assert!(out.ends_with("starts: ready to submit, with 1 warning\n"), "{out}");
}

/// The stack of every bot with one lies below its data, so that it cannot grow into them: all are linked with 16 KiB of it.
#[test]
fn the_stack_of_every_prebuilt_bot_lies_below_its_data() {
    let mut files = Vec::new();
    crate::bots::files_below("example-bots/wasm", &mut files);
    let mut with_stack = 0;
    for file in files.iter().filter(|file| file.ends_with(".wasm")) {
        let bytes = std::fs::read(repository().join(file)).expect("a module");
        let (mut top, mut data) = (None, Vec::new());
        for payload in wasmparser::Parser::new(0).parse_all(&bytes) {
            match payload.expect("a payload") {
                wasmparser::Payload::GlobalSection(section) => {
                    // Its pointer is the first of the linker's globals, and the only one that changes.
                    let first = section.into_iter().next().expect("a global").expect("a global");
                    if first.ty.mutable && !file.contains("assemblyscript") && !file.contains("/wat") {
                        top = constant(&first.init_expr);
                    }
                }
                wasmparser::Payload::DataSection(section) => {
                    data.extend(section.into_iter().filter_map(|data| match data.expect("data").kind {
                        wasmparser::DataKind::Active { offset_expr, .. } => constant(&offset_expr),
                        wasmparser::DataKind::Passive => None,
                    }));
                }
                _ => {}
            }
        }
        if let Some(top) = top {
            with_stack += 1;
            assert_eq!(top, 16 * 1024, "{file}: the stack begins at 0");
            assert!(data.iter().all(|&at| at >= top), "{file}: data at {data:?}");
        }
    }
    assert!(with_stack > 10, "{with_stack} bots have a stack");
}

fn constant(expression: &wasmparser::ConstExpr<'_>) -> Option<i32> {
    match expression.get_operators_reader().into_iter().next()?.ok()? {
        wasmparser::Operator::I32Const { value } => Some(value),
        _ => None,
    }
}

/// A search that needs more stack than there is: the bot loses its decisions, not its book.
#[test]
fn a_stack_that_overflows_in_c_traps() {
    if skipped("c", missing_for_c()) {
        return;
    }
    let scratch = Scratch::new();
    let project = scratch.path("deep");
    new_bot(&project, "c");
    let source = scratch.read("deep/bot.c").replace(
        "static int64_t decide(",
        "static volatile int32_t book[3072] = {1, 2, 3};
         static uint32_t search(uint32_t seed, int depth) {
             volatile uint8_t board[1000];
             for (int i = 0; i < 1000; i++) board[i] = seed + i;
             return board[seed % 1000] + (depth ? search(seed * 3 + 1, depth - 1) : 0);
         }
         static int64_t decide(",
    );
    let source = source.replace(
        "    switch (decision) {",
        "    book[7] = search(decision + view->own_hand, 18);\n    switch (decision + 0 * book[8]) {",
    );
    scratch.write("deep/bot.c", source);
    build_with(&project, &commands(&scratch.read("deep/README.md")));
    let file = project.join("bot.wasm");
    let done = arena(["play".as_ref(), file.as_os_str(), bot("little-hunters", "nash").as_os_str(), "--json".as_ref()]);
    let faults: Vec<_> =
        done.expect(0).out.lines().filter(|line| line.contains("\"fault\":\"")).map(str::to_owned).collect();
    assert!(faults[0].contains("\"crash\""), "{faults:?}");
}
