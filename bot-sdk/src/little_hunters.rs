//! Little Hunters: two seats, cards 1 to 5, a card chosen at the same time and then a guess.
//!
//! Actions: at `play` a card of the own hand; at `guess` a card 1 to 5, or 0 to skip. The rules are in the
//! project's `arena/docs/little-hunters.md`.

use crate::plain::{Layout, Plain};
use crate::record;

/// The game's name in leagues, metadata and results.
pub const NAME: &str = "little-hunters";

/// The decisions, by the number that the host passes.
pub mod decision {
    /// Choose a card of the own hand; both seats at the same time.
    pub const PLAY: u32 = 0;
    /// Guess the opponent's card (only asked of the lower card's owner).
    pub const GUESS: u32 = 1;
}

/// A hand: the cards that a player still holds, as a set of bits (card c is bit c - 1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(transparent)]
pub struct Hand(pub u8);

// SAFETY: a transparent byte; every value is valid (bits above the fifth are no cards).
unsafe impl Plain for Hand {
    const LAYOUT: &'static Layout = &Layout::U8;
}

impl Hand {
    /// Cards 1 to 5.
    pub const FULL: Hand = Hand(0b1_1111);

    /// Whether the hand holds `card`.
    pub const fn contains(self, card: u8) -> bool {
        card >= 1 && card <= 5 && self.0 >> (card - 1) & 1 == 1
    }

    /// The number of cards.
    pub const fn len(self) -> u32 {
        (self.0 & Hand::FULL.0).count_ones()
    }

    /// Whether no card is left.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The highest card; 0 for an empty hand.
    pub const fn highest(self) -> u8 {
        8 - (self.0 & Hand::FULL.0).leading_zeros() as u8
    }

    /// The lowest card; 0 for an empty hand.
    pub const fn lowest(self) -> u8 {
        if self.is_empty() { 0 } else { self.0.trailing_zeros() as u8 + 1 }
    }

    /// The hand without `card`.
    #[must_use]
    pub const fn without(self, card: u8) -> Hand {
        if self.contains(card) { Hand(self.0 & !(1 << (card - 1))) } else { self }
    }

    /// The cards above `card`: those the opponent may have laid when it holds this hand and `card` was lower.
    #[must_use]
    pub const fn above(self, card: u8) -> Hand {
        if card >= 5 { Hand(0) } else { Hand(self.0 & Hand::FULL.0 & (0xff << card)) }
    }

    /// The hand's `index`th card from below, counted from 0; 0 if there are not so many.
    pub fn nth(self, index: u32) -> u8 {
        self.cards().nth(index as usize).unwrap_or(0)
    }

    /// The cards from low to high.
    pub fn cards(self) -> impl Iterator<Item = u8> {
        (1..=5).filter(move |&card| self.contains(card))
    }
}

/// Who guessed in a round.
pub mod guesser {
    /// Nobody: equal cards, or the round is not over.
    pub const NOBODY: u8 = 0;
    /// The bot that sees the view.
    pub const SELF: u8 = 1;
    /// Its opponent.
    pub const OPPONENT: u8 = 2;
}

/// How a bout went for the bot that sees the view.
pub mod result {
    /// There was none yet.
    pub const NONE: u8 = 0;
    /// Won.
    pub const WON: u8 = 1;
    /// Lost.
    pub const LOST: u8 = 2;
    /// Tied.
    pub const TIED: u8 = 3;
}

/// By what a bout ended.
pub mod ending {
    /// There was none yet.
    pub const NONE: u8 = 0;
    /// A right guess.
    pub const GUESS: u8 = 1;
    /// The higher sum of revealed cards after three rounds.
    pub const SUM: u8 = 2;
    /// Equal sums: the sets compared from the highest card down.
    pub const SETS: u8 = 3;
    /// A failed `play`.
    pub const FAILED_PLAY: u8 = 4;
}

