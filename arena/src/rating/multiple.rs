//! p-values corrected for how many of them were looked at.
//!
//! Every function takes p-values in any order and returns the adjusted ones in the same order;
//! compare those with the level directly. A value that is NaN or above 1 counts as 1, one below 0
//! as 0.

/// Multiplies by the number of p-values (Bonferroni). Bounds the chance of any false discovery.
#[must_use]
pub fn bonferroni(p_values: &[f64]) -> Vec<f64> {
    let count = p_values.len() as f64;
    p_values.iter().map(|&p| (count * cleaned(p)).min(1.0)).collect()
}

/// Step-down adjustment of Holm (1979). Bounds the chance of any false discovery, and is never
/// larger than [`bonferroni`].
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let count = p_values.len();
    let mut adjusted = vec![1.0; count];
    let mut largest = 0.0_f64;
    for (rank, index) in ascending(p_values).into_iter().enumerate() {
        largest = largest.max((count - rank) as f64 * cleaned(p_values[index]));
        adjusted[index] = largest.min(1.0);
    }
    adjusted
}

/// Step-up adjustment of Benjamini and Hochberg (1995). Bounds the expected share of false
/// discoveries among all discoveries.
#[must_use]
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let count = p_values.len();
    let mut adjusted = vec![1.0; count];
    let mut smallest = 1.0_f64;
    for (rank, index) in ascending(p_values).into_iter().enumerate().rev() {
        smallest = smallest.min(count as f64 / (rank + 1) as f64 * cleaned(p_values[index]));
        adjusted[index] = smallest;
    }
    adjusted
}

fn cleaned(p: f64) -> f64 {
    if p.is_nan() { 1.0 } else { p.clamp(0.0, 1.0) }
}

fn ascending(p_values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| cleaned(p_values[a]).total_cmp(&cleaned(p_values[b])));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_kept_and_bad_values_count_as_one() {
        assert_eq!(holm(&[0.04, f64::NAN, 0.01]), [0.08, 1.0, 0.03]);
        assert_eq!(bonferroni(&[0.6, -1.0]), [1.0, 0.0]);
        assert!(benjamini_hochberg(&[]).is_empty());
    }
}
