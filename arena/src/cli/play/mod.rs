//! `arena play`: matches, told.

mod cast;
mod human;
mod replay;
mod show;
mod tell;

use std::path::PathBuf;
use std::rc::Rc;

use clap::Args;
use serde_json::Value;

use super::bots::{named_game, read_bot};
use super::compiling::Compiling;
use super::error::{Failure, exit};
use super::games::known_game;
use crate::games::{BadOption, GameId, GameOptions, with_game};
use crate::ids::{Seat, escaped, shown};
use crate::league::League;
use crate::league::seeds::deal;
use crate::play::random;
use crate::sandbox::{BotThread, Limits, Sandbox};
use crate::words::counted;
use cast::Actor;
use show::{Match, Setting, show};

/// Play a match and tell it, for people or as JSON
///
/// The bots take their places in the lineup in the order given; deal and seating decide who sits where, as in a league with
/// the same seed, or --seat does. The built-in opponent @random plays legally at random; --seats fills the seats that are
/// left over with it. --league takes game, options, limits and seed from a league file, whose bots can then be given by name.
///
/// --from plays a match of a league's results again, exactly: by its number, or the first of certain bots or with a fault.
/// Matches are numbered from 1 in the order of the schedule. The bots are found by their SHA-256 among those of the league
/// file (--league, or leagues/x.toml beside results/x) and the files given.
///
/// --interactive gives you a seat: you see what a bot would see and type your answers. `help` says what
/// can be answered, `quit` or the end of the input leaves.
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena play a.wasm b.wasm
  arena play a.wasm b.wasm --seed 7 --deal 12 --seating 1
  arena play a.wasm b.wasm --option tiebreak_series=1
  arena play example-bots/wasm/card-hunt/counter.wasm @random --seats 4 --seat 2
  arena play nash uniform --league leagues/little-hunters.toml --deal 3
  arena play --from results/little-hunters --match 17
  arena play --from results/x --with mine,nash --fault
  arena play example-bots/wasm/card-hunt/counter.wasm --interactive --seats 3
  arena play a.wasm b.wasm --json > match.jsonl")]
pub(super) struct Play {
    /// The bots' files, by place in the lineup; @random for the built-in opponent
    bots: Vec<PathBuf>,
    /// The game [default: the one that the bots name]
    #[arg(long, value_name = "GAME", conflicts_with_all = ["league", "from"])]
    game: Option<String>,
    /// A league file: its game, options, limits and seed
    #[arg(long, value_name = "FILE")]
    league: Option<PathBuf>,
    /// An option of the game, as in a league file
    #[arg(long = "option", value_name = "KEY=VALUE", value_parser = game_option, conflicts_with = "from")]
    options: Vec<(String, Value)>,
    /// The league's seed [default: 0, or the league file's]
    #[arg(long, conflicts_with = "from")]
    seed: Option<u64>,
    /// The deal
    #[arg(long, default_value_t = 0, conflicts_with = "from")]
    deal: u64,
    /// The seating of the deal
    #[arg(long, default_value_t = 0, conflicts_with_all = ["from", "seat", "interactive"])]
    seating: usize,
    /// The first bot sits here, or you do, and the others after it in the order given
    #[arg(long, value_name = "N", conflicts_with = "from")]
    seat: Option<u8>,
    /// So many seats; those left over are @random's [default: as many as bots]
    #[arg(long, value_name = "N", conflicts_with = "from")]
    seats: Option<usize>,
    /// So many deals, one after the other
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
          conflicts_with_all = ["from", "interactive"])]
    deals: u64,
    /// The first bot sits down only after so many of its seat's decisions, which are random
    #[arg(long, default_value_t = 0, value_name = "N", conflicts_with_all = ["from", "interactive"])]
    late: u32,
    /// Take a seat yourself
    #[arg(short, long, conflicts_with_all = ["from", "json"])]
    interactive: bool,
    /// A results folder: play one of its matches again
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    /// With --from: the match's number, from 1; with --with or --fault where the search begins
    #[arg(long = "match", value_name = "K", requires = "from")]
    number: Option<u64>,
    /// With --from: the first match in which all these sit
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', requires = "from")]
    with: Vec<String>,
    /// With --from: the first match in which a decision failed (of the bots of --with)
    #[arg(long, requires = "from")]
    fault: bool,
    /// A JSON object a line: see arena/docs/events.md
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    compiling: Compiling,
}

/// Reads `key=value`, the value as in a league file.
fn game_option(text: &str) -> Result<(String, Value), String> {
    let (key, value) = text.split_once('=').ok_or("KEY=VALUE is wanted")?;
    let table: toml::Table = toml::from_str(&format!("value = {}", value.trim()))
        .or_else(|_| toml::from_str(&format!("value = {:?}", value.trim())))
        .map_err(|error| error.message().to_owned())?;
    let value = serde_json::to_value(&table["value"]).map_err(|error| error.to_string())?;
    Ok((key.trim().to_owned(), value))
}

impl Play {
    pub(super) fn execute(self, thread: BotThread) -> Result<u8, Failure> {
        match &self.from {
            Some(folder) => replay::replay(&self, folder, thread),
            None => self.play(thread),
        }
    }

