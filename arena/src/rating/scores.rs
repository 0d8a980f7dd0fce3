//! Score vectors of clusters, the derivatives of their log-likelihoods at a fit, and the covariance
//! of their sum.

use nalgebra::{DMatrix, DVector};

use super::bradley_terry::Fit;
use super::evidence::{Evidence, Lineup, Meeting};
use super::scale::logistic;

/// B: the covariance of the sum of the clusters' score vectors; `None` below two clusters.
pub(super) fn score_covariance<E: Evidence + ?Sized>(evidence: &E, fit: &Fit) -> Option<DMatrix<f64>> {
    let clusters = fit.totals.clusters as f64;
    if clusters < 2.0 {
        return None;
    }
    let size = fit.parameters.len();
    let lineups = evidence.lineups();
    let expected: Vec<Vec<f64>> = lineups.iter().map(|l| expected_points(l, fit)).collect();
    let mut outer = OuterSum::new(size);
    let mut score = vec![0.0; size];
    let mut touched = Vec::new();
    evidence.clusters(&mut |cluster| {
        for meeting in cluster.iter().filter(|m| fit.schedule.accepts(m, lineups)) {
            let expected = &expected[meeting.lineup as usize];
            add_score(meeting, lineups, expected, fit, &mut score, &mut touched);
        }
        touched.sort_unstable();
        touched.dedup();
        outer.add(&score, &touched);
        for &index in &touched {
            score[index as usize] = 0.0;
        }
        touched.clear();
    });
    let (sum, mut meat) = outer.finish();
    meat.ger(-1.0 / clusters, &sum, &sum, 1.0);
    Some(meat * (clusters / (clusters - 1.0)))
}

fn add_score(
    meeting: &Meeting<'_>,
    lineups: &[Lineup],
    expected: &[f64],
    fit: &Fit,
    score: &mut [f64],
    touched: &mut Vec<u32>,
) {
    let members = &lineups[meeting.lineup as usize].players;
    for ((&player, points), expected) in members.iter().zip(meeting.points).zip(expected) {
        score[player as usize] += points - expected;
        touched.push(player);
    }
    if fit.has_advantage() && members.len() == 2 {
        let last = fit.ratings.len();
        score[last] += meeting.points[0] - expected[0];
        touched.push(last as u32);
    }
}

/// Expected points by place of one meeting of `lineup`; empty if a player is unknown.
fn expected_points(lineup: &Lineup, fit: &Fit) -> Vec<f64> {
    let members = &lineup.players;
    if members.iter().any(|&p| p as usize >= fit.ratings.len()) {
        return Vec::new();
    }
    let advantage = if fit.has_advantage() && members.len() == 2 { fit.parameters[fit.ratings.len()] } else { 0.0 };
    let mut expected = vec![0.0; members.len()];
    for i in 0..members.len() {
        for j in i + 1..members.len() {
            let (a, b) = (members[i] as usize, members[j] as usize);
            let difference = fit.parameters[a] - fit.parameters[b] + advantage;
            let comparisons = lineup.comparisons_of(i, j);
            expected[i] += comparisons * logistic(difference);
            expected[j] += comparisons * logistic(-difference);
        }
    }
    expected
}

/// Sum of outer products of vectors: sparse ones one by one, full ones in batches, which a matrix
/// product adds several times faster.
struct OuterSum {
    sum: DVector<f64>,
    outer: DMatrix<f64>,
    batch: DMatrix<f64>,
    filled: usize,
}

const BATCH: usize = 64;

impl OuterSum {
    fn new(size: usize) -> Self {
        Self {
            sum: DVector::zeros(size),
            outer: DMatrix::zeros(size, size),
            batch: DMatrix::zeros(size, BATCH),
            filled: 0,
        }
    }

    fn add(&mut self, vector: &[f64], touched: &[u32]) {
        for &i in touched {
            self.sum[i as usize] += vector[i as usize];
        }
        if touched.len() * 4 < vector.len() {
            for &i in touched {
                for &j in touched {
                    self.outer[(j as usize, i as usize)] += vector[i as usize] * vector[j as usize];
                }
            }
            return;
        }
        self.batch.column_mut(self.filled).copy_from_slice(vector);
        self.filled += 1;
        if self.filled == BATCH {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let filled = self.batch.columns(0, self.filled);
        self.outer.gemm(1.0, &filled, &filled.transpose(), 1.0);
        self.filled = 0;
    }

    fn finish(mut self) -> (DVector<f64>, DMatrix<f64>) {
        if self.filled > 0 {
            self.flush();
        }
        (self.sum, self.outer)
    }
}
