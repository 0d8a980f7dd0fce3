//! Scores by seat, and game points by bot, with intervals whose unit is the block.
//!
//! The journal keeps sums by seat for each block only, so the independent unit is a range of deals with all blocks
//! that were played on it. Means are of these very opponents: what varies is the deals.

use crate::rating::mean::ClusterMean;
use crate::tally::SeatTally;

use super::Results;
use super::results::SeatSums;

/// A seat's row: all bots' matches in it, or one bot's.
#[derive(Debug, Clone)]
pub struct SeatRow {
    /// The bot; `None` for all.
    pub bot: Option<u32>,
    /// The seat, from 0.
    pub seat: usize,
    /// Sums.
    pub total: SeatTally,
    /// Share of the comparisons' points; draws are half a win.
    pub score: ClusterMean,
    /// Game points of a match.
    pub points: ClusterMean,
    /// Matches in lineups of which every deal went the same way.
    pub deterministic: u64,
}

/// What the interval of game points rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointsUnit {
    /// Ranges of deals with all opponents: two or more were played.
    Block,
    /// Deals of a lineup, taken to be independent between lineups: there is one range only.
    Deal,
}

/// A bot's game points.
#[derive(Debug, Clone)]
pub struct PointsRow {
    /// The bot.
    pub bot: u32,
    /// Sums over all seats.
    pub total: SeatTally,
    /// Game points of a match.
    pub points: ClusterMean,
    /// What the interval rests on.
    pub unit: PointsUnit,
    /// Standard deviation of a match's points; `None` for fewer than two matches.
    pub deviation: Option<f64>,
    /// Matches in lineups of which every deal went the same way.
    pub deterministic: u64,
}

/// The rows by seat: first all bots, seat by seat, then every bot in the order of `bots`.
pub fn seat_rows(results: &Results, bots: &[u32]) -> Vec<SeatRow> {
    let seats = results.identity.seats;
    let deterministic = results.deterministic_matches();
    let mut rows = Vec::new();
    let everybody: Vec<u32> = (0..results.bots.len() as u32).collect();
    let one_by_one = bots.iter().map(|&bot| (Some(bot), vec![bot]));
    for (bot, members) in std::iter::once((None, everybody)).chain(one_by_one) {
        for seat in 0..seats {
            let mut total = SeatTally::default();
            for &member in &members {
                if let Some(tally) = results.bots[member as usize].seats.get(seat) {
                    total.add(tally);
                }
            }
            let (score, points) =
                means(results, |sums| members.iter().map(|&member| sums[member as usize * seats + seat]).collect());
            // Every seat is taken equally often.
            let deterministic = members.iter().map(|&bot| deterministic[bot as usize]).sum::<u64>() / seats as u64;
            rows.push(SeatRow { bot, seat, total, score, points, deterministic });
        }
    }
    rows
}

/// The rows of game points, in the order of `bots`.
pub fn points_rows(results: &Results, bots: &[u32]) -> Vec<PointsRow> {
    let seats = results.identity.seats;
    let deterministic = results.deterministic_matches();
    let blocks = results.blocks().count();
    bots.iter()
        .map(|&bot| {
            let tally = &results.bots[bot as usize];
            let total = tally.total();
            let (points, unit) = if blocks >= 2 {
                let (_, points) = means(results, |sums| sums[bot as usize * seats..][..seats].to_vec());
                (points, PointsUnit::Block)
            } else {
                let seatings = results.seatings() as f64;
                let deals = total.matches / results.seatings() as u64;
                let squares = tally.deal_points_squared as f64;
                (ClusterMean::of_equal(deals, seatings, total.points as f64, squares), PointsUnit::Deal)
            };
            PointsRow {
                bot,
                points,
                unit,
                deviation: deviation(&total),
                total,
                deterministic: deterministic[bot as usize],
            }
        })
        .collect()
}

fn means(results: &Results, of: impl Fn(&[SeatSums]) -> Vec<SeatSums>) -> (ClusterMean, ClusterMean) {
    let opponents = results.identity.seats as f64 - 1.0;
    let (mut score, mut points) = (ClusterMean::default(), ClusterMean::default());
    for sums in results.blocks() {
        let mut sum = SeatSums::default();
        for part in of(sums) {
            sum.matches += part.matches;
            sum.half_points += part.half_points;
            sum.points += part.points;
        }
        score.add(sum.half_points as f64 / (2.0 * opponents), sum.matches as f64);
        points.add(sum.points as f64, sum.matches as f64);
    }
    (score, points)
}

fn deviation(total: &SeatTally) -> Option<f64> {
    let matches = total.matches as f64;
    if total.matches < 2 {
        return None;
    }
    let mean = total.points as f64 / matches;
    let square = total.points_squared as f64 - matches * mean * mean;
    Some((square.max(0.0) / (matches - 1.0)).sqrt())
}
