//! Submissions: taken with care, played at once, and never lost.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::harness::{Done, Scratch, arena, arena_command, bot, lasting_files, repository, rows};

const HEAD: &str = "game = \"little-hunters\"\nseed = 5\nblock = 20\ndeals = 200\n";
/// Blocks of a pair.
const BLOCKS: usize = 10;

/// A league without bots.
fn empty() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("leagues/x.toml", HEAD);
    scratch
}

fn lh(name: &str) -> PathBuf {
    bot("little-hunters", name)
}

/// A command about the league, which plays into `out`.
fn command(scratch: &Scratch, words: &[&str]) -> Command {
    let mut command = arena_command(words);
    command.arg("--league").arg(scratch.path("leagues/x")).arg("--out").arg(scratch.path("out"));
    command
}

fn done(mut command: Command) -> Done {
    Done::of(command.output().expect("the binary starts"))
}

fn submit(scratch: &Scratch, file: &Path, more: &[&str]) -> Done {
    let mut submit = command(scratch, &["submit"]);
    submit.arg(file).args(more);
    done(submit)
}

fn withdraw(scratch: &Scratch, name: &str, more: &[&str]) -> Done {
    let mut withdraw = command(scratch, &["withdraw", name, "--author", "arena"]);
    withdraw.args(more);
    done(withdraw)
}

fn about(scratch: &Scratch, words: &[&str]) -> Done {
    let league = scratch.path("leagues/x");
    let (first, rest) = words.split_first().expect("a command");
    arena([first, league.to_str().unwrap()].iter().chain(rest))
}

/// Names and states as `arena submissions` lists them.
fn listed(scratch: &Scratch) -> Vec<(String, bool)> {
    let list = about(scratch, &["submissions", "--json"]).expect(0).out;
    let bots = list.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    bots.map(|bot| (bot["name"].as_str().unwrap().to_owned(), bot["withdrawn"].as_bool().unwrap())).collect()
}

fn names(scratch: &Scratch) -> Vec<String> {
    listed(scratch).into_iter().map(|(name, _)| name).collect()
}

fn records(scratch: &Scratch) -> String {
    std::fs::read_to_string(scratch.path("leagues/x.submissions/submissions.jsonl")).unwrap_or_default()
}

/// Blocks in the journal.
fn blocks(scratch: &Scratch) -> usize {
    scratch.read("out/journal.jsonl").lines().filter(|line| line.contains("\"line\":\"block\"")).count()
}

/// The bots of the table, best first.
fn table(scratch: &Scratch) -> Vec<String> {
    rows(&scratch.read("out/elo.csv")).into_iter().map(|mut row| row.remove("bot").unwrap()).collect()
}

/// Whatever was played is what a run of the league from nothing comes to.
#[track_caller]
fn assert_as_fresh(scratch: &Scratch) {
    let league = scratch.path("leagues/x");
    let _ = std::fs::remove_dir_all(scratch.path("fresh"));
    scratch.run(&league, "fresh", 1).expect(0);
    let without_journal = |folder: &str| {
        let mut files = lasting_files(&scratch.path(folder));
        files.retain(|(name, _)| name != "journal.jsonl");
        files
    };
    assert_eq!(without_journal("out"), without_journal("fresh"));
}

