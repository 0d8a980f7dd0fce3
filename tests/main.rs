//! Whole-program tests: the real binary on real WebAssembly bots.
#![allow(unreachable_pub, reason = "everything here is private to the tests")]

mod analyse;
mod bench;
mod bots;
mod check;
mod commands;
mod compare;
mod compile;
mod determinism;
mod docs;
mod durability;
mod examples;
mod fault_injection;
mod faults;
mod fuzz;
mod harness;
mod hostile;
mod languages;
mod memory;
mod messages;
mod new;
mod play;
mod playthroughs;
mod rate;
mod readme;
mod resume;
mod sdk;
mod security;
mod submit;
mod supply_chain;
mod table;
mod text;
mod values;
mod verify;
