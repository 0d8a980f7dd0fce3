//! Candidates against a baseline, in sentences and as a table. Every figure is the candidate's.

use super::sheet::{Cell, Sheet};
use super::table::grouped;
use crate::league::compare::{Contest, End};
use crate::rating::Interval;
use crate::rating::pair::{LosMethod, PairCounts};
use crate::rating::sprt::{Bounds, Model, Sprt, Verdict};

/// What a contest came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// The candidate is better; of a sequential test: H1 is accepted.
    Better,
    /// It is worse; of a sequential test: H0 is accepted.
    NotBetter,
    /// Neither is shown.
    Undecided,
}

/// A finished contest with its p-value.
pub struct Finished<'a> {
    /// The contest.
    pub contest: &'a Contest,
    /// The candidate's name.
    pub candidate: &'a str,
    /// The baseline's name.
    pub baseline: &'a str,
    /// The test, if there was one.
    pub sprt: Option<&'a Sprt>,
    /// The level of a fixed number of deals.
    pub alpha: f64,
    /// p-value corrected by Holm for all candidates.
    pub p_holm: Option<f64>,
    /// The number of candidates.
    pub candidates: usize,
}

impl Finished<'_> {
    /// What it came to.
    pub fn finding(&self) -> Finding {
        let better = self.contest.summary().score.is_some_and(|score| score > 0.5);
        match (self.sprt, self.contest.end, self.contest.verdict()) {
            (Some(_), _, Verdict::AcceptH1) => Finding::Better,
            (Some(_), _, Verdict::AcceptH0) => Finding::NotBetter,
            (Some(_), ..) | (None, Some(End::Same) | None, _) => Finding::Undecided,
            (None, ..) if self.p_holm.is_some_and(|p| p < self.alpha) && better => Finding::Better,
            (None, ..) if self.p_holm.is_some_and(|p| p < self.alpha) => Finding::NotBetter,
            (None, ..) => Finding::Undecided,
        }
    }

    /// The verdict in a sentence that names its side.
    pub fn verdict(&self) -> String {
        let Finished { candidate, baseline, contest, .. } = *self;
        let deals = grouped(contest.deals());
        if contest.is_deterministic() && contest.end == Some(End::Same) {
            let how = match contest.summary().score {
                Some(score) if score >= 1.0 => "always wins",
                Some(score) if score <= 0.0 => "always loses",
                _ => "scores always the same",
            };
            return format!(
                "Undecided: {candidate} {how} against {baseline}, for all {deals} deals went the same way. They are \
                 copies of one observation, and more of them bring nothing new."
            );
        }
        match (self.sprt.map(Sprt::design), self.finding()) {
            (None, Finding::Better) => format!("{candidate} is better than {baseline}."),
            (None, Finding::NotBetter) => format!("{candidate} is worse than {baseline}."),
            (None, Finding::Undecided) => {
                format!("Undecided: no difference between {candidate} and {baseline} is shown over {deals} deals.")
            }
            (Some(design), Finding::Better) if design.elo0 >= 0.0 => {
                format!("{candidate} is better than {baseline}: H1 is accepted.")
            }
            (Some(design), Finding::Better) => {
                format!("{candidate} is not worse than {baseline} by {} Elo: H1 is accepted.", -design.elo0)
            }
            (Some(design), Finding::NotBetter) if design.elo1 > 0.0 => {
                format!("{candidate} is not better than {baseline} by {} Elo: H0 is accepted.", design.elo1)
            }
            (Some(_), Finding::NotBetter) => format!("{candidate} is worse than {baseline}: H0 is accepted."),
            (Some(_), Finding::Undecided) => {
                format!("Undecided: the test of {candidate} against {baseline} is open after {deals} deals.")
            }
        }
    }

    /// Counts and figures below the verdict, a line each.
    pub fn figures(&self) -> Vec<String> {
        let contest = self.contest;
        let summary = contest.summary();
        let method = match summary.los_method {
            LosMethod::Normal => "normal, by deals",
            LosMethod::ScoreTest => "score test",
        };
        let mut lines = vec![
            format!(
                "{} deals, {} matches of {}: {} won, {} drawn, {} lost{}",
                grouped(contest.deals()),
                grouped(contest.matches()),
                self.candidate,
                grouped(contest.wins),
                grouped(contest.draws),
                grouped(contest.losses),
                match contest.counts {
                    PairCounts::Deals(counts) => {
                        let counts: Vec<_> = counts.iter().map(|&count| grouped(count)).collect();
                        format!("; deals by points 0, ½, 1, 1½, 2: {}", counts.join(", "))
                    }
                    PairCounts::Matches(_) => String::new(),
                }
            ),
            format!(
                "{} relative to {}: {}{}",
                self.candidate,
                self.baseline,
                elo(summary.elo, summary.elo_interval),
                match (self.sprt, contest.end) {
                    (Some(_), Some(End::Verdict)) => ", at stopping, which favours extremes",
                    (Some(_), _) => ", not corrected for the looks",
                    _ => "",
                }
            ),
            format!(
                "LOS {} ({method}), p {}{}",
                summary.los.map_or("unknown".into(), |los| format!("{:.2} %", 100.0 * los)),
                p_value(summary.p_value),
                match self.candidates {
                    1 => String::new(),
                    n => format!(", corrected by Holm for {n} candidates {}", p_value(self.p_holm)),
                }
            ),
        ];
        if let Some(sprt) = self.sprt {
            let design = sprt.design();
            lines.push(format!(
                "{}; H0 {} Elo, H1 {} Elo, {}, alpha {}, beta {}{}",
                ratio(contest, sprt),
                design.elo0,
                design.elo1,
                model_name(design.model),
                design.alpha,
                design.beta,
                if self.candidates > 1 { " (alpha by Bonferroni for all candidates)" } else { "" }
            ));
        }
        for (name, faults) in [self.candidate, self.baseline].into_iter().zip(contest.faults) {
            if faults > 0 {
                lines.push(format!("{name}: {} failed decisions", grouped(faults)));
            }
        }
        lines
    }
}

