//! Files and folders that appear whole: each is made under another name beside its place, and gets its own once it is
//! complete. What a process that was killed left of them is removed by the next one that works in the folder.
//!
//! A draft is named `.NAME.PROCESS-NUMBER.part`: what it becomes, and who makes it.

use std::fs::{File, OpenOptions};
use std::io::Result;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A file that is being written. Unless it is kept, it is removed when it is dropped.
pub struct Draft {
    file: File,
    path: PathBuf,
    kept: bool,
}

impl Draft {
    /// Begins a file that is to be called `name` in a folder.
    ///
    /// # Errors
    /// The operating system's.
    pub fn create(folder: &Path, name: &str) -> Result<Draft> {
        let path = path(folder, name);
        // What lies there is from another process that had this number.
        let _ = std::fs::remove_file(&path);
        let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        // A process in another container or on another machine may not see this one, but it sees the lock.
        let _ = file.try_lock();
        Ok(Draft { file, path, kept: false })
    }

    /// The file, to write to.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives it its name, replacing what has that name.
    ///
    /// # Errors
    /// The operating system's; what had the name is then as it was.
    pub fn keep_as(mut self, target: &Path) -> Result<()> {
        std::fs::rename(&self.path, target)?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.kept {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Where a draft of `name` by this process lies. Every call gives another path.
pub fn path(folder: &Path, name: &str) -> PathBuf {
    let (prefix, suffix) = affixes(name);
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    folder.join(format!("{prefix}{}{suffix}", NUMBER.fetch_add(1, Ordering::Relaxed)))
}

/// What surrounds the number in the name of a draft by this process.
pub fn affixes(name: &str) -> (String, &'static str) {
    (format!(".{name}.{}-", std::process::id()), ".part")
}

/// Removes drafts in a folder whose process has ended, if `ours` accepts the name of what they should have become. What
/// cannot be removed stays: it does no harm.
pub fn sweep(folder: &Path, ours: impl Fn(&str) -> bool) {
    // The parent of a bare file name.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let file_name = entry.file_name();
        let Some((name, process)) = file_name.to_str().and_then(parse) else { continue };
        let Ok(kind) = entry.file_type() else { continue };
        if !ours(name) || in_work(process, &entry.path(), kind) {
            continue;
        }
        let removed =
            if kind.is_dir() { std::fs::remove_dir_all(entry.path()) } else { std::fs::remove_file(entry.path()) };
        match removed {
            Ok(()) => tracing::info!("removed {name:?}, which a run that was killed left unfinished"),
            Err(error) => tracing::debug!("{name:?} is left unfinished, and cannot be removed: {error}"),
        }
    }
}

/// What a draft should have become, and the process that made it.
fn parse(file_name: &str) -> Option<(&str, u32)> {
    let (name, maker) = file_name.strip_prefix('.')?.strip_suffix(".part")?.rsplit_once('.')?;
    let process = maker.split('-').next()?.parse().ok()?;
    Some((name, process))
}

/// Whether somebody may still be at work on a draft.
fn in_work(process: u32, path: &Path, kind: std::fs::FileType) -> bool {
    if lives(process).unwrap_or(!kind.is_file()) {
        return true;
    }
    // Only a regular file is opened: opening a FIFO would wait.
    let locked = |file: File| matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock));
    kind.is_file() && File::open(path).is_ok_and(locked)
}

/// Whether a process of this machine lives; `None` where that cannot be asked.
#[cfg(unix)]
fn lives(process: u32) -> Option<bool> {
    let process = rustix::process::Pid::from_raw(i32::try_from(process).ok()?)?;
    Some(rustix::process::test_kill_process(process) != Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn lives(_: u32) -> Option<bool> {
    None
}

/// For tests: where a draft lies that a process left which has just ended.
#[cfg(all(test, unix))]
pub(crate) fn abandoned(folder: &Path, name: &str) -> PathBuf {
    let mut child = std::process::Command::new("true").spawn().expect("a process");
    child.wait().expect("it ends");
    folder.join(format!(".{name}.{}-0.part", child.id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_draft_is_kept_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        drop(Draft::create(folder, "a").unwrap());
        assert!(names(folder).is_empty());
        let mut draft = Draft::create(folder, "a").unwrap();
        std::io::Write::write_all(draft.file(), b"whole").unwrap();
        draft.keep_as(&folder.join("a")).unwrap();
        assert_eq!(names(folder), ["a"]);
        assert_eq!(std::fs::read(folder.join("a")).unwrap(), b"whole");
    }

    #[cfg(unix)]
    #[test]
    fn what_an_ended_process_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let left = abandoned(folder, "a");
        let (_, dead) = parse(left.file_name().unwrap().to_str().unwrap()).unwrap();
        let alive = std::process::id();
        let kept = [
            format!(".a.{alive}-0.part"),
            format!(".b.{dead}-0.part"),
            format!("a.{dead}-0.part"),
            format!(".a.{dead}-0.partial"),
            ".a.part".into(),
            ".a.x-0.part".into(),
            "a".into(),
        ];
        let gone = [format!(".a.{dead}-0.part"), format!(".a.{dead}.part")];
        kept.iter().chain(&gone).for_each(|name| std::fs::write(folder.join(name), "half").unwrap());
        std::fs::create_dir_all(folder.join(format!(".a.{dead}-1.part/below"))).unwrap();
        std::os::unix::fs::symlink(folder.join("a"), folder.join(format!(".a.{dead}-2.part"))).unwrap();
        sweep(folder, |name| name == "a");
        let mut kept = kept.to_vec();
        kept.sort();
        assert_eq!(names(folder), kept);
    }

    /// As by a process in another container, whose number nobody has here.
    #[cfg(unix)]
    #[test]
    fn what_somebody_holds_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let draft = Draft::create(folder.path(), "a").unwrap();
        let elsewhere = abandoned(folder.path(), "a");
        std::fs::rename(&draft.path, &elsewhere).unwrap();
        sweep(folder.path(), |_| true);
        assert!(elsewhere.exists());
        drop(draft);
        sweep(folder.path(), |_| true);
        assert!(!elsewhere.exists());
    }
}
