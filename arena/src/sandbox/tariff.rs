//! The tariff: what everything costs in fuel.
//!
//! Fuel stands for time, so an operator that takes long costs much. Prices come from a table that is measured
//! (`prices.csv`, written by `cargo bench --bench prices`): by it, no operator takes more than 5 times as long for its fuel
//! as the median of all. What a function's frame costs is in `frame`.

use std::sync::LazyLock;

use wasmtime::OperatorCost;

/// Fuel of a call. Makes deep recursion of small functions cost fuel before it costs stack.
pub(super) const CALL_COST: u8 = 50;

/// Fuel of a `nop`, with which functions pay for their frames.
pub(super) const NOP_COST: u8 = 50;

/// Fuel of growing a memory, for each page: its first touch costs time that fuel would not see.
const GROW_PAGE_COST: u8 = 200;

/// Fuel of an element of a table that is copied, filled or grown: the host goes through them one by one, in 1.6 to 3.6 ns each.
pub const ELEMENT_COST: u8 = 4;

/// Fuel of a log call, beside one for each byte.
pub(super) const LOG_COST: u64 = 100;

/// Stack, in bytes, that one unit of fuel can take: the engine's stack is sized by it.
pub(super) const BYTES_PER_FUEL: u64 = 10;

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
