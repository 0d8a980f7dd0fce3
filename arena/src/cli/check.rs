//! `arena check`: everything that can be told of a bot before it is entered.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::compiling::Compiling;
use super::desk::{self, Claim};
use super::error::{Failure, exit};
use super::games::known_game;
use crate::failure::HostError;
use crate::games::{GameId, GameOptions, with_game};
use crate::ids::{Fault, shown};
use crate::league::League;
use crate::league::config::{Terms, read_module};
use crate::league::probe::{self, Findings, Stopped, probe};
use crate::report::table::{Align, Table, counted, grouped};
use crate::sandbox::module::sha256_hex;
use crate::sandbox::{BotModule, BotThread, Limits, LoadError, Metadata, Problem, Refusal, Sandbox, inspect};
use crate::words::shell_word;

/// Less debug information than this, as the names that some compilers always write, is not worth a note.
const DEBUG_BYTES_NOTED: u64 = 1024;

/// Say whether files are bots ready to be entered, and everything that is wrong with them
///
/// First the checks of a league: file, interface, metadata, memory, imports. Then the bot plays up to 1000 matches against
/// opponents that play legally at random, in every number of seats and in every seat of its game, half of them from
/// states that random play has led to; what it did wrong is told with a command that shows it. A bot that is refused
/// is not ready. One that now and then fails a decision is: a league takes it, with a warning here. What fails only
/// after it took over a seat in the middle of a match is a note: it may never come there by itself. A bot that uses much
/// fuel plays fewer: no further round of matches begins after 10 000 000 000 fuel, or after 60 decisions that ran out of
/// fuel, and no further match after 60 s of processor time; the report says so. Time never decides whether a bot is ready.
///
/// Exit codes: 0 all files are ready, 2 a file is not (with --strict: or has warnings).
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena check my-bot.wasm
  arena check bots/*.wasm --game little-hunters
  arena check my-bot.wasm --league leagues/little-hunters.toml --strict
  arena check my-bot.wasm --json")]
pub(super) struct Check {
    /// The bots' files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game that they must play [default: the one they name]
    #[arg(long, value_name = "GAME", conflicts_with = "league")]
    game: Option<String>,
    /// A league file: its game, options and limits; it need not enter any bots
    #[arg(long, value_name = "FILE")]
    league: Option<PathBuf>,
    /// Only look at the module and start it once: play no matches
    #[arg(long)]
    no_probes: bool,
    /// Not ready with a warning, too
    #[arg(long)]
    strict: bool,
    /// One JSON object a file
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    compiling: Compiling,
}

/// All that is told of a file.
#[derive(Serialize)]
struct Report {
    file: String,
    /// Whether a league takes it.
    ok: bool,
    bytes: Option<usize>,
    sha256: Option<String>,
    metadata: Option<Metadata>,
    /// The games that it can be entered for.
    games: Vec<&'static str>,
    /// Pages of 64 KiB that its memory begins with.
    memory_pages: Option<u64>,
    imports: Vec<String>,
    /// Bytes of the module that only debuggers read.
    debug_bytes: u64,
    problems: Vec<Problem>,
    warnings: Vec<Shown>,
    notes: Vec<Shown>,
    probes: Vec<Probed>,
    /// Whether `arena submit` would compile it.
    #[serde(skip)]
    submittable: bool,
    /// All of it in a line.
    verdict: String,
}

/// Something that may be wanted otherwise: most often it costs the bot decisions.
#[derive(Serialize)]
struct Shown {
    message: String,
    /// What shows it, if it happened in play.
    command: Option<String>,
}

/// What the probes in a game found.
#[derive(Serialize)]
struct Probed {
    game: &'static str,
    #[serde(flatten)]
    findings: Findings,
}

/// What bots are checked against.
struct Demands {
    game: Option<GameId>,
    options: Option<GameOptions>,
    /// Seats of the league's matches.
    seats: Option<usize>,
    limits: Limits,
    probes: bool,
    /// What `arena play` needs to know of it.
    words: String,
}

impl Check {
    pub(super) fn execute(self, thread: BotThread) -> Result<u8, Failure> {
        let demands = self.demands()?;
        let league = Sandbox::with_compiler(demands.limits.clone(), 4, self.compiling.compiler()?)?;
        let sandboxes = Sandboxes { with_margin: league.with_margin(), league };
        let mut out = std::io::stdout().lock();
        let mut all = true;
        for (i, file) in self.files.iter().enumerate() {
            let mut report = report(thread, &sandboxes, file, &demands)?;
            report.verdict = verdict(&report);
            all &= report.ok && (!self.strict || report.warnings.is_empty());
            if self.json {
                writeln!(out, "{}", serde_json::to_string(&report).expect("a report is plain data"))?;
            } else {
                if i > 0 {
                    writeln!(out)?;
                }
                print(&mut out, &report, &demands)?;
            }
            out.flush()?;
        }
        Ok(if all { exit::DONE } else { exit::BAD_INPUT })
    }

    fn demands(&self) -> Result<Demands, Failure> {
        let probes = !self.no_probes;
        Ok(match &self.league {
            None => {
                let game = self.game.as_deref().map(known_game).transpose()?;
                let words = game.map_or(String::new(), |game| format!(" --game {game}"));
                Demands { game, options: None, seats: None, limits: Limits::default(), probes, words }
            }
            Some(file) => {
                let Terms { game, options, seats, limits } = League::read_terms(file)?;
                let words = format!(" --league {}", shell_word(&shown(file)));
                Demands { game: Some(game), options: Some(options), seats: Some(seats), limits, probes, words }
            }
        })
    }
}

/// Where a bot is tried.
struct Sandboxes {
    /// As `arena submit` compiles it.
    with_margin: Sandbox,
    /// As leagues compile it.
    league: Sandbox,
}

impl Sandboxes {
    /// Loads a bot as a league does; a warning if `arena submit` would not.
    fn load(&self, bytes: &[u8], view_size: usize, seats: usize) -> Result<(BotModule, Option<String>), LoadError> {
        match BotModule::load(&self.with_margin, bytes, view_size, seats) {
            Err(LoadError::Refused(Refusal(problems))) if problems.iter().all(|problem| problem.code == "compile") => {
                let module = BotModule::load(&self.league, bytes, view_size, seats)?;
                let reasons: Vec<_> = problems.into_iter().map(|problem| problem.message).collect();
                Ok((module, Some(format!("`arena submit` will refuse it: {}", reasons.join("; ")))))
            }
            loaded => loaded.map(|module| (module, None)),
        }
    }
}

fn report(thread: BotThread, sandboxes: &Sandboxes, file: &Path, demands: &Demands) -> Result<Report, HostError> {
    let limits = sandboxes.league.limits();
    let mut report = Report {
        file: shown(file),
        ok: false,
        bytes: None,
        sha256: None,
        metadata: None,
        games: vec![],
        memory_pages: None,
        imports: vec![],
        debug_bytes: 0,
        problems: vec![],
        warnings: vec![],
        notes: vec![],
        probes: vec![],
        submittable: true,
        verdict: String::new(),
    };
    let bytes = match read_module(file, limits) {
        Ok(bytes) => bytes,
        Err(LoadError::Refused(Refusal(problems))) => {
            report.problems = problems;
            return Ok(report);
        }
        Err(LoadError::Host(error)) => return Err(error),
    };
    let inspection = inspect(&bytes, limits);
    report.bytes = Some(bytes.len());
    report.sha256 = Some(sha256_hex(&bytes));
    report.memory_pages = inspection.memory_pages;
    report.imports = inspection.imports;
    report.problems = inspection.problems;
    report.debug_bytes = inspection.debug_bytes;
    let shown = |message| Shown { message, command: None };
    report.warnings.extend(inspection.warnings.into_iter().map(shown));
    // Where it is too much it is a problem, which says the same.
    if inspection.debug_bytes >= DEBUG_BYTES_NOTED
        && !report.problems.iter().any(|problem| ["limit:size", "limit:custom"].contains(&problem.code))
    {
        let (bytes, how) = (grouped(inspection.debug_bytes), inspection.without_debug);
        report.notes.push(shown(format!("{bytes} bytes are debug information, which a bot does not need: {how}")));
    }
    let Some(metadata) = inspection.metadata else { return Ok(report) };
    judge_claim(&mut report, file, &metadata);
    let plays = |game: &GameId| metadata.plays(game.name());
    let games: Vec<GameId> = match demands.game {
        Some(game) => vec![game],
        None => GameId::ALL.to_vec(),
    };
    let games: Vec<_> = games.into_iter().filter(plays).collect();
    report.games = games.iter().map(|game| game.name()).collect();
    if games.is_empty() {
        let own: Vec<_> = metadata.named_games().collect();
        let there = || format!("there are {}", GameId::names());
        let wanted = demands.game.map_or_else(there, |game| format!("{game} is wanted"));
        report.problems.push(Problem::for_game(format!("it plays {}, and {wanted}", own.join(", "))));
    }
    let named = metadata.named_games().next().is_some();
    report.metadata = Some(metadata);
    // With these wrong it is a bot all the same, and can be tried out.
    if report.problems.iter().any(|problem| !["game", "author"].contains(&problem.code)) {
        return Ok(report);
    }
    // The view buffer must do for the largest of the games that the bot names, or for one at least where it names none.
    let sizes = games.iter().map(|game| game.view_size());
    let view_size = if named { sizes.max() } else { sizes.min() }.unwrap_or(0);
    // The league's seats, or as few as the first of its games allows.
    let least = |game: &GameId| game.info().seats.0;
    let own = if named { games.first().map(least) } else { games.iter().map(least).min() };
    let seats = demands.seats.or(own).unwrap_or(2);
    let module = match sandboxes.load(&bytes, view_size, seats) {
        Ok((module, warning)) => {
            report.submittable = warning.is_none();
            report.warnings.extend(warning.map(shown));
            module
        }
        Err(LoadError::Refused(Refusal(problems))) => {
            report.problems.extend(problems);
            return Ok(report);
        }
        Err(LoadError::Host(error)) => return Err(error),
    };
    // A bot for whatever it is entered for is tried out in the game that is asked for.
    if demands.probes && (named || demands.game.is_some()) {
        for game in games {
            let options = demands.options.clone().unwrap_or_else(|| GameOptions::default_of(game));
            let findings =
                with_game!(game, G => probe::<G>(thread, &module, options.of::<G>(), &demands.limits, probe::TIME))?;
            let probed = Probed { game: game.name(), findings };
            judge(&mut report, &probed, demands);
            report.probes.push(probed);
        }
    }
    report.ok = report.problems.is_empty();
    Ok(report)
}

/// What `arena submit` will say of the bot's name, author and game, if they are as they are.
fn judge_claim(report: &mut Report, file: &Path, metadata: &Metadata) {
    // What cannot be read is a problem already, and not missing.
    if report.problems.iter().any(|problem| problem.code == "metadata") {
        return;
    }
    let claim = Claim::default();
    let mut warn = |message: String| report.warnings.push(Shown { message, command: None });
    if let Err(reason) = desk::name(file, metadata, &claim) {
        warn(reason);
    }
    if metadata.named_games().next().is_none() {
        warn("it names no game, and plays whatever it is entered for".into());
    }
    match (desk::author(metadata, &claim), &metadata.author) {
        (Ok(_), _) => {}
        (Err(_), None) => warn("it names no author: `arena submit` will want --author".into()),
        (Err(reason), Some(_)) => report.problems.push(Problem::of_author(reason)),
    }
}

/// Turns what the probes of a game found into problems and warnings.
fn judge(report: &mut Report, probed: &Probed, demands: &Demands) {
    let game = match (&demands.game, report.games.len()) {
        (None, 2..) => format!(" --game {}", probed.game),
        _ => demands.words.clone(),
    };
    let command = |probe: probe::Probe| {
        let late = if probe.late > 0 { format!(" --late {}", probe.late) } else { String::new() };
        let probe::Probe { seats, seat, deal, .. } = probe;
        format!(
            "arena play {}{game} --seed 0 --seats {seats} --seat {seat} --deal {deal}{late}",
            shell_word(&report.file)
        )
    };
    for failure in &probed.findings.failures {
        let how = match failure.fault {
            Fault::Illegal => "answers illegally",
            Fault::Timeout => "runs out of fuel",
            Fault::Crash => "traps",
            Fault::Protocol => "breaks the interface",
            Fault::Retired => "is not asked, having lost too many instances,",
        };
        let asked = probed.findings.decisions.iter().find(|decision| decision.name == failure.decision);
        let late = failure.first.late > 0;
        let asked = asked.map_or(0, |asked| if late { asked.asked_late } else { asked.asked - asked.asked_late });
        let asked = grouped(asked);
        let action = failure.action.map_or(String::new(), |action| format!(", first with {action}"));
        let (count, decision) = (grouped(failure.count), failure.decision);
        let command = Some(command(failure.first));
        if !late {
            let message = format!("{how} at {count} of {asked} `{decision}`{action}");
            report.warnings.push(Shown { message, command });
        } else {
            let message = format!("{how} at {count} of {asked} `{decision}` after sitting down late{action}");
            report.notes.push(Shown { message, command });
        }
    }
    if let Some(Stopped::Time { picoseconds_per_fuel }) = probed.findings.stopped {
        let message = format!(
            "its fuel is slow: a unit takes at least {} ns, where most bots need below 1; the probes ended after {} s",
            picoseconds_per_fuel as f64 / 1000.0,
            probe::TIME.as_secs()
        );
        report.warnings.push(Shown { message, command: None });
    }
    if let Some(probe) = probed.findings.differing {
        let message = format!("the same match went another way when it was played again: {}", command(probe));
        report.problems.push(Problem::of_determinism(message));
    }
}

/// The bot's name, or its file's.
fn name(report: &Report) -> &str {
    let name = report.metadata.as_ref().and_then(|metadata| metadata.name.as_ref());
    name.map_or(report.file.as_str(), |name| name.as_str())
}

/// Whether the bot never answers legally, as far as the probes tell.
fn never_legal(report: &Report) -> bool {
    let sum = |counts: fn(&Findings) -> u64| report.probes.iter().map(|probed| counts(&probed.findings)).sum::<u64>();
    let asked = sum(|findings| findings.decisions.iter().map(|decision| decision.asked).sum());
    let failed = sum(|findings| findings.failures.iter().map(|failure| failure.count).sum());
    asked > 0 && asked == failed
}

/// All of a report in a line.
fn verdict(report: &Report) -> String {
    let mut verdict = match (report.problems.len(), report.warnings.len()) {
        (0, warnings) if !report.submittable => {
            let warnings = counted(warnings as u64, "warning", "warnings");
            format!("ready for a league file, not to submit, with {warnings}")
        }
        (0, 0) => "ready to submit".to_owned(),
        (0, warnings) => format!("ready to submit, with {}", counted(warnings as u64, "warning", "warnings")),
        (problems, _) => format!("not ready: {}", counted(problems as u64, "problem", "problems")),
    };
    if never_legal(report) {
        verdict += "; it never answers legally";
    }
    let names_author = report.metadata.as_ref().is_none_or(|metadata| metadata.author.is_some());
    if report.problems.is_empty() && !names_author {
        verdict += "; submit will want --author";
    }
    verdict
}

fn print(out: &mut impl Write, report: &Report, demands: &Demands) -> std::io::Result<()> {
    let limits = &demands.limits;
    writeln!(out, "{}", report.file)?;
    let mut line = |what: &str, text: &str| writeln!(out, "  {what:<13} {text}");
    if let Some(metadata) = &report.metadata {
        match (metadata.named_games().next(), report.games.as_slice()) {
            // It may name one that cannot be read.
            (None, _) if report.problems.iter().any(|problem| problem.code == "metadata") => {}
            (None, _) => line("game", "none named: it plays whatever it is entered for")?,
            (Some(_), []) => line("game", &metadata.named_games().collect::<Vec<_>>().join(", "))?,
            (Some(_), games) => line("game", &games.join(", "))?,
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
                line(what, text)?;
            }
        }
    }
    if let (Some(bytes), Some(sha256)) = (report.bytes, &report.sha256) {
        line("size", &format!("{} bytes, the limit is {}", grouped(bytes as u64), grouped(limits.module_bytes)))?;
        line("SHA-256", sha256)?;
    }
    if let Some(pages) = report.memory_pages {
        let most = report.probes.iter().map(|probed| probed.findings.memory_bytes.div_ceil(65_536)).max();
        // None is known of an instance that was never there at the end of a match.
        let most = most.filter(|&most| most > 0);
        let most = most.map_or(String::new(), |most| format!(", {most} at most in play"));
        let pages = counted(pages, "page", "pages");
        line("memory", &format!("{pages} of 64 KiB{most}, the limit is {}", limits.memory_pages))?;
        line("imports", &imports_in_words(&report.imports))?;
    }
    for probed in &report.probes {
        print_probes(out, probed)?;
    }
    if report.ok && report.probes.is_empty() {
        let why = if demands.probes { "for a bot that names no game --game says which" } else { "--no-probes" };
        writeln!(out, "  {:<13} none: {why}", "probes")?;
    }
    for problem in &report.problems {
        writeln!(out, "  {:<13} {problem}", "problem")?;
    }
    for (what, all) in [("warning", &report.warnings), ("note", &report.notes)] {
        for Shown { message, command } in all {
            match command {
                Some(command) => writeln!(out, "  {what:<13} {message}; see\n  {:<13} {command}", "")?,
                None => writeln!(out, "  {what:<13} {message}")?,
            }
        }
    }
    writeln!(out, "{}: {}", name(report), report.verdict)
}

/// The imports, as many as a line holds.
fn imports_in_words(imports: &[String]) -> String {
    const MOST: usize = 4;
    let first = imports[..imports.len().min(MOST)].join(", ");
    match imports.len() {
        0 => "none".into(),
        all if all > MOST => format!("{first} and {} more", all - MOST),
        _ => first,
    }
}

/// The probes of a game as a table.
fn print_probes(out: &mut impl Write, probed: &Probed) -> std::io::Result<()> {
    let findings = &probed.findings;
    let matches = grouped(findings.matches.into());
    let seats = match GameId::from_name(probed.game).map(|game| game.info().seats.0) {
        Some(least) if least < findings.most_seats => format!("{least} to {}", findings.most_seats),
        _ => findings.most_seats.to_string(),
    };
    let all = findings.stopped.map_or(String::new(), |_| format!(" of {}", grouped(probe::MATCHES.into())));
    writeln!(out, "  {:<13} {matches}{all} matches of {} in {seats} seats against random play", "probes", probed.game)?;
    if let Some(stopped) = findings.stopped {
        let after = match stopped {
            Stopped::Fuel => format!("{} fuel", grouped(probe::FUEL)),
            Stopped::Timeouts => format!("{} decisions that ran out of fuel", probe::TIMEOUTS),
            Stopped::Time { .. } => format!("{} s of processor time", probe::TIME.as_secs()),
        };
        writeln!(out, "  {:<13} no further round begins after {after}: rare failures may not have come up", "")?;
    }
    let columns = ["asked", "failed", "fuel: median", "99 %", "largest", "limit"].map(|name| (name, Align::Right));
    let mut table = Table::new([("decision", Align::Left)].into_iter().chain(columns));
    for decision in &findings.decisions {
        let failed = findings.failures.iter().filter(|failure| failure.decision == decision.name);
        let failed = failed.map(|failure| failure.count).sum();
        let mut row = vec![decision.name.to_owned(), grouped(decision.asked), grouped(failed)];
        let fuel = [decision.fuel_median, decision.fuel_p99, decision.fuel_max];
        // Without an answer there is no fuel to tell of.
        row.extend(fuel.map(|fuel| if decision.answered > 0 { grouped(fuel) } else { "-".into() }));
        row.push(grouped(decision.fuel_limit));
        table.row(row);
    }
    table.to_string().lines().try_for_each(|line| writeln!(out, "  {:<13} {line}", ""))?;
    let again =
        if findings.differing.is_some() { "NO" } else { "yes: played again, the same answers for the same fuel" };
    writeln!(out, "  {:<13} {again}", "deterministic")
}
