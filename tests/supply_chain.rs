//! What is built into arena comes from one registry, and its engine is the one that was tested. `.ci/deny` checks more.

use crate::harness::repository;

fn toml(file: &str) -> toml::Table {
    let text = std::fs::read_to_string(repository().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    text.parse().unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn the_engine_is_pinned_to_the_version_that_is_locked() {
    let manifest = toml("Cargo.toml");
    let required = manifest["workspace"]["dependencies"]["wasmtime"]["version"].as_str().expect("a version");
    let lock = toml("Cargo.lock");
    let packages = lock["package"].as_array().expect("packages");
    let locked: Vec<_> = packages
        .iter()
        .filter(|package| package["name"].as_str() == Some("wasmtime"))
        .map(|package| package["version"].as_str().expect("a version"))
        .collect();
    assert_eq!(locked.len(), 1, "{locked:?}");
    assert_eq!(required, format!("={}", locked[0]), "an update of the engine is made on purpose");
}

#[test]
fn every_dependency_comes_from_the_registry_with_its_checksum() {
    let lock = toml("Cargo.lock");
    let own = ["arena", "bot-sdk", "example-bots"];
    for package in lock["package"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name");
        let field = |key: &str| package.get(key).and_then(|value| value.as_str());
        if own.contains(&name) {
            assert_eq!(field("source"), None, "{name}");
            continue;
        }
        assert_eq!(field("source"), Some("registry+https://github.com/rust-lang/crates.io-index"), "{name}");
        assert_eq!(field("checksum").map(str::len), Some(64), "{name}");
    }
}
