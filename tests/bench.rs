//! `arena bench`: every figure is there, of every game.

use crate::harness::arena;

#[test]
fn every_way_is_measured_in_every_game() {
    let done = arena(["bench", "--seconds", "0.02", "--threads", "1,2", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&done.expect(0).out).expect("JSON");
    let positive = |value: &serde_json::Value| value.as_f64().is_some_and(|number| number > 0.0);
    let games = report["games"].as_array().expect("games");
    assert_eq!(games.len(), 4);
    for game in games {
        let by_threads = game["by_threads"].as_array().expect("figures by threads");
        assert_eq!(by_threads.len(), 2);
        for figures in by_threads {
            for way in ["league", "native", "floor", "reset_floor", "own", "pipes", "processes", "arithmetic"] {
                assert!(positive(&figures[way]), "{}: {way}: {figures}", game["game"]);
            }
        }
    }
}

#[test]
fn figures_are_lines_for_people() {
    let done = arena(["bench", "--seconds", "0.02", "--threads", "1", "--game", "card-hunt", "--no-pipes"]);
    let text = done.expect(0).out;
    assert!(text.starts_with("card-hunt, 2 seats, "), "{text}");
    assert!(text.contains("of native"), "{text}");
    let two =
        arena(["bench", "--seconds", "0.02", "--threads", "2", "--game", "card-hunt", "--no-pipes"]).expect(0).out;
    let last = two.trim_end().lines().next_back().expect("a line of figures");
    assert!(last.ends_with('-') && !two.contains("inf") && !two.contains("NaN"), "{two}");
    let refused = arena(["bench", "--game", "chess"]).expect(2).err;
    assert!(refused.contains("little-hunters"), "{refused}");
}
