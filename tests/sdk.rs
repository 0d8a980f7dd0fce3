//! The kits for other languages than Rust: what they say of the games is written from the layouts that `bot-sdk/src`
//! declares. `ARENA_BLESS=1 cargo test --release -p arena --test it` writes it anew.

use std::fmt::Write;

use arena::games::{Game, GameId, with_game};
use bot_sdk::Plain;
use bot_sdk::plain::{Field, Layout};

use crate::harness::repository;

/// How a kit tells of all games.
type Games = fn() -> String;

/// The kits, by their files.
const KITS: [(&str, Games); 3] = [
    ("bot-sdk/c/arena.h", || each_game(c)),
    ("bot-sdk/assemblyscript/arena.ts", || view_buffer() + &each_game(assemblyscript)),
    ("bot-sdk/zig/arena.zig", || each_game(zig)),
];
const BEGIN: &str = "// The games. Below, all is written from bot-sdk/src by";
const END: &str = "// End of the games.";

#[test]
fn the_kits_tell_of_the_games_as_they_are() {
    for (path, games) in KITS {
        let file = repository().join(path);
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}"));
        let begin = text.find(BEGIN).unwrap_or_else(|| panic!("{path}: no line that begins {BEGIN}"));
        let begin = begin + text[begin..].find('\n').expect("a whole line") + 1;
        let end = text.find(END).unwrap_or_else(|| panic!("{path}: no line {END}"));
        let wanted = format!("{}{}\n{}", &text[..begin], games(), &text[end..]);
        if std::env::var_os("ARENA_BLESS").is_some() {
            std::fs::write(&file, wanted).unwrap_or_else(|error| panic!("{path}: {error}"));
        } else {
            assert!(text == wanted, "{path} is not what bot-sdk/src declares: record it anew with ARENA_BLESS=1");
        }
    }
}

/// A record of a game.
struct Record {
    name: &'static str,
    fields: &'static [Field],
    size: usize,
}

impl Record {
    /// The fields with their offsets.
    fn placed(&self) -> impl Iterator<Item = (usize, &'static Field)> {
        self.fields.iter().scan(0, |next, field| {
            let offset = *next;
            *next += field.layout.size();
            Some((offset, field))
        })
    }
}

/// The records of a layout, each once, a part before its whole.
fn records(layout: &'static Layout, found: &mut Vec<Record>) {
    match layout {
        Layout::U8 | Layout::U16 => {}
        Layout::List(element, _) => records(element, found),
        Layout::Record(name, fields) => {
            fields.iter().for_each(|field| records(field.layout, found));
            if !found.iter().any(|known| known.name == *name) {
                found.push(Record { name, fields, size: layout.size() });
            }
        }
    }
}

/// The lengths of a list of lists, outermost first, and what is in it.
fn element(mut layout: &'static Layout) -> (Vec<usize>, &'static Layout) {
    let mut lengths = Vec::new();
    while let Layout::List(inner, length) = layout {
        lengths.push(*length);
        layout = inner;
    }
    (lengths, layout)
}

fn each_game(kit: fn(GameId, &[Record]) -> String) -> String {
    let mut text = String::new();
    for &game in GameId::ALL {
        let mut found = Vec::new();
        records(with_game!(game, G => <<G as Game>::View as Plain>::LAYOUT), &mut found);
        text += "\n";
        text += &kit(game, &found);
    }
    text
}

/// A field's documentation as lines of comment.
fn comment(indent: &str, mark: &str, doc: &str) -> String {
    let mut lines = vec![format!("{indent}{mark}")];
    for word in doc.split_whitespace() {
        if lines.last().is_some_and(|line| line.len() + 1 + word.len() > 118) {
            lines.push(format!("{indent}{mark}"));
        }
        let line = lines.last_mut().expect("a line");
        *line += " ";
        *line += word;
    }
    lines.join("\n") + "\n"
}

/// `little-hunters` as an identifier in C and Zig.
fn snake(game: GameId) -> String {
    game.name().replace('-', "_")
}

/// `little-hunters` as the beginning of a class's name.
fn pascal(game: GameId) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    game.name().split('-').map(capital).collect()
}

