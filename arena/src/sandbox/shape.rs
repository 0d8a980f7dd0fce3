//! What a module is made of, as far as rewriting it needs to know: one walk over it.

use wasmparser::{
    CompositeInnerType, GlobalSectionReader, Operator, Parser, Payload, TypeRef, TypeSectionReader, ValType,
};

/// An instance with more mutable globals than this is not reset: a fresh one is cheaper.
const MOST_GLOBALS: usize = 16;

/// How the exported names of globals begin; a module with such a name of its own is left alone.
const PREFIX: &str = "arena.global.";

/// The signatures of a module's functions, and what decides whether an instance of it can be reset.
#[derive(Default)]
pub(super) struct ModuleShape {
    /// Parameters and results of each type.
    types: Vec<(u64, u64)>,
    /// The type of each function, imported ones first.
    functions: Vec<u32>,
    imported: u32,
    /// The mutable ones, by index.
    globals: Vec<u32>,
    /// Whether an instance can change something that a reset does not bring back.
    unresettable: bool,
}

impl ModuleShape {
    /// Reads a module that passed the check.
    pub(super) fn read(module: &[u8]) -> wasmparser::Result<ModuleShape> {
        let mut shape = ModuleShape::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::TypeSection(section) => shape.take_types(section)?,
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        if let TypeRef::Func(index) = import?.ty {
                            shape.functions.push(index);
                            shape.imported += 1;
                        }
                    }
                }
                Payload::FunctionSection(section) => {
                    for function in section {
                        shape.functions.push(function?);
                    }
                }
                Payload::GlobalSection(section) => shape.take_globals(section)?,
                Payload::ExportSection(section) => {
                    for export in section {
                        shape.unresettable |= export?.name.starts_with(PREFIX);
                    }
                }
                // Its fuel is init's, and it may have logged.
                Payload::StartSection { .. } => shape.unresettable = true,
                Payload::CodeSectionEntry(body) => {
                    for operator in body.get_operators_reader()? {
                        shape.unresettable |= matches!(
                            operator?,
                            Operator::TableSet { .. }
                                | Operator::TableGrow { .. }
                                | Operator::TableFill { .. }
                                | Operator::TableCopy { .. }
                                | Operator::TableInit { .. }
                                | Operator::ElemDrop { .. }
                                | Operator::DataDrop { .. }
                        );
                    }
                }
                _ => {}
            }
        }
        shape.unresettable |= shape.globals.len() > MOST_GLOBALS;
        Ok(shape)
    }

    fn take_types(&mut self, section: TypeSectionReader<'_>) -> wasmparser::Result<()> {
        for group in section {
            for sub in group?.into_types() {
                self.types.push(match sub.composite_type.inner {
                    CompositeInnerType::Func(f) => (f.params().len() as u64, f.results().len() as u64),
                    _ => (0, 0),
                });
            }
        }
        Ok(())
    }

    fn take_globals(&mut self, section: GlobalSectionReader<'_>) -> wasmparser::Result<()> {
        // None is imported, so they are counted from 0.
        for (index, global) in (0..).zip(section) {
            let kind = global?.ty;
            if kind.mutable {
                self.globals.push(index);
                self.unresettable |= matches!(kind.content_type, ValType::Ref(_));
            }
        }
        Ok(())
    }

    /// The number of functions that it imports.
    pub(super) fn imported(&self) -> u32 {
        self.imported
    }

    fn of_type(&self, index: u32) -> (u64, u64) {
        self.types.get(index as usize).copied().unwrap_or_default()
    }

    fn of_function(&self, index: u32) -> (u64, u64) {
        self.functions.get(index as usize).map_or((0, 0), |&index| self.of_type(index))
    }

    /// The number of a function's parameters.
    pub(super) fn parameters(&self, function: u32) -> u64 {
        self.of_function(function).0
    }

    /// Values that go into a call of a function of this type and come out of it.
    pub(super) fn values_of_type(&self, index: u32) -> u64 {
        let (parameters, results) = self.of_type(index);
        parameters + results
    }

    /// Values that go into a call of this function and come out of it.
    pub(super) fn values_of_function(&self, index: u32) -> u64 {
        let (parameters, results) = self.of_function(index);
        parameters + results
    }

    /// The mutable globals, each with the name to export it by; `None` if instances cannot be reset.
    pub(super) fn mutable_globals(&self) -> Option<Vec<(String, u32)>> {
        let named = |&index: &u32| (format!("{PREFIX}{index}"), index);
        (!self.unresettable).then(|| self.globals.iter().map(named).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resets(text: &str) -> bool {
        let module = wat::parse_str(format!("(module (memory (export \"memory\") 1) {text})")).unwrap();
        ModuleShape::read(&module).unwrap().mutable_globals().is_some()
    }

    #[test]
    fn only_what_memory_and_numbers_hold_is_set_back() {
        assert!(resets(""));
        assert!(resets("(global (mut i32) (i32.const 1)) (global (mut v128) (v128.const i64x2 1 2))"));
        assert!(resets("(table 1 funcref) (func (drop (table.get 0 (i32.const 0))))"));
        assert!(resets("(data \"x\") (func (memory.init 0 (i32.const 0) (i32.const 0) (i32.const 1)))"));
        assert!(resets("(func (drop (memory.grow (i32.const 1))))"));

        assert!(!resets("(func $f) (start $f)"));
        assert!(!resets("(global (mut funcref) (ref.null func))"));
        assert!(!resets("(func (export \"arena.global.0\"))"));
        assert!(!resets("(data \"x\") (func (data.drop 0))"));
        let table = "(table 1 funcref) (elem func) ";
        for change in [
            "table.set 0 (i32.const 0) (ref.null func)",
            "drop (table.grow 0 (ref.null func) (i32.const 0))",
            "table.fill 0 (i32.const 0) (ref.null func) (i32.const 0)",
            "table.copy (i32.const 0) (i32.const 0) (i32.const 0)",
            "table.init 0 (i32.const 0) (i32.const 0) (i32.const 0)",
            "elem.drop 0",
        ] {
            assert!(!resets(&format!("{table} (func ({change}))")), "{change}");
        }
        assert!(!resets(&"(global (mut i32) (i32.const 1)) ".repeat(17)));
    }
}
