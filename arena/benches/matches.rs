//! What a match costs: `cargo bench`.
//!
//! For each game, the bot that plays at random sits in every seat, and the same deals are played
//!
//! - `wasm`: as a league plays them, in the sandbox;
//! - `native`: by the same driver, with the same bots called natively;
//! - `floor`: nothing but the sandbox's own work for them: as many fresh instances and as many calls with views of the
//!   same size, of a bot that does nothing.
//!
//! The ratio of two lines of one run says more than any of them alone.

use arena::games::{Game, GameId, GameVisitor};
use arena::ids::Seat;
use arena::league::block::{Rules, decision_fuel, play_block};
use arena::league::schedule::Block;
use arena::league::seeds::seatings_per_deal;
use arena::play::native::Native;
use arena::play::wasm::Wasm;
use arena::sandbox::engine::THREAD_STACK;
use arena::sandbox::{BotModule, Limits, Sandbox};
use arena::tally::BlockTally;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    let benches = std::thread::Builder::new().stack_size(THREAD_STACK).spawn(divan::main);
    benches.expect("a thread").join().expect("the benchmarks");
}

const DEALS: u32 = 20;

/// A bot that answers at once, with a view buffer for every game.
const IDLE: &str = r#"(module
    (memory (export "memory") 1)
    (func (export "arena_abi") (result i32) (i32.const 1))
    (func (export "arena_init") (param i32 i32 i64) (result i32) (i32.const 1024))
    (func (export "arena_decide") (param i32 i32) (result i64) (i64.const 0)))"#;

/// The bot of each game that plays at random.
fn random_bot(game: GameId) -> example_bots::NativeBot {
    let named = |name| example_bots::find(game.name(), name);
    named("uniform").or_else(|| named("random")).expect("every game has a random bot")
}

fn games() -> Vec<&'static str> {
    GameId::ALL.iter().map(|game| game.name()).collect()
}

fn sandbox() -> Sandbox {
    Sandbox::new(Limits::default(), 12).expect("a sandbox")
}

fn module(sandbox: &Sandbox, game: GameId) -> BotModule {
    let name = random_bot(game).name;
    let path = format!("{}/../example-bots/wasm/{game}/{name}.wasm", env!("CARGO_MANIFEST_DIR"));
    BotModule::load(sandbox, &std::fs::read(path).expect("a prebuilt bot"), game.view_size()).expect("a bot")
}

/// Plays one block, by a module or natively.
struct OneBlock<'a> {
    module: Option<&'a BotModule>,
    make: arena::play::native::Make,
}

impl GameVisitor for OneBlock<'_> {
    type Output = BlockTally;

    fn visit<G: Game>(self) -> BlockTally {
        let options = G::Options::default();
        let rules = Rules::<G> { options: &options, seed: 1, max_restarts: 10 };
        let block = Block { lineup: 0, first: 0, deals: DEALS };
        let seats = G::INFO.seats.0;
        match self.module {
            Some(module) => {
                let fuel = decision_fuel(&G::INFO, &Limits::default());
                play_block(&rules, block, seats, |_| Wasm::new(module, &fuel))
            }
            None => play_block(&rules, block, seats, |_| Native::new(self.make)),
        }
    }
}

fn matches(game: GameId) -> ItemsCount {
    ItemsCount::new(seatings_per_deal(game.info().seating, game.info().seats.0) * DEALS as usize)
}

fn game(name: &str) -> GameId {
    GameId::from_name(name).expect("a game")
}

#[divan::bench(args = games())]
fn wasm(bencher: Bencher<'_, '_>, name: &str) {
    let game = game(name);
    let sandbox = sandbox();
    let module = module(&sandbox, game);
    let make = random_bot(game).make;
    bencher.counter(matches(game)).bench_local(|| game.dispatch(OneBlock { module: Some(&module), make }));
}

#[divan::bench(args = games())]
fn native(bencher: Bencher<'_, '_>, name: &str) {
    let game = game(name);
    let make = random_bot(game).make;
    bencher.counter(matches(game)).bench_local(|| game.dispatch(OneBlock { module: None, make }));
}

#[divan::bench(args = games())]
fn floor(bencher: Bencher<'_, '_>, name: &str) {
    let game = game(name);
    let tally = game.dispatch(OneBlock { module: None, make: random_bot(game).make });
    let seats = tally.places.len();
    let decisions = tally.places.iter().map(|place| place.decisions).sum::<u64>();
    // As evenly as they come.
    let instances = tally.matches * seats as u64;
    let calls = decisions.div_ceil(instances);
    let sandbox = sandbox();
    let idle = wat::parse_str(IDLE).expect("a module");
    let idle = BotModule::load(&sandbox, &idle, game.view_size()).expect("a bot");
    let view = vec![0; game.view_size()];
    bencher.counter(matches(game)).bench_local(|| {
        for _ in 0..instances {
            let mut instance = idle.start(Seat(0), seats, 1, false).expect("it starts");
            for _ in 0..calls {
                let _ = black_box(instance.decide(0, &view, Limits::default().decision_fuel));
            }
        }
    });
}
