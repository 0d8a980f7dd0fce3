//! What a unit of fuel costs in time, operator by operator: `cargo bench --bench prices` measures and prints;
//! with `-- --write` it writes `arena/src/sandbox/prices.csv`, the table that prices are made from.
//!
//! Every operator that a bot may use stands in a loop, in the ways of [`ways`] that could make it slow: each waiting for the
//! one before, on ordinary and on subnormal numbers, on numbers that fill their type. The slowest counts. What else the
//! loop needs (operands, a sink) is counted with the fuel that it costs at least. An operator that takes more time for
//! its fuel than [`TARGET`] times the median gets a price that brings it there; one that calls the host costs at least a
//! fifth of the instructions that it takes there, where valgrind can count them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;
use std::time::{Duration, Instant};

use arena::sandbox::settings::settings;
use arena::sandbox::tariff::{FIXED, HOST, Row, operators};
use wasmtime::{Engine, Instance, Module, Store, TypedFunc};

/// Prices bring an operator below this multiple of the median; the test of the table allows 5.
const TARGET: f64 = 3.0;

/// How often the operator stands in the loop.
const UNROLLED: usize = 50;

/// Bytes or elements of operators that go through many at a time.
const MANY: u64 = 3_000;

/// Fuel of an element of a table.
const ELEMENT_COST: u64 = arena::sandbox::tariff::ELEMENT_COST as u64;

/// Time of one measurement; the fastest of five counts.
const TIME: Duration = Duration::from_millis(4);

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if let [_, name, count] = arguments.as_slice()
        && arguments[0] == "--instructions"
    {
        let way = &ways(name)[0];
        Loop::new(way).run(count.parse().expect("a number"));
        return;
    }
    let all: Vec<_> = operators().map(|operator| operator.name).collect();
    let mut measured = BTreeMap::new();
    for &name in &all {
        let slowest = ways(name)
            .iter()
            .map(|way| (Loop::new(way).nanoseconds(), way.fuel))
            .max_by(|a, b| (a.0 / a.1 as f64).total_cmp(&(b.0 / b.1 as f64)));
        measured.insert(name, slowest.unwrap_or_else(|| panic!("{name}: no way to measure it is known")));
    }
    let mut raw: Vec<f64> = measured.values().map(|&(time, fuel)| time / fuel as f64).collect();
    raw.sort_by(f64::total_cmp);
    let median = raw[raw.len() / 2];
    let mut rows = Vec::new();
    for &name in &all {
        let (nanoseconds, fuel) = measured[name];
        // One unit of the fuel is the operator's own.
        let others = fuel - 1;
        let needed = (nanoseconds / (TARGET * median)).ceil() as u64;
        let instructions = HOST.contains(&name).then(|| instructions(name)).flatten();
        let by_instructions = instructions.map_or(0, |count| count.div_ceil(5));
        let price = match FIXED.iter().find(|fixed| fixed.0 == name) {
            Some(&(_, price)) => price.into(),
            None => needed.saturating_sub(others).max(by_instructions).max(u64::from(!is_free(name))),
        };
        assert!(price <= 255, "{name} would cost {price}");
        rows.push(Row { name: name.to_owned(), price: price as u8, nanoseconds, others, instructions });
    }
    let mut text = String::from("operator,price,nanoseconds,other_fuel,instructions\n");
    for row in &rows {
        let instructions = row.instructions.map_or(String::new(), |count| count.to_string());
        let _ = writeln!(text, "{},{},{:.3},{},{instructions}", row.name, row.price, row.nanoseconds, row.others);
    }
    let mut by_time: Vec<_> = rows.iter().collect();
    by_time.sort_by(|a, b| b.nanoseconds_per_fuel().total_cmp(&a.nanoseconds_per_fuel()));
    println!("median {median:.3} ns a unit before prices; the slowest for their fuel, with their prices:");
    for row in by_time.iter().take(20) {
        println!("{:<28} {:>4} {:>8.3} ns a unit", row.name, row.price, row.nanoseconds_per_fuel());
    }
    println!("dearest:");
    by_time.sort_by_key(|row| std::cmp::Reverse(row.price));
    for row in by_time.iter().take_while(|row| row.price > 1) {
        println!("{:<28} {:>4} {:>8.3} ns", row.name, row.price, row.nanoseconds);
    }
    if arguments.iter().any(|argument| argument == "--write") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/sandbox/prices.csv");
        std::fs::write(path, text).expect("prices.csv is written");
        println!("written to {path}");
    }
}

