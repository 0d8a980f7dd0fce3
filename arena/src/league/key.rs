//! Keys of blocks: what a block's tally is a function of, hashed.

use std::fmt;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::games::GameInfo;
use crate::sandbox::{Limits, engine_version};

/// The format of the journal and of what its keys hash.
pub const FORMAT: &str = "arena journal 1";

/// A block's key: a hash of all that its tally is a function of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub [u8; 16]);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        HEXLOWER.encode_display(&self.0).fmt(f)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Key {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let key = HEXLOWER.decode(text.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
        key.map(Key).ok_or_else(|| serde::de::Error::custom("32 hexadecimal digits are expected"))
    }
}

/// The part of a block's key that all blocks of a league share: everything that can alter play but the bots, the
/// lineup and the deals.
pub struct KeyBase(Sha256);

/// The versions that a key hashes: results of different ones are never mixed.
#[derive(Clone, Copy)]
struct Versions<'v> {
    journal: &'v str,
    engine: &'v str,
    interface: i32,
    rules: u32,
}

impl KeyBase {
    /// Hashes the versions of journal, interface, rules and engine, the game's options, the limits and the seed.
    pub fn new(info: &GameInfo, options: &serde_json::Value, limits: &Limits, seed: u64) -> KeyBase {
        let versions = Versions {
            journal: FORMAT,
            engine: engine_version(),
            interface: bot_sdk::abi::VERSION,
            rules: info.rules_version,
        };
        KeyBase::of_versions(versions, info.name, options, limits, seed)
    }

    fn of_versions(
        versions: Versions<'_>,
        game: &str,
        options: &serde_json::Value,
        limits: &Limits,
        seed: u64,
    ) -> KeyBase {
        let limits = serde_json::to_string(limits).expect("limits are plain data");
        let mut hash = Sha256::new();
        for part in [
            versions.journal,
            versions.engine,
            game,
            &format!("abi {} rules {} seed {seed}", versions.interface, versions.rules),
            &options.to_string(),
            &limits,
        ] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        KeyBase(hash)
    }

    /// The key of a block. `bots` are the hashes of the lineup's bots, in its order.
    pub fn key<'b>(&self, bots: impl Iterator<Item = &'b str>, first: u64, deals: u32) -> Key {
        let mut hash = self.0.clone();
        for bot in bots {
            hash.update(bot);
        }
        hash.update(first.to_le_bytes());
        hash.update(deals.to_le_bytes());
        let mut key = [0; 16];
        key.copy_from_slice(&hash.finalize()[..16]);
        Key(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;
    use crate::games::little_hunters::LittleHunters;

    #[test]
    fn every_input_alters_the_key() {
        let options = serde_json::json!({"tiebreak_series": 3});
        let info = &LittleHunters::INFO;
        let limits = Limits::default();
        let base = KeyBase::new(info, &options, &limits, 1);
        let key = base.key(["a", "b"].into_iter(), 0, 10);
        let other_options = serde_json::json!({"tiebreak_series": 2});
        let other_limits = Limits { restarts: 9, ..Limits::default() };
        let others = [
            base.key(["b", "a"].into_iter(), 0, 10),
            base.key(["a", "b"].into_iter(), 10, 10),
            base.key(["a", "b"].into_iter(), 0, 11),
            KeyBase::new(info, &options, &limits, 2).key(["a", "b"].into_iter(), 0, 10),
            KeyBase::new(info, &other_options, &limits, 1).key(["a", "b"].into_iter(), 0, 10),
            KeyBase::new(info, &options, &other_limits, 1).key(["a", "b"].into_iter(), 0, 10),
        ];
        assert!(others.iter().all(|other| *other != key));
    }

    #[test]
    fn every_version_alters_the_key() {
        let options = serde_json::json!({});
        let info = &LittleHunters::INFO;
        let limits = Limits::default();
        let key = |base: KeyBase| base.key(["a", "b"].into_iter(), 0, 10);
        let of = |versions, game| key(KeyBase::of_versions(versions, game, &options, &limits, 1));
        let now = Versions {
            journal: FORMAT,
            engine: engine_version(),
            interface: bot_sdk::abi::VERSION,
            rules: info.rules_version,
        };
        let today = key(KeyBase::new(info, &options, &limits, 1));
        assert_eq!(of(now, info.name), today, "these are the versions that are hashed");
        let others = [
            of(Versions { journal: "another", ..now }, info.name),
            of(Versions { engine: "another", ..now }, info.name),
            of(Versions { interface: now.interface + 1, ..now }, info.name),
            of(Versions { rules: now.rules + 1, ..now }, info.name),
            of(now, "another-game"),
        ];
        let distinct: std::collections::HashSet<_> = others.iter().chain([&today]).collect();
        assert_eq!(distinct.len(), others.len() + 1);
    }
}
