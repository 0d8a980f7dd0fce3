//! Plays candidates against a baseline until it is decided which is better.
//!
//! Blocks are played on all threads and taken in the order of the schedule: after each block of the complete prefix
//! the contest looks once, and its first decision stands. So the result depends neither on the number of threads nor
//! on which match ended first.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use super::Block;
use super::run::{Prepared, RunError, Worker};
use crate::failure::HostError;
use crate::games::{Game, with_game};
use crate::rating::pair::{PairCounts, PairSummary, summarise, summary_of_mean};
use crate::rating::sequential::SequentialTest;
use crate::rating::sprt::{Sprt, Verdict};
use crate::tally::BlockTally;

/// Deals of a block, after each of which a contest looks.
pub const LOOK_EVERY: u32 = 10;

/// A contest whose first so many deals all go the same way ends: more of the same is no evidence.
pub const SAME_DEALS: u64 = 200;

/// What is compared, and until when.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Candidates: the league's first so many bots. The baseline comes after them.
    pub candidates: usize,
    /// Deals of each contest, at most.
    pub deals: u64,
    /// The sequential test; without one all deals are played.
    pub sprt: Option<Sprt>,
}

/// Why a contest ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The sequential test came to a verdict.
    Verdict,
    /// All deals are played.
    Deals,
    /// All deals so far went the same way: the two always play the same match.
    Same,
}

/// A candidate against the baseline, from the candidate's point of view, over a prefix of the schedule.
#[derive(Debug, Clone, PartialEq)]
pub struct Contest {
    /// The candidate's index among the bots.
    pub candidate: usize,
    /// The baseline's.
    pub baseline: usize,
    /// Deals or matches by score.
    pub counts: PairCounts,
    /// Matches won.
    pub wins: u64,
    /// Matches drawn.
    pub draws: u64,
    /// Matches lost.
    pub losses: u64,
    /// Failed decisions of the candidate and of the baseline.
    pub faults: [u64; 2],
    /// Whether all deals so far went the same way.
    pub same: bool,
    /// The sequential test, if there is one.
    pub test: Option<SequentialTest>,
    /// Why it ended; `None` while it goes on, or if it was interrupted.
    pub end: Option<End>,
    transcripts: Option<Vec<u64>>,
}

impl Contest {
    fn new(candidate: usize, baseline: usize, seatings: usize, sprt: Option<Sprt>) -> Contest {
        Contest {
            candidate,
            baseline,
            counts: if seatings == 2 { PairCounts::Deals([0; 5]) } else { PairCounts::Matches([0; 3]) },
            wins: 0,
            draws: 0,
            losses: 0,
            faults: [0; 2],
            same: true,
            test: sprt.map(SequentialTest::new),
            end: None,
            transcripts: None,
        }
    }

    /// The test's verdict.
    pub fn verdict(&self) -> Verdict {
        self.test.map_or(Verdict::Undecided, |test| test.verdict())
    }

    /// Deals counted.
    pub fn deals(&self) -> u64 {
        self.counts.units()
    }

    /// Matches counted.
    pub fn matches(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Score, Elo difference and intervals of the deals so far; one observation if all went the same way.
    pub fn summary(&self) -> PairSummary {
        if self.is_deterministic() {
            let score = self.counts.moments().map(|(mean, _)| mean);
            return summary_of_mean(score, None, 1);
        }
        summarise(&self.counts)
    }

    /// Whether all of two or more deals went the same way.
    pub fn is_deterministic(&self) -> bool {
        self.same && self.deals() > 1
    }

    /// Takes the next block of the schedule and looks.
    fn take(&mut self, tally: &BlockTally, plan: &Plan) {
        for &score in &tally.scores {
            match &mut self.counts {
                PairCounts::Matches(counts) => counts[usize::from(score.min(2))] += 1,
                PairCounts::Deals(counts) => counts[usize::from(score.min(4))] += 1,
            }
        }
        let [wins, draws, losses] = tally.pairs[0];
        self.wins += wins;
        self.draws += draws;
        self.losses += losses;
        for (sum, place) in self.faults.iter_mut().zip(&tally.places) {
            *sum += place.fault_count();
        }
        let first = self.transcripts.get_or_insert_with(|| tally.repeated.clone().unwrap_or_default());
        self.same &= tally.repeated.as_ref() == Some(first);

        if let Some(test) = &mut self.test {
            test.look(&self.counts, self.same);
        }
        self.end = match (self.verdict(), self.same, &self.test) {
            (Verdict::AcceptH0 | Verdict::AcceptH1, ..) => Some(End::Verdict),
            (_, true, Some(_)) if self.deals() >= SAME_DEALS => Some(End::Same),
            _ if self.deals() >= plan.deals => Some(if self.is_deterministic() { End::Same } else { End::Deals }),
            _ => None,
        };
    }
}

/// Plays until every contest has ended, or `stop` is set. `tell` gets the contests after every look.
///
/// # Errors
/// The host's.
pub fn compare(
    prepared: &Prepared<'_>,
    plan: &Plan,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&[Contest]),
) -> Result<Vec<Contest>, RunError> {
    with_game!(prepared.league().game(), G => play::<G>(prepared, plan, stop, tell))
}

