//! The documentation says what is so.

use arena::games::{Game, GameId, with_game};
use bot_sdk::Plain;
use bot_sdk::plain::Layout;

use crate::harness::{Scratch, bot, repository};

/// A record's name, and its fields: name, offset, size.
type Record = (String, Vec<(String, usize, usize)>);

/// The records of a layout, outermost first, each once: name, then (field, offset, size).
fn records(layout: &'static Layout, found: &mut Vec<Record>) {
    match layout {
        Layout::U8 | Layout::U16 => {}
        Layout::List(element, _) => records(element, found),
        Layout::Record(name, fields) => {
            if found.iter().any(|(known, _)| known == name) {
                return;
            }
            let mut offset = 0;
            let mut rows = Vec::new();
            for field in *fields {
                rows.push((field.name.to_owned(), offset, field.layout.size()));
                offset += field.layout.size();
            }
            found.push(((*name).to_owned(), rows));
            fields.iter().for_each(|field| records(field.layout, found));
        }
    }
}

/// The tables below headings that are a record's name in backticks.
fn documented(page: &str) -> Vec<Record> {
    let mut found: Vec<(String, Vec<_>)> = Vec::new();
    for line in page.lines() {
        if line.starts_with('#') {
            let name = line.strip_prefix("### `").and_then(|rest| rest.split('`').next());
            found.push((name.unwrap_or_default().to_owned(), Vec::new()));
        }
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        if let [field, offset, size, ..] = cells[..]
            && let (Some(field), Ok(offset), Ok(size)) = (field.strip_prefix('`'), offset.parse(), size.parse())
            && let Some((_, rows)) = found.last_mut()
        {
            rows.push((field.trim_end_matches('`').to_owned(), offset, size));
        }
    }
    found.retain(|(name, rows)| !name.is_empty() && !rows.is_empty());
    found
}

#[test]
fn every_games_page_has_the_view_as_it_is() {
    for &game in GameId::ALL {
        let path = repository().join(format!("arena/docs/{game}.md"));
        let page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut wanted = Vec::new();
        records(with_game!(game, G => <<G as Game>::View as Plain>::LAYOUT), &mut wanted);
        let mut found = documented(&page);
        wanted.sort();
        found.sort();
        assert_eq!(found, wanted, "{game}");
        assert!(page.contains(&format!("{} bytes", game.view_size())), "{game}: the view's size");
        for (number, decision) in game.info().decisions.iter().enumerate() {
            let row = format!("| {number} | `{}` | {} % |", decision.name, decision.fuel_percent);
            assert!(page.contains(&row), "{game}: no row {row}");
        }
        for bot in example_bots::BOTS.iter().filter(|bot| bot.game == game.name()) {
            assert!(page.contains(&format!("| `{}` |", bot.name)), "{game}: the bot {}", bot.name);
        }
    }
}

#[test]
fn every_key_and_every_results_file_is_on_the_page_of_league_files() {
    let page = std::fs::read_to_string(repository().join("arena/docs/leagues.md")).expect("leagues.md");
    let scratch = Scratch::new();
    let bots = ["nash", "uniform"].map(|name| (name, bot("little-hunters", name)));
    let head = "game = \"little-hunters\"\ndeals = 1\n";
    // What is not known is refused with what is.
    for (text, table) in [(format!("x = 1\n{head}"), "the league"), (format!("{head}[rating]\nx = 1\n"), "[rating]")] {
        let told = scratch.run(&scratch.league("wrong.toml", &text, &bots), "out", 1).expect(2).err;
        let (_, keys) = told.trim().split_once("there are ").unwrap_or_else(|| panic!("{told}"));
        assert!(keys.contains(", "), "{keys}");
        for key in keys.split(", ") {
            let there = [format!("\n{key} = "), format!("\n[{key}]"), format!("\n[[{key}]]")];
            assert!(there.iter().any(|line| page.contains(line)), "{key} of {table}");
        }
    }
    scratch.run(&scratch.league("l.toml", head, &bots), "out", 1).expect(0);
    for file in std::fs::read_dir(scratch.path("out")).expect("the results") {
        let file = file.expect("an entry").file_name().into_string().expect("a name");
        assert!(page.contains(&format!("\n| `{file}` | ")), "{file}");
    }
}

#[test]
fn every_file_among_the_leagues_is_one() {
    for file in std::fs::read_dir(repository().join("leagues")).expect("leagues") {
        let file = file.expect("an entry").path();
        if file.is_file() {
            arena::league::League::read(&file).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

#[test]
fn links_between_pages_lead_somewhere() {
    let root = repository();
    let pages = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "bot-sdk/ABI.md",
        "arena/docs/languages.md",
        "arena/docs/leagues.md",
        "arena/docs/events.md",
        "arena/docs/submissions.md",
    ];
    for page in pages {
        let text = std::fs::read_to_string(root.join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") {
                continue;
            }
            let target = root.join(page).parent().unwrap().join(file);
            assert!(target.exists(), "{page} links to {link}");
        }
    }
}
