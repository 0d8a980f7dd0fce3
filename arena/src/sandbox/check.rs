//! The static check: one parse, then one small function a concern.
//!
//! It finds all problems that it can tell at once, and gives quick, clear errors. It is no defence against slow
//! compiling: no limit on a module's shape is one.

use std::fmt;

use bot_sdk::abi;
use serde::Serialize;
use wasmparser::{
    CompositeInnerType, ExternalKind, FuncType, FunctionBody, MemoryType, Operator, Parser, Payload, TableType,
    TypeRef, ValType, Validator, WasmFeatures,
};

use super::{Limits, Metadata, features};
use crate::ids::escaped;

/// One thing that is wrong with a module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// A short word for programs, for example `abi:missing`.
    pub code: &'static str,
    /// For people: what is wrong, and what would be right. Text of the module in it is escaped and cut.
    pub message: String,
}

impl Problem {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Problem {
        Problem { code, message: message.into() }
    }

    /// The file cannot be read.
    pub fn of_file(message: impl Into<String>) -> Problem {
        Problem::new("file", message)
    }

    /// The same match went another way when it was played again.
    pub fn of_determinism(message: impl Into<String>) -> Problem {
        Problem::new("determinism", message)
    }

    /// `arena submit` refuses the author that the bot names.
    pub fn of_author(message: impl Into<String>) -> Problem {
        Problem::new("author", message)
    }

    /// The module is a bot, but for another game.
    pub fn for_game(message: impl Into<String>) -> Problem {
        Problem::new("game", message)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.code)
    }
}

/// Bytes that passed the static check.
#[derive(Debug)]
pub struct Checked<'a> {
    bytes: &'a [u8],
    metadata: Metadata,
}

impl<'a> Checked<'a> {
    /// The module's bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// What the bot says of itself.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    pub(super) fn into_metadata(self) -> Metadata {
        self.metadata
    }
}

/// What can be told of a module without running any of it.
#[derive(Debug, Default)]
pub struct Inspection {
    /// All problems that can be told without others being mended; empty for a module that passes.
    pub problems: Vec<Problem>,
    /// What the bot says of itself; `None` for a file that is no module.
    pub metadata: Option<Metadata>,
    /// What it imports, escaped, as `module.name`.
    pub imports: Vec<String>,
    /// Pages of 64 KiB that its memory begins with.
    pub memory_pages: Option<u64>,
}

/// Looks at a module without running any of it.
pub fn inspect(bytes: &[u8], limits: &Limits) -> Inspection {
    let readable = check_size(bytes, limits).and_then(|()| check_header(bytes)).and_then(|()| check_valid(bytes));
    let shape = match readable.and_then(|()| Shape::read(bytes, limits)) {
        Ok(shape) => shape,
        Err(problem) => return Inspection { problems: vec![problem], ..Inspection::default() },
    };
    let mut problems = Vec::new();
    check_counts(&shape, limits, &mut problems);
    check_memories(&shape, limits, &mut problems);
    check_tables(&shape, limits, &mut problems);
    check_signatures(&shape, limits, &mut problems);
    problems.extend(shape.body_problem.clone());
    check_imports(&shape, &mut problems);
    check_exports(&shape, &mut problems);
    let metadata = check_metadata(&shape, &mut problems);
    let imports = shape.imports.iter().map(|Named { name, of: (module, _) }| format!("{module}.{name}")).collect();
    let metadata = Some(metadata);
    Inspection { problems, metadata, imports, memory_pages: shape.memories.first().map(|memory| memory.initial) }
}

/// Checks a module without running any of it.
///
/// # Errors
/// All problems found; never empty.
pub fn check<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Checked<'a>, Vec<Problem>> {
    let Inspection { problems, metadata, .. } = inspect(bytes, limits);
    match metadata {
        Some(metadata) if problems.is_empty() => Ok(Checked { bytes, metadata }),
        _ => Err(problems),
    }
}

