//! Weighs every animal that can still be hidden: for each it deals the other unseen cards out again and again, tries
//! each of its actions in each of these deals, plays the round to its end with dice, and takes the action that earned it
//! the most thanks beyond what the others got.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::Rng;
use bot_sdk::animal_rescuers::{Action, Bot, Card, Cards, Rule, SEATS, View, thanked};

/// About so many deals of the unseen cards are tried, equally many for each animal. A decision takes less than half of
/// a league's usual fuel.
const DEALS: u32 = 400;

/// The bot: nothing but its dice.
pub struct Thankful(Rng);

/// A round as it might stand.
#[derive(Clone)]
struct Round {
    seats: usize,
    limit: u8,
    hands: [Cards; SEATS],
    in_play: [Cards; SEATS],
    sum: u8,
    /// Bit s: seat s has passed.
    passed: u8,
    turn: usize,
}

impl Round {
    /// The round as the view shows it, without the others' cards.
    fn seen(view: &View) -> Round {
        let mut round = Round {
            seats: view.seats.into(),
            limit: view.limit,
            hands: [Cards::EMPTY; SEATS],
            in_play: [Cards::EMPTY; SEATS],
            sum: view.sum,
            passed: 0,
            turn: view.seat.into(),
        };
        round.hands[round.turn] = view.own_hand;
        for seat in 0..SEATS {
            round.in_play[seat] = view.in_play(seat);
            round.passed |= view.passed[seat] << seat;
        }
        round
    }

    /// Deals the cards that are neither seen nor the animal to the other hands.
    fn deal(&mut self, cards: Cards, view: &View, rng: &mut Rng) {
        let mut deck = [Card::ANT; 12];
        deck.iter_mut().zip(cards.iter()).for_each(|(place, card)| *place = card);
        let mut deck = &mut deck[..cards.len() as usize];
        rng.shuffle(deck);
        for seat in (0..self.seats).filter(|&seat| seat != usize::from(view.seat)) {
            let (hand, rest) = deck.split_at_mut(view.hand_sizes[seat].into());
            self.hands[seat] = hand.iter().copied().collect();
            deck = rest;
        }
    }

    /// One turn; says whether the round goes on.
    fn act(&mut self, card: Option<Card>) -> bool {
        match card {
            Some(card) => {
                self.hands[self.turn] = self.hands[self.turn].without(card);
                self.in_play[self.turn] = self.in_play[self.turn].with(card);
                self.sum += card.rank();
            }
            None => self.passed |= 1 << self.turn,
        }
        self.turn = if self.turn + 1 == self.seats { 0 } else { self.turn + 1 };
        self.sum < self.limit && self.passed.count_ones() < self.seats as u32
    }

    /// Plays on with dice after an action, and says by how much `own` is thanked more than the others.
    fn play_on(mut self, own: usize, action: Option<Card>, rule: Option<Rule>, rng: &mut Rng) -> i32 {
        let mut goes_on = self.act(action);
        while goes_on {
            let hand = self.hands[self.turn];
            // Without cards the only number is the pass.
            goes_on = self.act(hand.nth(rng.below(hand.len() + 1)));
        }
        let thanked = thanked(rule, &self.hands[..self.seats], &self.in_play[..self.seats]);
        let others = (thanked & !(1 << own)).count_ones() as i32;
        (self.seats as i32 - 1) * i32::from(thanked >> own & 1) - others
    }
}

impl Bot for Thankful {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        Thankful(Rng::new(seed))
    }

    fn turn(&mut self, view: &View) -> Action {
        let rng = &mut self.0;
        let seen = Round::seen(view);
        let own = seen.turn;
        let unseen = view.unseen();
        // By action's number: 0 the pass, else the card.
        let mut worth = [0; 14];
        for animal in unseen.iter() {
            let rule = view.rule(animal);
            for _ in 0..DEALS / unseen.len() {
                let mut round = seen.clone();
                round.deal(unseen.without(animal), view, rng);
                for card in view.own_hand.iter().map(Some).chain([None]) {
                    worth[Action::from(card).pack() as usize] += round.clone().play_on(own, card, rule, rng);
                }
            }
        }
        let best = view.own_hand.iter().max_by_key(|card| worth[usize::from(card.number())]);
        best.filter(|card| worth[usize::from(card.number())] > worth[0]).into()
    }
}

bot_sdk::export!(animal_rescuers, Thankful, name: "thankful", author: "arena",
    description: "Plays every action out over all animals that can still be hidden");
