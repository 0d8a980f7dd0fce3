//! Behaviour where the truth is known, by simulation with fixed seeds.

use super::super::bootstrap::bootstrap;
use super::super::bradley_terry::{Fit, fit};
use super::super::collected::Collected;
use super::super::covariance::covariance;
use super::super::crosstable::crosstable;
use super::super::fit_options::FitOptions;
use super::super::hodge::{cyclic_test, decompose, edges_from_crosstable};
use super::super::pair::{PairCounts, summarise};
use super::super::random::SplitMix64;
use super::super::scale::{expected_score, normal_quantile};
use super::super::sequential::SequentialTest;
use super::super::sprt::{Design, Model, Sprt, Verdict};
use super::close;

/// Standard normal, the sum of twelve uniforms being too coarse in the tails.
fn normal(random: &mut SplitMix64) -> f64 {
    normal_quantile(random.uniform().max(1e-12)).unwrap()
}

const TRUTH: [f64; 5] = [180.0, 60.0, 0.0, -80.0, -160.0];

/// Normal thresholds below which the first player of a pair wins, or at least draws; the mean
/// score is the Bradley-Terry expectation exactly.
fn thresholds(a: usize, b: usize) -> (f64, f64) {
    let p = expected_score(TRUTH[a] - TRUTH[b]);
    let half_draw = 0.2 * p.min(1.0 - p);
    (normal_quantile(p - half_draw).unwrap(), normal_quantile(p + half_draw).unwrap())
}

/// One league: every pair plays every deal twice. Luck of the deal is shared by the two matches of
/// a pair, and by all pairs of a player. Clusters are deals, or wrongly single matches.
fn league(deals: u64, random: &mut SplitMix64) -> (Collected, Collected) {
    let players = TRUTH.len();
    let (mut by_deal, mut by_match) = (Collected::new(players), Collected::new(players));
    let mut number = 0;
    for deal in 0..deals {
        let luck: Vec<f64> = (0..players).map(|_| normal(random)).collect();
        for a in 0..players {
            for b in a + 1..players {
                let (win, draw) = thresholds(a, b);
                let shared = (luck[b] - luck[a]) * std::f64::consts::FRAC_1_SQRT_2;
                for _ in 0..2 {
                    // both parts have variance 1/2, so the margin is exact
                    let own = normal(random);
                    let latent = (shared + own) * std::f64::consts::FRAC_1_SQRT_2;
                    let score = if latent < win {
                        1.0
                    } else if latent < draw {
                        0.5
                    } else {
                        0.0
                    };
                    for (results, cluster) in [(&mut by_deal, deal), (&mut by_match, number)] {
                        results.add_match(cluster, a as u32, b as u32, score).unwrap();
                    }
                    number += 1;
                }
            }
        }
    }
    (by_deal, by_match)
}

#[test]
fn intervals_by_deal_cover_and_intervals_by_match_do_not() {
    let mut random = SplitMix64::new(2024);
    let mean = TRUTH.iter().sum::<f64>() / TRUTH.len() as f64;
    let leagues = 1000;
    let [mut deal, mut single, mut fisher, mut differences] = [0_u32; 4];
    let mut count = 0;
    for _ in 0..leagues {
        let (by_deal, by_match) = league(60, &mut random);
        let fitted = fit(&by_deal, &FitOptions::default()).unwrap();
        let good = covariance(&by_deal, &fitted).unwrap();
        let naive_fit = fit(&by_match, &FitOptions::default()).unwrap();
        let naive = covariance(&by_match, &naive_fit).unwrap();
        for (player, truth) in TRUTH.iter().enumerate() {
            let truth = truth - mean;
            let rating = good.rating(player as u32).unwrap();
            deal += u32::from(rating.interval.contains(truth));
            fisher += u32::from((rating.elo - truth).abs() < 1.96 * rating.fisher_se.unwrap());
            let rating = naive.rating(player as u32).unwrap();
            single += u32::from(rating.interval.contains(truth));
            let other = (player + 1) % TRUTH.len();
            let difference = good.difference(player as u32, other as u32).unwrap();
            let truth = TRUTH[player] - TRUTH[other];
            differences += u32::from(difference.interval.contains(truth));
            count += 1;
        }
    }
    let share = |hits: u32| f64::from(hits) / f64::from(count);
    println!(
        "coverage: deal {} differences {} match {} fisher {}",
        share(deal),
        share(differences),
        share(single),
        share(fisher)
    );
    let right = 0.93..=0.97;
    assert!(right.contains(&share(deal)), "by deal {}", share(deal));
    assert!(right.contains(&share(differences)));
    assert!(!right.contains(&share(single)), "by match {}", share(single));
    assert!(!right.contains(&share(fisher)), "Fisher {}", share(fisher));
}

