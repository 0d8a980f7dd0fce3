//! The Elo scale and the normal distribution.

use statrs::function::erf::{erfc, erfc_inv};

/// Elo points of one natural logit: 400 / ln 10.
pub const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Standard normal quantile of 0.975, half the width of a 95 % interval in standard errors.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Expected score, in 0..=1, of a player rated `difference` Elo above the opponent.
#[must_use]
pub fn expected_score(difference: f64) -> f64 {
    logistic(difference / ELO_PER_LOGIT)
}

/// The Elo difference whose expected score is `score`; `None` unless 0 < `score` < 1.
#[must_use]
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| ELO_PER_LOGIT * (score / (1.0 - score)).ln())
}

/// The logistic function of a difference in natural logits, in 0..=1.
#[must_use]
pub fn logistic(logit: f64) -> f64 {
    if logit >= 0.0 {
        1.0 / (1.0 + (-logit).exp())
    } else {
        let odds = logit.exp();
        odds / (1.0 + odds)
    }
}

/// Distribution function of the standard normal; 0 or 1 at the infinities, 1/2 for NaN.
#[must_use]
pub fn normal_cdf(z: f64) -> f64 {
    if z.is_nan() { 0.5 } else { 0.5 * erfc(-z / std::f64::consts::SQRT_2) }
}

/// Quantile of the standard normal; `None` unless 0 < `probability` < 1.
#[must_use]
pub fn normal_quantile(probability: f64) -> Option<f64> {
    (probability > 0.0 && probability < 1.0).then(|| -std::f64::consts::SQRT_2 * erfc_inv(2.0 * probability))
}

/// Two-sided p-value of a standard normal statistic, in 0..=1; 1 for NaN.
#[must_use]
pub fn two_sided_p(z: f64) -> f64 {
    if z.is_nan() { 1.0 } else { erfc(z.abs() / std::f64::consts::SQRT_2).clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-800.0, -35.0, 0.0, 1.5, 400.0] {
            let back = elo_of_score(expected_score(elo)).unwrap();
            assert!((back - elo).abs() < 1e-9, "{elo} became {back}");
        }
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-15);
        assert_eq!(elo_of_score(0.0), None);
        assert_eq!(elo_of_score(1.0), None);
        assert_eq!(elo_of_score(f64::NAN), None);
    }

    #[test]
    fn z95_is_the_quantile() {
        assert!((normal_quantile(0.975).unwrap() - Z95).abs() < 1e-9);
        assert!((normal_cdf(Z95) - 0.975).abs() < 1e-9);
        assert!((two_sided_p(-Z95) - 0.05).abs() < 1e-9);
        assert_eq!(normal_quantile(1.0), None);
    }
}
