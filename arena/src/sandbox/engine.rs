//! The engine and its settings.

use wasmtime::{
    Caller, Config, Engine, Extern, InstanceAllocationStrategy, Linker, OptLevel, PoolingAllocationConfig,
    RegallocAlgorithm, Strategy, Trap,
};

use super::instance::HostState;
use super::limits::MAX_FUEL;
use super::price::{self, BYTES_PER_FUEL};
use super::{Compiler, Limits, features};
use crate::ids::Fault;

/// Native stack for WebAssembly, in bytes: all fuel ends before it does. Address space only; a thread has in memory
/// what its bots have used of it.
const WASM_STACK: usize = (MAX_FUEL * BYTES_PER_FUEL) as usize + (56 << 20);

/// Stack of a thread that calls bots: the bots' own and a margin for the host.
pub const THREAD_STACK: usize = WASM_STACK + (16 << 20);

/// Fuel of a log call, beside one for each byte.
const LOG_COST: u64 = 100;

/// The engine with its pool of instances, for one set of limits.
pub struct Sandbox {
    pub(super) engine: Engine,
    pub(super) linker: Linker<HostState>,
    pub(super) limits: Limits,
    pub(super) compiler: Compiler,
}

impl Sandbox {
    /// A sandbox with room for `instances` at a time.
    ///
    /// Bots are compiled in this process: see [`Compiler`] for those that nobody trusts.
    ///
    /// # Errors
    /// The engine's own: an operating system that gives it no address space, or a processor it does not know.
    pub fn new(limits: Limits, instances: u32) -> Result<Sandbox, SandboxError> {
        Sandbox::with_compiler(limits, instances, Compiler::in_process())
    }

    /// A sandbox with room for `instances` at a time, whose bots are compiled by `compiler`.
    ///
    /// # Errors
    /// Those of [`Sandbox::new`].
    pub fn with_compiler(limits: Limits, instances: u32, compiler: Compiler) -> Result<Sandbox, SandboxError> {
        Sandbox::with_settings(settings(), limits, instances, compiler)
    }

    pub(super) fn with_settings(
        mut config: Config,
        limits: Limits,
        instances: u32,
        compiler: Compiler,
    ) -> Result<Sandbox, SandboxError> {
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(&limits, instances)));
        let engine = Engine::new(&config).map_err(|error| SandboxError(format!("{error:#}")))?;
        let mut linker = Linker::new(&engine);
        linker
            .func_wrap(bot_sdk::abi::IMPORT_MODULE, bot_sdk::abi::IMPORT_LOG, log)
            .map_err(|error| SandboxError(format!("{error:#}")))?;
        Ok(Sandbox { engine, linker, limits, compiler })
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }
}

/// The engine could not be set up: a fault of the machine or the arena, never of a bot.
#[derive(Debug, thiserror::Error)]
#[error("failed to set up the sandbox: {0}")]
pub struct SandboxError(String);

/// A fault that host code raises inside a call.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Raised(pub(super) Fault);

/// Room for instances, each with a memory and a table as large as the limits allow.
fn pool(limits: &Limits, instances: u32) -> PoolingAllocationConfig {
    let memory_bytes = limits.memory_pages as usize * 65_536;
    let mut pool = PoolingAllocationConfig::new();
    pool.total_core_instances(instances)
        .total_memories(instances)
        .total_tables(instances)
        .max_memories_per_module(1)
        .max_tables_per_module(1)
        .max_memory_size(memory_bytes)
        .table_elements(limits.table_elements as usize)
        // Above what the limits on functions and globals allow, so that no module is refused for it.
        .max_core_instance_size(16 << 20)
        // A slot that is free is used again before an untouched one is: no more are in memory than were alive at a time.
        .max_unused_warm_slots(0)
        // Slots are cleared by hand up to their full size: no page-table work between matches, and no first touch
        // of pages that a bot could make its opponent's match pay for.
        .linear_memory_keep_resident(memory_bytes)
        .table_keep_resident(limits.table_elements as usize * size_of::<usize>());
    pool
}

/// The settings that compiled code depends on: the same for all limits.
pub fn settings() -> Config {
    let mut config = Config::new();
    features::configure(&mut config);
    config
        .strategy(Strategy::Cranelift)
        .cranelift_opt_level(OptLevel::Speed)
        .cranelift_regalloc_algorithm(RegallocAlgorithm::Backtracking)
        .cranelift_nan_canonicalization(true)
        .consume_fuel(true)
        .operator_cost(price::costs())
        .epoch_interruption(false)
        .wasm_backtrace_max_frames(None)
        .generate_address_map(false)
        .native_unwind_info(false)
        .max_wasm_stack(WASM_STACK)
        .async_stack_size(THREAD_STACK);
    config
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
    let memory = known.or_else(|| caller.get_export(bot_sdk::abi::EXPORT_MEMORY).and_then(Extern::into_memory));
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
