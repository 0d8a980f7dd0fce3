//! Most likely distributions of a unit's score under a constraint on its mean, for [`super::sprt`].

use super::pair::PairCounts;

/// Observed distribution of scores, every share above zero.
pub(super) struct Observed {
    /// Units, those added for scores that never occurred included.
    pub units: f64,
    /// Scores in 0..=1, ascending.
    scores: Vec<f64>,
    /// Their shares; they sum to 1.
    pub shares: Vec<f64>,
}

impl Observed {
    /// Shares of `counts`; a count of 0 is taken as 1/1000.
    pub(super) fn new(counts: &PairCounts) -> Self {
        let regularised: Vec<f64> =
            (counts.counts().iter()).map(|&count| if count == 0 { 1e-3 } else { count as f64 }).collect();
        let units: f64 = regularised.iter().sum();
        let top = (regularised.len() - 1) as f64;
        Self {
            units,
            scores: (0..regularised.len()).map(|i| i as f64 / top).collect(),
            shares: regularised.iter().map(|count| count / units).collect(),
        }
    }

    /// The distribution that makes the observations most likely among those that average `slopes`
    /// to zero: p / (1 + t slope).
    fn tilted(&self, slopes: &[f64]) -> Option<Vec<f64>> {
        let t = secular_root(&self.shares, slopes)?;
        let tilt = |(p, slope): (&f64, &f64)| p / (1.0 + t * slope);
        Some(self.shares.iter().zip(slopes).map(tilt).collect())
    }

    /// The most likely distribution with this mean; `None` unless it is between the scores.
    pub(super) fn most_likely_with_mean(&self, mean: f64) -> Option<Vec<f64>> {
        let slopes: Vec<f64> = self.scores.iter().map(|x| x - mean).collect();
        self.tilted(&slopes)
    }

    /// The most likely distribution with (mean - 1/2) / sd = `ratio`: the constraint is made linear at the current
    /// distribution, again and again. `None` unless the end satisfies it.
    pub(super) fn most_likely_with_ratio(&self, ratio: f64) -> Option<Vec<f64>> {
        let count = self.scores.len() as f64;
        let mut current = vec![1.0 / count; self.scores.len()];
        for iteration in 0..1000 {
            let (mean, deviation) = self.mean_and_deviation(&current);
            if deviation <= 0.0 {
                return None;
            }
            let slope = |x: &f64| {
                let z = (x - mean) / deviation;
                x - 0.5 - ratio * deviation / 2.0 * (1.0 + z * z)
            };
            let slopes: Vec<f64> = self.scores.iter().map(slope).collect();
            let mut next = self.tilted(&slopes)?;
            let change = (next.iter().zip(&current)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            // full steps converge in a few rounds or, rarely, circle; halves end a circle
            if iteration > 50 {
                for (a, b) in next.iter_mut().zip(&current) {
                    *a = 0.5 * (*a + b);
                }
            }
            current = next;
            if change < 1e-13 {
                break;
            }
        }
        let (mean, deviation) = self.mean_and_deviation(&current);
        let error = (mean - 0.5) - ratio * deviation;
        (error.abs() <= 1e-9 * (1.0 + ratio.abs()) * deviation).then_some(current)
    }

    fn mean_and_deviation(&self, shares: &[f64]) -> (f64, f64) {
        let mean: f64 = shares.iter().zip(&self.scores).map(|(q, x)| q * x).sum();
        let variance: f64 = (shares.iter().zip(&self.scores)).map(|(q, x)| q * (x - mean) * (x - mean)).sum();
        (mean, variance.max(0.0).sqrt())
    }
}

/// The root t of sum p s / (1 + t s) = 0 between the poles that belong to the smallest and the
/// largest slope s; `None` unless the slopes have both signs. Newton's steps inside a shrinking
/// bracket: the sum falls from plus to minus infinity.
fn secular_root(shares: &[f64], slopes: &[f64]) -> Option<f64> {
    let smallest = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(smallest < 0.0 && largest > 0.0) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    let mut t = 0.0;
    for _ in 0..400 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (p, s) in shares.iter().zip(slopes) {
            let term = s / (1.0 + t * s);
            value += p * term;
            slope -= p * term * term;
        }
        if value == 0.0 {
            break;
        }
        if value > 0.0 {
            low = t;
        } else {
            high = t;
        }
        let newton = t - value / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if next == t || next <= low && next >= high {
            break;
        }
        t = next;
    }
    Some(t)
}
