//! What must hold for any results.

use proptest::prelude::*;

use super::super::bootstrap::bootstrap;
use super::super::bradley_terry::{Advantage, fit};
use super::super::collected::Collected;
use super::super::covariance::{Estimate, covariance};
use super::super::crosstable::crosstable;
use super::super::evidence::{Evidence, Lineup, Meeting, PairPoints};
use super::super::fit_options::{FitOptions, Prior};
use super::super::hodge::{cyclic_test, decompose, edges_from_pairs, strongest_cycles};
use super::super::nash::{nash_average, score_payoffs};
use super::super::pair::{PairCounts, summarise};
use super::super::random::SplitMix64;
use super::super::sprt::{Design, Model, Sprt};
use super::close;

type Match = (u64, u32, u32, f64);

const PLAYERS: u32 = 6;

fn matches(most: usize) -> impl Strategy<Value = Vec<Match>> {
    let one = (0..12_u64, 0..PLAYERS, 1..PLAYERS, 0..3_u8)
        .prop_map(|(deal, a, step, score)| (deal, a, (a + step) % PLAYERS, f64::from(score) / 2.0));
    prop::collection::vec(one, 0..most)
}

fn collect(matches: &[Match]) -> Collected {
    let mut results = Collected::new(PLAYERS as usize);
    for &(deal, a, b, score) in matches {
        results.add_match(deal, a, b, score).unwrap();
    }
    results
}

fn options(first_advantage: bool) -> FitOptions {
    FitOptions { first_advantage, ..FitOptions::default() }
}

