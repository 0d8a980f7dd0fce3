//! Plays what is left of a league. Its threads, which also compile, are the only ones (beside `verify`, which borrows them).

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::block::{Rules, decision_fuel, play_block_with};
use super::config::Entrant;
use super::estimate::Estimate;
use super::event::Event;
use super::journal::{Entry, Journal, JournalError};
use super::key::Key;
use super::{Block, League, Schedule};
use crate::failure::HostError;
use crate::games::{Game, with_game};
use crate::ids::shown;
use crate::play::wasm::Waiting;
use crate::sandbox::engine::SandboxError;
use crate::sandbox::{BotModule, BotThread, BotThreads, Compiler, LoadError, Refusal, Sandbox};
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
    /// The host failed while bots were compiled or played; nothing of the block that was being played counts.
    #[error(transparent)]
    Host(#[from] HostError),
    /// A file entered as a bot is not one.
    #[error("{place}the bot {name} ({path}) is refused:\n{error}")]
    Bot {
        /// Where the league file enters it, as [`League::place_of`] tells it.
        place: String,
        /// Its name.
        name: String,
        /// Its file.
        path: String,
        /// Why.
        error: Refusal,
    },
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
    pool: BotThreads,
}

/// Compiles a league's bots, each distinct one once, as many at a time as there are threads.
///
/// # Errors
/// A sandbox that cannot be set up, the host's, or the first bot that is refused.
pub fn prepare(league: &League, threads: usize, compiler: Compiler) -> Result<Prepared<'_>, RunError> {
    let compiled = compile(league, threads, compiler)?;
    match compiled.refused.first() {
        Some((bot, refusal)) => Err(refused(league, *bot, refusal.clone())),
        None => Ok(compiled.prepared(league)),
    }
}

/// Compiles a league's bots as [`prepare`] does, and leaves those out of the league that were submitted and are refused.
///
/// # Errors
/// Those of [`prepare`], where the league file itself enters the bot or too few would be left to play.
pub fn prepare_leaving_out(league: &mut League, threads: usize, compiler: Compiler) -> Result<Prepared<'_>, RunError> {
    let compiled = compile(league, threads, compiler)?;
    let too_few = league.bots.len() - compiled.refused.len() < 2;
    if let Some((bot, refusal)) = compiled.refused.iter().find(|(bot, _)| too_few || league.bots[*bot].line.is_some()) {
        return Err(refused(league, *bot, refusal.clone()));
    }
    for (bot, refusal) in compiled.refused.iter().rev() {
        league.leave_out(*bot, refusal.to_string().replace('\n', "; "));
    }
    Ok(compiled.prepared(league))
}

fn refused(league: &League, bot: usize, error: Refusal) -> RunError {
    let bot = &league.bots[bot];
    RunError::Bot { place: league.place_of(bot), name: bot.name.to_string(), path: shown(&bot.path), error }
}

/// The modules of a league's bots, by the SHA-256 of their files.
struct Compiled {
    modules: HashMap<String, BotModule>,
    /// Bots of the league that are refused, in its order.
    refused: Vec<(usize, Refusal)>,
    pool: BotThreads,
}

fn compile(league: &League, threads: usize, compiler: Compiler) -> Result<Compiled, RunError> {
    let instances = (threads * (league.seats() + Waiting::MOST)) as u32 + 2;
    let sandbox = Sandbox::with_compiler(league.limits().clone(), instances, compiler)?;
    let pool = BotThreads::new(threads)?;
    let mut seen = HashSet::new();
    let distinct: Vec<&Entrant> = league.bots.iter().filter(|bot| seen.insert(bot.sha256.as_str())).collect();
    let load = |bot: &&Entrant| {
        // What is told below is told of this bot.
        let _span = tracing::info_span!("bot", name = %bot.name).entered();
        BotModule::load(&sandbox, &bot.bytes, league.game().view_size(), league.seats())
            .and_then(|module| module.for_game(league.game().name()))
    };
    let loaded = pool.map(&distinct, |_, bot| load(bot));
    let (mut modules, mut refusals) = (HashMap::new(), HashMap::new());
    for (bot, loaded) in distinct.iter().zip(loaded) {
        match loaded {
            Ok(module) => drop(modules.insert(bot.sha256.clone(), module)),
            Err(LoadError::Refused(refusal)) => drop(refusals.insert(bot.sha256.as_str(), refusal)),
            Err(LoadError::Host(error)) => return Err(error.into()),
        }
    }
    let refusal = |(number, bot): (usize, &Entrant)| Some((number, refusals.get(bot.sha256.as_str())?.clone()));
    let refused = league.bots.iter().enumerate().filter_map(refusal).collect();
    Ok(Compiled { modules, refused, pool })
}

impl Compiled {
    /// The league ready to be played; all of its bots are compiled.
    fn prepared(self, league: &League) -> Prepared<'_> {
        let Compiled { modules, pool, .. } = self;
        let (hashes, modules): (Vec<_>, Vec<_>) = modules.into_iter().unzip();
        let number_of: HashMap<_, _> = hashes.into_iter().zip(0..).collect();
        let module_of = league.bots.iter().map(|bot| number_of[&bot.sha256]).collect();
        let fuel = decision_fuel(league.game().info(), league.limits());
        Prepared { league, modules, module_of, fuel, pool }
    }
}

impl Prepared<'_> {
    /// The league.
    pub fn league(&self) -> &League {
        self.league
    }

    /// Threads that play.
    pub fn threads(&self) -> usize {
        self.pool.count()
    }

    pub(super) fn pool(&self) -> &BotThreads {
        &self.pool
    }

    /// The module of a bot of the league.
    pub fn module(&self, bot: usize) -> &BotModule {
        &self.modules[self.module_of[bot]]
    }
}

