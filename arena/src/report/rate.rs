//! Ratings of results from elsewhere: text, and the tables `ratings`, `pairs` and `advantage`.

use super::sheet::Sheet;
use super::table::{Align, Table};
use crate::rating::bradley_terry::{Advantage, Standing};
use crate::rating::multiple::holm;
use crate::rating::rated::Rated;
use crate::rating::scale::two_sided_p;
use crate::rating::{Interval, PairPoints};

/// What is reported of.
pub struct Rating<'a> {
    /// By player.
    pub names: &'a [String],
    /// Where the mean or the anchor lies.
    pub mean: f64,
    /// The ratings.
    pub rated: &'a Rated,
    /// Points and comparisons of each pair.
    pub pairs: &'a [PairPoints],
}

impl Rating<'_> {
    /// Players, best first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        let elo = |player: usize| self.rated.ratings[player].map_or(f64::MIN, |rating| rating.elo);
        order.sort_by(|&a, &b| elo(b).total_cmp(&elo(a)).then_with(|| self.names[a].cmp(&self.names[b])));
        order
    }

    fn remarks(&self, player: usize) -> &'static str {
        match self.rated.fit.standings[player] {
            Standing::Ordinary => "",
            Standing::NoComparisons => "met nobody",
            Standing::PerfectScore => "took every point",
            Standing::NoPoints => "took no point",
            Standing::OneSided => "bounded on one side only",
        }
    }

    /// The tables.
    pub fn sheets(&self) -> Vec<Sheet> {
        let mut sheets = vec![self.ratings(), self.pairs()];
        if let Some(advantage) = self.rated.advantage {
            let mut sheet = Sheet::new("advantage", ["elo", "elo_low", "elo_high", "elo_se", "elo_se_fisher"]);
            let interval = advantage.interval;
            sheet.row(vec![
                advantage.elo.into(),
                interval.low.into(),
                interval.high.into(),
                advantage.se.into(),
                advantage.fisher_se.into(),
            ]);
            sheets.push(sheet);
        }
        sheets
    }

    fn ratings(&self) -> Sheet {
        let mut sheet = Sheet::new(
            "ratings",
            [
                "rank",
                "player",
                "elo",
                "elo_low",
                "elo_high",
                "elo_se",
                "elo_se_fisher",
                "points",
                "comparisons",
                "score_share",
                "independent_observations",
                "group",
                "remarks",
            ],
        );
        let totals = &self.rated.fit.totals;
        let comparisons = totals.comparisons_of();
        for (rank, player) in self.order().into_iter().enumerate() {
            let rating = self.rated.ratings[player];
            let shifted = |value: Option<f64>| value.map(|value| value + self.mean);
            let met = comparisons[player];
            sheet.row(vec![
                (rank as u64 + 1).into(),
                self.names[player].as_str().into(),
                shifted(rating.map(|rating| rating.elo)).into(),
                shifted(rating.and_then(|rating| rating.interval.low)).into(),
                shifted(rating.and_then(|rating| rating.interval.high)).into(),
                rating.and_then(|rating| rating.se).into(),
                rating.and_then(|rating| rating.fisher_se).into(),
                totals.points[player].into(),
                met.into(),
                (met > 0.0).then(|| totals.points[player] / met).into(),
                totals.clusters_of[player].into(),
                u64::from(self.rated.fit.connectivity.group_of(player as u32).unwrap_or(0) + 1).into(),
                self.remarks(player).into(),
            ]);
        }
        sheet
    }

    fn pairs(&self) -> Sheet {
        let mut sheet = Sheet::new(
            "pairs",
            [
                "player",
                "opponent",
                "points",
                "comparisons",
                "score_share",
                "elo_difference_joint",
                "elo_difference_joint_low",
                "elo_difference_joint_high",
                "los_probability",
                "p_value",
                "p_value_holm",
                "pairs_compared",
            ],
        );
        let difference = |pair: &PairPoints| self.rated.differences.get(&(pair.a, pair.b));
        let p = |pair: &PairPoints| difference(pair).and_then(|found| Some(two_sided_p(found.elo / found.se?)));
        let p_values: Vec<f64> = self.pairs.iter().map(|pair| p(pair).unwrap_or(1.0)).collect();
        for (pair, p_holm) in self.pairs.iter().zip(holm(&p_values)) {
            let found = difference(pair);
            sheet.row(vec![
                self.names[pair.a as usize].as_str().into(),
                self.names[pair.b as usize].as_str().into(),
                pair.points_a.into(),
                pair.comparisons.into(),
                (pair.points_a / pair.comparisons).into(),
                found.map(|found| found.elo).into(),
                found.and_then(|found| found.interval.low).into(),
                found.and_then(|found| found.interval.high).into(),
                found.and_then(|found| found.los).into(),
                p(pair).into(),
                p(pair).map(|_| p_holm).into(),
                (self.pairs.len() as u64).into(),
            ]);
        }
        sheet
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        use Align::{Left, Right};
        let mut table = Table::new([
            ("#", Right),
            ("player", Left),
            ("Elo", Right),
            ("95 % interval", Left),
            ("points", Right),
            ("of", Right),
            ("score", Right),
            ("", Left),
        ]);
        let totals = &self.rated.fit.totals;
        let comparisons = totals.comparisons_of();
        for (rank, player) in self.order().into_iter().enumerate() {
            let rating = self.rated.ratings[player];
            let met = comparisons[player];
            table.row([
                (rank + 1).to_string(),
                crate::ids::escaped(&self.names[player], 60),
                rating.map_or("-".into(), |rating| format!("{:.1}", rating.elo + self.mean)),
                interval(rating.map_or(Interval::OPEN, |rating| rating.interval), self.mean),
                format!("{:.1}", totals.points[player]),
                format!("{met:.1}"),
                if met > 0.0 { format!("{:.1} %", 100.0 * totals.points[player] / met) } else { "-".into() },
                self.remarks(player).into(),
            ]);
        }
        let mut text = table.to_string();
        if let Some(advantage) = self.rated.advantage {
            text += &format!(
                "Advantage of the first side: Elo {:+.1} {} (95 %)\n",
                advantage.elo,
                interval(advantage.interval, 0.0)
            );
        }
        text
    }
}

/// What became of an advantage that was asked for and is not there.
pub fn advantage_note(advantage: Advantage) -> Option<&'static str> {
    match advantage {
        Advantage::NotAsked | Advantage::Elo(_) => None,
        Advantage::NotIdentified => {
            Some("The results cannot tell an advantage of the first side from the ratings; these are without it.")
        }
        Advantage::Unbounded => {
            Some("The results set no bound to an advantage of the first side; the ratings are without it.")
        }
    }
}

fn interval(interval: Interval, shift: f64) -> String {
    let side = |value: Option<f64>| value.map_or("open".into(), |value| format!("{:.1}", value + shift));
    match (interval.low, interval.high) {
        (None, None) => "unknown".into(),
        (low, high) => format!("[{}, {}]", side(low), side(high)),
    }
}
