//! What entering a function costs: its native frame, which is paid for before the stack is used.
//!
//! How much native stack a function takes is the compiler's business and differs between its settings, so a bot must
//! run out of fuel before it can run out of stack, whatever it recurses with. A call alone costs `CALL_COST` fuel,
//! which is enough for small functions. A function with many values may have a frame of many kilobytes, also for
//! branches that it never takes. So each function of more than a few values is made to pay on entry for the largest
//! frame that its code could need: `NOP_COST` fuel for each `nop` that is put at its beginning. They are no
//! instructions in the native code.

use wasmparser::{FunctionBody, Operator};

use super::growth::GROWTH_VALUES;
use super::shape::ModuleShape;
use super::tariff::{BYTES_PER_FUEL, CALL_COST, NOP_COST};

/// The largest frame, in bytes, is this for each value that a function can hold: a local, or the result of an operator.
/// Native code keeps a value of any type in 16 bytes or fewer.
const VALUE_BYTES: u64 = 16;

/// Saved registers, return address, alignment.
const FRAME_BYTES: u64 = 256;

/// The operator that costs [`NOP_COST`] and does nothing, as the format has it.
pub(super) const NOP: u8 = 0x01;

/// How many [`NOP`]s a function's body begins with, for what its frame is worth.
pub(super) fn nops(body: &FunctionBody<'_>, shape: &ModuleShape) -> wasmparser::Result<usize> {
    let mut values = 0;
    for group in body.get_locals_reader()? {
        values += u64::from(group?.0);
    }
    for operator in body.get_operators_reader()? {
        values += match operator? {
            Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
                1 + shape.values_of_function(function_index)
            }
            Operator::CallIndirect { type_index, .. } | Operator::ReturnCallIndirect { type_index, .. } => {
                1 + shape.values_of_type(type_index)
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
    use wasmparser::{Parser, Payload};

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
