//! Keeps track of where cards are: it knows what it gave to whom, and spreads the rest by likelihood over
//! the hands it cannot see. It claims when the chance that the claim is true is worth the garnet.
#![cfg_attr(target_arch = "wasm32", no_std)]

use bot_sdk::passing_cards::{Bot, HAND, NOBODY, Orders, SEATS, View};

/// By player and name: how many such cards the player is expected to hold.
type Cards = [[f32; SEATS]; SEATS];

/// The share of a hand's cards that moves on in a round, as far as it cannot be seen.
const MOVING: f32 = 0.4;
/// The same for cards with their holder's own name: many a bot keeps one of these longest.
const MOVING_OWN: f32 = 0.2;
/// The likelihood from which on a claim is worth the garnet that it costs if it is false.
const WORTH_A_GARNET: f32 = 0.5;

/// The bot.
pub struct Tracker {
    /// What the players are expected to hold beside their sure cards.
    unseen: Cards,
    /// By player: the card that it was given last round and surely holds.
    sure: [u8; SEATS],
    /// The gifts ordered last.
    gifts: [u8; SEATS],
}

impl Tracker {
    /// How likely a player holds a name at all.
    fn holds(&self, player: usize, name: usize) -> f32 {
        if usize::from(self.sure[player]) == name { 1.0 } else { self.unseen[player][name].min(1.0) }
    }

    /// What the end of the last round changed.
    fn update(&mut self, view: &View) {
        let own = usize::from(view.own_seat);
        for player in (0..SEATS).filter(|&player| player != own) {
            // The sure card may have moved on by now, like all others.
            if let Some(count) = self.unseen[player].get_mut(usize::from(self.sure[player])) {
                *count += 1.0;
            }
            self.sure[player] = NOBODY;
        }
        for received in view.received() {
            // It held that card and holds it no longer; the other two are as likely as before.
            let row = &mut self.unseen[usize::from(received.giver)];
            let count = &mut row[usize::from(received.card)];
            *count = (*count - 1.0).max(0.0);
            self.sure[usize::from(received.giver)] = self.gifts[usize::from(received.giver)];
        }
        let mut pool = [0.0; SEATS];
        for player in (0..SEATS).filter(|&player| player != own) {
            for (sum, count) in pool.iter_mut().zip(self.unseen[player]) {
                *sum += count / (SEATS - 1) as f32;
            }
        }
        for player in (0..SEATS).filter(|&player| player != own) {
            for (name, (count, mean)) in self.unseen[player].iter_mut().zip(pool).enumerate() {
                let moving = if name == player { MOVING_OWN } else { MOVING };
                *count += moving * (mean - *count);
            }
        }
        self.fit(view);
    }

    /// Makes the counts add up: three cards in every hand, three cards of every name.
    fn fit(&mut self, view: &View) {
        let own = usize::from(view.own_seat);
        self.unseen[own] = [0.0; SEATS];
        let mut left = [3.0f32; SEATS];
        for card in view.own_cards.into_iter().chain(self.sure).filter(|&card| card != NOBODY) {
            left[usize::from(card)] -= 1.0;
        }
        for _ in 0..4 {
            for name in 0..SEATS {
                let sum: f32 = self.unseen.iter().map(|row| row[name]).sum();
                let factor = if sum > 0.0 { left[name].max(0.0) / sum } else { 0.0 };
                self.unseen.iter_mut().for_each(|row| row[name] *= factor);
            }
            for player in (0..SEATS).filter(|&player| player != own) {
                let cards = if self.sure[player] == NOBODY { 3.0 } else { 2.0 };
                let sum: f32 = self.unseen[player].iter().sum();
                let factor = if sum > 0.0 { cards / sum } else { 0.0 };
                self.unseen[player].iter_mut().for_each(|count| *count *= factor);
            }
        }
    }

    /// How likely the own hand and two others hold so many names.
    fn chance(&self, view: &View, others: [usize; 2]) -> f32 {
        // chances[n]: exactly n names so far.
        let mut chances = [0.0f32; SEATS + 1];
        chances[0] = 1.0;
        for name in 0..SEATS {
            let [a, b] = others.map(|other| 1.0 - self.holds(other, name));
            let held = if view.own_cards.contains(&(name as u8)) { 1.0 } else { 1.0 - a * b };
            for n in (1..=SEATS).rev() {
                chances[n] += held * (chances[n - 1] - chances[n]);
            }
            chances[0] *= 1.0 - held;
        }
        chances[usize::from(view.needed)..=9].iter().sum()
    }

    /// The likeliest claim.
    fn best_claim(&self, view: &View) -> (f32, [u8; 2]) {
        let mut best = (0.0, [NOBODY; 2]);
        for a in (0..SEATS).filter(|&a| a != usize::from(view.own_seat)) {
            for b in (0..a).filter(|&b| b != usize::from(view.own_seat)) {
                let chance = self.chance(view, [a, b]);
                if chance > best.0 {
                    best = (chance, [a as u8, b as u8]);
                }
            }
        }
        best
    }
}

impl Bot for Tracker {
    fn new(_seat: u32, _seats: u32, _seed: u64) -> Self {
        let mut unseen = [[0.0; SEATS]; SEATS];
        (0..SEATS).for_each(|player| unseen[player][player] = HAND as f32);
        Tracker { unseen, sure: [NOBODY; SEATS], gifts: [NOBODY; SEATS] }
    }

    fn orders(&mut self, view: &View) -> Orders {
        if view.round > 1 {
            self.update(view);
        }
        let mut orders = Orders::NONE;
        let (chance, claim) = self.best_claim(view);
        if chance > WORTH_A_GARNET || view.own_garnets == 0 {
            orders.claim = claim;
        }

        // A card held twice goes first, the own name last: with it in hand no own claim misses it.
        let mut hand = view.own_cards;
        let mut left = HAND;
        for partner in view.partners() {
            let mut best = (f32::MAX, 0);
            for place in 0..left {
                let twice = hand[..left].iter().filter(|&&card| card == hand[place]).count() > 1;
                let mut keep = self.holds(usize::from(partner), usize::from(hand[place]));
                keep += if twice { 0.0 } else { 2.0 };
                keep += if hand[place] == view.own_seat { 1.0 } else { 0.0 };
                if keep < best.0 {
                    best = (keep, place);
                }
            }
            orders.give(partner, hand[best.1]);
            left -= 1;
            hand.swap(best.1, left);
        }
        self.gifts = orders.gifts;

        // The option with more that is new.
        let news = |option: u8| -> f32 {
            let names = (0..SEATS).filter(|&name| !view.own_cards.contains(&(name as u8)));
            names.map(|name| self.holds(usize::from(option), name)).sum()
        };
        let [first, second] = view.options;
        orders.challenge = if news(second) > news(first) { second } else { first };
        orders
    }

    fn vote(&mut self, view: &View) -> u8 {
        // A rival that has won too loses most by it.
        let rival = |&candidate: &u8| (candidate != view.own_seat, view.claims[usize::from(candidate)][0] != NOBODY);
        view.candidates().max_by_key(rival).unwrap_or(NOBODY)
    }
}

bot_sdk::export!(passing_cards, Tracker, name: "tracker", author: "arena",
    description: "Tracks the cards and claims when the chance is good");
