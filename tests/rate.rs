//! `arena rate` on files of real results.

use std::path::PathBuf;
use std::process::Output;

use crate::harness::arena_command;

fn rate(arguments: &[&str]) -> Output {
    arena_command(["rate"]).args(arguments).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).output().unwrap()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = rate(&[arguments, &["--format", "json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn row<'j>(json: &'j serde_json::Value, player: &str) -> &'j serde_json::Value {
    json["ratings"].as_array().unwrap().iter().find(|row| row["player"] == player).unwrap()
}

fn close(found: &serde_json::Value, wanted: &serde_json::Value) {
    let (found, wanted) = (found.as_f64().unwrap(), wanted.as_f64().unwrap());
    assert!((found - wanted).abs() < 6e-5, "{found} {wanted}");
}

/// Writes a file to rate.
fn file(name: &str, text: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

#[test]
fn football_and_races_get_the_reference_ratings() {
    let reference: serde_json::Value =
        serde_json::from_str(include_str!("../arena/src/rating/testdata/data.json")).unwrap();
    for (key, path) in [("football", "tests/data/football-2018-19.csv"), ("races", "tests/data/races-2023.csv")] {
        let found = json(&[path, "--mean", "0"]);
        let rows = reference[key]["ratings"].as_array().unwrap();
        assert_eq!(rows.len(), found["ratings"].as_array().unwrap().len());
        for wanted in rows {
            let found = row(&found, wanted["name"].as_str().unwrap());
            close(&found["elo"], &wanted["elo_mean_zero"]);
            if !wanted["fisher_se"].is_null() {
                close(&found["elo_se_fisher"], &wanted["fisher_se"]);
            }
        }
    }
}

#[test]
fn home_and_white_are_worth_what_they_should_be() {
    for (path, wanted) in [("football-2018-19.csv", 65.26), ("engines-frc-2021.pgn", 79.80)] {
        let found = json(&[&format!("tests/data/{path}"), "--advantage"]);
        let elo = found["advantage"][0]["elo"].as_f64().unwrap();
        assert!((elo - wanted).abs() < 0.01, "{path} {elo}");
    }
}

#[test]
fn every_file_of_the_data_is_rated() {
    for (path, results) in [
        ("football-2018-19.csv", "380 results of 20 players"),
        ("football-cup-2018-19.csv", "took every point"),
        ("races-2023.csv", "22 results of 22 players"),
        ("engines-frc-2021.pgn", "are one observation"),
        ("engines-frc-2022.pgn", "took no point"),
    ] {
        let output = rate(&[&format!("tests/data/{path}")]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.contains(results), "{path}: {text}");
    }
}

#[test]
fn bad_rows_are_told_by_line_and_nothing_is_rated() {
    let (_folder, path) = file("g.csv", "home,away,result\na,b,2–1\nb,a,abandonned\nb,a,*\n".as_bytes());
    let path = path.to_str().unwrap();
    let refused = rate(&[path]);
    let told = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.stdout.is_empty());
    assert!(told.contains("g.csv:3: the result \"abandonned\" is not understood"), "{told}");
    let taken = rate(&[path, "--skip-bad"]);
    let text = String::from_utf8(taken.stdout).unwrap();
    assert!(text.contains("1 results of 2 players; 1 unfinished left out; 1 bad rows left out."), "{text}");
}

#[test]
fn columns_may_be_given_and_a_mark_at_the_start_is_no_matter() {
    let text = "\u{feff}Host;x,Guest,Goals\n\"Ann, A\",Bob,3–1\nBob,\"Ann, A\",0–0\n";
    let (_folder, path) = file("g.csv", text.as_bytes());
    let path = path.to_str().unwrap();
    let refused = rate(&[path]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("There are Host;x, Guest, Goals"));
    let found = json(&[path, "--columns", "first=Host;x,second=Guest,result=Goals"]);
    assert_eq!(row(&found, "Ann, A")["points"], 1.5);
    let refused = rate(&[path, "--columns", "first=Nobody"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("there is no column \"Nobody\""));
}

#[test]
fn what_cannot_be_read_is_refused_with_its_reason() {
    let (_folder, path) = file("g.csv", b"home,away,result\na,b,1-0\n\xff,b,1-0\n");
    let refused = rate(&[path.to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("line 3 is not UTF-8"), "{refused:?}");
    assert_eq!(rate(&["nowhere.csv"]).status.code(), Some(2));
    let refused = rate(&["tests/data/races-2023.csv", "--advantage"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("placements have no first side"));
    let refused = rate(&["tests/data/football-cup-2018-19.csv", "--prior", "0"]);
    assert_eq!(refused.status.code(), Some(2));
}

/// Names are foreign words: no cell of any table is one that a spreadsheet would run.
#[test]
fn no_cell_of_a_csv_table_is_a_formula() {
    let (folder, path) = file(
        "games.csv",
        b"home,away,result\n=1+1,ann,1-0\nann,@SUM(A1),1-0\n@SUM(A1),-2+3,1-0\n-2+3,+a,1-0\n+a,=1+1,1-0\n",
    );
    let tables = folder.path().join("tables");
    let path = path.to_str().unwrap();
    let printed = rate(&[path, "--format", "csv", "--table", "pairs", "--csv", tables.to_str().unwrap()]);
    assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
    let mut texts = vec![String::from_utf8(printed.stdout).unwrap()];
    for entry in std::fs::read_dir(&tables).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.extension().is_some_and(|ending| ending == "csv") {
            texts.push(std::fs::read_to_string(entry).unwrap());
        }
    }
    assert_eq!(texts.len(), 3);
    let mut negative = 0;
    for text in &texts {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        for row in reader.records().map(Result::unwrap) {
            for cell in row.iter().filter(|cell| cell.starts_with(['=', '+', '-', '@'])) {
                assert!(cell.parse::<f64>().is_ok(), "{cell:?} in {text}");
                negative += 1;
            }
        }
        for name in ["'=1+1", "'@SUM(A1)", "'-2+3", "'+a"] {
            assert!(text.contains(name), "{text}");
        }
    }
    assert!(negative > 0, "numbers stay numbers");
    // In JSON a name is as it is.
    assert_eq!(row(&json(&[path]), "=1+1")["player"], "=1+1");
}
