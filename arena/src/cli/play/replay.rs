//! `arena play --from`: a match of a league, from its results folder, exactly as it was played.

use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use super::super::bots::Bots;
use super::super::error::{Failure, exit};
use super::Play;
use super::cast::Actor;
use super::show::{Match, Setting, Stage, show};
use crate::failure::HostError;
use crate::games::{Game, GameId, with_game};
use crate::ids::{escaped, shown};
use crate::league::folder::RUN_RECORD;
use crate::league::identity::Identity;
use crate::league::key::{Key, KeyBase};
use crate::league::matches::{Numbered, count, first_of, numbered};
use crate::league::seeds::{deal, seatings_per_deal};
use crate::league::verify::played;
use crate::league::{Journal, Schedule};
use crate::report::table::grouped;
use crate::sandbox::{BotThread, Sandbox};

/// How its bots are named.
const HOW: &str = "Name the league file with --league, or give the bots' files";

/// Replays a match of a results folder.
pub(super) fn replay(play: &Play, folder: &Path, thread: BotThread) -> Result<u8, Failure> {
    let identity = identity(folder)?;
    let options = identity.playable(folder)?;
    let game = options.game();
    let bots = Bots::find(folder, &identity, play.league.as_deref(), &play.bots, HOW)?;
    let setting =
        Setting { thread, options, limits: identity.limits.clone(), seed: identity.seed, late: 0, json: play.json };
    let compiler = play.compiling.compiler()?;
    let sandbox = Sandbox::with_compiler(identity.limits.clone(), identity.seats as u32 + 2, compiler)?;
    let mut league = Replayed {
        folder,
        game,
        seatings: seatings_per_deal(game.info().seating, identity.seats),
        schedule: identity.schedule(),
        identity,
        bots,
        sandbox,
        loaded: HashMap::new(),
    };
    let number = league.choose(play, &setting)?;
    let played = league.match_of(number)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    with_game!(game, G => show::<G>(&setting, [Ok(played)], &mut out))?;
    Ok(exit::DONE)
}

/// What the folder's journal says it played, or, without a journal, its run.json.
fn identity(folder: &Path) -> Result<Identity, Failure> {
    if let Some(identity) = played(folder).map_err(|error| Failure::Refused(error.to_string()))? {
        return Ok(identity);
    }
    let file = folder.join(RUN_RECORD);
    let none = || format!("{}: there is no journal and no run.json: this is no results folder", shown(folder));
    let text = std::fs::read(&file).map_err(|_| Failure::Refused(none()))?;
    serde_json::from_slice(&text)
        .map_err(|error| Failure::Refused(format!("{}: {}", shown(&file), escaped(&error.to_string(), 300))))
}

/// A league whose matches are played again.
struct Replayed<'a> {
    folder: &'a Path,
    game: GameId,
    identity: Identity,
    schedule: Schedule,
    seatings: usize,
    bots: Bots,
    sandbox: Sandbox,
    /// By number in the league.
    loaded: HashMap<u32, Rc<Actor>>,
}

