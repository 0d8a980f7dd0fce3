//! What a league came to, collected from its journal alone.

use std::path::Path;

use super::identity::Identity;
use super::journal::{Entry, Journal, JournalError};
use super::key::Key;
use super::schedule::Schedule;
use super::seeds::seatings_per_deal;
use crate::games::GameId;
use crate::rating::{self, Evidence, Meeting, PairPoints};
use crate::tally::{BlockTally, PlaceTally, pairs_of};

/// A league's results: sums by bot and pair, and every deal's scores as evidence for the ratings.
pub struct Results {
    /// What was played.
    pub identity: Identity,
    /// The game.
    pub game: GameId,
    /// By bot, all its matches.
    pub bots: Vec<PlaceTally>,
    /// Every pair that met, by (a, b) with a < b.
    pub pairs: Vec<PairResult>,
    /// Matches counted.
    pub matches: u64,
    /// Damaged lines of the journal, from 1: their blocks are not in it.
    pub damaged: Vec<usize>,
    /// Whether its last line is torn, likewise.
    pub torn: bool,
    /// Matches of the whole league.
    pub planned: u64,
    /// Matches that are in the journal but not counted here, since blocks before them in the schedule are not
    /// played yet: only a prefix of the schedule is fair to all.
    pub ahead: u64,
    /// A hash over all matches' transcripts, in schedule order.
    pub digest: u64,
    /// By lineup, who sits in its places.
    seats_of: Vec<Vec<u32>>,
    lineups: Vec<rating::Lineup>,
    /// Of each lineup, whether every deal of it went the same way.
    repeated: Vec<Repeated>,
    /// Deals of each lineup.
    deals: Vec<u64>,
    /// Sums of each range of deals, by bot and seat: the blocks of all lineups on the same deals are one cluster.
    sums: Vec<Box<[SeatSums]>>,
    /// Scores of blocks by range of deals, in schedule order.
    ranges: Vec<Vec<Scored>>,
    seatings: usize,
}

/// What two bots did against each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairResult {
    /// The bot whose results these are.
    pub a: u32,
    /// Its opponent; a larger index.
    pub b: u32,
    /// Matches in which a placed higher.
    pub wins: u64,
    /// Matches in which they tied.
    pub draws: u64,
    /// Matches in which b placed higher.
    pub losses: u64,
    /// In games of two seats, deals by a's score in both seatings: 0, ½, 1, 1½, 2.
    pub pentanomial: Option<[u64; 5]>,
}

impl PairResult {
    /// Matches.
    pub fn matches(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// a's share of the points; draws are half a win.
    pub fn score(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.matches() as f64
    }
}

/// A bot's matches in one seat over a range of deals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SeatSums {
    /// Matches.
    pub matches: u64,
    /// Comparison score, in half points.
    pub half_points: u64,
    /// Game points.
    pub points: i64,
}

struct Scored {
    lineup: u32,
    scores: Box<[u8]>,
}

#[derive(Clone, PartialEq)]
enum Repeated {
    NothingYet,
    Always(Vec<u64>),
    No,
}

