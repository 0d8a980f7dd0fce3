//! Animal Rescuers: two to four seats, thirteen cards, one of them hidden: the animal that thanks in the end.
//!
//! Actions: at `turn` the number of a card of the own hand, or 0 to pass; see [`Action`]. The rules are in the
//! project's `arena/docs/animal-rescuers.md`.

use core::fmt;

use crate::plain::{Layout, Plain};
use crate::record;

/// The game's name in leagues, metadata and results.
pub const NAME: &str = "animal-rescuers";

/// The most seats.
pub const SEATS: usize = 4;

/// The most cards in a hand: half of the twelve that are dealt.
pub const HAND: usize = 6;

/// The decisions, by the number that the host passes.
pub mod decision {
    /// Play a card of the own hand, or pass.
    pub const TURN: u32 = 0;
}

/// A card. Its number is 1 for the 0 (the ant), 2r for r circle and 2r + 1 for r triangle: the order is by rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Card(u8);

impl Card {
    /// The 0, which has no shape.
    pub const ANT: Card = Card(1);

    /// The card of a number from 1 to 13; others are no cards.
    pub const fn from_number(number: u8) -> Option<Card> {
        if number >= 1 && number <= 13 { Some(Card(number)) } else { None }
    }

    /// The circle of a rank from 1 to 6.
    pub const fn circle(rank: u8) -> Option<Card> {
        if rank >= 1 && rank <= 6 { Some(Card(2 * rank)) } else { None }
    }

    /// The triangle of a rank from 1 to 6.
    pub const fn triangle(rank: u8) -> Option<Card> {
        if rank >= 1 && rank <= 6 { Some(Card(2 * rank + 1)) } else { None }
    }

    /// The card's number, 1 to 13, as views and actions write it.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The rank, 0 to 6.
    pub const fn rank(self) -> u8 {
        self.0 / 2
    }

    /// Whether it is a circle. The 0 is neither a circle nor a triangle.
    pub const fn is_circle(self) -> bool {
        Cards::CIRCLES.contains(self)
    }

    /// Whether it is a triangle.
    pub const fn is_triangle(self) -> bool {
        Cards::TRIANGLES.contains(self)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.rank(), self.is_circle()) {
            (0, _) => f.write_str("0"),
            (rank, true) => write!(f, "{rank} circle"),
            (rank, false) => write!(f, "{rank} triangle"),
        }
    }
}

/// A set of cards: bit n stands for the card of number n. Two bytes, little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Cards([u8; 2]);

// SAFETY: a transparent array of two bytes; every value is valid (`bits` leaves out those that are no cards).
unsafe impl Plain for Cards {
    const LAYOUT: &'static Layout = &Layout::U16;
}

impl Cards {
    /// No card.
    pub const EMPTY: Cards = Cards::from_bits(0);
    /// All thirteen.
    pub const ALL: Cards = Cards::from_bits(0b11_1111_1111_1110);
    /// The six circles.
    pub const CIRCLES: Cards = Cards::from_bits(0b01_0101_0101_0100);
    /// The six triangles.
    pub const TRIANGLES: Cards = Cards::from_bits(0b10_1010_1010_1000);

    /// The set of these bits; those that stand for no card are left out.
    pub const fn from_bits(bits: u16) -> Cards {
        Cards((bits & 0b11_1111_1111_1110).to_le_bytes())
    }

    /// The set's bits: bit n for the card of number n.
    pub const fn bits(self) -> u16 {
        u16::from_le_bytes(self.0) & 0b11_1111_1111_1110
    }

    /// Whether `card` is in the set.
    pub const fn contains(self, card: Card) -> bool {
        self.bits() >> card.0 & 1 == 1
    }

    /// The number of cards.
    pub const fn len(self) -> u32 {
        self.bits().count_ones()
    }

    /// Whether there is no card.
    pub const fn is_empty(self) -> bool {
        self.bits() == 0
    }

    /// The set and `card`.
    #[must_use]
    pub const fn with(self, card: Card) -> Cards {
        Cards::from_bits(self.bits() | 1 << card.0)
    }

    /// The set without `card`.
    #[must_use]
    pub const fn without(self, card: Card) -> Cards {
        Cards::from_bits(self.bits() & !(1 << card.0))
    }

    /// The cards of this set that are not in the other.
    #[must_use]
    pub const fn minus(self, other: Cards) -> Cards {
        Cards::from_bits(self.bits() & !other.bits())
    }

    /// The cards of both sets together.
    #[must_use]
    pub const fn or(self, other: Cards) -> Cards {
        Cards::from_bits(self.bits() | other.bits())
    }

    /// The card of the highest number: the highest rank, and of two the triangle.
    pub const fn highest(self) -> Option<Card> {
        if self.is_empty() { None } else { Some(Card(15 - self.bits().leading_zeros() as u8)) }
    }

