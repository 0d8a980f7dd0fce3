//! `arena table`: every table of a results folder, from its journal alone.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::error::{Failure, exit};
use super::output::note;
use super::progress::{TORN, damaged_lines};
use super::rating_args::RatingArgs;
use crate::ids::{escaped, shown};
use crate::league::folder::{RUN_RECORD, TABLES};
use crate::league::standings::Standings;
use crate::league::{Journal, Results};
use crate::report::crosstable::crosstable;
use crate::report::files::write_whole;
use crate::report::league::{first_columns, sheets};
use crate::report::sheet::{Document, Sheet};
use crate::report::standings::elo_table;
use crate::words::choices;

/// Print or write the tables of a league again, from its journal alone
///
/// Nothing is played. The files are those that `arena run` writes, byte for byte, unless the ratings' options differ.
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena table results/little-hunters
  arena table results/little-hunters --intervals bootstrap --anchor uniform
  arena table results/little-hunters --table pairs
  arena table results/little-hunters --csv tables
  arena table results/little-hunters --format csv --table pairs | column -s, -t")]
pub(super) struct Table {
    /// The results folder
    results: PathBuf,
    /// Write all tables as CSV, and results.json, into this folder
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Only this table: elo, crosstable, pairs, seats, points or faults
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    #[command(flatten)]
    rating: RatingArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// Comma-separated values
    Csv,
    /// The same as JSON
    Json,
}

impl Table {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        let results = collect(&self.results, &self.rating)?;
        let standings = Standings::of(&results)?;
        if let Some(folder) = &self.csv {
            write_into(folder, &standings.notes, &sheets(&results, &standings))?;
        }
        print(&results, &standings, self.format, self.table.as_deref())?;
        Ok(exit::DONE)
    }
}

/// The results in a folder, with the ratings' options of its last sitting and of the command line.
pub(super) fn collect(folder: &Path, rating: &RatingArgs) -> Result<Results, Failure> {
    // What cannot be read is the wrong folder: there is nothing to go on with.
    let refused = |error: &dyn std::fmt::Display| Failure::Refused(error.to_string());
    let contents = Journal::read(folder, drop).map_err(|error| refused(&error))?;
    let Some(mut identity) = contents.identity else {
        let folder = shown(folder);
        return Err(Failure::Refused(match contents.damaged.as_slice() {
            [] => format!("{folder}: there is no journal of a league here; arena run makes one"),
            lines => format!(
                "{folder}: nothing in the journal says what was played: {}; arena run with the same league goes on from it",
                damaged_lines(lines)
            ),
        }));
    };
    let names: Vec<String> = identity.bots.iter().map(|bot| bot.name.clone()).collect();
    rating.apply(&mut identity.rating, names.iter().map(String::as_str))?;
    let results = Results::collect(folder, &identity).map_err(|error| refused(&error))?;
    if results.torn {
        note!("{TORN}; its block is not counted, and `arena run` plays it again.");
    }
    if !results.damaged.is_empty() {
        let lines = damaged_lines(&results.damaged);
        note!("{lines}: their blocks and those behind them do not count until `arena run` plays them again.");
    }
    Ok(results)
}

/// Writes each table as CSV, and all of them in `results.json`.
pub(super) fn write_tables(folder: &Path, results: &Results, standings: &Standings) -> Result<(), Failure> {
    write_sheets(folder, &standings.notes, &sheets(results, standings))
}

/// Removes what a run wrote beside the journal; whether there was any. Without a journal no run wrote it.
pub(super) fn remove_tables(folder: &Path) -> Result<bool, Failure> {
    if !folder.join(crate::league::journal::FILE_NAME).is_file() {
        return Ok(false);
    }
    let mut any = false;
    for name in TABLES.iter().chain([&RUN_RECORD]) {
        let path = folder.join(name);
        match std::fs::remove_file(&path) {
            Ok(()) => any = true,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(error) => return Err(Failure::Refused(format!("{}: failed to remove it: {error}", shown(&path)))),
        }
    }
    Ok(any)
}

/// A league's tables, by the names of their files.
pub(super) fn tables(results: &Results, standings: &Standings) -> Vec<(String, Vec<u8>)> {
    files(&standings.notes, &sheets(results, standings))
}

