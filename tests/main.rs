//! Whole-program tests: the real binary on real WebAssembly bots.
#![allow(unreachable_pub, reason = "everything here is private to the tests")]

mod analyse;
mod bots;
mod commands;
mod compare;
mod determinism;
mod docs;
mod faults;
mod harness;
mod hostile;
mod playthroughs;
mod rate;
mod readme;
mod resume;
mod table;
mod values;
