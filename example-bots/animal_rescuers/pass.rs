//! Always passes: all its cards stay in hand, where half of the animals look for theirs.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::animal_rescuers::{Action, Bot, View};

/// The bot: it keeps nothing.
pub struct Pass;

impl Bot for Pass {
    fn new(_seat: u32, _seats: u32, _seed: u64) -> Self {
        Pass
    }

    fn turn(&mut self, _view: &View) -> Action {
        Action::Pass
    }
}

bot_sdk::export!(animal_rescuers, Pass, name: "pass", author: "arena",
    description: "Always passes");
