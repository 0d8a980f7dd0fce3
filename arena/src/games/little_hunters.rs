//! Little Hunters: two seats; both choose a card at the same time, then the lower card's owner guesses the
//! other's.
//!
//! There is no chance in it, and nothing stays hidden longer than a round.

use std::fmt;

use bot_sdk::little_hunters::{Hand, NAME, Round, View, decision, ending, guesser, result};
use serde::{Deserialize, Serialize};

use super::{
    BadOption, Choices, DealRng, DecisionInfo, Dynamics, Game, GameInfo, Node, Outcome, Seating, Verdict, Witness,
    words::spaced,
};
use crate::ids::{Seat, SeatSet};

/// League options of Little Hunters.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// How many further series (best of 5) are played while the match is level, 0 to 100; then it is drawn.
    #[serde(deserialize_with = "super::whole_number::<0, MAX_TIEBREAKS, _>")]
    pub tiebreak_series: u8,
}

impl Default for Options {
    fn default() -> Self {
        Options { tiebreak_series: 3 }
    }
}

/// The most further series.
const MAX_TIEBREAKS: u8 = 100;

/// A series of bouts: the most bouts, and the wins that end it early.
struct Series {
    bouts: u8,
    wins: u8,
}

const MAIN: Series = Series { bouts: 15, wins: 8 };
const TIEBREAK: Series = Series { bouts: 5, wins: 3 };
const ROUNDS: u8 = 3;

/// A round that is over, with both sides' cards (0: not revealed).
#[derive(Clone, Copy, Debug, Default)]
struct Played {
    cards: [u8; 2],
    guesser: Option<Seat>,
    guess: u8,
    right: bool,
}

/// A bout: the one being played, or the one before.
#[derive(Clone, Copy, Debug, Default)]
struct Bout {
    rounds: [Played; ROUNDS as usize],
    /// Rounds that are over.
    round: u8,
}

/// How a bout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// A right guess.
    Guess,
    /// The higher sum of revealed cards.
    Sum,
    /// Equal sums: the sets compared from the highest card down.
    Sets,
    /// A failed `play`.
    FailedPlay,
}

/// A state of the game.
#[derive(Clone, Debug)]
pub struct LittleHunters {
    tiebreak_series: u8,
    /// 0 the main series, then the tie-breaks.
    series: u8,
    /// Bouts of this series that are over.
    bouts: u8,
    wins: [u8; 2],
    ties: u8,
    /// Bouts won over all series.
    total_wins: [i32; 2],
    hands: [Hand; 2],
    bout: Bout,
    /// Cards laid and not yet out of the hands, while the lower card's owner guesses.
    pending: Option<[u8; 2]>,
    previous: Option<(Bout, Option<Seat>, Ending)>,
    over: bool,
}

