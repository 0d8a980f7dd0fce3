//! What can go wrong in a command, and the exit code that it means.

use crate::bench::BenchError;
use crate::failure::{HostError, is_hosts};
use crate::league::folder::FolderError;
use crate::league::results::ResultsError;
use crate::league::{ConfigError, JournalError, RunError, SubmissionsError};
use crate::rating::fit_options::FitError;
use crate::report::files::WriteError;
use crate::sandbox::engine::SandboxError;

/// Exit codes.
pub mod exit {
    /// Done.
    pub const DONE: u8 = 0;
    /// Interrupted; the same command goes on.
    pub const INTERRUPTED: u8 = 1;
    /// Bad input: a file, an option or a bot is refused.
    pub const BAD_INPUT: u8 = 2;
    /// A fault of arena or of the machine, never of a bot.
    pub const ARENA_FAULT: u8 = 3;
    /// With `compare --exit-code`: no candidate is better.
    pub const NOT_BETTER: u8 = 10;
    /// With `compare --exit-code`: undecided.
    pub const UNDECIDED: u8 = 11;
}

/// A command that failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// A league file.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A bot is refused; the text says which and why.
    #[error("{0}")]
    Refused(String),
    /// A league's submissions.
    #[error(transparent)]
    Submissions(#[from] SubmissionsError),
    /// A results folder that holds something else.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The journal.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// A results file.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The ratings.
    #[error("failed to {0}")]
    Rating(#[from] FitError),
    /// The sandbox.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The machine or the program, while bots were compiled or played.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The measuring.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// This program's own file, which is to compile bots.
    #[error("failed to find this program's own file: {0}")]
    Program(std::io::Error),
    /// Standard output.
    #[error("failed to write to the standard output: {0}")]
    Output(#[from] std::io::Error),
}

impl Failure {
    /// The exit code.
    pub(super) fn code(&self) -> u8 {
        match self {
            Failure::Submissions(SubmissionsError::Io { source, .. }) => code_of(source, exit::BAD_INPUT),
            Failure::Write(WriteError { source, .. })
            | Failure::Run(RunError::Journal(JournalError::Io { source, .. }))
            | Failure::Results(ResultsError::Journal(JournalError::Io { source, .. })) => {
                code_of(source, exit::INTERRUPTED)
            }
            Failure::Config(error) if error.is_hosts() => exit::ARENA_FAULT,
            Failure::Config(_) | Failure::Refused(_) | Failure::Submissions(_) | Failure::Folder(_) => exit::BAD_INPUT,
            Failure::Run(RunError::Bot { .. }) => exit::BAD_INPUT,
            Failure::Run(RunError::Journal(JournalError::Locked { .. } | JournalError::Unusable { .. })) => {
                exit::BAD_INPUT
            }
            Failure::Results(
                ResultsError::UnknownGame { .. } | ResultsError::Journal(JournalError::Contradictory { .. }),
            ) => exit::BAD_INPUT,
            Failure::Rating(FitError::NoFiniteRatings(_) | FitError::UnknownAnchor(_)) => exit::BAD_INPUT,
            // The folder can be mended and the run goes on.
            Failure::Run(RunError::Journal(_)) | Failure::Results(_) => exit::INTERRUPTED,
            Failure::Run(_)
            | Failure::Rating(_)
            | Failure::Sandbox(_)
            | Failure::Host(_)
            | Failure::Bench(_)
            | Failure::Program(_)
            | Failure::Output(_) => exit::ARENA_FAULT,
        }
    }
}

/// The exit code where the operating system refuses a file: that of a full disk or of a machine that fails, or else
/// `otherwise`.
fn code_of(error: &std::io::Error, otherwise: u8) -> u8 {
    use std::io::ErrorKind::{QuotaExceeded, StorageFull};
    match error.kind() {
        StorageFull | QuotaExceeded => exit::INTERRUPTED,
        _ if is_hosts(error) => exit::ARENA_FAULT,
        _ => otherwise,
    }
}
