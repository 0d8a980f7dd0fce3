//! An instance: one bot's mind for one match.

use std::sync::Arc;

use bot_sdk::abi;
use wasmtime::{Global, InstancePre, Memory, ModuleExport, Store, Trap, TypedFunc, WasmParams, WasmResults};

use super::Limits;
use super::host::{HostState, Log, Raised};
use super::pages::{Pages, Usual};
use super::reset::Image;
use super::thread::BotThread;
use crate::failure::{CallError, HostError};
use crate::ids::{Answer, Fault, Seat};

/// Where a bot failed at the start of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartFailure {
    /// In its start function (or while its memory and tables were filled).
    Start(Fault),
    /// In `_initialize`.
    Initialize(Fault),
    /// In `arena_init`.
    Init(Fault),
    /// The view buffer that `arena_init` gave is no good.
    Buffer {
        /// The address, as an unsigned number.
        address: u32,
        /// The memory's size then, in bytes.
        memory: usize,
    },
    /// `arena_abi` failed, or gave a version that is not known.
    Abi(Result<i32, Fault>),
}

impl StartFailure {
    /// The fault that it is in a match.
    pub fn fault(self) -> Fault {
        match self {
            StartFailure::Start(fault) | StartFailure::Initialize(fault) | StartFailure::Init(fault) => fault,
            StartFailure::Buffer { .. } => Fault::Protocol,
            StartFailure::Abi(Err(fault)) => fault,
            StartFailure::Abi(Ok(_)) => Fault::Protocol,
        }
    }
}

/// Why an instance could not be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartError {
    /// The bot failed.
    Bot(StartFailure),
    /// The host failed.
    Host(HostError),
}

impl StartError {
    /// The error of a call at a stage of the start.
    fn at(stage: fn(Fault) -> StartFailure) -> impl FnOnce(CallError) -> StartError {
        move |error| match error {
            CallError::Fault(fault) => StartError::Bot(stage(fault)),
            CallError::Host(error) => StartError::Host(error),
        }
    }
}

impl From<StartFailure> for StartError {
    fn from(failure: StartFailure) -> StartError {
        StartError::Bot(failure)
    }
}

impl From<HostError> for StartError {
    fn from(error: HostError) -> StartError {
        StartError::Host(error)
    }
}

impl From<StartError> for CallError {
    fn from(error: StartError) -> CallError {
        match error {
            StartError::Bot(failure) => CallError::Fault(failure.fault()),
            StartError::Host(error) => CallError::Host(error),
        }
    }
}

/// The exports of a module, resolved and type-checked once; an instance only looks them up by index.
pub(super) struct Exports {
    pub(super) pre: InstancePre<HostState>,
    pub(super) memory: ModuleExport,
    pub(super) abi: ModuleExport,
    pub(super) initialize: Option<ModuleExport>,
    pub(super) init: ModuleExport,
    pub(super) decide: ModuleExport,
    /// The globals that an instance can change, if it can be reset.
    pub(super) globals: Option<Vec<ModuleExport>>,
}

/// A live instance.
pub struct BotInstance {
    /// Known from the first reset on, or from the beginning if its memory is large. First, since it must be dropped before
    /// the store.
    pages: Option<Pages>,
    store: Store<HostState>,
    memory: Memory,
    /// The view buffer's address, and its size: beyond it no page is known to be open to the host.
    buffer: usize,
    view_size: usize,
    abi: TypedFunc<(), i32>,
    initialize: Option<TypedFunc<(), ()>>,
    init: TypedFunc<(i32, i32, i64), i32>,
    decide: TypedFunc<(i32, i32), i64>,
    globals: Vec<Global>,
    /// The thread that it was made on, and must stay on.
    _thread: BotThread,
}

/// What an instance is made with.
#[derive(Clone, Copy)]
pub(super) struct Setup<'a> {
    pub(super) limits: &'a Limits,
    pub(super) view_size: usize,
    /// Bytes of log that are kept; `None`: the log is dropped.
    pub(super) log_room: Option<usize>,
    pub(super) usual: &'a Arc<Usual>,
}

impl Setup<'_> {
    fn log(&self) -> Option<Log> {
        self.log_room.map(Log::new)
    }
}

