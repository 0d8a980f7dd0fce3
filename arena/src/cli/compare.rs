//! `arena compare`: is a bot better than another?

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use indicatif::ProgressBar;

use super::bots::{named_game, read_bot};
use super::compiling::Compiling;
use super::error::{Failure, exit};
use super::games::known_game;
use super::output::{note, unless_closed};
use super::run::{processors, stop_on_interrupt};
use super::table::{Format, print_sheets};
use crate::games::{GameId, GameOptions};
use crate::ids::shown;
use crate::league::League;
use crate::league::compare::{Contest, LOOK_EVERY, Plan, compare};
use crate::league::config::{Entrant, free_name};
use crate::league::identity::Identity;
use crate::league::run::prepare;
use crate::rating::multiple::holm;
use crate::rating::sprt::{Design, Model, Sprt};
use crate::report::compare::{Finding, Finished, elo, ratio, sheet};
use crate::report::table::{counted, grouped};
use crate::sandbox::Limits;

/// Say whether a bot is better than another, or which of several candidates are
///
/// The last file is the baseline, all before it are candidates; every figure is the candidate's. Each deal is played
/// once in each seating and is one observation. Without --sprt a fixed number of deals is played; with it deals are
/// played until a sequential test decides, which may be looked at as often as one likes.
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena compare new.wasm old.wasm
  arena compare new.wasm old.wasm --deals 5000 --seed 7
  arena compare new.wasm old.wasm --sprt 0,5 --exit-code
  arena compare new1.wasm new2.wasm old.wasm --sprt 0,5 --model normalised

Exit codes with --exit-code: 0 better (H1 is accepted); 10 worse (H0 is accepted); 11 undecided. Of several candidates \
one that is better decides, then one that is undecided.")]
pub(super) struct Compare {
    #[command(flatten)]
    compiling: Compiling,
    /// The candidates' files, and last the baseline's
    #[arg(required = true, num_args = 2..)]
    bots: Vec<PathBuf>,
    /// The game [default: the one that the bots name]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Deals of each candidate; with --sprt at most so many [default: 1000; with --sprt 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    deals: Option<u64>,
    /// Test H0 (so many Elo or less) against H1 (so many or more) and stop when it is decided
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = hypotheses)]
    sprt: Option<(f64, f64)>,
    /// The scale of --sprt
    #[arg(long, value_enum, default_value = "logistic")]
    model: ModelArg,
    /// Chance of calling a candidate better that is not; of several candidates, of any of them
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Chance of a sequential test to overlook a candidate at H1
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// The seed of the deals
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Threads that play; the result does not depend on them [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Give the verdict as the exit code
    #[arg(long)]
    exit_code: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum ModelArg {
    /// The Elo difference of the mean score
    Logistic,
    /// In standard deviations of a match: needs equally many deals whatever the share of draws
    Normalised,
}

fn hypotheses(text: &str) -> Result<(f64, f64), String> {
    let wanted = || "two numbers are wanted, as in 0,5".to_owned();
    let (elo0, elo1) = text.split_once(',').ok_or_else(wanted)?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| wanted());
    Ok((number(elo0)?, number(elo1)?))
}

impl Compare {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        let league = self.league()?;
        let candidates = league.bots.len() - 1;
        let alpha = self.alpha / candidates as f64;
        let sprt = self.sprt.map(|(elo0, elo1)| {
            let model = match self.model {
                ModelArg::Logistic => Model::Logistic,
                ModelArg::Normalised => Model::Normalised,
            };
            Sprt::new(Design { model, elo0, elo1, alpha, beta: self.beta })
        });
        let sprt = sprt.transpose().map_err(|error| Failure::Refused(format!("failed to {error}")))?;
        if !(self.alpha > 0.0 && self.alpha < 1.0) {
            return Err(Failure::Refused(format!("--alpha {}: a number between 0 and 1 is wanted", self.alpha)));
        }
        let threads = self.threads.map_or_else(processors, usize::from);
        let prepared = prepare(&league, threads, self.compiling.compiler()?)?;
        let name = |bot: usize| league.bots[bot].name.as_str();
        note!(
            "{}: {} against {}, {}{} x {} each, seed {}, {}, a look every {LOOK_EVERY} deals",
            league.game().info().title,
            (0..candidates).map(name).collect::<Vec<_>>().join(", "),
            name(candidates),
            if sprt.is_some() { "at most " } else { "" },
            counted(league.identity().deals, "deal", "deals"),
            counted(league.seatings() as u64, "seating", "seatings"),
            league.identity().seed,
            counted(threads as u64, "thread", "threads"),
        );

        let stop = stop_on_interrupt();
        let plan = Plan { candidates, deals: league.identity().deals, sprt };
        let mut live = Live::new(&league, &plan);
        let contests = compare(&prepared, &plan, &stop, &mut |contests| live.tell(contests))?;
        live.finish();