/// Operators that are no instructions in native code cost nothing, as the engine has it.
fn is_free(name: &str) -> bool {
    ["Drop", "Block", "Loop", "Unreachable", "Return", "Else", "End"].contains(&name)
}

/// An operator in a loop: what stands before the loop and in it, and the least fuel of what is repeated in it.
struct Way {
    repeated: String,
    functions: String,
    fuel: u64,
    numbers: Numbers,
}

/// What operands are made of.
#[derive(Clone, Copy, PartialEq)]
enum Numbers {
    Ordinary,
    Subnormal,
}

const TYPES: [&str; 5] = ["i32", "i64", "f32", "f64", "v128"];

/// The ways in which an operator is measured.
fn ways(name: &str) -> Vec<Way> {
    let way = |repeated: &str, fuel: u64| Way {
        repeated: repeated.into(),
        functions: String::new(),
        fuel,
        numbers: Numbers::Ordinary,
    };
    let add = "(local.set $x_i32 (i32.add (local.get $x_i32) ";
    let random = "(local.set $x_i32 (i32.add (i32.mul (local.get $x_i32) (i32.const 1103515245)) (i32.const 12345)))";
    let bit = "(i32.and (i32.shr_u (local.get $x_i32) (i32.const 16)) (i32.const 1))";
    let control = match name {
        "Unreachable" | "Else" | "End" | "Return" | "Loop" => {
            vec![way(&format!("{add} (i32.const 1)))"), 5)]
        }
        "Nop" => vec![way(&format!("(nop) {add} (local.get $b_i32)))"), 5)],
        "Drop" => vec![way(&format!("(drop (local.get $b_i32)) {add} (local.get $b_i32)))"), 6)],
        "Block" => vec![way(&format!("(block {add} (local.get $b_i32))))"), 5)],
        "Br" => vec![way(&format!("(block {add} (local.get $b_i32))) (br 0))"), 5)],
        "If" => vec![
            way(&format!("(if (local.get $x_i32) (then {add} (local.get $b_i32)))))"), 6),
            way(&format!("{random} (if {bit} (then (local.set $x_i32 (i32.sub (local.get $x_i32) (local.get $b_i32)))))"), 15),
        ],
        "BrIf" => vec![
            way(&format!("(block {add} (local.get $b_i32))) (br_if 0 (local.get $x_i32)))"), 6),
            way(&format!("{random} (block (br_if 0 {bit}) (local.set $x_i32 (i32.sub (local.get $x_i32) (local.get $b_i32))))"), 13),
        ],
        "BrTable" => vec![
            way(&format!("(block (block (br_table 0 1 (local.get $x_i32))) {add} (local.get $b_i32))))"), 6),
            way(
                &format!(
                    "{random} (block (block (block (block (br_table 0 1 2 3 (i32.and (i32.shr_u (local.get $x_i32) (i32.const 16))
                     (i32.const 3)))) (local.set $x_i32 (i32.sub (local.get $x_i32) (local.get $b_i32))))
                     (local.set $x_i32 (i32.xor (local.get $x_i32) (local.get $b_i32)))))"
                ),
                15,
            ),
        ],
        "Call" => vec![way("(local.set $x_i32 (call $one (local.get $x_i32)))", 57)],
        "CallIndirect" => vec![way(
            "(local.set $x_i32 (call_indirect (param i32) (result i32) (local.get $x_i32) (i32.const 1)))",
            58,
        )],
        "ReturnCall" => vec![way("(local.set $x_i32 (call $tail (local.get $x_i32)))", 110)],
        "ReturnCallIndirect" => vec![way("(local.set $x_i32 (call $tail_indirect (local.get $x_i32)))", 111)],
        "Select" => vec![way("(local.set $x_i32 (select (local.get $x_i32) (local.get $b_i32) (local.get $x_i32)))", 5)],
        // Of several values it is reserved: no validator takes it.
        "TypedSelect" | "TypedSelectMulti" => vec![way(
            "(local.set $x_i64 (select (result i64) (local.get $x_i64) (local.get $b_i64) (i32.wrap_i64 (local.get $x_i64))))",
            6,
        )],
        "LocalGet" => vec![way(&format!("{add} (local.get $b_i32)))"), 4)],
        "LocalSet" => vec![way(&format!("{add} (local.get $b_i32)))"), 4)],
        "LocalTee" => vec![way(&format!("{add} (local.tee $s_i32 (local.get $x_i32))))"), 5)],
        "GlobalGet" => vec![way(&format!("{add} (global.get $g)))"), 4)],
        "GlobalSet" => vec![way("(global.set $g (i32.add (global.get $g) (local.get $b_i32)))", 4)],
        "I32Const" => vec![way(&format!("{add} (i32.const 77)))"), 4)],
        "I64Const" => vec![way("(local.set $x_i64 (i64.add (local.get $x_i64) (i64.const 0x123456789abc)))", 4)],
        "F32Const" => vec![way("(local.set $x_f32 (f32.add (local.get $x_f32) (f32.const 1.5)))", 4)],
        "F64Const" => vec![way("(local.set $x_f64 (f64.add (local.get $x_f64) (f64.const 1.5)))", 4)],
        "V128Const" => vec![way("(local.set $x_v128 (i64x2.add (local.get $x_v128) (v128.const i64x2 5 77)))", 4)],
        "MemorySize" => vec![way(&format!("{add} (memory.size)))"), 4)],
        "TableSize" => vec![way(&format!("{add} (table.size $t)))"), 4)],
        "RefNull" => vec![way(&format!("{add} (ref.is_null (ref.null func))))"), 5)],
        "RefIsNull" => vec![way(&format!("{add} (ref.is_null (table.get $t (i32.const 1)))))"), 6)],
        "RefFunc" => vec![way("(drop (ref.func $one))", 1)],
        "TableGet" => vec![way("(local.set $x_i32 (ref.is_null (table.get $t (local.get $x_i32))))", 4)],
        "TableSet" => vec![way("(table.set $t (i32.const 0) (local.get $r))", 3)],
        "MemoryGrow" => vec![way("(drop (memory.grow (i32.const 0)))", 51)],
        "TableGrow" => vec![way("(drop (table.grow $t (local.get $r) (i32.const 0)))", 3)],
        "MemoryFill" => vec![way("(memory.fill (i32.const 64) (local.get $b_i32) (i32.const 1))", 5), way("(memory.fill (i32.const 64) (local.get $b_i32) (local.get $zero))", 4), way(&format!("(memory.fill (i32.const 64) (local.get $b_i32) (i32.const {MANY}))"), 4 + MANY)],
        "MemoryCopy" => vec![way("(memory.copy (i32.const 64) (local.get $b_i32) (local.get $one))", 5), way("(memory.copy (i32.const 64) (i32.const 4160) (local.get $zero))", 4), way(&format!("(memory.copy (i32.const 64) (i32.const 4160) (i32.const {MANY}))"), 4 + MANY)],
        "MemoryInit" => vec![way("(memory.init $data (i32.const 64) (i32.const 0) (local.get $one))", 5), way("(memory.init $data (i32.const 64) (i32.const 0) (local.get $zero))", 4), way(&format!("(memory.init $data (i32.const 64) (i32.const 0) (i32.const {MANY}))"), 4 + MANY)],
        "DataDrop" => vec![way("(data.drop $unused)", 1)],
        "TableFill" => vec![way("(table.fill $t (i32.const 0) (local.get $r) (local.get $one))", 5), way("(table.fill $t (i32.const 0) (local.get $r) (local.get $zero))", 4), way(&format!("(table.fill $t (i32.const 0) (local.get $r) (i32.const {MANY}))"), 4 + MANY * ELEMENT_COST)],
        "TableCopy" => vec![way("(table.copy $t $t (i32.const 0) (i32.const 1) (local.get $one))", 5), way("(table.copy $t $t (i32.const 0) (i32.const 1) (local.get $zero))", 4), way(&format!("(table.copy $t $t (i32.const 0) (i32.const 1) (i32.const {MANY}))"), 4 + MANY * ELEMENT_COST)],
        "TableInit" => vec![way("(table.init $t $elements (i32.const 0) (i32.const 0) (local.get $one))", 5), way("(table.init $t $elements (i32.const 0) (i32.const 0) (local.get $zero))", 4), way(&format!("(table.init $t $elements (i32.const 0) (i32.const 0) (i32.const {MANY}))"), 4 + MANY * ELEMENT_COST)],
        "ElemDrop" => vec![way("(elem.drop $elements_unused)", 1)],
        _ => Vec::new(),
    };
    if control.is_empty() { of_values(name) } else { control }
}

