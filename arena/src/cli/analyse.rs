//! `arena analyse`: what lies beyond the ratings of a league, or how exploitable a bot is.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::bots::{load_bot, read_bot};
use super::compiling::Compiling;
use super::error::{Failure, exit};
use super::rating_args::RatingArgs;
use super::table::{Format, collect, print_sheets, write_into};
use crate::analysis::exploit::{Answers, Exploitability, ask};
use crate::games::{Game, GameId, little_hunters::LittleHunters};
use crate::ids::shown;
use crate::league::Results;
use crate::league::block::decision_fuel;
use crate::play::wasm::Wasm;
use crate::rating::Evidence;
use crate::rating::crosstable::crosstable;
use crate::rating::hodge::{cyclic_test, decompose, edges_from_crosstable, edges_from_pairs, strongest_cycles};
use crate::rating::nash::{nash_average, score_payoffs};
use crate::rating::nash_stability::nash_stability;
use crate::report::analyse::Analysis;
use crate::report::sheet::Sheet;
use crate::report::table::grouped;
use crate::sandbox::{BotThread, Limits, Sandbox};

/// Look beyond the ratings of a league (cycles, Nash average), or at how exploitable a Little Hunters bot is
///
/// A results folder is analysed from its journal alone. A bot is asked for its choices in every public state, each time
/// with another seed; what a best response to them earns is estimated on answers from which it was not chosen.
#[derive(Args)]
#[command(after_help = "\
Examples:
  arena analyse results/little-hunters
  arena analyse my-bot.wasm --samples 5000
  arena analyse results/little-hunters --format json")]
pub(super) struct Analyse {
    #[command(flatten)]
    compiling: Compiling,
    /// A results folder, or a bot's file
    target: PathBuf,
    /// Cycles to show
    #[arg(long, default_value_t = 5, value_name = "N")]
    cycles: usize,
    /// Replicates of the Nash average
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = clap::value_parser!(u32).range(20..=10_000))]
    nash_replicates: u32,
    /// Questions in each state, for a bot
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u32).range(20..=1_000_000))]
    samples: u32,
    /// The seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Write the tables as CSV, and results.json, into this folder
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Only this table: transitivity, cycles or nash
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
}

impl Analyse {
    pub(super) fn execute(self, thread: BotThread) -> Result<u8, Failure> {
        let (text, notes, sheets) = if self.target.is_dir() {
            let results = collect(&self.target, &RatingArgs::default())?;
            let analysis = self.league(&results)?;
            (analysis.text(), analysis.notes.clone(), analysis.sheets())
        } else {
            let (answers, found) = self.bot(&self.target, thread)?;
            let notes = bot_notes(&answers);
            (bot_text(&self.target, &answers, &found, &notes), notes, vec![bot_sheet(&self.target, &answers, &found)])
        };
        if let Some(folder) = &self.csv {
            write_into(folder, &notes, &sheets)?;
        }
        if self.format == Format::Text && self.table.is_none() {
            write!(std::io::stdout().lock(), "{text}")?;
        } else {
            print_sheets(&notes, sheets, self.format, self.table.as_deref())?;
        }
        Ok(exit::DONE)
    }

    fn league<'r>(&self, results: &'r Results) -> Result<Analysis<'r>, Failure> {
        let players = results.players();
        let pairs = results.pairs();
        let two_seats = results.identity.seats == 2;
        let edges = if two_seats { edges_from_crosstable(&crosstable(results)) } else { edges_from_pairs(&pairs) };
        let decomposition = decompose(players, &edges);
        let nash = nash_average(&score_payoffs(players, &pairs))
            .map_err(|error| Failure::Refused(format!("failed to {error}")))?;
        let mut notes = Vec::new();
        if players > 2 && pairs.len() < players * (players - 1) / 2 {
            notes.push("Pairs that never met count as level in the Nash average.".to_owned());
        }
        if two_seats {
            notes.push(
                "Variances come from the deals; pairs that always play the same match count as one observation.".into(),
            );
        } else {
            notes.push(
                "With more than two seats no score is kept by pair and deal: there is no test of \
                 the cyclic part, and the Nash average has no interval."
                    .into(),
            );
        }
        Ok(Analysis {
            names: (0..players as u32).map(|bot| results.name(bot)).collect(),
            test: cyclic_test(&decomposition).filter(|_| two_seats),
            cycles: strongest_cycles(players, &edges, self.cycles),
            stability: nash_stability(results, self.nash_replicates, self.seed),
            decomposition,
            nash,
            notes,
        })
    }

    fn bot(&self, path: &Path, thread: BotThread) -> Result<(Answers, Exploitability), Failure> {
        let limits = Limits::default();
        let bytes = read_bot(path, &limits)?;
        let sandbox = Sandbox::with_compiler(limits.clone(), 4, self.compiling.compiler()?)?;
        let module = load_bot(&sandbox, GameId::LittleHunters, 2, path, &bytes)?;
        let fuel = decision_fuel(&LittleHunters::INFO, &limits);
        let answers = ask(|| Wasm::new(thread, &module, &fuel), self.samples, self.seed)?;
        if answers.failed == answers.asked {
            let asked = answers.asked;
            let message = format!(
                "{}: it answered none of {asked} questions with a legal card: `arena check` says why",
                shown(path)
            );
            return Err(Failure::Refused(message));
        }
        let found = answers.exploitability(self.seed).map_err(|error| Failure::Refused(error.to_string()))?;
        Ok((answers, found))
    }
}

fn bot_notes(answers: &Answers) -> Vec<String> {
    let mut notes = vec![
        "The response is chosen on four fifths of the answers and earns this on the other fifth, each in turn: a lower \
         bound of what the best response earns, which closes in with more answers."
            .to_owned(),
        "The bot is asked as in a first bout: if it recalls earlier ones, a response that watches it may earn more.".into(),
    ];
    if answers.failed > 0 {
        notes.push(format!(
            "{} of {} questions were not answered by a legal card; they are left out, though each would lose a bout.",
            grouped(answers.failed),
            grouped(answers.asked)
        ));
    }
    notes
}

fn bot_text(path: &Path, answers: &Answers, found: &Exploitability, notes: &[String]) -> String {
    let side = |value: Option<f64>| value.map_or("open".into(), |value| format!("{value:+.4}"));
    let mut text = format!(
        "A best response to {} earns {:+.4} [{}, {}] (95 %) a bout or more, a win being 1, a loss -1; perfect play would \
         allow 0.\n",
        shown(path),
        found.payoff,
        side(found.interval.low),
        side(found.interval.high)
    );
    text += &format!(
        "Chosen and evaluated on the same answers it would seem to earn {:+.4}, which is too much by chance.\n{} questions.\n",
        found.plug_in,
        grouped(answers.asked)
    );
    notes.iter().for_each(|note| text += &format!("{note}\n"));
    text
}

fn bot_sheet(path: &Path, answers: &Answers, found: &Exploitability) -> Sheet {
    let mut sheet = Sheet::new(
        "exploitability",
        [
            "bot",
            "payoff_a_bout",
            "payoff_a_bout_low",
            "payoff_a_bout_high",
            "payoff_a_bout_se",
            "payoff_a_bout_biased_upwards",
            "questions",
            "questions_failed",
        ],
    );
    sheet.row(vec![
        path.file_stem().unwrap_or_default().to_string_lossy().into_owned().into(),
        found.payoff.into(),
        found.interval.low.into(),
        found.interval.high.into(),
        found.se.into(),
        found.plug_in.into(),
        answers.asked.into(),
        answers.failed.into(),
    ]);
    sheet
}
