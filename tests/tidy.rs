//! The house is in order: who imports whom is what ARCHITECTURE.md says, and nobody imports in a circle.
//!
//! Paths that begin with `crate`, `super` or `self` are read from the sources, tests left out, and followed to the module
//! that they lead to, through what modules export for others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::harness::repository;

/// A module's path, as `["sandbox", "check", "imports"]`.
type ModulePath = Vec<String>;

struct House {
    /// The text of each module, without comments and tests.
    texts: BTreeMap<ModulePath, String>,
    /// By module and name: where a name that it exports for another module leads, as it is written.
    exports: BTreeMap<(ModulePath, String), Vec<String>>,
}

impl House {
    fn read(folder: &Path) -> House {
        let mut texts = BTreeMap::new();
        collect(folder, &mut Vec::new(), &mut texts);
        let mut exports = BTreeMap::new();
        for (module, text) in &texts {
            for line in text.split(';').filter_map(|statement| statement.split_once("pub use ")).map(|(_, tree)| tree) {
                for path in expanded(line.trim()) {
                    let name = path.last().expect("a name").clone();
                    let from = if path[0] == "crate" || path[0] == "super" || path[0] == "self" {
                        path
                    } else {
                        [vec!["self".to_owned()], path].concat()
                    };
                    exports.insert((module.clone(), name), from);
                }
            }
        }
        House { texts, exports }
    }

    /// The module that a path leads to, as it is written in a module.
    fn target(&self, module: &ModulePath, path: &[String], depth: usize) -> ModulePath {
        let mut at = module.clone();
        let mut rest = path;
        if rest[0] == "crate" {
            at.clear();
            rest = &rest[1..];
        }
        while let Some((first, more)) = rest.split_first()
            && (first == "super" || first == "self")
        {
            if first == "super" {
                at.pop();
            }
            rest = more;
        }
        for name in rest {
            let below = [at.clone(), vec![name.clone()]].concat();
            if self.texts.contains_key(&below) {
                at = below;
            } else if let Some(further) = self.exports.get(&(at.clone(), name.clone()))
                && depth < 5
            {
                return self.target(&at, further, depth + 1);
            } else {
                break;
            }
        }
        at
    }

    /// Who imports whom.
    fn arrows(&self) -> BTreeSet<(ModulePath, ModulePath)> {
        let mut arrows = BTreeSet::new();
        for (module, text) in &self.texts {
            for path in paths(text) {
                let target = self.target(module, &path, 0);
                if !target.is_empty() && target != *module {
                    arrows.insert((module.clone(), target));
                }
            }
        }
        arrows
    }
}

fn collect(folder: &Path, module: &mut ModulePath, texts: &mut BTreeMap<ModulePath, String>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = entry.file_stem().expect("a name").to_string_lossy().into_owned();
        if entry.is_dir() {
            module.push(name);
            collect(&entry, module, texts);
            module.pop();
        } else if entry.extension().is_some_and(|ending| ending == "rs") && name != "tests" && name != "main" {
            let text = std::fs::read_to_string(&entry).expect("a source");
            let code: Vec<_> = text
                .lines()
                .take_while(|line| !line.starts_with("mod tests {"))
                .filter(|line| !line.trim_start().starts_with("//"))
                .collect();
            let whole =
                if name == "mod" || name == "lib" { module.clone() } else { [module.clone(), vec![name]].concat() };
            texts.insert(whole, code.join("\n"));
        }
    }
}

/// The paths of a tree of a `use`: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expanded(tree: &str) -> Vec<Vec<String>> {
    let Some((before, inner)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return vec![path.split("::").map(|name| name.trim().to_owned()).collect()];
    };
    let prefix: Vec<String> = before
        .trim_end_matches("::")
        .split("::")
        .filter(|name| !name.is_empty())
        .map(|name| name.trim().to_owned())
        .collect();
    let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner);
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in inner.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("a part").push(c);
    }
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts.flat_map(expanded).map(|path| [prefix.clone(), path].concat()).collect()
}

