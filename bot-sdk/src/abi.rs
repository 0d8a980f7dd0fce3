//! Every name and number that a bot's module and the host agree on. `ABI.md` explains them.

/// The interface's version: what a bot's [`EXPORT_ABI`] returns.
pub const VERSION: i32 = 1;

/// Export, memory: the module's one linear memory, 32-bit and not shared.
pub const EXPORT_MEMORY: &str = "memory";
/// Export, `() -> i32`: the version of the interface that the bot was built for.
pub const EXPORT_ABI: &str = "arena_abi";
/// Export, `() -> ()`, optional: called once on a fresh instance, before everything else.
pub const EXPORT_INITIALIZE: &str = "_initialize";
/// Export, `(seat: i32, seats: i32, seed: i64) -> i32`: called once on a fresh instance; returns the address of
/// the view buffer.
pub const EXPORT_INIT: &str = "arena_init";
/// Export, `(decision: i32, len: i32) -> i64`: answers one decision.
pub const EXPORT_DECIDE: &str = "arena_decide";

/// Import module of the one function a bot may import.
pub const IMPORT_MODULE: &str = "arena";
/// Import, `(ptr: i32, len: i32) -> ()`: UTF-8 text for the bot's author.
pub const IMPORT_LOG: &str = "log";

/// Custom section with the bot's metadata, JSON.
pub const METADATA_SECTION: &str = "arena.bot";

/// The view buffer's address is a multiple of this.
pub const BUFFER_ALIGN: u32 = 8;

/// An action that is legal in no game and in no decision.
pub const NO_ACTION: i64 = i64::MIN;

/// The largest number of seats of any game.
pub const MAX_SEATS: usize = 10;