impl Results {
    /// Collects what the journal in a folder holds of a league. Blocks count up to the first that is not played.
    ///
    /// # Errors
    /// The journal's, [`JournalError::Contradictory`] too; [`ResultsError::UnknownGame`] for a journal of another version of arena.
    pub fn collect(folder: &Path, identity: &Identity) -> Result<Results, ResultsError> {
        let schedule = identity.schedule();
        let mut results = Results::empty(identity, &schedule)?;
        let mut wanted: Vec<(Key, u64)> = identity.block_keys(results.game, &schedule).into_iter().zip(0..).collect();
        wanted.sort_unstable();
        let of = |key: Key| {
            let start = wanted.partition_point(|(other, _)| *other < key);
            wanted[start..].iter().take_while(move |(other, _)| *other == key).map(|&(_, index)| index)
        };

        // First which blocks there are, then their sums: nothing is held but what is wanted.
        let mut played = vec![false; schedule.len() as usize];
        let contents = Journal::read(folder, |entry| of(entry.key).for_each(|index| played[index as usize] = true))?;
        contents.refuse_contradictions(folder)?;
        results.damaged = contents.damaged;
        results.torn = contents.torn;
        let prefix = played.iter().take_while(|&&played| played).count() as u64;
        let seatings = results.seatings as u64;
        for (index, _) in played.iter().enumerate().skip(prefix as usize).filter(|(_, played)| **played) {
            results.ahead += u64::from(schedule.block(index as u64).deals) * seatings;
        }
        results.planned = schedule.lineups().len() as u64 * identity.deals * seatings;

        let lineups = schedule.lineups();
        results.ranges = std::iter::repeat_with(Vec::new).take(schedule.ranges() as usize).collect();
        results.sums = vec![Box::default(); schedule.ranges() as usize];
        Journal::read(folder, |entry| {
            for index in of(entry.key).filter(|&index| index < prefix) {
                // A block that is there twice counts once.
                if std::mem::take(&mut played[index as usize]) {
                    let block = schedule.block(index);
                    let range = (block.first / u64::from(identity.block)) as usize;
                    results.add(&entry, block.lineup, &lineups[block.lineup].0, range, index);
                }
            }
        })?;
        for range in &mut results.ranges {
            range.sort_unstable_by_key(|scored| scored.lineup);
        }
        results.pairs.retain(|pair| pair.matches() > 0);
        Ok(results)
    }

    fn empty(identity: &Identity, schedule: &Schedule) -> Result<Results, ResultsError> {
        let game = GameId::from_name(&identity.game)
            .ok_or_else(|| ResultsError::UnknownGame { name: crate::ids::escaped(&identity.game, 60) })?;
        let bots = identity.bots.len();
        let seatings = seatings_per_deal(game.info().seating, identity.seats);
        let weight = 2.0 / identity.seats as f64;
        let lineups: Vec<_> =
            schedule.lineups().iter().map(|lineup| without_repeats(&lineup.0, seatings as f64 * weight)).collect();
        let pair = |(a, b): (usize, usize)| PairResult {
            a: a as u32,
            b: b as u32,
            wins: 0,
            draws: 0,
            losses: 0,
            pentanomial: (identity.seats == 2 && seatings == 2).then_some([0; 5]),
        };
        Ok(Results {
            identity: identity.clone(),
            game,
            bots: vec![PlaceTally::default(); bots],
            pairs: pairs_of(bots).map(pair).collect(),
            matches: 0,
            damaged: Vec::new(),
            torn: false,
            planned: 0,
            ahead: 0,
            digest: 0,
            repeated: vec![Repeated::NothingYet; lineups.len()],
            seats_of: schedule.lineups().iter().map(|lineup| lineup.0.clone()).collect(),
            deals: vec![0; lineups.len()],
            sums: Vec::new(),
            lineups,
            ranges: Vec::new(),
            seatings,
        })
    }

    fn add(&mut self, entry: &Entry, lineup: usize, bots: &[u32], range: usize, index: u64) {
        let tally = &entry.tally;
        self.matches += tally.matches;
        self.digest = self.digest.wrapping_add(tally.digest.rotate_left((index % 64) as u32));
        self.deals[lineup] += tally.deals() as u64;
        let seats = self.identity.seats;
        let sums = &mut self.sums[range];
        if sums.is_empty() {
            *sums = vec![SeatSums::default(); self.bots.len() * seats].into();
        }
        for (place, &bot) in tally.places.iter().zip(bots) {
            self.bots[bot as usize].add(place);
            for (sum, seat) in sums[bot as usize * seats..][..seats].iter_mut().zip(&place.seats) {
                sum.matches += seat.matches;
                sum.half_points += seat.half_points;
                sum.points += seat.points;
            }
        }
        for (counts, (p, q)) in tally.pairs.iter().zip(pairs_of(bots.len())) {
            let (p, q) = (bots[p] as usize, bots[q] as usize);
            // Copies of one bot are not compared with each other.
            if p == q {
                continue;
            }
            let pair = &mut self.pairs[pair_index(self.bots.len(), p.min(q), p.max(q))];
            let [wins, draws, losses] = if p < q { *counts } else { [counts[2], counts[1], counts[0]] };
            pair.wins += wins;
            pair.draws += draws;
            pair.losses += losses;
            if let Some(pentanomial) = &mut pair.pentanomial {
                tally.scores.iter().for_each(|&score| pentanomial[usize::from(score.min(4))] += 1);
            }
        }
        let repeated = &mut self.repeated[lineup];
        *repeated = match (&repeated, &tally.repeated) {
            (Repeated::NothingYet, Some(transcripts)) => Repeated::Always(transcripts.clone()),
            (Repeated::Always(before), Some(transcripts)) if before == transcripts => {
                return self.keep(tally, lineup, range);
            }
            _ => Repeated::No,
        };
        self.keep(tally, lineup, range);
    }

