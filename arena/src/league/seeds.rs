//! All randomness of a league: pure functions of (league seed, deal).
//!
//! Deal k is the same for every lineup (common random numbers): the same cards, the same cyclic order of places, the
//! same seeds for the same place in the same seating. Nothing depends on threads, order or time.

use bot_sdk::abi::MAX_SEATS;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

use crate::games::Seating;
use crate::ids::Seat;

/// One seating of a deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seated {
    /// The lineup's place that sits at each seat.
    pub place_at: [u8; MAX_SEATS],
    /// The bots' seeds, by seat.
    pub seeds: [u64; MAX_SEATS],
}

/// A deal: the host's key and how it is played.
#[derive(Debug, Clone)]
pub struct Deal {
    /// The key of the host's randomness, the same in every seating.
    pub key: [u8; 32],
    seatings: [Seated; MAX_SEATS],
    count: usize,
}

impl Deal {
    /// The deal's seatings, in order.
    pub fn seatings(&self) -> &[Seated] {
        &self.seatings[..self.count]
    }

    /// The seating in which place 0 sits at `first` and the others after it in the lineup's order, round the table, with
    /// its number. There is one for two places; with more, most deals have another order of places: then the seeds are
    /// those of seating 0, by seat, and there is no number.
    pub fn in_order(&self, first: Seat, seats: usize) -> (Seated, Option<usize>) {
        let mut place_at = [0; MAX_SEATS];
        for place in 0..seats {
            place_at[(first.index() + place) % seats] = place as u8;
        }
        match self.seatings().iter().position(|seated| seated.place_at[..seats] == place_at[..seats]) {
            Some(number) => (self.seatings[number], Some(number)),
            None => (Seated { place_at, seeds: self.seatings[0].seeds }, None),
        }
    }
}

/// How many matches a deal is played in.
pub fn seatings_per_deal(seating: Seating, seats: usize) -> usize {
    match seating {
        Seating::EveryRotation => seats,
        Seating::Shuffled => 1,
    }
}

fn hash(domain: &str, league_seed: u64, number: u64) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(domain);
    hash.update(league_seed.to_le_bytes());
    hash.update(number.to_le_bytes());
    hash.finalize().into()
}

/// The deal of a number.
///
/// A bot's seed differs between the seatings of a deal: in a game without chance and without a
/// first-seat effect the second seating would otherwise be the first one's mirror image.
pub fn deal(league_seed: u64, number: u64, seating: Seating, seats: usize) -> Deal {
    let count = seatings_per_deal(seating, seats);
    // One-way: a bot that knows its own seed learns nothing of the deal or of another's seed.
    let mut stream = ChaCha8Rng::from_seed(hash("arena bots", league_seed, number));
    let mut order = [0u8; MAX_SEATS];
    match seating {
        Seating::EveryRotation => cyclic_order(league_seed, number, &mut order[..seats]),
        Seating::Shuffled => {
            order = std::array::from_fn(|place| place as u8);
            for i in (1..seats).rev() {
                // 64 bits modulo at most 10: the bias is below 1e-18.
                order.swap(i, (stream.next_u64() % (i as u64 + 1)) as usize);
            }
        }
    }
    let none = Seated { place_at: [0; MAX_SEATS], seeds: [0; MAX_SEATS] };
    let mut seatings = [none; MAX_SEATS];
    for (rotation, seated) in seatings.iter_mut().enumerate().take(count) {
        let mut by_place = [0; MAX_SEATS];
        by_place[..seats].fill_with(|| stream.next_u64());
        for seat in 0..seats {
            let place = order[(seat + rotation) % seats];
            seated.place_at[seat] = place;
            seated.seeds[seat] = by_place[usize::from(place)];
        }
    }
    Deal { key: hash("arena deal", league_seed, number), seatings, count }
}