/// Waits until something is so; the test fails if it never is.
#[track_caller]
fn until(what: &str, so: impl Fn() -> bool) {
    for _ in 0..3000 {
        if so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("never: {what}");
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

fn started(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts")
}

/// A module of `tests/hostile`.
fn hostile(scratch: &Scratch, name: &str, file: &str) -> PathBuf {
    let source = repository().join(format!("tests/hostile/{name}.wat"));
    scratch.write(file, wat::parse_file(source).expect("a module"))
}

#[test]
fn each_submission_plays_only_what_is_new_and_is_told_where_it_stands() {
    let scratch = empty();
    let first = submit(&scratch, &lh("uniform"), &[]).expect(0);
    assert!(first.err.contains("submitted: uniform, submission 1, by arena, SHA-256 "), "{}", first.err);
    assert!(first.err.contains("Only one bot is entered; one more is needed to play."), "{}", first.err);
    assert!(first.out.is_empty() && !scratch.path("out").exists());

    let second = submit(&scratch, &lh("nash"), &[]).expect(0);
    assert!(second.out.starts_with("nash: 1st of 2, 1"), "{}", second.out);
    assert!(second.out.contains("], beats uniform\n"), "{}", second.out);
    assert_eq!(blocks(&scratch), BLOCKS);

    let third = submit(&scratch, &lh("highest"), &[]).expect(0);
    assert!(third.out.starts_with("highest: 3rd of 3, "), "{}", third.out);
    assert!(third.out.contains(", loses to nash, uniform\n"), "{}", third.out);
    assert_eq!(blocks(&scratch), 3 * BLOCKS);
    assert_as_fresh(&scratch);
}

#[test]
fn a_new_version_plays_only_its_own_blocks_and_the_old_one_is_kept() {
    let scratch = empty();
    for name in ["uniform", "nash", "lowest"] {
        submit(&scratch, &lh(name), &["--no-play"]).expect(0);
    }
    assert!(!scratch.path("out").exists(), "--no-play plays nothing");
    scratch.run(&scratch.path("leagues/x"), "out", 1).expect(0);
    assert_eq!(blocks(&scratch), 3 * BLOCKS);

    let done = submit(&scratch, &lh("reader"), &["--name", "nash"]).expect(0);
    assert!(done.err.contains("submitted: nash, submission 2, by arena"), "{}", done.err);
    assert!(done.out.starts_with("nash: 1st of 3"), "{}", done.out);
    assert_eq!(blocks(&scratch), 5 * BLOCKS, "uniform against lowest is not played again");
    assert_as_fresh(&scratch);

    let again = submit(&scratch, &lh("reader"), &["--name", "nash"]).expect(0);
    assert!(again.err.contains("already submitted, nothing is recorded: nash, submission 2"), "{}", again.err);
    assert_eq!(again.out, done.out);
    assert_eq!((blocks(&scratch), records(&scratch).lines().count()), (5 * BLOCKS, 4));

    let history = about(&scratch, &["history", "nash"]).expect(0).out;
    assert!(history.contains("submit  nash           1  arena"), "{history}");
    assert!(history.contains("submit  nash           2  arena"), "{history}");
    for name in ["nash", "reader"] {
        let bytes = std::fs::read(lh(name)).unwrap();
        let stored = scratch.path("leagues/x.submissions").join(format!("{}.wasm", sha256(&bytes)));
        assert_eq!(std::fs::read(&stored).unwrap(), bytes);
        assert!(stored.metadata().unwrap().permissions().readonly());
    }
}

fn sha256(bytes: &[u8]) -> String {
    arena::sandbox::module::sha256_hex(bytes)
}

#[test]
fn a_league_of_submissions_is_the_league_that_names_the_same_bots() {
    let scratch = empty();
    let bots = ["uniform", "nash", "lowest"].map(|name| (name, lh(name)));
    for (_, file) in &bots {
        submit(&scratch, file, &[]).expect(0);
    }
    let named = scratch.league("named.toml", HEAD, &bots);
    scratch.run(&named, "named", 2).expect(0);
    let tables = |folder: &str| {
        let mut files = lasting_files(&scratch.path(folder));
        // This names the league file.
        files.retain(|(name, _)| name != "run.json");
        files
    };
    assert_eq!(tables("out"), tables("named"));
}

#[test]
fn submissions_stand_beside_the_bots_of_the_league_file() {
    let scratch = Scratch::new();
    scratch.league("leagues/x.toml", HEAD, &[("house", lh("uniform")), ("second", lh("lowest"))]);
    let done = submit(&scratch, &lh("nash"), &["--name", "House"]).expect(2);
    assert!(done.err.contains("the name \"House\" is that of a bot in "), "{}", done.err);
    assert!(done.err.contains("x.toml; choose another name"), "{}", done.err);
    let done = submit(&scratch, &lh("nash"), &[]).expect(0);
    assert!(done.out.starts_with("nash: 1st of 3"), "{}", done.out);
    // The organiser gives a submission's name away.
    let clash = std::fs::read_to_string(scratch.path("leagues/x.toml")).unwrap().replace("house", "nash");
    scratch.write("leagues/x.toml", clash);
    let done = scratch.run(&scratch.path("leagues/x.toml"), "out", 1).expect(2);
    assert!(done.err.contains("x.toml:7: name: \"nash\" is the name of a submission already"), "{}", done.err);
}

#[test]
fn the_folder_may_be_named_in_the_league_file() {
    let scratch = empty();
    scratch.write("leagues/x.toml", format!("{HEAD}submissions = \"../inbox/kept\"\n"));
    submit(&scratch, &lh("nash"), &["--no-play"]).expect(0);
    assert!(scratch.path("inbox/kept/submissions.jsonl").is_file());
    assert_eq!(names(&scratch), ["nash"]);
}

#[test]
fn what_is_no_bot_of_the_league_is_refused_and_leaves_nothing() {
    let scratch = empty();
    let text = scratch.write("text.wasm", "#!/bin/sh");
    let broken = hostile(&scratch, "empty_module", "empty.wasm");
    let cases = [
        (
            bot("card-hunt", "random"),
            "random.wasm is refused:\nit plays card-hunt, and little-hunters is wanted [game]",
        ),
        (text, "[not-wasm]"),
        (broken, "[abi:missing]"),
        (scratch.path("nowhere.wasm"), "nowhere.wasm: failed to open it: No such file"),
        (scratch.path("leagues"), "leagues: this is a folder, and a regular file is wanted"),
    ];
    for (file, wanted) in cases {
        let done = submit(&scratch, &file, &["--author", "ann"]).expect(2);
        assert!(done.err.contains(wanted), "{}\ndoes not contain\n{wanted}", done.err);
        assert!(done.out.is_empty());
    }
    // All of its problems at once.
    let missing = submit(&scratch, &hostile(&scratch, "empty_module", "e.wasm"), &[]).expect(2);
    assert!(missing.err.matches("[abi:missing]").count() > 1, "{}", missing.err);

    let nameless = hostile(&scratch, "illegal_actions", "nameless.wasm");
    let done = submit(&scratch, &nameless, &[]).expect(2);
    assert!(done.err.contains("it names no author, and a name belongs to somebody; --author says"), "{}", done.err);
    assert!(!scratch.path("leagues/x.submissions").exists() && !scratch.path("out").exists());

    let done = arena(["submit", lh("nash").to_str().unwrap(), "--league", "no/such"]).expect(2);
    assert!(done.err.contains("no/such: there is no such file, nor no/such.toml"), "{}", done.err);
    let league = scratch.write("bad.toml", "game = \"chess\"\ndeals = 1\n");
    let done = arena(["submit", lh("nash").to_str().unwrap(), "--league", league.to_str().unwrap()]).expect(2);
    assert!(done.err.contains("bad.toml:1: game: there is no game \"chess\""), "{}", done.err);
}

#[test]
fn hostile_names_are_refused_and_shown_harmlessly() {
    let scratch = empty();
    for name in ["../x", "a/b", "..", "=1+1", "@x", "-rf", "a\u{1b}[2J", "a\nb", "", "a,b", &"x".repeat(41)] {
        let name = format!("--name={name}");
        let done = submit(&scratch, &lh("nash"), &[&name]).expect(2);
        assert!(done.err.contains("is not a valid bot name: "), "{}", done.err);
        assert!(!done.err.contains('\u{1b}'), "{name:?}");
    }
    for author in ["", "a\u{1b}[2J", "a\nb"] {
        let author = format!("--author={author}");
        let done = submit(&scratch, &lh("nash"), &[&author]).expect(2);
        assert!(done.err.contains("is no author's name: ") && !done.err.contains('\u{1b}'), "{}", done.err);
    }
    // A bot that names itself not, in a file whose name is none.
    let file = hostile(&scratch, "illegal_actions", "=cmd.wasm");
    let done = submit(&scratch, &file, &["--author", "ann"]).expect(2);
    assert!(done.err.contains("its file name cannot be used as one: \"=cmd\" is not a valid bot name"), "{}", done.err);
    assert!(!scratch.path("leagues/x.submissions").exists());
}

#[test]
fn a_league_without_submissions_says_so() {
    let scratch = empty();
    for command in ["submissions", "history"] {
        let done = about(&scratch, &[command]).expect(0);
        assert!(done.out.is_empty() && done.err.contains("Nothing was submitted yet"), "{}", done.err);
    }
    let done = withdraw(&scratch, "nash", &[]).expect(2);
    assert!(done.err.contains("no bot named \"nash\" was submitted; nothing was so far"), "{}", done.err);
    let done = scratch.run(&scratch.path("leagues/x"), "out", 1).expect(2);
    assert!(done.err.contains("no bot is entered") && done.err.contains("or `arena submit` them"), "{}", done.err);
    assert!(!scratch.path("leagues/x.submissions").exists() && !scratch.path("out").exists());
}

#[test]
fn a_name_is_its_authors() {
    let scratch = empty();
    submit(&scratch, &lh("nash"), &["--author", "ann"]).expect(0);
    let done = submit(&scratch, &lh("reader"), &["--name", "Nash", "--author", "bob"]).expect(2);
    assert!(done.err.contains("reader.wasm: the name \"nash\" is taken by ann; choose another name"), "{}", done.err);
    let mut withdraw = command(&scratch, &["withdraw", "nash", "--author", "bob"]);
    let refused = Done::of(withdraw.output().unwrap()).expect(2);
    assert!(refused.err.contains("the bot \"nash\" belongs to ann; only ann may withdraw it"), "{}", refused.err);
    let copy = submit(&scratch, &lh("nash"), &["--name", "mine", "--author", "bob"]).expect(0);
    assert!(copy.err.contains("; nash by ann is the same file"), "{}", copy.err);
    assert!(copy.out.ends_with(", undecided against nash\n"), "{}", copy.out);
    assert_eq!(records(&scratch).lines().count(), 2);
}

#[test]
fn a_withdrawn_bot_leaves_the_table_and_may_come_back() {
    let scratch = empty();
    for name in ["uniform", "nash", "lowest"] {
        submit(&scratch, &lh(name), &[]).expect(0);
    }
    let whole = lasting_files(&scratch.path("out"));
    let done = withdraw(&scratch, "nash", &[]).expect(0);
    assert!(done.out.contains("lowest") && !done.out.contains("nash"), "{}", done.out);
    assert_eq!(table(&scratch).len(), 2);
    assert_as_fresh(&scratch);
    assert_eq!(listed(&scratch)[1], ("nash".into(), true));
    assert!(withdraw(&scratch, "nash", &[]).expect(0).err.contains("withdrawn already, nothing is recorded"));
    let unknown = withdraw(&scratch, "hash", &[]).expect(2);
    assert!(unknown.err.contains("no bot named \"hash\" was submitted; there are uniform, nash, lowest"));

    submit(&scratch, &lh("nash"), &[]).expect(0);
    assert_eq!(blocks(&scratch), 3 * BLOCKS, "nothing is played twice");
    assert_eq!(lasting_files(&scratch.path("out")), whole);
    // The last two go: what is left cannot be played, and is not an error.
    withdraw(&scratch, "nash", &["--no-play"]).expect(0);
    let done = withdraw(&scratch, "lowest", &[]).expect(0);
    assert!(done.err.contains("Only one bot is entered"), "{}", done.err);
    let run = scratch.run(&scratch.path("leagues/x"), "out", 1).expect(2);
    assert!(run.err.contains(": bots: only one bot is entered, and a league needs two or more"), "{}", run.err);
}

#[test]
fn submissions_at_the_same_time_are_all_taken_and_all_rated() {
    let scratch = empty();
    let all = ["uniform", "nash", "lowest", "repeater"];
    let children = all.map(|name| {
        let mut submit = command(&scratch, &["submit"]);
        submit.arg(lh(name));
        started(submit)
    });
    for child in children {
        Done::of(child.wait_with_output().unwrap()).expect(0);
    }
    let (mut submitted, mut rated) = (names(&scratch), table(&scratch));
    submitted.sort();
    rated.sort();
    assert_eq!(submitted, ["lowest", "nash", "repeater", "uniform"]);
    assert_eq!(rated, submitted, "the tables that were written last are those of all");
    assert_eq!(blocks(&scratch), 6 * BLOCKS);
    assert_as_fresh(&scratch);
}

#[test]
fn a_kill_at_any_moment_leaves_a_league_that_can_be_used() {
    let scratch = empty();
    let all = ["uniform", "nash", "lowest", "repeater", "highest", "silent"];
    for (number, name) in all.iter().cycle().take(48).enumerate() {
        // A custom section without content: other bytes, the same bot.
        let mut version = std::fs::read(lh(name)).unwrap();
        version.extend([0, 2, 1, b'0' + number as u8]);
        let mut submit = command(&scratch, &["submit", "--no-play"]);
        submit.arg(scratch.write("version.wasm", version));
        let mut child = started(submit);
        std::thread::sleep(Duration::from_millis(number as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        for line in records(&scratch).lines() {
            let record: serde_json::Value = serde_json::from_str(line).expect("a whole record");
            let file = format!("leagues/x.submissions/{}.wasm", record["sha256"].as_str().unwrap());
            let stored = std::fs::read(scratch.path(&file)).expect("the file that it names");
            assert_eq!(sha256(&stored), record["sha256"].as_str().unwrap());
        }
    }
    for name in all {
        submit(&scratch, &lh(name), &["--no-play"]).expect(0);
    }
    scratch.run(&scratch.path("leagues/x"), "out", 2).expect(0);
    assert_eq!(table(&scratch).len(), 6);
}

/// As after a kill between the two: stored, or stored in part, and not recorded.
#[test]
fn stored_files_that_no_record_names_harm_nobody() {
    let scratch = empty();
    submit(&scratch, &lh("uniform"), &[]).expect(0);
    let nash = std::fs::read(lh("nash")).unwrap();
    scratch.write(&format!("leagues/x.submissions/{}.wasm", sha256(&nash)), &nash);
    scratch.write("leagues/x.submissions/.0123.77.part", "half");
    scratch.write("leagues/x.submissions/README.txt", "ours");
    assert_eq!(names(&scratch), ["uniform"]);
    submit(&scratch, &lh("nash"), &[]).expect(0);
    assert_eq!(table(&scratch), ["nash", "uniform"]);
}

#[test]
fn a_torn_last_record_is_told_and_left_out() {
    let scratch = empty();
    submit(&scratch, &lh("uniform"), &[]).expect(0);
    submit(&scratch, &lh("nash"), &[]).expect(0);
    let whole = records(&scratch);
    scratch.write("leagues/x.submissions/submissions.jsonl", &whole[..whole.len() - 9]);
    let list = about(&scratch, &["submissions"]).expect(0);
    assert!(list.err.contains("the last record is torn, as by a kill; it is left out"), "{}", list.err);
    assert!(list.out.contains("uniform") && !list.out.contains("nash"), "{}", list.out);
    let run = scratch.run(&scratch.path("leagues/x"), "out", 1).expect(2);
    assert!(run.err.contains("the last record is torn") && run.err.contains("only one bot"), "{}", run.err);
    let next = submit(&scratch, &lh("lowest"), &[]).expect(0);
    assert!(next.err.contains("the last record is torn"), "{}", next.err);
    assert_eq!(names(&scratch), ["uniform", "lowest"]);
    let run = scratch.run(&scratch.path("leagues/x"), "out", 1).expect(0);
    assert!(!run.err.contains("torn"), "it was cut off: {}", run.err);

    // A whole line that is none is somebody's doing: nothing is guessed.
    scratch.write("leagues/x.submissions/submissions.jsonl", whole.replacen("\"submit\"", "\"admit\"", 1));
    for done in [about(&scratch, &["history"]), submit(&scratch, &lh("nash"), &[])] {
        let done = done.expect(2);
        assert!(done.err.contains("submissions.jsonl:1: this is no record of a submission"), "{}", done.err);
    }
}

#[test]
fn a_stored_file_that_was_altered_or_lost_is_told_and_mended_by_submitting_it_again() {
    let scratch = empty();
    submit(&scratch, &lh("uniform"), &[]).expect(0);
    submit(&scratch, &lh("nash"), &[]).expect(0);
    let stored = format!("leagues/x.submissions/{}.wasm", sha256(&std::fs::read(lh("nash")).unwrap()));
    std::fs::remove_file(scratch.path(&stored)).unwrap();
    let run = || scratch.run(&scratch.path("leagues/x"), "out", 1);
    let done = run().expect(2);
    assert!(done.err.contains("it should be nash as arena submitted it"), "{}", done.err);
    scratch.write(&stored, std::fs::read(lh("lowest")).unwrap());
    let done = run().expect(2);
    assert!(done.err.contains("the file was altered; it should be nash"), "{}", done.err);
    let done = submit(&scratch, &lh("nash"), &[]).expect(0);
    assert!(done.err.contains("already submitted"), "{}", done.err);
    run().expect(0);
}

#[cfg(unix)]
#[test]
fn a_folder_that_takes_nothing_is_said() {
    let scratch = empty();
    scratch.write("leagues/x.submissions", "a file where the folder should be");
    let done = submit(&scratch, &lh("nash"), &[]).expect(2);
    assert!(done.err.contains("leagues/x.submissions"), "{}", done.err);
    std::fs::remove_file(scratch.path("leagues/x.submissions")).unwrap();

    let Some(mut shell) = crate::durability::unshared() else { return };
    let folder = scratch.path("leagues/x.submissions");
    std::fs::create_dir(&folder).unwrap();
    let script = format!("mount -t tmpfs -o ro tmpfs '{}' || exit 99; exec \"$@\"", folder.display());
    let submit = command(&scratch, &["submit"]);
    shell.args(["-c", &script, "sh"]).arg(submit.get_program()).args(submit.get_args()).arg(lh("nash"));
    shell.env("XDG_CACHE_HOME", scratch.path("cache"));
    let done = Done::of(shell.output().unwrap()).expect(2);
    assert!(done.err.contains("submissions.jsonl: failed to open it for writing: Read-only"), "{}", done.err);
}

#[test]
fn a_bot_that_always_times_out_gets_a_place_and_a_sentence() {
    let scratch = empty();
    scratch.write("leagues/x.toml", format!("{HEAD}[limits]\ndecision_fuel = 200000\n").replace("200\n", "20\n"));
    submit(&scratch, &lh("uniform"), &[]).expect(0);
    let slow = hostile(&scratch, "loop-in-decide", "slow.wasm");
    let done = submit(&scratch, &slow, &["--author", "ann"]).expect(0);
    assert!(done.out.starts_with("slow: 2nd of 2, "), "{}", done.out);
    assert!(done.out.contains("Every decision failed, ") && done.out.contains(" timed out"), "{}", done.out);
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_submission_and_says_how_to_go_on() {
    let scratch = empty();
    scratch.write("leagues/x.toml", "game = \"little-hunters\"\ndeals = 2000000\n");
    submit(&scratch, &lh("uniform"), &[]).expect(0);
    let mut submit = command(&scratch, &["submit"]);
    submit.arg(lh("nash"));
    let child = started(submit);
    until("a block is played", || {
        std::fs::read_to_string(scratch.path("out/journal.jsonl")).is_ok_and(|text| text.lines().count() > 2)
    });
    interrupt(&child);
    let done = Done::of(child.wait_with_output().unwrap()).expect(1);
    assert!(done.err.contains("the submission is recorded, and what is finished is kept"), "{}", done.err);
    assert!(done.err.contains("  arena run ") && done.err.contains(" --out "), "{}", done.err);
    assert!(done.out.starts_with("nash: ") && done.out.contains("Not finished: "), "{}", done.out);
    assert_eq!(names(&scratch), ["uniform", "nash"]);
}

/// A submission while a run is in the same folder waits for it.
#[cfg(unix)]
#[test]
fn a_submission_waits_for_a_run_of_the_same_league() {
    let scratch = Scratch::new();
    let deals = "game = \"little-hunters\"\ndeals = 2000000\n";
    scratch.league("leagues/x.toml", deals, &[("a", lh("uniform")), ("b", lh("lowest"))]);
    let mut run = arena_command(["run", "--out"]);
    run.arg(scratch.path("out")).arg(scratch.path("leagues/x"));
    let run = started(run);
    until("the run has begun", || {
        std::fs::read_to_string(scratch.path("out/journal.jsonl")).is_ok_and(|text| text.lines().count() > 2)
    });
    let mut submit = command(&scratch, &["submit"]);
    submit.arg(lh("nash")).stderr(std::fs::File::create(scratch.path("err")).unwrap()).stdout(Stdio::null());
    let mut child = submit.spawn().unwrap();
    until("it waits", || scratch.read("err").contains("Waiting for another run"));
    let before = scratch.read("out/journal.jsonl");
    interrupt(&run);
    Done::of(run.wait_with_output().unwrap()).expect(1);
    until("it plays", || scratch.read("out/journal.jsonl").len() > before.len() + 10_000);
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

fn watch(scratch: &Scratch, more: &[&str]) -> Command {
    let mut watch = command(scratch, &["watch"]);
    watch.arg(scratch.path("inbox")).args(["--every", "100ms", "--author", "somebody"]).args(more);
    watch
}

#[test]
fn one_pass_of_watch_takes_what_is_new_and_nothing_twice() {
    let scratch = empty();
    let missing = done(watch(&scratch, &["--once"])).expect(2);
    assert!(missing.err.contains("inbox: failed to read the folder"), "{}", missing.err);

    let copy = |name: &str| scratch.write(&format!("inbox/{name}.wasm"), std::fs::read(lh(name)).unwrap());
    copy("uniform");
    let first = done(watch(&scratch, &["--once"])).expect(0);
    assert!(first.err.contains("uniform.wasm: submitted: uniform, submission 1, by arena"), "{}", first.err);
    assert!(first.err.contains("Only one bot is entered"), "{}", first.err);

    copy("nash");
    hostile(&scratch, "illegal_actions", "inbox/nameless.wasm");
    scratch.write("inbox/text.wasm", "no bot");
    scratch.write("inbox/notes.txt", "no bot");
    scratch.write("inbox/.nash.wasm", "half of a transfer");
    scratch.write("inbox/\u{1b}[2J.wasm", "an escape");
    let second = done(watch(&scratch, &["--once"])).expect(0);
    assert_eq!(names(&scratch), ["uniform", "nameless", "nash"], "by the names of their files");
    assert!(second.err.contains("text.wasm is refused:\nnot a WebAssembly module"), "{}", second.err);
    assert!(second.err.contains("nameless, submission 1, by somebody"), "{}", second.err);
    assert!(!second.err.contains("notes.txt") && !second.err.contains(".nash.wasm is"), "{}", second.err);
    assert!(!second.err.contains('\u{1b}'));
    assert!(second.out.starts_with("#  bot"), "{}", second.out);
    assert_eq!(table(&scratch).len(), 3);
    let blocks_before = blocks(&scratch);

    // Nothing new: nothing is recorded, nothing is played, and a withdrawn bot stays withdrawn.
    withdraw(&scratch, "nash", &["--no-play"]).expect(0);
    std::fs::remove_file(scratch.path("inbox/uniform.wasm")).unwrap();
    let lines = records(&scratch);
    done(watch(&scratch, &["--once"])).expect(0);
    assert_eq!((records(&scratch), blocks(&scratch)), (lines, blocks_before));
    assert_eq!(table(&scratch).len(), 2, "the table follows the withdrawal, and deleting a file withdraws nothing");
    assert_as_fresh(&scratch);
}

#[cfg(unix)]
#[test]
fn watch_follows_a_folder_until_ctrl_c() {
    let scratch = empty();
    let put = |name: &str, file: &str| scratch.write(file, std::fs::read(lh(name)).unwrap());
    put("uniform", "inbox/uniform.wasm");
    // A link would show what its maker may not read.
    std::os::unix::fs::symlink(lh("silent"), scratch.path("inbox/silent.wasm")).unwrap();
    let mut watch = watch(&scratch, &[]);
    watch.stdout(std::fs::File::create(scratch.path("told")).unwrap()).stderr(Stdio::piped());
    let child = watch.spawn().unwrap();
    // A table each time it changed, and as many bots in it.
    let tables = |count: usize, bots: usize| {
        until("the table is printed", || scratch.read("told").matches("95 % interval").count() == count);
        assert_eq!(table(&scratch).len(), bots);
    };
    until("the first is submitted", || records(&scratch).lines().count() == 1);
    put("nash", "inbox/nash.wasm");
    tables(1, 2);
    scratch.write("inbox/bad.wasm", "refused");
    // Somebody else submits too; then the old file holds another bot.
    submit(&scratch, &lh("lowest"), &["--no-play"]).expect(0);
    tables(2, 3);
    put("reader", "inbox/nash.wasm");
    tables(3, 4);
    // And the refused one is mended.
    put("highest", "inbox/bad.wasm");
    tables(4, 5);
    interrupt(&child);
    let done = Done::of(child.wait_with_output().unwrap()).expect(0);
    assert_eq!(done.err.matches("bad.wasm is refused").count(), 1, "told once: {}", done.err);
    assert_eq!(names(&scratch), ["uniform", "nash", "lowest", "reader", "highest"]);
    assert_as_fresh(&scratch);
}

/// A match is played again whatever became of its bots since, as long as they were submitted once.
#[test]
fn matches_of_withdrawn_and_replaced_bots_are_played_again() {
    let scratch = empty();
    submit(&scratch, &lh("nash"), &["--no-play"]).expect(0);
    submit(&scratch, &lh("uniform"), &[]).expect(0);
    let play = || {
        let (out, league) = (scratch.path("out"), scratch.path("leagues/x"));
        arena(["play", "--from", out.to_str().unwrap(), "--league", league.to_str().unwrap(), "--match", "1"]).expect(0)
    };
    let told = play().out;
    submit(&scratch, &lh("reader"), &["--name", "uniform", "--no-play"]).expect(0);
    assert_eq!(play().out, told);
    about(&scratch, &["submissions"]).expect(0);
    let mut withdraw = arena_command(["withdraw", "nash", "--author", "arena", "--league"]);
    withdraw.arg(scratch.path("leagues/x")).arg("--no-play");
    done(withdraw).expect(0);
    assert_eq!(play().out, told);
}

/// From wherever a command is given, and beside the leagues.
#[test]
fn results_are_where_the_league_is_and_not_where_the_user_is() {
    let scratch = empty();
    let command = |words: &[&str], folder: &str| {
        let mut command = arena_command(words);
        command.current_dir(scratch.path(folder));
        done(command).expect(0)
    };
    let (uniform, nash) = (lh("uniform").display().to_string(), lh("nash").display().to_string());
    std::fs::create_dir(scratch.path("elsewhere")).unwrap();
    command(&["submit", &uniform, "--league", "leagues/x"], "");
    command(&["submit", &nash, "--league", "../leagues/x"], "elsewhere");
    let journal = scratch.read("results/x/journal.jsonl");
    for (folder, league) in [("", "leagues/x"), ("leagues", "x"), ("leagues", "./x.toml")] {
        command(&["run", league], folder);
        assert_eq!(scratch.read("results/x/journal.jsonl"), journal, "{folder}, {league}");
    }
    for folder in ["elsewhere", "leagues"] {
        assert!(!scratch.path(folder).join("results").exists(), "{folder}");
    }
}

#[test]
fn nothing_ranks_a_withdrawn_bot_when_too_few_are_left() {
    let scratch = empty();
    for name in ["uniform", "nash"] {
        submit(&scratch, &lh(name), &[]).expect(0);
    }
    let files = lasting_files(&scratch.path("out"));
    let journal = scratch.read("out/journal.jsonl");
    let left = || {
        let entries = std::fs::read_dir(scratch.path("out")).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    let told = withdraw(&scratch, "nash", &[]).expect(0);
    assert!(told.err.contains("are removed; the journal stays"), "{}", told.err);
    assert_eq!(left(), ["journal.jsonl"]);
    // Without a journal it is somebody else's.
    scratch.write("other/elo.csv", "mine");
    let mut elsewhere = arena_command(["withdraw", "uniform", "--author", "arena", "--league"]);
    elsewhere.arg(scratch.path("leagues/x")).arg("--out").arg(scratch.path("other"));
    let refused = done(elsewhere).expect(2);
    assert!(refused.err.contains("it has elo.csv, which would be replaced, and no journal"), "{}", refused.err);
    assert_eq!(scratch.read("other/elo.csv"), "mine");
    let uniform = ("uniform".to_owned(), false);
    assert!(listed(&scratch).contains(&uniform), "nothing is recorded where a command is refused");
    assert_eq!(scratch.read("out/journal.jsonl"), journal);
    // Who comes back plays nothing twice.
    for name in ["uniform", "nash"] {
        submit(&scratch, &lh(name), &[]).expect(0);
    }
    assert_eq!(lasting_files(&scratch.path("out")), files);
    assert_eq!(blocks(&scratch), BLOCKS);
}

#[test]
fn a_bot_is_told_where_it_stands_in_whatever_case_it_is_named() {
    let scratch = empty();
    submit(&scratch, &lh("uniform"), &[]).expect(0);
    submit(&scratch, &lh("nash"), &["--name", "Nash"]).expect(0);
    let again = submit(&scratch, &lh("nash"), &["--name", "nash"]).expect(0);
    assert!(again.out.starts_with("Nash: 1st of 2, "), "{}", again.out);
}

/// Two bots without dice: every deal is the same match.
#[test]
fn who_won_every_match_and_is_undecided_is_told_why() {
    let scratch = empty();
    submit(&scratch, &lh("lowest"), &[]).expect(0);
    let told = submit(&scratch, &lh("highest"), &[]).expect(0).out;
    assert!(told.contains(", undecided against lowest\n"), "{told}");
    assert!(
        told.contains("\nEvery deal against lowest went the same way: however many, they are one observation"),
        "{told}"
    );
    let told = submit(&scratch, &lh("nash"), &[]).expect(0).out;
    assert!(!told.contains("one observation"), "{told}");
}

/// A legal bot with much code that is never called.
fn bulky(name: &str) -> Vec<u8> {
    let code = "(i32.store (i32.const 0) (i32.mul (i32.load (i32.const 4)) (i32.const 3)))".repeat(3_000);
    let text = format!(
        r#"(module (@custom "arena.bot" "{{\"game\":\"little-hunters\",\"name\":\"{name}\",\"author\":\"arena\"}}")
            (memory (export "memory") 1) (func {code})
            (func (export "arena_abi") (result i32) (i32.const 1))
            (func (export "arena_init") (param i32 i32 i64) (result i32) (i32.const 1024))
            (func (export "arena_decide") (param i32 i32) (result i64) (i64.const 1)))"#
    );
    wat::parse_str(text).expect("a module")
}

/// A bot that compiles within the limits here may not do so on the next machine.
#[test]
fn a_submission_keeps_a_margin_to_the_limits_of_compiling() {
    let scratch = empty();
    let file = scratch.write("bulky.wasm", bulky("bulky"));
    let limited = |bytes: u64| scratch.write("leagues/x.toml", format!("{HEAD}[limits]\ncode_bytes = {bytes}\n"));
    let checked = || arena_command(["check", "--no-probes"]);
    // The first power of two that its code fits into is more than half full.
    let fits = (10..24).map(|power| 1 << power).find(|&bytes| {
        let mut check = checked();
        check.arg(&file).arg("--league").arg(limited(bytes));
        done(check).code == Some(0)
    });
    let fits = fits.expect("the default suffices");
    for more in [&["--no-play"][..], &["--no-play", "--no-cache"]] {
        let refused = submit(&scratch, &file, more).expect(2);
        let half = format!("its native code is longer than half of the limit, {fits} bytes (limits.code_bytes)");
        assert!(refused.err.contains(&half), "{}", refused.err);
    }
    // `check` knows it before.
    let mut check = checked();
    check.arg(&file).arg("--league").arg(scratch.path("leagues/x.toml"));
    let told = done(check).expect(0).out;
    assert!(told.contains("`arena submit` will refuse it: its native code is longer than half of the limit"), "{told}");
    assert!(told.ends_with("bulky: ready for a league file, not to submit, with 1 warning\n"), "{told}");
    // Far more code than is read of it: still the bot's doing.
    limited(1);
    let refused = submit(&scratch, &file, &["--no-play"]).expect(2);
    assert!(refused.err.contains("native code is longer than half of the limit, 1 byte"), "{}", refused.err);
    limited(2 * fits);
    submit(&scratch, &file, &["--no-play"]).expect(0);
}

#[test]
fn a_submission_that_cannot_be_played_is_left_out_by_all_until_something_changes() {
    let scratch = empty();
    let file = scratch.write("bulky.wasm", bulky("bulky"));
    for bot in [&file, &lh("lowest"), &lh("highest")] {
        submit(&scratch, bot, &["--no-play"]).expect(0);
    }
    let league = scratch.path("leagues/x");
    let run = || scratch.run(&league, "out", 2).expect(0);
    run();
    assert_eq!(table(&scratch).len(), 3);

    // A limit that it does not keep any more: the others play, exit code 0, and everything names it.
    let with = |bytes: u64| scratch.write("leagues/x.toml", format!("{HEAD}[limits]\ncode_bytes = {bytes}\n"));
    let size = (10..24).map(|power| 1 << power).find(|&bytes| {
        with(bytes);
        done(arena_command([
            "check".as_ref(),
            "--no-probes".as_ref(),
            file.as_os_str(),
            "--league".as_ref(),
            league.as_os_str(),
        ]))
        .code
            == Some(0)
    });
    let league_file = with(size.expect("the default suffices") / 2);
    let fits_others = scratch.run(&league, "out", 2);
    // Were the limit too small for the others as well, this would say so.
    let first = fits_others.expect(0);
    let reason = "Left out: bulky, which was submitted and cannot be played: its native code is longer than the limit";
    assert!(first.err.contains(reason) && first.out.contains(reason), "{}\n{}", first.out, first.err);
    let mut playing = table(&scratch);
    playing.sort();
    assert_eq!(playing, ["highest", "lowest"]);
    assert!(scratch.read("out/run.json").contains("\"left_out\""));
    assert!(scratch.read("out/journal.jsonl").contains("\"left_out\":[{\"name\":\"bulky\""));
    let shown = arena(["table".as_ref(), scratch.path("out").as_os_str()]).expect(0);
    assert!(shown.out.contains(reason), "{}", shown.out);
    let verified =
        arena(["verify".as_ref(), scratch.path("out").as_os_str(), "--league".as_ref(), league_file.as_os_str()]);
    verified.expect(0);
    let state = || about(&scratch, &["submissions"]).expect(0).out.contains("left out");
    assert!(!state());
    scratch.run(&league, "results/x", 2).expect(0);
    assert!(state(), "the results in the usual folder say it");
    // Again: nothing new, and the same files.
    let before = lasting_files(&scratch.path("out"));
    let again = run();
    assert!(again.out.contains(reason), "{}", again.out);
    assert_eq!(lasting_files(&scratch.path("out")), before);

    // The limit changes: it plays again. A bot that the league file itself enters stays an error.
    scratch.write("leagues/x.toml", HEAD);
    let back = run();
    assert!(!back.out.contains("Left out"), "{}", back.out);
    assert_eq!(table(&scratch).len(), 3);
    let own = format!(
        "{HEAD}[limits]\ncode_bytes = {}\n[[bots]]\npath = '{}'\nname = \"own\"\n",
        size.unwrap() / 2,
        file.display()
    );
    scratch.write("leagues/x.toml", own);
    let refused = scratch.run(&league, "out", 2).expect(2);
    assert!(refused.err.contains("the bot own"), "{}", refused.err);
}
