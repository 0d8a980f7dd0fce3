//! `arena new`, from nothing to a match.

use std::path::{Path, PathBuf};
use std::process::Command;

use arena::games::GameId;

use crate::harness::{Done, Scratch, arena, bot, copy_folder};
use crate::ordinary::an_ordinary_program_in_rust_plays;

fn new(folder: &Path, game: GameId, language: &str) -> Done {
    let folder = folder.to_string_lossy();
    arena(["new", &folder, "--game", game.name(), "--lang", language])
}

/// What a new bot's README says to do before `arena check`.
pub fn commands(readme: &str) -> String {
    let commands = readme.lines().filter_map(|line| line.strip_prefix("    "));
    commands.take_while(|line| !line.starts_with("arena ")).map(|line| format!("{line}\n")).collect()
}

/// Makes a bot for Little Hunters.
pub fn new_bot(folder: &Path, language: &str) {
    new(folder, GameId::LittleHunters, language).expect(0);
}

/// Makes a bot for every game in one folder, so that its compiler compiles the SDK once, builds it as its README says, and
/// plays it against an example bot. Gives the folder.
fn journey(language: &str, scratch: &Scratch) -> PathBuf {
    let project = scratch.path("my-bot");
    for &game in GameId::ALL {
        let fresh = scratch.path(game.name()).join("my-bot");
        std::fs::create_dir(scratch.path(game.name())).expect("a folder");
        new(&fresh, game, language).expect(0);
        copy_folder(&fresh, &project);
        build(&project);

        let module = project.join("bot.wasm");
        let checked = arena(["check".as_ref(), module.as_os_str()]).expect(0).out;
        assert!(checked.contains(&format!("  game          {game}\n")), "{checked}");
        assert!(checked.ends_with("my-bot: ready to submit\n"), "{checked}");
        let opponent = bot(game.name(), if game == GameId::LittleHunters { "uniform" } else { "random" });
        let mut lineup = vec![opponent; game.info().seats.0];
        lineup[0] = module;
        let played = arena([PathBuf::from("play")].iter().chain(&lineup)).expect(0);
        assert!(played.out.contains("my-bot"), "{}", played.out);
        assert!(!played.out.contains("fails"), "{}", played.out);
        submit(scratch, game, &project.join("bot.wasm"));
    }
    project
}

/// Enters it in a league with two of the example bots, and looks where it stands.
fn submit(scratch: &Scratch, game: GameId, module: &Path) {
    let others = example_bots::BOTS.iter().filter(|other| other.game == game.name());
    let others: Vec<_> = others.take(2).map(|other| (other.name, bot(game.name(), other.name))).collect();
    let head = format!("game = \"{game}\"\nseed = 1\ndeals = 4\n");
    let league = scratch.league(&format!("{game}.toml"), &head, &others);
    let out = scratch.path(&format!("{game}-out"));
    let command = ["submit".as_ref(), module.as_os_str(), "--league".as_ref(), league.as_os_str()];
    let done = arena(command.into_iter().chain(["--out".as_ref(), out.as_os_str()])).expect(0);
    assert!(done.out.contains(" of 3, "), "{}", done.out);
    assert!(!done.out.contains("failed"), "{}", done.out);
}

/// Does what the README says.
fn build(project: &Path) {
    let readme = std::fs::read_to_string(project.join("README.md")).expect("a README");
    build_with(project, &commands(&readme));
}

/// Does what these lines say.
pub fn build_with(project: &Path, lines: &str) {
    let built = Command::new("bash").args(["-euc", lines]).current_dir(project).output();
    Done::of(built.expect("bash starts")).expect(0);
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Whether to go on without something: only where nothing requires the language, as `ARENA_REQUIRE_COMPILERS=c,rust` does.
pub fn skipped(language: &str, missing: Option<&str>) -> bool {
    if let Some(missing) = missing {
        let required = std::env::var("ARENA_REQUIRE_COMPILERS").unwrap_or_default();
        assert!(required.split(',').all(|required| required != language), "{language}: there is no {missing}");
        eprintln!("skipped: no {missing}");
    }
    missing.is_some()
}

pub fn missing_for_c() -> Option<&'static str> {
    ["clang", "wasm-ld"].into_iter().find(|program| !is_there(program))
}

#[test]
fn a_new_bot_in_c_builds_and_plays() {
    if !skipped("c", missing_for_c()) {
        journey("c", &Scratch::new());
    }
}

#[test]
fn a_bot_in_c_logs() {
    if skipped("c", missing_for_c()) {
        return;
    }
    let scratch = Scratch::new();
    let project = scratch.path("talker");
    new(&project, GameId::LittleHunters, "c").expect(0);
    let start = "dice = arena_rng_new(seed);";
    let source = scratch.read("talker/bot.c").replace(start, &format!("{start} arena_log(\"Grüße\");"));
    scratch.write("talker/bot.c", source);
    build(&project);
    let module = project.join("bot.wasm");
    let played = arena(["play".as_ref(), module.as_os_str(), module.as_os_str()]).expect(0);
    assert!(played.out.contains("talker (0) says: Grüße\n"), "{}", played.out);
}

#[test]
fn a_new_bot_in_rust_builds_tests_itself_and_plays() {
    let library = |rustc: &str, path: &str| {
        let output = Command::new(rustc).args(["--print", "sysroot"]).output();
        let sysroot = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        sysroot.is_ok_and(|sysroot| Path::new(&sysroot).join("lib/rustlib").join(path).is_dir())
    };
    let way = library("rustc", "wasm32-unknown-unknown") || library("/usr/bin/rustc", "src/rust/library");
    if !skipped("rust", (!way).then_some("rustc for wasm32-unknown-unknown")) {
        let scratch = Scratch::new();
        let project = journey("rust", &scratch);
        an_ordinary_program_in_rust_plays(&project);
    }
}

