//! Output files appear whole or not at all.

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::draft::{Draft, sweep};
use crate::ids::shown;

/// A file could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: failed to write it: {source}", shown(path))]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub source: std::io::Error,
}

/// Writes a file under another name, makes sure that the disk has it, and gives it its name. Removes what killed
/// processes left of it.
///
/// # Errors
/// The operating system's; the file is then as it was before.
pub fn write_whole(path: &Path, contents: &[u8]) -> Result<(), WriteError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(Path::new(""));
    sweep(folder, |other| other == name);
    let write = || {
        let mut draft = Draft::create(folder, &name)?;
        draft.file().write_all(contents)?;
        draft.file().sync_all()?;
        draft.keep_as(path)
    };
    write().map_err(|source| WriteError { path: path.to_owned(), source })?;
    tracing::info!("wrote {}, {} bytes", shown(path), contents.len());
    Ok(())
}

/// A CSV file as bytes: a header, then rows. Every CSV file is made here, so no cell of any is a formula.
pub fn csv_of(header: Vec<String>, rows: impl IntoIterator<Item = Vec<String>>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory fails only for rows of different lengths, which is ours to keep.
    let written = std::iter::once(header)
        .chain(rows)
        .try_for_each(|row| writer.write_record(row.iter().map(|cell| defused(cell).into_owned())));
    debug_assert!(written.is_ok());
    writer.into_inner().unwrap_or_default()
}

/// A cell that no spreadsheet runs: text that one would take for a formula gets an apostrophe in front, which spreadsheets
/// take for the sign of text.
///
/// A formula begins with `=`, `+`, `-` or `@`, in ordinary or full width, behind white space too; text that begins with a tab
/// or the end of a line may become one when it is taken apart. Numbers such as -12.5 stay numbers. What begins so behind
/// apostrophes of its own gets one more, so that taking one away always gives the text.
fn defused(cell: &str) -> Cow<'_, str> {
    let text = cell.trim_start_matches('\'');
    let is_number =
        cell.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte)) && cell.parse::<f64>().is_ok();
    if !is_number && (text.starts_with(['\t', '\r', '\n']) || text.trim_start().starts_with(FORMULA)) {
        return format!("'{}", defused_parts(cell)).into();
    }
    match defused_parts(cell) {
        parts if parts == cell => cell.into(),
        parts => parts.into(),
    }
}

/// The text, with an apostrophe in front of each part that would be a formula where a spreadsheet takes semicolons or tabs for
/// the ends of cells, as many do outside English.
fn defused_parts(cell: &str) -> String {
    let mut parts = cell.split_inclusive([';', '\t']);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let formula = part.trim_start_matches(['\'', '"']).trim_start().starts_with(FORMULA);
        text + if formula { "'" } else { "" } + part
    })
}

/// What a formula begins with.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// A number as files hold it: seven significant digits, which is more than any figure is known to, and few enough to be the
/// same whatever the last bits of a logarithm are.
pub fn rounded(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}

/// A number [`rounded`], a small one with its power of ten; nothing for none.
pub fn number(value: Option<f64>) -> String {
    match value {
        Some(value) if value != 0.0 && value.abs() < 1e-4 => format!("{:e}", rounded(value)),
        Some(value) if value.is_finite() => rounded(value).to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        write_whole(&path, b"one").unwrap();
        write_whole(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn what_a_killed_process_left_of_a_file_is_removed_when_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let half = |name| crate::draft::abandoned(folder.path(), name);
        let (ours, others) = (half("a.csv"), half("b.csv"));
        for path in [&ours, &others] {
            std::fs::write(path, "half").unwrap();
        }
        write_whole(&folder.path().join("a.csv"), b"whole").unwrap();
        assert!(!ours.exists() && others.exists());
    }

    #[test]
    fn what_cannot_be_written_is_said_with_its_path() {
        let error = write_whole(Path::new("/nowhere/at/all.csv"), b"").unwrap_err();
        assert!(error.to_string().contains("/nowhere/at/all.csv"));
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let bytes = csv_of(vec!["a".into(), "b".into()], [vec!["x,y".to_owned(), "\"".to_owned()]]);
        assert_eq!(String::from_utf8(bytes).unwrap(), "a,b\n\"x,y\",\"\"\"\"\n");
    }

    #[test]
    fn no_cell_is_a_formula() {
        for text in [
            "=1+1",
            "=cmd|' /C calc'!A0",
            "+1+cmd",
            "-2+3",
            "@SUM(A1)",
            "\ta",
            "\r=1",
            "\n=1",
            " =1",
            "\u{a0}=1",
            "＝1",
            "＋1",
            "－1",
            "＠a",
            "-",
            "--1",
            "-inf",
            "+nan",
            "'=1",
            "''@a",
        ] {
            assert_eq!(defused(text), format!("'{text}"));
        }
        for text in [
            "",
            "a",
            "a=1",
            "'t Hooft",
            "''",
            "12",
            "-12.5",
            "-3.333333e-10",
            "+7",
            "1e5",
            "(all)",
            "日本",
            "a-b",
            " a",
        ] {
            assert_eq!(defused(text), text);
        }
    }

    #[test]
    fn no_part_of_a_cell_is_a_formula_behind_a_separator() {
        for (text, safe) in [
            ("a;=b", "a;'=b"),
            ("a;b; +1", "a;b;' +1"),
            ("a\t@b", "a\t'@b"),
            ("=a;=b", "'=a;'=b"),
            ("a;\"=b", "a;'\"=b"),
            ("a;b", "a;b"),
            ("a;", "a;"),
        ] {
            assert_eq!(defused(text), safe);
        }
    }

    #[test]
    fn headers_and_cells_are_defused_and_then_quoted() {
        let bytes = csv_of(vec!["@a".into(), "b".into()], [vec!["=1,\"2\"".to_owned(), "-1.5".to_owned()]]);
        assert_eq!(String::from_utf8(bytes).unwrap(), "'@a,b\n\"'=1,\"\"2\"\"\",-1.5\n");
    }

    #[test]
    fn there_is_no_nan_in_a_file() {
        assert_eq!(number(Some(f64::NAN)), "");
        assert_eq!(number(Some(0.1)), "0.1");
    }

    #[test]
    fn numbers_have_seven_digits_wherever_the_point_is() {
        assert_eq!(number(Some(2.0 / 3.0)), "0.6666667");
        assert_eq!(number(Some(1814.23456)), "1814.235");
        assert_eq!(number(Some(-1.0 / 3e9)), "-3.333333e-10");
        assert_eq!((number(Some(0.0)), number(Some(0.0001))), ("0".into(), "0.0001".into()));
        assert_eq!(rounded(f64::INFINITY), f64::INFINITY);
    }
}
