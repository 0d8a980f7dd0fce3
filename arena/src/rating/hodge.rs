//! The part of pairwise results that ratings explain, and the cyclic rest.
//!
//! Pairwise log-odds are a flow on the graph of meetings. Weighted least squares splits it into
//! differences of a potential and a rest without potential (HodgeRank: Jiang, Lim, Yao, Ye 2011).
//! The rest is never zero in noisy data: judge it by [`cyclic_test`], not by its share.

use nalgebra::{Cholesky, DMatrix, DVector};
use serde::Serialize;
use statrs::function::gamma::checked_gamma_ur;

use super::connectivity::Connectivity;
use super::crosstable::PairRow;
use super::evidence::PairPoints;
use super::scale::logistic;

/// A measured advantage of `a` over `b`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Edge {
    /// One player.
    pub a: u32,
    /// The other player.
    pub b: u32,
    /// Log-odds of `a` beating `b`, in natural logits (or any other unit, if the same for all).
    pub flow: f64,
    /// Weight, above zero; the inverse variance of `flow` for [`cyclic_test`] and [`Triangle::z`]
    /// to mean anything.
    pub weight: f64,
}

/// Log-odds of pairs with half a point added to each side, which keeps 0 % and 100 % finite, and
/// their inverse binomial variances. The variances assume independent comparisons: draws make
/// them too large, common deals make flows of different pairs depend on each other.
#[must_use]
pub fn edges_from_pairs(pairs: &[PairPoints]) -> Vec<Edge> {
    pairs
        .iter()
        .filter(|pair| pair.a != pair.b && pair.comparisons > 0.0)
        .map(|pair| {
            let (won, lost) = (pair.points_a + 0.5, pair.comparisons - pair.points_a + 0.5);
            Edge { a: pair.a, b: pair.b, flow: (won / lost).ln(), weight: won * lost / (won + lost) }
        })
        .collect()
}

/// Log-odds of the pairs of a crosstable, smoothed in the same way, and their inverse variances
/// from the variance between deals (by the delta method), which is right for draws and for luck
/// shared within a deal. Pairs whose deals do not vary get the binomial variance; those with one
/// observation only, however many comparisons it holds, count as one comparison.
#[must_use]
pub fn edges_from_crosstable(rows: &[PairRow]) -> Vec<Edge> {
    let mut edges = edges_from_pairs(
        &rows
            .iter()
            .map(|row| {
                let comparisons = if row.summary.units == 1 { 1.0 } else { row.comparisons };
                let points_a = row.summary.score.unwrap_or(0.5) * comparisons;
                PairPoints { a: row.a, b: row.b, points_a, comparisons }
            })
            .collect::<Vec<_>>(),
    );
    for (edge, row) in edges.iter_mut().zip(rows) {
        if let Some(variance) = row.score_variance.filter(|v| *v > 0.0) {
            let score = logistic(edge.flow);
            let slope = score * (1.0 - score);
            edge.weight = slope * slope / variance;
        }
    }
    edges
}

/// A flow split in two.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decomposition {
    /// By player, in the unit of the flow, mean zero within each group that met.
    pub potential: Vec<f64>,
    /// By edge, flow minus difference of potentials; 0 for edges that were left out.
    pub residual: Vec<f64>,
    /// Share of the weighted sum of squares that the potential explains, in 0..=1; `None` if all
    /// flows are zero.
    pub explained_share: Option<f64>,
    /// The rest of the share.
    pub cyclic_share: Option<f64>,
    /// Weighted sum of squared residuals.
    pub residual_square: f64,
    /// Independent cycles: edges used minus players plus groups.
    pub cycles: u64,
}

