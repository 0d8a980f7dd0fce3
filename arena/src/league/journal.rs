//! The journal: a run's single truth.
//!
//! A text file with a line for each finished block, in any order, appended as soon as it is finished. Each line is
//! 16 hexadecimal digits of a checksum, a space, and JSON; a line that says what is played begins every sitting. A
//! line that was torn by the end of the process is dropped when the journal is opened, and its block is
//! played again; so is a line that somebody changed, and so are lines of one key that contradict each other: a key
//! has one outcome, and which line has it the journal cannot say. The same line twice counts once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::identity::Identity;
use super::key::Key;
use crate::ids::shown;
use crate::tally::BlockTally;

/// The journal's name in a results folder.
pub const FILE_NAME: &str = "journal.jsonl";

/// A finished block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The block's key: a hash of all that its tally is a function of.
    pub key: Key,
    /// The hashes of the lineup's bots, in its order.
    pub bots: Vec<String>,
    /// The first deal.
    pub first: u64,
    /// What came of it.
    pub tally: BlockTally,
}

enum Line {
    /// What is played from here on.
    Run(Box<Identity>),
    Block(Entry),
}

/// What a line says it is. The rest is then read by the type that it names: one type for both would take twice the time.
#[derive(Deserialize)]
struct Named {
    line: Kind,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Run,
    Block,
}

#[derive(Serialize)]
#[serde(tag = "line", rename_all = "snake_case")]
enum LineRef<'a> {
    Run(&'a Identity),
    Block(&'a Entry),
}

/// A damaged or contradicted line is crossed out with this once it is reported, in place: its block is played again and
/// stands elsewhere.
const MENDED: u8 = b'-';

/// An open journal, held by one process.
pub struct Journal {
    file: File,
    path: PathBuf,
}

/// What a journal holds beside its entries.
#[derive(Default)]
pub struct Contents {
    /// What the last sitting played.
    pub identity: Option<Identity>,
    /// Numbers (from 1) of lines that are damaged; their blocks count as not played.
    pub damaged: Vec<usize>,
    /// Lines that contradict each other; their blocks count as not played, though their entries were handed out.
    pub contradictions: Vec<Contradiction>,
    /// Where all these lines are, in bytes, without their ends.
    spans: Vec<std::ops::Range<u64>>,
    /// Whether the last line had no end.
    pub torn: bool,
}

/// Lines of one key with different outcomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The key.
    pub key: Key,
    /// The numbers of the lines, from 1; two or more.
    pub lines: Vec<usize>,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (last, others) = self.lines.split_last().expect("two lines or more");
        let others: Vec<_> = others.iter().map(usize::to_string).collect();
        write!(
            f,
            "lines {} and {last} contradict each other: they give one block different outcomes",
            others.join(", ")
        )
    }
}

impl Contents {
    /// Refuses a journal that contradicts itself. `folder` is where it is.
    ///
    /// # Errors
    /// [`JournalError::Contradictory`].
    pub fn refuse_contradictions(&self, folder: &Path) -> Result<(), JournalError> {
        match self.contradictions.as_slice() {
            [] => Ok(()),
            all => Err(JournalError::Contradictory { path: folder.join(FILE_NAME), contradictions: all.to_vec() }),
        }
    }
}

/// The journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
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
    /// There can be no results folder at this place.
    #[error("{}: no results can be kept here: {source}; --out names another folder", shown(path))]
    Unusable {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is no longer where it was: what is written to it now, nobody would find.
    #[error("{}: the journal was removed or replaced while a run was using it", shown(path))]
    Vanished {
        /// The file.
        path: PathBuf,
    },
    /// Lines give one block different outcomes.
    #[error("{}", contradictory(path, contradictions))]
    Contradictory {
        /// The file.
        path: PathBuf,
        /// The lines.
        contradictions: Vec<Contradiction>,
    },
    /// Another process writes to the same folder.
    #[error(
        "{}: another run is using this results folder; wait for it, or choose another folder with --out",
        shown(path)
    )]
    Locked {
        /// The folder.
        path: PathBuf,
    },
}

fn contradictory(path: &Path, contradictions: &[Contradiction]) -> String {
    const SHOWN: usize = 10;
    let mut lines: Vec<_> =
        contradictions.iter().take(SHOWN).map(|lines| format!("{}: {lines}", shown(path))).collect();
    if contradictions.len() > SHOWN {
        lines.push(format!("… and {} more blocks", contradictions.len() - SHOWN));
    }
    lines.push("`arena run` of the league drops these lines and plays their blocks again".into());
    lines.join("\n")
}

