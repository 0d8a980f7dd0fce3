//! What a league takes of memory: the bots' limit times live instances, and a constant.
#![cfg(target_os = "linux")]

use crate::harness::{Scratch, arena_command};

const MIB: u64 = 1 << 20;

/// Grows until nothing more is given, and touches every page.
fn grower(number: usize) -> Vec<u8> {
    wat::parse_str(format!(
        r#"(module (memory (export "memory") 1) (global $at (mut i32) (i32.const 0)) (global i32 (i32.const {number}))
            (func (export "arena_abi") (result i32) (i32.const 1))
            (func (export "arena_init") (param i32 i32 i64) (result i32) (i32.const 1024))
            (func (export "arena_decide") (param i32 i32) (result i64)
                (loop $grow (br_if $grow (i32.ge_s (memory.grow (i32.const 1)) (i32.const 0))))
                (global.set $at (i32.const 0))
                (loop $touch
                    (i32.store8 (global.get $at) (i32.const 1))
                    (global.set $at (i32.add (global.get $at) (i32.const 4096)))
                    (br_if $touch (i32.lt_u (global.get $at) (i32.shl (memory.size) (i32.const 16)))))
                (i64.const 5)))"#
    ))
    .expect("a module")
}

/// SECURITY.md states it.
const CONSTANT: u64 = 128 * MIB;

#[test]
fn two_hundred_growers_stay_within_their_limit_times_live_instances() {
    let scratch = Scratch::new();
    let bots: Vec<_> = (0..200)
        .map(|number| (format!("g{number}"), scratch.write(&format!("g{number}.wasm"), grower(number))))
        .collect();
    let bots: Vec<_> = bots.iter().map(|(name, path)| (name.as_str(), path.clone())).collect();
    let head = "game = \"little-hunters\"\ndeals = 1\nlineups = 400\n";
    let league = scratch.league("l.toml", head, &bots);
    let (threads, seats) = (2, 2);
    let mut child = arena_command(["run", "--threads", "2", "--out"])
        .arg(scratch.path("out"))
        .arg(&league)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the binary starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let code = loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).and_then(|l| l.split_whitespace().next());
        peak = peak.max(line.and_then(|kib| kib.parse().ok()).unwrap_or(0) * 1024);
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            break status.code();
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    };
    assert_eq!(code, Some(0));
    let instances = threads * seats + 2;
    eprintln!("peak {} MiB", peak / MIB);
    assert!(peak > 4 * MIB * threads * seats, "they grew: {peak}");
    assert!(peak < 4 * MIB * instances + CONSTANT, "peak {} MiB", peak / MIB);
}
