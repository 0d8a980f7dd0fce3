//! Random and mutated modules: a clear refusal, or played to the end; never a panic, a hang or a leak.
//!
//! `ARENA_FUZZ=n` does n times as much.

use arena::games::{Game, GameId, GameVisitor};
use arena::league::block::{Rules, decision_fuel, play_block};
use arena::league::schedule::Block;
use arena::league::seeds::seatings_per_deal;
use arena::play::wasm::Wasm;
use arena::sandbox::settings::THREAD_STACK;
use arena::sandbox::{BotModule, Limits, Sandbox};
use wasm_smith::{Config, Module};

use crate::harness::repository;

fn times() -> usize {
    std::env::var("ARENA_FUZZ").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// Small limits: modules are compiled in this process, which nothing stops.
fn limits() -> Limits {
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

struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, most: usize) -> usize {
        (self.roll() % most as u64) as usize
    }
}

/// Plays a module against itself, with instances that are reset and with fresh ones.
struct Play<'a>(&'a BotModule, &'a Limits);

impl GameVisitor for Play<'_> {
    type Output = ();

    fn visit<G: Game>(self) {
        let Play(module, limits) = self;
        let options = G::Options::default();
        let rules = Rules::<G> { options: &options, seed: 1, max_restarts: 3 };
        let fuel = decision_fuel(&G::INFO, limits);
        let block = Block { lineup: 0, first: 0, deals: 2 };
        let seats = G::INFO.seats.0;
        let tally = play_block(&rules, block, seats, |_| Wasm::new(module, &fuel)).unwrap();
        assert_eq!(tally.matches, 2 * seatings_per_deal(G::INFO.seating, seats) as u64);
        // Instances that were reset are like fresh ones, to the last unit of fuel.
        assert_eq!(tally, play_block(&rules, block, seats, |_| Wasm::always_fresh(module, &fuel)).unwrap());
    }
}

/// Checks a module and, if it is a bot, plays it; whether it was one.
fn feed(sandbox: &Sandbox, game: GameId, bytes: &[u8]) -> bool {
    let module = match BotModule::load(sandbox, bytes, game.view_size(), game.info().seats.0) {
        Ok(module) => module,
        Err(refused) => {
            let text = refused.to_string();
            assert!(!text.is_empty() && text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
            return false;
        }
    };
    game.dispatch(Play(&module, sandbox.limits()));
    true
}

fn on_a_large_stack(test: impl FnOnce(&Sandbox) + Send + 'static) {
    let run = || test(&Sandbox::new(limits(), 12).expect("a sandbox"));
    let thread = std::thread::Builder::new().stack_size(THREAD_STACK).spawn(run).expect("a thread");
    thread.join().expect("no panic");
}

/// Memory of this process, in bytes, where the system says.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0) * 4096
}

#[test]
fn generated_modules_are_refused_or_played() {
    on_a_large_stack(|sandbox| {
        let interface = wat::parse_str(
            r#"(module (memory (export "memory") 1)
                (func (export "arena_decide") (param i32 i32) (result i64) unreachable))"#,
        )
        .expect("the interface");
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        let (mut valid, mut played) = (0, 0);
        for round in 0..1500 * times() {
            let noise: Vec<u8> = (0..512 + dice.below(2048)).map(|_| dice.roll() as u8).collect();
            // Every third as wide as the generator goes; the others such that many of them are bots.
            let config = if round % 3 == 0 {
                Config { exports: None, ..Config::default() }
            } else {
                Config {
                    exports: Some(interface.clone()),
                    max_imports: 0,
                    max_exports: 4,
                    max_memories: 1,
                    max_memory32_bytes: 4 * 65_536,
                    max_tables: 1,
                    max_tags: 0,
                    max_instructions: 200,
                    allow_start_export: dice.below(4) == 0,
                    memory64_enabled: false,
                    gc_enabled: false,
                    // With them most modules name `externref`, which is refused.
                    reference_types_enabled: dice.below(4) == 0,
                    exceptions_enabled: false,
                    threads_enabled: false,
                    relaxed_simd_enabled: false,
                    max_table_elements: 100,
                    ..Config::default()
                }
            };
            let Ok(module) = Module::new(config, &mut wasm_smith_input(&noise)) else { continue };
            let bytes = module.to_bytes();
            valid += 1;
            played += usize::from(
                feed(sandbox, GameId::LittleHunters, &bytes)
                    || feed(sandbox, GameId::LittleHunters, &with_start(&bytes)),
            );
        }
        eprintln!("{valid} generated, {played} played");
        assert!(valid > 500 && played > 100);
    });
}

