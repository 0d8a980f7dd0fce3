//! What to fit, and why a fit can be refused. The fit itself is in [`super::bradley_terry`].

use serde::Serialize;

/// When virtual games steady the ratings. Virtual games are at score 1/2 against an opponent
/// fixed at 0, `games` for every player concerned.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub enum Prior {
    /// Never; where the results give no finite ratings, the fit is refused.
    Never,
    /// In the groups whose results give no finite ratings, and there for every player, so that
    /// all ratings that can be compared follow one rule. No other group is touched.
    WhenNeeded {
        /// Virtual games of each player; above zero.
        games: f64,
    },
    /// In every group.
    Always {
        /// Virtual games of each player; above zero.
        games: f64,
    },
}

impl Default for Prior {
    /// Half a virtual game, when needed.
    fn default() -> Self {
        Self::WhenNeeded { games: 0.5 }
    }
}

/// What to fit.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct FitOptions {
    /// Virtual games.
    pub prior: Prior,
    /// The player whose rating is 0; without it the mean of each group is.
    pub anchor: Option<u32>,
    /// Estimate one advantage, common to all first sides of lineups of two. Only for lineups
    /// whose meetings are of one seating; it cancels where both seatings are summed.
    pub first_advantage: bool,
}

/// Why there are no ratings.
#[derive(Debug, Clone, PartialEq)]
pub enum FitError {
    /// Points or weights in the evidence are not finite, or the prior is not above zero.
    NotFinite,
    /// The anchor is not a player.
    UnknownAnchor(u32),
    /// Without a prior the groups of these players have no finite ratings.
    NoFiniteRatings(Vec<u32>),
    /// The evidence given together with a fit has other players or lineups than the fit.
    OtherEvidence,
    /// The iteration stopped short of the maximum; the largest gradient in points, if known.
    NotConverged(Option<f64>),
}

impl std::fmt::Display for FitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFinite => write!(f, "rate results with numbers that are not finite"),
            Self::UnknownAnchor(player) => write!(f, "anchor on player {player}: no such player"),
            Self::NoFiniteRatings(players) => {
                write!(f, "rate {} players without a prior: nothing bounds their differences", players.len())
            }
            Self::OtherEvidence => write!(f, "use evidence that is not that of the fit"),
            Self::NotConverged(Some(gradient)) => {
                write!(f, "converge: {gradient:e} points from the maximum")
            }
            Self::NotConverged(None) => write!(f, "converge: the information is singular"),
        }
    }
}

impl std::error::Error for FitError {}
