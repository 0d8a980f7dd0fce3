//! Plays what is left of a league. Its threads, which also compile, are the only ones (beside `verify`, which borrows them).

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::block::{KeyBase, Rules, decision_fuel, play_block_with};
use super::config::Entrant;
use super::estimate::Estimate;
use super::event::Event;
use super::journal::{Entry, Journal, JournalError, Key};
use super::{Block, League, Schedule};
use crate::games::{Game, GameVisitor};
use crate::ids::shown;
use crate::play::wasm::Waiting;
use crate::sandbox::engine::{SandboxError, THREAD_STACK};
use crate::sandbox::{BotModule, Compiler, LoadError, Sandbox};
use crate::tally::BlockTally;
use crate::words::{counted, grouped};

/// A run could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The journal could not be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The sandbox could not be set up.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// A bot of the league is none.
    #[error("{place}the bot {name} ({path}) is refused:\n{error}")]
    Bot {
        /// Where the league file enters it, as [`League::place_of`] tells it.
        place: String,
        /// Its name.
        name: String,
        /// Its file.
        path: String,
        /// Why.
        error: LoadError,
    },
    /// The threads could not be started.
    #[error("failed to start threads: {0}")]
    Threads(String),
}

/// What a sitting came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sitting {
    /// Matches played in this sitting.
    pub played: u64,
    /// Whether it was stopped before the league was finished.
    pub interrupted: bool,
}

/// A league ready to be played: its bots are compiled.
pub struct Prepared<'l> {
    league: &'l League,
    modules: Vec<BotModule>,
    /// The module of each entrant.
    module_of: Vec<usize>,
    /// Fuel by decision.
    fuel: Vec<u64>,
    pool: rayon::ThreadPool,
}

/// Compiles a league's bots, each distinct one once, as many at a time as there are threads.
///
/// # Errors
/// A sandbox that cannot be set up, or the first bot that is refused.
pub fn prepare(league: &League, threads: usize, compiler: Compiler) -> Result<Prepared<'_>, RunError> {
    let instances = (threads * (league.seats + Waiting::MOST)) as u32 + 2;
    let sandbox = Sandbox::with_compiler(league.limits.clone(), instances, compiler)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(THREAD_STACK)
        .build()
        .map_err(|error| RunError::Threads(error.to_string()))?;
    let mut distinct: Vec<&Entrant> = Vec::new();
    let mut number_of = HashMap::new();
    let mut module_of = Vec::new();
    for bot in &league.bots {
        module_of.push(*number_of.entry(bot.sha256.as_str()).or_insert_with(|| {
            distinct.push(bot);
            distinct.len() - 1
        }));
    }
    let load = |bot: &&Entrant| {
        // What is told below is told of this bot.
        let _span = tracing::info_span!("bot", name = %bot.name).entered();
        BotModule::load(&sandbox, &bot.bytes, league.game.view_size(), league.seats)
            .and_then(|module| module.for_game(league.game.name()))
            .map_err(|error| RunError::Bot {
                place: league.place_of(bot),
                name: bot.name.to_string(),
                path: shown(&bot.path),
                error,
            })
    };
    let loaded: Vec<_> = pool.install(|| distinct.par_iter().map(load).collect());
    let modules = loaded.into_iter().collect::<Result<_, _>>()?;
    let fuel = decision_fuel(league.game.info(), &league.limits);
    Ok(Prepared { league, modules, module_of, fuel, pool })
}

impl Prepared<'_> {
    /// The league.
    pub fn league(&self) -> &League {
        self.league
    }

    /// Threads that play.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    pub(super) fn pool(&self) -> &rayon::ThreadPool {
        &self.pool
    }

    /// The module of a bot of the league.
    pub fn module(&self, bot: usize) -> &BotModule {
        &self.modules[self.module_of[bot]]
    }
}

