//! An interval whose sides may be open.

use serde::Serialize;

/// A confidence interval. A side is `None` when the data set no bound there; it is never an
/// infinity or NaN.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end, in the unit of the estimate; `None` if open.
    pub low: Option<f64>,
    /// Upper end, in the unit of the estimate; `None` if open.
    pub high: Option<f64>,
}

impl Interval {
    /// Open on both sides: nothing is known.
    pub const OPEN: Self = Self { low: None, high: None };

    /// Both ends given; an end that is not finite becomes open.
    #[must_use]
    pub fn new(low: f64, high: f64) -> Self {
        Self { low: low.is_finite().then_some(low), high: high.is_finite().then_some(high) }
    }

    /// `centre` plus and minus `half_width`.
    #[must_use]
    pub fn around(centre: f64, half_width: f64) -> Self {
        Self::new(centre - half_width, centre + half_width)
    }

    /// The same interval with the sides named in `open` removed.
    #[must_use]
    pub fn opened(self, open: OpenSides) -> Self {
        Self { low: self.low.filter(|_| !open.low), high: self.high.filter(|_| !open.high) }
    }

    /// Whether `value` lies inside, ends included; open sides exclude nothing.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.low.is_none_or(|low| low <= value) && self.high.is_none_or(|high| value <= high)
    }
}

/// The sides on which the results set no bound to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct OpenSides {
    /// The value may be arbitrarily low.
    pub low: bool,
    /// The value may be arbitrarily high.
    pub high: bool,
}

impl OpenSides {
    /// Whether either side is open.
    #[must_use]
    pub fn any(self) -> bool {
        self.low || self.high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_that_are_not_finite_are_open() {
        assert_eq!(Interval::new(f64::NAN, f64::INFINITY), Interval::OPEN);
        let opened = Interval::around(1.0, 2.0).opened(OpenSides { low: false, high: true });
        assert_eq!(opened, Interval { low: Some(-1.0), high: None });
        assert!(opened.contains(1e300) && !opened.contains(-1.1));
    }
}
