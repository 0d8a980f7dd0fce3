//! Plays at random and never claims: what a claim is worth shows against it.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::Rng;
use bot_sdk::passing_cards::{Bot, NOBODY, Orders, View};

/// The bot: nothing but its dice.
pub struct Silent(Rng);

impl Bot for Silent {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        Silent(Rng::new(seed))
    }

    fn orders(&mut self, view: &View) -> Orders {
        // Gifts that are not named are drawn by the host.
        let [first, second] = view.options;
        Orders { challenge: [first, second, NOBODY][self.0.below(3) as usize], ..Orders::NONE }
    }

    fn vote(&mut self, _view: &View) -> u8 {
        // Only winners vote, and it never wins.
        NOBODY
    }
}

bot_sdk::export!(passing_cards, Silent, name: "silent", author: "arena",
    description: "Random challenges, gifts left to the host, never a claim");