    fn play(&self, thread: BotThread) -> Result<u8, Failure> {
        if self.bots.is_empty() && !self.interactive && self.seats.is_none() {
            let message = "no bots are given: name their files, or @random for the built-in opponent";
            return Err(Failure::Refused(message.into()));
        }
        let league = self.league.as_deref().map(League::read_entered).transpose()?;
        let limits = league.as_ref().map_or_else(Limits::default, |league| league.limits().clone());
        let files = self.files(league.as_ref(), &limits)?;
        let game = match (&league, &self.game) {
            (Some(league), _) => league.game(),
            (None, Some(name)) => known_game(name)?,
            (None, None) => named_game(&files, &limits)?,
        };
        let seats = self.seats_of(game, league.as_ref())?;
        let base = league.as_ref().map_or_else(|| GameOptions::default_of(game), |league| league.options.clone());
        let options = options(base, &self.options, seats)?;
        let sandbox = Sandbox::with_compiler(limits.clone(), seats as u32 + 2, self.compiling.compiler()?)?;
        let mut lineup = Vec::new();
        lineup.extend(self.interactive.then(Actor::human).map(Rc::new));
        let mut files = files.iter();
        for path in &self.bots {
            let actor = match path.as_os_str() == random::NAME {
                true => Actor::random(),
                false => {
                    let Some((path, bytes)) = files.next() else { continue };
                    Actor::bot(&sandbox, game, seats, path, bytes)?
                }
            };
            lineup.push(Rc::new(actor));
        }
        lineup.resize_with(seats, || Rc::new(Actor::random()));
        let setting = Setting {
            thread,
            options,
            limits,
            seed: self.seed.or(league.map(|league| league.identity().seed)).unwrap_or(0),
            late: self.late,
            json: self.json,
        };
        let matches = (self.deal..self.deal.saturating_add(self.deals))
            .map(|number| self.match_of(number, game, setting.seed, &lineup));
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        with_game!(game, G => show::<G>(&setting, matches, &mut out))?;
        Ok(exit::DONE)
    }

    /// The files of the bots that have one, in order: by name in the league, else by path.
    fn files<'a>(
        &'a self,
        league: Option<&'a League>,
        limits: &Limits,
    ) -> Result<Vec<(&'a PathBuf, Vec<u8>)>, Failure> {
        let mut files = Vec::new();
        for path in self.bots.iter().filter(|path| path.as_os_str() != random::NAME) {
            let entered =
                league.iter().flat_map(|league| &league.bots).find(|bot| path.as_os_str() == bot.name.as_str());
            files.push(match entered {
                None if !path.exists() && path.as_os_str().as_encoded_bytes().starts_with(b"@") => {
                    let message = format!("{}: the one built-in opponent is {}", shown(path), random::NAME);
                    return Err(Failure::Refused(message));
                }
                Some(bot) => (&bot.path, bot.bytes.clone()),
                None if path.exists() || league.is_none() => (path, read_bot(path, limits)?),
                None => {
                    let names = league.iter().flat_map(|league| &league.bots).map(|bot| bot.name.as_str());
                    let (path, names) = (shown(path), names.collect::<Vec<_>>().join(", "));
                    let bots = if names.is_empty() { " has no bots".into() } else { format!("'s bots are {names}") };
                    let message = format!("{path}: there is no such file, and the league{bots}");
                    return Err(Failure::Refused(message));
                }
            });
        }
        Ok(files)
    }

    /// The number of seats.
    fn seats_of(&self, game: GameId, league: Option<&League>) -> Result<usize, Failure> {
        let (least, most) = game.info().seats;
        let range = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let given = self.bots.len() + usize::from(self.interactive);
        let players = format!("{} given", counted(given as u64, "player is", "players are"));
        let usual = if self.interactive { league.map_or(least, League::seats).max(given) } else { given };
        let seats = self.seats.unwrap_or(usual);
        let refused = if let Some(wanted) = self.seats.filter(|wanted| !(least..=most).contains(wanted)) {
            format!("--seats {wanted}: {game} has {range} seats")
        } else if seats < given {
            format!("--seats {seats}: {players}")
        } else if seats > most {
            format!("{game} has {range} seats, and {players}")
        } else if seats < least {
            format!("{game} has {range} seats, and {players}; --seats {least} fills up with @random")
        } else {
            match self.seat {
                Some(seat) if usize::from(seat) >= seats => format!("--seat {seat}: the seats are 0 to {}", seats - 1),
                _ => return Ok(seats),
            }
        };
        Err(Failure::Refused(refused))
    }

    fn match_of(&self, number: u64, game: GameId, seed: u64, lineup: &[Rc<Actor>]) -> Result<Match, Failure> {
        let deal = deal(seed, number, game.info().seating, lineup.len());
        let (seated, seating) = match self.seat.or(self.interactive.then_some(0)) {
            Some(seat) => deal.in_order(Seat(seat), lineup.len()),
            None => {
                let last = deal.seatings().len() - 1;
                let none = || Failure::Refused(format!("--seating {}: the seatings are 0 to {last}", self.seating));
                (*deal.seatings().get(self.seating).ok_or_else(none)?, Some(self.seating))
            }
        };
        Ok(Match { number: None, deal_number: number, deal, seated, seating, lineup: lineup.to_vec() })
    }
}

/// A game's options: those of a league or the game's own, with what the command line alters.
fn options(base: GameOptions, given: &[(String, Value)], seats: usize) -> Result<GameOptions, Failure> {
    let mut json = base.to_json();
    for (key, value) in given {
        json[key.as_str()] = value.clone();
    }
    GameOptions::from_json(base.game(), &json, seats).map_err(|BadOption { key, reason }| {
        Failure::Refused(format!("--option {}: {}", escaped(&key, 60), escaped(&reason, 400)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_in_a_league_file() {
        assert_eq!(game_option("garnets = 7"), Ok(("garnets".into(), 7.into())));
        assert_eq!(game_option("name=text"), Ok(("name".into(), "text".into())));
        assert_eq!(game_option("on=true"), Ok(("on".into(), true.into())));
        assert!(game_option("garnets").is_err());
    }
}
