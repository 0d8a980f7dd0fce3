//! A small random generator for bots.

/// xoshiro256++ (Blackman and Vigna, 2019), seeded by SplitMix64: fast, small, the same on every machine.
///
/// Not for secrets: whoever sees enough of its numbers can tell the next.
#[derive(Clone, Debug)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// A generator that gives the same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        let mut mix = seed;
        let state = [(); 4].map(|()| split_mix(&mut mix));
        Rng { state }
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number from 0 to `n - 1`, each equally likely; 0 for `n = 0`.
    pub fn below(&mut self, n: u32) -> u32 {
        // Lemire's multiplication with rejection (2019): exact, and almost never a division.
        let mut product = u64::from(self.next_u64() as u32) * u64::from(n);
        if (product as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u32) < threshold {
                product = u64::from(self.next_u64() as u32) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// One of `items`, each equally likely; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u32) as usize)
    }

    /// Puts `items` into an order drawn uniformly among all.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_mix_gives_the_published_numbers() {
        let mut state = 1234567;
        let first: [u64; 3] = [(); 3].map(|()| split_mix(&mut state));
        assert_eq!(first, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn xoshiro_gives_the_reference_numbers() {
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let first: [u64; 4] = [(); 4].map(|()| rng.next_u64());
        assert_eq!(first, [41943041, 58720359, 3588806011781223, 3591011842654386]);
    }

    #[test]
    fn below_is_uniform_and_in_range() {
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        // Standard deviation 92.6: five of them.
        assert!(counts.iter().all(|c| c.abs_diff(10_000) < 463), "{counts:?}");
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.below(1), 0);
    }

    #[test]
    fn shuffle_reaches_every_order_equally_often() {
        let mut rng = Rng::new(2);
        let mut counts = [0u32; 64];
        for _ in 0..6_000 {
            let mut items = [0usize, 1, 2];
            rng.shuffle(&mut items);
            counts[items[0] * 16 + items[1] * 4 + items[2]] += 1;
        }
        let seen = counts.iter().filter(|&&c| c > 0);
        assert_eq!(seen.clone().count(), 6);
        assert!(seen.clone().all(|&c| c.abs_diff(1000) < 150), "{counts:?}");
    }

    #[test]
    fn nothing_to_pick_is_none() {
        assert_eq!(Rng::new(0).pick::<u8>(&[]), None);
    }
}
