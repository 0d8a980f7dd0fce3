//! The league file: read, then checked, with every refusal saying file, line, key and what would be right.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::value::MapDeserializer;
use toml::Spanned;

pub use super::rating_options::RatingOptions;

use super::identity::{BotIdentity, Identity, LeftOut, MOST_BLOCKS};
use super::schedule::Schedule;
use super::seeds::seatings_per_deal;
use super::source::{ConfigError, Source, in_words};
use super::submissions::{Submissions, SubmissionsError, stored_file};
use crate::failure::{FileError, HostError, is_file};
use crate::games::{GameId, GameOptions};
use crate::ids::{BotName, escaped, shown};
use crate::sandbox::check::{MOST_BYTES, inspect_beginning};
use crate::sandbox::{Limits, LoadError, Problem, engine_version};
use crate::words::{choices, counted};

/// A league, read and checked: everything that a run needs but the bots' compiled modules.
#[derive(Debug, Clone)]
pub struct League {
    /// The league file.
    pub path: PathBuf,
    /// The game's options.
    pub options: GameOptions,
    /// The entrants, in the file's order.
    pub bots: Vec<Entrant>,
    /// What a run of it plays; of its bots what the entrants say.
    identity: Identity,
}

/// What a league asks of a bot.
#[derive(Debug, Clone)]
pub struct Terms {
    /// The game.
    pub game: GameId,
    /// The game's options.
    pub options: GameOptions,
    /// Seats of a match.
    pub seats: usize,
    /// Limits on the bots.
    pub limits: Limits,
}

/// A bot of a league.
#[derive(Debug, Clone)]
pub struct Entrant {
    /// Its name in the league.
    pub name: BotName,
    /// Its file.
    pub path: PathBuf,
    /// The league file's line that enters it; `None` for a bot that no league file names.
    pub line: Option<usize>,
    /// The file's bytes.
    pub bytes: Vec<u8>,
    /// Their SHA-256, in hexadecimal.
    pub sha256: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    game: Spanned<String>,
    seed: Option<Spanned<u64>>,
    /// Needed to play, not to check a bot.
    deals: Option<Spanned<u64>>,
    seats: Option<Spanned<usize>>,
    lineups: Option<Spanned<u64>>,
    block: Option<Spanned<u32>>,
    options: Option<BTreeMap<Spanned<String>, Spanned<toml::Value>>>,
    #[serde(default)]
    bots: Vec<Spanned<RawBot>>,
    submissions: Option<Spanned<String>>,
    limits: Option<Spanned<Limits>>,
    rating: Option<Spanned<RatingOptions>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBot {
    path: Spanned<String>,
    name: Option<Spanned<String>>,
}

/// Deals of a block where the file does not say: large enough that a block's costs beside its matches are
/// small, small enough that a kill loses little and that 30 and more blocks come of a short league.
const DEFAULT_BLOCK: u32 = 50;

/// Lineups of a game of more than two seats where the file does not say. Two seats are few enough for all.
const DEFAULT_LINEUPS: u64 = 10_000;

/// How much of a league is read.
#[derive(Clone, Copy, PartialEq)]
enum Extent {
    /// What its file says.
    File,
    /// That, and the bots that were submitted.
    Entered,
    /// All of it, which must be enough to be played.
    Playable,
}

impl League {
    /// Reads a league file, the bots that it names and those that were submitted: a league that can be played.
    /// `leagues/x` is `leagues/x.toml` where there is no such file.
    ///
    /// # Errors
    /// The first thing that is wrong: the file, the line, the key and what would be right.
    pub fn read(path: &Path) -> Result<League, ConfigError> {
        let (path, text) = read_text(path)?;
        League::parse(&path, &text, Extent::Playable).map(|(league, _)| league)
    }

    /// Reads the same, but there may be too few bots to play: for its rules and whatever bots it has.
    ///
    /// # Errors
    /// As [`League::read`].
    pub fn read_entered(path: &Path) -> Result<League, ConfigError> {
        let (path, text) = read_text(path)?;
        League::parse(&path, &text, Extent::Entered).map(|(league, _)| league)
    }

    /// Reads only what a league file itself says, and where its submissions are: there may be too few bots to play.
    ///
    /// # Errors
    /// As [`League::read`].
    pub fn read_file(path: &Path) -> Result<(League, PathBuf), ConfigError> {
        let (path, text) = read_text(path)?;
        League::parse(&path, &text, Extent::File)
    }

    /// Reads which bots a league file names, as far as they are there: what was played with the others can still be played
    /// again.
    ///
    /// # Errors
    /// A file that is not a league.
    pub fn bot_files(path: &Path) -> Result<BotFiles, ConfigError> {
        let (path, text) = read_text(path)?;
        let source = Source { file: &path, text: &text };
        let raw: Raw = toml::from_str(&text).map_err(|error| source.toml(&error))?;
        let game = checked_game(&source, &raw.game)?;
        let limits = checked_limits(&source, raw.limits)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let given = raw.bots.iter().filter_map(|bot| BotName::new(bot.get_ref().name.as_ref()?.get_ref()).ok());
        let mut taken: BTreeSet<BotName> = given.collect();
        let (mut bots, mut problems) = (Vec::new(), Vec::new());
        for bot in raw.bots.iter().map(Spanned::get_ref) {
            let files = matching_files(&source, folder, &bot.path).unwrap_or_else(|problem| {
                problems.push(problem);
                Vec::new()
            });
            for file in files {
                let name = match &bot.name {
                    Some(name) => BotName::new(name.get_ref()).map_err(|bad| bad.to_string()),
                    None => free_name(&file, &mut taken),
                };
                let read = name.and_then(|name| {
                    let bytes = read_limited(&file, limits.module_bytes, "(limits.module_bytes)")
                        .map_err(|message| format!("{}: {message}", shown(&file)))?;
                    Ok((name, bytes))
                });
                match read {
                    Ok((name, bytes)) => {
                        let sha256 = crate::sandbox::module::sha256_hex(&bytes);
                        let line = Some(source.line(bot.path.span().start));
                        bots.push(Entrant { name, path: file, line, bytes, sha256 });
                    }
                    Err(message) => problems.push(source.wrong(&bot.path, "path", message)),
                }
            }
        }
        let submissions = submissions_folder(&path, raw.submissions.as_ref());
        Ok(BotFiles { game, bots, problems, submissions })
    }

