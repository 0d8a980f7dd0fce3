//! Where one bot of a league stands, in words.

use super::table::grouped;
use crate::ids::Fault;
use crate::league::Results;
use crate::league::standings::{Row, Standings};

/// A bot beats another if its likelihood of superiority is above this: as sure as a 95 % interval, on one side.
const SURE: f64 = 0.975;

/// Opponents of a kind that are named.
const SHOWN: usize = 10;

/// Where a bot stands: its place, rating and interval, whom it beats and loses to, and its faults.
pub fn where_it_stands(results: &Results, standings: &Standings, bot: u32) -> String {
    let Some(row) = standings.rows.iter().find(|row| row.bot == bot) else { return String::new() };
    let mut text = format!("{}: {} of {}", results.name(bot), ordinal(row.rank), standings.rows.len());
    text += &rating(row);
    let opponents = Opponents::of(standings, bot);
    let one_observation = one_observation(results, bot, &opponents.undecided);
    for (what, bots) in
        [("beats", opponents.beaten), ("loses to", opponents.better), ("undecided against", opponents.undecided)]
    {
        if !bots.is_empty() {
            let names: Vec<_> = bots.iter().map(|&bot| results.name(bot)).collect();
            text += &format!(", {what} {}", listed(&names));
        }
    }
    text += "\n";
    if !one_observation.is_empty() {
        text += &format!(
            "Every deal against {} went the same way: however many, they are one observation, which decides nothing.\n",
            listed(&one_observation)
        );
    }
    if let Some(faults) = faults(results, bot) {
        text += &format!("{faults}\n");
    }
    if results.matches < results.planned {
        let (matches, planned) = (grouped(results.matches), grouped(results.planned));
        text += &format!("Not finished: {matches} of {planned} matches are counted.\n");
    }
    text
}

/// Of the opponents that nothing is decided about, those whom every deal with went the same way. With more than two in a
/// lineup no pair alone is the reason.
fn one_observation<'r>(results: &'r Results, bot: u32, undecided: &[u32]) -> Vec<&'r str> {
    let same = |other: u32| {
        let pair = |lineup: &[u32]| lineup == [bot, other] || lineup == [other, bot];
        results.deterministic().any(pair)
    };
    undecided.iter().filter(|&&other| same(other)).map(|&other| results.name(other)).collect()
}

fn rating(row: &Row) -> String {
    let side = |value: Option<f64>| value.map_or("open".into(), |value| format!("{value:.0}"));
    match row.elo {
        Some(elo) => format!(", {elo:.0} [{}, {}]", side(row.interval.low), side(row.interval.high)),
        None => ", not rated".into(),
    }
}

/// A bot's opponents, best first, by what their matches say.
#[derive(Default)]
struct Opponents {
    beaten: Vec<u32>,
    better: Vec<u32>,
    undecided: Vec<u32>,
}

impl Opponents {
    fn of(standings: &Standings, bot: u32) -> Opponents {
        let mut opponents = Opponents::default();
        for other in standings.rows.iter().map(|row| row.bot) {
            let met = |a: u32, b: u32| (a, b) == (bot, other) || (a, b) == (other, bot);
            let Some(pair) = standings.pairs.iter().find(|pair| met(pair.result.a, pair.result.b)) else { continue };
            let likelihood = pair.los().0.map(|los| if pair.result.a == bot { los } else { 1.0 - los });
            let kind = match likelihood {
                Some(los) if los > SURE => &mut opponents.beaten,
                Some(los) if los < 1.0 - SURE => &mut opponents.better,
                _ => &mut opponents.undecided,
            };
            kind.push(other);
        }
        opponents
    }
}

fn listed(names: &[&str]) -> String {
    match names.split_at_checked(SHOWN) {
        Some((shown, rest)) if !rest.is_empty() => format!("{} and {} more", shown.join(", "), rest.len()),
        _ => names.join(", "),
    }
}

/// What became of a bot's failed decisions; `None` if there are none.
fn faults(results: &Results, bot: u32) -> Option<String> {
    let tally = &results.bots[bot as usize];
    let failed = tally.fault_count();
    if failed == 0 {
        return None;
    }
    let counted = Fault::ALL.iter().zip(tally.faults).filter(|&(_, count)| count > 0);
    let kinds: Vec<_> = counted.map(|(&fault, count)| format!("{} {}", grouped(count), how(fault))).collect();
    let whole = match failed == tally.decisions {
        true => format!("Every decision failed, {} in all", grouped(failed)),
        false => format!("{} of {} decisions failed", grouped(failed), grouped(tally.decisions)),
    };
    Some(format!("{whole}: {}.", kinds.join(", ")))
}

fn how(fault: Fault) -> &'static str {
    match fault {
        Fault::Illegal => "answered illegally",
        Fault::Timeout => "timed out",
        Fault::Crash => "crashed",
        Fault::Protocol => "broke the interface",
        Fault::Retired => "not asked any more, after too many lost instances in the match",
    }
}

/// `1st`, `2nd`, `3rd`, `4th`, `11th`.
fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(listed(&["a", "b"]), "a, b");
        assert_eq!(listed(&["a"; 10]), "a, a, a, a, a, a, a, a, a, a");
        assert_eq!(listed(&["a"; 12]), "a, a, a, a, a, a, a, a, a, a and 2 more");
    }

    #[test]
    fn places_are_counted_in_words() {
        let told: Vec<_> = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map(ordinal).into();
        assert_eq!(told, ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"]);
    }
}
