//! Nothing finished is lost, and no file is ever half written.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::harness::{Scratch, arena_command, bot, lasting_files};

const HEAD: &str = "game = \"little-hunters\"\nseed = 8\nblock = 5\ndeals = 600\n";

fn league(scratch: &Scratch) -> std::path::PathBuf {
    let bots: Vec<_> = ["uniform", "reader", "repeater", "nash"].map(|name| (name, bot("little-hunters", name))).into();
    scratch.league("l.toml", HEAD, &bots)
}

fn start(league: &Path, out: &Path) -> std::process::Child {
    arena_command(["run", "--threads", "2", "--out"])
        .arg(out)
        .arg(league)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts")
}

/// Whatever is there is whole: the CSV files are those of a finished run.
fn assert_whole(folder: &Path, whole: &[(String, String)]) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if name.ends_with(".csv") {
            let text = std::fs::read_to_string(&path).expect("text");
            let (_, wanted) = whole.iter().find(|(file, _)| *file == name).expect("a known file");
            assert_eq!(text, *wanted, "{name} after a kill");
        }
    }
}

#[test]
fn a_killed_run_goes_on_and_ends_as_if_nothing_had_happened() {
    let scratch = Scratch::new();
    let league = league(&scratch);
    scratch.run(&league, "whole", 2).expect(0);
    let whole = lasting_files(&scratch.path("whole"));
    let mut dice = 0x2545_f491_4f6c_dd1d_u64;
    let mut finished = 0;
    let kills = 50;
    for _ in 0..kills {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        let out = scratch.path("killed");
        let mut child = start(&league, &out);
        std::thread::sleep(Duration::from_millis(dice % 60));
        child.kill().expect("it can be killed");
        finished += u32::from(child.wait().expect("it ends").success());
        assert_whole(&out, &whole);
        if finished > 0 && finished.is_multiple_of(3) {
            // Enough of this one; kill a fresh one.
            scratch.run(&league, "killed", 2).expect(0);
            assert_eq!(lasting_files(&out), whole);
            std::fs::remove_dir_all(&out).expect("removed");
            finished = 0;
        }
    }
    scratch.run(&league, "killed", 2).expect(0);
    // What the killed runs left unfinished is gone too.
    assert_eq!(lasting_files(&scratch.path("killed")), whole);
}

#[test]
fn the_same_command_again_plays_nothing() {
    let scratch = Scratch::new();
    let league = league(&scratch);
    scratch.run(&league, "out", 2).expect(0);
    let before = scratch.read("out/journal.jsonl");
    let again = scratch.run(&league, "out", 2).expect(0);
    assert_eq!(scratch.read("out/journal.jsonl"), before);
    assert!(again.err.contains("7 200 of 7 200 matches are played already"), "{}", again.err);
}

#[test]
fn a_changed_bot_is_told_and_only_its_blocks_are_played() {
    let scratch = Scratch::new();
    let file = scratch.write("x.wasm", std::fs::read(bot("little-hunters", "uniform")).unwrap());
    let others = [("nash", bot("little-hunters", "nash")), ("lowest", bot("little-hunters", "lowest"))];
    let bots: Vec<_> = others.into_iter().chain([("x", file)]).collect();
    let league = scratch.league("l.toml", "game = \"little-hunters\"\nseed = 1\ndeals = 100\nblock = 100\n", &bots);
    scratch.run(&league, "out", 1).expect(0);
    scratch.write("x.wasm", std::fs::read(bot("little-hunters", "highest")).unwrap());
    let again = scratch.run(&league, "out", 1).expect(0);
    assert!(again.err.contains("bot x: changed"), "{}", again.err);
    assert!(again.err.contains("200 of 600 matches are played already"), "{}", again.err);
    // As if it had been so from the start.
    scratch.run(&league, "fresh", 1).expect(0);
    for file in ["elo.csv", "crosstable.csv", "faults.csv"] {
        assert_eq!(scratch.read(&format!("out/{file}")), scratch.read(&format!("fresh/{file}")), "{file}");
    }
}

/// Until a run has begun its journal.
fn wait_for_the_journal(out: &Path) {
    for _ in 0..12_000 {
        if std::fs::read_to_string(out.join("journal.jsonl")).is_ok_and(|text| !text.is_empty()) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("there is no journal in {}", out.display());
}

#[test]
fn two_runs_on_one_folder_are_told_apart() {
    let scratch = Scratch::new();
    let bots = [("uniform", bot("little-hunters", "uniform")), ("reader", bot("little-hunters", "reader"))];
    let league = scratch.league("l.toml", "game = \"little-hunters\"\ndeals = 2000000\n", &bots);
    let mut first = start(&league, &scratch.path("out"));
    wait_for_the_journal(&scratch.path("out"));
    let second = scratch.run(&league, "out", 1);
    first.kill().expect("killed");
    first.wait().expect("ended");
    let second = second.expect(2);
    assert!(second.err.contains("another run is using this results folder"), "{}", second.err);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_cleanly_and_says_how_to_go_on() {
    let scratch = Scratch::new();
    let bots = [("uniform", bot("little-hunters", "uniform")), ("reader", bot("little-hunters", "reader"))];
    let league = scratch.league("l.toml", "game = \"little-hunters\"\ndeals = 2000000\n", &bots);
    let out = scratch.path("out");
    let child = arena_command(["run", "--threads", "2", "--out"])
        .arg(&out)
        .arg(&league)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // By then it listens.
    wait_for_the_journal(&out);
    let interrupted = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.expect("kill").success());
    let output = child.wait_with_output().expect("it ends");
    let (out_text, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains("The same command goes on"), "{err}");
    assert!(err.contains(&format!("--out {}", out.display())), "{err}");
    assert!(out_text.contains("Not finished"), "{out_text}");
    assert!(scratch.path("out/elo.csv").is_file());
}
