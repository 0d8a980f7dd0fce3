//! Intervals by resampling whole clusters and refitting.
//!
//! Every replicate draws as many clusters as there are, with replacement: the multiplicities are
//! exactly multinomial (see [`super::random::Resample`]) and depend on the seed and the order of
//! clusters only. Clusters are streamed, one visit for each batch of replicates.

use nalgebra::DVector;

use super::bradley_terry::Fit;
use super::evidence::Evidence;
use super::fit_options::FitError;
use super::interval::{Interval, OpenSides};
use super::newton::GRADIENT;
use super::random::{Resample, SplitMix64};
use super::scale::{ELO_PER_LOGIT, logistic};
use super::totals::{Comparison, Totals};

/// Sums held at once, in numbers of 8 bytes: 128 MiB.
const BATCH_NUMBERS: usize = 16 << 20;

/// Replicated ratings.
#[derive(Debug, Clone)]
pub struct Bootstrap<'f> {
    /// Replicates asked for.
    pub drawn: u32,
    /// Replicates left out because their results gave no finite ratings (or no finite advantage).
    /// Intervals are then conditional on there being some; report the number beside them.
    pub degenerate: u32,
    fit: &'f Fit,
    ratings: Vec<Vec<f64>>,
    advantages: Vec<f64>,
}

/// Draws `replicates` replicates of `fit`. Groups that were
/// fitted with a prior keep it in every replicate; in the others a replicate without finite
/// ratings is dropped and counted. Time: players³ a few times for every replicate.
///
/// # Errors
/// [`FitError::OtherEvidence`] if the evidence is not that of the fit.
pub fn bootstrap<'f, E: Evidence + ?Sized>(
    evidence: &E,
    fit: &'f Fit,
    replicates: u32,
    random: &mut SplitMix64,
) -> Result<Bootstrap<'f>, FitError> {
    fit.check_evidence(evidence)?;
    let mut result = Bootstrap { drawn: replicates, degenerate: 0, fit, ratings: Vec::new(), advantages: Vec::new() };
    let numbers = evidence.players() + evidence.lineups().len() + 1;
    let batch = (BATCH_NUMBERS / numbers).clamp(1, replicates.max(1) as usize);
    let mut left = replicates as usize;
    while left > 0 {
        let seeds: Vec<u64> = (0..left.min(batch)).map(|_| random.next_u64()).collect();
        left -= seeds.len();
        for totals in resampled_totals(evidence, fit, &seeds) {
            result.refit(&totals);
        }
    }
    Ok(result)
}

impl Bootstrap<'_> {
    /// Replicates that gave ratings.
    #[must_use]
    pub fn usable(&self) -> usize {
        self.ratings.len()
    }

    /// Standard deviation of a player's replicated rating, in Elo, relative to its zero point.
    /// `None` for fewer than two usable replicates, no variation, or no such player.
    #[must_use]
    pub fn standard_error(&self, player: u32) -> Option<f64> {
        deviation(&self.of_player(player)?)
    }

    /// Percentile interval of a player's rating in Elo, `level` for instance 0.95. Open where the
    /// results set no bound, and when nothing varies.
    #[must_use]
    pub fn interval(&self, player: u32, level: f64) -> Interval {
        match (self.of_player(player), self.fit.open.get(player as usize)) {
            (Some(values), Some(&open)) => percentiles(values, level).opened(open),
            _ => Interval::OPEN,
        }
    }

    /// Percentile interval of the difference `a` minus `b` in Elo; open if they are in different
    /// groups.
    #[must_use]
    pub fn difference_interval(&self, a: u32, b: u32, level: f64) -> Interval {
        if self.fit.difference(a, b).is_none() {
            return Interval::OPEN;
        }
        let open = OpenSides { low: !self.fit.connectivity.reaches(a, b), high: !self.fit.connectivity.reaches(b, a) };
        let values = self.ratings.iter().map(|ratings| ratings[a as usize] - ratings[b as usize]).collect();
        percentiles(values, level).opened(open)
    }

    /// Standard deviation of the replicated difference `a` minus `b`, in Elo; `None` as for
    /// [`Bootstrap::standard_error`], or if they are in different groups.
    #[must_use]
    pub fn difference_error(&self, a: u32, b: u32) -> Option<f64> {
        self.fit.difference(a, b)?;
        let values: Vec<f64> = self.ratings.iter().map(|ratings| ratings[a as usize] - ratings[b as usize]).collect();
        deviation(&values)
    }

    /// Standard deviation of the replicated advantage in Elo; `None` if it was not fitted.
    #[must_use]
    pub fn advantage_error(&self) -> Option<f64> {
        deviation(&self.advantages)
    }

    /// Percentile interval of the first side's advantage in Elo; open if it was not fitted.
    #[must_use]
    pub fn advantage_interval(&self, level: f64) -> Interval {
        percentiles(self.advantages.clone(), level)
    }

    /// Replicated ratings, by replicate and player, in Elo.
    #[must_use]
    pub fn ratings(&self) -> &[Vec<f64>] {
        &self.ratings
    }

    fn of_player(&self, player: u32) -> Option<Vec<f64>> {
        ((player as usize) < self.fit.ratings.len())
            .then(|| self.ratings.iter().map(|ratings| ratings[player as usize]).collect())
    }

    fn refit(&mut self, totals: &Totals) {
        let solved = self.fit.problem(totals).solve(self.fit.parameters.clone());
        match solved {
            Ok(solution) if is_bounded(self.fit, totals, &solution.parameters) => {
                if self.fit.has_advantage() {
                    let last = self.fit.ratings.len();
                    self.advantages.push(solution.parameters[last] * ELO_PER_LOGIT);
                }
                self.ratings.push(self.fit.shifted(&solution.parameters));
            }
            _ => self.degenerate += 1,
        }
    }
}