impl BotInstance {
    /// An instance before its first call, its start function done.
    pub(super) fn instantiate(
        thread: BotThread,
        exports: &Exports,
        setup: Setup<'_>,
    ) -> Result<BotInstance, StartError> {
        let limits = setup.limits;
        let host = HostState::new(limits, setup.log());
        let mut store = Store::new(exports.pre.module().engine(), host);
        store.limiter(|host| host);
        set_fuel(&mut store, limits.init_fuel)?;
        let started = exports.pre.instantiate(&mut store).map_err(|error| error_of(error, "start an instance"));
        let instance = started.and_then(|instance| fuel_left(&store).map(|_| instance));
        let instance = instance.map_err(StartError::at(StartFailure::Start))?;
        let missing = || HostError::new("start an instance", "an export that was checked is missing");
        let memory = instance
            .get_module_export(&mut store, &exports.memory)
            .and_then(|e| e.into_memory())
            .ok_or_else(missing)?;
        store.data_mut().memory = Some(memory);
        let global = |export| instance.get_module_export(&mut store, export).and_then(|export| export.into_global());
        let globals = exports.globals.iter().flatten().map(global).collect::<Option<_>>().ok_or_else(missing)?;
        let mut function =
            |export| instance.get_module_export(&mut store, export).and_then(|e| e.into_func()).ok_or_else(missing);
        let (abi, init, decide) = (function(&exports.abi)?, function(&exports.init)?, function(&exports.decide)?);
        let initialize = exports.initialize.as_ref().map(function).transpose()?;
        Ok(BotInstance {
            pages: None,
            memory,
            buffer: 0,
            view_size: setup.view_size,
            abi: abi.typed(&store).map_err(|_| missing())?,
            initialize: initialize.map(|it| it.typed(&store)).transpose().map_err(|_| missing())?,
            init: init.typed(&store).map_err(|_| missing())?,
            decide: decide.typed(&store).map_err(|_| missing())?,
            globals,
            _thread: thread,
            store,
        })
    }

    /// Its image before its first call, to [`reset`](BotInstance::reset) others of the module with.
    pub(super) fn image(&mut self) -> Image {
        Image::of(&mut self.store, &self.memory, &self.globals)
    }

    /// Brings it back to what it was before its first call. `false`: it cannot be, and must be thrown away. Not for an
    /// instance that has faulted.
    pub(super) fn reset(&mut self, image: &Image, setup: Setup<'_>) -> bool {
        self.store.data_mut().log = setup.log();
        if self.store.set_fuel(setup.limits.init_fuel).is_err()
            || !image.restore(&mut self.store, &self.memory, &self.globals, self.pages.as_ref())
        {
            return false;
        }
        self.track(setup);
        true
    }

    /// Tracks what it writes from now on, where that is possible, so that a reset need not set back all of it.
    pub(super) fn track(&mut self, setup: Setup<'_>) {
        if self.pages.is_none() {
            // SAFETY: the host writes views of `view_size` bytes at most, into a buffer that `init` touches, and in
            // `Image::restore`, to what was written to; `pages` is the first field, so it is dropped before the store, and the
            // only one of the store; memories of the pool have a slot as large as they may grow.
            self.pages = unsafe { Pages::track(&mut self.store, self.memory, setup.usual) };
        }
    }

    /// Calls what is called before the first decision, in the order that the interface states: `arena_abi`, `_initialize`,
    /// `arena_init`. In every match and in the trial alike.
    pub(super) fn begin(&mut self, setup: Setup<'_>, seat: Seat, seats: usize, seed: u64) -> Result<(), StartError> {
        match self.abi() {
            Ok(abi::VERSION) => {}
            Ok(other) => return Err(StartFailure::Abi(Ok(other)).into()),
            Err(error) => return Err(StartError::at(|fault| StartFailure::Abi(Err(fault)))(error)),
        }
        self.initialize()?;
        self.init(setup, seat, seats, seed)
    }

    /// The version of the interface that it was built for.
    ///
    /// # Errors
    /// Those of the call.
    fn abi(&mut self) -> Result<i32, CallError> {
        call(&mut self.store, &self.abi, ()).map(|(version, _)| version)
    }

