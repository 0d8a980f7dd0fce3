//! Bots that run natively: the type a contestant writes, without WebAssembly in between.
//!
//! For tests, debuggers and speed comparisons. A native bot is trusted: nothing meters or confines it.

use bot_sdk::Bot;

use super::Player;
use crate::failure::{CallError, HostError};
use crate::ids::{Answer, Seat};

/// A function that makes a bot at the start of a match: seat, seats, seed.
pub type Make = fn(u32, u32, u64) -> Box<dyn Bot>;

/// The [`Make`] of a bot's type (a game's `Adapter` of it).
pub fn make<B: Bot + 'static>(seat: u32, seats: u32, seed: u64) -> Box<dyn Bot> {
    Box::new(B::start(seat, seats, seed))
}

/// A native bot in a seat.
pub struct Native {
    make: Make,
    bot: Option<Box<dyn Bot>>,
}

impl Native {
    /// A player that is not started yet.
    pub fn new(make: Make) -> Native {
        Native { make, bot: None }
    }
}

impl Player for Native {
    fn start(&mut self, seat: Seat, seats: usize, seed: u64) -> Result<(), CallError> {
        self.bot = Some((self.make)(seat.0.into(), seats as u32, seed));
        Ok(())
    }

    fn decide(&mut self, decision: u8, view: &[u8]) -> Result<Answer, CallError> {
        let absent = || HostError::new("ask a native bot", "it is not started");
        let bot = self.bot.as_mut().ok_or_else(absent)?;
        Ok(Answer { action: bot.decide(decision.into(), view), fuel: 0 })
    }
}
