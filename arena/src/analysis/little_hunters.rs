//! Little Hunters, solved: what any two policies score against each other and what the best
//! possible opponent gains.
//!
//! Within a bout everything is public but the card just chosen, so a [`State`] is only the two
//! hands, and there are 126 of them. A [`Policy`] says for each state how often a player makes each
//! [`Choice`]: a card, with the guess that follows if it turns out to be the lower one. From these
//! follow
//!
//! - [`bout`] and [`match_of`]: the chances of a win, a tie and a loss between two policies;
//! - [`best_response`]: the strongest answer to a policy, and with it the policy's exploitability;
//! - [`equilibrium`]: perfect play, by backward induction over a matrix game in each state;
//! - [`Samples`]: the policy of a player known only by its choices, for all of the above.
//!
//! A policy has no memory, and neither does the best response to it. A bot that recalls earlier
//! bouts, or how the hands came to be, or that fails a decision is outside the model. The rules
//! themselves are written a second time here, apart from the game that matches are played with, so
//! that each can be tested against the other.

use std::cmp::Ordering;

use thiserror::Error;

/// A card: 1 to 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// Number of different cards.
    pub const COUNT: usize = 5;

    /// The card of this value, if there is one.
    pub const fn new(value: u8) -> Option<Card> {
        if 1 <= value && value as usize <= Card::COUNT { Some(Card(value)) } else { None }
    }

    /// Its value, 1 to 5.
    pub const fn value(self) -> u8 {
        self.0
    }

    /// All cards, lowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Card> {
        (1..=Card::COUNT as u8).map(Card)
    }

    fn index(self) -> usize {
        usize::from(self.0 - 1)
    }

    fn bit(self) -> u8 {
        1 << self.index()
    }
}

/// A hand at the start of a round: 3 to 5 different cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hand(u8);

impl Hand {
    /// The hand a bout starts with: every card.
    pub const FULL: Hand = Hand(0b11111);

    /// Cards in the hand of the third and last round.
    const LAST: usize = 3;

    /// The hand of a mask in which bit 0 stands for card 1, bit 4 for card 5. `None` if a round
    /// cannot start with it.
    pub const fn from_mask(mask: u8) -> Option<Hand> {
        if mask <= Hand::FULL.0 && mask.count_ones() as usize >= Hand::LAST { Some(Hand(mask)) } else { None }
    }

    /// The mask of [`Hand::from_mask`].
    pub const fn mask(self) -> u8 {
        self.0
    }

    /// Whether the card is in the hand.
    pub fn contains(self, card: Card) -> bool {
        self.0 & card.bit() != 0
    }

    /// The cards, lowest first.
    pub fn cards(self) -> impl DoubleEndedIterator<Item = Card> {
        Card::all().filter(move |&card| self.contains(card))
    }

    /// Number of cards.
    fn size(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Number of lower masks of the same size.
    fn rank(self) -> usize {
        (0..self.0).filter(|mask| mask.count_ones() == self.0.count_ones()).count()
    }
}

/// The cards a player has revealed by the end of a bout, ordered by what decides it: the sum, then
/// the highest card in which two sets differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revealed {
    sum: u8,
    /// Bit 0 stands for card 1. Of two sets of three, the greater mask has the first higher card.
    mask: u8,
}

impl FromIterator<Card> for Revealed {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Revealed {
        cards.into_iter().fold(Revealed { sum: 0, mask: 0 }, |Revealed { sum, mask }, card| Revealed {
            sum: sum + card.value(),
            mask: mask | card.bit(),
        })
    }
}

/// The start of a round as one player sees it: both hands, equally large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    own: Hand,
    opponent: Hand,
}

impl State {
    /// The start of a bout.
    pub const START: State = State { own: Hand::FULL, opponent: Hand::FULL };

    /// Number of states: 1 in the first round, 5 x 5 in the second, 10 x 10 in the third.
    pub const COUNT: usize = 126;

    /// The state of these hands, if both have the same number of cards.
    pub fn new(own: Hand, opponent: Hand) -> Option<State> {
        (own.size() == opponent.size()).then_some(State { own, opponent })
    }

    /// All states, in an order in which each comes before those it leads to.
    pub fn all() -> impl DoubleEndedIterator<Item = State> {
        let hands = |size| (0..=Hand::FULL.0).map(Hand).filter(move |hand| hand.size() == size);
        (Hand::LAST..=Card::COUNT).rev().flat_map(move |size| {
            hands(size).flat_map(move |own| hands(size).map(move |opponent| State { own, opponent }))
        })
    }

