//! Every card in hand and the pass equally likely: what it costs not to think.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::Rng;
use bot_sdk::animal_rescuers::{Action, Bot, View};

/// The bot: nothing but its dice.
pub struct Random(Rng);

impl Bot for Random {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        Random(Rng::new(seed))
    }

    fn turn(&mut self, view: &View) -> Action {
        // One more than there are cards: the last number is the pass.
        view.own_hand.nth(self.0.below(view.own_hand.len() + 1)).into()
    }
}

bot_sdk::export!(animal_rescuers, Random, name: "random", author: "arena",
    description: "Every card and the pass equally likely");
