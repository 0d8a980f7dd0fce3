//! Random modules: a clear refusal, or played to the end; never a panic or a hang. `ARENA_FUZZ=n` does n times as much.

#[allow(dead_code, unreachable_pub, reason = "shared with the tests of mutated bots, which need more of it")]
#[path = "../../../../tests/fuzz/feeding.rs"]
mod feeding;

use arena::games::GameId;
use wasm_smith::{Config, Module};

use self::feeding::{Dice, feed, on_a_bot_thread, times};

#[test]
fn generated_modules_are_refused_or_played() {
    on_a_bot_thread(|thread, sandbox| {
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
                feed(thread, sandbox, GameId::LittleHunters, &bytes)
                    || feed(thread, sandbox, GameId::LittleHunters, &with_start(&bytes)),
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
