//! What commands say beside their results: how much, where, and what happens when nobody listens.

use std::process::Stdio;

use crate::harness::{Done, Scratch, arena, arena_command, bot, repository, rows};

const HEAD: &str = "game = \"little-hunters\"\nseed = 3\ndeals = 20\nblock = 10\n";

fn league(scratch: &Scratch) -> String {
    let bots = ["nash", "uniform", "silent"].map(|name| (name, bot("little-hunters", name)));
    scratch.league("l.toml", HEAD, &bots).display().to_string()
}

/// `arena run` of the small league into `out`, with more options.
fn run(scratch: &Scratch, out: &str, more: &[&str]) -> std::process::Command {
    let (league, out) = (league(scratch), scratch.path(out));
    let mut command = arena_command(["run", &league, "--threads", "1", "--out"]);
    command.arg(out).args(more);
    command
}

fn done(mut command: std::process::Command) -> Done {
    Done::of(command.output().expect("the binary starts"))
}

#[test]
fn v_says_what_is_done_and_vv_the_details_on_the_error_stream_alone() {
    let scratch = Scratch::new();
    let plain = done(run(&scratch, "plain", &[])).expect(0);
    let info = done(run(&scratch, "info", &["-v", "--no-cache"])).expect(0);
    let debug = done(run(&scratch, "debug", &["-vv"])).expect(0);
    assert!(!plain.err.contains("INFO"), "{}", plain.err);
    assert_eq!((&info.out, &debug.out), (&plain.out, &plain.out));
    for said in [
        "l.toml is read: 3 bots, 3 lineups, 6 blocks\n",
        "bot{name=silent}: compiled in ",
        " bytes of code\n",
        "0 blocks in the journal, 6 to play\n",
        "the first block is played",
        "/elo.csv, ",
        "/run.json, ",
    ] {
        assert!(info.err.contains(said), "no {said:?} in\n{}", info.err);
    }
    assert!(!info.err.contains("DEBUG"), "{}", info.err);
    for said in ["bot nash: ", "checked, ", "played nash - silent, deals 10 to 19: 20 matches in ", "is on the disk"] {
        assert!(debug.err.contains(said), "no {said:?} in\n{}", debug.err);
    }
    // Compiled the first time, or by another test: either is said.
    assert!(debug.err.contains("compiled in ") || debug.err.contains("loaded from the cache"), "{}", debug.err);
    let again = done(run(&scratch, "info", &["-v"])).expect(0);
    assert!(again.err.contains("6 blocks in the journal, 0 to play"), "{}", again.err);
    assert!(again.err.contains("120 of 120 matches are played already."), "{}", again.err);
}

#[test]
fn a_closed_error_stream_stops_no_league() {
    let scratch = Scratch::new();
    let whole = done(run(&scratch, "whole", &[])).expect(0);
    for more in [&[][..], &["-vv"]] {
        let out = format!("closed{}", more.len());
        let mut child =
            run(&scratch, &out, more).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
        drop(child.stderr.take());
        let ended = Done::of(child.wait_with_output().expect("it ends")).expect(0);
        assert_eq!(ended.out, whole.out);
        assert_eq!(scratch.read(&format!("{out}/results.json")), scratch.read("whole/results.json"));
    }
}

/// Runs a command whose standard output nobody reads.
fn unread(mut command: std::process::Command) -> Done {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    drop(child.stdout.take());
    Done::of(child.wait_with_output().expect("it ends"))
}

#[test]
fn a_closed_standard_output_ends_quietly_with_the_code_that_is_due() {
    let scratch = Scratch::new();
    let ended = unread(run(&scratch, "out", &[])).expect(0);
    assert!(!ended.err.contains("error") && ended.err.contains("Written to "), "{}", ended.err);
    let out = scratch.path("out").display().to_string();
    for command in [&["table", &out, "--format", "json"][..], &["games"], &["--help"], &["completions", "bash"]] {
        let ended = unread(arena_command(command)).expect(0);
        assert_eq!(ended.err, "", "{command:?}");
    }
    // What a script asks by the exit code is answered all the same.
    let elo = scratch.read("out/elo.csv");
    scratch.write("out/elo.csv", elo.replace("nash", "hash"));
    unread(arena_command(["verify", &out, "--league", &league(&scratch)])).expect(2);
    let files = ["silent", "nash"].map(|name| bot("little-hunters", name).display().to_string());
    unread(arena_command(["compare", &files[0], &files[1], "--deals", "50", "--exit-code"])).expect(10);
}

