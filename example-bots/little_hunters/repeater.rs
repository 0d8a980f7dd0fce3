//! Win-stay, lose-shift: repeats the cards and guesses of the last bout it won, and rolls new ones after a loss.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::Rng;
use bot_sdk::little_hunters::{Bot, View, result};

/// The bot: the order of cards it is playing, by round, and a guess for each round.
pub struct Repeater {
    rng: Rng,
    cards: [u8; 5],
    guesses: [u8; 3],
}

impl Repeater {
    fn roll(&mut self) {
        self.rng.shuffle(&mut self.cards);
        let rng = &mut self.rng;
        self.guesses = self.guesses.map(|_| 1 + rng.below(5) as u8);
    }
}

impl Bot for Repeater {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        let mut bot = Repeater { rng: Rng::new(seed), cards: [1, 2, 3, 4, 5], guesses: [5; 3] };
        bot.roll();
        bot
    }

    fn play(&mut self, view: &View) -> u8 {
        if view.round == 0 && view.previous_result != result::WON {
            self.roll();
        }
        self.cards[usize::from(view.round)]
    }

    fn guess(&mut self, view: &View) -> u8 {
        let wanted = self.guesses[usize::from(view.round)];
        let possible = view.opponent_hand.above(view.own_card);
        if possible.contains(wanted) { wanted } else { possible.highest() }
    }
}

bot_sdk::export!(little_hunters, Repeater, name: "repeater", author: "arena",
    description: "Repeats what last won, else something new");