    fn keep(&mut self, tally: &BlockTally, lineup: usize, range: usize) {
        self.ranges[range].push(Scored { lineup: lineup as u32, scores: tally.scores.clone().into_boxed_slice() });
    }

    /// Lineups of which every deal went the same way, as bots' indices: more deals of them bring nothing new.
    pub fn deterministic(&self) -> impl Iterator<Item = &[u32]> {
        let lineups = self.lineups.iter().enumerate();
        lineups.filter(|&(lineup, _)| self.is_deterministic(lineup)).map(|(_, lineup)| lineup.players.as_slice())
    }

    fn is_deterministic(&self, lineup: usize) -> bool {
        self.deals[lineup] > 1 && matches!(self.repeated[lineup], Repeated::Always(_))
    }

    /// By bot, its matches in lineups of which every deal went the same way.
    pub fn deterministic_matches(&self) -> Vec<u64> {
        let mut matches = vec![0; self.bots.len()];
        for (lineup, deals) in self.deals.iter().enumerate().filter(|&(lineup, _)| self.is_deterministic(lineup)) {
            for &bot in &self.lineups[lineup].players {
                matches[bot as usize] += deals * self.seatings as u64;
            }
        }
        matches
    }

    /// Matches of a deal.
    pub fn seatings(&self) -> usize {
        self.seatings
    }

    /// Each range of deals that was played, as sums by bot and seat (`bot * seats + seat`), in order.
    pub fn blocks(&self) -> impl Iterator<Item = &[SeatSums]> {
        self.sums.iter().map(|sums| &sums[..]).filter(|sums| !sums.is_empty())
    }

    /// The pair of two bots.
    pub fn pair(&self, a: u32, b: u32) -> Option<&PairResult> {
        let wanted = (a.min(b), a.max(b));
        self.pairs.binary_search_by_key(&wanted, |pair| (pair.a, pair.b)).ok().map(|at| &self.pairs[at])
    }

    /// A bot's name.
    pub fn name(&self, bot: u32) -> &str {
        &self.identity.bots[bot as usize].name
    }
}

/// A lineup as the ratings see it: each bot once, with its number of seats.
fn without_repeats(bots: &[u32], comparisons: f64) -> rating::Lineup {
    let mut lineup = rating::Lineup::new(Vec::new(), comparisons);
    for &bot in bots {
        match lineup.players.iter().position(|&other| other == bot) {
            Some(at) => lineup.copies[at] += 1,
            None => {
                lineup.players.push(bot);
                lineup.copies.push(1);
            }
        }
    }
    lineup
}

/// The place of (a, b), a < b, among all pairs of `count` in the order of [`pairs_of`].
fn pair_index(count: usize, a: usize, b: usize) -> usize {
    a * (2 * count - a - 1) / 2 + b - a - 1
}

impl Evidence for Results {
    fn players(&self) -> usize {
        self.bots.len()
    }

    fn lineups(&self) -> &[rating::Lineup] {
        &self.lineups
    }

    fn pairs(&self) -> Vec<PairPoints> {
        let weight = 2.0 / self.identity.seats as f64;
        let points = |pair: &PairResult| PairPoints {
            a: pair.a,
            b: pair.b,
            points_a: (pair.wins as f64 + pair.draws as f64 / 2.0) * weight,
            comparisons: pair.matches() as f64 * weight,
        };
        self.pairs.iter().map(points).collect()
    }

