//! Always the highest card: it wins many small tricks early and has nothing left for the large ones.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::card_hunt::{Action, Bot, View};

/// The bot: it keeps nothing.
pub struct Spender;

impl Bot for Spender {
    fn new(_seat: u32, _seats: u32, _seed: u64) -> Self {
        Spender
    }

    fn lead(&mut self, view: &View) -> u8 {
        view.playable().highest()
    }

    fn follow(&mut self, view: &View) -> Action {
        Action::Play(view.playable().highest())
    }
}

bot_sdk::export!(card_hunt, Spender, name: "spender", author: "arena",
    description: "Always the highest card");
