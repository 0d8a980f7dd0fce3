//! The host's randomness in a match.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// Deals cards and draws lots for one match. Every deal has its own key, so the same deal gives the same
/// draws wherever and whenever it is played.
///
/// A stream cipher (ChaCha8), because bots see some of its numbers: no bot can compute the others from them.
#[derive(Clone, Debug)]
pub struct DealRng(ChaCha8Rng);

impl DealRng {
    /// The stream of a key.
    pub fn new(key: [u8; 32]) -> DealRng {
        DealRng(ChaCha8Rng::from_seed(key))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `n - 1`, each equally likely; 0 for `n = 0`.
    pub fn below(&mut self, n: u32) -> u32 {
        // Lemire's multiplication with rejection. Written out, since results depend on it for ever.
        let mut product = u64::from(self.0.next_u32()) * u64::from(n);
        if (product as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u32) < threshold {
                product = u64::from(self.0.next_u32()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// Puts `items` into an order drawn uniformly among all.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_chacha8_and_stays_so() {
        // The ChaCha8 keystream of an all-zero key and nonce begins 3e 00 ef 2f 89 5f 40 d6 (published test vector).
        let mut deal = DealRng::new([0; 32]);
        assert_eq!(deal.next_u64().to_le_bytes(), [0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6]);
    }

    #[test]
    fn draws_are_uniform() {
        let mut deal = DealRng::new([7; 32]);
        let mut counts = [0u32; 5];
        for _ in 0..50_000 {
            counts[deal.below(5) as usize] += 1;
        }
        // Standard deviation 89: five of them.
        assert!(counts.iter().all(|c| c.abs_diff(10_000) < 447), "{counts:?}");
    }
}
