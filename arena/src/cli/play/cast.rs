//! Who plays.

use std::path::Path;

use crate::games::GameId;
use crate::ids::{BotName, escaped};
use crate::play::Player;
use crate::play::account::{LogSink, Logged};
use crate::play::random::{self, Legal, Random};
use crate::play::wasm::Wasm;
use crate::sandbox::{BotModule, BotThread, Sandbox};

use super::super::bots::load_bot;
use super::super::error::Failure;

/// One who plays, in any number of seats.
pub(super) struct Actor {
    pub(super) name: String,
    part: Part,
}

enum Part {
    Bot(Box<BotModule>),
    Random,
    Human,
}

impl Actor {
    /// A bot by its own name, else by its file's. `path` is what errors name.
    pub(super) fn bot(
        sandbox: &Sandbox,
        game: GameId,
        seats: usize,
        path: &Path,
        bytes: &[u8],
    ) -> Result<Actor, Failure> {
        let module = load_bot(sandbox, game, seats, path, bytes)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let own = module.metadata().name.as_ref().map(BotName::to_string);
        let name = own.unwrap_or_else(|| match BotName::new(&stem) {
            Ok(name) => name.to_string(),
            Err(_) => escaped(&stem, BotName::MAX_LEN),
        });
        Ok(Actor { name, part: Part::Bot(Box::new(module)) })
    }

    /// The same under a name that it has in a league.
    pub(super) fn called(self, name: &str) -> Actor {
        Actor { name: name.to_owned(), ..self }
    }

    /// The built-in opponent.
    pub(super) fn random() -> Actor {
        Actor { name: random::NAME.into(), part: Part::Random }
    }

    /// The person at the terminal.
    pub(super) fn human() -> Actor {
        Actor { name: "human".into(), part: Part::Human }
    }

    pub(super) fn is_human(&self) -> bool {
        matches!(self.part, Part::Human)
    }

    /// The SHA-256 of its file.
    pub(super) fn sha256(&self) -> Option<String> {
        match &self.part {
            Part::Bot(module) => Some(module.sha256().to_owned()),
            _ => None,
        }
    }

    /// Its player for one match, who logs to `logs`. There is none for a human.
    pub(super) fn player<'p>(
        &'p self,
        thread: BotThread,
        fuel: &'p [u64],
        logs: &'p LogSink,
        legal: &'p Legal,
    ) -> Option<Box<dyn Player + 'p>> {
        match &self.part {
            Part::Bot(module) => Some(Box::new(Logged::new(Wasm::with_log(thread, module, fuel), logs))),
            Part::Random => Some(Box::new(Random::new(legal))),
            Part::Human => None,
        }
    }
}
