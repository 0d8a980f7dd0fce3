//! Nash averaging: skill against the mixture of players that nobody beats.
//!
//! The payoff matrix of a population is a symmetric zero-sum game. Its maximum-entropy equilibrium
//! is unique and lets copies of a player share one weight, so that entering a bot many times moves
//! nobody else (Balduzzi, Tuyls, Perolat, Graepel 2018). It jumps with small changes of the data:
//! show it with a bootstrap.

use nalgebra::{Cholesky, DMatrix, DVector, SVD};
use serde::Serialize;

use super::evidence::PairPoints;

/// Why there is no Nash average.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NashError {
    /// The matrix has no rows, or a row of another length, or an entry that is not finite.
    BadMatrix,
    /// The iteration did not reach an equilibrium.
    NotSolved,
}

impl std::fmt::Display for NashError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::BadMatrix => write!(f, "average a matrix that is not square and finite"),
            Self::NotSolved => write!(f, "reach an equilibrium of the payoff matrix"),
        }
    }
}

impl std::error::Error for NashError {}

/// The equilibrium and everybody's payoff against it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NashAverage {
    /// By player, probability in the maximum-entropy equilibrium; they sum to 1.
    pub weights: Vec<f64>,
    /// By player, payoff against the equilibrium, in the unit of the matrix: 0 for those in it, at
    /// most 0 (within 1e-7 of the largest payoff) for the rest.
    pub skill: Vec<f64>,
}

/// Payoffs as mean score minus 1/2, in -1/2..=1/2; 0 for pairs that never met, which is a
/// statement about them, so prefer a complete league.
#[must_use]
pub fn score_payoffs(players: usize, pairs: &[PairPoints]) -> Vec<Vec<f64>> {
    let mut sums = vec![vec![(0.0, 0.0); players]; players];
    for &pair in pairs {
        for side in [pair, pair.turned()] {
            let (a, b) = (side.a as usize, side.b as usize);
            if a != b && a < players && b < players {
                sums[a][b].0 += side.points_a;
                sums[a][b].1 += side.comparisons;
            }
        }
    }
    let payoff = |(points, comparisons): (f64, f64)| {
        if comparisons > 0.0 { points / comparisons - 0.5 } else { 0.0 }
    };
    sums.into_iter().map(|row| row.into_iter().map(payoff).collect()).collect()
}

/// The Nash average of `payoff`, `payoff[i][j]` what i wins from j. The matrix is made skew first,
/// by half the difference with its transpose. Time about 30 players³.
///
/// # Errors
/// See [`NashError`].
pub fn nash_average(payoff: &[Vec<f64>]) -> Result<NashAverage, NashError> {
    let players = payoff.len();
    let valid = |row: &Vec<f64>| row.len() == players && row.iter().all(|x| x.is_finite());
    if players == 0 || !payoff.iter().all(valid) {
        return Err(NashError::BadMatrix);
    }
    let raw = DMatrix::from_fn(players, players, |i, j| 0.5 * payoff[i][j] - 0.5 * payoff[j][i]);
    let largest = raw.amax();
    let row_sum = |row: usize| raw.row(row).iter().map(|x| x.abs() / largest).sum::<f64>();
    let scaled = if largest > 0.0 {
        let widest = (0..players).map(row_sum).fold(0.0, f64::max);
        &raw / largest / (2.0 * widest)
    } else {
        raw.clone()
    };
    let (interior, slack) = complementary_equilibrium(&scaled).ok_or(NashError::NotSolved)?;
    let weights = most_mixed(&scaled, &interior, &slack).ok_or(NashError::NotSolved)?;
    let skill = &raw * &weights;
    let wrong = |x: &f64| !x.is_finite() || *x > 1e-7 * largest;
    if skill.iter().any(wrong) {
        return Err(NashError::NotSolved);
    }
    Ok(NashAverage { weights: weights.iter().copied().collect(), skill: skill.iter().copied().collect() })
}

