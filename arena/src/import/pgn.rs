//! The headers of chess games: who met whom, and the result. Moves and comments are passed over.

use std::collections::BTreeMap;

use super::Import;
use super::score::{Parsed, result};
use crate::ids::escaped;

pub(super) fn read(import: &mut Import, file: &str, text: &str) {
    let mut game = Headers::default();
    let mut in_tags = false;
    let mut depth = 0_usize;
    let (mut by_position, mut alone) = (0_u64, 0_u64);
    let mut finish = |import: &mut Import, game: &mut Headers| {
        if !game.tags.is_empty() {
            add(import, file, game, &mut by_position, &mut alone);
        }
        *game = Headers::default();
    };
    for (number, line) in text.lines().enumerate() {
        let number = number as u64 + 1;
        let line = line.trim();
        if depth == 0 && line.starts_with('[') {
            if !in_tags {
                finish(import, &mut game);
                game.line = number;
                in_tags = true;
            }
            match tag(line) {
                Some((name, value)) => {
                    if game.tags.insert(name.to_owned(), value).is_some() {
                        import.refuse(file, number, format!("the header {} is there twice", escaped(name, 60)));
                    }
                }
                None => import.refuse(file, number, format!("\"{}\" is no header", escaped(line, 60))),
            }
        } else {
            // An empty line ends the headers as moves do.
            in_tags = false;
            // Comments may hold lines that look like headers.
            for c in line.chars() {
                match c {
                    '{' => depth = 1,
                    '}' => depth = 0,
                    ';' if depth == 0 => break,
                    _ => {}
                }
            }
        }
    }
    finish(import, &mut game);
    let mut note = format!("{file}: headers of chess games, White is the first side");
    if by_position > 0 {
        note += &format!("; {by_position} games of one event, starting position and pair are one observation");
    }
    if alone > 0 {
        note += &format!("; {alone} games without a starting position are one observation each");
    }
    import.notes.push(note + ".");
}

#[derive(Default)]
struct Headers {
    line: u64,
    tags: BTreeMap<String, String>,
}

/// Reads `[Name "value"]`.
fn tag(line: &str) -> Option<(&str, String)> {
    let (name, rest) = line.strip_prefix('[')?.strip_suffix(']')?.trim().split_once(char::is_whitespace)?;
    let quoted = rest.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut value = String::new();
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        value.push(if c == '\\' { chars.next()? } else { c });
    }
    Some((name, value))
}

fn add(import: &mut Import, file: &str, game: &Headers, by_position: &mut u64, alone: &mut u64) {
    let get = |name: &str| game.tags.get(name).map_or("", String::as_str);
    let (white, black) = (get("White"), get("Black"));
    match (result(get("Result")), get("Result")) {
        (_, "") => import.refuse(file, game.line, "the game has no header Result"),
        (Parsed::Unfinished, _) => import.unfinished += 1,
        (Parsed::Score(score), "1-0" | "0-1" | "1/2-1/2") => {
            let cluster = match get("FEN") {
                "" => {
                    *alone += 1;
                    format!("{file}\n{}", game.line)
                }
                position => {
                    *by_position += 1;
                    let pair = if white < black { [white, black] } else { [black, white] };
                    format!("{file}\n{}\n{position}\n{}\n{}", get("Event"), pair[0], pair[1])
                }
            };
            import.add_match((file, game.line), [white, black], score, cluster);
        }
        (_, other) => {
            import.refuse(file, game.line, format!("the result \"{}\" is not understood", escaped(other, 60)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Columns, Format};
    use super::*;

    fn import(text: &str) -> Import {
        let mut import = Import::default();
        import.add_text("g.pgn", text, Format::Pgn, &Columns::default()).unwrap();
        import
    }

    #[test]
    fn headers_are_read_and_moves_are_not() {
        let text = "\u{feff}[Event \"x\"]\n[White \"A \\\"a\\\"\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {a\n[White \"C\"]\n} 1-0\n\n\
                    [White \"B\"]\n[Black \"A \\\"a\\\"\"]\n[Result \"*\"]\n\n*\n";
        let import = import(text);
        assert_eq!(import.names, ["A \"a\"", "B"]);
        assert_eq!((import.taken, import.unfinished, import.bad.len()), (1, 1, 0));
    }

    #[test]
    fn games_without_a_known_result_are_told_by_line() {
        let import = import("[White \"A\"]\n[Black \"B\"]\n\n[White \"A\"]\n[Black \"B\"]\n[Result \"2-0\"]\n\n1-0\n");
        let lines: Vec<_> = import.bad.iter().map(|bad| (bad.line, bad.reason.as_str())).collect();
        assert_eq!(lines, [(1, "the game has no header Result"), (4, "the result \"2-0\" is not understood")]);
    }
}
