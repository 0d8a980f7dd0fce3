//! What every game must keep, written once: random matches of every number of seats.

use bot_sdk::Plain;
use bot_sdk::abi::{MAX_SEATS, NO_ACTION};

use super::words::understand;
use super::{Choices, DealRng, Game, Node, Seating, Verdict, Witness};
use crate::ids::Seat;

/// A witness that keeps all events.
pub(crate) struct Recorded<E>(pub(crate) Vec<E>);

impl<E> Default for Recorded<E> {
    fn default() -> Self {
        Recorded(Vec::new())
    }
}

impl<E> Witness<E> for Recorded<E> {
    fn event(&mut self, event: impl FnOnce() -> E) {
        self.0.push(event());
    }
}

/// What each seat is told in the course of a match, written from the rules apart from the game's state. Every view must
/// follow from it: a view that shows more, less or something else tells what no rule lets the seat know.
pub(crate) trait Told: Game {
    /// What one seat was told so far.
    type Notes;

    /// A seat's notes before the match begins.
    fn notes(options: &Self::Options, seats: usize, seat: Seat) -> Self::Notes;

    /// Adds what the seat is told of an event. What it is not told must not enter the notes.
    fn tell(notes: &mut Self::Notes, event: &Self::Event);

    /// The view at a decision, as it follows from the notes.
    fn view(notes: &Self::Notes) -> Self::View;
}

fn key(seed: u64) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key
}

/// Plays a match of uniformly random legal answers, one decision in 16 failing, and shows every state.
pub(crate) fn random_match<G: Game>(
    options: &G::Options,
    seats: usize,
    seed: u64,
    mut each: impl FnMut(&G),
) -> (G, Vec<G::Event>) {
    random_match_with_events(options, seats, seed, |state, _| each(state))
}

/// The same, with all events up to each state.
fn random_match_with_events<G: Game>(
    options: &G::Options,
    seats: usize,
    seed: u64,
    mut each: impl FnMut(&G, &[G::Event]),
) -> (G, Vec<G::Event>) {
    let mut deal = DealRng::new(key(seed));
    let mut dice = DealRng::new(key(!seed));
    let mut events = Recorded::default();
    let mut state = G::initial_state(options, seats, &mut deal, &mut events);
    let mut nodes = 0;
    while let Node::Act { decision, seats: asked } = state.node() {
        each(&state, &events.0);
        assert!(usize::from(decision) < G::INFO.decisions.len());
        assert!(!asked.is_empty(), "an empty node");
        let mut choices: Choices<G::Action> = [None; MAX_SEATS];
        for seat in asked.iter() {
            assert!(seat.index() < seats);
            let mut legal = Vec::new();
            state.legal_answers(seat, &mut |answer| legal.push(answer));
            assert!(!legal.is_empty(), "a seat is asked that has no legal answer");
            assert_eq!(state.judge(seat, NO_ACTION), Verdict::Illegal);
            let answer = legal[dice.below(legal.len() as u32) as usize];
            let Verdict::Legal(action) = state.judge(seat, answer) else {
                panic!("{answer} is said to be legal: {:?}", state.judge(seat, answer));
            };
            if dice.below(16) != 0 {
                choices[seat.index()] = Some(action);
            }
        }
        state.apply(&choices, &mut deal, &mut events);
        nodes += 1;
        assert!(nodes < 100_000, "a match that does not end");
    }
    each(&state, &events.0);
    (state, events.0)
}

/// Every view of a random match is what follows from the notes of its seat. Returns how often each decision was asked.
pub(crate) fn views_follow_from_what_seats_are_told<G: Told>(
    options: &G::Options,
    seats: usize,
    seed: u64,
) -> Vec<usize> {
    let mut notes: Vec<_> = Seat::all(seats).map(|seat| G::notes(options, seats, seat)).collect();
    let mut told = 0;
    let mut asked = vec![0; G::INFO.decisions.len()];
    random_match_with_events::<G>(options, seats, seed, |state, events| {
        for event in &events[told..] {
            notes.iter_mut().for_each(|notes| G::tell(notes, event));
        }
        told = events.len();
        let Node::Act { decision, seats } = state.node() else { return };
        for seat in seats.iter() {
            let mut view = G::View::zeroed();
            state.observe(seat, &mut view);
            let follows = G::view(&notes[seat.index()]);
            assert_eq!(view.as_bytes(), follows.as_bytes(), "seat {seat} sees {view:?}, and was told {follows:?}");
            asked[usize::from(decision)] += 1;
        }
    });
    asked
}

/// Every legal answer is what its own phrase is understood as.
fn phrases_are_understood<G: Game>(state: &G, seat: Seat, decision: u8, view: &G::View) {
    let mut legal = Vec::new();
    state.legal_answers(seat, &mut |answer| legal.push(answer));
    for &answer in &legal {
        let phrase = G::phrase(decision, answer);
        let read = understand::<G>(view, decision, &phrase, &legal).expect("a legal answer's phrase");
        assert_eq!(state.judge(seat, read), state.judge(seat, answer), "{phrase}");
    }
    assert!(!G::describe(view, decision).is_empty());
}

/// The tests that every game passes.
pub(crate) fn check<G: Told>() {
    let info = G::INFO;
    assert!(info.seats.0 >= 2 && info.seats.1 <= MAX_SEATS);
    assert!(info.decisions.iter().all(|decision| (1..=100).contains(&decision.fuel_percent)));
    let options = G::Options::default();
    for seats in info.seats.0..=info.seats.1 {
        if G::check_options(&options, seats).is_err() {
            continue;
        }
        for seed in 0..200 {
            views_follow_from_what_seats_are_told::<G>(&options, seats, seed);
            let (end, events) = random_match::<G>(&options, seats, seed, |state| {
                let Node::Act { decision, seats: asked } = state.node() else { return };
                for seat in asked.iter() {
                    let mut view = G::View::zeroed();
                    state.observe(seat, &mut view);
                    let mut again = G::View::zeroed();
                    state.clone().observe(seat, &mut again);
                    assert_eq!(view.as_bytes(), again.as_bytes());
                    // A few matches will do.
                    if seed < 2 {
                        phrases_are_understood(state, seat, decision, &view);
                    }
                }
            });
            let (again, events_again) = random_match::<G>(&options, seats, seed, |_| {});
            let text = |events: &[G::Event]| serde_json::to_string(events).expect("events are JSON");
            assert_eq!(text(&events), text(&events_again), "the same seed, the same match");
            let outcome = end.outcome();
            assert_eq!(outcome, again.outcome());
            assert_eq!(outcome.seats, seats);
            for seat in Seat::all(seats) {
                let place = outcome.placements()[seat.index()];
                let better = outcome.placements().iter().filter(|&&other| other < place).count();
                assert_eq!(usize::from(place), better + 1, "{:?}", outcome.placements());
            }
        }
    }
    assert!(info.seating == Seating::EveryRotation || info.chance || info.seats.0 > 2);
}
