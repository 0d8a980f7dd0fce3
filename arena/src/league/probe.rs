//! Tries a bot out before it meets others: real matches by the real driver, in every number of seats that its game
//! has and in every seat, against opponents that play legally at random.
//!
//! Half of the matches the bot plays from the start. In the others it sits down late, where random play has led, so
//! that decisions come up that its own play hardly ever leads to: tie-breaks, votes, endings. Every probe can be
//! watched with `arena play`: its deal is that of a league with seed 0.

use std::time::Duration;

use serde::Serialize;

use super::block::decision_fuel;
use super::seeds::deal;
use crate::failure::{CallError, HostError};
use crate::games::{Game, Witness};
use crate::ids::{Answer, Fault, Seat};
use crate::play::random::{Late, Legal, Random};
use crate::play::wasm::Wasm;
use crate::play::{MatchPlan, MatchRecord, Observer, Player, play_match};
use crate::processor_time;
use crate::sandbox::{BotModule, BotThread, Limits};

/// Matches, unless the fuel ends before.
pub const MATCHES: u32 = 1000;

/// Fuel after which no further round of probes is begun, so that slow bots too are told of within about ten seconds.
pub const FUEL: u64 = 10_000_000_000;

/// Decisions that ran out of fuel after which no further round is begun: a bot that loops is known by then.
pub const TIMEOUTS: u32 = 60;

/// Processor time after which no further match is begun. It is no part of what decides whether a bot is ready.
pub const TIME: Duration = Duration::from_secs(60);

/// Fuel after which even the first round is not finished: then the larger tables are left out.
const MOST_FUEL: u64 = 2 * FUEL;

/// One match of the bot, as `arena play` can show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Probe {
    /// Seats of the match.
    pub seats: usize,
    /// The bot's.
    pub seat: Seat,
    /// The deal.
    pub deal: u64,
    /// So many of the seat's decisions are random before the bot sits down.
    pub late: u32,
}

/// What came of all probes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Findings {
    /// Matches played.
    pub matches: u32,
    /// Why they are fewer than [`MATCHES`], if they are.
    pub stopped: Option<Stopped>,
    /// The most seats of a match.
    pub most_seats: usize,
    /// By decision.
    pub decisions: Vec<Decision>,
    /// By decision and kind of fault, in that order; only what came up. What the bot did after it sat down late stands apart.
    pub failures: Vec<Failure>,
    /// A match that went another way, or cost other fuel, when it was played again.
    pub differing: Option<Probe>,
    /// The largest memory that an instance had at the end of a match, in bytes.
    pub memory_bytes: usize,
}

/// Why probing stopped early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    /// After [`FUEL`].
    Fuel,
    /// After [`TIMEOUTS`] decisions that ran out of fuel.
    Timeouts,
    /// After [`TIME`].
    Time {
        /// The processor time that a unit of the bot's fuel took at least.
        picoseconds_per_fuel: u64,
    },
}

/// How the bot did at one kind of decision.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// Its name.
    pub name: &'static str,
    /// How often it was asked.
    pub asked: u64,
    /// Of these how often after it sat down late.
    pub asked_late: u64,
    /// How often it answered, legally or not.
    pub answered: u64,
    /// The fuel that half of the answers took at most.
    pub fuel_median: u64,
    /// The fuel that 99 of 100 answers took at most.
    pub fuel_p99: u64,
    /// The fuel of the costliest answer.
    pub fuel_max: u64,
    /// The fuel that there is.
    pub fuel_limit: u64,
}

/// One way of failing at one kind of decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The decision.
    pub decision: &'static str,
    /// How it failed.
    pub fault: Fault,
    /// How often.
    pub count: u64,
    /// What it answered the first time, if it did.
    pub action: Option<i64>,
    /// The first match in which it came up.
    pub first: Probe,
}

