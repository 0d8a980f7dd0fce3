//! Exports: what arena calls must be there, under its name and with its type. What is there instead shows what to do.

use bot_sdk::abi;
use wasmparser::{ExternalKind, FuncType, TypeRef, ValType};

use super::contents::{Contents, Export};
use crate::ids::escaped;
use crate::sandbox::problem::Problem;

/// A function that arena calls.
struct Wanted {
    name: &'static str,
    needed: bool,
    params: &'static [ValType],
    results: &'static [ValType],
}

const FUNCTIONS: [Wanted; 4] = {
    use ValType::{I32, I64};
    [
        Wanted { name: abi::EXPORT_ABI, needed: true, params: &[], results: &[I32] },
        Wanted { name: abi::EXPORT_INITIALIZE, needed: false, params: &[], results: &[] },
        Wanted { name: abi::EXPORT_INIT, needed: true, params: &[I32, I32, I64], results: &[I32] },
        Wanted { name: abi::EXPORT_DECIDE, needed: true, params: &[I32, I32], results: &[I64] },
    ]
};

pub(super) fn check(contents: &Contents<'_>, problems: &mut Vec<Problem>) {
    check_memory(contents, problems);
    let find = |name| contents.exports.iter().find(|export| export.name == name);
    let mut missing = Vec::new();
    for wanted in FUNCTIONS {
        let Wanted { name, needed, params, results } = wanted;
        let type_ = show_types(params, results);
        match find(name) {
            None if needed => missing.push(wanted),
            None => {}
            Some(Export { kind: ExternalKind::Func, index, .. }) => {
                let found = contents.signature(*index);
                if found.is_none_or(|found| found.params() != params || found.results() != results) {
                    let found = found.map_or("unknown".into(), show);
                    let message = format!("the export {name} has the type {found}; expected {type_}");
                    problems.push(Problem::new("abi:type", message));
                }
            }
            Some(Export { kind, .. }) => {
                let message = format!("the export {name} is {}; expected a function {type_}", kind_of(*kind));
                problems.push(Problem::new("abi:type", message));
            }
        }
    }
    report_missing(contents, missing, problems);
}

fn check_memory(contents: &Contents<'_>, problems: &mut Vec<Problem>) {
    let mut say = |code, message: String| problems.push(Problem::new(code, message));
    match contents.exports.iter().find(|export| export.name == abi::EXPORT_MEMORY) {
        Some(Export { kind: ExternalKind::Memory, .. }) => return,
        Some(Export { kind, .. }) => {
            return say("abi:type", format!("the export memory is {}; expected the module's memory", kind_of(*kind)));
        }
        None => {}
    }
    let other = contents.exports.iter().find(|export| export.kind == ExternalKind::Memory);
    let imported = contents.imports.iter().any(|import| matches!(import.kind, TypeRef::Memory(_)));
    let instead = match other {
        Some(other) => format!("the memory is exported as `{}`; export it as `memory`", escaped(other.name, 60)),
        // Told as an import, with what to do.
        None if imported => return,
        None if contents.memories.is_empty() => "the module's one memory, 32-bit and not shared".into(),
        None => "the module has a memory and does not export it; wasm-ld and asc do by themselves (without \
                 --import-memory, --noExportMemory)"
            .into(),
    };
    say("abi:missing", format!("the export memory is missing: {instead}"));
}

/// Why a function of the interface is not exported.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    /// Under a name that a compiler of this language made of it.
    Mangled(&'static str),
    /// Under a name that differs in spelling.
    Spelled,
    /// It is there, and not exported.
    Hidden,
    Unknown,
}

/// A function that is not exported under its name.
struct Missing {
    wanted: Wanted,
    why: Why,
    /// What is exported in its place.
    instead: Option<String>,
}

