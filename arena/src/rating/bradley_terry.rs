//! Joint maximum-likelihood ratings of all players (Bradley and Terry 1952).
//!
//! The score of a comparison has expectation 1 / (1 + 10^(-d/400)), d the rating difference, plus
//! the advantage of the first side if that is asked for; draws are halves. The likelihood is
//! concave, so the result does not depend on the order of results or players. Standard errors are
//! in [`super::covariance`].

use nalgebra::DVector;
use serde::Serialize;

use super::connectivity::{Connectivity, Reference};
use super::evidence::Evidence;
use super::fit_options::{FitError, FitOptions, Prior};
use super::interval::OpenSides;
use super::newton::{Problem, Solution, Unsolved};
use super::scale::ELO_PER_LOGIT;
use super::totals::{Schedule, Totals};

/// Where the ratings of a group have their zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum ZeroPoint {
    /// At the mean of the group.
    Mean,
    /// At this player.
    Anchor(u32),
}

/// Players that can be compared with each other, and how they were rated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// Players in ascending order.
    pub players: Vec<u32>,
    /// Virtual games given to each of them; 0 if the results alone decide.
    pub prior_games: f64,
    /// Zero point of their ratings.
    pub zero: ZeroPoint,
}

/// What is remarkable about a player's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Standing {
    /// Nothing.
    Ordinary,
    /// Never compared with anyone; the rating says nothing.
    NoComparisons,
    /// Took every point: no finite rating without a prior.
    PerfectScore,
    /// Took no point: no finite rating without a prior.
    NoPoints,
    /// Not bounded for another reason: only won against, or only lost to, all players on one side.
    OneSided,
}

/// The advantage of the first side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub enum Advantage {
    /// It was not asked for.
    NotAsked,
    /// Its estimate, in Elo.
    Elo(f64),
    /// The results cannot tell it from the ratings; the ratings are without it.
    NotIdentified,
    /// The results set no bound to it; the ratings are without it.
    Unbounded,
}

/// Advantages above this many logits (1737 Elo) are taken for divergence.
pub(super) const UNBOUNDED_LOGITS: f64 = 10.0;

/// Ratings, and what they rest on.
#[derive(Debug, Clone)]
pub struct Fit {
    /// By player, Elo relative to the zero point of the player's group. Always finite.
    pub ratings: Vec<f64>,
    /// By player.
    pub standings: Vec<Standing>,
    /// By player, the sides on which the rating is not bounded by the results, only by the prior:
    /// relative to the anchor, else to the component that holds most of the group, else to the mean.
    pub open: Vec<OpenSides>,
    /// Groups that never met each other; ratings compare only within one.
    pub groups: Vec<Group>,
    /// Advantage of the first side.
    pub advantage: Advantage,
    /// Who is bounded by whom.
    pub connectivity: Connectivity,
    /// Sums that the fit depends on.
    pub totals: Totals,
    /// Largest absolute gradient left, in points.
    pub gradient: f64,
    /// Newton steps taken.
    pub iterations: u32,
    pub(super) schedule: Schedule,
    pub(super) parameters: DVector<f64>,
    pub(super) prior: Vec<f64>,
    pub(super) floating: Vec<Vec<u32>>,
}

impl Fit {
    /// Rating difference `a` minus `b` in Elo; `None` if they are in different groups.
    #[must_use]
    pub fn difference(&self, a: u32, b: u32) -> Option<f64> {
        let group = self.connectivity.group_of(a)?;
        (self.connectivity.group_of(b)? == group).then(|| self.ratings[a as usize] - self.ratings[b as usize])
    }

    /// Rating in Elo relative to the virtual opponent instead of the group's zero point; `None` in
    /// groups without a prior.
    #[must_use]
    pub fn above_virtual(&self, player: u32) -> Option<f64> {
        let prior = self.prior.get(player as usize)?;
        (*prior > 0.0).then(|| self.parameters[player as usize] * ELO_PER_LOGIT)
    }

    pub(super) fn problem<'a>(&'a self, totals: &'a Totals) -> Problem<'a> {
        Problem {
            comparisons: &totals.comparisons,
            points: &totals.points,
            first_points: self.has_advantage().then_some(totals.first_points),
            prior: &self.prior,
            floating: &self.floating,
        }
    }

    /// Refuses evidence with other players or lineups than the fit's.
    pub(super) fn check_evidence<E: Evidence + ?Sized>(&self, evidence: &E) -> Result<(), FitError> {
        let same =
            evidence.players() == self.ratings.len() && self.schedule.is_of(evidence.lineups(), evidence.players());
        same.then_some(()).ok_or(FitError::OtherEvidence)
    }

    pub(super) fn has_advantage(&self) -> bool {
        matches!(self.advantage, Advantage::Elo(_))
    }

    /// Ratings in Elo, shifted to the zero point of each group, from raw logits.
    pub(super) fn shifted(&self, parameters: &DVector<f64>) -> Vec<f64> {
        shifted(&self.groups, parameters)
    }
}

