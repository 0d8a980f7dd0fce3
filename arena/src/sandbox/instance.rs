//! An instance: one bot's mind for one match.

use std::sync::Arc;

use bot_sdk::abi;
use wasmtime::{Global, InstancePre, Memory, ModuleExport, ResourceLimiter, Store, Trap, TypedFunc};

use super::Limits;
use super::engine::Raised;
use super::pages::{Pages, Usual};
use super::reset::Image;
use crate::ids::{Fault, Seat, escaped};
use crate::play::Answer;

/// What the host keeps beside an instance.
pub(super) struct HostState {
    /// Set once the instance is there; a start function runs before that.
    pub(super) memory: Option<Memory>,
    memory_bytes: usize,
    table_elements: usize,
    /// `None`: the log is dropped.
    log: Option<Log>,
}

struct Log {
    lines: Vec<String>,
    /// Bytes that may still be kept.
    room: usize,
}

impl HostState {
    /// Keeps a logged text, if this instance's log is kept and has room; what does not fit ends the log.
    pub(super) fn keep_log(&mut self, text: &[u8]) {
        let Some(log) = &mut self.log else { return };
        let text = escaped(&String::from_utf8_lossy(&text[..text.len().min(log.room)]), usize::MAX);
        match log.room.checked_sub(text.len()) {
            _ if text.is_empty() => {}
            Some(room) => {
                log.room = room;
                log.lines.push(text);
            }
            None => log.room = 0,
        }
    }
}

impl ResourceLimiter for HostState {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(desired <= self.memory_bytes)
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(desired <= self.table_elements)
    }
}

/// Where the start of an instance failed.
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
    buffer: usize,
    abi: TypedFunc<(), i32>,
    initialize: Option<TypedFunc<(), ()>>,
    init: TypedFunc<(i32, i32, i64), i32>,
    decide: TypedFunc<(i32, i32), i64>,
    globals: Vec<Global>,
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
        self.log_room.map(|room| Log { lines: Vec::new(), room })
    }
}

impl BotInstance {
    /// An instance before its first call, its start function done.
    pub(super) fn instantiate(exports: &Exports, setup: Setup<'_>) -> Result<BotInstance, StartFailure> {
        let limits = setup.limits;
        let host = HostState {
            memory: None,
            memory_bytes: limits.memory_pages as usize * 65_536,
            table_elements: limits.table_elements as usize,
            log: setup.log(),
        };
        let mut store = Store::new(exports.pre.module().engine(), host);
        store.limiter(|host| host);
        // Setting fuel only fails where metering is off.
        store.set_fuel(limits.init_fuel).map_err(|error| StartFailure::Start(fault_of(&error)))?;

        let started = |error: wasmtime::Error| StartFailure::Start(fault_of(&error));
        let instance = exports.pre.instantiate(&mut store).map_err(started)?;
        let missing = || StartFailure::Start(Fault::Protocol);
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
            abi: abi.typed(&store).map_err(|_| missing())?,
            initialize: initialize.map(|it| it.typed(&store)).transpose().map_err(|_| missing())?,
            init: init.typed(&store).map_err(|_| missing())?,
            decide: decide.typed(&store).map_err(|_| missing())?,
            globals,
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
            // SAFETY: the host writes views, into a buffer that `init` touches, and in `Image::restore`, to what was
            // written to; `pages` is dropped before the store.
            self.pages = unsafe { Pages::track(&mut self.store, self.memory, setup.usual) };
        }
    }

    /// Calls what is called before the first decision, in the order that the interface states: `_initialize`, since nothing
    /// of some languages runs before it, `arena_abi`, `arena_init`. In every match and in the trial alike.
    pub(super) fn begin(&mut self, setup: Setup<'_>, seat: Seat, seats: usize, seed: u64) -> Result<(), StartFailure> {
        self.initialize()?;
        match self.abi() {
            Ok(abi::VERSION) => {}
            other => return Err(StartFailure::Abi(other)),
        }
        self.init(setup, seat, seats, seed)
    }

    /// The version of the interface that it was built for.
    ///
    /// # Errors
    /// The fault of the call.
    fn abi(&mut self) -> Result<i32, Fault> {
        self.abi.call(&mut self.store, ()).map_err(|error| fault_of(&error))
    }

    /// Calls `_initialize` with the fuel left by the start function.
    fn initialize(&mut self) -> Result<(), StartFailure> {
        let Some(initialize) = &self.initialize else { return Ok(()) };
        initialize.call(&mut self.store, ()).map_err(|error| StartFailure::Initialize(fault_of(&error)))
    }

    /// Calls `arena_init` with the fuel left by the others.
    fn init(&mut self, setup: Setup<'_>, seat: Seat, seats: usize, seed: u64) -> Result<(), StartFailure> {
        let address = self
            .init
            .call(&mut self.store, (seat.0.into(), seats as i32, seed as i64))
            .map_err(|error| StartFailure::Init(fault_of(&error)))? as u32;
        let memory_size = self.memory.data_size(&self.store);
        let fits = address as usize + setup.view_size <= memory_size;
        if !fits || !address.is_multiple_of(abi::BUFFER_ALIGN) {
            return Err(StartFailure::Buffer { address, memory: memory_size });
        }
        self.buffer = address as usize;
        if let Some(pages) = &self.pages {
            pages.touch(self.buffer..self.buffer + setup.view_size);
        }
        Ok(())
    }

    /// Asks for one decision with `fuel`. After a fault the instance must not be used again.
    ///
    /// # Errors
    /// The fault.
    #[inline]
    pub fn decide(&mut self, decision: u8, view: &[u8], fuel: u64) -> Result<Answer, Fault> {
        let memory = self.memory.data_mut(&mut self.store);
        // Memory never shrinks, so the buffer that fitted still does; `get_mut` costs nothing to make sure.
        let buffer = memory.get_mut(self.buffer..self.buffer + view.len()).ok_or(Fault::Protocol)?;
        buffer.copy_from_slice(view);
        self.store.set_fuel(fuel).map_err(|error| fault_of(&error))?;
        match self.decide.call(&mut self.store, (decision.into(), view.len() as i32)) {
            Ok(action) => {
                let left = self.store.get_fuel().unwrap_or(0);
                Ok(Answer { action, fuel: fuel.saturating_sub(left) })
            }
            Err(error) => Err(fault_of(&error)),
        }
    }

    /// The size of its memory now, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.memory.data_size(&self.store)
    }

    /// The log's lines since the last call, and the room that is left; none if the log is not kept.
    pub fn take_log(&mut self) -> (Vec<String>, usize) {
        let log = self.store.data_mut().log.as_mut();
        log.map_or_else(Default::default, |log| (std::mem::take(&mut log.lines), log.room))
    }
}

/// The fault behind an error of a call.
fn fault_of(error: &wasmtime::Error) -> Fault {
    if let Some(Raised(fault)) = error.downcast_ref() {
        return *fault;
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => Fault::Timeout,
        _ => Fault::Crash,
    }
}
