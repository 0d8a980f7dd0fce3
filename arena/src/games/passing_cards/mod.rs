//! Passing Cards: ten seats in simultaneous rounds; challenge to trade, trade cards, and claim that three hands
//! hold enough different names.
//!
//! The cycles are hidden and so are the other hands. Chance draws the cycles, default gifts and tied votes.

mod cycle;
mod event;
#[cfg(test)]
mod tests;
mod words;

use bot_sdk::passing_cards::{
    HAND, NAME, NOBODY, Orders, Partner, ROUNDS, Received, SEATS, View, decision, needed, side,
};
use serde::{Deserialize, Serialize};

use super::{
    BadOption, Choices, DealRng, DecisionInfo, Dynamics, Game, GameInfo, Node, Outcome, Seating, Verdict, Witness,
};
use crate::ids::{Seat, SeatSet};
use cycle::Cycle;
pub use event::{Event, Reason};

/// League options of Passing Cards.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// The garnets that each player starts with, 0 to 100.
    #[serde(deserialize_with = "super::whole_number::<0, MAX_GARNETS, _>")]
    pub garnets: u8,
}

impl Default for Options {
    fn default() -> Self {
        Options { garnets: 2 }
    }
}

/// The most garnets to start with: what is won on top still fits into a byte.
const MAX_GARNETS: u8 = 100;
/// What a true claim wins, beside the token.
const PRIZE: u8 = 3;

/// A legal answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// To `orders`; illegal parts are left out.
    Orders(Orders),
    /// To `vote`: a candidate.
    Vote(Seat),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Orders,
    Vote,
    /// With the elimination candidate.
    Over(Seat),
}

/// A state of the game.
#[derive(Clone, Debug)]
pub struct PassingCards {
    /// The cycles of all rounds. Nothing that players do has a part in them, so they are drawn at the start: the
    /// same deal has the same cycles whoever plays, and a peek draws nothing.
    cycles: [Cycle; ROUNDS as usize],
    /// The round, from 1.
    round: u8,
    /// By seat: the options of this round.
    options: [[u8; 2]; SEATS],
    hands: [[u8; HAND]; SEATS],
    garnets: [u8; SEATS],
    trades: [u8; SEATS],
    /// By seat, in partner order: who trades at the end of this round.
    partners: [[Partner; HAND]; SEATS],
    /// By seat: what came in at the end of the round before.
    received: [[Received; HAND]; SEATS],
    /// Who spent a garnet last round: this round's notice shows them a round ahead. A peek of this round adds to the
    /// next notice only, and must not change what a vote in this round shows.
    peeked: SeatSet,
    /// By seat: the two others of a true claim.
    claims: [[u8; 2]; SEATS],
    winners: SeatSet,
    candidates: SeatSet,
    stage: Stage,
}

/// The number of different names in three hands.
fn names(hands: [&[u8; HAND]; 3]) -> SeatSet {
    hands.into_iter().flatten().map(|&card| Seat(card)).collect()
}

/// One of the seats, each equally likely; the set must not be empty.
fn draw(seats: SeatSet, deal: &mut DealRng) -> Seat {
    let index = deal.below(seats.len() as u32) as usize;
    seats.iter().nth(index).expect("an index below the number of seats")
}

/// The place in hand of a card that is not given away yet.
fn place_of(card: u8, hand: &[u8; HAND], given: &[bool; HAND]) -> Option<usize> {
    (0..HAND).find(|&place| hand[place] == card && !given[place])
}

impl PassingCards {
    fn partners(&self, seat: usize) -> impl Iterator<Item = (usize, Partner)> + use<> {
        self.partners[seat].into_iter().enumerate().take_while(|(_, partner)| partner.side != side::NONE)
    }

    fn begin_round<W: Witness<Event>>(&mut self, witness: &mut W) {
        let cycle = &self.cycles[usize::from(self.round) - 1];
        self.options = cycle::options(cycle);
        witness.event(|| Event::RoundBegins {
            round: self.round,
            needed: needed(self.round),
            cycle: cycle.map(Seat),
            hands: self.hands.map(|hand| hand.map(Seat)),
            garnets: self.garnets,
        });
    }

