//! What a bot says of itself: the custom section `arena.bot`.

use serde::{Deserialize, Serialize};

use crate::ids::{BotName, escaped};

/// A bot's metadata. Everything is optional, and all text is somebody's words: [`Metadata::parse`] bounds and
/// escapes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
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

    /// Reads the section's JSON. Unknown keys are left out: they may be a later version's.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(section: &[u8]) -> Result<Metadata, String> {
        if section.len() > Self::MAX_BYTES {
            return Err(format!("it has {} bytes, above the most, {}", section.len(), Self::MAX_BYTES));
        }
        let mut metadata: Metadata =
            serde_json::from_slice(section).map_err(|error| escaped(&error.to_string(), Self::MAX_TEXT))?;
        let texts = [&mut metadata.version, &mut metadata.author, &mut metadata.description, &mut metadata.language];
        for text in texts.into_iter().flatten() {
            *text = escaped(text, Self::MAX_TEXT);
        }
        for game in metadata.games.iter_mut().chain(&mut metadata.game) {
            *game = escaped(game, Self::MAX_TEXT);
        }
        metadata.games.truncate(100);
        Ok(metadata)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_of_the_sdk_are_read() {
        let metadata = Metadata::parse(br#"{"game":"little-hunters","name":"Uniform 2","version":"0.1.0"}"#).unwrap();
        assert_eq!(metadata.name.as_ref().unwrap().as_str(), "Uniform 2");
        assert!(metadata.plays("little-hunters"));
        assert!(!metadata.plays("card-hunt"));
    }

    #[test]
    fn a_bot_that_names_no_game_plays_any() {
        assert!(Metadata::default().plays("card-hunt"));
        assert!(Metadata::parse(br#"{"games":["a","b"]}"#).unwrap().plays("b"));
    }

    #[test]
    fn bad_sections_say_what_is_wrong() {
        assert!(Metadata::parse(b"{").unwrap_err().contains("line 1"));
        assert!(Metadata::parse(br#"{"name":"../x"}"#).unwrap_err().contains("bot name"));
        assert!(Metadata::parse(&vec![b' '; 20_000]).unwrap_err().contains("16384"));
        let deep = "[".repeat(10_000);
        assert!(Metadata::parse(format!("{{\"name\":{deep}").as_bytes()).is_err());
    }

    #[test]
    fn texts_are_escaped_and_cut() {
        let metadata = Metadata::parse(br#"{"author":"a\u001b[2Jb"}"#).unwrap();
        assert_eq!(metadata.author.unwrap(), "a\\u{1b}[2Jb");
    }
}
