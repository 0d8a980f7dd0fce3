//! The matches of a league by number: 1 for the first of the schedule's first block, then deal by deal, and within a
//! deal seating by seating.

use super::schedule::{Block, Schedule};

/// A match of a league.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbered {
    /// Its number, from 1.
    pub number: u64,
    /// The index of its block.
    pub block: u64,
    /// The index of its lineup.
    pub lineup: usize,
    /// Its deal.
    pub deal: u64,
    /// Its seating.
    pub seating: usize,
}

/// How many matches there are, `seatings` in a deal.
pub fn count(schedule: &Schedule, seatings: usize) -> u64 {
    schedule.lineups().len() as u64 * schedule.deals() * seatings as u64
}

/// The number of a block's first match.
pub fn first_of(schedule: &Schedule, block: u64, seatings: usize) -> u64 {
    let lineups = schedule.lineups().len() as u64;
    let Block { first, deals, .. } = schedule.block(block);
    // All lineups have played the deals before this range; in the range the lineups come one after the other.
    (lineups * first + block % lineups * u64::from(deals)) * seatings as u64 + 1
}

/// The match of a number; `None` where there is none.
pub fn numbered(schedule: &Schedule, number: u64, seatings: usize) -> Option<Numbered> {
    if number == 0 || number > count(schedule, seatings) {
        return None;
    }
    // Numbers rise with blocks: the last block that begins no later.
    let (mut low, mut high) = (0, schedule.len());
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if first_of(schedule, middle, seatings) <= number { low = middle } else { high = middle }
    }
    let block = schedule.block(low);
    let offset = number - first_of(schedule, low, seatings);
    let seatings = seatings as u64;
    Some(Numbered {
        number,
        block: low,
        lineup: block.lineup,
        deal: block.first + offset / seatings,
        seating: (offset % seatings) as usize,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::league::schedule::Plan;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_go_through_the_schedule_match_by_match(
            bots in 2usize..6, seats in 2usize..4, deals in 1u64..30, block_deals in 1u32..12, seatings in 1usize..4,
        ) {
            let schedule = Schedule::new(&Plan { bots, seats, lineups: u64::MAX, seed: 1, deals, block_deals });
            let mut number = 0;
            for index in 0..schedule.len() {
                let block = schedule.block(index);
                prop_assert_eq!(first_of(&schedule, index, seatings), number + 1);
                for deal in block.first..block.first + u64::from(block.deals) {
                    for seating in 0..seatings {
                        number += 1;
                        let wanted = Numbered { number, block: index, lineup: block.lineup, deal, seating };
                        prop_assert_eq!(numbered(&schedule, number, seatings), Some(wanted));
                    }
                }
            }
            prop_assert_eq!(count(&schedule, seatings), number);
            prop_assert_eq!(numbered(&schedule, number + 1, seatings), None);
            prop_assert_eq!(numbered(&schedule, 0, seatings), None);
        }
    }
}
