//! Always the lowest card that is allowed, and it never passes of its own accord: cheap tricks grow long.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::card_hunt::{Action, Bot, View};

/// The bot: it keeps nothing.
pub struct Miser;

impl Bot for Miser {
    fn new(_seat: u32, _seats: u32, _seed: u64) -> Self {
        Miser
    }

    fn lead(&mut self, view: &View) -> u8 {
        view.playable().lowest()
    }

    fn follow(&mut self, view: &View) -> Action {
        Action::Play(view.playable().lowest())
    }
}

bot_sdk::export!(card_hunt, Miser, name: "miser", author: "arena",
    description: "The lowest card that is allowed, never a pass");
