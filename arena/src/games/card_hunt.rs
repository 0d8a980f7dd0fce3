//! Card Hunt: in seat order each lays a higher card or is out of the trick; the last one in takes its cards.
//!
//! There is no chance in it and nothing is hidden. Since a trick only rises, it has at most 13 cards, and whoever laid
//! the highest is never asked about it: when the turn comes back, all others are out.

use std::fmt;

use bot_sdk::card_hunt::{Action, Hand, Laid, MOST_SEATS, NAME, RANKS, View, decision};
use serde::{Deserialize, Serialize};

use super::{
    BadOption, Choices, DealRng, DecisionInfo, Dynamics, Game, GameInfo, Node, Outcome, Seating, Verdict, Witness,
    words::spaced,
};
use crate::ids::{Seat, SeatSet};

/// League options of Card Hunt: there are none. Five and more seats are a matter of the league's `seats` alone.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {}

/// A state of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardHunt {
    seats: usize,
    /// Rounds that are over.
    round: usize,
    /// Who leads this trick.
    leader: Seat,
    /// Who is to decide.
    turn: Seat,
    /// Who may still play to this trick.
    in_trick: SeatSet,
    trick: [Laid; RANKS],
    /// Cards in the trick; 0 means that the leader is to decide.
    laid: usize,
    /// By seat; beyond the seats empty.
    hands: [Hand; MOST_SEATS],
    round_points: [u8; MOST_SEATS],
    match_points: [u16; MOST_SEATS],
}

/// Why a player is out of a trick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Passed {
    /// By its own choice, or by a failed decision.
    Asked,
    /// It holds no higher card and was not asked.
    NoHigherCard,
}

/// What happens in a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs, reason = "arena/docs/card-hunt.md describes every field")]
pub enum Event {
    RoundBegins { round: u8, dealer: Seat },
    Led { seat: Seat, card: u8, left: Vec<u8> },
    Followed { seat: Seat, card: u8, left: Vec<u8> },
    Passed { seat: Seat, why: Passed },
    TrickEnds { winner: Seat, cards: u8 },
    RoundEnds { captured: Vec<u8>, left: Vec<u8> },
    MatchEnds { points: Vec<u16> },
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::RoundBegins { round, dealer } => write!(f, "\nRound {}, seat {dealer} deals", round + 1),
            Event::Led { seat, card, left } => {
                let card = Rank(*card).to_string();
                write!(f, "\n  seat {seat}\tleads {card:<5}  and keeps {}", Ranks(left))
            }
            Event::Followed { seat, card, left } => {
                let card = Rank(*card).to_string();
                write!(f, "  seat {seat}\tplays {card:<5}  and keeps {}", Ranks(left))
            }
            Event::Passed { seat, why: Passed::Asked } => write!(f, "  seat {seat}\tpasses"),
            Event::Passed { seat, why: Passed::NoHigherCard } => write!(f, "  seat {seat}\thas no higher card"),
            Event::TrickEnds { winner, cards: 1 } => write!(f, "  seat {winner}\tcaptures 1 card"),
            Event::TrickEnds { winner, cards } => write!(f, "  seat {winner}\tcaptures {cards} cards"),
            Event::RoundEnds { captured, left } => {
                write!(f, "  The round ends; captured")?;
                by_seat(f, captured)?;
                let fox: u32 = left.iter().map(|&cards| u32::from(cards)).sum();
                write!(f, "; the fox gets {fox}")
            }
            Event::MatchEnds { points } => {
                write!(f, "\nPoints")?;
                by_seat(f, points)
            }
        }
    }
}

/// Writes ` seat 0 12, seat 1 14`.
fn by_seat(f: &mut fmt::Formatter<'_>, numbers: &[impl fmt::Display]) -> fmt::Result {
    for (seat, number) in numbers.iter().enumerate() {
        write!(f, "{} seat {seat} {number}", if seat == 0 { "" } else { "," })?;
    }
    Ok(())
}

/// Cards in a row, the court cards by their letters.
struct Ranks<'a>(&'a [u8]);

impl fmt::Display for Ranks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |&card: &u8| match card {
            11..=14 => ["J", "Q", "K", "A"][usize::from(card) - 11].to_owned(),
            card => card.to_string(),
        };
        f.write_str(&spaced(self.0.iter().map(letter)))
    }
}

