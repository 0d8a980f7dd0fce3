//! Plays a block.

use bot_sdk::abi::MAX_SEATS;

use super::schedule::Block;
use super::seeds::{self, deal, seatings_per_deal};
use crate::failure::HostError;
use crate::games::{Game, GameInfo, Seating};
use crate::play::{MatchPlan, MatchRecord, Player, play_match};
use crate::sandbox::Limits;
use crate::tally::{BlockTally, PlaceTally, SeatTally, pairs_of};

/// What all blocks of a league share.
pub struct Rules<'a, G: Game> {
    /// The game's options.
    pub options: &'a G::Options,
    /// The league's seed.
    pub seed: u64,
    /// See [`Limits::restarts`].
    pub max_restarts: u32,
}

/// Plays a block's matches. `player(place)` makes the player of a place in the lineup, which starts anew in each match;
/// the lineup has `places` places.
///
/// # Errors
/// The host's: then there is no tally.
pub fn play_block<G: Game, P: Player>(
    rules: &Rules<'_, G>,
    block: Block,
    places: usize,
    player: impl FnMut(usize) -> P,
) -> Result<BlockTally, HostError> {
    play_block_with(rules, block, (0..places).map(player).collect()).map(|(tally, _)| tally)
}

/// Plays a block's matches with the players of its lineup, by place, which start anew in each match. Gives them back.
///
/// # Errors
/// The host's: then there is no tally, and the players are gone.
pub fn play_block_with<G: Game, P: Player>(
    rules: &Rules<'_, G>,
    block: Block,
    players: Vec<P>,
) -> Result<(BlockTally, Vec<P>), HostError> {
    let places = players.len();
    let mut counter = Counter::new(places, G::INFO.seating, block.deals);
    let mut by_place: Vec<_> = players.into_iter().map(Some).collect();
    let mut players = Vec::with_capacity(places);
    for number in block.first..block.first + u64::from(block.deals) {
        let deal = deal(rules.seed, number, G::INFO.seating, places);
        for (seating, seated) in deal.seatings().iter().enumerate() {
            let place_at = seated.place_at[..places].iter().map(|&place| usize::from(place));
            players.extend(place_at.clone().filter_map(|place| by_place[place].take()));
            let plan = MatchPlan::<G> {
                options: rules.options,
                deal: deal.key,
                seeds: &seated.seeds[..places],
                max_restarts: rules.max_restarts,
            };
            let record = play_match(plan, &mut players, &mut ())?;
            counter.add_match(seating, seated, &record);
            for (place, player) in place_at.zip(players.drain(..)) {
                by_place[place] = Some(player);
            }
        }
        counter.end_deal();
    }
    Ok((counter.tally, by_place.into_iter().flatten().collect()))
}

/// Folds matches into a tally.
struct Counter {
    tally: BlockTally,
    places: usize,
    /// This deal's comparison scores and game points, by place.
    half_points: [u32; MAX_SEATS],
    points: [i64; MAX_SEATS],
    /// This deal's transcripts, by seating.
    transcripts: [u64; MAX_SEATS],
    seatings: usize,
    deals: u64,
}

impl Counter {
    fn new(places: usize, seating: Seating, deals: u32) -> Counter {
        let place = PlaceTally { seats: vec![SeatTally::default(); places], ..PlaceTally::default() };
        let tally = BlockTally {
            matches: 0,
            places: vec![place; places],
            pairs: vec![[0; 3]; places * (places - 1) / 2],
            scores: Vec::with_capacity((places - 1) * deals as usize),
            digest: 0,
            repeated: None,
        };
        Counter {
            tally,
            places,
            half_points: [0; MAX_SEATS],
            points: [0; MAX_SEATS],
            transcripts: [0; MAX_SEATS],
            seatings: seatings_per_deal(seating, places),
            deals: 0,
        }
    }

    fn add_match(&mut self, seating: usize, seated: &seeds::Seated, record: &MatchRecord) {
        let outcome = &record.outcome;
        let placements = outcome.placements();
        let best_shared = placements.iter().filter(|&&place| place == 1).count() > 1;
        let mut seat_of = [0; MAX_SEATS];
        for (seat, &placement) in placements.iter().enumerate() {
            let place = usize::from(seated.place_at[seat]);
            seat_of[place] = seat;
            let behind = placements.iter().filter(|&&other| other > placement).count() as u64;
            let level = placements.iter().filter(|&&other| other == placement).count() as u64 - 1;
            let half_points = 2 * behind + level;
            let points = i64::from(outcome.points[seat]);

            let tally = &mut self.tally.places[place];
            tally.seats[seat].add(&SeatTally {
                matches: 1,
                wins: u64::from(placement == 1 && !best_shared),
                draws: u64::from(placement == 1 && best_shared),
                placements: placement.into(),
                half_points,
                points,
                points_squared: points * points,
            });
            let own = &record.seats[seat];
            tally.decisions += u64::from(own.decisions);
            tally.answered += u64::from(own.answered);
            for (sum, faults) in tally.faults.iter_mut().zip(own.faults) {
                *sum += u64::from(faults);
            }
            tally.fuel += own.fuel;
            tally.fuel_max = tally.fuel_max.max(own.fuel_max);
            self.half_points[place] += half_points as u32;
            self.points[place] += points;
        }
        for (counts, (p, q)) in self.tally.pairs.iter_mut().zip(pairs_of(self.places)) {
            match placements[seat_of[p]].cmp(&placements[seat_of[q]]) {
                std::cmp::Ordering::Less => counts[0] += 1,
                std::cmp::Ordering::Equal => counts[1] += 1,
                std::cmp::Ordering::Greater => counts[2] += 1,
            }
        }
        self.tally.matches += 1;
        self.tally.digest = self.tally.digest.wrapping_add(record.transcript);
        self.transcripts[seating] = record.transcript;
    }

