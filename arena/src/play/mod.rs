//! A match: a game and its players meet.
//!
//! [`driver`] is the one place that asks players, judges answers by the game, counts faults and replaces lost
//! instances. A [`Player`] is a seat's mind: a WebAssembly instance ([`wasm`]), a native bot ([`native`]), the built-in
//! random player ([`random`]) or a script ([`scripted`]). This is the only module that knows both games and the sandbox.

pub mod account;
pub mod driver;
pub mod native;
pub mod random;
pub mod scripted;
pub mod wasm;

use crate::failure::CallError;
use crate::ids::{Answer, Seat};

pub use driver::{MatchPlan, MatchRecord, Observer, SeatRecord, play_match};

/// A seat's mind. It fails by a [`Fault`](crate::ids::Fault) (never `Illegal`: that is the game's to say), after which
/// the driver starts it anew before the next decision, or because the host does, which ends the match without a result.
pub trait Player {
    /// A fresh mind for a match, or for the rest of it: it remembers nothing.
    ///
    /// # Errors
    /// The fault with which it failed to start, or the host's error.
    fn start(&mut self, seat: Seat, seats: usize, seed: u64) -> Result<(), CallError>;

    /// Answers a decision from the view's bytes.
    ///
    /// # Errors
    /// The fault with which it failed, or the host's error.
    fn decide(&mut self, decision: u8, view: &[u8]) -> Result<Answer, CallError>;
}

impl<P: Player + ?Sized> Player for Box<P> {
    fn start(&mut self, seat: Seat, seats: usize, seed: u64) -> Result<(), CallError> {
        (**self).start(seat, seats, seed)
    }

    fn decide(&mut self, decision: u8, view: &[u8]) -> Result<Answer, CallError> {
        (**self).decide(decision, view)
    }
}
