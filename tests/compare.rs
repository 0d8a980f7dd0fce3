//! `arena compare`.

use std::process::Output;

use crate::harness::arena_command;

const BOTS: &str = "example-bots/wasm/little-hunters";

fn compare(bots: &[&str], options: &[&str]) -> Output {
    let bots: Vec<String> = bots.iter().map(|bot| format!("{BOTS}/{bot}.wasm")).collect();
    arena_command(["compare"])
        .args(bots)
        .args(options)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_fixed_number_of_deals_ends_in_a_sentence_that_names_its_side() {
    let found = compare(&["nash", "uniform"], &["--deals", "300", "--exit-code"]);
    assert_eq!(found.status.code(), Some(0), "{found:?}");
    let text = out(&found);
    assert!(text.starts_with("nash is better than uniform.\n"), "{text}");
    assert!(
        text.contains("300 deals, 600 matches of nash") && text.contains("nash relative to uniform: Elo difference +")
    );
    let turned = compare(&["uniform", "nash"], &["--deals", "300", "--exit-code"]);
    assert_eq!(turned.status.code(), Some(10));
    assert!(out(&turned).starts_with("uniform is worse than nash.\n"));
}

#[test]
fn a_sequential_test_stops_when_it_is_decided() {
    for model in ["logistic", "normalised"] {
        let found = compare(&["nash", "uniform"], &["--sprt", "0,50", "--model", model, "--exit-code"]);
        assert_eq!(found.status.code(), Some(0));
        assert!(out(&found).starts_with("nash is better than uniform: H1 is accepted.\n"), "{}", out(&found));
        let turned = compare(&["uniform", "nash"], &["--sprt", "0,50", "--model", model, "--exit-code"]);
        assert_eq!(turned.status.code(), Some(10));
        assert!(out(&turned).starts_with("uniform is not better than nash by 50 Elo: H0 is accepted.\n"));
        assert!(out(&turned).contains(&format!("H0 0 Elo, H1 50 Elo, {model}, alpha 0.05")));
    }
}

#[test]
fn the_result_does_not_depend_on_threads() {
    let of = |threads| {
        let options = ["--sprt", "-5,5", "--deals", "3000", "--threads", threads, "--format", "json"];
        out(&compare(&["repeater", "lowest", "uniform"], &options))
    };
    let one = of("1");
    assert!(one.contains("\"candidate\": \"lowest\""), "{one}");
    assert_eq!(one, of("4"));
}

#[test]
fn an_open_test_is_undecided() {
    let found = compare(&["uniform", "uniform"], &["--sprt", "-2,2", "--deals", "40", "--exit-code"]);
    assert_eq!(found.status.code(), Some(11));
    assert!(out(&found).starts_with("Undecided: the test of uniform against uniform_2 is open after 40 deals."));
}

#[test]
fn bots_that_always_play_the_same_match_are_not_decided_by_copies() {
    for options in [&["--sprt", "0,5"][..], &["--deals", "500"]] {
        let found = compare(&["lowest", "highest"], &[options, &["--exit-code"]].concat());
        assert_eq!(found.status.code(), Some(11));
        assert!(out(&found).starts_with("Undecided: lowest always wins against highest, for all "), "{}", out(&found));
        assert!(out(&found).contains("copies of one observation"));
    }
}

#[test]
fn many_candidates_are_corrected_for() {
    let found = compare(&["nash", "repeater", "uniform"], &["--deals", "200"]);
    let text = out(&found);
    assert!(text.contains("corrected by Holm for 2 candidates"), "{text}");
    let found = compare(&["nash", "repeater", "uniform"], &["--sprt", "0,50"]);
    assert!(out(&found).contains("alpha 0.025, beta 0.05 (alpha by Bonferroni for all candidates)"), "{}", out(&found));
}

#[test]
fn designs_that_make_no_sense_are_refused() {
    for (options, wanted) in [
        (&["--sprt", "5,0"][..], "want elo0 < elo1"),
        (&["--sprt", "0"], "two numbers are wanted"),
        (&["--sprt", "0,5", "--alpha", "2"], "want both above 0"),
        (&["--game", "chess"], "there is no such game"),
    ] {
        let refused = compare(&["nash", "uniform"], options);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains(wanted), "{refused:?}");
    }
}