    /// A deal with all lineups is a cluster; but a lineup of which every deal went the same way is a cluster of its
    /// own, with all its deals: they are copies of one observation.
    fn clusters(&self, each: &mut dyn FnMut(&[Meeting<'_>])) {
        let seats = self.identity.seats;
        let kept = seats - 1;
        let apart: Vec<bool> = (0..self.lineups.len()).map(|lineup| self.is_deterministic(lineup)).collect();
        let mut points: Vec<f64> = Vec::new();
        let mut present: Vec<(u32, std::ops::Range<usize>)> = Vec::new();
        for range in &self.ranges {
            let deals = range.iter().map(|scored| scored.scores.len() / kept).max().unwrap_or(0);
            for deal in 0..deals {
                points.clear();
                present.clear();
                for scored in range.iter().filter(|scored| !apart[scored.lineup as usize]) {
                    if let Some(scores) = scored.scores.get(deal * kept..(deal + 1) * kept) {
                        present.push((scored.lineup, self.push_points(scored.lineup, scores, &mut points)));
                    }
                }
                if !present.is_empty() {
                    each(&meetings(&present, &points));
                }
            }
        }
        for lineup in (0..self.lineups.len()).filter(|&lineup| apart[lineup]) {
            points.clear();
            present.clear();
            // Each range is sorted by lineup.
            let of_lineup = |range: &Vec<Scored>| range.binary_search_by_key(&(lineup as u32), |scored| scored.lineup);
            for range in &self.ranges {
                let Ok(at) = of_lineup(range) else { continue };
                for scores in range[at].scores.chunks_exact(kept) {
                    present.push((lineup as u32, self.push_points(lineup as u32, scores, &mut points)));
                }
            }
            each(&meetings(&present, &points));
        }
    }
}

impl Results {
    /// Adds the weighted points of each bot of a lineup in a deal, and says where they are.
    ///
    /// In a lineup with copies a bot's are those of its seats together, without what its copies took from each other,
    /// which is the same however they fared.
    fn push_points(&self, lineup: u32, scores: &[u8], points: &mut Vec<f64>) -> Span {
        let seats = self.identity.seats;
        let all = (self.seatings * seats * (seats - 1)) as f64;
        // Half points times half the weight of a comparison.
        let weight = 1.0 / seats as f64;
        let scores = scores.iter().map(|&score| f64::from(score));
        let rest = all - scores.clone().sum::<f64>();
        let by_place = scores.chain([rest]).map(|score| score * weight);
        let start = points.len();
        let members = &self.lineups[lineup as usize];
        if members.players.len() == seats {
            points.extend(by_place);
            return start..points.len();
        }
        let among = |copies: u32| f64::from(copies * (copies - 1)) * self.seatings as f64 * weight;
        points.extend(members.copies.iter().map(|&copies| -among(copies)));
        for (&bot, score) in self.seats_of[lineup as usize].iter().zip(by_place) {
            if let Some(at) = members.players.iter().position(|&player| player == bot) {
                points[start + at] += score;
            }
        }
        start..points.len()
    }

    /// How often a bot sits in a match, where it may be more than once: the fewest and the most over all lineups.
    pub fn copies(&self) -> Option<(u32, u32)> {
        let copies = || self.lineups.iter().flat_map(|lineup| lineup.copies.iter().copied());
        let most = copies().max()?;
        (most > 1).then(|| (copies().min().unwrap_or(1), most))
    }
}

/// Where a meeting's points are among those of its cluster.
type Span = std::ops::Range<usize>;

fn meetings<'p>(present: &[(u32, Span)], points: &'p [f64]) -> Vec<Meeting<'p>> {
    present.iter().map(|(lineup, span)| Meeting { lineup: *lineup, points: &points[span.clone()] }).collect()
}

/// Results cannot be collected.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A game that this version does not know.
    #[error("the journal is of the game \"{name}\", which this version does not know")]
    UnknownGame {
        /// Its name, escaped.
        name: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_found_where_they_are() {
        for count in 2..12 {
            for (index, (a, b)) in pairs_of(count).enumerate() {
                assert_eq!(pair_index(count, a, b), index);
            }
        }
    }
}
