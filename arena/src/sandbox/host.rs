//! The host's side of a call: what it keeps beside an instance, what it grants, and the one function it offers.

use bot_sdk::abi;
use wasmtime::{Caller, Extern, Linker, Memory, ResourceLimiter, Trap};

use super::Limits;
use super::tariff::LOG_COST;
use crate::ids::{Fault, escaped};

/// What the host keeps beside an instance.
pub(super) struct HostState {
    /// Set once the instance is there; a start function runs before that.
    pub(super) memory: Option<Memory>,
    memory_bytes: usize,
    table_elements: usize,
    /// `None`: the log is dropped.
    pub(super) log: Option<Log>,
}

/// A log that is kept.
pub(super) struct Log {
    lines: Vec<String>,
    /// Bytes that may still be kept.
    room: usize,
}

impl Log {
    pub(super) fn new(room: usize) -> Log {
        Log { lines: Vec::new(), room }
    }
}

impl HostState {
    /// That of an instance that is not there yet.
    pub(super) fn new(limits: &Limits, log: Option<Log>) -> HostState {
        let (memory_bytes, table_elements) = (limits.memory_pages as usize * 65_536, limits.table_elements as usize);
        HostState { memory: None, memory_bytes, table_elements, log }
    }

    /// The log's lines since the last call, and the room that is left; nothing if the log is not kept.
    pub(super) fn take_log(&mut self) -> (Vec<String>, usize) {
        self.log.as_mut().map_or_else(Default::default, |log| (std::mem::take(&mut log.lines), log.room))
    }

    /// Keeps a logged text, if this instance's log is kept and has room; what does not fit ends the log.
    fn keep_log(&mut self, text: &[u8]) {
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

    /// What the limits refuse never comes here, nor does what the memory's own maximum refuses: the module was rewritten
    /// to ask for neither. What is left is the operating system, and its answer must not be the bot's.
    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        Err(error.context("a memory cannot grow"))
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(desired <= self.table_elements)
    }

    /// As [`memory_grow_failed`](ResourceLimiter::memory_grow_failed).
    fn table_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        Err(error.context("a table cannot grow"))
    }
}

/// A fault that host code raises inside a call.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Raised(pub(super) Fault);

/// Offers the import to modules.
pub(super) fn link(linker: &mut Linker<HostState>) -> wasmtime::Result<()> {
    linker.func_wrap(abi::IMPORT_MODULE, abi::IMPORT_LOG, log).map(drop)
}

/// The one import: text for the bot's author. Costs fuel by its length, kept or not, so that a league goes the
/// same way as an account of it.
fn log(mut caller: Caller<'_, HostState>, ptr: i32, len: i32) -> wasmtime::Result<()> {
    let (ptr, len) = (ptr as u32 as usize, len as u32 as usize);
    let fuel = caller.get_fuel()?;
    let cost = LOG_COST + len as u64;
    // As everywhere, fuel that is used up is a timeout: some must be left.
    let Some(left) = fuel.checked_sub(cost).filter(|&left| left > 0) else { return Err(Trap::OutOfFuel.into()) };
    caller.set_fuel(left)?;
    // While a start function runs, the instance's memory is found only by way of its export.
    let known = caller.data().memory;
    let memory = known.or_else(|| caller.get_export(abi::EXPORT_MEMORY).and_then(Extern::into_memory));
    let Some(memory) = memory else { return Err(wasmtime::Error::new(Raised(Fault::Protocol))) };
    let (bytes, host) = memory.data_and_store_mut(&mut caller);
    match ptr.checked_add(len).and_then(|end| bytes.get(ptr..end)) {
        Some(text) => {
            host.keep_log(text);
            Ok(())
        }
        None => Err(wasmtime::Error::new(Raised(Fault::Protocol))),
    }
}
