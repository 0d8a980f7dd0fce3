//! Random challenges, gifts, and from round 11 on claims: legal, and a start. Make `orders` and `vote` better.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::Rng;
use bot_sdk::passing_cards::{Bot, NOBODY, Orders, View};

/// What the bot remembers during a match.
pub struct MyBot {
    dice: Rng,
}

impl Bot for MyBot {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        MyBot { dice: Rng::new(seed) }
    }

    fn orders(&mut self, view: &View) -> Orders {
        let mut orders = Orders::NONE;
        let mut cards = view.own_cards;
        self.dice.shuffle(&mut cards);
        for (partner, card) in view.partners().zip(cards) {
            orders.give(partner, card);
        }
        let [first, second] = view.options;
        orders.challenge = [first, second, NOBODY][self.dice.below(3) as usize];
        if view.round >= 11 {
            // Two of the nine others: those from the own seat on are one further.
            let a = self.dice.below(9) as u8;
            let b = (a + 1 + self.dice.below(8) as u8) % 9;
            orders.claim = [a, b].map(|other| if other < view.own_seat { other } else { other + 1 });
        }
        orders
    }

    fn vote(&mut self, view: &View) -> u8 {
        let count = view.candidates().count() as u32;
        view.candidates().nth(self.dice.below(count) as usize).unwrap_or(NOBODY)
    }
}

bot_sdk::export!(passing_cards, MyBot, name: "{name}", author: "{author}",
    description: "Random challenges and gifts, and random claims from round 11 on");
