//! A league's submissions: who entered which bot, and when.
//!
//! A folder beside the league file. Each version of a bot is a file named by the SHA-256 of its content, written once
//! and never altered. `submissions.jsonl` has a line for each submission and withdrawal, appended under a lock. A bot
//! is stored before it is recorded: a record never names a file that is not there, and a file that no record names
//! harms nobody.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::draft::{Draft, sweep};
use crate::ids::{BotName, escaped, shown};
use crate::sandbox::module::sha256_hex;

/// The records' name in a folder of submissions.
pub const FILE_NAME: &str = "submissions.jsonl";

/// The longest name of an author, in characters.
const MOST_AUTHOR: usize = 60;

/// One submission or withdrawal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// When, in UTC, as of RFC 3339. Nothing depends on it.
    pub time: String,
    /// The bot's name in the league.
    pub name: BotName,
    /// Who did it.
    pub author: String,
    /// What was done.
    #[serde(flatten)]
    pub action: Action,
}

/// What a record says was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Action {
    /// A bot was entered, in the place of the one that had its name.
    Submit {
        /// The version that it names.
        version: Option<String>,
        /// The SHA-256 of its file, in lowercase hexadecimal.
        #[serde(deserialize_with = "hash")]
        sha256: String,
    },
    /// The bot plays no longer; its name stays its author's.
    Withdraw,
}

/// A hash becomes the name of a file: nothing else may stand in its place.
fn hash<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if is_hash(&text) {
        Ok(text)
    } else {
        Err(serde::de::Error::custom("sha256: 64 lowercase hexadecimal digits are wanted"))
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A name's author as it may be recorded.
///
/// # Errors
/// What is wrong with it.
pub fn checked_author(text: &str) -> Result<String, String> {
    let author = text.trim();
    let wrong = |reason: &str| Err(format!("\"{}\" is no author's name: {reason}", escaped(text, 80)));
    let odd_space = |c: char| c.is_whitespace() && c != ' ';
    if author.is_empty() {
        wrong("it is empty")
    } else if author.chars().count() > MOST_AUTHOR {
        wrong("it is longer than 60 characters")
    } else if escaped(author, MOST_AUTHOR) != author || author.contains('\\') {
        wrong("control and invisible characters and backslashes may not stand in it")
    } else if author.contains(odd_space) || author.contains("  ") {
        wrong("only single, ordinary spaces may stand in it")
    } else {
        Ok(author.to_owned())
    }
}

/// Whether two spellings are one author's, as with the names of bots: nobody can pose as `Ann` by writing `ANN`.
fn is_same_author(one: &str, other: &str) -> bool {
    // By way of capitals, or letters such as ß and ς would have two small forms.
    let folded = |author: &str| author.to_uppercase().to_lowercase();
    folded(one) == folded(other)
}

/// A version of a bot that was submitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version<'r> {
    /// When.
    pub time: &'r str,
    /// What it calls itself.
    pub version: Option<&'r str>,
    /// The SHA-256 of its file.
    pub sha256: &'r str,
}

/// A name, and what was submitted under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitted<'r> {
    /// The name as it was last written.
    pub name: &'r BotName,
    /// Whose it is.
    pub author: &'r str,
    /// Its versions, oldest first; never empty.
    pub versions: Vec<Version<'r>>,
    /// Whether it is withdrawn.
    pub withdrawn: bool,
}

impl<'r> Submitted<'r> {
    /// The newest version.
    pub fn newest(&self) -> Version<'r> {
        self.versions[self.versions.len() - 1]
    }

    /// The version that plays; none of a withdrawn bot.
    pub fn current(&self) -> Option<Version<'r>> {
        (!self.withdrawn).then(|| self.newest())
    }
}

/// What a folder of submissions says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Submissions {
    /// Every record, oldest first.
    pub records: Vec<Record>,
    /// Whether the last line has no end and is left out, as after a kill or a power cut.
    pub torn: bool,
}