record! {
    /// One round of a bout, from the side of the bot that sees it.
    pub struct Round {
        /// The own card, 0 if it was not revealed.
        pub own_card: u8,
        /// The opponent's card, 0 if it was not revealed.
        pub opponent_card: u8,
        /// Who guessed: 0 nobody, 1 the bot itself, 2 its opponent.
        pub guesser: u8,
        /// The guess, 0 for a skipped one (or nobody guessed).
        pub guess: u8,
        /// 1 if the guess was right, else 0.
        pub right: u8,
    }
}

record! {
    /// What a bot knows at a decision.
    pub struct View {
        /// The own cards, card c is bit c - 1. At `guess` the card just laid is still among them.
        pub own_hand: Hand,
        /// The opponent's cards, likewise: its pending card is one of them.
        pub opponent_hand: Hand,
        /// At `guess`, the own card just revealed; 0 at `play`.
        pub own_card: u8,
        /// The round of this bout, 0 to 2.
        pub round: u8,
        /// The bout of this series, counted from 0.
        pub bout: u8,
        /// The series: 0 the main one (best of 15), then the tie-breaks (best of 5) 1, 2, 3.
        pub series: u8,
        /// Bouts of this series won by the bot itself.
        pub own_wins: u8,
        /// Bouts of this series won by the opponent.
        pub opponent_wins: u8,
        /// Bouts of this series tied.
        pub ties: u8,
        /// This bout's rounds so far; those to come are all 0.
        pub rounds: [Round; 3],
        /// The whole of the previous bout.
        pub previous_rounds: [Round; 3],
        /// Its result: 0 there was none, 1 won, 2 lost, 3 tied.
        pub previous_result: u8,
        /// By what it ended: 0 there was none, 1 a right guess, 2 the sums, 3 the sets compared, 4 a failed play.
        pub previous_ending: u8,
    }
}

/// A Little Hunters bot: one method a decision.
pub trait Bot {
    /// The bot at the start of a match. `seed` differs from match to match.
    fn new(seat: u32, seats: u32, seed: u64) -> Self;

    /// A card of `view.own_hand`. Anything else loses the bout.
    fn play(&mut self, view: &View) -> u8;

    /// The own card was lower: a guess at the opponent's card, 1 to 5; 0 skips.
    fn guess(&mut self, view: &View) -> u8;
}

/// Makes a [`crate::Bot`] of this game's [`Bot`].
pub struct Adapter<B>(pub B);

impl<B: Bot> crate::Bot for Adapter<B> {
    fn start(seat: u32, seats: u32, seed: u64) -> Self {
        Adapter(B::new(seat, seats, seed))
    }

    fn decide(&mut self, decision: u32, view: &[u8]) -> i64 {
        match (decision, View::from_bytes(view)) {
            (decision::PLAY, Some(view)) => self.0.play(view).into(),
            (decision::GUESS, Some(view)) => self.0.guess(view).into(),
            _ => crate::abi::NO_ACTION,
        }
    }
}

impl<B: Bot> crate::Exported for Adapter<B> {
    const GAME: &'static str = NAME;
    const VIEW_SIZE: usize = size_of::<View>();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_is_its_cards() {
        let hand = Hand(0b1_0110);
        assert!(hand.cards().eq([2, 3, 5]));
        assert_eq!((hand.lowest(), hand.highest(), hand.len()), (2, 5, 3));
        assert!(hand.above(2).cards().eq([3, 5]));
        assert!(hand.above(5).is_empty());
        assert!(hand.above(0).cards().eq([2, 3, 5]));
        assert!(hand.without(3).cards().eq([2, 5]));
        assert_eq!(hand.without(1), hand);
        assert_eq!((hand.nth(2), hand.nth(3)), (5, 0));
    }

    #[test]
    fn an_empty_hand_has_no_card() {
        assert_eq!((Hand(0).lowest(), Hand(0).highest()), (0, 0));
        assert!(Hand(0).is_empty());
    }

    #[test]
    fn the_view_has_the_documented_size() {
        assert_eq!(size_of::<View>(), 9 + 2 * 15 + 2);
    }
}
