//! The cache of compiled code, in a folder of the user's.
//!
//! To load native code is to trust whoever wrote it. So the folder must belong to the user and be closed to everybody
//! else: one that was open is closed and emptied first, since anybody may have put a file in it. A file is loaded only
//! if it is the user's own and only the user can write it. Files appear whole, and each says its key and the hash of
//! its code: one that is damaged, cut, or lies under another key's name is not loaded either.

use std::fs::{File, OpenOptions};
use std::hash::{Hash, Hasher};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use wasmtime::Engine;

use super::rewrite::Rewritten;
use super::version::engine_version;
use crate::draft::{Draft, sweep};
use crate::ids::shown;

/// Begins every file; changes with its layout.
const MAGIC: &[u8; 16] = b"arena code 1\n\0\0\0";

/// What drafts of code are called: a key would make their names longer than any file system needs to bear.
const DRAFT: &str = "code";

/// Code that is kept, in bytes; above it the oldest goes when the cache is opened.
const MOST_BYTES: u64 = 1 << 30;

/// What the names of files end with that hold code, and of those that are being written.
const WHOLE: &str = ".code";
const PART: &str = ".part";

/// An open cache.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

/// The name of a module's code: a hash of the module, of the engine with all its settings, and of the processor it is
/// compiled for.
pub(super) struct CacheKey([u8; 32]);

/// The engine tells its settings to a `Hasher`; this one is as good as the hash of the code.
struct Settings(Sha256);

impl Hasher for Settings {
    fn finish(&self) -> u64 {
        0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
}

impl CacheKey {
    pub(super) fn new(engine: &Engine, module: &Rewritten) -> CacheKey {
        let mut settings = Settings(Sha256::new());
        engine.precompile_compatibility_hash().hash(&mut settings);
        let mut hash = Sha256::new();
        hash.update(MAGIC);
        hash.update((engine_version().len() as u64).to_le_bytes());
        hash.update(engine_version());
        hash.update(settings.0.finalize());
        hash.update(Sha256::digest(module.bytes()));
        CacheKey(hash.finalize().into())
    }

    fn file_name(&self) -> String {
        HEXLOWER.encode(&self.0) + WHOLE
    }
}

impl Cache {
    /// The user's: `arena` in `$XDG_CACHE_HOME`, `~/.cache`, `~/Library/Caches` or `%LOCALAPPDATA%`.
    ///
    /// # Errors
    /// Why there is none, in words: then compile without.
    pub fn of_user() -> Result<Cache, String> {
        let folder = |variable: &str| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
        let below_home = |below: &str| folder("HOME").map(|home| home.join(below));
        let above = if cfg!(windows) {
            folder("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            below_home("Library/Caches")
        } else {
            folder("XDG_CACHE_HOME").or_else(|| below_home(".cache"))
        };
        Cache::open(&above.ok_or("the environment names no folder for caches")?.join("arena"))
    }

    /// Opens a cache, making its folder where it is not there. A folder that was open to others is closed and emptied,
    /// which is said on the error stream.
    ///
    /// # Errors
    /// Why it cannot be used: the folder cannot be made or closed, is a link, or belongs to another user.
    pub fn open(folder: &Path) -> Result<Cache, String> {
        let said = |reason: &dyn std::fmt::Display| format!("{}: {reason}", shown(folder));
        if !folder.is_dir() {
            make_private(folder).map_err(|error| said(&error))?;
        }
        let cache = Cache { folder: folder.to_owned() };
        cache.close().map_err(|reason| said(&reason))?;
        sweep(folder, |name| name == DRAFT);
        cache.trim(MOST_BYTES);
        Ok(cache)
    }

    /// The code of this key, if it is there and is what was written.
    pub(super) fn load(&self, key: &CacheKey) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        open_own(&self.folder.join(key.file_name()))?.read_to_end(&mut bytes).ok()?;
        let rest = bytes.strip_prefix(MAGIC)?.strip_prefix(&key.0)?;
        let (hash, code) = rest.split_at_checked(32)?;
        (Sha256::digest(code).as_slice() == hash).then_some(())?;
        bytes.drain(..MAGIC.len() + 64);
        Some(bytes)
    }

