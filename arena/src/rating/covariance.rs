//! Standard errors of a fit, of differences, and the likelihood of superiority.
//!
//! *Fisher*: the inverse information, right only for independent comparisons without draws.
//! *Sandwich*: V B V, with V the inverse information and B the covariance of the clusters' score
//! vectors g, B = C/(C-1) sum (g - mean)(g - mean)'; right for draws and for any dependence
//! within a cluster (Huber 1967; Liang and Zeger 1986). The mean of g is zero unless there is a
//! prior. Intervals are 95 %, with the normal quantile.

use nalgebra::DMatrix;
use serde::Serialize;

use super::bradley_terry::{Fit, ZeroPoint};
use super::evidence::Evidence;
use super::fit_options::FitError;
use super::interval::{Interval, OpenSides};
use super::scale::{ELO_PER_LOGIT, Z95, normal_cdf};
use super::scores::score_covariance;

/// Fewer clusters than this make every sandwich standard error shaky.
pub const FEW_CLUSTERS: u64 = 30;
/// Fewer clusters than this make one player's standard error shaky.
pub const FEW_CLUSTERS_OF_PLAYER: u64 = 10;
/// A sandwich variance below this share of the Fisher variance is rounding: no variation at all.
const NO_VARIATION: f64 = 1e-10;

/// A reason to distrust the standard errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Warning {
    /// Fewer than [`FEW_CLUSTERS`] clusters in all.
    FewClusters {
        /// Their number.
        clusters: u64,
    },
    /// Not more clusters than parameters: some combinations of ratings show no variance.
    FewerClustersThanPlayers {
        /// Number of clusters.
        clusters: u64,
    },
    /// Fewer than [`FEW_CLUSTERS_OF_PLAYER`] clusters with this player.
    FewClustersOfPlayer {
        /// The player.
        player: u32,
        /// Their number.
        clusters: u64,
    },
    /// Every cluster gave this player the same result, so there is nothing to take an interval from.
    Deterministic {
        /// The player.
        player: u32,
    },
}

/// An estimated value with its uncertainty, in Elo.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate.
    pub elo: f64,
    /// Sandwich standard error; `None` if the clusters do not vary or are fewer than two.
    pub se: Option<f64>,
    /// Fisher standard error, for comparison only.
    pub fisher_se: Option<f64>,
    /// 95 % interval from the sandwich, open where the results set no bound.
    pub interval: Interval,
    /// Likelihood of superiority, Phi(elo / se): that the true value is above 0. `None` without `se`.
    pub los: Option<f64>,
}

impl Estimate {
    /// A value that is 0 because it is where the scale starts.
    const BY_DEFINITION: Self =
        Self { elo: 0.0, se: None, fisher_se: None, interval: Interval { low: Some(0.0), high: Some(0.0) }, los: None };
}

/// Covariances of a fit's ratings relative to the mean of each group.
#[derive(Debug, Clone)]
pub struct Covariance<'f> {
    fit: &'f Fit,
    /// Elo², ratings then the advantage if fitted.
    fisher: DMatrix<f64>,
    /// Elo²; `None` with fewer than two clusters.
    sandwich: Option<DMatrix<f64>>,
}

/// Computes the covariances in one visit of the clusters. Time: players³ plus, for each cluster,
/// the square of the number of players in it; memory: a few times players² numbers.
///
/// # Errors
/// [`FitError::NotConverged`] if the information of the fit is singular,
/// [`FitError::OtherEvidence`] if the evidence is not that of the fit.
pub fn covariance<'f, E: Evidence + ?Sized>(evidence: &E, fit: &'f Fit) -> Result<Covariance<'f>, FitError> {
    fit.check_evidence(evidence)?;
    let inverse =
        fit.problem(&fit.totals).inverse_information(&fit.parameters).map_err(|_| FitError::NotConverged(None))?;
    let squared = ELO_PER_LOGIT * ELO_PER_LOGIT;
    let centred = centre(fit, &inverse);
    let sandwich = score_covariance(evidence, fit).map(|meat| squared * centre(fit, &(&inverse * meat * &inverse)));
    Ok(Covariance { fit, fisher: squared * centred, sandwich })
}

