//! Ordinary programs, as their authors write them, play: a switch of 150 cases, a table-driven parser, a book of 100 KB,
//! recursion, floats, a log where the program begins. Each does the same in its language and logs what came of it.

use std::path::{Path, PathBuf};

use crate::harness::{Scratch, arena, repository};
use crate::new::{build_with, commands, missing_for_c, new_bot, skipped};

/// What each of them makes of the same arms, the same book and the same expression.
const TOTAL: &str = "total 2689078053";

/// A book of 100 KB that no compiler makes smaller.
fn book() -> Vec<u8> {
    let mut state = 1u32;
    (0..100 * 1024)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect()
}

/// The source with its 150 arms.
fn with_arms(source: &str) -> String {
    let mut whole = String::new();
    for line in source.lines() {
        match line.trim_start().strip_prefix("// ARMS ") {
            None => whole += &format!("{line}\n"),
            Some(arm) => {
                for i in 0..150u32 {
                    let numbers = [("{i}", i), ("{a}", 2 * i + 1), ("{b}", 7919 * i)];
                    let arm = numbers.iter().fold(arm.to_owned(), |arm, (name, n)| arm.replace(name, &n.to_string()));
                    whole += &format!("{arm}\n");
                }
            }
        }
    }
    whole
}

/// Writes the ordinary program of a language into a folder that `arena new` made.
fn write(project: &Path, source: &str, place: &str) {
    let text = std::fs::read_to_string(repository().join("tests/ordinary").join(source)).expect("a source");
    std::fs::write(project.join(place), with_arms(&text)).expect("a source");
    let book = book();
    let list: Vec<_> = book.iter().map(u8::to_string).collect();
    let list = list.join(",");
    std::fs::write(project.join("book.bin"), &book).expect("a book");
    std::fs::write(project.join("book.h"), format!("static const uint8_t book[] = {{{list}}};\n")).expect("a book");
    let data =
        format!("export const BOOK = memory.data<u8>([{list}]);\nexport const BOOK_LENGTH: usize = {};\n", book.len());
    std::fs::write(project.join("book.ts"), data).expect("a book");
}

/// It is accepted without a warning, plays legally, and begins once for each instance.
fn plays(module: &Path) {
    let size = std::fs::metadata(module).expect("a module").len();
    assert!(size > 100 * 1024, "the book is in it: {size}");
    let checked = arena(["check".as_ref(), module.as_os_str(), "--strict".as_ref()]).expect(0).out;
    assert!(checked.ends_with(": ready to submit\n"), "{checked}");
    assert!(!checked.contains("warning") && !checked.contains("problem"), "{checked}");
    let played = arena(["play".as_ref(), module.as_os_str(), module.as_os_str(), "--json".as_ref()]).expect(0).out;
    let events: Vec<serde_json::Value> = played.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(events.iter().all(|event| event["fault"].is_null()), "{played}");
    let logged: Vec<_> = events.iter().filter_map(|event| event["text"].as_str()).collect();
    let mut wanted = ["constructed", TOTAL].repeat(2);
    let mut found = logged.clone();
    wanted.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, wanted, "{logged:?}");
}

/// In a folder where a bot in Rust was built, so that the SDK is compiled already.
pub fn an_ordinary_program_in_rust_plays(project: &Path) {
    write(project, "bot.rs", "src/lib.rs");
    build_with(project, "bash build.sh");
    plays(&project.join("bot.wasm"));
}

#[test]
fn an_ordinary_program_in_c_plays() {
    if skipped("c", missing_for_c()) {
        return;
    }
    let scratch = Scratch::new();
    let project = scratch.path("ordinary");
    new_bot(&project, "c");
    write(&project, "bot.c", "bot.c");
    build_with(&project, &commands(&scratch.read("ordinary/README.md")));
    plays(&project.join("bot.wasm"));
}

/// Where `example-bots/languages/build.sh` has put a language's compiler.
fn compiler(language: &str, folder: &str) -> Option<PathBuf> {
    Some(repository().join("target/languages").join(language).join(folder)).filter(|folder| folder.is_dir())
}

/// With the compiler that is there, instead of another copy of it: what the README says but for the lines that fetch it.
#[cfg(unix)]
fn with_compiler(language: &str, folder: &str, source: &str, fetches: &[&str]) {
    let compiler = compiler(language, folder);
    if skipped(language, compiler.is_none().then_some("compiler in target/languages")) {
        return;
    }
    let Some(compiler) = compiler else { return };
    let scratch = Scratch::new();
    let project = scratch.path("ordinary");
    new_bot(&project, language);
    write(&project, source, source);
    std::os::unix::fs::symlink(compiler, project.join(folder)).expect("a link");
    let all = commands(&scratch.read("ordinary/README.md"));
    let build: Vec<_> = all.lines().filter(|line| !fetches.iter().any(|fetch| line.starts_with(fetch))).collect();
    build_with(&project, &build.join("\n"));
    plays(&project.join("bot.wasm"));
}

#[cfg(unix)]
#[test]
fn an_ordinary_program_in_assemblyscript_plays() {
    with_compiler("assemblyscript", "node_modules", "bot.ts", &["npm ci"]);
}

#[cfg(unix)]
#[test]
fn an_ordinary_program_in_zig_plays() {
    with_compiler("zig", ".venv", "bot.zig", &["python3 -m venv", ".venv/bin/pip"]);
}
