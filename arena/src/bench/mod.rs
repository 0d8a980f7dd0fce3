//! How fast matches are played, as ratios of one run: the league runner beside the same bots called natively, the
//! sandbox's own floor, bots in processes of their own, and the machine's own scaling.
//!
//! In every game the bot that plays at random sits in every seat of the smallest table. All ways play the same deals
//! with the same seeds. They are measured in turns, so the figures of one run are comparable and those
//! of two runs are not.

mod players;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::games::{Game, GameId, GameVisitor};
use crate::ids::Seat;
use crate::league::block::{Rules, play_block};
use crate::league::run::{RunError, prepare, run};
use crate::league::schedule::Block;
use crate::league::seeds::seatings_per_deal;
use crate::league::{ConfigError, League};
use crate::play::native::{Make, Native};
use crate::sandbox::engine::{SandboxError, THREAD_STACK};
use crate::sandbox::{BotModule, Compiler, Limits, LoadError, Sandbox};
use crate::tally::BlockTally;
pub use players::{COMMAND, serve};
use players::{Piped, Recorded, Recorder};

/// The bot of a game that the games are measured with.
#[derive(Debug, Clone, Copy)]
pub struct Subject {
    /// The game.
    pub game: GameId,
    /// The bot, called natively.
    pub make: Make,
    /// The same bot as a module.
    pub wasm: &'static [u8],
}

/// What is measured and how.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Time for each figure.
    pub time: Duration,
    /// Threads, each to be measured with.
    pub threads: Vec<usize>,
    /// Arena's own binary, which plays the part of a bot in a process of its own; `None` leaves that out.
    pub program: Option<PathBuf>,
}

/// The figures of a game on so many threads: matches per second.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Figures {
    /// The league runner, with WebAssembly bots and a journal.
    pub league: f64,
    /// The same matches by the same driver, with the same bots called natively.
    pub native: f64,
    /// As many fresh instances and calls as the matches have, of a bot that does nothing, and no game.
    pub floor: f64,
    /// The same matches with recorded answers in place of bots: what the runner does on its own.
    pub own: f64,
    /// The same matches with each bot in a process of its own, a line for a view and a line for an answer.
    pub pipes: Option<f64>,
}

/// The figures of a game.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct GameFigures {
    /// Its name.
    pub game: &'static str,
    /// Seats of the table.
    pub seats: usize,
    /// Decisions of a match, on average.
    pub decisions: f64,
    /// By threads, in the plan's order.
    pub by_threads: Vec<Figures>,
}

