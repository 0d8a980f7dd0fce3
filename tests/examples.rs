//! Every command that help or the documentation shows runs, and prints what is shown.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::{Done, Scratch, arena_command, bot, copy_folder, repository};

/// A folder in which all names of the examples mean something.
struct Workshop {
    scratch: Scratch,
}

const SMALL: &str = "game = \"little-hunters\"\nseed = 2026\ndeals = 20\nblock = 10\n";

impl Workshop {
    fn new() -> Workshop {
        let scratch = Scratch::new();
        let lh = |name: &str| bot("little-hunters", name);
        let copy = |name: &str, file: &str| scratch.write(file, std::fs::read(lh(name)).expect("a bot"));
        for (name, files) in [
            ("nash", &["a.wasm", "new.wasm", "new1.wasm", "new/nash.wasm", "bots/nash.wasm"][..]),
            ("uniform", &["b.wasm", "old.wasm", "bot.wasm", "old/uniform.wasm"]),
            ("reader", &["new2.wasm", "reader.wasm", "inbox/reader.wasm"]),
        ] {
            files.iter().for_each(|file| drop(copy(name, file)));
        }
        scratch.write("my-bot.wasm", renamed(&std::fs::read(lh("uniform")).expect("a bot")));

        let root = repository();
        copy_folder(&root.join("example-bots/wasm"), &scratch.path("example-bots/wasm"));
        for file in std::fs::read_dir(root.join("leagues")).expect("leagues") {
            let file = file.expect("an entry").path();
            if file.is_file() {
                let text = std::fs::read_to_string(&file).expect("a league");
                let few = |line: &str| if line.starts_with("deals = ") { "deals = 10".into() } else { line.to_owned() };
                let text: Vec<_> = text.lines().map(few).collect();
                let name = file.file_name().expect("a name").to_string_lossy();
                scratch.write(&format!("leagues/{name}"), text.join("\n"));
            }
        }
        for name in std::fs::read_dir(root.join("tests/data")).expect("data") {
            let file = name.expect("an entry").path();
            let name = file.file_name().expect("a name").to_string_lossy().into_owned();
            scratch.write(&format!("tests/data/{name}"), std::fs::read(&file).expect("a file"));
        }
        scratch.write("games.pgn", std::fs::read(root.join("tests/data/engines-frc-2021.pgn")).expect("a file"));
        scratch.write("games.csv", "Host,Guest,Goals\nann,bob,2-1\nbob,ann,1-1\nann,bob,0-3\n");
        let own = [("nash", lh("nash")), ("uniform", lh("uniform"))];
        scratch.league("my-league.toml", SMALL, &own);
        // A league in which somebody's decisions fail.
        let bad = wat::parse_file(root.join("tests/hostile/illegal_actions.wat")).expect("a module");
        let mine = scratch.write("mine.wasm", bad);
        scratch.league("leagues/x.toml", SMALL, &[("mine", mine), own[0].clone(), own[1].clone()]);
        // The league of the documentation.
        scratch.write("leagues/autumn.toml", "game = \"little-hunters\"\nseed = 2026\ndeals = 1000\n");
        let workshop = Workshop { scratch };
        for command in [
            "mkdir -p fpath home/.local/share/bash-completion/completions home/.config/fish/completions",
            "arena run leagues/little-hunters.toml",
            "arena run my-league.toml --out results/trial",
            "arena run leagues/x",
            "arena submit my-bot.wasm --league leagues/x --no-play",
        ] {
            workshop.run(command).expect(0);
        }
        workshop
    }

    /// The league of the documentation, as it is before its fifth bot comes.
    fn autumn(&self) {
        for folder in ["leagues/autumn.submissions", "results/autumn"] {
            std::fs::remove_dir_all(self.scratch.path(folder)).ok();
        }
        for name in ["uniform", "nash", "lowest", "highest"] {
            let file = format!("example-bots/wasm/little-hunters/{name}.wasm");
            self.run(&format!("arena submit {file} --league leagues/autumn --no-play")).expect(0);
        }
        self.run("arena run leagues/autumn").expect(0);
    }

