//! How fast matches are played, as ratios of one run: the league runner beside the same bots called natively, the
//! sandbox's own floor, bots in processes of their own, and the machine's own scaling.
//!
//! In every game the bot that plays at random sits in every seat of the smallest table. All ways play the same deals
//! with the same seeds. They are measured in turns (those over pipes, once), so the figures of one run are comparable and those
//! of two runs are not.

mod floor;
mod players;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::draft;
use crate::failure::HostError;
use crate::games::{Game, GameId, with_game};
use crate::league::block::{Rules, decision_fuel, play_block};
use crate::league::journal::{Entry, Journal};
use crate::league::key::Key;
use crate::league::run::{RunError, prepare, run};
use crate::league::schedule::Block;
use crate::league::seeds::seatings_per_deal;
use crate::league::{ConfigError, League};
use crate::play::Player;
use crate::play::native::{Make, Native};
use crate::play::wasm::Wasm;
use crate::sandbox::engine::SandboxError;
use crate::sandbox::{BotModule, BotThread, BotThreads, Compiler, Limits, LoadError, Sandbox};
use crate::tally::BlockTally;
pub use floor::Floor;
pub use players::{COMMAND, serve};
use players::{Life, Piped, Recorded, Recorder};

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

impl Subject {
    /// The bot of a game that plays at random; none of a game that has none.
    pub fn of(game: GameId) -> Option<Subject> {
        let named = |name| example_bots::find(game.name(), name);
        let bot = named("uniform").or_else(|| named("random"))?;
        Some(Subject { game, make: bot.make, wasm: bot.wasm })
    }

    /// Seats of the table: the fewest of the game.
    fn seats(&self) -> usize {
        self.game.info().seats.0
    }

    /// Plays a block, the bot called natively.
    ///
    /// # Errors
    /// The host's.
    pub fn native_block(&self, block: u64) -> Result<BlockTally, HostError> {
        let native = |_| Native::new(self.make);
        with_game!(self.game, G => play_deals::<G, _>(deals(block), native))
    }

    /// Plays a block, the bot in the sandbox.
    ///
    /// # Errors
    /// The host's.
    pub fn module_block(&self, thread: BotThread, module: &BotModule, block: u64) -> Result<BlockTally, HostError> {
        let fuel = decision_fuel(self.game.info(), &Limits::default());
        with_game!(self.game, G => play_deals::<G, _>(deals(block), |_| Wasm::new(thread, module, &fuel)))
    }
}

/// Decisions of all places.
fn decisions(block: &BlockTally) -> u64 {
    block.places.iter().map(|place| place.decisions).sum()
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
    /// The threads.
    pub threads: usize,
    /// The league runner, with WebAssembly bots and a journal.
    pub league: f64,
    /// The same matches by the same driver, with the same bots called natively.
    pub native: f64,
    /// As many fresh instances and calls as the matches have, of a bot that does nothing, and no game.
    pub floor: f64,
    /// Likewise with instances that are set back, as the league has them.
    pub reset_floor: f64,
    /// The same matches with recorded answers in place of bots, and a journal: what the runner does on its own.
    pub own: f64,
    /// The same matches with each bot in a process of its own, a line for a view and a line for an answer; the processes
    /// live on from match to match.
    pub pipes: Option<f64>,
    /// Likewise, each match with processes of its own: as far apart from each other as instances are.
    pub processes: Option<f64>,
    /// Plain arithmetic on as many threads, in units of its own: what the machine itself gives.
    pub arithmetic: f64,
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
    /// The host failed while matches were played.
    #[error(transparent)]
    Host(#[from] HostError),
}

/// Deals of a block that is measured, as in leagues.
const DEALS: u32 = 50;

/// Measures one game.
///
/// # Errors
/// Of the machine: files, processes, address space.
pub fn measure(subject: Subject, plan: &Plan) -> Result<GameFigures, BenchError> {
    let sample = subject.native_block(0)?;
    let recorded: Vec<_> = (0..RECORDED).map(|block| record(subject, block)).collect::<Result<_, _>>()?;
    let mut ways = Vec::new();
    for &threads in &plan.threads {
        let sandbox = Sandbox::new(Limits::default(), (threads * subject.seats()) as u32 + 2)?;
        let floor = Floor::of(&sandbox, subject.game, &sample)?;
        ways.push(Ways { subject, plan, recorded: &recorded, threads, floor, speeds: Speeds::default() });
    }
    // In turns: a machine that is faster at one time than at another is so for all of them.
    for turn in 0..TURNS {
        ways.iter_mut().try_for_each(|ways| ways.take_turn(turn))?;
    }
    Ok(GameFigures {
        game: subject.game.name(),
        seats: subject.seats(),
        decisions: decisions(&sample) as f64 / sample.matches as f64,
        by_threads: ways.iter().map(Ways::figures).collect(),
    })
}

/// Blocks whose answers are recorded.
const RECORDED: u64 = 16;

/// All ways of playing a game on so many threads.
struct Ways<'a> {
    subject: Subject,
    plan: &'a Plan,
    recorded: &'a [Vec<Vec<i64>>],
    threads: usize,
    floor: Floor,
    speeds: Speeds,
}

