//! The settings of the engine.

use wasmtime::{Config, Engine, OptLevel, RegallocAlgorithm, Strategy};

use super::features;
use super::limits::MAX_FUEL;
use super::tariff::{self, BYTES_PER_FUEL};

/// Native stack for WebAssembly, in bytes: all fuel ends before it does. Address space only; a thread has in memory
/// what its bots have used of it.
const WASM_STACK: usize = (MAX_FUEL * BYTES_PER_FUEL) as usize + (56 << 20);

/// Stack of a thread that calls bots: the bots' own and a margin for the host.
pub const THREAD_STACK: usize = WASM_STACK + (16 << 20);

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
        .operator_cost(tariff::costs())
        .epoch_interruption(false)
        .wasm_backtrace_max_frames(None)
        .generate_address_map(false)
        .native_unwind_info(false)
        .max_wasm_stack(WASM_STACK)
        .async_stack_size(THREAD_STACK);
    config
}

/// Native code of a module, or the engine's reason to refuse it.
pub(super) fn precompile(engine: &Engine, bytes: &[u8]) -> Result<Vec<u8>, String> {
    engine.precompile_module(bytes).map_err(|error| format!("{error:#}"))
}