fn assert_finite(estimate: &Estimate) {
    let ends = [estimate.interval.low, estimate.interval.high];
    let values = [Some(estimate.elo), estimate.se, estimate.fisher_se, estimate.los];
    assert!(values.iter().chain(&ends).flatten().all(|x| x.is_finite()), "{estimate:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_results_give_finite_ratings_with_mean_zero(list in matches(60), advantage: bool) {
        let results = collect(&list);
        let fitted = fit(&results, &options(advantage)).unwrap();
        prop_assert!(fitted.ratings.iter().all(|r| r.is_finite()));
        for group in &fitted.groups {
            let sum: f64 = group.players.iter().map(|&p| fitted.ratings[p as usize]).sum();
            prop_assert!(sum.abs() < 1e-6);
        }
        let errors = covariance(&results, &fitted).unwrap();
        for a in 0..PLAYERS {
            assert_finite(&errors.rating(a).unwrap());
            for b in 0..PLAYERS {
                if let Some(difference) = errors.difference(a, b) {
                    assert_finite(&difference);
                }
            }
        }
        if let Some(estimate) = errors.advantage() {
            assert_finite(&estimate);
        }
        let _ = errors.warnings();
        let replicated = bootstrap(&results, &fitted, 5, &mut SplitMix64::new(1)).unwrap();
        prop_assert!(replicated.ratings().iter().flatten().all(|r| r.is_finite()));
        for row in crosstable(&results) {
            prop_assert!((0.0..=1.0).contains(&row.p_holm));
        }
        let edges = edges_from_pairs(&results.pairs());
        let split = decompose(PLAYERS as usize, &edges);
        prop_assert!(split.potential.iter().all(|p| p.is_finite()));
        let _ = cyclic_test(&split);
        let _ = strongest_cycles(PLAYERS as usize, &edges, 3);
        let average = nash_average(&score_payoffs(PLAYERS as usize, &results.pairs())).unwrap();
        prop_assert!((average.weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn order_does_not_matter(list in matches(60), seed: u64) {
        let mut random = SplitMix64::new(seed);
        let mut shuffled = list.clone();
        for i in (1..shuffled.len()).rev() {
            shuffled.swap(i, (random.next_u64() % (i as u64 + 1)) as usize);
        }
        let (one, two) = (collect(&list), collect(&shuffled));
        let a = fit(&one, &options(false)).unwrap();
        let b = fit(&two, &options(false)).unwrap();
        let (one, two) = (covariance(&one, &a).unwrap(), covariance(&two, &b).unwrap());
        for player in 0..PLAYERS {
            let (a, b) = (one.rating(player).unwrap(), two.rating(player).unwrap());
            close(a.elo, b.elo, 1e-6);
            close(a.se.unwrap_or(0.0), b.se.unwrap_or(0.0), 1e-4);
        }
    }

    #[test]
    fn new_labels_only_move_the_ratings(list in matches(60), shift in 1..PLAYERS) {
        let relabel = |p: u32| (p + shift) % PLAYERS;
        let moved: Vec<Match> = list
            .iter()
            .map(|&(deal, a, b, score)| (deal, relabel(b), relabel(a), 1.0 - score))
            .collect();
        let a = fit(&collect(&list), &options(false)).unwrap();
        let b = fit(&collect(&moved), &options(false)).unwrap();
        for player in 0..PLAYERS {
            close(a.ratings[player as usize], b.ratings[relabel(player) as usize], 1e-6);
        }
    }

    #[test]
    fn every_result_twice_changes_no_rating(list in matches(60)) {
        let results = collect(&list);
        let before = fit(&results, &options(false)).unwrap();
        // virtual games are not doubled, so only where the results alone decide
        prop_assume!(before.groups.iter().all(|group| group.prior_games == 0.0));
        let twice: Vec<Match> = list.iter().chain(&list).copied().collect();
        let doubled = collect(&twice);
        let after = fit(&doubled, &options(false)).unwrap();
        let errors = covariance(&results, &before).unwrap();
        let errors_after = covariance(&doubled, &after).unwrap();
        for player in 0..PLAYERS {
            let (a, b) = (errors.rating(player).unwrap(), errors_after.rating(player).unwrap());
            close(a.elo, b.elo, 1e-6);
            // copies within a deal add no precision, except to Fisher's
            close(a.se.unwrap_or(0.0), b.se.unwrap_or(0.0), 1e-4);
            if let (Some(x), Some(y)) = (a.fisher_se, b.fisher_se) {
                close(x, y * std::f64::consts::SQRT_2, 1e-4);
            }
        }
    }

    #[test]
    fn a_bot_entered_twice_is_rated_twice_the_same(list in matches(60)) {
        let copy = PLAYERS;
        let mut results = Collected::new(PLAYERS as usize + 1);
        for &(deal, a, b, score) in &list {
            results.add_match(deal, a, b, score).unwrap();
            if a == 0 {
                results.add_match(deal, copy, b, score).unwrap();
            }
            if b == 0 {
                results.add_match(deal, a, copy, score).unwrap();
            }
        }
        let fitted = fit(&results, &options(false)).unwrap();
        if list.iter().any(|m| m.1 == 0 || m.2 == 0) {
            close(fitted.difference(0, copy).unwrap(), 0.0, 1e-6);
        }
    }

    #[test]
    fn pair_summaries_and_ratios_are_finite(
        counts in prop::array::uniform5(0..40_u64),
        scale in prop::sample::select(vec![1_u64, 1_000_000]),
        elo0 in -1000.0..1000.0_f64,
        width in 0.1..1000.0_f64,
        deals: bool,
        model in prop::sample::select(vec![Model::Logistic, Model::Normalised]),
    ) {
        let counts = counts.map(|count| count * scale);
        let counts = if deals {
            PairCounts::Deals(counts)
        } else {
            PairCounts::Matches([counts[0], counts[1], counts[2]])
        };
        let summary = summarise(&counts);
        for value in [
            summary.score, summary.elo, summary.los, summary.p_value, summary.nelo,
            summary.elo_interval.low, summary.elo_interval.high,
        ].into_iter().flatten() {
            prop_assert!(value.is_finite());
        }
        let design = Design { model, elo0, elo1: elo0 + width, alpha: 0.05, beta: 0.05 };
        let test = Sprt::new(design).unwrap();
        let turned = Sprt::new(Design { elo0: -design.elo1, elo1: -design.elo0, ..design }).unwrap();
        let ratio = test.log_likelihood_ratio(&counts);
        let mirrored = turned.log_likelihood_ratio(&counts.turned());
        if let (Ok(a), Ok(b)) = (ratio, mirrored) {
            prop_assert!(a.is_finite());
            prop_assert!((a + b).abs() < 1e-6 * (1.0 + a.abs()), "{a} {b}");
        }
        if model == Model::Logistic && counts.units() > 0 {
            prop_assert!(ratio.is_ok());
        }
    }
}

#[test]
fn seats_that_always_win_have_no_finite_advantage() {
    let mut results = Collected::new(3);
    for deal in 0..10 {
        for (a, b) in [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)] {
            results.add_match(deal, a, b, 1.0).unwrap();
        }
    }
    let fitted = fit(&results, &options(true)).unwrap();
    assert_eq!(fitted.advantage, Advantage::Unbounded);
    assert!(fitted.ratings.iter().all(|r| r.abs() < 1e-6));
}

#[test]
fn an_advantage_that_is_a_rating_difference_is_not_identified() {
    let mut results = Collected::new(2);
    for deal in 0..10 {
        let score = if deal < 7 { 1.0 } else { 0.0 };
        results.add_match(deal, 0, 1, score).unwrap();
    }
    let fitted = fit(&results, &options(true)).unwrap();
    assert_eq!(fitted.advantage, Advantage::NotIdentified);
    close(fitted.difference(0, 1).unwrap(), 147.1905, 1e-3);
}

/// Evidence with every kind of mistake that a reader must leave out.
struct Broken(f64);

const BROKEN: &[(u32, &[f64])] = &[(0, &[1.0, 1.0]), (1, &[1.0, 0.0]), (0, &[1.0]), (9, &[0.5, 0.5])];

impl Evidence for Broken {
    fn players(&self) -> usize {
        2
    }
    fn lineups(&self) -> &[Lineup] {
        static LINEUPS: std::sync::OnceLock<Vec<Lineup>> = std::sync::OnceLock::new();
        LINEUPS.get_or_init(|| {
            let lineup = |players: &[u32], comparisons| Lineup::new(players.to_vec(), comparisons);
            vec![lineup(&[0, 1], 2.0), lineup(&[0, 7], 1.0), lineup(&[1, 1], 1.0), lineup(&[0, 1], f64::NAN)]
        })
    }
    fn pairs(&self) -> Vec<PairPoints> {
        let pair = |b, points_a| PairPoints { a: 0, b, points_a, comparisons: 2.0 };
        vec![pair(1, 1.0), pair(7, 2.0)]
    }
    fn clusters(&self, each: &mut dyn FnMut(&[Meeting<'_>])) {
        each(&[]);
        for _ in 0..3 {
            let meetings: Vec<Meeting<'_>> =
                BROKEN.iter().map(|&(lineup, points)| Meeting { lineup, points }).collect();
            each(&meetings);
        }
        let points = [self.0, 2.0 - self.0];
        each(&[Meeting { lineup: 0, points: &points }]);
    }
}

#[test]
fn broken_evidence_is_left_out_or_refused() {
    let results = Broken(2.0);
    let fitted = fit(&results, &options(true)).unwrap();
    assert_eq!(fitted.totals.clusters, 4);
    let errors = covariance(&results, &fitted).unwrap();
    assert!(errors.difference(0, 1).unwrap().se.is_some());
    assert_eq!(errors.rating(7), None);
    let replicated = bootstrap(&results, &fitted, 10, &mut SplitMix64::new(0)).unwrap();
    assert_eq!(replicated.drawn, 10);
    let other = collect(&[(0, 0, 1, 1.0), (1, 1, 0, 0.5)]);
    assert!(covariance(&other, &fitted).is_err());
    assert_eq!(crosstable(&results).len(), 1);
    assert!(fit(&Broken(f64::NAN), &options(false)).is_err());
    let bad = |prior, anchor| FitOptions { prior, anchor, first_advantage: false };
    assert!(fit(&results, &bad(Prior::Never, Some(2))).is_err());
    assert!(fit(&results, &bad(Prior::Always { games: f64::NAN }, None)).is_err());
}
