//! Which ratings the results determine at all.
//!
//! Draw an arrow from i to j where i took points from j. Finite maximum-likelihood ratings exist,
//! unique up to a shift, exactly when the arrows connect everyone with everyone in both directions
//! (Ford 1957; Hunter 2004). Otherwise:
//! - players fall into *groups* that never met: no rating compares two groups;
//! - inside a group, *components* (strongly connected) have finite differences within, but a
//!   component that took points from another and never lost any to it may be arbitrarily far above.

use super::evidence::PairPoints;
use super::interval::OpenSides;

/// Points below this share of the comparisons are rounding of weighted sums, not results.
const ROUNDING: f64 = 1e-9;

/// What an open side is open in relation to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// The mean of the player's group.
    Mean,
    /// The component of this player.
    ComponentOf(u32),
}

/// Groups, components and who is bounded by whom.
#[derive(Debug, Clone)]
pub struct Connectivity {
    group_of: Vec<u32>,
    groups: Vec<Vec<u32>>,
    component_of: Vec<u32>,
    component_sizes: Vec<u32>,
    words: usize,
    reach: Vec<u64>,
}

impl Connectivity {
    /// Analyses the results of `players` players. Pairs with indices out of range are left out.
    /// Time and memory: players²/8 bytes at worst, one pass over the pairs a component.
    #[must_use]
    pub fn new(players: usize, pairs: &[PairPoints]) -> Self {
        let arrows = Arrows::new(players, pairs);
        let (group_of, groups) = weak_groups(players, pairs);
        let component_of = strong_components(&arrows);
        let count = component_of.iter().max().map_or(0, |&c| c as usize + 1);
        let mut component_sizes = vec![0; count];
        for &component in &component_of {
            component_sizes[component as usize] += 1;
        }
        let words = count.div_ceil(64);
        let reach = reachability(&arrows, &component_of, count, words);
        Self { group_of, groups, component_of, component_sizes, words, reach }
    }

    /// Players of each group in ascending order; groups in the order of their first player.
    #[must_use]
    pub fn groups(&self) -> &[Vec<u32>] {
        &self.groups
    }

    /// Group of `player`; `None` if there is no such player.
    #[must_use]
    pub fn group_of(&self, player: u32) -> Option<u32> {
        self.group_of.get(player as usize).copied()
    }

    /// Number of strongly connected components.
    #[must_use]
    pub fn components(&self) -> usize {
        self.component_sizes.len()
    }

    /// Component of `player`; `None` if there is no such player.
    #[must_use]
    pub fn component_of(&self, player: u32) -> Option<u32> {
        self.component_of.get(player as usize).copied()
    }

    /// Whether all players of the group have finite ratings relative to each other.
    #[must_use]
    pub fn is_strong(&self, group: &[u32]) -> bool {
        group.windows(2).all(|two| self.component_of(two[0]) == self.component_of(two[1]))
    }

    /// A player of the component that holds more than half of the group, if there is one: the
    /// core, against which the rest is measured.
    #[must_use]
    pub fn core(&self, group: &[u32]) -> Option<u32> {
        group.iter().copied().find(|&player| {
            self.component_of(player).is_some_and(|c| 2 * self.component_sizes[c as usize] as usize > group.len())
        })
    }

    /// Whether a chain of points taken leads from `a` to `b`: then the results bound how far `b`
    /// is above `a`. True for a player and itself.
    #[must_use]
    pub fn reaches(&self, a: u32, b: u32) -> bool {
        match (self.component_of(a), self.component_of(b)) {
            (Some(a), Some(b)) => self.component_reaches(a as usize, b as usize),
            _ => false,
        }
    }

    /// The sides on which the results do not bound `player` in relation to `reference`.
    #[must_use]
    pub fn open_sides(&self, player: u32, reference: Reference) -> OpenSides {
        match reference {
            Reference::ComponentOf(other) => {
                OpenSides { low: !self.reaches(player, other), high: !self.reaches(other, player) }
            }
            Reference::Mean => {
                let group = self.group_of(player).map_or(&[][..], |g| &self.groups[g as usize]);
                OpenSides {
                    low: !group.iter().all(|&other| self.reaches(player, other)),
                    high: !group.iter().all(|&other| self.reaches(other, player)),
                }
            }
        }
    }

    fn component_reaches(&self, a: usize, b: usize) -> bool {
        self.reach[a * self.words + b / 64] >> (b % 64) & 1 == 1
    }
}

/// Arrows from each player to those it took points from, in one flat list.
struct Arrows {
    starts: Vec<usize>,
    targets: Vec<u32>,
}

impl Arrows {
    fn new(players: usize, pairs: &[PairPoints]) -> Self {
        let mut list: Vec<(u32, u32)> = Vec::new();
        for &pair in pairs.iter().filter(|pair| met(players, pair)) {
            for side in [pair, pair.turned()] {
                if side.points_a > ROUNDING * side.comparisons {
                    list.push((side.a, side.b));
                }
            }
        }
        list.sort_unstable();
        list.dedup();
        let starts = (0..=players).map(|player| list.partition_point(|&(from, _)| (from as usize) < player)).collect();
        Self { starts, targets: list.into_iter().map(|(_, to)| to).collect() }
    }

    fn players(&self) -> usize {
        self.starts.len() - 1
    }

