//! What is measured of a function's body.

use wasmparser::{FunctionBody, Operator};

/// The measures of a function's body.
pub(super) struct Function {
    pub(super) bytes: u64,
    pub(super) locals: u64,
    /// The greatest depth of blocks, loops and ifs.
    pub(super) depth: u64,
    pub(super) loops: u64,
    /// Targets of its largest jump table.
    pub(super) targets: u64,
    /// The function that its first operator calls.
    pub(super) first_call: Option<u32>,
    /// Whether it does nothing.
    pub(super) is_empty: bool,
}

impl Function {
    pub(super) fn read(body: &FunctionBody<'_>) -> wasmparser::Result<Function> {
        let mut function = Function {
            bytes: body.range().len() as u64,
            locals: 0,
            depth: 0,
            loops: 0,
            targets: 0,
            first_call: None,
            is_empty: false,
        };
        for group in body.get_locals_reader()? {
            function.locals += u64::from(group?.0);
        }
        let mut depth = 0u64;
        for (number, operator) in body.get_operators_reader()?.into_iter().enumerate() {
            match operator? {
                Operator::Block { .. } | Operator::If { .. } | Operator::TryTable { .. } => depth += 1,
                Operator::Loop { .. } => {
                    depth += 1;
                    function.loops += 1;
                }
                Operator::End => {
                    function.is_empty = number == 0;
                    depth = depth.saturating_sub(1);
                }
                Operator::BrTable { targets } => function.targets = function.targets.max(targets.len().into()),
                Operator::Call { function_index } if number == 0 => function.first_call = Some(function_index),
                _ => {}
            }
            function.depth = function.depth.max(depth);
        }
        Ok(function)
    }
}
