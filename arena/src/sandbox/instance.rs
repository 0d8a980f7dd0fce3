//! An instance: one bot's mind for one match.

use bot_sdk::abi;
use wasmtime::{InstancePre, Memory, ResourceLimiter, Store, Trap, TypedFunc};

use super::Limits;
use super::engine::Raised;
use crate::ids::{Fault, Seat, escaped};
use crate::play::Answer;

/// What the host keeps beside an instance.
pub(super) struct HostState {
    /// Set once the instance is there; a start function that logs has none yet.
    pub(super) memory: Option<Memory>,
    memory_bytes: usize,
    table_elements: usize,
    /// `None`: the log is dropped.
    log: Option<Log>,
}

struct Log {
    lines: Vec<String>,
    room: usize,
}

impl HostState {
    /// Keeps a logged text, if this instance's log is kept and has room.
    pub(super) fn keep_log(&mut self, text: &[u8]) {
        let Some(log) = &mut self.log else { return };
        let text = &text[..text.len().min(log.room)];
        if !text.is_empty() {
            log.room -= text.len();
            log.lines.push(escaped(&String::from_utf8_lossy(text), usize::MAX));
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
    pub(super) memory: wasmtime::ModuleExport,
    pub(super) abi: wasmtime::ModuleExport,
    pub(super) initialize: Option<wasmtime::ModuleExport>,
    pub(super) init: wasmtime::ModuleExport,
    pub(super) decide: wasmtime::ModuleExport,
}

/// A live instance.
pub struct BotInstance {
    store: Store<HostState>,
    memory: Memory,
    buffer: usize,
    decide: TypedFunc<(i32, i32), i64>,
}

/// What the driver of a start has to know beside the exports.
pub(super) struct Start<'a> {
    pub(super) limits: &'a Limits,
    pub(super) view_size: usize,
    pub(super) keep_log: bool,
    /// Whether to ask `arena_abi`: done when a bot is loaded, not again in every match.
    pub(super) ask_abi: bool,
}

impl BotInstance {
    pub(super) fn start(
        exports: &Exports,
        start: &Start<'_>,
        seat: Seat,
        seats: usize,
        seed: u64,
    ) -> Result<BotInstance, StartFailure> {
        let limits = start.limits;
        let host = HostState {
            memory: None,
            memory_bytes: limits.memory_pages as usize * 65_536,
            table_elements: limits.table_elements as usize,
            log: start.keep_log.then(|| Log { lines: Vec::new(), room: limits.log_bytes as usize }),
        };
        let mut store = Store::new(exports.pre.module().engine(), host);
        store.limiter(|host| host);
        let fuel = |store: &mut Store<HostState>| store.set_fuel(limits.init_fuel);
        // Setting fuel only fails where metering is off.
        fuel(&mut store).map_err(|error| StartFailure::Start(fault_of(&error)))?;

        let started = |error: wasmtime::Error| StartFailure::Start(fault_of(&error));
        let instance = exports.pre.instantiate(&mut store).map_err(started)?;
        let missing = || StartFailure::Start(Fault::Protocol);
        let export = |store: &mut Store<HostState>, export| instance.get_module_export(store, export);
        let memory = export(&mut store, &exports.memory).and_then(|e| e.into_memory()).ok_or_else(missing)?;
        store.data_mut().memory = Some(memory);
        let function = |store: &mut Store<HostState>, index| {
            instance.get_module_export(store, index).and_then(|e| e.into_func()).ok_or_else(missing)
        };

        if let Some(initialize) = &exports.initialize {
            let initialize = function(&mut store, initialize)?.typed::<(), ()>(&store).map_err(|_| missing())?;
            initialize.call(&mut store, ()).map_err(|error| StartFailure::Initialize(fault_of(&error)))?;
        }
        if start.ask_abi {
            let abi = function(&mut store, &exports.abi)?.typed::<(), i32>(&store).map_err(|_| missing())?;
            let version = abi.call(&mut store, ()).map_err(|error| StartFailure::Abi(Err(fault_of(&error))))?;
            if version != abi::VERSION {
                return Err(StartFailure::Abi(Ok(version)));
            }
        }
        let init = function(&mut store, &exports.init)?.typed::<(i32, i32, i64), i32>(&store).map_err(|_| missing())?;
        let address = init
            .call(&mut store, (seat.0.into(), seats as i32, seed as i64))
            .map_err(|error| StartFailure::Init(fault_of(&error)))? as u32;
        let decide = function(&mut store, &exports.decide)?.typed(&store).map_err(|_| missing())?;

        let memory_size = memory.data_size(&store);
        let fits = address as usize + start.view_size <= memory_size;
        if !fits || !address.is_multiple_of(abi::BUFFER_ALIGN) {
            return Err(StartFailure::Buffer { address, memory: memory_size });
        }
        Ok(BotInstance { store, memory, buffer: address as usize, decide })
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

    /// The log's lines since the last call; none if the log is not kept.
    pub fn take_log(&mut self) -> Vec<String> {
        self.store.data_mut().log.as_mut().map(|log| std::mem::take(&mut log.lines)).unwrap_or_default()
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
