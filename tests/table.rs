//! `arena table` and the files that `arena run` writes.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::harness::arena_command;

fn arena(arguments: &[&str]) -> Output {
    arena_command(arguments).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Plays a league of these example bots in a new folder.
fn league(bots: &[&str], deals: u32, more: &str, options: &[&str]) -> (tempfile::TempDir, PathBuf, Output) {
    let folder = tempfile::tempdir().unwrap();
    let wasm = Path::new(env!("CARGO_MANIFEST_DIR")).join("../example-bots/wasm/little-hunters");
    let mut file = format!("game = \"little-hunters\"\nseed = 5\ndeals = {deals}\nblock = 10\n");
    // A copy of each, in a folder of its own: no file is entered twice.
    for (number, bot) in bots.iter().enumerate() {
        let own = folder.path().join(number.to_string());
        std::fs::create_dir(&own).unwrap();
        std::fs::copy(wasm.join(format!("{bot}.wasm")), own.join(format!("{bot}.wasm"))).unwrap();
        file += &format!("[[bots]]\npath = \"{number}/{bot}.wasm\"\n");
    }
    let toml = folder.path().join("league.toml");
    std::fs::write(&toml, file + more).unwrap();
    let out = folder.path().join("out");
    let mut arguments = vec!["run", toml.to_str().unwrap(), "--out", out.to_str().unwrap()];
    arguments.extend(options);
    let output = arena(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    (folder, out, output)
}

const FILES: [&str; 7] =
    ["elo.csv", "crosstable.csv", "pairs.csv", "seats.csv", "points.csv", "faults.csv", "results.json"];

fn rows(path: &Path) -> Vec<std::collections::BTreeMap<String, String>> {
    let file = std::fs::read_to_string(path).unwrap();
    let mut lines = file.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let header = lines.next().unwrap();
    lines.map(|line| header.iter().cloned().zip(line).collect()).collect()
}

#[test]
fn tables_from_the_journal_are_those_of_the_run_byte_for_byte() {
    for options in [&[][..], &["--intervals", "bootstrap", "--replicates", "100", "--anchor", "uniform"]] {
        let (folder, out, ran) = league(&["uniform", "nash", "lowest", "highest"], 60, "", options);
        let again = folder.path().join("again");
        let table = arena(&["table", out.to_str().unwrap(), "--csv", again.to_str().unwrap()]);
        assert!(table.status.success(), "{}", text(&table.stderr));
        assert_eq!(text(&table.stdout), text(&ran.stdout));
        for file in FILES {
            let (one, other) = (std::fs::read(out.join(file)).unwrap(), std::fs::read(again.join(file)).unwrap());
            assert!(one == other, "{file} differs");
            assert!(!text(&one).contains("NaN") && !text(&one).contains("inf,"), "{file}");
        }
    }
}

#[test]
fn json_holds_the_same_as_csv() {
    let (_folder, out, _) = league(&["uniform", "nash", "silent"], 40, "", &[]);
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(out.join("results.json")).unwrap()).unwrap();
    for name in ["elo", "pairs", "seats", "points", "faults"] {
        let rows = rows(&out.join(format!("{name}.csv")));
        let list = json[name].as_array().unwrap();
        assert_eq!(rows.len(), list.len());
        for (row, object) in rows.iter().zip(list) {
            for (key, field) in row {
                match &object[key] {
                    serde_json::Value::Null => assert_eq!(field, "", "{name} {key}"),
                    serde_json::Value::String(text) => assert_eq!(field, text),
                    serde_json::Value::Number(number) => {
                        let (field, number) = (field.parse::<f64>().unwrap(), number.as_f64().unwrap());
                        assert_eq!(field, number, "{name} {key}");
                    }
                    other => assert_eq!(*field, other.to_string()),
                }
            }
        }
    }
}

#[test]
fn counts_agree_between_the_tables() {
    let (_folder, out, _) = league(&["uniform", "nash", "repeater"], 50, "", &[]);
    for pair in rows(&out.join("pairs.csv")) {
        let number = |key: &str| pair[key].parse::<f64>().unwrap();
        assert_eq!(number("wins") + number("draws") + number("losses"), number("matches"));
        let points = ["0", "0.5", "1", "1.5", "2"];
        let deals: f64 = points.iter().map(|points| number(&format!("deals_with_points_{points}"))).sum();
        assert_eq!((deals, number("matches"), number("observations")), (50.0, 100.0, 50.0));
        let scored: f64 = points
            .iter()
            .map(|points| points.parse::<f64>().unwrap() * number(&format!("deals_with_points_{points}")))
            .sum();
        assert!((scored / 100.0 - number("score_share")).abs() < 1e-6);
        assert!(number("elo_difference_low") < number("elo_difference") && number("p_value") <= number("p_value_holm"));
        assert_eq!(pair["pairs_compared"], "3");
    }
    let seats = rows(&out.join("seats.csv"));
    let all: Vec<f64> =
        seats.iter().filter(|row| row["bot"] == "(all)").map(|row| row["score_share"].parse().unwrap()).collect();
    assert!((all[0] + all[1] - 1.0).abs() < 1e-6);
    for row in rows(&out.join("points.csv")) {
        let number = |key: &str| row[key].parse::<f64>().unwrap();
        assert!((number("points_total") / number("matches") - number("points_mean")).abs() < 1e-6);
        assert!(
            number("points_mean_low") < number("points_mean") && number("points_mean") < number("points_mean_high")
        );
    }
}

#[test]
fn a_thousand_copies_of_one_match_are_one_observation() {
    let (_folder, few, _) = league(&["highest", "lowest", "uniform"], 20, "", &[]);
    let (_folder, many, ran) = league(&["highest", "lowest", "uniform"], 1000, "", &[]);
    assert!(text(&ran.stdout).contains("Every deal went the same way in highest - lowest"));
    let pair =
        |out: &Path| rows(&out.join("pairs.csv")).into_iter().find(|row| row["deterministic"] == "true").unwrap();
    let (few, many_pair) = (pair(&few), pair(&many));
    assert_eq!((&*many_pair["bot"], &*many_pair["opponent"], &*many_pair["observations"]), ("highest", "lowest", "1"));
    // The interval is that of one observation, however many copies there are.
    for key in ["score_share_low", "score_share_high", "elo_difference_high", "p_value", "los_probability"] {
        assert_eq!(few[key], many_pair[key], "{key}");
    }
    assert!(many_pair["score_share_high"].parse::<f64>().unwrap() > 0.5);
    assert!(many_pair["p_value_holm"].parse::<f64>().unwrap() > 0.3);
}

#[test]
fn a_league_of_two_deterministic_bots_has_no_interval() {
    let (_folder, out, _) = league(&["highest", "lowest"], 300, "", &[]);
    for row in rows(&out.join("elo.csv")) {
        assert_eq!((&*row["elo_low"], &*row["elo_high"], &*row["elo_se"]), ("", "", ""), "{row:?}");
        assert_eq!(row["matches_deterministic"], "600");
    }
    for row in rows(&out.join("points.csv")) {
        assert_eq!((&*row["points_mean_low"], &*row["points_mean_high"]), ("", ""));
    }
}

#[test]
fn a_bot_entered_twice_is_rated_equally_within_noise() {
    let (_folder, out, _) = league(&["uniform", "uniform", "nash"], 400, "", &[]);
    let elo = rows(&out.join("elo.csv"));
    let of = |name: &str, key: &str| elo.iter().find(|row| row["bot"] == name).unwrap()[key].parse::<f64>().unwrap();
    let difference = of("uniform", "elo") - of("uniform_2", "elo");
    assert!(difference.abs() < 4.0 * (of("uniform", "elo_se") + of("uniform_2", "elo_se")), "{difference}");
}

#[test]
fn the_rating_table_of_the_league_file_is_used() {
    let more = "[rating]\nanchor = \"nash\"\nmean = 2000\nprior = 1\nprior_for = \"all\"\nintervals = \"bootstrap\"\nreplicates = 200\n";
    let (_folder, out, ran) = league(&["uniform", "nash"], 30, more, &[]);
    let nash = rows(&out.join("elo.csv")).into_iter().find(|row| row["bot"] == "nash").unwrap();
    assert_eq!((&*nash["elo"], &*nash["elo_low"]), ("2000", "2000"));
    let shown = text(&ran.stdout);
    assert!(
        shown.contains("bootstrap over deals, 200 replicates") && shown.contains("given 1 virtual match, half won"),
        "{shown}"
    );
}

#[test]
fn folders_without_a_journal_and_unknown_names_are_refused() {
    let empty = tempfile::tempdir().unwrap();
    let refused = arena(&["table", empty.path().to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("there is no journal of a league here"));
    let (_folder, out, _) = league(&["uniform", "nash"], 10, "", &[]);
    let refused = arena(&["table", out.to_str().unwrap(), "--anchor", "nobody"]);
    assert!(text(&refused.stderr).contains("no bot is named \"nobody\"; there are uniform, nash"));
    let refused = arena(&["table", out.to_str().unwrap(), "--format", "csv", "--table", "x"]);
    assert!(text(&refused.stderr).contains("there is no such table; there are elo, crosstable, pairs"));
}
