//! An account of a match: everything that happened, as lines for people or for programs.
//!
//! From the lines an outsider can derive the result again: every decision with what the seat knew and answered,
//! every event of the game, the result. `arena/docs/events.md` is their schema.

use std::cell::RefCell;

use bot_sdk::Plain;
use bot_sdk::plain::Layout;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Player;
use super::driver::{MatchRecord, Observer};
use super::random::Legal;
use super::wasm::Wasm;
use crate::failure::CallError;
use crate::games::{Game, Witness};
use crate::ids::{Answer, Fault, Seat};

/// The version of the schema of [`Line`]s as JSON.
pub const SCHEMA: u32 = 1;

/// A line of an account.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Line<'a> {
    /// The first line: what is played.
    Match {
        /// See [`SCHEMA`].
        schema: u32,
        /// The game's name.
        game: &'a str,
        /// The version of its rules.
        rules: u32,
        /// Its options, complete.
        options: &'a Value,
        /// The league's seed.
        seed: u64,
        /// The deal's number.
        deal: u64,
        /// The seating's number; none where the seats were given otherwise than the deal has them.
        seating: Option<usize>,
        /// The match's number in its league, from 1, if it is one of a league's results.
        #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
        number: Option<u64>,
        /// Who sits where, by seat.
        bots: &'a [Sitting],
    },
    /// A bot's own words, logged while it decided.
    Log {
        /// Its seat.
        seat: Seat,
        /// What it said, escaped.
        text: &'a str,
    },
    /// A decision, as it was asked and answered.
    Decision {
        /// Who was asked.
        seat: Seat,
        /// The decision's name.
        decision: &'a str,
        /// What the seat knew.
        view: Value,
        /// The answer, packed as the game's page says; none after a fault other than `illegal`.
        action: Option<i64>,
        /// The fuel it took.
        fuel: Option<u64>,
        /// How it failed, if it did.
        fault: Option<Fault>,
    },
    /// An event of the game.
    Event {
        /// The event, its kind under `event`.
        #[serde(flatten)]
        event: Value,
        /// The event for people.
        #[serde(skip)]
        text: String,
    },
    /// The last line.
    Result {
        /// Game points by seat.
        points: &'a [i32],
        /// Placements by seat, 1 for the best; equal ones share it.
        placements: &'a [u8],
        /// Failed decisions by seat and kind, in the order illegal, timeout, crash, protocol, retired.
        faults: Vec<[u32; 5]>,
    },
}

/// A bot at the table.
#[derive(Debug, Clone, Serialize)]
pub struct Sitting {
    /// Its seat.
    pub seat: Seat,
    /// Its name.
    pub name: String,
    /// The SHA-256 of its file; none where there is no file.
    pub sha256: Option<String>,
    /// Its seed in this match.
    pub seed: u64,
}

/// Texts logged by bots, until the account takes them.
pub type LogSink = RefCell<Vec<(Seat, String)>>;

/// A WebAssembly player whose log goes to a sink.
pub struct Logged<'m> {
    player: Wasm<'m>,
    seat: Seat,
    sink: &'m LogSink,
}

impl<'m> Logged<'m> {
    /// Wraps a player made by [`Wasm::with_log`].
    pub fn new(player: Wasm<'m>, sink: &'m LogSink) -> Logged<'m> {
        Logged { player, seat: Seat(0), sink }
    }

    fn pour(&mut self) {
        let lines = self.player.take_log();
        self.sink.borrow_mut().extend(lines.into_iter().map(|line| (self.seat, line)));
    }
}

impl Player for Logged<'_> {
    fn start(&mut self, seat: Seat, seats: usize, seed: u64) -> Result<(), CallError> {
        self.seat = seat;
        let started = self.player.start(seat, seats, seed);
        self.pour();
        started
    }

    fn decide(&mut self, decision: u8, view: &[u8]) -> Result<Answer, CallError> {
        let answer = self.player.decide(decision, view);
        self.pour();
        answer
    }
}

/// Turns what a match tells into lines.
pub struct Account<'a> {
    logs: Option<&'a LogSink>,
    legal: Option<&'a Legal>,
    tell: &'a mut dyn FnMut(&Line<'_>),
}

impl<'a> Account<'a> {
    /// An account that hands each line to `tell`, with the bots' logs in place.
    pub fn new(logs: Option<&'a LogSink>, tell: &'a mut dyn FnMut(&Line<'_>)) -> Account<'a> {
        Account { logs, legal: None, tell }
    }

    /// Looks up what is legal for those players that are to know it.
    pub fn with_legal(self, legal: &'a Legal) -> Account<'a> {
        Account { legal: Some(legal), ..self }
    }

    /// The last line.
    pub fn result(&mut self, record: &MatchRecord) {
        let seats = record.outcome.seats;
        (self.tell)(&Line::Result {
            points: record.outcome.points(),
            placements: record.outcome.placements(),
            faults: record.seats[..seats].iter().map(|seat| seat.faults).collect(),
        });
    }
}

impl<E: Serialize + std::fmt::Display> Witness<E> for Account<'_> {
    fn event(&mut self, event: impl FnOnce() -> E) {
        let event = event();
        let text = event.to_string();
        let event = serde_json::to_value(event).expect("events are plain data");
        (self.tell)(&Line::Event { event, text });
    }
}

impl<G: Game> Observer<G> for Account<'_> {
    fn asks(&mut self, seat: Seat, _: u8, state: &G) {
        if let Some(legal) = self.legal {
            legal.look(seat, state);
        }
    }

    fn decision(&mut self, seat: Seat, decision: u8, view: &G::View, answer: Option<Answer>, fault: Option<Fault>) {
        if let Some(logs) = self.logs {
            for (seat, text) in logs.borrow_mut().drain(..) {
                (self.tell)(&Line::Log { seat, text: &text });
            }
        }
        (self.tell)(&Line::Decision {
            seat,
            decision: G::INFO.decisions[usize::from(decision)].name,
            view: view_json(view),
            action: answer.map(|answer| answer.action),
            fuel: answer.map(|answer| answer.fuel),
            fault,
        });
    }
}

/// A view as JSON, field by field.
pub fn view_json<V: Plain>(view: &V) -> Value {
    to_json(V::LAYOUT, view.as_bytes())
}

fn to_json(layout: &Layout, bytes: &[u8]) -> Value {
    match layout {
        Layout::U8 => bytes[0].into(),
        Layout::U16 => u16::from_le_bytes([bytes[0], bytes[1]]).into(),
        Layout::List(element, count) => {
            let size = element.size();
            (0..*count).map(|i| to_json(element, &bytes[i * size..(i + 1) * size])).collect()
        }
        Layout::Record(_, fields) => {
            let mut at = 0;
            let mut record = Map::new();
            for field in *fields {
                let size = field.layout.size();
                record.insert(field.name.into(), to_json(field.layout, &bytes[at..at + size]));
                at += size;
            }
            Value::Object(record)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bot_sdk::little_hunters::{Hand, View};

    #[test]
    fn a_view_is_told_field_by_field() {
        let mut view = View::zeroed();
        view.own_hand = Hand::FULL;
        view.rounds[1].guess = 4;
        let json = view_json(&view);
        assert_eq!(json["own_hand"], 31);
        assert_eq!(json["rounds"][1]["guess"], 4);
        assert_eq!(json["previous_ending"], 0);
    }
}
