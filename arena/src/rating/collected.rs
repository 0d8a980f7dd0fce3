//! Results held in memory, for files of results and for tests.

use std::collections::BTreeMap;

use super::evidence::{Evidence, Lineup, Meeting, PairPoints};
use super::placements::pairwise_points;

/// Why a result was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultError {
    /// A player index is not below the number of players.
    UnknownPlayer(u32),
    /// A player is named twice in one match, or there are fewer than two.
    BadLineup,
    /// A score is outside its range, or there are not as many placements as players.
    BadScore,
}

impl std::fmt::Display for ResultError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UnknownPlayer(player) => write!(f, "use player {player}: no such player"),
            Self::BadLineup => write!(f, "use a match without two or more distinct players"),
            Self::BadScore => write!(f, "use a result outside the range of scores"),
        }
    }
}

impl std::error::Error for ResultError {}

#[derive(Debug, Clone)]
struct Stored {
    lineup: u32,
    points: Vec<f64>,
}

/// Results in memory. Clusters are visited in the order of their keys, so the order in which
/// results were added does not matter.
#[derive(Debug, Clone, Default)]
pub struct Collected {
    players: usize,
    lineups: Vec<Lineup>,
    lineup_ids: BTreeMap<(Vec<u32>, u64), u32>,
    pairs: BTreeMap<(u32, u32), (f64, f64)>,
    clusters: BTreeMap<u64, Vec<Stored>>,
}

impl Collected {
    /// No results yet among `players` players.
    #[must_use]
    pub fn new(players: usize) -> Self {
        Self { players, ..Self::default() }
    }

    /// Adds one match of two; `score` in 0..=1 is the first side's. The two sides are kept in
    /// order, so that an advantage of the first can be estimated.
    ///
    /// # Errors
    /// For players or scores out of range; nothing is added then.
    pub fn add_match(&mut self, cluster: u64, first: u32, second: u32, score: f64) -> Result<(), ResultError> {
        self.add_matches(cluster, first, second, score, 1.0)
    }

    /// Adds `matches` matches of two on one deal, of which the first took `points`.
    ///
    /// # Errors
    /// For players out of range, or points outside 0..=`matches`; nothing is added then.
    pub fn add_matches(
        &mut self,
        cluster: u64,
        first: u32,
        second: u32,
        points: f64,
        matches: f64,
    ) -> Result<(), ResultError> {
        let players = [first, second];
        self.check(&players)?;
        let valid = matches.is_finite() && matches > 0.0 && (0.0..=matches).contains(&points);
        if !valid {
            return Err(ResultError::BadScore);
        }
        self.add_pair(first, second, points, matches);
        self.store(cluster, &players, matches, vec![points, matches - points]);
        Ok(())
    }

    /// Adds one match by its placements: lower is better, equal is a tie. Every comparison
    /// counts `weight`; 2/n makes a match of n players count n - 1 comparisons.
    ///
    /// # Errors
    /// For players out of range or named twice, a number of placements that differs from the
    /// number of players, or a weight that is not above zero; nothing is added then.
    pub fn add_placements(
        &mut self,
        cluster: u64,
        players: &[u32],
        placements: &[u32],
        weight: f64,
    ) -> Result<(), ResultError> {
        self.check(players)?;
        if placements.len() != players.len() || !weight.is_finite() || weight <= 0.0 {
            return Err(ResultError::BadScore);
        }
        for (i, (&a, &place_a)) in players.iter().zip(placements).enumerate() {
            for (&b, place_b) in players.iter().zip(placements).skip(i + 1) {
                let score = super::placements::comparison(place_a, *place_b);
                self.add_pair(a, b, weight * score, weight);
            }
        }
        self.store(cluster, players, weight, pairwise_points(placements, weight));
        Ok(())
    }

    fn check(&self, players: &[u32]) -> Result<(), ResultError> {
        if let Some(&unknown) = players.iter().find(|&&p| p as usize >= self.players) {
            return Err(ResultError::UnknownPlayer(unknown));
        }
        let mut sorted = players.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() < 2 || sorted.len() != players.len() {
            return Err(ResultError::BadLineup);
        }
        Ok(())
    }

    fn add_pair(&mut self, a: u32, b: u32, points_a: f64, comparisons: f64) {
        let (key, points) = if a < b { ((a, b), points_a) } else { ((b, a), comparisons - points_a) };
        let entry = self.pairs.entry(key).or_default();
        entry.0 += points;
        entry.1 += comparisons;
    }

    fn store(&mut self, cluster: u64, players: &[u32], comparisons: f64, points: Vec<f64>) {
        let key = (players.to_vec(), comparisons.to_bits());
        let lineup = *self.lineup_ids.entry(key).or_insert_with(|| {
            self.lineups.push(Lineup::new(players.to_vec(), comparisons));
            self.lineups.len() as u32 - 1
        });
        self.clusters.entry(cluster).or_default().push(Stored { lineup, points });
    }
}

impl Evidence for Collected {
    fn players(&self) -> usize {
        self.players
    }

    fn lineups(&self) -> &[Lineup] {
        &self.lineups
    }

    fn pairs(&self) -> Vec<PairPoints> {
        self.pairs
            .iter()
            .map(|(&(a, b), &(points_a, comparisons))| PairPoints { a, b, points_a, comparisons })
            .collect()
    }

    fn clusters(&self, each: &mut dyn FnMut(&[Meeting<'_>])) {
        let mut meetings = Vec::new();
        for cluster in self.clusters.values() {
            meetings.clear();
            meetings.extend(cluster.iter().map(|stored| Meeting { lineup: stored.lineup, points: &stored.points }));
            each(&meetings);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_results_are_refused_and_change_nothing() {
        let mut results = Collected::new(2);
        assert_eq!(results.add_match(0, 0, 2, 1.0), Err(ResultError::UnknownPlayer(2)));
        assert_eq!(results.add_match(0, 1, 1, 1.0), Err(ResultError::BadLineup));
        for score in [-0.1, 1.1, f64::NAN] {
            assert_eq!(results.add_match(0, 0, 1, score), Err(ResultError::BadScore));
        }
        assert_eq!(results.add_placements(0, &[0, 1], &[1], 1.0), Err(ResultError::BadScore));
        assert!(results.pairs().is_empty() && results.lineups().is_empty());
    }
}
