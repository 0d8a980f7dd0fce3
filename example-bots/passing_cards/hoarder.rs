//! Hoards its garnets, which decide the places among all who have not won: it risks one only on what it surely knows. A
//! card that it gave last round is still where it went, since claims come before trades. So it trades as often as it can,
//! which also spreads its own name, and claims with two who took new names from it.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::passing_cards::{Bot, NOBODY, Orders, SEATS, View};

/// So many of a claim's names may be left to the four cards that it does not know: about three times out of four they
/// hold two that are new.
const LEFT_TO_LUCK: u8 = 2;

/// The bot.
pub struct Hoarder {
    /// By player: the card that it was given last.
    given: [u8; SEATS],
    /// By player: the round in which it was last given a card with the own name, 0 for none.
    spread: [u8; SEATS],
}

impl Hoarder {
    /// A claim with two who surely hold names that are not in hand, if so many names are known that it is worth a garnet.
    fn claim(&self, view: &View) -> Option<[u8; 2]> {
        let mut known = [false; SEATS];
        for card in view.own_cards {
            known[usize::from(card)] = true;
        }
        // Whoever gave a card last round was given one for it.
        let mut others = view.received().map(|received| received.giver).filter(|&giver| {
            let name = known.get_mut(usize::from(self.given[usize::from(giver)]));
            name.is_some_and(|known| !core::mem::replace(known, true))
        });
        let claim = [others.next()?, others.next()?];
        let names = known.into_iter().filter(|&known| known).count();
        (names >= usize::from(view.needed - LEFT_TO_LUCK)).then_some(claim)
    }

    /// When a player was last given the own name; nobody comes after everybody.
    fn when(&self, player: u8) -> u8 {
        self.spread.get(usize::from(player)).copied().unwrap_or(u8::MAX)
    }
}

impl Bot for Hoarder {
    fn new(_seat: u32, _seats: u32, _seed: u64) -> Self {
        Hoarder { given: [NOBODY; SEATS], spread: [0; SEATS] }
    }

    fn orders(&mut self, view: &View) -> Orders {
        let mut orders = Orders::NONE;
        if let Some(claim) = self.claim(view) {
            orders.claim = claim;
        }
        let [first, second] = view.options;
        orders.challenge = if self.when(second) < self.when(first) { second } else { first };

        // The own name first, and to those who never had it or long ago: a name that claims miss is a candidate.
        let mut hand = view.own_cards;
        hand.sort_unstable_by_key(|&card| card != view.own_seat);
        let mut partners = view.partners.map(|partner| partner.seat);
        partners.sort_unstable_by_key(|&partner| self.when(partner));
        for (partner, card) in partners.into_iter().zip(hand).filter(|&(partner, _)| partner != NOBODY) {
            orders.give(partner, card);
            self.given[usize::from(partner)] = card;
            if card == view.own_seat {
                self.spread[usize::from(partner)] = view.round;
            }
        }
        orders
    }

    fn vote(&mut self, view: &View) -> u8 {
        // A rival that has won too loses most by it.
        let rival = |&candidate: &u8| (candidate != view.own_seat, view.claims[usize::from(candidate)][0] != NOBODY);
        view.candidates().max_by_key(rival).unwrap_or(NOBODY)
    }
}

bot_sdk::export!(passing_cards, Hoarder, name: "hoarder", author: "arena",
    description: "Trades a lot, and risks a garnet only on cards it surely knows");