/// Tries a bot out, for `most_time` of processor time at most ([`TIME`]).
///
/// # Errors
/// The host's.
pub fn probe<G: Game>(
    thread: BotThread,
    module: &BotModule,
    options: &G::Options,
    limits: &Limits,
    most_time: Duration,
) -> Result<Findings, HostError> {
    let fuel = decision_fuel(&G::INFO, limits);
    let mut bench = Bench::<G> { thread, module, options, limits, fuel: &fuel, meter: Meter::default() };
    let mut notes = Notes { tried: None, decisions: G::INFO.decisions.iter().map(|_| Noted::default()).collect() };
    let mut findings = Findings::default();
    let (least, most) = G::INFO.seats;
    let tables: Vec<usize> = (least..=most).filter(|&seats| G::check_options(options, seats).is_ok()).collect();
    let started = processor_time::of_thread();
    let mut timeouts = 0;
    // A round is a match in every seat of every table, once from the start and once late.
    'rounds: for number in 0.. {
        for &seats in &tables {
            if bench.meter.known >= MOST_FUEL {
                break;
            }
            findings.most_seats = findings.most_seats.max(seats);
            for seat in Seat::all(seats) {
                let time = processor_time::of_thread() - started;
                if time >= most_time {
                    let picoseconds_per_fuel = (time.as_nanos() * 1000 / u128::from(bench.meter.most.max(1))) as u64;
                    findings.stopped = Some(Stopped::Time { picoseconds_per_fuel });
                    break 'rounds;
                }
                let early = Probe { seats, seat, deal: number, late: 0 };
                let first = bench.play(early, &mut notes, &mut findings.memory_bytes)?;
                let asked = first.seats[seat.index()].decisions;
                // Each late probe of a table sits down somewhere else, over the length of the match just played.
                let late = 1 + (number as u32 * 7 + u32::from(seat.0) * 3) % asked.max(1);
                let second = bench.play(Probe { late, ..early }, &mut notes, &mut findings.memory_bytes)?;
                if number == 0 && findings.differing.is_none() {
                    let again = bench.play(early, &mut notes.silent(), &mut 0)?;
                    findings.differing = (again != first).then_some(early);
                }
                findings.matches += 2;
                for record in [first, second] {
                    timeouts += record.seats[seat.index()].faults[Fault::Timeout as usize];
                }
            }
        }
        if findings.matches >= MATCHES {
            break;
        }
        findings.stopped = match () {
            () if timeouts >= TIMEOUTS => Some(Stopped::Timeouts),
            () if bench.meter.known >= FUEL => Some(Stopped::Fuel),
            () => None,
        };
        if findings.stopped.is_some() {
            break;
        }
    }
    notes.into(&mut findings, G::INFO.decisions.iter().map(|decision| decision.name), &fuel);
    Ok(findings)
}

/// The fuel that a bot has used, in its starts as in its decisions.
#[derive(Debug, Clone, Copy, Default)]
struct Meter {
    /// What is known of: how much a trap took is not.
    known: u64,
    /// The same if each trap took all that there was.
    most: u64,
}

impl Meter {
    fn add(&mut self, used: Result<u64, &CallError>, limit: u64) {
        self.most += used.unwrap_or(limit);
        self.known += match used {
            Ok(used) => used,
            Err(CallError::Fault(Fault::Timeout)) => limit,
            Err(_) => 0,
        };
    }
}

/// A bot whose fuel is metered.
struct Metered<'m> {
    bot: Wasm<'m>,
    limits: &'m Limits,
    fuel: &'m [u64],
    meter: Meter,
}

impl Player for Metered<'_> {
    fn start(&mut self, seat: Seat, seats: usize, seed: u64) -> Result<(), CallError> {
        let started = self.bot.start(seat, seats, seed);
        let limit = self.limits.init_fuel;
        self.meter.add(started.as_ref().map(|()| limit - self.bot.fuel_left()), limit);
        started
    }

    fn decide(&mut self, decision: u8, view: &[u8]) -> Result<Answer, CallError> {
        let answer = self.bot.decide(decision, view);
        self.meter.add(answer.as_ref().map(|answer| answer.fuel), self.fuel[usize::from(decision)]);
        answer
    }
}

/// What all probes of a bot share.
struct Bench<'a, G: Game> {
    thread: BotThread,
    module: &'a BotModule,
    options: &'a G::Options,
    limits: &'a Limits,
    fuel: &'a [u64],
    meter: Meter,
}

impl<G: Game> Bench<'_, G> {
    fn play(&mut self, probe: Probe, notes: &mut Notes, memory_bytes: &mut usize) -> Result<MatchRecord, HostError> {
        let Bench { thread, module, limits, fuel, meter, .. } = *self;
        let legal = Legal::default();
        let bot = Metered { bot: Wasm::new(thread, module, fuel), limits, fuel, meter };
        let mut bot = Some(Late::new(bot, probe.late, &legal));
        let deal = deal(0, probe.deal, G::INFO.seating, probe.seats);
        let (seated, _) = deal.in_order(probe.seat, probe.seats);
        let mut players: Vec<_> = Seat::all(probe.seats)
            .map(|seat| match bot.take_if(|_| seat == probe.seat) {
                Some(bot) => Chair::Bot(bot),
                None => Chair::Random(Random::new(&legal)),
            })
            .collect();
        let plan = MatchPlan::<G> {
            options: self.options,
            deal: deal.key,
            seeds: &seated.seeds[..probe.seats],
            max_restarts: limits.restarts,
        };
        notes.tried = Some((probe, 0));
        let record = play_match(plan, &mut players, &mut Watch { legal: &legal, notes })?;
        if let Chair::Bot(bot) = &players[probe.seat.index()] {
            let Metered { bot, meter, .. } = bot.player();
            *memory_bytes = bot.memory_bytes().max(*memory_bytes);
            self.meter = *meter;
        }
        Ok(record)
    }
}

/// Who sits in a seat.
enum Chair<'a> {
    Bot(Late<'a, Metered<'a>>),
    Random(Random<'a>),
}