    fn from(&self, player: usize) -> &[u32] {
        &self.targets[self.starts[player]..self.starts[player + 1]]
    }
}

fn met(players: usize, pair: &PairPoints) -> bool {
    (pair.a as usize) < players && (pair.b as usize) < players && pair.comparisons > 0.0
}

fn weak_groups(players: usize, pairs: &[PairPoints]) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut parent: Vec<usize> = (0..players).collect();
    fn root(parent: &mut [usize], mut player: usize) -> usize {
        while parent[player] != player {
            parent[player] = parent[parent[player]];
            player = parent[player];
        }
        player
    }
    for pair in pairs.iter().filter(|pair| met(players, pair)) {
        let a = root(&mut parent, pair.a as usize);
        let b = root(&mut parent, pair.b as usize);
        parent[a.max(b)] = a.min(b);
    }
    let mut group_of = vec![0; players];
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for player in 0..players {
        // the root is the smallest index of its group, so it is met first
        let first = root(&mut parent, player);
        if first == player {
            group_of[player] = groups.len() as u32;
            groups.push(vec![player as u32]);
        } else {
            group_of[player] = group_of[first];
            groups[group_of[first] as usize].push(player as u32);
        }
    }
    (group_of, groups)
}

/// Tarjan's algorithm (1972) without recursion. Components are numbered so that arrows between
/// components lead to lower numbers.
fn strong_components(arrows: &Arrows) -> Vec<u32> {
    const UNSEEN: usize = usize::MAX;
    let players = arrows.players();
    let mut component = vec![u32::MAX; players];
    let (mut order, mut low) = (vec![UNSEEN; players], vec![0; players]);
    let (mut stack, mut path) = (Vec::new(), Vec::new());
    let (mut visited, mut components) = (0, 0);
    for start in 0..players {
        if order[start] == UNSEEN {
            path.push((start, 0));
        }
        while let Some((player, next)) = path.pop() {
            if next == 0 {
                order[player] = visited;
                low[player] = visited;
                visited += 1;
                stack.push(player);
            }
            if let Some(&target) = arrows.from(player).get(next) {
                let target = target as usize;
                path.push((player, next + 1));
                if order[target] == UNSEEN {
                    path.push((target, 0));
                } else if component[target] == u32::MAX {
                    low[player] = low[player].min(order[target]);
                }
                continue;
            }
            if low[player] == order[player] {
                while let Some(member) = stack.pop() {
                    component[member] = components;
                    if member == player {
                        break;
                    }
                }
                components += 1;
            }
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[player]);
            }
        }
    }
    component
}

/// Bit sets of the components that each component reaches, itself included.
fn reachability(arrows: &Arrows, component_of: &[u32], count: usize, words: usize) -> Vec<u64> {
    let mut links: Vec<(u32, u32)> = Vec::new();
    for (player, &from) in component_of.iter().enumerate() {
        let targets = arrows.from(player).iter();
        links.extend(targets.map(|&target| (from, component_of[target as usize])));
    }
    links.sort_unstable();
    links.dedup();
    let mut reach = vec![0; count * words];
    for component in 0..count {
        reach[component * words + component / 64] |= 1_u64 << (component % 64);
    }
    // ascending, so that what a link leads to is complete
    for (from, to) in links {
        let (from, to) = (from as usize, to as usize);
        if from != to {
            let (done, open) = reach.split_at_mut(from * words);
            let known = &done[to * words..(to + 1) * words];
            for (bits, more) in open.iter_mut().zip(known) {
                *bits |= more;
            }
        }
    }
    reach
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: u32, b: u32, points_a: f64, comparisons: f64) -> PairPoints {
        PairPoints { a, b, points_a, comparisons }
    }

    #[test]
    fn groups_components_and_open_sides() {
        // 0, 1, 2 beat each other in a ring, 3 lost everything, 4 won everything; 5, 6 drew; 7 idle
        let pairs = [
            pair(0, 1, 1.0, 1.0),
            pair(1, 2, 1.0, 1.0),
            pair(2, 0, 1.0, 1.0),
            pair(3, 0, 0.0, 2.0),
            pair(4, 2, 3.0, 3.0),
            pair(5, 6, 0.5, 1.0),
        ];
        let found = Connectivity::new(8, &pairs);
        assert_eq!(found.groups(), [vec![0, 1, 2, 3, 4], vec![5, 6], vec![7]]);
        assert_eq!(found.components(), 5);
        assert_eq!(found.component_of(0), found.component_of(2));
        assert!(!found.is_strong(&found.groups()[0]) && found.is_strong(&found.groups()[1]));
        assert_eq!(found.core(&found.groups()[0]), Some(0));
        let reference = Reference::ComponentOf(0);
        let sides = |player| {
            let open = found.open_sides(player, reference);
            (open.low, open.high)
        };
        assert_eq!(sides(1), (false, false));
        assert_eq!(sides(3), (true, false));
        assert_eq!(sides(4), (false, true));
        assert_eq!(sides(5), (true, true));
        assert!(found.open_sides(0, Reference::Mean).low);
        assert!(!found.open_sides(5, Reference::Mean).any());
    }

    #[test]
    fn rounding_of_weighted_sums_is_not_a_result() {
        let found = Connectivity::new(2, &[pair(0, 1, 1.2, 1.2 + 2e-16)]);
        assert_eq!(found.components(), 2);
    }
}
