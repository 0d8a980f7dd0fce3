//! The cycles that decide who may challenge whom.
//!
//! Whether one cycle may follow another depends only on the places that its players had in the last one. So
//! all that may follow are the same few orders of places, listed once: a uniform draw is one number.

use bot_sdk::passing_cards::SEATS;

use crate::games::DealRng;

/// The ten players in a circle, from player 0: each one's options are the two that come next.
pub(super) type Cycle = [u8; SEATS];

/// How many of the 9! = 362,880 cycles may follow a cycle.
const FOLLOWING: usize = 2234;

/// The places in the last cycle, in the order of a cycle that may follow it.
static PLACES: [Cycle; FOLLOWING] = following();

/// A cycle drawn uniformly among all.
pub(super) fn first(deal: &mut DealRng) -> Cycle {
    let mut cycle = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    deal.shuffle(&mut cycle[1..]);
    cycle
}

/// A cycle drawn uniformly among those that give every player two options that it did not have in `last`.
pub(super) fn next(last: &Cycle, deal: &mut DealRng) -> Cycle {
    let places = PLACES[deal.below(FOLLOWING as u32) as usize];
    places.map(|place| last[usize::from(place)])
}

/// By seat: the two players that it may challenge.
pub(super) fn options(cycle: &Cycle) -> [[u8; 2]; SEATS] {
    let mut options = [[0; 2]; SEATS];
    for (place, &player) in cycle.iter().enumerate() {
        options[usize::from(player)] = [cycle[(place + 1) % SEATS], cycle[(place + 2) % SEATS]];
    }
    options
}

/// Whether a player whose place was `other` is a new option for one whose place was `place`.
const fn is_new(place: u8, other: u8) -> bool {
    let ahead = (other + SEATS as u8 - place) % SEATS as u8;
    ahead != 1 && ahead != 2
}

