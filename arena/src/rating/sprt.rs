//! Sequential probability ratio test of one player against another, on match or deal counts.
//!
//! The log-likelihood ratio is generalised: the observed distribution of scores is replaced by the
//! most likely ones whose Elo is exactly `elo0` or `elo1` (Van den Bergh, notes on the generalised
//! likelihood ratio, 2019 to 2021). When to look and stop is in [`super::sequential`].

use serde::{Deserialize, Serialize};

use super::likely_scores::Observed;
use super::pair::{NELO_PER_DEVIATION, PairCounts};
use super::scale::expected_score;

/// The scale of `elo0` and `elo1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Model {
    /// The Elo difference of the mean score.
    Logistic,
    /// The mean score above 1/2, in standard deviations of a match, times
    /// [`NELO_PER_DEVIATION`]: the same number of matches decides whatever the share of draws.
    Normalised,
}

/// Two hypotheses and the accepted error rates.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Design {
    /// Scale of the two hypotheses.
    pub model: Model,
    /// Elo difference under H0.
    pub elo0: f64,
    /// Elo difference under H1, above `elo0`.
    pub elo1: f64,
    /// Chance of accepting H1 when H0 is true, above 0.
    pub alpha: f64,
    /// Chance of accepting H0 when H1 is true, above 0; `alpha + beta` below 1.
    pub beta: f64,
}

/// What is wrong with a design.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DesignError {
    /// `elo0` is not below `elo1`, or one of them is not a finite number.
    Hypotheses {
        /// The value given for H0.
        elo0: f64,
        /// The value given for H1.
        elo1: f64,
    },
    /// An error rate is not above 0, or they do not sum to less than 1.
    ErrorRates {
        /// The value given.
        alpha: f64,
        /// The value given.
        beta: f64,
    },
}

impl std::fmt::Display for DesignError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Hypotheses { elo0, elo1 } => {
                write!(f, "test elo0 = {elo0} against elo1 = {elo1}: want elo0 < elo1")
            }
            Self::ErrorRates { alpha, beta } => {
                write!(f, "test with alpha = {alpha}, beta = {beta}: want both above 0 and a sum below 1")
            }
        }
    }
}

impl std::error::Error for DesignError {}

/// Where the test ends: at or below `lower` H0 is accepted, at or above `upper` H1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bounds {
    /// ln(beta / (1 - alpha)), below zero.
    pub lower: f64,
    /// ln((1 - beta) / alpha), above zero.
    pub upper: f64,
}

/// The state of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// Not decided: more units are needed.
    Undecided,
    /// The difference is `elo0` or less.
    AcceptH0,
    /// The difference is `elo1` or more.
    AcceptH1,
}

/// Why there is no log-likelihood ratio; the test is then undecided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum NoRatio {
    /// No unit has been played.
    NoUnits,
    /// No distribution on the observed scores has the Elo of a hypothesis, as far as the iteration
    /// can tell: the hypotheses are too far from the results.
    OutOfReach,
}

/// A valid design.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sprt(Design);

impl Sprt {
    /// Checks `design`.
    ///
    /// # Errors
    /// See [`DesignError`].
    pub fn new(design: Design) -> Result<Self, DesignError> {
        let Design { elo0, elo1, alpha, beta, .. } = design;
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(DesignError::Hypotheses { elo0, elo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(DesignError::ErrorRates { alpha, beta });
        }
        Ok(Self(design))
    }

    /// The design.
    #[must_use]
    pub fn design(&self) -> &Design {
        &self.0
    }

    /// The bounds of the log-likelihood ratio (Wald 1945).
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let Design { alpha, beta, .. } = self.0;
        Bounds { lower: (beta / (1.0 - alpha)).ln(), upper: ((1.0 - beta) / alpha).ln() }
    }

