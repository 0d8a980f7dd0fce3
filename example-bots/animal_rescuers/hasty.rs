//! Plays as if the round ended with its own turn: deals the unseen cards out again and again, and takes the action
//! after which it would be thanked most often. What it lacks is a look at what the others do next; compare `thankful`.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::Rng;
use bot_sdk::animal_rescuers::{Action, Bot, Card, Cards, SEATS, View, thanked};

/// So many deals of the unseen cards are tried.
const DEALS: usize = 300;

/// The bot: nothing but its dice.
pub struct Hasty(Rng);

impl Bot for Hasty {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        Hasty(Rng::new(seed))
    }

    fn turn(&mut self, view: &View) -> Action {
        let (own, seats) = (usize::from(view.seat), usize::from(view.seats));
        let mut in_play = [Cards::EMPTY; SEATS];
        for (seat, cards) in in_play.iter_mut().enumerate() {
            *cards = view.in_play(seat);
        }
        let mut unseen = [Card::ANT; 13];
        let count = unseen.iter_mut().zip(view.unseen().iter()).map(|(place, card)| *place = card).count();

        // By action's number: 0 the pass, else the card.
        let mut worth = [0; 14];
        for _ in 0..DEALS {
            self.0.shuffle(&mut unseen[..count]);
            let rule = view.rule(unseen[0]);
            let mut hands = [Cards::EMPTY; SEATS];
            let mut next = 1;
            for seat in (0..seats).filter(|&seat| seat != own) {
                let size = usize::from(view.hand_sizes[seat]);
                hands[seat] = unseen[next..next + size].iter().copied().collect();
                next += size;
            }
            for card in view.own_hand.iter().map(Some).chain([None]) {
                let mut in_play = in_play;
                hands[own] = view.own_hand;
                if let Some(card) = card {
                    hands[own] = hands[own].without(card);
                    in_play[own] = in_play[own].with(card);
                }
                let thanked = thanked(rule, &hands[..seats], &in_play[..seats]);
                let others = thanked & !(1 << own);
                // A thank for another is as bad as one for oneself is good, shared by the number of others.
                worth[Action::from(card).pack() as usize] +=
                    (seats as i32 - 1) * i32::from(thanked >> own & 1) - others.count_ones() as i32;
            }
        }
        let best = view.own_hand.iter().max_by_key(|card| worth[usize::from(card.number())]);
        best.filter(|card| worth[usize::from(card.number())] > worth[0]).into()
    }
}

bot_sdk::export!(animal_rescuers, Hasty, name: "hasty", author: "arena",
    description: "Plays as if the round ended with its own turn");
