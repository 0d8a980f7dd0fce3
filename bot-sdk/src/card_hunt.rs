//! Card Hunt: two to eight seats, a suit of 13 cards each, tricks that only rise; every hand is open.
//!
//! Actions: at `lead` a card of the own hand; at `follow` a higher card than the trick's highest, or a pass. A card
//! is its rank, 2 to 14 (jack 11, queen 12, king 13, ace 14). The rules are in the project's
//! `arena/docs/card-hunt.md`.

use crate::plain::{Layout, Plain};
use crate::{U16, record};

/// The game's name in leagues, metadata and results.
pub const NAME: &str = "card-hunt";

/// The most seats of a match.
pub const MOST_SEATS: usize = 8;

/// The cards of a suit, and so the most cards of a trick: each must be higher than the one before.
pub const RANKS: usize = 13;

/// The lowest card.
pub const LOWEST: u8 = 2;

/// The highest card, an ace.
pub const HIGHEST: u8 = 14;

/// The decisions, by the number that the host passes.
pub mod decision {
    /// Begin a trick with a card.
    pub const LEAD: u32 = 0;
    /// Play a higher card or pass.
    pub const FOLLOW: u32 = 1;
}

/// A hand: the cards that a player still holds, as a set of bits (card c is bit c - 2).
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Hand(U16);

// SAFETY: a transparent U16; every value is valid (bits above the thirteenth are no cards).
unsafe impl Plain for Hand {
    const LAYOUT: &'static Layout = &Layout::U16;
}

impl Hand {
    /// All the bits that are cards.
    const MASK: u16 = (1 << RANKS) - 1;

    /// The hand of these bits; those that are no cards are dropped.
    pub fn from_bits(bits: u16) -> Hand {
        Hand((bits & Hand::MASK).into())
    }

    /// A whole suit, cards 2 to 14.
    pub fn full() -> Hand {
        Hand::from_bits(Hand::MASK)
    }

    /// The cards as bits, card c is bit c - 2.
    pub const fn bits(self) -> u16 {
        self.0.get() & Hand::MASK
    }

    /// Whether the hand holds `card`.
    pub const fn contains(self, card: u8) -> bool {
        card >= LOWEST && card <= HIGHEST && self.bits() >> (card - LOWEST) & 1 == 1
    }

    /// The number of cards.
    pub const fn len(self) -> u32 {
        self.bits().count_ones()
    }

    /// Whether no card is left.
    pub const fn is_empty(self) -> bool {
        self.bits() == 0
    }

    /// The highest card; 0 for an empty hand.
    pub const fn highest(self) -> u8 {
        if self.is_empty() { 0 } else { 15 - self.bits().leading_zeros() as u8 + LOWEST }
    }

    /// The lowest card; 0 for an empty hand.
    pub const fn lowest(self) -> u8 {
        if self.is_empty() { 0 } else { self.bits().trailing_zeros() as u8 + LOWEST }
    }

    /// The hand without `card`.
    #[must_use]
    pub fn without(self, card: u8) -> Hand {
        if self.contains(card) { Hand::from_bits(self.bits() & !(1 << (card - LOWEST))) } else { self }
    }

    /// The cards above `card`: those that may follow it.
    #[must_use]
    pub fn above(self, card: u8) -> Hand {
        match card {
            0..LOWEST => self,
            HIGHEST.. => Hand::from_bits(0),
            _ => Hand::from_bits(self.bits() & Hand::MASK << (card - LOWEST + 1)),
        }
    }

    /// The hand's `index`th card from below, counted from 0; 0 if there are not so many.
    pub fn nth(self, index: u32) -> u8 {
        self.cards().nth(index as usize).unwrap_or(0)
    }

    /// The cards from low to high.
    pub fn cards(self) -> impl Iterator<Item = u8> {
        (LOWEST..=HIGHEST).filter(move |&card| self.contains(card))
    }
}

impl core::fmt::Debug for Hand {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.cards()).finish()
    }
}

/// An answer to either decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Out until the next trick; not at `lead`.
    Pass,
    /// A card, by its rank.
    Play(u8),
}

