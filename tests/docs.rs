//! The documentation says what is so.

use arena::games::{Game, GameId, GameVisitor};
use bot_sdk::Plain;
use bot_sdk::plain::Layout;

use crate::harness::repository;

struct ViewLayout;

impl GameVisitor for ViewLayout {
    type Output = &'static Layout;

    fn visit<G: Game>(self) -> &'static Layout {
        G::View::LAYOUT
    }
}

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
        records(game.dispatch(ViewLayout), &mut wanted);
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
fn links_between_pages_lead_somewhere() {
    let root = repository();
    let pages = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "bot-sdk/ABI.md",
        "arena/docs/languages.md",
        "arena/docs/leagues.md",
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
