//! Compiling: from rewritten bytes to native code, under limits, once for each module.
//!
//! How long a module compiles is its author's to say: no limit on its shape bounds it. So the command line has every
//! module compiled in a process of its own ([`Compiler::child`]), whose processor time and memory the operating
//! system limits. Native code comes back over a pipe, or out of the [`Cache`]; both are written by this very program
//! and by nothing else.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use wasmtime::{Engine, Module};

use super::Limits;
use super::cache::{Cache, CacheKey};
use super::check::Problem;
use super::engine::{self, THREAD_STACK};
use super::rewrite::Rewritten;
use crate::ids::escaped;

/// Where modules are compiled, and whether their code is kept.
#[derive(Debug, Clone, Default)]
pub struct Compiler {
    place: Place,
    cache: Option<Cache>,
}

#[derive(Debug, Clone, Default)]
enum Place {
    #[default]
    Here,
    Child(PathBuf),
}

impl Compiler {
    /// In this process, without limits on time and memory: for bots that are trusted, as in tests and benchmarks.
    pub fn in_process() -> Compiler {
        Compiler::default()
    }

    /// In a child process of `program`, which is arena's own binary, for each module.
    pub fn child(program: PathBuf) -> Compiler {
        Compiler { place: Place::Child(program), cache: None }
    }

    /// Keeps code in a cache and takes it from there.
    pub fn with_cache(self, cache: Option<Cache>) -> Compiler {
        Compiler { cache, ..self }
    }

    /// Compiles a module, or takes its code from the cache, whatever time it took then.
    pub(super) fn compile(&self, engine: &Engine, limits: &Limits, bytes: &Rewritten) -> Result<Module, Problem> {
        let key = self.cache.as_ref().map(|cache| (cache, CacheKey::new(engine, bytes)));
        if let Some((cache, key)) = &key
            && let Some(artefact) = cache.load(key)
            && let Ok(module) = load(engine, &artefact)
        {
            tracing::info!("loaded from the cache, {} bytes of code", artefact.len());
            return if artefact.len() as u64 > limits.code_bytes { Err(too_much_code(limits)) } else { Ok(module) };
        }
        let started = Instant::now();
        let artefact = match &self.place {
            Place::Here => precompile(engine, bytes.bytes()).map_err(|message| refused(&message))?,
            Place::Child(program) => in_child(program, limits, bytes.bytes())?,
        };
        if artefact.len() as u64 > limits.code_bytes {
            return Err(too_much_code(limits));
        }
        tracing::info!("compiled in {} ms, {} bytes of code", started.elapsed().as_millis(), artefact.len());
        if let Some((cache, key)) = &key {
            cache.store(key, &artefact);
        }
        load(engine, &artefact).map_err(|error| refused(&format!("{error:#}")))
    }
}

/// Native code as the engine's own module.
fn load(engine: &Engine, artefact: &[u8]) -> wasmtime::Result<Module> {
    // SAFETY: the bytes were made by `Engine::precompile_module`, by this process, by a child of the same binary whose
    // only input was a checked module, or by either of them earlier: the cache gives out only what lies in a folder
    // that nobody but the user can write and what has the hash that it was written with.
    unsafe { Module::deserialize(engine, artefact) }
}

fn precompile(engine: &Engine, bytes: &[u8]) -> Result<Vec<u8>, String> {
    engine.precompile_module(bytes).map_err(|error| format!("{error:#}"))
}

fn problem(message: impl Into<String>) -> Problem {
    Problem::new("compile", message)
}

fn refused(message: &str) -> Problem {
    problem(format!("the engine refuses it: {}", escaped(message, 300)))
}

fn too_much_code(limits: &Limits) -> Problem {
    problem(format!("its native code has more bytes than the limit, {} (limits.code_bytes)", limits.code_bytes))
}

/// The hidden command by which the binary compiles for itself.
pub const COMMAND: &str = "__compile";

/// A child that is still there after so many times its processor time is killed: where the operating system knows no
/// limit on processor time this is the only one; elsewhere it only catches a child that does not run at all.
const WALL_CLOCK: u64 = if cfg!(unix) { 10 } else { 1 };

/// The exit code of a child whose engine refused the module; the reason is on its error stream.
const REFUSED: u8 = 2;