fn play<G: Game>(
    prepared: &Prepared<'_>,
    plan: &Plan,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&[Contest]),
) -> Result<Vec<Contest>, RunError> {
    let (pool, threads) = (prepared.pool(), prepared.threads());
    let candidates = plan.candidates as u64;
    let seatings = prepared.league().seatings();
    let mut contests: Vec<Contest> =
        (0..plan.candidates).map(|candidate| Contest::new(candidate, plan.candidates, seatings, plan.sprt)).collect();
    let ended: Vec<AtomicBool> = contests.iter().map(|_| AtomicBool::new(false)).collect();
    let next = AtomicU64::new(0);
    let ranges = plan.deals.div_ceil(LOOK_EVERY.into());
    let (sender, finished) = mpsc::sync_channel::<Result<(usize, u64, BlockTally), HostError>>(4 * threads);
    let (ended, next) = (&ended, &next);
    let works = (0..threads).map(|_| {
        let sender = sender.clone();
        move |thread| {
            let mut worker = Worker::<G>::new(thread, prepared);
            while !stop.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let (range, candidate) = (index / candidates, (index % candidates) as usize);
                if range >= ranges || ended.iter().all(|ended| ended.load(Ordering::Relaxed)) {
                    break;
                }
                if ended[candidate].load(Ordering::Relaxed) {
                    continue;
                }
                let first = range * u64::from(LOOK_EVERY);
                let deals = (plan.deals - first).min(LOOK_EVERY.into()) as u32;
                let lineup = [candidate as u32, plan.candidates as u32];
                let block = Block { lineup: candidate, first, deals };
                let played = worker.play(&lineup, block).map(|tally| (candidate, range, tally));
                let failed = played.is_err();
                if sender.send(played).is_err() || failed {
                    break;
                }
            }
        }
    });
    let works: Vec<_> = works.collect();
    drop(sender);
    pool.run(works, || -> Result<(), RunError> {
        // Blocks that came before one that precedes them.
        let mut waiting: BTreeMap<(usize, u64), BlockTally> = BTreeMap::new();
        let mut wanted = vec![0; plan.candidates];
        for played in finished {
            let (candidate, range, tally) = played?;
            waiting.insert((candidate, range), tally);
            while let Some(tally) = waiting.remove(&(candidate, wanted[candidate])) {
                wanted[candidate] += 1;
                // What was played beyond the decision counts for nothing.
                if contests[candidate].end.is_none() {
                    contests[candidate].take(&tally, plan);
                    tell(&contests);
                }
            }
            if contests[candidate].end.is_some() {
                ended[candidate].store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    })?;
    Ok(contests)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::sprt::{Design, Model};

    fn tally(scores: &[u8], repeated: Option<u64>) -> BlockTally {
        let matches = 2 * scores.len() as u64;
        BlockTally {
            matches,
            places: vec![Default::default(); 2],
            pairs: vec![[matches, 0, 0]],
            scores: scores.to_vec(),
            digest: 0,
            repeated: repeated.map(|transcript| vec![transcript; 2]),
        }
    }

    fn plan(sequential: bool) -> Plan {
        let design = Design { model: Model::Logistic, elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 };
        Plan { candidates: 1, deals: 10_000, sprt: sequential.then(|| Sprt::new(design).unwrap()) }
    }

    #[test]
    fn copies_of_one_match_are_one_observation_and_no_verdict() {
        let mut contest = Contest::new(0, 1, 2, plan(true).sprt);
        while contest.end.is_none() {
            contest.take(&tally(&[4; 10], Some(7)), &plan(true));
        }
        assert_eq!((contest.end, contest.verdict()), (Some(End::Same), Verdict::Undecided));
        assert_eq!(contest.deals(), SAME_DEALS);
        let summary = contest.summary();
        assert_eq!((summary.units, summary.score), (1, Some(1.0)));
        // one win shows very little
        assert!(summary.elo_interval.low.unwrap() < -200.0 && summary.p_value.unwrap() > 0.3);
    }

    #[test]
    fn equal_scores_of_different_matches_are_evidence() {
        let mut contest = Contest::new(0, 1, 2, plan(true).sprt);
        let mut transcript = 0;
        while contest.end.is_none() {
            transcript += 1;
            contest.take(&tally(&[4; 10], Some(transcript)), &plan(true));
        }
        assert_eq!((contest.end, contest.verdict()), (Some(End::Verdict), Verdict::AcceptH1));
    }

    #[test]
    fn without_a_test_all_deals_are_played() {
        let mut contest = Contest::new(0, 1, 2, None);
        while contest.end.is_none() {
            contest.take(&tally(&[4, 3, 2, 4, 4], None), &plan(false));
        }
        assert_eq!((contest.end, contest.deals(), contest.matches()), (Some(End::Deals), 10_000, 20_000));
    }
}