/// `LLR 1.23 in (-2.94, 2.94), 42 % of the way to H1`.
pub fn ratio(contest: &Contest, sprt: &Sprt) -> String {
    let Bounds { lower, upper } = sprt.bounds();
    match contest.test.and_then(|test| test.ratio()) {
        None => format!("LLR unknown, bounds ({lower:.2}, {upper:.2})"),
        Some(ratio) => {
            let (bound, side) = if ratio >= 0.0 { (upper, "H1") } else { (lower, "H0") };
            let way = (100.0 * ratio / bound).clamp(0.0, 100.0);
            format!("LLR {ratio:.2} in ({lower:.2}, {upper:.2}), {way:.0} % of the way to {side}")
        }
    }
}

/// `Elo difference +35.2 [+24.0, +46.1] (95 %)`.
pub fn elo(elo: Option<f64>, interval: Interval) -> String {
    let side = |value: Option<f64>| value.map_or("open".into(), |value| format!("{value:+.1}"));
    let centre = elo.map_or("unbounded".into(), |elo| format!("{elo:+.1}"));
    format!("Elo difference {centre} [{}, {}] (95 %)", side(interval.low), side(interval.high))
}

fn p_value(p: Option<f64>) -> String {
    match p {
        None => "unknown".into(),
        Some(p) if p < 1e-4 => "< 0.0001".into(),
        Some(p) => format!("{p:.4}"),
    }
}

fn model_name(model: Model) -> &'static str {
    match model {
        Model::Logistic => "logistic",
        Model::Normalised => "normalised",
    }
}

/// The table `compare`, a row a candidate.
pub fn sheet(finished: &[Finished<'_>]) -> Sheet {
    let mut sheet = Sheet::new(
        "compare",
        [
            "candidate",
            "baseline",
            "finding",
            "verdict",
            "deals",
            "matches",
            "wins",
            "draws",
            "losses",
            "score_share",
            "deals_with_points_0",
            "deals_with_points_0.5",
            "deals_with_points_1",
            "deals_with_points_1.5",
            "deals_with_points_2",
            "deterministic",
            "elo_difference",
            "elo_difference_low",
            "elo_difference_high",
            "normalised_elo",
            "los_probability",
            "p_value",
            "p_value_holm",
            "candidates",
            "llr_nats",
            "llr_lower_nats",
            "llr_upper_nats",
            "model",
            "elo0",
            "elo1",
            "alpha_probability",
            "beta_probability",
            "candidate_faults",
            "baseline_faults",
        ],
    );
    for row in finished {
        let (contest, summary) = (row.contest, row.contest.summary());
        let mut cells: Vec<Cell> = vec![
            row.candidate.into(),
            row.baseline.into(),
            match row.finding() {
                Finding::Better => "better",
                Finding::NotBetter => "not better",
                Finding::Undecided => "undecided",
            }
            .into(),
            row.verdict().into(),
            contest.deals().into(),
            contest.matches().into(),
            contest.wins.into(),
            contest.draws.into(),
            contest.losses.into(),
            summary.score.into(),
        ];
        match contest.counts {
            PairCounts::Deals(counts) => cells.extend(counts.map(Cell::Count)),
            PairCounts::Matches(_) => cells.extend(std::iter::repeat_n(Cell::Nothing, 5)),
        }
        let design = row.sprt.map(Sprt::design);
        let bounds = row.sprt.map(Sprt::bounds);
        cells.extend([
            contest.is_deterministic().into(),
            summary.elo.into(),
            summary.elo_interval.low.into(),
            summary.elo_interval.high.into(),
            summary.nelo.into(),
            summary.los.into(),
            summary.p_value.into(),
            row.p_holm.into(),
            (row.candidates as u64).into(),
            contest.test.and_then(|test| test.ratio()).into(),
            bounds.map(|bounds| bounds.lower).into(),
            bounds.map(|bounds| bounds.upper).into(),
            design.map_or(Cell::Nothing, |design| model_name(design.model).into()),
            design.map(|design| design.elo0).into(),
            design.map(|design| design.elo1).into(),
            design.map_or(row.alpha, |design| design.alpha).into(),
            design.map(|design| design.beta).into(),
            contest.faults[0].into(),
            contest.faults[1].into(),
        ]);
        sheet.row(cells);
    }
    sheet
}
