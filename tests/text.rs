//! Text that comes from a bot or a file's name reaches terminal and files only escaped or refused.

use crate::harness::{Scratch, arena, bot};

/// What a terminal, a spreadsheet or a page would act on.
const NASTY: &[&str] = &[
    "\u{1b}[2J\u{1b}[31mred",
    "line\nbreak",
    "tab\tand\r",
    "\u{7}bell",
    "\u{9b}31m",
    "\u{202e}turned",
    "zero\u{200b}width",
    "\u{feff}mark",
    "tag\u{e0041}",
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "a,b\"c\"",
    "../../etc/passwd",
    "\u{7f}",
];

/// Nothing in it may move a cursor or hide.
#[track_caller]
fn assert_plain(text: &str, what: &str) {
    let bad = text.chars().find(|&c| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
                | '\u{ad}' | '\u{61c}' | '\u{e0000}'..='\u{e0fff}')
    });
    assert!(bad.is_none(), "{what} has {bad:?}:\n{}", text.escape_debug());
}

fn wat_bytes(text: &str) -> String {
    text.bytes().map(|byte| format!("\\{byte:02x}")).collect()
}

/// A bot with a section of metadata, an export and a log line of this text.
fn chatty(metadata: &str, text: &str) -> Vec<u8> {
    wat::parse_str(format!(
        r#"(module
            (@custom "arena.bot" "{}")
            (import "arena" "log" (func $log (param i32 i32)))
            (memory (export "memory") 1) (data (i32.const 0) "{text}")
            (func (export "{text}"))
            (func (export "arena_abi") (result i32) (i32.const 1))
            (func (export "arena_init") (param i32 i32 i64) (result i32) (i32.const 1024))
            (func (export "arena_decide") (param i32 i32) (result i64)
                (call $log (i32.const 0) (i32.const {})) (i64.const 1)))"#,
        wat_bytes(metadata),
        text.len(),
        text = wat_bytes(text)
    ))
    .expect("a module")
}

#[test]
fn texts_in_modules_are_escaped_wherever_they_are_shown() {
    let scratch = Scratch::new();
    for text in NASTY {
        let metadata =
            serde_json::json!({"game": "little-hunters", "version": text, "author": text, "description": text});
        let file = scratch.write("bot.wasm", chatty(&metadata.to_string(), text));
        let file = file.to_str().unwrap();
        for command in
            [&["check", file][..], &["check", "--json", file], &["play", file, file], &["play", "--json", file, file]]
        {
            let done = arena(command);
            // Some of it is no author's name: that may be played and not be submitted.
            assert!(done.code == Some(0) || (command[0] == "check" && done.code == Some(2)), "{}", done.err);
            assert_plain(&done.out, command[0]);
            assert_plain(&done.err, command[0]);
        }
        assert!(arena(["play", file, file]).out.contains("says: "));
    }
}

#[test]
fn names_games_and_imports_are_refused_in_escaped_words() {
    let scratch = Scratch::new();
    for text in NASTY {
        let named = chatty(&serde_json::json!({"name": text}).to_string(), "x");
        let other = chatty(&serde_json::json!({"games": [text]}).to_string(), "x");
        let imports = wat::parse_str(format!(r#"(module (import "{0}" "{0}" (func)))"#, wat_bytes(text))).unwrap();
        for (bytes, code) in [(named, "metadata"), (other, "game"), (imports, "import")] {
            let file = scratch.write("bot.wasm", bytes);
            for more in [&[][..], &["--json"]] {
                let done = arena(["check", file.to_str().unwrap()].iter().chain(more)).expect(2);
                assert_plain(&done.out, text);
                assert!(done.out.contains(code), "{}", done.out);
            }
            let bots = [("good", bot("little-hunters", "uniform")), ("bad", file)];
            let league = scratch.league("l.toml", "game = \"little-hunters\"\ndeals = 1\n", &bots);
            let done = scratch.run(&league, "out", 1).expect(2);
            assert_plain(&done.err, text);
        }
    }
}

/// File names are somebody's words too where a league takes all files of a folder.
#[cfg(unix)]
#[test]
fn file_names_are_escaped_or_refused() {
    let scratch = Scratch::new();
    let bytes = std::fs::read(bot("little-hunters", "uniform")).unwrap();
    for text in NASTY.iter().filter(|text| !text.contains('/')) {
        let scratch_bots = Scratch::new();
        let file = scratch_bots.write(&format!("{text}.wasm"), &bytes);
        for arguments in [&["check"][..], &["check", "--json"]] {
            let done = arena(arguments.iter().map(std::ffi::OsStr::new).chain([file.as_os_str()])).expect(0);
            assert_plain(&done.out, text);
        }
        let done = arena(["play".as_ref(), file.as_os_str(), file.as_os_str()]).expect(0);
        assert_plain(&done.out, text);
        let pattern = scratch_bots.path("*.wasm");
        let bots = [("good", bot("little-hunters", "nash"))];
        let head = format!("game = \"little-hunters\"\ndeals = 1\n[[bots]]\npath = '{}'\n", pattern.display());
        let league = scratch.league("l.toml", &head, &bots);
        let done = scratch.run(&league, "out", 1).expect(2);
        assert_plain(&done.err, text);
        assert!(done.err.contains("is not a valid bot name"), "{}", done.err);
    }
}
