//! Every allowed card equally likely, a pass like a card.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::Rng;
use bot_sdk::card_hunt::{Action, Bot, View};

/// The bot: nothing but its dice.
pub struct Random(Rng);

impl Bot for Random {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        Random(Rng::new(seed))
    }

    fn lead(&mut self, view: &View) -> u8 {
        let cards = view.playable();
        cards.nth(self.0.below(cards.len()))
    }

    fn follow(&mut self, view: &View) -> Action {
        let cards = view.playable();
        match self.0.below(cards.len() + 1) {
            0 => Action::Pass,
            index => Action::Play(cards.nth(index - 1)),
        }
    }
}

bot_sdk::export!(card_hunt, Random, name: "random", author: "arena",
    description: "Every allowed card and the pass equally likely");
