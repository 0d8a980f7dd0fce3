//! Write a bot for arena.
//!
//! A bot is a type that implements its game's trait, one method a decision. This is a whole one, and it
//! plays: the file compiles to a WebAssembly module of a few hundred bytes.
//!
//! ```
//! # mod bot {
//! use bot_sdk::little_hunters::{Bot, View};
//!
//! pub struct Highest;
//!
//! impl Bot for Highest {
//!     fn new(_seat: u32, _seats: u32, _seed: u64) -> Self {
//!         Highest
//!     }
//!     fn play(&mut self, view: &View) -> u8 {
//!         view.own_hand.highest()
//!     }
//!     fn guess(&mut self, view: &View) -> u8 {
//!         view.opponent_hand.highest()
//!     }
//! }
//!
//! bot_sdk::export!(little_hunters, Highest, name: "highest", author: "you",
//!     description: "Always the highest card");
//! # }
//! ```
//!
//! # How it joins arena
//!
//! - [`abi`] holds every name and number that a module and the host agree on; `ABI.md` beside this crate
//!   tells the same for other languages.
//! - Each game has one file: its [`View`](little_hunters::View) (what a seat may know, in a fixed layout),
//!   its actions, and the trait [`Bot`](little_hunters::Bot).
//! - [`export!`] turns an implementation into the module's exports and its metadata section.
//! - The same type also runs natively, through the object-safe [`Bot`]: in tests, in a debugger, in
//!   benchmarks.
//!
//! The crate is `no_std` and depends on nothing. On WebAssembly it brings a panic handler (a trap) and a small
//! allocator, both under the default feature `runtime`; switch that off for a bot that uses `std`.
#![no_std]

#[cfg(not(target_arch = "wasm32"))]
extern crate std;

pub mod abi;
#[cfg(any(test, all(target_arch = "wasm32", feature = "runtime")))]
mod blocks;
mod export;
mod log;
pub mod plain;
mod rng;
#[cfg(all(target_arch = "wasm32", feature = "runtime"))]
mod runtime;

pub mod animal_rescuers;
pub mod card_hunt;
pub mod little_hunters;
pub mod passing_cards;

pub use export::{__joined, __joined_len, __metadata_text_is_plain};
pub use log::log;
pub use plain::{Plain, U16};
pub use rng::Rng;

/// A bot of any game, as the host sees it: bytes in, one integer out.
///
/// Contestants implement their game's own trait (for example [`little_hunters::Bot`]) and get this one
/// through the game's `Adapter`.
pub trait Bot {
    /// A bot at the start of a match: its seat, counted from 0, the number of seats, and a seed of its own.
    fn start(seat: u32, seats: u32, seed: u64) -> Self
    where
        Self: Sized;

    /// Answers one decision. `view` is the game's view as bytes; a view that is too short is answered with
    /// [`abi::NO_ACTION`], which is legal in no game.
    fn decide(&mut self, decision: u32, view: &[u8]) -> i64;
}

/// What [`export!`] needs to know of a game; each game's file implements it for its `Adapter`.
pub trait Exported: Bot {
    /// The game's name as leagues and metadata write it, for example `little-hunters`.
    const GAME: &'static str;
    /// The size of the game's view, in bytes.
    const VIEW_SIZE: usize;
}