    /// The player's own hand.
    pub fn own(self) -> Hand {
        self.own
    }

    /// The opponent's hand.
    pub fn opponent(self) -> Hand {
        self.opponent
    }

    /// The same state as the opponent sees it.
    pub fn flipped(self) -> State {
        State { own: self.opponent, opponent: self.own }
    }

    /// The state's place in [`State::all`].
    pub fn index(self) -> usize {
        let (before, hands) = match self.own.size() {
            5 => (0, 1),
            4 => (1, 5),
            _ => (26, 10),
        };
        before + self.own.rank() * hands + self.opponent.rank()
    }

    /// The higher cards that the opponent may have played against `card`, lowest first.
    pub fn targets(self, card: Card) -> impl DoubleEndedIterator<Item = Card> {
        self.opponent.cards().filter(move |&target| target > card)
    }

    /// The choices worth making, lowest card first: every card in hand with every guess that can be
    /// right, or with none if no guess can. Any other guess, or none, does at most as well.
    pub fn sensible_choices(self) -> Vec<Choice> {
        let mut choices = Vec::new();
        for card in self.own.cards() {
            let before = choices.len();
            choices.extend(self.targets(card).map(|target| Choice { card, guess: Some(target) }));
            if choices.len() == before {
                choices.push(Choice { card, guess: None });
            }
        }
        choices
    }

    /// What a round comes to.
    ///
    /// # Panics
    /// If a card is not in its player's hand.
    pub fn step(self, own: Choice, opponent: Choice) -> Step {
        assert!(
            self.own.contains(own.card) && self.opponent.contains(opponent.card),
            "{own:?} against {opponent:?} cannot be played in {self:?}"
        );
        match own.card.cmp(&opponent.card) {
            Ordering::Less if own.guess == Some(opponent.card) => return Step::Win,
            Ordering::Greater if opponent.guess == Some(own.card) => return Step::Loss,
            _ => {}
        }
        let left =
            State { own: Hand(self.own.0 & !own.card.bit()), opponent: Hand(self.opponent.0 & !opponent.card.bit()) };
        if self.own.size() > Hand::LAST {
            return Step::Next(left);
        }
        let revealed = |left: Hand| Card::all().filter(|&card| !left.contains(card)).collect::<Revealed>();
        match revealed(left.own).cmp(&revealed(left.opponent)) {
            Ordering::Greater => Step::Win,
            Ordering::Equal => Step::Tie,
            Ordering::Less => Step::Loss,
        }
    }
}

/// What a player decides in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Choice {
    /// The card to play.
    pub card: Card,
    /// The guess to make if that card is the lower one; `None` skips.
    pub guess: Option<Card>,
}

impl Choice {
    /// Number of choices, with every card in hand and every guess.
    pub const COUNT: usize = Card::COUNT * GUESSES;

    /// All choices, in the order of a row of [`Policy::table`]: by card, then by guess, none first.
    pub fn all() -> impl Iterator<Item = Choice> {
        Card::all().flat_map(|card| {
            let guesses = [None].into_iter().chain(Card::all().map(Some));
            guesses.map(move |guess| Choice { card, guess })
        })
    }

    fn index(self) -> usize {
        self.card.index() * GUESSES + guess_index(self.guess)
    }
}

/// Number of different guesses: the cards, or none.
const GUESSES: usize = Card::COUNT + 1;

fn guess_index(guess: Option<Card>) -> usize {
    guess.map_or(0, |card| usize::from(card.value()))
}

/// What a round comes to, for the player whose state it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The bout is won.
    Win,
    /// The bout is tied.
    Tie,
    /// The bout is lost.
    Loss,
    /// The next round starts here.
    Next(State),
}

/// How a player without memory plays: in each state, the probability of each choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    table: Vec<[f64; Choice::COUNT]>,
}

/// Why weights do not make a policy.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum PolicyError {
    /// A choice plays a card that is not in hand.
    #[error("play {card:?} in {state:?}: it is not in hand")]
    NotInHand {
        /// Where.
        state: State,
        /// The card.
        card: Card,
    },
    /// A weight is negative or not finite.
    #[error("give {choice:?} in {state:?} the weight {weight}: wanted a finite number of at least 0")]
    Weight {
        /// Where.
        state: State,
        /// The choice.
        choice: Choice,
        /// Its weight.
        weight: f64,
    },
    /// The weights of a state do not add to a positive, finite sum.
    #[error("share out the weights in {state:?}: their sum is {sum}")]
    Sum {
        /// Where.
        state: State,
        /// The sum.
        sum: f64,
    },
}

