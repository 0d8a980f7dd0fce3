//! One pair of players: score, Elo difference, interval, likelihood of superiority.
//!
//! All figures are from the point of view of the player whose wins are counted. The unit is a
//! match, or, when every deal is played in both seatings, the deal: its five possible scores carry
//! the dependence between the two matches (*pentanomial* counts).

use serde::{Deserialize, Serialize};
use statrs::function::beta::checked_beta_reg;

use super::interval::Interval;
use super::scale::{Z95, elo_of_score, normal_cdf, two_sided_p};

/// Normalised Elo of one standard deviation of a match: 800 / ln 10.
pub const NELO_PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

/// With fewer units than this the variance is not estimated but bounded.
pub const FEW_UNITS: u64 = 10;

/// Results of one pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PairCounts {
    /// Independent matches: losses, draws, wins.
    Matches([u64; 3]),
    /// Deals played in both seatings, by points 0, 1/2, 1, 3/2, 2.
    Deals([u64; 5]),
}

impl PairCounts {
    /// Counts by ascending score.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        match self {
            Self::Matches(counts) => counts,
            Self::Deals(counts) => counts,
        }
    }

    /// Matches in one unit: 1 or 2.
    #[must_use]
    pub fn matches_per_unit(&self) -> u32 {
        match self {
            Self::Matches(_) => 1,
            Self::Deals(_) => 2,
        }
    }

    /// Number of units.
    #[must_use]
    pub fn units(&self) -> u64 {
        self.counts().iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// The same results seen from the other player.
    #[must_use]
    pub fn turned(mut self) -> Self {
        match &mut self {
            Self::Matches(counts) => counts.reverse(),
            Self::Deals(counts) => counts.reverse(),
        }
        self
    }

    /// Mean and variance (divisor n) of a unit's score in 0..=1; `None` without units.
    #[must_use]
    pub fn moments(&self) -> Option<(f64, f64)> {
        let counts = self.counts();
        let units = self.units() as f64;
        if units == 0.0 {
            return None;
        }
        let top = (counts.len() - 1) as f64;
        let scores = || (0..counts.len()).map(|i| i as f64 / top).zip(counts);
        let mean = scores().map(|(x, &n)| x * n as f64).sum::<f64>() / units;
        let square = |x: f64| (x - mean) * (x - mean);
        let variance = scores().map(|(x, &n)| square(x) * n as f64).sum::<f64>() / units;
        // one score only: what is left is rounding
        let varied = counts.iter().filter(|&&n| n > 0).count() > 1;
        Some((mean, if varied { variance } else { 0.0 }))
    }
}

/// How an interval was computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum IntervalMethod {
    /// Normal, with the variance between units.
    Normal,
    /// Wilson's score interval (1927), with the largest variance that scores in 0..=1 of this
    /// mean can have, so conservative. Used for fewer than [`FEW_UNITS`] units, for units that do
    /// not vary, and where the normal interval would leave 0..1.
    Wilson,
}

/// How the likelihood of superiority was computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum LosMethod {
    /// Phi((m - 1/2) / se), se from the variance between units.
    Normal,
    /// Phi(z) of the score test, as for the p-value. Used for fewer than [`FEW_UNITS`] units and
    /// for units that do not vary.
    ScoreTest,
}

/// What one pair's results say.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairSummary {
    /// Independent units.
    pub units: u64,
    /// Mean score in 0..=1; `None` without units.
    pub score: Option<f64>,
    /// 95 % interval of the score, within 0..=1.
    pub score_interval: Interval,
    /// Elo difference; `None` without units or at a score of 0 or 1.
    pub elo: Option<f64>,
    /// 95 % interval of the Elo difference, not symmetric; open where the score's reaches 0 or 1.
    pub elo_interval: Interval,
    /// How the intervals were computed.
    pub interval_method: IntervalMethod,
    /// Likelihood of superiority in 0..=1; `None` without units.
    pub los: Option<f64>,
    /// How the likelihood of superiority was computed.
    pub los_method: LosMethod,
    /// Two-sided p-value of equal strength, by the score test: z = (m - 1/2) / se0, where se0 takes
    /// the variance about 1/2, so that one-sided results cannot look too certain. 1 if nothing
    /// differs from 1/2, `None` without units.
    pub p_value: Option<f64>,
    /// Normalised Elo: mean score above 1/2 over the standard deviation of a match, times
    /// [`NELO_PER_DEVIATION`]. `None` if the units do not vary.
    pub nelo: Option<f64>,
}

