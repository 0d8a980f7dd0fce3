//! Animal Rescuers: two to four seats, hidden hands and one hidden card. In turn each plays a card or passes; at the
//! round's end the hidden animal thanks the owners of the cards that it looks for.
//!
//! Chance is in the deals alone: one shuffle a round, whatever is played.

mod chart;
#[cfg(test)]
mod tests;

use std::fmt;

use bot_sdk::animal_rescuers::{
    Action, Card, Cards, HAND, NAME, PreviousRound, Rule, SEATS, View, cards_of, decision, rule_of, thanked,
};
use serde::{Deserialize, Serialize};

use super::{
    BadOption, Choices, DealRng, DecisionInfo, Dynamics, Game, GameInfo, Node, Outcome, Seating, Verdict, Witness,
};
use crate::ids::{Seat, SeatSet};

pub use chart::{Chart, Entry, Shape, Which, Zone, animals};

/// League options of Animal Rescuers.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Whom each animal thanks.
    pub chart: Chart,
}

/// The sum in play that ends a round.
const fn limit(seats: usize) -> u8 {
    (5 * seats + 5) as u8
}

/// A state of the game. Lists by seat are as long as the most seats; beyond the match's they stay empty.
#[derive(Clone, Debug)]
pub struct AnimalRescuers {
    chart: Chart,
    /// The chart as views hold it.
    rules: [Rule; 12],
    seats: u8,
    /// The round, counted from 0; also its dealer's seat, since there are as many rounds as seats.
    round: u8,
    /// The hidden card.
    animal: Card,
    hands: [Cards; SEATS],
    /// Cards in play by number, in the order played; then 0.
    played: [[u8; HAND]; SEATS],
    sum: u8,
    passed: SeatSet,
    turn: Seat,
    thanks: [i32; SEATS],
    previous: Option<PreviousRound>,
    over: bool,
}

/// Why a seat passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassReason {
    /// It chose to.
    Choice,
    /// Its decision failed.
    Failed,
    /// It had no cards left and was not asked.
    NoCards,
}

/// By what a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The sum in play reached the limit.
    Limit,
    /// Everybody had passed.
    Passes,
}

/// What happens in a match. Cards are written by their numbers, as in views and actions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs, reason = "arena/docs/animal-rescuers.md describes every field")]
pub enum Event {
    RoundBegins { round: u8, dealer: Seat, limit: u8, animal: u8, entry: Option<Entry>, hands: Vec<Vec<u8>> },
    Played { seat: Seat, card: u8, sum: u8 },
    Passed { seat: Seat, reason: PassReason },
    RoundEnds { ending: Ending, animal: u8, entry: Option<Entry>, thanked: Vec<Seat>, thanks: Vec<i32> },
}

/// A card's name for people; a number that is no card is shown as it is.
struct Shown(u8);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Card::from_number(self.0) {
            Some(card) => card.fmt(f),
            None => self.0.fmt(f),
        }
    }
}

/// Cards with `, ` between them.
fn shown(cards: impl Iterator<Item = impl fmt::Display>) -> String {
    let cards: Vec<_> = cards.map(|card| card.to_string()).collect();
    if cards.is_empty() { "nothing".into() } else { cards.join(", ") }
}

/// Items with `, ` between them.
fn listed(f: &mut fmt::Formatter<'_>, items: impl Iterator<Item = impl fmt::Display>) -> fmt::Result {
    for (i, item) in items.enumerate() {
        write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
    }
    Ok(())
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::RoundBegins { round, dealer, limit, animal, entry, hands } => {
                write!(f, "\nRound {}: seat {dealer} deals, the limit is {limit}", round + 1)?;
                match entry {
                    Some(entry) => write!(f, "\n  hidden from all: {}, which looks for {entry}", Shown(*animal))?,
                    None => write!(f, "\n  hidden from all: {}, which thanks everybody", Shown(*animal))?,
                }
                for (seat, hand) in hands.iter().enumerate() {
                    write!(f, "\n  seat {seat}\tholds ")?;
                    listed(f, hand.iter().map(|&card| Shown(card)))?;
                }
                Ok(())
            }
            Event::Played { seat, card, sum } => {
                write!(f, "  seat {seat}\tplays {:<10}  the sum is {sum}", Shown(*card).to_string())
            }
            Event::Passed { seat, reason: PassReason::Choice } => write!(f, "  seat {seat}\tpasses"),
            Event::Passed { seat, reason: PassReason::Failed } => {
                write!(f, "  seat {seat}\tfails to answer and passes")
            }
            Event::Passed { seat, reason: PassReason::NoCards } => write!(f, "  seat {seat}\thas no cards and passes"),
            Event::RoundEnds { ending, animal, entry, thanked, thanks } => {
                match ending {
                    Ending::Limit => f.write_str("  The limit is reached; ")?,
                    Ending::Passes => f.write_str("  All have passed; ")?,
                }
                match entry {
                    Some(entry) => write!(f, "{} looks for {entry} and thanks ", Shown(*animal))?,
                    None => write!(f, "{} thanks everybody: ", Shown(*animal))?,
                }
                if thanked.is_empty() {
                    f.write_str("nobody")?;
                }
                listed(f, thanked.iter().map(|seat| format!("seat {seat}")))?;
                f.write_str("\n  Thanks so far: ")?;
                listed(f, thanks.iter().enumerate().map(|(seat, thanks)| format!("seat {seat} {thanks}")))
            }
        }
    }
}

