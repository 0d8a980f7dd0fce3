//! Feeds bytes to the sandbox, as bots: shared by the tests of mutated bots and of random modules.

use arena::games::{Game, GameId, with_game};
use arena::league::block::{Rules, decision_fuel, play_block};
use arena::league::schedule::Block;
use arena::league::seeds::seatings_per_deal;
use arena::play::wasm::Wasm;
use arena::sandbox::{BotModule, BotThread, Limits, Sandbox};

/// How much is done.
pub fn times() -> usize {
    std::env::var("ARENA_FUZZ").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// Small limits: modules are compiled in this process, which nothing stops.
pub fn limits() -> Limits {
    Limits {
        module_bytes: 65_536,
        function_bytes: 8_192,
        functions: 200,
        nesting: 30,
        loops: 50,
        locals: 200,
        init_fuel: 100_000,
        decision_fuel: 50_000,
        memory_pages: 4,
        ..Limits::default()
    }
}

pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, most: usize) -> usize {
        (self.roll() % most as u64) as usize
    }
}

/// Plays a module against itself, with instances that are reset and with fresh ones.
fn play<G: Game>(thread: BotThread, module: &BotModule, limits: &Limits) {
    let options = G::Options::default();
    let rules = Rules::<G> { options: &options, seed: 1, max_restarts: 3 };
    let fuel = decision_fuel(&G::INFO, limits);
    let block = Block { lineup: 0, first: 0, deals: 2 };
    let seats = G::INFO.seats.0;
    let tally = play_block(&rules, block, seats, |_| Wasm::new(thread, module, &fuel)).unwrap();
    assert_eq!(tally.matches, 2 * seatings_per_deal(G::INFO.seating, seats) as u64);
    // Instances that were reset are like fresh ones, to the last unit of fuel.
    assert_eq!(tally, play_block(&rules, block, seats, |_| Wasm::always_fresh(thread, module, &fuel)).unwrap());
}

/// Checks a module and, if it is a bot, plays it; whether it was one.
pub fn feed(thread: BotThread, sandbox: &Sandbox, game: GameId, bytes: &[u8]) -> bool {
    let module = match BotModule::load(sandbox, bytes, game.view_size(), game.info().seats.0) {
        Ok(module) => module,
        Err(refused) => {
            let text = refused.to_string();
            assert!(!text.is_empty() && text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
            return false;
        }
    };
    with_game!(game, G => play::<G>(thread, &module, sandbox.limits()));
    true
}

pub fn on_a_bot_thread(test: impl FnOnce(BotThread, &Sandbox) + Send) {
    BotThread::run(|thread| test(thread, &Sandbox::new(limits(), 12).expect("a sandbox"))).expect("a thread");
}

/// Memory of this process, in bytes, where the system says.
pub fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0) * 4096
}
