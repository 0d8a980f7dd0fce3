//! The cache of compiled code, in a folder of the user's.
//!
//! To load native code is to trust whoever wrote it. So the folder must belong to the user and be closed to everybody
//! else, files appear in it whole, and each says its key and the hash of its code: one that is damaged, cut, or lies
//! under another key's name is as good as none.

use std::hash::{Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use wasmtime::Engine;

use super::version::engine_version;
use super::rewrite::Rewritten;
use crate::draft::{Draft, sweep};

/// Begins every file; changes with its layout.
const MAGIC: &[u8; 16] = b"arena code 1\n\0\0\0";

/// What drafts of code are called: a key would make their names longer than any file system needs to bear.
const DRAFT: &str = "code";

/// Code that is kept, in bytes; above it the oldest goes when the cache is opened.
const MOST_BYTES: u64 = 1 << 30;

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
        let hex: String = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        hex + ".code"
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

    /// Opens a cache, making its folder where it is not there.
    ///
    /// # Errors
    /// Why it cannot be used: not there to be made, of another user, or open to others.
    pub fn open(folder: &Path) -> Result<Cache, String> {
        let said = |reason: &dyn std::fmt::Display| format!("{}: {reason}", folder.display());
        if !folder.is_dir() {
            make_private(folder).map_err(|error| said(&error))?;
        }
        check_private(folder).map_err(|reason| said(&reason))?;
        let cache = Cache { folder: folder.to_owned() };
        sweep(folder, |name| name == DRAFT);
        cache.trim(MOST_BYTES);
        Ok(cache)
    }

    /// The code of this key, if it is there and is what was written.
    pub(super) fn load(&self, key: &CacheKey) -> Option<Vec<u8>> {
        let mut bytes = std::fs::read(self.folder.join(key.file_name())).ok()?;
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

    /// Takes out the oldest files until at most `most` bytes are left.
    fn trim(&self, most: u64) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        let mut files: Vec<_> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let metadata = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
                Some((metadata.modified().ok()?, metadata.len(), entry.path()))
            })
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
fn check_private(folder: &Path) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt;
    // Not followed: a link is somebody's choice of another folder.
    let metadata = std::fs::symlink_metadata(folder).map_err(|error| error.to_string())?;
    if !metadata.is_dir() {
        return Err("this is no folder".into());
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err("the folder belongs to another user".into());
    }
    if metadata.mode() & 0o077 != 0 {
        return Err("the folder is open to other users; `chmod 700` closes it".into());
    }
    Ok(())
}

/// The folder lies in the user's own profile, which is closed to others as the system comes.
#[cfg(not(unix))]
fn check_private(_: &Path) -> Result<(), String> {
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
    #[test]
    fn a_folder_that_others_may_use_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arena");
        std::fs::create_dir(&path).unwrap();
        for mode in [0o755, 0o777, 0o770] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            assert!(Cache::open(&path).unwrap_err().contains("open to other users"));
        }
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
        assert!(Cache::open(&path).is_ok());
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(Cache::open(&link).unwrap_err().contains("no folder"));
    }
}