    /// Reads what a league file asks of a bot, whatever bots it enters: they need not be there.
    ///
    /// # Errors
    /// As [`League::read`], of these keys.
    pub fn read_terms(path: &Path) -> Result<Terms, ConfigError> {
        let (path, text) = read_text(path)?;
        let source = Source { file: &path, text: &text };
        let raw: Raw = toml::from_str(&text).map_err(|error| source.toml(&error))?;
        let game = checked_game(&source, &raw.game)?;
        let limits = checked_limits(&source, raw.limits)?;
        let seats = checked_seats(&source, raw.seats, game)?;
        let options = checked_options(&source, raw.options.unwrap_or_default(), game, seats)?;
        Ok(Terms { game, options, seats, limits })
    }

    /// The league and the folder of its submissions.
    fn parse(path: &Path, text: &str, extent: Extent) -> Result<(League, PathBuf), ConfigError> {
        let whole = extent == Extent::Playable;
        let source = Source { file: path, text };
        let raw: Raw = toml::from_str(text).map_err(|error| source.toml(&error))?;

        let game = checked_game(&source, &raw.game)?;
        let limits = checked_limits(&source, raw.limits)?;
        let missing = || source.error(None, None, in_words("missing field `deals`", None));
        let deals = match &raw.deals {
            Some(deals) => source.whole(deals, "deals")?,
            // Single matches are played without.
            None if extent == Extent::Entered => 1,
            None => return Err(missing()),
        };
        let seed = raw.seed.as_ref().map_or(Ok(0), |seed| source.whole(seed, "seed"))?;
        let block = raw.block.as_ref().map_or(Ok(DEFAULT_BLOCK), |block| source.whole(block, "block"))?;
        let lineups = raw.lineups.as_ref().map(|lineups| source.whole(lineups, "lineups")).transpose()?;
        let submissions = submissions_folder(path, raw.submissions.as_ref());
        let submitted = if extent == Extent::File { Vec::new() } else { submitted(&submissions, &limits)? };
        let bots = entrants(&source, &raw.bots, &limits, submitted)?;
        let seats = checked_seats(&source, raw.seats, game)?;
        if whole {
            enough_bots(&source, raw.bots.first(), bots.len())?;
        }
        let options = checked_options(&source, raw.options.unwrap_or_default(), game, seats)?;
        let lineups = lineups.or((seats > 2).then_some(DEFAULT_LINEUPS));
        let rating = if whole { checked_rating(&source, raw.rating, &bots)? } else { RatingOptions::default() };
        let identity = Identity { seed, deals, lineups, block, rating, ..Identity::of(&options, seats, limits) };
        let league = League::new(path.to_owned(), options, identity, bots);
        let schedule = whole.then(|| league.schedule());
        let blocks = schedule.as_ref().map_or(0, Schedule::len);
        if let Some(deals) = raw.deals.as_ref().filter(|_| blocks > MOST_BLOCKS) {
            let message =
                format!("the league has {blocks} blocks, above the most, {MOST_BLOCKS}; a larger `block` helps");
            return Err(source.wrong(deals, "deals", message));
        }
        for bot in &league.bots {
            tracing::debug!(
                "bot {}: {}, {} bytes, SHA-256 {}",
                bot.name,
                shown(&bot.path),
                bot.bytes.len(),
                bot.sha256
            );
        }
        tracing::info!(
            "{} is read: {}, {}, {}",
            shown(path),
            counted(league.bots.len() as u64, "bot", "bots"),
            counted(schedule.map_or(0, |schedule| schedule.lineups().len() as u64), "lineup", "lineups"),
            counted(blocks, "block", "blocks")
        );
        Ok((league, submissions))
    }

    /// A league of these bots.
    pub fn new(path: PathBuf, options: GameOptions, identity: Identity, bots: Vec<Entrant>) -> League {
        let names = bots.iter().map(|bot| BotIdentity { name: bot.name.to_string(), sha256: bot.sha256.clone() });
        let identity = Identity { bots: names.collect(), ..identity };
        League { path, options, bots, identity }
    }

    /// What a run of it plays.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// How its results are rated, to be altered.
    pub fn rating_mut(&mut self) -> &mut RatingOptions {
        &mut self.identity.rating
    }

    /// The game.
    pub fn game(&self) -> GameId {
        self.options.game()
    }

    /// Seats of a match.
    pub fn seats(&self) -> usize {
        self.identity.seats
    }

    /// Limits on the bots.
    pub fn limits(&self) -> &Limits {
        &self.identity.limits
    }

    /// Where a bot is entered, as errors begin: `league.toml:7: path: `; nothing for one that no league file names.
    pub fn place_of(&self, bot: &Entrant) -> String {
        bot.line.map_or(String::new(), |line| format!("{}:{line}: path: ", shown(&self.path)))
    }

    /// Bots that have the same bytes as one before them, a sentence each: names of one bot.
    pub fn repeats(&self) -> Vec<String> {
        let mut first: HashMap<&str, &Entrant> = HashMap::new();
        let mut repeats = Vec::new();
        for bot in &self.bots {
            let before = first.entry(&bot.sha256).or_insert(bot);
            if before.name != bot.name {
                let (place, path, before) = (self.place_of(bot), shown(&bot.path), &before.name);
                repeats.push(format!("{place}{path} has the same bytes as {before}: {} is its second name", bot.name));
            }
        }
        repeats
    }

    /// All blocks.
    pub fn schedule(&self) -> Schedule {
        self.identity.schedule()
    }

    /// Matches of a deal.
    pub fn seatings(&self) -> usize {
        seatings_per_deal(self.game().info().seating, self.seats())
    }

    /// Matches of the whole league.
    pub fn matches(&self) -> u64 {
        self.schedule().lineups().len() as u64 * self.identity.deals * self.seatings() as u64
    }

    /// Leaves an entrant out.
    pub(super) fn leave_out(&mut self, bot: usize, reason: String) {
        let Entrant { name, sha256, .. } = self.bots.remove(bot);
        self.identity.bots.remove(bot);
        self.identity.left_out.push(LeftOut { name: name.to_string(), sha256, reason });
    }