/// A line as it stands in the file.
fn text_of(line: &LineRef<'_>) -> String {
    let json = serde_json::to_string(line).expect("a journal line is plain data");
    format!("{} {json}\n", checksum(json.as_bytes()))
}

fn checksum(json: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(json)[..8])
}

fn parse(line: &[u8]) -> Option<Line> {
    let (sum, json) = (line.get(..16)?, line.get(17..)?);
    if line[16] != b' ' || checksum(json).as_bytes() != sum {
        return None;
    }
    let Named { line } = serde_json::from_slice(json).ok()?;
    match line {
        Kind::Run => serde_json::from_slice(json).ok().map(|identity| Line::Run(Box::new(identity))),
        Kind::Block => serde_json::from_slice(json).ok().map(Line::Block),
    }
}

/// What a file where a journal belongs begins with.
pub enum Beginning {
    /// It is not there, or it is empty.
    Nothing,
    /// It cannot be read; whoever opens it learns why.
    Unread,
    /// A journal; what its first line that says so was of.
    Played(Box<Identity>),
    /// A journal of which no line says what was played.
    Damaged,
    /// Somebody's file: no line of it is one of a journal, nor looks as if it had been.
    Foreign {
        /// The file.
        path: PathBuf,
    },
}

/// Whether a line that does not parse may have been one of a journal: damaged, crossed out, or, in the first line, torn.
/// It is at least as long as a checksum: shorter lines of dashes or digits are in other people's files.
fn looks_like_a_line(line: &[u8], first: bool) -> bool {
    let hexadecimal = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    match line.split_at_checked(16) {
        Some((sum, rest)) if sum.iter().all(hexadecimal) => rest.first().map_or(first, |&byte| byte == b' '),
        Some((_, rest)) => !rest.is_empty() && line.iter().all(|&byte| byte == MENDED),
        None => false,
    }
}

impl Journal {
    /// Looks what the file in a results folder is, without reading more of it than is needed.
    pub fn beginning(folder: &Path) -> Beginning {
        let path = folder.join(FILE_NAME);
        let metadata = match path.metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Beginning::Nothing,
            Err(_) => return Beginning::Unread,
        };
        if !metadata.is_file() {
            return Beginning::Foreign { path };
        }
        let Ok(file) = File::open(&path) else { return Beginning::Unread };
        let mut ours = false;
        let mut any = false;
        for line in BufReader::with_capacity(1 << 16, file).split(b'\n') {
            let Ok(line) = line else { break };
            let first = !std::mem::replace(&mut any, true);
            match parse(&line) {
                Some(Line::Run(identity)) if identity.is_possible() => return Beginning::Played(identity),
                Some(_) => ours = true,
                None => ours |= looks_like_a_line(&line, first),
            }
        }
        match (any, ours) {
            (false, _) => Beginning::Nothing,
            (true, true) => Beginning::Damaged,
            (true, false) => Beginning::Foreign { path },
        }
    }

    /// Reads a journal without opening it for writing, entry by entry; a missing one is empty.
    ///
    /// # Errors
    /// Only the operating system's: damage is reported in the contents.
    pub fn read(folder: &Path, mut each: impl FnMut(Entry)) -> Result<Contents, JournalError> {
        let path = folder.join(FILE_NAME);
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            // Reading a FIFO would wait for whoever writes to it.
            let source = std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a regular file");
            return Err(io(&path, "read it")(source));
        }
        match File::open(&path) {
            Ok(file) => read(&file, &mut each).map(|(contents, _)| contents).map_err(io(&path, "read it")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Contents::default()),
            Err(error) => Err(io(&path, "open it")(error)),
        }
    }

    /// Opens the journal in a results folder, making both if they are not there, and reads it entry by entry. A
    /// torn last line is cut off; damaged lines and those that contradict each other are crossed out.
    ///
    /// # Errors
    /// The operating system's, [`JournalError::Unusable`] and [`JournalError::Locked`].
    pub fn open(folder: &Path, mut each: impl FnMut(Entry)) -> Result<(Journal, Contents), JournalError> {
        std::fs::create_dir_all(folder).map_err(unusable_or(folder, io(folder, "make the folder")))?;
        let path = folder.join(FILE_NAME);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(unusable_or(folder, io(&path, "open it for writing")))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => {
                return Err(JournalError::Locked { path: folder.to_owned() });
            }
            // File systems without locks: going without is better than not running.
            Err(std::fs::TryLockError::Error(_)) => {}
        }
        let (contents, whole) = read(&file, &mut each).map_err(io(&path, "read it"))?;
        if contents.torn {
            file.set_len(whole).map_err(io(&path, "cut off its torn last line"))?;
        }
        for span in &contents.spans {
            file.seek(SeekFrom::Start(span.start))
                .and_then(|_| file.write_all(&vec![MENDED; (span.end - span.start) as usize]))
                .map_err(io(&path, "cross out a line"))?;
        }
        file.seek(SeekFrom::Start(whole)).map_err(io(&path, "read it"))?;
        Ok((Journal { file, path }, contents))
    }

    /// Appends what is played from here on.
    ///
    /// # Errors
    /// The operating system's.
    pub fn begin(&mut self, identity: &Identity) -> Result<(), JournalError> {
        self.append_text(&text_of(&LineRef::Run(identity)))
    }

    /// Appends finished blocks together, which costs little more than one. What is in the journal when this returns
    /// survives the process.
    ///
    /// # Errors
    /// The operating system's; the first blocks that there is room for are kept. A line that was written in part is cut
    /// off again where that is possible.
    pub fn add_all(&mut self, entries: &[Entry]) -> Result<(), JournalError> {
        let lines: Vec<_> = entries.iter().map(|entry| text_of(&LineRef::Block(entry))).collect();
        match self.append_text(&lines.concat()) {
            Err(JournalError::Io { .. }) if lines.len() > 1 => lines.iter().try_for_each(|line| self.append_text(line)),
            done => done,
        }
    }

    /// Appends whole lines, or nothing.
    fn append_text(&mut self, lines: &str) -> Result<(), JournalError> {
        if !self.is_in_place() {
            return Err(JournalError::Vanished { path: self.path.clone() });
        }
        let before = self.file.stream_position().map_err(io(&self.path, "write to it"))?;
        self.file.write_all(lines.as_bytes()).map_err(|error| {
            // A full disk: leave whole lines only. If that fails too, the next start cuts the torn line off.
            if self.file.set_len(before).is_ok() {
                let _ = self.file.seek(SeekFrom::Start(before));
            }
            io(&self.path, "write to it")(error)
        })
    }

    /// Whether the path still leads to the open file.
    fn is_in_place(&self) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let same = |a: std::fs::Metadata, b: std::fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
            self.path.metadata().ok().zip(self.file.metadata().ok()).is_some_and(|(there, open)| same(there, open))
        }
        // An open file cannot be removed.
        #[cfg(not(unix))]
        true
    }

    /// Makes sure that the disk has it.
    ///
    /// # Errors
    /// The operating system's.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.file.sync_data().map_err(io(&self.path, "write it to the disk"))?;
        tracing::debug!("the journal is on the disk");
        Ok(())
    }
}