fn in_child(program: &Path, limits: &Limits, bytes: &[u8]) -> Result<Vec<u8>, Problem> {
    let cannot = |error: std::io::Error| {
        problem(format!("the process that compiles it could not be started or spoken to: {error}"))
    };
    let mut child = Command::new(program)
        .arg(COMMAND)
        .arg(limits.compile_seconds.to_string())
        .arg(limits.compile_bytes.to_string())
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(cannot)?;
    let (stdin, mut stdout, mut stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (told, closed) = mpsc::channel();
    let (artefact, words) = std::thread::scope(|scope| {
        let reader = scope.spawn(move || {
            let artefact = read(&mut stdout, limits.code_bytes + 1);
            // A child that has more to say finds nobody listening, and ends.
            drop(stdout);
            let words = read(&mut stderr, 4096);
            let _ = told.send(());
            (artefact, words)
        });
        // A child that ends before it has read everything tells why by how it ends.
        let _ = stdin.map(|mut stdin| stdin.write_all(bytes));
        if closed.recv_timeout(Duration::from_secs(limits.compile_seconds * WALL_CLOCK)).is_err() {
            let _ = child.kill();
        }
        reader.join().unwrap_or_default()
    });
    let status = child.wait().map_err(cannot)?;
    if artefact.len() as u64 > limits.code_bytes {
        return Err(too_much_code(limits));
    }
    if status.success() { Ok(artefact) } else { Err(why(status, &String::from_utf8_lossy(&words), limits)) }
}

fn read(stream: &mut Option<impl Read>, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        // What cannot be read shows in how the child ends.
        let _ = stream.take(most).read_to_end(&mut bytes);
    }
    bytes
}

/// Why a child ended without code.
fn why(status: ExitStatus, words: &str, limits: &Limits) -> Problem {
    let time = || {
        let seconds = limits.compile_seconds;
        problem(format!("it takes longer to compile than the limit, {seconds} s (limits.compile_seconds)"))
    };
    if status.code() == Some(REFUSED.into()) {
        return refused(words.trim());
    }
    // The allocator's own words, or those of the operating system by way of the engine.
    if words.contains("memory allocation of") || words.contains("Cannot allocate memory") {
        let bytes = limits.compile_bytes;
        return problem(format!(
            "it takes more memory to compile than the limit, {bytes} bytes (limits.compile_bytes)"
        ));
    }
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        use rustix::process::Signal;
        if signal == Signal::XCPU.as_raw() || signal == Signal::KILL.as_raw() {
            return time();
        }
    }
    // Where there are no signals, a killed child has no words and the code 1.
    if cfg!(not(unix)) && status.code() == Some(1) && words.is_empty() {
        return time();
    }
    problem(format!("the compiler fails on it ({status}): {}", escaped(words.trim(), 300)))
}

/// The child's side: limits itself, reads a module from the standard input, and writes its code to the standard
/// output. The code is that of any [`Sandbox`](super::Sandbox): limits on bots do not alter it.
///
/// # Errors
/// An exit code, and a reason for the error stream.
pub fn serve(seconds: u64, bytes: u64) -> Result<(), (u8, String)> {
    const FAULT: u8 = 3;
    let fault = |what: &str, error: &dyn std::fmt::Display| (FAULT, format!("{what}: {error}"));
    limit_self(seconds, bytes).map_err(|error| fault("limits cannot be set", &error))?;
    let mut module = Vec::new();
    std::io::stdin().lock().read_to_end(&mut module).map_err(|error| fault("no module", &error))?;
    let engine = Engine::new(&engine::settings()).map_err(|error| fault("no engine", &error))?;
    let artefact = precompile(&engine, &module).map_err(|message| (REFUSED, message))?;
    std::io::stdout().lock().write_all(&artefact).map_err(|error| fault("nobody wants its code", &error))
}

/// Limits this process: what it takes beyond is refused, or the end of it.
#[cfg(unix)]
fn limit_self(seconds: u64, bytes: u64) -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    /// Address space that the program has before it compiles anything: its own code, its stack, its allocator.
    const OWN: u64 = THREAD_STACK as u64 + (192 << 20);
    let set = |resource, soft: u64, hard: u64| {
        // Somebody may have set a lower one before, which cannot be raised and need not be.
        let most = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        setrlimit(resource, Rlimit { current: Some(soft.min(most)), maximum: Some(hard.min(most)) })
    };
    set(Resource::Core, 0, 0)?;
    set(Resource::Cpu, seconds, seconds + 1)?;
    // macOS knows this limit and does not keep it.
    set(Resource::As, bytes.saturating_add(OWN), bytes.saturating_add(OWN))?;
    Ok(())
}

/// Elsewhere the parent's clock is the only limit.
#[cfg(not(unix))]
fn limit_self(_: u64, _: u64) -> std::io::Result<()> {
    Ok(())
}
