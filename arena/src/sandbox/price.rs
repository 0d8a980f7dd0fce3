//! What operators cost in fuel, and what entering a function costs.
//!
//! Fuel stands for time, so an operator that takes long costs much. Prices come from a table that is measured
//! (`prices.csv`, written by `cargo bench --bench prices`): by it, no operator takes more than 5 times as long for its fuel
//! as the median of all.
//!
//! The rest of this file is about the native frame of a function, which is paid for before the stack is used.
//!
//! How much native stack a function takes is the compiler's business and differs between its settings, so a bot must
//! run out of fuel before it can run out of stack, whatever it recurses with. A call alone costs `CALL_COST` fuel,
//! which is enough for small functions. A function with many values may have a frame of many kilobytes, also for
//! branches that it never takes. So each function of more than a few values is made to pay on entry for the largest
//! frame that its code could need: `NOP_COST` fuel for each `nop` that is put at its beginning. They are no
//! instructions in the native code.

use std::sync::LazyLock;

use wasmparser::{FunctionBody, Operator, Parser, Payload};
use wasmtime::OperatorCost;

use super::growth::GROWTH_VALUES;

/// Fuel of a call. Makes deep recursion of small functions cost fuel before it costs stack.
const CALL_COST: u8 = 50;

/// Fuel of a `nop`, with which functions pay for their frames.
const NOP_COST: u8 = 50;

/// Fuel of growing a memory, for each page: its first touch costs time that fuel would not see.
const GROW_PAGE_COST: u8 = 200;

/// Fuel of an element of a table that is copied, filled or grown: the host goes through them one by one, in 1.6 to 3.6 ns each.
const ELEMENT_COST: u8 = 4;

/// Prices that are not measured: what they pay for is the stack, or memory.
pub const FIXED: &[(&str, u8)] = &[
    ("Nop", NOP_COST),
    ("Call", CALL_COST),
    ("CallIndirect", CALL_COST),
    ("ReturnCall", CALL_COST),
    ("ReturnCallIndirect", CALL_COST),
];

/// Operators whose work is done by the host.
pub const HOST: &[&str] = &[
    "MemoryGrow",
    "MemoryCopy",
    "MemoryFill",
    "MemoryInit",
    "DataDrop",
    "TableGrow",
    "TableCopy",
    "TableFill",
    "TableInit",
    "ElemDrop",
    "RefFunc",
];

/// What is known of an operator: a line of `prices.csv`.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its name, as wasmparser has it.
    pub name: String,
    /// Its price in fuel.
    pub price: u8,
    /// The time that it took with the operands and the sink that it needs, in the slowest way that was tried.
    pub nanoseconds: f64,
    /// The fuel of these operands and this sink, at least.
    pub others: u64,
    /// The instructions of its work in the host, where they were counted.
    pub instructions: Option<u64>,
}

impl Row {
    /// The time that a unit of fuel took.
    pub fn nanoseconds_per_fuel(&self) -> f64 {
        self.nanoseconds / (self.others + u64::from(self.price)) as f64
    }
}

/// The table of prices, in wasmparser's order.
pub fn table() -> &'static [Row] {
    static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
        let row = |line: &str| -> Option<Row> {
            let mut cells = line.split(',');
            Some(Row {
                name: cells.next()?.to_owned(),
                price: cells.next()?.parse().ok()?,
                nanoseconds: cells.next()?.parse().ok()?,
                others: cells.next()?.parse().ok()?,
                instructions: cells.next()?.parse().ok(),
            })
        };
        include_str!("prices.csv").lines().skip(1).filter_map(row).collect()
    });
    &TABLE
}

/// An operator that a bot may use.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    /// Its name, as wasmparser has it.
    pub name: &'static str,
    /// What wasmparser calls its visitor.
    visitor: &'static str,
    /// Operands and results, where their number does not depend on what is around it; else 0.
    pub arity: (usize, usize),
}

impl Operation {
    /// Its text, with what it needs beside operands: the first memory, table, lane or function.
    pub fn text(&self) -> String {
        let name = self.visitor.trim_start_matches("visit_").replacen('_', ".", 1);
        let more = match name.as_str() {
            name if name.contains("_lane") => " 0",
            "i8x16.shuffle" => " 0 17 2 19 4 21 6 23 8 25 10 27 12 29 14 31",
            _ => "",
        };
        name + more
    }
}