/// The ways of an operator that takes values and gives one, or stores it.
fn of_values(name: &str) -> Vec<Way> {
    let operator = operators().find(|operator| operator.name == name).expect("an operator");
    let text = operator.text();
    let (operands, result) = signature(&text, operator.arity.0, operator.arity.1 == 1)
        .unwrap_or_else(|| panic!("{name}: {text} has no types that are known"));
    let mut ways = Vec::new();
    for numbers in [Numbers::Ordinary, Numbers::Subnormal] {
        let float = operands.iter().chain(result.iter()).any(|of| of.starts_with('f') || *of == "v128");
        if numbers == Numbers::Subnormal
            && (!float || text.contains("trunc_f") || text.contains("load") || text.contains("store"))
        {
            continue;
        }
        let rest: String = operands.iter().skip(1).map(|of| format!("(local.get $b_{of}) ")).collect();
        let Some(&first) = operands.first() else { panic!("{name}: no operand") };
        let Some(result) = result else {
            // A store.
            let first = if first == "i32" { "(i32.const 64)".to_owned() } else { format!("(local.get $b_{first})") };
            ways.push(Way {
                repeated: format!("({text} {first} {rest})"),
                functions: String::new(),
                fuel: operands.len() as u64 + 1,
                numbers,
            });
            continue;
        };
        let applied = format!("({text} (local.get $x_{first}) {rest})");
        let (chained, more) = convert(&applied, result, first);
        let fuel = operands.len() as u64 + 2 + more;
        ways.push(Way {
            repeated: format!("(local.set $x_{first} {chained})"),
            functions: String::new(),
            fuel,
            numbers,
        });
        // Numbers that fill their type keep an operator from an easy case, as a division of 0.
        let filled = match first {
            "i32" | "i64" if !text.contains("load") => format!("({first}.or {chained} (local.get $c_{first}))"),
            "f32" | "f64" if numbers == Numbers::Ordinary && !text.contains("trunc_f") => {
                format!("({first}.add {chained} (local.get $c_{first}))")
            }
            _ => continue,
        };
        ways.push(Way {
            repeated: format!("(local.set $x_{first} {filled})"),
            functions: String::new(),
            fuel: fuel + 2,
            numbers,
        });
    }
    ways
}