/// Summarises one pair's counts.
#[must_use]
pub fn summarise(counts: &PairCounts) -> PairSummary {
    let Some((mean, variance)) = counts.moments() else {
        return summary_of_mean(None, None, 0);
    };
    let units = counts.units();
    let of_mean = (variance > 0.0).then(|| variance / units as f64);
    let mut summary = summary_of_mean(Some(mean), of_mean, units);
    if variance > 0.0 {
        let deviation = (variance * f64::from(counts.matches_per_unit())).sqrt();
        summary.nelo = Some((mean - 0.5) / deviation * NELO_PER_DEVIATION);
    }
    summary
}

/// Summarises a mean score in 0..=1 over `units` units, of which only the variance of the mean is
/// known (`None` if it is not, or zero). Normalised Elo is left out.
#[must_use]
pub fn summary_of_mean(mean: Option<f64>, variance: Option<f64>, units: u64) -> PairSummary {
    let valid = |mean: &f64| units > 0 && (0.0..=1.0).contains(mean);
    let Some(mean) = mean.filter(valid) else {
        return PairSummary {
            units,
            score: None,
            score_interval: Interval::OPEN,
            elo: None,
            elo_interval: Interval::OPEN,
            interval_method: IntervalMethod::Wilson,
            los: None,
            los_method: LosMethod::ScoreTest,
            p_value: None,
            nelo: None,
        };
    };
    let variance = variance.filter(|v| v.is_finite() && *v > 0.0);
    let about_half = variance.unwrap_or(0.0) + (mean - 0.5) * (mean - 0.5) / units as f64;
    let score_test = if about_half > 0.0 { (mean - 0.5) / about_half.sqrt() } else { 0.0 };
    let se = variance.filter(|_| units >= FEW_UNITS).map(f64::sqrt);
    let (los, los_method) = match se {
        Some(se) => (normal_cdf((mean - 0.5) / se), LosMethod::Normal),
        None => (normal_cdf(score_test), LosMethod::ScoreTest),
    };
    let inside = |se: &f64| mean - Z95 * se > 0.0 && mean + Z95 * se < 1.0;
    let ((low, high), interval_method) = match se.filter(inside) {
        Some(se) => ((mean - Z95 * se, mean + Z95 * se), IntervalMethod::Normal),
        None => (wilson(mean, units as f64), IntervalMethod::Wilson),
    };
    PairSummary {
        units,
        score: Some(mean),
        score_interval: Interval::new(low, high),
        elo: elo_of_score(mean),
        elo_interval: Interval { low: elo_of_score(low), high: elo_of_score(high) },
        interval_method,
        los: Some(los),
        los_method,
        p_value: Some(two_sided_p(score_test)),
        nelo: None,
    }
}

fn wilson(mean: f64, units: f64) -> (f64, f64) {
    let square = Z95 * Z95;
    let centre = (mean + square / (2.0 * units)) / (1.0 + square / units);
    let half = Z95 / (1.0 + square / units) * (mean * (1.0 - mean) / units + square / (4.0 * units * units)).sqrt();
    // exact at the ends, where rounding could leave something finite
    let low = if mean <= 0.0 { 0.0 } else { centre - half };
    let high = if mean >= 1.0 { 1.0 } else { centre + half };
    (low, high)
}