/// Writes tables as CSV, and all of them in `results.json`.
fn write_sheets(folder: &Path, notes: &[String], sheets: &[Sheet]) -> Result<(), Failure> {
    for (name, contents) in files(notes, sheets) {
        write_whole(&folder.join(name), &contents)?;
    }
    Ok(())
}

/// Writes tables as `--csv DIR` asks for, making the folder.
pub(super) fn write_into(folder: &Path, notes: &[String], sheets: &[Sheet]) -> Result<(), Failure> {
    let refused = |error: &dyn std::fmt::Display| Failure::Refused(format!("--csv {error}"));
    std::fs::create_dir_all(folder)
        .map_err(|error| refused(&format_args!("{}: no folder can be made here: {error}", shown(folder))))?;
    if folder.join(crate::league::journal::FILE_NAME).exists() {
        let folder = shown(folder);
        return Err(refused(&format_args!(
            "{folder}: this is a results folder, whose tables are its run's; name another folder"
        )));
    }
    for (name, contents) in files(notes, sheets) {
        let path = folder.join(&name);
        if !is_replaceable(&path, &contents) {
            let path = shown(&path);
            return Err(refused(&format_args!(
                "{path}: there is another file of this name; name another folder, or move it away"
            )));
        }
    }
    match write_sheets(folder, notes, sheets) {
        Err(Failure::Write(error)) => return Err(refused(&error)),
        other => other?,
    }
    note!("Written to {}.", shown(folder));
    Ok(())
}

/// Whether nothing is there, or an earlier table of the same kind: it begins with the same column, or, in JSON, the same key.
fn is_replaceable(path: &Path, contents: &[u8]) -> bool {
    let beginning = |bytes: &[u8]| {
        let bytes = bytes.trim_ascii_start();
        let bytes = bytes.strip_prefix(b"{").unwrap_or(bytes).trim_ascii_start();
        bytes.split(|byte| b",:\n".contains(byte)).next().unwrap_or_default().to_vec()
    };
    match std::fs::read(path) {
        Ok(there) => there.is_empty() || beginning(&there) == beginning(contents),
        Err(error) => error.kind() == ErrorKind::NotFound,
    }
}

fn files(notes: &[String], sheets: &[Sheet]) -> Vec<(String, Vec<u8>)> {
    let csv = sheets.iter().map(|sheet| (format!("{}.csv", sheet.name), sheet.csv()));
    csv.chain([("results.json".to_owned(), Document { notes, sheets }.json())]).collect()
}

/// Prints what a run ends with.
pub(super) fn print_text(results: &Results, standings: &Standings) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    write!(out, "{}\n{}", elo_table(results, standings), crosstable(results, standings))
}

fn print(results: &Results, standings: &Standings, format: Format, table: Option<&str>) -> Result<(), Failure> {
    let mut out = std::io::stdout();
    match (format, table) {
        (Format::Text, None) => return Ok(print_text(results, standings)?),
        (Format::Text, Some("elo")) => return Ok(write!(out, "{}", elo_table(results, standings))?),
        (Format::Text, Some("crosstable")) => return Ok(write!(out, "{}", crosstable(results, standings))?),
        _ => {}
    }
    print_sheets(&standings.notes, sheets(results, standings), format, table)
}

/// Prints tables as they are in files, or their first columns as text: one of them, or all.
pub(super) fn print_sheets(
    notes: &[String],
    mut sheets: Vec<Sheet>,
    format: Format,
    table: Option<&str>,
) -> Result<(), Failure> {
    if let Some(wanted) = table {
        let names: Vec<_> = sheets.iter().map(|sheet| sheet.name).collect();
        sheets.retain(|sheet| sheet.name == wanted);
        if sheets.is_empty() {
            let message =
                format!("--table {}: there is no such table; {}", escaped(wanted, 60), choices(wanted, &names));
            return Err(Failure::Refused(message));
        }
    }
    let mut out = std::io::stdout().lock();
    if format == Format::Json {
        out.write_all(&Document { notes, sheets: &sheets }.json())?;
        return Ok(());
    }
    for (at, sheet) in sheets.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        match format {
            Format::Text => write!(out, "{}", sheet.text(first_columns(sheet.name)))?,
            _ => out.write_all(&sheet.csv())?,
        }
    }
    Ok(())
}