impl Replayed<'_> {
    /// The number of the match that is asked for.
    fn choose(&mut self, play: &Play, setting: &Setting) -> Result<u64, Failure> {
        let total = count(&self.schedule, self.seatings);
        let range = || format!("the league has matches 1 to {}", grouped(total));
        if let Some(number) = play.number
            && numbered(&self.schedule, number, self.seatings).is_none()
        {
            return Err(Failure::Refused(format!("--match {number}: {}", range())));
        }
        if play.with.is_empty() && !play.fault {
            let which = || format!("which match? --match K, --with NAMES or --fault; {}", range());
            return play.number.ok_or_else(|| Failure::Refused(which()));
        }
        let with = play.with.iter().map(|name| self.bot(name)).collect::<Result<Vec<_>, _>>()?;
        let from = play.number.unwrap_or(1);
        let played = Tallied::read(self.folder, &self.identity)?;
        let first = numbered(&self.schedule, from, self.seatings).map_or(0, |first| first.block);
        for block in first..self.schedule.len() {
            let lineup = self.lineup(block);
            let sits = |bot: &u32| lineup.contains(bot);
            if !with.iter().all(sits) || !played.may_fit(&self.schedule, block, &lineup, &with, play.fault) {
                continue;
            }
            let start = first_of(&self.schedule, block, self.seatings);
            let matches = u64::from(self.schedule.block(block).deals) * self.seatings as u64;
            for number in start.max(from)..start + matches {
                if !play.fault || self.has_fault(setting, number, &with)? {
                    return Ok(number);
                }
            }
        }
        let with = if with.is_empty() { String::new() } else { format!(" of {}", escaped(&play.with.join(", "), 400)) };
        let fault = if play.fault { " with a fault" } else { "" };
        Err(Failure::Refused(format!("from number {from} on there is no match{with}{fault}; {}", range())))
    }

    fn bot(&self, name: &str) -> Result<u32, Failure> {
        let found = self.identity.bots.iter().position(|bot| bot.name == name);
        found.map(|bot| bot as u32).ok_or_else(|| {
            let names: Vec<_> = self.identity.bots.iter().map(|bot| escaped(&bot.name, 60)).collect();
            let name = escaped(name, 60);
            Failure::Refused(format!("--with {name}: the league has no such bot; it has {}", names.join(", ")))
        })
    }

    /// The bots of a block, by place.
    fn lineup(&self, block: u64) -> Vec<u32> {
        self.schedule.lineups()[self.schedule.block(block).lineup].0.clone()
    }

    fn match_of(&mut self, number: u64) -> Result<Match, Failure> {
        let Some(Numbered { lineup, deal: deal_number, seating, .. }) = numbered(&self.schedule, number, self.seatings)
        else {
            return Err(Failure::Refused(format!("there is no match {number}")));
        };
        let lineup = self.schedule.lineups()[lineup].0.clone();
        let deal = deal(self.identity.seed, deal_number, self.game.info().seating, lineup.len());
        let seated = deal.seatings()[seating];
        let lineup = lineup.into_iter().map(|bot| self.actor(bot)).collect::<Result<_, _>>()?;
        Ok(Match { number: Some(number), deal_number, deal, seated, seating: Some(seating), lineup })
    }

    /// A bot of the league, which is the very file that played.
    fn actor(&mut self, number: u32) -> Result<Rc<Actor>, Failure> {
        if let Some(actor) = self.loaded.get(&number) {
            return Ok(actor.clone());
        }
        let bot = &self.identity.bots[number as usize];
        let name = escaped(&bot.name, 60);
        let Some((path, bytes)) = self.bots.get(&bot.sha256) else {
            let (sha256, hint) = (escaped(&bot.sha256, 64), self.bots.lack(&bot.name));
            return Err(Failure::Refused(format!("the bot {name} played with SHA-256 {sha256}; {hint}")));
        };
        let actor = Rc::new(Actor::bot(&self.sandbox, self.game, self.identity.seats, &path, &bytes)?.called(&name));
        self.loaded.insert(number, actor.clone());
        Ok(actor)
    }

    /// Whether one of the bots, or any without bots, fails a decision in a match.
    fn has_fault(&mut self, setting: &Setting, number: u64, bots: &[u32]) -> Result<bool, Failure> {
        let played = self.match_of(number)?;
        let lineup = numbered(&self.schedule, number, self.seatings).map(|found| self.lineup(found.block));
        let lineup = lineup.unwrap_or_default();
        let faults = with_game!(self.game, G => faults::<G>(setting, &played))?;
        Ok(faults.iter().zip(lineup).any(|(&faults, bot)| faults > 0 && (bots.is_empty() || bots.contains(&bot))))
    }
}

/// The number of failed decisions of a match, by place.
fn faults<G: Game>(setting: &Setting, played: &Match) -> Result<Vec<u32>, HostError> {
    let record = Stage::<G>::new(setting).play(played)?;
    let mut faults = vec![0; played.lineup.len()];
    for (seat, &place) in record.seats.iter().zip(&played.seated.place_at[..faults.len()]) {
        faults[usize::from(place)] = seat.faults.iter().sum();
    }
    Ok(faults)
}

/// The blocks that are in the journal, with their faults by place: what no match needs to be played for.
struct Tallied {
    /// `None` without a journal.
    faults: Option<HashMap<Key, Vec<u64>>>,
    keys: KeyBase,
    hashes: Vec<String>,
}

impl Tallied {
    fn read(folder: &Path, identity: &Identity) -> Result<Tallied, Failure> {
        let mut faults = HashMap::new();
        let contents = Journal::read(folder, |entry| {
            faults.insert(entry.key, entry.tally.places.iter().map(|place| place.fault_count()).collect());
        })
        .and_then(|contents| contents.refuse_contradictions(folder).map(|()| contents))
        .map_err(|error| Failure::Refused(error.to_string()))?;
        let game = identity.playable(folder)?.game();
        Ok(Tallied {
            faults: contents.identity.map(|_| faults),
            keys: KeyBase::new(game.info(), &identity.options, &identity.limits, identity.seed),
            hashes: identity.bots.iter().map(|bot| bot.sha256.clone()).collect(),
        })
    }

    /// Whether a block can hold a match that was played, and that has a fault of one of the bots if one is wanted.
    fn may_fit(&self, schedule: &Schedule, block: u64, lineup: &[u32], bots: &[u32], fault: bool) -> bool {
        let Some(all) = &self.faults else { return true };
        let hashes = lineup.iter().map(|&bot| self.hashes[bot as usize].as_str());
        let block = schedule.block(block);
        let Some(faults) = all.get(&self.keys.key(hashes, block.first, block.deals)) else { return false };
        let of_these = |bot: &u32| bots.is_empty() || bots.contains(bot);
        !fault || lineup.iter().zip(faults).any(|(bot, &faults)| faults > 0 && of_these(bot))
    }
}