#[test]
fn bootstrap_agrees_with_the_sandwich_within_ten_percent() {
    let mut random = SplitMix64::new(7);
    let (results, _) = league(150, &mut random);
    let fitted = fit(&results, &FitOptions::default()).unwrap();
    let covariance = covariance(&results, &fitted).unwrap();
    let replicated = bootstrap(&results, &fitted, 1000, &mut random).unwrap();
    assert_eq!((replicated.degenerate, replicated.usable()), (0, 1000));
    for player in 0..TRUTH.len() as u32 {
        let sandwich = covariance.rating(player).unwrap();
        let se = replicated.standard_error(player).unwrap();
        let expected = sandwich.se.unwrap();
        close(se / expected, 1.0, 0.1);
        let interval = replicated.interval(player, 0.95);
        let width = interval.high.unwrap() - interval.low.unwrap();
        close(width / (2.0 * 1.96 * expected), 1.0, 0.12);
    }
    let again = |seed| bootstrap(&results, &fitted, 3, &mut SplitMix64::new(seed)).unwrap();
    assert_eq!(again(5).ratings(), again(5).ratings());
    assert_ne!(again(5).ratings(), again(6).ratings());
}

fn deterministic_league(deals: u64) -> Collected {
    let mut results = Collected::new(4);
    for deal in 0..deals {
        for (a, b, score) in [(0, 1, 1.0), (1, 2, 1.0), (2, 0, 1.0), (0, 3, 1.0), (1, 3, 1.0), (2, 3, 0.5)] {
            results.add_match(deal, a, b, score).unwrap();
        }
    }
    results
}

#[test]
fn the_same_result_every_deal_is_no_certainty() {
    use super::super::covariance::Warning;
    let results = deterministic_league(100);
    let fitted = fit(&results, &FitOptions::default()).unwrap();
    let covariance = covariance(&results, &fitted).unwrap();
    for player in 0..4 {
        let rating = covariance.rating(player).unwrap();
        assert_eq!((rating.se, rating.interval.low, rating.los), (None, None, None));
        assert!(rating.fisher_se.is_some());
        assert!(covariance.warnings().contains(&Warning::Deterministic { player }));
    }
    let replicated = bootstrap(&results, &fitted, 20, &mut SplitMix64::new(3)).unwrap();
    assert_eq!(replicated.standard_error(0), None);
    assert_eq!(replicated.interval(0, 0.95), super::super::Interval::OPEN);
}

#[test]
fn the_same_result_every_deal_is_no_certainty_with_a_prior_either() {
    let mut results = Collected::new(3);
    for deal in 0..50 {
        for (a, b, score) in [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 0.5)] {
            results.add_match(deal, a, b, score).unwrap();
        }
    }
    let fitted = fit(&results, &FitOptions::default()).unwrap();
    assert_eq!(fitted.groups[0].prior_games, 0.5);
    let covariance = covariance(&results, &fitted).unwrap();
    for player in 0..3 {
        assert_eq!(covariance.rating(player).unwrap().se, None);
    }
}

/// Share of tests that accept H1 when the true difference is `elo`, and mean number of deals.
fn acceptance(model: Model, elo: f64, runs: u32, random: &mut SplitMix64) -> (f64, f64) {
    let (elo0, elo1) = (0.0, 60.0);
    let sprt = Sprt::new(Design { model, elo0, elo1, alpha: 0.05, beta: 0.1 }).unwrap();
    let (mut accepted, mut deals) = (0, 0);
    for _ in 0..runs {
        let mut test = SequentialTest::new(sprt);
        let mut counts = [0_u64; 5];
        while test.verdict() == Verdict::Undecided {
            for _ in 0..4 {
                counts[deal_score(elo, random)] += 1;
            }
            test.look(&PairCounts::Deals(counts), false);
        }
        accepted += u32::from(test.verdict() == Verdict::AcceptH1);
        deals += counts.iter().sum::<u64>();
    }
    (f64::from(accepted) / f64::from(runs), deals as f64 / f64::from(runs))
}

/// Half points of a deal of two matches with 40 % draws, correlated within the deal.
fn deal_score(elo: f64, random: &mut SplitMix64) -> usize {
    let p = expected_score(elo);
    let repeat = random.uniform() < 0.3;
    let mut one = || {
        let u = random.uniform();
        usize::from(u < p - 0.2) + usize::from(u < p + 0.2)
    };
    let first = one();
    if repeat { 2 * first } else { first + one() }
}

