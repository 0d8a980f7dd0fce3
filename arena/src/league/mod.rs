//! A league: which matches are played, playing them, and keeping what came of it.
//!
//! ```text
//! league.toml ──▶ League ──▶ Schedule of blocks ──▶ BlockTally ──▶ Journal ──▶ Results
//! ```
//!
//! A *lineup* is the bots of one match in seat order up to rotation; a *deal* is one seed. A *block* is one lineup
//! and a range of deals, each deal played in every seating. A block's tally is a pure function of what its key
//! hashes, so blocks can be played in any order, on any number of threads and in several sittings.

pub mod block;
pub mod compare;
pub mod config;
mod estimate;
pub mod event;
pub mod folder;
pub mod identity;
pub mod journal;
pub mod key;
pub mod matches;
pub mod pairs;
pub mod probe;
pub mod rating_options;
pub mod results;
pub mod run;
mod sample;
pub mod schedule;
pub mod seats;
pub mod seeds;
mod sets;
mod source;
pub mod standings;
pub mod submissions;
pub mod verify;

pub use config::League;
pub use event::Event;
pub use journal::{Journal, JournalError};
pub use results::{Results, ResultsError};
pub use run::{RunError, run};
pub use schedule::{Block, Lineup, Schedule};
pub use source::ConfigError;
pub use submissions::{Ledger, Submissions, SubmissionsError};
