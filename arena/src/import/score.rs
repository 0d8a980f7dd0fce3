//! Results as people write them.

/// A result of the first side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Parsed {
    /// 1, 1/2 or 0.
    Score(f64),
    /// The game has no result.
    Unfinished,
    /// Not understood.
    Unknown,
}

/// Reads `2-1`, `2–1`, `2:1`, `1/2-1/2`, `½-½`, `0.5-0.5`, win, draw, loss; `*`, `-` and nothing are unfinished. Anything
/// else, as `2-1 (aet)`, is not understood: whether it counts as a win is not ours to say.
pub(super) fn result(text: &str) -> Parsed {
    let text = text.trim();
    if is_unfinished(text) {
        return Parsed::Unfinished;
    }
    match text.to_lowercase().as_str() {
        "win" | "won" => return Parsed::Score(1.0),
        "draw" | "drawn" | "½" | "1/2" => return Parsed::Score(0.5),
        "loss" | "lost" => return Parsed::Score(0.0),
        _ => {}
    }
    let mut sides = text.split(['-', '–', '—', '−', '‐', '‑', ':']);
    match (sides.next().and_then(number), sides.next().and_then(number), sides.next()) {
        (Some(first), Some(second), None) => Parsed::Score(compare(first, second)),
        _ => Parsed::Unknown,
    }
}

/// Reads two scores.
pub(super) fn scores(first: &str, second: &str) -> Parsed {
    match (number(first), number(second)) {
        (Some(first), Some(second)) => Parsed::Score(compare(first, second)),
        _ if is_unfinished(first.trim()) && is_unfinished(second.trim()) => Parsed::Unfinished,
        _ => Parsed::Unknown,
    }
}

fn is_unfinished(text: &str) -> bool {
    let words = ["", "*", "-", "–", "—", "?", "n/a", "tbd", "postponed", "abandoned", "cancelled", "unfinished"];
    words.contains(&text.to_lowercase().as_str())
}

fn number(text: &str) -> Option<f64> {
    match text.trim() {
        "½" | "1/2" => Some(0.5),
        text if text.starts_with(|c: char| c.is_ascii_digit()) => text.parse().ok().filter(|n: &f64| n.is_finite()),
        _ => None,
    }
}

fn compare(first: f64, second: f64) -> f64 {
    match first.partial_cmp(&second) {
        Some(std::cmp::Ordering::Greater) => 1.0,
        Some(std::cmp::Ordering::Less) => 0.0,
        _ => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_as_people_write_them() {
        let won = ["2-1", "2–1", " 10 : 9 ", "1-0", "3—2", "1.5-0.5", "Win"];
        let drawn = ["1/2-1/2", "½-½", "0-0", "0.5–0.5", "draw"];
        let lost = ["0-1", "0 – 3", "loss"];
        for (texts, score) in [(&won[..], 1.0), (&drawn[..], 0.5), (&lost[..], 0.0)] {
            for text in texts {
                assert_eq!(result(text), Parsed::Score(score), "{text}");
            }
        }
    }

    #[test]
    fn unfinished_is_not_drawn_and_unknown_is_neither() {
        for text in ["*", "", " ", "-", "–", "Postponed"] {
            assert_eq!(result(text), Parsed::Unfinished, "{text:?}");
        }
        for text in ["2-1 (aet)", "1", "2-", "a-b", "1-2-3", "nan-1", "--", "inf-0"] {
            assert_eq!(result(text), Parsed::Unknown, "{text:?}");
        }
        assert_eq!(scores("3", "1"), Parsed::Score(1.0));
        assert_eq!((scores("", ""), scores("1", "")), (Parsed::Unfinished, Parsed::Unknown));
    }
}
