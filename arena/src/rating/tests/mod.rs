//! Tests that need more than one module, or files.

mod data;
mod performance;
mod properties;
mod simulation;
mod values;

/// Asserts that two numbers differ by at most `tolerance`.
#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected} within {tolerance}");
}