impl Action {
    /// The action as the integer that goes to the host: 0 to pass, else the card's rank. What is no card becomes
    /// [`NO_ACTION`](crate::abi::NO_ACTION), so that a card that is not there is never taken for a pass.
    pub const fn pack(self) -> i64 {
        match self {
            Action::Pass => 0,
            Action::Play(card @ LOWEST..=HIGHEST) => card as i64,
            Action::Play(_) => crate::abi::NO_ACTION,
        }
    }

    /// The action of an integer; `None` for every integer that is none.
    pub const fn unpack(answer: i64) -> Option<Action> {
        match answer {
            0 => Some(Action::Pass),
            2..=14 => Some(Action::Play(answer as u8)),
            _ => None,
        }
    }
}

record! {
    /// A card in the trick.
    pub struct Laid {
        /// Who laid it.
        pub seat: u8,
        /// Its rank, 2 to 14.
        pub card: u8,
    }
}

record! {
    /// What a bot knows at a decision: everything. Lists by seat are all 0 beyond the match's seats.
    pub struct View {
        /// The own seat, counted from 0.
        pub seat: u8,
        /// The number of seats.
        pub seats: u8,
        /// The round, counted from 0; there are as many as seats.
        pub round: u8,
        /// The seat that leads this trick.
        pub leader: u8,
        /// The seats still in the trick, seat s is bit s.
        pub in_trick: u8,
        /// The cards in the trick so far; 0 at `lead`.
        pub laid: u8,
        /// The trick's cards in the order they were laid; those to come are all 0.
        pub trick: [Laid; RANKS],
        /// Every seat's hand, card c is bit c - 2.
        pub hands: [Hand; MOST_SEATS],
        /// The cards that every seat captured this round.
        pub round_points: [u8; MOST_SEATS],
        /// The cards that every seat captured in the match, this round's included.
        pub match_points: [U16; MOST_SEATS],
    }
}

impl View {
    /// The own hand.
    pub fn own_hand(&self) -> Hand {
        self.hand(self.seat)
    }

    /// A seat's hand; empty for a seat that is none.
    pub fn hand(&self, seat: u8) -> Hand {
        self.hands.get(usize::from(seat)).copied().unwrap_or(Hand::from_bits(0))
    }

    /// The trick's cards in the order they were laid.
    pub fn trick(&self) -> &[Laid] {
        &self.trick[..usize::from(self.laid).min(RANKS)]
    }

    /// The trick's highest card, which is its last; 0 at `lead`.
    pub fn highest(&self) -> u8 {
        self.trick().last().map_or(0, |laid| laid.card)
    }

    /// The own cards that may be played now: all at `lead`, the higher ones at `follow` (never none).
    pub fn playable(&self) -> Hand {
        self.own_hand().above(self.highest())
    }

    /// Whether a seat is still in the trick.
    pub const fn is_in_trick(&self, seat: u8) -> bool {
        seat < 8 && self.in_trick >> seat & 1 == 1
    }

    /// The other seats still in the trick, in the order in which their turns come.
    pub fn rivals(&self) -> impl Iterator<Item = u8> {
        let seats = self.seats.clamp(1, MOST_SEATS as u8);
        (1..seats).map(move |step| self.seat.wrapping_add(step) % seats).filter(|&seat| self.is_in_trick(seat))
    }
}

/// A Card Hunt bot: one method a decision.
pub trait Bot {
    /// The bot at the start of a match. `seed` differs from match to match.
    fn new(seat: u32, seats: u32, seed: u64) -> Self;

    /// A card of `view.own_hand()` that begins a trick. Anything else leads the lowest.
    fn lead(&mut self, view: &View) -> u8;

    /// A card of `view.playable()`, or a pass. Anything else passes.
    fn follow(&mut self, view: &View) -> Action;
}

/// Makes a [`crate::Bot`] of this game's [`Bot`].
pub struct Adapter<B>(pub B);

impl<B: Bot> crate::Bot for Adapter<B> {
    fn start(seat: u32, seats: u32, seed: u64) -> Self {
        Adapter(B::new(seat, seats, seed))
    }