    fn end_deal(&mut self) {
        for place in 0..self.places {
            self.tally.places[place].deal_points_squared += self.points[place] * self.points[place];
        }
        // At most 2 n (n - 1) half points: 180 for ten seats.
        let kept = &self.half_points[..self.places - 1];
        self.tally.scores.extend(kept.iter().map(|&score| score as u8));
        let transcripts = &self.transcripts[..self.seatings];
        if self.deals == 0 {
            self.tally.repeated = Some(transcripts.to_vec());
        } else if self.tally.repeated.as_deref().is_some_and(|first| first != transcripts) {
            self.tally.repeated = None;
        }
        self.deals += 1;
        self.half_points = [0; MAX_SEATS];
        self.points = [0; MAX_SEATS];
    }
}

/// Fuel for each of the game's decisions.
pub fn decision_fuel(info: &GameInfo, limits: &Limits) -> Vec<u64> {
    info.decisions.iter().map(|decision| limits.decision_fuel * decision.fuel_percent / 100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allocations::counted;
    use crate::bench::Subject;
    use crate::games::little_hunters::{LittleHunters, Options};
    use crate::games::{GameId, with_game};
    use crate::play::scripted::Scripted;
    use crate::play::wasm::Wasm;
    use crate::sandbox::{BotModule, BotThread, Sandbox};

    fn block(deals: u32, player: impl FnMut(usize) -> Scripted) -> BlockTally {
        let options = Options::default();
        let rules = Rules::<LittleHunters> { options: &options, seed: 1, max_restarts: 10 };
        play_block(&rules, Block { lineup: 0, first: 3, deals }, 2, player).unwrap()
    }

    /// Place 1 always wins, whatever the seat: results go to the right bot.
    #[test]
    fn a_bot_that_always_wins_is_credited_from_each_seat() {
        let tally = block(5, |place| if place == 1 { Scripted::highest() } else { Scripted::answering(0) });
        assert_eq!(tally.matches, 10);
        assert_eq!(tally.pairs, [[0, 0, 10]]);
        for seat in 0..2 {
            assert_eq!(tally.places[1].seats[seat].wins, 5);
            assert_eq!(tally.places[0].seats[seat].losses(), 5);
        }
        assert_eq!(tally.scores, [0; 5]);
        assert_eq!(tally.places[0].faults, [80, 0, 0, 0, 0]);
        assert_eq!(tally.places[1].fault_count(), 0);
        assert_eq!(tally.places[1].total().points, 80);
        assert_eq!(tally.places[1].deal_points_squared, 5 * 16 * 16);
    }

    #[test]
    fn wins_draws_and_losses_are_all_matches() {
        let tally = block(3, |_| Scripted::highest());
        for place in &tally.places {
            let total = place.total();
            assert_eq!((total.wins, total.draws, total.losses()), (0, 6, 0));
        }
        assert_eq!(tally.scores, [2, 2, 2]);
    }

    #[test]
    fn matches_that_repeat_are_recognised() {
        assert!(block(3, |_| Scripted::highest()).repeated.is_some());
        // Of six matches with 30 plays each, all tied, the fourth is the first that differs.
        let varied = block(3, |_| {
            let mut asked = 0;
            Scripted::new(move |_, _| {
                asked += 1;
                if asked > 100 { Ok(0) } else { Ok(77) }
            })
        });
        assert_eq!(varied.repeated, None);
    }

    #[test]
    fn deals_allocate_nothing() {
        fn allocations<G: Game>(thread: BotThread, module: &BotModule, seats: usize) -> [u64; 2] {
            let (options, fuel) = (G::Options::default(), decision_fuel(&G::INFO, &Limits::default()));
            let rules = Rules::<G> { options: &options, seed: 1, max_restarts: 10 };
            let block = |deals| Block { lineup: 0, first: 0, deals };
            // The first matches make the instances and find out which pages they write to.
            let players = (0..seats).map(|_| Wasm::new(thread, module, &fuel)).collect();
            let (_, players) = play_block_with(&rules, block(40), players).unwrap();
            let (once, (_, players)) = counted(|| play_block_with(&rules, block(1), players).unwrap());
            let (often, _) = counted(|| play_block_with(&rules, block(40), players).unwrap());
            [once, often]
        }
        for &game in GameId::ALL {
            let info = game.info();
            let sandbox = Sandbox::new(Limits::default(), info.seats.1 as u32).unwrap();
            let module =
                BotModule::load(&sandbox, Subject::of(game).unwrap().wasm, game.view_size(), game.info().seats.0)
                    .unwrap();
            for seats in [info.seats.0, info.seats.1] {
                let [once, often] =
                    BotThread::run(|thread| with_game!(game, G => allocations::<G>(thread, &module, seats))).unwrap();
                assert!(once > 0 && often == once, "{game}, {seats} seats: 1 deal {once}, 40 deals {often}");
            }
        }
    }
}
