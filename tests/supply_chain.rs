//! What is built into arena comes from one registry, and its engine is the one that was tested. `.ci/deny` checks more.

use std::collections::BTreeSet;

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
    let own = ["arena", "arena-fuzz", "bot-sdk", "example-bots"];
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

/// The packages that are built, each with its features, as `cargo tree` shows them for these kinds of dependencies.
fn built(edges: &str) -> BTreeSet<String> {
    let mut tree = std::process::Command::new(env!("CARGO"));
    tree.args(["tree", "--locked", "--prefix", "none", "--format", "{p} {f}", "--edges", edges]);
    let output = tree.current_dir(repository()).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| line.trim_end_matches("(*)").trim().to_owned()).collect()
}

/// Whoever runs arena and then its tests builds the engine once: no dependency of the tests alone switches on a feature of a
/// package that the program is built on.
#[test]
fn tests_build_nothing_of_the_program_anew() {
    let (program, tests) = (built("normal,build"), built("normal,build,dev"));
    let anew: Vec<_> = program.difference(&tests).collect();
    assert!(anew.is_empty(), "built with other features for the tests: {anew:#?}");
    assert!(program.iter().any(|package| package.starts_with("wasmtime v")), "the engine is among them");
}
