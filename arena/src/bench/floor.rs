//! The sandbox's own work, without a bot's and without a game's.

use std::io;

use super::decisions;
use crate::failure::CallError;
use crate::games::GameId;
use crate::ids::Seat;
use crate::sandbox::{BotModule, BotThread, Limits, LoadError, Sandbox};
use crate::tally::BlockTally;

/// A bot that answers at once, with a view buffer for every game: `idle.wat`.
const IDLE: &[u8] = include_bytes!("idle.wasm");

/// As many instances and calls as a block that was played has, of a bot that does nothing, with views of the same size.
pub struct Floor {
    idle: BotModule,
    matches: u64,
    seats: usize,
    /// Of the whole block.
    calls: u64,
    view: Vec<u8>,
}

impl Floor {
    /// The floor of a block that was played.
    ///
    /// # Errors
    /// The idle bot is refused.
    pub fn of(sandbox: &Sandbox, game: GameId, block: &BlockTally) -> Result<Floor, LoadError> {
        let idle = BotModule::load(sandbox, IDLE, game.view_size(), game.info().seats.0)?;
        let view = vec![0; game.view_size()];
        Ok(Floor { idle, matches: block.matches, seats: block.places.len(), calls: decisions(block), view })
    }

    /// Does it with a fresh instance for each seat of each match; the number of matches that it stands for.
    ///
    /// # Errors
    /// The idle bot failed.
    pub fn fresh(&self, thread: BotThread) -> io::Result<u64> {
        self.work(thread, false)
    }

    /// Does it with instances that are set back from match to match, as a league does.
    ///
    /// # Errors
    /// The idle bot failed.
    pub fn reused(&self, thread: BotThread) -> io::Result<u64> {
        self.work(thread, true)
    }

    fn work(&self, thread: BotThread, reuse: bool) -> io::Result<u64> {
        let failed = |what: String| io::Error::other(format!("the bot that does nothing failed: {what}"));
        let instances = self.matches * self.seats as u64;
        let mut kept: Vec<_> = (0..self.seats).map(|_| None).collect();
        for number in 0..instances {
            let seat = Seat((number % self.seats as u64) as u8);
            let started = match kept[seat.index()].take().filter(|_| reuse) {
                Some(old) => self.idle.restart(thread, old, seat, self.seats, 1, None),
                None => self.idle.start(thread, seat, self.seats, 1, None).map(Box::new),
            };
            let mut instance = started.map_err(|error| failed(CallError::from(error).to_string()))?;
            // As evenly as they come.
            for _ in self.calls * number / instances..self.calls * (number + 1) / instances {
                let answer = instance.decide(0, &self.view, Limits::default().decision_fuel);
                std::hint::black_box(answer.map_err(|fault| failed(fault.to_string()))?);
            }
            kept[seat.index()] = Some(instance);
        }
        Ok(self.matches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_idle_bot_is_its_text() {
        assert_eq!(wat::parse_str(include_str!("idle.wat")).unwrap(), IDLE);
    }
}
