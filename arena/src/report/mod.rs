//! Tables as files and as text: writes, and computes nothing but the layout.

pub mod files;
pub mod standings;
pub mod table;
