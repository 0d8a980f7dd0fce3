//! The command line: parse, run, one error printed, an exit code.

use std::process::ExitCode;

use arena::cli;
use arena::sandbox::engine::THREAD_STACK;

fn main() -> ExitCode {
    // Bots run on their caller's stack, and the main thread's is too small for what their fuel allows.
    let command = std::thread::Builder::new().name("arena".into()).stack_size(THREAD_STACK).spawn(cli::main);
    match command.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // A panic has told where it was.
        _ => ExitCode::from(cli::exit::ARENA_FAULT),
    }
}
