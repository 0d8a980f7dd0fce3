//! From a league's results to its rated rows: the one place where a league meets the ratings.

use crate::rating::Interval;
use crate::rating::bradley_terry::{Standing, fit};
use crate::rating::covariance::{Warning, covariance};
use crate::rating::fit_options::{FitError, FitOptions, Prior};

use super::Results;

/// A league's table.
#[derive(Debug, Clone)]
pub struct Standings {
    /// Best first.
    pub rows: Vec<Row>,
    /// What a reader must know to read the figures right, a sentence each.
    pub notes: Vec<String>,
}

/// A bot's row.
#[derive(Debug, Clone)]
pub struct Row {
    /// 1 for the best; equal ratings share a rank.
    pub rank: usize,
    /// The bot's index.
    pub bot: u32,
    /// Its rating; `None` if it has not met anybody.
    pub elo: Option<f64>,
    /// The standard error, by deals; `None` where nothing varies.
    pub se: Option<f64>,
    /// The rating's 95 % interval; a side is open where the results set no bound.
    pub interval: Interval,
    /// Its share of the points of all comparisons; draws are half a win.
    pub score: Option<f64>,
    /// What is remarkable, in words.
    pub remarks: Vec<&'static str>,
}

impl Standings {
    /// Rates a league's results.
    ///
    /// # Errors
    /// The fit's; there are none for results that a league can have.
    pub fn of(results: &Results) -> Result<Standings, FitError> {
        let rating = &results.identity.rating;
        let anchor = rating
            .anchor
            .as_ref()
            .and_then(|anchor| results.identity.bots.iter().position(|bot| bot.name == *anchor).map(|at| at as u32));
        let options = FitOptions { prior: Prior::default(), anchor, first_advantage: false };
        let fitted = fit(results, &options)?;
        let covariance = covariance(results, &fitted)?;
        let mean = rating.mean();

        let mut rows: Vec<Row> = (0..results.bots.len() as u32)
            .map(|bot| {
                let index = bot as usize;
                let total = results.bots[index].total();
                let standing = fitted.standings[index];
                let estimate = covariance.rating(bot).filter(|_| total.matches > 0);
                let shifted = |side: Option<f64>| side.map(|elo| elo + mean);
                Row {
                    rank: 0,
                    bot,
                    elo: estimate.map(|estimate| estimate.elo + mean),
                    se: estimate.and_then(|estimate| estimate.se),
                    interval: estimate.map_or(Interval { low: None, high: None }, |estimate| Interval {
                        low: shifted(estimate.interval.low),
                        high: shifted(estimate.interval.high),
                    }),
                    score: score(results, bot),
                    remarks: remarks(standing),
                }
            })
            .collect();
        rows.sort_by(|a, b| b.elo.unwrap_or(f64::MIN).total_cmp(&a.elo.unwrap_or(f64::MIN)).then(a.bot.cmp(&b.bot)));
        for at in 0..rows.len() {
            rows[at].rank = if at > 0 && rows[at].elo == rows[at - 1].elo { rows[at - 1].rank } else { at + 1 };
        }

        let mut notes = vec![match &rating.anchor {
            Some(anchor) => format!(
                "Elo by a joint Bradley-Terry fit; {anchor} is set to {mean}, and each interval is that of the \
                 difference to it."
            ),
            None => format!("Elo by a joint Bradley-Terry fit, relative to the mean of all bots, {mean}."),
        }];
        for group in fitted.groups.iter().filter(|group| group.prior_games > 0.0) {
            notes.push(format!(
                "The results alone bound not every rating: each bot was given {} virtual match(es), half won, \
                 against an opponent at the mean.",
                group.prior_games
            ));
        }
        if fitted.groups.len() > 1 {
            let sizes: Vec<_> = fitted.groups.iter().map(|group| group.players.len().to_string()).collect();
            notes.push(format!(
                "The bots fall into {} groups that never met ({} bots): ratings compare only within one.",
                sizes.len(),
                sizes.join(", ")
            ));
        }
        if let Some((least, most)) = results.copies() {
            let seats = if least == most { format!("{most}") } else { format!("{least} or {most}") };
            notes.push(format!(
                "There are fewer bots than seats: each sits in {seats} seats of a match, as copies, which count as \
                 matches of their own and are not rated against each other."
            ));
        }
        notes.extend(deterministic_note(results));
        notes.extend(covariance.warnings().iter().filter_map(|warning| warning_note(results, warning)));
        if results.matches < results.planned {
            notes.push(format!(
                "Not finished: {} of {} matches are counted{}.",
                results.matches,
                results.planned,
                if results.ahead > 0 {
                    format!(" ({} more are played, but not all that come before them)", results.ahead)
                } else {
                    String::new()
                }
            ));
        }
        Ok(Standings { rows, notes })
    }
}

/// A bot's share of the points of all comparisons with others.
fn score(results: &Results, bot: u32) -> Option<f64> {
    let (mut points, mut comparisons) = (0.0, 0);
    for pair in results.pairs.iter().filter(|pair| pair.a == bot || pair.b == bot) {
        let wins = if pair.a == bot { pair.wins } else { pair.losses };
        points += wins as f64 + pair.draws as f64 / 2.0;
        comparisons += pair.matches();
    }
    (comparisons > 0).then(|| points / comparisons as f64)
}

fn remarks(standing: Standing) -> Vec<&'static str> {
    match standing {
        Standing::Ordinary => vec![],
        Standing::NoComparisons => vec!["has not met anybody"],
        Standing::PerfectScore => vec!["took every point"],
        Standing::NoPoints => vec!["took no point"],
        Standing::OneSided => vec!["bounded on one side only"],
    }
}

fn deterministic_note(results: &Results) -> Option<String> {
    const SHOWN: usize = 5;
    let lineups: Vec<_> = results.deterministic().collect();
    if lineups.is_empty() {
        return None;
    }
    let name = |lineup: &&[u32]| {
        let names: Vec<_> = lineup.iter().map(|&bot| results.name(bot)).collect();
        names.join(" - ")
    };
    let shown: Vec<_> = lineups.iter().take(SHOWN).map(name).collect();
    let more = if lineups.len() > SHOWN { format!(", and {} more", lineups.len() - SHOWN) } else { String::new() };
    Some(format!("Every deal went the same way in {}{more}: however many, they are one observation.", shown.join(", ")))
}

fn warning_note(results: &Results, warning: &Warning) -> Option<String> {
    match warning {
        Warning::FewClusters { clusters } => {
            Some(format!("Only {clusters} deals: the intervals themselves are uncertain below 30."))
        }
        Warning::FewerClustersThanPlayers { clusters } => {
            Some(format!("Only {clusters} deals, not more than bots: the intervals are not to be trusted."))
        }
        Warning::FewClustersOfPlayer { player, clusters } => {
            Some(format!("{} has only {clusters} deals: its interval is uncertain.", results.name(*player)))
        }
        Warning::Deterministic { player } => {
            Some(format!("{}: every deal gave the same result, so there is no interval.", results.name(*player)))
        }
    }
}
