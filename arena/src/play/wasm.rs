//! A WebAssembly bot in a seat.

use super::Player;
use crate::failure::{CallError, HostError};
use crate::ids::{Answer, Seat};
use crate::sandbox::{BotInstance, BotModule, BotThread};

/// A bot's module and, once started, its instance, which the next match is played with once it is reset. A fault throws
/// the instance away.
pub struct Wasm<'m> {
    thread: BotThread,
    module: &'m BotModule,
    /// Fuel by decision, from the league's limits and the game's shares.
    fuel: &'m [u64],
    reuse: bool,
    /// Bytes of log that may still be kept in this match, by all its instances; `None`: the log is dropped.
    log_room: Option<usize>,
    /// Boxed, since players change their places from match to match.
    instance: Option<Box<BotInstance>>,
    log: Vec<String>,
}

impl<'m> Wasm<'m> {
    /// A player that is not started yet; its log is dropped.
    pub fn new(thread: BotThread, module: &'m BotModule, fuel: &'m [u64]) -> Wasm<'m> {
        Wasm { thread, module, fuel, reuse: true, log_room: None, instance: None, log: Vec::new() }
    }

    /// A player whose log is kept for [`take_log`](Wasm::take_log).
    pub fn with_log(thread: BotThread, module: &'m BotModule, fuel: &'m [u64]) -> Wasm<'m> {
        Wasm { log_room: Some(module.log_bytes()), ..Wasm::new(thread, module, fuel) }
    }

    /// A player that makes a fresh instance for every match, as if none could be reset: for tests that compare the two.
    pub fn always_fresh(thread: BotThread, module: &'m BotModule, fuel: &'m [u64]) -> Wasm<'m> {
        Wasm { reuse: false, ..Wasm::new(thread, module, fuel) }
    }

    /// The size of its memory now, in bytes; 0 without an instance.
    pub fn memory_bytes(&self) -> usize {
        self.instance.as_ref().map_or(0, |instance| instance.memory_bytes())
    }

    /// The fuel that its last call has left, if that did not fail; 0 without an instance.
    pub fn fuel_left(&self) -> u64 {
        self.instance.as_ref().map_or(0, |instance| instance.fuel_left())
    }

    /// The lines logged since the last call, also those of an instance that was lost meanwhile.
    pub fn take_log(&mut self) -> Vec<String> {
        self.collect_log();
        std::mem::take(&mut self.log)
    }

    fn collect_log(&mut self) {
        if let (Some(room), Some(instance)) = (&mut self.log_room, &mut self.instance) {
            let (mut lines, left) = instance.take_log();
            self.log.append(&mut lines);
            *room = left;
        }
    }
}

impl Player for Wasm<'_> {
    fn start(&mut self, seat: Seat, seats: usize, seed: u64) -> Result<(), CallError> {
        // Where none is reused, the old one goes first: its slot in the pool may be the one that is needed.
        let instance = match self.instance.take().filter(|_| self.reuse) {
            Some(old) => self.module.restart(self.thread, old, seat, seats, seed, self.log_room),
            None => self.module.start(self.thread, seat, seats, seed, self.log_room).map(Box::new),
        };
        self.instance = Some(instance?);
        Ok(())
    }

    fn decide(&mut self, decision: u8, view: &[u8]) -> Result<Answer, CallError> {
        let absent = || HostError::new("ask a bot", "it is not started");
        let instance = self.instance.as_mut().ok_or_else(absent)?;
        match instance.decide(decision, view, self.fuel[usize::from(decision)]) {
            Ok(answer) => Ok(answer),
            Err(error) => {
                self.collect_log();
                self.instance = None;
                Err(error)
            }
        }
    }
}

/// Players that wait between blocks, on one thread, with their instances: those of a bot that soon plays again need not
/// be made again.
pub struct Waiting<'m> {
    thread: BotThread,
    players: Vec<Wasm<'m>>,
}

impl<'m> Waiting<'m> {
    /// A thread on which nobody waits yet.
    pub fn new(thread: BotThread) -> Waiting<'m> {
        Waiting { thread, players: Vec::new() }
    }

    /// So many may wait on a thread, beside those that play.
    pub const MOST: usize = 6;

    /// Instances with more memory than this, in bytes, do not wait: memory is for those that play. Bots of compilers that
    /// reserve a mebibyte of stack do.
    const MOST_MEMORY: usize = 20 * 65_536;

    /// A player of each module, one that waited where there is one.
    pub fn call(&mut self, modules: impl Iterator<Item = &'m BotModule>, fuel: &'m [u64]) -> Vec<Wasm<'m>> {
        let mut player = |module: &'m BotModule| match self
            .players
            .iter()
            .position(|waiting| std::ptr::eq(waiting.module, module))
        {
            Some(at) => self.players.remove(at),
            None => Wasm::new(self.thread, module, fuel),
        };
        let players = modules.map(&mut player).collect();
        let spare = self.players.len().saturating_sub(Self::MOST);
        self.players.drain(..spare);
        players
    }

    /// Takes players back after their block.
    pub fn take_back(&mut self, players: Vec<Wasm<'m>>) {
        let may_wait = |player: &Wasm<'_>| (1..=Self::MOST_MEMORY).contains(&player.memory_bytes());
        self.players.extend(players.into_iter().filter(may_wait));
    }
}