impl Submissions {
    /// Reads the records of a folder; one that is not there has none.
    ///
    /// # Errors
    /// The operating system's, or the first line that is no record.
    pub fn read(folder: &Path) -> Result<Submissions, SubmissionsError> {
        let path = folder.join(FILE_NAME);
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Submissions::default()),
            Err(error) => return Err(io(&path, "read it")(error)),
        };
        // Somebody may be writing a line. Where there are no locks, that line is seen as torn.
        let _ = file.lock_shared();
        read(&mut file, &path).map(|(submissions, _)| submissions)
    }

    /// Every name, in the order of first submissions: a bot keeps its place among the others with a new version, so
    /// that blocks of the others stay as they are.
    pub fn bots(&self) -> Vec<Submitted<'_>> {
        let mut bots: Vec<Submitted<'_>> = Vec::new();
        let mut places = HashMap::new();
        for record in &self.records {
            let (name, author) = (&record.name, record.author.as_str());
            match &record.action {
                Action::Submit { version, sha256 } => {
                    let place = *places.entry(name.folded()).or_insert_with(|| {
                        bots.push(Submitted { name, author, versions: Vec::new(), withdrawn: false });
                        bots.len() - 1
                    });
                    let mut versions = std::mem::take(&mut bots[place].versions);
                    versions.push(Version { time: &record.time, version: version.as_deref(), sha256 });
                    bots[place] = Submitted { name, author, versions, withdrawn: false };
                }
                Action::Withdraw => {
                    if let Some(&place) = places.get(&name.folded()) {
                        bots[place].withdrawn = true;
                    }
                }
            }
        }
        bots
    }

    /// What was submitted under a name.
    pub fn bot(&self, name: &BotName) -> Option<Submitted<'_>> {
        self.bots().into_iter().find(|bot| bot.name.folded() == name.folded())
    }

    /// Whether a file with this SHA-256 was ever submitted.
    pub fn holds(&self, wanted: &str) -> bool {
        let submitted = |record: &Record| matches!(&record.action, Action::Submit { sha256, .. } if sha256 == wanted);
        self.records.iter().any(submitted)
    }
}

/// Where a folder of submissions keeps a bot's file.
pub fn stored_file(folder: &Path, sha256: &str) -> PathBuf {
    folder.join(format!("{sha256}.wasm"))
}

/// What is submitted.
#[derive(Debug, Clone, Copy)]
pub struct Submission<'a> {
    /// The bot's name in the league.
    pub name: &'a BotName,
    /// Who submits it, as [`checked_author`] gives it.
    pub author: &'a str,
    /// The version that it names.
    pub version: Option<&'a str>,
    /// Its file's content, which is a bot of the league's game.
    pub bytes: &'a [u8],
}

/// A folder of submissions open for writing, held by one process.
pub struct Ledger {
    folder: PathBuf,
    file: File,
    path: PathBuf,
    submissions: Submissions,
}

impl Ledger {
    /// Opens a folder of submissions, making it where it is not there. Waits for whoever has it open. Removes files that
    /// killed processes did not finish.
    ///
    /// # Errors
    /// The operating system's, or the first line that is no record.
    pub fn open(folder: &Path) -> Result<Ledger, SubmissionsError> {
        std::fs::create_dir_all(folder).map_err(io(folder, "make the folder"))?;
        let path = folder.join(FILE_NAME);
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(io(&path, "open it for writing"))?;
        // File systems without locks: going without is better than taking no submission.
        let _ = file.lock();
        sweep(folder, is_hash);
        let (submissions, end) = read(&mut file, &path)?;
        if submissions.torn {
            file.set_len(end as u64).map_err(io(&path, "cut off its torn last line"))?;
        }
        Ok(Ledger { folder: folder.to_owned(), file, path, submissions })
    }

    /// What is there now.
    pub fn submissions(&self) -> &Submissions {
        &self.submissions
    }

    /// Stores a bot and records it as its name's newest version; whether that was needed: what already plays under
    /// the name is not recorded again. When this returns, the disk has it.
    ///
    /// # Errors
    /// [`SubmissionsError::Taken`], or the operating system's; nothing is recorded then.
    pub fn submit(&mut self, submission: Submission<'_>) -> Result<bool, SubmissionsError> {
        let Submission { name, author, version, bytes } = submission;
        let there = self.submissions.bot(name);
        if let Some(taken) = there.as_ref().filter(|bot| !is_same_author(bot.author, author)) {
            return Err(SubmissionsError::taken(taken));
        }
        let sha256 = sha256_hex(bytes);
        let plays = there.and_then(|bot| bot.current()).is_some_and(|version| version.sha256 == sha256);
        self.store(&sha256, bytes)?;
        if !plays {
            let action = Action::Submit { version: version.map(str::to_owned), sha256 };
            self.append(name, author, action)?;
        }
        Ok(!plays)
    }