/// Something could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The league's files could not be made, or a process not started.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The league is none.
    #[error("{0}")]
    League(#[from] ConfigError),
    /// The league could not be played.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The sandbox could not be set up.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The idle bot is refused.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// A bot that answers at once, with a view buffer for every game: `idle.wat`.
const IDLE: &[u8] = include_bytes!("idle.wasm");

/// Deals of a block, as in leagues.
const DEALS: u32 = 50;

/// Measures one game.
///
/// # Errors
/// Of the machine: files, processes, address space.
pub fn measure(subject: Subject, plan: &Plan) -> Result<GameFigures, BenchError> {
    let seats = subject.game.info().seats.0;
    let sample = native_block(subject, 0);
    let decisions: u64 = sample.places.iter().map(|place| place.decisions).sum();
    let by_threads = plan.threads.iter().map(|&threads| figures(subject, plan, threads, &sample));
    Ok(GameFigures {
        game: subject.game.name(),
        seats,
        decisions: decisions as f64 / sample.matches as f64,
        by_threads: by_threads.collect::<Result<_, _>>()?,
    })
}

fn figures(subject: Subject, plan: &Plan, threads: usize, sample: &BlockTally) -> Result<Figures, BenchError> {
    let seats = subject.game.info().seats.0;
    let answers = record(subject);
    let sandbox = Sandbox::new(Limits::default(), (threads * seats) as u32 + 2)?;
    let idle = BotModule::load(&sandbox, IDLE, subject.game.view_size())?;
    let decisions: u64 = sample.places.iter().map(|place| place.decisions).sum();
    let calls = decisions.div_ceil(sample.matches * seats as u64);

    let pipes = match &plan.program {
        None => None,
        Some(program) => Some(matches_in(threads, plan.time, || {
            let mut bots: Option<Vec<Piped>> = None;
            move |block| {
                let bots = match &mut bots {
                    Some(bots) => bots,
                    none => {
                        none.insert((0..seats).map(|_| Piped::spawn(program, subject.game)).collect::<Result<_, _>>()?)
                    }
                };
                Ok(subject.game.dispatch(Piping { bots, block }).matches)
            }
        })?),
    };

    // In turns: a machine that is faster at one time than at another is so for all of them.
    let turn = plan.time / TURNS;
    let [mut native, mut own, mut floor, mut league] = [Speed::default(); 4];
    for round in 0..TURNS {
        native += matches_in(threads, turn, || |block| Ok(native_block(subject, block).matches))?;
        own += matches_in(threads, turn, || |_| Ok(subject.game.dispatch(Replay { answers: &answers }).matches))?;
        floor += matches_in(threads, turn, || |_| Ok(bare_calls(&idle, subject.game, sample.matches, calls)))?;
        let guess = if round == 0 { native.per_second() / 4.0 } else { league.per_second() };
        league += league_matches_in(subject, turn, threads, guess)?;
    }
    Ok(Figures {
        league: league.per_second(),
        native: native.per_second(),
        floor: floor.per_second(),
        own: own.per_second(),
        pipes: pipes.map(Speed::per_second),
    })
}

/// The ways are measured in so many turns.
const TURNS: u32 = 8;

/// Matches and the seconds that they took.
#[derive(Debug, Clone, Copy, Default)]
struct Speed {
    matches: u64,
    seconds: f64,
}

impl std::ops::AddAssign for Speed {
    fn add_assign(&mut self, other: Speed) {
        self.matches += other.matches;
        self.seconds += other.seconds;
    }
}

impl Speed {
    fn per_second(self) -> f64 {
        self.matches as f64 / self.seconds
    }
}

/// What `threads` threads do in a time, block by block, each with a worker of its own.
fn matches_in<W>(threads: usize, time: Duration, worker: impl Fn() -> W + Sync) -> Result<Speed, BenchError>
where
    W: FnMut(u64) -> std::io::Result<u64>,
{
    let (next, matches) = (AtomicU64::new(0), AtomicU64::new(0));
    let started = Instant::now();
    std::thread::scope(|scope| {
        let work = || {
            let mut worker = worker();
            while started.elapsed() < time {
                matches.fetch_add(worker(next.fetch_add(1, Ordering::Relaxed))?, Ordering::Relaxed);
            }
            Ok(())
        };
        let spawn = |_| std::thread::Builder::new().stack_size(THREAD_STACK).spawn_scoped(scope, work);
        let running: Vec<_> = (0..threads).map(spawn).collect::<Result<_, _>>()?;
        for thread in running {
            thread.join().unwrap_or_else(|_| Err(std::io::Error::other("a measuring thread panicked")))?;
        }
        Ok::<_, std::io::Error>(())
    })?;
    Ok(Speed { matches: matches.into_inner(), seconds: started.elapsed().as_secs_f64() })
}

/// The league runner, from compiled bots to the last line in the journal, for about that time if the guess of its speed
/// is right.
fn league_matches_in(subject: Subject, time: Duration, threads: usize, guess: f64) -> Result<Speed, BenchError> {
    let folder = tempfile::tempdir()?;
    let seatings = seatings_per_deal(subject.game.info().seating, subject.game.info().seats.0) as f64;
    let deals = (guess * time.as_secs_f64() / seatings).ceil().max(1.0);
    let league = write_league(folder.path(), subject, deals as u64)?;
    let prepared = prepare(&league, threads, Compiler::in_process())?;
    let started = Instant::now();
    let sitting = run(&prepared, &folder.path().join("out"), &AtomicBool::new(false), &mut |_| {})?;
    Ok(Speed { matches: sitting.played, seconds: started.elapsed().as_secs_f64() })
}

fn write_league(folder: &Path, subject: Subject, deals: u64) -> Result<League, BenchError> {
    let seats = subject.game.info().seats.0;
    let mut text = format!("game = \"{}\"\nseed = 1\nseats = {seats}\ndeals = {deals}\n", subject.game.name());
    // As many as sit at the table: one lineup.
    for bot in 0..seats {
        std::fs::write(folder.join(format!("{bot}.wasm")), subject.wasm)?;
        text += &format!("[[bots]]\npath = \"{bot}.wasm\"\nname = \"{bot}\"\n");
    }
    let file = folder.join("league.toml");
    std::fs::write(&file, text)?;
    Ok(League::read(&file)?)
}

/// The rules of the matches that are measured.
fn rules<G: Game>(options: &G::Options) -> Rules<'_, G> {
    Rules { options, seed: 1, max_restarts: Limits::default().restarts }
}

