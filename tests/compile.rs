//! Modules that are slow to compile are stopped, and compiled code is kept where nobody can meddle with it.

use std::path::{Path, PathBuf};

use crate::harness::{Done, Scratch, arena, arena_command, bot};

/// A whole bot with one more function.
fn with_function(function: &str) -> Vec<u8> {
    wat::parse_str(format!(
        r#"(module (memory (export "memory") 1) {function}
            (func (export "arena_abi") (result i32) (i32.const 1))
            (func (export "arena_init") (param i32 i32 i64) (result i32) (i32.const 1024))
            (func (export "arena_decide") (param i32 i32) (result i64) (i64.const 1)))"#
    ))
    .expect("a module")
}

/// So many blocks in one another, each left by a branch.
fn nested_blocks(count: usize) -> Vec<u8> {
    let (open, close) = ("block local.get 0 br_if 0 ".repeat(count), "end ".repeat(count));
    with_function(&format!("(func (param i32) {open} {close})"))
}

/// Loops in one another, over so many locals that change in the innermost.
fn nested_loops(loops: usize, locals: usize) -> Vec<u8> {
    let types = "i32 ".repeat(locals);
    let change: String =
        (0..locals).map(|local| format!("local.get {local} i32.const 1 i32.add local.set {local} ")).collect();
    let (open, close) = ("loop ".repeat(loops), "local.get 0 br_if 0 end ".repeat(loops));
    with_function(&format!("(func (local {types}) {open} {change} {close})"))
}

/// A league whose limits of shape are as wide as they may be.
fn wide(scratch: &Scratch, bomb: &Path, more: &str) -> Done {
    let head = format!(
        "game = \"little-hunters\"\ndeals = 1\n[limits]\nnesting = 1000\nloops = 10000\nlocals = 10000\n\
         function_bytes = 1048576\n{more}"
    );
    let bots = [("good", bot("little-hunters", "uniform")), ("bomb", bomb.to_owned())];
    let league = scratch.league("wide.toml", &head, &bots);
    scratch.run(&league, "wide", 1)
}

#[test]
fn bombs_are_refused_at_once_by_their_shape() {
    let scratch = Scratch::new();
    let blocks = nested_blocks(20_000);
    // 136 KiB and 18 KiB.
    assert!((139_000..141_000).contains(&blocks.len()), "{}", blocks.len());
    let loops = nested_loops(1_001, 1_000);
    assert!((10_000..20_000).contains(&loops.len()), "{}", loops.len());
    for (bytes, code) in [(blocks, "limit:function"), (loops, "limit:nesting")] {
        let file = scratch.write("bomb.wasm", bytes);
        let done = arena(["check", "--no-cache", file.to_str().unwrap()]).expect(2);
        assert!(done.out.contains(&format!("[{code}]")), "{}", done.out);
    }
}

#[cfg(unix)]
#[test]
fn a_bomb_within_the_limits_of_shape_runs_out_of_time() {
    let scratch = Scratch::new();
    let blocks = scratch.write("blocks.wasm", nested_blocks(20_000));
    let done = wide(&scratch, &blocks, "").expect(2);
    assert!(
        done.err.contains("has 20000 levels of blocks in one another, above the limit of 1000 (limits.nesting)"),
        "{}",
        done.err
    );
    let bomb = scratch.write("bomb.wasm", nested_loops(200, 1_000));
    let done = wide(&scratch, &bomb, "compile_seconds = 2\n").expect(2);
    assert!(done.err.contains("the bot bomb"), "{}", done.err);
    assert!(done.err.contains("takes longer to compile than the limit, 2 s"), "{}", done.err);
    assert!(done.err.contains("[compile]"), "{}", done.err);
    assert!(!scratch.path("wide").exists(), "a league that is refused leaves nothing behind");
}

#[cfg(target_os = "linux")]
#[test]
fn a_bomb_within_the_limits_of_shape_runs_out_of_memory() {
    let scratch = Scratch::new();
    let bomb = scratch.write("bomb.wasm", nested_loops(200, 1_000));
    let done = wide(&scratch, &bomb, "compile_seconds = 60\ncompile_bytes = 1048576\n").expect(2);
    assert!(done.err.contains("takes more memory to compile than the limit, 1048576 bytes"), "{}", done.err);
    assert!(done.err.contains("[compile]"), "{}", done.err);
}

#[test]
fn too_much_native_code_is_refused() {
    let scratch = Scratch::new();
    let file = bot("little-hunters", "nash");
    let done = wide(&scratch, &file, "code_bytes = 1000\n").expect(2);
    assert!(
        done.err.contains("its native code is longer than the limit, 1000 bytes (limits.code_bytes) [compile]"),
        "{}",
        done.err
    );
}

/// A cache of its own for each test.
fn check_with(cache: &Path, file: &Path, more: &[&str]) -> Done {
    let output = arena_command(["check"]).args(more).arg(file).env("XDG_CACHE_HOME", cache).output().expect("it runs");
    Done::of(output)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn code_is_kept_and_used_again_and_never_believed_blindly() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    let (cache, file) = (scratch.path("cache"), bot("little-hunters", "nash"));
    let folder = cache.join("arena");

    check_with(&cache, &file, &["--no-cache"]).expect(0);
    assert!(!folder.exists(), "--no-cache keeps nothing");

    check_with(&cache, &file, &[]).expect(0);
    assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    let [kept] = files(&folder).try_into().expect("one file");
    let whole = std::fs::read(&kept).unwrap();

    // Changed, cut or another's code is compiled anew and replaced.
    let mut changed = whole.clone();
    *changed.last_mut().unwrap() ^= 1;
    for bad in [changed, whole[..whole.len() / 2].to_vec(), Vec::new(), b"\x7fELF".repeat(1000)] {
        std::fs::write(&kept, bad).unwrap();
        check_with(&cache, &file, &[]).expect(0);
        assert_eq!(std::fs::read(&kept).unwrap().len(), whole.len(), "it was compiled again");
    }
    check_with(&cache, &bot("little-hunters", "uniform"), &[]).expect(0);
    let other = files(&folder).into_iter().find(|path| *path != kept).expect("another file");
    std::fs::copy(&other, &kept).unwrap();
    let done = check_with(&cache, &file, &[]).expect(0);
    assert!(done.out.contains("name          nash"), "{}", done.out);
    assert_ne!(std::fs::read(&kept).unwrap(), std::fs::read(&other).unwrap());

    // A good file is not written again.
    let old = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    std::fs::File::options().write(true).open(&kept).unwrap().set_modified(old).unwrap();
    check_with(&cache, &file, &[]).expect(0);
    assert_eq!(std::fs::metadata(&kept).unwrap().modified().unwrap(), old);

    // In a folder that was open to others it may be anybody's: the folder is closed and emptied, and that is said.
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    let done = check_with(&cache, &file, &[]).expect(0);
    assert!(done.err.contains("was open to other users; it is closed and emptied now"), "{}", done.err);
    assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o7777, 0o700);
    assert_eq!(files(&folder), std::slice::from_ref(&kept), "the other module's code is gone");
    assert_ne!(std::fs::metadata(&kept).unwrap().modified().unwrap(), old, "this one's is compiled again");
    assert!(!check_with(&cache, &file, &[]).expect(0).err.contains("open to other users"), "it is said once");

    // Nobody waits for the other end of a FIFO.
    std::fs::remove_file(&kept).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&kept).status().unwrap().success());
    check_with(&cache, &file, &[]).expect(0);
    assert!(std::fs::metadata(&kept).unwrap().is_file(), "it is replaced");
}
