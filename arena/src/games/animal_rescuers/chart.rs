//! The chart: whom each of the twelve animals 1 to 6 thanks, as a league writes it.

use std::collections::BTreeMap;
use std::fmt;

use bot_sdk::animal_rescuers::{Card, Cards, Rule, shape, which, zone};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Where an animal looks for the card whose owner it thanks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Zone {
    /// Among the cards in play.
    InPlay,
    /// Among the cards in hand.
    InHand,
}

/// Which cards count for an animal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// All, the 0 too.
    Any,
    /// Only circles.
    Circle,
    /// Only triangles.
    Triangle,
}

/// Which of the cards that count an animal looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Which {
    /// The highest.
    Highest,
    /// The lowest.
    Lowest,
}

/// Whom one animal thanks: the owner of the highest or lowest card of a shape in a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Where it looks.
    pub zone: Zone,
    /// Which cards count.
    pub shape: Shape,
    /// Which of them it looks for.
    pub which: Which,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.which {
            Which::Highest => "the highest ",
            Which::Lowest => "the lowest ",
        })?;
        f.write_str(match self.shape {
            Shape::Any => "card ",
            Shape::Circle => "circle ",
            Shape::Triangle => "triangle ",
        })?;
        f.write_str(match self.zone {
            Zone::InPlay => "in play",
            Zone::InHand => "in hand",
        })
    }
}

/// An entry for each of the twelve animals, in the order of their cards' numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chart(pub [Entry; 12]);

/// The cards that a chart has an entry for: all but the 0.
pub fn animals() -> impl Iterator<Item = Card> {
    Cards::ALL.without(Card::ANT).iter()
}

impl Chart {
    /// The animal's entry; `None` for the 0, which thanks everybody.
    pub fn entry(&self, animal: Card) -> Option<Entry> {
        animals().position(|card| card == animal).map(|place| self.0[place])
    }

    /// The chart as views hold it.
    pub fn rules(&self) -> [Rule; 12] {
        self.0.map(|entry| Rule {
            zone: match entry.zone {
                Zone::InPlay => zone::IN_PLAY,
                Zone::InHand => zone::IN_HAND,
            },
            shape: match entry.shape {
                Shape::Any => shape::ANY,
                Shape::Circle => shape::CIRCLE,
                Shape::Triangle => shape::TRIANGLE,
            },
            which: match entry.which {
                Which::Highest => which::HIGHEST,
                Which::Lowest => which::LOWEST,
            },
        })
    }

    /// The chart that views hold so; numbers that mean nothing are taken for the first meaning.
    pub fn of_rules(rules: &[Rule; 12]) -> Chart {
        Chart(rules.map(|rule| Entry {
            zone: if rule.zone == zone::IN_HAND { Zone::InHand } else { Zone::InPlay },
            shape: match rule.shape {
                shape::CIRCLE => Shape::Circle,
                shape::TRIANGLE => Shape::Triangle,
                _ => Shape::Any,
            },
            which: if rule.which == which::LOWEST { Which::Lowest } else { Which::Highest },
        }))
    }

    /// Checks that every combination of zone, shape and highest or lowest is there once.
    ///
    /// # Errors
    /// The first count that is wrong, and what it should be.
    pub fn check(&self) -> Result<(), String> {
        let count = |what: &str, wanted: usize, counts: &dyn Fn(&Entry) -> bool| {
            let found = self.0.iter().filter(|entry| counts(entry)).count();
            let animals = if found == 1 { "animal thanks" } else { "animals thank" };
            if found == wanted { Ok(()) } else { Err(format!("{found} {animals} {what}, and {wanted} should")) }
        };
        count("for the highest", 6, &|entry| entry.which == Which::Highest)?;
        count("for the lowest", 6, &|entry| entry.which == Which::Lowest)?;
        count("for cards in play", 6, &|entry| entry.zone == Zone::InPlay)?;
        count("for cards in hand", 6, &|entry| entry.zone == Zone::InHand)?;
        count("for circles", 4, &|entry| entry.shape == Shape::Circle)?;
        count("for triangles", 4, &|entry| entry.shape == Shape::Triangle)?;
        count("for cards of any shape", 4, &|entry| entry.shape == Shape::Any)?;
        // Twelve entries for twelve combinations: if one is missing, another is there twice.
        self.0.iter().try_for_each(|entry| count(&format!("for {entry}"), 1, &|other| other == entry))
    }
}

impl Default for Chart {
    fn default() -> Self {
        use {Shape::*, Which::*, Zone::*};
        let entry = |which, shape, zone| Entry { zone, shape, which };
        Chart([
            entry(Lowest, Any, InHand),
            entry(Highest, Any, InPlay),
            entry(Lowest, Triangle, InPlay),
            entry(Highest, Circle, InHand),
            entry(Highest, Triangle, InPlay),
            entry(Lowest, Circle, InHand),
            entry(Lowest, Circle, InPlay),
            entry(Highest, Triangle, InHand),
            entry(Highest, Circle, InPlay),
            entry(Lowest, Triangle, InHand),
            entry(Highest, Any, InHand),
            entry(Lowest, Any, InPlay),
        ])
    }
}

/// A card as a chart's key names it, for example `1 circle`.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key(Card);

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        animals().find(|card| card.to_string() == text).map(Key).ok_or_else(|| {
            let text = crate::ids::escaped(&text, 60);
            serde::de::Error::custom(format!(
                "\"{text}\" has no place in a chart; cards from \"1 circle\" to \"6 triangle\" do"
            ))
        })
    }
}

impl Serialize for Chart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(animals().map(Key).zip(&self.0))
    }
}

impl<'de> Deserialize<'de> for Chart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = BTreeMap::<Key, Entry>::deserialize(deserializer)?;
        let mut chart = Chart::default();
        for (place, card) in chart.0.iter_mut().zip(animals()) {
            *place = *entries.get(&Key(card)).ok_or_else(|| {
                let found = entries.len();
                serde::de::Error::custom(format!(
                    "the chart has {found} entries, and 12 are wanted: \"{card}\" has none"
                ))
            })?;
        }
        Ok(chart)
    }
}
