//! How long a league of 100 distinct bots takes to its first match: with nothing in the cache of compiled code, and
//! again.
//!
//! ```text
//! cargo build --release && cargo run --release --example league_start
//! ```

use std::path::Path;
use std::time::Instant;

use arena::league::League;
use arena::league::run::prepare;
use arena::sandbox::{Cache, Compiler};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let binary = std::env::current_exe()?.with_file_name("../arena").canonicalize()?;
    let folder = tempfile::tempdir()?;
    let mut bytes = std::fs::read(root.join("example-bots/wasm/little-hunters/nash.wasm"))?;
    let data = wasmparser::Parser::new(0).parse_all(&bytes).find_map(|payload| match payload {
        Ok(wasmparser::Payload::DataSection(section)) => Some(section.range().end),
        _ => None,
    });
    let last = data.ok_or("nash has no data")? - 1;
    for number in 0..100u8 {
        // A byte of its tables makes another bot of it, which is compiled on its own.
        bytes[last] = number;
        std::fs::write(folder.path().join(format!("b{number}.wasm")), &bytes)?;
    }
    let file = folder.path().join("l.toml");
    std::fs::write(&file, "game = \"little-hunters\"\ndeals = 1\n[[bots]]\npath = \"*.wasm\"\n")?;
    let threads = std::thread::available_parallelism()?.into();
    let mut first = None;
    for start in ["first", "second", "third"] {
        let started = Instant::now();
        let cache = Cache::open(&folder.path().join("cache"))?;
        let league = League::read(&file)?;
        drop(prepare(&league, threads, Compiler::child(binary.clone()).with_cache(Some(cache)))?);
        let seconds = started.elapsed().as_secs_f64();
        println!(
            "{start} start: {:.0} ms, {:.1} times as fast",
            seconds * 1e3,
            *first.get_or_insert(seconds) / seconds
        );
    }
    Ok(())
}
