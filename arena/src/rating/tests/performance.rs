//! Time and memory of a large league; ignored, because it needs a release build.

use std::time::Instant;

use super::super::bradley_terry::fit;
use super::super::collected::Collected;
use super::super::covariance::covariance;
use super::super::fit_options::FitOptions;
use super::super::random::SplitMix64;
use super::super::scale::expected_score;

#[test]
#[ignore = "for a release build: cargo test --release -- --ignored"]
fn a_thousand_players_and_a_million_pair_results() {
    let mut random = SplitMix64::new(1);
    let players = 1000;
    let strengths: Vec<f64> = (0..players).map(|_| 800.0 * random.uniform()).collect();
    let mut results = Collected::new(players);
    for deal in 0..2 {
        for a in 0..players {
            for b in a + 1..players {
                let p = expected_score(strengths[a] - strengths[b]);
                let score = f64::from(u8::from(random.uniform() < p));
                // thousand deals, so that clusters are sparse and many
                let cluster = deal * 500 + random.next_u64() % 500;
                results.add_match(cluster, a as u32, b as u32, score).unwrap();
            }
        }
    }
    let start = Instant::now();
    let fitted = fit(&results, &FitOptions::default()).unwrap();
    println!("fit {:?}, {} steps", start.elapsed(), fitted.iterations);
    let errors = covariance(&results, &fitted).unwrap();
    println!("and covariance {:?}", start.elapsed());
    let mut widest = 0.0_f64;
    for a in 0..players as u32 {
        for b in 0..players as u32 {
            widest = widest.max(errors.difference(a, b).unwrap().se.unwrap_or(0.0));
        }
    }
    println!("and all differences {:?}, widest {widest}", start.elapsed());
    assert!(fitted.gradient < 1e-8);
    assert!(start.elapsed().as_secs_f64() < 10.0);
}