impl Policy {
    /// The policy whose probabilities in each state are proportional to the weights of the choices
    /// listed for it. A choice listed twice has the sum of both weights.
    ///
    /// # Errors
    /// If a state has a choice that cannot be played or weights that cannot be shared out.
    pub fn from_weights<I>(mut weights: impl FnMut(State) -> I) -> Result<Policy, PolicyError>
    where
        I: IntoIterator<Item = (Choice, f64)>,
    {
        let row = |state: State| {
            let mut row = [0.0; Choice::COUNT];
            for (choice, weight) in weights(state) {
                if !state.own.contains(choice.card) {
                    return Err(PolicyError::NotInHand { state, card: choice.card });
                }
                if !(weight.is_finite() && weight >= 0.0) {
                    return Err(PolicyError::Weight { state, choice, weight });
                }
                row[choice.index()] += weight;
            }
            let sum: f64 = row.iter().sum();
            if !(sum.is_finite() && sum > 0.0) {
                return Err(PolicyError::Sum { state, sum });
            }
            Ok(row.map(|weight| weight / sum))
        };
        Ok(Policy { table: State::all().map(row).collect::<Result<_, _>>()? })
    }

    /// U: a card uniformly from the hand, a guess uniformly among those that can be right.
    pub fn uniform() -> Policy {
        Policy::by_card(|state| state.own.cards().collect(), |state, card| state.targets(card).collect())
    }

    /// H: the highest card in hand, the highest guess that can be right.
    pub fn highest() -> Policy {
        Policy::by_card(|state| state.own.cards().next_back().into_iter().collect(), highest_target)
    }

    /// L: the lowest card in hand, the highest guess that can be right.
    pub fn lowest() -> Policy {
        Policy::by_card(|state| state.own.cards().next().into_iter().collect(), highest_target)
    }

    /// S: a card uniformly from the hand, never a guess.
    pub fn silent() -> Policy {
        Policy::by_card(|state| state.own.cards().collect(), |_, _| Vec::new())
    }

    /// Uniform among the cards, which must be in hand and at least one, and then among the guesses,
    /// none of which means to skip.
    fn by_card(cards: impl Fn(State) -> Vec<Card>, guesses: impl Fn(State, Card) -> Vec<Card>) -> Policy {
        let row = |state| {
            let mut row = [0.0; Choice::COUNT];
            let cards = cards(state);
            for &card in &cards {
                let mut guesses: Vec<_> = guesses(state, card).into_iter().map(Some).collect();
                if guesses.is_empty() {
                    guesses.push(None);
                }
                for &guess in &guesses {
                    row[Choice { card, guess }.index()] = 1.0 / (cards.len() * guesses.len()) as f64;
                }
            }
            row
        };
        Policy { table: State::all().map(row).collect() }
    }

    /// The probabilities: a row a state in the order of [`State::all`], a column a choice in the
    /// order of [`Choice::all`]. Each row adds to 1.
    pub fn table(&self) -> &[[f64; Choice::COUNT]] {
        &self.table
    }

    /// The choices made in a state at all, with their probabilities.
    pub fn choices(&self, state: State) -> impl Iterator<Item = (Choice, f64)> {
        Choice::all().zip(self.table[state.index()]).filter(|&(_, probability)| probability > 0.0)
    }

    /// The probability of a choice in a state.
    pub fn probability(&self, state: State, choice: Choice) -> f64 {
        self.table[state.index()][choice.index()]
    }
}

fn highest_target(state: State, card: Card) -> Vec<Card> {
    state.targets(card).next_back().into_iter().collect()
}

/// The probabilities of the three results of a bout or a match; they add to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// Of a win.
    pub win: f64,
    /// Of a tied bout, a drawn match.
    pub tie: f64,
    /// Of a loss.
    pub loss: f64,
}

impl Chances {
    const NONE: Chances = Chances { win: 0.0, tie: 0.0, loss: 0.0 };
    const WIN: Chances = Chances { win: 1.0, ..Chances::NONE };
    const TIE: Chances = Chances { tie: 1.0, ..Chances::NONE };
    const LOSS: Chances = Chances { loss: 1.0, ..Chances::NONE };

    /// The expected payoff of +1, 0, -1: between -1 and 1.
    pub fn payoff(self) -> f64 {
        self.win - self.loss
    }

    /// Adds other chances, as far as they come to pass.
    fn add(&mut self, probability: f64, then: Chances) {
        self.win += probability * then.win;
        self.tie += probability * then.tie;
        self.loss += probability * then.loss;
    }
}

