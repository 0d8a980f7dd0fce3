//! How long a run will take, told early in it.

use std::collections::HashSet;
use std::time::Duration;

/// From runs of fewer blocks nothing is told: they are over before it is worth anything.
const FEWEST: usize = 40;

/// A sample is a fiftieth of a run, but at least this, or a quarter: enough for a few per cent, where no bot is very
/// different from the others.
const USUAL: usize = 250;

/// The largest sample.
const MOST: usize = 5000;

/// The first blocks of a sample do not count, a fifth of it or so many: first instances, memory and caches take time that the
/// rest will not.
const WARM_UP: usize = 50;

/// Once so much has passed, what is there is enough: nobody waits longer for an estimate, and a machine that is
/// faster at one second than at the next has been both.
const ENOUGH_TIME: Duration = Duration::from_secs(3);

/// But so many blocks beside the warm-up must be there.
const ENOUGH: usize = 10;

/// Watches a sample of blocks and tells once how long the others will take.
pub(super) struct Estimate {
    /// So many blocks, the first to be played, stand for all; 0: there are too few to tell anything.
    sample: usize,
    /// Matches played and time passed after the warm-up.
    warm: Option<(u64, Duration)>,
    told: bool,
}

impl Estimate {
    /// Moves blocks from all over the league to the front, as the sample: bots differ in what they cost, so the first
    /// ones in order would mislead.
    pub(super) fn sample(pending: &mut Vec<u64>) -> Estimate {
        let count = pending.len();
        let wanted = if count < FEWEST { 0 } else { (count / 50).max(USUAL.min(count / 4)).min(MOST) };
        // Multiples of the golden ratio lie evenly and in step with nothing, lineups and deals included.
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        let places = (0..wanted).map(|i| ((i as f64 * GOLDEN).fract() * count as f64) as usize);
        let mut chosen = HashSet::new();
        // In this order, since the first of them may have to stand for all.
        let first: Vec<u64> = places.map(|place| pending[place]).filter(|&block| chosen.insert(block)).collect();
        let rest = pending.iter().copied().filter(|block| !chosen.contains(block));
        *pending = first.into_iter().chain(rest).collect();
        Estimate { sample: chosen.len(), warm: None, told: false }
    }

    /// The time that `left` matches will take, when `blocks` blocks of `played` matches have taken `elapsed`; `None` before
    /// it can be told, and after it was.
    pub(super) fn time_left(&mut self, blocks: usize, played: u64, left: u64, elapsed: Duration) -> Option<Duration> {
        let warm_up = WARM_UP.min(self.sample / 5);
        let enough = blocks >= self.sample || elapsed >= ENOUGH_TIME && blocks >= warm_up + ENOUGH;
        match self.warm {
            None if blocks >= warm_up => self.warm = Some((played, elapsed)),
            Some((before, begun)) if enough && !self.told && self.sample > 0 && played > before && left > 0 => {
                self.told = true;
                return Some((elapsed - begun).mul_f64(left as f64 / (played - before) as f64));
            }
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_comes_from_all_over_the_league_and_nothing_is_lost() {
        for lineups in [1, 2, 10, 45, 250, 4950, 10_000] {
            let mut pending: Vec<u64> = (0..40 * lineups).collect();
            let Estimate { sample, .. } = Estimate::sample(&mut pending);
            let wanted = (pending.len() / 50).max(250.min(pending.len() / 4)).min(5000);
            assert!((wanted * 98 / 100..=wanted).contains(&sample), "{sample} of {wanted}");
            for part in [lineups, 40] {
                let seen: HashSet<_> = pending[..sample.min(250)].iter().map(|block| block % part).collect();
                assert!(seen.len() >= (part as usize).min(sample / 3).min(120), "{lineups}, {part}: {}", seen.len());
            }
            pending.sort_unstable();
            assert!(pending.into_iter().eq(0..40 * lineups));
        }
    }

    #[test]
    fn the_time_is_told_once_without_the_warm_up() {
        let seconds = |number: u64| Duration::from_secs(number);
        let (sample, mut warm) = (1000, Estimate { sample: 1000, warm: None, told: false });
        // The first 50 blocks take ten times as long as the others: they do not count.
        assert_eq!(warm.time_left(49, 4900, 95_100, seconds(1)), None);
        assert_eq!(warm.time_left(50, 5000, 95_000, seconds(1)), None);
        assert_eq!(warm.time_left(sample - 1, 99_900, 900_100, seconds(2)), None);
        assert_eq!(warm.time_left(sample, 100_000, 900_000, seconds(2)), Some(seconds(1).mul_f64(900.0 / 95.0)));
        assert_eq!(warm.time_left(sample + 1, 100_100, 899_900, seconds(2)), None);

        let mut slow = Estimate { sample, warm: None, told: false };
        assert_eq!(slow.time_left(50, 50, 9950, seconds(50)), None);
        assert_eq!(slow.time_left(59, 59, 9941, seconds(59)), None);
        assert_eq!(slow.time_left(60, 60, 9940, seconds(60)), Some(seconds(9940)));

        let mut few = Estimate::sample(&mut (0..39).collect());
        assert!((1..39).all(|blocks| few.time_left(blocks, blocks as u64, 1, seconds(9)).is_none()));
    }
}
