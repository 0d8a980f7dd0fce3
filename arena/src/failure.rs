//! What can stop a call into a bot: the bot itself, or the host. The two are never mixed up.
//!
//! A [`Fault`] is the bot's, is counted, and costs what the game says. A [`HostError`] is the machine's or the
//! program's: nothing that was being played when it came up counts, and the run ends.

use std::fmt::Display;
use std::io;

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

/// Why a file that somebody names could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// It is not there, or not what it should be.
    #[error("{0}")]
    Bad(String),
    /// The host has no means to read it, as no file descriptor.
    #[error(transparent)]
    Host(#[from] HostError),
}

impl FileError {
    /// What the operating system says of a file, when `doing` something with it, as "open it".
    pub fn new(doing: &str, error: &io::Error) -> FileError {
        match is_hosts(error) {
            true => HostError::new(doing, error).into(),
            false => FileError::Bad(format!("failed to {doing}: {error}")),
        }
    }
}

/// Whether it is the host that fails, by what the operating system says of a file, and not the file that is wrong.
pub fn is_hosts(error: &io::Error) -> bool {
    use io::ErrorKind::{
        AlreadyExists, DirectoryNotEmpty, FileTooLarge, InvalidData, InvalidFilename, InvalidInput, IsADirectory,
        NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem, UnexpectedEof,
    };
    match error.kind() {
        AlreadyExists | DirectoryNotEmpty | FileTooLarge | InvalidData | InvalidFilename | InvalidInput
        | IsADirectory | NotADirectory | NotFound | PermissionDenied | ReadOnlyFilesystem | UnexpectedEof => false,
        // A loop of links has no kind that is stable.
        #[cfg(unix)]
        _ => error.raw_os_error() != Some(rustix::io::Errno::LOOP.raw_os_error()),
        #[cfg(not(unix))]
        _ => true,
    }
}

/// Whether a path is that of a regular file, links followed; `None` if there is nothing.
///
/// # Errors
/// What the operating system says instead.
pub fn is_file(path: &std::path::Path) -> Result<Option<bool>, FileError> {
    match std::fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata.is_file())),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(FileError::new("look for it", &error)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_missing_is_the_users_and_a_want_of_descriptors_the_hosts() {
        let of = |code| FileError::new("open it", &io::Error::from_raw_os_error(code));
        // ENOENT, EACCES, EISDIR, ENOTDIR; EIO, ENOMEM, ENFILE, EMFILE.
        for code in [2, 13, 21, 20] {
            assert!(matches!(of(code), FileError::Bad(_)), "{code}: {}", of(code));
        }
        for code in [5, 12, 23, 24] {
            assert!(matches!(of(code), FileError::Host(_)), "{code}: {}", of(code));
        }
        assert!(of(24).to_string().starts_with("failed to open it: "));
    }
}
