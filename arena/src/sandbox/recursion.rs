//! Tests: fuel ends before the native stack, whatever a bot recurses with and however it is compiled.

use wasmtime::{Config, OptLevel, RegallocAlgorithm};

use super::limits::MAX_FUEL;
use super::settings::settings;
use super::{BotModule, BotThread, Compiler, Limits, LoadError, Sandbox};
use crate::failure::CallError;
use crate::ids::{Fault, Seat};

/// A recursive function `$r (param i32 …)`, what stands before it, and how it is called with the depth on the stack.
struct Shape {
    name: &'static str,
    before: String,
    function: String,
    call: String,
}

fn repeat(count: usize, of: impl Fn(usize) -> String) -> String {
    (0..count).map(of).collect()
}

fn shapes() -> Vec<Shape> {
    let simple = |name, before: &str, function: String| Shape {
        name,
        before: before.into(),
        function,
        call: "(drop (call $r))".into(),
    };
    // Recurses first, so that what is loaded before lives across the call.
    let again = "(call $r (i32.sub (local.get 0) (i32.const 1)))";
    let end = "(if (i32.eqz (local.get 0)) (then (return (i64.const 0))))";
    let load = |i: usize| format!("(v128.load (i32.const {})) ", i * 16 % 60_000);
    let keep = |i: usize| format!("v128.store offset={} ", i * 16 % 60_000);
    // Operands of the stores: address, value. The values are loaded with an address below each of them.
    let loads = |count| repeat(count, |i| format!("(i32.const 0) {}", load(i)));
    let stores = |count| repeat(count, keep);
    let params = |of: &str, count: usize| {
        let passed = repeat(count, |i| format!("(local.get {}) ", i + 1));
        let used = match of {
            "v128" => repeat(count, |i| format!("(v128.store (i32.const {}) (local.get {})) ", i * 16, i + 1)),
            _ => repeat(count, |i| format!("(i64.store (i32.const {}) (local.get {})) ", i * 8, i + 1)),
        };
        let first = match of {
            "v128" => repeat(count, load),
            _ => repeat(count, |i| format!("(i64.load (i32.const {})) ", i * 8)),
        };
        Shape {
            name: if of == "v128" { "99 vectors as parameters" } else { "99 numbers as parameters" },
            before: String::new(),
            function: format!(
                "(func $r (param i32 {}) (result i64) {end}
                    (call $r (i32.sub (local.get 0) (i32.const 1)) {passed}) {used})",
                format!("{of} ").repeat(count)
            ),
            call: format!("{first} (drop (call $r))"),
        }
    };
    let nine = 900;
    vec![
        simple("a small function", "", format!("(func $r (param i32) (result i64) {end} {again})")),
        params("i64", 99),
        params("v128", 99),
        Shape {
            name: "16 results",
            before: String::new(),
            function: format!(
                "(func $r (param i32) (result {types})
                    (if (i32.eqz (local.get 0)) (then (return {zeros}))) {again})",
                types = "i64 ".repeat(16),
                zeros = "(i64.const 0) ".repeat(16)
            ),
            call: format!("(call $r) {}", "drop ".repeat(16)),
        },
        simple(
            "vectors that live across the call",
            "",
            format!(
                "(func $r (param i32) (result i64) {end} {} {again} (local.set 1) {} (local.get 1))",
                loads(800),
                stores(800)
            )
            .replacen("(result i64)", "(result i64) (local i64)", 1),
        ),
        simple(
            "a large frame for a branch that is never taken",
            "",
            format!(
                "(func $r (param i32) (result i64) {end}
                    (if (i32.lt_s (local.get 0) (i32.const -1)) (then {} {again} drop {})) {again})",
                loads(1500),
                stores(1500)
            ),
        ),
        simple(
            "globals that live across the call",
            &repeat(nine, |i| format!("(global $g{i} (mut f32) (f32.const {i}))")),
            format!(
                "(func $r (param i32) (result i64) (local i64) {end} {} {again} (local.set 1) {} (local.get 1))",
                repeat(nine, |i| format!("(i32.const 0) (global.get $g{i}) ")),
                repeat(nine, |i| format!("f32.store offset={} ", i * 4))
            ),
        ),
        simple(
            "constants that live across the call",
            "",
            format!(
                "(func $r (param i32) (result i64) (local i64) {end} {} {again} (local.set 1) {} (local.get 1))",
                repeat(1500, |i| format!("(i32.const 0) (f64.const {i}.5) ")),
                repeat(1500, |i| format!("f64.store offset={} ", i * 8))
            ),
        ),
        simple(
            "locals that live across the call",
            "",
            format!(
                "(func $r (param i32) (result i64) (local {}) (local i64) {end} {} {again} (local.set 991) {} (local.get 991))",
                "v128 ".repeat(990),
                repeat(990, |i| format!("(local.set {} {}) ", i + 1, load(i))),
                repeat(990, |i| format!("(v128.store (i32.const {}) (local.get {})) ", i * 16, i + 1)),
            ),
        ),
        simple("expressions that are computed before the call and after it", "", {
            let sums = repeat(1200, |i| {
                format!(
                    "(i64.store (i32.const {}) (i64.mul (i64.extend_i32_u (local.get 0)) (i64.const {}))) ",
                    i * 8,
                    i + 3
                )
            });
            format!(
                "(func $r (param i32) (result i64) (local i64) {end} {sums} (local.set 1 {again}) {sums} (local.get 1))"
            )
        }),
        simple(
            "calls through a table",
            "(type $t (func (param i32) (result i64))) (table 1 funcref) (elem (i32.const 0) $r)",
            format!(
                "(func $r (type $t) {end}
                    (call_indirect (type $t) (i32.sub (local.get 0) (i32.const 1)) (i32.const 0)))"
            ),
        ),
        simple(
            "two functions that call each other",
            "",
            format!(
                "(func $r (param i32) (result i64) {end} (call $s (i32.sub (local.get 0) (i32.const 1))))
                 (func $s (param i32) (result i64) (local i64) {end} {} {again} (local.set 1) {} (local.get 1))",
                loads(300),
                stores(300)
            ),
        ),
    ]
}

