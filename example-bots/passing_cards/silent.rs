//! Says nothing: no challenge, no claim, and the host chooses its gifts. What a bot gains by taking part shows against it.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::passing_cards::{Bot, NOBODY, Orders, View};

/// The bot: it keeps nothing.
pub struct Silent;

impl Bot for Silent {
    fn new(_seat: u32, _seats: u32, _seed: u64) -> Self {
        Silent
    }

    fn orders(&mut self, _view: &View) -> Orders {
        Orders::NONE
    }

    fn vote(&mut self, _view: &View) -> u8 {
        // Only winners vote, and it never wins.
        NOBODY
    }
}

bot_sdk::export!(passing_cards, Silent, name: "silent", author: "arena",
    description: "No challenge, no claim, gifts left to the host");
