//! The built-in opponent: every legal answer equally likely.
//!
//! Views do not list what is legal, so whoever watches the match looks it up in the state ([`Legal::look`]) before
//! the seat is asked. The same seed gives the same answers to the same questions.

use std::cell::RefCell;

use bot_sdk::Rng;

use super::Player;
use crate::failure::{CallError, HostError};
use crate::games::Game;
use crate::ids::{Answer, Seat};

/// How users name the built-in opponent. No bot can have this name.
pub const NAME: &str = "@random";

/// What is legal for the seat that is asked.
#[derive(Debug, Default)]
pub struct Legal(RefCell<Vec<i64>>);

impl Legal {
    /// Looks up what is legal for a seat that is about to be asked.
    pub fn look<G: Game>(&self, seat: Seat, state: &G) {
        let mut legal = self.0.borrow_mut();
        legal.clear();
        state.legal_answers(seat, &mut |answer| legal.push(answer));
    }

    /// The legal answers, or a fair choice of them where they are too many.
    pub fn answers(&self) -> Vec<i64> {
        self.0.borrow().clone()
    }
}

/// A player that chooses among the legal answers by its dice.
pub struct Random<'l> {
    legal: &'l Legal,
    dice: Rng,
}

impl<'l> Random<'l> {
    /// A player that is not started yet.
    pub fn new(legal: &'l Legal) -> Random<'l> {
        Random { legal, dice: Rng::new(0) }
    }
}

impl Player for Random<'_> {
    fn start(&mut self, _seat: Seat, _seats: usize, seed: u64) -> Result<(), CallError> {
        self.dice = Rng::new(seed);
        Ok(())
    }

    fn decide(&mut self, _decision: u8, _view: &[u8]) -> Result<Answer, CallError> {
        // A game asks only seats that have a legal answer.
        let none = || HostError::new("choose at random", "nothing is legal");
        let action = self.dice.pick(&self.legal.0.borrow()).copied().ok_or_else(none)?;
        Ok(Answer { action, fuel: 0 })
    }
}

/// A player that sits down late: so many of its decisions are taken by [`Random`] before. It then meets states that
/// its own play would not lead to.
pub struct Late<'l, P> {
    player: P,
    random: Random<'l>,
    /// Decisions until it sits down.
    left: u32,
    /// What it is started with once it sits down.
    place: (Seat, usize, u64),
    seated: bool,
}

impl<'l, P: Player> Late<'l, P> {
    /// A player that takes over after `decisions` of its seat's decisions; after 0 it is there from the start.
    pub fn new(player: P, decisions: u32, legal: &'l Legal) -> Late<'l, P> {
        Late { player, random: Random::new(legal), left: decisions, place: (Seat(0), 0, 0), seated: false }
    }

    /// The player.
    pub fn player(&self) -> &P {
        &self.player
    }
}

impl<P: Player> Player for Late<'_, P> {
    fn start(&mut self, seat: Seat, seats: usize, seed: u64) -> Result<(), CallError> {
        self.place = (seat, seats, seed);
        self.seated = false;
        if self.left > 0 {
            return self.random.start(seat, seats, seed);
        }
        self.player.start(seat, seats, seed)?;
        self.seated = true;
        Ok(())
    }

    fn decide(&mut self, decision: u8, view: &[u8]) -> Result<Answer, CallError> {
        if self.left > 0 {
            self.left -= 1;
            return self.random.decide(decision, view);
        }
        if !self.seated {
            let (seat, seats, seed) = self.place;
            self.player.start(seat, seats, seed)?;
            self.seated = true;
        }
        self.player.decide(decision, view)
    }
}
