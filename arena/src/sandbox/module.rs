//! A bot's module: compiled once a run, started once a match.

use std::sync::Arc;

use bot_sdk::abi;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::check::Checked;
use super::engine::Sandbox;
use super::instance::{BotInstance, Exports, Setup, StartError, StartFailure};
use super::pages::Usual;
use super::problem::{LoadError, Problem, Refusal};
use super::reset::Image;
use super::rewrite::Rewritten;
use super::thread::BotThread;
use super::{Limits, Metadata, check};
use crate::failure::HostError;
use crate::ids::{Fault, Seat, escaped};

/// A bot ready to be started.
pub struct BotModule {
    exports: Exports,
    /// What instances are reset to; `None` if they are not.
    image: Option<Image>,
    usual: Arc<Usual>,
    limits: Limits,
    view_size: usize,
    metadata: Metadata,
    sha256: String,
}

/// What the trial calls `arena_init` with, beside the game's seats: a bot may meet both in a match.
const TRIAL_SEAT: Seat = Seat(0);
const TRIAL_SEED: u64 = 4_801_137_946_720_258_613;

/// The SHA-256 of bytes, in lowercase hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

impl BotModule {
    /// Checks bytes, compiles them and tries an instance: what is accepted here will play.
    ///
    /// `view_size` is the size of the largest view it will be given, `seats` the number of seats that it is tried with.
    ///
    /// # Errors
    /// Every problem that can be found before others are fixed, or the host's error.
    pub fn load(sandbox: &Sandbox, bytes: &[u8], view_size: usize, seats: usize) -> Result<BotModule, LoadError> {
        let checked = check(bytes, &sandbox.limits).map_err(Refusal)?;
        tracing::debug!("checked, {} bytes", bytes.len());
        BotModule::compile(sandbox, checked, view_size, seats)
    }

    fn compile(
        sandbox: &Sandbox,
        checked: Checked<'_>,
        view_size: usize,
        seats: usize,
    ) -> Result<BotModule, LoadError> {
        let rewritten = Rewritten::new(checked.bytes(), &sandbox.limits)
            .map_err(|error| Problem::new("malformed", escaped(&error.to_string(), 200)))?;
        let module = sandbox.compiler.compile(&sandbox.engine, &sandbox.limits, &rewritten)?;
        // What is imported and exported was checked: what is wrong with it now is not the bot's doing.
        let pre = sandbox.linker.instantiate_pre(&module);
        let pre = pre.map_err(|error| HostError::new("link a module", format!("{error:#}")))?;
        let export = |name: &str| {
            let missing = || HostError::new("link a module", format!("the export {name} is missing"));
            module.get_export_index(name).ok_or_else(missing)
        };
        let exports = Exports {
            memory: export(abi::EXPORT_MEMORY)?,
            abi: export(abi::EXPORT_ABI)?,
            initialize: module.get_export_index(abi::EXPORT_INITIALIZE),
            init: export(abi::EXPORT_INIT)?,
            decide: export(abi::EXPORT_DECIDE)?,
            globals: rewritten.globals().map(|all| all.iter().map(|name| export(name)).collect()).transpose()?,
            pre,
        };
        let sha256 = sha256_hex(checked.bytes());
        let limits = sandbox.limits.clone();
        let (metadata, usual) = (checked.into_metadata(), Arc::default());
        let mut loaded = BotModule { exports, image: None, usual, limits, view_size, metadata, sha256 };
        match BotThread::run(|thread| loaded.try_start(thread, seats))? {
            Ok(image) => loaded.image = image,
            Err(StartError::Bot(failure)) => return Err(loaded.explain(failure, seats).into()),
            Err(StartError::Host(error)) => return Err(error.into()),
        }
        Ok(loaded)
    }

    /// A trial: an instance that cannot be started is refused here rather than in every match. Gives its image.
    fn try_start(&self, thread: BotThread, seats: usize) -> Result<Option<Image>, StartError> {
        let mut instance = BotInstance::instantiate(thread, &self.exports, self.setup(None))?;
        let image = self.exports.globals.is_some().then(|| instance.image());
        instance.begin(self.setup(None), TRIAL_SEAT, seats, TRIAL_SEED)?;
        Ok(image)
    }

