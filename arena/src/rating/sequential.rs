//! A sequential test as results come in.
//!
//! The units of a test are the prefix of a schedule: whoever runs it takes results in the schedule's
//! order, whatever order they finish in, or quick units would be seen first. The first verdict
//! stands.

use super::pair::PairCounts;
use super::sprt::{Sprt, Verdict};

/// A running test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SequentialTest {
    sprt: Sprt,
    ratio: Option<f64>,
    verdict: Verdict,
}

impl SequentialTest {
    /// A test that has not looked yet.
    #[must_use]
    pub fn new(sprt: Sprt) -> Self {
        Self { sprt, ratio: None, verdict: Verdict::Undecided }
    }

    /// Looks at the counts of a prefix longer than the last one. After a verdict it does not look
    /// any more: an interval from the counts that the verdict rests on is biased, because the test
    /// stopped when they looked extreme.
    ///
    /// `copies` says that all units are copies of one observation. They would look like any
    /// certainty, so no verdict follows from them.
    pub fn look(&mut self, counts: &PairCounts, copies: bool) {
        if self.verdict != Verdict::Undecided {
            return;
        }
        self.ratio = self.sprt.log_likelihood_ratio(counts).ok();
        if !copies {
            self.verdict = self.sprt.verdict(counts);
        }
    }

    /// The log-likelihood ratio at the last look, if it had one.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        self.ratio
    }

    /// The verdict, final unless [`Verdict::Undecided`].
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }
}

#[cfg(test)]
mod tests {
    use super::super::sprt::{Design, Model};
    use super::*;

    fn wide() -> SequentialTest {
        let design = Design { model: Model::Logistic, elo0: 0.0, elo1: 200.0, alpha: 0.05, beta: 0.05 };
        SequentialTest::new(Sprt::new(design).unwrap())
    }

    #[test]
    fn a_verdict_is_final() {
        let mut test = wide();
        let mut counts = [1, 0, 0];
        while test.verdict() == Verdict::Undecided && counts[2] < 1000 {
            counts[2] += 1;
            test.look(&PairCounts::Matches(counts), false);
        }
        let decided = test;
        assert_eq!(decided.verdict(), Verdict::AcceptH1);
        for _ in 0..500 {
            counts[0] += 1;
            test.look(&PairCounts::Matches(counts), false);
        }
        assert_eq!(test, decided);
    }

    #[test]
    fn copies_of_one_observation_give_no_verdict() {
        let mut test = wide();
        test.look(&PairCounts::Deals([0, 0, 0, 1, 10_000]), true);
        assert_eq!(test.verdict(), Verdict::Undecided);
        assert!(test.ratio().unwrap() > 10.0);
        test.look(&PairCounts::Deals([0, 0, 0, 1, 10_000]), false);
        assert_eq!(test.verdict(), Verdict::AcceptH1);
    }
}
