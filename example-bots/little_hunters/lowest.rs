//! L: always the lowest card, so it guesses often, and the highest possible guess.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::little_hunters::{Bot, View};

/// The bot: it keeps nothing.
pub struct Lowest;

impl Bot for Lowest {
    fn new(_seat: u32, _seats: u32, _seed: u64) -> Self {
        Lowest
    }

    fn play(&mut self, view: &View) -> u8 {
        view.own_hand.lowest()
    }

    fn guess(&mut self, view: &View) -> u8 {
        view.opponent_hand.highest()
    }
}

bot_sdk::export!(little_hunters, Lowest, name: "lowest", author: "arena",
    description: "Always the lowest card and the highest guess");
