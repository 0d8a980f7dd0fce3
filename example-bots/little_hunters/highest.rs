//! H: always the highest card, and the highest possible guess.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::little_hunters::{Bot, View};

/// The bot: it keeps nothing.
pub struct Highest;

impl Bot for Highest {
    fn new(_seat: u32, _seats: u32, _seed: u64) -> Self {
        Highest
    }

    fn play(&mut self, view: &View) -> u8 {
        view.own_hand.highest()
    }

    fn guess(&mut self, view: &View) -> u8 {
        view.opponent_hand.highest()
    }
}

bot_sdk::export!(little_hunters, Highest, name: "highest", author: "arena",
    description: "Always the highest card and the highest guess");
