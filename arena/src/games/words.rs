//! Answers in words, for people at the table.

use std::fmt;

use super::Game;

/// Things with spaces between them, `-` for none.
pub(crate) fn spaced(items: impl IntoIterator<Item = impl fmt::Display>) -> String {
    let items: Vec<_> = items.into_iter().map(|item| item.to_string()).collect();
    if items.is_empty() { "-".into() } else { items.join(" ") }
}

/// More phrases than this are no help.
const MOST_PHRASES: usize = 20;

/// The answer that a text stands for: a legal answer's phrase, or as much of its beginning as tells it from the others
/// (spaces and capitals do not matter), or what the game reads itself.
///
/// # Errors
/// What is wrong, and what would be legal.
pub fn understand<G: Game>(view: &G::View, decision: u8, text: &str, legal: &[i64]) -> Result<i64, String> {
    if let Some(read) = G::read(view, decision, &text.trim().to_lowercase()) {
        return read;
    }
    let plain = |text: &str| text.to_lowercase().split_whitespace().collect::<String>();
    let wanted = plain(text);
    let phrases: Vec<_> = legal.iter().map(|&answer| G::phrase(decision, answer)).collect();
    let is = |test: &dyn Fn(&str) -> bool| {
        let mut found = legal.iter().zip(&phrases).filter(|(_, phrase)| test(&plain(phrase)));
        found.next().filter(|_| found.next().is_none()).map(|(&answer, _)| answer)
    };
    let begins = |phrase: &str| !wanted.is_empty() && phrase.starts_with(&wanted);
    is(&|phrase| phrase == wanted).or_else(|| is(&begins)).ok_or_else(|| {
        let more = if phrases.len() > MOST_PHRASES { ", …" } else { "" };
        let phrases = &phrases[..phrases.len().min(MOST_PHRASES)];
        let phrases: Vec<_> = phrases.iter().map(|phrase| format!("`{phrase}`")).collect();
        format!("Legal is {}{more}", phrases.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::card_hunt::CardHunt;
    use bot_sdk::Plain;
    use bot_sdk::card_hunt::{Action, View};

    #[test]
    fn beginnings_do_where_they_tell_answers_apart() {
        let legal = [Action::Pass, Action::Play(2), Action::Play(12), Action::Play(13)].map(Action::pack);
        let read = |text: &str| understand::<CardHunt>(&View::zeroed(), 1, text, &legal);
        assert_eq!(read("Queen "), Ok(legal[2]));
        assert_eq!(read("q"), Ok(legal[2]));
        assert_eq!(read("2"), Ok(legal[1]));
        for text in ["", "j", "queens", "1"] {
            assert_eq!(read(text), Err("Legal is `pass`, `2`, `queen`, `king`".into()), "{text}");
        }
    }
}