/// A bot that recurses twice as deep with every decision, or without end in its start.
fn bot(shape: &Shape, init: bool) -> Vec<u8> {
    let Shape { before, function, call, .. } = shape;
    let call_with = |depth: &str| {
        // The depth is the first parameter: it goes below what the call puts on the stack.
        format!("{depth} {call}")
    };
    let start = if init { call_with("(i32.const -2)") } else { String::new() };
    let decide = call_with("(i32.shl (i32.const 1) (global.get $n))");
    wat::parse_str(format!(
        r#"(module {before} (memory (export "memory") 1) (global $n (mut i32) (i32.const 0)) {function}
            (func (export "arena_abi") (result i32) (i32.const 1))
            (func (export "arena_init") (param i32 i32 i64) (result i32) {start} (i32.const 64))
            (func (export "arena_decide") (param i32 i32) (result i64)
                (global.set $n (i32.add (global.get $n) (i32.const 1))) {decide} (i64.const 0)))"#
    ))
    .unwrap_or_else(|error| panic!("{}: {error}", shape.name))
}

/// Locals that differ at every loop and at every end of a block: the compiler makes many values of few operators. Only
/// an allocator that lets values share their places keeps such a frame small, and ours does; one pass does not.
fn merging_shapes() -> Vec<Shape> {
    let branch = |what: &str, inner: String| Shape {
        name: if what == "loop" { "locals changed in nested loops" } else { "locals changed on the way out of blocks" },
        before: String::new(),
        function: format!(
            "(func $r (param i32) (result i64) (local {}) (local i64)
                (if (i32.eqz (local.get 0)) (then (return (i64.const 0))))
                (if (i32.lt_s (local.get 0) (i32.const -1)) (then {inner}
                    (drop (call $r (i32.sub (local.get 0) (i32.const 1)))) {}))
                (call $r (i32.sub (local.get 0) (i32.const 1))))",
            "f64 ".repeat(300),
            repeat(300, |i| format!("(f64.store (i32.const {}) (local.get {})) ", i * 8, i + 1)),
        ),
        call: "(drop (call $r))".into(),
    };
    let change =
        |i: usize| format!("(local.set {0} (f64.add (local.get {0}) (f64.load (i32.const {1})))) ", i + 1, i * 8);
    let again = "(drop (call $r (i32.sub (local.get 0) (i32.const 1)))) ";
    let loops = format!(
        "{} {again} {} {} ",
        "loop ".repeat(20),
        repeat(300, change),
        "(br_if 0 (i32.load (i32.const 0))) end ".repeat(20)
    );
    let blocks = format!(
        "{} {} {}",
        "block ".repeat(30),
        repeat(300, |i| format!("{} (br_if {} (i32.load (i32.const {}))) ", change(i), i % 30, i * 4)),
        format!("end {again}").repeat(30)
    );
    vec![branch("loop", loops), branch("block", blocks)]
}