/// The key of every block of a league, in schedule order.
pub fn block_keys(league: &League, schedule: &Schedule) -> Vec<Key> {
    let base = KeyBase::new(league.game.info(), &league.options, &league.limits, league.seed);
    (0..schedule.len())
        .map(|index| {
            let block = schedule.block(index);
            let bots = schedule.lineups()[block.lineup].0.iter();
            base.key(bots.map(|&bot| league.bots[bot as usize].sha256.as_str()), block.first, block.deals)
        })
        .collect()
}

/// Plays the blocks that the journal in `folder` does not hold yet. Sets `stop` to end early, after the
/// blocks being played; `tell` is called on this thread.
///
/// # Errors
/// The journal's; whatever was finished before stays in it.
pub fn run(
    prepared: &Prepared<'_>,
    folder: &Path,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Event),
) -> Result<Sitting, RunError> {
    let league = prepared.league;
    let schedule = league.schedule();
    let keys = block_keys(league, &schedule);

    let mut done = HashSet::new();
    let (mut journal, contents) = Journal::open(folder, |entry| {
        done.insert(entry.key);
    })?;
    if contents.torn {
        tell(Event::TornLine);
    }
    if !contents.damaged.is_empty() {
        tell(Event::DamagedLines { lines: contents.damaged.clone() });
    }
    let identity = league.identity();
    if let Some(before) = &contents.identity {
        let differences = identity.differences(before);
        if !differences.is_empty() {
            tell(Event::Differs { differences });
        }
    }

    let seatings = league.seatings() as u64;
    let mut done_matches = 0;
    let mut pending = Vec::new();
    for index in 0..schedule.len() {
        // Two bots with the same bytes share their blocks: played once.
        if done.contains(&keys[index as usize]) {
            done_matches += u64::from(schedule.block(index).deals) * seatings;
        } else if done.insert(keys[index as usize]) {
            pending.push(index);
        }
    }
    tracing::info!(
        "{} in the journal, {} to play",
        counted(schedule.len() - pending.len() as u64, "block", "blocks"),
        grouped(pending.len() as u64)
    );
    tell(Event::Planned {
        matches: league.matches(),
        done: done_matches,
        threads: prepared.pool.current_num_threads(),
    });
    if pending.is_empty() && contents.identity.as_ref() == Some(&identity) {
        return Ok(Sitting { played: 0, interrupted: false });
    }
    journal.begin(&identity)?;
    let estimate = Estimate::sample(&mut pending);
    let work = Work { prepared, schedule: &schedule, keys: &keys, pending: &pending, stop };
    league.game.dispatch(Play { work, estimate, journal: &mut journal, tell })
}

/// What the threads share.
#[derive(Clone, Copy)]
struct Work<'a> {
    prepared: &'a Prepared<'a>,
    schedule: &'a Schedule,
    keys: &'a [Key],
    pending: &'a [u64],
    stop: &'a AtomicBool,
}

impl Work<'_> {
    /// Matches that are pending.
    fn matches(&self) -> u64 {
        let deals: u64 = self.pending.iter().map(|&index| u64::from(self.schedule.block(index).deals)).sum();
        deals * self.prepared.league.seatings() as u64
    }
}

struct Play<'a> {
    work: Work<'a>,
    estimate: Estimate,
    journal: &'a mut Journal,
    tell: &'a mut dyn FnMut(Event),
}

