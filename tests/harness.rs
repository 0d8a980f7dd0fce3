//! Runs the real binary.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository is there")
}

/// A prebuilt example bot.
pub fn bot(game: &str, name: &str) -> PathBuf {
    repository().join("example-bots/wasm").join(game).join(format!("{name}.wasm"))
}

/// What a command printed, and how it ended.
pub struct Done {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Done {
    pub fn of(output: Output) -> Done {
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Done { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// The command must have ended with this code.
    #[track_caller]
    pub fn expect(self, code: i32) -> Done {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }
}

/// The binary with these arguments, not started yet.
pub fn arena_command<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(arguments).env_remove("RUST_LOG");
    // Never the user's own cache.
    command.env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command
}

/// Runs the binary to its end.
pub fn arena<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Done {
    Done::of(arena_command(arguments).output().expect("the binary starts"))
}

/// A command that goes on with the arguments of another, and has that one's environment.
pub fn with_command(outer: &Command, inner: &Command) -> Command {
    let mut command = Command::new(outer.get_program());
    command.args(outer.get_args()).args(inner.get_args());
    for (key, value) in outer.get_envs().chain(inner.get_envs()) {
        match value {
            Some(value) => command.env(key, value),
            None => command.env_remove(key),
        };
    }
    command
}

/// A folder for one test, with a league in it.
pub struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    pub fn new() -> Scratch {
        Scratch { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, and the folders above it.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a folder");
        std::fs::write(&path, contents).expect("a file");
        path
    }

    /// A league of these bots: name and file.
    pub fn league(&self, file: &str, head: &str, bots: &[(&str, PathBuf)]) -> PathBuf {
        let mut text = head.to_owned();
        for (name, path) in bots {
            text += &format!("\n[[bots]]\nname = \"{name}\"\npath = '{}'\n", path.display());
        }
        self.write(file, text)
    }

    /// Runs a league into a folder of this one.
    #[track_caller]
    pub fn run(&self, league: &Path, out: &str, threads: u32) -> Done {
        let out = self.path(out);
        arena([
            "run".as_ref(),
            league.as_os_str(),
            "--out".as_ref(),
            out.as_os_str(),
            "--threads".as_ref(),
            threads.to_string().as_ref(),
        ])
    }

    /// A file as text.
    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

/// A CSV file's rows, by column name.
pub fn rows(csv: &str) -> Vec<std::collections::HashMap<String, String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    reader.deserialize().collect::<Result<_, _>>().expect("a CSV file")
}

/// `run.json` without what the sitting alone decides.
pub fn lasting(run_json: &str) -> serde_json::Value {
    let mut json: serde_json::Value = serde_json::from_str(run_json).expect("run.json is JSON");
    json.as_object_mut().expect("an object").remove("sitting").expect("it has a sitting");
    json
}

/// The whole lines of a results folder's journal that are blocks, in its order; none where there is no journal.
pub fn block_lines(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("journal.jsonl")).unwrap_or_default();
    let whole = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    whole.filter(|line| line.contains("\"line\":\"block\"")).map(str::to_owned).collect()
}

/// The files of a results folder that must not depend on how it was played; the journal's lines in any order.
pub fn lasting_files(folder: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a results folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("text");
        let text = match name.as_str() {
            "run.json" => lasting(&text).to_string(),
            "journal.jsonl" => {
                let mut lines = block_lines(folder);
                lines.sort_unstable();
                lines.join("\n")
            }
            _ => text,
        };
        files.push((name, text));
    }
    files.sort();
    files
}

/// Copies a folder with all that is in it.
pub fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("a copy");
        }
    }
}