/// An equilibrium in which everyone plays who plays in any, and the slack -A q, by following the
/// central path s + A q = m (1 + A 1), q s = m from m = 1 to 0. Because A is skew the game is its
/// own dual, and the path starts at q = s = 1. Row sums of |A| must be below 1.
fn complementary_equilibrium(matrix: &DMatrix<f64>) -> Option<(DVector<f64>, DVector<f64>)> {
    let players = matrix.nrows();
    let ones = DVector::from_element(players, 1.0);
    let start = &ones + matrix * &ones;
    let (mut q, mut s, mut path) = (ones.clone(), ones, 1.0);
    for _ in 0..500 {
        if path < 1e-13 {
            let sum = q.sum();
            return (sum > 0.0).then(|| (q / sum, s / sum));
        }
        let aim = 0.2;
        let mean = q.dot(&s) / players as f64;
        let residual = aim * path * &start - &s - matrix * &q;
        let mut system = -matrix;
        for i in 0..players {
            system[(i, i)] += s[i] / q[i];
        }
        let centre = DVector::from_fn(players, |i, _| aim * mean / q[i] - s[i]);
        let dq = system.lu().solve(&(centre - &residual))?;
        let ds = residual - matrix * &dq;
        let room = |x: &DVector<f64>, dx: &DVector<f64>| {
            x.iter().zip(dx).filter(|(_, dx)| **dx < 0.0).map(|(x, dx)| -x / dx).fold(f64::INFINITY, f64::min)
        };
        let step = (0.9 * room(&q, &dq).min(room(&s, &ds))).min(1.0);
        q += step * dq;
        s += step * ds;
        path *= 1.0 - step * (1.0 - aim);
        if !(q.iter().chain(&s).all(|x| *x > 0.0 && x.is_finite())) {
            return None;
        }
    }
    None
}

/// The equilibrium of largest entropy, from one that has everyone in it who can be: Newton's
/// method in the directions that keep all in the support indifferent, with a barrier that keeps
/// everyone else from gaining.
fn most_mixed(matrix: &DMatrix<f64>, interior: &DVector<f64>, slack: &DVector<f64>) -> Option<DVector<f64>> {
    let players = matrix.nrows();
    let (inside, outside): (Vec<usize>, Vec<usize>) = (0..players).partition(|&i| interior[i] > slack[i]);
    let block = |rows: &[usize]| DMatrix::from_fn(rows.len(), inside.len(), |i, j| matrix[(rows[i], inside[j])]);
    let directions = free_directions(&block(&inside))?;
    let gains = block(&outside);
    let mut q = DVector::from_fn(inside.len(), |i, _| interior[inside[i]]);
    q /= q.sum();
    if directions.ncols() > 0 {
        let mut barrier = 1e-2;
        while barrier > 1e-14 {
            q = minimise(q, &directions, &gains, barrier)?;
            barrier *= 0.1;
        }
    }
    let sum = q.sum();
    let mut weights = DVector::zeros(players);
    for (&player, weight) in inside.iter().zip(&q) {
        weights[player] = weight / sum;
    }
    Some(weights)
}

/// Orthonormal directions that change neither the sum nor the payoffs within the support.
fn free_directions(support: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let size = support.ncols();
    let mut rows = DMatrix::from_element(size + 1, size, 1.0);
    rows.rows_mut(0, size).copy_from(support);
    let decomposed = SVD::try_new(rows, false, true, f64::EPSILON, 10_000)?;
    let basis = decomposed.v_t?;
    let largest = decomposed.singular_values.amax();
    let null: Vec<usize> = (0..size).filter(|&i| decomposed.singular_values[i] <= 1e-10 * largest).collect();
    Some(DMatrix::from_fn(size, null.len(), |i, j| basis[(null[j], i)]))
}

