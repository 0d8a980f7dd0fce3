//! Collects three different names: it gives away what it holds twice, challenges while its hand needs a better
//! card, and claims late with two whose cards it does not share.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::Rng;
use bot_sdk::passing_cards::{Bot, NOBODY, Orders, SEATS, View};

/// From this round on a claim is more often true than not, if the own three cards differ. With a card held twice it waits
/// for the round after.
const CLAIMS_FROM: u8 = 12;

/// The bot: its dice, and whom it gave which card last.
pub struct Collector {
    rng: Rng,
    given: [u8; SEATS],
}

/// How often a card is in a hand.
fn count(cards: &[u8], card: u8) -> usize {
    cards.iter().filter(|&&other| other == card).count()
}

impl Bot for Collector {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        Collector { rng: Rng::new(seed), given: [NOBODY; SEATS] }
    }

    fn orders(&mut self, view: &View) -> Orders {
        let mut orders = Orders::NONE;
        let twice = view.own_cards.iter().any(|&card| count(&view.own_cards, card) > 1);
        if view.round >= CLAIMS_FROM + u8::from(twice) {
            // Others at random, but first those who hold a card from here that is no longer held here.
            let mut others: [u8; SEATS] = core::array::from_fn(|seat| seat as u8);
            self.rng.shuffle(&mut others);
            others.sort_unstable_by_key(|&other| {
                let card = self.given[usize::from(other)];
                match other == view.own_seat {
                    true => 3,
                    false if card == NOBODY => 1,
                    false => 2 * u8::from(view.own_cards.contains(&card)),
                }
            });
            orders.claim = [others[0], others[1]];
        }

        // The hand shrinks as cards are given: twice held first, then the others' names, the own one last.
        let mut hand = view.own_cards;
        let mut left = hand.len();
        for partner in view.partners() {
            let worth = |&place: &usize| {
                let twice = count(&hand[..left], hand[place]) > 1;
                (!twice, hand[place] == view.own_seat)
            };
            let Some(place) = (0..left).min_by_key(worth) else { break };
            orders.give(partner, hand[place]);
            self.given[usize::from(partner)] = hand[place];
            left -= 1;
            hand.swap(place, left);
        }

        // An option whose name is not in hand may still hold it.
        let [first, second] = view.options;
        if twice || view.round < 4 {
            orders.challenge = if view.own_cards.contains(&first) { second } else { first };
        }
        orders
    }

    fn vote(&mut self, view: &View) -> u8 {
        // A rival that has won too loses most by it.
        let rival = |&candidate: &u8| (candidate != view.own_seat, view.claims[usize::from(candidate)][0] != NOBODY);
        view.candidates().max_by_key(rival).unwrap_or(NOBODY)
    }
}

bot_sdk::export!(passing_cards, Collector, name: "collector", author: "arena",
    description: "Collects three different names and claims late");
