//! Tables for a terminal: names left, numbers right, equal widths, no colour.

use std::fmt::Write;

pub use crate::words::{counted, grouped};

/// Where a column's text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Names.
    Left,
    /// Numbers.
    Right,
}

/// A table of text.
pub struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Align)>) -> Table {
        let columns = columns.into_iter().map(|(name, align)| (name.to_owned(), align)).collect();
        Table { columns, rows: Vec::new() }
    }

    /// Adds a row; missing fields are empty.
    pub fn row(&mut self, fields: impl IntoIterator<Item = String>) {
        self.rows.push(fields.into_iter().collect());
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = |column: usize| {
            let fields = self.rows.iter().filter_map(|row| row.get(column));
            fields.chain([&self.columns[column].0]).map(|field| field.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<_> = (0..self.columns.len()).map(width).collect();
        let header: Vec<_> = self.columns.iter().map(|(name, _)| name.clone()).collect();
        for row in std::iter::once(&header).chain(&self.rows) {
            let mut line = String::new();
            for (column, &width) in widths.iter().enumerate() {
                let field = row.get(column).map_or("", String::as_str);
                let gap = if column == 0 { "" } else { "  " };
                match self.columns[column].1 {
                    Align::Left => write!(line, "{gap}{field:width$}")?,
                    Align::Right => write!(line, "{gap}{field:>width$}")?,
                }
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_left_and_numbers_right() {
        let mut table = Table::new([("bot", Align::Left), ("elo", Align::Right)]);
        table.row(["uniform".into(), "1500".into()]);
        table.row(["n".into(), "7".into()]);
        assert_eq!(table.to_string(), "bot       elo\nuniform  1500\nn           7\n");
    }
}