fn ways() -> Vec<(&'static str, Config)> {
    let with = |level, algorithm| {
        let mut config = settings();
        config.cranelift_opt_level(level).cranelift_regalloc_algorithm(algorithm);
        config
    };
    use RegallocAlgorithm::{Backtracking, SinglePass};
    vec![
        ("as leagues compile", settings()),
        ("for size", with(OptLevel::SpeedAndSize, Backtracking)),
        ("not optimised", with(OptLevel::None, Backtracking)),
        ("not optimised, registers in one pass", with(OptLevel::None, SinglePass)),
        ("registers in one pass", with(OptLevel::Speed, SinglePass)),
    ]
}

/// Fuel of each decision until the first fault, and the fault.
fn course(thread: BotThread, sandbox: &Sandbox, bytes: &[u8], name: &str) -> (Vec<u64>, Fault) {
    let module = BotModule::load(sandbox, bytes, 16, 2).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut bot = module.start(thread, Seat(0), 2, 1, None).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let mut fuel = Vec::new();
    loop {
        match bot.decide(0, &[0; 16], MAX_FUEL) {
            Ok(answer) => fuel.push(answer.fuel),
            Err(CallError::Fault(fault)) => return (fuel, fault),
            Err(CallError::Host(error)) => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn recursion_runs_out_of_fuel_at_the_same_decision_however_it_is_compiled() {
    let test = |thread| {
        let limits = Limits { init_fuel: MAX_FUEL, decision_fuel: MAX_FUEL, ..Limits::default() };
        let ways: Vec<_> = ways()
            .into_iter()
            .map(|(way, config)| {
                let sandbox = Sandbox::with_settings(config, limits.clone(), 2, Compiler::in_process());
                (way, sandbox.expect("a sandbox"))
            })
            .collect();
        let all = shapes().into_iter().map(|shape| (shape, ways.len()));
        for (shape, ways_of_it) in all.chain(merging_shapes().into_iter().map(|shape| (shape, 3))) {
            let (name, bytes, in_init) = (shape.name, bot(&shape, false), bot(&shape, true));
            let mut first = None;
            for (way, sandbox) in &ways[..ways_of_it] {
                let course = course(thread, sandbox, &bytes, name);
                assert_eq!(course.1, Fault::Timeout, "{name}, {way}: after {} decisions", course.0.len());
                assert_eq!(first.get_or_insert_with(|| course.clone()), &course, "{name}, {way}");
                let refused = BotModule::load(sandbox, &in_init, 16, 2).err().expect("it recurses without end");
                let LoadError::Refused(refused) = refused else { panic!("{name}, {way}: {refused}") };
                assert_eq!(refused.0[0].code, "init", "{name}, {way}");
                assert!(refused.to_string().contains("ran out of fuel"), "{name}, {way}: {refused}");
            }
        }
    };
    BotThread::run(test).expect("a thread");
}