fn check_size(bytes: &[u8], limits: &Limits) -> Result<(), Problem> {
    if bytes.len() as u64 > limits.module_bytes {
        let message = format!("the module has {} bytes, above the limit of {}", bytes.len(), limits.module_bytes);
        return Err(Problem::new("limit:size", message));
    }
    Ok(())
}

fn check_header(bytes: &[u8]) -> Result<(), Problem> {
    let not_wasm = |what: String| {
        let message = format!("this is no WebAssembly module: {what}; a module begins with the bytes 00 61 73 6d");
        Problem::new("not-wasm", message)
    };
    match bytes {
        [] => Err(not_wasm("the file is empty".into())),
        [0, b'a', b's', b'm', 1, 0, 0, 0, ..] => Ok(()),
        [0, b'a', b's', b'm', version, 0, 1, 0, ..] => Err(Problem::new(
            "component",
            format!(
                "this is a component (version {version}), and a core module is wanted: build for a core target such \
                 as wasm32-unknown-unknown"
            ),
        )),
        [0, b'a', b's', b'm', rest @ ..] => {
            let version: Vec<_> = rest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
            let message = format!("its format version is {}, and 01 00 00 00 is known", version.join(" "));
            Err(Problem::new("malformed", message))
        }
        [0x7f, b'E', b'L', b'F', ..] => Err(not_wasm("it is a native program (ELF)".into())),
        _ => {
            let first: Vec<_> = bytes.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
            Err(not_wasm(format!("it begins with {}", first.join(" "))))
        }
    }
}

fn check_valid(bytes: &[u8]) -> Result<(), Problem> {
    let validate = |features| Validator::new_with_features(features).validate_all(bytes).map(drop);
    let Err(error) = validate(features::ALLOWED) else { return Ok(()) };
    let message = escaped(error.message(), 200);
    if validate(WasmFeatures::all()).is_ok() {
        let message = format!("it uses a feature that is switched off, at byte {}: {message}", error.offset());
        return Err(Problem::new("feature", message));
    }
    Err(Problem::new("malformed", format!("it is malformed or invalid, at byte {}: {message}", error.offset())))
}

/// An export or import, its name escaped.
struct Named<T> {
    name: String,
    of: T,
}

/// What an export is.
enum Export {
    Memory,
    Function(u32),
    Other(&'static str),
}

/// What the one parse collects.
#[derive(Default)]
struct Shape {
    types: Vec<Option<FuncType>>,
    /// The type of each function, imported ones first.
    functions: Vec<u32>,
    memories: Vec<MemoryType>,
    tables: Vec<TableType>,
    globals: u32,
    data_segments: u32,
    element_segments: u32,
    imports: Vec<Named<(String, TypeRef)>>,
    exports: Vec<Named<Export>>,
    custom_bytes: u64,
    metadata: Vec<Vec<u8>>,
    /// The first function that is too much, with why.
    body_problem: Option<Problem>,
}

impl Shape {
    fn read(bytes: &[u8], limits: &Limits) -> Result<Shape, Problem> {
        let mut shape = Shape::default();
        for payload in Parser::new(0).parse_all(bytes) {
            payload
                .and_then(|payload| shape.take(payload, limits))
                .map_err(|error| Problem::new("malformed", escaped(&error.to_string(), 200)))?;
        }
        Ok(shape)
    }