fn resampled_totals<E: Evidence + ?Sized>(evidence: &E, fit: &Fit, seeds: &[u64]) -> Vec<Totals> {
    let lineups = evidence.lineups();
    let players = evidence.players();
    let mut draws: Vec<Resample> = seeds.iter().map(|&seed| Resample::new(seed, fit.totals.clusters)).collect();
    let mut points = vec![vec![0.0; players]; seeds.len()];
    let mut meetings = vec![vec![0.0; lineups.len()]; seeds.len()];
    let mut first_points = vec![0.0; seeds.len()];
    evidence.clusters(&mut |cluster| {
        let accepted = |meeting: &_| fit.schedule.accepts(meeting, lineups);
        if !cluster.iter().any(accepted) {
            return;
        }
        for (replicate, draw) in draws.iter_mut().enumerate() {
            let weight = draw.next_weight() as f64;
            if weight == 0.0 {
                continue;
            }
            for meeting in cluster.iter().filter(|m| accepted(m)) {
                meetings[replicate][meeting.lineup as usize] += weight;
                let members = &lineups[meeting.lineup as usize].players;
                for (&player, gained) in members.iter().zip(meeting.points) {
                    points[replicate][player as usize] += weight * gained;
                }
                if members.len() == 2 {
                    first_points[replicate] += weight * meeting.points[0];
                }
            }
        }
    });
    (points.into_iter().zip(meetings).zip(first_points))
        .map(|((points, meetings), first_points)| Totals {
            points,
            first_points,
            comparisons: fit.schedule.comparisons(&meetings),
            clusters: fit.totals.clusters,
            clusters_of: Vec::new(),
        })
        .collect()
}

/// Whether a solution is a maximum and not a point on the way to infinity. In a maximum the
/// points that a set of players takes from the rest equal the expected ones; on the way to
/// infinity the expected ones have sunk to the gradient's tolerance. So the groups must be
/// strongly connected by pairs with more than that expected.
fn is_bounded(fit: &Fit, totals: &Totals, parameters: &DVector<f64>) -> bool {
    let players = totals.points.len();
    let advantage = if fit.has_advantage() { parameters[players] } else { 0.0 };
    if advantage.abs() > super::bradley_terry::UNBOUNDED_LOGITS {
        return false;
    }
    let threshold = GRADIENT * players as f64;
    let mut arrows = vec![Vec::new(); players];
    let mut reverse = vec![Vec::new(); players];
    for &Comparison { a, b, count, sided } in &totals.comparisons {
        let shift = if sided { advantage } else { 0.0 };
        let difference = parameters[a as usize] - parameters[b as usize] + shift;
        for (from, to, expected) in [(a, b, count * logistic(difference)), (b, a, count * logistic(-difference))] {
            if expected > threshold {
                arrows[from as usize].push(to);
                reverse[to as usize].push(from);
            }
        }
    }
    fit.floating.iter().all(|group| spans(group, &arrows) && spans(group, &reverse))
}

/// Whether all of `group` can be reached from its first player.
fn spans(group: &[u32], arrows: &[Vec<u32>]) -> bool {
    let mut seen = vec![false; arrows.len()];
    let mut open: Vec<u32> = group.iter().copied().take(1).collect();
    while let Some(player) = open.pop() {
        if !std::mem::replace(&mut seen[player as usize], true) {
            open.extend_from_slice(&arrows[player as usize]);
        }
    }
    group.iter().all(|&player| seen[player as usize])
}

fn deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    let deviation = (squares / (count - 1.0)).sqrt();
    (deviation > VARIATION).then_some(deviation)
}

/// Elo below which differences between replicates are rounding of the fit.
const VARIATION: f64 = 1e-6;

/// Quantiles with linear interpolation; open unless there are two values that differ.
fn percentiles(mut values: Vec<f64>, level: f64) -> Interval {
    values.sort_unstable_by(f64::total_cmp);
    let (Some(first), Some(last)) = (values.first(), values.last()) else {
        return Interval::OPEN;
    };
    if last - first <= VARIATION || !(level > 0.0 && level < 1.0) {
        return Interval::OPEN;
    }
    let quantile = |share: f64| {
        let position = share * (values.len() - 1) as f64;
        let below = position.floor() as usize;
        let above = (below + 1).min(values.len() - 1);
        values[below] + (position - below as f64) * (values[above] - values[below])
    };
    Interval::new(quantile(0.5 - level / 2.0), quantile(0.5 + level / 2.0))
}