/// A card as players call it.
struct Rank(u8);

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            11 => f.write_str("jack"),
            12 => f.write_str("queen"),
            13 => f.write_str("king"),
            14 => f.write_str("ace"),
            card => card.fmt(f),
        }
    }
}

impl CardHunt {
    /// The seat on a seat's left, which is the next in turn.
    fn left_of(&self, seat: Seat) -> Seat {
        Seat(if seat.index() + 1 == self.seats { 0 } else { seat.0 + 1 })
    }

    /// The trick's highest card, its last; 0 before the lead.
    fn highest(&self) -> u8 {
        self.trick[..self.laid].last().map_or(0, |laid| laid.card)
    }

    /// What the seat may play now.
    fn playable(&self, seat: Seat) -> Hand {
        self.hands[seat.index()].above(self.highest())
    }

    fn begin_round<W: Witness<Event>>(&mut self, witness: &mut W) {
        let dealer = Seat((self.round % self.seats) as u8);
        let round = self.round as u8;
        witness.event(|| Event::RoundBegins { round, dealer });
        self.hands[..self.seats].fill(Hand::full());
        self.round_points = [0; MOST_SEATS];
        self.begin_trick(self.left_of(dealer));
    }

    fn begin_trick(&mut self, leader: Seat) {
        self.leader = leader;
        self.turn = leader;
        self.in_trick = SeatSet::first(self.seats);
        self.trick = [Laid { seat: 0, card: 0 }; RANKS];
        self.laid = 0;
    }

    fn lay(&mut self, seat: Seat, card: u8) {
        let hand = &mut self.hands[seat.index()];
        *hand = hand.without(card);
        self.trick[self.laid] = Laid { seat: seat.0, card };
        self.laid += 1;
    }

    fn pass<W: Witness<Event>>(&mut self, seat: Seat, why: Passed, witness: &mut W) {
        self.in_trick.remove(seat);
        witness.event(|| Event::Passed { seat, why });
    }

    /// Passes the turn to the next player who can play a higher card; without one the trick is over.
    fn go_on<W: Witness<Event>>(&mut self, witness: &mut W) {
        while self.in_trick.len() > 1 {
            self.turn = self.left_of(self.turn);
            if !self.in_trick.contains(self.turn) {
                continue;
            }
            if !self.playable(self.turn).is_empty() {
                return;
            }
            self.pass(self.turn, Passed::NoHigherCard, witness);
        }
        self.end_trick(witness);
    }

    fn end_trick<W: Witness<Event>>(&mut self, witness: &mut W) {
        let (winner, cards) = (Seat(self.trick[self.laid - 1].seat), self.laid as u8);
        witness.event(|| Event::TrickEnds { winner, cards });
        self.round_points[winner.index()] += cards;
        self.match_points[winner.index()] += u16::from(cards);
        if self.hands[..self.seats].iter().any(|hand| hand.is_empty()) {
            self.end_round(witness);
        } else {
            self.begin_trick(self.left_of(winner));
        }
    }

    fn end_round<W: Witness<Event>>(&mut self, witness: &mut W) {
        witness.event(|| Event::RoundEnds {
            captured: self.round_points[..self.seats].to_vec(),
            left: self.hands[..self.seats].iter().map(|hand| hand.len() as u8).collect(),
        });
        self.round += 1;
        if self.round < self.seats {
            self.begin_round(witness);
        } else {
            witness.event(|| Event::MatchEnds { points: self.match_points[..self.seats].to_vec() });
        }
    }
}

impl Game for CardHunt {
    const INFO: GameInfo = GameInfo {
        name: NAME,
        title: "Card Hunt",
        summary: "In turn each lays a higher card or is out of the trick; the last one in takes its cards.",
        seats: (2, MOST_SEATS),
        dynamics: Dynamics::Sequential,
        chance: false,
        hidden: false,
        decisions: &[
            DecisionInfo { name: "lead", fuel_percent: 100 },
            DecisionInfo { name: "follow", fuel_percent: 100 },
        ],
        seating: Seating::EveryRotation,
        rules_version: 1,
    };
    type Options = Options;
    type View = View;
    type Action = Action;
    type Event = Event;

    fn check_options(_options: &Options, _seats: usize) -> Result<(), BadOption> {
        Ok(())
    }

