//! A league's tables as files: ratings, pairs, seats, points, faults.

use super::sheet::{Cell, Sheet};
use crate::ids::Fault;
use crate::league::Results;
use crate::league::seats::PointsUnit;
use crate::league::standings::Standings;

/// Every table of a league, in the order of the files' names in the documentation.
pub fn sheets(results: &Results, standings: &Standings) -> Vec<Sheet> {
    vec![
        elo(results, standings),
        crosstable(results, standings),
        pairs(results, standings),
        seats(results, standings),
        points(results, standings),
        faults(results, standings),
    ]
}

/// Columns of a table that people read first; the rest is in the files. `None`: all.
pub fn first_columns(table: &str) -> Option<&'static [&'static str]> {
    match table {
        "pairs" => Some(&[
            "bot",
            "opponent",
            "matches",
            "wins",
            "draws",
            "losses",
            "score_share",
            "score_share_low",
            "score_share_high",
            "elo_difference",
            "elo_difference_low",
            "elo_difference_high",
            "p_value_holm",
        ]),
        _ => None,
    }
}

fn mean(sum: u64, count: u64) -> Cell {
    Cell::Number((count > 0).then(|| sum as f64 / count as f64))
}

/// `elo.csv`: a row a bot, best first. An empty field is a side on which the results set no bound.
fn elo(results: &Results, standings: &Standings) -> Sheet {
    let mut sheet = Sheet::new(
        "elo",
        [
            "rank",
            "bot",
            "elo",
            "elo_low",
            "elo_high",
            "elo_se",
            "elo_se_fisher",
            "matches",
            "wins",
            "draws",
            "losses",
            "score_share",
            "placement_mean",
            "faults",
            "matches_deterministic",
            "remarks",
            "sha256",
        ],
    );
    let deterministic = results.deterministic_matches();
    for row in &standings.rows {
        let tally = &results.bots[row.bot as usize];
        let total = tally.total();
        sheet.row(vec![
            (row.rank as u64).into(),
            results.name(row.bot).into(),
            row.elo.into(),
            row.interval.low.into(),
            row.interval.high.into(),
            row.se.into(),
            standings.rated.ratings[row.bot as usize].and_then(|rating| rating.fisher_se).into(),
            total.matches.into(),
            total.wins.into(),
            total.draws.into(),
            total.losses().into(),
            row.score.into(),
            mean(total.placements, total.matches),
            tally.fault_count().into(),
            deterministic[row.bot as usize].into(),
            row.remarks.join("; ").into(),
            results.identity.bots[row.bot as usize].sha256.as_str().into(),
        ]);
    }
    sheet
}

/// `crosstable.csv`: the row's share of the points against the column's bot, best first; empty where they never
/// met.
fn crosstable(results: &Results, standings: &Standings) -> Sheet {
    let names = standings.rows.iter().map(|row| results.name(row.bot));
    let mut sheet = Sheet::new("crosstable", std::iter::once("bot").chain(names));
    for row in &standings.rows {
        let scores = standings.rows.iter().map(|column| Cell::Number(score_against(results, row.bot, column.bot)));
        sheet.row(std::iter::once(results.name(row.bot).into()).chain(scores).collect());
    }
    sheet
}

/// a's share of the points against b.
pub(super) fn score_against(results: &Results, a: u32, b: u32) -> Option<f64> {
    let pair = results.pair(a, b)?;
    Some(if pair.a == a { pair.score() } else { 1.0 - pair.score() })
}