impl GameVisitor for Play<'_> {
    type Output = Result<Sitting, RunError>;

    fn visit<G: Game>(self) -> Self::Output {
        let Play { work, estimate, journal, tell } = self;
        let pool = &work.prepared.pool;
        // Small: when the disk stops taking blocks, the threads wait instead of filling the memory.
        let (sender, finished) = mpsc::sync_channel::<Entry>(64 * pool.current_num_threads());
        let next = AtomicUsize::new(0);
        let halt = AtomicBool::new(false);
        let next = &next;
        let halt = &halt;
        pool.in_place_scope(|scope| {
            for _ in 0..pool.current_num_threads() {
                let sender = sender.clone();
                scope.spawn(move |_| {
                    let mut worker = Worker::<G>::new(work.prepared);
                    while !work.stop.load(Ordering::Relaxed) && !halt.load(Ordering::Relaxed) {
                        let taken = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&index) = work.pending.get(taken) else { break };
                        // The receiver is gone only after an error of the journal.
                        if sender.send(entry(work, index, &mut worker)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let written = write(journal, work, estimate, finished, tell);
            if written.is_err() {
                halt.store(true, Ordering::Relaxed);
            }
            written
        })
        .map(|(played, blocks)| Sitting { played, interrupted: blocks < work.pending.len() })
        .map_err(RunError::from)
    }
}

/// Writes finished blocks to the journal until there are no more; the number of matches and blocks.
fn write(
    journal: &mut Journal,
    work: Work<'_>,
    mut estimate: Estimate,
    finished: mpsc::Receiver<Entry>,
    tell: &mut dyn FnMut(Event),
) -> Result<(u64, usize), JournalError> {
    /// A power cut loses at most so much; the end of the process loses nothing that is written.
    const SYNC_EVERY: Duration = Duration::from_secs(5);
    /// Blocks of so much time are written together: to wake up for each would take time from those that play.
    const GATHER: Duration = Duration::from_millis(2);
    let all = work.matches();
    let (mut played, mut blocks) = (0, 0);
    let started = Instant::now();
    let mut synced = started;
    let mut entries = Vec::new();
    while let Ok(first) = finished.recv() {
        std::thread::sleep(GATHER);
        entries.push(first);
        entries.extend(finished.try_iter());
        journal.add_all(&entries)?;
        if blocks == 0 {
            tracing::info!("the first block is played and in the journal");
        }
        for entry in entries.drain(..) {
            played += entry.tally.matches;
            blocks += 1;
            tell(Event::BlockDone { matches: entry.tally.matches });
        }
        let matches = all - played;
        if let Some(time) = estimate.time_left(blocks, played, matches, started.elapsed()) {
            tell(Event::Estimated { matches, time });
        }
        if synced.elapsed() > SYNC_EVERY {
            journal.sync()?;
            synced = Instant::now();
        }
    }
    journal.sync()?;
    Ok((played, blocks))
}

fn entry<G: Game>(work: Work<'_>, index: u64, worker: &mut Worker<'_, G>) -> Entry {
    let league = work.prepared.league;
    let block = work.schedule.block(index);
    let lineup = &work.schedule.lineups()[block.lineup].0;
    let bots = lineup.iter().map(|&bot| league.bots[bot as usize].sha256.clone()).collect();
    let started = Instant::now();
    let tally = worker.play(lineup, block);
    tracing::debug!(
        "played {}, deals {} to {}: {} in {} ms",
        lineup.iter().map(|&bot| league.bots[bot as usize].name.as_str()).collect::<Vec<_>>().join(" - "),
        block.first,
        block.first + u64::from(block.deals) - 1,
        counted(tally.matches, "match", "matches"),
        started.elapsed().as_millis()
    );
    Entry { key: work.keys[index as usize], bots, first: block.first, tally }
}

/// One thread's part of a league: plays its blocks with WebAssembly bots, whose instances wait from block to block.
pub struct Worker<'p, G: Game> {
    prepared: &'p Prepared<'p>,
    options: G::Options,
    waiting: Waiting<'p>,
}

impl<'p, G: Game> Worker<'p, G> {
    /// One that has not played yet, of a league of this game.
    pub fn new(prepared: &'p Prepared<'p>) -> Worker<'p, G> {
        // The options were read from the file by the same type: they come back.
        let options = serde_json::from_value(prepared.league.options.clone()).unwrap_or_default();
        Worker { prepared, options, waiting: Waiting::default() }
    }

    /// Plays a block of a lineup.
    pub fn play(&mut self, lineup: &[u32], block: Block) -> BlockTally {
        let Worker { prepared, options, waiting } = self;
        let league = prepared.league;
        let rules = Rules::<G> { options, seed: league.seed, max_restarts: league.limits.restarts };
        let modules = lineup.iter().map(|&bot| prepared.module(bot as usize));
        let (tally, players) = play_block_with(&rules, block, waiting.call(modules, &prepared.fuel));
        waiting.take_back(players);
        tally
    }
}
