//! Every kind of fault, in every decision of every game, costs the same: what the game's page says of a failed decision.

use arena::bench::Subject;
use arena::failure::CallError;
use arena::games::{Game, GameId, Witness, with_game};
use arena::ids::{Answer, Fault, Seat};
use arena::play::native::{Make, Native};
use arena::play::{MatchPlan, MatchRecord, Observer, Player, play_match};
use bot_sdk::abi::NO_ACTION;

/// A bot that fails one kind of decision in one way. It is never really restarted, so that what follows depends on
/// the failed decisions alone.
struct Failing {
    bot: Native,
    started: bool,
    /// `None` for every decision.
    fails: Option<(Option<u8>, Fault)>,
}

impl Player for Failing {
    fn start(&mut self, seat: Seat, seats: usize, seed: u64) -> Result<(), CallError> {
        if std::mem::replace(&mut self.started, true) { Ok(()) } else { self.bot.start(seat, seats, seed) }
    }

    fn decide(&mut self, decision: u8, view: &[u8]) -> Result<Answer, CallError> {
        // The bot thinks all the same: its dice are then the same in every case.
        let answer = self.bot.decide(decision, view);
        match self.fails {
            Some((failing, fault)) if failing.is_none_or(|failing| failing == decision) => match fault {
                Fault::Illegal => Ok(Answer { action: NO_ACTION, fuel: 0 }),
                fault => Err(fault.into()),
            },
            _ => answer,
        }
    }
}

/// Keeps the game's events.
#[derive(Default)]
struct Events(Vec<String>);

impl<E: serde::Serialize> Witness<E> for Events {
    fn event(&mut self, event: impl FnOnce() -> E) {
        self.0.push(serde_json::to_string(&event()).expect("an event is JSON"));
    }
}

impl<G: Game> Observer<G> for Events {
    fn decision(&mut self, _: Seat, _: u8, _: &G::View, _: Option<Answer>, _: Option<Fault>) {}
}

fn play<G: Game>(make: Make, fails: Option<(Option<u8>, Fault)>, deal: u8, retire: bool) -> (MatchRecord, Vec<String>) {
    let options = G::Options::default();
    let seats = G::INFO.seats.0;
    let mut players: Vec<_> = (0..seats)
        .map(|seat| Failing { bot: Native::new(make), started: false, fails: fails.filter(|_| seat == 0) })
        .collect();
    let seeds: Vec<u64> = (0..seats as u64).map(|seat| seat + 100 * u64::from(deal)).collect();
    let plan = MatchPlan::<G> {
        options: &options,
        deal: [deal; 32],
        seeds: &seeds,
        max_restarts: if retire { 10 } else { u32::MAX },
    };
    let mut events = Events::default();
    let record = play_match(plan, &mut players, &mut events).unwrap();
    (record, events.0)
}

fn every_fault<G: Game>(make: Make) {
    // A bot that fails everything goes the same way whether it is retired on the way or not.
    for deal in 0..10 {
        let (all, story) = play::<G>(make, Some((None, Fault::Illegal)), deal, false);
        let (retired, same_story) = play::<G>(make, Some((None, Fault::Crash)), deal, true);
        assert_eq!(same_story, story, "{}: retired", G::INFO.name);
        assert_eq!(retired.outcome, all.outcome, "{}: retired", G::INFO.name);
        let [illegal, lost] = [Fault::Illegal, Fault::Crash].map(|fault| fault as usize);
        let count = all.seats[0].faults[illegal];
        assert_eq!(retired.seats[0].faults[lost], count.min(10), "{}", G::INFO.name);
        assert_eq!(retired.seats[0].faults[Fault::Retired as usize], count.saturating_sub(10), "{}", G::INFO.name);
    }
    for decision in 0..G::INFO.decisions.len() as u8 {
        let mut failed = 0;
        for deal in 0..40 {
            let (illegal, story) = play::<G>(make, Some((Some(decision), Fault::Illegal)), deal, false);
            let count = illegal.seats[0].faults[Fault::Illegal as usize];
            failed += count;
            for fault in [Fault::Timeout, Fault::Crash, Fault::Protocol] {
                let (record, same_story) = play::<G>(make, Some((Some(decision), fault)), deal, false);
                let what = format!("{} {}: {fault}", G::INFO.name, G::INFO.decisions[usize::from(decision)].name);
                assert_eq!(same_story, story, "{what}");
                assert_eq!(record.outcome, illegal.outcome, "{what}");
                let mut faults = [0; 5];
                faults[fault as usize] = count;
                assert_eq!(record.seats[0].faults, faults, "{what}");
                assert!(record.seats[1..].iter().all(|seat| seat.faults == [0; 5]), "{what}: another's fault");
                // With retirement, the tenth lost instance is the last; what follows fails as `retired`.
                let (record, _) = play::<G>(make, Some((Some(decision), fault)), deal, true);
                assert!(record.seats[0].faults[fault as usize] <= 10, "{what}");
                let retired = record.seats[0].faults[Fault::Retired as usize];
                assert!(retired == 0 || record.seats[0].faults[fault as usize] == 10, "{what}");
            }
        }
        assert!(failed > 0, "{}: decision {decision} never came up", G::INFO.name);
    }
}

#[test]
fn every_kind_of_fault_costs_what_a_failed_decision_costs() {
    for &game in GameId::ALL {
        let subject = Subject::of(game).unwrap_or_else(|| panic!("{game} has no bot `uniform` or `random`"));
        with_game!(game, G => every_fault::<G>(subject.make));
    }
}
