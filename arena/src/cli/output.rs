//! How commands speak: notes on the error stream, where nobody need be listening, and results on the standard output,
//! which must arrive.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write, stderr};

use super::error::Failure;

/// Writes a line to the error stream. Unlike `eprintln!` it never fails: a terminal that was closed stops no league.
macro_rules! note {
    ($($text:tt)*) => { $crate::cli::output::say(format_args!($($text)*)) };
}
pub(super) use note;

/// See [`note!`].
pub(super) fn say(text: Arguments<'_>) {
    // At once, so that lines of several threads do not mix.
    let _ = stderr().lock().write_all(format!("{text}\n").as_bytes());
}

/// What came of writing to the standard output; that somebody closed it, as `head` does, is nothing wrong.
pub(super) fn unless_closed(written: Result<(), impl Into<Failure>>) -> Result<(), Failure> {
    match written.map_err(Into::into) {
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_closed_pipe_is_nothing_wrong() {
        let error = |kind: ErrorKind| Err(std::io::Error::from(kind));
        assert!(unless_closed(error(ErrorKind::BrokenPipe)).is_ok());
        assert!(unless_closed(error(ErrorKind::StorageFull)).is_err());
    }
}
