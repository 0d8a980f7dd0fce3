//! A running league on the error stream: a bar on a terminal, plain lines elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::league::Event;
use crate::report::table::grouped;

/// Where there is no terminal, a line is written so often.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Listens to a run.
pub(super) struct Progress {
    shown: Shown,
    started: Instant,
    total: u64,
    before: u64,
    played: u64,
}

enum Shown {
    Bar(ProgressBar),
    Lines { last: Instant },
}

impl Progress {
    /// Looks at the error stream.
    pub(super) fn new() -> Progress {
        let shown = if std::io::stderr().is_terminal() {
            Shown::Bar(ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()))
        } else {
            Shown::Lines { last: Instant::now() }
        };
        Progress { shown, started: Instant::now(), total: 0, before: 0, played: 0 }
    }

    /// Takes an event.
    pub(super) fn tell(&mut self, event: &Event) {
        match event {
            Event::TornLine => {
                eprintln!("The journal's last line was torn, as by a kill; its block is played again.");
            }
            Event::DamagedLines { lines } => {
                let lines: Vec<_> = lines.iter().take(10).map(usize::to_string).collect();
                eprintln!("Damaged lines of the journal, their blocks are played again: {}.", lines.join(", "));
            }
            Event::Differs { differences } => {
                eprintln!(
                    "The league is not what it was in the last sitting; only blocks that this alters are played anew:"
                );
                differences.iter().for_each(|line| eprintln!("  {line}"));
            }
            Event::Planned { matches, done, .. } => self.begin(*matches, *done),
            Event::BlockDone { matches } => self.add(*matches),
        }
    }

    fn begin(&mut self, total: u64, done: u64) {
        self.started = Instant::now();
        self.total = total;
        self.before = done;
        if done > 0 {
            eprintln!("{} of {} matches are played already.", grouped(done), grouped(total));
        }
        if let Shown::Bar(bar) = &self.shown {
            let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} matches, {per_sec}, {eta} left")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            bar.set_style(style);
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

    fn line(&self) {
        let speed = self.played as f64 / self.started.elapsed().as_secs_f64().max(1e-9);
        let left = self.total.saturating_sub(self.before + self.played);
        eprintln!(
            "{} of {} matches, {} matches/s, {:.0} s left",
            grouped(self.before + self.played),
            grouped(self.total),
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
            eprintln!(
                "{} matches in {seconds:.1} s, {} matches/s.",
                grouped(self.played),
                grouped((self.played as f64 / seconds.max(1e-9)) as u64)
            );
        }
    }
}
