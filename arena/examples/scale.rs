//! How a league grows: with bots, seats, deals and threads. Plays leagues of the bot that plays at random, under so many
//! names, and prints a table: what each took, what it was expected to take, and its largest memory.
//!
//! ```text
//! cargo build --release && cargo run --release --example scale
//! cargo run --release --example scale -- large     100 bots, 10 million matches
//! ```

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A league.
struct League {
    game: &'static str,
    bot: &'static str,
    bots: u32,
    seats: u32,
    /// About so many matches.
    matches: u64,
    threads: u32,
}

fn hunters(bots: u32, matches: u64, threads: u32) -> League {
    League { game: "little-hunters", bot: "uniform", bots, seats: 2, matches, threads }
}

fn hunt(seats: u32) -> League {
    League { game: "card-hunt", bot: "random", bots: 8, seats, matches: 200_000, threads: 2 }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let leagues = if std::env::args().nth(1).as_deref() == Some("large") {
        vec![hunters(100, 10_000_000, 2)]
    } else {
        vec![
            hunters(4, 500_000, 2),
            hunters(16, 500_000, 2),
            hunters(64, 500_000, 2),
            hunters(16, 500_000, 1),
            hunters(16, 50_000, 2),
            hunters(16, 5_000_000, 2),
            hunt(2),
            hunt(4),
            hunt(8),
        ]
    };
    println!("| game | bots | seats | threads | matches | s | expected | matches/s | memory, MiB |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for league in leagues {
        play(&league)?;
    }
    Ok(())
}

fn play(league: &League) -> Result<(), Box<dyn std::error::Error>> {
    let &League { game, bot, bots, seats, matches, threads } = league;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let binary = std::env::current_exe()?.with_file_name("../arena").canonicalize()?;
    let folder = tempfile::tempdir()?;
    let bytes = std::fs::read(root.join(format!("example-bots/wasm/{game}/{bot}.wasm")))?;
    let lineups = (0..seats).fold(1, |ways, seat| ways * u64::from(bots - seat) / u64::from(seat + 1));
    let deals = matches.div_ceil(lineups * u64::from(seats));
    let mut text = format!("game = \"{game}\"\nseats = {seats}\ndeals = {deals}\n");
    for number in 0..bots {
        // A custom section makes another bot of it, with blocks of its own.
        let section = [&[0, 6, 1, b'n'][..], &number.to_le_bytes()].concat();
        std::fs::write(folder.path().join(format!("b{number}.wasm")), [&bytes[..], &section].concat())?;
        writeln!(text, "[[bots]]\npath = \"b{number}.wasm\"")?;
    }
    let file = folder.path().join("l.toml");
    std::fs::write(&file, text)?;
    let out = folder.path().join("out");
    let mut child = Command::new(binary)
        .args(["run".as_ref(), file.as_os_str(), "--out".as_ref(), out.as_os_str()])
        .args(["--threads", &threads.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut memory = 0;
    while child.try_wait()?.is_none() {
        let now = std::fs::read_to_string(&status).unwrap_or_default();
        let line = now.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        memory = memory.max(line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(10));
    }
    let record: serde_json::Value = serde_json::from_slice(&std::fs::read(out.join("run.json"))?)?;
    let number = |key: &str| record["sitting"][key].as_f64();
    let cell = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.1}"));
    println!(
        "| {game} | {bots} | {seats} | {threads} | {} | {} | {} | {:.0} | {} |",
        record["matches"],
        cell(number("seconds")),
        cell(number("estimated_seconds")),
        number("matches_per_second").unwrap_or(0.0),
        memory / 1024
    );
    Ok(())
}
