//! `arena games`: what can be played.

use std::io::Write;

use clap::Args;

use super::error::{Failure, exit};
use crate::games::{Dynamics, GameId};

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

/// The game that an argument names.
pub(super) fn game(name: &str) -> Result<GameId, String> {
    GameId::from_name(name).ok_or_else(|| format!("there are {}", GameId::names()))
}
