//! Leads the lowest card, since it must, and passes else: what taking part is worth shows against it.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::card_hunt::{Action, Bot, View};

/// The bot: it keeps nothing.
pub struct Passer;

impl Bot for Passer {
    fn new(_seat: u32, _seats: u32, _seed: u64) -> Self {
        Passer
    }

    fn lead(&mut self, view: &View) -> u8 {
        view.playable().lowest()
    }

    fn follow(&mut self, _view: &View) -> Action {
        Action::Pass
    }
}

bot_sdk::export!(card_hunt, Passer, name: "passer", author: "arena",
    description: "Leads the lowest card and always passes");
