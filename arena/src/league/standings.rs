//! From a league's results to its rated rows: the one place where a league meets the ratings.

use crate::rating::Interval;
use crate::rating::bradley_terry::Standing;
use crate::rating::covariance::Warning;
use crate::rating::fit_options::FitError;
use crate::rating::rated::{Rated, rate};
use crate::words::{counted, grouped};

use super::Results;
use super::pairs::{PairRow, pair_rows};
use super::rating_options::RatingOptions;
use super::seats::{PointsRow, SeatRow, points_rows, seat_rows};

/// A league's table.
#[derive(Debug, Clone)]
pub struct Standings {
    /// Best first.
    pub rows: Vec<Row>,
    /// What a reader must know to read the figures right, a sentence each.
    pub notes: Vec<String>,
    /// Every pair that met.
    pub pairs: Vec<PairRow>,
    /// Scores by seat: first of all bots together, then by bot, best first.
    pub seats: Vec<SeatRow>,
    /// Game points by bot, best first.
    pub points: Vec<PointsRow>,
    /// The fit that all of it rests on.
    pub rated: Rated,
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
        let names = results.identity.bots.iter().map(|bot| bot.name.as_str());
        let rated = rate(results, &rating.rate_options(names, results.identity.seed))?;
        let mean = rating.mean();

        let scores = scores(results);
        let mut rows: Vec<Row> = (0..results.bots.len() as u32)
            .map(|bot| {
                let index = bot as usize;
                let standing = rated.fit.standings[index];
                let estimate = rated.ratings[index];
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
                    score: scores[index],
                    remarks: remarks(standing),
                }
            })
            .collect();
        rows.sort_by(|a, b| b.elo.unwrap_or(f64::MIN).total_cmp(&a.elo.unwrap_or(f64::MIN)).then(a.bot.cmp(&b.bot)));
        for at in 0..rows.len() {
            rows[at].rank = if at > 0 && rows[at].elo == rows[at - 1].elo { rows[at - 1].rank } else { at + 1 };
        }

        let mut notes = rating_notes(rating, &rated);
        if let Some((least, most)) = results.copies() {
            let seats = if least == most { format!("{most}") } else { format!("{least} or {most}") };
            notes.push(format!(
                "There are fewer bots than seats: each sits in {seats} seats of a match, as copies, which count as \
                 matches of their own and are not rated against each other."
            ));
        }
        notes.extend(deterministic_note(results));
        notes.extend(warning_notes(&rated, |bot| results.name(bot).to_owned()));
        if results.identity.seats > 2 {
            notes.push(
                "With more than two seats a match's placements count as results of all its pairs, a match of n bots as n - 1 \
                 comparisons; differences of pairs come from the joint fit, since no score is kept by pair and deal."
                    .into(),
            );
        }
        if results.matches < results.planned {
            notes.push(format!(
                "Not finished: {} of {} matches are counted{}.",
                grouped(results.matches),
                grouped(results.planned),
                if results.ahead > 0 {
                    format!(" ({} more are played, but not all that come before them)", grouped(results.ahead))
                } else {
                    String::new()
                }
            ));
        }
        let order: Vec<u32> = rows.iter().map(|row| row.bot).collect();
        Ok(Standings {
            pairs: pair_rows(results, &rated),
            seats: seat_rows(results, &order),
            points: points_rows(results, &order),
            rows,
            notes,
            rated,
        })
    }
}

/// Each bot's share of the points of all its comparisons with others.
fn scores(results: &Results) -> Vec<Option<f64>> {
    let mut sums = vec![(0.0, 0u64); results.bots.len()];
    for pair in &results.pairs {
        let ties = pair.draws as f64 / 2.0;
        for (bot, wins) in [(pair.a, pair.wins), (pair.b, pair.losses)] {
            let (points, comparisons) = &mut sums[bot as usize];
            *points += wins as f64 + ties;
            *comparisons += pair.matches();
        }
    }
    sums.into_iter().map(|(points, comparisons)| (comparisons > 0).then(|| points / comparisons as f64)).collect()
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
    Some(format!(
        "Every deal went the same way in {}{more}: its deals are copies of one observation. The ratings count them, the \
         intervals take them as one, and more deals do not narrow what hangs on it.",
        shown.join(", ")
    ))
}

