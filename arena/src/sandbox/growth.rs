//! Growing beyond a limit is answered with -1 before it is paid for.
//!
//! The engine charges `memory.grow` and `table.grow` for what they ask before it asks whether they may, so that a bot
//! which asks for too much would run out of fuel in place of the -1 that WebAssembly promises. So each of the two is
//! rewritten to look at the limit first: `memory.grow` of `n` becomes
//!
//! ```text
//! if n > limit - memory.size { -1 } else { memory.grow n }
//! ```
//!
//! What the engine is asked for is then always within the limits, and what it refuses all the same is the host's doing.

use wasmparser::{FunctionBody, MemorySectionReader, Operator, TableSectionReader};

use super::Limits;
use super::encode::{leb128, signed_leb128};

/// Values that the rewritten operator can hold at most, as [`frame`](super::frame) counts them.
pub(super) const GROWTH_VALUES: u64 = 12;

/// The limits of a module: its own or the league's, whichever is lower.
pub(super) struct Growth {
    pages: u64,
    elements: u64,
}

impl Growth {
    pub(super) fn new(limits: &Limits) -> Growth {
        Growth { pages: limits.memory_pages.into(), elements: limits.table_elements.into() }
    }

    /// Takes the own limit of the module's one memory.
    pub(super) fn memories(&mut self, section: MemorySectionReader<'_>) -> wasmparser::Result<()> {
        for memory in section {
            self.pages = self.pages.min(memory?.maximum.unwrap_or(u64::MAX));
        }
        Ok(())
    }

    /// Takes the own limit of the module's one table.
    pub(super) fn tables(&mut self, section: TableSectionReader<'_>) -> wasmparser::Result<()> {
        for table in section {
            self.elements = self.elements.min(table?.ty.maximum.unwrap_or(u64::MAX));
        }
        Ok(())
    }

    /// A function's locals and code, as bytes, in which nothing grows beyond a limit.
    pub(super) fn bound(
        &self,
        module: &[u8],
        body: &FunctionBody<'_>,
        parameters: u64,
    ) -> wasmparser::Result<(Vec<u8>, Vec<u8>)> {
        let start = body.get_operators_reader()?.original_position();
        let end = body.range().end;
        let mut groups = body.get_locals_reader()?;
        let group_count = groups.get_count() as usize;
        let mut locals = parameters;
        let mut declarations = groups.original_position();
        for _ in 0..group_count {
            locals += u64::from(groups.read()?.0);
        }
        if group_count == 0 {
            declarations = start;
        }
        // Two more locals: the number, and what a table is filled with.
        let scratch = Scratch { number: locals as usize, reference: locals as usize + 1 };

        let mut code = Vec::new();
        let mut copied = start;
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            let (operator, at) = operators.read_with_offset()?;
            let replace = match operator {
                Operator::MemoryGrow { .. } => memory_grow,
                Operator::TableGrow { .. } => table_grow,
                _ => continue,
            };
            let limit = if matches!(operator, Operator::MemoryGrow { .. }) { self.pages } else { self.elements };
            code.extend_from_slice(&module[copied..at]);
            replace(&mut code, scratch, limit);
            copied = operators.original_position();
        }
        code.extend_from_slice(&module[copied..end]);
        if copied == start {
            return Ok((module[body.range().start..start].to_vec(), code));
        }
        let mut out = Vec::new();
        leb128(&mut out, group_count + 2);
        out.extend_from_slice(&module[declarations..start]);
        out.extend_from_slice(&[1, I32, 1, FUNCREF]);
        Ok((out, code))
    }
}

/// Locals that a replacement uses.
#[derive(Clone, Copy)]
struct Scratch {
    number: usize,
    reference: usize,
}

// Bytes of types and operators, as the format has them.
const I32: u8 = 0x7f;
const FUNCREF: u8 = 0x70;
const IF: u8 = 0x04;
const ELSE: u8 = 0x05;
const END: u8 = 0x0b;
const LOCAL_GET: u8 = 0x20;
const LOCAL_SET: u8 = 0x21;
const I32_CONST: u8 = 0x41;
const I32_SUB: u8 = 0x6b;
const I32_GT_U: u8 = 0x4b;
const MEMORY_SIZE: &[u8] = &[0x3f, 0];
const MEMORY_GROW: &[u8] = &[0x40, 0];
const TABLE_SIZE: &[u8] = &[0xfc, 0x10, 0];
const TABLE_GROW: &[u8] = &[0xfc, 0x0f, 0];
/// -1 as a signed LEB128.
const MINUS_ONE: u8 = 0x7f;

fn memory_grow(code: &mut Vec<u8>, scratch: Scratch, limit: u64) {
    local(code, LOCAL_SET, scratch.number);
    unless_too_much(code, scratch, limit, MEMORY_SIZE, |code| {
        local(code, LOCAL_GET, scratch.number);
        code.extend_from_slice(MEMORY_GROW);
    });
}

fn table_grow(code: &mut Vec<u8>, scratch: Scratch, limit: u64) {
    local(code, LOCAL_SET, scratch.number);
    local(code, LOCAL_SET, scratch.reference);
    unless_too_much(code, scratch, limit, TABLE_SIZE, |code| {
        local(code, LOCAL_GET, scratch.reference);
        local(code, LOCAL_GET, scratch.number);
        code.extend_from_slice(TABLE_GROW);
    });
}

