//! What rating a large league takes: `cargo bench -p arena --bench rating`.

use arena::rating::bradley_terry::fit;
use arena::rating::collected::Collected;
use arena::rating::covariance::covariance;
use arena::rating::expected_score;
use arena::rating::fit_options::FitOptions;
use arena::rating::random::SplitMix64;
use divan::Bencher;

fn main() {
    divan::main();
}

/// Every pair met twice: a million results of a thousand bots.
fn league(players: usize) -> Collected {
    let mut random = SplitMix64::new(1);
    let strengths: Vec<f64> = (0..players).map(|_| 800.0 * random.uniform()).collect();
    let mut results = Collected::new(players);
    for deal in 0..2 {
        for a in 0..players {
            for b in a + 1..players {
                let wins = random.uniform() < expected_score(strengths[a] - strengths[b]);
                let cluster = deal * 500 + random.next_u64() % 500;
                results.add_match(cluster, a as u32, b as u32, f64::from(u8::from(wins))).expect("a result");
            }
        }
    }
    results
}

#[divan::bench(args = [10, 100, 1000], sample_count = 3)]
fn fit_with_intervals(bencher: Bencher<'_, '_>, players: usize) {
    let results = league(players);
    bencher.bench_local(|| {
        let fitted = fit(&results, &FitOptions::default()).expect("a fit");
        covariance(&results, &fitted).expect("covariances").rating(0)
    });
}
