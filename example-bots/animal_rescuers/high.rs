//! Always the highest card: it makes rounds short and its hand poor.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::animal_rescuers::{Action, Bot, View};

/// The bot: it keeps nothing.
pub struct High;

impl Bot for High {
    fn new(_seat: u32, _seats: u32, _seed: u64) -> Self {
        High
    }

    fn turn(&mut self, view: &View) -> Action {
        view.own_hand.highest().into()
    }
}

bot_sdk::export!(animal_rescuers, High, name: "high", author: "arena",
    description: "Always the highest card");