    /// Calls `_initialize` with the fuel left by the start function.
    fn initialize(&mut self) -> Result<(), StartError> {
        let Some(initialize) = &self.initialize else { return Ok(()) };
        call(&mut self.store, initialize, ()).map(drop).map_err(StartError::at(StartFailure::Initialize))
    }

    /// Calls `arena_init` with the fuel left by the others.
    fn init(&mut self, setup: Setup<'_>, seat: Seat, seats: usize, seed: u64) -> Result<(), StartError> {
        let (address, _) = call(&mut self.store, &self.init, (seat.0.into(), seats as i32, seed as i64))
            .map_err(StartError::at(StartFailure::Init))?;
        let address = address as u32;
        let memory_size = self.memory.data_size(&self.store);
        let fits = address as usize + setup.view_size <= memory_size;
        if !fits || !address.is_multiple_of(abi::BUFFER_ALIGN) {
            return Err(StartFailure::Buffer { address, memory: memory_size }.into());
        }
        self.buffer = address as usize;
        if let Some(pages) = &self.pages {
            pages.touch(self.buffer..self.buffer + setup.view_size);
        }
        Ok(())
    }

    /// Asks for one decision with `fuel`. After an error the instance must not be used again.
    ///
    /// # Errors
    /// The fault, or the host's error: also for a view that is longer than those that the module was loaded for.
    #[inline]
    pub fn decide(&mut self, decision: u8, view: &[u8], fuel: u64) -> Result<Answer, CallError> {
        if view.len() > self.view_size {
            let why = format!("it has {} bytes, and the module was loaded for {} at most", view.len(), self.view_size);
            return Err(HostError::new("write a view", why).into());
        }
        let memory = self.memory.data_mut(&mut self.store);
        // Memory never shrinks, so the buffer that fitted still does; `get_mut` costs nothing to make sure.
        let buffer = memory.get_mut(self.buffer..self.buffer + view.len());
        let buffer = buffer.ok_or_else(|| HostError::new("write a view", "the buffer does not fit any more"))?;
        buffer.copy_from_slice(view);
        set_fuel(&mut self.store, fuel)?;
        let (action, left) = call(&mut self.store, &self.decide, (decision.into(), view.len() as i32))?;
        Ok(Answer { action, fuel: fuel - left })
    }

    /// The size of its memory now, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.memory.data_size(&self.store)
    }

    /// The fuel that its last call has left, if that did not fail.
    pub fn fuel_left(&self) -> u64 {
        self.store.get_fuel().unwrap_or(0)
    }

    /// The log's lines since the last call, and the room that is left; none if the log is not kept.
    pub fn take_log(&mut self) -> (Vec<String>, usize) {
        self.store.data_mut().take_log()
    }
}

fn set_fuel(store: &mut Store<HostState>, fuel: u64) -> Result<(), HostError> {
    store.set_fuel(fuel).map_err(|error| HostError::new("set the fuel of a bot", format!("{error:#}")))
}

/// The fuel that a call has left, at least 1. The engine looks at it only in loops and at entries of functions, so code
/// may return with more used than there was: that too is a timeout.
#[inline]
fn fuel_left(store: &Store<HostState>) -> Result<u64, CallError> {
    match store.get_fuel() {
        Ok(0) => Err(Fault::Timeout.into()),
        Ok(left) => Ok(left),
        Err(error) => Err(HostError::new("read the fuel of a bot", format!("{error:#}")).into()),
    }
}

/// Calls a function of a bot: its results, and the fuel that it has left.
#[inline]
fn call<P: WasmParams, R: WasmResults>(
    store: &mut Store<HostState>,
    function: &TypedFunc<P, R>,
    parameters: P,
) -> Result<(R, u64), CallError> {
    let results = function.call(&mut *store, parameters).map_err(|error| error_of(error, "call a bot"))?;
    fuel_left(store).map(|left| (results, left))
}