    /// The card of the lowest number: the lowest rank, and of two the circle.
    pub const fn lowest(self) -> Option<Card> {
        if self.is_empty() { None } else { Some(Card(self.bits().trailing_zeros() as u8)) }
    }

    /// The `index`th card from below, counted from 0.
    pub fn nth(self, index: u32) -> Option<Card> {
        self.iter().nth(index as usize)
    }

    /// The cards from low to high.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut rest = self.bits();
        core::iter::from_fn(move || {
            (rest != 0).then(|| {
                let card = Card(rest.trailing_zeros() as u8);
                rest &= rest - 1;
                card
            })
        })
    }

    /// The ranks added up.
    pub fn sum(self) -> u8 {
        self.iter().map(Card::rank).sum()
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Cards::EMPTY, Cards::with)
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Card::number)).finish()
    }
}

/// An answer to `turn`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Play no card.
    Pass,
    /// Lay a card of the own hand face up.
    Play(Card),
}

impl Action {
    /// The action as one integer: 0 to pass, else the card's number.
    pub const fn pack(self) -> i64 {
        match self {
            Action::Pass => 0,
            Action::Play(card) => card.0 as i64,
        }
    }

    /// The action of an integer; `None` for integers that are none.
    pub fn unpack(packed: i64) -> Option<Action> {
        match u8::try_from(packed) {
            Ok(0) => Some(Action::Pass),
            Ok(number) => Card::from_number(number).map(Action::Play),
            Err(_) => None,
        }
    }
}

impl From<Option<Card>> for Action {
    /// Plays the card, or passes for want of one.
    fn from(card: Option<Card>) -> Self {
        card.map_or(Action::Pass, Action::Play)
    }
}

/// Where a [`Rule`] looks for cards.
pub mod zone {
    /// At the cards in play, face up before their owners.
    pub const IN_PLAY: u8 = 0;
    /// At the cards still in hand.
    pub const IN_HAND: u8 = 1;
}

/// Which shape counts for a [`Rule`].
pub mod shape {
    /// All cards, the 0 too.
    pub const ANY: u8 = 0;
    /// Only circles.
    pub const CIRCLE: u8 = 1;
    /// Only triangles.
    pub const TRIANGLE: u8 = 2;
}

/// Which card a [`Rule`] looks for.
pub mod which {
    /// The highest rank.
    pub const HIGHEST: u8 = 0;
    /// The lowest rank.
    pub const LOWEST: u8 = 1;
}

record! {
    /// Whom an animal thanks: the owner of the highest or lowest card of a shape in a zone.
    pub struct Rule {
        /// Where: 0 among the cards in play, 1 among the cards in hand.
        pub zone: u8,
        /// Which cards count: 0 all, 1 only circles, 2 only triangles.
        pub shape: u8,
        /// 0 the highest, 1 the lowest.
        pub which: u8,
    }
}

impl Rule {
    /// How well a player's cards stand under this rule: the greatest strength is thanked, 0 never is.
    ///
    /// Ties are in it: the number counts the matching cards rank by rank, two bits each, from the rank that is looked
    /// for first. So of two that share the best rank the next cards decide, and whoever has none left is behind.
    pub const fn strength(self, hand: Cards, in_play: Cards) -> u16 {
        let cards = if self.zone == zone::IN_HAND { hand } else { in_play };
        let bits = match self.shape {
            shape::CIRCLE => cards.bits() & Cards::CIRCLES.bits(),
            shape::TRIANGLE => cards.bits() & Cards::TRIANGLES.bits(),
            _ => cards.bits(),
        };
        // A rank's two bits say which of its cards are there; their number is wanted.
        let counts = bits - (bits >> 1 & 0x5555);
        if self.which == which::LOWEST {
            // Rank 0 to the front: the bits turned around, and each pair back again.
            let turned = counts.reverse_bits();
            (turned & 0x5555) << 1 | (turned >> 1 & 0x5555)
        } else {
            counts
        }
    }
}

/// The rule of a card's animal in a chart; `None` for the 0, which thanks everybody.
pub fn rule_of(chart: &[Rule; 12], animal: Card) -> Option<Rule> {
    let index = animal.number().checked_sub(2)?;
    chart.get(usize::from(index)).copied()
}

/// The seats that are thanked, bit s for seat s. `rule` is that of the hidden animal, `None` if it is the 0.
pub fn thanked(rule: Option<Rule>, hands: &[Cards], in_play: &[Cards]) -> u8 {
    let (mut best, mut seats) = (1, 0);
    for (seat, (&hand, &in_play)) in hands.iter().zip(in_play).enumerate() {
        let strength = rule.map_or(1, |rule| rule.strength(hand, in_play));
        if strength > best {
            (best, seats) = (strength, 0);
        }
        if strength == best {
            seats |= 1 << seat;
        }
    }
    seats
}