/// What happens in a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs, reason = "arena/docs/events.md describes every field")]
pub enum Event {
    BoutBegins { series: u8, bout: u8, wins: [u8; 2] },
    RoundBegins { round: u8, hands: [Vec<u8>; 2] },
    SameCards { card: u8 },
    LowerRevealed { seat: Seat, card: u8, possible: Vec<u8> },
    Guessed { seat: Seat, guess: u8, right: bool, opponent_card: u8 },
    PlayFailed { seats: Vec<Seat> },
    BoutEnds { winner: Option<Seat>, ending: Ending, sums: [u8; 2] },
    SeriesEnds { series: u8, wins: [u8; 2], ties: u8, winner: Option<Seat> },
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::BoutBegins { series, bout, wins: [a, b] } => {
                let name = if *series == 0 { "Bout".into() } else { format!("Tie-break {series}, bout") };
                write!(f, "\n{name} {}", bout + 1)?;
                if *bout == 0 { Ok(()) } else { write!(f, "; seat 0 {a}, seat 1 {b}") }
            }
            Event::RoundBegins { round, hands: [a, b] } => {
                write!(f, "  round {}: seat 0 holds {}, seat 1 holds {}", round + 1, spaced(a), spaced(b))
            }
            Event::SameCards { card } => write!(f, "  both lay {card}"),
            Event::LowerRevealed { seat, card, possible } => {
                write!(f, "  seat {seat} has the lower card, {card}; the other may be {}", spaced(possible))
            }
            Event::Guessed { seat, guess: 0, opponent_card, .. } => {
                write!(f, "  seat {seat} does not guess; the other card is {opponent_card}")
            }
            Event::Guessed { seat, guess, right: true, .. } => write!(f, "  seat {seat} guesses {guess}: right"),
            Event::Guessed { seat, guess, opponent_card, .. } => {
                write!(f, "  seat {seat} guesses {guess}: wrong, it is {opponent_card}")
            }
            Event::PlayFailed { seats } => {
                for (i, seat) in seats.iter().enumerate() {
                    write!(f, "{}seat {seat}", if i == 0 { "  no card from " } else { " and " })?;
                }
                Ok(())
            }
            Event::BoutEnds { winner, ending, sums } => {
                // The winner's sum stands first.
                let first = winner.map_or(0, Seat::index);
                let (a, b) = (sums[first], sums[1 - first]);
                match winner {
                    Some(seat) => write!(f, "  seat {seat} wins the bout")?,
                    None => write!(f, "  the bout is tied")?,
                }
                match ending {
                    Ending::Guess => write!(f, " by the guess"),
                    Ending::Sum => write!(f, ", {a} to {b}"),
                    Ending::Sets => write!(f, ", {a} to {b}, by the sets of cards"),
                    Ending::FailedPlay => Ok(()),
                }
            }
            Event::SeriesEnds { series, wins: [a, b], ties, winner } => {
                let name = if *series == 0 { "Main series".into() } else { format!("Tie-break {series}") };
                write!(f, "\n{name}: seat 0 {a}, seat 1 {b}, {ties} tied; ")?;
                match winner {
                    Some(seat) => write!(f, "seat {seat} wins"),
                    None => write!(f, "level"),
                }
            }
        }
    }
}

impl LittleHunters {
    fn limits(&self) -> Series {
        if self.series == 0 { MAIN } else { TIEBREAK }
    }

    /// The round's cards are known to all: they leave the hands, and the bout goes on or ends.
    fn reveal<W: Witness<Event>>(&mut self, played: Played, witness: &mut W) {
        for (hand, card) in self.hands.iter_mut().zip(played.cards) {
            *hand = hand.without(card);
        }
        self.bout.rounds[usize::from(self.bout.round)] = played;
        self.bout.round += 1;
        if let (true, Some(winner)) = (played.right, played.guesser) {
            self.end_bout(Some(winner), Ending::Guess, witness);
        } else if self.bout.round == ROUNDS {
            let (winner, ending) = compare_revealed(self.hands);
            self.end_bout(winner, ending, witness);
        } else {
            self.begin_round(witness);
        }
    }

    /// Both hands are public: an account shows what each side chose from.
    fn begin_round<W: Witness<Event>>(&self, witness: &mut W) {
        let hands = || self.hands.map(|hand| hand.cards().collect());
        witness.event(|| Event::RoundBegins { round: self.bout.round, hands: hands() });
    }

    fn end_bout<W: Witness<Event>>(&mut self, winner: Option<Seat>, ending: Ending, witness: &mut W) {
        let sums = self.hands.map(|hand| 15 - hand.cards().sum::<u8>());
        witness.event(|| Event::BoutEnds { winner, ending, sums });
        self.previous = Some((self.bout, winner, ending));
        match winner {
            Some(seat) => {
                self.wins[seat.index()] += 1;
                self.total_wins[seat.index()] += 1;
            }
            None => self.ties += 1,
        }
        self.bouts += 1;
        let limits = self.limits();
        if self.wins.contains(&limits.wins) || self.bouts == limits.bouts {
            self.end_series(witness);
        }
        if !self.over {
            self.begin_bout(witness);
        }
    }

