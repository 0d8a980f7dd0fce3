//! What can stop a call into a bot: the bot itself, or the host. The two are never mixed up.
//!
//! A [`Fault`] is the bot's, is counted, and costs what the game says. A [`HostError`] is the machine's or the
//! program's: nothing that was being played when it came up counts, and the run ends.

use std::fmt::Display;

use crate::ids::Fault;

/// The host failed: the operating system refused a resource, the engine failed for want of one, or this program has
/// an error. Never the doing of a bot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HostError(Box<str>);

impl HostError {
    /// What was tried, as "start an instance", and why it failed.
    pub fn new(doing: &str, why: impl Display) -> HostError {
        HostError(format!("failed to {doing}: {why}").into())
    }
}

/// Why a call into a bot gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The bot's own doing.
    #[error("{0}")]
    Fault(Fault),
    /// The host's.
    #[error(transparent)]
    Host(#[from] HostError),
}

impl From<Fault> for CallError {
    fn from(fault: Fault) -> CallError {
        CallError::Fault(fault)
    }
}
