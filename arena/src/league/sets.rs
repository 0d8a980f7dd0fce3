//! Sets of things: how many there are, and all of them.

/// The number of sets of `k` of `n` things; the largest number there is where it is larger.
pub(super) fn binomial(n: u64, k: u64) -> u64 {
    let mut result: u128 = 1;
    for i in 0..k.min(n - k) {
        result = result * u128::from(n - i) / u128::from(i + 1);
        if result > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    result as u64
}

/// All sets of `size` of `count` things, each ascending, in lexicographic order.
pub(super) fn combinations(count: usize, size: usize) -> Vec<Vec<u32>> {
    let mut all = Vec::new();
    if size > count {
        return all;
    }
    let mut chosen: Vec<u32> = (0..size as u32).collect();
    loop {
        all.push(chosen.clone());
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
    fn combinations_are_counted_right() {
        for (n, k) in [(7, 3), (10, 10), (5, 0), (6, 1), (12, 6)] {
            assert_eq!(combinations(n, k).len() as u64, binomial(n as u64, k as u64));
        }
        assert_eq!(binomial(1000, 2), 499_500);
        assert_eq!(binomial(1000, 500), u64::MAX);
        assert_eq!(combinations(2, 3).len(), 0);
    }
}