    /// Records that a bot plays no longer; whether that was needed.
    ///
    /// # Errors
    /// [`SubmissionsError::Taken`] where it is somebody else's, [`SubmissionsError::Unknown`], or the operating
    /// system's.
    pub fn withdraw(&mut self, name: &BotName, author: &str) -> Result<bool, SubmissionsError> {
        let bot = self.submissions.bot(name).ok_or_else(|| SubmissionsError::Unknown { name: name.clone() })?;
        if !is_same_author(bot.author, author) {
            return Err(SubmissionsError::taken(&bot));
        }
        if bot.withdrawn {
            return Ok(false);
        }
        let name = bot.name.clone();
        self.append(&name, author, Action::Withdraw)?;
        Ok(true)
    }

    /// Stores a file by its content. One that is there and whole is left as it is.
    fn store(&self, sha256: &str, bytes: &[u8]) -> Result<(), SubmissionsError> {
        let path = stored_file(&self.folder, sha256);
        if std::fs::read(&path).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        let write = || {
            let mut draft = Draft::create(&self.folder, sha256)?;
            let file = draft.file();
            file.write_all(bytes)?;
            let mut permissions = file.metadata()?.permissions();
            permissions.set_readonly(true);
            file.set_permissions(permissions)?;
            file.sync_all()?;
            draft.keep_as(&path)?;
            // The name too must survive a power cut before a record names it.
            #[cfg(unix)]
            File::open(&self.folder)?.sync_all()?;
            Ok(())
        };
        write().map_err(io(&path, "write it"))
    }

    fn append(&mut self, name: &BotName, author: &str, action: Action) -> Result<(), SubmissionsError> {
        let record = Record { time: now(), name: name.clone(), author: author.to_owned(), action };
        let json = serde_json::to_string(&record).expect("a record is plain data");
        let end = self.file.seek(SeekFrom::End(0)).map_err(io(&self.path, "write to it"))?;
        // Editors leave a last line without its end.
        let before = if self.ends_with_a_line() { "" } else { "\n" };
        let line = format!("{before}{json}\n");
        self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data()).map_err(|error| {
            // A full disk: leave whole lines only. If that fails too, the torn line is left out.
            let _ = self.file.set_len(end);
            io(&self.path, "write to it")(error)
        })?;
        self.submissions.records.push(record);
        Ok(())
    }

    /// Whether a line may be appended as it is; leaves the file at its end.
    fn ends_with_a_line(&mut self) -> bool {
        let mut last = [b'\n'];
        let read = self.file.seek(SeekFrom::End(-1)).and_then(|_| self.file.read_exact(&mut last));
        // An empty file has no last byte.
        read.is_err() || last == *b"\n"
    }
}

/// The records, and the length of all of them.
fn read(file: &mut File, path: &Path) -> Result<(Submissions, usize), SubmissionsError> {
    let mut text = Vec::new();
    file.read_to_end(&mut text).map_err(io(path, "read it"))?;
    let mut submissions = Submissions::default();
    let mut end = 0;
    for (number, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let blank = line.trim_ascii().is_empty();
        match serde_json::from_slice(line) {
            _ if blank => {}
            Ok(record) => submissions.records.push(record),
            // No beginning of a record is one: what lacks its end was never finished.
            Err(_) if !line.ends_with(b"\n") => {
                submissions.torn = true;
                break;
            }
            Err(error) => {
                let reason = escaped(&error.to_string(), 200);
                return Err(SubmissionsError::Line { path: path.to_owned(), line: number + 1, reason });
            }
        }
        end += line.len();
    }
    Ok((submissions, end))
}

/// The only place where a date is read.
fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    rfc3339(since.as_secs())
}

/// Seconds since 1970 as a date in UTC.
///
/// The civil calendar from a count of days, after Howard Hinnant: years begin in March, so that the leap day is last.
fn rfc3339(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z", era * 400 + year + next)
}