    /// Leaves out what results of the same limits and engine have left out: whether a bot can be played is decided once,
    /// and not anew by each machine.
    pub fn leave_out_as(&mut self, before: &Identity) {
        if before.limits != self.identity.limits || before.engine != engine_version() {
            return;
        }
        for LeftOut { name, sha256, reason } in &before.left_out {
            let same = |bot: &Entrant| bot.line.is_none() && bot.name.as_str() == name && bot.sha256 == *sha256;
            if let Some(bot) = self.bots.iter().position(same) {
                self.leave_out(bot, escaped(reason, 1000));
            }
        }
    }
}

impl League {
    /// The league that was played, with those of its bots whose bytes `bytes` finds by their SHA-256. `path` is what errors
    /// name.
    ///
    /// # Errors
    /// Those of [`Identity::playable`].
    pub fn found(
        identity: &Identity,
        path: &Path,
        bytes: impl Fn(&str) -> Option<(PathBuf, Vec<u8>)>,
    ) -> Result<Found, ConfigError> {
        let wrong = |message| ConfigError { file: path.to_owned(), line: None, key: None, message, host: false };
        let options = identity.playable(path)?;
        let mut bots = Vec::new();
        let mut numbers = Vec::new();
        for bot in &identity.bots {
            let name = BotName::new(&bot.name).map_err(|bad| wrong(bad.to_string()))?;
            numbers.push(bytes(&bot.sha256).map(|(path, bytes)| {
                bots.push(Entrant { name, path, line: None, bytes, sha256: bot.sha256.clone() });
                bots.len() as u32 - 1
            }));
        }
        let league = League::new(path.to_owned(), options, identity.clone(), bots);
        Ok(Found { league, numbers })
    }
}

/// A league that was played, with those of its bots that are there.
pub struct Found {
    /// With these bots alone: its schedule is not that of the results.
    pub league: League,
    /// By number in the results, the bot's number in this league.
    pub numbers: Vec<Option<u32>>,
}

/// The bots of a league file that can be read, and what is wrong with the others.
pub struct BotFiles {
    /// The league's game.
    pub game: GameId,
    /// The bots.
    pub bots: Vec<Entrant>,
    /// Files that are not there or cannot be a bot, each with its line.
    pub problems: Vec<ConfigError>,
    /// Where the league's submissions are.
    pub submissions: PathBuf,
}

fn checked_game(source: &Source<'_>, game: &Spanned<String>) -> Result<GameId, ConfigError> {
    GameId::from_name(game.get_ref()).ok_or_else(|| {
        let name = escaped(game.get_ref(), 60);
        let known: Vec<_> = GameId::ALL.iter().map(|game| game.name()).collect();
        source.wrong(game, "game", format!("there is no game \"{name}\"; {}", choices(&name, &known)))
    })
}

fn checked_limits(source: &Source<'_>, limits: Option<Spanned<Limits>>) -> Result<Limits, ConfigError> {
    let Some(limits) = limits else { return Ok(Limits::default()) };
    match limits.get_ref().validate() {
        Ok(()) => Ok(limits.into_inner()),
        Err((key, message)) => {
            // The table's span is known, the key's is found within it.
            let table = &source.text[limits.span().start..];
            let at = limits.span().start + find_key(table, key).unwrap_or(0);
            Err(source.error(Some(at), format!("limits.{key}"), message))
        }
    }
}

/// Where a key begins a line of a table.
fn find_key(table: &str, key: &str) -> Option<usize> {
    table.match_indices(key).map(|(at, _)| at).find(|&at| {
        let before = table[..at].rsplit(['\n', '{', ',']).next().unwrap_or("");
        before.trim().is_empty() && table[at + key.len()..].trim_start().starts_with('=')
    })
}

fn checked_seats(source: &Source<'_>, seats: Option<Spanned<usize>>, game: GameId) -> Result<usize, ConfigError> {
    let (least, most) = game.info().seats;
    let wanted = match &seats {
        Some(seats) => *seats.get_ref(),
        None => least,
    };
    if wanted < least || wanted > most {
        let range = if least == most { format!("{least}") } else { format!("{least} to {most}") };
        let at = seats.as_ref().map(|seats| seats.span().start);
        return Err(source.error(at, "seats".to_owned(), format!("{game} has {range} seats, not {wanted}")));
    }
    Ok(wanted)
}

/// Fewer bots than seats sit in several; one alone has nobody to be compared with.
fn enough_bots(source: &Source<'_>, first: Option<&Spanned<RawBot>>, bots: usize) -> Result<(), ConfigError> {
    let entered = match bots {
        0 => "no bot is entered",
        1 => "only one bot is entered",
        _ => return Ok(()),
    };
    let message = format!(
        "{entered}, and a league needs two or more; name more in [[bots]], path = \"…\", or `arena submit` them"
    );
    // Without any it is the end of the file that lacks them.
    let at = first.map_or(source.text.trim_end().len(), |first| first.span().start);
    Err(source.error(Some(at), "bots".to_owned(), message))
}

/// A league file's text, and where it was found.
fn read_text(path: &Path) -> Result<(PathBuf, String), ConfigError> {
    let error =
        |file: &Path, message| ConfigError { file: file.to_owned(), line: None, key: None, message, host: false };
    let with_ending = path.with_added_extension("toml");
    let is_there = |file: &Path| {
        is_file(file)
            .map(|there| there == Some(true))
            .map_err(|reason| Source::unread(reason, |message| error(file, message)))
    };
    let is_short = path.extension().is_none_or(|ending| ending != "toml") && !is_there(path)?;
    if is_short && !is_there(&with_ending)? {
        return Err(error(path, format!("there is no such file, nor {}", shown(&with_ending))));
    }
    let path = if is_short { with_ending } else { path.to_owned() };
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok((path, text)),
        Err(reason) => Err(Source::unread(FileError::new("read it", &reason), |message| error(&path, message))),
    }
}

/// Where a league's submissions are: beside its file.
fn submissions_folder(league: &Path, named: Option<&Spanned<String>>) -> PathBuf {
    match named {
        Some(name) => league.parent().unwrap_or(Path::new("")).join(name.get_ref()),
        None => league.with_extension("submissions"),
    }
}

