//! What the fits need to know of a league's results: lineups, meetings, deals.
//!
//! Bradley-Terry needs of the results only every player's points and how often each pair was
//! compared, so a meeting carries points per player, not per pair. Who took points from whom
//! matters for [`super::connectivity`] only, and comes summed over everything in
//! [`Evidence::pairs`].

use serde::{Deserialize, Serialize};

/// A set of players that meet, and how often each pair of them is compared in one meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lineup {
    /// Distinct player indices, at least two. In a lineup of two whose seats matter, the first
    /// player is the first side.
    pub players: Vec<u32>,
    /// Comparisons of each pair in one meeting: seatings times the weight of one comparison. The
    /// weight is 2/n for n players, so that one match counts n - 1 comparisons. Above zero.
    pub comparisons: f64,
    /// In how many seats each player sits at once, by place; empty where each sits in one. A pair is compared
    /// once for each two of their seats. Copies of one player are not compared with each other.
    pub copies: Vec<u32>,
}

impl Lineup {
    /// A lineup in which each player sits in one seat.
    #[must_use]
    pub fn new(players: Vec<u32>, comparisons: f64) -> Self {
        Self { players, comparisons, copies: Vec::new() }
    }

    /// Weighted comparisons of two of its places in one meeting.
    #[must_use]
    pub fn comparisons_of(&self, p: usize, q: usize) -> f64 {
        let copies = |place: usize| self.copies.get(place).map_or(1.0, |&copies| f64::from(copies));
        self.comparisons * copies(p) * copies(q)
    }
}

/// A lineup's result on one deal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meeting<'a> {
    /// Index into [`Evidence::lineups`].
    pub lineup: u32,
    /// Weighted points by place in the lineup: a comparison gives its weight to the winner, half
    /// of it to both at a tie. They sum to `comparisons` times the number of pairs.
    pub points: &'a [f64],
}

/// Points of one pair over all its comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PairPoints {
    /// One player.
    pub a: u32,
    /// The other player.
    pub b: u32,
    /// Weighted points that `a` took from `b`, from 0 to `comparisons`.
    pub points_a: f64,
    /// Weighted comparisons of the two.
    pub comparisons: f64,
}

impl PairPoints {
    /// The pair as seen from `b`.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { a: self.b, b: self.a, points_a: self.comparisons - self.points_a, comparisons: self.comparisons }
    }
}

/// Results of a league. The order of clusters must be the same at every visit.
///
/// Indices that are out of range, and meetings whose number of points is not their lineup's
/// number of players, are left out by every reader.
pub trait Evidence {
    /// Number of players; indices run from 0 to one less.
    fn players(&self) -> usize;

    /// All lineups.
    fn lineups(&self) -> &[Lineup];

    /// Totals of each pair that was compared; a pair may come in several parts and from either
    /// side.
    fn pairs(&self) -> Vec<PairPoints>;

    /// Visits every cluster once. A cluster is all meetings on one deal, over all lineups; only
    /// clusters are taken to be independent of each other.
    fn clusters(&self, each: &mut dyn FnMut(&[Meeting<'_>]));
}