    fn initial_state<W: Witness<Event>>(
        _options: &Options,
        seats: usize,
        _deal: &mut DealRng,
        witness: &mut W,
    ) -> Self {
        let mut state = CardHunt {
            seats,
            round: 0,
            leader: Seat(0),
            turn: Seat(0),
            in_trick: SeatSet::EMPTY,
            trick: [Laid { seat: 0, card: 0 }; RANKS],
            laid: 0,
            hands: [Hand::from_bits(0); MOST_SEATS],
            round_points: [0; MOST_SEATS],
            match_points: [0; MOST_SEATS],
        };
        state.begin_round(witness);
        state
    }

    fn node(&self) -> Node {
        if self.round == self.seats {
            return Node::Terminal;
        }
        let decision = if self.laid == 0 { decision::LEAD } else { decision::FOLLOW };
        Node::Act { decision: decision as u8, seats: SeatSet::one(self.turn) }
    }

    fn judge(&self, seat: Seat, answer: i64) -> Verdict<Action> {
        match Action::unpack(answer) {
            Some(Action::Pass) if self.laid > 0 => Verdict::Legal(Action::Pass),
            Some(Action::Play(card)) if self.playable(seat).contains(card) => Verdict::Legal(Action::Play(card)),
            _ => Verdict::Illegal,
        }
    }

    fn legal_answers(&self, seat: Seat, each: &mut dyn FnMut(i64)) {
        if self.laid > 0 {
            each(Action::Pass.pack());
        }
        self.playable(seat).cards().for_each(|card| each(Action::Play(card).pack()));
    }

    fn observe(&self, seat: Seat, view: &mut View) {
        view.seat = seat.0;
        view.seats = self.seats as u8;
        view.round = self.round as u8;
        view.leader = self.leader.0;
        view.in_trick = self.in_trick.iter().fold(0, |bits, seat| bits | 1 << seat.0);
        view.laid = self.laid as u8;
        view.trick = self.trick;
        view.hands = self.hands;
        view.round_points = self.round_points;
        view.match_points = self.match_points.map(Into::into);
    }

    fn apply<W: Witness<Event>>(&mut self, choices: &Choices<Action>, _deal: &mut DealRng, witness: &mut W) {
        let seat = self.turn;
        let choice = choices[seat.index()];
        if self.laid == 0 {
            // A failed lead: someone must lead, so the host plays the least.
            let card = match choice {
                Some(Action::Play(card)) => card,
                Some(Action::Pass) | None => self.hands[seat.index()].lowest(),
            };
            self.lay(seat, card);
            witness.event(|| Event::Led { seat, card, left: self.hands[seat.index()].cards().collect() });
        } else if let Some(Action::Play(card)) = choice {
            self.lay(seat, card);
            witness.event(|| Event::Followed { seat, card, left: self.hands[seat.index()].cards().collect() });
        } else {
            self.pass(seat, Passed::Asked, witness);
        }
        self.go_on(witness);
    }

    fn outcome(&self) -> Outcome {
        Outcome::by_points(&self.match_points.map(i32::from)[..self.seats])
    }

    fn describe(view: &View, asked: u8) -> String {
        let mut text = String::new();
        for (seat, hand) in view.hands[..view.seats.into()].iter().enumerate() {
            let cards: Vec<u8> = hand.cards().collect();
            let out = if view.in_trick >> seat & 1 == 1 { "" } else { " (out of the trick)" };
            let points = view.match_points[seat].get();
            let s = if points == 1 { "" } else { "s" };
            text += &format!("seat {seat}\tholds {}, has {points} point{s}{out}\n", Ranks(&cards));
        }
        match view.trick[..view.laid.into()].last() {
            Some(highest) if u32::from(asked) == decision::FOLLOW => {
                let cards: Vec<u8> = view.trick[..view.laid.into()].iter().map(|laid| laid.card).collect();
                text + &format!("The trick: {}. A card above the {}, or `pass`?", Ranks(&cards), Rank(highest.card))
            }
            _ => text + "Which card do you lead?",
        }
    }

    fn phrase(_decision: u8, answer: i64) -> String {
        match Action::unpack(answer) {
            Some(Action::Play(card)) => Rank(card).to_string(),
            _ => "pass".into(),
        }
    }
}

#[cfg(test)]
mod tests;
