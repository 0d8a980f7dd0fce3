//! Which blocks a league is made of, by index: nothing of it is held in memory but the lineups.

use serde::{Deserialize, Serialize};

use super::sample::sample;
use super::sets::{binomial, combinations};

/// The bots of a match, as indices into the league's bots, in seat order up to rotation. A bot stands in it more
/// than once where there are fewer bots than seats.
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

/// What a schedule is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Bots, at least two.
    pub bots: usize,
    /// Seats of a match.
    pub seats: usize,
    /// At most so many lineups; where there are more, a balanced sample of them.
    pub lineups: u64,
    /// The league's seed, which draws the sample.
    pub seed: u64,
    /// Deals of each lineup.
    pub deals: u64,
    /// Deals of a block.
    pub block_deals: u32,
}

/// All blocks of a league, in order. Ranges of deals come one after the other, each with all lineups, so that
/// every prefix of the schedule is nearly balanced.
#[derive(Debug, Clone)]
pub struct Schedule {
    lineups: Vec<Lineup>,
    possible: u64,
    deals: u64,
    block_deals: u32,
}

impl Schedule {
    /// Every set of bots of the right size, or a balanced sample of them.
    ///
    /// With fewer bots than seats every bot sits in as many seats as go round, and the seats left over go to every set
    /// of bots of that size in turn.
    pub fn new(plan: &Plan) -> Schedule {
        let Plan { bots, seats, .. } = *plan;
        let extra = if bots < seats { seats % bots } else { seats };
        let everybody = if bots < seats { seats / bots } else { 0 };
        let possible = binomial(bots as u64, extra as u64);
        let chosen = if possible <= plan.lineups {
            combinations(bots, extra)
        } else {
            sample(bots, extra, plan.lineups as usize, possible, plan.seed)
        };
        let lineups = chosen
            .into_iter()
            .map(|extra| {
                // Copies stand apart from each other: one round of everybody after the other.
                let rounds = std::iter::repeat_n(0..bots as u32, everybody).flatten();
                Lineup(rounds.chain(extra).collect())
            })
            .collect();
        Schedule { lineups, possible, deals: plan.deals, block_deals: plan.block_deals.max(1) }
    }

    /// All lineups that there could be; more than [`lineups`](Schedule::lineups) for a sample.
    pub fn possible(&self) -> u64 {
        self.possible
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn plan(bots: usize, seats: usize, deals: u64, block_deals: u32) -> Plan {
        Plan { bots, seats, lineups: u64::MAX, seed: 1, deals, block_deals }
    }

    fn lineups(plan: &Plan) -> Vec<Vec<u32>> {
        Schedule::new(plan).lineups().iter().map(|lineup| lineup.0.clone()).collect()
    }

    #[test]
    fn every_pair_meets() {
        assert_eq!(lineups(&plan(4, 2, 1, 1)), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    }

    #[test]
    fn too_few_bots_sit_in_several_seats() {
        assert_eq!(lineups(&plan(5, 10, 1, 1)), [[0, 1, 2, 3, 4, 0, 1, 2, 3, 4]]);
        assert_eq!(lineups(&plan(3, 4, 1, 1)), [[0, 1, 2, 0], [0, 1, 2, 1], [0, 1, 2, 2]]);
        assert_eq!(lineups(&plan(7, 10, 1, 1)).len(), 35);
    }

    #[test]
    fn too_many_lineups_are_sampled() {
        let sample = Plan { lineups: 50, ..plan(9, 3, 1, 1) };
        assert_eq!(Schedule::new(&sample).possible(), 84);
        assert_eq!(lineups(&sample).len(), 50);
        assert_eq!(lineups(&Plan { lineups: 84, ..sample }).len(), 84);
        // The two seats left over beside everybody's.
        let copies = lineups(&Plan { lineups: 4, ..plan(6, 8, 1, 1) });
        assert!(copies.len() == 4 && copies.iter().all(|lineup| lineup[..6] == [0, 1, 2, 3, 4, 5]), "{copies:?}");
    }

    #[test]
    fn blocks_cover_every_deal_of_every_lineup_once() {
        let schedule = Schedule::new(&plan(3, 2, 25, 10));
        assert_eq!(schedule.len(), 9);
        let mut seen = HashSet::new();
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
        let schedule = Schedule::new(&plan(5, 2, 100, 10));
        let mut blocks = [0u32; 10];
        for index in 0..schedule.len() {
            blocks[schedule.block(index).lineup] += 1;
            let (least, most) = (blocks.iter().min().unwrap(), blocks.iter().max().unwrap());
            assert!(most - least <= 1);
        }
    }
}