/// The bots that were submitted and are not withdrawn, each in its newest version.
fn submitted(folder: &Path, limits: &Limits) -> Result<Vec<Entrant>, ConfigError> {
    let wrong =
        |file: &Path, line, message| ConfigError { file: file.to_owned(), line, key: None, message, host: false };
    let submissions = Submissions::read(folder).map_err(|error| match error {
        SubmissionsError::Io { path, doing, source } => {
            Source::unread(FileError::new(doing, &source), |message| wrong(&path, None, message))
        }
        SubmissionsError::Line { path, line, reason } => {
            wrong(&path, Some(line), format!("this is no record of a submission: {reason}"))
        }
        other => wrong(folder, None, other.to_string()),
    })?;
    if submissions.torn {
        tracing::warn!("{}: the last record is torn, as by a kill; it is left out", shown(folder));
    }
    let bots = submissions.bots();
    let entered = bots.iter().filter_map(|bot| Some((bot, bot.current()?)));
    entered
        .map(|(bot, version)| {
            let path = stored_file(folder, version.sha256);
            let of = format!("{} as {} submitted it", bot.name, escaped(bot.author, 60));
            let refuse = |message: String| {
                wrong(&path, None, format!("{message}; it should be {of}: submitting the same file mends it"))
            };
            let bytes = read_module(&path, limits).map_err(|error| Source::unread(error.into(), refuse))?;
            let sha256 = crate::sandbox::module::sha256_hex(&bytes);
            if sha256 != version.sha256 {
                return Err(refuse("the file was altered".into()));
            }
            Ok(Entrant { name: bot.name.clone(), path, line: None, bytes, sha256 })
        })
        .collect()
}

/// Reads the game's own options from the table; what is wrong, and with which option if that is known.
fn read_options(game: GameId, table: toml::Table, seats: usize) -> Result<GameOptions, (Option<String>, String)> {
    // Serde names the key between backticks, first of all.
    let named = |message: &str| message.split('`').nth(1).map(str::to_owned);
    let options = GameOptions::deserialize(game, toml::Value::Table(table))
        .map_err(|error| (named(error.message()), in_words(error.message(), None)))?;
    options.check(seats).map_err(|bad| (Some(bad.key), bad.reason))?;
    Ok(options)
}

/// Reads one option from a file of its own, for errors that know their place in that file.
fn read_option_file(game: GameId, key: &str, text: &str) -> Result<(), toml::de::Error> {
    let table = toml::de::DeTable::parse(text)?;
    let options = MapDeserializer::<_, toml::de::Error>::new(std::iter::once((key, table)));
    GameOptions::deserialize(game, options).map(drop)
}

/// The largest file of an option.
const MOST_OPTION_BYTES: u64 = 1 << 20;

/// The file that an option is kept in, `key = { file = "…" }` with a path relative to the league file, and the file's
/// text; `None` for a value that stands in the league file itself.
fn option_file(
    source: &Source<'_>,
    key: &str,
    value: &Spanned<toml::Value>,
) -> Result<Option<(PathBuf, String)>, ConfigError> {
    let table = value.get_ref().as_table().filter(|table| table.len() == 1);
    let Some(name) = table.and_then(|table| table.get("file")).and_then(toml::Value::as_str) else { return Ok(None) };
    let path = source.file.parent().unwrap_or(Path::new("")).join(name);
    let refuse = |message: &str| source.wrong(value, key, format!("{}: {message}", shown(&path)));
    match is_file(&path).map_err(|error| Source::unread(error, |message| refuse(&message)))? {
        Some(true) => {}
        Some(false) => return Err(refuse("not a regular file")),
        None => return Err(refuse("there is no such file")),
    }
    let bytes = read_limited(&path, MOST_OPTION_BYTES, "for an option");
    let bytes = bytes.map_err(|error| Source::unread(error, |message| refuse(&message)))?;
    let text = String::from_utf8(bytes).map_err(|_| refuse("this is no text in UTF-8"))?;
    Ok(Some((path, text)))
}

fn checked_options(
    source: &Source<'_>,
    options: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    game: GameId,
    seats: usize,
) -> Result<GameOptions, ConfigError> {
    let spans: HashMap<String, usize> =
        options.iter().map(|(key, value)| (key.get_ref().clone(), value.span().start)).collect();
    let first = spans.values().min().copied();
    let mut files: HashMap<String, PathBuf> = HashMap::new();
    let mut all = toml::Table::new();
    // Where an option has a file, what is wrong with the option is wrong there.
    let located = |files: &HashMap<String, PathBuf>, key: &str, message: String| match files.get(key) {
        Some(path) => format!("{}: {message}", shown(path)),
        None => message,
    };
    // One option at a time first, so that a value of the wrong type is named by its key.
    for (key, given) in options {
        let key = key.into_inner();
        let shown = format!("options.{}", escaped(&key, 60));
        let value = match option_file(source, &shown, &given)? {
            None => given.get_ref().clone(),
            Some((path, text)) => {
                let file = Source { file: &path, text: &text };
                let table = toml::from_str(&text).map_err(|error| file.toml(&error))?;
                if let Err(error) = read_option_file(game, &key, &text)
                    && error.span().is_some()
                {
                    return Err(ConfigError { key: Some(shown), ..file.toml(&error) });
                }
                files.insert(key.clone(), path);
                toml::Value::Table(table)
            }
        };
        let table = toml::Table::from_iter([(key.clone(), value.clone())]);
        if let Err((_, message)) = read_options(game, table, seats) {
            return Err(source.wrong(&given, &shown, located(&files, &key, message)));
        }
        all.insert(key, value);
    }
    read_options(game, all, seats).map_err(|(key, message)| {
        let at = key.as_ref().and_then(|key| spans.get(key).copied()).or(first);
        let message = key.iter().fold(message, |message, key| located(&files, key, message));
        source.error(at, key.map_or("options".into(), |key| format!("options.{key}")), message)
    })
}