    /// Keeps code. Where that fails the next run compiles again: nothing else is lost.
    pub(super) fn store(&self, key: &CacheKey, code: &[u8]) {
        let write = || {
            let mut draft = Draft::create(&self.folder, DRAFT)?;
            let file = draft.file();
            close_file(file)?;
            file.write_all(MAGIC)?;
            file.write_all(&key.0)?;
            file.write_all(&Sha256::digest(code))?;
            file.write_all(code)?;
            draft.keep_as(&self.folder.join(key.file_name()))
        };
        if let Err(error) = write() {
            tracing::debug!("code is not kept: {error}");
        }
    }

    /// The cache's own files, by the end of their names, whoever put them there: (path, what it is). Folders are not
    /// among them, and neither is anything else that lies here.
    fn files(&self, ends: &[&str]) -> Vec<(PathBuf, std::fs::Metadata)> {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return Vec::new() };
        entries
            .filter_map(|entry| {
                let path = entry.ok()?.path();
                let name = path.file_name()?.to_string_lossy().into_owned();
                let metadata = path.symlink_metadata().ok().filter(|metadata| !metadata.is_dir())?;
                ends.iter().any(|end| name.ends_with(end)).then_some((path, metadata))
            })
            .collect()
    }

    /// Takes out the oldest files until at most `most` bytes are left.
    fn trim(&self, most: u64) {
        let mut files: Vec<_> = self
            .files(&[WHOLE, PART])
            .into_iter()
            .filter_map(|(path, metadata)| Some((metadata.modified().ok()?, metadata.len(), path)))
            .collect();
        let mut total: u64 = files.iter().map(|file| file.1).sum();
        files.sort();
        for (_, bytes, path) in files {
            if total <= most {
                break;
            }
            total -= bytes;
            let _ = std::fs::remove_file(path);
        }
    }
}

#[cfg(unix)]
fn make_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::create_dir_all(folder.parent().unwrap_or(folder))?;
    std::fs::DirBuilder::new().mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)
}

#[cfg(unix)]
impl Cache {
    /// Makes sure that the folder is the user's own and closed to others, and holds nothing of a time when it was open.
    fn close(&self) -> Result<(), String> {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        /// Closed, but not emptied yet: the sticky bit lasts if the process ends in between.
        const CLOSING: u32 = 0o1700;
        const CLOSED: u32 = 0o700;
        let words = |error: std::io::Error| error.to_string();
        // Not followed: a link is somebody's choice of another folder. What is found is found of the open folder, and
        // not of what its path may lead to next.
        let folder = match open_unfollowed(&self.folder, rustix::fs::OFlags::DIRECTORY) {
            Err(_) if self.folder.is_symlink() => return Err("this is a link, not a folder".into()),
            opened => opened.map_err(words)?,
        };
        let metadata = folder.metadata().map_err(words)?;
        if metadata.uid() != rustix::process::geteuid().as_raw() {
            return Err("the folder belongs to another user".into());
        }
        if metadata.mode() & 0o1077 == 0 {
            return Ok(());
        }
        let set = |mode| folder.set_permissions(PermissionsExt::from_mode(mode)).map_err(words);
        set(CLOSING)?;
        for (path, _) in self.files(&[WHOLE, PART]) {
            std::fs::remove_file(&path).map_err(|error| format!("{} cannot be removed: {error}", shown(&path)))?;
        }
        set(CLOSED)?;
        tracing::warn!(
            "{}: the cache of compiled bots was open to other users; it is closed and emptied now",
            shown(&self.folder)
        );
        Ok(())
    }
}

/// The folder lies in the user's own profile, which is closed to others as the system comes.
#[cfg(not(unix))]
impl Cache {
    fn close(&self) -> Result<(), String> {
        Ok(())
    }
}

/// Opens what lies at a path itself, never what a link leads to, and never waits for the other end of a FIFO.
#[cfg(unix)]
fn open_unfollowed(path: &Path, more: rustix::fs::OFlags) -> std::io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    // The standard library adds `CLOEXEC`.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | more;
    OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path)
}