/// Results that could not be handed over are no success, and the files are there all the same.
#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_told() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let scratch = Scratch::new();
    let into_full = |mut command: std::process::Command| {
        let child = command.stdout(full()).stderr(Stdio::piped()).spawn().expect("the binary starts");
        Done::of(child.wait_with_output().expect("it ends"))
    };
    let ended = into_full(run(&scratch, "out", &[])).expect(3);
    assert!(ended.err.contains("error: failed to write to the standard output: No space left"), "{}", ended.err);
    assert_eq!(rows(&scratch.read("out/elo.csv")).len(), 3);
    let out = scratch.path("out").display().to_string();
    for command in [&["table", &out][..], &["table", &out, "--format", "csv"], &["games"], &["--help"], &["--version"]]
    {
        let ended = into_full(arena_command(command)).expect(3);
        assert!(ended.err.contains("failed to write to the standard output"), "{command:?}: {}", ended.err);
    }
    // Notes are worth less.
    let status = run(&scratch, "again", &["-vv"]).stdout(Stdio::null()).stderr(full()).status();
    assert!(status.expect("the binary starts").success());
}

#[test]
fn a_folder_that_cannot_hold_results_is_bad_input() {
    let scratch = Scratch::new();
    let file = scratch.write("file", "mine");
    for out in ["file", "file/below"] {
        let refused = done(run(&scratch, out, &[])).expect(2);
        assert!(refused.err.contains("no results can be kept here: "), "{}", refused.err);
        assert!(refused.err.contains("--out names another folder"), "{}", refused.err);
    }
    done(run(&scratch, "out", &[])).expect(0);
    let out = scratch.path("out").display().to_string();
    let refused = arena(["table", &out, "--csv", file.to_str().unwrap()]).expect(2);
    assert!(refused.err.contains("--csv ") && refused.err.contains("no folder can be made here"), "{}", refused.err);
    // A folder where a table should stand.
    std::fs::create_dir_all(scratch.path("taken/elo.csv")).unwrap();
    let refused = arena(["table", &out, "--csv", scratch.path("taken").to_str().unwrap()]).expect(2);
    assert!(refused.err.contains("elo.csv: there is another file of this name"), "{}", refused.err);
    for command in ["table", "analyse"] {
        let refused = arena([command, scratch.path("out/elo.csv/x").to_str().unwrap()]).expect(2);
        assert!(!refused.err.contains("goes on"), "{}", refused.err);
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), "mine");
}

#[test]
fn a_file_is_entered_once_and_equal_bytes_are_told() {
    let scratch = Scratch::new();
    for (file, of) in [("bots/a.wasm", "nash"), ("bots/b.wasm", "uniform"), ("c.wasm", "nash")] {
        scratch.write(file, std::fs::read(bot("little-hunters", of)).unwrap());
    }
    let twice =
        scratch.write("l.toml", format!("{HEAD}[[bots]]\npath = \"bots/*.wasm\"\n[[bots]]\npath = \"bots/b.wasm\"\n"));
    let refused = scratch.run(&twice, "out", 1).expect(2);
    assert!(refused.err.contains("l.toml:8: path: "), "{}", refused.err);
    assert!(refused.err.contains("b.wasm: this file is entered already, on line 6"), "{}", refused.err);
    let alike =
        scratch.write("m.toml", format!("{HEAD}[[bots]]\npath = \"bots/*.wasm\"\n[[bots]]\npath = \"c.wasm\"\n"));
    let told = scratch.run(&alike, "out", 1).expect(0);
    assert!(told.err.contains("m.toml:8: path: "), "{}", told.err);
    assert!(told.err.contains("c.wasm has the same bytes as a: c is its second name"), "{}", told.err);
}

