//! The crosstable for a terminal of 100 columns.
//!
//! Columns are numbers, as ranks of the rows, so that names are never cut. What does not fit beside each other goes
//! below, again with all names.

use std::fmt::Write;

use super::league::score_against;
use crate::league::Results;
use crate::league::standings::Standings;

/// Columns of the terminal.
pub const WIDTH: usize = 100;

/// Larger leagues are for the file: their crosstable would fill many screens.
const MOST_BOTS: usize = 40;

/// The crosstable: the row's share of the points against the column's bot, in per cent.
pub fn crosstable(results: &Results, standings: &Standings) -> String {
    let names: Vec<&str> = standings.rows.iter().map(|row| results.name(row.bot)).collect();
    if names.len() > MOST_BOTS {
        return format!("{} bots are too many for a crosstable here; it is in crosstable.csv.\n", names.len());
    }
    let bots: Vec<u32> = standings.rows.iter().map(|row| row.bot).collect();
    layout(&names, |row, column| score_against(results, bots[row], bots[column]))
}

/// Lays a square table of shares out.
fn layout(names: &[&str], share: impl Fn(usize, usize) -> Option<f64>) -> String {
    const CELL: usize = 7;
    let number = names.len().to_string().len();
    let name = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("bot".len());
    let room = WIDTH.saturating_sub(number + 2 + name) / CELL;
    let mut text = String::new();
    let columns: Vec<usize> = (0..names.len()).collect();
    for (part, columns) in columns.chunks(room.max(1)).enumerate() {
        if part > 0 {
            text.push('\n');
        }
        let head: String = columns.iter().map(|column| format!("{:>CELL$}", column + 1)).collect();
        let _ = writeln!(text, "{:>number$}  {:name$}{head}", "#", "bot");
        for (row, label) in names.iter().enumerate() {
            let cells: String = columns
                .iter()
                .map(|&column| match share(row, column) {
                    _ if row == column => format!("{:>CELL$}", "-"),
                    Some(share) => format!("{:>CELL$.1}", 100.0 * share),
                    None => " ".repeat(CELL),
                })
                .collect();
            let _ = writeln!(text, "{}", format!("{:>number$}  {label:name$}{cells}", row + 1).trim_end());
        }
    }
    text.push_str("Share of the points against each, per cent; draws are half a win.\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_table_stands_in_one_part() {
        let text = layout(&["reader", "nash"], |row, _| Some(if row == 0 { 0.42815 } else { 1.0 }));
        let wanted = "#  bot         1      2\n1  reader      -   42.8\n2  nash    100.0      -\n\
                      Share of the points against each, per cent; draws are half a win.\n";
        assert_eq!(text, wanted);
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_and_no_name_is_cut() {
        for count in [2, 9, 10, 14, 40] {
            let names: Vec<String> = (0..count).map(|bot| format!("{bot:0>40}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let text = layout(&names, |_, _| Some(1.0));
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
            assert!(names.iter().all(|name| text.contains(name)));
            let cells: usize = text.lines().map(|line| line.matches("100.0").count()).sum();
            assert_eq!(cells, count * (count - 1));
        }
    }
}
