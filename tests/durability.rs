//! A disk that is full, a folder that cannot be written or goes away: said clearly, and nothing finished is lost.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::harness::{Done, Scratch, arena, arena_command, block_lines, bot, lasting_files, with_command};

fn league(scratch: &Scratch, deals: u32) -> std::path::PathBuf {
    let bots: Vec<_> = ["uniform", "reader", "repeater", "nash"].map(|name| (name, bot("little-hunters", name))).into();
    scratch.league("l.toml", &format!("game = \"little-hunters\"\nseed = 8\nblock = 5\ndeals = {deals}\n"), &bots)
}

/// A shell script whose "$@" is a run of the league into `out`.
pub fn run_in_shell(mut shell: Command, script: &str, league: &Path, out: &Path) -> Done {
    let mut run = arena_command(["run", "--threads", "2", "--out"]);
    run.arg(out).arg(league);
    let shell = shell.args(["-c", script, "sh"]).arg(run.get_program());
    let mut shell = with_command(shell, &run);
    Done::of(shell.output().expect("a shell"))
}

/// A name space with mounts of its own, where the system allows one.
pub fn unshared() -> Option<Command> {
    let mut probe = Command::new("unshare");
    let may = probe.args(["-m", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]).output().is_ok_and(|o| o.status.success());
    if !may {
        eprintln!("not checked: no mounts are allowed here");
        return None;
    }
    let mut command = Command::new("unshare");
    command.args(["-m", "sh"]);
    Some(command)
}

#[track_caller]
fn assert_goes_on(scratch: &Scratch, league: &Path, out: &str) {
    let before = std::fs::read_to_string(scratch.path(out).join("journal.jsonl")).expect("a journal");
    assert!(before.is_empty() || before.ends_with('\n'), "only whole lines are left");
    assert!(!block_lines(&scratch.path(out)).is_empty(), "something was finished");
    let done = scratch.run(league, out, 2).expect(0);
    assert!(done.err.contains("matches are played already"), "{}", done.err);
    let after = scratch.read(&format!("{out}/journal.jsonl"));
    assert!(after.starts_with(&before), "what was finished stays as it was");
    scratch.run(league, "whole", 2).expect(0);
    assert_eq!(lasting_files(&scratch.path(out)), lasting_files(&scratch.path("whole")));
}

#[test]
fn a_file_that_may_not_grow_loses_nothing() {
    let scratch = Scratch::new();
    let league = league(&scratch, 200);
    let out = scratch.path("full");
    // 32 KiB or 64 KiB a file, whichever unit the shell has.
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$@\"";
    let done = run_in_shell(Command::new("sh"), script, &league, &out).expect(1);
    assert!(done.err.contains("journal.jsonl: failed to write to it"), "{}", done.err);
    assert!(done.err.contains("the same command goes on"), "{}", done.err);
    assert_goes_on(&scratch, &league, "full");
}

#[test]
fn a_full_disk_loses_nothing() {
    let Some(shell) = unshared() else { return };
    let scratch = Scratch::new();
    let league = league(&scratch, 200);
    let (disk, saved) = (scratch.path("disk"), scratch.path("saved"));
    std::fs::create_dir_all(&disk).unwrap();
    std::fs::create_dir_all(&saved).unwrap();
    let script = format!(
        "mount -t tmpfs -o size=64k tmpfs '{0}' || exit 99; \"$@\"; code=$?; cp '{0}'/* '{1}'; exit $code",
        disk.display(),
        saved.display()
    );
    let done = run_in_shell(shell, &script, &league, &disk).expect(1);
    assert!(done.err.contains("journal.jsonl: failed to write to it: No space left"), "{}", done.err);
    assert!(done.err.contains("the same command goes on"), "{}", done.err);
    assert_goes_on(&scratch, &league, "saved");
}

#[test]
fn a_folder_that_cannot_be_written_is_said() {
    let scratch = Scratch::new();
    let league = league(&scratch, 1);
    // A file where the folder should be.
    let out = scratch.write("file", "");
    let done = run_in_shell(Command::new("sh"), "exec \"$@\"", &league, &out.join("below")).expect(2);
    assert!(done.err.contains("file/below: no results can be kept here: Not a directory"), "{}", done.err);

    let Some(shell) = unshared() else { return };
    let out = scratch.path("read-only");
    std::fs::create_dir_all(&out).unwrap();
    let script = format!("mount -t tmpfs -o ro tmpfs '{}' || exit 99; exec \"$@\"", out.display());
    let done = run_in_shell(shell, &script, &league, &out).expect(2);
    assert!(done.err.contains("read-only: no results can be kept here: Read-only"), "{}", done.err);
}

#[test]
fn a_folder_that_goes_away_stops_the_run() {
    let scratch = Scratch::new();
    let league = league(&scratch, 1_000_000);
    let out = scratch.path("out");
    let child = arena_command(["run", "--out"])
        .arg(&out)
        .arg(&league)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the binary starts");
    while !std::fs::metadata(out.join("journal.jsonl")).is_ok_and(|journal| journal.len() > 10_000) {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::fs::rename(&out, scratch.path("moved")).expect("moved");
    let done = Done::of(child.wait_with_output().expect("it ends")).expect(1);
    assert!(done.err.contains("the journal was removed or replaced while a run was using it"), "{}", done.err);
    // What was finished is where the folder went.
    assert!(std::fs::read_to_string(scratch.path("moved/journal.jsonl")).unwrap().ends_with('\n'));
}

#[test]
fn damaged_lines_are_told_and_played_again() {
    let scratch = Scratch::new();
    let league = league(&scratch, 20);
    scratch.run(&league, "whole", 2).expect(0);
    scratch.run(&league, "out", 2).expect(0);
    let journal = scratch.read("out/journal.jsonl");
    let mut lines: Vec<_> = journal.lines().map(str::to_owned).collect();
    lines[3] = lines[3].replacen("\"matches\":10", "\"matches\":11", 1);
    lines[5] = "\u{0}garbage".into();
    scratch.write("out/journal.jsonl", lines.join("\n") + "\n{\"torn");
    let told = arena(["table".as_ref(), scratch.path("out").as_os_str()]).expect(0).err;
    assert!(told.contains("2 damaged lines of the journal: line 4, line 6: their blocks and those behind"), "{told}");
    assert!(told.contains("last line is torn, as by a kill; its block is not counted"), "{told}");
    let done = scratch.run(&league, "out", 2).expect(0);
    assert!(
        done.err.contains("2 damaged lines of the journal: line 4, line 6: their blocks are played again."),
        "{}",
        done.err
    );
    assert!(done.err.contains("last line is torn"), "{}", done.err);
    for table in ["elo.csv", "crosstable.csv", "faults.csv"] {
        assert_eq!(scratch.read(&format!("out/{table}")), scratch.read(&format!("whole/{table}")));
    }
    // They are told once.
    assert!(!scratch.run(&league, "out", 2).expect(0).err.contains("damaged"));
    assert!(!arena(["table".as_ref(), scratch.path("out").as_os_str()]).expect(0).err.contains("damaged"));
}
