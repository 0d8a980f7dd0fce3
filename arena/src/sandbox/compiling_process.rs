//! The process that compiles one module: what it may use, and what it answers.
//!
//! It is this program itself. It limits its own processor time and memory, reads a module from its standard input, and
//! writes one answer to its standard output. An answer says whose doing a failure is: a module that needs more than
//! the limits is the bot's, and only this process knows that it was its own limits that stopped it. A process that ends
//! without an answer was ended from outside.

use std::io::{Read, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use wasmtime::Engine;

use super::Limits;
use super::problem::Problem;
use super::settings::{THREAD_STACK, precompile, settings};
use crate::processor_time;

/// The hidden command by which the binary compiles for itself.
pub const COMMAND: &str = "__compile";

/// What compiling a module may use.
pub(super) struct Bounds {
    /// Processor time.
    pub(super) time: Duration,
    /// Memory, in bytes.
    memory: u64,
    /// Native code, in bytes.
    pub(super) code_bytes: u64,
    margin: bool,
    limits: [u64; 3],
}

impl Bounds {
    /// Those of the limits, or half of them.
    pub(super) fn new(limits: &Limits, margin: bool) -> Bounds {
        let part = if margin { 2 } else { 1 };
        Bounds {
            time: Duration::from_secs(limits.compile_seconds) / part,
            memory: limits.compile_bytes / u64::from(part),
            code_bytes: limits.code_bytes / u64::from(part),
            margin,
            limits: [limits.compile_seconds, limits.compile_bytes, limits.code_bytes],
        }
    }

    /// The arguments of the process.
    pub(super) fn arguments(&self) -> [String; 3] {
        [COMMAND.to_owned(), self.time.as_millis().to_string(), self.memory.to_string()]
    }

    fn problem(&self, what: &str, limit: u64, unit: &str, key: &str) -> Problem {
        let message = match self.margin {
            false => format!("{what} than the limit, {limit} {unit} (limits.{key})"),
            true => format!(
                "{what} than half of the limit, {limit} {unit} (limits.{key}): a bot that is submitted must keep within \
                 half, so that it compiles on slower machines too"
            ),
        };
        Problem::new("compile", message)
    }

    pub(super) fn too_much_time(&self) -> Problem {
        self.problem("it takes longer to compile", self.limits[0], "s", "compile_seconds")
    }

    pub(super) fn too_much_memory(&self) -> Problem {
        self.problem("it takes more memory to compile", self.limits[1], "bytes", "compile_bytes")
    }

    pub(super) fn too_much_code(&self) -> Problem {
        self.problem("its native code is longer", self.limits[2], "bytes", "code_bytes")
    }
}

/// What the process says in the end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Native code.
    Code(Vec<u8>),
    /// The engine refuses the module, with its reason.
    Refused(String),
    /// The module needs more processor time.
    OutOfTime,
    /// The module needs more memory.
    OutOfMemory,
    /// The host failed, with what happened.
    Failed(String),
}

// The first byte of an answer.
const CODE: u8 = b'C';
const REFUSED: u8 = b'R';
const OUT_OF_TIME: u8 = b'T';
const OUT_OF_MEMORY: u8 = b'M';
const FAILED: u8 = b'F';

impl Answer {
    /// What the process wrote; `None` for nothing that is an answer.
    pub(super) fn read(mut bytes: Vec<u8>) -> Option<Answer> {
        let kind = *bytes.first()?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(&bytes[1..]).trim().to_owned();
        Some(match kind {
            CODE => {
                bytes.remove(0);
                Answer::Code(bytes)
            }
            REFUSED => Answer::Refused(text(&bytes)),
            OUT_OF_TIME => Answer::OutOfTime,
            OUT_OF_MEMORY => Answer::OutOfMemory,
            FAILED => Answer::Failed(text(&bytes)),
            _ => return None,
        })
    }

    fn parts(&self) -> (u8, &[u8]) {
        match self {
            Answer::Code(code) => (CODE, code),
            Answer::Refused(message) => (REFUSED, message.as_bytes()),
            Answer::OutOfTime => (OUT_OF_TIME, b""),
            Answer::OutOfMemory => (OUT_OF_MEMORY, b""),
            Answer::Failed(message) => (FAILED, message.as_bytes()),
        }
    }
}

/// Whether an answer is on its way; held while it is written, so that there is only one.
static ANSWERED: Mutex<bool> = Mutex::new(false);

/// Writes an answer, unless there is one already.
fn answer(answer: &Answer) -> std::io::Result<()> {
    let mut answered = ANSWERED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if std::mem::replace(&mut *answered, true) {
        return Ok(());
    }
    let (kind, rest) = answer.parts();
    let mut out = std::io::stdout().lock();
    out.write_all(&[kind]).and_then(|()| out.write_all(rest)).and_then(|()| out.flush())
}

/// The process: compiles the module on the standard input within `milliseconds` of processor time and `bytes` of memory.
/// The code is that of any [`Sandbox`](super::Sandbox): limits on bots do not alter it.
///
/// # Errors
/// Of writing the answer.
pub fn serve(milliseconds: u64, bytes: u64) -> std::io::Result<()> {
    // A panic of the compiler is an answer like any other; its own words would come before it.
    std::panic::set_hook(Box::new(|_| {}));
    let answered = match compile(Duration::from_millis(milliseconds), bytes) {
        Ok(answered) => answered,
        Err(error) => Answer::Failed(error),
    };
    answer(&answered)
}

