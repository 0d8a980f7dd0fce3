//! What is wrong with a bot's file, and whose doing it is that there is no module.

use std::fmt;

use serde::Serialize;

use crate::failure::{FileError, HostError};

/// One thing that is wrong with a module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// A short word for programs, for example `abi:missing`.
    pub code: &'static str,
    /// For people: what is wrong, and what would be right. Text of the module in it is escaped and cut.
    pub message: String,
}

impl Problem {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Problem {
        Problem { code, message: message.into() }
    }

    /// The file cannot be read.
    pub fn of_file(message: impl Into<String>) -> Problem {
        Problem::new("file", message)
    }

    /// The same match went another way when it was played again.
    pub fn of_determinism(message: impl Into<String>) -> Problem {
        Problem::new("determinism", message)
    }

    /// `arena submit` refuses the author that the bot names.
    pub fn of_author(message: impl Into<String>) -> Problem {
        Problem::new("author", message)
    }

    /// The module is a bot, but for another game.
    pub fn for_game(message: impl Into<String>) -> Problem {
        Problem::new("game", message)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.code)
    }
}

/// Why there is no module.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The bytes are not a bot.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The host failed, whatever the bytes are.
    #[error(transparent)]
    Host(#[from] HostError),
}

impl From<Problem> for LoadError {
    fn from(problem: Problem) -> LoadError {
        Refusal(vec![problem]).into()
    }
}

impl From<LoadError> for FileError {
    fn from(error: LoadError) -> FileError {
        match error {
            LoadError::Refused(Refusal(problems)) => {
                let messages: Vec<_> = problems.into_iter().map(|problem| problem.message).collect();
                FileError::Bad(messages.join("\n"))
            }
            LoadError::Host(error) => FileError::Host(error),
        }
    }
}

/// Everything that is wrong with a module; never empty.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", list(.0))]
pub struct Refusal(pub Vec<Problem>);

fn list(problems: &[Problem]) -> String {
    let lines: Vec<_> = problems.iter().map(Problem::to_string).collect();
    lines.join("\n")
}
