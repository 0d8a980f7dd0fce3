// The rest of a round between any number of players, to be played out by simple policies.

use bot_sdk::Rng;
use bot_sdk::card_hunt::{MOST_SEATS, RANKS, View};

const ALL: u16 = (1 << RANKS) - 1;

/// Fuel of a playout and of each step in it, and what both have to add for each seat.
const PLAYOUT: i32 = 900;
const STEP: i32 = 180;
const SEAT: i32 = 45;

/// How a player plays in a playout.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Policy {
    /// Always the lowest card allowed.
    Miser,
    /// As the bot `counter`.
    Counter,
    /// Anything that is allowed.
    Random,
}

/// A position; cards are bits.
#[derive(Clone, Copy)]
pub(crate) struct Table {
    hands: [u16; MOST_SEATS],
    /// By seat, from here on.
    pub(crate) captured: [u8; MOST_SEATS],
    seats: u8,
    in_trick: u8,
    turn: u8,
    /// Who laid the trick's highest card.
    last: u8,
    laid: u8,
    /// The bits of cards above it.
    above: u16,
    over: bool,
}

/// What a player may do, as bits; 0 to pass.
pub(crate) struct Choices([u16; 14], usize);

impl Choices {
    pub(crate) fn as_slice(&self) -> &[u16] {
        &self.0[..self.1.min(14)]
    }

    pub(crate) fn len(&self) -> usize {
        self.as_slice().len()
    }
}

impl Table {
    pub(crate) fn of(view: &View) -> Table {
        Table {
            hands: view.hands.map(|hand| hand.bits()),
            captured: [0; MOST_SEATS],
            seats: view.seats.clamp(2, MOST_SEATS as u8),
            in_trick: view.in_trick,
            turn: view.seat,
            last: view.trick().last().map_or(view.seat, |laid| laid.seat),
            laid: view.laid,
            above: if view.laid == 0 { ALL } else { ALL & ALL << (view.highest().clamp(2, 14) - 1) },
            over: false,
        }
    }

    fn hand(&self, seat: u8) -> u16 {
        // The remainder tells the compiler that the index is in bounds.
        self.hands[usize::from(seat) % MOST_SEATS]
    }

    fn playable(&self) -> u16 {
        self.hand(self.turn) & self.above
    }

    pub(crate) fn choices(&self) -> Choices {
        let mut choices = Choices([0; 14], 0);
        let mut rest = self.playable();
        while rest != 0 {
            choices.0[choices.1] = lowest(rest);
            choices.1 += 1;
            rest &= rest - 1;
        }
        // Where a pass is one of them, it is the 0 behind the cards.
        choices.1 += usize::from(self.laid > 0);
        choices
    }

    fn next_seat(&self, seat: u8) -> u8 {
        if seat + 1 >= self.seats { 0 } else { seat + 1 }
    }

    /// The player in turn lays a card or, with 0, passes; the turn goes to the next who can choose.
    pub(crate) fn act(&mut self, card: u16) {
        if card == 0 {
            self.in_trick &= !(1 << (self.turn % 8));
        } else {
            self.hands[usize::from(self.turn) % MOST_SEATS] &= !card;
            self.above = above(card);
            self.laid += 1;
            self.last = self.turn;
        }
        while self.in_trick & self.in_trick.wrapping_sub(1) != 0 {
            self.turn = self.next_seat(self.turn);
            let bit = 1 << (self.turn % 8);
            if self.in_trick & bit != 0 {
                if self.playable() != 0 {
                    return;
                }
                self.in_trick &= !bit;
            }
        }
        self.end_trick();
    }

    fn end_trick(&mut self) {
        self.captured[usize::from(self.last) % MOST_SEATS] += self.laid;
        self.laid = 0;
        self.above = ALL;
        self.in_trick = (0xff_u16 >> (8 - self.seats)) as u8;
        self.turn = self.next_seat(self.last);
        self.over = (0..self.seats).any(|seat| self.hand(seat) == 0);
    }

    /// Plays to the round's end; the work that it was.
    pub(crate) fn finish(&mut self, policies: &[Policy; MOST_SEATS], rng: &mut Rng) -> i32 {
        let seats = SEAT * i32::from(self.seats);
        let (step, mut work) = (STEP + seats, PLAYOUT + seats);
        while !self.over {
            let card = match policies[usize::from(self.turn) % MOST_SEATS] {
                Policy::Miser => lowest(self.playable()),
                Policy::Counter => self.counted(),
                Policy::Random => self.drawn(rng),
            };
            self.act(card);
            work += step;
        }
        work
    }

    /// What the bot `counter` would do.
    fn counted(&self) -> u16 {
        let card = lowest(self.playable());
        if self.laid == 0 {
            return card;
        }
        // The highest card when the turn comes back, if all others in the trick lay their lowest.
        let (mut highest, mut seat) = (card, self.next_seat(self.turn));
        while seat != self.turn {
            if self.in_trick >> seat & 1 != 0 {
                let answer = lowest(self.hand(seat) & above(highest));
                highest = highest.max(answer);
            }
            seat = self.next_seat(seat);
        }
        if highest == card || self.hand(self.turn) & above(highest) != 0 { card } else { 0 }
    }

    fn drawn(&self, rng: &mut Rng) -> u16 {
        let mut rest = self.playable();
        for _ in 0..rng.below(rest.count_ones() + u32::from(self.laid > 0)) {
            rest &= rest - 1;
        }
        lowest(rest)
    }
}

/// The bits of the cards above one.
fn above(card: u16) -> u16 {
    ALL & !(card | (card - 1))
}

fn lowest(cards: u16) -> u16 {
    cards & cards.wrapping_neg()
}