    fn explain(&self, failure: StartFailure, seats: usize) -> Problem {
        let called = format!("called for seat {TRIAL_SEAT} of {seats} with the seed {TRIAL_SEED}");
        let how = |fault| match fault {
            Fault::Timeout => format!("ran out of fuel ({} for the start of an instance)", self.limits.init_fuel),
            Fault::Protocol => "broke the interface".to_owned(),
            _ => "trapped".to_owned(),
        };
        match failure {
            StartFailure::Start(fault) => Problem::new("instantiate", format!("the start function {}", how(fault))),
            StartFailure::Initialize(fault) => {
                Problem::new("init", format!("{} {}", abi::EXPORT_INITIALIZE, how(fault)))
            }
            StartFailure::Init(fault) => Problem::new("init", format!("{} {}, {called}", abi::EXPORT_INIT, how(fault))),
            StartFailure::Abi(Err(fault)) => Problem::new("abi:version", format!("{} {}", abi::EXPORT_ABI, how(fault))),
            StartFailure::Abi(Ok(version)) => Problem::new(
                "abi:version",
                format!("{} returns {version}; arena knows version {}", abi::EXPORT_ABI, abi::VERSION),
            ),
            StartFailure::Buffer { address, memory } if address as usize + self.view_size > memory => Problem::new(
                "abi:buffer",
                format!(
                    "the view buffer does not fit: {} returned address {address}, {called}, and {} bytes from \
                     there are not within the memory of {memory} bytes",
                    abi::EXPORT_INIT,
                    self.view_size
                ),
            ),
            StartFailure::Buffer { address, .. } => Problem::new(
                "abi:buffer",
                format!(
                    "{} returned {address} as the view buffer's address, {called}, which is not a multiple of {}",
                    abi::EXPORT_INIT,
                    abi::BUFFER_ALIGN
                ),
            ),
        }
    }

    fn setup(&self, log_room: Option<usize>) -> Setup<'_> {
        Setup { limits: &self.limits, view_size: self.view_size, log_room, usual: &self.usual }
    }

    /// A fresh instance at the start of a match. `log_room` are the bytes of its log that are kept; `None`: it is dropped.
    ///
    /// # Errors
    /// Where and how its start failed, or the host's error.
    pub fn start(
        &self,
        thread: BotThread,
        seat: Seat,
        seats: usize,
        seed: u64,
        log_room: Option<usize>,
    ) -> Result<BotInstance, StartError> {
        let setup = self.setup(log_room);
        let mut instance = BotInstance::instantiate(thread, &self.exports, setup)?;
        if self.image.as_ref().is_some_and(Image::is_large) {
            instance.track(setup);
        }
        instance.begin(setup, seat, seats, seed)?;
        Ok(instance)
    }

    /// An instance at the start of a match, like a fresh one in every respect, made out of one of this module that is
    /// no longer needed and has not faulted, where that is possible and cheaper.
    ///
    /// # Errors
    /// Where and how its start failed, or the host's error.
    pub fn restart(
        &self,
        thread: BotThread,
        mut old: Box<BotInstance>,
        seat: Seat,
        seats: usize,
        seed: u64,
        log_room: Option<usize>,
    ) -> Result<Box<BotInstance>, StartError> {
        let setup = self.setup(log_room);
        if !self.image.as_ref().is_some_and(|image| old.reset(image, setup)) {
            // It goes first: its slot in the pool may be the one that is needed.
            drop(old);
            return self.start(thread, seat, seats, seed, log_room).map(Box::new);
        }
        old.begin(setup, seat, seats, seed)?;
        Ok(old)
    }

    /// Bytes of log that are kept of the bot in a match.
    pub fn log_bytes(&self) -> usize {
        self.limits.log_bytes as usize
    }

    /// What the bot says of itself.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The SHA-256 of the module's bytes, in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The module, if it says that it plays a game (or names none).
    ///
    /// # Errors
    /// A problem that names the game it plays and the one that is wanted.
    pub fn for_game(self, game: &str) -> Result<BotModule, LoadError> {
        if self.metadata.plays(game) {
            return Ok(self);
        }
        let own: Vec<_> = self.metadata.named_games().collect();
        let message = format!("it plays {}, and {game} is wanted", own.join(", "));
        Err(Problem::for_game(message).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many compilers reserve by themselves, or more.
    #[cfg(target_os = "linux")]
    #[test]
    fn instances_with_large_memories_are_set_back_too() {
        let sandbox = Sandbox::new(Limits::default(), 2).unwrap();
        for pages in [1, 4, 5, 17, 64] {
            let text = format!(
                r#"(module (memory (export "memory") {pages})
                    (func (export "arena_abi") (result i32) (i32.const 1))
                    (func (export "arena_init") (param i32 i32 i64) (result i32) (i32.const 1024))
                    (func (export "arena_decide") (param i32 i32) (result i64)
                        (i64.load (i32.const 60000))
                        (i64.store (i32.const 60000) (i64.const 7))))"#
            );
            let module = BotModule::load(&sandbox, &wat::parse_str(text).unwrap(), 64, 2).unwrap();
            let (image, setup) = (module.image.as_ref().unwrap(), module.setup(None));
            let play = |thread| {
                let mut instance = module.start(thread, Seat(0), 2, 1, None).unwrap();
                for _ in 0..3 {
                    let answers = [(); 2].map(|()| instance.decide(0, &[1; 64], 10_000).unwrap().action);
                    assert_eq!(answers, [0, 7], "{pages} pages");
                    assert!(instance.reset(image, setup), "{pages} pages");
                    instance.begin(setup, Seat(0), 2, 1).unwrap();
                }
            };
            BotThread::run(play).unwrap();
        }
    }
}
