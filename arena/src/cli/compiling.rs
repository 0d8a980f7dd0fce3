//! How a command compiles bots: in children of this program, with the user's cache.

use clap::Args;

use super::error::{Failure, exit};
use super::output::note;
use crate::sandbox::compile::this_program;
use crate::sandbox::{Cache, Compiler, compiling_process};

/// What a command that loads bots may say of it.
#[derive(Args)]
pub(super) struct Compiling {
    /// Compile every bot anew, and keep no compiled code in the user's cache folder
    #[arg(long)]
    no_cache: bool,
}

impl Compiling {
    /// The compiler for bots that nobody trusts.
    pub(super) fn compiler(&self) -> Result<Compiler, Failure> {
        let program = this_program().map_err(Failure::Program)?;
        let cache = match self.no_cache {
            true => None,
            false => Cache::of_user().inspect_err(|reason| note!("No cache of compiled bots: {reason}.")).ok(),
        };
        Ok(Compiler::child(program).with_cache(cache))
    }

    /// The same word for a command that is told to the user.
    pub(super) fn as_words(&self) -> &'static str {
        if self.no_cache { " --no-cache" } else { "" }
    }
}

/// Compile one module from the standard input: what this program runs itself for, under limits
#[derive(Args)]
pub(super) struct Compile {
    /// Processor time
    milliseconds: u64,
    /// Memory
    bytes: u64,
}

impl Compile {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        // Elsewhere an output that somebody closed is nothing wrong; here what was read is not the whole answer.
        match compiling_process::serve(self.milliseconds, self.bytes) {
            Ok(()) => Ok(exit::DONE),
            Err(error) => {
                note!("error: failed to answer: {error}");
                Ok(exit::ARENA_FAULT)
            }
        }
    }
}