/// Lists the cycles of places by trying every place in turn and turning back at the first old option.
const fn following() -> [Cycle; FOLLOWING] {
    let mut found = [[0; SEATS]; FOLLOWING];
    let mut count = 0;
    let mut cycle = [0u8; SEATS];
    let mut taken = 1u16;
    // `cycle[at]` is the place tried last there; place 0 stands first in every cycle.
    let mut at = 1;
    while at > 0 {
        cycle[at] += 1;
        let place = cycle[at];
        if place as usize == SEATS {
            at -= 1;
            taken &= !(1 << cycle[at]);
            continue;
        }
        if taken >> place & 1 == 1 || !is_new(cycle[at - 1], place) || (at > 1 && !is_new(cycle[at - 2], place)) {
            continue;
        }
        if at < SEATS - 1 {
            taken |= 1 << place;
            at += 1;
            cycle[at] = 0;
        } else if is_new(cycle[at - 1], 0) && is_new(place, 0) && is_new(place, cycle[1]) {
            found[count] = cycle;
            count += 1;
        }
    }
    assert!(count == FOLLOWING);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// The rule as the page says it.
    fn may_follow(last: &Cycle, cycle: &Cycle) -> bool {
        let (old, new) = (options(last), options(cycle));
        (0..SEATS).all(|seat| new[seat].iter().all(|option| !old[seat].contains(option)))
    }

    /// Calls `each` with all orders of `cycle[from..]`.
    fn orders(cycle: &mut Cycle, from: usize, each: &mut impl FnMut(&Cycle)) {
        if from == SEATS {
            return each(cycle);
        }
        for i in from..SEATS {
            cycle.swap(from, i);
            orders(cycle, from + 1, each);
            cycle.swap(from, i);
        }
    }

    #[test]
    fn of_all_362880_cycles_2234_may_follow_and_they_are_those_listed() {
        let last = first(&mut DealRng::new([3; 32]));
        let (mut all, mut found) = (0, Vec::new());
        orders(&mut [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 1, &mut |cycle| {
            all += 1;
            if may_follow(&last, cycle) {
                found.push(*cycle);
            }
        });
        let mut listed: Vec<Cycle> = PLACES.iter().map(|places| places.map(|place| last[usize::from(place)])).collect();
        found.sort_unstable();
        listed.sort_unstable();
        assert_eq!((all, found.len()), (362_880, 2234));
        assert_eq!(found, listed);
    }

    /// The statistic of Pearson's test that all of `kinds` come equally often, in standard deviations from its mean.
    fn excess(counts: impl Iterator<Item = u32>, kinds: u32, draws: u32) -> f64 {
        let mean = f64::from(draws) / f64::from(kinds);
        let (mut seen, mut sum) = (0, 0.0);
        for count in counts {
            seen += 1;
            sum += (f64::from(count) - mean).powi(2) / mean;
        }
        sum += f64::from(kinds - seen) * mean;
        let freedom = f64::from(kinds - 1);
        (sum - freedom) / (2.0 * freedom).sqrt()
    }

    #[test]
    fn every_cycle_that_may_follow_comes_equally_often() {
        let mut deal = DealRng::new([1; 32]);
        let last = first(&mut deal);
        let draws = 200 * FOLLOWING as u32;
        let mut counts = HashMap::<Cycle, u32>::new();
        for _ in 0..draws {
            let cycle = next(&last, &mut deal);
            assert!(may_follow(&last, &cycle));
            *counts.entry(cycle).or_default() += 1;
        }
        assert!(excess(counts.into_values(), FOLLOWING as u32, draws).abs() < 4.0);
    }

    #[test]
    fn every_first_cycle_comes_equally_often() {
        let mut deal = DealRng::new([2; 32]);
        let (kinds, draws) = (362_880, 2_000_000);
        // As a number of base 10, a cycle needs nine digits.
        let mut seen: Vec<u32> = (0..draws)
            .map(|_| first(&mut deal)[1..].iter().fold(0, |number, &player| 10 * number + u32::from(player)))
            .collect();
        seen.sort_unstable();
        let counts = seen.chunk_by(|a, b| a == b).map(|same| same.len() as u32);
        assert!(excess(counts, kinds, draws).abs() < 4.0);
    }

    #[test]
    fn each_option_of_a_player_is_uniform_among_the_others_in_the_long_run() {
        let mut deal = DealRng::new([4; 32]);
        let mut cycle = first(&mut deal);
        let mut counts = [[0u32; SEATS]; SEATS];
        for _ in 0..90_000 {
            cycle = next(&cycle, &mut deal);
            for (seat, two) in options(&cycle).iter().enumerate() {
                two.iter().for_each(|&option| counts[seat][usize::from(option)] += 1);
            }
        }
        for (seat, row) in counts.iter().enumerate() {
            for (other, &count) in row.iter().enumerate() {
                // Standard deviation below 140 if rounds were independent: seven of them.
                assert!(if seat == other { count == 0 } else { count.abs_diff(20_000) < 1000 }, "{counts:?}");
            }
        }
    }

    #[test]
    fn the_share_of_cycles_that_may_follow_is_the_measured_one() {
        // Measured elsewhere by drawing: 0.006153007958651015, in draws that ended with some 15,000 cycles.
        let exact = FOLLOWING as f64 / 362_880.0;
        let standard_error = exact / 15_000f64.sqrt();
        assert!((exact - 0.006153007958651015).abs() < 4.0 * standard_error);
    }

    #[test]
    fn worked_example_6_nobody_is_twice_the_partner_of_the_same_player() {
        // Whoever the options of a cycle are, no two players are each other's options, so no pair can trade twice.
        orders(&mut [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 1, &mut |cycle| {
            let options = options(cycle);
            for (seat, two) in options.iter().enumerate() {
                assert_ne!(two[0], two[1]);
                assert!(two.iter().all(|&other| !options[usize::from(other)].contains(&(seat as u8))));
            }
        });
    }
}
