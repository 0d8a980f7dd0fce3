//! A system call that fails, at every place: the run says so and ends, tries again, or dies; it never makes up a result.
//!
//! `strace` lets the n-th call of a kind fail, counted in each thread by itself. Whatever comes of it, no block of the
//! journal differs from that of an undisturbed run, and the same command without the fault ends with the same files.
//! The count begins either when the program does, so that the loader's calls are among them, or while it waits for its
//! league file: then the first calls are those of the threads that play.
//! A few n are tried of each kind; `ARENA_SWEEP=1` tries all, as `.ci/long` does.
#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

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
    /// The process that plays, from its league file on.
    Parent,
    /// It, from its league file on, and those that compile.
    Everybody,
    /// All of them, from the beginning.
    Loader,
    /// Whoever opens, reads or writes the journal, and only there.
    Journal,
    /// Those that compile, when they are started.
    Started,
    /// Whoever looks for the bots' files, and only there.
    Bots,
}

const BOTS: [&str; 3] = ["nash", "reader", "uniform"];

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
    Box::new([1, 2, 3, 4, 6, 8, 11, 16, 23, 34, 50, 80, 130].into_iter())
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
        for name in BOTS {
            scratch.write(&format!("bots/{name}.wasm"), std::fs::read(bot("little-hunters", name)).expect("a bot"));
        }
        let pattern = scratch.path("bots/*.wasm");
        let league = scratch.write("l.toml", format!("{HEAD}[[bots]]\npath = \"{}\"\n", pattern.display()));
        scratch.run(&league, "whole", 2).expect(0);
        let whole = scratch.path("whole");
        Lab { blocks: block_lines(&whole), files: lasting_files(&whole), scratch, league }
    }

    /// `strace` with a fault, into a log of its own.
    fn strace(&self, fault: Fault, number: u32) -> Command {
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qqq", "-e", "signal=none", "-o"]).arg(self.log());
        strace.arg("-e").arg(format!("trace={}", fault.calls));
        strace.arg("-e").arg(format!("inject={}:error={}:when={number}", fault.calls, fault.error));
        match fault.whom {
            Whom::Journal => _ = strace.arg("-P").arg(self.scratch.path("out/journal.jsonl")),
            Whom::Bots => {
                strace.arg("-P").arg(self.scratch.path("bots"));
                BOTS.iter().for_each(|name| _ = strace.arg("-P").arg(self.scratch.path(&format!("bots/{name}.wasm"))));
            }
            // By which the program starts itself again.
            Whom::Started => _ = strace.args(["-P", "/proc/self/exe"]),
            // Leaves children alone.
            Whom::Parent => _ = strace.args(["-b", "execve"]),
            Whom::Everybody | Whom::Loader => {}
        }
        strace
    }

    fn log(&self) -> PathBuf {
        self.scratch.path("strace.log")
    }

    fn disturbed(&self, fault: Fault, number: u32, threads: u32) -> Disturbed {
        let mut run = arena_command(["run", "--no-cache", "--threads", &threads.to_string(), "--out"]);
        run.arg(self.scratch.path("out"));
        let strace = self.strace(fault, number);
        let output = match fault.whom {
            Whom::Loader => {
                run.arg(&self.league);
                let mut strace = with_command(&strace_of(strace, run.get_program()), &run);
                finished(strace.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("strace starts"))
            }
            _ => self.attached(strace, run),
        };
        Disturbed {
            code: output.status.code(),
            signal: output.status.signal(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            injected: std::fs::read_to_string(self.log()).expect("a log").contains("(INJECTED)"),
        }
    }

    /// Starts a run of the league and, while that waits for the file, `strace` on it.
    fn attached(&self, mut strace: Command, mut run: Command) -> Output {
        let late = self.scratch.path("late/l.toml");
        let _ = std::fs::remove_dir_all(self.scratch.path("late"));
        std::fs::create_dir(self.scratch.path("late")).expect("a folder");
        assert!(Command::new("mkfifo").arg(&late).status().expect("mkfifo").success());
        let run = run.arg(&late).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the binary starts");
        // Opening waits for the run to open it.
        let mut file = std::fs::OpenOptions::new().write(true).open(&late).expect("a FIFO");
        let mut strace =
            strace.arg("-p").arg(run.id().to_string()).stderr(Stdio::null()).spawn().expect("strace starts");
        while !is_traced(run.id()) {
            // The call by which the run waits may be the one that fails: then both are gone already.
            if let Some(status) = strace.try_wait().expect("it can be waited for") {
                assert!(status.success(), "strace may not attach");
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        // A run that is gone already does not read it.
        let _ = file.write_all(&std::fs::read(&self.league).expect("a league file"));
        drop(file);
        let output = finished(run);
        strace.wait().expect("it ends with the run");
        output
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
        // The standard library and the engine panic where a thread cannot have the stack on which it handles signals.
        assert!(!err.contains("panicked at arena"), "{what}: {err}");
        assert!(!err.contains("is refused"), "{what}: no bot is to blame: {err}");
        let end = match (code, signal) {
            (_, Some(signal)) => format!("signal {signal}"),
            (Some(0), _) => {
                assert_eq!(self.lasting(), self.files, "{what}: {err}");
                "done".into()
            }
            (Some(3), _) if said("error: ") || said("panicked at ") => "exit code 3".into(),
            // A full disk can be mended.
            (Some(1), _) if fault.error == "ENOSPC" && said("the same command goes on") => "interrupted".into(),
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

/// `strace` of a program.
fn strace_of(mut strace: Command, program: &OsStr) -> Command {
    strace.arg(program);
    strace
}

/// What a process wrote until it ended; one that does not end is a failure.
fn finished(mut child: Child) -> Output {
    let guard = Instant::now();
    while child.try_wait().expect("it can be waited for").is_none() {
        if guard.elapsed() > Duration::from_secs(120) {
            child.kill().expect("it can be killed");
            panic!("it hangs: {:?}", child.wait_with_output());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.wait_with_output().expect("it has ended")
}

/// Whether all threads of a process are traced.
fn is_traced(process: u32) -> bool {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let mut all = tasks.map(|task| std::fs::read_to_string(task.path().join("status")).unwrap_or_default()).peekable();
    all.peek().is_some() && all.all(|status| !status.contains("TracerPid:\t0\n"))
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
        Fault { calls: "mmap", error: "ENOMEM", whom: Whom::Loader },
        Fault { calls: "madvise", error: "ENOMEM", whom: Whom::Parent },
    ]);
}

#[test]
fn memory_that_cannot_be_protected() {
    every(&[
        Fault { calls: "mprotect", error: "ENOMEM", whom: Whom::Parent },
        Fault { calls: "mprotect", error: "ENOMEM", whom: Whom::Everybody },
        Fault { calls: "mprotect", error: "ENOMEM", whom: Whom::Loader },
    ]);
}

#[test]
fn threads_and_processes_that_cannot_be_made() {
    every(&[
        Fault { calls: "clone,clone3,fork,vfork", error: "EAGAIN", whom: Whom::Parent },
        Fault { calls: "clone,clone3,fork,vfork", error: "EAGAIN", whom: Whom::Everybody },
        Fault { calls: "clone,clone3,fork,vfork", error: "EAGAIN", whom: Whom::Loader },
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
        Fault { calls: "openat", error: "EMFILE", whom: Whom::Journal },
        Fault { calls: "read", error: "EIO", whom: Whom::Journal },
        Fault { calls: "write", error: "ENOSPC", whom: Whom::Journal },
        Fault { calls: "write", error: "EIO", whom: Whom::Journal },
        Fault { calls: "fdatasync,fsync", error: "EIO", whom: Whom::Journal },
    ]);
}

/// No bot is missing from a league because the host could not look for it.
#[test]
fn files_of_bots_that_cannot_be_found_or_read() {
    every(&[
        Fault { calls: "statx", error: "EIO", whom: Whom::Bots },
        Fault { calls: "getdents64", error: "EIO", whom: Whom::Bots },
        Fault { calls: "openat", error: "EMFILE", whom: Whom::Bots },
        Fault { calls: "read", error: "EIO", whom: Whom::Bots },
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
        let fault = Fault { calls, error, whom: Whom::Loader };
        for number in numbers() {
            let strace = lab.strace(fault, number);
            let done =
                compile(with_command(&strace_of(strace, env!("CARGO_BIN_EXE_arena").as_ref()), &arena_command(limits)));
            if !std::fs::read_to_string(lab.log()).expect("a log").contains("(INJECTED)") {
                break;
            }
            // An answer that is code begins with this; it counts only of a process that ended well.
            if done.status.success() && done.stdout.first() == Some(&b'C') {
                assert_eq!(done.stdout, undisturbed.stdout, "{calls} {error} at call {number}");
            }
        }
    }
}