        let p_values: Vec<f64> = contests.iter().map(|contest| contest.summary().p_value.unwrap_or(1.0)).collect();
        let finished: Vec<Finished<'_>> = contests
            .iter()
            .zip(holm(&p_values))
            .map(|(contest, p_holm)| Finished {
                contest,
                candidate: name(contest.candidate),
                baseline: name(contest.baseline),
                sprt: plan.sprt.as_ref(),
                alpha: self.alpha,
                p_holm: contest.summary().p_value.map(|_| p_holm),
                candidates,
            })
            .collect();
        unless_closed(self.print(&finished))?;
        if stop.load(Ordering::Relaxed) && contests.iter().any(|contest| contest.end.is_none()) {
            note!("Stopped before it was decided.");
            return Ok(exit::INTERRUPTED);
        }
        Ok(if self.exit_code { code(&finished) } else { exit::DONE })
    }

    fn print(&self, finished: &[Finished<'_>]) -> Result<(), Failure> {
        if self.format != Format::Text {
            return print_sheets(&[], vec![sheet(finished)], self.format, None);
        }
        let mut out = std::io::stdout().lock();
        for row in finished {
            writeln!(out, "{}", row.verdict())?;
            row.figures().iter().try_for_each(|line| writeln!(out, "  {line}"))?;
        }
        Ok(())
    }

    /// The bots as a league, so that it is played as leagues are.
    fn league(&self) -> Result<League, Failure> {
        let limits = Limits::default();
        let mut files = Vec::new();
        for path in &self.bots {
            files.push((path, read_bot(path, &limits)?));
        }
        let game = match &self.game {
            Some(name) => known_game(name)?,
            None => named_game(&files, &limits)?,
        };
        let (least, most) = game.info().seats;
        if least > 2 || most < 2 {
            let message = format!("compare is for games of two seats, and {game} has {least} to {most}");
            return Err(Failure::Refused(message));
        }
        let mut taken = BTreeSet::new();
        let mut bots = Vec::new();
        for (path, bytes) in files {
            let name =
                free_name(path, &mut taken).map_err(|reason| Failure::Refused(format!("{}: {reason}", shown(path))))?;
            let sha256 = crate::sandbox::module::sha256_hex(&bytes);
            bots.push(Entrant { name, path: path.clone(), line: None, bytes, sha256 });
        }
        let options = default_options(game)?;
        let identity = Identity {
            seed: self.seed,
            deals: self.deals.unwrap_or(if self.sprt.is_some() { 100_000 } else { 1000 }),
            block: LOOK_EVERY,
            ..Identity::of(&options, 2, limits)
        };
        Ok(League::new(PathBuf::new(), options, identity, bots))
    }
}

/// The game's own options, which must do for two seats.
fn default_options(game: GameId) -> Result<GameOptions, Failure> {
    let options = GameOptions::default_of(game);
    options.check(2).map_err(|bad| Failure::Refused(bad.to_string()))?;
    Ok(options)
}

fn code(finished: &[Finished<'_>]) -> u8 {
    let has = |finding| finished.iter().any(|row| row.finding() == finding);
    if has(Finding::Better) {
        exit::DONE
    } else if has(Finding::Undecided) {
        exit::UNDECIDED
    } else {
        exit::NOT_BETTER
    }
}

/// The current estimates on the error stream: one changing line on a terminal, a line now and then elsewhere.
struct Live<'a> {
    league: &'a League,
    plan: &'a Plan,
    bar: Option<ProgressBar>,
    last: Instant,
}

/// Where there is no terminal, a line is written so often.
const LINE_EVERY: Duration = Duration::from_secs(10);

impl<'a> Live<'a> {
    fn new(league: &'a League, plan: &'a Plan) -> Live<'a> {
        let bar = std::io::stderr().is_terminal().then(ProgressBar::new_spinner);
        Live { league, plan, bar, last: Instant::now() }
    }

    fn tell(&mut self, contests: &[Contest]) {
        let pause = if self.bar.is_some() { Duration::from_millis(100) } else { LINE_EVERY };
        if self.last.elapsed() < pause {
            return;
        }
        self.last = Instant::now();
        let open = contests.iter().filter(|contest| contest.end.is_none());
        let lines: Vec<String> = open.map(|contest| self.line(contest)).collect();
        match &self.bar {
            Some(bar) => {
                bar.set_message(lines.join("\n"));
                bar.tick();
            }
            None => lines.iter().for_each(|line| note!("{line}")),
        }
    }

    fn line(&self, contest: &Contest) -> String {
        let name = |bot: usize| &self.league.bots[bot].name;
        let summary = contest.summary();
        let test = self.plan.sprt.as_ref().map(|sprt| format!("; {}", ratio(contest, sprt))).unwrap_or_default();
        format!(
            "{} relative to {}: {} deals, {}{test}",
            name(contest.candidate),
            name(contest.baseline),
            grouped(contest.deals()),
            elo(summary.elo, summary.elo_interval)
        )
    }

    fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