fn checked_rating(
    source: &Source<'_>,
    rating: Option<Spanned<RatingOptions>>,
    bots: &[Entrant],
) -> Result<RatingOptions, ConfigError> {
    let Some(spanned) = rating else { return Ok(RatingOptions::default()) };
    let rating = spanned.get_ref();
    if let Err((key, message)) = rating.check(bots.iter().map(|bot| bot.name.as_str())) {
        let table = &source.text[spanned.span().start..];
        let at = spanned.span().start + find_key(table, key).unwrap_or(0);
        return Err(source.error(Some(at), format!("rating.{key}"), message));
    }
    Ok(spanned.into_inner())
}

/// The file's bots, then those that were submitted.
fn entrants(
    source: &Source<'_>,
    bots: &[Spanned<RawBot>],
    limits: &Limits,
    submitted: Vec<Entrant>,
) -> Result<Vec<Entrant>, ConfigError> {
    let folder = source.file.parent().unwrap_or(Path::new(""));
    // (path, name given, where)
    let mut found: Vec<(PathBuf, Option<BotName>, usize)> = Vec::new();
    // Lines of names that are given, and of files.
    let mut given: BTreeMap<BotName, usize> = BTreeMap::new();
    let mut entered: HashMap<PathBuf, usize> = HashMap::new();
    for bot in bots {
        let bot = bot.get_ref();
        let at = bot.path.span().start;
        let files = matching_files(source, folder, &bot.path)?;
        let name = match &bot.name {
            None => None,
            Some(name) if files.len() > 1 => {
                let message = format!("a name goes with one file, and {} match the path", files.len());
                return Err(source.wrong(name, "name", message));
            }
            Some(name) => {
                let refuse = |message| source.wrong(name, "name", message);
                let line = source.line(name.span().start);
                let name = BotName::new(name.get_ref()).map_err(|bad| refuse(bad.to_string()))?;
                if submitted.iter().any(|bot| bot.name == name) {
                    return Err(refuse(format!("\"{name}\" is the name of a submission already")));
                }
                if let Some(before) = given.insert(name.clone(), line) {
                    return Err(refuse(format!("\"{name}\" is the name of another bot already, on line {before}")));
                }
                Some(name)
            }
        };
        for file in files {
            // The same file by way of another path or a link is the same file.
            let whole = file.canonicalize().unwrap_or_else(|_| file.clone());
            let line = source.line(at);
            if let Some(before) = entered.insert(whole, line) {
                let before = if before == line { "by the same pattern".into() } else { format!("on line {before}") };
                let message = format!(
                    "{}: this file is entered already, {before}; a copy of it may play beside it",
                    shown(&file)
                );
                return Err(source.wrong(&bot.path, "path", message));
            }
            found.push((file, name.clone(), at));
        }
    }

    let mut taken: BTreeSet<_> = given.into_keys().chain(submitted.iter().map(|bot| bot.name.clone())).collect();
    let mut entrants = Vec::new();
    for (path, name, at) in found {
        let refuse = |message: String| source.error(Some(at), "path".to_owned(), message);
        let unreadable = |message| refuse(format!("{}: {message}", shown(&path)));
        let bytes = read_module(&path, limits).map_err(|error| Source::unread(error.into(), unreadable))?;
        let name = match name {
            Some(name) => name,
            None => free_name(&path, &mut taken).map_err(refuse)?,
        };
        let sha256 = crate::sandbox::module::sha256_hex(&bytes);
        entrants.push(Entrant { name, path, line: Some(source.line(at)), bytes, sha256 });
    }
    entrants.extend(submitted);
    Ok(entrants)
}

/// Reads a file of at most so many bytes; a larger one is not even read. `what` tells where the limit comes from.
///
/// What is no regular file is not opened: reading a FIFO or a terminal waits for whoever writes to it.
///
/// # Errors
/// Why it cannot be read.
pub fn read_limited(path: &Path, limit: u64, what: &str) -> Result<Vec<u8>, FileError> {
    match read_beginning(path, limit)? {
        (bytes, size) if size <= limit => Ok(bytes),
        _ => Err(FileError::Bad(format!("the file is larger than the limit of {limit} bytes {what}"))),
    }
}

/// Reads a module, also one that is larger than the limits allow, up to what any league may allow: the check refuses it
/// with everything else that is wrong with it.
///
/// # Errors
/// Why it cannot be read, or what it is if it is larger than that.
pub fn read_module(path: &Path, limits: &Limits) -> Result<Vec<u8>, LoadError> {
    let (bytes, size) = read_beginning(path, MOST_BYTES).map_err(|error| match error {
        FileError::Bad(reason) => LoadError::from(Problem::of_file(reason)),
        FileError::Host(error) => error.into(),
    })?;
    if size <= MOST_BYTES {
        return Ok(bytes);
    }
    let problem = inspect_beginning(&bytes, size, limits).problems.into_iter().next();
    Err(problem.unwrap_or_else(|| Problem::of_file("the file is too large")).into())
}

/// The first `most` bytes of a file, and its size. If the host fails, it tries once more.
fn read_beginning(path: &Path, most: u64) -> Result<(Vec<u8>, u64), FileError> {
    try_read_beginning(path, most).or_else(|error| match error {
        FileError::Host(error) => {
            tracing::warn!("{}: {error}; trying once more", shown(path));
            try_read_beginning(path, most)
        }
        bad => Err(bad),
    })
}

fn try_read_beginning(path: &Path, most: u64) -> Result<(Vec<u8>, u64), FileError> {
    use std::io::Read;
    let open = |error| FileError::new("open it", &error);
    let metadata = std::fs::metadata(path).map_err(open)?;
    let kind = metadata.file_type();
    if !kind.is_file() {
        let what = if kind.is_dir() { "a folder" } else { "a FIFO, device or socket" };
        return Err(FileError::Bad(format!("this is {what}, and a regular file is wanted")));
    }
    let file = std::fs::File::open(path).map_err(open)?;
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| FileError::new("read it", &error))?;
    // It may have grown since.
    let size = if bytes.len() as u64 > most { metadata.len().max(most + 1) } else { bytes.len() as u64 };
    Ok((bytes, size))
}

