//! The sandbox: from a bot's bytes to answers, and nothing a bot does gets any further.
//!
//! ```text
//! bytes ──check──▶ Checked ──rewrite, compile──▶ BotModule ──start──▶ BotInstance ──decide──▶ an answer or a fault
//! ```
//!
//! The sandbox knows no game. It checks ([`check`](mod@check)), prices ([`tariff`], `frame`, `rewrite`) and compiles
//! ([`mod@compile`], [`compiling_process`], [`cache`], [`module`]), instantiates, meters and calls ([`instance`]), brings instances back to
//! their beginning (`reset`), and turns every way of failing into a [`Fault`](crate::ids::Fault). All numbers are in [`Limits`], all settings of the engine in [`settings`].

pub mod cache;
pub mod check;
pub mod compile;
pub mod compiling_process;
mod encode;
pub mod engine;
mod features;
mod frame;
mod growth;
mod host;
pub mod instance;
mod limits;
mod metadata;
pub mod module;
mod pages;
pub mod problem;
#[cfg(test)]
mod recursion;
mod reset;
mod rewrite;
pub mod settings;
mod shape;
pub mod tariff;
pub mod thread;
mod version;

pub use cache::Cache;
pub use check::{Checked, Inspection, check, inspect};
pub use compile::Compiler;
pub use engine::Sandbox;
pub use instance::{BotInstance, StartError, StartFailure};
pub use limits::Limits;
pub use metadata::Metadata;
pub use module::BotModule;
pub use problem::{LoadError, Problem, Refusal};
pub use thread::{BotThread, BotThreads};
pub use version::engine_version;
