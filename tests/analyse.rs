//! `arena analyse`.

use crate::harness::arena_command;

fn analyse(arguments: &[&str]) -> String {
    let output = arena_command(arguments).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn known_bots_are_exploited_as_much_as_their_policies() {
    for (bot, exact) in [("uniform", 0.4108796296), ("highest", 1.0), ("silent", 0.9833333333), ("nash", 0.0)] {
        let path = format!("example-bots/wasm/little-hunters/{bot}.wasm");
        let json: serde_json::Value =
            serde_json::from_str(&analyse(&["analyse", &path, "--samples", "500", "--format", "json"])).unwrap();
        let row = &json["exploitability"][0];
        let number = |key: &str| row[key].as_f64().unwrap();
        let (payoff, se) = (number("payoff_a_bout"), number("payoff_a_bout_se"));
        // At most the best response's, but for noise; and not far below.
        assert!(payoff < exact + 4.0 * se + 1e-9, "{bot} {row}");
        assert!(payoff > exact - 4.0 * se - 0.05, "{bot} {row}");
        assert!(number("payoff_a_bout_biased_upwards") > exact - 4.0 * se - 1e-9, "{bot} {row}");
        assert_eq!(row["questions_failed"], 0);
    }
}

#[test]
fn a_league_is_analysed_from_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    let wasm = concat!(env!("CARGO_MANIFEST_DIR"), "/../example-bots/wasm/little-hunters/*.wasm");
    let toml = folder.path().join("league.toml");
    // A glob is relative to the league file.
    let bots = folder.path().join("bots");
    std::fs::create_dir(&bots).unwrap();
    for file in std::fs::read_dir(wasm.trim_end_matches("*.wasm")).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), bots.join(file.file_name())).unwrap();
    }
    std::fs::write(&toml, "game = \"little-hunters\"\ndeals = 200\n[[bots]]\npath = \"bots/*.wasm\"\n").unwrap();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    analyse(&["run", toml.to_str().unwrap(), "--out", out]);
    let text = analyse(&["analyse", out]);
    // Lowest beats uniform, uniform beats highest, and lowest loses to repeater: reader and nash stand out.
    for wanted in ["Ratings explain ", "The cyclic part is more than noise", "Nash weight", "one observation"] {
        assert!(text.contains(wanted), "{text}");
    }
    let json: serde_json::Value = serde_json::from_str(&analyse(&["analyse", out, "--format", "json"])).unwrap();
    let nash = json["nash"].as_array().unwrap();
    let sum: f64 = nash.iter().map(|row| row["weight_probability"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-6);
    assert_eq!(nash[0]["bot"], "nash");
}
