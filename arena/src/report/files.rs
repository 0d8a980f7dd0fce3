//! Output files appear whole or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};

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

/// Writes a file under another name, makes sure that the disk has it, and gives it its name.
///
/// # Errors
/// The operating system's; the file is then as it was before.
pub fn write_whole(path: &Path, contents: &[u8]) -> Result<(), WriteError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let written = std::fs::File::create(&temporary)
        .and_then(|mut file| {
            file.write_all(contents)?;
            file.sync_all()
        })
        .and_then(|()| std::fs::rename(&temporary, path));
    written.map_err(|source| {
        let _ = std::fs::remove_file(&temporary);
        WriteError { path: path.to_owned(), source }
    })?;
    tracing::info!("wrote {}, {} bytes", shown(path), contents.len());
    Ok(())
}

/// A CSV file as bytes: a header, then rows.
pub fn csv_of(header: Vec<String>, rows: impl IntoIterator<Item = Vec<String>>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory fails only for rows of different lengths, which is ours to keep.
    let written = std::iter::once(header).chain(rows).try_for_each(|row| writer.write_record(row));
    debug_assert!(written.is_ok());
    writer.into_inner().unwrap_or_default()
}

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