fn c(game: GameId, records: &[Record]) -> String {
    let prefix = snake(game);
    let type_name = |record: &str| {
        let lower = record.chars().enumerate().fold(String::new(), |name, (at, letter)| {
            name + if at > 0 && letter.is_uppercase() { "_" } else { "" } + &letter.to_lowercase().to_string()
        });
        format!("{prefix}_{lower}")
    };
    let mut text = format!("#define ARENA_NAME_{prefix} \"{game}\"\n\nenum {{\n");
    for (number, decision) in game.info().decisions.iter().enumerate() {
        let _ = writeln!(text, "    {}_{} = {number},", prefix.to_uppercase(), decision.name.to_uppercase());
    }
    text += "};\n";
    for record in records {
        let name = type_name(record.name);
        let mut asserts = String::new();
        text += "\ntypedef struct __attribute__((packed)) {\n";
        for (offset, field) in record.placed() {
            let (lengths, inner) = element(field.layout);
            let inner = match inner {
                Layout::U8 => "uint8_t".to_owned(),
                Layout::U16 => "uint16_t".to_owned(),
                Layout::Record(name, _) => type_name(name),
                Layout::List(..) => unreachable!("an element is no list"),
            };
            let lengths: String = lengths.iter().map(|length| format!("[{length}]")).collect();
            text += &comment("    ", "//", field.doc);
            let _ = writeln!(text, "    {inner} {}{lengths};", field.name);
            let _ = writeln!(asserts, "_Static_assert(__builtin_offsetof({name}, {}) == {offset}, \"\");", field.name);
        }
        let _ = writeln!(text, "}} {name};\n{asserts}_Static_assert(sizeof({name}) == {}, \"\");", record.size);
    }
    text
}

/// One buffer does for the views of all games.
fn view_buffer() -> String {
    let size = GameId::ALL.iter().map(|game| game.view_size()).max().expect("a game");
    format!(
        "\n/** Where the host writes the views: the address for `arena_init` to return. */\n\
         export const VIEW: usize = memory.data({size}, 8);\n"
    )
}

fn assemblyscript(game: GameId, records: &[Record]) -> String {
    let prefix = pascal(game);
    let mut text = String::new();
    for (number, decision) in game.info().decisions.iter().enumerate() {
        let constant = format!("{}_{}", snake(game), decision.name).to_uppercase();
        let _ = writeln!(text, "export const {constant}: u32 = {number};");
    }
    for record in records {
        let _ = writeln!(text, "\n/** {} bytes. */\n@unmanaged\nexport class {prefix}{} {{", record.size, record.name);
        for (offset, field) in record.placed() {
            let (lengths, inner) = element(field.layout);
            // The address: the record's own, and an index a length.
            let mut stride = field.layout.size();
            let mut address = "changetype<usize>(this)".to_owned();
            for (index, length) in ["i", "j"].iter().zip(&lengths) {
                stride /= length;
                let times = if stride > 1 { format!(" * {stride}") } else { String::new() };
                let _ = write!(address, " + <usize>{index}{times}");
            }
            let (result, value) = match inner {
                Layout::U8 => ("u32".to_owned(), format!("load<u8>({address}, {offset})")),
                Layout::U16 => ("u32".to_owned(), format!("load<u16>({address}, {offset})")),
                Layout::Record(name, _) => {
                    (format!("{prefix}{name}"), format!("changetype<{prefix}{name}>({address} + {offset})"))
                }
                Layout::List(..) => unreachable!("an element is no list"),
            };
            let head = match lengths.len() {
                0 => format!("get {}()", field.name),
                1 => format!("{}(i: u32)", field.name),
                2 => format!("{}(i: u32, j: u32)", field.name),
                more => panic!("{}: a list of {more} dimensions", field.name),
            };
            text += &comment("  ", "//", field.doc);
            let _ = writeln!(text, "  {head}: {result} {{\n    return {value};\n  }}");
        }
        text += "}\n";
    }
    text
}

fn zig(game: GameId, records: &[Record]) -> String {
    let mut text = format!("pub const {} = struct {{\n    pub const name = \"{game}\";\n", snake(game));
    for (number, decision) in game.info().decisions.iter().enumerate() {
        let _ = writeln!(text, "    pub const {}: u32 = {number};", decision.name);
    }
    for record in records {
        let _ = writeln!(text, "\n    pub const {} = extern struct {{", record.name);
        for field in record.fields {
            let (lengths, inner) = element(field.layout);
            let (inner, align) = match inner {
                Layout::U8 => ("u8", ""),
                Layout::U16 => ("u16", " align(1)"),
                Layout::Record(name, _) => (*name, ""),
                Layout::List(..) => unreachable!("an element is no list"),
            };
            let lengths: String = lengths.iter().map(|length| format!("[{length}]")).collect();
            text += &comment("        ", "///", field.doc);
            let _ = writeln!(text, "        {}: {lengths}{inner}{align},", field.name);
        }
        // Fields of alignment 1 in order: of the right size, they are where they should be.
        let size = format!("comptime {{\n        assert(@sizeOf({}) == {});\n    }}", record.name, record.size);
        let _ = writeln!(text, "    }};\n    {size}");
    }
    text + "};\n"
}
