//! Plays bots compiled to WebAssembly against each other, millions of matches at a time, and rates them.
//!
//! One natural line leads from a bot's bytes to a table, each stage in one place:
//!
//! ```text
//! bytes ──check──▶ Checked ──compile──▶ BotModule ──start──▶ BotInstance        sandbox
//! state ──observe──▶ View ──decide──▶ i64 ──judge──▶ Action ──apply──▶ state    play, games, bot-sdk
//! state ──outcome──▶ Outcome ──fold──▶ BlockTally ──add──▶ Journal              games, league
//! Journal ──collect──▶ Results ──rate──▶ ratings ──write──▶ CSV, table          league, rating, report
//! ```
//!
//! - [`games`] knows no bytes of a bot, no WebAssembly, no threads, no files;
//! - [`sandbox`] knows no game;
//! - [`play`] is the only place that knows both;
//! - [`league`] plays many matches and keeps what came of them;
//! - [`rating`] knows neither leagues nor games; [`report`] writes and computes nothing;
//! - [`bench`](mod@bench) measures how fast all this is;
//! - [`import`] reads results from elsewhere;
//! - [`cli`] is the only one that prints, reads arguments and decides on exit codes;
//! - [`ids`], [`failure`], [`tally`], [`words`], [`processor_time`] and [`draft`] are plain words, counts, clocks and files
//!   that all may use.

#[cfg(test)]
mod allocations;
pub mod analysis;
pub mod bench;
pub mod cli;
pub mod draft;
pub mod failure;
pub mod games;
pub mod ids;
pub mod import;
pub mod league;
pub mod play;
pub mod processor_time;
pub mod rating;
pub mod report;
pub mod sandbox;
pub mod tally;
pub mod words;
