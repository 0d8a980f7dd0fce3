//! Every card in hand and the pass equally likely: legal, and a start. Make `turn` better.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::Rng;
use bot_sdk::animal_rescuers::{Action, Bot, View};

/// What the bot remembers during a match.
pub struct MyBot {
    dice: Rng,
}

impl Bot for MyBot {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        MyBot { dice: Rng::new(seed) }
    }

    fn turn(&mut self, view: &View) -> Action {
        // One more than there are cards: the last number is the pass.
        view.own_hand.nth(self.dice.below(view.own_hand.len() + 1)).into()
    }
}

bot_sdk::export!(animal_rescuers, MyBot, name: "{name}", author: "{author}",
    description: "Every card and the pass equally likely");
