//! Everything at random: a challenge to option 1, option 2 or nobody, any card to any partner, and from round 11 on a
//! claim with any two others.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::Rng;
use bot_sdk::passing_cards::{Bot, NOBODY, Orders, View};

/// The bot: nothing but its dice.
pub struct Random(Rng);

impl Bot for Random {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        Random(Rng::new(seed))
    }

    fn orders(&mut self, view: &View) -> Orders {
        let mut orders = Orders::NONE;
        let mut cards = view.own_cards;
        self.0.shuffle(&mut cards);
        for (partner, card) in view.partners().zip(cards) {
            orders.give(partner, card);
        }
        let [first, second] = view.options;
        orders.challenge = [first, second, NOBODY][self.0.below(3) as usize];
        if view.round >= 11 {
            // Two of the nine others: those from the own seat on are one further.
            let a = self.0.below(9) as u8;
            let b = (a + 1 + self.0.below(8) as u8) % 9;
            orders.claim = [a, b].map(|other| if other < view.own_seat { other } else { other + 1 });
        }
        orders
    }

    fn vote(&mut self, view: &View) -> u8 {
        let count = view.candidates().count() as u32;
        view.candidates().nth(self.0.below(count) as usize).unwrap_or(NOBODY)
    }
}

bot_sdk::export!(passing_cards, Random, name: "random", author: "arena",
    description: "Random challenges and gifts, and random claims from round 11 on");