    /// The log-likelihood ratio of H1 against H0. A score that never occurred counts 1/1000 of a
    /// unit.
    ///
    /// # Errors
    /// See [`NoRatio`].
    pub fn log_likelihood_ratio(&self, counts: &PairCounts) -> Result<f64, NoRatio> {
        if counts.units() == 0 {
            return Err(NoRatio::NoUnits);
        }
        let observed = Observed::new(counts);
        let distribution = |elo| match self.0.model {
            Model::Logistic => observed.most_likely_with_mean(expected_score(elo)),
            Model::Normalised => {
                let per_match = elo / NELO_PER_DEVIATION;
                let per_unit = per_match * f64::from(counts.matches_per_unit()).sqrt();
                observed.most_likely_with_ratio(per_unit)
            }
        };
        let q0 = distribution(self.0.elo0).ok_or(NoRatio::OutOfReach)?;
        let q1 = distribution(self.0.elo1).ok_or(NoRatio::OutOfReach)?;
        let sum: f64 = (observed.shares.iter().zip(&q1).zip(&q0)).map(|((p, q1), q0)| p * (q1 / q0).ln()).sum();
        let ratio = observed.units * sum;
        ratio.is_finite().then_some(ratio).ok_or(NoRatio::OutOfReach)
    }

    /// The verdict if the test looked now, at these counts only.
    #[must_use]
    pub fn verdict(&self, counts: &PairCounts) -> Verdict {
        let Bounds { lower, upper } = self.bounds();
        match self.log_likelihood_ratio(counts) {
            Ok(ratio) if ratio >= upper => Verdict::AcceptH1,
            Ok(ratio) if ratio <= lower => Verdict::AcceptH0,
            _ => Verdict::Undecided,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(model: Model, elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(Design { model, elo0, elo1, alpha: 0.05, beta: 0.05 }).unwrap()
    }

    #[test]
    fn extreme_bounds_are_undecided_or_exact_never_nan() {
        let counts = PairCounts::Deals([144, 3, 1, 0, 0]);
        let logistic = test(Model::Logistic, -1500.0, -500.0);
        let ratio = logistic.log_likelihood_ratio(&counts).unwrap();
        assert!((ratio - 4.8678).abs() < 1e-4, "{ratio}");
        let normalised = test(Model::Normalised, -1500.0, -500.0);
        match normalised.log_likelihood_ratio(&counts) {
            Ok(ratio) => assert!(ratio.is_finite()),
            Err(reason) => assert_eq!(reason, NoRatio::OutOfReach),
        }
    }

    #[test]
    fn values_where_a_known_tool_stops_early() {
        let draws = PairCounts::Matches([0, 50, 0]);
        for elo1 in [0.5, 2.0, 5.0, 10.0] {
            let normalised = test(Model::Normalised, 0.0, elo1);
            assert!(normalised.log_likelihood_ratio(&draws).unwrap() < 0.0);
        }
        let wins = PairCounts::Matches([0, 0, 20]);
        let ratio = test(Model::Logistic, 0.0, 5.0).log_likelihood_ratio(&wins);
        assert!((ratio.unwrap() - 0.2858).abs() < 1e-4);
    }

    #[test]
    fn designs_are_checked() {
        let design = |elo0, elo1, alpha, beta| Sprt::new(Design { model: Model::Logistic, elo0, elo1, alpha, beta });
        assert!(design(0.0, 5.0, 0.05, 0.05).is_ok());
        for (elo0, elo1) in [(5.0, 0.0), (0.0, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert!(matches!(design(elo0, elo1, 0.05, 0.05), Err(DesignError::Hypotheses { .. })));
        }
        for (alpha, beta) in [(0.0, 0.05), (0.5, 0.5), (0.05, f64::NAN), (-0.1, 0.1)] {
            assert!(matches!(design(0.0, 5.0, alpha, beta), Err(DesignError::ErrorRates { .. })));
        }
    }

    #[test]
    fn no_units_no_ratio() {
        let none = test(Model::Logistic, 0.0, 5.0).log_likelihood_ratio(&PairCounts::Deals([0; 5]));
        assert_eq!(none, Err(NoRatio::NoUnits));
    }
}
