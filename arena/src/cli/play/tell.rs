//! Lines of an account, written for people or for programs.

use std::io::Write;

use crate::ids::Seat;
use crate::play::account::{Line, Sitting};
use crate::words::counted;

/// Writes the lines of one match.
pub(super) struct Teller {
    json: bool,
    names: Vec<String>,
}

impl Teller {
    /// A teller of a match between these.
    pub(super) fn new(json: bool, sitting: &[Sitting]) -> Teller {
        let same = |name: &str| sitting.iter().filter(|other| other.name == name).count() > 1;
        // A bot is called by its name, with the seat where two have the same.
        let name =
            |bot: &Sitting| if same(&bot.name) { format!("{} ({})", bot.name, bot.seat) } else { bot.name.clone() };
        Teller { json, names: sitting.iter().map(name).collect() }
    }

    pub(super) fn write(&self, out: &mut impl Write, line: &Line<'_>) -> std::io::Result<()> {
        if self.json {
            serde_json::to_writer(&mut *out, line)?;
            return writeln!(out);
        }
        let name = |seat: Seat| &self.names[seat.index()];
        match line {
            Line::Match { game, number, seed, deal, seating, .. } => {
                let number = number.map_or(String::new(), |number| format!(", match {number}"));
                let seating = seating.map_or("seats as given".into(), |seating| format!("seating {seating}"));
                writeln!(out, "{game}{number}, seed {seed}, deal {deal}, {seating}")?;
                for (seat, name) in self.names.iter().enumerate() {
                    writeln!(out, "  seat {seat}: {name}")?;
                }
                Ok(())
            }
            Line::Log { seat, text } => writeln!(out, "    {} says: {text}", name(*seat)),
            Line::Decision { seat, decision, action, fault: Some(fault), .. } => match action {
                Some(action) => writeln!(out, "    {} fails to {decision}: {fault}, it answered {action}", name(*seat)),
                None => writeln!(out, "    {} fails to {decision}: {fault}", name(*seat)),
            },
            Line::Decision { .. } => Ok(()),
            Line::Event { text, .. } => writeln!(out, "{}", self.with_names(text)),
            Line::Result { points, placements, faults } => {
                writeln!(out, "\nResult")?;
                let mut seats: Vec<usize> = (0..self.names.len()).collect();
                seats.sort_by_key(|&seat| placements[seat]);
                for seat in seats {
                    let name = &self.names[seat];
                    let faults = match faults[seat].iter().sum() {
                        0 => String::new(),
                        n => format!(", {}", counted(u32::into(n), "fault", "faults")),
                    };
                    let points = match points[seat] {
                        1 => "1 point".into(),
                        n => format!("{n} points"),
                    };
                    writeln!(out, "  place {}: {name}, {points}{faults}", placements[seat])?;
                }
                Ok(())
            }
        }
    }

    /// The text with `seat N` replaced by who sits there; a tab after it makes what follows stand in a column.
    pub(super) fn with_names(&self, text: &str) -> String {
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let mut shown = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("seat ") {
            let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
            shown.push_str(before);
            let named = after[..digits].parse().ok().and_then(|seat: usize| self.names.get(seat));
            rest = &after[digits..];
            match named {
                Some(name) if rest.starts_with('\t') => {
                    shown += &format!("{name:width$} ");
                    rest = &rest[1..];
                }
                Some(name) => shown.push_str(name),
                None => {
                    shown.push_str("seat ");
                    shown.push_str(&after[..digits]);
                }
            }
        }
        shown + rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_told_by_name_and_columns_stand_in_line() {
        let teller = Teller { json: false, names: vec!["ann".into(), "robert".into()] };
        assert_eq!(teller.with_names("seat 0 beats seat 1; seat 7, a seat"), "ann beats robert; seat 7, a seat");
        assert_eq!(teller.with_names("seat 0\tholds 1\nseat 1\tholds 2"), "ann    holds 1\nrobert holds 2");
    }

    #[test]
    fn the_result_is_told_by_place() {
        let teller = Teller { json: false, names: ["a", "b", "c"].map(String::from).into() };
        let mut out = Vec::new();
        let line =
            Line::Result { points: &[1, 5, 3], placements: &[3, 1, 2], faults: vec![[0, 1, 1, 0, 0], [0; 5], [0; 5]] };
        teller.write(&mut out, &line).unwrap();
        let told = String::from_utf8(out).unwrap();
        assert_eq!(told, "\nResult\n  place 1: b, 5 points\n  place 2: c, 3 points\n  place 3: a, 1 point, 2 faults\n");
    }
}
