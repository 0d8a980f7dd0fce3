//! Compiling: from rewritten bytes to native code, under limits, once for each module.
//!
//! How long a module compiles is its author's to say: no limit on its shape bounds it. So the command line has every
//! module compiled in a process of its own ([`Compiler::child`]), whose processor time and memory the operating
//! system limits. Native code comes back over a pipe, or out of the [`Cache`]; both are written by this very program
//! and by nothing else.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Instant;

use wasmtime::{Engine, Module};

use super::Limits;
use super::cache::{Cache, CacheKey};
use super::compiling_process::{Answer, Bounds};
use super::problem::{LoadError, Problem};
use super::rewrite::Rewritten;
use super::settings::precompile;
use crate::failure::HostError;
use crate::ids::escaped;

/// Where modules are compiled, and whether their code is kept.
#[derive(Debug, Clone, Default)]
pub struct Compiler {
    place: Place,
    cache: Option<Cache>,
    margin: bool,
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
        Compiler { place: Place::Child(program), ..Compiler::default() }
    }

    /// Keeps code in a cache and takes it from there.
    pub fn with_cache(self, cache: Option<Cache>) -> Compiler {
        Compiler { cache, ..self }
    }

    /// Compiles every module anew, and refuses it at half of what the limits allow: one that is taken so compiles
    /// everywhere, on slower machines too.
    pub fn with_margin(self) -> Compiler {
        Compiler { margin: true, ..self }
    }

    /// Compiles a module, or takes its code from the cache, whatever time it took then.
    pub(super) fn compile(&self, engine: &Engine, limits: &Limits, bytes: &Rewritten) -> Result<Module, LoadError> {
        let bounds = Bounds::new(limits, self.margin);
        let key = self.cache.as_ref().map(|cache| (cache, CacheKey::new(engine, bytes)));
        if let Some((cache, key)) = key.as_ref().filter(|_| !self.margin)
            && let Some(artefact) = cache.load(key)
            && let Ok(module) = load(engine, &artefact)
        {
            tracing::info!("loaded from the cache, {} bytes of code", artefact.len());
            return match artefact.len() as u64 > bounds.code_bytes {
                true => Err(bounds.too_much_code().into()),
                false => Ok(module),
            };
        }
        let started = Instant::now();
        let artefact = match &self.place {
            Place::Here => precompile(engine, bytes.bytes()).map_err(|message| refused(&message))?,
            Place::Child(program) => in_child(program, &bounds, bytes.bytes())?,
        };
        if artefact.len() as u64 > bounds.code_bytes {
            return Err(bounds.too_much_code().into());
        }
        tracing::info!("compiled in {} ms, {} bytes of code", started.elapsed().as_millis(), artefact.len());
        // What was compiled only for the margin may be there.
        if let Some((cache, key)) = &key
            && !(self.margin && cache.load(key).is_some())
        {
            cache.store(key, &artefact);
        }
        // The engine that made it is this one, with the same settings: what fails now is not the module's doing.
        load(engine, &artefact).map_err(|error| HostError::new("load compiled code", format!("{error:#}")).into())
    }
}

/// Native code as the engine's own module.
fn load(engine: &Engine, artefact: &[u8]) -> wasmtime::Result<Module> {
    // SAFETY: the bytes were made by `Engine::precompile_module`, by this process, by a child of the same binary whose
    // only input was a checked module, or by either of them earlier: the cache gives out only what lies in a folder
    // that nobody but the user can write and what has the hash that it was written with.
    unsafe { Module::deserialize(engine, artefact) }
}

fn refused(message: &str) -> Problem {
    Problem::new("compile", format!("the engine refuses it: {}", escaped(message, 300)))
}

/// A child that is still there after so many times its processor time is ended: it does not run at all.
const WALL_CLOCK: u32 = 10;

/// Compiles in a child process. Where the host fails it is tried once more: what was short may be there again.
fn in_child(program: &Path, bounds: &Bounds, bytes: &[u8]) -> Result<Vec<u8>, LoadError> {
    try_in_child(program, bounds, bytes).or_else(|error| match error {
        LoadError::Host(error) => {
            tracing::warn!("{error}; trying once more");
            try_in_child(program, bounds, bytes)
        }
        refused => Err(refused),
    })
}

fn try_in_child(program: &Path, bounds: &Bounds, bytes: &[u8]) -> Result<Vec<u8>, LoadError> {
    let cannot = |doing: &str, error: std::io::Error| HostError::new(doing, error);
    let mut child = Command::new(program)
        .args(bounds.arguments())
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| cannot("start the process that compiles bots", error))?;
    let talked = talk(&mut child, bounds, bytes);
    if talked.is_err() {
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| cannot("wait for the process that compiles bots", error))?;
    let (answer, words, given) = talked.map_err(|error| cannot("talk to the process that compiles bots", error))?;
    let without_answer = || {
        let words = String::from_utf8_lossy(&words);
        let words = if words.trim().is_empty() { String::new() } else { format!(": {}", escaped(words.trim(), 300)) };
        HostError::new("compile a bot", format!("its process ended without an answer ({status}){words}"))
    };
    match (Answer::read(answer).ok_or_else(without_answer)?, given) {
        // Said of a part of the module; one that runs out of time or memory may have read no more than that.
        (Answer::Code(_) | Answer::Refused(_), Err(error)) => {
            Err(cannot("give a bot to the process that compiles it", error).into())
        }
        // Its end is missing, since nobody listened any longer, and nobody needs it.
        (Answer::Code(code), _) if code.len() as u64 > bounds.code_bytes => Err(bounds.too_much_code().into()),
        // What was cut off is no code.
        (Answer::Code(_), _) if !status.success() => Err(without_answer().into()),
        (Answer::Code(code), _) => Ok(code),
        (Answer::Refused(message), _) => Err(refused(&message).into()),
        (Answer::OutOfTime, _) => Err(bounds.too_much_time().into()),
        (Answer::OutOfMemory, _) => Err(bounds.too_much_memory().into()),
        (Answer::Failed(message), _) => Err(HostError::new("compile a bot", escaped(&message, 300)).into()),
    }
}

/// What a child said on its two streams, and whether it got all of its module before.
type Said = (Vec<u8>, Vec<u8>, std::io::Result<()>);

/// Gives the child its module, and takes what it says.
fn talk(child: &mut Child, bounds: &Bounds, bytes: &[u8]) -> std::io::Result<Said> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (told, closed) = mpsc::channel();
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().spawn_scoped(scope, move || {
            // A child that has more to say finds nobody listening, and ends.
            let answer = read(stdout, bounds.code_bytes + 2);
            let words = read(stderr, 4096);
            let _ = told.send(());
            Ok((answer?, words?))
        })?;
        let given = stdin.map_or(Ok(()), |mut stdin| stdin.write_all(bytes));
        let ended = closed.recv_timeout(bounds.time * WALL_CLOCK);
        if ended.is_err() {
            let _ = child.kill();
        }
        let read = reader.join().unwrap_or_else(|_| Err(std::io::Error::other("the thread that reads panicked")));
        match ended {
            Ok(()) => read.map(|(answer, words)| (answer, words, given)),
            Err(_) => Err(std::io::Error::other(format!("it is still there after {:?}", bounds.time * WALL_CLOCK))),
        }
    })
}

fn read(stream: Option<impl Read>, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        stream.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// This program, to be started again as a child: also where its file was replaced meanwhile, if the operating system can
/// start what is running.
///
/// # Errors
/// The operating system's.
pub fn this_program() -> std::io::Result<PathBuf> {
    let running = Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && running.exists() { Ok(running.to_owned()) } else { std::env::current_exe() }
}
