//! What lies beyond the ratings: cycles and the Nash average, as text and as tables.

use super::sheet::Sheet;
use super::table::{Align, Table};
use crate::rating::hodge::{CyclicTest, Decomposition, Triangle};
use crate::rating::nash::NashAverage;
use crate::rating::nash_stability::Stability;
use crate::rating::scale::logistic;

/// An analysis of a league.
pub struct Analysis<'a> {
    /// By bot.
    pub names: Vec<&'a str>,
    /// Ratings' part and the rest.
    pub decomposition: Decomposition,
    /// Whether the rest is more than noise; `None` without cycles, and for games of more than two seats.
    pub test: Option<CyclicTest>,
    /// True cycles of three, strongest first.
    pub cycles: Vec<Triangle>,
    /// The Nash average.
    pub nash: NashAverage,
    /// By bot; `None` for games of more than two seats.
    pub stability: Option<Vec<Stability>>,
    /// Sentences.
    pub notes: Vec<String>,
}

impl Analysis<'_> {
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        let key = |bot: usize| (self.nash.weights[bot], self.nash.skill[bot]);
        order.sort_by(|&a, &b| key(b).0.total_cmp(&key(a).0).then(key(b).1.total_cmp(&key(a).1)).then(a.cmp(&b)));
        order
    }

    /// The tables `transitivity`, `cycles` and `nash`.
    pub fn sheets(&self) -> Vec<Sheet> {
        let mut transitivity = Sheet::new(
            "transitivity",
            ["explained_share", "cyclic_share", "independent_cycles", "cyclic_chi_square", "cyclic_p_value"],
        );
        transitivity.row(vec![
            self.decomposition.explained_share.into(),
            self.decomposition.cyclic_share.into(),
            self.decomposition.cycles.into(),
            self.test.map(|test| test.statistic).into(),
            self.test.map(|test| test.p_value).into(),
        ]);
        let mut cycles =
            Sheet::new("cycles", ["first", "second", "third", "curl_logits", "weakest_logits", "z_standard_errors"]);
        for cycle in &self.cycles {
            let [a, b, c] = cycle.players.map(|bot| self.names[bot as usize]);
            cycles.row(vec![a.into(), b.into(), c.into(), cycle.curl.into(), cycle.weakest.into(), cycle.z.into()]);
        }
        let mut nash = Sheet::new(
            "nash",
            [
                "bot",
                "weight_probability",
                "weight_probability_low",
                "weight_probability_high",
                "in_support_share_of_replicates",
                "skill_score_share",
                "skill_score_share_low",
                "skill_score_share_high",
            ],
        );
        for bot in self.order() {
            let stability = self.stability.as_ref().map(|stability| stability[bot]);
            nash.row(vec![
                self.names[bot].into(),
                self.nash.weights[bot].into(),
                stability.and_then(|bot| bot.weight.low).into(),
                stability.and_then(|bot| bot.weight.high).into(),
                stability.map(|bot| bot.in_support).into(),
                self.nash.skill[bot].into(),
                stability.and_then(|bot| bot.skill.low).into(),
                stability.and_then(|bot| bot.skill.high).into(),
            ]);
        }
        vec![transitivity, cycles, nash]
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(share) = self.decomposition.explained_share {
            text += &format!("Ratings explain {:.2} % of the pairs' log-odds; the rest is cyclic.\n", 100.0 * share);
        }
        if let Some(test) = self.test {
            let judged = if test.p_value < 0.05 { "more than noise" } else { "no more than noise" };
            let p = if test.p_value < 1e-4 { "< 0.0001".into() } else { format!("= {:.4}", test.p_value) };
            text += &format!(
                "The cyclic part is {judged}: chi-square {:.1} on {} cycles, p {p} (pairs taken as independent).\n",
                test.statistic, test.degrees
            );
        }
        if self.cycles.is_empty() {
            text += "There is no cycle of three.\n";
        }
        for cycle in &self.cycles {
            let [a, b, c] = cycle.players.map(|bot| self.names[bot as usize]);
            text += &format!(
                "Cycle: {a} beats {b} beats {c} beats {a}, each with {:.1} % or more; z {:+.1}\n",
                100.0 * logistic(cycle.weakest),
                cycle.z
            );
        }
        let mut table = Table::new([
            ("bot", Align::Left),
            ("Nash weight", Align::Right),
            ("95 %", Align::Left),
            ("skill", Align::Right),
            ("95 %", Align::Left),
        ]);
        let range = |interval: crate::rating::Interval, unit: f64| match (interval.low, interval.high) {
            (Some(low), Some(high)) => format!("[{:.3}, {:.3}]", low * unit, high * unit),
            _ => "unknown".into(),
        };
        for bot in self.order() {
            let stability = self.stability.as_ref().map(|stability| stability[bot]);
            table.row([
                self.names[bot].to_owned(),
                format!("{:.3}", self.nash.weights[bot]),
                stability.map_or(String::new(), |bot| range(bot.weight, 1.0)),
                format!("{:+.3}", self.nash.skill[bot]),
                stability.map_or(String::new(), |bot| range(bot.skill, 1.0)),
            ]);
        }
        text += &format!("\n{table}");
        text += "Nash weight: share in the mixture of bots that nobody beats; skill: score above 1/2 against it.\n";
        self.notes.iter().for_each(|note| text += &format!("{note}\n"));
        text
    }
}
