//! What a running league tells: the runner emits events and never prints.

/// Something that happened in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The journal's last line was torn; it is cut off, and its block is played again.
    TornLine,
    /// Lines of the journal are damaged; their blocks are played again.
    DamagedLines {
        /// Their numbers, from 1.
        lines: Vec<usize>,
    },
    /// Lines of the journal contradict each other; all of them are dropped, and their blocks are played again.
    Contradictions(Vec<super::journal::Contradiction>),
    /// The folder holds results of something else: what differs, one line each. Nothing of it is mixed in.
    Differs {
        /// One line a difference.
        differences: Vec<String>,
    },
    /// The plan is made; nothing is played yet.
    Planned {
        /// Matches of the whole league.
        matches: u64,
        /// Matches of blocks that the journal already holds.
        done: u64,
        /// Threads that play.
        threads: usize,
    },
    /// Blocks from all over the league are played: how long the rest will take, if all goes on as they went.
    Estimated {
        /// Matches that are left.
        matches: u64,
        /// The time for them.
        time: std::time::Duration,
    },
    /// A block is finished and in the journal.
    BlockDone {
        /// Its matches.
        matches: u64,
    },
}
