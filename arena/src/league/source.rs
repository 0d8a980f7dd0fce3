//! The league file as text: on which line and at which key it is wrong, and what would be right, in a reader's words.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::failure::FileError;
use crate::ids::{escaped, shown};
use crate::sandbox::Limits;
use crate::words::choices;

/// A league file that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    pub(super) file: PathBuf,
    pub(super) line: Option<usize>,
    pub(super) key: Option<String>,
    pub(super) message: String,
    /// Whether it is the host that failed, and not the file.
    pub(super) host: bool,
}

impl ConfigError {
    /// Whether it is the host that failed, and not what was read.
    pub fn is_hosts(&self) -> bool {
        self.host
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", shown(&self.file))?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(key) = &self.key {
            write!(f, ": {key}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for ConfigError {}

/// A file as text, for finding lines and keys.
pub(super) struct Source<'a> {
    pub(super) file: &'a Path,
    pub(super) text: &'a str,
}

impl Source<'_> {
    /// The line of an offset, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.text[..at.min(self.text.len())].matches('\n').count() + 1
    }

    /// What is wrong at an offset.
    pub(super) fn error(
        &self,
        at: Option<usize>,
        key: impl Into<Option<String>>,
        message: impl Into<String>,
    ) -> ConfigError {
        ConfigError {
            file: self.file.to_owned(),
            line: at.map(|at| self.line(at)),
            key: key.into(),
            message: message.into(),
            host: false,
        }
    }

    /// Whose doing it is that a file of a value cannot be read. `refuse` says what is wrong with the value.
    pub(super) fn unread(error: FileError, refuse: impl FnOnce(String) -> ConfigError) -> ConfigError {
        let host = matches!(error, FileError::Host(_));
        ConfigError { host, ..refuse(error.to_string()) }
    }

    /// What is wrong with a value.
    pub(super) fn wrong<T>(&self, value: &Spanned<T>, key: &str, message: impl Into<String>) -> ConfigError {
        self.error(Some(value.span().start), key.to_owned(), message)
    }

    /// What the reader of TOML says, with the key that it leaves out.
    pub(super) fn toml(&self, error: &toml::de::Error) -> ConfigError {
        // A key that is missing from the whole file stands on no line.
        let at = error
            .span()
            .filter(|span| !(error.message().starts_with("missing field ") && span.is_empty()))
            .map(|span| span.start);
        let key = at.and_then(|at| key_at(self.text, at));
        let mut message = in_words(error.message(), key.as_deref());
        // The commonest slip of TOML: what follows a header belongs to its table.
        if let Some((table, name)) = key.as_deref().and_then(|key| key.split_once('.'))
            && error.message().starts_with("unknown field")
            && TOP.contains(&name)
        {
            message += &format!("; above the first [table] `{name}` is one of the league, here it belongs to {table}");
        }
        self.error(at, key.map(|key| key.strip_prefix("bots.").map(str::to_owned).unwrap_or(key)), message)
    }

    /// A whole number within the range of its key.
    pub(super) fn whole<T: Copy + Into<u64>>(&self, value: &Spanned<T>, key: &str) -> Result<T, ConfigError> {
        let found: u64 = (*value.get_ref()).into();
        match range(key) {
            Some(range) if !range.contains(&found) => {
                Err(self.wrong(value, key, format!("expected {}, found {found}", whole_number(Some(range)))))
            }
            _ => Ok(*value.get_ref()),
        }
    }
}

/// The league file's keys outside its tables.
const TOP: [&str; 7] = ["game", "seed", "deals", "seats", "lineups", "block", "submissions"];

/// The whole numbers that a key may have.
fn range(key: &str) -> Option<RangeInclusive<u64>> {
    // TOML's own largest number.
    const MOST: u64 = i64::MAX as u64;
    match key {
        "seed" => Some(0..=MOST),
        "deals" | "lineups" => Some(1..=MOST),
        "block" => Some(1..=u32::MAX.into()),
        "rating.replicates" => Some(super::rating_options::REPLICATES_RANGE),
        _ => key.strip_prefix("limits.").and_then(Limits::range),
    }
}

fn whole_number(range: Option<RangeInclusive<u64>>) -> String {
    let Some(range) = range else { return "a whole number".into() };
    let most = match *range.end() {
        most if most == i64::MAX as u64 => "2^63-1".into(),
        most => most.to_string(),
    };
    format!("a whole number from {} to {most}", range.start())
}

