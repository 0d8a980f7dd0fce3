//! Plays matches and tells them.

use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

use super::super::error::Failure;
use super::cast::Actor;
use super::human::{Console, Human, Listening};
use super::tell::Teller;
use crate::failure::HostError;
use crate::games::{Game, GameOptions};
use crate::ids::Seat;
use crate::league::block::decision_fuel;
use crate::league::seeds::{Deal, Seated};
use crate::play::account::{Account, Line, LogSink, SCHEMA, Sitting};
use crate::play::random::{Late, Legal};
use crate::play::{MatchPlan, MatchRecord, Player, play_match};
use crate::sandbox::{BotThread, Limits};

/// What all matches share.
pub(super) struct Setting {
    pub(super) thread: BotThread,
    pub(super) options: GameOptions,
    pub(super) limits: Limits,
    pub(super) seed: u64,
    /// So many decisions of the first bot are random before it sits down.
    pub(super) late: u32,
    pub(super) json: bool,
}

/// A match to be played.
pub(super) struct Match {
    /// Its number in its league, if it is of one's results.
    pub(super) number: Option<u64>,
    /// The deal's number.
    pub(super) deal_number: u64,
    pub(super) deal: Deal,
    pub(super) seated: Seated,
    /// The seating's number, if this is one of the deal's.
    pub(super) seating: Option<usize>,
    /// By place.
    pub(super) lineup: Vec<Rc<Actor>>,
}

/// Plays matches one after the other and tells them to `out`.
pub(super) fn show<G: Game>(
    setting: &Setting,
    matches: impl IntoIterator<Item = Result<Match, Failure>>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let stage = Stage::<G>::new(setting);
    for played in matches {
        stage.tell(&played?, out)?;
    }
    Ok(out.flush()?)
}

/// What matches of a game are played with.
pub(super) struct Stage<'a, G: Game> {
    setting: &'a Setting,
    options: &'a G::Options,
    fuel: Vec<u64>,
}

impl<'a, G: Game> Stage<'a, G> {
    pub(super) fn new(setting: &'a Setting) -> Stage<'a, G> {
        Stage { setting, options: setting.options.of::<G>(), fuel: decision_fuel(&G::INFO, &setting.limits) }
    }

    fn plan<'p>(&'p self, played: &'p Match) -> MatchPlan<'p, G> {
        MatchPlan {
            options: self.options,
            deal: played.deal.key,
            seeds: &played.seated.seeds[..played.lineup.len()],
            max_restarts: self.setting.limits.restarts,
        }
    }

    /// Plays a match of bots without a word.
    pub(super) fn play(&self, played: &Match) -> Result<MatchRecord, HostError> {
        let (logs, legal) = (LogSink::default(), Legal::default());
        let seats = played.lineup.len();
        let player = |seat: Seat| played.at(seat).player(self.setting.thread, &self.fuel, &logs, &legal);
        let mut players: Vec<_> = Seat::all(seats).filter_map(player).collect();
        play_match(self.plan(played), &mut players, &mut ())
    }

    /// Plays a match and tells it: at once, or, where a human plays, with what was hidden, at the end.
    fn tell(&self, played: &Match, out: &mut impl Write) -> Result<(), Failure> {
        let seats = played.lineup.len();
        let sitting: Vec<_> = Seat::all(seats)
            .map(|seat| Sitting {
                seat,
                name: played.at(seat).name.clone(),
                sha256: played.at(seat).sha256(),
                seed: played.seated.seeds[seat.index()],
            })
            .collect();
        let teller = Teller::new(self.setting.json, &sitting);
        let head = Line::Match {
            schema: SCHEMA,
            game: G::INFO.name,
            rules: G::INFO.rules_version,
            options: &self.setting.options.to_json(),
            seed: self.setting.seed,
            deal: played.deal_number,
            seating: played.seating,
            number: played.number,
            bots: &sitting,
        };
        let (logs, legal) = (LogSink::default(), Legal::default());
        let plan = self.plan(played);
        let Some(human) = Seat::all(seats).find(|&seat| played.at(seat).is_human()) else {
            let mut written = teller.write(out, &head);
            let mut tell = |line: &Line<'_>| {
                if written.is_ok() {
                    written = teller.write(out, line);
                }
            };
            let mut players = self.players(played, &logs, &legal, |_| None);
            let mut account = Account::new(Some(&logs), &mut tell).with_legal(&legal);
            let record = play_match(plan, &mut players, &mut account)?;
            account.result(&record);
            return Ok(written?);
        };
        let mut hidden = Vec::new();
        let mut tell = |line: &Line<'_>| {
            // Writing to memory does not fail.
            let _ = teller.write(&mut hidden, line);
        };
        teller.write(out, &head)?;
        let console = RefCell::new(Console::new(&teller, out));
        console.borrow_mut().greet();
        {
            let at_table = |seat| (seat == human).then(|| Box::new(Human::<G>::new(&console, &legal)) as _);
            let mut players = self.players(played, &logs, &legal, at_table);
            let account = Account::new(Some(&logs), &mut tell).with_legal(&legal);
            let mut listening = Listening::<G>::new(account, &console, human);
            let record = play_match(plan, &mut players, &mut listening)?;
            listening.account.result(&record);
        }
        let left = console.into_inner().end()?;
        if left {
            writeln!(out, "\nYou left the table.")?;
        } else {
            writeln!(out, "\nThe match again, with all that was hidden:")?;
            out.write_all(&hidden)?;
        }
        Ok(())
    }

    /// The players by seat; `human` gives that of the seat of one who has none.
    fn players<'p>(
        &'p self,
        played: &'p Match,
        logs: &'p LogSink,
        legal: &'p Legal,
        human: impl Fn(Seat) -> Option<Box<dyn Player + 'p>>,
    ) -> Vec<Box<dyn Player + 'p>> {
        let player = |seat| {
            let player =
                played.at(seat).player(self.setting.thread, &self.fuel, logs, legal).or_else(|| human(seat))?;
            let first = played.seated.place_at[seat.index()] == 0;
            let late = if first { self.setting.late } else { 0 };
            Some(if late > 0 { Box::new(Late::new(player, late, legal)) } else { player })
        };
        Seat::all(played.lineup.len()).filter_map(player).collect()
    }
}

impl Match {
    fn at(&self, seat: Seat) -> &Actor {
        &self.lineup[usize::from(self.seated.place_at[seat.index()])]
    }
}
