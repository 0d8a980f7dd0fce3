//! A running league on the error stream: a bar on a terminal, plain lines elsewhere.

use std::fmt::Write;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::output::note;
use crate::league::Event;
use crate::report::table::{counted, grouped};

/// Where there is no terminal, a line is written so often.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Listens to a run.
pub(super) struct Progress {
    shown: Shown,
    started: Instant,
    total: u64,
    before: u64,
    played: u64,
    estimate: Option<Duration>,
}

enum Shown {
    Bar(ProgressBar),
    Lines { last: Instant },
}

impl Progress {
    /// Looks at the error stream.
    pub(super) fn new() -> Progress {
        // Lines of -v would tear a bar apart.
        let bar = std::io::stderr().is_terminal() && !tracing::enabled!(tracing::Level::INFO);
        let shown = if bar {
            Shown::Bar(ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()))
        } else {
            Shown::Lines { last: Instant::now() }
        };
        Progress { shown, started: Instant::now(), total: 0, before: 0, played: 0, estimate: None }
    }

    /// Takes an event.
    pub(super) fn tell(&mut self, event: &Event) {
        match event {
            Event::TornLine => note!("{TORN}; its block is played again."),
            Event::DamagedLines { lines } => note!("{}: their blocks are played again.", damaged_lines(lines)),
            Event::Contradictions(all) => {
                all.iter().for_each(|lines| note!("Journal: {lines}; they are dropped, and it is played again."));
            }
            Event::Differs { differences } => {
                note!(
                    "The league is not what it was in the last sitting; only blocks that this alters are played anew:"
                );
                differences.iter().for_each(|line| note!("  {line}"));
            }
            Event::Planned { matches, done, .. } => self.begin(*matches, *done),
            Event::Estimated { matches, time } => self.estimate(*matches, *time),
            Event::BlockDone { matches } => self.add(*matches),
        }
    }

    fn begin(&mut self, total: u64, done: u64) {
        self.started = Instant::now();
        self.total = total;
        self.before = done;
        if done > 0 {
            note!("{} of {} played already.", grouped(done), counted(total, "match is", "matches are"));
        }
        if let Shown::Bar(bar) = &self.shown {
            bar.set_style(style());
            bar.set_length(total);
            bar.set_position(done);
            bar.reset_eta();
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    fn add(&mut self, matches: u64) {
        self.played += matches;
        match &mut self.shown {
            Shown::Bar(bar) => bar.set_position(self.before + self.played),
            Shown::Lines { last } if last.elapsed() >= LINE_EVERY => {
                *last = Instant::now();
                self.line();
            }
            Shown::Lines { .. } => {}
        }
    }

    fn estimate(&mut self, matches: u64, time: Duration) {
        self.estimate = Some(self.started.elapsed() + time);
        let say = || note!("{} left: about {:.0} s.", counted(matches, "match is", "matches are"), time.as_secs_f64());
        match &self.shown {
            Shown::Bar(bar) => bar.suspend(say),
            Shown::Lines { .. } => say(),
        }
    }

    /// What all of it was expected to take, if anything was.
    pub(super) fn estimated(&self) -> Option<Duration> {
        self.estimate
    }

    fn line(&self) {
        let speed = self.played as f64 / self.started.elapsed().as_secs_f64().max(1e-9);
        let left = self.total.saturating_sub(self.before + self.played);
        note!(
            "{} of {}, {} matches/s, {:.0} s left",
            grouped(self.before + self.played),
            counted(self.total, "match", "matches"),
            grouped(speed as u64),
            left as f64 / speed.max(1e-9)
        );
    }

    /// The last word.
    pub(super) fn finish(self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
        if self.played > 0 {
            let seconds = self.started.elapsed().as_secs_f64();
            note!(
                "{} in {seconds:.1} s, {} matches/s.",
                counted(self.played, "match", "matches"),
                grouped((self.played as f64 / seconds.max(1e-9)) as u64)
            );
        }
    }
}

/// A journal whose last line has no end.
pub(super) const TORN: &str = "The journal's last line is torn, as by a kill";

/// Names lines of a journal.
pub(super) fn damaged_lines(lines: &[usize]) -> String {
    let shown: Vec<_> = lines.iter().take(10).map(|line| format!("line {line}")).collect();
    let more = if lines.len() > shown.len() { ", …" } else { "" };
    format!(
        "{} of the journal: {}{more}",
        counted(lines.len() as u64, "damaged line", "damaged lines"),
        shown.join(", ")
    )
}

/// The bar, its numbers written as everywhere.
fn style() -> ProgressStyle {
    type Key = fn(&ProgressState, &mut dyn Write);
    // Writing to a line in memory does not fail.
    fn put(out: &mut dyn Write, text: String) {
        let _ = out.write_str(&text);
    }
    let played: Key = |state, out| put(out, grouped(state.pos()));
    let all: Key = |state, out| put(out, counted(state.len().unwrap_or(0), "match", "matches"));
    let speed: Key = |state, out| put(out, grouped(state.per_sec() as u64));
    ProgressStyle::with_template("{wide_bar} {played} of {all}, {speed} matches/s, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("played", played)
        .with_key("all", all)
        .with_key("speed", speed)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// A terminal that keeps what is written to it.
    #[derive(Debug, Clone, Default)]
    struct Kept(Arc<Mutex<String>>);

    impl indicatif::TermLike for Kept {
        fn width(&self) -> u16 {
            120
        }
        fn move_cursor_up(&self, _: usize) -> std::io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> std::io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> std::io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> std::io::Result<()> {
            Ok(())
        }
        fn write_line(&self, line: &str) -> std::io::Result<()> {
            self.write_str(line)
        }
        fn write_str(&self, text: &str) -> std::io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> std::io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_bars_numbers_are_grouped() {
        let kept = Kept::default();
        let bar = ProgressBar::with_draw_target(Some(210_000), ProgressDrawTarget::term_like(Box::new(kept.clone())));
        bar.set_style(style());
        bar.set_position(9_000);
        bar.abandon();
        let shown = kept.0.lock().unwrap();
        assert!(shown.contains(" 9 000 of 210 000 matches, "), "{shown}");
    }
}