    /// The legal parts of the orders.
    fn judge_orders(&self, seat: Seat, mut orders: Orders) -> Verdict<Action> {
        let own = seat.index();
        let asked = orders;
        orders.gifts = [NOBODY; SEATS];
        let mut given = [false; HAND];
        for (_, Partner { seat: partner, .. }) in self.partners(own) {
            let card = asked.gifts[usize::from(partner)];
            if let Some(place) = place_of(card, &self.hands[own], &given) {
                given[place] = true;
                orders.give(partner, card);
            }
        }
        if !self.options[own].contains(&orders.challenge) {
            orders.challenge = NOBODY;
        }
        let [a, b] = orders.claim.map(usize::from);
        if a >= SEATS || b >= SEATS || a == b || a == own || b == own {
            orders.claim = [NOBODY; 2];
        }
        // What the last two rounds would show lies after the match.
        orders.peek &= self.garnets[own] > 0 && self.round + 2 <= ROUNDS;
        if orders == asked { Verdict::Legal(Action::Orders(orders)) } else { Verdict::Partly(Action::Orders(orders)) }
    }

    fn resolve_orders<W: Witness<Event>>(&mut self, choices: &Choices<Action>, deal: &mut DealRng, witness: &mut W) {
        let mut orders = [Orders::NONE; SEATS];
        for (orders, choice) in orders.iter_mut().zip(choices) {
            if let Some(Action::Orders(chosen)) = choice {
                *orders = *chosen;
            }
        }
        let peeking = self.peek(&orders, witness);
        self.claim(&orders, witness);
        if !self.winners.is_empty() {
            return self.end_with_winners(deal, witness);
        }
        self.trade(&orders, deal, witness);
        if self.round == ROUNDS {
            return self.end_without_winners(deal, witness);
        }
        self.challenge(&orders, witness);
        self.round += 1;
        self.peeked = peeking;
        self.begin_round(witness);
    }

    /// Takes the garnets of those who peek, and returns who they are.
    fn peek<W: Witness<Event>>(&mut self, orders: &[Orders; SEATS], witness: &mut W) -> SeatSet {
        let mut peeking = SeatSet::EMPTY;
        for seat in Seat::all(SEATS).filter(|seat| orders[seat.index()].peek) {
            self.garnets[seat.index()] -= 1;
            peeking.insert(seat);
            // Shown in the next round's view, of the round after that.
            let shown = self.cycles.get(usize::from(self.round) + 1);
            let options = shown.map(|cycle| cycle::options(cycle)[seat.index()].map(Seat));
            witness.event(|| Event::Peeked { seat, options });
        }
        peeking
    }

    fn claim<W: Witness<Event>>(&mut self, orders: &[Orders; SEATS], witness: &mut W) {
        for seat in Seat::all(SEATS) {
            let own = seat.index();
            let [a, b] = orders[own].claim;
            if a == NOBODY {
                continue;
            }
            let found = names([&self.hands[own], &self.hands[usize::from(a)], &self.hands[usize::from(b)]]);
            let right = found.len() >= needed(self.round).into();
            witness.event(|| Event::Claimed { seat, others: [Seat(a), Seat(b)], names: found.len() as u8, right });
            if right {
                self.garnets[own] += PRIZE;
                self.claims[own] = [a, b];
                self.winners.insert(seat);
                let missing = Seat::all(SEATS).filter(|&name| !found.contains(name));
                missing.for_each(|name| self.candidates.insert(name));
            } else {
                self.garnets[own] = self.garnets[own].saturating_sub(1);
            }
        }
    }