    fn end_series<W: Witness<Event>>(&mut self, witness: &mut W) {
        let winner = higher(self.wins);
        let (series, wins, ties) = (self.series, self.wins, self.ties);
        witness.event(|| Event::SeriesEnds { series, wins, ties, winner });
        if winner.is_some() || self.series == self.tiebreak_series {
            self.over = true;
        } else {
            self.series += 1;
            self.bouts = 0;
            self.wins = [0; 2];
            self.ties = 0;
        }
    }

    fn begin_bout<W: Witness<Event>>(&mut self, witness: &mut W) {
        self.hands = [Hand::FULL; 2];
        self.bout = Bout::default();
        let (series, bout, wins) = (self.series, self.bouts, self.wins);
        witness.event(|| Event::BoutBegins { series, bout, wins });
        self.begin_round(witness);
    }

    fn choose<W: Witness<Event>>(&mut self, choices: &Choices<u8>, witness: &mut W) {
        let (Some(first), Some(second)) = (choices[0], choices[1]) else {
            let failed = |seat: &Seat| choices[seat.index()].is_none();
            witness.event(|| Event::PlayFailed { seats: Seat::all(2).filter(failed).collect() });
            let winner = Seat::all(2).find(|seat| !failed(seat));
            // Nobody's card of this round is shown.
            return self.end_bout(winner, Ending::FailedPlay, witness);
        };
        let cards = [first, second];
        match lower(cards) {
            None => {
                witness.event(|| Event::SameCards { card: first });
                self.reveal(Played { cards, ..Played::default() }, witness);
            }
            Some(seat) => {
                let card = cards[seat.index()];
                let others = self.hands[1 - seat.index()].above(card);
                witness.event(|| Event::LowerRevealed { seat, card, possible: others.cards().collect() });
                self.pending = Some(cards);
            }
        }
    }

    fn resolve_guess<W: Witness<Event>>(&mut self, cards: [u8; 2], choices: &Choices<u8>, witness: &mut W) {
        let Some(seat) = lower(cards) else { return };
        let opponent_card = cards[1 - seat.index()];
        let guess = choices[seat.index()].unwrap_or(0);
        let right = guess == opponent_card;
        witness.event(|| Event::Guessed { seat, guess, right, opponent_card });
        self.pending = None;
        self.reveal(Played { cards, guesser: Some(seat), guess, right }, witness);
    }
}

/// The seat with more, if one has.
fn higher<T: Ord>(of: [T; 2]) -> Option<Seat> {
    match of[0].cmp(&of[1]) {
        std::cmp::Ordering::Greater => Some(Seat(0)),
        std::cmp::Ordering::Less => Some(Seat(1)),
        std::cmp::Ordering::Equal => None,
    }
}

fn lower(cards: [u8; 2]) -> Option<Seat> {
    higher(cards).map(|seat| Seat(1 - seat.0))
}

/// Who wins a bout of three rounds without a right guess, given the cards left in hand, and by what.
fn compare_revealed(hands: [Hand; 2]) -> (Option<Seat>, Ending) {
    let revealed = hands.map(|hand| Hand(Hand::FULL.0 & !hand.0));
    match higher(revealed.map(|hand| hand.cards().sum::<u8>())) {
        Some(seat) => (Some(seat), Ending::Sum),
        // Sets of cards as bits: comparing from the highest card down is comparing the numbers.
        None => (higher(revealed.map(|hand| hand.0)), Ending::Sets),
    }
}

/// A round as a seat sees it.
fn seen(played: &Played, seat: Seat) -> Round {
    let (own, other) = (seat.index(), 1 - seat.index());
    Round {
        own_card: played.cards[own],
        opponent_card: played.cards[other],
        guesser: match played.guesser {
            None => guesser::NOBODY,
            Some(guessing) if guessing == seat => guesser::SELF,
            Some(_) => guesser::OPPONENT,
        },
        guess: played.guess,
        right: played.right.into(),
    }
}