/// Makes a value of one type one of another: the text, and the fuel that it costs at least.
fn convert(text: &str, from: &str, to: &str) -> (String, u64) {
    let by = match (from, to) {
        (from, to) if from == to => return (text.to_owned(), 0),
        ("i32", "i64") => "i64.extend_i32_u",
        ("i32", "f32") => "f32.convert_i32_s",
        ("i32", "f64") => "f64.convert_i32_s",
        ("i32", "v128") => "i32x4.splat",
        ("i64", "i32") => "i32.wrap_i64",
        ("i64", "f32") => "f32.convert_i64_s",
        ("i64", "f64") => "f64.convert_i64_s",
        ("i64", "v128") => "i64x2.splat",
        ("f32", "i32") => "i32.reinterpret_f32",
        ("f32", "f64") => "f64.promote_f32",
        ("f32", "v128") => "f32x4.splat",
        ("f64", "i64") => "i64.reinterpret_f64",
        ("f64", "f32") => "f32.demote_f64",
        ("f64", "v128") => "f64x2.splat",
        ("v128", "i32") => "i32x4.extract_lane 0",
        ("v128", "i64") => "i64x2.extract_lane 0",
        ("v128", "f32") => "f32x4.extract_lane 0",
        ("v128", "f64") => "f64x2.extract_lane 0",
        ("f32", "i64") => return convert(&convert(text, "f32", "i32").0, "i32", "i64").with(2),
        ("f64", "i32") => return convert(&convert(text, "f64", "i64").0, "i64", "i32").with(2),
        _ => panic!("from {from} to {to}"),
    };
    (format!("({by} {text})"), 1)
}