#[test]
fn sequential_tests_keep_their_error_rates() {
    let mut random = SplitMix64::new(99);
    let runs = 600;
    // normalised bounds in terms of the simulated deals: sd of a deal's score from many draws
    let mut counts = [0_u64; 5];
    for _ in 0..200_000 {
        counts[deal_score(60.0, &mut random)] += 1;
    }
    let nelo = summarise(&PairCounts::Deals(counts)).nelo.unwrap();
    for (model, elo1) in [(Model::Logistic, 60.0), (Model::Normalised, 60.0 * 60.0 / nelo)] {
        let (false_positive, short) = acceptance(model, 0.0, runs, &mut random);
        let (power, long) = acceptance(model, elo1, runs, &mut random);
        println!("{model:?}: alpha {false_positive} power {power} deals {short} {long}");
        // four standard errors above the nominal rates
        assert!(false_positive < 0.05 + 0.036, "{model:?} {false_positive}");
        assert!(1.0 - power < 0.1 + 0.049, "{model:?} {power}");
        assert!(false_positive > 0.005 && power < 0.995);
    }
}

/// A group that never met the rest is fitted as if alone.
#[test]
fn groups_are_fitted_as_if_alone() {
    let mut random = SplitMix64::new(5);
    let mut joint = Collected::new(6);
    let mut parts = [Collected::new(3), Collected::new(3)];
    for deal in 0..40 {
        for half in 0..2_u32 {
            for (a, b) in [(0, 1), (1, 2), (0, 2)] {
                let score = (random.next_u64() % 3) as f64 / 2.0;
                let base = 3 * half;
                joint.add_match(deal, base + a, base + b, score).unwrap();
                parts[half as usize].add_match(deal, a, b, score).unwrap();
            }
        }
    }
    let options = FitOptions { anchor: Some(4), ..FitOptions::default() };
    let whole: Fit = fit(&joint, &options).unwrap();
    assert_eq!(whole.groups.len(), 2);
    assert_eq!(whole.difference(0, 3), None);
    let options = [None, Some(1)].map(|anchor| FitOptions { anchor, ..FitOptions::default() });
    let errors = covariance(&joint, &whole).unwrap();
    for half in 0..2 {
        let alone = fit(&parts[half], &options[half]).unwrap();
        let alone_errors = covariance(&parts[half], &alone).unwrap();
        for player in 0..3 {
            let (mine, theirs) = (3 * half as u32 + player, player);
            let (a, b) = (errors.rating(mine).unwrap(), alone_errors.rating(theirs).unwrap());
            close(a.elo, b.elo, 1e-7);
            close(a.se.unwrap_or(0.0), b.se.unwrap_or(0.0), 1e-6);
            close(a.fisher_se.unwrap_or(0.0), b.fisher_se.unwrap_or(0.0), 1e-6);
        }
    }
    assert_eq!(whole.ratings[4], 0.0);
    assert_eq!(errors.rating(4).unwrap().interval.low, Some(0.0));
}

/// Rate at which the test for cycles fires at 5 %, in leagues of five whose results follow the
/// ratings, or in which 0 against 1, 1 against 2 and 2
/// against 0 score `extra` more than that.
fn cyclic_rate(extra: f64, random: &mut SplitMix64) -> f64 {
    let leagues = 300;
    let mut fired = 0_u32;
    for _ in 0..leagues {
        let mut results = Collected::new(5);
        for deal in 0..80 {
            for a in 0..5_u32 {
                for b in a + 1..5 {
                    let cyclic = match (a, b) {
                        (0, 1) | (1, 2) => extra,
                        (0, 2) => -extra,
                        _ => 0.0,
                    };
                    let p = expected_score(TRUTH[a as usize] - TRUTH[b as usize]) + cyclic;
                    let first = f64::from(u8::from(random.uniform() < p));
                    let again = random.uniform() < 0.5;
                    let second = if again { first } else { f64::from(u8::from(random.uniform() < p)) };
                    let points = first + second;
                    results.add_matches(deal, a, b, points, 2.0).unwrap();
                }
            }
        }
        let edges = edges_from_crosstable(&crosstable(&results));
        let test = cyclic_test(&decompose(5, &edges)).unwrap();
        assert_eq!(test.degrees, 6);
        fired += u32::from(test.p_value < 0.05);
    }
    f64::from(fired) / f64::from(leagues)
}

#[test]
fn noise_is_not_taken_for_cycles() {
    let mut random = SplitMix64::new(12);
    let (noise, cycles) = (cyclic_rate(0.0, &mut random), cyclic_rate(0.2, &mut random));
    println!("cyclic test: noise {noise}, cycles {cycles}");
    // four standard errors about 5 %
    assert!((0.005..0.1).contains(&noise), "{noise}");
    assert!(cycles > 0.9, "{cycles}");
}