/// Submissions cannot be read or taken.
#[derive(Debug, thiserror::Error)]
pub enum SubmissionsError {
    /// The operating system's word.
    #[error("{}: failed to {doing}: {source}", shown(path))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A whole line that is no record: somebody altered it, and only somebody can mend it.
    #[error("{}:{line}: this is no record of a submission: {reason}", shown(path))]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The name is another author's.
    #[error("the name \"{name}\" is taken by {author}")]
    Taken {
        /// The name.
        name: BotName,
        /// Whose it is, escaped.
        author: String,
    },
    /// Nothing was submitted under this name.
    #[error("no bot named \"{name}\" was submitted")]
    Unknown {
        /// The name.
        name: BotName,
    },
}

impl SubmissionsError {
    fn taken(bot: &Submitted<'_>) -> SubmissionsError {
        SubmissionsError::Taken { name: bot.name.clone(), author: escaped(bot.author, MOST_AUTHOR) }
    }
}

fn io(path: &Path, doing: &'static str) -> impl FnOnce(std::io::Error) -> SubmissionsError {
    let path = path.to_owned();
    move |source| SubmissionsError::Io { path, doing, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> BotName {
        BotName::new(text).unwrap()
    }

    fn submit(folder: &Path, bot: &str, author: &str, bytes: &[u8]) -> Result<bool, SubmissionsError> {
        let submission = Submission { name: &name(bot), author, version: None, bytes };
        Ledger::open(folder)?.submit(submission)
    }

    /// Names and the bytes that play under them.
    fn playing(folder: &Path) -> Vec<(String, Vec<u8>)> {
        let submissions = Submissions::read(folder).unwrap();
        let bots = submissions.bots();
        let current = bots.iter().filter_map(|bot| Some((bot, bot.current()?)));
        current
            .map(|(bot, version)| (bot.name.to_string(), std::fs::read(stored_file(folder, version.sha256)).unwrap()))
            .collect()
    }

    fn bots(all: &[(&str, &[u8])]) -> Vec<(String, Vec<u8>)> {
        all.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect()
    }

    #[test]
    fn a_new_version_takes_the_place_of_the_old_one_which_stays_stored() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        assert!(submit(folder, "a", "ann", b"1").unwrap());
        assert!(submit(folder, "b", "bob", b"2").unwrap());
        assert!(submit(folder, "a", "ann", b"3").unwrap());
        assert_eq!(playing(folder), bots(&[("a", b"3"), ("b", b"2")]));
        assert_eq!(std::fs::read(stored_file(folder, &sha256_hex(b"1"))).unwrap(), b"1");
        assert!(std::fs::metadata(stored_file(folder, &sha256_hex(b"1"))).unwrap().permissions().readonly());
        let submissions = Submissions::read(folder).unwrap();
        assert_eq!(submissions.bot(&name("a")).unwrap().versions.len(), 2);
        // An older version may come back, and is a new record.
        assert!(submit(folder, "a", "ann", b"1").unwrap());
        assert_eq!(playing(folder), bots(&[("a", b"1"), ("b", b"2")]));
    }

    #[test]
    fn what_plays_already_is_not_recorded_again() {
        let folder = tempfile::tempdir().unwrap();
        assert!(submit(folder.path(), "a", "ann", b"1").unwrap());
        assert!(!submit(folder.path(), "a", "ann", b"1").unwrap());
        assert_eq!(Submissions::read(folder.path()).unwrap().records.len(), 1);
        // The stored file was damaged: the same submission mends it.
        let file = stored_file(folder.path(), &sha256_hex(b"1"));
        std::fs::remove_file(&file).unwrap();
        assert!(!submit(folder.path(), "a", "ann", b"1").unwrap());
        assert_eq!(std::fs::read(file).unwrap(), b"1");
    }

    #[test]
    fn a_name_is_its_authors_in_every_spelling_and_after_it_is_withdrawn() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        submit(folder, "Nash", "ann", b"1").unwrap();
        let error = submit(folder, "nash", "bob", b"2").unwrap_err();
        assert_eq!(error.to_string(), "the name \"Nash\" is taken by ann");
        let mut ledger = Ledger::open(folder).unwrap();
        assert!(ledger.withdraw(&name("nash"), "bob").unwrap_err().to_string().contains("taken by ann"));
        assert!(ledger.withdraw(&name("other"), "bob").unwrap_err().to_string().contains("no bot named \"other\""));
        assert!(ledger.withdraw(&name("nash"), "ann").unwrap());
        assert!(!ledger.withdraw(&name("nash"), "ann").unwrap());
        drop(ledger);
        assert!(playing(folder).is_empty());
        assert!(matches!(submit(folder, "nash", "bob", b"2"), Err(SubmissionsError::Taken { .. })));
        // The author may, with the same bytes too.
        assert!(submit(folder, "Nash", "ann", b"1").unwrap());
        assert_eq!(playing(folder), bots(&[("Nash", b"1")]));
    }

    #[test]
    fn a_torn_last_line_is_left_out_at_every_length_and_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        submit(folder.path(), "a", "ann", b"1").unwrap();
        let one = std::fs::read(&path).unwrap();
        submit(folder.path(), "b", "bob", b"2").unwrap();
        let two = std::fs::read(&path).unwrap();
        for cut in one.len() + 1..two.len() - 1 {
            std::fs::write(&path, &two[..cut]).unwrap();
            let torn = Submissions::read(folder.path()).unwrap();
            assert!(torn.torn && torn.records.len() == 1);
            submit(folder.path(), "c", "cid", b"3").unwrap();
            assert_eq!(playing(folder.path()), bots(&[("a", b"1"), ("c", b"3")]));
        }
    }

    #[test]
    fn a_last_line_without_its_end_counts_if_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        submit(folder.path(), "a", "ann", b"1").unwrap();
        let line = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, line.trim_end()).unwrap();
        submit(folder.path(), "b", "bob", b"2").unwrap();
        assert_eq!(playing(folder.path()), bots(&[("a", b"1"), ("b", b"2")]));
    }

    #[test]
    fn lines_that_are_no_records_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        submit(folder.path(), "a", "ann", b"1").unwrap();
        let good = std::fs::read_to_string(&path).unwrap();
        let bad = [
            good.replace(&sha256_hex(b"1"), "../../../etc/passwd"),
            good.replace("\"name\":\"a\"", "\"name\":\"../a\""),
            good.replace("\"submit\"", "\"eat\""),
            "garbage\n".to_owned(),
        ];
        for bad in bad {
            std::fs::write(&path, format!("{good}{bad}")).unwrap();
            let error = Submissions::read(folder.path()).unwrap_err().to_string();
            assert!(error.contains("submissions.jsonl:2: this is no record"), "{error}");
        }
    }

    #[test]
    fn an_author_is_one_in_any_case() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        submit(folder, "a", "Zoë Groß", b"1").unwrap();
        assert!(submit(folder, "a", "ZOË GROSS", b"2").unwrap());
        assert!(matches!(submit(folder, "a", "Zoe Gross", b"3"), Err(SubmissionsError::Taken { .. })));
        assert!(Ledger::open(folder).unwrap().withdraw(&name("a"), "zoë groß").unwrap());
    }

    #[cfg(unix)]
    #[test]
    fn what_a_killed_submission_left_is_removed_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let half = crate::draft::abandoned(folder.path(), &sha256_hex(b"1"));
        let others = crate::draft::abandoned(folder.path(), "notes");
        for path in [&half, &others] {
            std::fs::write(path, "half").unwrap();
        }
        submit(folder.path(), "b", "bob", b"2").unwrap();
        assert!(!half.exists() && others.exists());
    }

    #[test]
    fn authors_are_words_that_can_be_shown() {
        assert_eq!(checked_author(" Zoë, 2nd ").unwrap(), "Zoë, 2nd");
        for bad in
            ["", "  ", "a\nb", "a\u{1b}[2J", "a\u{202e}b", "a\\nb", &"x".repeat(61), "a  b", "a\u{a0}b", "a\u{3000}b"]
        {
            assert!(checked_author(bad).unwrap_err().contains("is no author's name"), "{bad:?}");
        }
        // Fillers: nothing is seen of them, and two authors would look as one.
        for filler in "\u{3164}\u{115f}\u{2800}\u{34f}\u{17b5}\u{fe0f}\u{ffa0}\u{1d173}\u{e0100}".chars() {
            let bad = format!("ann{filler}");
            assert!(checked_author(&bad).unwrap_err().contains("is no author's name"), "{bad:?}");
        }
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        // As `date -u -d @N +%FT%TZ` says.
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_796_036_669, "2026-11-30T11:04:29Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(rfc3339(seconds), date);
        }
    }
}
