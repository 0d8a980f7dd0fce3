//! A system call that fails, at every place: the run says so and ends, tries again, or dies; it never makes up a result.
//!
//! `strace` lets the n-th call of a kind fail, counted in each thread by itself. Whatever comes of it, no block of the
//! journal differs from that of an undisturbed run, and the same command without the fault ends with the same files.
//! A few n are tried of each kind; `ARENA_SWEEP=1` tries all, as `.ci/long` does.
#![cfg(target_os = "linux")]

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::harness::{Scratch, arena_command, block_lines, bot, lasting_files, with_command};

/// A call that fails, and whom it fails for.
#[derive(Clone, Copy)]
struct Fault {
    /// System calls, separated by commas: all that do the same.
    calls: &'static str,
    error: &'static str,
    whom: Whom,
}

#[derive(Clone, Copy, PartialEq)]
enum Whom {
    /// The process that plays.
    Parent,
    /// It, and those that compile.
    Everybody,
    /// Whoever opens, reads or writes the journal, and only there.
    Journal,
    /// Those that compile, when they are started.
    Started,
}

const HEAD: &str = "game = \"little-hunters\"\nseed = 11\ndeals = 4\nblock = 2\n";

/// Whether calls can be made to fail here. Where `ARENA_REQUIRE_STRACE` is set, as in continuous integration, they must.
pub fn strace_works() -> bool {
    let probe = Command::new("strace").args(["-f", "-qqq", "-o", "/dev/null", "true"]).output();
    let works = probe.is_ok_and(|done| done.status.success());
    assert!(works || std::env::var_os("ARENA_REQUIRE_STRACE").is_none(), "strace is required, and does not work");
    if !works {
        eprintln!("NOT TESTED: strace is not installed, or may not trace here");
    }
    works
}

/// Numbers of the call to fail.
fn numbers() -> Box<dyn Iterator<Item = u32>> {
    if std::env::var_os("ARENA_SWEEP").is_some() {
        return Box::new(1..2_000);
    }
    Box::new([1, 2, 4, 7, 12, 20, 33, 54, 88, 143].into_iter())
}

/// What came of a run with a fault in it.
struct Disturbed {
    code: Option<i32>,
    /// The signal that ended it.
    signal: Option<i32>,
    err: String,
    /// Whether there was a call with this number.
    injected: bool,
}

struct Lab {
    scratch: Scratch,
    league: PathBuf,
    blocks: Vec<String>,
    files: Vec<(String, String)>,
}

impl Lab {
    fn new() -> Lab {
        let scratch = Scratch::new();
        let bots: Vec<_> = ["uniform", "nash", "reader"].map(|name| (name, bot("little-hunters", name))).into();
        let league = scratch.league("l.toml", HEAD, &bots);
        scratch.run(&league, "whole", 2).expect(0);
        let whole = scratch.path("whole");
        Lab { blocks: block_lines(&whole), files: lasting_files(&whole), scratch, league }
    }

    /// `strace` with a fault, into a log of its own.
    fn strace(&self, fault: Fault, number: u32, log: &Path) -> Command {
        let mut strace = Command::new("timeout");
        strace.args(["60", "strace", "-f", "-qqq", "-e", "signal=none", "-o"]).arg(log);
        strace.arg("-e").arg(format!("trace={}", fault.calls));
        strace.arg("-e").arg(format!("inject={}:error={}:when={number}", fault.calls, fault.error));
        let only_at = match fault.whom {
            Whom::Journal => Some(self.scratch.path("out/journal.jsonl")),
            // By which the program starts itself again.
            Whom::Started => Some(PathBuf::from("/proc/self/exe")),
            Whom::Parent | Whom::Everybody => None,
        };
        only_at.into_iter().for_each(|path| _ = strace.arg("-P").arg(path));
        // The first leaves children alone; the other is faster, and not to be had beside it.
        strace.args(if fault.whom == Whom::Parent { &["-b", "execve"][..] } else { &["--seccomp-bpf"] });
        strace
    }