/// How ratings were made, a sentence each.
pub fn rating_notes(rating: &RatingOptions, rated: &Rated) -> Vec<String> {
    let mean = rating.mean();
    let mut notes = vec![match &rating.anchor {
        Some(anchor) => format!(
            "Elo by a joint Bradley-Terry fit; {anchor} is set to {mean}, and each interval is that of the \
             difference to it."
        ),
        None => format!("Elo by a joint Bradley-Terry fit, relative to the mean of all bots, {mean}."),
    }];
    for group in rated.fit.groups.iter().filter(|group| group.prior_games > 0.0) {
        notes.push(format!(
            "Each bot{} was given {} virtual {}, half won, against an opponent at the mean{}.",
            if rated.fit.groups.len() > 1 { " of one group" } else { "" },
            group.prior_games,
            if group.prior_games == 1.0 { "match" } else { "matches" },
            if rating.prior_for.unwrap_or_default() == super::rating_options::PriorFor::Needed {
                ", since the results alone bound not every rating"
            } else {
                ""
            }
        ));
    }
    if rated.fit.groups.len() > 1 {
        let sizes: Vec<_> = rated.fit.groups.iter().map(|group| group.players.len().to_string()).collect();
        notes.push(format!(
            "The bots fall into {} groups that never met ({} bots): ratings compare only within one.",
            sizes.len(),
            sizes.join(", ")
        ));
    }
    if let Some(replicates) = rated.replicates {
        notes.push(format!(
            "Intervals by a bootstrap over deals, {} replicates{}.",
            replicates.drawn,
            match replicates.degenerate {
                0 => String::new(),
                n => format!("; {n} of them had no finite ratings and are left out, so the intervals are too narrow"),
            }
        ));
    }
    notes
}

/// Reasons to distrust the intervals, a sentence each.
pub fn warning_notes(rated: &Rated, name: impl Fn(u32) -> String) -> Vec<String> {
    const SHOWN: usize = 5;
    let mut notes = Vec::new();
    let (mut few, mut unvaried) = (Vec::new(), Vec::new());
    // Of what is to be said of few deals, the worst says it all.
    let mut all_few = None;
    for warning in &rated.warnings {
        match warning {
            Warning::FewClusters { clusters } => {
                let observations = counted(*clusters, "independent observation", "independent observations");
                all_few = Some(format!("Only {observations}: below 30 the intervals themselves are uncertain."));
            }
            Warning::FewerClustersThanPlayers { clusters } => {
                let observations = counted(*clusters, "independent observation", "independent observations");
                let players = rated.ratings.len();
                all_few =
                    Some(format!("Only {observations} for {players} players: the intervals are not to be trusted."));
            }
            Warning::FewClustersOfPlayer { player, clusters } => few.push(format!("{} ({clusters})", name(*player))),
            Warning::Deterministic { player } => unvaried.push(name(*player)),
        }
    }
    let listed = |names: &[String]| {
        let more = if names.len() > SHOWN { format!(" and {} more", names.len() - SHOWN) } else { String::new() };
        format!("{}{more}", names[..names.len().min(SHOWN)].join(", "))
    };
    if let Some(all) = all_few {
        notes.push(all);
    } else if !few.is_empty() {
        notes.push(format!("Fewer than 10 independent observations, so uncertain intervals: {}.", listed(&few)));
    }
    if !unvaried.is_empty() {
        notes.push(format!("Every observation gave the same result, so there is no interval: {}.", listed(&unvaried)));
    }
    notes
}
