//! A small seeded generator for resampling; not for anything that must be unpredictable.

/// SplitMix64 (Steele, Lea, Flood 2014): one 64-bit word of state, period 2^64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator that gives the same words for the same seed on every machine.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next word, uniform over all 64-bit values.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// Uniform in 0..1, in steps of 2^-53.
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Number of successes in `trials` trials of probability one in `choices`; `trials` if
    /// `choices` is 0 or 1. By inversion, so the cost grows with the result, not with `trials`.
    pub fn binomial(&mut self, trials: u64, choices: u64) -> u64 {
        if choices <= 1 || trials == 0 {
            return trials;
        }
        let success = 1.0 / choices as f64;
        let odds = success / (1.0 - success);
        let mut mass = (trials as f64 * (-success).ln_1p()).exp();
        if mass < 1e-280 {
            return (0..trials).filter(|_| self.uniform() < success).count() as u64;
        }
        let mut below = self.uniform();
        let mut count = 0;
        while below >= mass && count < trials {
            below -= mass;
            mass *= odds * (trials - count) as f64 / (count + 1) as f64;
            count += 1;
        }
        count
    }
}

/// Draws, one at a time, how often each of `units` units falls into a resample of the same size:
/// an exact multinomial, by conditional binomials, in constant memory.
#[derive(Debug, Clone, Copy)]
pub struct Resample {
    words: SplitMix64,
    units_left: u64,
    draws_left: u64,
}

impl Resample {
    /// A resample of `units` units, determined by `seed`.
    #[must_use]
    pub fn new(seed: u64, units: u64) -> Self {
        Self { words: SplitMix64::new(seed), units_left: units, draws_left: units }
    }

    /// Multiplicity of the next unit; 0 after the last one.
    pub fn next_weight(&mut self) -> u64 {
        if self.units_left == 0 {
            return 0;
        }
        let weight = self.words.binomial(self.draws_left, self.units_left);
        self.units_left -= 1;
        self.draws_left -= weight;
        weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_published_ones() {
        let mut words = SplitMix64::new(1_234_567);
        assert_eq!(words.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(words.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn a_resample_has_as_many_draws_as_units_with_multinomial_variance() {
        let units = 40;
        let (mut square, mut cross) = (0.0, 0.0);
        let rounds = 4000;
        for seed in 0..rounds {
            let mut resample = Resample::new(seed * 7919, units);
            let weights: Vec<u64> = (0..units).map(|_| resample.next_weight()).collect();
            assert_eq!(weights.iter().sum::<u64>(), units);
            square += (weights[30] as f64 - 1.0).powi(2);
            cross += (weights[0] as f64 - 1.0) * (weights[39] as f64 - 1.0);
        }
        let n = units as f64;
        assert!((square / rounds as f64 - (1.0 - 1.0 / n)).abs() < 0.1);
        assert!((cross / rounds as f64 + 1.0 / n).abs() < 0.06);
    }
}
