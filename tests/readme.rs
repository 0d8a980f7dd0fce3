//! The README's code is the repository's code.

use crate::harness::repository;

#[test]
fn the_bot_in_the_readme_is_an_example_bot() {
    let root = repository();
    let readme = std::fs::read_to_string(root.join("README.md")).expect("README.md");
    let source = std::fs::read_to_string(root.join("example-bots/little_hunters/uniform.rs")).expect("uniform.rs");
    assert!(readme.contains(source.trim()), "README.md does not hold example-bots/little_hunters/uniform.rs as it is");
}

#[test]
fn the_league_file_in_the_readme_is_the_one_that_runs() {
    let root = repository();
    let readme = std::fs::read_to_string(root.join("README.md")).expect("README.md");
    let league = std::fs::read_to_string(root.join("leagues/little-hunters.toml")).expect("the league");
    assert!(readme.contains(league.trim()), "README.md does not hold leagues/little-hunters.toml as it is");
}

/// The commands that continuous integration runs are the README's.
#[test]
fn ci_runs_the_readmes_commands() {
    let root = repository();
    let readme = std::fs::read_to_string(root.join("README.md")).expect("README.md");
    let ci = std::fs::read_to_string(root.join(".ci/run")).expect(".ci/run");
    for command in ["cargo run --release -- run leagues/little-hunters.toml", "cargo test --release"] {
        assert!(readme.contains(&format!("\n{command}\n")), "README.md: {command}");
        assert!(ci.contains(command), ".ci/run: {command}");
    }
}
