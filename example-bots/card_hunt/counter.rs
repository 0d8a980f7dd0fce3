//! Counts cards: since every hand is known, it knows who can still beat what.
//!
//! Whoever holds the highest card of all players left in a trick can have the trick whenever it wants. The owner of
//! that card lets the trick grow with its cheapest cards and takes it in the end, if it is worth a high card; all
//! others feed it. So without that card the counter saves its cards, and when the round is about to end it cashes in
//! what the fox would get.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::card_hunt::{Action, Bot, View};

/// The bot: it keeps nothing, all it counts is in the view.
pub struct Counter;

/// The highest card that the others in the trick hold.
fn threat(view: &View) -> u8 {
    view.rivals().map(|seat| view.hand(seat).highest()).max().unwrap_or(0)
}

/// The fewest cards that another player holds: with none left the round ends.
fn fewest(view: &View) -> u32 {
    (0..view.seats).filter(|&seat| seat != view.seat).map(|seat| view.hand(seat).len()).min().unwrap_or(0)
}

impl Bot for Counter {
    fn new(_seat: u32, _seats: u32, _seed: u64) -> Self {
        Counter
    }

    fn lead(&mut self, view: &View) -> u8 {
        let own = view.own_hand();
        let sure = own.above(threat(view).saturating_sub(1)).lowest();
        // Near the end a card that nobody can beat is one sure point, and in hand it is the fox's.
        if sure != 0 && fewest(view) <= 1 { sure } else { own.lowest() }
    }

    fn follow(&mut self, view: &View) -> Action {
        let cheapest = view.playable().lowest();
        // What nobody in the trick can beat; an equal card does not beat.
        let sure = view.playable().above(threat(view).saturating_sub(1)).lowest();
        let ends = fewest(view) == 0 || view.own_hand().len() == 1;
        if sure == 0 {
            Action::Pass
        } else if cheapest != sure {
            Action::Play(cheapest)
        } else if view.laid >= 2 || ends {
            Action::Play(sure)
        } else {
            Action::Pass
        }
    }
}

bot_sdk::export!(card_hunt, Counter, name: "counter", author: "arena",
    description: "Knows who can still beat what, and takes the tricks that are worth it");