impl Game for LittleHunters {
    const INFO: GameInfo = GameInfo {
        name: NAME,
        title: "Little Hunters",
        summary: "Both choose a card at the same time; the lower card's owner guesses the other's.",
        seats: (2, 2),
        dynamics: Dynamics::Simultaneous,
        chance: false,
        hidden: true,
        decisions: &[
            DecisionInfo { name: "play", fuel_percent: 100 },
            DecisionInfo { name: "guess", fuel_percent: 50 },
        ],
        seating: Seating::EveryRotation,
        rules_version: 1,
    };
    type Options = Options;
    type View = View;
    type Action = u8;
    type Event = Event;

    fn check_options(options: &Options, _seats: usize) -> Result<(), BadOption> {
        if options.tiebreak_series > MAX_TIEBREAKS {
            return Err(BadOption::new(
                "tiebreak_series",
                format!("expected a whole number from 0 to {MAX_TIEBREAKS}, found {}", options.tiebreak_series),
            ));
        }
        Ok(())
    }

    fn initial_state<W: Witness<Event>>(
        options: &Options,
        _seats: usize,
        _deal: &mut DealRng,
        witness: &mut W,
    ) -> Self {
        let mut state = LittleHunters {
            tiebreak_series: options.tiebreak_series,
            series: 0,
            bouts: 0,
            wins: [0; 2],
            ties: 0,
            total_wins: [0; 2],
            hands: [Hand::FULL; 2],
            bout: Bout::default(),
            pending: None,
            previous: None,
            over: false,
        };
        state.begin_bout(witness);
        state
    }

    fn node(&self) -> Node {
        if self.over {
            return Node::Terminal;
        }
        match self.pending.and_then(lower) {
            Some(seat) => Node::Act { decision: decision::GUESS as u8, seats: SeatSet::one(seat) },
            None => Node::Act { decision: decision::PLAY as u8, seats: SeatSet::first(2) },
        }
    }

    fn judge(&self, seat: Seat, answer: i64) -> Verdict<u8> {
        let Ok(answer) = u8::try_from(answer) else { return Verdict::Illegal };
        let legal = match self.pending {
            Some(_) => answer <= 5,
            None => self.hands[seat.index()].contains(answer),
        };
        if legal { Verdict::Legal(answer) } else { Verdict::Illegal }
    }

    fn legal_answers(&self, seat: Seat, each: &mut dyn FnMut(i64)) {
        match self.pending {
            Some(_) => (0..=5).for_each(each),
            None => self.hands[seat.index()].cards().map(i64::from).for_each(each),
        }
    }

    fn observe(&self, seat: Seat, view: &mut View) {
        let (own, other) = (seat.index(), 1 - seat.index());
        view.own_hand = self.hands[own];
        view.opponent_hand = self.hands[other];
        // Asked to guess means that the own card is on the table, and only the own.
        view.own_card = self.pending.map_or(0, |cards| cards[own]);
        view.round = self.bout.round;
        view.bout = self.bouts;
        view.series = self.series;
        view.own_wins = self.wins[own];
        view.opponent_wins = self.wins[other];
        view.ties = self.ties;
        for (round, played) in view.rounds.iter_mut().zip(&self.bout.rounds[..self.bout.round.into()]) {
            *round = seen(played, seat);
        }
        if let Some((bout, winner, how)) = &self.previous {
            for (round, played) in view.previous_rounds.iter_mut().zip(&bout.rounds[..bout.round.into()]) {
                *round = seen(played, seat);
            }
            view.previous_result = match winner {
                None => result::TIED,
                Some(winner) if *winner == seat => result::WON,
                Some(_) => result::LOST,
            };
            view.previous_ending = match how {
                Ending::Guess => ending::GUESS,
                Ending::Sum => ending::SUM,
                Ending::Sets => ending::SETS,
                Ending::FailedPlay => ending::FAILED_PLAY,
            };
        }
    }

