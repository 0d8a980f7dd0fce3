//! Every card in hand and every possible guess equally likely: legal, and a start. Make `play` and `guess` better.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::Rng;
use bot_sdk::little_hunters::{Bot, View};

/// What the bot remembers during a match.
pub struct MyBot {
    dice: Rng,
}

impl Bot for MyBot {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        MyBot { dice: Rng::new(seed) }
    }

    fn play(&mut self, view: &View) -> u8 {
        view.own_hand.nth(self.dice.below(view.own_hand.len()))
    }

    fn guess(&mut self, view: &View) -> u8 {
        // The own card was the lower one.
        let possible = view.opponent_hand.above(view.own_card);
        possible.nth(self.dice.below(possible.len()))
    }
}

bot_sdk::export!(little_hunters, MyBot, name: "{name}", author: "{author}",
    description: "Every card and every possible guess equally likely");
