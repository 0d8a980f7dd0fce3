//! The static check: one parse, then a file a concern.
//!
//! It finds every problem that can be found before others are fixed, and reports each cause once. It is no defence against
//! slow compiling: no limit on a module's shape is one.

mod contents;
mod exports;
mod foreign;
mod function;
mod functions;
mod imports;
mod segments;

use bot_sdk::abi;
use wasmparser::{TypeRef, Validator, WasmFeatures};

use self::contents::{Contents, Import};
use super::problem::Problem;
use super::{Limits, Metadata, features};
use crate::ids::escaped;

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

/// What can be said of a module without running any of it.
#[derive(Debug, Default)]
pub struct Inspection {
    /// Every problem that can be found before others are fixed; empty for a module that passes.
    pub problems: Vec<Problem>,
    /// What is allowed and most likely not what the bot's author meant.
    pub warnings: Vec<String>,
    /// What the bot says of itself; `None` for a file that is not a module.
    pub metadata: Option<Metadata>,
    /// What it imports, escaped, as `module.name`.
    pub imports: Vec<String>,
    /// Pages of 64 KiB that its memory begins with.
    pub memory_pages: Option<u64>,
    /// Bytes that only debuggers read.
    pub debug_bytes: u64,
    /// How to build the bot without them.
    pub without_debug: &'static str,
}

/// The largest file that is looked into: what is larger than a league may allow is only said to be too large.
pub const MOST_BYTES: u64 = Limits::MOST_MODULE_BYTES;

/// Looks at a module without running any of it.
pub fn inspect(bytes: &[u8], limits: &Limits) -> Inspection {
    let mut problems = Vec::new();
    if let Err(problem) = foreign::check_header(bytes) {
        return Inspection { problems: vec![problem], ..Inspection::default() };
    }
    check_valid(bytes, &mut problems);
    let contents = match Contents::read(bytes) {
        Ok(contents) => contents,
        Err(_) => {
            problems.extend(check_size(bytes.len() as u64, limits));
            return Inspection { problems, ..Inspection::default() };
        }
    };
    let mut metadata = Metadata::default();
    match check_linked(&contents) {
        // What else is wrong with it is so because it is not linked.
        Some(problem) => problems.push(problem),
        None => {
            check_weight(&contents, bytes.len() as u64, limits, &mut problems);
            check_counts(&contents, limits, &mut problems);
            check_memories(&contents, limits, &mut problems);
            check_tables(&contents, limits, &mut problems);
            check_signatures(&contents, limits, &mut problems);
            functions::check(&contents, limits, &mut problems);
            segments::check(&contents, &mut problems);
            imports::check(&contents, &mut problems);
            exports::check(&contents, &mut problems);
            metadata = check_metadata(&contents, &mut problems);
        }
    }
    Inspection {
        problems,
        warnings: exports::warnings(&contents),
        metadata: Some(metadata),
        imports: contents.imports.iter().map(imports::shown).collect(),
        memory_pages: contents.memories.first().map(|memory| memory.initial),
        debug_bytes: contents.debug_bytes,
        without_debug: without_debug(&contents),
    }
}