fn deals(block: u64) -> Block {
    Block { lineup: 0, first: block * u64::from(DEALS), deals: DEALS }
}

fn native_block(subject: Subject, block: u64) -> BlockTally {
    struct Visit(Make, u64);
    impl GameVisitor for Visit {
        type Output = BlockTally;
        fn visit<G: Game>(self) -> BlockTally {
            play_block::<G, _>(&rules(&G::Options::default()), deals(self.1), G::INFO.seats.0, |_| Native::new(self.0))
        }
    }
    subject.game.dispatch(Visit(subject.make, block))
}

/// What each place answers in the first block.
fn record(subject: Subject) -> Vec<Vec<i64>> {
    struct Visit(Make);
    impl GameVisitor for Visit {
        type Output = Vec<Vec<i64>>;
        fn visit<G: Game>(self) -> Self::Output {
            let seats = G::INFO.seats.0;
            let answers: Vec<_> = (0..seats).map(|_| std::rc::Rc::default()).collect();
            play_block::<G, _>(&rules(&G::Options::default()), deals(0), seats, |place| {
                Recorder::new(Native::new(self.0), std::rc::Rc::clone(&answers[place]))
            });
            answers.iter().map(|answers| answers.take()).collect()
        }
    }
    subject.game.dispatch(Visit(subject.make))
}

struct Replay<'a> {
    answers: &'a [Vec<i64>],
}

impl GameVisitor for Replay<'_> {
    type Output = BlockTally;
    fn visit<G: Game>(self) -> BlockTally {
        let seats = G::INFO.seats.0;
        play_block::<G, _>(&rules(&G::Options::default()), deals(0), seats, |place| Recorded::new(&self.answers[place]))
    }
}

struct Piping<'a> {
    bots: &'a mut [Piped],
    block: u64,
}

impl GameVisitor for Piping<'_> {
    type Output = BlockTally;
    fn visit<G: Game>(self) -> BlockTally {
        let mut bots = self.bots.iter_mut();
        let seats = G::INFO.seats.0;
        let bot = |_| bots.next().expect("a bot for each place");
        play_block::<G, _>(&rules(&G::Options::default()), deals(self.block), seats, bot)
    }
}

/// The sandbox's own work for so many matches: fresh instances and calls; the number of matches.
fn bare_calls(idle: &BotModule, game: GameId, matches: u64, calls: u64) -> u64 {
    let seats = game.info().seats.0;
    let view = vec![0; game.view_size()];
    for _ in 0..matches {
        for seat in Seat::all(seats) {
            let Ok(mut instance) = idle.start(seat, seats, 1, false) else { return 0 };
            for _ in 0..calls {
                let _ = std::hint::black_box(instance.decide(0, &view, Limits::default().decision_fuel));
            }
        }
    }
    matches
}

/// How much more plain arithmetic `threads` threads do than one: what the machine itself gives.
///
/// # Errors
/// A thread that cannot be started.
pub fn machine_scaling(threads: usize, time: Duration) -> Result<f64, BenchError> {
    let arithmetic = || {
        |seed| {
            let mut x: u64 = seed;
            for _ in 0..100_000 {
                x = std::hint::black_box(x.wrapping_mul(0x5851_f42d_4c95_7f2d).rotate_left(17) ^ seed);
            }
            Ok(1)
        }
    };
    let [mut many, mut one] = [Speed::default(); 2];
    for _ in 0..TURNS {
        many += matches_in(threads, time / TURNS, arithmetic)?;
        one += matches_in(1, time / TURNS, arithmetic)?;
    }
    Ok(many.per_second() / one.per_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_idle_bot_is_its_text() {
        assert_eq!(wat::parse_str(include_str!("idle.wat")).unwrap(), IDLE);
    }

    #[test]
    fn recorded_answers_make_the_same_matches() {
        for game in GameId::ALL {
            let bot = |name| example_bots::find(game.name(), name);
            let bot = bot("uniform").or_else(|| bot("random")).unwrap();
            let subject = Subject { game: *game, make: bot.make, wasm: &[] };
            let played = native_block(subject, 0);
            let replayed = game.dispatch(Replay { answers: &record(subject) });
            assert_eq!(played, replayed, "{game}");
        }
    }
}