#[derive(Default)]
struct Speeds {
    league: Speed,
    native: Speed,
    floor: Speed,
    reset_floor: Speed,
    own: Speed,
    pipes: Option<Speed>,
    processes: Option<Speed>,
    arithmetic: Speed,
}

impl Ways<'_> {
    fn take_turn(&mut self, turn: u32) -> Result<(), BenchError> {
        let Ways { subject, plan, recorded, threads, floor, speeds } = self;
        let (subject, recorded, threads, time) = (*subject, *recorded, *threads, plan.time / TURNS);
        let floor = &*floor;
        speeds.native += matches_in(threads, time, |_| {
            |block| Ok(subject.native_block(block).map_err(std::io::Error::other)?.matches)
        })?;
        speeds.own += matches_in(threads, time, |_| {
            let mut paper = None;
            move |block| replay_and_write(subject, recorded, block, &mut paper)
        })?;
        speeds.floor += matches_in(threads, time, |thread| move |_| floor.fresh(thread))?;
        speeds.reset_floor += matches_in(threads, time, |thread| move |_| floor.reused(thread))?;
        let guess = if turn == 0 { speeds.native.per_second() / 4.0 } else { speeds.league.per_second() };
        speeds.league += league_matches_in(subject, time, threads, guess)?;
        speeds.arithmetic += matches_in(threads, time, |_| arithmetic)?;
        // Once, since starting the processes takes its time; they are so much slower that it makes no difference.
        if let (true, Some(program)) = (turn == TURNS / 2, &plan.program) {
            speeds.pipes = Some(piped_matches_in(subject, plan.time, threads, program, Life::League)?);
            speeds.processes = Some(piped_matches_in(subject, plan.time, threads, program, Life::Match)?);
        }
        Ok(())
    }

    fn figures(&self) -> Figures {
        let Speeds { league, native, floor, reset_floor, own, pipes, processes, arithmetic } = &self.speeds;
        Figures {
            threads: self.threads,
            league: league.per_second(),
            native: native.per_second(),
            floor: floor.per_second(),
            reset_floor: reset_floor.per_second(),
            own: own.per_second(),
            pipes: pipes.map(Speed::per_second),
            processes: processes.map(Speed::per_second),
            arithmetic: arithmetic.per_second(),
        }
    }
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
fn matches_in<W>(threads: usize, time: Duration, worker: impl Fn(BotThread) -> W + Sync) -> Result<Speed, BenchError>
where
    W: FnMut(u64) -> std::io::Result<u64>,
{
    let pool = BotThreads::new(threads)?;
    let (next, matches) = (AtomicU64::new(0), AtomicU64::new(0));
    let started = Instant::now();
    let failed: Mutex<Option<std::io::Error>> = Mutex::default();
    let work = |thread| {
        let mut worker = worker(thread);
        // At least one.
        loop {
            match worker(next.fetch_add(1, Ordering::Relaxed)) {
                Ok(played) => drop(matches.fetch_add(played, Ordering::Relaxed)),
                Err(error) => return *failed.lock().expect("no panic") = Some(error),
            }
            if started.elapsed() >= time {
                return;
            }
        }
    };
    pool.run((0..threads).map(|_| &work), || ());
    if let Some(error) = failed.into_inner().expect("no panic") {
        return Err(error.into());
    }
    Ok(Speed { matches: matches.into_inner(), seconds: started.elapsed().as_secs_f64() })
}

/// The league runner, from compiled bots to the last line in the journal, for about that time if the guess of its speed
/// is right.
fn league_matches_in(subject: Subject, time: Duration, threads: usize, guess: f64) -> Result<Speed, BenchError> {
    let folder = temporary_folder()?;
    let seatings = seatings_per_deal(subject.game.info().seating, subject.seats()) as f64;
    let deals = (guess * time.as_secs_f64() / seatings).ceil().max(1.0);
    let league = write_league(folder.path(), subject, deals as u64)?;
    let prepared = prepare(&league, threads, Compiler::in_process())?;
    let started = Instant::now();
    let sitting = run(&prepared, &folder.path().join("out"), &AtomicBool::new(false), &mut |_| {})?;
    Ok(Speed { matches: sitting.played, seconds: started.elapsed().as_secs_f64() })
}

/// What folders of measurements are called.
const FOLDER: &str = "arena-bench";