#[test]
fn a_bot_for_another_game_is_refused_where_it_is_entered() {
    let scratch = Scratch::new();
    let bots = [("nash", bot("little-hunters", "nash")), ("lost", bot("card-hunt", "random"))];
    let league = scratch.league("l.toml", HEAD, &bots);
    let refused = scratch.run(&league, "out", 1).expect(2);
    assert!(refused.err.contains("l.toml:12: path: the bot lost ("), "{}", refused.err);
    assert!(refused.err.contains("it plays card-hunt, and little-hunters is wanted"), "{}", refused.err);
    assert!(!refused.err.contains("Little Hunters: "), "{}", refused.err);
}

#[test]
fn one_table_is_shown_as_text_too() {
    let scratch = Scratch::new();
    done(run(&scratch, "out", &[])).expect(0);
    let out = scratch.path("out").display().to_string();
    let whole = arena(["table", &out]).expect(0).out;
    let [elo, crosstable] = ["elo", "crosstable"].map(|table| arena(["table", &out, "--table", table]).expect(0).out);
    assert_eq!(whole, format!("{elo}\n{crosstable}"));
    for (table, header) in [
        ("pairs", "bot      opponent  matches  wins  draws  losses  score_share"),
        ("seats", "bot      seat  matches"),
        ("points", "bot      matches  points_total"),
        ("faults", "bot      matches  decisions  illegal"),
    ] {
        let shown = arena(["table", &out, "--table", table]).expect(0).out;
        assert!(shown.starts_with(header), "{shown}");
    }
    let refused = arena(["table", &out, "--table", "fault"]).expect(2);
    assert!(refused.err.contains("did you mean `faults`? There are elo, crosstable"), "{}", refused.err);
}

#[test]
fn few_deals_are_said_once() {
    let scratch = Scratch::new();
    let table = done(run(&scratch, "out", &[])).expect(0).out;
    assert_eq!(table.matches("independent observations").count(), 1, "{table}");
    assert!(table.contains("Only 20 independent observations: below 30 the intervals"), "{table}");
}

#[test]
fn the_fuel_of_a_bot_that_never_answers_is_not_known() {
    let scratch = Scratch::new();
    let slow = wat::parse_file(repository().join("tests/hostile/loop-in-decide.wat")).expect("a module");
    let bots = [("nash", bot("little-hunters", "nash")), ("slow", scratch.write("slow.wasm", slow))];
    let league = scratch.league("l.toml", "game = \"little-hunters\"\ndeals = 1\n", &bots);
    scratch.run(&league, "out", 1).expect(0);
    for row in rows(&scratch.read("out/faults.csv")) {
        let known = row["bot"] == "nash";
        assert_eq!((!row["fuel_mean"].is_empty(), !row["fuel_max"].is_empty()), (known, known), "{row:?}");
        // Tenths, not seventeen digits.
        assert!(row["fuel_mean"].split('.').nth(1).is_none_or(|decimals| decimals.len() == 1), "{row:?}");
    }
}

/// Seeds have up to 64 bits, which a reader that takes all numbers for floating point would round.
#[test]
fn seeds_in_json_are_whole_numbers() {
    let scratch = Scratch::new();
    let files = ["nash", "uniform"].map(|name| (name, bot("little-hunters", name)));
    let head = "game = \"little-hunters\"\nseed = 9223372036854775807\ndeals = 1\n";
    let league = scratch.league("l.toml", head, &files);
    scratch.run(&league, "out", 1).expect(0);
    let run: serde_json::Value = serde_json::from_str(&scratch.read("out/run.json")).expect("JSON");
    assert_eq!(run["seed"].as_u64(), Some(9_223_372_036_854_775_807));
    let [nash, uniform] = files.map(|(_, file)| file.display().to_string());
    let told = arena(["play", &nash, &uniform, "--json", "--seed", "18446744073709551615"]).expect(0).out;
    let first: serde_json::Value = serde_json::from_str(told.lines().next().expect("a line")).expect("JSON");
    assert_eq!(first["seed"].as_u64(), Some(u64::MAX));
    for bot in first["bots"].as_array().expect("bots") {
        assert!(bot["seed"].is_u64(), "{bot}");
    }
}