impl AnimalRescuers {
    fn seats(&self) -> usize {
        self.seats.into()
    }

    fn after(&self, seat: Seat) -> Seat {
        Seat((seat.0 + 1) % self.seats)
    }

    /// Shuffles and deals: the first card is the animal, then each seat's hand.
    fn begin_round<W: Witness<Event>>(&mut self, deal: &mut DealRng, witness: &mut W) {
        let mut deck = [Card::ANT; 13];
        for (place, card) in deck.iter_mut().zip(Cards::ALL.iter()) {
            *place = card;
        }
        deal.shuffle(&mut deck);
        self.animal = deck[0];
        self.hands = [Cards::EMPTY; SEATS];
        let each = 12 / self.seats();
        for (hand, cards) in self.hands.iter_mut().zip(deck[1..].chunks(each)) {
            *hand = cards.iter().copied().collect();
        }
        self.played = [[0; HAND]; SEATS];
        self.sum = 0;
        self.passed = SeatSet::EMPTY;
        let dealer = Seat(self.round);
        self.turn = self.after(dealer);
        witness.event(|| {
            let numbers = |hand: &Cards| hand.iter().map(Card::number).collect();
            Event::RoundBegins {
                round: self.round,
                dealer,
                limit: limit(self.seats()),
                animal: self.animal.number(),
                entry: self.chart.entry(self.animal),
                hands: self.hands[..self.seats()].iter().map(numbers).collect(),
            }
        });
    }

    /// Lays a card; says whether that ends the round.
    fn play<W: Witness<Event>>(&mut self, seat: Seat, card: Card, witness: &mut W) -> Option<Ending> {
        let hand = &mut self.hands[seat.index()];
        *hand = hand.without(card);
        // A hand is never larger than the list, so a place is always free.
        if let Some(place) = self.played[seat.index()].iter_mut().find(|place| **place == 0) {
            *place = card.number();
        }
        self.sum += card.rank();
        witness.event(|| Event::Played { seat, card: card.number(), sum: self.sum });
        (self.sum >= limit(self.seats())).then_some(Ending::Limit)
    }

    /// Passes; says whether that ends the round.
    fn pass<W: Witness<Event>>(&mut self, seat: Seat, reason: PassReason, witness: &mut W) -> Option<Ending> {
        self.passed.insert(seat);
        witness.event(|| Event::Passed { seat, reason });
        (self.passed.len() == self.seats()).then_some(Ending::Passes)
    }

    /// Gives the turn to the next seat that has cards; those before it pass. Says whether that ends the round.
    fn next_turn<W: Witness<Event>>(&mut self, witness: &mut W) -> Option<Ending> {
        loop {
            self.turn = self.after(self.turn);
            if !self.hands[self.turn.index()].is_empty() {
                return None;
            }
            // Ends, since every seat that is without cards passes at its first turn here.
            let ending = self.pass(self.turn, PassReason::NoCards, witness);
            if ending.is_some() {
                return ending;
            }
        }
    }

    fn in_play(&self) -> [Cards; SEATS] {
        self.played.map(|played| cards_of(&played))
    }

    /// The animal is revealed and thanks; then the next round, if there is one.
    fn end_round<W: Witness<Event>>(&mut self, ending: Ending, deal: &mut DealRng, witness: &mut W) {
        let rule = rule_of(&self.rules, self.animal);
        let seats = thanked(rule, &self.hands[..self.seats()], &self.in_play()[..self.seats()]);
        let mut previous =
            PreviousRound { animal: self.animal.number(), hands: self.hands, played: self.played, thanked: [0; SEATS] };
        for seat in 0..self.seats() {
            previous.thanked[seat] = seats >> seat & 1;
            self.thanks[seat] += i32::from(previous.thanked[seat]);
        }
        witness.event(|| Event::RoundEnds {
            ending,
            animal: self.animal.number(),
            entry: self.chart.entry(self.animal),
            thanked: Seat::all(self.seats()).filter(|seat| seats >> seat.0 & 1 == 1).collect(),
            thanks: self.thanks[..self.seats()].to_vec(),
        });
        self.previous = Some(previous);
        self.round += 1;
        if self.round < self.seats {
            self.begin_round(deal, witness);
        } else {
            self.over = true;
        }
    }
}