/// What can be said of a file that is too large to be looked into, by its size and its first bytes.
pub fn inspect_beginning(beginning: &[u8], size: u64, limits: &Limits) -> Inspection {
    let problem = foreign::check_header(beginning).err().or_else(|| check_size(size, limits));
    Inspection { problems: problem.into_iter().collect(), ..Inspection::default() }
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

fn check_size(size: u64, limits: &Limits) -> Option<Problem> {
    let limit = limits.module_bytes;
    let message = format!("the module has {size} bytes, above the limit of {limit} (limits.module_bytes)");
    (size > limit).then(|| Problem::new("limit:size", message))
}

/// The sizes of the module and of its custom sections, which debug information may be the one cause of.
fn check_weight(contents: &Contents<'_>, size: u64, limits: &Limits, problems: &mut Vec<Problem>) {
    let (custom, debug) = (contents.custom_bytes, contents.debug_bytes);
    let too_large = check_size(size, limits);
    let custom_limit = u64::from(limits.custom_bytes);
    let too_much = (custom > custom_limit).then(|| {
        let message = format!(
            "the module has {custom} bytes of custom sections, above the limit of {custom_limit} (limits.custom_bytes)"
        );
        Problem::new("limit:custom", message)
    });
    let is_cause = |rest: u64, limit: u64| debug > 0 && rest.saturating_sub(debug) <= limit;
    let explained = |problem: Problem| {
        let message = format!(
            "{}: {debug} bytes of it are debug information (.debug_*, name), which a bot does not need; {}",
            problem.message,
            without_debug(contents)
        );
        Problem { message, ..problem }
    };
    match (too_large, too_much) {
        // Without it, the module is within both limits.
        (Some(size_problem), Some(_)) if is_cause(size, limits.module_bytes) && is_cause(custom, custom_limit) => {
            problems.push(explained(size_problem));
        }
        (too_large, too_much) => {
            problems.extend(too_large.map(|problem| match is_cause(size, limits.module_bytes) {
                true => explained(problem),
                false => {
                    let (code, data) = (contents.code_bytes, contents.data_bytes);
                    let message = format!(
                        "{}: its code has {code} bytes, its data {data}, its custom sections {custom}",
                        problem.message
                    );
                    Problem { message, ..problem }
                }
            }));
            problems.extend(too_much.map(|problem| match is_cause(custom, custom_limit) {
                true => explained(problem),
                false => problem,
            }));
        }
    }
}

/// How to build without debug information, in the language that the module was made from as far as it says so.
fn without_debug(contents: &Contents<'_>) -> &'static str {
    match contents.language {
        Some("Rust") => "build with --release, and strip = true in [profile.release]",
        Some(language) if language.starts_with('C') => "build without -g, and with -Wl,--strip-all",
        _ => {
            "leave it out (Rust: --release and strip = true; C: without -g, with -Wl,--strip-all; AssemblyScript: without \
             --debug; Zig: -O ReleaseSmall -fstrip)"
        }
    }
}

/// Features that are switched off, with the names by which compilers know them.
const OFF: &[(WasmFeatures, &str)] = &[
    (WasmFeatures::GC_TYPES, "externref and other references that are collected"),
    (WasmFeatures::THREADS, "threads and shared memory"),
    (WasmFeatures::MEMORY64, "64-bit memory (memory64)"),
    (WasmFeatures::MULTI_MEMORY, "several memories"),
    (WasmFeatures::RELAXED_SIMD, "relaxed SIMD"),
    (WasmFeatures::EXCEPTIONS, "exceptions (C++: -fno-exceptions; Rust: panic = \"abort\")"),
    (WasmFeatures::LEGACY_EXCEPTIONS, "exceptions (C++: -fno-exceptions; Rust: panic = \"abort\")"),
    (WasmFeatures::GC, "garbage collection"),
    (WasmFeatures::FUNCTION_REFERENCES, "typed function references"),
    (WasmFeatures::STACK_SWITCHING, "stack switching"),
    (WasmFeatures::WIDE_ARITHMETIC, "wide arithmetic"),
    (WasmFeatures::CUSTOM_PAGE_SIZES, "pages of another size"),
];

/// The module must be valid with the features that there are.
fn check_valid(bytes: &[u8], problems: &mut Vec<Problem>) {
    let validate = |features| Validator::new_with_features(features).validate_all(bytes).map(drop);
    let Err(error) = validate(features::ALLOWED) else { return };
    let (at, message) = (error.offset(), escaped(error.message(), 200));
    let Err(error) = validate(WasmFeatures::all()) else {
        // Those without which it is not valid.
        let used = OFF.iter().filter(|(feature, _)| validate(WasmFeatures::all() - *feature).is_err());
        let names: Vec<_> = used.map(|(_, name)| *name).collect();
        let names = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
        let message = format!("it uses a feature that is switched off{names} (at byte {at}: {message})");
        return problems.push(Problem::new("feature", message));
    };
    let (at, message) = (error.offset(), escaped(error.message(), 200));
    let is_valid = |bytes: &[u8]| Validator::new_with_features(features::ALLOWED).validate_all(bytes).is_ok();
    let why = foreign::damage(bytes, is_valid).map_or(String::new(), |damage| format!("; {damage}"));
    problems.push(Problem::new("malformed", format!("it is malformed or invalid, at byte {at}: {message}{why}")));
}

/// A module that is meant for a linker is not a bot yet.
fn check_linked(contents: &Contents<'_>) -> Option<Problem> {
    let has = |name: &str| contents.custom_sections.contains(&name);
    let what = if has("dylink.0") || has("dylink") {
        "a dynamic library (it has a section dylink); build without -shared and -fPIC"
    } else if has("linking") && (contents.exports.is_empty() || contents.imports.iter().any(is_left_open)) {
        "an object file (it has a section linking); link it: leave out -c or -r, or hand it to wasm-ld"
    } else {
        return None;
    };
    Some(Problem::new("not-linked", format!("the module is {what}")))
}

/// The memory that an object file leaves to the linker. It may export functions all the same, as the bot's source says.
fn is_left_open(import: &Import<'_>) -> bool {
    import.module == "env" && import.name == "__linear_memory"
}

fn check_counts(contents: &Contents<'_>, limits: &Limits, problems: &mut Vec<Problem>) {
    let counts = [
        ("limit:functions", "functions", "functions", contents.functions.len() as u64, limits.functions),
        ("limit:types", "types", "types", contents.types.len() as u64, limits.types),
        ("limit:globals", "globals", "globals", contents.globals.into(), limits.globals),
        ("limit:segments", "data segments", "segments", contents.data_segments.into(), limits.segments),
        ("limit:segments", "element segments", "segments", contents.element_segments.into(), limits.segments),
        ("limit:exports", "exports", "exports", contents.exports.len() as u64, limits.exports),
    ];
    for (code, what, key, count, limit) in counts {
        if count > limit.into() {
            let message = format!("the module has {count} {what}, above the limit of {limit} (limits.{key})");
            problems.push(Problem::new(code, message));
        }
    }
}

fn check_memories(contents: &Contents<'_>, limits: &Limits, problems: &mut Vec<Problem>) {
    // More than one is a feature that is switched off.
    let Some(memory) = contents.memories.first() else { return };
    if memory.initial > limits.memory_pages.into() {
        let message = format!(
            "the memory begins with {} pages of 64 KiB, above the limit of {} (limits.memory_pages)",
            memory.initial, limits.memory_pages
        );
        problems.push(Problem::new("limit:memory", message));
    }
}

fn check_tables(contents: &Contents<'_>, limits: &Limits, problems: &mut Vec<Problem>) {
    let tables =
        contents.tables.len() - contents.imports.iter().filter(|it| matches!(it.kind, TypeRef::Table(_))).count();
    if tables > 1 {
        let message = format!("the module has {tables} tables; one is allowed");
        problems.push(Problem::new("limit:tables", message));
    }
    if let Some(most) = contents.tables.iter().map(|table| table.initial).max()
        && most > limits.table_elements.into()
    {
        let limit = limits.table_elements;
        let message =
            format!("the table begins with {most} elements, above the limit of {limit} (limits.table_elements)");
        problems.push(Problem::new("limit:table", message));
    }
}

fn check_signatures(contents: &Contents<'_>, limits: &Limits, problems: &mut Vec<Problem>) {
    let types = || contents.types.iter().flatten();
    let parameters = types().map(|function| function.params().len()).max().unwrap_or(0);
    let results = types().map(|function| function.results().len()).max().unwrap_or(0);
    let most = [
        ("limit:parameters", "parameters", parameters, limits.parameters),
        ("limit:results", "results", results, limits.results),
    ];
    for (code, what, count, limit) in most {
        if count as u64 > limit.into() {
            let message = format!("a function type has {count} {what}, above the limit of {limit} (limits.{what})");
            problems.push(Problem::new(code, message));
        }
    }
}

fn check_metadata(contents: &Contents<'_>, problems: &mut Vec<Problem>) -> Metadata {
    match contents.metadata.as_slice() {
        [] => Metadata::default(),
        [section] => {
            let (metadata, wrong) = Metadata::read(section);
            let problem = |reason| Problem::new("metadata", format!("the section {}: {reason}", abi::METADATA_SECTION));
            problems.extend(wrong.into_iter().map(problem));
            metadata
        }
        sections => {
            let message = format!("there are {} sections {}; one is allowed", sections.len(), abi::METADATA_SECTION);
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
        let evil = wat::parse_str("(module (import \"a\\1b[2J\" \"b\\n\" (func)))").unwrap();
        let problems = check(&evil, &Limits::default()).unwrap_err();
        assert!(problems.iter().all(|problem| !problem.message.contains(['\u{1b}', '\n'])), "{problems:?}");
    }

    #[test]
    fn every_limit_of_shape_is_kept() {
        let many = |what: &str, count: usize| what.repeat(count);
        let func = |body: &str| bot(MEMORY, DECIDE, &format!("(func {body})"));
        let nested = format!("{}{}", many("block ", 1_001), many("end ", 1_001));
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

    /// Everything that is wrong with a module, in one text.
    fn told(bytes: &[u8], limits: &Limits) -> (Vec<&'static str>, String) {
        let problems = inspect(bytes, limits).problems;
        let text: Vec<_> = problems.iter().map(Problem::to_string).collect();
        (problems.iter().map(|problem| problem.code).collect(), text.join("\n"))
    }

    #[track_caller]
    fn says(bytes: &[u8], codes: &[&str], words: &[&str]) {
        let (found, text) = told(bytes, &Limits::default());
        assert_eq!(found, codes, "{text}");
        for word in words {
            assert!(text.contains(word), "{word}: {text}");
        }
    }

    fn module(text: &str) -> Vec<u8> {
        wat::parse_str(format!("(module {text})")).unwrap()
    }

    #[test]
    fn the_size_is_one_problem_among_the_others() {
        let limits = Limits { module_bytes: 10, ..Limits::default() };
        let bytes = bot("(memory 100)", r#"(func (export "arena_decide") (param i64))"#, "");
        let (codes, text) = told(&bytes, &limits);
        assert_eq!(codes, ["limit:size", "limit:memory", "abi:missing", "abi:type"]);
        assert!(
            text.contains(&format!("has {} bytes, above the limit of 10 (limits.module_bytes)", bytes.len())),
            "{text}"
        );
        assert!(text.contains("its code has "), "{text}");
        // What is not a module has no size that matters, and what is too large to be looked into has no more than that.
        assert_eq!(told(&[0xff; 11], &limits).0, ["not-wasm"]);
        let beginning = |bytes: &[u8]| inspect_beginning(bytes, 1 << 30, &limits).problems[0].code;
        assert_eq!([beginning(&bytes), beginning(b"\x7fELF")], ["limit:size", "not-wasm"]);
    }

    #[test]
    fn debug_information_is_one_cause_whatever_limits_it_breaks() {
        let debug = format!("(@custom \".debug_info\" \"{}\")", "x".repeat(2_000));
        let bytes = bot(MEMORY, DECIDE, &debug);
        let limits = |module_bytes, custom_bytes| Limits { module_bytes, custom_bytes, ..Limits::default() };
        for (limits, code) in [
            (limits(1_000, 1_000), "limit:size"),
            (limits(1_000, 9_000), "limit:size"),
            (limits(9_000, 1_000), "limit:custom"),
        ] {
            let (codes, text) = told(&bytes, &limits);
            assert_eq!(codes, [code], "{text}");
            assert!(text.contains("2011 bytes of it are debug information"), "{text}");
            assert!(text.contains("C: without -g, with -Wl,--strip-all"), "{text}");
        }
        assert_eq!(told(&bytes, &limits(9_000, 9_000)).0, [""; 0]);
        assert_eq!(inspect(&bytes, &limits(9_000, 9_000)).debug_bytes, 2011);
        // Without it the module is too large as well.
        let (codes, text) = told(&bytes, &limits(100, 1_000));
        assert_eq!(codes, ["limit:size", "limit:custom"]);
        assert!(text.lines().next().unwrap().contains("its code has"), "{text}");
    }

    #[test]
    fn how_to_leave_debug_information_out_is_said_for_the_modules_own_language() {
        // Fields: one, `language`, with one value and its version.
        let producers = |language: &str| {
            let (length, text) = (format!("\\{:02x}", language.len()), language);
            let fields = format!("\\01\\08language\\01{length}{text}\\00");
            bot(MEMORY, DECIDE, &format!("(@custom \".debug_info\" \"x\") (@custom \"producers\" \"{fields}\")"))
        };
        let how = |language: &str| inspect(&producers(language), &Limits::default()).without_debug;
        assert!(how("Rust").contains("strip = true") && !how("Rust").contains("-Wl"));
        assert!(how("C11").contains("-Wl,--strip-all") && !how("C11").contains("Rust"));
        assert!(how("Pascal").contains("Zig"));
    }

    #[test]
    fn a_limit_on_functions_names_the_worst_its_measure_and_the_key() {
        let nested =
            |name: &str, depth: usize| format!("(func {name} {}{})", "block ".repeat(depth), "end ".repeat(depth));
        let more = [nested("(export \"deep\")", 1_203), nested("", 1_100), nested("", 5)].concat();
        let words = [
            "function 3 `deep` has 1203 levels of blocks in one another, above the limit of 1000 (limits.nesting) (as has 1 \
             other function): a large switch or match",
        ];
        says(&bot(MEMORY, DECIDE, &more), &["limit:nesting"], &words);
        // The name section serves where there is no export.
        says(&bot(MEMORY, DECIDE, &nested("$quiet", 1_001)), &["limit:nesting"], &["function 3 `quiet` has 1001"]);
        let both =
            format!("(func $many (local {}) {}{})", "i32 ".repeat(1_001), "loop ".repeat(1_001), "end ".repeat(1_001));
        says(
            &bot(MEMORY, DECIDE, &both),
            &["limit:locals", "limit:nesting", "limit:loops"],
            &["function 3 `many` has 1001 loops"],
        );
    }

    #[test]
    fn a_segment_that_does_not_fit_is_named() {
        let segments = r#"(data (i32.const 0) "x") (data (i32.const 65530) "0123456789")"#;
        let words = [
            "data segment 1 does not fit: it puts 10 bytes at 65530, and the memory begins with 65536 bytes (1 page of",
        ];
        says(&bot(MEMORY, DECIDE, segments), &["segment"], &words);
        let elements = "(table 2 funcref) (elem (i32.const 1) 0 0)";
        let words = ["element segment 0 does not fit: it puts 2 elements at 1, and the table begins with 2 elements"];
        says(&bot(MEMORY, DECIDE, elements), &["segment"], &words);
        let computed = r#"(data (i32.add (i32.const 65000) (i32.const 535)) "ab")
                          (data (i32.const -1) "") (data "passive")"#;
        says(&bot(MEMORY, DECIDE, computed), &["segment"], &["data segment 0", "at 65535", "nor does 1 other"]);
        let fits = r#"(data (i32.const 65526) "0123456789") (data (i32.const 65536) "") (table 2 funcref) (elem (i32.const 0) 0 0)"#;
        assert_eq!(codes(&bot(MEMORY, DECIDE, fits)), [""; 0]);
    }

    #[test]
    fn imports_of_one_tool_are_one_problem_that_says_what_to_do() {
        let import = |module: &str, name: &str| format!("(import \"{module}\" \"{name}\" (func))");
        let with = |imports: &str| {
            module(&format!(
                r#"{imports} {MEMORY} (func (export "arena_abi") (result i32) (i32.const 1))
                   (func (export "arena_init") (param i32 i32 i64) (result i32) (i32.const 1024)) {DECIDE}"#
            ))
        };
        let many: String = (0..87).map(|i| import("wasi_snapshot_preview1", &format!("f{i}"))).collect();
        says(
            &with(&many),
            &["import"],
            &["87 imports are not known (wasi_snapshot_preview1.f0, ", " and 83 more)", "WASI"],
        );
        let wasi = import("wasi_snapshot_preview1", "fd_write");
        let cases = [
            (import("gojs", "runtime.wasmExit") + &wasi, "TinyGo"),
            (import("wbg", "__wbg_log_1") + &import("__wbindgen_placeholder__", "x"), "wasm-bindgen"),
            (import("env", "emscripten_memcpy_js") + &import("env", "abort") + &wasi, "Emscripten"),
            (import("a", "b") + &import("a", "c"), "Emscripten"),
            (
                r#"(import "env" "abort" (func (param i32 i32 i32 i32)))"#.to_owned() + &import("env", "seed"),
                "--use abort=",
            ),
            (import("env", "malloc") + &import("env", "abort"), "no C library"),
            (import("foo", "bar"), "no other environment"),
            (r#"(import "env" "__indirect_function_table" (table 1 funcref))"#.to_owned(), "--import-table"),
        ];
        for (imports, words) in cases {
            says(&with(&imports), &["import"], &[words, "only arena.log (i32, i32) -> () may be imported"]);
        }
        says(&with(&(import("env", "sqrt") + &wasi)), &["import", "import"], &["no C library", "WASI"]);
    }

    #[test]
    fn what_is_exported_in_place_of_the_interface_is_said() {
        let exports = |names: [&str; 3]| {
            module(&format!(
                r#"{MEMORY} (func (export "{}") (result i32) (i32.const 1))
                   (func (export "{}") (param i32 i32 i64) (result i32) (i32.const 1024))
                   (func (export "{}") (param i32 i32) (result i64) (i64.const 1))"#,
                names[0], names[1], names[2]
            ))
        };
        let cpp = exports(["_Z9arena_abiv", "_Z10arena_initjjy", "_Z12arena_decidejj"]);
        let words = [
            "the exports arena_abi, arena_init, arena_decide are missing: C++ exports _Z9arena_abiv, ",
            "extern \"C\"",
        ];
        says(&cpp, &["abi:missing"], &words);
        let rust = ["_ZN3bot9arena_abi17h0123E", "_ZN3bot10arena_init17h0123E", "_ZN3bot12arena_decide17h0123E"];
        says(&exports(rust), &["abi:missing"], &["Rust exports _ZN3bot9arena_abi17h0123E, ", "no_mangle"]);
        says(&exports(["arenaAbi", "arena-init", "_arena_decide"]), &["abi:missing"], &["spell it as arena does"]);
        says(
            &exports(["a", "b", "arena_decide"]),
            &["abi:missing"],
            &["arena_abi () -> i32, arena_init (i32, i32, i64) -> i32"],
        );
        let hidden = module(&format!("{MEMORY} {DECIDE} (func $arena_abi) (func $arena_init)"));
        says(&hidden, &["abi:missing"], &["does not export them"]);
    }

    #[test]
    fn a_memory_elsewhere_is_found() {
        let with = |memory: &str| bot(memory, DECIDE, "");
        says(&with(r#"(memory (export "mem") 1)"#), &["abi:missing"], &["exported as `mem`; export it as `memory`"]);
        says(&with("(memory 1)"), &["abi:missing"], &["does not export it"]);
        let import = r#"(import "env" "memory" (memory 1))"#;
        says(&with(import), &["import"], &["env.memory", "without --import-memory"]);
        says(&with(&format!(r#"{import} (export "memory" (memory 0))"#)), &["import"], &["--import-memory"]);
        says(
            &bot(r#"(global (export "memory") i32 (i32.const 0))"#, DECIDE, ""),
            &["abi:type"],
            &["memory is a global"],
        );
    }

    #[test]
    fn what_is_not_linked_is_one_problem() {
        let object = module(
            r#"(import "env" "__linear_memory" (memory 0)) (func) (@custom "linking" "\02") (@custom "reloc.CODE" "")"#,
        );
        says(&object, &["not-linked"], &["object file", "leave out -c"]);
        says(
            &module(r#"(@custom "dylink.0" "") (import "env" "memory" (memory 0))"#),
            &["not-linked"],
            &["dynamic library"],
        );
        let exporting =
            r#"(import "env" "__linear_memory" (memory 0)) (func (export "arena_abi")) (@custom "linking" "\02")"#;
        says(&module(exporting), &["not-linked"], &["object file"]);
        // A linked module may keep both sections (`--emit-relocs`).
        assert_eq!(codes(&bot(MEMORY, DECIDE, r#"(@custom "linking" "\02") (@custom "reloc.CODE" "")"#)), [""; 0]);
    }

    #[test]
    fn features_that_are_switched_off_are_named_beside_the_other_problems() {
        let bytes = bot("(memory i64 1)", "(tag) (func (throw 0))", "");
        let words = ["64-bit memory (memory64), exceptions (C++: -fno-exceptions", "at byte "];
        says(&bytes, &["feature", "abi:missing", "abi:missing"], &words);
    }

    #[test]
    fn what_is_never_called_or_called_too_often_is_warned_of() {
        let warnings = |bytes: &[u8]| inspect(bytes, &Limits::default()).warnings.join("\n");
        let start = |body: &str| {
            bot(MEMORY, DECIDE, &format!("(global $g (mut i32) (i32.const 0)) (func (export \"_start\") {body})"))
        };
        assert!(warnings(&start("(global.set $g (i32.const 1))")).contains("exports _start, which arena never calls"));
        // It is there to please the linker.
        assert_eq!(warnings(&start("")), "");
        let wrapped = |abi: &str, more: &str| {
            module(&format!(
                r#"{MEMORY} (func $ctors) (func (export "arena_abi") (result i32) {abi} (i32.const 1))
                   (func (export "arena_init") (param i32 i32 i64) (result i32) (call $ctors) (i32.const 1024))
                   (func (export "arena_decide") (param i32 i32) (result i64) (call $ctors) (i64.const 1)) {more}"#
            ))
        };
        assert!(warnings(&wrapped("(call $ctors)", "")).contains("constructors run again before every call"));
        assert_eq!(warnings(&wrapped("", "")), "");
    }

    #[test]
    fn a_name_with_other_letters_says_which_are_allowed() {
        let bytes = bot(MEMORY, DECIDE, r#"(@custom "arena.bot" "{\"name\":\"Zoë\"}")"#);
        says(&bytes, &["metadata"], &["only a to z, A to Z, digits"]);
    }
}
