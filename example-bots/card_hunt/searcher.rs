//! Looks ahead as far as its fuel goes: with two seats it searches the rest of the round (`searcher_duel.rs`), with more
//! it plays the round out many times after each of its choices (`searcher_table.rs`) and takes what did best.
//!
//! A decision that runs out of fuel is a failed one, so all work is counted beforehand, each step at more than it costs.
#![cfg_attr(target_arch = "wasm32", no_std)]

#[path = "searcher_duel.rs"]
mod duel;
#[path = "searcher_table.rs"]
mod table;

use bot_sdk::Rng;
use bot_sdk::card_hunt::{Action, Bot, LOWEST, MOST_SEATS, View};
use duel::Duel;
use table::{Policy, Table};

/// The work of a decision, in units of fuel. A league gives 10 million, and steps are counted roughly.
const WORK: i32 = 7_000_000;

/// Whom a player in a playout may be, one of 16 lots: nobody knows who sits there.
const LOTS: [Policy; 16] = {
    use Policy::{Counter as C, Miser as M, Random as R};
    [M, M, M, M, M, M, C, C, C, C, C, C, R, R, R, R]
};

/// The bot: its dice.
pub struct Searcher(Rng);

impl Searcher {
    /// The best choice as a bit, 0 to pass.
    fn choose(&mut self, view: &View) -> u16 {
        let own = view.playable().bits();
        if view.laid == 0 && own.is_power_of_two() {
            own
        } else if view.seats == 2 {
            duel::best(Duel::of(view), WORK)
        } else {
            self.play_out(view)
        }
    }

    /// Plays the round out after each choice in turn, until the work is done.
    fn play_out(&mut self, view: &View) -> u16 {
        let table = Table::of(view);
        let choices = table.choices();
        let mut scores = [0; 14];
        let mut work = WORK;
        while work > 0 {
            // The same opponents for all choices: less depends on luck.
            let mut policies = self.policies();
            policies[usize::from(view.seat) % MOST_SEATS] = Policy::Counter;
            for (score, &choice) in scores.iter_mut().zip(choices.as_slice()) {
                let mut played = table;
                played.act(choice);
                work -= played.finish(&policies, &mut self.0);
                *score += worth(view, &played);
            }
        }
        let best = (0..choices.len()).max_by_key(|&index| scores[index]);
        best.map_or(0, |index| choices.as_slice()[index])
    }

    fn policies(&mut self) -> [Policy; MOST_SEATS] {
        let mut lots = self.0.next_u64();
        [(); MOST_SEATS].map(|()| {
            lots >>= 4;
            LOTS[lots as usize % 16]
        })
    }
}

/// What a round's end is worth: the lead over the best other in the match, and above all whether it is one.
fn worth(view: &View, played: &Table) -> i32 {
    let total = |seat: u8| {
        let index = usize::from(seat) % MOST_SEATS;
        i32::from(view.match_points[index].get()) + i32::from(played.captured[index])
    };
    let best_other = (0..view.seats).filter(|&seat| seat != view.seat).map(total).max().unwrap_or(0);
    let lead = total(view.seat) - best_other;
    50 * lead.signum() + lead
}

impl Bot for Searcher {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        Searcher(Rng::new(seed))
    }

    fn lead(&mut self, view: &View) -> u8 {
        self.choose(view).trailing_zeros() as u8 + LOWEST
    }

    fn follow(&mut self, view: &View) -> Action {
        match self.choose(view) {
            0 => Action::Pass,
            bit => Action::Play(bit.trailing_zeros() as u8 + LOWEST),
        }
    }
}

bot_sdk::export!(card_hunt, Searcher, name: "searcher", author: "arena",
    description: "Searches the round, or plays it out many times with more than two seats");
