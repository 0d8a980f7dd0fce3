//! Plays blocks of a journal again and compares.
//!
//! A journal's checksums find what was damaged; they cannot find what somebody altered with care. A block can: it is
//! a function of what its key hashes, so whoever has the bots can play it again.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::identity::Identity;
use super::journal::{Contradiction, Entry, Journal, JournalError};
use super::key::Key;
use super::run::{Prepared, RunError, Worker};
use crate::failure::HostError;
use crate::games::with_game;

/// What came of a comparison.
#[derive(Debug, Default)]
pub struct Verified {
    /// Lines of the journal that are damaged, by number from 1.
    pub damaged: Vec<usize>,
    /// Whether its last line is torn.
    pub torn: bool,
    /// Lines that contradict each other.
    pub contradictions: Vec<Contradiction>,
    /// Lines with blocks of this league.
    pub blocks: u64,
    /// Of them those in which a bot sits that is not there.
    pub unplayable: u64,
    /// Lines with blocks of something else: bots, seeds or options of earlier sittings. They count in no table.
    pub others: u64,
    /// Blocks that were played again.
    pub replayed: u64,
    /// Of them those that came out differently.
    pub differing: Vec<Difference>,
}

/// A block that is not what the journal says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// Its first deal.
    pub first: u64,
    /// Its deals.
    pub deals: u32,
    /// The names of its lineup.
    pub bots: Vec<String>,
}

/// What the last sitting of a results folder played; `None` where there is no journal, or none of its lines says.
///
/// # Errors
/// The journal's.
pub fn played(folder: &Path) -> Result<Option<Identity>, JournalError> {
    Journal::read(folder, drop).map(|contents| contents.identity)
}

/// What is verified: what was played, and the bots that are there.
pub struct Subject<'a> {
    /// What the folder's journal says was played.
    pub identity: &'a Identity,
    /// Its league with those of its bots that are there, as [`League::found`](super::League::found) gives it.
    pub prepared: &'a Prepared<'a>,
    /// By number in the identity, the bot's number in that league.
    pub numbers: &'a [Option<u32>],
}

impl Subject<'_> {
    /// The lineup in the numbers of the league, if all of its bots are there.
    fn found(&self, lineup: &[u32]) -> Option<Vec<u32>> {
        lineup.iter().map(|&bot| self.numbers[bot as usize]).collect()
    }
}

/// Plays up to `sample` blocks of the journal again, chosen by `seed` among those whose bots are there, and compares. `tell`
/// hears the number of blocks that will be played.
///
/// # Errors
/// The journal's and the host's.
pub fn verify(
    subject: &Subject<'_>,
    folder: &Path,
    sample: usize,
    seed: u64,
    tell: &mut dyn FnMut(usize),
) -> Result<Verified, RunError> {
    let Subject { identity, prepared, .. } = subject;
    let game = prepared.league().game();
    let schedule = identity.schedule();
    let lineup_of = |index: u64| &schedule.lineups()[schedule.block(index).lineup].0;
    let mut index_of: Vec<(Key, u64)> = identity.block_keys(game, &schedule).into_iter().zip(0..).collect();
    index_of.sort_unstable();
    let find = |key: Key| index_of.binary_search_by_key(&key, |(key, _)| *key).ok().map(|at| index_of[at].1);

    // Two passes, so that no more is held than what is compared.
    let mut verified = Verified::default();
    let mut chosen: Vec<([u8; 8], Key)> = Vec::new();
    // A line that is there twice is one block.
    let mut seen = HashSet::new();
    let contents = Journal::read(folder, |entry| match find(entry.key).filter(|_| seen.insert(entry.key)) {
        None if seen.contains(&entry.key) => {}
        None => verified.others += 1,
        Some(index) if subject.found(lineup_of(index)).is_none() => {
            verified.blocks += 1;
            verified.unplayable += 1;
        }
        Some(_) => {
            verified.blocks += 1;
            let mut hash = Sha256::new();
            hash.update(seed.to_le_bytes());
            hash.update(entry.key.0);
            let mut order = [0; 8];
            order.copy_from_slice(&hash.finalize()[..8]);
            chosen.push((order, entry.key));
        }
    })?;
    (verified.damaged, verified.torn) = (contents.damaged, contents.torn);
    verified.contradictions = contents.contradictions;
    chosen.sort_unstable();
    chosen.dedup();
    chosen.truncate(sample);
    let mut keys: Vec<_> = chosen.into_iter().map(|(_, key)| key).collect();
    keys.sort_unstable();
    let mut entries: Vec<(u64, Entry)> = Vec::new();
    // By key, where its lines are among the entries: lines that contradict each other are all played.
    let mut lines: HashMap<Key, Vec<usize>> = HashMap::new();
    Journal::read(folder, |entry| {
        if keys.binary_search(&entry.key).is_ok()
            && let Some(index) = find(entry.key)
        {
            let before = lines.entry(entry.key).or_default();
            if before.iter().all(|&at| entries[at].1 != entry) {
                before.push(entries.len());
                entries.push((index, entry));
            }
        }
    })?;
    tell(entries.len());
    verified.replayed = entries.len() as u64;
    let replay = |thread, (index, entry): &(u64, Entry)| {
        let block = schedule.block(*index);
        let lineup = lineup_of(*index);
        let hashes = lineup.iter().map(|&bot| &identity.bots[bot as usize].sha256);
        let told = entry.first == block.first && entry.bots.iter().eq(hashes);
        let same = match subject.found(lineup).filter(|_| told) {
            Some(lineup) => {
                with_game!(game, G => Worker::<G>::new(thread, prepared).play(&lineup, block))? == entry.tally
            }
            None => false,
        };
        let name = |&bot: &u32| identity.bots[bot as usize].name.clone();
        let difference =
            || Difference { first: block.first, deals: block.deals, bots: lineup.iter().map(name).collect() };
        Ok((!same).then(difference))
    };
    let differing: Result<Vec<_>, HostError> = prepared.pool().map(&entries, replay).into_iter().collect();
    verified.differing = differing?.into_iter().flatten().collect();
    verified.differing.sort();
    Ok(verified)
}