fn compile(time: Duration, bytes: u64) -> Result<Answer, String> {
    limit_self(time, bytes).map_err(|error| format!("it cannot be limited: {error}"))?;
    let watch = move || {
        while let Some(left) = time.checked_sub(processor_time::of_process()).filter(|left| !left.is_zero()) {
            std::thread::sleep(left);
        }
        let _ = answer(&Answer::OutOfTime);
        std::process::exit(0);
    };
    let watcher = std::thread::Builder::new().stack_size(64 << 10).spawn(watch);
    watcher.map_err(|error| format!("its time cannot be limited: {error}"))?;
    let mut module = Vec::new();
    std::io::stdin().lock().read_to_end(&mut module).map_err(|error| format!("its module cannot be read: {error}"))?;
    let engine = Engine::new(&settings()).map_err(|error| format!("no engine: {error:#}"))?;
    // The compiler recurses along nested blocks.
    let compiler = move || precompile(&engine, &module);
    let compiled = std::thread::Builder::new().stack_size(COMPILER_STACK).spawn(compiler);
    Ok(match compiled.map_err(|error| format!("no thread: {error}"))?.join() {
        Ok(Ok(code)) => Answer::Code(code),
        Ok(Err(message)) => Answer::Refused(message),
        Err(panic) => {
            let message = panic.downcast_ref::<String>().cloned();
            let message = message.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
            Answer::Refused(format!("its compiler fails on it: {}", message.unwrap_or_default()))
        }
    })
}

/// Stack of the thread that compiles, in bytes.
const COMPILER_STACK: usize = 64 << 20;

/// Address space that the program has before it compiles anything: its own code, its stacks, its allocator.
const OWN: u64 = THREAD_STACK as u64 + (256 << 20);

/// The address space that this process may have, in bytes; 0 if it is not limited.
static MOST_MEMORY: AtomicU64 = AtomicU64::new(0);

/// Limits this process: memory beyond is refused. The operating system's limit on time is a last resort, should the
/// process not notice itself. macOS does not keep the limit on memory.
#[cfg(unix)]
fn limit_self(time: Duration, bytes: u64) -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let set = |resource, most: u64| {
        // Somebody may have set a lower one before, which cannot be raised and need not be.
        let most = most.min(getrlimit(resource).maximum.unwrap_or(u64::MAX));
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
    };
    let most = bytes.saturating_add(OWN);
    set(Resource::Core, 0)?;
    set(Resource::Cpu, time.as_secs() + 5)?;
    set(Resource::As, most)?;
    MOST_MEMORY.store(most, Ordering::Relaxed);
    Ok(())
}

/// Elsewhere memory is not limited.
#[cfg(not(unix))]
fn limit_self(_: Duration, _: u64) -> std::io::Result<()> {
    Ok(())
}

/// What the program's allocator calls when there is no memory. In a process that compiles it answers whose doing that is;
/// elsewhere it does nothing. Allocates nothing.
pub fn out_of_memory(wanted: usize) {
    let most = MOST_MEMORY.load(Ordering::Relaxed);
    if most == 0 {
        return;
    }
    // What the allocator takes at a time is more than what it is asked for.
    const AT_A_TIME: u64 = 160 << 20;
    let own_doing = address_space().is_none_or(|used| used + wanted as u64 + AT_A_TIME >= most);
    let (kind, words): (u8, &[u8]) =
        if own_doing { (OUT_OF_MEMORY, b"") } else { (FAILED, b"the machine has no memory left") };
    let mut out = Unbuffered;
    let _ = out.write_all(&[kind]).and_then(|()| out.write_all(words));
    std::process::abort();
}

/// The standard output, without a buffer or a lock.
struct Unbuffered;

impl Write for Unbuffered {
    #[cfg(unix)]
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Ok(rustix::io::write(rustix::stdio::stdout(), bytes)?)
    }

    #[cfg(not(unix))]
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        std::io::stdout().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The address space that this process has, in bytes; `None` where it cannot be read.
fn address_space() -> Option<u64> {
    let mut text = [0; 64];
    let length = std::fs::File::open("/proc/self/statm").ok()?.read(&mut text).ok()?;
    let pages = text[..length].split(|&byte| byte == b' ').next()?;
    let pages: u64 = std::str::from_utf8(pages).ok()?.parse().ok()?;
    #[cfg(unix)]
    return Some(pages * rustix::param::page_size() as u64);
    #[cfg(not(unix))]
    return Some(pages);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_through() {
        let all = [
            Answer::Code(b"code".to_vec()),
            Answer::Refused("why".into()),
            Answer::OutOfTime,
            Answer::OutOfMemory,
            Answer::Failed("why".into()),
        ];
        for answer in all {
            let (kind, rest) = answer.parts();
            assert_eq!(Answer::read([&[kind], rest].concat()), Some(answer));
        }
        assert_eq!(Answer::read(Vec::new()), None);
        assert_eq!(Answer::read(b"memory allocation of 8 bytes failed".to_vec()), None);
    }

    #[test]
    fn a_margin_is_half_of_every_bound() {
        let limits = Limits { compile_seconds: 3, compile_bytes: 100, code_bytes: 50, ..Limits::default() };
        let (whole, half) = (Bounds::new(&limits, false), Bounds::new(&limits, true));
        assert_eq!(whole.arguments()[1..], ["3000", "100"]);
        assert_eq!(half.arguments()[1..], ["1500", "50"]);
        assert_eq!([whole.code_bytes, half.code_bytes], [50, 25]);
        assert!(half.too_much_time().message.contains("half of the limit, 3 s (limits.compile_seconds)"));
    }
}
