//! `arena submit`: enters a bot in a league, plays what is new, and says where it stands.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::Args;

use super::desk::{Claim, Desk};
use super::error::{Failure, exit};
use super::new::NOBODY;
use super::output::note;
use super::run::{Playing, stop_on_interrupt};
use crate::league::League;
use crate::report::one_bot::where_it_stands;

/// Enter a bot in a league: check it, store it, play what is new, and say where it stands
///
/// The bot is checked as `arena check` does, with the limits of the league, stored by its content, and recorded with
/// name, author, version, SHA-256 and time in the league's folder of submissions. A later submission under the same name
/// by the same author takes its place; older versions stay stored. Only matches that the results lack are played.
///
/// "Beats" means that the likelihood of superiority over that opponent is above 97.5 %, "loses to" that it is below
/// 2.5 %; every other opponent is undecided. Authors are taken at their word.
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena submit my-bot.wasm --league leagues/x
  arena submit my-bot.wasm --league leagues/x --name second --author ann
  arena submit my-bot.wasm --league leagues/x --no-play")]
pub(super) struct Submit {
    /// The bot's file
    bot: PathBuf,
    /// The league file; `.toml` may be left out
    #[arg(long, value_name = "FILE")]
    league: PathBuf,
    /// Its name in the league [default: the one that it names, else its file's]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Whose it is; only the same author may replace or withdraw it [default: the author that it names]
    #[arg(long, value_name = "NAME")]
    author: Option<String>,
    /// Only record it: `arena run` plays it
    #[arg(long)]
    no_play: bool,
    #[command(flatten)]
    playing: Playing,
}

impl Submit {
    pub(super) fn execute(self) -> Result<u8, Failure> {
        if !self.no_play {
            // Nothing is recorded that could not be played there.
            self.playing.free_folder(&League::read_file(&self.league)?.0)?;
        }
        let desk = Desk::open(&self.league, &self.playing.compiling)?;
        let bytes = desk.read(&self.bot)?;
        let claim = Claim { name: self.name.as_deref(), author: self.author.as_deref(), else_author: None };
        let receipt = desk.submit(&self.bot, &bytes, &claim)?;
        note!("{}: {receipt}", crate::ids::shown(&self.bot));
        if receipt.author == NOBODY {
            note!(
                "Its author is \"{NOBODY}\", as `arena new` leaves it: anybody's. Put your name into the bot and choose another name \
                 for it, or submit it with --name and --author."
            );
        }
        if self.no_play {
            return Ok(exit::DONE);
        }
        let stop = stop_on_interrupt();
        if let Some(played) = self.playing.catch_up(&self.league, &stop)? {
            let bots = &played.results.identity.bots;
            if let Some(bot) = bots.iter().position(|bot| bot.name.eq_ignore_ascii_case(receipt.name.as_str())) {
                let stands = where_it_stands(&played.results, &played.standings, bot as u32);
                write!(std::io::stdout().lock(), "{stands}")?;
            }
        }
        if stop.load(Ordering::Relaxed) {
            note!("Stopped before the end; the submission is recorded, and what is finished is kept. This goes on:");
            note!("  {}", self.playing.command(&self.league));
            return Ok(exit::INTERRUPTED);
        }
        Ok(exit::DONE)
    }
}
