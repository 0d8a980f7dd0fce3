//! `arena games`: what can be played; and the game that an argument names.

use std::io::Write;

use clap::Args;

use super::error::{Failure, exit};
use crate::games::{Dynamics, GameId};
use crate::ids::escaped;
use crate::words::choices;

/// List the games, their seats and decisions
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena games")]
pub(super) struct Games {}

impl Games {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        let mut out = std::io::stdout().lock();
        for game in GameId::ALL {
            let info = game.info();
            let seats = match info.seats {
                (least, most) if least == most => least.to_string(),
                (least, most) => format!("{least} to {most}"),
            };
            let dynamics = match info.dynamics {
                Dynamics::Sequential => "in turn",
                Dynamics::Simultaneous => "at the same time",
            };
            let word = |is: bool, yes: &'static str, no: &'static str| if is { yes } else { no };
            let decisions: Vec<_> = info
                .decisions
                .iter()
                .map(|decision| match decision.fuel_percent {
                    100 => decision.name.to_owned(),
                    percent => format!("{} ({percent} % of the fuel)", decision.name),
                })
                .collect();
            writeln!(out, "{} ({})", info.name, info.title)?;
            writeln!(out, "    {}", info.summary)?;
            writeln!(
                out,
                "    {seats} seats, {dynamics}; {}, {}; rules version {}",
                word(info.chance, "chance", "no chance"),
                word(info.hidden, "hidden information", "nothing hidden"),
                info.rules_version
            )?;
            writeln!(out, "    decisions: {}", decisions.join(", "))?;
        }
        Ok(exit::DONE)
    }
}

/// The game of a name.
pub(super) fn known_game(name: &str) -> Result<GameId, Failure> {
    GameId::from_name(name).ok_or_else(|| {
        let known: Vec<_> = GameId::ALL.iter().map(|game| game.name()).collect();
        let (name, choices) = (escaped(name, 60), choices(&name.to_lowercase(), &known));
        Failure::Refused(format!("--game {name}: there is no such game; {choices}"))
    })
}
