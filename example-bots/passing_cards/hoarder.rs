//! Hoards its garnets: it never claims, so it never loses one, and it keeps from being eliminated. It trades as often as
//! it can, against having the fewest trades, and spreads the cards with its own name, so that no claim of
//! others misses it.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::passing_cards::{Bot, NOBODY, Orders, SEATS, View};

/// The bot: to whom it gave a card with its own name, and when.
pub struct Hoarder {
    own: u8,
    given: [u8; SEATS],
}

impl Hoarder {
    /// Prefers those who did not get a card with the own name, or long ago.
    fn when(&self, player: u8) -> u8 {
        self.given[usize::from(player)]
    }
}

impl Bot for Hoarder {
    fn new(seat: u32, _seats: u32, _seed: u64) -> Self {
        Hoarder { own: seat as u8, given: [0; SEATS] }
    }

    fn orders(&mut self, view: &View) -> Orders {
        let mut orders = Orders::NONE;
        let [first, second] = view.options;
        orders.challenge = if self.when(second) < self.when(first) { second } else { first };

        let mut own_cards = view.own_cards.iter().filter(|&&card| card == self.own).count();
        let mut others = view.own_cards.into_iter().filter(|&card| card != self.own);
        while own_cards > 0 {
            // The next own card goes to the partner that had one least lately.
            let next = view.partners().filter(|&partner| orders.gifts[usize::from(partner)] == NOBODY);
            let Some(partner) = next.min_by_key(|&partner| self.when(partner)) else { break };
            orders.give(partner, self.own);
            self.given[usize::from(partner)] = view.round;
            own_cards -= 1;
        }
        for partner in view.partners() {
            if orders.gifts[usize::from(partner)] == NOBODY {
                orders.give(partner, others.next().unwrap_or(NOBODY));
            }
        }
        orders
    }

    fn vote(&mut self, _view: &View) -> u8 {
        // Only winners vote, and it never wins.
        NOBODY
    }
}

bot_sdk::export!(passing_cards, Hoarder, name: "hoarder", author: "arena",
    description: "Never risks a garnet, trades a lot and spreads its name");