record! {
    /// A round that is over, with everything revealed.
    pub struct PreviousRound {
        /// The animal that was hidden, by its card's number; 0 if there was no round before.
        pub animal: u8,
        /// Each seat's cards left in hand at the round's end: bit n for the card of number n.
        pub hands: [Cards; SEATS],
        /// Each seat's cards in play at the round's end, in the order played; then 0.
        pub played: [[u8; HAND]; SEATS],
        /// For each seat 1 if it was thanked, else 0.
        pub thanked: [u8; SEATS],
    }
}

record! {
    /// What a bot knows at its turn.
    pub struct View {
        /// The own seat.
        pub seat: u8,
        /// The number of seats; lists by seat are all 0 beyond it.
        pub seats: u8,
        /// The round, counted from 0; a match has as many as seats.
        pub round: u8,
        /// The dealer's seat; the seat after it went first.
        pub dealer: u8,
        /// The own hand: bit n for the card of number n.
        pub own_hand: Cards,
        /// The number of cards in each seat's hand.
        pub hand_sizes: [u8; SEATS],
        /// Each seat's cards in play, by number, in the order played; then 0.
        pub played: [[u8; HAND]; SEATS],
        /// For each seat 1 if it has passed in this round, else 0.
        pub passed: [u8; SEATS],
        /// The sum of the ranks in play.
        pub sum: u8,
        /// The sum that ends the round.
        pub limit: u8,
        /// Whom each animal thanks, by card from number 2 (1 circle, 1 triangle, 2 circle, …) to 13.
        pub chart: [Rule; 12],
        /// Thanks of the rounds before, by seat.
        pub thanks: [u8; SEATS],
        /// The round before.
        pub previous: PreviousRound,
    }
}

/// The cards of a list of numbers that ends with 0 or in full.
pub fn cards_of(numbers: &[u8]) -> Cards {
    numbers.iter().map_while(|&number| Card::from_number(number)).collect()
}

impl View {
    /// A seat's cards in play.
    pub fn in_play(&self, seat: usize) -> Cards {
        self.played.get(seat).map_or(Cards::EMPTY, |played| cards_of(played))
    }

    /// The cards that the bot sees nowhere: one of them is the animal, the others are in the other hands.
    pub fn unseen(&self) -> Cards {
        (0..SEATS).fold(Cards::ALL.minus(self.own_hand), |unseen, seat| unseen.minus(self.in_play(seat)))
    }

    /// The rule of an animal; `None` for the 0, which thanks everybody.
    pub fn rule(&self, animal: Card) -> Option<Rule> {
        rule_of(&self.chart, animal)
    }
}

/// An Animal Rescuers bot: one method, for the one decision.
pub trait Bot {
    /// The bot at the start of a match. `seed` differs from match to match.
    fn new(seat: u32, seats: u32, seed: u64) -> Self;

    /// A card of `view.own_hand`, which is never empty, or a pass. A card that is not there counts as a pass.
    fn turn(&mut self, view: &View) -> Action;
}

/// Makes a [`crate::Bot`] of this game's [`Bot`].
pub struct Adapter<B>(pub B);

impl<B: Bot> crate::Bot for Adapter<B> {
    fn start(seat: u32, seats: u32, seed: u64) -> Self {
        Adapter(B::new(seat, seats, seed))
    }