/// The files of a path or glob, relative to the league file's folder, sorted by name.
fn matching_files(source: &Source<'_>, folder: &Path, path: &Spanned<String>) -> Result<Vec<PathBuf>, ConfigError> {
    let text = path.get_ref();
    let joined = folder.join(text);
    let wrong = |file: &Path, what: &str| source.wrong(path, "path", format!("{}: {what}", shown(file)));
    let found = |file: &Path| is_file(file).map_err(|error| Source::unread(error, |message| wrong(file, &message)));
    if !text.contains(['*', '?', '[']) {
        return match found(&joined)? {
            Some(true) => Ok(vec![joined]),
            Some(false) => Err(wrong(&joined, "not a regular file")),
            None => Err(wrong(&joined, "there is no such file")),
        };
    }
    // Only the league file's part is a pattern; the folder's name may hold anything.
    let pattern = if folder.as_os_str().is_empty() || Path::new(text).is_absolute() {
        text.clone()
    } else {
        format!("{}/{text}", glob::Pattern::escape(&folder.to_string_lossy()))
    };
    let matched = || {
        let bad = |error| format!("\"{}\" is not a pattern: {error}", escaped(text, 80));
        glob::glob(&pattern).map_err(|error| source.wrong(path, "path", bad(error)))
    };
    let files = matched()?;
    // What cannot be looked at may be a bot: a league without it would be another league.
    let entries = files.map(|entry| {
        entry.map_err(|error| {
            let reason = FileError::new("look into it", error.error());
            Source::unread(reason, |message| wrong(error.path(), &message))
        })
    });
    let mut files = Vec::new();
    for file in entries {
        let file = file?;
        match found(&file)? {
            Some(true) => files.push(file),
            Some(false) => {}
            None => return Err(wrong(&file, "a link that leads nowhere")),
        }
    }
    // A folder that fails to say what it is matches nothing, without a word: such a failure is not seen twice in the same way.
    if matched()?.filter_map(Result::ok).filter(|file| file.is_file()).count() != files.len() {
        let unsteady = HostError::new("look for files", format!("what matches {} changes", shown(&joined)));
        return Err(Source::unread(unsteady.into(), |message| source.wrong(path, "path", message)));
    }
    files.sort();
    if files.is_empty() {
        return Err(source.wrong(path, "path", format!("no file matches {}", shown(&joined))));
    }
    Ok(files)
}

