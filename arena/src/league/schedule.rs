//! Which blocks a league is made of, by index: nothing of it is held in memory but the lineups.

use serde::{Deserialize, Serialize};

/// The bots of a match, as indices into the league's bots, in seat order up to rotation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Lineup(pub Vec<u32>);

/// One lineup and a range of deals: the unit of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// Index into [`Schedule::lineups`].
    pub lineup: usize,
    /// The first deal.
    pub first: u64,
    /// The number of deals.
    pub deals: u32,
}

/// All blocks of a league, in order. Ranges of deals come one after the other, each with all lineups, so that
/// every prefix of the schedule is nearly balanced.
#[derive(Debug, Clone)]
pub struct Schedule {
    lineups: Vec<Lineup>,
    deals: u64,
    block_deals: u32,
}

impl Schedule {
    /// Every set of `seats` of the `bots` bots, `deals` deals each, in blocks of `block_deals`.
    pub fn round_robin(bots: usize, seats: usize, deals: u64, block_deals: u32) -> Schedule {
        Schedule { lineups: combinations(bots, seats), deals, block_deals: block_deals.max(1) }
    }

    /// The lineups.
    pub fn lineups(&self) -> &[Lineup] {
        &self.lineups
    }

    /// Deals of each lineup.
    pub fn deals(&self) -> u64 {
        self.deals
    }

    /// The number of blocks.
    pub fn len(&self) -> u64 {
        self.ranges() * self.lineups.len() as u64
    }

    /// Whether there is nothing to play.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of ranges of deals.
    pub fn ranges(&self) -> u64 {
        self.deals.div_ceil(self.block_deals.into())
    }

    /// The block at `index`, which is below [`len`](Schedule::len).
    pub fn block(&self, index: u64) -> Block {
        let lineups = self.lineups.len() as u64;
        let first = index / lineups * u64::from(self.block_deals);
        let deals = u64::from(self.block_deals).min(self.deals - first) as u32;
        Block { lineup: (index % lineups) as usize, first, deals }
    }
}

/// All sets of `size` of `count` things, each ascending, in lexicographic order.
fn combinations(count: usize, size: usize) -> Vec<Lineup> {
    let mut all = Vec::new();
    if size == 0 || size > count {
        return all;
    }
    let mut chosen: Vec<u32> = (0..size as u32).collect();
    loop {
        all.push(Lineup(chosen.clone()));
        // The last position that can still move on.
        let Some(at) = (0..size).rev().find(|&at| (chosen[at] as usize) < count - size + at) else {
            return all;
        };
        chosen[at] += 1;
        for after in at + 1..size {
            chosen[after] = chosen[after - 1] + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_meets() {
        let schedule = Schedule::round_robin(4, 2, 10, 10);
        let pairs: Vec<_> = schedule.lineups().iter().map(|lineup| lineup.0.clone()).collect();
        assert_eq!(pairs, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    }

    #[test]
    fn combinations_are_counted_right() {
        assert_eq!(combinations(7, 3).len(), 35);
        assert_eq!(combinations(10, 10).len(), 1);
        assert_eq!(combinations(2, 3).len(), 0);
    }

    #[test]
    fn blocks_cover_every_deal_of_every_lineup_once() {
        let schedule = Schedule::round_robin(3, 2, 25, 10);
        assert_eq!(schedule.len(), 9);
        let mut seen = std::collections::HashSet::new();
        for index in 0..schedule.len() {
            let block = schedule.block(index);
            for deal in block.first..block.first + u64::from(block.deals) {
                assert!(deal < 25);
                assert!(seen.insert((block.lineup, deal)));
            }
        }
        assert_eq!(seen.len(), 75);
    }

    #[test]
    fn every_prefix_is_balanced_within_a_block() {
        let schedule = Schedule::round_robin(5, 2, 100, 10);
        let mut blocks = [0u32; 10];
        for index in 0..schedule.len() {
            blocks[schedule.block(index).lineup] += 1;
            let (least, most) = (blocks.iter().min().unwrap(), blocks.iter().max().unwrap());
            assert!(most - least <= 1);
        }
    }
}
