//! Counts cards: since every hand is known, it knows what the others can still lay.
//!
//! A cheap trick is a ladder: each player in turn lays its lowest card that still beats the trick. It is worth climbing while
//! the next step is one's own, and whoever lays a card that the others answer for good has only fed them. So the counter
//! follows the ladder once around the table, and where it could not go on from there it passes and saves its card.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::card_hunt::{Action, Bot, View};

/// The bot: it keeps nothing, all it counts is in the view.
pub struct Counter;

/// The trick's highest card when the turn comes back, if each of the others in it lays its lowest card that it may.
fn comes_back(view: &View, card: u8) -> u8 {
    // The lowest of no cards is 0.
    view.rivals().fold(card, |highest, seat| view.hand(seat).above(highest).lowest().max(highest))
}

impl Bot for Counter {
    fn new(_seat: u32, _seats: u32, _seed: u64) -> Self {
        Counter
    }

    fn lead(&mut self, view: &View) -> u8 {
        view.own_hand().lowest()
    }

    fn follow(&mut self, view: &View) -> Action {
        let card = view.playable().lowest();
        let highest = comes_back(view, card);
        let takes_it = highest == card;
        let goes_on = !view.own_hand().above(highest).is_empty();
        if takes_it || goes_on { Action::Play(card) } else { Action::Pass }
    }
}

bot_sdk::export!(card_hunt, Counter, name: "counter", author: "arena",
    description: "Climbs a trick's ladder only where it can go on or has the last word");
