//! Results from elsewhere: files of matches or placements become evidence for the ratings.
//!
//! Nothing is guessed silently: what the columns were taken for is said in [`Import::notes`], rows that are not
//! understood are kept as [`BadRow`]s with their line, and unfinished games are counted.

mod columns;
mod csv;
mod pgn;
mod score;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use crate::ids::escaped;
use crate::rating::collected::Collected;
use crate::rating::placements::comparison_weight;

pub use columns::{Columns, Role};

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a header.
    Csv,
    /// Chess games; only their headers are read.
    Pgn,
}

/// A row that is left out because it is not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRow {
    /// The file, as it was given.
    pub file: String,
    /// Its line, from 1.
    pub line: u64,
    /// What is wrong.
    pub reason: String,
}

impl std::fmt::Display for BadRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.reason)
    }
}

/// A file that cannot be read as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {reason}")]
pub struct ImportError {
    /// The file, as it was given.
    pub file: String,
    /// What is wrong, and what would be right.
    pub reason: String,
}

/// Results of one or more files.
#[derive(Debug, Default)]
pub struct Import {
    /// Players, in the order in which they were first named.
    pub names: Vec<String>,
    /// Rows that were left out.
    pub bad: Vec<BadRow>,
    /// Games left out because they have no result.
    pub unfinished: u64,
    /// Matches or events taken.
    pub taken: u64,
    /// What was taken for what, a sentence each.
    pub notes: Vec<String>,
    index: HashMap<String, u32>,
    clusters: BTreeMap<String, u64>,
    records: Vec<Record>,
}

#[derive(Debug)]
enum Record {
    Match { cluster: u64, sides: [u32; 2], score: f64 },
    Event { cluster: u64, players: Vec<u32>, placements: Vec<u32> },
}

impl Import {
    /// Adds a file's results. Without a format the name's ending decides, else the first character.
    ///
    /// # Errors
    /// If the file cannot be read, is not UTF-8, or its columns cannot be told.
    pub fn add(&mut self, path: &Path, format: Option<Format>, columns: &Columns) -> Result<(), ImportError> {
        let file = escaped(&path.display().to_string(), 200);
        let error = |reason: String| ImportError { file: file.clone(), reason };
        let bytes = std::fs::read(path).map_err(|source| error(format!("failed to read it: {source}")))?;
        let text = std::str::from_utf8(&bytes).map_err(|bad| {
            let line = bytes[..bad.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
            error(format!("line {line} is not UTF-8; convert the file, for instance with iconv"))
        })?;
        self.add_text(&file, text, format.unwrap_or_else(|| guess(path, text)), columns)
    }

    /// Adds a file's results from its text.
    ///
    /// # Errors
    /// If its columns cannot be told.
    pub fn add_text(&mut self, file: &str, text: &str, format: Format, columns: &Columns) -> Result<(), ImportError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        match format {
            Format::Csv => csv::read(self, file, text, columns),
            Format::Pgn => {
                pgn::read(self, file, text);
                Ok(())
            }
        }
    }

    /// The results as evidence.
    pub fn evidence(&self) -> Collected {
        let mut results = Collected::new(self.names.len());
        for record in &self.records {
            let added = match record {
                Record::Match { cluster, sides: [first, second], score } => {
                    results.add_match(*cluster, *first, *second, *score)
                }
                Record::Event { cluster, players, placements } => {
                    results.add_placements(*cluster, players, placements, comparison_weight(players.len()))
                }
            };
            // Players are distinct and scores in range: rows that are not so were refused when they were read.
            debug_assert!(added.is_ok(), "{added:?}");
        }
        results
    }

    /// Whether any record has two sides, so that an advantage of the first can be fitted.
    pub fn has_sides(&self) -> bool {
        self.records.iter().any(|record| matches!(record, Record::Match { .. }))
    }

    /// Whether any record has placements.
    pub fn has_placements(&self) -> bool {
        self.records.iter().any(|record| matches!(record, Record::Event { .. }))
    }

    fn player(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.index.get(name) {
            return known;
        }
        let next = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.index.insert(name.to_owned(), next);
        next
    }

    fn cluster(&mut self, key: String) -> u64 {
        let next = self.clusters.len() as u64;
        *self.clusters.entry(key).or_insert(next)
    }

    fn refuse(&mut self, file: &str, line: u64, reason: impl Into<String>) {
        self.bad.push(BadRow { file: file.to_owned(), line, reason: reason.into() });
    }

    /// Adds a match of two, or says why it cannot be.
    fn add_match(&mut self, place: (&str, u64), sides: [&str; 2], score: f64, cluster: String) {
        let (file, line) = place;
        let [first, second] = sides.map(str::trim);
        if first.is_empty() || second.is_empty() {
            return self.refuse(file, line, "a side has no name");
        }
        if first == second {
            return self.refuse(file, line, format!("{} plays itself", escaped(first, 60)));
        }
        let cluster = self.cluster(cluster);
        let sides = [self.player(first), self.player(second)];
        self.records.push(Record::Match { cluster, sides, score });
        self.taken += 1;
    }

    fn add_event(&mut self, cluster: String, placed: &[(String, u32)]) {
        let cluster = self.cluster(cluster);
        let players = placed.iter().map(|(name, _)| self.player(name)).collect();
        let placements = placed.iter().map(|(_, placement)| *placement).collect();
        self.records.push(Record::Event { cluster, players, placements });
        self.taken += 1;
    }
}

fn guess(path: &Path, text: &str) -> Format {
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    match ending.as_ref().and_then(|ending| ending.to_str()) {
        Some("pgn") => Format::Pgn,
        Some("csv") => Format::Csv,
        _ if text.trim_start_matches(['\u{feff}', ' ', '\n', '\r']).starts_with('[') => Format::Pgn,
        _ => Format::Csv,
    }
}