/// The chances of `policy` in a bout against `opponent`.
pub fn bout(policy: &Policy, opponent: &Policy) -> Chances {
    let mut ahead = [Chances::NONE; State::COUNT];
    for state in State::all().rev() {
        let mut chances = Chances::NONE;
        for (own, p) in policy.choices(state) {
            for (theirs, q) in opponent.choices(state.flipped()) {
                let then = match state.step(own, theirs) {
                    Step::Win => Chances::WIN,
                    Step::Tie => Chances::TIE,
                    Step::Loss => Chances::LOSS,
                    Step::Next(next) => ahead[next.index()],
                };
                chances.add(p * q, then);
            }
        }
        ahead[state.index()] = chances;
    }
    ahead[State::START.index()]
}

/// The chances in a match of a player whose chances in each of its bouts are `bout`.
///
/// A match is a best of 15, over at 8 wins and otherwise not before its last bout; then, while it
/// is level, up to `tiebreak_series` best of 5, over at 3 wins; then drawn.
pub fn match_of(bout: Chances, tiebreak_series: u32) -> Chances {
    let mut chances = series(bout, 15, 8);
    let tiebreak = series(bout, 5, 3);
    for _ in 0..tiebreak_series {
        let level = chances.tie;
        chances.tie = 0.0;
        chances.add(level, tiebreak);
    }
    chances
}

/// The chances of winning more of at most `bouts` bouts; the series is over at `target` wins.
fn series(bout: Chances, bouts: usize, target: usize) -> Chances {
    // at[w][l]: the probability of w wins and l losses so far, the series not over.
    let mut at = vec![vec![0.0; target]; target];
    at[0][0] = 1.0;
    let mut chances = Chances::NONE;
    for _ in 0..bouts {
        let mut next = vec![vec![0.0; target]; target];
        for (wins, row) in at.iter().enumerate() {
            for (losses, &here) in row.iter().enumerate() {
                next[wins][losses] += here * bout.tie;
                match next.get_mut(wins + 1) {
                    Some(row) => row[losses] += here * bout.win,
                    None => chances.win += here * bout.win,
                }
                match next[wins].get_mut(losses + 1) {
                    Some(cell) => *cell += here * bout.loss,
                    None => chances.loss += here * bout.loss,
                }
            }
        }
        at = next;
    }
    for (wins, row) in at.iter().enumerate() {
        for (losses, &here) in row.iter().enumerate() {
            match wins.cmp(&losses) {
                Ordering::Greater => chances.win += here,
                Ordering::Equal => chances.tie += here,
                Ordering::Less => chances.loss += here,
            }
        }
    }
    chances
}

/// The strongest answer to a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct BestResponse {
    /// How to play: always one choice in a state, the first of those that do equally well.
    pub policy: Policy,
    /// The expected payoff of a bout. Perfect play is worth 0, so this is also how far the answered
    /// policy is from it: its exploitability, between 0 and 1.
    pub payoff: f64,
}

/// The strongest answer to a policy, by enumeration.
pub fn best_response(opponent: &Policy) -> BestResponse {
    let mut table = vec![[0.0; Choice::COUNT]; State::COUNT];
    let mut values = [0.0; State::COUNT];
    for state in State::all().rev() {
        let mut best: Option<(Choice, f64)> = None;
        for own in state.sensible_choices() {
            let payoff =
                opponent.choices(state.flipped()).map(|(theirs, q)| q * value(state.step(own, theirs), &values)).sum();
            if best.is_none_or(|(_, most)| payoff > most) {
                best = Some((own, payoff));
            }
        }
        if let Some((choice, payoff)) = best {
            table[state.index()][choice.index()] = 1.0;
            values[state.index()] = payoff;
        }
    }
    BestResponse { policy: Policy { table }, payoff: values[State::START.index()] }
}

/// The payoff a step is worth, given the values of the states it may lead to.
fn value(step: Step, values: &[f64; State::COUNT]) -> f64 {
    match step {
        Step::Win => 1.0,
        Step::Tie => 0.0,
        Step::Loss => -1.0,
        Step::Next(next) => values[next.index()],
    }
}

