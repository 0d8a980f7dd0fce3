//! Every pair with its score, its variance between deals, and a corrected p-value.

use serde::Serialize;

use super::evidence::Evidence;
use super::mean::ClusterMean;
use super::multiple::holm;
use super::pair::{PairSummary, summary_of_mean};
use super::totals::Schedule;

/// One pair over all deals, from the point of view of `a`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairRow {
    /// The player whose score is given; the smaller index.
    pub a: u32,
    /// The opponent.
    pub b: u32,
    /// Weighted comparisons.
    pub comparisons: f64,
    /// Variance of the mean score between deals; `None` for fewer than two deals, 0 if all deals
    /// went the same way.
    pub score_variance: Option<f64>,
    /// Figures with the deal as the unit.
    pub summary: PairSummary,
    /// Two-sided p-value of equal strength, corrected by Holm for all rows of the table.
    pub p_holm: f64,
}

/// The rows of all pairs that met in lineups of two, in ascending order, in one visit. Lineups of
/// more players carry no points by pair and deal, so they are left out here. The p-values are
/// corrected for as many pairs as there are rows.
#[must_use]
pub fn crosstable<E: Evidence + ?Sized>(evidence: &E) -> Vec<PairRow> {
    let lineups = evidence.lineups();
    let schedule = Schedule::new(lineups, evidence.players(), false);
    let key = |members: &[u32]| (members[0].min(members[1]), members[0].max(members[1]));
    let mut pairs: Vec<(u32, u32)> =
        lineups.iter().filter(|lineup| lineup.players.len() == 2).map(|lineup| key(&lineup.players)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut means = vec![ClusterMean::default(); pairs.len()];
    let mut cluster_sums = vec![(0.0, 0.0); pairs.len()];
    let mut touched = Vec::new();
    evidence.clusters(&mut |cluster| {
        for meeting in cluster.iter().filter(|m| schedule.accepts(m, lineups)) {
            let lineup = &lineups[meeting.lineup as usize];
            if lineup.players.len() != 2 {
                continue;
            }
            let (a, b) = key(&lineup.players);
            let slot = pairs.partition_point(|&other| other < (a, b));
            let place = usize::from(lineup.players[0] != a);
            cluster_sums[slot].0 += meeting.points[place];
            cluster_sums[slot].1 += lineup.comparisons;
            touched.push(slot);
        }
        for slot in touched.drain(..) {
            let (points, comparisons) = std::mem::take(&mut cluster_sums[slot]);
            means[slot].add(points, comparisons);
        }
    });
    let mut rows: Vec<PairRow> = pairs
        .into_iter()
        .zip(&means)
        .filter(|(_, mean)| mean.count() > 0.0)
        .map(|((a, b), mean)| PairRow {
            a,
            b,
            comparisons: mean.count(),
            score_variance: mean.variance(),
            summary: summary_of_mean(mean.mean().map(|score| score.clamp(0.0, 1.0)), mean.variance(), mean.clusters()),
            p_holm: 1.0,
        })
        .collect();
    let p_values: Vec<f64> = rows.iter().map(|row| row.summary.p_value.unwrap_or(1.0)).collect();
    for (row, p) in rows.iter_mut().zip(holm(&p_values)) {
        row.p_holm = p;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::super::collected::Collected;
    use super::*;

    #[test]
    fn both_seatings_of_a_deal_are_one_unit() {
        let mut results = Collected::new(3);
        for deal in 0..40 {
            let score = if deal % 4 == 0 { 0.0 } else { 1.0 };
            results.add_match(deal, 0, 1, score).unwrap();
            results.add_match(deal, 1, 0, 1.0 - score).unwrap();
        }
        let rows = crosstable(&results);
        assert_eq!(rows.len(), 1);
        assert_eq!((rows[0].a, rows[0].b, rows[0].comparisons), (0, 1, 80.0));
        assert_eq!(rows[0].summary.units, 40);
        assert_eq!(rows[0].summary.score, Some(0.75));
        let half = 1.96 * (0.1875_f64 / 39.0).sqrt();
        assert!((rows[0].summary.score_interval.low.unwrap() - (0.75 - half)).abs() < 1e-4);
    }
}