trait With {
    fn with(self, fuel: u64) -> Self;
}

impl With for (String, u64) {
    fn with(self, fuel: u64) -> Self {
        (self.0, fuel)
    }
}

/// The types with which an operator is valid, found by trying.
fn signature(text: &str, operands: usize, gives: bool) -> Option<(Vec<&'static str>, Option<&'static str>)> {
    let results: Vec<Option<&'static str>> =
        if gives { TYPES.iter().map(|of| Some(*of)).collect() } else { vec![None] };
    for number in 0..TYPES.len().pow(operands as u32) {
        let of: Vec<_> = (0..operands).map(|at| TYPES[number / TYPES.len().pow(at as u32) % TYPES.len()]).collect();
        for &result in &results {
            let parameters: String = of.iter().map(|of| format!("(param {of})")).collect();
            let given: String = (0..operands).map(|at| format!("(local.get {at})")).collect();
            let result_text = result.map_or(String::new(), |of| format!("(result {of})"));
            let module = format!("(module (memory 1) (func {parameters} {result_text} ({text} {given})))");
            let Ok(bytes) = wat::parse_str(module) else { continue };
            if wasmparser::Validator::new().validate_all(&bytes).is_ok() {
                return Some((of, result));
            }
        }
    }
    None
}

/// A module with a loop.
struct Loop {
    store: Store<()>,
    run: TypedFunc<i32, i32>,
}