    fn disturbed(&self, fault: Fault, number: u32, threads: u32) -> Disturbed {
        let log = self.scratch.path("strace.log");
        let mut run = arena_command(["run", "--no-cache", "--threads", &threads.to_string(), "--out"]);
        run.arg(self.scratch.path("out")).arg(&self.league);
        let mut strace = self.strace(fault, number, &log);
        let output = with_command(strace.arg(run.get_program()), &run).output().expect("strace starts");
        Disturbed {
            code: output.status.code(),
            signal: output.status.signal(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            injected: std::fs::read_to_string(log).expect("a log").contains("(INJECTED)"),
        }
    }

    /// Lets each number of the call fail until there are no more such calls, on one thread and on several.
    fn try_all(&self, fault: Fault) {
        for threads in [1, 3] {
            let mut ends = std::collections::BTreeMap::<String, u32>::new();
            for number in numbers() {
                let _ = std::fs::remove_dir_all(self.scratch.path("out"));
                let disturbed = self.disturbed(fault, number, threads);
                if !disturbed.injected {
                    break;
                }
                let what = format!("{} {} at call {number} on {threads} thread(s)", fault.calls, fault.error);
                let end = self.judge(fault, &disturbed, &what);
                *ends.entry(end).or_default() += 1;
            }
            assert!(!ends.is_empty(), "{} was never called", fault.calls);
            eprintln!("{} {}, {threads} thread(s): {ends:?}", fault.calls, fault.error);
        }
    }

    /// How a disturbed run ended, in a word.
    fn judge(&self, fault: Fault, disturbed: &Disturbed, what: &str) -> String {
        let Disturbed { code, signal, err, .. } = disturbed;
        let said = |words: &str| err.contains(words) || fault.calls.contains("write");
        // The standard library's own word where a thread cannot be set up; it aborts.
        assert!(signal.is_some() || !err.contains("panicked"), "{what}: {err}");
        assert!(!err.contains("is refused"), "{what}: no bot is to blame: {err}");
        let end = match (code, signal) {
            (_, Some(signal)) => format!("signal {signal}"),
            (Some(0), _) => {
                assert_eq!(self.lasting(), self.files, "{what}: {err}");
                "done".into()
            }
            (Some(3), _) if said("error: ") => "exit code 3".into(),
            (Some(1), _) if said("the same command goes on") => "interrupted".into(),
            // The league file or a bot's file cannot be read: said of the file, before anything is played.
            (Some(2), _) if err.contains("failed to read it: ") => "not read".into(),
            // The loader's own word, before the program begins.
            (Some(127), _) if err.contains("error while loading shared libraries") => "not started".into(),
            _ => panic!("{what}: code {code:?}, signal {signal:?}: {err}"),
        };
        for line in block_lines(&self.scratch.path("out")) {
            assert!(self.blocks.contains(&line), "{what}: a block that differs: {line}\n{err}");
        }
        self.scratch.run(&self.league, "out", 2).expect(0);
        assert_eq!(self.lasting(), self.files, "{what}, and then without it: {err}");
        end
    }

    fn lasting(&self) -> Vec<(String, String)> {
        let mut files = lasting_files(&self.scratch.path("out"));
        files.retain(|(name, _)| !name.ends_with(".part"));
        files
    }
}

#[track_caller]
fn every(faults: &[Fault]) {
    if strace_works() {
        let lab = Lab::new();
        faults.iter().for_each(|&fault| lab.try_all(fault));
    }
}

#[test]
fn memory_that_cannot_be_mapped() {
    every(&[
        Fault { calls: "mmap", error: "ENOMEM", whom: Whom::Parent },
        Fault { calls: "mmap", error: "ENOMEM", whom: Whom::Everybody },
        Fault { calls: "madvise", error: "ENOMEM", whom: Whom::Parent },
    ]);
}

#[test]
fn memory_that_cannot_be_protected() {
    every(&[
        Fault { calls: "mprotect", error: "ENOMEM", whom: Whom::Parent },
        Fault { calls: "mprotect", error: "ENOMEM", whom: Whom::Everybody },
    ]);
}

#[test]
fn threads_and_processes_that_cannot_be_made() {
    every(&[
        Fault { calls: "clone,clone3,fork,vfork", error: "EAGAIN", whom: Whom::Parent },
        Fault { calls: "clone,clone3,fork,vfork", error: "EAGAIN", whom: Whom::Everybody },
        Fault { calls: "execve", error: "ENOMEM", whom: Whom::Started },
    ]);
}

#[test]
fn reads_and_writes_that_fail() {
    every(&[
        Fault { calls: "read", error: "EIO", whom: Whom::Parent },
        Fault { calls: "read", error: "EIO", whom: Whom::Everybody },
        Fault { calls: "write", error: "EIO", whom: Whom::Parent },
        Fault { calls: "write", error: "EPIPE", whom: Whom::Parent },
        Fault { calls: "write", error: "ENOSPC", whom: Whom::Everybody },
    ]);
}

#[test]
fn a_journal_that_cannot_be_read_or_written() {
    every(&[
        Fault { calls: "openat", error: "EIO", whom: Whom::Journal },
        Fault { calls: "read", error: "EIO", whom: Whom::Journal },
        Fault { calls: "write", error: "ENOSPC", whom: Whom::Journal },
        Fault { calls: "write", error: "EIO", whom: Whom::Journal },
        Fault { calls: "fdatasync,fsync", error: "EIO", whom: Whom::Journal },
    ]);
}

/// A compiling process by itself: it gives the code that it always gives, or none.
#[test]
fn a_compiling_process_never_gives_other_code() {
    if !strace_works() {
        return;
    }
    let lab = Lab::new();
    let module = bot("little-hunters", "nash");
    let compile = |mut command: Command| {
        let input = std::fs::File::open(&module).expect("a bot");
        command.stdin(Stdio::from(input)).output().expect("it starts")
    };
    // Milliseconds of processor time, and bytes of memory.
    let limits = ["__compile", "10000", "1073741824"];
    let undisturbed = compile(arena_command(limits));
    assert!(undisturbed.status.success() && undisturbed.stdout.first() == Some(&b'C'));
    for (calls, error) in
        [("mmap", "ENOMEM"), ("mprotect", "ENOMEM"), ("clone,clone3", "EAGAIN"), ("read", "EIO"), ("write", "EPIPE")]
    {
        let fault = Fault { calls, error, whom: Whom::Everybody };
        for number in numbers() {
            let log = lab.scratch.path("strace.log");
            let mut strace = lab.strace(fault, number, &log);
            let done = compile(with_command(strace.arg(env!("CARGO_BIN_EXE_arena")), &arena_command(limits)));
            if !std::fs::read_to_string(log).expect("a log").contains("(INJECTED)") {
                break;
            }
            // An answer that is code begins with this; it counts only of a process that ended well.
            if done.status.success() && done.stdout.first() == Some(&b'C') {
                assert_eq!(done.stdout, undisturbed.stdout, "{calls} {error} at call {number}");
            }
        }
    }
}
