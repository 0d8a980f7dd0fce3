//! Numbers and choices as people read them.

/// A whole number with its thousands set apart: 12 345 678.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            shown.push(' ');
        }
        shown.push(digit);
    }
    shown
}

/// A number of things: 1 lineup, 9 000 lineups.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// A word as it stands in a command line, in quotes where a shell would take it apart.
pub fn shell_word(word: &str) -> String {
    // What separates folders on Windows escapes in a shell elsewhere.
    let plain = |c: char| c.is_alphanumeric() || "/._-+@%:,".contains(c) || (cfg!(windows) && c == '\\');
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// What could have been meant by an unknown word: `did you mean `deals`? There are seed, deals`, or the latter alone.
pub fn choices(word: &str, known: &[&str]) -> String {
    // As near as clap asks for in suggestions of options.
    let near = |known: &&&str| strsim::jaro(word, known) > 0.7;
    let nearest = known.iter().filter(near).max_by(|a, b| strsim::jaro(word, a).total_cmp(&strsim::jaro(word, b)));
    let all = known.join(", ");
    nearest.map_or_else(|| format!("there are {all}"), |nearest| format!("did you mean `{nearest}`? There are {all}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(1000), "1 000");
        assert_eq!(grouped(12_345_678), "12 345 678");
    }

    #[test]
    fn one_is_no_plural() {
        assert_eq!(counted(1, "match", "matches"), "1 match");
        assert_eq!((counted(0, "bot", "bots"), counted(9000, "bot", "bots")), ("0 bots".into(), "9 000 bots".into()));
    }

    #[test]
    fn words_of_a_command_can_be_pasted() {
        assert_eq!(shell_word("leagues/x-1.toml"), "leagues/x-1.toml");
        assert_eq!(shell_word("bots/a-1.wasm"), "bots/a-1.wasm");
        assert_eq!(shell_word("my bot's.wasm"), r"'my bot'\''s.wasm'");
        assert_eq!(shell_word("my league's.toml"), "'my league'\\''s.toml'");
        assert_eq!(shell_word("a;b"), "'a;b'");
        assert_eq!(shell_word(""), "''");
    }

    #[test]
    fn the_nearest_word_is_proposed() {
        let known = ["game", "seed", "deals", "seats"];
        assert_eq!(choices("deal", &known), "did you mean `deals`? There are game, seed, deals, seats");
        assert!(choices("seeds", &known).starts_with("did you mean `seed`? "));
        assert_eq!(choices("tie", &known), "there are game, seed, deals, seats");
    }
}