impl Loop {
    fn new(way: &Way) -> Loop {
        let (x, b) = match way.numbers {
            Numbers::Ordinary => ("0x1.3579bdfp+1", "0x1.0000bp+0"),
            Numbers::Subnormal => ("0x1p-1070", "0x1p+0"),
        };
        // The smallest normal 32-bit number is 2^-126.
        let x32 = if way.numbers == Numbers::Subnormal { "0x1p-140" } else { x };
        // Lanes of 64 bits have numbers of their own, or what is subnormal in 32 bits would not stay so.
        let (x_v128, b_v128) = match (way.repeated.contains("f64x2"), way.numbers) {
            (true, _) => (format!("f64x2 {x} {x}"), format!("f64x2 {b} {b}")),
            (false, Numbers::Ordinary) => {
                ("i32x4 0x40135792 0x3f800011 0x12345678 0x01020304".into(), "i32x4 3 5 0x3f800011 0x3f800000".into())
            }
            (false, Numbers::Subnormal) => (format!("f32x4 {x32} {x32} {x32} {x32}"), format!("f32x4 {b} {b} {b} {b}")),
        };
        let text = format!(
            r#"(module
                (memory 1) (table $t {table} funcref) (elem (table $t) (i32.const 1) func $one)
                (elem $elements func {elements}) (elem $elements_unused func $one)
                (data $data "{data}") (data $unused "data") (elem declare func $one)
                (global $g (mut i32) (i32.const 0))
                (global $b_i32 (mut i32) (i32.const 3)) (global $b_i64 (mut i64) (i64.const 3))
                (global $b_f32 (mut f32) (f32.const {b})) (global $b_f64 (mut f64) (f64.const {b}))
                (global $b_v128 (mut v128) (v128.const {b_v128}))
                (global $zero (mut i32) (i32.const 0)) (global $one_i32 (mut i32) (i32.const 1))
                (func $one (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
                (func $tail (param i32) (result i32) (return_call $one (local.get 0)))
                (func $tail_indirect (param i32) (result i32)
                    (return_call_indirect $t (param i32) (result i32) (local.get 0) (i32.const 1)))
                {functions}
                (func (export "run") (param $n i32) (result i32)
                    (local $x_i32 i32) (local $x_i64 i64) (local $x_f32 f32) (local $x_f64 f64) (local $x_v128 v128)
                    (local $b_i32 i32) (local $b_i64 i64) (local $b_f32 f32) (local $b_f64 f64) (local $b_v128 v128)
                    (local $c_i32 i32) (local $c_i64 i64) (local $c_f32 f32) (local $c_f64 f64)
                    (local $s_i32 i32) (local $zero i32) (local $one i32) (local $r funcref)
                    (local.set $b_i32 (global.get $b_i32)) (local.set $b_i64 (global.get $b_i64))
                    (local.set $b_f32 (global.get $b_f32)) (local.set $b_f64 (global.get $b_f64))
                    (local.set $b_v128 (global.get $b_v128))
                    (local.set $zero (global.get $zero)) (local.set $one (global.get $one_i32))
                    (local.set $c_i32 (i32.mul (local.get $b_i32) (i32.const 0x15000001)))
                    (local.set $c_i64 (i64.mul (local.get $b_i64) (i64.const 0x1500000010003001)))
                    (local.set $c_f32 (local.get $b_f32)) (local.set $c_f64 (local.get $b_f64))
                    (local.set $x_f32 (f32.const {x32})) (local.set $x_f64 (f64.const {x}))
                    (local.set $x_v128 (v128.const {x_v128}))
                    (loop $l
                        {repeated}
                        (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
                    ;; All of it is needed in the end.
                    (i32.store (i32.const 8) (local.get $x_i32)) (i64.store (i32.const 8) (local.get $x_i64))
                    (f32.store (i32.const 8) (local.get $x_f32)) (f64.store (i32.const 8) (local.get $x_f64))
                    (v128.store (i32.const 8) (local.get $x_v128)) (i32.store (i32.const 8) (local.get $s_i32))
                    (i32.load (i32.const 8))))"#,
            functions = way.functions,
            table = MANY + 2,
            elements = "$one ".repeat(MANY as usize),
            data = "x".repeat(MANY as usize),
            repeated = way.repeated.repeat(UNROLLED),
        );
        let bytes = wat::parse_str(&text).unwrap_or_else(|error| panic!("{}: {error}", way.repeated));
        let engine = Engine::new(&settings()).expect("an engine");
        let module = Module::new(&engine, bytes).unwrap_or_else(|error| panic!("{}: {error:#}", way.repeated));
        let mut store = Store::new(&engine, ());
        store.set_fuel(u64::MAX >> 2).expect("fuel is metered");
        let instance = Instance::new(&mut store, &module, &[]).expect("an instance");
        let run = instance.get_typed_func(&mut store, "run").expect("the loop");
        Loop { store, run }
    }

    fn run(&mut self, rounds: i32) {
        self.run.call(&mut self.store, rounds).expect("it ends");
    }

    /// What the operator and what it needs take once.
    fn nanoseconds(&mut self) -> f64 {
        let mut rounds = 1;
        let timed = |of: &mut Loop, rounds: i32| {
            let started = Instant::now();
            of.run(rounds);
            started.elapsed()
        };
        while timed(self, rounds) < TIME {
            rounds *= 2;
        }
        let fastest = (0..5).map(|_| timed(self, rounds)).min().unwrap_or_default();
        fastest.as_nanos() as f64 / f64::from(rounds) / UNROLLED as f64
    }
}

/// The instructions that an operator takes, as valgrind counts them; `None` without it.
fn instructions(name: &str) -> Option<u64> {
    let count = |rounds: u32| {
        let program = std::env::current_exe().ok()?;
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
        let output = valgrind.args(["--instructions", name, &rounds.to_string()]).output().ok()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let line = text.lines().find(|line| line.contains("Collected"));
        let count = line.and_then(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
        if count.is_none() {
            eprintln!("{name}: valgrind counted nothing: {}", text.lines().last().unwrap_or_default());
        }
        count
    };
    let (few, many) = (count(100)?, count(300)?);
    Some(many.saturating_sub(few) / (200 * UNROLLED as u64))
}