    /// Runs a line as a shell would here, with nobody at the keyboard.
    fn run(&self, line: &str) -> Done {
        // zsh has this array; tables need not be set in columns.
        let script = format!("set -euo pipefail; fpath=(. fpath); column() {{ cat; }}; {line}");
        let program = Path::new(env!("CARGO_BIN_EXE_arena")).parent().expect("a folder");
        let search = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
        let template = arena_command([""; 0]);
        let mut shell = Command::new("bash");
        shell.args(["-c", &script]).current_dir(self.scratch.path("")).stdin(Stdio::null());
        shell.envs(template.get_envs().filter_map(|(key, value)| Some((key, value?)))).env_remove("RUST_LOG");
        shell.env("PATH", search).env("HOME", self.scratch.path("home"));
        Done::of(shell.output().expect("bash starts"))
    }
}

/// The bot by another name and author: JSON does not mind the blanks.
fn renamed(module: &[u8]) -> Vec<u8> {
    let mut module = module.to_vec();
    for (old, new) in [("\"uniform\"", "\"my-bot\" "), ("\"arena\"", "\"ann\"  ")] {
        let at = module.windows(old.len()).position(|part| part == old.as_bytes()).expect("it is in the metadata");
        module[at..at + old.len()].copy_from_slice(new.as_bytes());
    }
    module
}

/// A shown line's command, without the words that explain it, which stand apart.
fn without_remark(line: &str) -> &str {
    let line = line.trim();
    line.find("  ").map_or(line, |end| &line[..end])
}

fn help(words: &[&str]) -> String {
    // Wide enough that nothing is wrapped.
    let mut command = arena_command(words);
    Done::of(command.arg("--help").env("COLUMNS", "1000").output().expect("the binary starts")).expect(0).out
}

fn examples(help: &str) -> Vec<String> {
    let (_, examples) = help.split_once("\nExamples:\n").unwrap_or_default();
    let lines = examples.lines().take_while(|line| line.starts_with("  arena "));
    lines.map(|line| without_remark(line).to_owned()).collect()
}

/// The same command, ending sooner.
fn shortened(command: &str) -> String {
    match command {
        _ if command.starts_with("arena bench") => {
            format!("{} --seconds 0.01 --no-pipes", command.replace(" --seconds 5", ""))
        }
        _ if command.starts_with("arena watch") && command.contains("--once") => format!("{command} --every 10ms"),
        _ if command.starts_with("arena watch") => {
            format!("{command} --once {}", if command.contains("--every") { "" } else { "--every 10ms" })
                .replace("--every 1m", "--every 10ms")
        }
        _ => command.replace("--deals 5000", "--deals 50").replace("--samples 5000", "--samples 20"),
    }
}

