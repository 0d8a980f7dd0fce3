//! What a run plays, as its results say it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::key::{Key, KeyBase};
use super::rating_options::RatingOptions;
use super::schedule::{Plan, Schedule};
use super::source::{ConfigError, in_words};
use crate::games::{BadOption, GameId, GameOptions};
use crate::ids::escaped;
use crate::sandbox::{Limits, engine_version};

/// The most lineups × ranges that are kept in one journal.
pub(super) const MOST_BLOCKS: u64 = 50_000_000;

/// What a run plays, as its results say it: complete, so that a table can be made without the league file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// The version of arena.
    pub arena: String,
    /// The game's name.
    pub game: String,
    /// The version of the game's rules.
    pub rules: u32,
    /// The version of the interface to bots.
    pub abi: i32,
    /// The engine and its settings.
    pub engine: String,
    /// The game's options, complete.
    pub options: serde_json::Value,
    /// Limits on the bots.
    pub limits: Limits,
    /// The league's seed.
    pub seed: u64,
    /// Deals of each lineup.
    pub deals: u64,
    /// Seats of a match.
    pub seats: usize,
    /// The most lineups to play, a balanced sample of all; `None` for all.
    pub lineups: Option<u64>,
    /// Deals of a block.
    pub block: u32,
    /// The entrants.
    pub bots: Vec<BotIdentity>,
    /// Bots that were submitted and cannot be played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// How results are rated.
    pub rating: RatingOptions,
}

/// A bot that was submitted and taken, and cannot be played all the same: its module is refused now, as by a slower
/// machine. It is left out, in the same way by whoever goes on, until its file, the limits or the engine change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its name in the league.
    pub name: String,
    /// The SHA-256 of its file, in hexadecimal.
    pub sha256: String,
    /// Why, in a line.
    pub reason: String,
}

/// A bot as results name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotIdentity {
    /// Its name in the league.
    pub name: String,
    /// The SHA-256 of its file, in hexadecimal.
    pub sha256: String,
}

impl Identity {
    /// That of a league with this version of everything, which has no bots and one deal so far.
    pub fn of(options: &GameOptions, seats: usize, limits: Limits) -> Identity {
        let info = options.game().info();
        Identity {
            arena: env!("CARGO_PKG_VERSION").into(),
            game: info.name.into(),
            rules: info.rules_version,
            abi: bot_sdk::abi::VERSION,
            engine: engine_version().into(),
            options: options.to_json(),
            limits,
            seed: 0,
            deals: 1,
            seats,
            lineups: None,
            block: 1,
            bots: Vec::new(),
            left_out: Vec::new(),
            rating: RatingOptions::default(),
        }
    }

    /// Whether there can be such a league: a journal that says something else was altered.
    pub fn is_possible(&self) -> bool {
        let seats = 1..=bot_sdk::abi::MAX_SEATS;
        !self.bots.is_empty()
            && seats.contains(&self.seats)
            && self.block > 0
            && self.deals > 0
            && self.lineups != Some(0)
            && self.deals / u64::from(self.block) <= MOST_BLOCKS
    }

    /// All blocks.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(&Plan {
            bots: self.bots.len(),
            seats: self.seats,
            lineups: self.lineups.unwrap_or(u64::MAX),
            seed: self.seed,
            deals: self.deals,
            block_deals: self.block,
        })
    }

    /// What differs from another identity in ways that make blocks be played anew: one line a difference.
    pub fn differences(&self, before: &Identity) -> Vec<String> {
        let mut lines = Vec::new();
        let mut compare = |what: &str, before: &dyn fmt::Display, now: &dyn fmt::Display| {
            let (before, now) = (before.to_string(), now.to_string());
            if before != now {
                lines.push(format!("{what}: {before} before, {now} now"));
            }
        };
        compare("game", &before.game, &self.game);
        compare("rules version", &before.rules, &self.rules);
        compare("interface version", &before.abi, &self.abi);
        compare("engine", &before.engine, &self.engine);
        compare("options", &before.options, &self.options);
        compare("seed", &before.seed, &self.seed);
        compare("seats", &before.seats, &self.seats);
        compare("deals", &before.deals, &self.deals);
        let lineups = |identity: &Identity| identity.lineups.map_or("all".to_owned(), |most| most.to_string());
        compare("lineups", &lineups(before), &lineups(self));
        compare("block", &before.block, &self.block);
        let limits = |identity: &Identity| serde_json::to_string(&identity.limits).expect("limits are plain data");
        compare("limits", &limits(before), &limits(self));
        let hashes = |identity: &Identity| -> BTreeMap<String, String> {
            identity.bots.iter().map(|bot| (bot.name.clone(), bot.sha256.clone())).collect()
        };
        let (old, new) = (hashes(before), hashes(self));
        for (name, sha256) in &new {
            match old.get(name) {
                None => lines.push(format!("bot {name}: new")),
                Some(before) if before != sha256 => lines.push(format!("bot {name}: changed")),
                Some(_) => {}
            }
        }
        let left_out = |name: &str| self.left_out.iter().any(|bot| bot.name == name);
        for name in old.keys().filter(|name| !new.contains_key(*name) && !left_out(name)) {
            lines.push(format!("bot {}: gone", escaped(name, 60)));
        }
        lines
    }

    /// The game's options, if this version plays the game as it was played. `path` is what errors name.
    ///
    /// # Errors
    /// What this version does not know, or plays differently.
    pub fn playable(&self, path: &Path) -> Result<GameOptions, ConfigError> {
        let wrong = |message| ConfigError { file: path.to_owned(), line: None, key: None, message, host: false };
        let game = GameId::from_name(&self.game)
            .ok_or_else(|| wrong(format!("its game \"{}\" is not known here", escaped(&self.game, 60))))?;
        self.limits.validate().map_err(|(key, message)| wrong(format!("limits.{key}: {message}")))?;
        let made_by = |what: &str, before: &dyn fmt::Display, now: &dyn fmt::Display| {
            let (before, now) = (escaped(&before.to_string(), 60), now.to_string());
            let message =
                format!("it was played by another {what}, {before}; this one is {now}, and plays differently");
            if before == now { Ok(()) } else { Err(wrong(message)) }
        };
        made_by("version of the rules", &self.rules, &game.info().rules_version)?;
        made_by("version of the interface", &self.abi, &bot_sdk::abi::VERSION)?;
        made_by("engine", &self.engine, &engine_version())?;
        GameOptions::from_json(game, &self.options, self.seats).map_err(|BadOption { key, reason }| {
            let key = if key.is_empty() { "options".into() } else { format!("options.{}", escaped(&key, 60)) };
            wrong(format!("{key}: {}", in_words(&reason, Some(&key))))
        })
    }

    /// The key of every block, in schedule order.
    pub fn block_keys(&self, game: GameId, schedule: &Schedule) -> Vec<Key> {
        let base = KeyBase::new(game.info(), &self.options, &self.limits, self.seed);
        let key = |index| {
            let block = schedule.block(index);
            let bots = schedule.lineups()[block.lineup].0.iter();
            base.key(bots.map(|&bot| self.bots[bot as usize].sha256.as_str()), block.first, block.deals)
        };
        (0..schedule.len()).map(key).collect()
    }
}
