//! A balanced sample of lineups, where there are more than a league wants to play.

use std::collections::HashSet;

use bot_sdk::Rng;

use super::sets::combinations;

type Set = Vec<u32>;

/// `wanted` different ones of the `possible` sets of `size` of `count` things, which are more. All things stand
/// equally often, within one, and meet each other as evenly as a search of bounded length gets them: within one in small
/// leagues, within a few in large ones. Where there are clearly more meetings than pairs, all pairs meet.
pub(super) fn sample(count: usize, size: usize, wanted: usize, possible: u64, seed: u64) -> Vec<Set> {
    // What is balanced without the smaller part of all sets is that part's rest.
    let left_out = possible - wanted as u64;
    if left_out < wanted as u64 {
        let left_out: HashSet<Set> = Sample::new(count, size, left_out as usize, seed).known;
        return combinations(count, size).into_iter().filter(|set| !left_out.contains(set)).collect();
    }
    Sample::new(count, size, wanted, seed).sets
}

struct Sample {
    count: usize,
    size: usize,
    dice: Rng,
    /// Each ascending.
    sets: Vec<Set>,
    /// The same, to find them.
    known: HashSet<Set>,
    /// By thing: the sets that it stands in, as indices.
    stands: Vec<Vec<usize>>,
    /// By thing and thing: how many sets both stand in.
    met: Vec<u32>,
}

/// A thing of one set for one of another: each stands as often as before.
#[derive(Clone, Copy)]
struct Exchange {
    one: (usize, u32),
    other: (usize, u32),
}

impl Sample {
    fn new(count: usize, size: usize, wanted: usize, seed: u64) -> Sample {
        let mut sample = Sample {
            count,
            size,
            dice: Rng::new(seed ^ 0x6c69_6e65_7570_7321),
            sets: Vec::with_capacity(wanted),
            known: HashSet::with_capacity(wanted),
            stands: vec![Vec::new(); count],
            met: vec![0; count * count],
        };
        sample.fill(wanted);
        sample.even_out();
        sample
    }

    fn below(&mut self, bound: usize) -> usize {
        self.dice.below(bound as u32) as usize
    }

    fn met(&self, a: u32, b: u32) -> u32 {
        self.met[a as usize * self.count + b as usize]
    }

    fn meet(&mut self, a: u32, b: u32, by: i32) {
        for (a, b) in [(a, b), (b, a)] {
            let met = &mut self.met[a as usize * self.count + b as usize];
            *met = met.wrapping_add_signed(by);
        }
    }

    /// Fills the sets from a bag that holds everything once and is filled again when it is empty. Of the bag's next things a
    /// set takes the one that has met its others least.
    fn fill(&mut self, wanted: usize) {
        /// So many are looked at: more make large leagues slow.
        const NEXT: usize = 64;
        let mut bag: Vec<u32> = Vec::new();
        for _ in 0..wanted {
            let mut set = Set::with_capacity(self.size);
            while set.len() < self.size {
                if bag.is_empty() {
                    bag.extend(0..self.count as u32);
                    self.dice.shuffle(&mut bag);
                }
                let meetings = |&at: &usize| set.iter().map(|&other| self.met(bag[at], other)).sum::<u32>();
                let free = (0..bag.len()).filter(|&at| !set.contains(&bag[at])).take(NEXT);
                // A bag is never without a free thing: what it held before was filled in by the set's first ones.
                let Some(at) = free.min_by_key(meetings) else { break };
                set.push(bag.swap_remove(at));
            }
            self.push(set);
        }
    }

    fn push(&mut self, mut set: Set) {
        set.sort_unstable();
        let index = self.sets.len();
        for (i, &a) in set.iter().enumerate() {
            self.stands[a as usize].push(index);
            set[i + 1..].iter().for_each(|&b| self.meet(a, b, 1));
        }
        let new = self.known.insert(set.clone());
        self.sets.push(set);
        // The same set twice would be the same matches twice. At most half of all sets are in a sample, so that
        // exchanges soon lead out.
        if new {
            return;
        }
        loop {
            let (i, j, other) = (self.below(self.size), self.below(self.size), self.below(index));
            let exchange = Exchange { one: (index, self.sets[index][i]), other: (other, self.sets[other][j]) };
            if let Some(sets) = self.exchanged(exchange) {
                // Its twin stays known.
                let twin = self.sets[index].clone();
                self.apply(exchange, sets);
                self.known.insert(twin);
                return;
            }
        }
    }