/// A policy that no opponent gains against, by backward induction.
///
/// Every state is a zero-sum matrix game; `solve` gets its payoffs to the player, a row a choice of
/// theirs, a column a choice of the opponent's, and returns an optimal mix of the rows as weights.
/// Optimal mixes are often not unique: which equilibrium results is up to `solve`.
///
/// # Errors
/// Those of `solve`, and a [`PolicyError`] if its weights cannot be shared out.
pub fn equilibrium<E: From<PolicyError>>(
    mut solve: impl FnMut(&[Vec<f64>]) -> Result<Vec<f64>, E>,
) -> Result<Policy, E> {
    let mut mixes = vec![Vec::new(); State::COUNT];
    let mut values = [0.0; State::COUNT];
    for state in State::all().rev() {
        let rows = state.sensible_choices();
        let columns = state.flipped().sensible_choices();
        let payoffs: Vec<Vec<f64>> = rows
            .iter()
            .map(|&own| columns.iter().map(|&theirs| value(state.step(own, theirs), &values)).collect())
            .collect();
        let mix = solve(&payoffs)?;
        let sum: f64 = mix.iter().sum();
        values[state.index()] = (0..columns.len())
            .map(|column| mix.iter().zip(&payoffs).map(|(weight, row)| weight * row[column]).sum::<f64>() / sum)
            .fold(f64::INFINITY, f64::min);
        mixes[state.index()] = rows.into_iter().zip(mix).collect();
    }
    Ok(Policy::from_weights(|state| mixes[state.index()].iter().copied())?)
}

/// Choices a player has been seen to make, for a policy that does the same.
///
/// A player is asked for its card first and for its guess only if that card is the lower one, so
/// the two are counted apart. The policy found is the player's own only if it plays without memory;
/// and a best response to it also answers the chance in the samples, which makes the player look
/// more exploitable than it is, the more so the fewer they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Samples {
    plays: Vec<[u64; Card::COUNT]>,
    guesses: Vec<[[u64; GUESSES]; Card::COUNT]>,
}

impl Default for Samples {
    fn default() -> Samples {
        Samples::new()
    }
}

impl Samples {
    /// No samples.
    pub fn new() -> Samples {
        Samples {
            plays: vec![[0; Card::COUNT]; State::COUNT],
            guesses: vec![[[0; GUESSES]; Card::COUNT]; State::COUNT],
        }
    }

    /// Counts a card played.
    ///
    /// # Errors
    /// If it is not in hand. Nothing is counted then.
    pub fn record_play(&mut self, state: State, card: Card) -> Result<(), PolicyError> {
        in_hand(state, card)?;
        self.plays[state.index()][card.index()] += 1;
        Ok(())
    }

    /// Counts a guess made after `card` was the lower one; `None` if it was skipped or failed. The
    /// card itself is counted by [`Samples::record_play`].
    ///
    /// # Errors
    /// If the card is not in hand. Nothing is counted then.
    pub fn record_guess(&mut self, state: State, card: Card, guess: Option<Card>) -> Result<(), PolicyError> {
        in_hand(state, card)?;
        self.guesses[state.index()][card.index()][guess_index(guess)] += 1;
        Ok(())
    }

    /// Cards counted in a state.
    pub fn plays(&self, state: State) -> u64 {
        self.plays[state.index()].iter().sum()
    }

    /// The policy with the observed frequencies. Where there is no sample it is taken to play, or
    /// to guess after that card, like `fallback`, and to skip if that never plays the card.
    pub fn policy(&self, fallback: &Policy) -> Policy {
        let row = |state: State| {
            let mut row = [0.0; Choice::COUNT];
            let plays = self.plays(state);
            let cards = row.chunks_exact_mut(GUESSES).zip(fallback.table[state.index()].chunks_exact(GUESSES));
            for (card, (cells, assumed)) in cards.enumerate() {
                let assumed_play: f64 = assumed.iter().sum();
                let play = match plays {
                    0 => assumed_play,
                    _ => self.plays[state.index()][card] as f64 / plays as f64,
                };
                let guesses = &self.guesses[state.index()][card];
                let guessed: u64 = guesses.iter().sum();
                for (guess, cell) in cells.iter_mut().enumerate() {
                    *cell = play
                        * match (guessed, assumed_play > 0.0) {
                            (0, true) => assumed[guess] / assumed_play,
                            (0, false) => f64::from(u8::from(guess == 0)),
                            _ => guesses[guess] as f64 / guessed as f64,
                        };
                }
            }
            row
        };
        Policy { table: State::all().map(row).collect() }
    }
}

fn in_hand(state: State, card: Card) -> Result<(), PolicyError> {
    if state.own.contains(card) { Ok(()) } else { Err(PolicyError::NotInHand { state, card }) }
}

