// The rest of a round between two players: alpha-beta with deepening; at its depth's end misers play on.

use bot_sdk::card_hunt::{RANKS, View};

const ALL: u16 = (1 << RANKS) - 1;

/// Fuel of a position, of a choice in it, and of a miser's step, all rather too high.
const NODE: i32 = 500;
const CHOICE: i32 = 330;
const STEP: i32 = 230;

/// A position, hands as bits, from the side of the player in turn.
#[derive(Clone, Copy)]
pub(crate) struct Duel {
    own: u16,
    other: u16,
    /// The bits of cards above the trick's highest.
    above: u16,
    laid: i32,
}

impl Duel {
    pub(crate) fn of(view: &View) -> Duel {
        Duel {
            own: view.own_hand().bits(),
            other: view.hand(1 - view.seat.min(1)).bits(),
            above: higher(1 << view.highest() >> 2),
            laid: view.laid.into(),
        }
    }

    /// Lays a card: what the player captures at once, and how it goes on, from the other's side.
    fn play(self, card: u16) -> (i32, Option<Duel>) {
        let (own, above, laid) = (self.own & !card, higher(card), self.laid + 1);
        if self.other & above != 0 {
            (0, Some(Duel { own: self.other, other: own, above, laid }))
        } else if own == 0 || self.other == 0 {
            (laid, None)
        } else {
            // Left of the winner is the other.
            (laid, Some(Duel { own: self.other, other: own, above: ALL, laid: 0 }))
        }
    }

    /// Passes: how it goes on, from the same player's side, for it leads next.
    fn pass(self) -> Option<Duel> {
        (self.other != 0).then_some(Duel { above: ALL, laid: 0, ..self })
    }
}

/// The bits above a card's; above no card (0) all.
fn higher(card: u16) -> u16 {
    ALL & !(card | card.wrapping_sub((card != 0).into()))
}

fn lowest(cards: u16) -> u16 {
    cards & cards.wrapping_neg()
}

/// The best choice that so much work finds, as a bit; 0 to pass.
pub(crate) fn best(duel: Duel, work: i32) -> u16 {
    let mut search = Search { work, cut: false, choice: 0 };
    let mut best = lowest(duel.own & duel.above);
    for depth in 1.. {
        search.cut = false;
        search.value(duel, depth, -100, 100);
        if search.work <= 0 {
            break;
        }
        best = search.choice;
        if !search.cut {
            break;
        }
    }
    best
}

struct Search {
    work: i32,
    /// Whether the depth ended before the round did.
    cut: bool,
    /// The best choice in the position that was looked at last, which at the end is the first.
    choice: u16,
}

impl Search {
    /// What the player in turn will capture more than the other from here on. Out of work it is anything.
    fn value(&mut self, duel: Duel, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        if depth == 0 {
            self.cut = true;
            return self.misers(duel);
        }
        self.work -= NODE;
        let (mut best, mut choice) = (-100, 0);
        let mut rest = duel.own & duel.above;
        loop {
            self.work -= CHOICE;
            let card = lowest(rest);
            rest &= !card;
            let next = lowest(rest);
            if next != 0 && duel.other & (next | (next - 1)) & !(card - 1) == 0 {
                // Nothing of the other's tells this card from the next.
                continue;
            }
            let value = if card != 0 {
                let (gain, next) = duel.play(card);
                gain - next.map_or(0, |next| self.value(next, depth - 1, gain - beta, gain - alpha))
            } else if duel.laid > 0 {
                let lost = duel.laid;
                duel.pass().map_or(0, |next| self.value(next, depth - 1, alpha + lost, beta + lost)) - lost
            } else {
                break;
            };
            if value > best {
                (best, choice) = (value, card);
            }
            alpha = alpha.max(value);
            if alpha >= beta || card == 0 || self.work <= 0 {
                break;
            }
        }
        self.choice = choice;
        best
    }

    /// Both play their lowest allowed card to the end.
    fn misers(&mut self, mut duel: Duel) -> i32 {
        let (mut value, mut sign) = (0, 1);
        loop {
            self.work -= STEP;
            let (gain, next) = duel.play(lowest(duel.own & duel.above));
            value += sign * gain;
            sign = -sign;
            match next {
                Some(next) => duel = next,
                None => return value,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perfect_play_of_a_short_suit_is_worth_nothing_or_one_less() {
        for ranks in 2..=6 {
            let own = (1 << ranks) - 1;
            let mut search = Search { work: i32::MAX, cut: false, choice: 0 };
            let value = search.value(Duel { own, other: own, above: ALL, laid: 0 }, 100, -100, 100);
            assert!(!search.cut && search.work > 0, "{ranks}: not searched to the end");
            assert_eq!(value, if ranks % 2 == 1 { 0 } else { -1 }, "{ranks}");
        }
    }
}