/// The cyclic order of places in a deal: over any (n-1)! deals from a multiple of it on, each of the
/// (n-1)! cyclic orders comes once.
fn cyclic_order(league_seed: u64, number: u64, order: &mut [u8]) {
    let n = order.len() as u64;
    let orders: u64 = (1..n).product();
    let group = hash("arena orders", league_seed, number / orders);
    let offset = u64::from_le_bytes(group[..8].try_into().expect("eight bytes")) % orders;
    // 11 is prime to every (n-1)! up to n = 11, so this visits each order once.
    let mut code = (number % orders * 11 + offset) % orders;
    order[0] = 0;
    let mut rest: [u8; MAX_SEATS] = std::array::from_fn(|place| place as u8);
    for length in (1..n).rev() {
        // `rest[1..=length]` are still to be placed.
        let (at, end) = (1 + (code % length) as usize, 1 + length as usize);
        order[order.len() - length as usize] = rest[at];
        rest.copy_within(at + 1..end, at);
        code /= length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn a_deal_is_a_function_of_its_number() {
        let a = deal(1, 5, Seating::EveryRotation, 4);
        let b = deal(1, 5, Seating::EveryRotation, 4);
        assert_eq!((a.key, a.seatings()), (b.key, b.seatings()));
        assert_ne!(a.key, deal(1, 6, Seating::EveryRotation, 4).key);
        assert_ne!(a.key, deal(2, 5, Seating::EveryRotation, 4).key);
    }

    #[test]
    fn every_place_sits_once_in_every_seat() {
        for seats in 2..=10 {
            for number in 0..30 {
                let deal = deal(9, number, Seating::EveryRotation, seats);
                assert_eq!(deal.seatings().len(), seats);
                for seat in 0..seats {
                    let mut seen: Vec<u8> = deal.seatings().iter().map(|s| s.place_at[seat]).collect();
                    seen.sort_unstable();
                    assert!(seen.iter().map(|&place| usize::from(place)).eq(0..seats));
                }
            }
        }
    }

    #[test]
    fn all_cyclic_orders_come_equally_often() {
        for (seats, orders) in [(2, 1), (3, 2), (4, 6), (5, 24)] {
            let mut counts: HashMap<Vec<u8>, u32> = HashMap::new();
            for number in 0..orders * 5 {
                let mut order = vec![0; seats];
                cyclic_order(3, number, &mut order);
                *counts.entry(order).or_default() += 1;
            }
            assert_eq!(counts.len() as u64, orders);
            assert!(counts.values().all(|&count| count == 5));
        }
    }

    #[test]
    fn a_shuffled_deal_has_one_seating_and_all_seats_come_equally_often() {
        let mut counts = [[0u32; 10]; 10];
        for number in 0..10_000 {
            let deal = deal(0, number, Seating::Shuffled, 10);
            let [seated] = deal.seatings() else { panic!("one seating") };
            for (seat, &place) in seated.place_at.iter().enumerate() {
                counts[seat][usize::from(place)] += 1;
            }
        }
        // Standard deviation 30: five of them.
        assert!(counts.iter().flatten().all(|count| count.abs_diff(1000) < 150));
    }

    #[test]
    fn the_order_given_is_a_seating_of_the_deal_where_there_is_one() {
        for number in 0..20 {
            for first in 0..2 {
                let deal = deal(3, number, Seating::EveryRotation, 2);
                let (seated, seating) = deal.in_order(Seat(first), 2);
                assert_eq!(seated.place_at[usize::from(first)], 0);
                assert_eq!(deal.seatings()[seating.expect("one of the two")], seated);
            }
            let deal = deal(3, number, Seating::EveryRotation, 4);
            let (seated, seating) = deal.in_order(Seat(3), 4);
            assert_eq!(seated.place_at[..4], [1, 2, 3, 0]);
            match seating {
                Some(seating) => assert_eq!(deal.seatings()[seating], seated),
                None => assert_eq!(seated.seeds, deal.seatings()[0].seeds),
            }
        }
    }

    #[test]
    fn bots_have_different_seeds_in_every_seat_and_seating() {
        let deal = deal(0, 0, Seating::EveryRotation, 4);
        let mut seeds: Vec<u64> = deal.seatings().iter().flat_map(|s| s.seeds[..4].to_vec()).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 16);
    }

    #[test]
    fn seeds_never_change() {
        // Results of earlier runs rest on these numbers.
        let deal = deal(2026, 0, Seating::EveryRotation, 2);
        assert_eq!(deal.seatings()[0].place_at[..2], [0, 1]);
        assert_eq!(deal.seatings()[1].place_at[..2], [1, 0]);
        // SHA-256 of "arena deal" and the two numbers, and the first word of the bots' ChaCha8 stream.
        assert_eq!(deal.key, hash("arena deal", 2026, 0));
        let stream = hash("arena bots", 2026, 0);
        assert_eq!(deal.seatings()[0].seeds[0], ChaCha8Rng::from_seed(stream).next_u64());
    }
}