fn io(path: &Path, doing: &'static str) -> impl FnOnce(std::io::Error) -> JournalError {
    let path = path.to_owned();
    move |source| JournalError::Io { path, doing, source }
}

/// Tells a folder that is the wrong one from a disk that can be mended.
fn unusable_or(
    folder: &Path,
    otherwise: impl FnOnce(std::io::Error) -> JournalError,
) -> impl FnOnce(std::io::Error) -> JournalError {
    use std::io::ErrorKind::{AlreadyExists, IsADirectory, NotADirectory, NotFound, PermissionDenied};
    use std::io::ErrorKind::{InvalidFilename, ReadOnlyFilesystem};
    move |source| match source.kind() {
        // `AlreadyExists` is a file in the folder's place.
        AlreadyExists | IsADirectory | NotADirectory | NotFound | PermissionDenied | InvalidFilename
        | ReadOnlyFilesystem => JournalError::Unusable { path: folder.to_owned(), source },
        _ => otherwise(source),
    }
}

/// The contents, and the length of the whole lines.
fn read(file: &File, each: &mut dyn FnMut(Entry)) -> std::io::Result<(Contents, u64)> {
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut contents = Contents::default();
    let mut whole = 0;
    let mut line = Vec::new();
    let mut keys = Keys::default();
    for number in 1.. {
        line.clear();
        let length = reader.read_until(b'\n', &mut line)?;
        if length == 0 {
            break;
        }
        if line.pop_if(|last| *last == b'\n').is_none() {
            contents.torn = true;
            break;
        }
        whole += length as u64;
        match parse(&line) {
            Some(Line::Run(identity)) if identity.is_possible() => contents.identity = Some(*identity),
            Some(Line::Block(entry)) if entry.tally.is_possible() => {
                keys.add(entry.key, &line);
                each(entry);
            }
            // A damaged line of an earlier run: it was told, and its block is played again.
            None if line.iter().all(|&byte| byte == MENDED) => {}
            // What does not parse, or was never written by a run.
            _ => {
                contents.damaged.push(number);
                contents.spans.push(whole - length as u64..whole - 1);
            }
        }
    }
    keys.find_contradictions(file, &mut contents)?;
    Ok((contents, whole))
}

