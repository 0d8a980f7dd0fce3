//! A WebAssembly bot in a seat.

use super::{Answer, Player};
use crate::ids::{Fault, Seat};
use crate::sandbox::{BotInstance, BotModule};

/// A bot's module and, once started, its instance, which the next match is played with once it is reset. A fault throws
/// the instance away.
pub struct Wasm<'m> {
    module: &'m BotModule,
    /// Fuel by decision, from the league's limits and the game's shares.
    fuel: &'m [u64],
    keep_log: bool,
    reuse: bool,
    instance: Option<BotInstance>,
    log: Vec<String>,
}

impl<'m> Wasm<'m> {
    /// A player that is not started yet; its log is dropped.
    pub fn new(module: &'m BotModule, fuel: &'m [u64]) -> Wasm<'m> {
        Wasm { module, fuel, keep_log: false, reuse: true, instance: None, log: Vec::new() }
    }

    /// A player whose log is kept for [`take_log`](Wasm::take_log).
    pub fn with_log(module: &'m BotModule, fuel: &'m [u64]) -> Wasm<'m> {
        Wasm { keep_log: true, ..Wasm::new(module, fuel) }
    }

    /// A player that makes a fresh instance for every match, as if none could be reset: for tests that compare the two.
    pub fn always_fresh(module: &'m BotModule, fuel: &'m [u64]) -> Wasm<'m> {
        Wasm { reuse: false, ..Wasm::new(module, fuel) }
    }

    /// The size of its memory now, in bytes; 0 without an instance.
    pub fn memory_bytes(&self) -> usize {
        self.instance.as_ref().map_or(0, BotInstance::memory_bytes)
    }

    /// The lines logged since the last call, also those of an instance that was lost meanwhile.
    pub fn take_log(&mut self) -> Vec<String> {
        self.collect_log();
        std::mem::take(&mut self.log)
    }

    fn collect_log(&mut self) {
        if self.keep_log
            && let Some(instance) = &mut self.instance
        {
            self.log.append(&mut instance.take_log());
        }
    }
}

impl Player for Wasm<'_> {
    fn start(&mut self, seat: Seat, seats: usize, seed: u64) -> Result<(), Fault> {
        // Where none is reused, the old one goes first: its slot in the pool may be the one that is needed.
        let instance = match self.instance.take().filter(|_| self.reuse) {
            Some(old) => self.module.restart(old, seat, seats, seed, self.keep_log),
            None => self.module.start(seat, seats, seed, self.keep_log),
        };
        self.instance = Some(instance.map_err(|failure| failure.fault())?);
        Ok(())
    }

    fn decide(&mut self, decision: u8, view: &[u8]) -> Result<Answer, Fault> {
        let instance = self.instance.as_mut().ok_or(Fault::Protocol)?;
        match instance.decide(decision, view, self.fuel[usize::from(decision)]) {
            Ok(answer) => Ok(answer),
            Err(fault) => {
                self.collect_log();
                self.instance = None;
                Err(fault)
            }
        }
    }
}