/// How the engine's proposals are called whose operators a bot may use.
const PROPOSALS: &[&str] =
    &["mvp", "sign_extension", "saturating_float_to_int", "bulk_memory", "reference_types", "simd", "tail_call"];

macro_rules! arity {
    (arity custom) => {
        (0, 0)
    };
    (arity $operands:literal -> $results:literal) => {
        ($operands, $results)
    };
}

macro_rules! operations {
    ($(@$proposal:ident $op:ident $({ $($arg:ident: $argty:ty),* })? => $visit:ident ($($annotation:tt)*))*) => {
        const ALL: &[(&str, Operation)] = &[$((
            stringify!($proposal),
            Operation { name: stringify!($op), visitor: stringify!($visit), arity: arity!($($annotation)*) },
        )),*];

        /// The engine's table of costs, by the table of prices.
        fn by_name(price: impl Fn(&str) -> Option<u8>) -> OperatorCost {
            let mut costs = OperatorCost::new();
            $(if let Some(price) = price(stringify!($op)) {
                costs.$op = price;
            })*
            costs
        }
    };
}
wasmparser::for_each_operator!(operations);

/// Every operator that a bot may use.
pub fn operators() -> impl Iterator<Item = Operation> {
    ALL.iter().filter(|(proposal, _)| PROPOSALS.contains(proposal)).map(|&(_, operation)| operation)
}

/// What each operator costs.
pub(super) fn costs() -> OperatorCost {
    let mut costs = by_name(|name| table().iter().find(|row| row.name == name).map(|row| row.price));
    costs.variable.memory_grow_per_page = GROW_PAGE_COST;
    costs.variable.table_copy_per_element = ELEMENT_COST;
    costs.variable.table_init_per_element = ELEMENT_COST;
    costs.variable.table_fill_per_element = ELEMENT_COST;
    costs.variable.table_grow_per_element = ELEMENT_COST;
    costs
}

/// The largest frame, in bytes, is this for each value that a function can hold: a local, or the result of an operator.
/// Native code keeps a value of any type in 16 bytes or fewer.
const VALUE_BYTES: u64 = 16;

/// Saved registers, return address, alignment.
const FRAME_BYTES: u64 = 256;

/// The operator that costs [`NOP_COST`] and does nothing, as the format has it.
pub(super) const NOP: u8 = 0x01;

/// Stack, in bytes, that one unit of fuel can take. [`WASM_STACK`](super::engine) is sized by it.
pub(super) const BYTES_PER_FUEL: u64 = 10;

/// Values that go into a call and come out of it, by type and by function.
#[derive(Default)]
pub(super) struct Signatures {
    /// Parameters and results.
    types: Vec<(u64, u64)>,
    functions: Vec<u32>,
    imported: u32,
}

impl Signatures {
    pub(super) fn read(module: &[u8]) -> wasmparser::Result<Signatures> {
        let mut signatures = Signatures::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::TypeSection(section) => {
                    for group in section {
                        for sub in group?.into_types() {
                            signatures.types.push(match sub.composite_type.inner {
                                wasmparser::CompositeInnerType::Func(f) => {
                                    (f.params().len() as u64, f.results().len() as u64)
                                }
                                _ => (0, 0),
                            });
                        }
                    }
                }
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        if let wasmparser::TypeRef::Func(index) = import?.ty {
                            signatures.functions.push(index);
                            signatures.imported += 1;
                        }
                    }
                }
                Payload::FunctionSection(section) => {
                    for function in section {
                        signatures.functions.push(function?);
                    }
                }
                _ => {}
            }
        }
        Ok(signatures)
    }

    /// The number of functions that are imported, which come first.
    pub(super) fn imported(&self) -> u32 {
        self.imported
    }

    /// The number of parameters of a function.
    pub(super) fn parameters(&self, function: u32) -> u64 {
        let index = self.functions.get(function as usize);
        index.and_then(|&index| self.types.get(index as usize)).map_or(0, |&(parameters, _)| parameters)
    }

    fn of_type(&self, index: u32) -> u64 {
        self.types.get(index as usize).map_or(0, |&(parameters, results)| parameters + results)
    }

    fn of_function(&self, index: u32) -> u64 {
        self.functions.get(index as usize).map_or(0, |&index| self.of_type(index))
    }
}

