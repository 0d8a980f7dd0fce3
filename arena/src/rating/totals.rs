//! Sums over all clusters: what a Bradley-Terry fit depends on, and nothing more.

use super::evidence::{Evidence, Lineup, Meeting};

/// How often two players were compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// One player; the first side if `sided`.
    pub a: u32,
    /// The other player.
    pub b: u32,
    /// Weighted number of comparisons.
    pub count: f64,
    /// Whether the order of the two matters to the fit.
    pub sided: bool,
}

/// Which pairs each lineup compares, so that counts of meetings become counts of comparisons.
#[derive(Debug, Clone)]
pub struct Schedule {
    pairs: Vec<Comparison>,
    /// By lineup and pair: the pair's place in `pairs`, and its comparisons in one meeting.
    slots: Vec<(u32, f64)>,
    starts: Vec<usize>,
}

impl Schedule {
    /// The pairs of `lineups`. With `sided`, lineups of two keep their order and are counted
    /// apart from their mirror images. Lineups with a player not below `players`, fewer than two
    /// players or a weight that is not above zero compare nobody.
    #[must_use]
    pub fn new(lineups: &[Lineup], players: usize, sided: bool) -> Self {
        type Key = (u32, u32, bool);
        let keys: Vec<Vec<(Key, f64)>> = lineups.iter().map(|lineup| lineup_pairs(lineup, players, sided)).collect();
        let mut distinct: Vec<Key> = keys.iter().flatten().map(|(key, _)| *key).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let mut slots = Vec::new();
        let mut starts = vec![0];
        for lineup in &keys {
            // every key is in `distinct`, so the position found is its own
            slots.extend(
                lineup.iter().map(|(key, count)| (distinct.partition_point(|other| other < key) as u32, *count)),
            );
            starts.push(slots.len());
        }
        let pairs = distinct.into_iter().map(|(a, b, sided)| Comparison { a, b, count: 0.0, sided }).collect();
        Self { pairs, slots, starts }
    }

    /// Whether `lineups` are as many as this schedule's, and name known players wherever it
    /// compares somebody.
    #[must_use]
    pub fn is_of(&self, lineups: &[Lineup], players: usize) -> bool {
        let fits = |(lineup, span): (&Lineup, &[usize])| {
            let usable = span[1] > span[0];
            !usable || lineup.players.iter().all(|&p| (p as usize) < players)
        };
        lineups.len() + 1 == self.starts.len() && lineups.iter().zip(self.starts.windows(2)).all(fits)
    }

    /// Whether `meeting` names a lineup that compares somebody, with as many points as players.
    #[must_use]
    pub fn accepts(&self, meeting: &Meeting<'_>, lineups: &[Lineup]) -> bool {
        let index = meeting.lineup as usize;
        lineups.get(index).is_some_and(|lineup| lineup.players.len() == meeting.points.len())
            && self.starts.get(index) < self.starts.get(index + 1)
    }

    /// Comparisons after `meetings[l]` meetings of each lineup l, pairs that never met left out.
    #[must_use]
    pub fn comparisons(&self, meetings: &[f64]) -> Vec<Comparison> {
        let mut pairs = self.pairs.clone();
        let spans = self.starts.windows(2);
        for (&count, span) in meetings.iter().zip(spans) {
            if count > 0.0 {
                for &(slot, comparisons) in &self.slots[span[0]..span[1]] {
                    pairs[slot as usize].count += count * comparisons;
                }
            }
        }
        pairs.retain(|pair| pair.count > 0.0);
        pairs
    }
}

fn lineup_pairs(lineup: &Lineup, players: usize, sided: bool) -> Vec<((u32, u32, bool), f64)> {
    let members = &lineup.players;
    let mut sorted = members.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let usable = sorted.len() == members.len()
        && members.iter().all(|&p| (p as usize) < players)
        && lineup.comparisons.is_finite()
        && lineup.comparisons > 0.0
        && lineup.copies.iter().all(|&copies| copies > 0);
    if !usable {
        return Vec::new();
    }
    if sided && members.len() == 2 {
        return vec![((members[0], members[1], true), lineup.comparisons_of(0, 1))];
    }
    let mut pairs = Vec::new();
    for (i, &a) in members.iter().enumerate() {
        for (j, &b) in members.iter().enumerate().skip(i + 1) {
            pairs.push(((a.min(b), a.max(b), false), lineup.comparisons_of(i, j)));
        }
    }
    pairs
}

/// Totals of some or all clusters.
#[derive(Debug, Clone)]
pub struct Totals {
    /// Weighted points by player.
    pub points: Vec<f64>,
    /// Weighted points of the first sides in lineups of two.
    pub first_points: f64,
    /// Comparisons by pair.
    pub comparisons: Vec<Comparison>,
    /// Clusters with at least one meeting.
    pub clusters: u64,
    /// By player, clusters with at least one meeting of the player.
    pub clusters_of: Vec<u64>,
}

impl Totals {
    /// Sums all clusters of `evidence` in one visit.
    #[must_use]
    pub fn collect<E: Evidence + ?Sized>(evidence: &E, schedule: &Schedule) -> Self {
        let lineups = evidence.lineups();
        let players = evidence.players();
        let mut points = vec![0.0; players];
        let mut meetings = vec![0.0; lineups.len()];
        let mut clusters_of = vec![0; players];
        let mut last_seen = vec![0; players];
        let (mut first_points, mut clusters) = (0.0, 0);
        evidence.clusters(&mut |cluster| {
            let number = clusters + 1;
            for meeting in cluster.iter().filter(|m| schedule.accepts(m, lineups)) {
                clusters = number;
                meetings[meeting.lineup as usize] += 1.0;
                let members = &lineups[meeting.lineup as usize].players;
                for (&player, gained) in members.iter().zip(meeting.points) {
                    let player = player as usize;
                    points[player] += gained;
                    if last_seen[player] != number {
                        last_seen[player] = number;
                        clusters_of[player] += 1;
                    }
                }
                if members.len() == 2 {
                    first_points += meeting.points[0];
                }
            }
        });
        Self { points, first_points, comparisons: schedule.comparisons(&meetings), clusters, clusters_of }
    }

    /// Weighted comparisons by player.
    #[must_use]
    pub fn comparisons_of(&self) -> Vec<f64> {
        let mut counts = vec![0.0; self.points.len()];
        for pair in &self.comparisons {
            counts[pair.a as usize] += pair.count;
            counts[pair.b as usize] += pair.count;
        }
        counts
    }

    /// Whether every sum is a finite number.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.first_points.is_finite()
            && self.points.iter().all(|p| p.is_finite())
            && self.comparisons.iter().all(|c| c.count.is_finite())
    }
}
