//! Every pair of a league: counts, and the Elo difference with its interval.
//!
//! In games of two seats a pair's own deals carry the variance of its score. In games of more seats the journal
//! keeps no score by pair and deal, so there the difference and its interval come from the joint fit alone.

use std::collections::BTreeSet;

use crate::rating::Interval;
use crate::rating::covariance::Estimate;
use crate::rating::multiple::holm;
use crate::rating::pair::{
    IntervalMethod, LosMethod, PairCounts, PairSummary, los_decisive, los_exact, summarise, summary_of_mean,
};
use crate::rating::rated::Rated;
use crate::rating::scale::two_sided_p;

use super::Results;
use super::results::PairResult;

/// A pair's row, from the point of view of `a`.
#[derive(Debug, Clone)]
pub struct PairRow {
    /// Counts.
    pub result: PairResult,
    /// Independent observations: deals, or 1 if every deal went the same way.
    pub observations: u64,
    /// Whether every deal went the same way.
    pub deterministic: bool,
    /// From the pair's own deals; `None` in games of more than two seats.
    pub own: Option<PairSummary>,
    /// The difference by the joint fit; `None` if it has none.
    pub joint: Option<Estimate>,
    /// Likelihood of superiority from decisive matches only; only where every match is an observation.
    pub los_decisive: Option<f64>,
    /// The same, exact.
    pub los_exact: Option<f64>,
    /// Two-sided p-value of equal strength.
    pub p: Option<f64>,
    /// The same, corrected by Holm for all rows.
    pub p_holm: Option<f64>,
}

impl PairRow {
    /// The Elo difference that stands in the table, and its interval.
    pub fn elo(&self) -> (Option<f64>, Interval) {
        match (&self.own, &self.joint) {
            (Some(own), _) => (own.elo, own.elo_interval),
            (None, Some(joint)) => (Some(joint.elo), joint.interval),
            (None, None) => (None, Interval::OPEN),
        }
    }

    /// By what the interval was made.
    pub fn interval_method(&self) -> &'static str {
        match &self.own {
            Some(own) if own.interval_method == IntervalMethod::Normal => "normal",
            Some(_) => "wilson",
            None => "joint fit",
        }
    }

    /// The likelihood of superiority, and by what it was made.
    pub fn los(&self) -> (Option<f64>, &'static str) {
        match (&self.own, &self.joint) {
            (Some(own), _) if own.los_method == LosMethod::Normal => (own.los, "normal"),
            (Some(own), _) => (own.los, "score test"),
            (None, joint) => (joint.and_then(|joint| joint.los), "joint fit"),
        }
    }
}

/// The rows of all pairs that met, in the order of the bots.
pub fn pair_rows(results: &Results, rated: &Rated) -> Vec<PairRow> {
    let two_seats = results.identity.seats == 2;
    let deterministic: BTreeSet<(u32, u32)> = match two_seats {
        true => results.deterministic().map(|bots| (bots[0].min(bots[1]), bots[0].max(bots[1]))).collect(),
        false => BTreeSet::new(),
    };
    let mut rows: Vec<PairRow> = results
        .pairs
        .iter()
        .map(|pair| {
            let deterministic = deterministic.contains(&(pair.a, pair.b));
            let joint = rated.differences.get(&(pair.a, pair.b)).copied();
            let own = two_seats.then(|| own_summary(pair, deterministic));
            let by_match = own.is_some() && pair.pentanomial.is_none() && !deterministic;
            PairRow {
                observations: match &own {
                    Some(own) => own.units,
                    // Every lineup of the two meets on every deal.
                    None => pair.matches() / results.seatings() as u64,
                },
                deterministic,
                los_decisive: by_match.then(|| los_decisive(pair.wins, pair.losses)).flatten(),
                los_exact: by_match.then(|| los_exact(pair.wins, pair.losses)),
                p: match &own {
                    Some(own) => own.p_value,
                    None => joint.and_then(|joint| Some(two_sided_p(joint.elo / joint.se?))),
                },
                p_holm: None,
                result: pair.clone(),
                own,
                joint,
            }
        })
        .collect();
    // A pair without a p-value was looked at as well: it counts as 1.
    let p_values: Vec<f64> = rows.iter().map(|row| row.p.unwrap_or(1.0)).collect();
    for (row, p) in rows.iter_mut().zip(holm(&p_values)) {
        row.p_holm = row.p.map(|_| p);
    }
    rows
}

fn own_summary(pair: &PairResult, deterministic: bool) -> PairSummary {
    match pair.pentanomial {
        _ if deterministic => summary_of_mean(Some(pair.score()), None, 1),
        Some(counts) => summarise(&PairCounts::Deals(counts)),
        None => summarise(&PairCounts::Matches([pair.losses, pair.draws, pair.wins])),
    }
}
