//! How a league's results are rated: the league file's table `[rating]`.

use serde::{Deserialize, Serialize};

use crate::ids::escaped;
use crate::rating::fit_options::Prior;
use crate::rating::rated::{Intervals, RateOptions};
use crate::words::choices;

/// Replicates of a bootstrap where nothing else is said.
pub const REPLICATES: u32 = 1000;

/// Virtual matches of each bot where nothing else is said.
pub const PRIOR_GAMES: f64 = 0.5;

/// Replicates that may be asked for.
pub(super) const REPLICATES_RANGE: std::ops::RangeInclusive<u64> = 100..=100_000;

/// Who gets virtual matches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PriorFor {
    /// Groups whose results alone give no finite ratings.
    #[default]
    Needed,
    /// All bots.
    All,
}

/// The league file's table `[rating]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RatingOptions {
    /// A bot whose rating is fixed at `mean`; without one the mean of all is.
    pub anchor: Option<String>,
    /// Where the ratings' mean (or the anchor) lies; 1500 if not given.
    pub mean: Option<f64>,
    /// Virtual matches of each bot, half won, against an opponent at the mean; [`PRIOR_GAMES`] if not given, none for 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
    /// Who gets them; [`PriorFor::Needed`] if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prior_for: Option<PriorFor>,
    /// Where intervals come from; [`Intervals::Sandwich`] if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intervals: Option<Intervals>,
    /// Replicates of a bootstrap; [`REPLICATES`] if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicates: Option<u32>,
}

impl RatingOptions {
    /// The mean, given or not.
    pub fn mean(&self) -> f64 {
        self.mean.unwrap_or(1500.0)
    }

    /// What is wrong with the options among players of these names: the key, and what would be right.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check<'n>(&self, names: impl Iterator<Item = &'n str> + Clone) -> Result<(), (&'static str, String)> {
        if let Some(anchor) = &self.anchor
            && !names.clone().any(|name| name == anchor)
        {
            let known: Vec<_> = names.collect();
            let choices = escaped(&choices(anchor, &known), 1000);
            return Err(("anchor", format!("no bot is named \"{}\"; {choices}", escaped(anchor, 60))));
        }
        if self.mean.is_some_and(|mean| !mean.is_finite() || mean.abs() > 1e6) {
            return Err(("mean", "expected a number from -1000000 to 1000000".into()));
        }
        if self.prior.is_some_and(|games| !(0.0..=1e6).contains(&games)) {
            return Err(("prior", "expected a number of virtual matches from 0 to 1000000".into()));
        }
        if let Some(replicates) = self.replicates
            && !REPLICATES_RANGE.contains(&replicates.into())
        {
            let (least, most) = REPLICATES_RANGE.into_inner();
            return Err(("replicates", format!("expected a whole number from {least} to {most}, found {replicates}")));
        }
        Ok(())
    }

    /// What the fit is told. `seed` draws the replicates of a bootstrap.
    pub fn rate_options<'n>(&self, mut names: impl Iterator<Item = &'n str>, seed: u64) -> RateOptions {
        let games = self.prior.unwrap_or(PRIOR_GAMES);
        RateOptions {
            prior: match self.prior_for.unwrap_or_default() {
                _ if games <= 0.0 => Prior::Never,
                PriorFor::Needed => Prior::WhenNeeded { games },
                PriorFor::All => Prior::Always { games },
            },
            anchor: self.anchor.as_ref().and_then(|anchor| names.position(|name| name == anchor)).map(|at| at as u32),
            first_advantage: false,
            intervals: self.intervals.unwrap_or_default(),
            replicates: self.replicates.unwrap_or(REPLICATES),
            seed,
        }
    }
}