/// How many [`NOP`]s a function's body begins with, for what its frame is worth.
pub(super) fn nops(body: &FunctionBody<'_>, signatures: &Signatures) -> wasmparser::Result<usize> {
    let mut values = 0;
    for group in body.get_locals_reader()? {
        values += u64::from(group?.0);
    }
    for operator in body.get_operators_reader()? {
        values += match operator? {
            Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
                1 + signatures.of_function(function_index)
            }
            Operator::CallIndirect { type_index, .. } | Operator::ReturnCallIndirect { type_index, .. } => {
                1 + signatures.of_type(type_index)
            }
            // What it is replaced by.
            Operator::MemoryGrow { .. } | Operator::TableGrow { .. } => GROWTH_VALUES,
            Operator::Nop | Operator::End | Operator::Drop => 0,
            _ => 1,
        };
    }
    let price = ((values * VALUE_BYTES + FRAME_BYTES) / BYTES_PER_FUEL).saturating_sub(CALL_COST.into());
    Ok(price.div_ceil(NOP_COST.into()) as usize)
}

#[cfg(test)]
mod tests {
    use super::super::Limits;
    use super::super::rewrite::Rewritten;
    use super::*;

    fn nops(text: &str) -> Vec<usize> {
        let module = wat::parse_str(text).unwrap();
        let priced = Rewritten::new(&module, &Limits::default()).unwrap();
        wasmparser::Validator::new().validate_all(priced.bytes()).unwrap();
        let mut counts = Vec::new();
        for payload in Parser::new(0).parse_all(priced.bytes()) {
            if let Payload::CodeSectionEntry(body) = payload.unwrap() {
                let operators = body.get_operators_reader().unwrap().into_iter().map(Result::unwrap);
                counts.push(operators.take_while(|operator| matches!(operator, Operator::Nop)).count());
            }
        }
        counts
    }

    #[test]
    fn every_operator_that_a_bot_may_use_has_a_price_and_no_other() {
        let priced: Vec<_> = table().iter().map(|row| row.name.as_str()).collect();
        assert!(operators().map(|operator| operator.name).eq(priced.iter().copied()));
        assert!(priced.len() > 400, "{}", priced.len());
        let costs = costs();
        assert_eq!([costs.Call, costs.CallIndirect, costs.Nop, costs.LocalGet], [50, 50, 50, 1]);
        assert_eq!(costs.RefFunc, table().iter().find(|row| row.name == "RefFunc").unwrap().price);
    }

    #[test]
    fn by_the_table_no_operator_takes_five_times_as_long_for_its_fuel_as_the_median() {
        let mut all: Vec<f64> = table().iter().map(Row::nanoseconds_per_fuel).collect();
        all.sort_by(f64::total_cmp);
        let median = all[all.len() / 2];
        for row in table() {
            let times = row.nanoseconds_per_fuel() / median;
            assert!(times > 0.0 && times <= 5.0, "{}: {times:.1} times the median, {median:.3} ns", row.name);
        }
    }

    #[test]
    fn what_the_host_does_costs_a_fifth_of_its_instructions_at_least() {
        for row in table() {
            assert_eq!(row.instructions.is_some(), HOST.contains(&row.name.as_str()), "{}", row.name);
            let instructions = row.instructions.unwrap_or(0);
            assert!(u64::from(row.price) * 5 >= instructions, "{}: {instructions} instructions", row.name);
        }
    }

    #[test]
    fn small_functions_pay_for_the_call_alone() {
        assert_eq!(
            nops("(module (func (param i32) (result i32) (local.get 0)) (func) (data \"x\") (memory 1))"),
            [0, 0]
        );
    }

    #[test]
    fn a_frame_is_paid_for_whether_its_values_are_used_or_not() {
        // 1000 locals: 16 256 bytes, of which the call pays 500, and each `nop` 500.
        assert_eq!(nops(&format!("(module (func (local {})))", "v128 ".repeat(1000))), [32]);
        let branch = "(drop (i32.const 1))".repeat(100);
        // 102 values: 1888 bytes.
        assert_eq!(nops(&format!("(module (func (if (i32.const 0) (then {branch}))))")), [3]);
    }

    #[test]
    fn a_call_takes_room_for_what_goes_in_and_comes_out() {
        let types = "i64 ".repeat(16);
        let module = format!(
            "(module (func $f (param {types}) (result {types}) unreachable)
                (func unreachable {} ))",
            format!("(call $f) {}", "drop ".repeat(16)).repeat(5)
        );
        // 5 times 33 values and `unreachable`: 2912 bytes.
        assert_eq!(nops(&module), [0, 5]);
    }
}