    /// Which card each seat gives to each partner, by place in hand, and which of these the host drew.
    fn gifts(&self, orders: &[Orders; SEATS], deal: &mut DealRng) -> [[(usize, bool); HAND]; SEATS] {
        let mut gifts = [[(0, false); HAND]; SEATS];
        for own in 0..SEATS {
            let hand = &self.hands[own];
            let mut given = [false; HAND];
            let mut drawn = [false; HAND];
            for (index, partner) in self.partners(own) {
                match place_of(orders[own].gifts[usize::from(partner.seat)], hand, &given) {
                    Some(place) => {
                        given[place] = true;
                        gifts[own][index] = (place, false);
                    }
                    None => drawn[index] = true,
                }
            }
            // Named cards first, or a drawn one might be one of them.
            for index in (0..HAND).filter(|&index| drawn[index]) {
                let others = (0..HAND).filter(|&place| !given[place] && usize::from(hand[place]) != own);
                let left = (0..HAND).filter(|&place| !given[place]);
                let place = match others.clone().count() {
                    0 => left.clone().nth(deal.below(left.count() as u32) as usize),
                    count => others.clone().nth(deal.below(count as u32) as usize),
                }
                .expect("as many cards as partners at least");
                given[place] = true;
                gifts[own][index] = (place, true);
            }
        }
        gifts
    }

    /// All trades of the round at once. A card comes in at the place of the one that goes out for it.
    fn trade<W: Witness<Event>>(&mut self, orders: &[Orders; SEATS], deal: &mut DealRng, witness: &mut W) {
        let gifts = self.gifts(orders, deal);
        let hands = self.hands;
        self.received = [[Received::NONE; HAND]; SEATS];
        for own in 0..SEATS {
            for (index, partner) in self.partners(own) {
                let other = usize::from(partner.seat);
                let back = (0..HAND).find(|&back| self.partners[other][back].seat == own as u8);
                let (theirs, their_default) = gifts[other][back.expect("a trade has two sides")];
                let (ours, our_default) = gifts[own][index];
                let card = hands[other][theirs];
                self.hands[own][ours] = card;
                self.received[own][index] = Received { giver: partner.seat, card };
                self.trades[own] += 1;
                if partner.side == side::SELF {
                    witness.event(|| Event::Traded {
                        seat: Seat(own as u8),
                        partner: Seat(partner.seat),
                        given: Seat(hands[own][ours]),
                        got: Seat(card),
                        defaults: [our_default, their_default],
                    });
                }
            }
        }
    }

    /// Makes the challenges of this round the partners of the next.
    fn challenge<W: Witness<Event>>(&mut self, orders: &[Orders; SEATS], witness: &mut W) {
        self.partners = [[Partner::NONE; HAND]; SEATS];
        let mut counts = [0; SEATS];
        let mut add = |to: u8, partner: Partner| {
            let count = &mut counts[usize::from(to)];
            self.partners[usize::from(to)][*count] = partner;
            *count += 1;
        };
        let challenges = || orders.iter().map(|orders| orders.challenge).zip(0u8..).filter(|&(to, _)| to != NOBODY);
        for (option, seat) in challenges() {
            add(option, Partner { seat, side: side::PARTNER });
            witness.event(|| Event::Challenged { seat: Seat(seat), option: Seat(option) });
        }
        for (option, seat) in challenges() {
            add(seat, Partner { seat: option, side: side::SELF });
        }
    }

    fn end_with_winners<W: Witness<Event>>(&mut self, deal: &mut DealRng, witness: &mut W) {
        let (winners, candidates) = (self.winners, self.candidates);
        witness.event(|| Event::Won { winners: winners.iter().collect(), candidates: candidates.iter().collect() });
        if candidates.len() == 1 {
            self.eliminate(draw(candidates, deal), Reason::OnlyMissing, witness);
        } else {
            self.stage = Stage::Vote;
        }
    }

    fn end_without_winners<W: Witness<Event>>(&mut self, deal: &mut DealRng, witness: &mut W) {
        let trades = self.trades;
        witness.event(|| Event::NobodyWon { trades });
        let fewest = trades.iter().min().copied().unwrap_or(0);
        self.candidates = Seat::all(SEATS).filter(|seat| trades[seat.index()] == fewest).collect();
        let reason = if self.candidates.len() == 1 { Reason::FewestTrades } else { Reason::DrawnAmongFewestTrades };
        self.eliminate(draw(self.candidates, deal), reason, witness);
    }