/// `if number > limit - size { -1 } else { grow }`.
fn unless_too_much(code: &mut Vec<u8>, scratch: Scratch, limit: u64, size: &[u8], grow: impl FnOnce(&mut Vec<u8>)) {
    local(code, LOCAL_GET, scratch.number);
    code.push(I32_CONST);
    signed_leb128(code, limit);
    code.extend_from_slice(size);
    code.extend_from_slice(&[I32_SUB, I32_GT_U, IF, I32, I32_CONST, MINUS_ONE, ELSE]);
    grow(code);
    code.push(END);
}

fn local(code: &mut Vec<u8>, operator: u8, index: usize) {
    code.push(operator);
    leb128(code, index);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::CallError;
    use crate::ids::{Fault, Seat};
    use crate::sandbox::{BotModule, BotThread, Sandbox};

    /// What a bot answers that asks for something in each decision, and the fuel of it.
    fn answers(limits: &Limits, parts: &str, ask: &str) -> Vec<Result<(i64, u64), CallError>> {
        let text = format!(
            r#"(module {parts} (elem declare func 0)
                (func (export "arena_abi") (result i32) (i32.const 1))
                (func (export "arena_init") (param i32 i32 i64) (result i32) (local f64 i32 i32) (i32.const 1024))
                (func (export "arena_decide") (param $n i32) (param i32) (result i64) (local v128 i64)
                    (i64.extend_i32_s {ask})))"#
        );
        let sandbox = Sandbox::new(limits.clone(), 2).unwrap();
        let module = BotModule::load(&sandbox, &wat::parse_str(text).unwrap(), 16, 2).unwrap();
        let ask = |thread| {
            let mut instance = module.start(thread, Seat(0), 2, 1, None).unwrap();
            let mut ask =
                |number| instance.decide(number, &[0; 16], 100_000).map(|answer| (answer.action, answer.fuel));
            // How many, as the decision's number says.
            [1, 2, 0, 200, 255, 1].map(&mut ask).into()
        };
        BotThread::run(ask).unwrap()
    }

    #[test]
    fn growing_is_paid_for_where_it_is_granted_and_answered_where_it_is_not() {
        let memory = r#"(memory (export "memory") 1)"#;
        let grow = "(memory.grow (local.get $n))";
        let limits = Limits::default();
        // By the league's limit, 64 pages.
        let answers_of = |parts: &str, ask: &str| {
            answers(&limits, parts, ask).into_iter().map(|answer| answer.unwrap().0).collect::<Vec<_>>()
        };
        assert_eq!(answers_of(memory, grow), [1, 2, 4, -1, -1, 4]);
        // By the module's own.
        assert_eq!(answers_of(r#"(memory (export "memory") 1 3)"#, grow), [1, -1, 2, -1, -1, 2]);
        // Of what is asked for, nothing is paid if it is refused, be it all that there is.
        let most = "(i32.add (memory.grow (i32.const -1)) (memory.grow (i32.const 60000)))";
        for answer in answers(&limits, memory, most) {
            let (answer, fuel) = answer.unwrap();
            assert!(answer == -2 && fuel < 100, "{answer}, {fuel} fuel");
        }
        let fuel: Vec<_> = answers(&limits, memory, grow).into_iter().map(|answer| answer.unwrap().1).collect();
        assert_eq!(fuel[1] - fuel[0], 200, "{fuel:?}");
    }

    #[test]
    fn a_table_grows_like_a_memory() {
        let parts = |most: &str| format!(r#"(memory (export "memory") 1) (table 3 {most} funcref)"#);
        let grow = "(table.grow (ref.func 0) (local.get $n))";
        let limits = Limits { table_elements: 100, ..Limits::default() };
        let answers_of = |most: &str, ask: &str| {
            answers(&limits, &parts(most), ask).into_iter().map(|answer| answer.unwrap().0).collect::<Vec<_>>()
        };
        assert_eq!(answers_of("", grow), [3, 4, 6, -1, -1, 6]);
        assert_eq!(answers_of("4", grow), [3, -1, 4, -1, -1, -1]);
        for answer in answers(&limits, &parts(""), "(table.grow (ref.null func) (i32.const -1))") {
            assert!(matches!(answer, Ok((-1, ..100))), "{answer:?}");
        }
    }

    #[test]
    fn it_grows_in_code_that_is_never_reached_too() {
        let ask = "(unreachable) (memory.grow) (drop) (table.grow 0)";
        let parts = r#"(memory (export "memory") 1) (table 1 funcref)"#;
        assert_eq!(answers(&Limits::default(), parts, ask)[0], Err(Fault::Crash.into()));
    }

    #[test]
    fn numbers_are_written_with_their_sign() {
        for (number, bytes) in [(0, &[0][..]), (63, &[63]), (64, &[0xc0, 0]), (100, &[0xe4, 0]), (1024, &[0x80, 8])] {
            let mut out = Vec::new();
            signed_leb128(&mut out, number);
            assert_eq!(out, bytes);
        }
    }
}
