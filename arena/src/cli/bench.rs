//! `arena bench`: how fast matches are played, as ratios of one run.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Duration;

use clap::Args;

use super::error::{Failure, exit};
use super::games::known_game;
use crate::bench::{self, Figures, GameFigures, Plan, Subject};
use crate::games::GameId;
use crate::report::table::grouped;

/// Measure how fast matches are played, beside the same bots called natively
///
/// In one run, for every game, with the bot that plays at random in every seat: the league runner on WebAssembly; the
/// same matches with the same bots called natively; the sandbox's floor, nothing but as many calls of a bot that does nothing,
/// and as many instances, fresh ones or ones that are set back; the runner's own work, with recorded answers in place of
/// bots; and bots in processes of their own over pipes, which live on from match to match, or are started for each. Beside them
/// the machine's own scaling, by plain arithmetic. Compare the ratios of one run, on a machine that does nothing else: figures of
/// two runs are not comparable. A game takes about eight times --seconds for each number of threads.
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena bench
  arena bench --game little-hunters --threads 1,2,4 --seconds 5
  arena bench --json")]
pub(super) struct Bench {
    /// Only this game
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Threads, each number to be measured with
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,2", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Vec<u16>,
    /// Time for each figure
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Without bots in processes of their own
    #[arg(long)]
    no_pipes: bool,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Bench {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        if !(0.01..=3600.0).contains(&self.seconds) {
            return Err(Failure::Refused(format!("--seconds {}: expected 0.01 to 3600", self.seconds)));
        }
        let games = match &self.game {
            Some(name) => vec![known_game(name)?],
            None => GameId::ALL.to_vec(),
        };
        let time = Duration::from_secs_f64(self.seconds);
        let mut threads: Vec<usize> = self.threads.iter().copied().map(usize::from).collect();
        threads.sort_unstable();
        threads.dedup();
        let program = std::env::current_exe().map_err(Failure::Program)?;
        let plan = Plan { time, threads, program: (!self.no_pipes).then_some(program) };
        let mut all = Vec::new();
        let mut out = std::io::stdout().lock();
        for subject in games.iter().filter_map(|&game| Subject::of(game)) {
            let figures = bench::measure(subject, &plan)?;
            if !self.json {
                out.write_all(lines(&figures).as_bytes())?;
                out.flush()?;
            }
            all.push(figures);
        }
        if self.json {
            serde_json::to_writer_pretty(&mut out, &serde_json::json!({ "seconds": self.seconds, "games": all }))
                .map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
        Ok(exit::DONE)
    }
}

/// A game's figures for people.
fn lines(game: &GameFigures) -> String {
    let mut text = format!("{}, {} seats, {:.1} decisions a match\n", game.game, game.seats, game.decisions);
    let _ = writeln!(
        text,
        "threads  matches/s  decisions/s  of native  of the floor  of the reset floor  own work  over pipes  \
         a process a match  scaling  the machine's"
    );
    // Scaling is beside one thread, if that is measured.
    let one = game.by_threads.iter().find(|figures| figures.threads == 1);
    for figures in &game.by_threads {
        let &Figures { threads, league, native, floor, reset_floor, own, pipes, processes, arithmetic } = figures;
        let [pipes, processes] =
            [pipes, processes].map(|other| other.map_or("-".into(), |other| format!("{:.0} x", league / other)));
        let scaled = |now: f64, one: Option<f64>| one.map_or("-".into(), |one| format!("{:.2}", now / one));
        let _ = writeln!(
            text,
            "{threads:>7}  {:>9}  {:>11}  {:>9.2}  {:>12.2}  {:>18.2}  {:>6.0} %  {pipes:>10}  {processes:>17}  {:>7}  {:>13}",
            grouped(league as u64),
            grouped((league * game.decisions) as u64),
            league / native,
            league / floor,
            league / reset_floor,
            100.0 * league / own,
            scaled(league, one.map(|one| one.league)),
            scaled(arithmetic, one.map(|one| one.arithmetic)),
        );
    }
    text.push('\n');
    text
}

/// Be a native bot behind pipes: what this program runs itself for, to measure
#[derive(Args)]
pub(super) struct PipedBot {
    /// The game
    game: String,
}

impl PipedBot {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        let Some(subject) = Subject::of(known_game(&self.game)?) else { return Ok(exit::BAD_INPUT) };
        bench::serve(subject.make, std::io::stdin().lock(), std::io::stdout().lock())?;
        Ok(exit::DONE)
    }
}