    fn take(&mut self, payload: Payload<'_>, limits: &Limits) -> wasmparser::Result<()> {
        const NAME: usize = 60;
        match payload {
            Payload::TypeSection(section) => {
                for group in section {
                    for sub in group?.into_types() {
                        self.types.push(match sub.composite_type.inner {
                            CompositeInnerType::Func(function) => Some(function),
                            _ => None,
                        });
                    }
                }
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import?;
                    match import.ty {
                        TypeRef::Func(index) => self.functions.push(index),
                        TypeRef::Memory(memory) => self.memories.push(memory),
                        TypeRef::Table(table) => self.tables.push(table),
                        TypeRef::Global(_) => self.globals += 1,
                        _ => {}
                    }
                    let name = escaped(import.name, NAME);
                    self.imports.push(Named { name, of: (escaped(import.module, NAME), import.ty) });
                }
            }
            Payload::FunctionSection(section) => {
                for function in section {
                    self.functions.push(function?);
                }
            }
            Payload::MemorySection(section) => {
                for memory in section {
                    self.memories.push(memory?);
                }
            }
            Payload::TableSection(section) => {
                for table in section {
                    self.tables.push(table?.ty);
                }
            }
            Payload::GlobalSection(section) => self.globals += section.count(),
            Payload::DataSection(section) => self.data_segments += section.count(),
            Payload::ElementSection(section) => self.element_segments += section.count(),
            Payload::ExportSection(section) => {
                for export in section {
                    let export = export?;
                    let of = match export.kind {
                        ExternalKind::Memory => Export::Memory,
                        ExternalKind::Func => Export::Function(export.index),
                        ExternalKind::Table => Export::Other("a table"),
                        ExternalKind::Global => Export::Other("a global"),
                        _ => Export::Other("something else"),
                    };
                    self.exports.push(Named { name: escaped(export.name, NAME), of });
                }
            }
            Payload::CustomSection(section) => {
                self.custom_bytes += (section.data().len() + section.name().len()) as u64;
                if section.name() == abi::METADATA_SECTION {
                    self.metadata.push(section.data().to_vec());
                }
            }
            Payload::CodeSectionEntry(body) if self.body_problem.is_none() => {
                self.body_problem = check_body(&body, limits)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn signature(&self, function: u32) -> Option<&FuncType> {
        let index = *self.functions.get(function as usize)?;
        self.types.get(index as usize)?.as_ref()
    }
}

fn check_body(body: &FunctionBody<'_>, limits: &Limits) -> wasmparser::Result<Option<Problem>> {
    let at = body.range().start;
    let too = |code, what: &str, count: u64, limit: u32| {
        let message = format!("the function at byte {at} has {count} {what}, above the limit of {limit}");
        Ok(Some(Problem::new(code, message)))
    };
    let size = body.range().len() as u64;
    if size > limits.function_bytes.into() {
        return too("limit:function", "bytes", size, limits.function_bytes);
    }
    let mut locals = 0u64;
    for group in body.get_locals_reader()? {
        locals += u64::from(group?.0);
    }
    if locals > limits.locals.into() {
        return too("limit:locals", "locals", locals, limits.locals);
    }
    let (mut depth, mut loops) = (0u32, 0u32);
    for operator in body.get_operators_reader()? {
        match operator? {
            Operator::Block { .. } | Operator::If { .. } => depth += 1,
            Operator::Loop { .. } => {
                depth += 1;
                loops += 1;
            }
            Operator::End => depth = depth.saturating_sub(1),
            Operator::BrTable { targets } if targets.len() > limits.jump_targets => {
                return too("limit:jump_targets", "targets in a jump table", targets.len().into(), limits.jump_targets);
            }
            _ => {}
        }
        if depth > limits.nesting {
            return too("limit:nesting", "levels of blocks", depth.into(), limits.nesting);
        }
        if loops > limits.loops {
            return too("limit:loops", "loops", loops.into(), limits.loops);
        }
    }
    Ok(None)
}

fn check_counts(shape: &Shape, limits: &Limits, problems: &mut Vec<Problem>) {
    let counts = [
        ("limit:functions", "functions", shape.functions.len() as u64, limits.functions),
        ("limit:types", "types", shape.types.len() as u64, limits.types),
        ("limit:globals", "globals", shape.globals.into(), limits.globals),
        ("limit:segments", "data segments", shape.data_segments.into(), limits.segments),
        ("limit:segments", "element segments", shape.element_segments.into(), limits.segments),
        ("limit:exports", "exports", shape.exports.len() as u64, limits.exports),
        ("limit:custom", "bytes of custom sections", shape.custom_bytes, limits.custom_bytes),
    ];
    for (code, what, count, limit) in counts {
        if count > limit.into() {
            problems.push(Problem::new(code, format!("the module has {count} {what}, above the limit of {limit}")));
        }
    }
}

fn check_memories(shape: &Shape, limits: &Limits, problems: &mut Vec<Problem>) {
    for memory in &shape.memories {
        if memory.initial > limits.memory_pages.into() {
            let message = format!(
                "the memory begins with {} pages of 64 KiB, above the limit of {}",
                memory.initial, limits.memory_pages
            );
            problems.push(Problem::new("limit:memory", message));
        }
    }
}

fn check_tables(shape: &Shape, limits: &Limits, problems: &mut Vec<Problem>) {
    if shape.tables.len() > 1 {
        let message = format!("the module has {} tables, and one is allowed", shape.tables.len());
        problems.push(Problem::new("limit:tables", message));
    }
    for table in &shape.tables {
        if table.initial > limits.table_elements.into() {
            let message = format!(
                "the table begins with {} elements, above the limit of {}",
                table.initial, limits.table_elements
            );
            problems.push(Problem::new("limit:table", message));
        }
    }
}

fn check_signatures(shape: &Shape, limits: &Limits, problems: &mut Vec<Problem>) {
    let parameters = shape.types.iter().flatten().map(|function| function.params().len()).max().unwrap_or(0);
    let results = shape.types.iter().flatten().map(|function| function.results().len()).max().unwrap_or(0);
    let most = [
        ("limit:parameters", "parameters", parameters, limits.parameters),
        ("limit:results", "results", results, limits.results),
    ];
    for (code, what, count, limit) in most {
        if count as u64 > limit.into() {
            problems
                .push(Problem::new(code, format!("a function type has {count} {what}, above the limit of {limit}")));
        }
    }
}

fn check_imports(shape: &Shape, problems: &mut Vec<Problem>) {
    use ValType::I32;
    for Named { name, of: (module, kind) } in &shape.imports {
        let allowed = "only arena.log (i32, i32) -> () may be imported";
        if module == abi::IMPORT_MODULE && name == abi::IMPORT_LOG {
            let signature = match kind {
                TypeRef::Func(index) => shape.types.get(*index as usize).and_then(Option::as_ref),
                _ => None,
            };
            if signature.is_none_or(|f| f.params() != [I32, I32] || !f.results().is_empty()) {
                let found = signature.map_or("no function".into(), show);
                problems.push(Problem::new("import", format!("the import arena.log is {found}; {allowed}")));
            }
            continue;
        }
        let hint = if module.starts_with("wasi") {
            "; build for a target without WASI, such as wasm32-unknown-unknown"
        } else {
            ""
        };
        problems.push(Problem::new("import", format!("the import {module}.{name} is not known: {allowed}{hint}")));
    }
}

fn check_exports(shape: &Shape, problems: &mut Vec<Problem>) {
    use ValType::{I32, I64};
    let find = |name| shape.exports.iter().find(|export| export.name == name);
    match find(abi::EXPORT_MEMORY) {
        Some(Named { of: Export::Memory, .. }) => {}
        Some(_) => {
            problems.push(Problem::new("abi:type", "the export memory is no memory"));
        }
        None => {
            let message = "the export memory is missing: the module's one memory, 32-bit and not shared";
            problems.push(Problem::new("abi:missing", message));
        }
    }
    let functions: [(&str, bool, &[ValType], &[ValType]); 4] = [
        (abi::EXPORT_ABI, true, &[], &[I32]),
        (abi::EXPORT_INITIALIZE, false, &[], &[]),
        (abi::EXPORT_INIT, true, &[I32, I32, I64], &[I32]),
        (abi::EXPORT_DECIDE, true, &[I32, I32], &[I64]),
    ];
    for (name, needed, params, results) in functions {
        let wanted = show_types(params, results);
        match find(name).map(|export| &export.of) {
            None if needed => {
                let message = format!("the export {name} is missing: a function {wanted}");
                problems.push(Problem::new("abi:missing", message));
            }
            None => {}
            Some(Export::Function(index)) => {
                let found = shape.signature(*index);
                if found.is_none_or(|found| found.params() != params || found.results() != results) {
                    let found = found.map_or("unknown".into(), show);
                    let message = format!("the export {name} has the type {found}; {wanted} is wanted");
                    problems.push(Problem::new("abi:type", message));
                }
            }
            Some(other) => {
                let found = match other {
                    Export::Memory => "a memory",
                    Export::Other(what) => what,
                    Export::Function(_) => "a function",
                };
                let message = format!("the export {name} is {found}; a function {wanted} is wanted");
                problems.push(Problem::new("abi:type", message));
            }
        }
    }
}

fn show(function: &FuncType) -> String {
    show_types(function.params(), function.results())
}

fn show_types(params: &[ValType], results: &[ValType]) -> String {
    let list = |types: &[ValType]| {
        let shown: Vec<_> = types.iter().take(8).map(ValType::to_string).collect();
        shown.join(", ") + if types.len() > 8 { ", …" } else { "" }
    };
    match results {
        [one] => format!("({}) -> {one}", list(params)),
        _ => format!("({}) -> ({})", list(params), list(results)),
    }
}

fn check_metadata(shape: &Shape, problems: &mut Vec<Problem>) -> Metadata {
    match shape.metadata.as_slice() {
        [] => Metadata::default(),
        [section] => {
            let (metadata, wrong) = Metadata::read(section);
            let problem = |reason| Problem::new("metadata", format!("the section {}: {reason}", abi::METADATA_SECTION));
            problems.extend(wrong.into_iter().map(problem));
            metadata
        }
        _ => {
            let message = format!("there are {} sections {}", shape.metadata.len(), abi::METADATA_SECTION);
            problems.push(Problem::new("metadata", message));
            Metadata::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A whole bot in text, with places for more.
    fn bot(memory: &str, decide: &str, more: &str) -> Vec<u8> {
        wat::parse_str(format!(
            r#"(module {memory}
                (func (export "arena_abi") (result i32) (i32.const 1))
                (func (export "arena_init") (param i32 i32 i64) (result i32) (i32.const 1024))
                {decide} {more})"#
        ))
        .unwrap()
    }

    const MEMORY: &str = r#"(memory (export "memory") 1)"#;
    const DECIDE: &str = r#"(func (export "arena_decide") (param i32 i32) (result i64) (i64.const 1))"#;

    fn codes(bytes: &[u8]) -> Vec<&'static str> {
        match check(bytes, &Limits::default()) {
            Ok(_) => Vec::new(),
            Err(problems) => problems.into_iter().map(|problem| problem.code).collect(),
        }
    }

    #[test]
    fn a_whole_bot_passes() {
        assert_eq!(codes(&bot(MEMORY, DECIDE, "")), [""; 0]);
        assert_eq!(codes(&bot(MEMORY, DECIDE, r#"(func (export "_initialize"))"#)), [""; 0]);
    }

    #[test]
    fn all_problems_are_told_at_once() {
        let bytes = bot("(memory 100)", r#"(func (export "arena_decide") (param i64))"#, "");
        assert_eq!(codes(&bytes), ["limit:memory", "abi:missing", "abi:type"]);
    }

    #[test]
    fn a_wrong_type_names_both() {
        let bytes = bot(MEMORY, r#"(func (export "arena_decide") (param i64) (result i32) (i32.const 0))"#, "");
        let problems = check(&bytes, &Limits::default()).unwrap_err();
        assert!(problems[0].message.contains("(i64) -> i32"), "{}", problems[0]);
        assert!(problems[0].message.contains("(i32, i32) -> i64"), "{}", problems[0]);
    }

    #[test]
    fn only_the_log_may_be_imported() {
        let with = |import: &str| {
            wat::parse_str(format!(
                r#"(module {import} {MEMORY}
                    (func (export "arena_abi") (result i32) (i32.const 1))
                    (func (export "arena_init") (param i32 i32 i64) (result i32) (i32.const 1024))
                    {DECIDE})"#
            ))
            .unwrap()
        };
        assert_eq!(codes(&with(r#"(import "arena" "log" (func (param i32 i32)))"#)), [""; 0]);
        assert_eq!(codes(&with(r#"(import "arena" "log" (func (param i64)))"#)), ["import"]);
        assert_eq!(codes(&with(r#"(import "arena" "log" (global i32))"#)), ["import"]);
        assert_eq!(codes(&with(r#"(import "env" "abort" (func))"#)), ["import"]);
    }

    #[test]
    fn names_in_errors_are_escaped() {
        let bytes = bot(MEMORY, DECIDE, "");
        drop(bytes);
        let evil = wat::parse_str("(module (import \"a\\1b[2J\" \"b\\n\" (func)))").unwrap();
        let problems = check(&evil, &Limits::default()).unwrap_err();
        assert!(problems.iter().all(|problem| !problem.message.contains(['\u{1b}', '\n'])), "{problems:?}");
    }

    #[test]
    fn every_limit_of_shape_is_kept() {
        let many = |what: &str, count: usize| what.repeat(count);
        let func = |body: &str| bot(MEMORY, DECIDE, &format!("(func {body})"));
        let nested = format!("{}{}", many("block ", 101), many("end ", 101));
        let cases = [
            ("limit:functions", bot(MEMORY, DECIDE, &many("(func)", 10_000))),
            ("limit:globals", bot(MEMORY, DECIDE, &many("(global i32 (i32.const 0))", 1_001))),
            ("limit:segments", bot(MEMORY, DECIDE, &many("(data (i32.const 0) \"\")", 10_001))),
            ("limit:tables", bot(MEMORY, DECIDE, "(table 1 funcref) (table 1 funcref)")),
            ("limit:table", bot(MEMORY, DECIDE, "(table 10001 funcref)")),
            ("limit:parameters", bot(MEMORY, DECIDE, &format!("(type (func (param {})))", many("i32 ", 101)))),
            ("limit:results", bot(MEMORY, DECIDE, &format!("(type (func (result {})))", many("i32 ", 17)))),
            ("limit:locals", func(&format!("(local {})", many("i32 ", 1_001)))),
            ("limit:nesting", func(&nested)),
            ("limit:loops", func(&many("loop end ", 1_001))),
            ("limit:function", func(&many("nop ", 66_000))),
            ("limit:jump_targets", func(&format!("(block (br_table {} (i32.const 0)))", many("0 ", 1_002)))),
            ("limit:memory", bot(r#"(memory (export "memory") 65)"#, DECIDE, "")),
        ];
        for (code, bytes) in cases {
            assert_eq!(codes(&bytes), [code]);
        }
        let exports: String = (0..97).map(|i| format!("(export \"e{i}\" (func 0))")).collect();
        assert_eq!(codes(&bot(MEMORY, DECIDE, &exports)), ["limit:exports"]);
        let types: String = (0..1_001).map(|i| format!("(type (func (param {})))", many("i32 ", i % 90))).collect();
        assert_eq!(codes(&bot(MEMORY, DECIDE, &types)), ["limit:types"]);
    }

    #[test]
    fn the_size_is_checked_first() {
        let limits = Limits { module_bytes: 10, ..Limits::default() };
        let problems = check(&[0xff; 11], &limits).unwrap_err();
        assert_eq!(problems[0].code, "limit:size");
        assert!(problems[0].message.contains("11") && problems[0].message.contains("10"));
    }
}