/// `pairs.csv`: a row a pair, seen from `bot`, the one that stands first in the league.
fn pairs(results: &Results, standings: &Standings) -> Sheet {
    let mut sheet = Sheet::new(
        "pairs",
        [
            "bot",
            "opponent",
            "matches",
            "wins",
            "draws",
            "losses",
            "score_share",
            "score_share_low",
            "score_share_high",
            "deals_with_points_0",
            "deals_with_points_0.5",
            "deals_with_points_1",
            "deals_with_points_1.5",
            "deals_with_points_2",
            "observations",
            "deterministic",
            "elo_difference",
            "elo_difference_low",
            "elo_difference_high",
            "interval_method",
            "normalised_elo",
            "los_probability",
            "los_method",
            "los_decisive_probability",
            "los_exact_probability",
            "p_value",
            "p_value_holm",
            "pairs_compared",
            "elo_difference_joint",
            "elo_difference_joint_low",
            "elo_difference_joint_high",
        ],
    );
    for row in &standings.pairs {
        let pair = &row.result;
        let (elo, interval) = row.elo();
        let (los, los_method) = row.los();
        let share = row.own.map(|own| own.score_interval);
        let mut cells: Vec<Cell> = vec![
            results.name(pair.a).into(),
            results.name(pair.b).into(),
            pair.matches().into(),
            pair.wins.into(),
            pair.draws.into(),
            pair.losses.into(),
            pair.score().into(),
            share.and_then(|share| share.low).into(),
            share.and_then(|share| share.high).into(),
        ];
        match pair.pentanomial {
            Some(counts) => cells.extend(counts.map(Cell::Count)),
            None => cells.extend(std::iter::repeat_n(Cell::Nothing, 5)),
        }
        cells.extend([
            row.observations.into(),
            row.deterministic.into(),
            elo.into(),
            interval.low.into(),
            interval.high.into(),
            row.interval_method().into(),
            row.own.and_then(|own| own.nelo).into(),
            los.into(),
            los_method.into(),
            row.los_decisive.into(),
            row.los_exact.into(),
            row.p.into(),
            row.p_holm.into(),
            (standings.pairs.len() as u64).into(),
            row.joint.map(|joint| joint.elo).into(),
            row.joint.and_then(|joint| joint.interval.low).into(),
            row.joint.and_then(|joint| joint.interval.high).into(),
        ]);
        sheet.row(cells);
    }
    sheet
}

/// `seats.csv`: all bots by seat, then each bot by seat. Seats count from 0.
fn seats(results: &Results, standings: &Standings) -> Sheet {
    let mut sheet = Sheet::new(
        "seats",
        [
            "bot",
            "seat",
            "matches",
            "wins",
            "draws",
            "losses",
            "score_share",
            "score_share_low",
            "score_share_high",
            "score_share_se",
            "points_mean",
            "points_mean_low",
            "points_mean_high",
            "placement_mean",
            "independent_blocks",
            "matches_deterministic",
        ],
    );
    for row in &standings.seats {
        let (score, points) = (row.score.interval(), row.points.interval());
        sheet.row(vec![
            row.bot.map_or("(all)", |bot| results.name(bot)).into(),
            (row.seat as u64).into(),
            row.total.matches.into(),
            row.total.wins.into(),
            row.total.draws.into(),
            row.total.losses().into(),
            row.score.mean().into(),
            score.low.into(),
            score.high.into(),
            row.score.standard_error().into(),
            row.points.mean().into(),
            points.low.into(),
            points.high.into(),
            mean(row.total.placements, row.total.matches),
            row.score.clusters().into(),
            row.deterministic.into(),
        ]);
    }
    sheet
}

/// `points.csv`: the game's own points by bot.
fn points(results: &Results, standings: &Standings) -> Sheet {
    let mut sheet = Sheet::new(
        "points",
        [
            "bot",
            "matches",
            "points_total",
            "points_mean",
            "points_mean_low",
            "points_mean_high",
            "points_mean_se",
            "points_standard_deviation",
            "interval_unit",
            "independent_units",
            "matches_deterministic",
        ],
    );
    for row in &standings.points {
        let interval = row.points.interval();
        sheet.row(vec![
            results.name(row.bot).into(),
            row.total.matches.into(),
            row.total.points.into(),
            row.points.mean().into(),
            interval.low.into(),
            interval.high.into(),
            row.points.standard_error().into(),
            row.deviation.into(),
            match row.unit {
                PointsUnit::Block => "block",
                PointsUnit::Deal => "deal",
            }
            .into(),
            row.points.clusters().into(),
            row.deterministic.into(),
        ]);
    }
    sheet
}

/// `faults.csv`: failed decisions by bot and kind, and the fuel of those that were answered: nothing for a bot that
/// answered none.
fn faults(results: &Results, standings: &Standings) -> Sheet {
    let kinds = Fault::ALL.iter().map(|fault| fault.name());
    let header =
        ["bot", "matches", "decisions"].into_iter().chain(kinds).chain(["fuel_mean", "fuel_max", "fuel_limit"]);
    let mut sheet = Sheet::new("faults", header);
    for row in &standings.rows {
        let tally = &results.bots[row.bot as usize];
        let mut cells: Vec<Cell> =
            vec![results.name(row.bot).into(), tally.total().matches.into(), tally.decisions.into()];
        cells.extend(tally.faults.map(Cell::Count));
        cells.extend([
            // Fuel in tenths: whole units are what is charged.
            Cell::Number(
                (tally.answered > 0).then(|| (10.0 * tally.fuel as f64 / tally.answered as f64).round() / 10.0),
            ),
            if tally.answered > 0 { tally.fuel_max.into() } else { Cell::Nothing },
            results.identity.limits.decision_fuel.into(),
        ]);
        sheet.row(cells);
    }
    sheet
}
