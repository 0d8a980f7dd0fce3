//! N: an equilibrium. Nobody wins against it in the long run, whatever they know of it.
//!
//! The table comes from a linear program for every position, worked out from the last round to the first.
#![cfg_attr(target_arch = "wasm32", no_std)]

#[path = "nash_table.rs"]
mod nash_table;

use bot_sdk::Rng;
use bot_sdk::little_hunters::{Bot, View};
use nash_table::nash_choice;

/// The bot: its dice, and the guess that goes with the card just laid.
pub struct Nash {
    rng: Rng,
    guess: u8,
}

impl Bot for Nash {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        Nash { rng: Rng::new(seed), guess: 0 }
    }

    fn play(&mut self, view: &View) -> u8 {
        let roll = self.rng.next_u64() as u16;
        match nash_choice(view.own_hand.0, view.opponent_hand.0, roll) {
            Some((card, guess)) => {
                self.guess = guess;
                card
            }
            // Hands that cannot be; any card will do.
            None => view.own_hand.lowest(),
        }
    }

    fn guess(&mut self, _view: &View) -> u8 {
        // Card and guess are drawn together: the guess must fit the card.
        self.guess
    }
}

bot_sdk::export!(little_hunters, Nash, name: "nash", author: "arena",
    description: "A Nash equilibrium from a table");