/// A folder that is removed when it is dropped. Removes those of benches that were killed.
fn temporary_folder() -> std::io::Result<tempfile::TempDir> {
    draft::sweep(&std::env::temp_dir(), |name| name == FOLDER);
    let (prefix, suffix) = draft::affixes(FOLDER);
    let made = tempfile::Builder::new().prefix(&prefix).suffix(suffix).tempdir();
    made.map_err(|error| std::io::Error::other(format!("failed to make a temporary folder: {error}")))
}

fn write_league(folder: &Path, subject: Subject, deals: u64) -> Result<League, BenchError> {
    let seats = subject.seats();
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

/// Plays deals at the table that is measured, by the game's own options.
fn play_deals<G: Game, P: Player>(deals: Block, player: impl FnMut(usize) -> P) -> Result<BlockTally, HostError> {
    let options = G::Options::default();
    let rules = Rules::<G> { options: &options, seed: 1, max_restarts: Limits::default().restarts };
    play_block(&rules, deals, G::INFO.seats.0, player)
}

fn deals(block: u64) -> Block {
    block_of(block, DEALS)
}

fn block_of(number: u64, deals: u32) -> Block {
    Block { lineup: 0, first: number * u64::from(deals), deals }
}

/// What each place answers in a block.
fn record(subject: Subject, block: u64) -> Result<Vec<Vec<i64>>, HostError> {
    let answers: Vec<_> = (0..subject.seats()).map(|_| std::rc::Rc::default()).collect();
    let recorder = |place: usize| Recorder::new(Native::new(subject.make), std::rc::Rc::clone(&answers[place]));
    with_game!(subject.game, G => play_deals::<G, _>(deals(block), recorder))?;
    Ok(answers.iter().map(|answers| answers.take()).collect())
}

/// The block again, from what each place answered.
fn replay(game: GameId, answers: &[Vec<i64>], block: u64) -> Result<BlockTally, HostError> {
    with_game!(game, G => play_deals::<G, _>(deals(block), |place| Recorded::new(&answers[place])))
}

/// A recorded block played and written to a journal, which is made for the first: all that the runner does but ask bots.
fn replay_and_write(
    subject: Subject,
    recorded: &[Vec<Vec<i64>>],
    block: u64,
    paper: &mut Option<(tempfile::TempDir, Journal)>,
) -> std::io::Result<u64> {
    let first = block % recorded.len() as u64;
    let tally = replay(subject.game, &recorded[first as usize], first);
    let tally = tally.map_err(std::io::Error::other)?;
    let matches = tally.matches;
    let bots = vec!["0".repeat(64); subject.seats()];
    let entry = Entry { key: Key([block as u8; 16]), bots, first: deals(first).first, tally };
    if paper.is_none() {
        let folder = temporary_folder()?;
        let (journal, _) = Journal::open(folder.path(), drop).map_err(std::io::Error::other)?;
        *paper = Some((folder, journal));
    }
    if let Some((_, journal)) = paper {
        journal.add_all(&[entry]).map_err(std::io::Error::other)?;
    }
    Ok(matches)
}

/// Bots in processes of their own, for about that time.
fn piped_matches_in(
    subject: Subject,
    time: Duration,
    threads: usize,
    program: &Path,
    life: Life,
) -> Result<Speed, BenchError> {
    Piped::try_start(program, subject.game)?;
    matches_in(threads, time, |_| {
        let mut bots: Vec<_> = (0..subject.seats()).map(|_| Piped::new(program, subject.game, life)).collect();
        move |block| {
            /// Starting a process takes thousands of times as long as a match.
            const DEALS: u32 = 2;
            let mut bots = bots.iter_mut();
            let bot = |_| bots.next().expect("a bot for each place");
            let tally = with_game!(subject.game, G => play_deals::<G, _>(block_of(block, DEALS), bot));
            Ok(tally.map_err(std::io::Error::other)?.matches)
        }
    })
}

/// Plain arithmetic, a unit of it.
fn arithmetic(seed: u64) -> std::io::Result<u64> {
    let mut x = seed;
    for _ in 0..100_000 {
        x = std::hint::black_box(x.wrapping_mul(0x5851_f42d_4c95_7f2d).rotate_left(17) ^ seed);
    }
    Ok(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_a_killed_bench_left_is_removed_by_the_next() {
        let left = draft::abandoned(&std::env::temp_dir(), FOLDER);
        std::fs::create_dir(&left).unwrap();
        let own = temporary_folder().unwrap();
        assert!(!left.exists() && own.path().exists());
    }

    #[test]
    fn recorded_answers_make_the_same_matches() {
        for game in GameId::ALL {
            let subject = Subject::of(*game).unwrap();
            for block in [0, 3] {
                let played = subject.native_block(block).unwrap();
                let answers = record(subject, block).unwrap();
                let replayed = replay(*game, &answers, block).unwrap();
                assert_eq!(played, replayed, "{game}");
            }
        }
    }
}
