//! Independently computed values of small problems.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::bradley_terry::fit;
use super::super::collected::Collected;
use super::super::covariance::covariance;
use super::super::fit_options::{FitOptions, Prior};
use super::super::hodge::{Edge, decompose, largest_curls};
use super::super::multiple::{benjamini_hochberg, bonferroni, holm};
use super::super::pair::{IntervalMethod, PairCounts, summarise};
use super::super::sprt::{Design, Model, Sprt};
use super::close;

#[derive(Deserialize)]
struct Values {
    sprt: Vec<Ratio>,
    summary: Vec<Summary>,
    bradley_terry: Vec<Problem>,
    sprt_bounds: Vec<Bounds>,
    hodge: Vec<Flow>,
    corrections: Vec<Correction>,
}

#[derive(Deserialize)]
struct Counts {
    losses_draws_wins: Option<[u64; 3]>,
    pentanomial_0_to_2: Option<[u64; 5]>,
}

impl Counts {
    fn get(&self) -> PairCounts {
        match (self.losses_draws_wins, self.pentanomial_0_to_2) {
            (Some(counts), None) => PairCounts::Matches(counts),
            (None, Some(counts)) => PairCounts::Deals(counts),
            _ => panic!("one kind of counts"),
        }
    }
}

#[derive(Deserialize)]
struct Ratio {
    model: String,
    #[serde(flatten)]
    counts: Counts,
    elo0: f64,
    elo1: f64,
    llr: f64,
}

#[derive(Deserialize)]
struct Summary {
    #[serde(flatten)]
    counts: Counts,
    score: f64,
    elo: f64,
    elo_low: f64,
    elo_high: f64,
    los: f64,
    nelo: f64,
}

#[derive(Deserialize)]
struct Problem {
    points: Vec<Vec<f64>>,
    elo_mean_zero: Vec<f64>,
    fisher_se: Vec<f64>,
    se_of_difference_0_1: f64,
}

#[derive(Deserialize)]
struct Bounds {
    alpha: f64,
    beta: f64,
    lower: f64,
    upper: f64,
}

#[derive(Deserialize)]
struct Flow {
    pairwise: Vec<Vec<f64>>,
    weights: Vec<Vec<f64>>,
    potential_mean_zero: Vec<f64>,
    explained_share: f64,
    cyclic_share: f64,
    triangle_curl: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
struct Correction {
    p: Vec<f64>,
    holm: Vec<f64>,
    benjamini_hochberg: Vec<f64>,
    bonferroni: Vec<f64>,
}

fn values() -> Values {
    serde_json::from_str(include_str!("../testdata/statistics.json")).unwrap()
}

#[test]
fn log_likelihood_ratios_agree() {
    for case in values().sprt {
        let model = match case.model.as_str() {
            "logistic" => Model::Logistic,
            "normalized" => Model::Normalised,
            other => panic!("unknown model {other}"),
        };
        let test = Sprt::new(Design { model, elo0: case.elo0, elo1: case.elo1, alpha: 0.05, beta: 0.05 }).unwrap();
        let found = test.log_likelihood_ratio(&case.counts.get()).unwrap();
        close(found, case.llr, 1e-6);
    }
}

#[test]
fn bounds_agree() {
    for case in values().sprt_bounds {
        let bounds =
            Sprt::new(Design { model: Model::Logistic, elo0: 0.0, elo1: 5.0, alpha: case.alpha, beta: case.beta })
                .unwrap()
                .bounds();
        close(bounds.lower, case.lower, 1e-12);
        close(bounds.upper, case.upper, 1e-12);
    }
}

#[test]
fn summaries_agree() {
    for case in values().summary {
        let found = summarise(&case.counts.get());
        assert_eq!(found.interval_method, IntervalMethod::Normal);
        close(found.score.unwrap(), case.score, 1e-12);
        close(found.elo.unwrap(), case.elo, 1e-6);
        close(found.elo_interval.low.unwrap(), case.elo_low, 1e-6);
        close(found.elo_interval.high.unwrap(), case.elo_high, 1e-6);
        close(found.los.unwrap(), case.los, 1e-9);
        close(found.nelo.unwrap(), case.nelo, 1e-6);
    }
}

#[test]
fn small_rating_problems_agree() {
    for case in values().bradley_terry {
        let players = case.points.len();
        let mut results = Collected::new(players);
        for i in 0..players {
            for j in i + 1..players {
                let (won, lost) = (case.points[i][j], case.points[j][i]);
                let cluster = (i * players + j) as u64;
                results.add_matches(cluster, i as u32, j as u32, won, won + lost).unwrap();
            }
        }
        let options = FitOptions { prior: Prior::Never, ..FitOptions::default() };
        let fitted = fit(&results, &options).unwrap();
        assert!(fitted.gradient < 1e-9);
        let covariance = covariance(&results, &fitted).unwrap();
        for (player, (elo, se)) in case.elo_mean_zero.iter().zip(&case.fisher_se).enumerate() {
            let found = covariance.rating(player as u32).unwrap();
            close(found.elo, *elo, 1e-6);
            close(found.fisher_se.unwrap(), *se, 1e-6);
        }
        let difference = covariance.difference(0, 1).unwrap();
        close(difference.fisher_se.unwrap(), case.se_of_difference_0_1, 1e-6);
    }
}

#[test]
fn transitive_and_cyclic_parts_agree() {
    for case in values().hodge {
        let players = case.pairwise.len();
        let mut edges = Vec::new();
        let mut all = Vec::new();
        for i in 0..players {
            for j in i + 1..players {
                let edge = Edge { a: i as u32, b: j as u32, flow: case.pairwise[i][j], weight: case.weights[i][j] };
                edges.push(edge);
                all.push(Edge { weight: 1.0, ..edge });
            }
        }
        let split = decompose(players, &edges);
        for (found, expected) in split.potential.iter().zip(&case.potential_mean_zero) {
            close(*found, *expected, 1e-9);
        }
        close(split.explained_share.unwrap(), case.explained_share, 1e-9);
        close(split.cyclic_share.unwrap(), case.cyclic_share, 1e-9);
        for triangle in largest_curls(players, &all, 10) {
            let [a, b, c] = triangle.players;
            let (key, sign) = if b < c { (format!("{a}>{b}>{c}"), 1.0) } else { (format!("{a}>{c}>{b}"), -1.0) };
            close(sign * triangle.curl, case.triangle_curl[&key], 1e-9);
        }
        let met = largest_curls(players, &edges, 10).len();
        let missing = edges.iter().filter(|edge| edge.weight == 0.0).count();
        assert_eq!(met, case.triangle_curl.len() - 2 * missing);
    }
}

#[test]
fn corrections_agree() {
    for case in values().corrections {
        for (found, expected) in [
            (holm(&case.p), &case.holm),
            (benjamini_hochberg(&case.p), &case.benjamini_hochberg),
            (bonferroni(&case.p), &case.bonferroni),
        ] {
            for (a, b) in found.iter().zip(expected) {
                close(*a, *b, 1e-12);
            }
        }
    }
}
