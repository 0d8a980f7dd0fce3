//! Reads its opponent: counts what it played and guessed in each position of this match, and answers what it
//! has seen most, mixed with dice where it has seen little.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::Rng;
use bot_sdk::little_hunters::{Bot, Hand, View, guesser};

/// The bot: for each round of a bout, how often the opponent laid its k-th lowest card, and how often it
/// guessed the own k-th lowest of the possible cards.
pub struct Reader {
    rng: Rng,
    cards: [[u32; 5]; 3],
    guesses: [[u32; 6]; 3],
}

/// The place of a card in a hand, from below.
fn rank(hand: Hand, card: u8) -> usize {
    hand.cards().filter(|&other| other < card).count()
}

impl Reader {
    /// Learns from the bout before, once, at the start of the next.
    fn learn(&mut self, view: &View) {
        let (mut own, mut other) = (Hand::FULL, Hand::FULL);
        for (number, round) in view.previous_rounds.iter().enumerate() {
            if round.opponent_card == 0 {
                return;
            }
            self.cards[number][rank(other, round.opponent_card)] += 1;
            if round.guesser == guesser::OPPONENT {
                let possible = own.above(round.opponent_card);
                if possible.contains(round.guess) {
                    self.guesses[number][rank(possible, round.guess)] += 1;
                } else {
                    self.guesses[number][5] += 1;
                }
            }
            own = own.without(round.own_card);
            other = other.without(round.opponent_card);
        }
    }

    /// How likely the opponent's card is its k-th lowest, in weights that begin equal.
    fn weight(&self, view: &View, card: u8) -> i32 {
        2 + 4 * self.cards[usize::from(view.round)][rank(view.opponent_hand, card)] as i32
    }

    /// What laying `card` is worth against the opponent's cards as weighed: the chance to guess right, less the chance
    /// to be guessed, less a little for what a card is worth at the end.
    fn worth(&self, view: &View, card: u8) -> i32 {
        let seen = &self.guesses[usize::from(view.round)];
        let all: i32 = 2 * 5 + 4 * seen.iter().sum::<u32>() as i32;
        let mut worth = 0;
        let mut best_guess = 0;
        for other in view.opponent_hand.cards() {
            let weight = self.weight(view, other);
            if other > card {
                best_guess = best_guess.max(weight);
            } else if other < card {
                // The opponent will guess among the own cards above its own.
                let possible = view.own_hand.above(other);
                let guessed = 2 + 4 * seen[rank(possible, card)] as i32;
                worth -= weight * guessed * 64 / all;
            }
        }
        worth += best_guess * 64;
        worth + i32::from(card) * if view.round == 2 { 24 } else { 4 }
    }
}

impl Bot for Reader {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        Reader { rng: Rng::new(seed), cards: [[0; 5]; 3], guesses: [[0; 6]; 3] }
    }

    fn play(&mut self, view: &View) -> u8 {
        if view.round == 0 {
            self.learn(view);
        }
        let mut best = (i32::MIN, 0);
        for card in view.own_hand.cards() {
            // A few dice, or it could be read itself.
            let worth = self.worth(view, card) + self.rng.below(64) as i32;
            best = best.max((worth, card));
        }
        best.1
    }

    fn guess(&mut self, view: &View) -> u8 {
        let possible = view.opponent_hand.above(view.own_card);
        let mut best = (i32::MIN, 0);
        for card in possible.cards() {
            best = best.max((self.weight(view, card) * 8 + self.rng.below(16) as i32, card));
        }
        best.1
    }
}

bot_sdk::export!(little_hunters, Reader, name: "reader", author: "arena",
    description: "Counts what the opponent does and answers it");
