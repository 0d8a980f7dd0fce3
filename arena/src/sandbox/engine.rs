//! The engine, with its pool of instances.

use wasmtime::{Config, Engine, InstanceAllocationStrategy, Linker, PoolingAllocationConfig};

use super::host::{self, HostState};
use super::settings::settings;
use super::{Compiler, Limits};

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
        host::link(&mut linker).map_err(|error| SandboxError(format!("{error:#}")))?;
        Ok(Sandbox { engine, linker, limits, compiler })
    }

    /// The same engine and its pool, for bots that are submitted: see [`Compiler::with_margin`].
    pub fn with_margin(&self) -> Sandbox {
        let compiler = self.compiler.clone().with_margin();
        Sandbox { engine: self.engine.clone(), linker: self.linker.clone(), limits: self.limits.clone(), compiler }
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
