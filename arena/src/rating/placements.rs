//! Matches of many players: placements become pairwise results.
//!
//! Placements are numbers of which the lower is the better, and equal ones are tied; they need
//! not be consecutive. For averages with intervals see [`super::mean`].

/// Score of a player placed `a` against one placed `b`: 1, 1/2 or 0.
#[must_use]
pub fn comparison(a: u32, b: u32) -> f64 {
    match a.cmp(&b) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    }
}

/// Weight of one comparison in a match of `players` players, 2/n: the match then counts n - 1
/// comparisons, as if each player had met one other. 0 for fewer than two players.
#[must_use]
pub fn comparison_weight(players: usize) -> f64 {
    if players < 2 { 0.0 } else { 2.0 / players as f64 }
}

/// Points by place in the lineup, each comparison counting `weight`. They sum to `weight` times
/// the number of pairs. Cost n log n.
#[must_use]
pub fn pairwise_points(placements: &[u32], weight: f64) -> Vec<f64> {
    let mut sorted = placements.to_vec();
    sorted.sort_unstable();
    placements
        .iter()
        .map(|place| {
            let better = sorted.partition_point(|other| other < place);
            let up_to = sorted.partition_point(|other| other <= place);
            let (ties, worse) = (up_to - better - 1, sorted.len() - up_to);
            weight * (worse as f64 + 0.5 * ties as f64)
        })
        .collect()
}

/// Average rank of every player, 1 for the best; tied players share the mean of their ranks, so
/// the ranks sum to n(n+1)/2 whatever numbers the placements use.
#[must_use]
pub fn mid_ranks(placements: &[u32]) -> Vec<f64> {
    let players = placements.len() as f64;
    pairwise_points(placements, 1.0).into_iter().map(|points| players - points).collect()
}

/// Share of the first place: 1/k for each of the k players with the best placement, else 0.
#[must_use]
pub fn first_place_shares(placements: &[u32]) -> Vec<f64> {
    let best = placements.iter().min();
    let winners = placements.iter().filter(|&p| Some(p) == best).count();
    placements.iter().map(|p| if Some(p) == best { 1.0 / winners as f64 } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_ranks_and_shares_of_a_match_with_ties() {
        let placements = [2, 1, 2, 7];
        assert_eq!(pairwise_points(&placements, 1.0), [1.5, 3.0, 1.5, 0.0]);
        assert_eq!(mid_ranks(&placements), [2.5, 1.0, 2.5, 4.0]);
        assert_eq!(first_place_shares(&[1, 3, 1]), [0.5, 0.0, 0.5]);
        assert!(pairwise_points(&[], 1.0).is_empty());
    }

    #[test]
    fn a_match_of_n_counts_n_minus_one_comparisons() {
        for n in 2_usize..10 {
            let placements: Vec<u32> = (0..n as u32).collect();
            let points = pairwise_points(&placements, comparison_weight(n));
            assert!((points.iter().sum::<f64>() - (n as f64 - 1.0)).abs() < 1e-12);
            for (i, a) in placements.iter().enumerate() {
                let direct: f64 = placements
                    .iter()
                    .enumerate()
                    .filter(|&(j, _)| j != i)
                    .map(|(_, b)| comparison(*a, *b) * comparison_weight(n))
                    .sum();
                assert!((direct - points[i]).abs() < 1e-12);
            }
        }
    }
}
