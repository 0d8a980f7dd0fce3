//! Means with intervals that respect deals: average placement, points, score by seat.

use serde::Serialize;

use super::interval::Interval;
use super::scale::Z95;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Sums from which a mean and its variance between clusters follow. Adds and merges; the order
/// does not matter.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct ClusterMean {
    clusters: u64,
    count: f64,
    sum: f64,
    count_square: f64,
    cross: f64,
    sum_square: f64,
}

impl ClusterMean {
    /// Adds one cluster: the sum of its `count` values. A cluster without values, or with sums
    /// that are not finite, is left out.
    pub fn add(&mut self, sum: f64, count: f64) {
        if !(sum.is_finite() && count.is_finite() && count > 0.0) {
            return;
        }
        self.clusters += 1;
        self.count += count;
        self.sum += sum;
        self.count_square += count * count;
        self.cross += count * sum;
        self.sum_square += sum * sum;
    }

    /// The sums of `clusters` clusters of `size` values each, of which only the sum and the sum of the squared
    /// clusters' sums are known.
    #[must_use]
    pub fn of_equal(clusters: u64, size: f64, sum: f64, sum_square: f64) -> Self {
        let count = clusters as f64;
        let (count_square, cross) = (count * size * size, size * sum);
        Self { clusters, count: count * size, sum, count_square, cross, sum_square }
    }

    /// Adds the clusters of `other`; no cluster may be split between the two.
    pub fn merge(&mut self, other: &Self) {
        self.clusters += other.clusters;
        self.count += other.count;
        self.sum += other.sum;
        self.count_square += other.count_square;
        self.cross += other.cross;
        self.sum_square += other.sum_square;
    }

    /// Number of clusters.
    #[must_use]
    pub fn clusters(&self) -> u64 {
        self.clusters
    }

    /// Number of values.
    #[must_use]
    pub fn count(&self) -> f64 {
        self.count
    }

    /// Mean of the values; `None` without values.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0.0).then(|| self.sum / self.count)
    }

    /// Variance of the mean, for clusters of unequal size that of a ratio (Cochran, Sampling
    /// Techniques, 1977, chapter 6) with the factor C/(C-1). `None` for fewer than two clusters;
    /// 0 if all clusters have the same mean.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        if self.clusters < 2 {
            return None;
        }
        let squares = self.sum_square - 2.0 * mean * self.cross + mean * mean * self.count_square;
        let rounding = 1e-12 * (self.sum_square + mean * mean * self.count_square);
        let squares = if squares <= rounding { 0.0 } else { squares };
        let clusters = self.clusters as f64;
        Some(clusters / (clusters - 1.0) * squares / (self.count * self.count))
    }

    /// Standard error of the mean; `None` if it is not known, which includes the case that all
    /// clusters agree: that shows sameness, not precision.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        self.variance().filter(|v| *v > 0.0).map(f64::sqrt)
    }

    /// 95 % interval of the mean, with Student's t for so many clusters; open if the standard error is not known.
    #[must_use]
    pub fn interval(&self) -> Interval {
        match (self.mean(), self.standard_error()) {
            (Some(mean), Some(se)) => Interval::around(mean, student_quantile(self.clusters - 1) * se),
            _ => Interval::OPEN,
        }
    }
}

/// The 0.975 quantile of Student's t, from 12.7 for one degree of freedom down to [`Z95`].
fn student_quantile(degrees: u64) -> f64 {
    let wide = StudentsT::new(0.0, 1.0, degrees as f64).ok().filter(|_| degrees < 1000);
    wide.map_or(Z95, |student| student.inverse_cdf(0.975))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_of_one_value_give_the_textbook_standard_error() {
        let mut mean = ClusterMean::default();
        for value in [1.0, 2.0, 4.0, 9.0] {
            mean.add(value, 1.0);
        }
        assert_eq!(mean.mean(), Some(4.0));
        let expected = ((9.0 + 4.0 + 0.0 + 25.0) / 3.0 / 4.0_f64).sqrt();
        assert!((mean.standard_error().unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn few_clusters_get_a_wider_interval() {
        let mut mean = ClusterMean::default();
        mean.add(0.0, 1.0);
        mean.add(1.0, 1.0);
        // two values: half their difference is the standard error, and t is 12.706
        assert!((mean.interval().high.unwrap() - (0.5 + 12.7062 * 0.5)).abs() < 1e-3);
        assert!((student_quantile(30) - 2.042272).abs() < 1e-5);
        assert!((student_quantile(5000) - Z95).abs() < 1e-12);
    }

    #[test]
    fn equal_clusters_can_be_given_by_their_sums() {
        let mut one_by_one = ClusterMean::default();
        for value in [2.0, 4.0, 9.0] {
            one_by_one.add(value, 2.0);
        }
        assert_eq!(ClusterMean::of_equal(3, 2.0, 15.0, 4.0 + 16.0 + 81.0), one_by_one);
    }

    #[test]
    fn repeating_values_within_a_cluster_adds_no_precision() {
        let (mut once, mut thrice) = (ClusterMean::default(), ClusterMean::default());
        for value in [1.0, 2.0, 4.0, 9.0] {
            once.add(value, 1.0);
            thrice.add(3.0 * value, 3.0);
        }
        let (a, b) = (once.variance().unwrap(), thrice.variance().unwrap());
        assert!((a - b).abs() < 1e-12);
    }

    #[test]
    fn agreeing_clusters_have_no_interval() {
        let mut mean = ClusterMean::default();
        for _ in 0..50 {
            mean.add(0.3, 1.0);
        }
        assert_eq!(mean.interval(), Interval::OPEN);
        assert_eq!(ClusterMean::default().mean(), None);
    }
}
