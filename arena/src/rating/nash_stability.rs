//! How stable a Nash average is: the same from resampled clusters, since it jumps with small changes of the data.

use serde::Serialize;

use super::evidence::{Evidence, PairPoints};
use super::interval::Interval;
use super::nash::{nash_average, score_payoffs};
use super::random::{Resample, SplitMix64};
use super::totals::{Schedule, Totals};

/// Weights from this on count as being in the equilibrium.
const IN_SUPPORT: f64 = 1e-3;

/// A player's weight over the replicates.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Stability {
    /// 95 % percentile interval of the weight.
    pub weight: Interval,
    /// Share of the replicates in which the player is in the equilibrium.
    pub in_support: f64,
    /// 95 % percentile interval of the payoff against the equilibrium.
    pub skill: Interval,
}

/// Replicates the Nash average; by player. `None` if any lineup has more than two players, since their points do not
/// come by pair and deal, or if no replicate could be solved. Time: players³ a few tens of times for every replicate.
#[must_use]
pub fn nash_stability<E: Evidence + ?Sized>(evidence: &E, replicates: u32, seed: u64) -> Option<Vec<Stability>> {
    let players = evidence.players();
    let lineups = evidence.lineups();
    if lineups.iter().any(|lineup| lineup.players.len() != 2) {
        return None;
    }
    let schedule = Schedule::new(lineups, players, false);
    let clusters = Totals::collect(evidence, &schedule).clusters;
    let mut seeds = SplitMix64::new(seed);
    let mut draws: Vec<Resample> = (0..replicates).map(|_| Resample::new(seeds.next_u64(), clusters)).collect();
    // By replicate and lineup: the first player's points, and comparisons.
    let mut sums = vec![vec![(0.0, 0.0); lineups.len()]; replicates as usize];
    evidence.clusters(&mut |cluster| {
        let accepted: Vec<_> = cluster.iter().filter(|meeting| schedule.accepts(meeting, lineups)).collect();
        if accepted.is_empty() {
            return;
        }
        for (draw, sums) in draws.iter_mut().zip(&mut sums) {
            let weight = draw.next_weight() as f64;
            for meeting in accepted.iter().filter(|_| weight > 0.0) {
                let sum = &mut sums[meeting.lineup as usize];
                sum.0 += weight * meeting.points[0];
                sum.1 += weight * lineups[meeting.lineup as usize].comparisons;
            }
        }
    });
    let averages: Vec<_> = sums
        .iter()
        .filter_map(|sums| {
            let pairs: Vec<PairPoints> = lineups
                .iter()
                .zip(sums)
                .map(|(lineup, &(points_a, comparisons))| PairPoints {
                    a: lineup.players[0],
                    b: lineup.players[1],
                    points_a,
                    comparisons,
                })
                .collect();
            nash_average(&score_payoffs(players, &pairs)).ok()
        })
        .collect();
    if averages.is_empty() {
        return None;
    }
    let stability = |player: usize| {
        let weights: Vec<f64> = averages.iter().map(|average| average.weights[player]).collect();
        let inside = weights.iter().filter(|&&weight| weight >= IN_SUPPORT).count();
        Stability {
            in_support: inside as f64 / weights.len() as f64,
            weight: percentiles(weights),
            skill: percentiles(averages.iter().map(|average| average.skill[player]).collect()),
        }
    };
    Some((0..players).map(stability).collect())
}

fn percentiles(mut values: Vec<f64>) -> Interval {
    values.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| values[(share * (values.len() - 1) as f64).round() as usize];
    Interval::new(at(0.025), at(0.975))
}

#[cfg(test)]
mod tests {
    use super::super::collected::Collected;
    use super::*;

    #[test]
    fn a_clear_winner_is_the_equilibrium_in_every_replicate() {
        let mut results = Collected::new(3);
        for deal in 0..100 {
            results.add_match(deal, 0, 1, 1.0).unwrap();
            results.add_match(deal, 0, 2, if deal % 4 == 0 { 0.5 } else { 1.0 }).unwrap();
            results.add_match(deal, 1, 2, (deal % 2) as f64).unwrap();
        }
        let stability = nash_stability(&results, 100, 1).unwrap();
        let support: Vec<f64> = stability.iter().map(|player| player.in_support).collect();
        assert_eq!(support, [1.0, 0.0, 0.0]);
        assert!(stability[2].skill.high.unwrap() < -0.3);
    }
}
