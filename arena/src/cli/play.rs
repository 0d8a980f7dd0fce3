//! `arena play`: one match, told.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::compiling::Compiling;
use super::error::{Failure, exit};
use crate::games::{Game, GameId, GameVisitor};
use crate::ids::{BotName, Seat, shown};
use crate::league::block::decision_fuel;
use crate::league::seeds::deal;
use crate::play::account::{Account, Line, LogSink, Logged, SCHEMA, Sitting};
use crate::play::wasm::Wasm;
use crate::play::{MatchPlan, play_match};
use crate::sandbox::{BotModule, Limits, Sandbox};

/// Play one match and tell it, for people or as JSON
///
/// The bots take their places in the lineup in the order given; deal and seating decide who sits where. The match is that of a
/// league with the same seed, deal and seating, and with the game's own options and limits.
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena play a.wasm b.wasm
  arena play a.wasm b.wasm --seed 7 --deal 12 --seating 1
  arena play a.wasm b.wasm --json > match.jsonl")]
pub(super) struct Play {
    /// The bots' files, by place in the lineup
    #[arg(required = true)]
    bots: Vec<PathBuf>,
    /// The game [default: the one that the bots name]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The league's seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The deal
    #[arg(long, default_value_t = 0)]
    deal: u64,
    /// The seating of the deal
    #[arg(long, default_value_t = 0)]
    seating: usize,
    /// So many deals, one after the other
    #[arg(long, default_value_t = 1, value_name = "N")]
    deals: u64,
    /// A JSON object a line: see arena/docs/events.md
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    compiling: Compiling,
}

/// The game of a name.
pub(super) fn known_game(name: &str) -> Result<GameId, Failure> {
    GameId::from_name(name).ok_or_else(|| {
        let name = crate::ids::escaped(name, 60);
        Failure::Refused(format!("--game {name}: there is no such game; there are {}", GameId::names()))
    })
}

/// A bot's bytes.
pub(super) fn read_bot(path: &Path, limits: &Limits) -> Result<Vec<u8>, Failure> {
    crate::league::config::read_limited(path, limits.module_bytes, "for a module")
        .map_err(|reason| Failure::Refused(format!("{}: {reason}", shown(path))))
}

struct Bot {
    name: String,
    module: BotModule,
}

impl Play {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        let limits = Limits::default();
        let sandbox = Sandbox::with_compiler(limits.clone(), self.bots.len() as u32 + 2, self.compiling.compiler()?)?;
        let mut files = Vec::new();
        for path in &self.bots {
            files.push((path, read_bot(path, &limits)?));
        }
        let game = match &self.game {
            Some(name) => known_game(name)?,
            None => named_game(&files, &limits)?,
        };
        let (least, most) = game.info().seats;
        if files.len() < least || files.len() > most {
            let message = format!("{game} has {least} to {most} seats, and {} bots are given", files.len());
            return Err(Failure::Refused(message));
        }
        let mut bots = Vec::new();
        for (path, bytes) in &files {
            let module = BotModule::load(&sandbox, bytes, game.view_size())
                .and_then(|module| module.for_game(game.name()))
                .map_err(|error| Failure::Refused(format!("{} is refused:\n{error}", shown(path))))?;
            bots.push(Bot { name: display_name(path, &module), module });
        }
        game.dispatch(Match { play: &self, limits: &limits, bots: &bots })
    }
}

/// The game that the bots name.
pub(super) fn named_game(files: &[(&PathBuf, Vec<u8>)], limits: &Limits) -> Result<GameId, Failure> {
    for (_, bytes) in files {
        let Ok(checked) = crate::sandbox::check(bytes, limits) else { continue };
        if let Some(game) = checked.metadata().named_games().find_map(GameId::from_name) {
            return Ok(game);
        }
    }
    Err(Failure::Refused(format!("no bot names its game; say it with --game: {}", GameId::names())))
}

/// The bot's own name, else its file's, else its number.
fn display_name(path: &Path, module: &BotModule) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    match (&module.metadata().name, BotName::new(&stem)) {
        (Some(name), _) => name.to_string(),
        (None, Ok(name)) => name.to_string(),
        (None, Err(_)) => crate::ids::escaped(&stem, BotName::MAX_LEN),
    }
}

struct Match<'a> {
    play: &'a Play,
    limits: &'a Limits,
    bots: &'a [Bot],
}

