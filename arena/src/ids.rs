//! The small words of the field: seats, answers, faults, bot names.

use std::fmt;

use bot_sdk::abi::MAX_SEATS;
use serde::{Deserialize, Serialize};

/// A seat of a match, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// All seats of a match of `count`.
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        debug_assert!(count <= MAX_SEATS);
        (0..count as u8).map(Seat)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SeatSet(u16);

impl SeatSet {
    /// No seat.
    pub const EMPTY: SeatSet = SeatSet(0);

    /// The first `count` seats.
    pub fn first(count: usize) -> SeatSet {
        debug_assert!(count <= MAX_SEATS);
        SeatSet((1 << count) - 1)
    }

    /// One seat.
    pub fn one(seat: Seat) -> SeatSet {
        SeatSet(1 << seat.0)
    }

    /// Adds a seat.
    pub fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.0;
    }

    /// Takes a seat out.
    pub fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat.0);
    }

    /// Whether a seat is in the set.
    pub fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    /// The number of seats.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let seat = Seat(rest.trailing_zeros() as u8);
                rest &= rest - 1;
                seat
            })
        })
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        let mut set = SeatSet::EMPTY;
        seats.into_iter().for_each(|seat| set.insert(seat));
        set
    }
}

/// A player's answer to one decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The action, packed as the game's page says; not yet judged.
    pub action: i64,
    /// The fuel that it took; 0 for players that are not metered.
    pub fuel: u64,
}

/// Why a decision failed. What that costs in the game is the game's to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    /// The bot answered, and the action is not legal now. The instance lives on.
    Illegal,
    /// The fuel for this decision (or for the start of the instance that it needed) ran out.
    Timeout,
    /// A trap: unreachable, out of bounds, stack overflow, a division by zero.
    Crash,
    /// The bot broke the interface: a buffer outside its memory, a log outside its memory.
    Protocol,
    /// The bot lost too many instances in this match and was not asked.
    Retired,
}

impl Fault {
    /// All kinds, in the order of every table and file.
    pub const ALL: [Fault; 5] = [Fault::Illegal, Fault::Timeout, Fault::Crash, Fault::Protocol, Fault::Retired];

    /// The kind's name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Fault::Illegal => "illegal",
            Fault::Timeout => "timeout",
            Fault::Crash => "crash",
            Fault::Protocol => "protocol",
            Fault::Retired => "retired",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A bot's name: 1 to 40 of ASCII letters, digits, space, `.`, `_` and `-`, the first a letter or digit.
///
/// Such a name can stand in a terminal, a CSV field, a path or a page without escaping.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(transparent)]
pub struct BotName(String);

impl BotName {
    /// The longest name, in characters.
    pub const MAX_LEN: usize = 40;

    /// Checks a name.
    ///
    /// # Errors
    /// [`BadName`] with what is wrong with it.
    pub fn new(name: &str) -> Result<BotName, BadName> {
        let wrong = |reason| Err(BadName { name: escaped(name, 80), reason });
        let allowed = |c: char| c.is_ascii_alphanumeric() || " ._-".contains(c);
        if name.is_empty() {
            wrong("it is empty")
        } else if name.chars().count() > Self::MAX_LEN {
            wrong("it is longer than 40 characters")
        } else if !name.chars().all(allowed) {
            wrong("only a to z, A to Z, digits, space, '.', '_' and '-' are allowed")
        } else if !name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            wrong("it must begin with a letter (a to z, A to Z) or a digit")
        } else if name.ends_with(' ') {
            wrong("it ends with a space")
        } else {
            Ok(BotName(name.to_owned()))
        }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same for two spellings of one name: a table must not show `Nash` beside somebody else's `nash`.
    pub fn folded(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

impl fmt::Display for BotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl<'de> Deserialize<'de> for BotName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BotName::new(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// A text that is no bot name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" is not a valid bot name: {reason}")]
pub struct BadName {
    /// The text, escaped and cut.
    pub name: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

/// Text from a bot or a file as it may be shown to anybody: control and other unprintable characters
/// escaped, cut after `limit` characters.
pub fn escaped(text: &str, limit: usize) -> String {
    let mut shown = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == limit {
            shown.push('…');
            break;
        }
        if c.is_control() || is_invisible(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Characters that are not seen, or that change what is seen of others: they can disguise what is shown.
///
/// Those are Unicode's `Default_Ignorable_Code_Point` (16.0), the separators and marks of direction that are not in it,
/// the blank U+2800 of Braille, two signs of other scripts that are not drawn (U+070F, U+1D159), and the specials at the end of the first plane.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{70f}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{ffff}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// A path as it may be shown: files too are named by others.
pub fn shown(path: &std::path::Path) -> String {
    escaped(&path.to_string_lossy(), 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_letters_digits_and_marks_are_names() {
        for name in ["a", "Uniform 2", "0-x_y.z", &"x".repeat(40)] {
            assert_eq!(BotName::new(name).unwrap().as_str(), name);
        }
    }

    #[test]
    fn other_texts_are_no_names() {
        for name in ["", " a", "-rf", "..", "a ", "a,b", "a\n", "=1+1", "é", &"x".repeat(41), "a\u{1b}[2J"] {
            assert!(BotName::new(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn escapes_and_directions_are_not_shown_raw() {
        assert_eq!(escaped("a\u{1b}[2J\n\u{202e}b", 80), "a\\u{1b}[2J\\n\\u{202e}b");
        assert_eq!(escaped("abcdef", 3), "abc…");
    }

    #[test]
    fn what_is_not_seen_is_escaped() {
        // A few of each range of DerivedCoreProperties.txt, and what is blank beside them.
        for c in "\u{ad}\u{34f}\u{61c}\u{70f}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}\u{180e}\u{180f}\u{200b}\u{200f}\u{202a}\u{202e}\u{2060}\u{2065}\
                  \u{206f}\u{2800}\u{3164}\u{fe00}\u{fe0f}\u{feff}\u{ffa0}\u{fff0}\u{fff8}\u{1bca0}\u{1bca3}\u{1d159}\u{1d173}\u{1d17a}\u{e0000}\u{e0fff}"
            .chars()
        {
            assert_eq!(escaped(&c.to_string(), 80), c.escape_default().to_string());
        }
        for text in ["Zoë", "Zoe\u{308}", "日本 代表", "Łukasz", "a–b", "🦊", "\u{115e}\u{1161}\u{2801}"] {
            assert_eq!(escaped(text, 80), text);
        }
    }

    #[test]
    fn a_seat_set_holds_what_was_put_in() {
        let mut set: SeatSet = [Seat(9), Seat(0), Seat(3)].into_iter().collect();
        assert!(set.iter().eq([Seat(0), Seat(3), Seat(9)]));
        set.remove(Seat(3));
        assert!(!set.contains(Seat(3)) && set.contains(Seat(9)));
        assert_eq!(SeatSet::first(10).len(), 10);
    }
}
