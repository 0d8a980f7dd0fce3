//! `arena completions`: for the shell.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::error::{Failure, exit};

/// Print completions for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena completions bash > ~/.local/share/bash-completion/completions/arena
  arena completions zsh > \"${fpath[1]}/_arena\"
  arena completions fish > ~/.config/fish/completions/arena.fish")]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::Arguments::command(), "arena", &mut script);
        std::io::Write::write_all(&mut std::io::stdout(), &script)?;
        Ok(exit::DONE)
    }
}