impl GameVisitor for Match<'_> {
    type Output = Result<u8, Failure>;

    fn visit<G: Game>(self) -> Self::Output {
        let Match { play, limits, bots } = self;
        let options = G::Options::default();
        G::check_options(&options, bots.len()).map_err(|bad| Failure::Refused(format!("{}: {bad}", bad.key)))?;
        let options_json = serde_json::to_value(&options).unwrap_or_default();
        let fuel = decision_fuel(&G::INFO, limits);
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        for number in play.deal..play.deal.saturating_add(play.deals) {
            let deal = deal(play.seed, number, G::INFO.seating, bots.len());
            let Some(seated) = deal.seatings().get(play.seating) else {
                let last = deal.seatings().len() - 1;
                return Err(Failure::Refused(format!("--seating {}: the seatings are 0 to {last}", play.seating)));
            };
            let at = |seat: Seat| &bots[usize::from(seated.place_at[seat.index()])];
            let sitting: Vec<_> = Seat::all(bots.len())
                .map(|seat| Sitting {
                    seat,
                    name: at(seat).name.clone(),
                    sha256: at(seat).module.sha256().to_owned(),
                    seed: seated.seeds[seat.index()],
                })
                .collect();
            let mut written = Ok(());
            let mut teller = Teller { json: play.json, names: names(&sitting) };
            let mut tell = |line: &Line<'_>| {
                if written.is_ok() {
                    written = teller.write(&mut out, line);
                }
            };
            tell(&Line::Match {
                schema: SCHEMA,
                game: G::INFO.name,
                rules: G::INFO.rules_version,
                options: &options_json,
                seed: play.seed,
                deal: number,
                seating: play.seating,
                bots: &sitting,
            });
            let logs = LogSink::default();
            let mut players: Vec<_> =
                Seat::all(bots.len()).map(|seat| Logged::new(Wasm::with_log(&at(seat).module, &fuel), &logs)).collect();
            let plan = MatchPlan::<G> {
                options: &options,
                deal: deal.key,
                seeds: &seated.seeds[..bots.len()],
                max_restarts: limits.restarts,
            };
            let mut account = Account::new(Some(&logs), &mut tell);
            let record = play_match(plan, &mut players, &mut account);
            account.result(&record);
            written?;
        }
        out.flush()?;
        Ok(exit::DONE)
    }
}

/// What each seat is called: the bot's name, with the seat where two have the same.
fn names(sitting: &[Sitting]) -> Vec<String> {
    let same = |name: &str| sitting.iter().filter(|other| other.name == name).count() > 1;
    sitting
        .iter()
        .map(|bot| if same(&bot.name) { format!("{} ({})", bot.name, bot.seat) } else { bot.name.clone() })
        .collect()
}

/// Writes lines for people or for programs.
struct Teller {
    json: bool,
    names: Vec<String>,
}

impl Teller {
    fn write(&mut self, out: &mut impl Write, line: &Line<'_>) -> std::io::Result<()> {
        if self.json {
            serde_json::to_writer(&mut *out, line)?;
            return writeln!(out);
        }
        let name = |seat: Seat| &self.names[seat.index()];
        match line {
            Line::Match { game, seed, deal, seating, .. } => {
                writeln!(out, "{game}, seed {seed}, deal {deal}, seating {seating}")?;
                for (seat, name) in self.names.iter().enumerate() {
                    writeln!(out, "  seat {seat}: {name}")?;
                }
                Ok(())
            }
            Line::Log { seat, text } => writeln!(out, "    {} says: {text}", name(*seat)),
            Line::Decision { seat, decision, action, fault: Some(fault), .. } => match action {
                Some(action) => writeln!(out, "    {} fails to {decision}: {fault}, it answered {action}", name(*seat)),
                None => writeln!(out, "    {} fails to {decision}: {fault}", name(*seat)),
            },
            Line::Decision { .. } => Ok(()),
            Line::Event { text, .. } => writeln!(out, "{}", self.with_names(text)),
            Line::Result { points, placements, faults } => {
                writeln!(out, "\nResult")?;
                for (seat, name) in self.names.iter().enumerate() {
                    let faults: u32 = faults[seat].iter().sum();
                    let faults = match faults {
                        0 => String::new(),
                        1 => ", 1 fault".into(),
                        n => format!(", {n} faults"),
                    };
                    writeln!(out, "  place {}: {name}, {} points{faults}", placements[seat], points[seat])?;
                }
                Ok(())
            }
        }
    }

    /// The text with `seat N` replaced by who sits there.
    fn with_names(&self, text: &str) -> String {
        let mut shown = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("seat ") {
            let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
            shown.push_str(before);
            match after[..digits].parse().ok().and_then(|seat: usize| self.names.get(seat)) {
                Some(name) => shown.push_str(name),
                None => {
                    shown.push_str("seat ");
                    shown.push_str(&after[..digits]);
                }
            }
            rest = &after[digits..];
        }
        shown + rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_told_by_name() {
        let teller = Teller { json: false, names: vec!["ann".into(), "bob".into()] };
        assert_eq!(teller.with_names("seat 0 beats seat 1; seat 7, a seat"), "ann beats bob; seat 7, a seat");
    }
}