    fn decide(&mut self, decision: u32, view: &[u8]) -> i64 {
        match (decision, View::from_bytes(view)) {
            (decision::TURN, Some(view)) => self.0.turn(view).pack(),
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
    use std::string::ToString;
    use std::vec::Vec;

    fn cards(numbers: &[u8]) -> Cards {
        numbers.iter().map(|&number| Card::from_number(number).unwrap()).collect()
    }

    #[test]
    fn a_card_is_its_number() {
        for number in 1..=13 {
            let card = Card::from_number(number).unwrap();
            assert_eq!((card.number(), card.rank()), (number, number / 2));
            assert_eq!(card.is_circle(), Card::circle(number / 2) == Some(card));
            assert_eq!(card.is_triangle(), Card::triangle(number / 2) == Some(card));
        }
        for number in [0, 14, 15, 16, 255] {
            assert_eq!(Card::from_number(number), None);
        }
        assert_eq!((Card::circle(0), Card::triangle(7), Card::circle(200)), (None, None, None));
        assert!(!Card::ANT.is_circle() && !Card::ANT.is_triangle());
    }

    #[test]
    fn cards_are_shown_as_charts_name_them() {
        let names: Vec<_> = Cards::ALL.iter().map(|card| card.to_string()).collect();
        assert_eq!(names[..4], ["0", "1 circle", "1 triangle", "2 circle"]);
        assert_eq!(names[12], "6 triangle");
    }

    #[test]
    fn a_set_is_its_cards() {
        let set = cards(&[1, 4, 13]);
        assert!(set.iter().map(Card::number).eq([1, 4, 13]));
        assert_eq!((set.len(), set.sum()), (3, 8));
        assert_eq!(set.lowest().map(Card::number), Some(1));
        assert_eq!(set.highest().map(Card::number), Some(13));
        assert_eq!(set.nth(1).map(Card::number), Some(4));
        assert_eq!(set.nth(3), None);
        assert_eq!(set.without(Card(4)), cards(&[1, 13]));
        assert_eq!(set.minus(cards(&[13, 2])), cards(&[1, 4]));
        assert_eq!(cards(&[1]).or(cards(&[4, 13])), set);
        assert_eq!(Cards::from_bits(0xffff), Cards::ALL);
        assert_eq!(Cards::from_bytes(&[0xff, 0xff]).unwrap().len(), 13);
        assert_eq!((Cards::ALL.sum(), Cards::EMPTY.highest(), Cards::EMPTY.lowest()), (42, None, None));
        assert_eq!(cards_of(&[2, 3, 0, 5]), cards(&[2, 3]));
    }

    #[test]
    fn an_action_comes_back_from_its_integer_and_others_are_none() {
        for action in Cards::ALL.iter().map(Action::Play).chain([Action::Pass]) {
            assert_eq!(Action::unpack(action.pack()), Some(action));
        }
        for packed in -300..300 {
            assert_eq!(Action::unpack(packed).is_some(), (0..=13).contains(&packed), "{packed}");
        }
        for packed in [i64::MIN, i64::MAX, 256, 1 << 32, crate::abi::NO_ACTION] {
            assert_eq!(Action::unpack(packed), None, "{packed}");
        }
    }

    #[test]
    fn strength_counts_rank_by_rank_from_the_wanted_end() {
        let highest = Rule { zone: zone::IN_PLAY, shape: shape::ANY, which: which::HIGHEST };
        let lowest = Rule { which: which::LOWEST, ..highest };
        let play = |rule: Rule, numbers: &[u8]| rule.strength(Cards::EMPTY, cards(numbers));
        assert!(play(highest, &[13, 10]) > play(highest, &[12]));
        assert!(play(highest, &[12, 13]) > play(highest, &[12, 11, 10]));
        assert_eq!(play(highest, &[12, 2]), play(highest, &[13, 3]));
        assert!(play(lowest, &[1]) > play(lowest, &[2, 3]));
        assert!(play(lowest, &[2, 13]) > play(lowest, &[3]));
        assert!(play(lowest, &[2, 4]) > play(lowest, &[3, 6]));
        assert_eq!(play(lowest, &[]), 0);
        let triangles = Rule { shape: shape::TRIANGLE, ..lowest };
        assert_eq!(play(triangles, &[1, 2, 4]), 0);
        let in_hand = Rule { zone: zone::IN_HAND, ..highest };
        assert_eq!(in_hand.strength(Cards::EMPTY, Cards::ALL), 0);
        assert!(in_hand.strength(cards(&[1]), Cards::EMPTY) > 0);
    }

    #[test]
    fn the_ant_has_no_rule_and_the_others_have_theirs() {
        let mut chart = [Rule::zeroed(); 12];
        chart[11].which = which::LOWEST;
        assert_eq!(rule_of(&chart, Card::ANT), None);
        assert_eq!(rule_of(&chart, Card(2)), Some(chart[0]));
        assert_eq!(rule_of(&chart, Card(13)), Some(chart[11]));
        assert_eq!(thanked(None, &[Cards::EMPTY; 3], &[Cards::EMPTY; 3]), 0b111);
        assert_eq!(thanked(Some(chart[0]), &[Cards::EMPTY; 3], &[Cards::EMPTY; 3]), 0);
    }

    #[test]
    fn what_is_unseen_is_neither_in_the_own_hand_nor_in_play() {
        let mut view = View::zeroed();
        view.own_hand = cards(&[1, 2]);
        view.played[0][..2].copy_from_slice(&[13, 3]);
        view.played[3][0] = 12;
        assert_eq!(view.unseen(), cards(&[4, 5, 6, 7, 8, 9, 10, 11]));
        assert_eq!(view.in_play(0), cards(&[3, 13]));
        assert_eq!(view.in_play(9), Cards::EMPTY);
    }

    #[test]
    fn the_view_has_the_documented_size() {
        assert_eq!(size_of::<PreviousRound>(), 1 + 8 + 24 + 4);
        assert_eq!(size_of::<View>(), 4 + 2 + 4 + 24 + 4 + 2 + 36 + 4 + 37);
    }
}
