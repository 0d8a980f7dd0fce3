//! One recorded match of each game, every state, view, answer and event spelled out: a change of the rules is a
//! difference that anyone can read. `ARENA_BLESS=1 cargo test --release -p arena --test it` records them anew.

use std::fmt::Write;

use arena::games::{Choices, DealRng, Game, GameId, Node, Verdict, Witness, with_game};
use arena::play::account::view_json;
use bot_sdk::{Plain, Rng};

use crate::harness::repository;

/// Writes events as they come.
struct Told<'a>(&'a mut String);

impl<E: std::fmt::Display> Witness<E> for Told<'_> {
    fn event(&mut self, event: impl FnOnce() -> E) {
        for line in event().to_string().lines().filter(|line| !line.trim().is_empty()) {
            let _ = writeln!(self.0, "  event: {}", line.trim());
        }
    }
}

/// Random legal answers, one decision in 12 failing.
fn playthrough<G: Game>() -> String {
    let mut text = String::new();
    let seats = G::INFO.seats.0;
    let mut deal = DealRng::new([7; 32]);
    let mut dice = Rng::new(7);
    let _ = writeln!(text, "{} (rules version {}), {seats} seats", G::INFO.title, G::INFO.rules_version);
    let mut state = G::initial_state(&G::Options::default(), seats, &mut deal, &mut Told(&mut text));
    while let Node::Act { decision, seats } = state.node() {
        let _ = writeln!(text, "\nstate: {state:?}");
        let mut choices: Choices<G::Action> = [None; bot_sdk::abi::MAX_SEATS];
        for seat in seats.iter() {
            let mut view = G::View::zeroed();
            state.observe(seat, &mut view);
            let mut legal = Vec::new();
            state.legal_answers(seat, &mut |answer| legal.push(answer));
            let answer = *dice.pick(&legal).expect("a legal answer");
            let fails = dice.below(12) == 0;
            let _ = writeln!(text, "  seat {seat} sees {}", view_json(&view));
            let name = G::INFO.decisions[usize::from(decision)].name;
            let shown = if fails { "fails".into() } else { format!("answers {answer}") };
            let _ = writeln!(text, "  seat {seat} is asked to {name} ({} legal answers) and {shown}", legal.len());
            if let (false, Verdict::Legal(action)) = (fails, state.judge(seat, answer)) {
                choices[seat.index()] = Some(action);
            }
        }
        state.apply(&choices, &mut deal, &mut Told(&mut text));
    }
    let outcome = state.outcome();
    let _ = writeln!(text, "\npoints {:?}, placements {:?}", outcome.points(), outcome.placements());
    text
}

#[test]
fn playthroughs_are_as_recorded() {
    let folder = repository().join("tests/playthroughs");
    for &game in GameId::ALL {
        let text = with_game!(game, G => playthrough::<G>());
        let path = folder.join(format!("{game}.txt"));
        if std::env::var_os("ARENA_BLESS").is_some() {
            std::fs::write(&path, &text).expect("recorded");
        }
        let recorded = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if text != recorded {
            let line = text.lines().zip(recorded.lines()).position(|(a, b)| a != b).unwrap_or(0);
            panic!("{game}: the playthrough differs from line {} of {} on", line + 1, path.display());
        }
    }
}