/// Plays the blocks that the journal in `folder` does not hold yet. Sets `stop` to end early, after the
/// blocks being played; `tell` is called on this thread.
///
/// # Errors
/// The journal's and the host's; whatever was finished before stays in the journal.
pub fn run(
    prepared: &Prepared<'_>,
    folder: &Path,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Event),
) -> Result<Sitting, RunError> {
    let league = prepared.league;
    let schedule = league.schedule();
    let keys = league.identity().block_keys(league.game(), &schedule);

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
    if !contents.contradictions.is_empty() {
        for lines in &contents.contradictions {
            done.remove(&lines.key);
        }
        tell(Event::Contradictions(contents.contradictions.clone()));
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
    tell(Event::Planned { matches: league.matches(), done: done_matches, threads: prepared.pool.count() });
    if pending.is_empty() && contents.identity.as_ref() == Some(identity) {
        return Ok(Sitting { played: 0, interrupted: false });
    }
    journal.begin(identity)?;
    let estimate = Estimate::sample(&mut pending);
    let work = Work { prepared, schedule: &schedule, keys: &keys, pending: &pending, stop };
    with_game!(league.game(), G => play_pending::<G>(work, estimate, &mut journal, tell))
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

/// Plays the pending blocks of a league on all of its threads.
fn play_pending<G: Game>(
    work: Work<'_>,
    estimate: Estimate,
    journal: &mut Journal,
    tell: &mut dyn FnMut(Event),
) -> Result<Sitting, RunError> {
    let pool = &work.prepared.pool;
    // Small: when the disk stops taking blocks, the threads wait instead of filling the memory.
    let (sender, finished) = mpsc::sync_channel::<Result<Entry, HostError>>(64 * pool.count());
    let next = AtomicUsize::new(0);
    let next = &next;
    let works = (0..pool.count()).map(|_| {
        let sender = sender.clone();
        move |thread| {
            let mut worker = Worker::<G>::new(thread, work.prepared);
            while !work.stop.load(Ordering::Relaxed) {
                let taken = next.fetch_add(1, Ordering::Relaxed);
                let Some(&index) = work.pending.get(taken) else { break };
                let played = entry(work, index, &mut worker);
                let failed = played.is_err();
                // The receiver is gone only after an error.
                if sender.send(played).is_err() || failed {
                    break;
                }
            }
        }
    });
    let works: Vec<_> = works.collect();
    drop(sender);
    // After an error nobody receives: what the threads send next fails, and they end.
    let (played, blocks) = pool.run(works, || write(journal, work, estimate, finished, tell))?;
    Ok(Sitting { played, interrupted: blocks < work.pending.len() })
}

/// Writes finished blocks to the journal until there are no more; the number of matches and blocks.
fn write(
    journal: &mut Journal,
    work: Work<'_>,
    mut estimate: Estimate,
    finished: mpsc::Receiver<Result<Entry, HostError>>,
    tell: &mut dyn FnMut(Event),
) -> Result<(u64, usize), RunError> {
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
        let mut failed = None;
        for entry in std::iter::once(first).chain(finished.try_iter()) {
            match entry {
                Ok(entry) => entries.push(entry),
                Err(error) => failed = Some(error),
            }
        }
        journal.add_all(&entries)?;
        // What the other threads have finished by now is in the journal; what they are playing is not waited for.
        if let Some(error) = failed {
            journal.sync()?;
            return Err(error.into());
        }
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

fn entry<G: Game>(work: Work<'_>, index: u64, worker: &mut Worker<'_, G>) -> Result<Entry, HostError> {
    let league = work.prepared.league;
    let block = work.schedule.block(index);
    let lineup = &work.schedule.lineups()[block.lineup].0;
    let bots = lineup.iter().map(|&bot| league.bots[bot as usize].sha256.clone()).collect();
    let started = Instant::now();
    let tally = worker.play(lineup, block)?;
    tracing::debug!(
        "played {}, deals {} to {}: {} in {} ms",
        lineup.iter().map(|&bot| league.bots[bot as usize].name.as_str()).collect::<Vec<_>>().join(" - "),
        block.first,
        block.first + u64::from(block.deals) - 1,
        counted(tally.matches, "match", "matches"),
        started.elapsed().as_millis()
    );
    Ok(Entry { key: work.keys[index as usize], bots, first: block.first, tally })
}

/// One thread's part of a league: plays its blocks with WebAssembly bots, whose instances wait from block to block.
pub struct Worker<'p, G: Game> {
    prepared: &'p Prepared<'p>,
    options: &'p G::Options,
    waiting: Waiting<'p>,
}

impl<'p, G: Game> Worker<'p, G> {
    /// One that has not played yet, of a league of this game.
    pub fn new(thread: BotThread, prepared: &'p Prepared<'p>) -> Worker<'p, G> {
        Worker { prepared, options: prepared.league.options.of::<G>(), waiting: Waiting::new(thread) }
    }

    /// Plays a block of a lineup.
    ///
    /// # Errors
    /// The host's: then there is no tally.
    pub fn play(&mut self, lineup: &[u32], block: Block) -> Result<BlockTally, HostError> {
        let Worker { prepared, options, waiting } = self;
        let league = prepared.league;
        let rules = Rules::<G> { options, seed: league.identity().seed, max_restarts: league.limits().restarts };
        let modules = lineup.iter().map(|&bot| prepared.module(bot as usize));
        let (tally, players) = play_block_with(&rules, block, waiting.call(modules, &prepared.fuel))?;
        waiting.take_back(players);
        Ok(tally)
    }
}
