//! The Elo table for a terminal.

use super::table::{Align, Table, grouped};
use crate::ids::escaped;
use crate::league::Results;
use crate::league::identity::LeftOut;
use crate::league::standings::{Row, Standings};

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
    for LeftOut { name, reason, .. } in &results.identity.left_out {
        let (name, reason) = (escaped(name, 60), escaped(reason, 300));
        text.push_str(&format!("Left out: {name}, which was submitted and cannot be played: {reason}\n"));
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
