//! Tables as files and as text: writes, and computes nothing but the layout.

pub mod crosstable;
pub mod files;
pub mod league;
pub mod sheet;
pub mod standings;
pub mod table;