/// The checksum of each key's first line, and the keys of which another line has another.
#[derive(Default)]
struct Keys {
    first: HashMap<Key, u64>,
    differing: BTreeSet<Key>,
}

impl Keys {
    /// Takes a line that is whole.
    fn add(&mut self, key: Key, line: &[u8]) {
        let digit = |byte: u8| u64::from(char::from(byte).to_digit(16).unwrap_or(0));
        let sum = line[..16].iter().fold(0, |sum, &byte| sum << 4 | digit(byte));
        if *self.first.entry(key).or_insert(sum) != sum {
            self.differing.insert(key);
        }
    }

    /// Reads the lines of those keys again, which hardly any journal has: what they say must be the same.
    fn find_contradictions(self, mut file: &File, contents: &mut Contents) -> std::io::Result<()> {
        if self.differing.is_empty() {
            return Ok(());
        }
        type Found = (usize, std::ops::Range<u64>, Entry);
        let mut found: BTreeMap<Key, Vec<Found>> = BTreeMap::new();
        file.seek(SeekFrom::Start(0))?;
        let mut start = 0;
        for (index, line) in BufReader::with_capacity(1 << 20, file).split(b'\n').enumerate() {
            let line = line?;
            let span = start..start + line.len() as u64;
            start = span.end + 1;
            if let Some(Line::Block(entry)) = parse(&line)
                && entry.tally.is_possible()
                && self.differing.contains(&entry.key)
            {
                found.entry(entry.key).or_default().push((index + 1, span, entry));
            }
        }
        for (key, found) in found {
            if found.iter().any(|(.., entry)| *entry != found[0].2) {
                contents.contradictions.push(Contradiction { key, lines: found.iter().map(|found| found.0).collect() });
                contents.spans.extend(found.into_iter().map(|(_, span, _)| span));
            }
        }
        contents.contradictions.sort_by(|a, b| a.lines.cmp(&b.lines));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::PlaceTally;

    fn entry(key: u8) -> Entry {
        let tally = BlockTally {
            matches: 2,
            places: vec![PlaceTally::default(); 2],
            pairs: vec![[1, 0, 1]],
            scores: vec![2],
            digest: 5,
            repeated: None,
        };
        Entry { key: Key([key; 16]), bots: vec!["a".into(), "b".into()], first: 0, tally }
    }

    fn path(folder: &tempfile::TempDir) -> PathBuf {
        folder.path().join(FILE_NAME)
    }

    fn open(folder: &tempfile::TempDir) -> (Journal, Contents, Vec<Entry>) {
        let mut entries = Vec::new();
        let (journal, contents) = Journal::open(folder.path(), |entry| entries.push(entry)).unwrap();
        (journal, contents, entries)
    }

    fn read(folder: &tempfile::TempDir) -> (Contents, Vec<Entry>) {
        let mut entries = Vec::new();
        let contents = Journal::read(folder.path(), |entry| entries.push(entry)).unwrap();
        (contents, entries)
    }

    #[test]
    fn what_was_added_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(&folder).1.is_empty());
        let (mut journal, contents, entries) = open(&folder);
        assert!(entries.is_empty() && !contents.torn);
        journal.add_all(&[entry(1)]).unwrap();
        drop(journal);
        let (mut journal, ..) = open(&folder);
        journal.add_all(&[entry(2)]).unwrap();
        assert_eq!(read(&folder).1, [entry(1), entry(2)]);
    }

    #[test]
    fn a_torn_last_line_is_cut_off_at_every_length() {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, ..) = open(&folder);
        journal.add_all(&[entry(1)]).unwrap();
        let one = std::fs::metadata(path(&folder)).unwrap().len();
        journal.add_all(&[entry(2)]).unwrap();
        drop(journal);
        let whole = std::fs::read(path(&folder)).unwrap();
        for cut in one + 1..whole.len() as u64 {
            std::fs::write(path(&folder), &whole[..cut as usize]).unwrap();
            let (mut journal, contents, entries) = open(&folder);
            assert!(contents.torn && entries == [entry(1)]);
            journal.add_all(&[entry(2)]).unwrap();
            drop(journal);
            assert_eq!(std::fs::read(path(&folder)).unwrap(), whole);
        }
    }

    #[test]
    fn a_long_journal_is_read_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, ..) = open(&folder);
        let key = |first: u64| Key(u128::from(first).to_be_bytes());
        let all: Vec<Entry> = (0..30_000).map(|first| Entry { key: key(first), first, ..entry(1) }).collect();
        journal.add_all(&all).unwrap();
        drop(journal);
        let mut text = std::fs::read(path(&folder)).unwrap();
        assert!(read(&folder).1 == all);

        // Line 28 001, and what is torn after the last.
        let line = text.split(|&byte| byte == b'\n').take(28_000).map(|line| line.len() + 1).sum::<usize>();
        text[line + 20] ^= 1;
        text.extend(b"torn");
        std::fs::write(path(&folder), text).unwrap();
        let (_, contents, entries) = open(&folder);
        assert!(contents.torn && contents.damaged == [28_001]);
        assert!(entries.iter().map(|entry| entry.first).eq((0..30_000).filter(|&first| first != 28_000)));
        let (contents, entries) = read(&folder);
        assert!(!contents.torn && contents.damaged.is_empty() && entries.len() == 29_999);
    }

    #[test]
    fn a_changed_line_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, ..) = open(&folder);
        journal.add_all(&[entry(1)]).unwrap();
        journal.add_all(&[entry(2)]).unwrap();
        drop(journal);
        let text = std::fs::read_to_string(path(&folder)).unwrap();
        std::fs::write(path(&folder), text.replacen("\"matches\":2", "\"matches\":3", 1)).unwrap();
        let (contents, entries) = read(&folder);
        assert_eq!(contents.damaged, [1]);
        assert_eq!(entries, [entry(2)]);
    }

    /// Another outcome of the same block.
    fn other_outcome(key: u8) -> Entry {
        let mut other = entry(key);
        other.tally.pairs = vec![[0, 1, 1]];
        other
    }

    #[test]
    fn lines_of_one_key_that_contradict_each_other_are_named_and_crossed_out() {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, ..) = open(&folder);
        journal.add_all(&[entry(1), entry(2), entry(3), other_outcome(2), entry(1), entry(2)]).unwrap();
        drop(journal);
        let (contents, _) = read(&folder);
        let contradiction = Contradiction { key: Key([2; 16]), lines: vec![2, 4, 6] };
        assert_eq!(contents.contradictions, std::slice::from_ref(&contradiction));
        assert!(contents.damaged.is_empty());
        let refused = contents.refuse_contradictions(folder.path()).unwrap_err().to_string();
        assert!(refused.contains("journal.jsonl: lines 2, 4 and 6 contradict each other"), "{refused}");
        // Whoever opens it is told once; then they are gone, and the others are as they were.
        let (journal, contents, _) = open(&folder);
        assert_eq!(contents.contradictions, [contradiction]);
        drop(journal);
        let (contents, entries) = read(&folder);
        assert!(contents.contradictions.is_empty() && contents.refuse_contradictions(folder.path()).is_ok());
        assert_eq!(entries, [entry(1), entry(3), entry(1)]);
    }

    #[test]
    fn lines_of_one_key_that_say_the_same_are_harmless() {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, ..) = open(&folder);
        journal.add_all(&[entry(1), entry(1)]).unwrap();
        drop(journal);
        // The same in another order of fields, with a true checksum.
        let json: serde_json::Value =
            serde_json::from_str(text_of(&LineRef::Block(&entry(1)))[17..].trim_end()).unwrap();
        let sorted: BTreeMap<String, serde_json::Value> = serde_json::from_value(json).unwrap();
        let json = serde_json::to_string(&sorted).unwrap();
        let text = std::fs::read_to_string(path(&folder)).unwrap();
        assert!(!text.contains(&json));
        std::fs::write(path(&folder), format!("{text}{} {json}\n", checksum(json.as_bytes()))).unwrap();
        let (contents, entries) = read(&folder);
        assert!(contents.contradictions.is_empty() && contents.damaged.is_empty());
        assert_eq!(entries, [entry(1), entry(1), entry(1)]);
    }

    #[cfg(unix)]
    #[test]
    fn a_journal_that_was_removed_or_replaced_takes_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, ..) = open(&folder);
        journal.add_all(&[entry(1)]).unwrap();
        std::fs::remove_file(path(&folder)).unwrap();
        assert!(matches!(journal.add_all(&[entry(2)]), Err(JournalError::Vanished { .. })));
        std::fs::write(path(&folder), "").unwrap();
        assert!(matches!(journal.add_all(&[entry(2)]), Err(JournalError::Vanished { .. })));
    }

    #[test]
    fn a_folder_is_used_by_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = open(&folder);
        assert!(matches!(Journal::open(folder.path(), drop), Err(JournalError::Locked { .. })));
        drop(first);
        assert!(Journal::open(folder.path(), drop).is_ok());
    }
}
