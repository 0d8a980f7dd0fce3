//! The command line: the only place that reads arguments, prints, and decides on exit codes. A command is a file.

mod analyse;
mod check;
mod compare;
mod compiling;
mod completions;
mod error;
mod games;
mod new;
mod play;
mod progress;
mod rate;
mod rating_args;
mod run;
mod table;
mod verify;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use error::Failure;
pub use error::exit;

/// Plays bots compiled to WebAssembly against each other, millions of matches at a time, and rates them.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    /// Say more of what is done on the error stream; twice for details
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  arena run leagues/little-hunters.toml          play a league and print its Elo table
  arena run leagues/little-hunters.toml --dry-run   only say what would be played
  arena table results/little-hunters             its tables again, from the journal alone
  arena compare new.wasm old.wasm --sprt 0,5     is a bot better than another?
  arena rate games.pgn                           ratings of results from elsewhere
  arena analyse results/little-hunters           cycles and the Nash average
  arena play a.wasm b.wasm                       one match, told for people
  arena new my-bot --game little-hunters         a bot to start from, in Rust or another language
  arena check my-bot.wasm                        is this a bot, and for which game?
  arena verify results/little-hunters            play its blocks again and compare
  arena games                                    the games, their seats and decisions

Exit codes: 0 done; 1 interrupted, the same command goes on; 2 bad input; 3 a fault of arena itself.";

#[derive(Subcommand)]
enum Command {
    Run(run::Run),
    Table(table::Table),
    Compare(compare::Compare),
    Rate(rate::Rate),
    Analyse(analyse::Analyse),
    Play(play::Play),
    Check(check::Check),
    New(new::New),
    Verify(verify::Verify),
    Games(games::Games),
    Completions(completions::Completions),
    #[command(name = crate::sandbox::compile::COMMAND, hide = true)]
    Compile(compiling::Compile),
}

/// Runs the program; everything that is wrong is told on the error stream, once.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    trace(arguments.verbose);
    let done = match arguments.command {
        Command::Run(run) => run.execute(),
        Command::Table(table) => table.execute(),
        Command::Compare(compare) => compare.execute(),
        Command::Rate(rate) => rate.execute(),
        Command::Analyse(analyse) => analyse.execute(),
        Command::Play(play) => play.execute(),
        Command::Check(check) => check.execute(),
        Command::New(new) => new.execute(),
        Command::Verify(verify) => verify.execute(),
        Command::Games(games) => games.execute(),
        Command::Completions(completions) => completions.execute(),
        Command::Compile(compile) => compile.execute(),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        // Somebody closed our output, as `head` does: nothing is wrong.
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            if failure.code() == exit::INTERRUPTED {
                eprintln!("What is finished is kept: once that is mended, the same command goes on.");
            }
            ExitCode::from(failure.code())
        }
    }
}

/// Tracing goes to the error stream; `RUST_LOG` overrules `-v`.
fn trace(verbose: u8) {
    let default = match verbose {
        0 => "warn",
        1 => "arena=info",
        2 => "arena=debug",
        _ => "trace",
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time()
        .init();
}