/// Splits the flow on `edges` among `players` players. Edges between unknown or equal players, or
/// with numbers that are not finite or weights not above zero, are left out. Time players³.
#[must_use]
pub fn decompose(players: usize, edges: &[Edge]) -> Decomposition {
    let used = |edge: &&Edge| is_usable(players, edge);
    let graph: Vec<PairPoints> = edges
        .iter()
        .filter(used)
        .map(|edge| PairPoints { a: edge.a, b: edge.b, points_a: 0.5, comparisons: 1.0 })
        .collect();
    let connectivity = Connectivity::new(players, &graph);
    let mut laplacian = DMatrix::zeros(players, players);
    let mut divergence = DVector::zeros(players);
    for edge in edges.iter().filter(used) {
        let (a, b) = (edge.a as usize, edge.b as usize);
        laplacian[(a, a)] += edge.weight;
        laplacian[(b, b)] += edge.weight;
        laplacian[(a, b)] -= edge.weight;
        laplacian[(b, a)] -= edge.weight;
        divergence[a] += edge.weight * edge.flow;
        divergence[b] -= edge.weight * edge.flow;
    }
    for group in connectivity.groups() {
        let size = group.len() as f64;
        let trace: f64 = group.iter().map(|&p| laplacian[(p as usize, p as usize)]).sum();
        let scale = if trace > 0.0 { trace / size } else { 1.0 };
        for &i in group {
            for &j in group {
                laplacian[(i as usize, j as usize)] += scale / size;
            }
        }
    }
    // regular by construction; weights so unequal that rounding spoils it explain nothing
    let potential = Cholesky::new(laplacian)
        .map(|factors| factors.solve(&divergence))
        .filter(|potential: &DVector<f64>| potential.iter().all(|p| p.is_finite()))
        .unwrap_or_else(|| DVector::zeros(players));
    let residual: Vec<f64> = edges
        .iter()
        .map(|edge| match used(&edge) {
            true => edge.flow - (potential[edge.a as usize] - potential[edge.b as usize]),
            false => 0.0,
        })
        .collect();
    let total: f64 = (edges.iter().filter(used)).map(|edge| edge.weight * edge.flow * edge.flow).sum();
    let residual_square: f64 = (edges.iter().zip(&residual))
        .filter(|(edge, _)| used(edge))
        .map(|(edge, rest)| edge.weight * rest * rest)
        .sum();
    let cyclic_share = (total > 0.0).then(|| (residual_square / total).clamp(0.0, 1.0));
    Decomposition {
        potential: potential.iter().copied().collect(),
        residual,
        explained_share: cyclic_share.map(|share| 1.0 - share),
        cyclic_share,
        residual_square,
        cycles: (graph.len() + connectivity.groups().len()).saturating_sub(players) as u64,
    }
}

fn is_usable(players: usize, edge: &Edge) -> bool {
    edge.a != edge.b
        && (edge.a as usize) < players
        && (edge.b as usize) < players
        && edge.flow.is_finite()
        && edge.weight.is_finite()
        && edge.weight > 0.0
}

/// Whether the cyclic part is more than noise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CyclicTest {
    /// Weighted sum of squared residuals.
    pub statistic: f64,
    /// Its expectation if there is nothing but noise: the number of independent cycles.
    pub degrees: u64,
    /// Probability of this much or more by noise alone, in 0..=1.
    pub p_value: f64,
}

/// Compares the residuals with their sampling variance, as chi-square. Right when the edges'
/// weights were the inverse variances of independent flows. `None` without cycles.
#[must_use]
pub fn cyclic_test(decomposition: &Decomposition) -> Option<CyclicTest> {
    let degrees = decomposition.cycles;
    let statistic = decomposition.residual_square;
    if degrees == 0 || !statistic.is_finite() {
        return None;
    }
    let p_value = checked_gamma_ur(degrees as f64 / 2.0, (statistic / 2.0).max(1e-300)).ok()?;
    p_value.is_finite().then_some(CyclicTest { statistic, degrees, p_value: p_value.clamp(0.0, 1.0) })
}

/// Three players whose pairs all met, in the order that makes the curl positive.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Triangle {
    /// The players; the first has the smallest index.
    pub players: [u32; 3],
    /// Sum of the flows first over second, second over third, third over first.
    pub curl: f64,
    /// Smallest of the three flows: above zero if each beats the next in a true cycle.
    pub weakest: f64,
    /// Curl in standard errors, if weights are inverse variances of independent flows.
    pub z: f64,
}

/// The `top` true cycles of three with the strongest weakest link, strongest first.
/// Time players³/6, memory players².
#[must_use]
pub fn strongest_cycles(players: usize, edges: &[Edge], top: usize) -> Vec<Triangle> {
    let strength = |triangle: &Triangle| triangle.weakest;
    best_triangles(players, edges, top, strength, |triangle| triangle.weakest > 0.0)
}

