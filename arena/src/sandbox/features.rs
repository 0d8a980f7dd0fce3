//! Which WebAssembly proposals a bot may use, once for the check and once for the engine.

use wasmparser::WasmFeatures;
use wasmtime::Config;

/// What today's compilers emit by default, and nothing whose result may differ between machines.
///
/// References to functions are among it, references to what the host has (`externref`) are not: no compiler that was tried
/// emits them, and each instance that names them has a heap of its own, which takes a second slot of the memory pool.
pub(super) const ALLOWED: WasmFeatures = WasmFeatures::WASM2
    .union(WasmFeatures::TAIL_CALL)
    .union(WasmFeatures::EXTENDED_CONST)
    .difference(WasmFeatures::GC_TYPES);

/// Sets the engine to exactly [`ALLOWED`], naming every proposal that it knows.
pub(super) fn configure(config: &mut Config) {
    config
        .wasm_multi_value(true)
        .wasm_bulk_memory(true)
        .wasm_reference_types(true)
        .gc_support(false)
        .wasm_simd(true)
        .wasm_tail_call(true)
        .wasm_extended_const(true)
        .wasm_relaxed_simd(false)
        .relaxed_simd_deterministic(true)
        .wasm_multi_memory(false)
        .wasm_memory64(false)
        .wasm_custom_page_sizes(false)
        .wasm_wide_arithmetic(false)
        .wasm_function_references(false)
        .wasm_gc(false)
        .wasm_exceptions(false);
}
