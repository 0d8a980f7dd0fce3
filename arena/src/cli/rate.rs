//! `arena rate`: ratings of results from elsewhere.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::error::{Failure, exit};
use super::output::note;
use super::rating_args::RatingArgs;
use super::table::{Format, print_sheets, write_into};
use crate::import::{self, Columns, Import};
use crate::league::rating_options::RatingOptions;
use crate::league::standings::{rating_notes, warning_notes};
use crate::rating::Evidence;
use crate::rating::rated::rate;
use crate::report::rate::{Rating, advantage_note};
use crate::report::table::grouped;

/// Rate results from CSV files or the headers of chess games (PGN)
///
/// CSV: a header, then matches (two sides and a result, or two scores), or placements (event, participant,
/// placement). Games without a result are left out and counted. Rows that are not understood are told with their
/// lines, and nothing is rated unless --skip-bad is given.
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena rate tests/data/football-2018-19.csv --advantage
  arena rate tests/data/engines-frc-2021.pgn --advantage
  arena rate tests/data/races-2023.csv --mean 0 --format csv --table ratings
  arena rate games.csv --columns first=Host,second=Guest,result=Goals")]
pub(super) struct Rate {
    /// Files of results
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// What the files are [default: by the ending, else by the first character]
    #[arg(long, value_enum, value_name = "KIND")]
    kind: Option<Kind>,
    /// Headers of columns: first, second, result, first-score, second-score, event, participant, placement, cluster
    /// [default: by usual names]
    #[arg(long, value_name = "ROLE=HEADER,…", value_parser = Columns::parse)]
    columns: Option<Columns>,
    /// Estimate an advantage of the first side (home, white)
    #[arg(long)]
    advantage: bool,
    /// Leave rows out that are not understood
    #[arg(long)]
    skip_bad: bool,
    /// Write the tables as CSV, and results.json, into this folder
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Only this table: ratings, pairs or advantage
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    #[command(flatten)]
    rating: RatingArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// Comma-separated values
    Csv,
    /// Chess games
    Pgn,
}

impl Rate {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        let import = self.import()?;
        let mut options = RatingOptions::default();
        self.rating.apply(&mut options, import.names.iter().map(String::as_str))?;
        let mut rate_options = options.rate_options(import.names.iter().map(String::as_str), 0);
        if self.advantage && !import.has_sides() {
            return Err(Failure::Refused("--advantage: placements have no first side".into()));
        }
        rate_options.first_advantage = self.advantage;
        let evidence = import.evidence();
        let rated = rate(&evidence, &rate_options)?;
        let pairs = evidence.pairs();
        let rating = Rating { names: &import.names, mean: options.mean(), rated: &rated, pairs: &pairs };

        let mut notes = vec![format!(
            "{} results of {} players{}{}.",
            grouped(import.taken),
            grouped(import.names.len() as u64),
            match import.unfinished {
                0 => String::new(),
                n => format!("; {} unfinished left out", grouped(n)),
            },
            match import.bad.len() as u64 {
                0 => String::new(),
                n => format!("; {} bad rows left out", grouped(n)),
            }
        )];
        notes.extend(import.notes.iter().cloned());
        notes.extend(rating_notes(&options, &rated));
        notes.extend(advantage_note(rated.fit.advantage).map(str::to_owned));
        if import.has_placements() {
            notes.push(
                "Placements count as results of all pairs of an event, an event of n participants as n - 1 comparisons."
                    .into(),
            );
        }
        notes.extend(warning_notes(&rated, |player| crate::ids::escaped(&import.names[player as usize], 60)));

        if let Some(folder) = &self.csv {
            write_into(folder, &notes, &rating.sheets())?;
        }
        if self.format != Format::Text || self.table.is_some() {
            print_sheets(&notes, rating.sheets(), self.format, self.table.as_deref())?;
            return Ok(exit::DONE);
        }
        let mut out = std::io::stdout().lock();
        write!(out, "{}", rating.text())?;
        notes.iter().try_for_each(|note| writeln!(out, "{note}"))?;
        Ok(exit::DONE)
    }

    fn import(&self) -> Result<Import, Failure> {
        const SHOWN: usize = 50;
        let kind = self.kind.map(|kind| match kind {
            Kind::Csv => import::Format::Csv,
            Kind::Pgn => import::Format::Pgn,
        });
        let columns = self.columns.clone().unwrap_or_default();
        let mut import = Import::default();
        for file in &self.files {
            import.add(file, kind, &columns).map_err(|error| Failure::Refused(error.to_string()))?;
        }
        import.bad.iter().take(SHOWN).for_each(|bad| note!("{bad}"));
        if import.bad.len() > SHOWN {
            note!("… and {} more", import.bad.len() - SHOWN);
        }
        if !import.bad.is_empty() && !self.skip_bad {
            let message = format!("{} rows are not understood; --skip-bad leaves them out", import.bad.len());
            return Err(Failure::Refused(message));
        }
        if import.taken == 0 {
            let message = format!("there are no results to rate ({} unfinished games)", import.unfinished);
            return Err(Failure::Refused(message));
        }
        Ok(import)
    }
}
