//! Newton's method for the Bradley-Terry log-likelihood, in natural logits.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::scale::logistic;
use super::totals::Comparison;

/// Gradient, in points, below which a fit counts as solved.
pub(super) const GRADIENT: f64 = 1e-9;
const ITERATIONS: u32 = 200;

/// A likelihood to maximise over ratings and, if wanted, the advantage of the first side.
pub(super) struct Problem<'a> {
    pub comparisons: &'a [Comparison],
    pub points: &'a [f64],
    /// Points of the first sides; `None` leaves the advantage out.
    pub first_points: Option<f64>,
    /// By player, games at score 1/2 against a virtual opponent at 0.
    pub prior: &'a [f64],
    /// Groups of players whose common shift the data leave free; it is held at mean zero.
    pub floating: &'a [Vec<u32>],
}

/// Ratings, then the advantage if it was asked for; natural logits.
pub(super) struct Solution {
    pub parameters: DVector<f64>,
    pub gradient: f64,
    pub iterations: u32,
}

/// Why there is no solution.
pub(super) enum Unsolved {
    /// The information matrix is singular.
    Singular,
    /// The iteration ended with this gradient.
    NotConverged(f64),
}

impl Problem<'_> {
    fn players(&self) -> usize {
        self.points.len()
    }

    fn size(&self) -> usize {
        self.players() + usize::from(self.first_points.is_some())
    }

    fn advantage(&self, parameters: &DVector<f64>) -> f64 {
        match self.first_points {
            Some(_) => parameters[self.players()],
            None => 0.0,
        }
    }

    fn log_likelihood(&self, parameters: &DVector<f64>) -> f64 {
        let advantage = self.advantage(parameters);
        let mut sum = self.first_points.unwrap_or(0.0) * advantage;
        for (player, (points, prior)) in self.points.iter().zip(self.prior).enumerate() {
            let rating = parameters[player];
            sum += points * rating + prior * (0.5 * rating - softplus(rating));
        }
        for pair in self.comparisons {
            let b = parameters[pair.b as usize];
            let shift = if pair.sided { advantage } else { 0.0 };
            let difference = parameters[pair.a as usize] - b + shift;
            sum -= pair.count * (b + softplus(difference));
        }
        sum
    }

    fn gradient(&self, parameters: &DVector<f64>) -> DVector<f64> {
        let advantage = self.advantage(parameters);
        let mut gradient = DVector::zeros(self.size());
        for (player, (points, prior)) in self.points.iter().zip(self.prior).enumerate() {
            gradient[player] = points + prior * (0.5 - logistic(parameters[player]));
        }
        let mut first_points = self.first_points.unwrap_or(0.0);
        for pair in self.comparisons {
            let (a, b) = (pair.a as usize, pair.b as usize);
            let shift = if pair.sided { advantage } else { 0.0 };
            let difference = parameters[a] - parameters[b] + shift;
            gradient[a] -= pair.count * logistic(difference);
            gradient[b] -= pair.count * logistic(-difference);
            if pair.sided {
                first_points -= pair.count * logistic(difference);
            }
        }
        if self.first_points.is_some() {
            gradient[self.players()] = first_points;
        }
        gradient
    }

    /// The information matrix, made regular along the shifts of the floating groups. Its inverse
    /// is the pseudo-inverse plus a constant in each of those groups' blocks.
    fn information(&self, parameters: &DVector<f64>) -> DMatrix<f64> {
        let advantage = self.advantage(parameters);
        let mut matrix = DMatrix::zeros(self.size(), self.size());
        for (player, prior) in self.prior.iter().enumerate() {
            let rating = parameters[player];
            matrix[(player, player)] = prior * logistic(rating) * logistic(-rating);
        }
        for pair in self.comparisons {
            let (a, b) = (pair.a as usize, pair.b as usize);
            let shift = if pair.sided { advantage } else { 0.0 };
            let difference = parameters[a] - parameters[b] + shift;
            let information = pair.count * logistic(difference) * logistic(-difference);
            matrix[(a, a)] += information;
            matrix[(b, b)] += information;
            matrix[(a, b)] -= information;
            matrix[(b, a)] -= information;
            if pair.sided && self.first_points.is_some() {
                let last = self.players();
                matrix[(last, last)] += information;
                for (player, signed) in [(a, information), (b, -information)] {
                    matrix[(player, last)] += signed;
                    matrix[(last, player)] += signed;
                }
            }
        }
        for group in self.floating {
            let size = group.len() as f64;
            let trace: f64 = group.iter().map(|&p| matrix[(p as usize, p as usize)]).sum();
            let scale = if trace > 0.0 { trace / size } else { 1.0 };
            for &i in group {
                for &j in group {
                    matrix[(i as usize, j as usize)] += scale / size;
                }
            }
        }
        matrix
    }

    /// Inverse of the regularised information matrix at `parameters`.
    pub(super) fn inverse_information(&self, parameters: &DVector<f64>) -> Result<DMatrix<f64>, Unsolved> {
        let factors = self.factorise(parameters)?;
        let inverse = factors.inverse();
        if inverse.iter().all(|value| value.is_finite()) { Ok(inverse) } else { Err(Unsolved::Singular) }
    }

    /// Whether the results tell all parameters apart, judged at `parameters`.
    pub(super) fn is_regular(&self, parameters: &DVector<f64>) -> bool {
        self.factorise(parameters).is_ok()
    }

    fn factorise(&self, parameters: &DVector<f64>) -> Result<Cholesky<f64, Dyn>, Unsolved> {
        let information = self.information(parameters);
        let diagonal = information.diagonal();
        let factors = Cholesky::new(information).ok_or(Unsolved::Singular)?;
        // a pivot is what is left of a diagonal element once the others are known
        let regular = (0..diagonal.len()).all(|i| {
            let root = factors.l_dirty()[(i, i)];
            diagonal[i] > 0.0 && root * root > 1e-13 * diagonal[i]
        });
        regular.then_some(factors).ok_or(Unsolved::Singular)
    }

    /// Maximises from `start`. A step is halved until the likelihood does not fall, up to its
    /// rounding, or the gradient shrinks.
    pub(super) fn solve(&self, start: DVector<f64>) -> Result<Solution, Unsolved> {
        let mut parameters = start;
        let mut gradient = self.gradient(&parameters);
        let mut value = self.log_likelihood(&parameters);
        let comparisons: f64 = self.comparisons.iter().map(|pair| pair.count).sum();
        // sums of this many points cannot be told apart more finely
        let rounding = 8.0 * f64::EPSILON * comparisons;
        for iterations in 0..ITERATIONS {
            let size = gradient.amax();
            if size < GRADIENT {
                return Ok(Solution { parameters, gradient: size, iterations });
            }
            let step = self.factorise(&parameters)?.solve(&gradient);
            let mut fraction = 1.0;
            let mut moved = false;
            while fraction > 1e-9 {
                let trial = &parameters + fraction * &step;
                let trial_gradient = self.gradient(&trial);
                let trial_value = self.log_likelihood(&trial);
                let slack = 1e-14 * value.abs();
                if trial_value > value + slack || (trial_value >= value - slack && trial_gradient.amax() < size) {
                    (parameters, gradient, value) = (trial, trial_gradient, trial_value);
                    moved = true;
                    break;
                }
                fraction *= 0.5;
            }
            if !moved {
                return if size < GRADIENT.max(rounding) {
                    Ok(Solution { parameters, gradient: size, iterations })
                } else {
                    Err(Unsolved::NotConverged(size))
                };
            }
        }
        Err(Unsolved::NotConverged(gradient.amax()))
    }
}

/// ln(1 + e^x) without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}
