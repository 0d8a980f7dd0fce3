//! Passing Cards: ten seats; trade cards, and claim that three hands hold enough different names.
//!
//! A player is named by its seat, 0 to 9, and a card by the player whose name it bears. Where there is none, a
//! view and [`Orders`] hold [`NOBODY`].
//!
//! Actions: at `orders` the integer of [`Orders::pack`]; at `vote` a candidate's seat. The rules are in the
//! project's `arena/docs/passing-cards.md`.

use crate::plain::Plain;
use crate::record;

/// The game's name in leagues, metadata and results.
pub const NAME: &str = "passing-cards";

/// The number of seats, which is also the number of names.
pub const SEATS: usize = 10;

/// The cards in a hand, and the most trade partners in a round.
pub const HAND: usize = 3;

/// The last round; the first is 1.
pub const ROUNDS: u8 = 14;

/// No player, no card.
pub const NOBODY: u8 = 255;

/// The decisions, by the number that the host passes.
pub mod decision {
    /// Gifts, a challenge, a peek and a claim; all seats at the same time.
    pub const ORDERS: u32 = 0;
    /// Vote for one of several elimination candidates (only asked of the winners).
    pub const VOTE: u32 = 1;
}

/// How many different names a claim needs in a round.
pub const fn needed(round: u8) -> u8 {
    match round {
        0..=10 => 9,
        11..=13 => 19 - round,
        _ => 5,
    }
}

/// Who forced a trade.
pub mod side {
    /// There is no such partner.
    pub const NONE: u8 = 0;
    /// The partner forced the bot that sees the view.
    pub const PARTNER: u8 = 1;
    /// The bot forced the partner.
    pub const SELF: u8 = 2;
}

record! {
    /// Somebody to trade with at the end of this round.
    pub struct Partner {
        /// The partner, 255 for none.
        pub seat: u8,
        /// Who forced the trade: 0 there is none, 1 the partner, 2 the bot itself.
        pub side: u8,
    }
}

impl Partner {
    /// No partner.
    pub const NONE: Partner = Partner { seat: NOBODY, side: side::NONE };
}

record! {
    /// A card that came into the hand at the end of the round before.
    pub struct Received {
        /// Who gave it, 255 for none.
        pub giver: u8,
        /// The card, 255 for none.
        pub card: u8,
    }
}

impl Received {
    /// No card.
    pub const NONE: Received = Received { giver: NOBODY, card: NOBODY };
}

record! {
    /// What a bot knows at a decision.
    pub struct View {
        /// The own seat, which is also the own name.
        pub own_seat: u8,
        /// The round, 1 to 14.
        pub round: u8,
        /// How many different names a claim needs this round.
        pub needed: u8,
        /// The own garnets. At `vote` the winner's 3 are among them.
        pub own_garnets: u8,
        /// The trades that the bot has taken part in so far.
        pub own_trades: u8,
        /// The own cards.
        pub own_cards: [u8; 3],
        /// The two players that the bot can challenge this round.
        pub options: [u8; 2],
        /// After a peek, its options of the next round; else 255, 255.
        pub next_options: [u8; 2],
        /// The trade partners of this round in partner order: those who forced the bot, by seat, then the one that it
        /// forced; then none.
        pub partners: [Partner; 3],
        /// The cards that came in at the end of the round before, in the partner order of that round; then none.
        pub received: [Received; 3],
        /// At `vote`, by seat: 1 for a candidate, else 0.
        pub candidates: [u8; 10],
        /// At `vote`, by seat: the two others that the seat named in its true claim; 255, 255 for a seat without one.
        pub claims: [[u8; 2]; 10],
    }
}

impl View {
    /// The trade partners of this round, in partner order.
    pub fn partners(&self) -> impl Iterator<Item = u8> {
        self.partners.iter().map(|partner| partner.seat).take_while(|&seat| seat != NOBODY)
    }

    /// The cards that came in at the end of the round before.
    pub fn received(&self) -> impl Iterator<Item = Received> {
        self.received.iter().copied().take_while(|received| received.giver != NOBODY)
    }

    /// At `vote`, the candidates, by seat.
    pub fn candidates(&self) -> impl Iterator<Item = u8> {
        (0..SEATS as u8).filter(|&seat| self.candidates[usize::from(seat)] == 1)
    }
}

/// An answer to `orders`. [`Orders::NONE`] leaves everything to its default, which is no fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Orders {
    /// By seat: the card to give to that player.
    pub gifts: [u8; SEATS],
    /// The option to challenge.
    pub challenge: u8,
    /// The two others of a claim.
    pub claim: [u8; 2],
    /// Whether to spend a garnet on a peek.
    pub peek: bool,
}

const CHALLENGE_SHIFT: usize = 4 * SEATS;
const CLAIM_SHIFT: [usize; 2] = [CHALLENGE_SHIFT + 4, CHALLENGE_SHIFT + 8];
const PEEK_SHIFT: usize = CHALLENGE_SHIFT + 12;
const USED_BITS: usize = PEEK_SHIFT + 1;

impl Orders {
    /// No gift named, no challenge, no peek, no claim.
    pub const NONE: Orders = Orders { gifts: [NOBODY; SEATS], challenge: NOBODY, claim: [NOBODY; 2], peek: false };

