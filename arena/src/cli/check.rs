//! `arena check`: the very checks of a league, for a bot's author.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::compiling::Compiling;
use super::error::{Failure, exit};
use crate::games::GameId;
use crate::ids::shown;
use crate::sandbox::{BotModule, Limits, Metadata, Problem, Sandbox};

/// Say whether files are bots, and for which game
///
/// Every problem that can be told is told at once. The exit code is 0 only if all files are bots.
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena check my-bot.wasm
  arena check bots/*.wasm --game little-hunters
  arena check my-bot.wasm --json")]
pub(super) struct Check {
    /// The bots' files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game that they must play [default: the one they name]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// One JSON object a file
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    compiling: Compiling,
}

#[derive(Serialize)]
struct Report {
    file: String,
    ok: bool,
    bytes: Option<usize>,
    sha256: Option<String>,
    metadata: Option<Metadata>,
    games: Vec<&'static str>,
    problems: Vec<Problem>,
}

impl Check {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        let wanted = self.game.as_deref().map(super::play::known_game).transpose()?;
        let sandbox = Sandbox::with_compiler(Limits::default(), 4, self.compiling.compiler()?)?;
        let mut out = std::io::stdout().lock();
        let mut all = true;
        for file in &self.files {
            let report = report(&sandbox, file, wanted)?;
            all &= report.ok;
            if self.json {
                writeln!(out, "{}", serde_json::to_string(&report).unwrap_or_default())?;
            } else {
                print(&mut out, &report)?;
            }
        }
        Ok(if all { exit::DONE } else { exit::BAD_INPUT })
    }
}

fn report(sandbox: &Sandbox, file: &Path, wanted: Option<GameId>) -> Result<Report, Failure> {
    let bytes = super::play::read_bot(file, sandbox.limits())?;
    let game_of = |metadata: &Metadata| -> Vec<GameId> {
        GameId::ALL.iter().copied().filter(|game| metadata.plays(game.name())).collect()
    };
    // The view buffer must do for one of the games at least; which one is known only once the section is read.
    let named = crate::sandbox::check(&bytes, sandbox.limits()).ok().map(|checked| game_of(checked.metadata()));
    let candidates = match (wanted, named) {
        (Some(game), _) => vec![game],
        (None, Some(games)) if !games.is_empty() => games,
        _ => GameId::ALL.to_vec(),
    };
    let view_size = candidates.iter().map(|game| game.view_size()).min().unwrap_or(0);
    let loaded = BotModule::load(sandbox, &bytes, view_size).and_then(|module| match wanted {
        Some(game) => module.for_game(game.name()),
        None => Ok(module),
    });
    let file = shown(file);
    Ok(match loaded {
        Ok(module) => {
            let games = game_of(module.metadata());
            let problems = if games.is_empty() {
                let own: Vec<_> = module.metadata().named_games().collect();
                vec![Problem::for_game(format!("it plays {}; there are {}", own.join(", "), GameId::names()))]
            } else {
                vec![]
            };
            Report {
                file,
                ok: problems.is_empty(),
                bytes: Some(bytes.len()),
                sha256: Some(module.sha256().to_owned()),
                metadata: Some(module.metadata().clone()),
                games: games.iter().map(|game| game.name()).collect(),
                problems,
            }
        }
        Err(error) => Report {
            file,
            ok: false,
            bytes: Some(bytes.len()),
            sha256: None,
            metadata: None,
            games: vec![],
            problems: error.problems,
        },
    })
}

fn print(out: &mut impl Write, report: &Report) -> std::io::Result<()> {
    if !report.ok {
        writeln!(out, "{}: refused", report.file)?;
        return report.problems.iter().try_for_each(|problem| writeln!(out, "    {problem}"));
    }
    let metadata = report.metadata.clone().unwrap_or_default();
    writeln!(out, "{}: a bot for {}", report.file, report.games.join(", "))?;
    if metadata.named_games().next().is_none() {
        writeln!(out, "    it names no game, so it plays whatever it is entered for")?;
    }
    let texts = [
        ("name", metadata.name.as_ref().map(|name| name.as_str())),
        ("version", metadata.version.as_deref()),
        ("author", metadata.author.as_deref()),
        ("description", metadata.description.as_deref()),
        ("language", metadata.language.as_deref()),
    ];
    for (what, text) in texts {
        if let Some(text) = text {
            writeln!(out, "    {what}: {text}")?;
        }
    }
    writeln!(out, "    {} bytes, SHA-256 {}", report.bytes.unwrap_or(0), report.sha256.as_deref().unwrap_or(""))
}