    fn resolve_vote<W: Witness<Event>>(&mut self, choices: &Choices<Action>, deal: &mut DealRng, witness: &mut W) {
        let mut votes = [0u8; SEATS];
        for (seat, choice) in Seat::all(SEATS).zip(choices) {
            if let &Some(Action::Vote(candidate)) = choice {
                votes[candidate.index()] += 1;
                witness.event(|| Event::Voted { seat, candidate });
            }
        }
        let most = votes.iter().max().copied().unwrap_or(0);
        // Without a vote all candidates have the most, none.
        let voted: SeatSet = self.candidates.iter().filter(|seat| votes[seat.index()] == most).collect();
        let reason = match (most, voted.len()) {
            (0, _) => Reason::DrawnWithoutVotes,
            (_, 1) => Reason::Votes,
            _ => Reason::DrawnAmongVoted,
        };
        self.eliminate(draw(voted, deal), reason, witness);
    }

    fn eliminate<W: Witness<Event>>(&mut self, seat: Seat, reason: Reason, witness: &mut W) {
        let lost_token = self.winners.contains(seat);
        witness.event(|| Event::Eliminated { seat, reason, lost_token });
        self.stage = Stage::Over(seat);
    }
}

impl Game for PassingCards {
    const INFO: GameInfo = GameInfo {
        name: NAME,
        title: "Passing Cards",
        summary: "Ten players trade cards and claim that three hands hold enough different names.",
        seats: (SEATS, SEATS),
        dynamics: Dynamics::Simultaneous,
        chance: true,
        hidden: true,
        decisions: &[
            DecisionInfo { name: "orders", fuel_percent: 100 },
            DecisionInfo { name: "vote", fuel_percent: 100 },
        ],
        seating: Seating::Shuffled,
        rules_version: 2,
    };
    type Options = Options;
    type View = View;
    type Action = Action;
    type Event = Event;

    fn check_options(options: &Options, _seats: usize) -> Result<(), BadOption> {
        if options.garnets > MAX_GARNETS {
            return Err(BadOption::new(
                "garnets",
                format!("expected a whole number from 0 to {MAX_GARNETS}, found {}", options.garnets),
            ));
        }
        Ok(())
    }

    fn initial_state<W: Witness<Event>>(options: &Options, _seats: usize, deal: &mut DealRng, witness: &mut W) -> Self {
        let mut cycles = [cycle::first(deal); ROUNDS as usize];
        for round in 1..cycles.len() {
            cycles[round] = cycle::next(&cycles[round - 1], deal);
        }
        let mut state = PassingCards {
            cycles,
            round: 1,
            options: [[NOBODY; 2]; SEATS],
            hands: std::array::from_fn(|seat| [seat as u8; HAND]),
            garnets: [options.garnets; SEATS],
            trades: [0; SEATS],
            partners: [[Partner::NONE; HAND]; SEATS],
            received: [[Received::NONE; HAND]; SEATS],
            peeked: SeatSet::EMPTY,
            claims: [[NOBODY; 2]; SEATS],
            winners: SeatSet::EMPTY,
            candidates: SeatSet::EMPTY,
            stage: Stage::Orders,
        };
        state.begin_round(witness);
        state
    }

    fn node(&self) -> Node {
        match self.stage {
            Stage::Orders => Node::Act { decision: decision::ORDERS as u8, seats: SeatSet::first(SEATS) },
            Stage::Vote => Node::Act { decision: decision::VOTE as u8, seats: self.winners },
            Stage::Over(_) => Node::Terminal,
        }
    }

    fn judge(&self, seat: Seat, answer: i64) -> Verdict<Action> {
        if self.stage == Stage::Orders {
            return match Orders::unpack(answer) {
                Some(orders) => self.judge_orders(seat, orders),
                None => Verdict::Illegal,
            };
        }
        match self.candidates.iter().find(|candidate| i64::from(candidate.0) == answer) {
            Some(candidate) => Verdict::Legal(Action::Vote(candidate)),
            None => Verdict::Illegal,
        }
    }