#[test]
fn every_example_of_every_help_runs() {
    let whole = help(&[]);
    let (_, list) = whole.split_once("\nCommands:\n").expect("a list of commands");
    let names = list.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    let names: Vec<_> = names.filter(|&name| name != "help").collect();
    assert!(names.contains(&"run") && names.contains(&"completions"), "{names:?}");
    let mut commands = examples(&whole);
    for name in names {
        let own = examples(&help(&[name]));
        assert!(!own.is_empty(), "arena {name} --help has no examples");
        assert!(own.iter().all(|line| line.split(' ').nth(1) == Some(name)), "{own:?}");
        commands.extend(own);
    }
    let workshop = Workshop::new();
    let mut failed = Vec::new();
    for command in commands {
        // Two examples may make the same folder.
        std::fs::remove_dir_all(workshop.scratch.path("my-bot")).ok();
        let done = workshop.run(&shortened(&command));
        if done.code != Some(0) {
            failed.push(format!("{command}\nexits with {:?}: {}", done.code, done.err));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A command of a page, and the lines shown after it.
struct Shown {
    place: String,
    command: String,
    output: Vec<String>,
}

fn shown(page: &str, text: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    // Whether in a block, and whether output of the last command stands there.
    let (mut block, mut output) = (false, false);
    for (number, line) in text.lines().enumerate() {
        let place = format!("{page}:{}", number + 1);
        if line.starts_with("```") {
            block = !block;
            output = false;
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| block) {
            output = command.starts_with("arena ");
            if output {
                found.push(Shown { place, command: command.to_owned(), output: Vec::new() });
            }
        } else if block && !output && line.starts_with("arena ") {
            found.push(Shown { place, command: without_remark(line).to_owned(), output: Vec::new() });
        } else if let Some(last) = found.last_mut().filter(|_| block && output) {
            last.output.push(line.to_owned());
        }
    }
    found
}

/// Times of day differ.
fn timeless(line: &str) -> String {
    let is_time = |word: &&str| word.len() == 20 && word.ends_with('Z') && word.as_bytes()[10] == b'T';
    line.split(' ').map(|word| if is_time(&word) { "TIME" } else { word }).collect::<Vec<_>>().join(" ")
}

/// Whether the shown lines are the printed ones, "…" standing for any that are left out.
fn is_what(printed: &str, shown: &[String]) -> Result<(), String> {
    let printed: Vec<_> = printed.lines().map(timeless).collect();
    let mut at = 0;
    let parts: Vec<_> = shown.split(|line| line == "…").collect();
    for (number, part) in parts.iter().enumerate() {
        let part: Vec<_> = part.iter().map(|line| timeless(line)).collect();
        let (first, last) = (number == 0, number + 1 == parts.len());
        let fits = |start: &usize| {
            printed[*start..].starts_with(&part) && (!last || part.is_empty() || start + part.len() == printed.len())
        };
        let range = if first { at..at + 1 } else { at..printed.len() + 1 };
        let start = range.into_iter().find(fits);
        at = start.ok_or_else(|| format!("not printed as shown:\n{}", part.join("\n")))? + part.len();
    }
    if parts.len() == 1 && at != printed.len() {
        return Err("more is printed than shown".into());
    }
    Ok(())
}

#[test]
fn what_is_shown_is_compared_line_by_line() {
    let shown = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let printed = "a\nb 2026-11-30T11:22:05Z\nc\nd\n";
    for fits in ["a\nb 2001-01-01T00:00:00Z\nc\nd", "a\n…\nd", "a\n…", "…\nc\nd", "a\n…\nc\n…\nd", "a\n…\nc\n…"]
    {
        is_what(printed, &shown(fits)).unwrap();
    }
    for differs in ["a", "a\n…\nc", "…\nb", "b\n…", "a\n…\nd\n…\nc\n…", "a\nb\nc\nd"] {
        assert!(is_what(printed, &shown(differs)).is_err(), "{differs}");
    }
}

#[test]
fn every_command_of_the_documentation_runs_and_prints_what_is_shown() {
    let root = repository();
    let mut pages = vec!["README.md".to_owned()];
    for entry in std::fs::read_dir(root.join("arena/docs")).expect("the pages") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        pages.extend(name.ends_with(".md").then(|| format!("arena/docs/{name}")));
    }
    let text = |page: &String| std::fs::read_to_string(root.join(page)).expect("a page");
    let commands: Vec<_> = pages.iter().flat_map(|page| shown(page, &text(page))).collect();
    assert!(commands.len() >= 10, "{} commands are found", commands.len());
    let workshop = Workshop::new();
    let mut failed = Vec::new();
    for Shown { place, command, output } in commands {
        // The page shows how it is refused.
        let refused = output.iter().any(|line| line.starts_with("error: "));
        if refused {
            workshop.scratch.write("my-league.toml", "game = \"little-hunters\"\nseed = \"x\"\n");
        }
        if command.starts_with("arena submit ") {
            workshop.autumn();
        }
        let done = workshop.run(&command);
        if done.code != Some(if refused { 2 } else { 0 }) {
            failed.push(format!("{place}: {command}\nexits with {:?}: {}", done.code, done.err));
        // What a reader builds, this does not know. The error stream may be shown too, and then comes first.
        } else if !output.is_empty()
            && !command.contains(" bot.wasm")
            && is_what(&done.out, &output).is_err()
            && let Err(reason) = is_what(&(done.err.clone() + &done.out), &output)
        {
            failed.push(format!("{place}: {command}\n{reason}\nbut:\n{}{}", done.err, done.out));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
