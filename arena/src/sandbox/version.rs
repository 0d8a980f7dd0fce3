//! The version of the engine: what decides, beside a bot's bytes, how it plays.
//!
//! It is computed and not kept by hand, so that it changes whenever play could, and only then: wasmtime's version as
//! `Cargo.lock` has it, and a hash of the engine's settings, the prices of operators among them, and of what becomes of a
//! sample module that has everything the rewriter changes.

use std::sync::LazyLock;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use wasmtime::Config;

use super::Limits;

use super::rewrite::Rewritten;
use super::settings::{THREAD_STACK, settings};

/// `sample.wat`.
const SAMPLE: &[u8] = include_bytes!("sample.wasm");

/// Settings that cannot alter what a bot answers, by the names that the engine shows them with: where memories lie, what
/// guards them, and what is kept for backtraces.
const WITHOUT_EFFECT: &[&str] = &[
    "memory_reservation",
    "memory_reservation_for_growth",
    "memory_guard_size",
    "memory_may_move",
    "guard_before_linear_memory",
    "generate_address_map",
    "unwind_info",
    "parallel_compilation",
];

/// The engine's version: part of every block's key, because determinism across engine versions is promised by nobody.
pub fn engine_version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let sample = Rewritten::new(SAMPLE, &Limits::default());
        version(&settings(), sample.as_ref().map_or(&[], Rewritten::bytes))
    });
    &VERSION
}

fn version(config: &Config, sample: &[u8]) -> String {
    let mut hash = Sha256::new();
    for line in lines(config) {
        hash.update(line);
        hash.update("\n");
    }
    // Not among what the engine shows.
    hash.update(THREAD_STACK.to_le_bytes());
    hash.update(sample);
    let digest = HEXLOWER.encode(&hash.finalize()[..4]);
    format!("wasmtime-{}/{digest}", locked_version())
}

/// The settings as the engine shows them, a line each, in an order that does not depend on how it keeps them.
fn lines(config: &Config) -> Vec<String> {
    let without_effect = |line: &str| WITHOUT_EFFECT.iter().any(|name| line.trim_matches('"').starts_with(name));
    let shown = format!("{config:#?}");
    let mut lines: Vec<_> =
        shown.lines().map(str::trim).filter(|line| !without_effect(line)).map(str::to_owned).collect();
    lines.sort_unstable();
    lines
}

/// Wasmtime's version in `Cargo.lock`, which this program was built with.
fn locked_version() -> &'static str {
    let lock = include_str!("../../../Cargo.lock");
    let package = lock.split("[[package]]").find(|package| package.contains("name = \"wasmtime\"\n"));
    let version = package.and_then(|package| package.split("version = \"").nth(1)?.split('"').next());
    version.unwrap_or("unknown")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::tariff::table;

    #[test]
    fn it_names_the_engine_that_is_linked() {
        let (engine, digest) = engine_version().split_once('/').unwrap();
        let version = engine.strip_prefix("wasmtime-").unwrap();
        // The engine is pinned, so that no other can be linked than the lock file has.
        let manifest = include_str!("../../../Cargo.toml");
        assert!(manifest.contains(&format!("\nwasmtime = {{ version = \"={version}\"")), "{version}");
        assert!(digest.len() == 8 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()), "{digest}");
    }

    #[test]
    fn the_sample_is_its_text() {
        assert_eq!(wat::parse_str(include_str!("sample.wat")).unwrap(), SAMPLE);
    }

    #[test]
    fn it_changes_with_whatever_alters_a_match_and_with_nothing_else() {
        let sample = Rewritten::new(SAMPLE, &Limits::default()).unwrap();
        let now = version(&settings(), sample.bytes());
        let with = |change: fn(&mut Config) -> &mut Config| {
            let mut config = settings();
            change(&mut config);
            version(&config, sample.bytes())
        };
        // One price.
        let dearer = |config: &mut Config| {
            let mut costs = crate::sandbox::tariff::costs();
            costs.I32Add += 1;
            config.operator_cost(costs);
        };
        let mut config = settings();
        dearer(&mut config);
        assert_ne!(version(&config, sample.bytes()), now);
        assert!(table().iter().any(|row| row.name == "I32Add"));
        // Settings.
        assert_ne!(with(|config| config.cranelift_nan_canonicalization(false)), now);
        assert_ne!(with(|config| config.consume_fuel(false)), now);
        assert_ne!(with(|config| config.wasm_relaxed_simd(true)), now);
        assert_ne!(with(|config| config.cranelift_opt_level(wasmtime::OptLevel::None)), now);
        // The rewriter.
        assert_ne!(version(&settings(), SAMPLE), now);
        let other = Limits { memory_pages: 10, ..Limits::default() };
        assert_ne!(version(&settings(), Rewritten::new(SAMPLE, &other).unwrap().bytes()), now);
        // What cannot.
        assert_eq!(with(|config| config.memory_reservation(1 << 20)), now);
        assert_eq!(with(|config| config.memory_guard_size(1 << 16)), now);
        assert_eq!(with(|config| config.memory_may_move(true)), now);
        assert_eq!(with(|config| config.generate_address_map(true)), now);
    }
}