    fn apply<W: Witness<Event>>(&mut self, choices: &Choices<u8>, _deal: &mut DealRng, witness: &mut W) {
        match self.pending {
            None => self.choose(choices, witness),
            Some(cards) => self.resolve_guess(cards, choices, witness),
        }
    }

    fn outcome(&self) -> Outcome {
        // Only the series that decides it counts for the result; the points are all bouts won.
        Outcome::by_key(&self.total_wins, |seat| self.wins[seat.index()])
    }

    fn describe(view: &View, asked: u8) -> String {
        let hands = [view.own_hand, view.opponent_hand].map(|hand| spaced(hand.cards()));
        let [own, other] = &hands;
        if u32::from(asked) == decision::PLAY {
            return format!("You hold {own}, the opponent {other}. Which card do you lay?");
        }
        let (card, possible) = (view.own_card, spaced(view.opponent_hand.above(view.own_card).cards()));
        format!("Your {card} is the lower card. The opponent's is one of {possible}. Which, or `skip`?")
    }

    fn phrase(_decision: u8, answer: i64) -> String {
        if answer == 0 { "skip".into() } else { answer.to_string() }
    }

    /// Cards are in events only once they are revealed. The hands stand in the question that follows.
    fn heard(event: &Event, _seat: Seat) -> Option<String> {
        (!matches!(event, Event::RoundBegins { .. })).then(|| event.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::conformance::{Recorded, Told, random_match};
    use bot_sdk::Plain;
    use proptest::prelude::*;

    /// Both hands, the lower card while its owner guesses, and the rounds that are over.
    pub(crate) struct Notes {
        seat: Seat,
        view: View,
        /// The lower card of this round, which alone is revealed before the guess, and whose it is.
        lower: Option<(Seat, u8)>,
    }

    impl Notes {
        fn round_ends(&mut self, round: Round) {
            self.view.rounds[usize::from(self.view.round)] = round;
            self.view.round += 1;
            self.view.own_card = 0;
            self.lower = None;
        }
    }

    impl Told for LittleHunters {
        type Notes = Notes;

        fn notes(_options: &Options, _seats: usize, seat: Seat) -> Notes {
            Notes { seat, view: View::zeroed(), lower: None }
        }

        fn tell(notes: &mut Notes, event: &Event) {
            let (own, other) = (notes.seat.index(), 1 - notes.seat.index());
            let view = &mut notes.view;
            match event {
                Event::BoutBegins { series, bout, wins } => {
                    (view.series, view.bout, view.round) = (*series, *bout, 0);
                    (view.own_wins, view.opponent_wins) = (wins[own], wins[other]);
                    view.ties = if *bout == 0 { 0 } else { view.ties };
                    view.rounds = View::zeroed().rounds;
                }
                Event::RoundBegins { hands, .. } => {
                    let hand = |seat: usize| Hand(hands[seat].iter().fold(0, |bits, card| bits | 1 << (card - 1)));
                    (view.own_hand, view.opponent_hand) = (hand(own), hand(other));
                }
                Event::SameCards { card } => {
                    notes.round_ends(Round { own_card: *card, opponent_card: *card, ..Round::zeroed() });
                }
                Event::LowerRevealed { seat, card, .. } => {
                    view.own_card = if *seat == notes.seat { *card } else { 0 };
                    notes.lower = Some((*seat, *card));
                }
                Event::Guessed { seat, guess, right, opponent_card } => {
                    let (_, lower) = notes.lower.expect("a card was revealed");
                    let (guess, right) = (*guess, u8::from(*right));
                    notes.round_ends(if *seat == notes.seat {
                        Round { own_card: lower, opponent_card: *opponent_card, guesser: guesser::SELF, guess, right }
                    } else {
                        Round {
                            own_card: *opponent_card,
                            opponent_card: lower,
                            guesser: guesser::OPPONENT,
                            guess,
                            right,
                        }
                    });
                }
                Event::PlayFailed { .. } | Event::SeriesEnds { .. } => {}
                Event::BoutEnds { winner, ending: how, .. } => {
                    view.previous_rounds = view.rounds;
                    view.ties += u8::from(winner.is_none());
                    view.previous_result = match winner {
                        None => result::TIED,
                        Some(winner) if *winner == notes.seat => result::WON,
                        Some(_) => result::LOST,
                    };
                    view.previous_ending = match how {
                        Ending::Guess => ending::GUESS,
                        Ending::Sum => ending::SUM,
                        Ending::Sets => ending::SETS,
                        Ending::FailedPlay => ending::FAILED_PLAY,
                    };
                }
            }
        }

        fn view(notes: &Notes) -> View {
            notes.view
        }
    }

    fn start() -> LittleHunters {
        LittleHunters::initial_state(&Options::default(), 2, &mut DealRng::new([0; 32]), &mut ())
    }

    fn choices(first: Option<u8>, second: Option<u8>) -> Choices<u8> {
        let mut choices = [None; bot_sdk::abi::MAX_SEATS];
        choices[..2].copy_from_slice(&[first, second]);
        choices
    }

    fn act(state: &mut LittleHunters, first: Option<u8>, second: Option<u8>) -> Vec<Event> {
        let mut events = Recorded::default();
        state.apply(&choices(first, second), &mut DealRng::new([0; 32]), &mut events);
        events.0
    }

    /// Both lay a card; if they differ, the lower one's owner guesses.
    fn round(state: &mut LittleHunters, cards: [u8; 2], guess: u8) {
        act(state, Some(cards[0]), Some(cards[1]));
        if state.pending.is_some() {
            act(state, Some(guess), Some(guess));
        }
    }

    fn last_bout(state: &LittleHunters) -> (Option<Seat>, Ending) {
        let (_, winner, ending) = state.previous.expect("a bout is over");
        (winner, ending)
    }

    const BLACK: usize = 0;
    const WHITE: usize = 1;

    #[test]
    fn worked_example_1_right_guess_in_the_third_round() {
        let mut state = start();
        round(&mut state, [1, 4], 3);
        round(&mut state, [3, 3], 0);
        assert_eq!(state.hands, [Hand(0b1_1010), Hand(0b1_0011)]);
        round(&mut state, [5, 2], 5);
        assert_eq!(last_bout(&state), (Some(Seat(WHITE as u8)), Ending::Guess));
    }

    #[test]
    fn worked_example_2_equal_sums_the_higher_card_wins() {
        let mut state = start();
        round(&mut state, [1, 4], 3);
        round(&mut state, [3, 3], 0);
        round(&mut state, [5, 2], 4);
        assert_eq!(last_bout(&state), (Some(Seat(BLACK as u8)), Ending::Sets));
    }

    #[test]
    fn worked_example_3_equal_cards_tie_the_bout() {
        let mut state = start();
        for card in [5, 4, 3] {
            round(&mut state, [card, card], 0);
        }
        assert_eq!(last_bout(&state), (None, Ending::Sets));
        assert_eq!((state.ties, state.wins), (1, [0, 0]));
    }

    #[test]
    fn worked_example_4_revealed_sets_are_totally_preordered() {
        // The hand left holds two cards: the revealed three are the others.
        let hands: Vec<Hand> = (0..32).map(Hand).filter(|hand| hand.len() == 2).collect();
        assert_eq!(hands.len(), 10);
        let wins = |a: Hand, b: Hand| compare_revealed([a, b]).0;
        for &a in &hands {
            for &b in &hands {
                assert_eq!(wins(a, b).is_none(), a == b);
                assert_eq!(wins(a, b).map(|seat| 1 - seat.0), wins(b, a).map(|seat| seat.0));
                for &c in &hands {
                    if wins(a, b) != Some(Seat(1)) && wins(b, c) != Some(Seat(1)) {
                        assert_ne!(wins(a, c), Some(Seat(1)));
                    }
                }
            }
        }
        // {5,4,1} against {5,3,2}.
        assert_eq!(compare_revealed([Hand(0b00110), Hand(0b01001)]), (Some(Seat(0)), Ending::Sets));
    }

    #[test]
    fn wrong_guess_reveals_both_cards() {
        let mut state = start();
        round(&mut state, [2, 4], 5);
        assert_eq!(state.hands, [Hand::FULL.without(2), Hand::FULL.without(4)]);
        let mut view = View::zeroed();
        state.observe(Seat(1), &mut view);
        assert_eq!(view.rounds[0].as_bytes(), [4, 2, guesser::OPPONENT, 5, 0]);
    }

    #[test]
    fn skipped_guess_is_legal_and_the_bout_goes_on() {
        let mut state = start();
        act(&mut state, Some(1), Some(5));
        assert_eq!(state.judge(Seat(0), 0), Verdict::Legal(0));
        act(&mut state, Some(0), None);
        assert_eq!(state.bout.round, 1);
    }

    #[test]
    fn a_guess_that_cannot_be_is_legal_and_others_are_not() {
        let mut state = start();
        act(&mut state, Some(4), Some(5));
        assert_eq!(state.judge(Seat(0), 1), Verdict::Legal(1));
        for answer in [6, -1, i64::MAX, i64::MIN, 256, 257] {
            assert_eq!(state.judge(Seat(0), answer), Verdict::Illegal, "{answer}");
        }
    }

    #[test]
    fn only_cards_in_hand_may_be_played() {
        let mut state = start();
        round(&mut state, [2, 2], 0);
        for answer in [2, 0, 6, -1, 258, i64::MIN] {
            assert_eq!(state.judge(Seat(0), answer), Verdict::Illegal, "{answer}");
        }
        assert_eq!(state.judge(Seat(0), 1), Verdict::Legal(1));
    }

    #[test]
    fn failed_guess_costs_no_more_than_the_guess() {
        let mut state = start();
        act(&mut state, Some(1), Some(5));
        act(&mut state, None, None);
        assert_eq!((state.bouts, state.bout.round), (0, 1));
    }

    #[test]
    fn failed_play_loses_the_bout_and_shows_no_card() {
        let mut state = start();
        round(&mut state, [2, 2], 0);
        act(&mut state, None, Some(5));
        assert_eq!(last_bout(&state), (Some(Seat(1)), Ending::FailedPlay));
        let mut view = View::zeroed();
        state.observe(Seat(0), &mut view);
        assert_eq!(view.previous_rounds[0].opponent_card, 2);
        assert_eq!(view.previous_rounds[1], Round::zeroed());
        assert_eq!((view.previous_result, view.previous_ending), (result::LOST, ending::FAILED_PLAY));
    }

    #[test]
    fn both_failing_ties_the_bout() {
        let mut state = start();
        act(&mut state, None, None);
        assert_eq!(last_bout(&state), (None, Ending::FailedPlay));
        assert_eq!(state.ties, 1);
    }

    #[test]
    fn eight_wins_end_the_match() {
        let mut state = start();
        for _ in 0..8 {
            assert_ne!(state.node(), Node::Terminal);
            act(&mut state, Some(1), None);
        }
        assert_eq!(state.node(), Node::Terminal);
        assert_eq!(state.outcome().placements(), [1, 2]);
        assert_eq!(state.outcome().points(), [8, 0]);
    }

    #[test]
    fn a_lead_that_cannot_be_caught_does_not_end_the_match() {
        let mut state = start();
        act(&mut state, Some(1), None);
        for _ in 0..13 {
            act(&mut state, None, None);
        }
        assert_ne!(state.node(), Node::Terminal);
        act(&mut state, None, None);
        assert_eq!(state.node(), Node::Terminal);
        assert_eq!(state.outcome().placements(), [1, 2]);
    }

    #[test]
    fn a_level_match_goes_to_tiebreaks_and_then_is_drawn() {
        let mut state = start();
        for _ in 0..15 + 3 * 5 {
            assert_ne!(state.node(), Node::Terminal);
            act(&mut state, None, None);
        }
        assert_eq!(state.node(), Node::Terminal);
        assert_eq!(state.outcome().placements(), [1, 1]);
    }

    #[test]
    fn three_wins_decide_a_tiebreak_whatever_the_bouts_before() {
        let mut state = start();
        for _ in 0..7 {
            act(&mut state, Some(1), None);
            act(&mut state, None, Some(1));
        }
        act(&mut state, None, None);
        assert_eq!((state.series, state.bouts), (1, 0));
        for _ in 0..3 {
            act(&mut state, None, Some(1));
        }
        assert_eq!(state.node(), Node::Terminal);
        assert_eq!(state.outcome().placements(), [2, 1]);
        assert_eq!(state.outcome().points(), [7, 10]);
    }

    #[test]
    fn the_pending_card_of_the_opponent_is_in_no_view() {
        for seen_by in 0..2u8 {
            let views: Vec<_> = [3, 4, 5]
                .map(|hidden| {
                    let mut state = start();
                    let cards = if seen_by == 0 { [2, hidden] } else { [hidden, 2] };
                    act(&mut state, Some(cards[0]), Some(cards[1]));
                    let mut view = View::zeroed();
                    state.observe(Seat(seen_by), &mut view);
                    view
                })
                .into();
            assert_eq!(views[0], views[1]);
            assert_eq!(views[0], views[2]);
            assert_eq!(views[0].own_card, 2);
        }
    }

    proptest! {
        #[test]
        fn cards_are_conserved_and_bouts_have_at_most_three_rounds(seed: u64) {
            random_match::<LittleHunters>(&Options::default(), 2, seed, |state| {
                let revealed: Vec<u8> = state.bout.rounds.iter().flat_map(|round| round.cards).collect();
                let count = revealed.iter().filter(|&&card| card > 0).count() as u32;
                assert_eq!(count + state.hands[0].len() + state.hands[1].len(), 10);
                assert!(state.bout.round < ROUNDS || state.over);
                for seat in 0..2 {
                    let mut hand = Hand::FULL;
                    for played in &state.bout.rounds[..state.bout.round.into()] {
                        assert!(hand.contains(played.cards[seat]));
                        hand = hand.without(played.cards[seat]);
                    }
                    assert_eq!(hand, state.hands[seat]);
                }
            });
        }

        #[test]
        fn a_result_does_not_depend_on_the_seat_order(moves in proptest::collection::vec((0u8..7, 0u8..7), 200)) {
            let mut state = start();
            let mut mirrored = start();
            for (first, second) in moves {
                if state.node() == Node::Terminal {
                    break;
                }
                let legal = |state: &LittleHunters, seat: u8, card: u8| match state.judge(Seat(seat), card.into()) {
                    Verdict::Legal(card) => Some(card),
                    _ => None,
                };
                let (a, b) = (legal(&state, 0, first), legal(&state, 1, second));
                act(&mut state, a, b);
                act(&mut mirrored, b, a);
                prop_assert_eq!(state.wins[0], mirrored.wins[1]);
                prop_assert_eq!(state.wins[1], mirrored.wins[0]);
                prop_assert_eq!(state.ties, mirrored.ties);
                let mirror = state.hands.iter().rev().eq(&mirrored.hands);
                prop_assert!(mirror);
            }
            let (there, back) = (state.outcome(), mirrored.outcome());
            prop_assert!(there.placements().iter().rev().eq(back.placements()));
        }
    }
}