/// One problem a cause, however many functions are missing for it.
fn report_missing(contents: &Contents<'_>, missing: Vec<Wanted>, problems: &mut Vec<Problem>) {
    let explained = |wanted: Wanted| {
        let (why, instead) = why(contents, wanted.name);
        Missing { wanted, why, instead }
    };
    let mut rest: Vec<_> = missing.into_iter().map(explained).collect();
    while let Some(why) = rest.first().map(|first| first.why) {
        let functions: Vec<_> = rest.extract_if(.., |missing| missing.why == why).collect();
        let names: Vec<_> = functions.iter().map(|missing| missing.wanted.name).collect();
        let subject = match names.as_slice() {
            [one] => format!("the export {one} is missing"),
            _ => format!("the exports {} are missing", names.join(", ")),
        };
        let instead: Vec<_> = functions.iter().filter_map(|missing| missing.instead.as_deref()).collect();
        let instead = instead.join(", ");
        let advice = match why {
            Why::Mangled("C++") => format!("C++ exports {instead}; declare the functions `extern \"C\"`"),
            Why::Mangled(_) => format!("Rust exports {instead}; put `#[unsafe(no_mangle)]` above the functions"),
            Why::Spelled => format!("the module exports {instead}; spell it as arena does"),
            Why::Hidden => {
                "the module has such functions and does not export them (C: `__attribute__((export_name(\"…\")))`, \
                            Rust: `#[unsafe(no_mangle)] pub extern \"C\"`, Zig: `export`)"
                    .into()
            }
            Why::Unknown => {
                let types = functions.iter().map(|Missing { wanted, .. }| {
                    let type_ = show_types(wanted.params, wanted.results);
                    if functions.len() > 1 { format!("{} {type_}", wanted.name) } else { format!("a function {type_}") }
                });
                types.collect::<Vec<_>>().join(", ")
            }
        };
        problems.push(Problem::new("abi:missing", format!("{subject}: {advice}")));
    }
}

/// Why an export is missing, and what there is instead of it.
fn why(contents: &Contents<'_>, name: &str) -> (Why, Option<String>) {
    let exported = contents.exports.iter().filter(|export| export.kind == ExternalKind::Func);
    let shown = |name: &str| Some(escaped(name, 60));
    for export in exported.clone().filter(|export| export.name.contains(name)) {
        let language = match export.name {
            rust if rust.starts_with("_R") || rust.starts_with("_ZN") && rust.ends_with('E') => "Rust",
            cpp if cpp.starts_with("_Z") => "C++",
            _ => continue,
        };
        return (Why::Mangled(language), shown(export.name));
    }
    let plain =
        |name: &str| name.chars().filter(|c| c.is_ascii_alphanumeric()).collect::<String>().to_ascii_lowercase();
    if let Some(export) = exported.clone().find(|export| plain(export.name) == plain(name)) {
        return (Why::Spelled, shown(export.name));
    }
    match contents.names.iter().any(|(_, known)| *known == name) {
        true => (Why::Hidden, None),
        false => (Why::Unknown, None),
    }
}

/// What is allowed and most likely not what the bot's author meant.
pub(super) fn warnings(contents: &Contents<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    let functions = || contents.exports.iter().filter(|export| export.kind == ExternalKind::Func);
    let of = |name: &str| functions().find(|export| export.name == name).and_then(|export| contents.body(export.index));
    for name in ["_start", "main"] {
        if of(name).is_some_and(|function| !function.is_empty) {
            warnings.push(format!(
                "it exports {name}, which arena never calls: what must run before `{}` belongs in `{}` or, once for each \
                 instance, in `{}`; without {name} in the program, link with --no-entry",
                abi::EXPORT_DECIDE,
                abi::EXPORT_INIT,
                abi::EXPORT_INITIALIZE
            ));
        }
    }
    // wasm-ld has every export call the constructors first if nothing else does.
    let called = FUNCTIONS.iter().filter(|wanted| wanted.needed).map(|wanted| of(wanted.name)?.first_call);
    let called: Vec<_> = called.collect();
    if let [Some(first), rest @ ..] = called.as_slice()
        && rest.iter().all(|other| other.as_ref() == Some(first))
        && contents.signature(*first).is_some_and(|f| f.params().is_empty() && f.results().is_empty())
    {
        warnings.push(format!(
            "its constructors run again before every call, also before each decision, and undo what it remembers: the linker \
             adds that if nothing calls them; export `{}`, and call `__wasm_call_ctors` in it (arena.h does)",
            abi::EXPORT_INITIALIZE
        ));
    }
    warnings
}

fn kind_of(kind: ExternalKind) -> &'static str {
    match kind {
        ExternalKind::Func | ExternalKind::FuncExact => "a function",
        ExternalKind::Table => "a table",
        ExternalKind::Memory => "a memory",
        ExternalKind::Global => "a global",
        ExternalKind::Tag => "a tag",
    }
}

/// A function's type as text.
pub(super) fn show(function: &FuncType) -> String {
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
