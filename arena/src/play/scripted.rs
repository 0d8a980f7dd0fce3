//! Players that do as they are told: for tests of the driver and the games.

use super::Player;
use crate::failure::CallError;
use crate::ids::{Answer, Fault, Seat};

/// From (decision, view) to an answer.
type Script = dyn FnMut(u8, &[u8]) -> Result<i64, Fault>;

/// A player whose every answer is given by a function of (decision, view).
pub struct Scripted {
    script: Box<Script>,
    start: Result<(), Fault>,
    /// How often it was started.
    pub starts: u32,
}

impl Scripted {
    /// Answers by `script`.
    pub fn new(script: impl FnMut(u8, &[u8]) -> Result<i64, Fault> + 'static) -> Scripted {
        Scripted { script: Box::new(script), start: Ok(()), starts: 0 }
    }

    /// Always the same action.
    pub fn answering(action: i64) -> Scripted {
        Scripted::new(move |_, _| Ok(action))
    }

    /// Fails every decision.
    pub fn failing(fault: Fault) -> Scripted {
        Scripted::new(move |_, _| Err(fault))
    }

    /// Fails to start.
    pub fn unstartable(fault: Fault) -> Scripted {
        Scripted { start: Err(fault), ..Scripted::answering(0) }
    }

    /// In Little Hunters: the highest card, and the opponent's highest as the guess.
    pub fn highest() -> Scripted {
        use bot_sdk::Plain;
        use bot_sdk::little_hunters::{View, decision};
        Scripted::new(|asked, view| {
            let view = View::from_bytes(view).ok_or(Fault::Protocol)?;
            let hand = if u32::from(asked) == decision::PLAY { view.own_hand } else { view.opponent_hand };
            Ok(hand.highest().into())
        })
    }
}

impl Player for Scripted {
    fn start(&mut self, _seat: Seat, _seats: usize, _seed: u64) -> Result<(), CallError> {
        self.starts += 1;
        Ok(self.start?)
    }

    fn decide(&mut self, decision: u8, view: &[u8]) -> Result<Answer, CallError> {
        Ok(Answer { action: (self.script)(decision, view)?, fuel: 0 })
    }
}
