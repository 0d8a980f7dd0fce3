//! Tables as files and as text: writes, and computes nothing but the layout.

pub mod analyse;
pub mod compare;
pub mod crosstable;
pub mod files;
pub mod league;
pub mod one_bot;
pub mod rate;
pub mod run_record;
pub mod sheet;
pub mod standings;
pub mod table;
