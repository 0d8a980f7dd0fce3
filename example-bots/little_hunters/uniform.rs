//! U: every card in hand equally likely, every possible guess equally likely. Nothing can be read from it.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::Rng;
use bot_sdk::little_hunters::{Bot, View};

/// The bot: nothing but its dice.
pub struct Uniform(Rng);

impl Bot for Uniform {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        Uniform(Rng::new(seed))
    }

    fn play(&mut self, view: &View) -> u8 {
        view.own_hand.nth(self.0.below(view.own_hand.len()))
    }

    fn guess(&mut self, view: &View) -> u8 {
        // The own card was the lower one.
        let possible = view.opponent_hand.above(view.own_card);
        possible.nth(self.0.below(possible.len()))
    }
}

bot_sdk::export!(little_hunters, Uniform, name: "uniform", author: "arena",
    description: "Every card and every possible guess equally likely");