impl Covariance<'_> {
    /// A player's rating relative to the zero point of its group: the variance is that of the
    /// rating minus the mean, or minus the anchor. `None` if there is no such player.
    #[must_use]
    pub fn rating(&self, player: u32) -> Option<Estimate> {
        let group = self.fit.connectivity.group_of(player)?;
        match self.fit.groups[group as usize].zero {
            ZeroPoint::Anchor(anchor) if anchor == player => Some(Estimate::BY_DEFINITION),
            ZeroPoint::Anchor(anchor) => self.difference(player, anchor),
            ZeroPoint::Mean => {
                let index = player as usize;
                let elo = self.fit.ratings[index];
                Some(self.estimate(elo, &[(index, 1.0)], self.fit.open[index]))
            }
        }
    }

    /// The rating difference `a` minus `b`; its `los` is that `a` is better. `None` if the two
    /// are in different groups, or there is no such player.
    #[must_use]
    pub fn difference(&self, a: u32, b: u32) -> Option<Estimate> {
        let elo = self.fit.difference(a, b)?;
        if a == b {
            return Some(Estimate::BY_DEFINITION);
        }
        let contrast = [(a as usize, 1.0), (b as usize, -1.0)];
        let open = OpenSides { low: !self.fit.connectivity.reaches(a, b), high: !self.fit.connectivity.reaches(b, a) };
        Some(self.estimate(elo, &contrast, open))
    }

    /// The advantage of the first side; `None` if it was not fitted.
    #[must_use]
    pub fn advantage(&self) -> Option<Estimate> {
        if !self.fit.has_advantage() {
            return None;
        }
        let last = self.fit.ratings.len();
        let elo = self.fit.parameters[last] * ELO_PER_LOGIT;
        Some(self.estimate(elo, &[(last, 1.0)], OpenSides::default()))
    }

    /// Sandwich covariance of two ratings relative to the mean of their group, in Elo²; `None`
    /// with fewer than two clusters or for unknown players. Zero between groups.
    #[must_use]
    pub fn between(&self, a: u32, b: u32) -> Option<f64> {
        let players = self.fit.ratings.len();
        let (a, b) = (a as usize, b as usize);
        let sandwich = self.sandwich.as_ref()?;
        (a < players && b < players).then(|| sandwich[(a, b)])
    }

    /// Reasons to distrust the standard errors; empty if there are none.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let totals = &self.fit.totals;
        let clusters = totals.clusters;
        let mut warnings = Vec::new();
        if clusters < FEW_CLUSTERS {
            warnings.push(Warning::FewClusters { clusters });
        }
        if clusters <= totals.points.len() as u64 {
            warnings.push(Warning::FewerClustersThanPlayers { clusters });
        }
        for (player, &clusters) in totals.clusters_of.iter().enumerate() {
            let player = player as u32;
            if clusters < FEW_CLUSTERS_OF_PLAYER {
                warnings.push(Warning::FewClustersOfPlayer { player, clusters });
            }
            let unvaried = |r: Estimate| r.se.is_none() && r.fisher_se.is_some();
            if clusters > 1 && self.rating(player).is_some_and(unvaried) {
                warnings.push(Warning::Deterministic { player });
            }
        }
        warnings
    }

    fn estimate(&self, elo: f64, contrast: &[(usize, f64)], open: OpenSides) -> Estimate {
        let fisher = quadratic(&self.fisher, contrast);
        let sandwich = self
            .sandwich
            .as_ref()
            .map(|matrix| quadratic(matrix, contrast))
            .filter(|&variance| fisher > 0.0 && variance > NO_VARIATION * fisher);
        let se = sandwich.map(f64::sqrt);
        Estimate {
            elo,
            se,
            fisher_se: (fisher > 0.0).then(|| fisher.sqrt()),
            interval: se.map_or(Interval::OPEN, |se| Interval::around(elo, Z95 * se).opened(open)),
            los: se.map(|se| normal_cdf(elo / se)),
        }
    }
}

/// x' M x for an x given by its entries that are not zero.
fn quadratic(matrix: &DMatrix<f64>, contrast: &[(usize, f64)]) -> f64 {
    let row = |i: usize| contrast.iter().map(move |&(j, y)| y * matrix[(i, j)]);
    contrast.iter().map(|&(i, x)| x * row(i).sum::<f64>()).sum()
}

/// The covariance of parameters minus the mean of their group; the advantage stays as it is.
fn centre(fit: &Fit, matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let mut centred = matrix.clone();
    for _ in 0..2 {
        for mut column in centred.column_iter_mut() {
            for group in &fit.groups {
                let sum: f64 = group.players.iter().map(|&p| column[p as usize]).sum();
                let mean = sum / group.players.len() as f64;
                for &player in &group.players {
                    column[player as usize] -= mean;
                }
            }
        }
        centred.transpose_mut();
    }
    centred
}
