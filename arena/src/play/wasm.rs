//! A WebAssembly bot in a seat.

use super::{Answer, Player};
use crate::ids::{Fault, Seat};
use crate::sandbox::{BotInstance, BotModule};

/// A bot's module and, once started, its instance. A fault throws the instance away.
pub struct Wasm<'m> {
    module: &'m BotModule,
    /// Fuel by decision, from the league's limits and the game's shares.
    fuel: &'m [u64],
    keep_log: bool,
    instance: Option<BotInstance>,
    log: Vec<String>,
}

impl<'m> Wasm<'m> {
    /// A player that is not started yet; its log is dropped.
    pub fn new(module: &'m BotModule, fuel: &'m [u64]) -> Wasm<'m> {
        Wasm { module, fuel, keep_log: false, instance: None, log: Vec::new() }
    }

    /// A player whose log is kept for [`take_log`](Wasm::take_log).
    pub fn with_log(module: &'m BotModule, fuel: &'m [u64]) -> Wasm<'m> {
        Wasm { keep_log: true, ..Wasm::new(module, fuel) }
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
        // The old one goes first: its slot in the pool may be the one that is needed.
        self.instance = None;
        self.instance = Some(self.module.start(seat, seats, seed, self.keep_log).map_err(|failure| failure.fault())?);
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