/// The module with an `arena_abi` and an `arena_init` that are right: what a generator would hardly hit.
fn with_start(module: &[u8]) -> Vec<u8> {
    use wasmparser::{Parser, Payload};
    let leb = |mut number: usize| {
        let mut bytes = Vec::new();
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    };
    let (mut types, mut functions) = (0, 0);
    let mut out = module[..8].to_vec();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload.expect("a valid module");
        let more: Vec<u8> = match &payload {
            Payload::TypeSection(section) => {
                types = section.count() as usize;
                [&[0x60, 0, 1, 0x7f][..], &[0x60, 3, 0x7f, 0x7f, 0x7e, 1, 0x7f]].concat()
            }
            Payload::FunctionSection(section) => {
                functions = section.count() as usize;
                [leb(types), leb(types + 1)].concat()
            }
            Payload::ExportSection(_) => {
                let export = |name: &str, index| [leb(name.len()), name.into(), vec![0], leb(index)].concat();
                [export("arena_abi", functions), export("arena_init", functions + 1)].concat()
            }
            // i32.const 1, and i32.const 64.
            Payload::CodeSectionStart { .. } => vec![4, 0, 0x41, 1, 0x0b, 5, 0, 0x41, 0xc0, 0, 0x0b],
            _ => Vec::new(),
        };
        let Some((id, range)) = payload.as_section() else { continue };
        let mut contents = module[range].to_vec();
        if !more.is_empty() {
            let mut reader = wasmparser::BinaryReader::new(&contents, 0);
            let count = reader.read_var_u32().expect("a count") as usize;
            let rest = contents[reader.original_position()..].to_vec();
            contents = [leb(count + 2), rest, more].concat();
        }
        out.push(id);
        out.extend(leb(contents.len()));
        out.extend(contents);
    }
    out
}

fn wasm_smith_input(noise: &[u8]) -> arbitrary::Unstructured<'_> {
    arbitrary::Unstructured::new(noise)
}

/// A thousand mutated copies of each prebuilt bot of a game, those in other languages too.
fn mutated_copies_are_refused_or_played(game: GameId) {
    on_a_large_stack(move |sandbox| {
        let mut dice = Dice(0x2545_f491_4f6c_dd1d);
        let mut before = 0;
        let (mut fed, mut played) = (0, 0);
        let folders = ["example-bots/wasm", "example-bots/wasm/languages"];
        let folders =
            folders.map(|folder| std::fs::read_dir(repository().join(folder).join(game.name())).expect("bots"));
        let mut files: Vec<_> = folders.into_iter().flatten().map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        for file in files {
            let whole = std::fs::read(file).expect("a bot");
            assert!(feed(sandbox, game, &whole));
            for _ in 0..1000 * times() {
                let mut bytes = whole.clone();
                for _ in 0..=dice.below(3) {
                    let at = dice.below(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
                    match dice.below(4) {
                        _ if bytes.is_empty() => bytes.push(dice.roll() as u8),
                        0 | 1 => bytes[at] ^= 1 << dice.below(8),
                        2 => {
                            let end = (at + 1 + dice.below(16)).min(bytes.len());
                            if dice.below(8) == 0 { bytes.truncate(at) } else { drop(bytes.drain(at..end)) }
                        }
                        _ => {
                            let more: Vec<u8> = (0..=dice.below(16)).map(|_| dice.roll() as u8).collect();
                            drop(bytes.splice(at..at, more));
                        }
                    }
                }
                played += usize::from(feed(sandbox, game, &bytes));
                fed += 1;
                if fed == 500 {
                    before = resident();
                }
            }
        }
        let grown = resident().saturating_sub(before);
        eprintln!("{fed} mutated, {played} played, {} KiB more memory", grown >> 10);
        assert!(played > fed / 100, "mutations leave some bots whole: {played} of {fed}");
        // Other tests run in this process at the same time; a leak of what a module takes would be larger.
        assert!(grown < 512 << 20, "{grown} bytes more than at the start");
    });
}

#[test]
fn mutated_little_hunters_bots_are_refused_or_played() {
    mutated_copies_are_refused_or_played(GameId::LittleHunters);
}

#[test]
fn mutated_card_hunt_bots_are_refused_or_played() {
    mutated_copies_are_refused_or_played(GameId::CardHunt);
}

#[test]
fn mutated_animal_rescuers_bots_are_refused_or_played() {
    mutated_copies_are_refused_or_played(GameId::AnimalRescuers);
}

#[test]
fn mutated_passing_cards_bots_are_refused_or_played() {
    mutated_copies_are_refused_or_played(GameId::PassingCards);
}