    /// Exchanges things, as long as it makes meetings no less even, until they are as even as their number allows or
    /// patience ends. It lasts longer where a pair has not met though there are meetings for all.
    fn even_out(&mut self) {
        let pairs = (self.count * self.count.saturating_sub(1) / 2) as i64;
        let meetings = (self.sets.len() * self.size * self.size.saturating_sub(1) / 2) as i64;
        if pairs == 0 || meetings == 0 {
            return;
        }
        // The sum of squares is least where all pairs met equally often, within one.
        let (each, more) = (meetings / pairs, meetings % pairs);
        let least = pairs * each * each + more * (2 * each + 1);
        let mut squares = self.met.iter().map(|&met| i64::from(met).pow(2)).sum::<i64>() / 2;
        let patience = (50 * meetings).clamp(20_000, 300_000);
        for step in 1..=5 * patience {
            if squares <= least || step % patience == 0 && (each == 0 || self.all_met()) {
                return;
            }
            squares += self.try_exchange();
        }
    }

    fn all_met(&self) -> bool {
        (0..self.count).all(|a| (0..a).all(|b| self.met[a * self.count + b] > 0))
    }

    /// Tries to bring a thing together with the one that it has met least; what it adds to the sum of squares.
    fn try_exchange(&mut self) -> i64 {
        let (thing, start) = (self.below(self.count), self.below(self.count));
        let met = &self.met[thing * self.count..][..self.count];
        let others = (start..self.count).chain(0..start).filter(|&other| other != thing);
        let Some(seldom) = others.min_by_key(|&other| met[other]) else { return 0 };
        if self.stands[thing].is_empty() || self.stands[seldom].is_empty() {
            return 0;
        }
        let (i, j) = (self.below(self.stands[thing].len()), self.below(self.stands[seldom].len()));
        let (one, other) = (self.stands[thing][i], self.stands[seldom][j]);
        let k = self.below(self.size);
        let goes = self.sets[one][k];
        if goes as usize == thing {
            return 0;
        }
        let exchange = Exchange { one: (one, goes), other: (other, seldom as u32) };
        let change = self.change(exchange);
        if change > 0 {
            return 0;
        }
        let Some(sets) = self.exchanged(exchange) else { return 0 };
        self.apply(exchange, sets);
        change
    }

    /// What an exchange adds to the sum of the squares of meetings.
    fn change(&self, Exchange { one: (one, a), other: (other, b) }: Exchange) -> i64 {
        let met = |a, b| i64::from(self.met(a, b));
        let (one, other) = (&self.sets[one], &self.sets[other]);
        let leaves = |left: &Set, joined: &Set, goes: u32, comes: u32| -> i64 {
            let stay = left.iter().filter(|&&thing| thing != goes && !joined.contains(&thing));
            stay.map(|&thing| 2 * (1 + met(comes, thing) - met(goes, thing))).sum()
        };
        leaves(one, other, a, b) + leaves(other, one, b, a)
    }

    /// The two sets after an exchange; `None` if a thing would stand in one twice, or a set be there twice.
    fn exchanged(&self, Exchange { one: (one, a), other: (other, b) }: Exchange) -> Option<[Set; 2]> {
        if self.sets[one].contains(&b) || self.sets[other].contains(&a) {
            return None;
        }
        let sets = [(one, a, b), (other, b, a)].map(|(index, goes, comes)| {
            let mut set: Set =
                self.sets[index].iter().map(|&thing| if thing == goes { comes } else { thing }).collect();
            set.sort_unstable();
            set
        });
        (sets[0] != sets[1] && !sets.iter().any(|set| self.known.contains(set))).then_some(sets)
    }

