//! S: every card equally likely, and it never guesses: what a guess is worth shows against it.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::Rng;
use bot_sdk::little_hunters::{Bot, View};

/// The bot: nothing but its dice.
pub struct Silent(Rng);

impl Bot for Silent {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        Silent(Rng::new(seed))
    }

    fn play(&mut self, view: &View) -> u8 {
        view.own_hand.nth(self.0.below(view.own_hand.len()))
    }

    fn guess(&mut self, _view: &View) -> u8 {
        0
    }
}

bot_sdk::export!(little_hunters, Silent, name: "silent", author: "arena",
    description: "Every card equally likely, never a guess");