/// Whose doing the error of a call is: the bot's where WebAssembly trapped or the import refused what it was given, the
/// host's everywhere else.
#[cold]
fn error_of(error: wasmtime::Error, doing: &str) -> CallError {
    if let Some(Raised(fault)) = error.downcast_ref() {
        return (*fault).into();
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => Fault::Timeout.into(),
        Some(
            Trap::UnreachableCodeReached
            | Trap::IntegerDivisionByZero
            | Trap::IntegerOverflow
            | Trap::BadConversionToInteger
            | Trap::MemoryOutOfBounds
            | Trap::TableOutOfBounds
            | Trap::IndirectCallToNull
            | Trap::BadSignature
            | Trap::StackOverflow,
        ) => Fault::Crash.into(),
        // Another trap is one of a feature that is switched off; another error never was the bot's.
        _ => HostError::new(doing, format!("{error:#}")).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::{BotModule, LoadError, Sandbox};

    /// What a module of these parts gives.
    fn load(sandbox: &Sandbox, before: &str, init: &str, decide: &str) -> Result<BotModule, LoadError> {
        let text = format!(
            r#"(module (import "arena" "log" (func $log (param i32 i32)))
                (memory (export "memory") 1) (global $g (mut i32) (i32.const 0)) {before}
                (func $deep (param i32) (result i32)
                    (if (result i32) (local.get 0)
                        (then (i32.add (i32.const 1) (call $deep (i32.sub (local.get 0) (i32.const 1)))))
                        (else (i32.const 0))))
                (func $last (param i32) (result i32)
                    (if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
                    (return_call $last (i32.sub (local.get 0) (i32.const 1))))
                (func (export "arena_abi") (result i32) (i32.const 1))
                (func (export "arena_init") (param i32 i32 i64) (result i32) {init} (i32.const 1024))
                (func (export "arena_decide") (param i32 i32) (result i64) {decide} (i64.const 7)))"#
        );
        BotModule::load(sandbox, &wat::parse_str(text).unwrap(), 16, 2)
    }

    /// Code that uses fuel in every way that there is: the engine looks at what is left in some of them only.
    fn uses() -> Vec<String> {
        let straight = "(global.set $g (i32.add (global.get $g) (i32.const 1))) ";
        let round = "(br_if $l (i32.lt_u (local.tee 0 (i32.add (local.get 0) (i32.const 1))) (i32.const 50)))";
        vec![
            straight.into(),
            straight.repeat(200),
            format!("(block {} (br 0))", straight.repeat(20)),
            format!("(if (i32.eqz (i32.const 0)) (then {}))", straight.repeat(20)),
            format!("(loop $l {} {round})", straight.repeat(3)),
            "(drop (call $deep (i32.const 40)))".into(),
            "(drop (call $last (i32.const 40)))".into(),
            format!("(drop (call $deep (i32.const 3))) {}", straight.repeat(20)),
            format!("{} (return (i64.const 7))", straight.repeat(20)),
            "(memory.fill (i32.const 2000) (i32.const 1) (i32.const 3000))".into(),
            "(call $log (i32.const 0) (i32.const 300))".into(),
        ]
    }

    fn decide(module: &BotModule, fuel: u64) -> Result<Answer, CallError> {
        BotThread::run(|thread| module.start(thread, Seat(0), 2, 1, None).unwrap().decide(0, &[0; 16], fuel)).unwrap()
    }

    #[test]
    fn an_answer_needs_more_fuel_than_it_uses_whatever_it_is_used_for() {
        let sandbox = Sandbox::new(Limits::default(), 2).unwrap();
        for code in uses() {
            let module = load(&sandbox, "", "", &code).unwrap();
            let answer = decide(&module, 1_000_000).unwrap();
            let used = answer.fuel;
            assert_eq!(decide(&module, used + 1), Ok(answer), "{code}");
            for less in [0, 1, used / 2, used - 1] {
                let limit = used - less;
                if limit > 0 {
                    assert_eq!(decide(&module, limit), Err(Fault::Timeout.into()), "{code}: {limit} of {used}");
                }
            }
        }
    }

    /// The pages behind the buffer are closed to the host where they are tracked: writing there would end the process.
    #[test]
    fn a_view_longer_than_the_module_was_loaded_for_is_the_hosts_error() {
        let sandbox = Sandbox::new(Limits::default(), 2).unwrap();
        let text = r#"(module (memory (export "memory") 17) (func (export "arena_abi") (result i32) (i32.const 1))
            (func (export "arena_init") (param i32 i32 i64) (result i32) (i32.const 1024))
            (func (export "arena_decide") (param i32 i32) (result i64) (i64.const 7)))"#;
        let module = BotModule::load(&sandbox, &wat::parse_str(text).unwrap(), 8, 2).unwrap();
        let decide = |thread| {
            let mut instance = module.start(thread, Seat(0), 2, 1, None).unwrap();
            for (length, fits) in [(65_536, false), (9, false), (8, true), (7, true)] {
                let decided = instance.decide(0, &vec![1; length], 10_000);
                assert_eq!(decided.is_ok(), fits, "{length} bytes: {decided:?}");
                assert!(fits || matches!(decided, Err(CallError::Host(_))));
            }
        };
        BotThread::run(decide).unwrap();
    }

    #[test]
    fn a_start_that_uses_up_its_fuel_is_a_timeout_where_it_does() {
        let code = "(global.set $g (i32.add (global.get $g) (i32.const 1))) ".repeat(200);
        let (start, initialize) =
            (format!("(func $s {code}) (start $s)"), format!("(func (export \"_initialize\") {code})"));
        for (stage, before, init) in
            [("start function", &*start, ""), ("_initialize", &*initialize, ""), ("arena_init", "", &*code)]
        {
            let starts = |init_fuel| {
                let sandbox = Sandbox::new(Limits { init_fuel, ..Limits::default() }, 2).unwrap();
                load(&sandbox, before, init, "")
            };
            let timeout = |init_fuel| match starts(init_fuel).err() {
                Some(LoadError::Refused(refusal)) => refusal.to_string(),
                other => panic!("{stage}, {init_fuel}: {other:?}"),
            };
            // Before its end the code looks at no fuel: what comes after it would.
            let message = timeout(1_500);
            assert!(message.contains(&format!("{stage} ran out of fuel")), "{message}");
            let (mut refused, mut taken) = (1_500, 10_000);
            while taken - refused > 1 {
                let middle = (taken + refused) / 2;
                *(if starts(middle).is_ok() { &mut taken } else { &mut refused }) = middle;
            }
            assert!(timeout(refused).contains("ran out of fuel"), "{stage}");
        }
    }

    #[test]
    fn an_error_that_is_no_trap_of_webassembly_is_the_hosts() {
        let error_of = |error: wasmtime::Error| error_of(error, "call a bot");
        assert_eq!(error_of(Trap::OutOfFuel.into()), Fault::Timeout.into());
        assert_eq!(error_of(Trap::UnreachableCodeReached.into()), Fault::Crash.into());
        assert_eq!(error_of(wasmtime::Error::new(Raised(Fault::Protocol))), Fault::Protocol.into());
        for error in [
            wasmtime::Error::msg("maximum concurrent limit of 4 reached"),
            Trap::Interrupt.into(),
            Trap::AllocationTooLarge.into(),
            std::io::Error::from_raw_os_error(12).into(),
        ] {
            assert!(matches!(error_of(error), CallError::Host(_)));
        }
    }

    /// The pool has room for k instances: the next one that starts finds none, whoever took the last.
    #[test]
    fn a_full_pool_is_the_hosts_fault_whoever_meets_it() {
        for room in 1..4 {
            let sandbox = Sandbox::new(Limits::default(), room).unwrap();
            let modules =
                ["(i64.const 1) drop", "(i64.const 2) drop"].map(|code| load(&sandbox, "", "", code).unwrap());
            let fill = |thread| {
                let start = |number: u32| modules[number as usize % 2].start(thread, Seat(0), 2, 1, None);
                let kept: Vec<_> = (0..room).map(|number| start(number).unwrap()).collect();
                let Err(StartError::Host(error)) = start(room) else { panic!("{room} are there") };
                assert!(error.to_string().starts_with("failed to start an instance: "), "{error}");
                drop(kept);
                assert!(start(room).is_ok());
            };
            BotThread::run(fill).unwrap();
        }
    }
}