/// Fits ratings to `evidence` in one visit of its clusters. Time: players³ a Newton step, of which
/// there are about ten, plus the visit; memory: players² numbers.
///
/// # Errors
/// See [`FitError`]; with the default prior and finite results none is expected.
pub fn fit<E: Evidence + ?Sized>(evidence: &E, options: &FitOptions) -> Result<Fit, FitError> {
    let players = evidence.players();
    if let Some(anchor) = options.anchor.filter(|&anchor| anchor as usize >= players) {
        return Err(FitError::UnknownAnchor(anchor));
    }
    let connectivity = Connectivity::new(players, &evidence.pairs());
    let groups = plan_groups(&connectivity, options)?;
    let schedule = Schedule::new(evidence.lineups(), players, options.first_advantage);
    let totals = Totals::collect(evidence, &schedule);
    if !totals.is_finite() {
        return Err(FitError::NotFinite);
    }
    let mut prior = vec![0.0; players];
    for group in &groups {
        for &player in &group.players {
            prior[player as usize] = group.prior_games;
        }
    }
    let floating: Vec<Vec<u32>> =
        groups.iter().filter(|group| group.prior_games == 0.0).map(|group| group.players.clone()).collect();
    let problem = |first_points| Problem {
        comparisons: &totals.comparisons,
        points: &totals.points,
        first_points,
        prior: &prior,
        floating: &floating,
    };
    let (solution, advantage) = solve(options.first_advantage, &totals, problem)?;
    let reference = |group: &Group| match group.zero {
        ZeroPoint::Anchor(anchor) => Reference::ComponentOf(anchor),
        ZeroPoint::Mean => connectivity.core(&group.players).map_or(Reference::Mean, Reference::ComponentOf),
    };
    let mut open = vec![OpenSides::default(); players];
    for group in &groups {
        for &player in &group.players {
            open[player as usize] = connectivity.open_sides(player, reference(group));
        }
    }
    Ok(Fit {
        ratings: shifted(&groups, &solution.parameters),
        standings: standings(&totals, &open),
        open,
        groups,
        advantage,
        connectivity,
        gradient: solution.gradient,
        iterations: solution.iterations,
        schedule,
        parameters: solution.parameters,
        prior,
        floating,
        totals,
    })
}

fn plan_groups(connectivity: &Connectivity, options: &FitOptions) -> Result<Vec<Group>, FitError> {
    if let Prior::WhenNeeded { games } | Prior::Always { games } = options.prior
        && !(games.is_finite() && games > 0.0)
    {
        return Err(FitError::NotFinite);
    }
    let anchored = options.anchor.and_then(|a| connectivity.group_of(a));
    let mut unbounded = Vec::new();
    let mut groups = Vec::new();
    for (index, players) in connectivity.groups().iter().enumerate() {
        let strong = connectivity.is_strong(players);
        let prior_games = match options.prior {
            Prior::Always { games } => games,
            Prior::WhenNeeded { games } if !strong => games,
            _ => 0.0,
        };
        if !strong && prior_games == 0.0 {
            unbounded.extend_from_slice(players);
        }
        groups.push(Group {
            players: players.clone(),
            prior_games,
            zero: match options.anchor {
                Some(anchor) if anchored == Some(index as u32) => ZeroPoint::Anchor(anchor),
                _ => ZeroPoint::Mean,
            },
        });
    }
    if unbounded.is_empty() { Ok(groups) } else { Err(FitError::NoFiniteRatings(unbounded)) }
}

/// Solves with the advantage if it is asked for and exists, else without.
fn solve<'a>(
    first_advantage: bool,
    totals: &Totals,
    problem: impl Fn(Option<f64>) -> Problem<'a>,
) -> Result<(Solution, Advantage), FitError> {
    let players = totals.points.len();
    let advantage = if first_advantage {
        let start = DVector::zeros(players + 1);
        let joint = problem(Some(totals.first_points));
        match joint.solve(start) {
            Ok(solution) if !joint.is_regular(&solution.parameters) => Advantage::NotIdentified,
            Ok(solution) if solution.parameters[players].abs() <= UNBOUNDED_LOGITS => {
                let elo = solution.parameters[players] * ELO_PER_LOGIT;
                return Ok((solution, Advantage::Elo(elo)));
            }
            Err(Unsolved::Singular) => Advantage::NotIdentified,
            _ => Advantage::Unbounded,
        }
    } else {
        Advantage::NotAsked
    };
    match problem(None).solve(DVector::zeros(players)) {
        Ok(solution) => Ok((solution, advantage)),
        Err(Unsolved::Singular) => Err(FitError::NotConverged(None)),
        Err(Unsolved::NotConverged(gradient)) => Err(FitError::NotConverged(gradient.is_finite().then_some(gradient))),
    }
}

fn shifted(groups: &[Group], parameters: &DVector<f64>) -> Vec<f64> {
    let players = groups.iter().map(|group| group.players.len()).sum();
    let mut ratings = vec![0.0; players];
    for group in groups {
        let sum: f64 = group.players.iter().map(|&p| parameters[p as usize]).sum();
        let zero = match group.zero {
            ZeroPoint::Mean => sum / group.players.len() as f64,
            ZeroPoint::Anchor(anchor) => parameters[anchor as usize],
        };
        for &player in &group.players {
            ratings[player as usize] = (parameters[player as usize] - zero) * ELO_PER_LOGIT;
        }
    }
    ratings
}

fn standings(totals: &Totals, open: &[OpenSides]) -> Vec<Standing> {
    let comparisons = totals.comparisons_of();
    (totals.points.iter().zip(comparisons).zip(open))
        .map(|((&points, comparisons), open)| {
            let rounding = 1e-9 * comparisons;
            if comparisons <= 0.0 {
                Standing::NoComparisons
            } else if points >= comparisons - rounding {
                Standing::PerfectScore
            } else if points <= rounding {
                Standing::NoPoints
            } else if open.any() {
                Standing::OneSided
            } else {
                Standing::Ordinary
            }
        })
        .collect()
}