    fn apply(&mut self, Exchange { one: (one, a), other: (other, b) }: Exchange, sets: [Set; 2]) {
        for ((index, goes, comes), set) in [(one, a, b), (other, b, a)].into_iter().zip(sets) {
            let place = self.stands[goes as usize].iter().position(|&stand| stand == index);
            if let Some(place) = place {
                self.stands[goes as usize].swap_remove(place);
            }
            self.stands[comes as usize].push(index);
            self.known.insert(set.clone());
            let before = std::mem::replace(&mut self.sets[index], set);
            for &thing in before.iter().filter(|&&thing| thing != goes) {
                self.meet(goes, thing, -1);
                self.meet(comes, thing, 1);
            }
            self.known.remove(&before);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::sets::binomial;
    use super::*;

    fn drawn(count: usize, size: usize, wanted: usize, seed: u64) -> Vec<Set> {
        sample(count, size, wanted, binomial(count as u64, size as u64), seed)
    }

    /// Fewest and most sets of a thing, and of a pair.
    fn spread(count: usize, sets: &[Set]) -> [(usize, usize); 2] {
        let mut stands = vec![0; count];
        let mut met = vec![0; count * count];
        for set in sets {
            for (i, &a) in set.iter().enumerate() {
                stands[a as usize] += 1;
                set[..i].iter().for_each(|&b| met[b as usize * count + a as usize] += 1);
            }
        }
        let met: Vec<usize> = (0..count).flat_map(|b| met[b * count + b + 1..(b + 1) * count].to_vec()).collect();
        [stands, met].map(|counts| (*counts.iter().min().unwrap(), *counts.iter().max().unwrap()))
    }

    #[test]
    fn pairs_meet_equally_often_where_a_design_says_they_can() {
        // Steiner systems and other designs, and numbers that leave some room.
        for (count, size, wanted) in [
            (7, 3, 7),
            (13, 4, 13),
            (9, 3, 12),
            (15, 3, 35),
            (9, 3, 50),
            (20, 4, 50),
            (20, 4, 300),
            (10, 5, 100),
            (30, 3, 200),
        ] {
            let [_, (least, most)] = spread(count, &drawn(count, size, wanted, 1));
            assert!(most - least <= 1 && least > 0, "{count} {size} {wanted}: {least} to {most}");
        }
    }

    #[test]
    fn large_leagues_are_balanced_too() {
        for (count, size, wanted, allowed) in
            [(100, 4, 2500, 3), (30, 10, 100, 3), (30, 10, 1000, 4), (50, 6, 400, 3), (100, 4, 1650, 3)]
        {
            let [stands, met] = spread(count, &drawn(count, size, wanted, 1));
            assert!(stands.1 - stands.0 <= 1, "{count} {size} {wanted}: {stands:?}");
            assert!(met.1 - met.0 <= allowed && met.0 > 0, "{count} {size} {wanted}: {met:?}");
        }
    }

    #[test]
    fn the_seed_draws_the_sample() {
        assert_eq!(drawn(20, 4, 100, 1), drawn(20, 4, 100, 1));
        assert_ne!(drawn(20, 4, 100, 1), drawn(20, 4, 100, 2));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn all_stand_equally_often_and_no_set_comes_twice(
            (count, size, share, seed) in (2usize..14).prop_flat_map(|count| (Just(count), 1..count, 0.0..1.0f64, any::<u64>()))
        ) {
            let possible = binomial(count as u64, size as u64);
            let wanted = ((possible as f64 * share) as usize).clamp(1, possible as usize - 1);
            let sets = drawn(count, size, wanted, seed);
            prop_assert_eq!(sets.len(), wanted);
            prop_assert!(sets.iter().all(|set| set.len() == size && set.is_sorted_by(|a, b| a < b)));
            prop_assert_eq!(sets.iter().collect::<HashSet<_>>().len(), wanted);
            let [stands, met] = spread(count, &sets);
            prop_assert!(stands.1 - stands.0 <= 1, "{:?}", stands);
            // Where a set lacks a few things only, pairs meet as those that lack together allow.
            prop_assert!(met.1 - met.0 <= 3, "{:?}", met);
            // Twice as many meetings as pairs are enough for all to meet.
            let meetings = wanted * size * (size - 1);
            prop_assert!(met.0 > 0 || meetings < 2 * count * (count - 1), "{:?}", met);
        }
    }
}