#[test]
fn every_language_makes_a_folder_named_as_the_bot() {
    let scratch = Scratch::new();
    for language in ["rust", "c", "assemblyscript", "zig", "wat"] {
        for &game in GameId::ALL {
            let name = format!("{language}-{game}");
            let folder = scratch.path(&name);
            let done = new(&folder, game, language);
            if (language, done.code) == ("wat", Some(2)) {
                assert!(done.err.contains("but for little-hunters, card-hunt"), "{}", done.err);
                assert!(!folder.exists());
                continue;
            }
            let done = done.expect(0);
            let readme = scratch.read(&format!("{name}/README.md"));
            assert!(readme.starts_with(&format!("# {name}\n")), "{readme}");
            assert!(readme.contains(game.info().title), "{readme}");
            let commands = commands(&readme);
            assert!(!commands.is_empty() && commands.lines().all(|line| done.out.contains(line)), "{}", done.out);
            let seats = " bot.wasm".repeat(game.info().seats.0);
            assert!(readme.contains(&format!("    arena play{seats}\n")), "{readme}");
            for text in [&readme, &done.out] {
                assert!(text.contains("put your name as "), "{text}");
                assert!(text.ends_with("\n    arena submit bot.wasm --league leagues/x.toml\n"), "{text}");
            }
            assert!(scratch.read(&format!("{name}/RULES.md")).starts_with(&format!("# {}\n", game.info().title)));
        }
    }
}

/// The author is in the bot, and whoever leaves it open is told.
/// A shell takes the line that is shown as one folder and runs nothing in it.
#[test]
fn the_way_to_a_new_bot_can_be_pasted_whatever_its_folder_is_called() {
    let scratch = Scratch::new();
    for (folder, shown) in
        [("a b's/my-bot", r"a b'\''s/my-bot'"), ("$(x)/my-bot", "$(x)/my-bot'"), ("plain/my-bot", "plain/my-bot")]
    {
        let path = scratch.path(folder);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let told = new(&path, GameId::LittleHunters, "rust").expect(0).out;
        let line = told.lines().find_map(|line| line.strip_prefix("    cd ")).expect("the way there");
        assert!(line.ends_with(shown) && line.starts_with('\'') == line.ends_with('\''), "{line}");
        #[cfg(unix)]
        {
            let there = Command::new("sh").args(["-c", &format!("cd {line} && pwd")]).output().unwrap();
            let there = String::from_utf8(there.stdout).unwrap();
            assert_eq!(Path::new(there.trim_end()).canonicalize().unwrap(), path.canonicalize().unwrap());
        }
    }
}

#[test]
fn a_new_bot_has_an_author() {
    let scratch = Scratch::new();
    let path = |name: &str| scratch.path(name).to_string_lossy().into_owned();
    for (more, author) in [(&["--author", "Ann Õun"][..], "Ann Õun"), (&[], "me")] {
        let folder = path(&format!("by-{}", author.len()));
        let words = ["new", &folder, "--game", "card-hunt", "--lang", "assemblyscript"];
        let done = arena(words.iter().chain(more)).expect(0);
        assert_eq!(done.out.contains("put your name as its author first"), author == "me", "{}", done.out);
        let text = scratch.read(&format!("by-{}/bot.json", author.len()));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("JSON")["author"], author);
    }
    scratch.write("x.toml", "game = \"little-hunters\"\ndeals = 1\n");
    let (file, league) = (bot("little-hunters", "nash").display().to_string(), path("x"));
    for (author, told) in [("me", true), ("ann", false)] {
        let words = ["submit", &file, "--league", &league, "--no-play", "--author", author, "--name", author];
        let done = arena(words).expect(0);
        assert_eq!(done.err.contains("Its author is \"me\", as `arena new` leaves it"), told, "{}", done.err);
    }
}

/// What goes wrong is told, and leaves nothing behind.
#[test]
fn a_new_bot_is_refused_whole() {
    let scratch = Scratch::new();
    let there = scratch.write("there/mine.txt", "mine");
    let path = |name: &str| scratch.path(name).to_string_lossy().into_owned();
    for (arguments, message) in [
        (vec![path("there"), "--game".into(), "card-hunt".into()], "it is there already"),
        (vec![path("a,b"), "--game".into(), "card-hunt".into()], "\"a,b\" is not a valid bot name"),
        (vec![path("a\u{1b}[2J"), "--game".into(), "card-hunt".into()], "a\\u{1b}[2J"),
        (vec![path("x"), "--game".into(), "chess".into()], "there is no such game; there are little-hunters"),
        (
            vec![path("x"), "--game".into(), "card-hunt".into(), "--lang".into(), "c++".into()],
            "the languages are rust, c",
        ),
        (vec![path("no/x"), "--game".into(), "card-hunt".into()], "failed to make the folder"),
        (vec![path("x")], "--game"),
        (vec![".".into(), "--game".into(), "card-hunt".into()], "name a folder that is not there yet, such as my-bot"),
        (vec![path("x"), "--game".into(), "little_hunters".into()], "did you mean `little-hunters`?"),
        (
            vec![path("x"), "--game".into(), "card-hunt".into(), "--author".into(), "a\"b".into()],
            "quotation marks and braces may not stand in it",
        ),
    ] {
        let done = arena([vec!["new".to_owned()], arguments].concat()).expect(2);
        assert!(done.err.contains(message), "{}", done.err);
        assert!(!done.err.contains('\u{1b}'), "{:?}", done.err);
    }
    assert_eq!(std::fs::read(there).expect("the file"), b"mine");
    assert_eq!(std::fs::read_dir(scratch.path("")).expect("the folder").count(), 1);
}