    fn legal_answers(&self, seat: Seat, each: &mut dyn FnMut(i64)) {
        if self.stage != Stage::Orders {
            return self.candidates.iter().map(|candidate| candidate.0.into()).for_each(each);
        }
        // All choices of gifts and all claims, each of them with every challenge and peek, but not with one another.
        // Whether gifts and claim are legal has nothing to do with the rest.
        let own = seat.index();
        let with_peek = Orders { peek: true, ..Orders::NONE };
        let peeks = match self.judge_orders(seat, with_peek) {
            Verdict::Legal(_) => &[false, true][..],
            _ => &[false],
        };
        let mut each = |orders: Orders| {
            if !matches!(self.judge_orders(seat, orders), Verdict::Legal(_)) {
                return;
            }
            for challenge in [NOBODY, self.options[own][0], self.options[own][1]] {
                for &peek in peeks {
                    each(Orders { challenge, peek, ..orders }.pack());
                }
            }
        };
        // A number of base 4 for the gifts: for each partner no card or the one at a place in hand.
        let count = self.partners(own).count() as u32;
        for choice in 0..4usize.pow(count) {
            let mut orders = Orders::NONE;
            for (index, partner) in self.partners(own) {
                if let Some(place) = (choice >> (2 * index) & 3).checked_sub(1) {
                    orders.give(partner.seat, self.hands[own][place]);
                }
            }
            each(orders);
        }
        for a in 0..SEATS as u8 {
            for b in 0..a {
                each(Orders { claim: [a, b], ..Orders::NONE });
            }
        }
    }

    fn observe(&self, seat: Seat, view: &mut View) {
        let own = seat.index();
        view.own_seat = seat.0;
        view.round = self.round;
        view.needed = needed(self.round);
        view.own_garnets = self.garnets[own];
        view.own_trades = self.trades[own];
        view.own_cards = self.hands[own];
        view.options = self.options[own];
        view.next_options = match self.cycles.get(usize::from(self.round)) {
            Some(next) if self.peeked.contains(seat) => cycle::options(next)[own],
            _ => [NOBODY; 2],
        };
        view.partners = self.partners[own];
        view.received = self.received[own];
        view.claims = self.claims;
        for candidate in self.candidates.iter() {
            view.candidates[candidate.index()] = 1;
        }
    }

    fn apply<W: Witness<Event>>(&mut self, choices: &Choices<Action>, deal: &mut DealRng, witness: &mut W) {
        match self.stage {
            Stage::Vote => self.resolve_vote(choices, deal, witness),
            _ => self.resolve_orders(choices, deal, witness),
        }
    }

    fn outcome(&self) -> Outcome {
        let garnets = self.garnets.map(i32::from);
        Outcome::by_key(&garnets, |seat| {
            let class = match self.stage {
                Stage::Over(candidate) if candidate == seat => 0,
                _ if self.winners.contains(seat) => 2,
                _ => 1,
            };
            (class, garnets[seat.index()])
        })
    }

    fn describe(view: &View, asked: u8) -> String {
        words::describe(view, asked)
    }

    fn phrase(asked: u8, answer: i64) -> String {
        match Orders::unpack(answer) {
            Some(orders) if u32::from(asked) == decision::ORDERS => words::phrase(orders),
            _ => answer.to_string(),
        }
    }

    fn read(view: &View, asked: u8, text: &str) -> Option<Result<i64, String>> {
        (u32::from(asked) == decision::ORDERS).then(|| words::read(view, text).map(Orders::pack))
    }

    /// A seat hears only what its next view would show it.
    fn heard(event: &Event, seat: Seat) -> Option<String> {
        match event {
            Event::RoundBegins { round, .. } => Some(format!("\nRound {round}")),
            // What it shows is the next view's to tell.
            Event::Peeked { seat: own, .. } if *own == seat => Some(Event::Peeked { seat, options: None }.to_string()),
            Event::Claimed { seat: own, .. } if *own == seat => Some(event.to_string()),
            Event::Won { .. } | Event::NobodyWon { .. } | Event::Eliminated { .. } => Some(event.to_string()),
            _ => None,
        }
    }
}