impl Game for AnimalRescuers {
    const INFO: GameInfo = GameInfo {
        name: NAME,
        title: "Animal Rescuers",
        summary: "Play a card or pass; the hidden animal thanks the owner of the card that it looks for.",
        seats: (2, SEATS),
        dynamics: Dynamics::Sequential,
        chance: true,
        hidden: true,
        decisions: &[DecisionInfo { name: "turn", fuel_percent: 100 }],
        seating: Seating::EveryRotation,
        rules_version: 1,
    };
    type Options = Options;
    type View = View;
    type Action = Action;
    type Event = Event;

    fn check_options(options: &Options, _seats: usize) -> Result<(), BadOption> {
        options.chart.check().map_err(|reason| BadOption::new("chart", reason))
    }

    fn initial_state<W: Witness<Event>>(options: &Options, seats: usize, deal: &mut DealRng, witness: &mut W) -> Self {
        let mut state = AnimalRescuers {
            chart: options.chart,
            rules: options.chart.rules(),
            seats: seats as u8,
            round: 0,
            animal: Card::ANT,
            hands: [Cards::EMPTY; SEATS],
            played: [[0; HAND]; SEATS],
            sum: 0,
            passed: SeatSet::EMPTY,
            turn: Seat(0),
            thanks: [0; SEATS],
            previous: None,
            over: false,
        };
        state.begin_round(deal, witness);
        state
    }

    fn node(&self) -> Node {
        if self.over {
            Node::Terminal
        } else {
            Node::Act { decision: decision::TURN as u8, seats: SeatSet::one(self.turn) }
        }
    }

    fn judge(&self, seat: Seat, answer: i64) -> Verdict<Action> {
        match Action::unpack(answer) {
            Some(Action::Play(card)) if !self.hands[seat.index()].contains(card) => Verdict::Illegal,
            Some(action) => Verdict::Legal(action),
            None => Verdict::Illegal,
        }
    }

    fn legal_answers(&self, seat: Seat, each: &mut dyn FnMut(i64)) {
        each(Action::Pass.pack());
        self.hands[seat.index()].iter().for_each(|card| each(Action::Play(card).pack()));
    }

    fn observe(&self, seat: Seat, view: &mut View) {
        view.seat = seat.0;
        view.seats = self.seats;
        view.round = self.round;
        view.dealer = self.round;
        view.own_hand = self.hands[seat.index()];
        view.hand_sizes = self.hands.map(|hand| hand.len() as u8);
        view.played = self.played;
        view.sum = self.sum;
        view.limit = limit(self.seats());
        view.chart = self.rules;
        for seat in Seat::all(self.seats()) {
            view.passed[seat.index()] = self.passed.contains(seat).into();
            view.thanks[seat.index()] = self.thanks[seat.index()] as u8;
        }
        if let Some(previous) = self.previous {
            view.previous = previous;
        }
    }

    fn apply<W: Witness<Event>>(&mut self, choices: &Choices<Action>, deal: &mut DealRng, witness: &mut W) {
        let seat = self.turn;
        let ending = match choices[seat.index()] {
            Some(Action::Play(card)) => self.play(seat, card, witness),
            Some(Action::Pass) => self.pass(seat, PassReason::Choice, witness),
            None => self.pass(seat, PassReason::Failed, witness),
        };
        if let Some(ending) = ending.or_else(|| self.next_turn(witness)) {
            self.end_round(ending, deal, witness);
        }
    }

    fn outcome(&self) -> Outcome {
        Outcome::by_points(&self.thanks[..self.seats()])
    }

    fn describe(view: &View, _asked: u8) -> String {
        let mut text = String::new();
        for seat in (0..usize::from(view.seats)).filter(|&seat| seat != usize::from(view.seat)) {
            let in_play = shown(view.played[seat].iter().filter(|&&card| card > 0).map(|&card| Shown(card)));
            let passed = if view.passed[seat] == 1 { ", has passed" } else { "" };
            text +=
                &format!("seat {seat}\thas {} cards in hand and in play {in_play}{passed}\n", view.hand_sizes[seat]);
        }
        let own = usize::from(view.seat);
        let chart = Chart::of_rules(&view.chart);
        let looks = |card: Card| chart.entry(card).map_or("everybody".into(), |entry| entry.to_string());
        let unseen = view.unseen();
        text += &format!("The hidden animal is one of these {}, and looks for\n", unseen.len());
        for card in unseen.iter() {
            text += &format!("  {:<10}  {}\n", card.to_string(), looks(card));
        }
        text += &format!("You have in play {}\n", shown(view.in_play(own).iter()));
        text +=
            &format!("You hold {}; the sum is {}, the limit {}. ", shown(view.own_hand.iter()), view.sum, view.limit);
        text + "Which card do you play, or `pass`?"
    }

    fn phrase(_decision: u8, answer: i64) -> String {
        match Action::unpack(answer) {
            Some(Action::Play(card)) => card.to_string(),
            _ => "pass".into(),
        }
    }

    fn heard(event: &Event, _seat: Seat) -> Option<String> {
        match event {
            Event::RoundBegins { round, dealer, limit, .. } => {
                Some(format!("\nRound {}: seat {dealer} deals, the limit is {limit}", round + 1))
            }
            _ => Some(event.to_string()),
        }
    }
}
