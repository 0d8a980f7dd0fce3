//! Computes perfect play of a Little Hunters bout and writes it as the table of the bot `nash`.
//!
//! ```text
//! cargo run --release -p arena-fuzz --example little_hunters_nash [FILE]
//! ```
//!
//! The file defaults to the bot's own. Every state of a bout is solved by linear programming; among
//! the optimal mixes of a state the one is taken that gains most from an opponent who chooses at
//! random. The same input gives the same bytes.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use arena::analysis::little_hunters::{Choice, Policy, State, best_response, bout, equilibrium, match_of};
use microlp::{ComparisonOp, OptimizationDirection, Problem};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../example-bots/little_hunters/nash_table.rs");

/// The weights of a state add to this.
const WHOLE: u32 = 1 << 16;

fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args_os().nth(1).unwrap_or(TABLE.into());
    let exact = equilibrium(optimal_mix)?;
    let shares = State::all().map(|state| rounded(&exact, state)).collect::<Vec<_>>();
    let table = Policy::from_weights(|state| {
        let shares = shares[state.index()].iter();
        shares.map(|&(choice, share)| (choice, f64::from(share)))
    })?;
    let entries = entries(&shares);
    fs::write(&file, source(&entries))
        .map_err(|error| format!("failed to write {}: {error}", Path::new(&file).display()))?;

    println!("exploitability per bout (payoff of a best response)");
    println!("  exact    {:9.2e}", best_response(&exact).payoff);
    println!("  rounded  {:9.2e}", best_response(&table).payoff);
    println!("rounded table against      bout: win tie loss         match: win tie loss");
    for (name, policy) in [
        ("uniform", Policy::uniform()),
        ("highest", Policy::highest()),
        ("lowest", Policy::lowest()),
        ("silent", Policy::silent()),
        ("itself", table.clone()),
    ] {
        let one = bout(&table, &policy);
        let all = match_of(one, 3);
        println!(
            "  {name:20} {:8.6} {:8.6} {:8.6}   {:8.6} {:8.6} {:8.6}",
            one.win, one.tie, one.loss, all.win, all.tie, all.loss
        );
    }
    println!("{} entries, {} bytes: {}", entries.len(), entries.len() * size_of::<u32>(), Path::new(&file).display());
    Ok(())
}

/// An optimal mix of the rows of a zero-sum matrix game.
fn optimal_mix(payoffs: &[Vec<f64>]) -> Result<Vec<f64>, Box<dyn Error>> {
    // First the most that can be guaranteed, then the most against a random column without giving
    // that up.
    let first = guarantee(payoffs, None)?;
    let value = (0..payoffs[0].len())
        .map(|column| first.iter().zip(payoffs).map(|(p, row)| p * row[column]).sum())
        .fold(f64::INFINITY, f64::min);
    guarantee(payoffs, Some(value))
}

/// The mix of the rows with the greatest guaranteed payoff; or, if a payoff to guarantee is given,
/// the one with the greatest mean payoff over the columns.
fn guarantee(payoffs: &[Vec<f64>], fixed: Option<f64>) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let value = match fixed {
        None => problem.add_var(1.0, (-1.0, 1.0)),
        Some(value) => problem.add_var(0.0, (value, value)),
    };
    let mix: Vec<_> = payoffs
        .iter()
        .map(|row| {
            let mean = row.iter().sum::<f64>() / row.len() as f64;
            problem.add_var(if fixed.is_some() { mean } else { 0.0 }, (0.0, 1.0))
        })
        .collect();
    let whole: Vec<_> = mix.iter().map(|&p| (p, 1.0)).collect();
    problem.add_constraint(&whole, ComparisonOp::Eq, 1.0);
    for column in 0..payoffs[0].len() {
        let mut gain: Vec<_> = mix.iter().zip(payoffs).map(|(&p, row)| (p, row[column])).collect();
        gain.push((value, -1.0));
        problem.add_constraint(&gain, ComparisonOp::Ge, 0.0);
    }
    let solution = problem.solve()?.into_solution().map_err(|_| "failed to solve a state: interrupted")?;
    // A solver's zero may be slightly off.
    Ok(mix.iter().map(|&p| solution.var_value(p)).map(|p| if p < 1e-12 { 0.0 } else { p }).collect())
}

/// The choices of a state with their shares of [`WHOLE`], by largest remainders, none of them 0.
fn rounded(policy: &Policy, state: State) -> Vec<(Choice, u32)> {
    let exact = |probability: f64| probability * f64::from(WHOLE);
    let mut choices: Vec<_> = policy.choices(state).collect();
    choices.sort_by(|&(_, a), &(_, b)| exact(b).fract().total_cmp(&exact(a).fract()));
    let mut shares: Vec<_> =
        choices.into_iter().map(|(choice, probability)| (choice, exact(probability) as u32)).collect();
    let rest = WHOLE - shares.iter().map(|&(_, share)| share).sum::<u32>();
    for (_, share) in shares.iter_mut().take(rest as usize) {
        *share += 1;
    }
    shares.retain(|&(_, share)| share > 0);
    shares.sort();
    shares
}

/// The entries of the table, in ascending order.
fn entries(shares: &[Vec<(Choice, u32)>]) -> Vec<u32> {
    let mut entries = Vec::new();
    for (state, shares) in State::all().zip(shares) {
        let hands = u32::from(state.own().mask()) << 5 | u32::from(state.opponent().mask());
        let mut sum = 0;
        for &(Choice { card, guess }, share) in shares {
            sum += share;
            let guess = guess.map_or(0, |guess| guess.value());
            let choice = u32::from(card.value()) << 3 | u32::from(guess);
            entries.push(hands << 22 | (sum - 1) << 6 | choice);
        }
    }
    entries.sort();
    entries
}

/// The source text of the table.
fn source(entries: &[u32]) -> String {
    let mut text = String::from(HEAD);
    let count = entries.len();
    let _ = writeln!(text, "#[rustfmt::skip]\npub(crate) static NASH: [u32; {count}] = [");
    for line in entries.chunks(8) {
        let line: Vec<_> = line.iter().map(|entry| format!("{entry:#010x},")).collect();
        let _ = writeln!(text, "    {}", line.join(" "));
    }
    text.push_str("];\n");
    text.push_str(TAIL);
    text
}

const HEAD: &str = "\
// Perfect play of a Little Hunters bout, solved by linear programming. Generated, not to be edited:
//
//     cargo run --release -p arena-fuzz --example little_hunters_nash

/// What to do in each state of a bout, at random. An entry has, from the highest bit down,
///
/// - 5 bits: the own hand; the lowest bit stands for card 1, the highest for card 5;
/// - 5 bits: the opponent's hand;
/// - 16 bits: the highest roll, of 0 to 65535, that takes the entry and no earlier one;
/// - 3 bits: the card to play;
/// - 3 bits: the guess to make if that card is the lower one, 0 for none.
///
/// The entries ascend.
";

const TAIL: &str = "
/// The card to play and the guess to make if it is the lower one, 0 for none. Hands are written as
/// in [`NASH`]; the roll is to be uniform. `None` for hands with which no round of a bout starts.
pub(crate) fn nash_choice(own: u8, opponent: u8, roll: u16) -> Option<(u8, u8)> {
    let hands = u32::from(own) << 5 | u32::from(opponent);
    let wanted = hands << 22 | u32::from(roll) << 6;
    let entry = *NASH.get(NASH.partition_point(|&entry| entry < wanted))?;
    (entry >> 22 == hands).then_some(((entry >> 3 & 7) as u8, (entry & 7) as u8))
}
";
