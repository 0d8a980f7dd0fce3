//! Exact analysis of games small enough to be enumerated.
//!
//! Nothing here plays: no bots, no randomness, no files. A game's analysis yields values that are
//! true to rounding, to test the played results against and to measure how far a bot is from
//! perfect play.

pub mod little_hunters;
