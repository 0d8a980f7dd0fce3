//! A table of values that becomes CSV, JSON or text: the same names and the same digits in all.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::files::{csv_of, number, rounded};
use super::table::{Align, Table, grouped};

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Text.
    Text(String),
    /// A count.
    Count(u64),
    /// A whole number.
    Whole(i64),
    /// A number; an empty field and `null` for none.
    Number(Option<f64>),
    /// Yes or no: `true` and `false`.
    Flag(bool),
    /// Nothing: an empty field and `null`.
    Nothing,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Cell {
        Cell::Count(count)
    }
}

impl From<i64> for Cell {
    fn from(number: i64) -> Cell {
        Cell::Whole(number)
    }
}

impl From<Option<f64>> for Cell {
    fn from(number: Option<f64>) -> Cell {
        Cell::Number(number)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Cell {
        Cell::Number(Some(number))
    }
}

impl From<bool> for Cell {
    fn from(flag: bool) -> Cell {
        Cell::Flag(flag)
    }
}

impl Cell {
    fn field(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Whole(whole) => whole.to_string(),
            Cell::Number(value) => number(*value),
            Cell::Flag(flag) => flag.to_string(),
            Cell::Nothing => String::new(),
        }
    }

    /// For people: thousands apart, few decimals.
    fn shown(&self, decimals: usize) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => grouped(*count),
            Cell::Number(Some(value)) if value.is_finite() => format!("{value:.decimals$}"),
            Cell::Number(_) | Cell::Nothing => "-".into(),
            Cell::Whole(_) | Cell::Flag(_) => self.field(),
        }
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Cell::Text(text) => s.serialize_str(text),
            Cell::Count(count) => s.serialize_u64(*count),
            Cell::Whole(whole) => s.serialize_i64(*whole),
            Cell::Number(Some(value)) if value.is_finite() => s.serialize_f64(rounded(*value)),
            Cell::Number(_) | Cell::Nothing => s.serialize_none(),
            Cell::Flag(flag) => s.serialize_bool(*flag),
        }
    }
}

/// A table. It serialises as a list of objects, one a row, with the columns in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// The file's name without its ending, and the name in JSON.
    pub name: &'static str,
    header: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Sheet {
    /// A table without rows.
    pub fn new<H: Into<String>>(name: &'static str, header: impl IntoIterator<Item = H>) -> Sheet {
        Sheet { name, header: header.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.header.len(), "{}", self.name);
        self.rows.push(cells);
    }

    /// For a terminal: these columns, or all. Nothing is a dash.
    pub fn text(&self, columns: Option<&[&str]>) -> String {
        let shown: Vec<usize> = (0..self.header.len())
            .filter(|&column| columns.is_none_or(|columns| columns.contains(&self.header[column].as_str())))
            .collect();
        let align = |column: usize| {
            let text = self.rows.iter().any(|row| matches!(row[column], Cell::Text(_)));
            if text { Align::Left } else { Align::Right }
        };
        let mut table = Table::new(shown.iter().map(|&column| (self.header[column].as_str(), align(column))));
        // Digits by column, so that points stand below each other.
        let decimals = |column: usize| {
            let large = |row: &Vec<Cell>| matches!(row[column], Cell::Number(Some(value)) if value.abs() >= 10.0);
            if self.rows.iter().any(large) { 1 } else { 3 }
        };
        let decimals: Vec<usize> = shown.iter().map(|&column| decimals(column)).collect();
        for row in &self.rows {
            table.row(shown.iter().zip(&decimals).map(|(&column, &decimals)| row[column].shown(decimals)));
        }
        table.to_string()
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// As a CSV file: a header, then the rows.
    pub fn csv(&self) -> Vec<u8> {
        csv_of(self.header.clone(), self.rows.iter().map(|row| row.iter().map(Cell::field).collect()))
    }
}

struct Row<'a>(&'a [String], &'a [Cell]);

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(Some(self.0.len()))?;
        for (name, cell) in self.0.iter().zip(self.1) {
            map.serialize_entry(name, cell)?;
        }
        map.end()
    }
}

impl Serialize for Sheet {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut rows = s.serialize_seq(Some(self.rows.len()))?;
        for row in &self.rows {
            rows.serialize_element(&Row(&self.header, row))?;
        }
        rows.end()
    }
}

/// Tables and what a reader must know of them, as one JSON file: `notes`, then each table by its name.
pub struct Document<'a> {
    /// Sentences.
    pub notes: &'a [String],
    /// Tables.
    pub sheets: &'a [Sheet],
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(Some(self.sheets.len() + 1))?;
        map.serialize_entry("notes", self.notes)?;
        for sheet in self.sheets {
            map.serialize_entry(sheet.name, sheet)?;
        }
        map.end()
    }
}

impl Document<'_> {
    /// The file's bytes.
    pub fn json(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec_pretty(self).expect("tables are plain data");
        json.push(b'\n');
        json
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_and_json_hold_the_same_names_and_values() {
        let mut sheet = Sheet::new("pairs", ["bot", "matches", "elo", "same", "points"]);
        let third = 1.0 / 3.0;
        sheet.row(vec!["a,b".into(), 7u64.into(), third.into(), true.into(), (-2i64).into()]);
        sheet.row(vec!["c".into(), 0u64.into(), None.into(), false.into(), Cell::Nothing]);
        let csv = String::from_utf8(sheet.csv()).unwrap();
        assert_eq!(csv, "bot,matches,elo,same,points\n\"a,b\",7,0.3333333,true,-2\nc,0,,false,\n");
        let json = Document { notes: &["note".into()], sheets: &[sheet] }.json();
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        assert_eq!(json["pairs"][0]["elo"].as_f64(), Some(0.3333333));
        assert!(json["pairs"][1]["elo"].is_null() && json["notes"][0] == "note");
    }

    #[test]
    fn a_table_can_be_shown_in_part() {
        let mut sheet = Sheet::new("pairs", ["bot", "matches", "share"]);
        sheet.row(vec!["a".into(), 7000u64.into(), 0.25.into()]);
        sheet.row(vec!["bb".into(), 1u64.into(), Cell::Nothing]);
        assert_eq!(sheet.text(None), "bot  matches  share\na      7 000  0.250\nbb         1      -\n");
        assert_eq!(sheet.text(Some(&["bot", "share"])), "bot  share\na    0.250\nbb       -\n");
    }

    #[test]
    fn there_is_no_nan_in_json() {
        assert_eq!(serde_json::to_string(&Cell::from(f64::NAN)).unwrap(), "null");
    }
}
