//! The Elo table, the crosstable and the table of faults, as text and as CSV.

use super::files::{csv, csv_of, number};
use super::table::{Align, Table, grouped};
use crate::ids::Fault;
use crate::league::Results;
use crate::league::standings::{Row, Standings};

/// `elo.csv`: a row a bot, best first. An empty field is a side on which the results set no bound.
pub fn elo_csv(results: &Results, standings: &Standings) -> Vec<u8> {
    let header = [
        "rank",
        "bot",
        "elo",
        "elo_low",
        "elo_high",
        "elo_se",
        "matches",
        "wins",
        "draws",
        "losses",
        "score",
        "mean_placement",
        "faults",
        "remarks",
        "sha256",
    ];
    csv(
        header,
        standings.rows.iter().map(|row| {
            let tally = &results.bots[row.bot as usize];
            let total = tally.total();
            [
                row.rank.to_string(),
                results.name(row.bot).to_owned(),
                number(row.elo),
                number(row.interval.low),
                number(row.interval.high),
                number(row.se),
                total.matches.to_string(),
                total.wins.to_string(),
                total.draws.to_string(),
                total.losses().to_string(),
                number(row.score),
                number(mean(total.placements, total.matches)),
                tally.fault_count().to_string(),
                row.remarks.join("; "),
                results.identity.bots[row.bot as usize].sha256.clone(),
            ]
        }),
    )
}

fn mean(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

/// `crosstable.csv`: the row's share of the points against the column's bot, best first; empty where they never
/// met.
pub fn crosstable_csv(results: &Results, standings: &Standings) -> Vec<u8> {
    let names = standings.rows.iter().map(|row| results.name(row.bot).to_owned());
    let header = std::iter::once("bot".to_owned()).chain(names).collect();
    csv_of(
        header,
        standings.rows.iter().map(|row| {
            let scores = standings.rows.iter().map(|column| number(score_against(results, row.bot, column.bot)));
            std::iter::once(results.name(row.bot).to_owned()).chain(scores).collect()
        }),
    )
}

fn score_against(results: &Results, a: u32, b: u32) -> Option<f64> {
    let pair = results.pair(a, b)?;
    Some(if pair.a == a { pair.score() } else { 1.0 - pair.score() })
}

/// `faults.csv`: failed decisions by bot and kind, and the fuel of those that were answered.
pub fn faults_csv(results: &Results, standings: &Standings) -> Vec<u8> {
    let header = [
        "bot",
        "matches",
        "decisions",
        "illegal",
        "timeout",
        "crash",
        "protocol",
        "retired",
        "fuel_mean",
        "fuel_max",
        "fuel_limit",
    ];
    csv(
        header,
        standings.rows.iter().map(|row| {
            let tally = &results.bots[row.bot as usize];
            let faults = |kind: Fault| tally.faults[kind as usize].to_string();
            [
                results.name(row.bot).to_owned(),
                tally.total().matches.to_string(),
                tally.decisions.to_string(),
                faults(Fault::Illegal),
                faults(Fault::Timeout),
                faults(Fault::Crash),
                faults(Fault::Protocol),
                faults(Fault::Retired),
                number(mean(tally.fuel, tally.answered)),
                tally.fuel_max.to_string(),
                results.identity.limits.decision_fuel.to_string(),
            ]
        }),
    )
}

/// The Elo table for a terminal.
pub fn elo_table(results: &Results, standings: &Standings) -> String {
    use Align::{Left, Right};
    let mut table = Table::new([
        ("#", Right),
        ("bot", Left),
        ("Elo", Right),
        ("95 % interval", Left),
        ("matches", Right),
        ("won", Right),
        ("drawn", Right),
        ("lost", Right),
        ("score", Right),
        ("faults", Right),
    ]);
    for row in &standings.rows {
        let tally = &results.bots[row.bot as usize];
        let total = tally.total();
        table.row([
            row.rank.to_string(),
            results.name(row.bot).to_owned(),
            row.elo.map_or("-".into(), |elo| format!("{elo:.1}")),
            interval(row),
            grouped(total.matches),
            grouped(total.wins),
            grouped(total.draws),
            grouped(total.losses()),
            row.score.map_or("-".into(), |score| format!("{:.1} %", 100.0 * score)),
            grouped(tally.fault_count()),
        ]);
    }
    let mut text = table.to_string();
    for note in &standings.notes {
        text.push_str(&format!("{note}\n"));
    }
    text
}

/// `[1490.1, 1510.3]`, with a dash for an open side.
fn interval(row: &Row) -> String {
    let side = |value: Option<f64>| value.map_or("open".into(), |value| format!("{value:.1}"));
    match (row.interval.low, row.interval.high) {
        (None, None) => "unknown".into(),
        (low, high) => format!("[{}, {}]", side(low), side(high)),
    }
}
