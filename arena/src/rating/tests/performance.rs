//! A large league: what it takes is in `cargo bench --bench rating`.

use super::super::bradley_terry::fit;
use super::super::collected::Collected;
use super::super::covariance::covariance;
use super::super::fit_options::FitOptions;
use super::super::random::SplitMix64;
use super::super::scale::expected_score;

#[test]
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
    let fitted = fit(&results, &FitOptions::default()).unwrap();
    assert!(fitted.gradient < 1e-8);
    let errors = covariance(&results, &fitted).unwrap();
    let difference = errors.difference(0, 1).unwrap();
    let truth = strengths[0] - strengths[1];
    assert!((difference.elo - truth).abs() < 5.0 * difference.se.unwrap(), "{difference:?}, in truth {truth}");
}
