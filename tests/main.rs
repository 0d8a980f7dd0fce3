//! Whole-program tests: each runs the real binary.

mod analyse;
mod compare;
mod rate;
mod table;
