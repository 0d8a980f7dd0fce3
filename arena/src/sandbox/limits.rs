//! Every limit on bots, in one place, each with the attack that it stops.

use serde::{Deserialize, Serialize};

/// The most fuel that a league may give at a time: the native stack is sized so that this much ends before it does.
pub(super) const MAX_FUEL: u64 = 20_000_000;

/// Limits on a bot: the league file's table `[limits]`.
///
/// They are part of what a result means: two results with different limits are never mixed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Bytes of a module's file. Bounds reading and parsing.
    pub module_bytes: u64,
    /// Memory a bot may have, in pages of 64 KiB, its initial memory included. Bounds the host's memory, and the cost of
    /// touching and clearing it, which fuel does not see.
    pub memory_pages: u32,
    /// Elements of a bot's table. Bounds the same for tables.
    pub table_elements: u32,
    /// Functions, imported ones included. Many tiny functions compile slowly.
    pub functions: u32,
    /// Types. Many distinct types are slow to validate and to compile.
    pub types: u32,
    /// Globals. They live in the instance, which has a fixed size in the pool.
    pub globals: u32,
    /// Data segments and element segments, each.
    pub segments: u32,
    /// Exports.
    pub exports: u32,
    /// Bytes of one function's body. The costs of compiling that grow faster than the size are in one function.
    pub function_bytes: u32,
    /// Locals of one function, parameters included. A hundred bytes can declare 50 000.
    pub locals: u32,
    /// Depth of blocks, loops and ifs in one function. A switch makes one for each of its cases, so that ordinary programs
    /// have hundreds; a thousand blocks, or a switch of a thousand cases, compile in 0.15 s. A thousand loops in one another take
    /// 3 s and more, by the locals that live across them, which `compile_seconds` and `compile_bytes` bound.
    pub nesting: u32,
    /// Loops in one function. Each costs the compiler time for every local that lives across it.
    pub loops: u32,
    /// Targets of one jump table.
    pub jump_targets: u32,
    /// Parameters of one function. Bounds the native stack that a call can take for its fuel.
    pub parameters: u32,
    /// Results of one function. Likewise: a call with many results takes far more stack than fuel.
    pub results: u32,
    /// Bytes of all custom sections, and how many there may be. Bounds what a report has to read.
    pub custom_bytes: u32,
    /// Seconds of processor time that compiling the module may take. What a module's shape costs the compiler is
    /// bounded by nothing else.
    pub compile_seconds: u64,
    /// Bytes of memory that compiling may take, beside the compiler's own.
    pub compile_bytes: u64,
    /// Bytes of the module's native code. A hundred kilobytes can become sixty megabytes.
    pub code_bytes: u64,
    /// Fuel for the start of an instance: start function, `_initialize` and `arena_init` together.
    pub init_fuel: u64,
    /// Fuel for a decision; a game may give a kind of decision a share of it.
    pub decision_fuel: u64,
    /// Instances that a bot may lose in a match; then it is not asked again in it.
    pub restarts: u32,
    /// Bytes of log kept of a bot in a match, where it is kept at all. The fuel for logging is charged anyhow.
    pub log_bytes: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            module_bytes: 1 << 20,
            memory_pages: 64,
            table_elements: 10_000,
            functions: 10_000,
            types: 1_000,
            globals: 1_000,
            segments: 10_000,
            exports: 100,
            function_bytes: 65_536,
            locals: 1_000,
            nesting: 1_000,
            loops: 1_000,
            jump_targets: 1_000,
            parameters: 100,
            results: 16,
            custom_bytes: 262_144,
            compile_seconds: 10,
            compile_bytes: 1 << 30,
            code_bytes: 16 << 20,
            init_fuel: 20_000_000,
            decision_fuel: 10_000_000,
            restarts: 10,
            log_bytes: 65_536,
        }
    }
}

/// A limit's key, the largest value that a league may ask for, and the limit itself.
type Ceiling = (&'static str, u64, fn(&Limits) -> u64);

impl Limits {
    /// The largest module that a league may allow, in bytes.
    pub(super) const MOST_MODULE_BYTES: u64 = 16 << 20;

    /// The largest limits that a league may ask for, each with its key: the sandbox is built for these.
    const CEILINGS: &[Ceiling] = &[
        ("module_bytes", Self::MOST_MODULE_BYTES, |l| l.module_bytes),
        ("memory_pages", 1024, |l| l.memory_pages.into()),
        ("table_elements", 100_000, |l| l.table_elements.into()),
        ("functions", 50_000, |l| l.functions.into()),
        ("types", 10_000, |l| l.types.into()),
        ("globals", 10_000, |l| l.globals.into()),
        ("segments", 50_000, |l| l.segments.into()),
        ("exports", 1_000, |l| l.exports.into()),
        ("function_bytes", 1 << 20, |l| l.function_bytes.into()),
        ("locals", 10_000, |l| l.locals.into()),
        ("nesting", 10_000, |l| l.nesting.into()),
        ("loops", 10_000, |l| l.loops.into()),
        ("jump_targets", 6_000, |l| l.jump_targets.into()),
        ("parameters", 100, |l| l.parameters.into()),
        ("results", 16, |l| l.results.into()),
        ("custom_bytes", 16 << 20, |l| l.custom_bytes.into()),
        ("compile_seconds", 600, |l| l.compile_seconds),
        ("compile_bytes", 16 << 30, |l| l.compile_bytes),
        ("code_bytes", 256 << 20, |l| l.code_bytes),
        ("init_fuel", MAX_FUEL, |l| l.init_fuel),
        ("decision_fuel", MAX_FUEL, |l| l.decision_fuel),
        ("restarts", 1_000_000, |l| l.restarts.into()),
        ("log_bytes", 16 << 20, |l| l.log_bytes.into()),
    ];

    /// Finds a limit that the sandbox cannot keep.
    ///
    /// # Errors
    /// The key and what would be right.
    pub fn validate(&self) -> Result<(), (&'static str, String)> {
        for &(key, most, value) in Self::CEILINGS {
            let value = value(self);
            let least = least(key);
            if value < least || value > most {
                return Err((key, format!("expected a whole number from {least} to {most}, found {value}")));
            }
        }
        Ok(())
    }

    /// What a league may ask for at this key; `None` for no key of a limit.
    pub fn range(key: &str) -> Option<std::ops::RangeInclusive<u64>> {
        Self::CEILINGS.iter().find(|ceiling| ceiling.0 == key).map(|&(key, most, _)| least(key)..=most)
    }
}

/// Without a log or custom sections a bot can be; without anything else it cannot.
fn least(key: &str) -> u64 {
    u64::from(key != "log_bytes" && key != "custom_bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_within_what_the_sandbox_can_keep() {
        assert_eq!(Limits::default().validate(), Ok(()));
    }

    #[test]
    fn every_limit_has_a_ceiling() {
        let json = serde_json::to_value(Limits::default()).unwrap();
        let keys: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
        let mut with_ceiling: Vec<_> = Limits::CEILINGS.iter().map(|c| c.0).collect();
        with_ceiling.sort_unstable();
        assert_eq!(keys.len(), with_ceiling.len());
        for key in keys {
            assert!(with_ceiling.contains(&key), "{key}");
        }
    }

    #[test]
    fn too_much_fuel_is_refused_by_name() {
        let limits = Limits { decision_fuel: 1 << 40, ..Limits::default() };
        let (key, reason) = limits.validate().unwrap_err();
        assert_eq!(key, "decision_fuel");
        assert!(reason.contains("20000000"), "{reason}");
    }
}