/// All paths in a text that begin at the crate or above the module.
fn paths(text: &str) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in text.match_indices(start) {
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            if text[..at].ends_with(|c: char| is_name(c) || c == ':' || c == '$') {
                continue;
            }
            let path: usize = text[at..].chars().take_while(|&c| is_name(c) || c == ':').map(char::len_utf8).sum();
            let end = match text[at + path..].starts_with('{') {
                true => at + text[at..].find(';').expect("the end of a use"),
                false => at + path,
            };
            all.extend(expanded(text[at..end].trim_end_matches(':')));
        }
    }
    all
}

/// The names at `level` of modules that import each other in a circle, below each module that has such.
fn circles(arrows: &BTreeSet<(ModulePath, ModulePath)>) -> Vec<String> {
    let mut by_room: BTreeMap<ModulePath, BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
    for (from, to) in arrows {
        let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        if let (Some(a), Some(b)) = (from.get(common), to.get(common)) {
            by_room.entry(from[..common].to_vec()).or_default().entry(a).or_default().insert(b);
        }
    }
    let mut found = Vec::new();
    for (room, imports) in &by_room {
        for &start in imports.keys() {
            let (mut seen, mut next) = (BTreeSet::new(), vec![start]);
            while let Some(at) = next.pop() {
                next.extend(imports.get(at).into_iter().flatten().filter(|&&to| seen.insert(to)));
            }
            if seen.contains(start) {
                found.push(format!("{}::{start}", room.join("::")));
            }
        }
    }
    found
}

fn house() -> House {
    House::read(&repository().join("arena/src"))
}

#[test]
fn nobody_imports_in_a_circle() {
    let arrows = house().arrows();
    assert!(arrows.len() > 200, "{} arrows are found", arrows.len());
    assert_eq!(circles(&arrows), Vec::<String>::new(), "these import each other in a circle");
}

#[test]
fn rooms_import_what_the_architecture_says() {
    let page = std::fs::read_to_string(repository().join("ARCHITECTURE.md")).expect("the page");
    let section =
        page.split("## Who may import whom").nth(1).expect("the section").split("\n## ").next().expect("text");
    let names = |cell: &str| -> BTreeSet<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let mut allowed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut leaves = BTreeSet::new();
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let mut cells = row.trim_matches('|').split('|');
        let [rooms, imports] = [cells.next(), cells.next()].map(|cell| cell.expect("two cells"));
        if imports.trim().starts_with("each other") {
            leaves.extend(names(rooms));
        }
        names(rooms).into_iter().for_each(|room| drop(allowed.insert(room, names(imports))));
    }
    let house = house();
    let rooms: BTreeSet<_> = house.texts.keys().filter_map(|module| module.first()).cloned().collect();
    assert_eq!(allowed.keys().cloned().collect::<BTreeSet<_>>(), rooms, "every room has a row, and no other");
    for (from, to) in house.arrows() {
        let (room, other) = (&from[0], &to[0]);
        let is_allowed = room == other || leaves.contains(other) || allowed[room].contains(other);
        assert!(is_allowed, "{} imports {}, and ARCHITECTURE.md does not say so", from.join("::"), to.join("::"));
    }
}

#[test]
fn a_circle_would_be_found() {
    let module = |path: &str| path.split("::").map(str::to_owned).collect::<ModulePath>();
    let arrows = |all: &[(&str, &str)]| all.iter().map(|(from, to)| (module(from), module(to))).collect();
    assert!(circles(&arrows(&[("a::b", "a::c"), ("a::c", "d"), ("d", "e")])).is_empty());
    assert_eq!(circles(&arrows(&[("a::b", "a::c"), ("a::c", "a::d"), ("a::d", "a::b")])), ["a::b", "a::c", "a::d"]);
    assert_eq!(circles(&arrows(&[("a::b", "d"), ("d", "a::c")])), ["::a", "::d"]);
    let text = "use super::{x, y::{Z, w}};\nlet it = crate::a::b(1);";
    assert_eq!(paths(text), ["crate::a::b", "super::x", "super::y::Z", "super::y::w"].map(module));
}
