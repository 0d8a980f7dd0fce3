//! Exact analysis of games small enough to be enumerated.
//!
//! [`little_hunters`] plays nothing: no bots, no randomness, no files. It yields values that are
//! true to rounding, to test the played results against and to measure how far a bot is from
//! perfect play. [`exploit`] asks a player for its choices and estimates that distance.

pub mod exploit;
pub mod little_hunters;
