//! Imports: the log and nothing else. What else is imported shows which tool made the module, and so what to do.

use bot_sdk::abi;
use wasmparser::{TypeRef, ValType};

use super::contents::{Contents, Import};
use super::exports::show;
use crate::ids::escaped;
use crate::sandbox::problem::Problem;

/// The one import that there is.
const ALLOWED: &str = "only arena.log (i32, i32) -> () may be imported";

/// Why a module imports what it may not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    Go,
    Bindgen,
    Emscripten,
    AssemblyScript,
    Wasi,
    Memory,
    Table,
    Undefined,
    Unknown,
}

impl Cause {
    /// In the order in which they are reported.
    const ALL: [Cause; 9] = [
        Cause::Go,
        Cause::Bindgen,
        Cause::Emscripten,
        Cause::AssemblyScript,
        Cause::Wasi,
        Cause::Memory,
        Cause::Table,
        Cause::Undefined,
        Cause::Unknown,
    ];

    /// What it means and what to do, said of one import or of several.
    fn advice(self) -> &'static str {
        match self {
            Cause::Go => {
                "Go's compiler builds for JavaScript or WASI, which bots do not have; TinyGo builds without them \
                 (-target=wasm-unknown)"
            }
            Cause::Bindgen => {
                "wasm-bindgen makes modules for JavaScript, which bots do not have; build with cargo alone, without crates \
                 that depend on wasm-bindgen"
            }
            Cause::Emscripten => {
                "Emscripten makes modules for JavaScript, which bots do not have; build with clang and arena.h (`arena new \
                 --lang c`)"
            }
            Cause::AssemblyScript => {
                "AssemblyScript's own environment is not there; compile with `--use abort=`, and take random numbers and \
                 the log from arena.ts (`arena new --lang assemblyscript`)"
            }
            Cause::Wasi => {
                "build for a target without WASI, such as wasm32-unknown-unknown (Rust), wasm32 with -nostdlib (C) or \
                 wasm32-freestanding (Zig): bots have no files, no clock and no standard output"
            }
            Cause::Memory => {
                "a bot has its own memory and exports it as `memory`; link without --import-memory (AssemblyScript: without \
                 --importMemory)"
            }
            Cause::Table => {
                "a bot has its own table; link without --import-table (AssemblyScript: without --importTable)"
            }
            Cause::Undefined => {
                "the program uses what it does not define: there is no C library and no other environment; define it, or \
                 do without"
            }
            Cause::Unknown => "a bot has no other environment",
        }
    }
}

pub(super) fn check(contents: &Contents<'_>, problems: &mut Vec<Problem>) {
    use ValType::I32;
    let (log, others): (Vec<_>, Vec<_>) = contents
        .imports
        .iter()
        .partition(|import| import.module == abi::IMPORT_MODULE && import.name == abi::IMPORT_LOG);
    for import in log {
        let signature = match import.kind {
            TypeRef::Func(index) => contents.types.get(index as usize).and_then(Option::as_ref),
            _ => None,
        };
        if signature.is_none_or(|f| f.params() != [I32, I32] || !f.results().is_empty()) {
            let found =
                signature.map_or("not a function".into(), |signature| format!("of the type {}", show(signature)));
            problems.push(Problem::new("import", format!("the import arena.log is {found}; {ALLOWED}")));
        }
    }
    let tools = Tools::of(contents);
    for each in Cause::ALL {
        let names: Vec<_> =
            others.iter().filter(|import| tools.cause(import) == each).map(|import| shown(import)).collect();
        if !names.is_empty() {
            let subject = match names.as_slice() {
                [one] => format!("the import {one} is not known"),
                _ => format!("{} imports are not known ({})", names.len(), some(&names)),
            };
            problems.push(Problem::new("import", format!("{subject}: {ALLOWED}; {}", each.advice())));
        }
    }
}

/// An import as messages name it.
pub(super) fn shown(import: &Import<'_>) -> String {
    format!("{}.{}", escaped(import.module, 60), escaped(import.name, 60))
}

/// The first names of a list, and how many more there are.
fn some(names: &[String]) -> String {
    const MOST: usize = 4;
    let more = match names.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    names[..names.len().min(MOST)].join(", ") + &more
}

/// Tools that import from several modules, each of which is one cause.
struct Tools {
    go: bool,
    emscripten: bool,
    assemblyscript: bool,
}

impl Tools {
    fn of(contents: &Contents<'_>) -> Tools {
        let any = |is: &dyn Fn(&Import<'_>) -> bool| contents.imports.iter().any(is);
        let is_abort = |import: &Import<'_>| match import.kind {
            TypeRef::Func(index) if import.module == "env" && import.name == "abort" => {
                let signature = contents.types.get(index as usize).and_then(Option::as_ref);
                signature.is_some_and(|signature| signature.params() == [ValType::I32; 4])
            }
            _ => false,
        };
        Tools {
            go: any(&|import| matches!(import.module, "go" | "gojs")),
            emscripten: any(&is_emscripten),
            assemblyscript: any(&is_abort),
        }
    }

    /// The cause of one import.
    fn cause(&self, import: &Import<'_>) -> Cause {
        match import.module {
            "go" | "gojs" => Cause::Go,
            module if module.starts_with("wasi") => match self {
                Tools { go: true, .. } => Cause::Go,
                Tools { emscripten: true, .. } => Cause::Emscripten,
                _ => Cause::Wasi,
            },
            _ if is_bindgen(import) => Cause::Bindgen,
            "env" | "a" if self.emscripten => Cause::Emscripten,
            _ => match import.kind {
                TypeRef::Memory(_) => Cause::Memory,
                TypeRef::Table(_) => Cause::Table,
                TypeRef::Func(_) if import.module == "env" && self.assemblyscript => Cause::AssemblyScript,
                _ if import.module == "env" || import.module.starts_with("GOT.") => Cause::Undefined,
                _ => Cause::Unknown,
            },
        }
    }
}

fn is_bindgen(import: &Import<'_>) -> bool {
    import.module == "wbg" || import.module.starts_with("__wbindgen_") || import.module.ends_with("_bg.js")
}

fn is_emscripten(import: &Import<'_>) -> bool {
    const BEGINNINGS: [&str; 6] =
        ["emscripten_", "_emscripten_", "__emscripten_", "invoke_", "__syscall_", "__cxa_throw"];
    // Its optimiser shortens the names of all imports.
    let shortened = import.module == "a" && import.name.len() <= 2;
    shortened || import.module == "env" && BEGINNINGS.iter().any(|beginning| import.name.starts_with(beginning))
}
