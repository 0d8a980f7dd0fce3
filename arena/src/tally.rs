//! What is counted: pure sums over matches.
//!
//! A block's tally is all that is kept of its matches. It holds whole numbers only, so that sums are exact in any
//! order, and for each deal the score of every place, since the deal with all its seatings is the
//! independent unit of the statistics.

use serde::{Deserialize, Serialize};

use crate::ids::Fault;

/// The tally of a block: one lineup over a range of deals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockTally {
    /// Matches played.
    pub matches: u64,
    /// By place in the lineup.
    pub places: Vec<PlaceTally>,
    /// For each pair of places p < q, in the order (0,1), (0,2), …, (1,2), …: matches in which p placed higher,
    /// in which they tied, in which q placed higher.
    pub pairs: Vec<[u64; 3]>,
    /// For each deal, the comparison score of every place but the last, in half points: 2 for each match and
    /// opponent placed behind, 1 for a tie. The last place's is what is left. Two hexadecimal digits each.
    #[serde(with = "hex")]
    pub scores: Vec<u8>,
    /// The sum of the matches' transcripts: changes if anything in any match went another way.
    #[serde(with = "hex64")]
    pub digest: u64,
    /// If every deal went the same way, seating by seating: the transcripts. Then further deals bring nothing new.
    pub repeated: Option<Vec<u64>>,
}

/// A place's part of a block.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceTally {
    /// By the seat it sat in.
    pub seats: Vec<SeatTally>,
    /// The sum over deals of the square of its game points in all seatings of the deal.
    pub deal_points_squared: i64,
    /// Decisions asked, failed ones included.
    pub decisions: u64,
    /// Decisions answered, legally or not.
    pub answered: u64,
    /// Failed decisions by kind, in the order of [`Fault::ALL`].
    pub faults: [u64; Fault::ALL.len()],
    /// Fuel of the answered decisions.
    pub fuel: u64,
    /// Fuel of the costliest answered decision.
    pub fuel_max: u64,
}

/// A bot's matches in one seat.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatTally {
    /// Matches, each of them won, drawn or lost.
    pub matches: u64,
    /// Matches with the sole first placement.
    pub wins: u64,
    /// Matches with a shared first placement.
    pub draws: u64,
    /// The sum of placements.
    pub placements: u64,
    /// Comparison score against each opponent of each match, in half points.
    pub half_points: u64,
    /// Game points.
    pub points: i64,
    /// The sum of their squares, match by match.
    pub points_squared: i64,
}

impl SeatTally {
    /// Matches neither won nor drawn.
    pub fn losses(&self) -> u64 {
        self.matches - self.wins - self.draws
    }

    /// Adds another's counts.
    pub fn add(&mut self, other: &SeatTally) {
        self.matches += other.matches;
        self.wins += other.wins;
        self.draws += other.draws;
        self.placements += other.placements;
        self.half_points += other.half_points;
        self.points += other.points;
        self.points_squared += other.points_squared;
    }
}

impl PlaceTally {
    /// All seats together.
    pub fn total(&self) -> SeatTally {
        let mut total = SeatTally::default();
        self.seats.iter().for_each(|seat| total.add(seat));
        total
    }

    /// Adds another's counts.
    pub fn add(&mut self, other: &PlaceTally) {
        if self.seats.len() < other.seats.len() {
            self.seats.resize(other.seats.len(), SeatTally::default());
        }
        self.seats.iter_mut().zip(&other.seats).for_each(|(own, other)| own.add(other));
        self.deal_points_squared += other.deal_points_squared;
        self.decisions += other.decisions;
        self.answered += other.answered;
        self.faults.iter_mut().zip(other.faults).for_each(|(own, other)| *own += other);
        self.fuel += other.fuel;
        self.fuel_max = self.fuel_max.max(other.fuel_max);
    }

    /// Failed decisions of all kinds.
    pub fn fault_count(&self) -> u64 {
        self.faults.iter().sum()
    }
}

/// The pairs of `places` places in the order of [`BlockTally::pairs`].
pub fn pairs_of(places: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..places).flat_map(move |p| (p + 1..places).map(move |q| (p, q)))
}

impl BlockTally {
    /// Whether matches can have come to this: a journal that says something else was altered.
    pub fn is_possible(&self) -> bool {
        let places = self.places.len();
        let sum = |pair: &[u64; 3]| pair.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
        (2..=bot_sdk::abi::MAX_SEATS).contains(&places)
            && self.matches <= u32::MAX.into()
            && self.pairs.len() == places * (places - 1) / 2
            && self.pairs.iter().all(|pair| sum(pair) == Some(self.matches))
            && self.scores.len().is_multiple_of(places - 1)
    }

    /// The number of deals.
    pub fn deals(&self) -> usize {
        self.scores.len() / (self.places.len() - 1).max(1)
    }
}

mod hex {
    use data_encoding::HEXLOWER;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&HEXLOWER.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<u8>, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(d)?;
        HEXLOWER.decode(text.as_bytes()).map_err(|_| D::Error::custom("expected pairs of hexadecimal digits"))
    }
}

mod hex64 {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &u64, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&format!("{value:016x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(d)?;
        u64::from_str_radix(&text, 16).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pairs_come_in_order() {
        assert!(pairs_of(3).eq([(0, 1), (0, 2), (1, 2)]));
        assert_eq!(pairs_of(10).count(), 45);
    }

    proptest! {
        #[test]
        fn tallies_survive_json(scores in proptest::collection::vec(any::<u8>(), 0..40), digest: u64, points: i64) {
            let place = PlaceTally { deal_points_squared: points, ..PlaceTally::default() };
            let tally = BlockTally {
                matches: 7, places: vec![place; 2], pairs: vec![[1, 2, 4]], scores, digest, repeated: Some(vec![digest]),
            };
            let json = serde_json::to_string(&tally).unwrap();
            prop_assert_eq!(serde_json::from_str::<BlockTally>(&json).unwrap(), tally);
        }
    }
}