/// The `top` triangles with the largest curl, true cycles or not, largest first. Time players³/6,
/// memory players².
#[must_use]
pub fn largest_curls(players: usize, edges: &[Edge], top: usize) -> Vec<Triangle> {
    best_triangles(players, edges, top, |triangle| triangle.curl, |_| true)
}

fn best_triangles(
    players: usize,
    edges: &[Edge],
    top: usize,
    strength: impl Fn(&Triangle) -> f64,
    wanted: impl Fn(&Triangle) -> bool,
) -> Vec<Triangle> {
    let mut flows: DMatrix<Option<(f64, f64)>> = DMatrix::from_element(players, players, None);
    for edge in edges.iter().filter(|edge| is_usable(players, edge)) {
        let (a, b) = (edge.a as usize, edge.b as usize);
        flows[(a, b)] = Some((edge.flow, 1.0 / edge.weight));
        flows[(b, a)] = Some((-edge.flow, 1.0 / edge.weight));
    }
    let order = |a: &Triangle, b: &Triangle| strength(b).total_cmp(&strength(a));
    let mut best: Vec<Triangle> = Vec::new();
    for a in 0..players {
        for b in a + 1..players {
            let Some(ab) = flows[(b, a)].map(|(flow, variance)| (-flow, variance)) else {
                continue;
            };
            for c in b + 1..players {
                let (Some(ca), Some(cb)) = (flows[(c, a)], flows[(c, b)]) else {
                    continue;
                };
                let triangle = oriented([a, b, c], ab, (-cb.0, cb.1), ca);
                if !wanted(&triangle) {
                    continue;
                }
                best.push(triangle);
                if best.len() >= 2 * top + 64 {
                    best.sort_by(order);
                    best.truncate(top);
                }
            }
        }
    }
    best.sort_by(order);
    best.truncate(top);
    best
}

fn oriented(players: [usize; 3], ab: (f64, f64), bc: (f64, f64), ca: (f64, f64)) -> Triangle {
    let curl = ab.0 + bc.0 + ca.0;
    let [a, b, c] = players.map(|player| player as u32);
    let sign = if curl < 0.0 { -1.0 } else { 1.0 };
    let weakest = (sign * ab.0).min(sign * bc.0).min(sign * ca.0);
    Triangle {
        players: if curl < 0.0 { [a, c, b] } else { [a, b, c] },
        curl: curl.abs(),
        weakest,
        z: curl.abs() / (ab.1 + bc.1 + ca.1).sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(a: u32, b: u32, flow: f64) -> Edge {
        Edge { a, b, flow, weight: 4.0 }
    }

    #[test]
    fn a_true_cycle_is_told_from_a_crooked_ranking() {
        let edges =
            [edge(0, 1, 1.0), edge(1, 2, 2.0), edge(0, 2, -0.5), edge(0, 3, 5.0), edge(1, 3, 0.1), edge(4, 9, 1.0)];
        let cycles = strongest_cycles(5, &edges, 10);
        assert_eq!(cycles.len(), 1);
        assert_eq!(cycles[0].players, [0, 1, 2]);
        assert_eq!((cycles[0].curl, cycles[0].weakest), (3.5, 0.5));
        assert!((cycles[0].z - 3.5 / 0.75_f64.sqrt()).abs() < 1e-12);
        let curls = largest_curls(5, &edges, 1);
        assert_eq!(curls[0].players, [0, 3, 1]);
        assert!((curls[0].curl - 3.9).abs() < 1e-12 && curls[0].weakest < 0.0);
    }

    #[test]
    fn perfect_scores_stay_finite() {
        let edges = edges_from_pairs(&[PairPoints { a: 0, b: 1, points_a: 10.0, comparisons: 10.0 }]);
        assert!((edges[0].flow - 21.0_f64.ln()).abs() < 1e-12);
        let split = decompose(3, &edges);
        assert_eq!(split.cycles, 0);
        assert!(split.explained_share.unwrap() > 1.0 - 1e-12);
        assert_eq!(cyclic_test(&split), None);
        assert_eq!(decompose(0, &[]).explained_share, None);
    }
}
