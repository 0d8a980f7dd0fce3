//! What a bot says of itself: the custom section `arena.bot`.

use serde::Serialize;
use serde_json::Value;

use crate::ids::{BotName, escaped};

/// A bot's metadata. Everything is optional, and all text is somebody's words: [`Metadata::read`] bounds and
/// escapes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Metadata {
    /// The game it plays.
    pub game: Option<String>,
    /// The games it plays, if more than one.
    pub games: Vec<String>,
    /// Its name.
    pub name: Option<BotName>,
    /// Its version.
    pub version: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// The language it is written in.
    pub language: Option<String>,
}

impl Metadata {
    /// The largest section, in bytes.
    pub const MAX_BYTES: usize = 16 * 1024;
    /// Texts are cut after so many characters.
    const MAX_TEXT: usize = 200;

    /// Games after the first so many are left out.
    const MAX_GAMES: usize = 100;

    /// Reads the section's JSON: what can be read of it, and everything that is wrong with it. Unknown keys are left
    /// out: they may be a later version's.
    pub fn read(section: &[u8]) -> (Metadata, Vec<String>) {
        let mut metadata = Metadata::default();
        if section.len() > Self::MAX_BYTES {
            let wrong = format!("it has {} bytes, above the limit of {}", section.len(), Self::MAX_BYTES);
            return (metadata, vec![wrong]);
        }
        let object = match serde_json::from_slice(section) {
            Ok(Value::Object(object)) => object,
            Ok(other) => return (metadata, vec![format!("expected a JSON object, found {}", found(&other))]),
            Err(error) => return (metadata, vec![format!("it is not JSON: {}", escaped(&error.to_string(), 200))]),
        };
        let mut wrong = Vec::new();
        for (key, value) in &object {
            let read = match key.as_str() {
                "game" => text(value).map(|game| metadata.game = game),
                "games" => texts(value).map(|games| metadata.games = games),
                "name" => name(value).map(|name| metadata.name = name),
                "version" => text(value).map(|version| metadata.version = version),
                "author" => text(value).map(|author| metadata.author = author),
                "description" => text(value).map(|description| metadata.description = description),
                "language" => text(value).map(|language| metadata.language = language),
                _ => Ok(()),
            };
            wrong.extend(read.err().map(|reason| format!("{key}: {reason}")));
        }
        (metadata, wrong)
    }

    /// Whether the bot says that it plays a game; a bot that names none plays whatever it is entered for.
    pub fn plays(&self, game: &str) -> bool {
        let mut named = self.named_games().peekable();
        named.peek().is_none() || named.any(|own| own == game)
    }

    /// The games that it names.
    pub fn named_games(&self) -> impl Iterator<Item = &str> {
        self.game.iter().chain(&self.games).map(String::as_str)
    }
}

/// What a value is, for people.
fn found(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
        other => escaped(&other.to_string(), 60),
    }
}

fn text(value: &Value) -> Result<Option<String>, String> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(escaped(text, Metadata::MAX_TEXT))),
        other => Err(format!("expected a text, found {}", found(other))),
    }
}

fn texts(value: &Value) -> Result<Vec<String>, String> {
    let Value::Array(values) = value else {
        return Err(format!("expected a list of texts, found {}", found(value)));
    };
    let one = |value: &Value| text(value)?.ok_or_else(|| "expected a text, found null".to_owned());
    values.iter().take(Metadata::MAX_GAMES).map(one).collect()
}

fn name(value: &Value) -> Result<Option<BotName>, String> {
    match value {
        // The name's own check tells what is wrong with the text as it is.
        Value::String(name) => BotName::new(name).map(Some).map_err(|bad| bad.to_string()),
        other => text(other).map(|_| None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Metadata with which nothing is wrong.
    fn good(section: &[u8]) -> Metadata {
        let (metadata, wrong) = Metadata::read(section);
        assert_eq!(wrong, [""; 0]);
        metadata
    }

    #[test]
    fn sections_of_the_sdk_are_read() {
        let metadata = good(br#"{"game":"little-hunters","name":"Uniform 2","version":"0.1.0"}"#);
        assert_eq!(metadata.name.as_ref().unwrap().as_str(), "Uniform 2");
        assert!(metadata.plays("little-hunters"));
        assert!(!metadata.plays("card-hunt"));
    }

    #[test]
    fn a_bot_that_names_no_game_plays_any() {
        assert!(Metadata::default().plays("card-hunt"));
        assert!(good(br#"{"games":["a","b"]}"#).plays("b"));
    }

    #[test]
    fn bad_sections_say_everything_that_is_wrong() {
        let wrong = |section: &[u8]| Metadata::read(section).1;
        assert_eq!(wrong(b"{"), ["it is not JSON: EOF while parsing an object at line 1 column 1"]);
        assert_eq!(wrong(b"[1]"), ["expected a JSON object, found a list"]);
        assert!(wrong(&vec![b' '; 20_000])[0].contains("16384"));
        let deep = "[".repeat(10_000);
        assert_eq!(wrong(format!("{{\"name\":{deep}").as_bytes()).len(), 1);
        let section = br#"{"author":5,"game":"little-hunters","games":["a",null],"name":"../x","version":{},"x":1}"#;
        let (metadata, wrong) = Metadata::read(section);
        let name =
            "name: \"../x\" is not a valid bot name: only a to z, A to Z, digits, space, '.', '_' and '-' are allowed";
        assert_eq!(
            wrong,
            [
                "author: expected a text, found 5",
                "games: expected a text, found null",
                name,
                "version: expected a text, found an object"
            ]
        );
        assert_eq!(metadata.game.as_deref(), Some("little-hunters"));
    }

    #[test]
    fn texts_are_escaped_and_cut() {
        let metadata = good(br#"{"author":"a\u001b[2Jb"}"#);
        assert_eq!(metadata.author.unwrap(), "a\\u{1b}[2Jb");
    }
}