#[cfg(test)]
#[path = "../../../example-bots/little_hunters/nash_table.rs"]
mod nash_table;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::nash_table::{NASH, nash_choice};
    use super::*;

    fn card(value: u8) -> Card {
        Card::new(value).expect("a card")
    }

    /// A guess of 0 skips.
    fn choice(own: u8, guess: u8) -> Choice {
        Choice { card: card(own), guess: Card::new(guess) }
    }

    fn state(own: &[u8], opponent: &[u8]) -> State {
        let hand = |cards: &[u8]| Hand::from_mask(cards.iter().map(|&value| card(value).bit()).sum()).expect("a hand");
        State::new(hand(own), hand(opponent)).expect("a state")
    }

    fn named(name: char) -> Policy {
        match name {
            'U' => Policy::uniform(),
            'H' => Policy::highest(),
            'L' => Policy::lowest(),
            'S' => Policy::silent(),
            _ => panic!("no policy {name}"),
        }
    }

    fn assert_close(found: f64, wanted: f64, what: &str) {
        assert!((found - wanted).abs() < 1e-9, "{what}: found {found}, wanted {wanted}");
    }

    fn assert_chances(found: Chances, [win, tie, loss]: [f64; 3], what: &str) {
        assert_close(found.win, win, &format!("{what} win"));
        assert_close(found.tie, tie, &format!("{what} tie"));
        assert_close(found.loss, loss, &format!("{what} loss"));
    }

    // Expected values of policies were computed apart from this code, to ten digits.

    #[test]
    fn bouts_between_named_policies_have_the_known_chances() {
        for (pair, chances) in [
            (['U', 'U'], [0.4797646605, 0.040470679, 0.4797646605]),
            (['H', 'U'], [0.275, 0.0166666667, 0.7083333333]),
            (['H', 'S'], [0.9833333333, 0.0166666667, 0.0]),
            (['H', 'L'], [0.0, 0.0, 1.0]),
            (['L', 'U'], [0.5875, 0.0708333333, 0.3416666667]),
            (['L', 'S'], [0.6, 0.1, 0.3]),
            (['S', 'U'], [0.1572299383, 0.0590972222, 0.7836728395]),
            (['S', 'S'], [0.45, 0.1, 0.45]),
        ] {
            let [one, other] = pair.map(named);
            assert_chances(bout(&one, &other), chances, &format!("{pair:?}"));
            let [win, tie, loss] = chances;
            assert_chances(bout(&other, &one), [loss, tie, win], &format!("{pair:?} turned around"));
        }
    }

    #[test]
    fn matches_between_named_policies_have_the_known_chances() {
        for (pair, chances) in [
            (['U', 'U'], [0.4999898076, 2.03848e-05, 0.4999898076]),
            (['H', 'U'], [0.0325135903, 6.33e-08, 0.9674863465]),
            (['H', 'S'], [1.0, 0.0, 0.0]),
            (['H', 'L'], [0.0, 0.0, 1.0]),
            (['L', 'U'], [0.8569826032, 3.8324e-05, 0.1429790727]),
            (['L', 'S'], [0.9100241161, 4.84529e-05, 0.089927431]),
            (['S', 'U'], [0.0013400292, 3.37e-08, 0.9986599371]),
            (['S', 'S'], [0.4998937749, 0.0002124502, 0.4998937749]),
        ] {
            let [one, other] = pair.map(named);
            assert_chances(match_of(bout(&one, &other), 3), chances, &format!("{pair:?}"));
        }
    }

    #[test]
    fn a_match_of_tied_bouts_is_drawn() {
        assert_chances(match_of(Chances::TIE, 3), [0.0, 1.0, 0.0], "only ties");
    }

    #[test]
    fn without_tiebreaks_a_level_match_is_drawn() {
        assert_close(
            match_of(Chances { win: 0.5, tie: 0.0, loss: 0.5 }, 0).tie,
            0.0,
            "an odd number of bouts without a tie",
        );
        let bout = Chances { win: 0.25, tie: 0.5, loss: 0.25 };
        let level = match_of(bout, 0);
        let once = match_of(bout, 1);
        // Two fair coins a bout, two heads win it and one ties it: level is 15 heads of 30, then
        // 5 of 10.
        assert_close(level.tie, 155_117_520.0 / f64::from(1 << 30), "level after 15 bouts");
        assert_close(once.tie, level.tie * 252.0 / 1024.0, "level after 5 more");
    }

    #[test]
    fn best_responses_gain_the_known_exploitability() {
        for (name, exploitability) in [('U', 0.4108796296), ('H', 1.0), ('S', 0.9833333333)] {
            assert_close(best_response(&named(name)).payoff, exploitability, &name.to_string());
        }
    }

    #[test]
    fn a_best_response_scores_what_it_says() {
        for name in ['U', 'H', 'L', 'S'] {
            let best = best_response(&named(name));
            assert_close(bout(&best.policy, &named(name)).payoff(), best.payoff, &name.to_string());
        }
    }

    #[test]
    fn a_right_guess_wins_at_once() {
        // Black's guess of 3 is wrong, both play 3, then White guesses Black's 5.
        let second = state(&[2, 3, 4, 5], &[1, 2, 3, 5]);
        let third = state(&[2, 4, 5], &[1, 2, 5]);
        assert_eq!(State::START.step(choice(1, 3), choice(4, 5)), Step::Next(second));
        assert_eq!(second.step(choice(3, 4), choice(3, 5)), Step::Next(third));
        assert_eq!(third.step(choice(5, 0), choice(2, 5)), Step::Loss);
        assert_eq!(third.flipped().step(choice(2, 5), choice(5, 0)), Step::Win);
    }

    #[test]
    fn equal_sums_are_decided_from_the_highest_card_down() {
        // The same with White's guess wrong: {5, 3, 1} beats {4, 3, 2}.
        let third = state(&[2, 4, 5], &[1, 2, 5]);
        assert_eq!(third.step(choice(5, 0), choice(2, 4)), Step::Win);
        assert_eq!(third.flipped().step(choice(2, 4), choice(5, 0)), Step::Loss);
    }

    #[test]
    fn the_same_cards_tie_whatever_was_guessed() {
        let second = state(&[1, 2, 3, 4], &[1, 2, 3, 4]);
        let third = state(&[1, 2, 3], &[1, 2, 3]);
        assert_eq!(State::START.step(choice(5, 5), choice(5, 5)), Step::Next(second));
        assert_eq!(second.step(choice(4, 4), choice(4, 0)), Step::Next(third));
        assert_eq!(third.step(choice(3, 3), choice(3, 3)), Step::Tie);
    }

    #[test]
    fn only_the_lower_card_guesses() {
        let next = state(&[1, 2, 3, 4], &[1, 2, 3, 5]);
        assert_eq!(State::START.step(choice(5, 4), choice(4, 0)), Step::Next(next));
    }

    #[test]
    fn revealed_sets_are_a_total_preorder_tied_only_by_equal_sets() {
        let sets: Vec<Vec<Card>> = (0..32u8)
            .filter(|mask| mask.count_ones() == 3)
            .map(|mask| Card::all().filter(|card| mask & card.bit() != 0).collect())
            .collect();
        assert_eq!(sets.len(), 10);
        // The rule in its own words.
        let by_rule = |a: &[Card], b: &[Card]| {
            let sum = |set: &[Card]| set.iter().map(|card| card.value()).sum::<u8>();
            sum(a).cmp(&sum(b)).then_with(|| a.iter().rev().cmp(b.iter().rev()))
        };
        let order = |a: &[Card], b: &[Card]| a.iter().copied().collect::<Revealed>().cmp(&b.iter().copied().collect());
        for a in &sets {
            for b in &sets {
                assert_eq!(order(a, b), by_rule(a, b), "{a:?} {b:?}");
                assert_eq!(order(a, b), order(b, a).reverse(), "{a:?} {b:?}");
                assert_eq!(order(a, b) == Ordering::Equal, a == b, "{a:?} {b:?}");
                for c in &sets {
                    let chain = order(a, b).is_le() && order(b, c).is_le();
                    assert!(!chain || order(a, c).is_le(), "{a:?} {b:?} {c:?}");
                }
            }
        }
        assert!(order(&[1, 4, 5].map(card), &[2, 3, 5].map(card)).is_gt());
    }

    #[test]
    fn states_are_those_a_bout_can_reach_each_before_the_next() {
        let mut reached = HashSet::from([State::START]);
        let mut count = 0;
        for (index, state) in State::all().enumerate() {
            assert_eq!(state.index(), index);
            assert!(reached.contains(&state), "{state:?}");
            // A card that every sensible guess would catch gets away when the guess is skipped.
            for own in state.own().cards().map(|card| Choice { card, guess: None }) {
                for theirs in state.opponent().cards().map(|card| Choice { card, guess: None }) {
                    if let Step::Next(next) = state.step(own, theirs) {
                        assert!(next.index() > index);
                        reached.insert(next);
                    }
                }
            }
            count += 1;
        }
        assert_eq!((count, reached.len()), (State::COUNT, State::COUNT));
    }

    #[test]
    fn choices_are_in_the_order_of_the_table() {
        assert_eq!(Choice::all().count(), Choice::COUNT);
        assert!(Choice::all().enumerate().all(|(index, choice)| choice.index() == index));
    }

    #[test]
    fn weights_that_make_no_policy_are_refused() {
        let of = |choice: Choice, weight: f64| Policy::from_weights(|_| [(choice, weight)]);
        assert!(matches!(of(choice(5, 0), 1.0), Err(PolicyError::NotInHand { .. })));
        assert!(matches!(of(choice(5, 0), -1.0), Err(PolicyError::Weight { .. })));
        assert!(matches!(of(choice(5, 0), f64::NAN), Err(PolicyError::Weight { .. })));
        assert!(matches!(of(choice(5, 0), 0.0), Err(PolicyError::Sum { .. })));
    }

    #[test]
    fn samples_in_exact_proportion_give_back_the_policy() {
        // 60 of each card shares out evenly among any number of targets.
        let mut samples = Samples::new();
        for state in State::all() {
            for card in state.own().cards() {
                let targets: Vec<_> = state.targets(card).collect();
                for round in 0..60 {
                    samples.record_play(state, card).expect("in hand");
                    if !targets.is_empty() {
                        let guess = Some(targets[round % targets.len()]);
                        samples.record_guess(state, card, guess).expect("in hand");
                    }
                }
            }
        }
        let found = samples.policy(&Policy::silent());
        assert_close(best_response(&found).payoff, best_response(&Policy::uniform()).payoff, "sampled");
        for (found, wanted) in found.table().iter().zip(Policy::uniform().table()) {
            for (&found, &wanted) in found.iter().zip(wanted) {
                assert_close(found, wanted, "probability");
            }
        }
    }

    #[test]
    fn samples_not_taken_are_those_of_the_fallback() {
        let fallback = Policy::highest();
        let mut samples = Samples::new();
        assert_eq!(samples.policy(&fallback), fallback);

        samples.record_play(State::START, card(1)).expect("in hand");
        samples.record_play(State::START, card(5)).expect("in hand");
        let policy = samples.policy(&fallback);
        assert_eq!(samples.plays(State::START), 2);
        assert_eq!(policy.probability(State::START, choice(1, 0)), 0.5, "never played: skips");
        assert_eq!(policy.probability(State::START, choice(5, 0)), 0.5);

        samples.record_guess(State::START, card(1), Some(card(4))).expect("in hand");
        assert_eq!(samples.policy(&fallback).probability(State::START, choice(1, 4)), 0.5);
    }

    #[test]
    fn a_card_not_in_hand_is_no_sample() {
        let mut samples = Samples::new();
        let state = state(&[1, 2, 3], &[1, 2, 3]);
        assert!(samples.record_play(state, card(4)).is_err());
        assert!(samples.record_guess(state, card(4), None).is_err());
        assert_eq!(samples, Samples::new());
    }

    /// The entries of the table for a state: the first and the last roll, and the choice.
    fn nash_entries(state: State) -> Vec<(u16, u16, Choice)> {
        let hands = u32::from(state.own().mask()) << 5 | u32::from(state.opponent().mask());
        let mut first = 0;
        let mut entries = Vec::new();
        for entry in NASH.iter().filter(|&entry| entry >> 22 == hands) {
            let last = (entry >> 6 & 0xffff) as u16;
            entries.push((first, last, choice((entry >> 3 & 7) as u8, (entry & 7) as u8)));
            first = last.wrapping_add(1);
        }
        assert_eq!(first, 0, "the rolls of {state:?} are not all there");
        entries
    }

    #[test]
    fn the_table_of_the_nash_bot_is_next_to_perfect() {
        let table = Policy::from_weights(|state| {
            let entries = nash_entries(state).into_iter();
            entries.map(|(first, last, choice)| (choice, f64::from(last - first) + 1.0))
        })
        .expect("a policy");
        let exploitability = best_response(&table).payoff;
        assert!(exploitability < 1e-3, "{exploitability}");
        assert!(NASH.is_sorted());
    }

    #[test]
    fn the_table_of_the_nash_bot_is_found_by_hands_and_roll() {
        for state in State::all() {
            let [own, opponent] = [state.own().mask(), state.opponent().mask()];
            for (first, last, Choice { card, guess }) in nash_entries(state) {
                let wanted = Some((card.value(), guess_index(guess) as u8));
                assert_eq!(nash_choice(own, opponent, first), wanted, "{state:?}");
                assert_eq!(nash_choice(own, opponent, last), wanted, "{state:?}");
            }
        }
        for roll in [0, u16::MAX] {
            assert_eq!(nash_choice(0b00001, 0b10000, roll), None);
            assert_eq!(nash_choice(0b00111, 0b11111, roll), None);
            assert_eq!(nash_choice(u8::MAX, u8::MAX, roll), None);
        }
    }
}