/// A bot's name where none is given: the file's stem, with `_2`, `_3`, … if it is taken.
///
/// # Errors
/// Why the stem is no name.
pub fn free_name(path: &Path, taken: &mut BTreeSet<BotName>) -> Result<BotName, String> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = BotName::new(&stem).map_err(|bad| format!("{bad}; give it another with name = \"…\""))?;
    if taken.insert(name.clone()) {
        return Ok(name);
    }
    for number in 2.. {
        let suffix = format!("_{number}");
        let room = BotName::MAX_LEN - suffix.len();
        let stem: String = stem.chars().take(room).collect();
        if let Ok(name) = BotName::new(&format!("{stem}{suffix}"))
            && taken.insert(name.clone())
        {
            return Ok(name);
        }
    }
    unreachable!("there are fewer bots than numbers")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with bots `a.wasm` and `b.wasm` and a league file.
    fn league(text: &str) -> Result<League, String> {
        league_with(&[], text)
    }

    /// The same with more files, by their paths.
    fn league_with(files: &[(&str, &[u8])], text: &str) -> Result<League, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.wasm"), b"a").unwrap();
        std::fs::write(folder.path().join("b.wasm"), b"b").unwrap();
        std::fs::create_dir(folder.path().join("more")).unwrap();
        std::fs::write(folder.path().join("more/a.wasm"), b"c").unwrap();
        for (name, contents) in files {
            let file = folder.path().join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, contents).unwrap();
        }
        let path = folder.path().join("l.toml");
        std::fs::write(&path, text).unwrap();
        League::read(&path).map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
    }

    const GOOD: &str = "game = \"little-hunters\"\ndeals = 10\n[[bots]]\npath = \"*.wasm\"\n";

    fn names(league: &League) -> Vec<&str> {
        league.bots.iter().map(|bot| bot.name.as_str()).collect()
    }

    #[test]
    fn a_good_file_is_read_with_defaults() {
        let league = league(GOOD).unwrap();
        assert_eq!(names(&league), ["a", "b"]);
        let identity = league.identity();
        assert_eq!((identity.seed, identity.deals, league.seats(), league.matches()), (0, 10, 2, 20));
        assert_eq!(league.options.to_json(), serde_json::json!({"tiebreak_series": 3}));
        assert_eq!(*league.limits(), Limits::default());
    }

    #[test]
    fn repeated_stems_get_numbers_and_given_names_stay() {
        let text = format!("{GOOD}[[bots]]\npath = \"more/a.wasm\"\n[[bots]]\npath = \"d.wasm\"\nname = \"a_2\"\n");
        let text = text.replace("*.wasm", "[ab].wasm");
        assert_eq!(names(&league_with(&[("d.wasm", b"d")], &text).unwrap()), ["a", "b", "a_3", "a_2"]);
    }

    #[test]
    fn refusals_name_file_line_key_and_what_would_be_right() {
        let cases = [
            ("game = \"chess\"\ndeals = 1\n", "l.toml:1: game: there is no game \"chess\"; there are little-hunters"),
            ("game = \"little-hunters\"\n", "l.toml: the key `deals` is missing"),
            (
                "game = \"little-hunters\"\ndeals = 0\n",
                "l.toml:2: deals: expected a whole number from 1 to 2^63-1, found 0",
            ),
            (
                "game = \"little-hunters\"\ndeals = -1\n",
                "l.toml:2: deals: expected a whole number from 1 to 2^63-1, found -1",
            ),
            (
                "game = \"little-hunters\"\ndeals = \"x\"\n",
                "l.toml:2: deals: expected a whole number from 1 to 2^63-1, found the string \"x\"",
            ),
            (
                "game = \"little-hunters\"\ndeals = 1\nseeds = 1\n",
                "l.toml:3: seeds: unknown key; did you mean `seed`? There are game, seed, deals",
            ),
            (
                "game = \"little-hunters\"\ndeals = 1.5\n",
                "l.toml:2: deals: expected a whole number from 1 to 2^63-1, found 1.5",
            ),
            ("game = 7\ndeals = 1\n", "l.toml:1: game: expected a string, found 7"),
            (
                "game = \"little-hunter\"\ndeals = 1\n",
                "\"little-hunter\"; did you mean `little-hunters`? There are little-hunters",
            ),
            (
                "game = \"little-hunters\"\ndeals = 1\nseed = \"x\"\n",
                "l.toml:3: seed: expected a whole number from 0 to 2^63-1, found the string \"x\"",
            ),
            (
                "game = \"little-hunters\"\ndeals = 1\nseed = 9223372036854775808\n",
                "l.toml:3: seed: expected a whole number from 0 to 2^63-1, found 9223372036854775808",
            ),
            ("seats = \"two\"\n", "l.toml:1: seats: expected a whole number, found the string \"two\""),
            ("block = 5000000000\n", "l.toml:1: block: expected a whole number from 1 to 4294967295, found 5000000000"),
            ("bots = 3\n", "l.toml:1: bots: expected tables, each with [[bots]] above it, found 3"),
            ("limits = 3\n", "l.toml:1: limits: expected a table, found 3"),
            ("[[bots]]\npath = 3\n", "l.toml:2: path: expected a string, found 3"),
            ("[[bots]]\nname = \"x\"\n", "l.toml:1: bots: the key `path` is missing"),
            ("[[bots]]\npat = \"x\"\n", "l.toml:2: pat: unknown key; did you mean `path`? There are path, name"),
            (
                "[[bots]]\npath = \"x\"\ndeals = 3\n",
                "l.toml:3: deals: unknown key; there are path, name; above the first [table] `deals` is one of the league",
            ),
            ("game = \"little-hunters\"\ndeals = 1\n", "l.toml:2: bots: no bot is entered"),
            (
                "game = \"little-hunters\"\ndeals = 1\n[[bots]]\npath = \"a.wasm\"\n",
                "l.toml:3: bots: only one bot is entered, and a league needs two",
            ),
            (
                "game = \"little-hunters\"\ndeals = 1\n[[bots]]\npath = \"z.wasm\"\n",
                "l.toml:4: path: z.wasm: there is no such file",
            ),
            ("game = \"little-hunters\"\ndeals = 1\n[[bots]]\npath = \"z*\"\n", "l.toml:4: path: no file matches"),
            (
                "game = \"little-hunters\"\ndeals = 1\n[[bots]]\npath = \"more\"\n",
                "l.toml:4: path: more: not a regular file",
            ),
            (
                "game = \"little-hunters\"\ndeals = 1\n[[bots]]\npath = \"a.wasm\"\nname = \"a,b\"\n",
                "l.toml:5: name: \"a,b\" is not a valid bot name",
            ),
            (
                "game = \"little-hunters\"\ndeals = 1\n[[bots]]\npath = \"*.wasm\"\nname = \"x\"\n",
                "l.toml:5: name: a name goes with one file, and 2 match",
            ),
        ];
        for (text, wanted) in cases {
            let error = league(text).unwrap_err();
            assert!(error.contains(wanted), "{error}\ndoes not contain\n{wanted}");
        }
        let after = [
            (
                "[options]\ntiebreak_series = 200\n",
                "l.toml:6: options.tiebreak_series: expected a whole number from 0 to 100, found 200",
            ),
            (
                "[options]\ntiebreak_series = 300\n",
                "l.toml:6: options.tiebreak_series: expected a whole number from 0 to 100, found 300",
            ),
            (
                "[options]\ntiebreaks = 3\n",
                "l.toml:6: options.tiebreaks: unknown key; the only one here is tiebreak_series",
            ),
            (
                "[limits]\n\ndecision_fuel = 99000000000\n",
                "l.toml:7: limits.decision_fuel: expected a whole number from 1 to 20000000, found 99000000000",
            ),
            ("[limits]\nfuel = 1\n", "l.toml:6: limits.fuel: unknown key; there are module_bytes"),
            ("[rating]\n\nprior = -1\n", "l.toml:7: rating.prior: expected a number of virtual matches from 0 to"),
            (
                "[rating]\nreplicates = 5\n",
                "l.toml:6: rating.replicates: expected a whole number from 100 to 100000, found 5",
            ),
            ("[rating]\nintervals = 3\n", "l.toml:6: rating.intervals: expected a string"),
            ("[rating]\nprior = \"x\"\n", "l.toml:6: rating.prior: expected a number, found the string \"x\""),
            (
                "[limits]\nrestart = 1\n",
                "l.toml:6: limits.restart: unknown key; did you mean `restarts`? There are module_bytes",
            ),
            (
                "[limits]\nmemory_pages = 5000000000\n",
                "l.toml:6: limits.memory_pages: expected a whole number from 1 to 1024, found 5000000000",
            ),
            (
                "[limits]\nlog_bytes = true\n",
                "l.toml:6: limits.log_bytes: expected a whole number from 0 to 16777216, found true",
            ),
            (
                "[options]\ntiebreak_series = -1\n",
                "l.toml:6: options.tiebreak_series: expected a whole number from 0 to 100, found -1",
            ),
            (
                "[options]\ntiebreak_series = \"x\"\n",
                "l.toml:6: options.tiebreak_series: expected a whole number from 0 to 100, found the string \"x\"",
            ),
            (
                "[[bots]]\npath = \"./a.wasm\"\nname = \"again\"\n",
                "l.toml:6: path: ./a.wasm: this file is entered already, on line 4; a copy of it may play beside it",
            ),
            ("[[bots]]\npath = \"[a].wasm\"\n", "l.toml:6: path: a.wasm: this file is entered already, on line 4"),
            (
                "[rating]\nintervals = \"wide\"\n",
                "l.toml:6: rating.intervals: expected \"sandwich\" or \"bootstrap\", found the string \"wide\"",
            ),
            ("[rating]\nanchor = \"z\"\n", "rating.anchor: no bot is named \"z\"; there are a, b"),
        ];
        for (more, wanted) in after {
            let error = league(&format!("{GOOD}{more}")).unwrap_err();
            assert!(error.contains(wanted), "{error}\ndoes not contain\n{wanted}");
        }
        let text = "[[bots]]\npath = \"c.wasm\"\nname = \"x\"\n[[bots]]\npath = \"more/a.wasm\"\nname = \"x\"\n";
        let text = GOOD.replace('*', "[ab]") + text;
        let error = league_with(&[("c.wasm", b"c")], &text).unwrap_err();
        assert!(error.contains("l.toml:10: name: \"x\" is the name of another bot already, on line 7"), "{error}");
        let seats = GOOD.replace("deals = 10", "deals = 10\nseats = 3");
        assert!(league(&seats).unwrap_err().contains("l.toml:3: seats: little-hunters has 2 seats, not 3"));
    }

    #[test]
    fn two_names_of_one_bot_are_told() {
        assert!(league(GOOD).unwrap().repeats().is_empty());
        let league = league_with(&[("c.wasm", b"a")], GOOD).unwrap();
        let [told] = &league.repeats()[..] else { panic!("{:?}", league.repeats()) };
        assert!(
            told.contains("l.toml:4: path: ") && told.ends_with("c.wasm has the same bytes as a: c is its second name")
        );
    }

    const RESCUERS: &str = "game = \"animal-rescuers\"\ndeals = 1\n[[bots]]\npath = \"*.wasm\"\n";
    const CHART: &str = include_str!("../../../leagues/charts/animal-rescuers.toml");

    /// A league whose chart is in a file of its own, which holds this.
    fn league_with_chart(chart: &[u8]) -> Result<League, String> {
        let text = format!("{RESCUERS}[options]\nchart = {{ file = \"charts/c.toml\" }}\n");
        league_with(&[("charts/c.toml", chart)], &text)
    }

    #[test]
    fn an_option_from_a_file_is_the_same_as_one_in_the_league_file() {
        let from_file = league_with_chart(CHART.as_bytes()).unwrap();
        let inline = league(&format!("{RESCUERS}[options.chart]\n{CHART}")).unwrap();
        let table =
            league_with(&[("c.toml", CHART.as_bytes())], &format!("{RESCUERS}[options.chart]\nfile = \"c.toml\"\n"));
        assert_eq!(from_file.options.to_json(), inline.options.to_json());
        assert_eq!(from_file.options.to_json(), table.unwrap().options.to_json());
        // Its contents, not its name, are what the matches are played by and known by.
        assert_eq!(from_file.options.to_json()["chart"].as_object().unwrap().len(), 12);
        let default = league(RESCUERS).unwrap();
        assert_ne!(from_file.options.to_json(), default.options.to_json());
        assert_eq!(from_file.identity().differences(default.identity()).len(), 1);
    }

    #[test]
    fn refusals_of_an_options_file_name_it_and_its_line() {
        let line_of = |text: &str| CHART[..CHART.find(text).unwrap()].matches('\n').count() + 1;
        let key = "\"3 circle\"";
        let line = line_of(key);
        let entry = CHART.lines().nth(line - 1).unwrap();
        let with = |other: &str| league_with_chart(CHART.replace(entry, other).as_bytes()).unwrap_err();
        let check = |error: String, wanted: &str| {
            assert!(error.contains(wanted), "{error}\ndoes not contain\n{wanted}");
        };
        let file = "charts/c.toml";
        check(with("\"3 circle\" = = 3"), &format!("{file}:{line}: "));
        check(
            with("\"3 circle\" = { zone = \"table\", shape = \"any\", which = \"lowest\" }"),
            &format!("{file}:{line}: options.chart: expected \"in-play\" or \"in-hand\", found the string \"table\""),
        );
        check(
            with("\"3 square\" = { zone = \"in-play\", shape = \"any\", which = \"lowest\" }"),
            &format!("{file}:{line}: options.chart: \"3 square\" has no place in a chart"),
        );
        check(with("\"3 circle\" = 3"), &format!("{file}:{line}: options.chart: expected a table, found 3"));
        check(with(&format!("{entry}\n{entry}")), &format!("{file}:{}: ", line + 1));
        check(with(""), ": options.chart: ");
        check(with(""), "the chart has 11 entries, and 12 are wanted: \"3 circle\" has none");
        check(with(""), file);
        // A count belongs to no line of the chart: the line that names the file is told.
        let highest = CHART.replacen("\"highest\"", "\"lowest\"", 1);
        check(
            league_with_chart(highest.as_bytes()).unwrap_err(),
            "l.toml:6: options.chart: charts/c.toml: 5 animals thank for the highest, and 6 should",
        );
        check(league_with_chart(b"\xff").unwrap_err(), "l.toml:6: options.chart: charts/c.toml: this is no text");
        let large = vec![b'#'; MOST_OPTION_BYTES as usize + 1];
        check(league_with_chart(&large).unwrap_err(), "l.toml:6: options.chart: charts/c.toml: the file is larger");
        let named = |value: &str| league(&format!("{RESCUERS}[options]\nchart = {value}\n")).unwrap_err();
        check(named("{ file = \"z.toml\" }"), "l.toml:6: options.chart: z.toml: there is no such file");
        check(named("{ file = \"more\" }"), "l.toml:6: options.chart: more: not a regular file");
        check(named("{ file = 3 }"), "l.toml:6: options.chart: \"file\" has no place in a chart");
        let text = format!("{RESCUERS}[options]\ncharts = {{ file = \"c.toml\" }}\n");
        check(
            league_with(&[("c.toml", CHART.as_bytes())], &text).unwrap_err(),
            "l.toml:6: options.charts: c.toml: unknown key; the only one here is chart",
        );
        // A game whose option is no table.
        let text = format!("{GOOD}[options]\ntiebreak_series = {{ file = \"c.toml\" }}\n");
        check(league_with(&[("c.toml", b"\n")], &text).unwrap_err(), "options.tiebreak_series: ");
    }

    #[test]
    fn differences_are_told_in_words() {
        let before = league(GOOD).unwrap().identity().clone();
        let mut now = before.clone();
        now.seed = 9;
        now.bots[0].sha256 = "other".into();
        now.bots.push(BotIdentity { name: "c".into(), sha256: "c".into() });
        now.bots.remove(1);
        assert_eq!(now.differences(&before), ["seed: 0 before, 9 now", "bot a: changed", "bot c: new", "bot b: gone"]);
        assert!(before.differences(&before).is_empty());
    }
}
