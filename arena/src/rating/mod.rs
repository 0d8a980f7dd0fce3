//! Ratings, intervals and tests: pure functions of counts.
//!
//! Nothing here reads files, prints, starts threads or knows a game. Results come in as
//! [`evidence::Evidence`] (or as plain counts of one pair) and leave as serialisable tables.
//!
//! | module | answers |
//! |---|---|
//! | [`scale`] | Elo, expected score, the normal distribution |
//! | [`interval`] | an interval whose sides may be open |
//! | [`random`] | seeded generator for resampling |
//! | [`evidence`], [`collected`], [`totals`] | results as the fits see them: lineups, meetings, deals |
//! | [`connectivity`] | which ratings the results determine at all |
//! | [`fit_options`], [`bradley_terry`] | the joint maximum-likelihood fit |
//! | [`covariance`] | standard errors by deal, differences, likelihood of superiority |
//! | [`bootstrap`] | the same by resampling deals |
//! | [`rated`] | all of these in one call |
//! | [`pair`] | one pair: score, Elo difference, interval, likelihood of superiority |
//! | [`crosstable`] | every pair with its variance between deals |
//! | [`sprt`], [`sequential`] | sequential test of one bot against another |
//! | [`multiple`] | p-values corrected for the number of pairs looked at |
//! | [`placements`], [`mean`] | matches of many players, means clustered by deal |
//! | [`hodge`], [`nash`], [`nash_stability`] | non-transitivity: cyclic part, Nash average |
//!
//! Conventions: a draw is half a win; ratings are in Elo with 400 points for odds of ten; the
//! independent unit, called *cluster*, is a deal with all its seatings. No function returns NaN
//! or an infinity: what does not exist is `None` or an open side.

pub mod bootstrap;
pub mod bradley_terry;
pub mod collected;
pub mod connectivity;
pub mod covariance;
pub mod crosstable;
pub mod evidence;
pub mod fit_options;
pub mod hodge;
pub mod interval;
mod likely_scores;
pub mod mean;
pub mod multiple;
pub mod nash;
pub mod nash_stability;
mod newton;
pub mod pair;
pub mod placements;
pub mod random;
pub mod rated;
pub mod scale;
mod scores;
pub mod sequential;
pub mod sprt;
pub mod totals;

pub use evidence::{Evidence, Lineup, Meeting, PairPoints};
pub use interval::Interval;
pub use scale::{ELO_PER_LOGIT, Z95, elo_of_score, expected_score};

#[cfg(test)]
mod tests;
