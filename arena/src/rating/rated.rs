//! Ratings with the intervals that were asked for: fit, covariance and bootstrap in one call.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bootstrap::{Bootstrap, bootstrap};
use super::bradley_terry::{Fit, fit};
use super::covariance::{Estimate, Warning, covariance};
use super::evidence::Evidence;
use super::fit_options::{FitError, FitOptions, Prior};
use super::random::SplitMix64;
use super::scale::normal_cdf;

/// Where standard errors and intervals come from. The unit is the cluster in both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Intervals {
    /// The cluster-robust covariance.
    #[default]
    Sandwich,
    /// Resampled clusters: percentiles, and the standard deviation of the replicates.
    Bootstrap,
}

/// What to compute.
#[derive(Debug, Clone, Copy)]
pub struct RateOptions {
    /// Virtual games.
    pub prior: Prior,
    /// The player whose rating is 0.
    pub anchor: Option<u32>,
    /// Whether to fit an advantage of first sides.
    pub first_advantage: bool,
    /// Where intervals come from.
    pub intervals: Intervals,
    /// Replicates of the bootstrap.
    pub replicates: u32,
    /// Seed of the bootstrap.
    pub seed: u64,
}

/// How a bootstrap went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Replicates {
    /// Replicates drawn.
    pub drawn: u32,
    /// Replicates without finite ratings, left out: the intervals are conditional on there being some.
    pub degenerate: u32,
}

/// Ratings, differences and what to know of them.
#[derive(Debug, Clone)]
pub struct Rated {
    /// The fit.
    pub fit: Fit,
    /// By player, relative to the zero point; `None` for players who met nobody.
    pub ratings: Vec<Option<Estimate>>,
    /// The difference a minus b of every pair (a, b), a < b, that met.
    pub differences: BTreeMap<(u32, u32), Estimate>,
    /// The advantage of the first side, if it was asked for and exists.
    pub advantage: Option<Estimate>,
    /// Reasons to distrust the standard errors.
    pub warnings: Vec<Warning>,
    /// How the bootstrap went, if there was one.
    pub replicates: Option<Replicates>,
}

/// Rates.
///
/// # Errors
/// The fit's.
pub fn rate<E: Evidence + ?Sized>(evidence: &E, options: &RateOptions) -> Result<Rated, FitError> {
    let fit_options =
        FitOptions { prior: options.prior, anchor: options.anchor, first_advantage: options.first_advantage };
    let fitted = fit(evidence, &fit_options)?;
    let covariance = covariance(evidence, &fitted)?;
    let replicated = match options.intervals {
        Intervals::Sandwich => None,
        Intervals::Bootstrap => {
            Some(bootstrap(evidence, &fitted, options.replicates, &mut SplitMix64::new(options.seed))?)
        }
    };
    let met = fitted.totals.comparisons_of();
    let rating = |player: u32| {
        let estimate = covariance.rating(player).filter(|_| met[player as usize] > 0.0)?;
        Some(match &replicated {
            Some(bootstrap) if options.anchor != Some(player) => {
                let interval = bootstrap.interval(player, 0.95);
                with(estimate, bootstrap.standard_error(player), interval)
            }
            _ => estimate,
        })
    };
    let difference = |a: u32, b: u32| {
        let estimate = covariance.difference(a, b)?;
        Some(match &replicated {
            Some(bootstrap) => {
                let interval = bootstrap.difference_interval(a, b, 0.95);
                with(estimate, bootstrap.difference_error(a, b), interval)
            }
            None => estimate,
        })
    };
    let ratings = (0..evidence.players() as u32).map(rating).collect();
    let pairs = evidence.pairs();
    let ordered = pairs.iter().filter(|pair| pair.a != pair.b).map(|pair| (pair.a.min(pair.b), pair.a.max(pair.b)));
    let differences = ordered.filter_map(|(a, b)| Some(((a, b), difference(a, b)?))).collect();
    let advantage = covariance.advantage().map(|estimate| match &replicated {
        Some(bootstrap) => with(estimate, bootstrap.advantage_error(), bootstrap.advantage_interval(0.95)),
        None => estimate,
    });
    let warnings = covariance.warnings();
    let replicates = replicated.as_ref().map(replicates);
    drop(replicated);
    Ok(Rated { ratings, differences, advantage, warnings, replicates, fit: fitted })
}

fn replicates(bootstrap: &Bootstrap<'_>) -> Replicates {
    Replicates { drawn: bootstrap.drawn, degenerate: bootstrap.degenerate }
}

fn with(estimate: Estimate, se: Option<f64>, interval: super::Interval) -> Estimate {
    Estimate { se, interval, los: se.map(|se| normal_cdf(estimate.elo / se)), ..estimate }
}

#[cfg(test)]
mod tests {
    use super::super::collected::Collected;
    use super::*;

    #[test]
    fn both_kinds_of_interval_tell_the_same_of_many_deals() {
        let mut results = Collected::new(3);
        let mut random = SplitMix64::new(7);
        for deal in 0..400 {
            for (a, b, p) in [(0, 1, 0.6), (1, 2, 0.55), (0, 2, 0.7)] {
                let score = f64::from(u8::from(random.uniform() < p));
                results.add_match(deal, a, b, score).unwrap();
            }
        }
        let options = |intervals| RateOptions {
            prior: Prior::default(),
            anchor: Some(2),
            first_advantage: false,
            intervals,
            replicates: 1000,
            seed: 3,
        };
        let sandwich = rate(&results, &options(Intervals::Sandwich)).unwrap();
        let bootstrap = rate(&results, &options(Intervals::Bootstrap)).unwrap();
        assert_eq!(bootstrap.replicates, Some(Replicates { drawn: 1000, degenerate: 0 }));
        for (one, other) in sandwich.differences.values().zip(bootstrap.differences.values()) {
            assert_eq!(one.elo, other.elo);
            let ratio = one.se.unwrap() / other.se.unwrap();
            assert!((0.9..1.1).contains(&ratio), "{ratio}");
        }
        let anchor = bootstrap.ratings[2].unwrap();
        assert_eq!((anchor.elo, anchor.interval.low), (0.0, Some(0.0)));
    }
}
