//! Every allowed card equally likely, a pass like a card: legal, and a start. Make `lead` and `follow` better.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::Rng;
use bot_sdk::card_hunt::{Action, Bot, View};

/// What the bot remembers during a match.
pub struct MyBot {
    dice: Rng,
}

impl Bot for MyBot {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        MyBot { dice: Rng::new(seed) }
    }

    fn lead(&mut self, view: &View) -> u8 {
        let cards = view.playable();
        cards.nth(self.dice.below(cards.len()))
    }

    fn follow(&mut self, view: &View) -> Action {
        let cards = view.playable();
        match self.dice.below(cards.len() + 1) {
            0 => Action::Pass,
            index => Action::Play(cards.nth(index - 1)),
        }
    }
}

bot_sdk::export!(card_hunt, MyBot, name: "{name}", author: "{author}",
    description: "Every allowed card and the pass equally likely");
