//! Plays one match, whatever the game and whoever the players.

use bot_sdk::Plain;
use bot_sdk::abi::MAX_SEATS;

use super::Player;
use crate::failure::{CallError, HostError};
use crate::games::{Choices, DealRng, Game, Node, Outcome, Verdict, Witness};
use crate::ids::{Answer, Fault, Seat};

/// What a match is played from.
#[derive(Clone, Copy)]
pub struct MatchPlan<'a, G: Game> {
    /// The game's options.
    pub options: &'a G::Options,
    /// The key of the deal: the host's randomness.
    pub deal: [u8; 32],
    /// Each seat's own seed.
    pub seeds: &'a [u64],
    /// So many instances a bot may lose; then it is retired for the rest of the match.
    pub max_restarts: u32,
}

/// What a match came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchRecord {
    /// Points and placements by seat.
    pub outcome: Outcome,
    /// Faults and fuel by seat; beyond the match's seats all 0.
    pub seats: [SeatRecord; MAX_SEATS],
    /// A hash of every decision, answer and fault in order, and of the outcome: two matches with the same
    /// transcript went the same way.
    pub transcript: u64,
}

/// A seat's part of a match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SeatRecord {
    /// Decisions asked of the seat, failed ones included.
    pub decisions: u32,
    /// Failed decisions by kind, in the order of [`Fault::ALL`].
    pub faults: [u32; Fault::ALL.len()],
    /// Decisions that were answered, legally or not.
    pub answered: u32,
    /// Fuel of the answered decisions, in all.
    pub fuel: u64,
    /// Fuel of the costliest answered decision.
    pub fuel_max: u64,
}

/// Who watches a match: the game's events, and every decision as it was asked and answered.
pub trait Observer<G: Game>: Witness<G::Event> {
    /// A seat is about to be asked for a decision in a state. Only those at the host's side may look at it.
    #[inline(always)]
    fn asks(&mut self, _seat: Seat, _decision: u8, _state: &G) {}

    /// A decision was asked of a seat and answered, or failed. An illegal answer comes with both.
    fn decision(&mut self, seat: Seat, decision: u8, view: &G::View, answer: Option<Answer>, fault: Option<Fault>);
}

impl<G: Game> Observer<G> for () {
    #[inline(always)]
    fn decision(&mut self, _: Seat, _: u8, _: &G::View, _: Option<Answer>, _: Option<Fault>) {}
}

/// Where a seat's player stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mind {
    /// To be started before the next decision.
    Absent,
    Alive,
    Retired,
}

/// Plays a match. `players[seat]` sits at `seat`.
///
/// Whatever a player does is in the record. Players are started before their first decision.
///
/// # Errors
/// The host's: then there is no record of the match.
pub fn play_match<G: Game, P: Player, O: Observer<G>>(
    plan: MatchPlan<'_, G>,
    players: &mut [P],
    observer: &mut O,
) -> Result<MatchRecord, HostError> {
    let count = players.len();
    let mut deal = DealRng::new(plan.deal);
    let mut state = G::initial_state(plan.options, count, &mut deal, observer);
    let mut records = [SeatRecord::default(); MAX_SEATS];
    let mut minds = [(Mind::Absent, 0u32); MAX_SEATS];
    let mut transcript = Transcript::new();

    while let Node::Act { decision, seats } = state.node() {
        let mut choices: Choices<G::Action> = [None; MAX_SEATS];
        for seat in seats.iter() {
            let i = seat.index();
            let mut view = G::View::zeroed();
            state.observe(seat, &mut view);
            observer.asks(seat, decision, &state);

            let (mind, lost) = &mut minds[i];
            let asked = ask(&mut players[i], mind, *lost, seat, count, plan.seeds[i], decision, view.as_bytes());
            let (answer, fault) = match asked {
                Err(CallError::Host(error)) => return Err(error),
                Ok(answer) => match state.judge(seat, answer.action) {
                    Verdict::Legal(action) => {
                        choices[i] = Some(action);
                        (Some(answer), None)
                    }
                    Verdict::Partly(action) => {
                        choices[i] = Some(action);
                        (Some(answer), Some(Fault::Illegal))
                    }
                    Verdict::Illegal => (Some(answer), Some(Fault::Illegal)),
                },
                Err(CallError::Fault(fault)) => (None, Some(fault)),
            };
            if answer.is_none() && *mind != Mind::Retired {
                *lost += 1;
                *mind = if *lost >= plan.max_restarts { Mind::Retired } else { Mind::Absent };
            }

            let record = &mut records[i];
            record.decisions += 1;
            if let Some(answer) = answer {
                record.answered += 1;
                record.fuel += answer.fuel;
                record.fuel_max = record.fuel_max.max(answer.fuel);
                transcript.add(answer.action as u64);
            }
            if let Some(fault) = fault {
                record.faults[fault as usize] += 1;
            }
            transcript.add(u64::from(seat.0) | u64::from(decision) << 8 | fault.map_or(0, |f| f as u64 + 1) << 16);
            observer.decision(seat, decision, &view, answer, fault);
        }
        state.apply(&choices, &mut deal, observer);
    }

    let outcome = state.outcome();
    for seat in 0..count {
        transcript.add(outcome.points[seat] as u64 ^ u64::from(outcome.placements[seat]) << 32);
    }
    Ok(MatchRecord { outcome, seats: records, transcript: transcript.0 })
}