    /// Names the card to give to a partner. A partner that is no seat is ignored.
    pub fn give(&mut self, partner: u8, card: u8) {
        if let Some(gift) = self.gifts.get_mut(usize::from(partner)) {
            *gift = card;
        }
    }

    /// The orders as one integer: four bits for each name, 0 for none, else the number plus one.
    ///
    /// Bits 4s to 4s + 3 are the card for seat s, bits 40 to 43 the challenge, 44 to 47 and 48 to 51 the claim, bit 52
    /// the peek; the others are 0. A number above 14 that is not [`NOBODY`] becomes 14, which is nobody's either.
    pub fn pack(self) -> i64 {
        let mut packed = u64::from(self.peek) << PEEK_SHIFT;
        for (seat, &card) in self.gifts.iter().enumerate() {
            packed |= pack_name(card) << (4 * seat);
        }
        packed |= pack_name(self.challenge) << CHALLENGE_SHIFT;
        for (name, shift) in self.claim.into_iter().zip(CLAIM_SHIFT) {
            packed |= pack_name(name) << shift;
        }
        packed as i64
    }

    /// The orders that an integer stands for; `None` if a bit is set that means nothing. Whether they are legal is
    /// another question: a name may come out as 10 to 14.
    pub fn unpack(answer: i64) -> Option<Orders> {
        let packed = answer as u64;
        if packed >> USED_BITS != 0 {
            return None;
        }
        let name = |shift: usize| ((packed >> shift & 15) as u8).wrapping_sub(1);
        let mut orders = Orders::NONE;
        for (seat, card) in orders.gifts.iter_mut().enumerate() {
            *card = name(4 * seat);
        }
        orders.challenge = name(CHALLENGE_SHIFT);
        orders.claim = CLAIM_SHIFT.map(name);
        orders.peek = packed >> PEEK_SHIFT & 1 == 1;
        Some(orders)
    }
}

fn pack_name(name: u8) -> u64 {
    // NOBODY wraps around to 0.
    u64::from(name.wrapping_add(1).min(15))
}

/// A Passing Cards bot: one method a decision.
pub trait Bot {
    /// The bot at the start of a match. `seed` differs from match to match.
    fn new(seat: u32, seats: u32, seed: u64) -> Self;

    /// What to do this round. Each part that is missing or illegal falls to its default.
    fn orders(&mut self, view: &View) -> Orders;

    /// The bot has won: which of `view.candidates()` shall be the elimination candidate.
    fn vote(&mut self, view: &View) -> u8;
}

/// Makes a [`crate::Bot`] of this game's [`Bot`].
pub struct Adapter<B>(pub B);

impl<B: Bot> crate::Bot for Adapter<B> {
    fn start(seat: u32, seats: u32, seed: u64) -> Self {
        Adapter(B::new(seat, seats, seed))
    }

    fn decide(&mut self, decision: u32, view: &[u8]) -> i64 {
        match (decision, View::from_bytes(view)) {
            (decision::ORDERS, Some(view)) => self.0.orders(view).pack(),
            (decision::VOTE, Some(view)) => self.0.vote(view).into(),
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
    fn no_orders_are_zero() {
        assert_eq!(Orders::NONE.pack(), 0);
        assert_eq!(Orders::unpack(0), Some(Orders::NONE));
    }

    #[test]
    fn each_part_has_its_own_digit() {
        let mut orders = Orders { challenge: 3, claim: [6, 9], peek: true, ..Orders::NONE };
        orders.give(0, 4);
        orders.give(9, 0);
        assert_eq!(orders.pack(), 0x001a_7410_0000_0005);
        assert_eq!(Orders::unpack(orders.pack()), Some(orders));
    }

    #[test]
    fn every_name_survives_in_every_place() {
        for name in (0..=14).chain([NOBODY]) {
            for place in 0..SEATS + 3 {
                let mut orders = Orders::NONE;
                match place {
                    10 => orders.challenge = name,
                    11 => orders.claim[0] = name,
                    12 => orders.claim[1] = name,
                    seat => orders.give(seat as u8, name),
                }
                assert_eq!(Orders::unpack(orders.pack()), Some(orders));
            }
        }
    }

    #[test]
    fn a_number_that_is_no_name_stays_none() {
        for name in 14..NOBODY {
            assert_eq!(Orders::unpack(Orders { challenge: name, ..Orders::NONE }.pack()).unwrap().challenge, 14);
        }
        let mut orders = Orders::NONE;
        orders.give(NOBODY, 3);
        assert_eq!(orders, Orders::NONE);
    }

    #[test]
    fn bits_without_a_meaning_are_no_orders() {
        for bit in 53..64 {
            assert_eq!(Orders::unpack(1 << bit), None, "{bit}");
        }
        assert_eq!(Orders::unpack(-1), None);
        assert_eq!(Orders::unpack(crate::abi::NO_ACTION), None);
        assert!(Orders::unpack((1 << 53) - 1).is_some());
    }

    #[test]
    fn claims_need_fewer_names_from_round_11_on() {
        assert!((1..=10).all(|round| needed(round) == 9));
        assert!((11..=ROUNDS).map(needed).eq([8, 7, 6, 5]));
    }

    #[test]
    fn the_view_has_the_documented_size() {
        assert_eq!(size_of::<View>(), 5 + 3 + 2 + 2 + 6 + 6 + 10 + 20);
    }
}
