//! Always the lowest card: rounds are long, and the strong cards stay in hand.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::animal_rescuers::{Action, Bot, View};

/// The bot: it keeps nothing.
pub struct Low;

impl Bot for Low {
    fn new(_seat: u32, _seats: u32, _seed: u64) -> Self {
        Low
    }

    fn turn(&mut self, view: &View) -> Action {
        view.own_hand.lowest().into()
    }
}

bot_sdk::export!(animal_rescuers, Low, name: "low", author: "arena",
    description: "Always the lowest card");
