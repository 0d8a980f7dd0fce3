//! Whole-program tests: the real binary on real WebAssembly bots.
#![allow(unreachable_pub, reason = "everything here is private to the tests")]

mod bots;
mod commands;
mod compile;
mod determinism;
mod docs;
mod durability;
mod fuzz;
mod harness;
mod hostile;
mod memory;
mod playthroughs;
mod readme;
mod resume;
mod text;
mod values;
mod verify;