impl Player for Chair<'_> {
    fn start(&mut self, seat: Seat, seats: usize, seed: u64) -> Result<(), CallError> {
        match self {
            Chair::Bot(bot) => bot.start(seat, seats, seed),
            Chair::Random(random) => random.start(seat, seats, seed),
        }
    }

    fn decide(&mut self, decision: u8, view: &[u8]) -> Result<Answer, CallError> {
        match self {
            Chair::Bot(bot) => bot.decide(decision, view),
            Chair::Random(random) => random.decide(decision, view),
        }
    }
}

/// What is noted of the bot's decisions.
struct Notes {
    /// The probe, and how many of its decisions the seat has been asked.
    tried: Option<(Probe, u32)>,
    decisions: Vec<Noted>,
}

#[derive(Default, Clone)]
struct Noted {
    asked: u64,
    asked_late: u64,
    fuel: Vec<u64>,
    /// By kind of fault, from the start and late.
    faults: [[Option<Failed>; 2]; Fault::ALL.len()],
}

/// One way of failing: how often, and the first time.
#[derive(Clone, Copy)]
struct Failed {
    count: u64,
    first: Probe,
    action: Option<i64>,
}

impl Notes {
    /// Notes that are thrown away.
    fn silent(&self) -> Notes {
        Notes { tried: None, decisions: vec![Noted::default(); self.decisions.len()] }
    }

    fn into(self, findings: &mut Findings, names: impl Iterator<Item = &'static str>, limits: &[u64]) {
        for ((mut noted, name), &fuel_limit) in self.decisions.into_iter().zip(names).zip(limits) {
            noted.fuel.sort_unstable();
            let fuel = |percent| percentile(&noted.fuel, percent);
            findings.decisions.push(Decision {
                name,
                asked: noted.asked,
                asked_late: noted.asked_late,
                answered: noted.fuel.len() as u64,
                fuel_median: fuel(50),
                fuel_p99: fuel(99),
                fuel_max: fuel(100),
                fuel_limit,
            });
            for (fault, seen) in Fault::ALL.into_iter().zip(noted.faults) {
                for Failed { count, first, action } in seen.into_iter().flatten() {
                    findings.failures.push(Failure { decision: name, fault, count, action, first });
                }
            }
        }
    }
}

/// The value that so many per cent of the ordered values do not exceed (nearest rank); 0 of none.
fn percentile(ordered: &[u64], percent: usize) -> u64 {
    let rank = (ordered.len() * percent).div_ceil(100);
    ordered.get(rank.saturating_sub(1)).copied().unwrap_or(0)
}

/// Watches a probe.
struct Watch<'a> {
    legal: &'a Legal,
    notes: &'a mut Notes,
}

impl<E> Witness<E> for Watch<'_> {
    fn event(&mut self, _: impl FnOnce() -> E) {}
}

impl<G: Game> Observer<G> for Watch<'_> {
    fn asks(&mut self, seat: Seat, _: u8, state: &G) {
        self.legal.look(seat, state);
    }

    fn decision(&mut self, seat: Seat, decision: u8, _: &G::View, answer: Option<Answer>, fault: Option<Fault>) {
        let Some((probe, asked)) = &mut self.notes.tried else { return };
        if seat != probe.seat {
            return;
        }
        *asked += 1;
        if *asked <= probe.late {
            return;
        }
        let noted = &mut self.notes.decisions[usize::from(decision)];
        noted.asked += 1;
        noted.asked_late += u64::from(probe.late > 0);
        noted.fuel.extend(answer.map(|answer| answer.fuel));
        if let Some(fault) = fault {
            let first = Failed { count: 0, first: *probe, action: answer.map(|answer| answer.action) };
            noted.faults[fault as usize][usize::from(probe.late > 0)].get_or_insert(first).count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_are_there() {
        let ordered: Vec<u64> = (1..=200).collect();
        assert_eq!([50, 99, 100].map(|percent| percentile(&ordered, percent)), [100, 198, 200]);
        assert_eq!(percentile(&[7], 50), 7);
        assert_eq!(percentile(&[], 99), 0);
    }

    #[test]
    fn time_ends_the_probes_with_what_a_unit_of_fuel_took_and_decides_nothing() {
        use crate::bench::Subject;
        use crate::games::GameId;
        use crate::games::little_hunters::{LittleHunters, Options};
        use crate::sandbox::Sandbox;
        let limits = Limits::default();
        let sandbox = Sandbox::new(limits.clone(), 4).unwrap();
        let game = GameId::from_name("little-hunters").unwrap();
        let module = BotModule::load(&sandbox, Subject::of(game).unwrap().wasm, game.view_size(), 2).unwrap();
        let probe = |time| {
            let probed = |thread| probe::<LittleHunters>(thread, &module, &Options::default(), &limits, time).unwrap();
            BotThread::run(probed).unwrap()
        };
        let whole = probe(TIME);
        assert_eq!((whole.matches, whole.stopped), (MATCHES, None));
        let cut = probe(Duration::from_millis(1));
        assert!((1..MATCHES).contains(&cut.matches), "{}", cut.matches);
        let Some(Stopped::Time { picoseconds_per_fuel }) = cut.stopped else { panic!("{:?}", cut.stopped) };
        assert!(picoseconds_per_fuel > 0 && cut.failures.is_empty());
    }
}