/// The key whose name or value stands at an offset: `limits.restarts`. `None` where the text is no TOML.
fn key_at(text: &str, at: usize) -> Option<String> {
    fn within(value: &Spanned<DeValue<'_>>, at: usize, path: &mut Vec<String>) -> bool {
        let below = match value.get_ref() {
            DeValue::Table(table) => of(table, at, path),
            DeValue::Array(values) => values.iter().any(|value| within(value, at, path)),
            _ => false,
        };
        below || value.span().contains(&at)
    }
    fn of(table: &DeTable<'_>, at: usize, path: &mut Vec<String>) -> bool {
        table.iter().any(|(key, value)| {
            path.push(escaped(key.get_ref(), 60));
            let found = within(value, at, path) || key.span().contains(&at);
            if !found {
                path.pop();
            }
            found
        })
    }
    let table = DeTable::parse(text).ok()?;
    let mut path = Vec::new();
    of(table.get_ref(), at, &mut path).then(|| path.join("."))
}

/// What serde says of a value, without the names of Rust's types.
pub(super) fn in_words(message: &str, key: Option<&str>) -> String {
    let words = |text: &str| escaped(text, 400).replace("\\n", ", ");
    if let Some(rest) = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "))
        && let Some((found, wanted)) = rest.rsplit_once(", expected ")
    {
        return format!("expected {}, found {}", wanted_in_words(&words(wanted), key), found_in_words(&words(found)));
    }
    // Serde puts names between backticks: first the one that it met, then those that it knows.
    let mut names = message.split('`').skip(1).step_by(2);
    let name = names.next().unwrap_or_default();
    let known: Vec<&str> = names.collect();
    if message.starts_with("unknown field ") {
        return match &known[..] {
            [] => "unknown key; there are none here".into(),
            [only] => format!("unknown key; the only one here is {only}"),
            _ => format!("unknown key; {}", choices(name, &known)),
        };
    }
    if message.starts_with("unknown variant ") {
        let known: Vec<_> = known.iter().map(|name| format!("\"{name}\"")).collect();
        return format!("expected {}, found the string \"{}\"", known.join(" or "), escaped(name, 60));
    }
    if message.starts_with("missing field ") {
        let wanted = match name {
            "game" => format!(": the game, one of {}", crate::games::GameId::names()),
            "deals" => ": how many deals each lineup plays, 1 or more".into(),
            "path" => ": the bot's file, or a pattern of several".into(),
            _ => String::new(),
        };
        return format!("the key `{name}` is missing{wanted}");
    }
    match message {
        "wanted string or table" => "expected a string".into(),
        _ => words(message),
    }
}

fn wanted_in_words(wanted: &str, key: Option<&str>) -> String {
    match wanted {
        "u8" | "u16" | "u32" | "u64" | "usize" | "i64" => whole_number(key.and_then(range)),
        "f32" | "f64" => "a number".into(),
        "a map" => "a table".into(),
        "a sequence" if key == Some("bots") => "tables, each with [[bots]] above it".into(),
        "a sequence" => "an array".into(),
        _ if wanted.starts_with("struct ") => "a table".into(),
        _ => wanted.into(),
    }
}

fn found_in_words(found: &str) -> String {
    match found {
        "map" => return "a table".into(),
        "sequence" => return "an array".into(),
        _ => {}
    }
    for kind in ["integer ", "floating point ", "boolean "] {
        if let Some(number) = found.strip_prefix(kind) {
            return number.trim_end_matches(" as i128").trim_matches('`').into();
        }
    }
    if found.starts_with("string ") { format!("the {found}") } else { found.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_a_place_is_found_in_tables_of_every_kind() {
        let text = "a = 1\n[limits]\nb = 2\n[[bots]]\npath = 'x'\n[[bots]]\npath = 'y'\n[o]\nc = { d = [1, 2] }\n";
        for (place, key) in [("1", "a"), ("b =", "limits.b"), ("2", "limits.b"), ("'y'", "bots.path"), ("2]", "o.c.d")]
        {
            assert_eq!(key_at(text, text.find(place).unwrap()).as_deref(), Some(key), "{place}");
        }
        assert_eq!(key_at("a = = 1", 4), None);
    }

    #[test]
    fn words_of_a_file_cannot_steer_a_terminal() {
        let told = in_words("invalid type: string \"a\u{1b}[2J\n\", expected u64", Some("seed"));
        assert_eq!(told, "expected a whole number from 0 to 2^63-1, found the string \"a\\u{1b}[2J, \"");
    }
}