/// Minimises sum q ln q - barrier sum ln(-gains q) over q + span of `directions`.
fn minimise(
    mut q: DVector<f64>,
    directions: &DMatrix<f64>,
    gains: &DMatrix<f64>,
    barrier: f64,
) -> Option<DVector<f64>> {
    let value = |q: &DVector<f64>| {
        let slack = -(gains * q);
        let feasible = q.iter().chain(&slack).all(|x| *x > 0.0);
        feasible.then(|| {
            let entropy: f64 = q.iter().map(|x| x * x.ln()).sum();
            entropy - barrier * slack.iter().map(|x| x.ln()).sum::<f64>()
        })
    };
    let mut current = value(&q)?;
    for _ in 0..100 {
        let inverse_slack = (-(gains * &q)).map(|x| 1.0 / x);
        let gradient = q.map(|x| x.ln() + 1.0) + barrier * gains.transpose() * &inverse_slack;
        let scaled = DMatrix::from_fn(gains.nrows(), gains.ncols(), |i, j| gains[(i, j)] * inverse_slack[i]);
        let mut hessian = barrier * scaled.transpose() * scaled;
        for i in 0..q.len() {
            hessian[(i, i)] += 1.0 / q[i];
        }
        let reduced = directions.transpose() * &gradient;
        let curvature = directions.transpose() * hessian * directions;
        let move_by = -(directions * Cholesky::new(curvature)?.solve(&reduced));
        let slope = gradient.dot(&move_by);
        if slope > -1e-20 {
            break;
        }
        let mut fraction = 1.0;
        let next = loop {
            let trial = &q + fraction * &move_by;
            match value(&trial) {
                Some(lower) if lower <= current + 1e-4 * fraction * slope => {
                    break Some((trial, lower));
                }
                _ if fraction < 1e-12 => break None,
                _ => fraction *= 0.5,
            }
        };
        let Some((trial, lower)) = next else { break };
        (q, current) = (trial, lower);
    }
    Some(q)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(payoff: &[&[f64]], expected: &[f64]) {
        let rows: Vec<Vec<f64>> = payoff.iter().map(|row| row.to_vec()).collect();
        let found = nash_average(&rows).unwrap();
        for (a, b) in found.weights.iter().zip(expected) {
            assert!((a - b).abs() < 1e-6, "{:?} is not {expected:?}", found.weights);
        }
        assert!(found.skill.iter().all(|x| *x < 1e-9), "{:?}", found.skill);
    }

    #[test]
    fn copies_share() {
        let (r, p, s) = ([0.0, -1.0, 1.0, -1.0], [1.0, 0.0, -1.0, 0.0], [-1.0, 1.0, 0.0, 1.0]);
        check(&[&r[..3], &p[..3], &s[..3]], &[1.0 / 3.0; 3]);
        let third = 1.0 / 3.0;
        let sixth = 1.0 / 6.0;
        check(&[&r, &p, &s, &p], &[third, sixth, third, sixth]);
    }

    #[test]
    fn the_best_of_a_ranking_is_alone() {
        check(&[&[0.0, 0.1, 0.4], &[-0.1, 0.0, 0.3], &[-0.4, -0.3, 0.0]], &[1.0, 0.0, 0.0]);
    }

    #[test]
    fn equals_share_equally_also_when_a_weak_bot_is_beaten_unequally() {
        check(&[&[0.0, 0.0, 0.1], &[0.0, 0.0, 0.4], &[-0.1, -0.4, 0.0]], &[0.5, 0.5, 0.0]);
        check(&[[0.0; 3].as_slice(); 3], &[1.0 / 3.0; 3]);
        check(&[&[0.0]], &[1.0]);
    }

    #[test]
    fn an_outsider_can_bound_the_mixture() {
        // 0 and 1 are even, but 2 would beat any mixture with more than a quarter of 1
        check(&[&[0.0, 0.0, 0.1], &[0.0, 0.0, -0.3], &[-0.1, 0.3, 0.0]], &[0.75, 0.25, 0.0]);
    }

    #[test]
    fn a_bounded_mixture_of_three_has_the_largest_entropy() {
        // even players, and 3 gaining -0.1, 0.3, 0 from them: q is proportional to exp(-t gain),
        // with exp(0.4 t) = 3 so that 3 gains nothing
        let unscaled = [3.0_f64.powf(0.25), 3.0_f64.powf(-0.75), 1.0];
        let sum: f64 = unscaled.iter().sum();
        let [a, b, c] = unscaled.map(|x| x / sum);
        check(&[&[0.0, 0.0, 0.0, 0.1], &[0.0, 0.0, 0.0, -0.3], &[0.0; 4], &[-0.1, 0.3, 0.0, 0.0]], &[a, b, c, 0.0]);
    }

    #[test]
    fn bad_matrices_are_refused() {
        assert_eq!(nash_average(&[]), Err(NashError::BadMatrix));
        assert_eq!(nash_average(&[vec![0.0, 1.0]]), Err(NashError::BadMatrix));
        assert_eq!(nash_average(&[vec![f64::NAN]]), Err(NashError::BadMatrix));
    }
}