/// Opens a regular file of the user's own that nobody else can write and that has no other name, where somebody else
/// could have put it.
#[cfg(unix)]
fn open_own(path: &Path) -> Option<File> {
    use std::os::unix::fs::MetadataExt;
    // To open a device can set it going, so that is looked at before as well as after.
    path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
    let file = open_unfollowed(path, rustix::fs::OFlags::empty()).ok()?;
    let found = file.metadata().ok()?;
    let own = found.is_file()
        && found.uid() == rustix::process::geteuid().as_raw()
        && found.mode() & 0o022 == 0
        && found.nlink() == 1;
    own.then_some(file)
}

#[cfg(not(unix))]
fn open_own(path: &Path) -> Option<File> {
    let file = File::open(path).ok()?;
    file.metadata().is_ok_and(|found| found.is_file()).then_some(file)
}

/// Makes a file one that only the user can read and write.
fn close_file(file: &File) -> std::io::Result<()> {
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    let _ = file;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache() -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(&folder.path().join("new/arena")).unwrap();
        (folder, cache)
    }

    #[test]
    fn code_comes_back_under_its_own_key_only() {
        let (_folder, cache) = cache();
        cache.store(&CacheKey([1; 32]), b"code");
        assert_eq!(cache.load(&CacheKey([1; 32])).unwrap(), b"code");
        assert!(cache.load(&CacheKey([2; 32])).is_none());
        let of = |key: u8| cache.folder.join(CacheKey([key; 32]).file_name());
        std::fs::copy(of(1), of(2)).unwrap();
        assert!(cache.load(&CacheKey([2; 32])).is_none(), "another module's code");
    }

    #[test]
    fn a_changed_or_cut_file_is_none() {
        let (_folder, cache) = cache();
        let key = CacheKey([1; 32]);
        cache.store(&key, b"some native code");
        let path = cache.folder.join(key.file_name());
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            std::fs::write(&path, changed).unwrap();
            assert!(cache.load(&key).is_none(), "byte {at} changed");
            std::fs::write(&path, &whole[..at]).unwrap();
            assert!(cache.load(&key).is_none(), "cut at {at}");
        }
        std::fs::write(&path, whole).unwrap();
        assert!(cache.load(&key).is_some());
    }

    #[cfg(unix)]
    #[test]
    fn what_a_killed_process_left_is_removed_when_the_cache_is_opened() {
        let (_folder, cache) = cache();
        let half = crate::draft::abandoned(&cache.folder, DRAFT);
        std::fs::write(&half, "half").unwrap();
        Cache::open(&cache.folder).unwrap();
        assert!(!half.exists());
    }

    #[test]
    fn the_oldest_goes_first() {
        let (_folder, cache) = cache();
        for key in 1..=3 {
            cache.store(&CacheKey([key; 32]), &[0; 1000]);
            let file = std::fs::File::open(cache.folder.join(CacheKey([key; 32]).file_name())).unwrap();
            file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(key.into())).unwrap();
        }
        cache.trim(2500);
        assert!(cache.load(&CacheKey([1; 32])).is_none());
        assert!(cache.load(&CacheKey([2; 32])).is_some() && cache.load(&CacheKey([3; 32])).is_some());
    }

    #[cfg(unix)]
    mod among_other_users {
        use super::*;
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};

        const KEY: CacheKey = CacheKey([1; 32]);

        fn set_mode(path: &Path, mode: u32) {
            std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
        }

        fn mode(path: &Path) -> u32 {
            path.symlink_metadata().unwrap().mode() & 0o7777
        }

        /// A cache with the code of [`KEY`], and the file that it lies in.
        fn with_code() -> (tempfile::TempDir, Cache, PathBuf) {
            let (folder, cache) = cache();
            cache.store(&KEY, b"code");
            let path = cache.folder.join(KEY.file_name());
            assert!(cache.load(&KEY).is_some());
            (folder, cache, path)
        }

        #[test]
        fn folder_and_files_are_made_for_the_user_alone() {
            let (_folder, cache, path) = with_code();
            assert_eq!((mode(&cache.folder), mode(&path)), (0o700, 0o600));
        }

        #[test]
        fn a_folder_that_was_open_is_closed_and_emptied() {
            for open in [0o755, 0o777, 0o770, 0o701, 0o1777] {
                let (_folder, cache, path) = with_code();
                let [link, part, foreign] = ["x.code", ".1.0.part", "notes.txt"].map(|name| cache.folder.join(name));
                let target = cache.folder.join("../target");
                std::fs::write(&target, "not the cache's").unwrap();
                symlink(&target, &link).unwrap();
                std::fs::write(&part, "half").unwrap();
                std::fs::write(&foreign, "somebody's").unwrap();
                set_mode(&cache.folder, open);
                let cache = Cache::open(&cache.folder).unwrap();
                assert_eq!(mode(&cache.folder), 0o700);
                assert!(cache.load(&KEY).is_none(), "{open:o}");
                assert!(!path.exists() && !link.is_symlink() && !part.exists(), "{open:o}");
                assert!(foreign.exists() && target.exists(), "only the cache's own files are removed");
                cache.store(&KEY, b"code");
                assert!(Cache::open(&cache.folder).unwrap().load(&KEY).is_some(), "a closed one is left as it is");
            }
        }

        /// As a run leaves it that ends between closing and emptying.
        #[test]
        fn a_folder_that_was_closed_and_not_emptied_is_emptied_by_the_next_run() {
            let (_folder, cache, path) = with_code();
            set_mode(&cache.folder, 0o1700);
            Cache::open(&cache.folder).unwrap();
            assert!(!path.exists());
            assert_eq!(mode(&cache.folder), 0o700);
        }

        #[test]
        fn a_link_or_a_file_in_the_place_of_the_folder_is_refused() {
            let (folder, cache, _) = with_code();
            let link = folder.path().join("link");
            symlink(&cache.folder, &link).unwrap();
            assert!(Cache::open(&link).unwrap_err().contains("this is a link, not a folder"));
            let file = folder.path().join("file");
            std::fs::write(&file, "").unwrap();
            assert!(Cache::open(&file).is_err());
        }

        #[test]
        fn a_file_that_others_can_write_or_name_is_not_loaded() {
            let (folder, cache, path) = with_code();
            for open in [0o620, 0o602, 0o666] {
                set_mode(&path, open);
                assert!(cache.load(&KEY).is_none(), "{open:o}");
            }
            set_mode(&path, 0o644);
            assert!(cache.load(&KEY).is_some(), "others may read it");
            let other = folder.path().join("other name");
            std::fs::hard_link(&path, &other).unwrap();
            assert!(cache.load(&KEY).is_none(), "a file with two names");
            std::fs::remove_file(&path).unwrap();
            symlink(&other, &path).unwrap();
            assert!(cache.load(&KEY).is_none(), "a link");
        }

        #[test]
        fn files_and_folders_of_another_user_are_not_used() {
            let (_folder, cache, path) = with_code();
            if chown(&path, Some(65_534), None).is_err() {
                eprintln!("not checked: only root can give files away");
                return;
            }
            assert!(cache.load(&KEY).is_none());
            cache.store(&KEY, b"code");
            assert!(cache.load(&KEY).is_some(), "it is replaced");
            chown(&cache.folder, Some(65_534), None).unwrap();
            assert!(Cache::open(&cache.folder).unwrap_err().contains("belongs to another user"));
        }

        #[test]
        fn fifos_devices_and_folders_do_no_harm() {
            use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};
            let (_folder, cache, path) = with_code();
            let fifo_or_device = |path: &Path, kind, device| mknodat(CWD, path, kind, Mode::RWXU, device);
            let part = crate::draft::abandoned(&cache.folder, DRAFT);
            for (kind, device) in [(FileType::Fifo, 0), (FileType::CharacterDevice, makedev(1, 5))] {
                std::fs::remove_file(&path).unwrap();
                if fifo_or_device(&path, kind, device).is_err() {
                    eprintln!("not checked: {kind:?} cannot be made here");
                } else {
                    fifo_or_device(&part, kind, device).unwrap();
                }
                let cache = Cache::open(&cache.folder).unwrap();
                assert!(!part.exists(), "{kind:?}");
                assert!(cache.load(&KEY).is_none(), "{kind:?}");
                cache.store(&KEY, b"code");
                assert!(cache.load(&KEY).is_some(), "{kind:?} is replaced");
            }
            std::fs::remove_file(&path).unwrap();
            std::fs::create_dir(&path).unwrap();
            let cache = Cache::open(&cache.folder).unwrap();
            cache.store(&KEY, b"code");
            assert!(cache.load(&KEY).is_none() && path.is_dir(), "a folder stays, and its code is not kept");
        }
    }
}
