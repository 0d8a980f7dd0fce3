//! A sequential test as results come in.
//!
//! Units have places in a schedule and may finish in any order. The test looks at complete
//! prefixes of the schedule only, so that quick units are not seen first, and keeps its first
//! verdict: later units change neither it nor the counts it rests on.

use std::collections::BTreeMap;

use serde::Serialize;

use super::pair::PairCounts;
use super::sprt::{NoRatio, Sprt, Verdict};

/// Why a unit was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitError {
    /// The result is not one of the counted scores.
    UnknownScore(usize),
    /// The place already has a result.
    Repeated(u64),
}

impl std::fmt::Display for UnitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UnknownScore(score) => write!(f, "take score number {score}: no such score"),
            Self::Repeated(place) => write!(f, "take unit {place} twice"),
        }
    }
}

impl std::error::Error for UnitError {}

/// What the test rests on at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Look {
    /// The verdict; final unless [`Verdict::Undecided`].
    pub verdict: Verdict,
    /// Log-likelihood ratio at the last look; `None` before the first, or without one.
    pub ratio: Option<f64>,
    /// Why the last look had no ratio.
    pub no_ratio: Option<NoRatio>,
    /// Counts at the last look; after a verdict, those it rests on. An interval from them is
    /// biased, because the test stopped when they looked extreme: label it "at stopping".
    pub counts: PairCounts,
}

/// A running test.
#[derive(Debug, Clone)]
pub struct SequentialTest {
    sprt: Sprt,
    every: u64,
    counts: PairCounts,
    next: u64,
    waiting: BTreeMap<u64, usize>,
    look: Look,
}

impl SequentialTest {
    /// A test of matches, looking after every `every` units (0 counts as 1).
    #[must_use]
    pub fn of_matches(sprt: Sprt, every: u64) -> Self {
        Self::new(sprt, every, PairCounts::Matches([0; 3]))
    }

    /// A test of deals that are played in both seatings, looking after every `every` deals (0
    /// counts as 1). A deal is a unit only when both its matches are finished.
    #[must_use]
    pub fn of_deals(sprt: Sprt, every: u64) -> Self {
        Self::new(sprt, every, PairCounts::Deals([0; 5]))
    }

    fn new(sprt: Sprt, every: u64, counts: PairCounts) -> Self {
        Self {
            sprt,
            every: every.max(1),
            counts,
            next: 0,
            waiting: BTreeMap::new(),
            look: Look { verdict: Verdict::Undecided, ratio: None, no_ratio: Some(NoRatio::NoUnits), counts },
        }
    }

    /// Takes the result of the unit at `place` (from 0) of the schedule. `score` is the number of
    /// half points: 0 to 2 for a match, 0 to 4 for a deal.
    ///
    /// # Errors
    /// For unknown scores and for places that have a result; nothing changes then.
    pub fn report(&mut self, place: u64, score: usize) -> Result<Look, UnitError> {
        if score >= self.counts.counts().len() {
            return Err(UnitError::UnknownScore(score));
        }
        if place < self.next || self.waiting.contains_key(&place) {
            return Err(UnitError::Repeated(place));
        }
        self.waiting.insert(place, score);
        while let Some(score) = self.waiting.remove(&self.next) {
            self.next += 1;
            match &mut self.counts {
                PairCounts::Matches(counts) => counts[score] += 1,
                PairCounts::Deals(counts) => counts[score] += 1,
            }
            if self.look.verdict == Verdict::Undecided && self.next.is_multiple_of(self.every) {
                self.look_now();
            }
        }
        Ok(self.look)
    }

    /// The last look.
    #[must_use]
    pub fn look(&self) -> Look {
        self.look
    }

    /// Counts of the complete prefix so far, which goes on growing after a verdict.
    #[must_use]
    pub fn counts(&self) -> PairCounts {
        self.counts
    }

    fn look_now(&mut self) {
        let ratio = self.sprt.log_likelihood_ratio(&self.counts);
        self.look = Look {
            verdict: self.sprt.verdict(&self.counts),
            ratio: ratio.ok(),
            no_ratio: ratio.err(),
            counts: self.counts,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::sprt::{Design, Model};
    use super::*;

    fn wide() -> Sprt {
        Sprt::new(Design { model: Model::Logistic, elo0: 0.0, elo1: 200.0, alpha: 0.05, beta: 0.05 }).unwrap()
    }

    #[test]
    fn the_order_of_finishing_does_not_matter() {
        let scores: Vec<usize> = (0..60).map(|i| [4, 3, 4, 2, 0, 4][i % 6]).collect();
        let mut in_order = SequentialTest::of_deals(wide(), 1);
        let mut reversed = SequentialTest::of_deals(wide(), 1);
        for (place, &score) in scores.iter().enumerate() {
            in_order.report(place as u64, score).unwrap();
        }
        for (place, &score) in scores.iter().enumerate().rev() {
            let before = reversed.look();
            reversed.report(place as u64, score).unwrap();
            assert!(place == 0 || before == reversed.look());
        }
        assert_eq!(in_order.look(), reversed.look());
        assert_eq!(in_order.look().verdict, Verdict::AcceptH1);
    }

    #[test]
    fn a_verdict_is_final() {
        let mut test = SequentialTest::of_matches(wide(), 1);
        let mut place = 0;
        while test.look().verdict == Verdict::Undecided && place < 1000 {
            test.report(place, if place == 0 { 0 } else { 2 }).unwrap();
            place += 1;
        }
        let decided = test.look();
        assert_eq!(decided.verdict, Verdict::AcceptH1);
        for later in place..place + 500 {
            test.report(later, 0).unwrap();
        }
        assert_eq!(test.look(), decided);
        assert_eq!(test.counts().units(), place + 500);
    }

    #[test]
    fn a_unit_counts_once() {
        let mut test = SequentialTest::of_matches(wide(), 1);
        assert!(test.report(1, 2).is_ok());
        assert_eq!(test.report(1, 2), Err(UnitError::Repeated(1)));
        assert_eq!(test.report(0, 3), Err(UnitError::UnknownScore(3)));
        assert_eq!(test.counts().units(), 0);
        assert!(test.report(0, 2).is_ok());
        assert_eq!(test.counts().units(), 2);
        assert_eq!(test.report(0, 2), Err(UnitError::Repeated(0)));
    }
}