#[allow(clippy::too_many_arguments, reason = "the pieces of one question; a struct for them would live for one line")]
#[inline]
fn ask<P: Player>(
    player: &mut P,
    mind: &mut Mind,
    lost: u32,
    seat: Seat,
    seats: usize,
    seed: u64,
    decision: u8,
    view: &[u8],
) -> Result<Answer, CallError> {
    match mind {
        Mind::Retired => return Err(Fault::Retired.into()),
        Mind::Absent => {
            // A new instance gets a seed of its own, or it might fail in the same way for ever.
            player.start(seat, seats, seed.wrapping_add(u64::from(lost).wrapping_mul(0x9e37_79b9_7f4a_7c15)))?;
            *mind = Mind::Alive;
        }
        Mind::Alive => {}
    }
    player.decide(decision, view)
}

/// Mixes numbers into one, order and all (FxHash's step, with a final rotation against its weak low bits).
struct Transcript(u64);

impl Transcript {
    fn new() -> Self {
        Transcript(0)
    }

    #[inline]
    fn add(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95).rotate_left(26);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::little_hunters::{LittleHunters, Options};
    use crate::play::scripted::Scripted;

    fn play(players: &mut [Scripted]) -> MatchRecord {
        let options = Options::default();
        let plan = MatchPlan::<LittleHunters> { options: &options, deal: [0; 32], seeds: &[1, 2], max_restarts: 10 };
        play_match(plan, players, &mut ()).unwrap()
    }

    #[test]
    fn a_failing_player_is_restarted_and_then_retired() {
        let mut players = [Scripted::highest(), Scripted::failing(Fault::Crash)];
        let record = play(&mut players);
        // Eight bouts are lost by a failed play each: fewer than the ten restarts.
        assert_eq!(record.seats[1].faults, [0, 0, 8, 0, 0]);
        assert_eq!(players[1].starts, 8);
        assert_eq!(record.outcome.placements(), [1, 2]);

        let mut players = [Scripted::failing(Fault::Timeout), Scripted::failing(Fault::Protocol)];
        let record = play(&mut players);
        // 15 bouts and three tie-breaks of 5, all tied.
        assert_eq!(record.seats[0].faults, [0, 10, 0, 0, 20]);
        assert_eq!(record.seats[1].faults, [0, 0, 0, 10, 20]);
        assert_eq!(players[0].starts, 10);
        assert_eq!(record.outcome.placements(), [1, 1]);
    }

    #[test]
    fn an_illegal_answer_is_a_fault_and_the_player_lives_on() {
        let mut players = [Scripted::highest(), Scripted::answering(77)];
        let record = play(&mut players);
        assert_eq!(record.seats[1].faults, [8, 0, 0, 0, 0]);
        assert_eq!(record.seats[1].answered, 8);
        assert_eq!(players[1].starts, 1);
    }

    #[test]
    fn a_player_that_cannot_start_fails_its_decisions() {
        let mut players = [Scripted::highest(), Scripted::unstartable(Fault::Timeout)];
        let record = play(&mut players);
        assert_eq!(record.seats[1].faults, [0, 8, 0, 0, 0]);
        assert_eq!(record.seats[1].answered, 0);
    }

    #[test]
    fn an_error_of_the_host_ends_the_match_without_a_record() {
        struct Broken(bool);
        impl Player for Broken {
            fn start(&mut self, _: Seat, _: usize, _: u64) -> Result<(), CallError> {
                if self.0 { Err(HostError::new("start an instance", "no room").into()) } else { Ok(()) }
            }
            fn decide(&mut self, _: u8, _: &[u8]) -> Result<Answer, CallError> {
                Err(HostError::new("ask a bot", "no room").into())
            }
        }
        let options = Options::default();
        for at_start in [true, false] {
            let plan =
                MatchPlan::<LittleHunters> { options: &options, deal: [0; 32], seeds: &[1, 2], max_restarts: 10 };
            let error = play_match(plan, &mut [Broken(at_start), Broken(at_start)], &mut ()).unwrap_err();
            assert!(error.to_string().ends_with("no room"), "{error}");
        }
    }

    #[test]
    fn transcripts_tell_matches_apart() {
        let same = |a: &mut [Scripted], b: &mut [Scripted]| play(a).transcript == play(b).transcript;
        let highest = || Scripted::highest();
        assert!(same(&mut [highest(), highest()], &mut [highest(), highest()]));
        assert!(!same(&mut [highest(), highest()], &mut [highest(), Scripted::answering(77)]));
        assert!(!same(&mut [Scripted::answering(76), highest()], &mut [Scripted::answering(77), highest()]));
    }
}
