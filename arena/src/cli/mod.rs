//! The command line: the only place that reads arguments, prints, and decides on exit codes. A command is a file.

// These panic where nobody listens; `output` does not.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod analyse;
mod bench;
mod bots;
mod catch_up;
mod check;
mod compare;
mod compiling;
mod completions;
mod desk;
mod error;
mod games;
mod new;
mod output;
mod play;
mod progress;
mod rate;
mod rating_args;
mod run;
mod submissions;
mod submit;
mod table;
mod verify;
mod watch;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

use crate::sandbox::{BotThread, compiling_process};
use error::Failure;
pub use error::exit;
use output::note;

/// Plays bots compiled to WebAssembly against each other, millions of matches at a time, and rates them.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    /// Say on the error stream what is done; twice for details
    #[arg(short, long, action = clap::ArgAction::Count, global = true, display_order = 900)]
    verbose: u8,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  arena run leagues/little-hunters.toml             play a league and print its Elo table
  arena run leagues/little-hunters.toml --dry-run   only say what would be played
  arena table results/little-hunters                its tables again, from the journal alone
  arena compare new.wasm old.wasm --sprt 0,5        is a bot better than another?
  arena rate games.pgn                              ratings of results from elsewhere
  arena analyse results/little-hunters              cycles and the Nash average
  arena play a.wasm b.wasm                          one match, told for people
  arena play a.wasm --interactive                   a match against it
  arena new my-bot --game little-hunters            a bot to start from, in Rust or another language
  arena check my-bot.wasm                           is this bot ready, and what is wrong with it?
  arena submit my-bot.wasm --league leagues/x       enter a bot, and see where it stands
  arena watch inbox --league leagues/x              submit what appears in a folder
  arena verify results/little-hunters               play its blocks again and compare
  arena bench                                       how fast matches are played
  arena games                                       the games, their seats and decisions

Exit codes: 0 done; 1 interrupted, the same command goes on; 2 bad input; 3 a failure of arena or of the
machine, never of a bot.";

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
    Submit(submit::Submit),
    Withdraw(submissions::Withdraw),
    Submissions(submissions::List),
    History(submissions::History),
    Watch(watch::Watch),
    Verify(verify::Verify),
    Games(games::Games),
    Bench(bench::Bench),
    Completions(completions::Completions),
}

/// What the program starts itself for: no command of its users, so that neither completions nor tips show it.
#[derive(Parser)]
enum OwnCommand {
    #[command(name = compiling_process::COMMAND)]
    Compile(compiling::Compile),
    #[command(name = crate::bench::COMMAND)]
    PipedBot(bench::PipedBot),
}

impl OwnCommand {
    /// Whether the program was started for one.
    fn is_asked_for() -> bool {
        let first = std::env::args_os().nth(1);
        first.is_some_and(|first| [compiling_process::COMMAND, crate::bench::COMMAND].iter().any(|own| first == *own))
    }

    fn execute(self) -> Result<u8, Failure> {
        match self {
            OwnCommand::Compile(compile) => compile.execute(),
            OwnCommand::PipedBot(bot) => bot.execute(),
        }
    }
}

/// Runs the program; everything that is wrong is told on the error stream, once.
pub fn main(thread: BotThread) -> ExitCode {
    let parsed = match OwnCommand::is_asked_for() {
        true => OwnCommand::try_parse().map(OwnCommand::execute),
        false => Arguments::try_parse().map(|arguments| arguments.execute(thread)),
    };
    let done = match parsed {
        Ok(done) => done,
        // Help and the version come this way too, and are results.
        Err(told) => match told.print() {
            Err(error) if !told.use_stderr() => Err(Failure::Output(error)),
            _ => Ok(told.exit_code() as u8),
        },
    };
    match done {
        Ok(code) => ExitCode::from(code),
        // Somebody closed our output, as `head` does: nothing is wrong.
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            note!("error: {failure}");
            if failure.code() == exit::INTERRUPTED {
                note!("What is finished is kept: once that is mended, the same command goes on.");
            }
            ExitCode::from(failure.code())
        }
    }
}

impl Arguments {
    fn execute(self, thread: BotThread) -> Result<u8, Failure> {
        trace(self.verbose);
        match self.command {
            Command::Run(run) => run.execute(),
            Command::Table(table) => table.execute(),
            Command::Compare(compare) => compare.execute(),
            Command::Rate(rate) => rate.execute(),
            Command::Analyse(analyse) => analyse.execute(thread),
            Command::Play(play) => play.execute(thread),
            Command::Check(check) => check.execute(thread),
            Command::New(new) => new.execute(),
            Command::Submit(submit) => submit.execute(),
            Command::Withdraw(withdraw) => withdraw.execute(),
            Command::Submissions(list) => list.execute(),
            Command::History(history) => history.execute(),
            Command::Watch(watch) => watch.execute(),
            Command::Verify(verify) => verify.execute(),
            Command::Games(games) => games.execute(),
            Command::Bench(bench) => bench.execute(),
            Command::Completions(completions) => completions.execute(),
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
    let own = std::env::var("RUST_LOG").ok().and_then(|text| text.parse().ok());
    let targets: Targets = own.unwrap_or_else(|| default.parse().expect("what is said above can be read"));
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time()
        // Where in the program something is said is for its programmers.
        .with_target(verbose > 2)
        // Its complaint about a closed error stream would panic there.
        .log_internal_errors(false);
    tracing_subscriber::registry().with(lines.with_filter(targets)).init();
}