    fn decide(&mut self, decision: u32, view: &[u8]) -> i64 {
        match (decision, View::from_bytes(view)) {
            (decision::LEAD, Some(view)) => Action::Play(self.0.lead(view)).pack(),
            (decision::FOLLOW, Some(view)) => self.0.follow(view).pack(),
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
    use crate::Bot as _;
    use crate::abi::NO_ACTION;

    #[test]
    fn a_hand_is_its_cards() {
        let hand = Hand::from_bits(0b1_0000_0000_0110);
        assert!(hand.cards().eq([3, 4, 14]));
        assert_eq!((hand.lowest(), hand.highest(), hand.len()), (3, 14, 3));
        assert!(hand.above(3).cards().eq([4, 14]));
        assert!(hand.above(13).cards().eq([14]));
        assert!(hand.without(4).cards().eq([3, 14]));
        assert_eq!(hand.without(5), hand);
        assert_eq!((hand.nth(2), hand.nth(3)), (14, 0));
        assert_eq!((Hand::full().lowest(), Hand::full().highest(), Hand::full().len()), (2, 14, 13));
    }

    #[test]
    fn above_holds_exactly_the_higher_cards() {
        for card in 0..=u8::MAX {
            assert!(Hand::full().above(card).cards().eq((LOWEST..=HIGHEST).filter(|&other| other > card)), "{card}");
        }
    }

    #[test]
    fn an_empty_hand_has_no_card_and_other_bits_are_none() {
        let empty = Hand::from_bits(0xe000);
        assert!(empty.is_empty() && empty.cards().next().is_none());
        assert_eq!((empty.lowest(), empty.highest()), (0, 0));
        let received = *Hand::from_bytes(&[0xff, 0xff]).unwrap();
        assert_eq!((received.len(), received.highest()), (13, 14));
    }

    #[test]
    fn packing_and_unpacking_are_inverse_and_nothing_else_is_an_action() {
        for answer in -300..300 {
            let known = answer == 0 || (2..=14).contains(&answer);
            assert_eq!(Action::unpack(answer).map(Action::pack), known.then_some(answer));
        }
        for answer in [NO_ACTION, i64::MAX, 256, 258, 1 << 32, (1 << 32) + 2] {
            assert_eq!(Action::unpack(answer), None, "{answer}");
        }
    }

    #[test]
    fn a_card_that_is_none_is_not_taken_for_a_pass() {
        for card in [0, 1, 15, 255] {
            assert_eq!(Action::Play(card).pack(), NO_ACTION);
        }
    }

    #[test]
    fn the_view_has_the_documented_size() {
        assert_eq!(size_of::<View>(), 6 + 2 * 13 + 2 * 8 + 8 + 2 * 8);
    }

    #[test]
    fn rivals_come_in_the_order_of_their_turns() {
        let mut view = View::zeroed();
        (view.seat, view.seats, view.in_trick) = (2, 4, 0b1110);
        assert!(view.rivals().eq([3, 1]));
    }

    #[test]
    fn views_of_any_bytes_are_answered() {
        struct Curious;
        impl Bot for Curious {
            fn new(_seat: u32, _seats: u32, _seed: u64) -> Self {
                Curious
            }
            fn lead(&mut self, view: &View) -> u8 {
                view.own_hand().lowest()
            }
            fn follow(&mut self, view: &View) -> Action {
                let rivals = view.rivals().count() as u8;
                if view.highest() > rivals { Action::Pass } else { Action::Play(view.playable().lowest()) }
            }
        }
        let mut bot = Adapter::<Curious>::start(0, 2, 0);
        for byte in [0, 1, 7, 0xff] {
            bot.decide(decision::LEAD, &[byte; size_of::<View>()]);
            bot.decide(decision::FOLLOW, &[byte; size_of::<View>()]);
        }
        assert_eq!(bot.decide(decision::LEAD, &[0; size_of::<View>() - 1]), NO_ACTION);
        assert_eq!(bot.decide(2, &[0; size_of::<View>()]), NO_ACTION);
    }
}