/// Likelihood of superiority from decisive matches only, Phi((w - l) / sqrt(w + l)); `None` if
/// there are none. Only for independent matches.
#[must_use]
pub fn los_decisive(wins: u64, losses: u64) -> Option<f64> {
    let (wins, losses) = (wins as f64, losses as f64);
    (wins + losses > 0.0).then(|| normal_cdf((wins - losses) / (wins + losses).sqrt()))
}

/// Exact likelihood of superiority from decisive matches, the probability of more than half under
/// a uniform prior: 1 - I(w + 1, l + 1) at 1/2. Only for independent matches.
#[must_use]
pub fn los_exact(wins: u64, losses: u64) -> f64 {
    // I(l + 1, w + 1) is the same probability, without the subtraction
    let (a, b) = (losses as f64 + 1.0, wins as f64 + 1.0);
    checked_beta_reg(a, b, 0.5).ok().filter(|los| los.is_finite()).or_else(|| los_decisive(wins, losses)).unwrap_or(0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_likelihoods_of_superiority_of_nine_one_two() {
        let counts = PairCounts::Matches([2, 1, 9]);
        let summary = summarise(&counts);
        assert_eq!(summary.los_method, LosMethod::Normal);
        assert!((summary.los.unwrap() - 0.9961).abs() < 5e-5);
        assert!((los_decisive(9, 2).unwrap() - 0.9826).abs() < 5e-5);
        assert!((los_exact(9, 2) - 0.9807).abs() < 5e-5);
        assert_eq!(los_decisive(0, 0), None);
        assert!((los_exact(0, 0) - 0.5).abs() < 1e-12);
        assert!(los_exact(1_000_000, 1).is_finite());
    }

    #[test]
    fn all_wins_give_one_open_side() {
        let summary = summarise(&PairCounts::Matches([0, 0, 20]));
        assert_eq!((summary.score, summary.elo), (Some(1.0), None));
        assert_eq!(summary.interval_method, IntervalMethod::Wilson);
        assert!(summary.elo_interval.low.unwrap() > 200.0);
        assert_eq!(summary.elo_interval.high, None);
        assert!(summary.p_value.unwrap() < 1e-4 && summary.nelo.is_none());
    }

    #[test]
    fn all_draws_are_no_certainty() {
        let summary = summarise(&PairCounts::Deals([0, 0, 12, 0, 0]));
        assert_eq!(summary.elo, Some(0.0));
        assert!(summary.elo_interval.low.unwrap() < -150.0);
        assert_eq!((summary.los, summary.p_value), (Some(0.5), Some(1.0)));
    }

    #[test]
    fn p_values_of_one_sided_results_stay_near_the_exact_ones() {
        // exact two-sided binomial: 0.0215
        let p = summarise(&PairCounts::Matches([1, 0, 9])).p_value.unwrap();
        assert!((0.008..0.03).contains(&p), "{p}");
    }

    #[test]
    fn no_units_say_nothing() {
        let summary = summarise(&PairCounts::Matches([0; 3]));
        assert_eq!(summary.score, None);
        assert_eq!(summary.elo_interval, Interval::OPEN);
    }

    #[test]
    fn the_other_side_sees_the_mirror_image() {
        let counts = PairCounts::Deals([3, 8, 21, 14, 9]);
        let (mine, theirs) = (summarise(&counts), summarise(&counts.turned()));
        assert!((mine.elo.unwrap() + theirs.elo.unwrap()).abs() < 1e-9);
        let ends = (mine.elo_interval.low.unwrap(), theirs.elo_interval.high.unwrap());
        assert!((ends.0 + ends.1).abs() < 1e-9);
        assert!((mine.los.unwrap() + theirs.los.unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn pentanomial_variance_shrinks_when_seats_decide() {
        // the first seat always wins: every deal is split, matches alone look like coin flips
        let by_match = summarise(&PairCounts::Matches([50, 0, 50]));
        let by_deal = summarise(&PairCounts::Deals([1, 0, 48, 0, 1]));
        let width = |s: &PairSummary| s.elo_interval.high.unwrap() - s.elo_interval.low.unwrap();
        assert!(width(&by_deal) < 0.5 * width(&by_match));
    }
}
