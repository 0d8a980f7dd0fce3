//! Which pages of a memory an instance has written to, told by the processor.
//!
//! Setting back all of a memory costs more than most bots' whole matches, though they touch two or three pages of it.
//! So an instance that is used again has its memory made read-only, but for the pages that bots of its module are known to
//! write to; the first write to any other page faults, is remembered, and goes on. Reading is free, nothing is
//! missed, and a bot cannot tell. One that writes far and wide gets all of its memory back at once.
//!
//! Only on Linux: elsewhere memory is set back whole.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use wasmtime::{Memory, Store};

/// Pages below this number can be [`Usual`]; a set of them is the bits of one number.
const COUNTED: usize = 64;

/// The pages that instances of a module are known to write to: a guess that saves faults, and nothing depends on.
#[derive(Debug, Default)]
pub(super) struct Usual(AtomicU64);

/// The pages that one instance has been able to write to since tracking began. To be dropped before its store.
pub(super) struct Pages {
    #[cfg(target_os = "linux")]
    inner: Arc<linux::Tracked>,
    usual: Arc<Usual>,
}

impl Pages {
    /// Begins to track the writes to `memory`. `None`: they cannot be told here.
    ///
    /// # Safety
    /// - Until this is dropped, the host must not write to the memory but after [`Pages::touch`] or to what is
    ///   [`Pages::written`]: the rest is read-only. The store's WebAssembly may, and so may the engine for it.
    /// - This must be dropped before the store is: the pages are opened again then, and must still be the memory's.
    /// - There must be one of these for a store at a time, since it takes the store's signal handler.
    /// - The memory must never move: the engine must reserve all that it may grow to.
    #[cfg(target_os = "linux")]
    pub(super) unsafe fn track<T>(store: &mut Store<T>, memory: Memory, usual: &Arc<Usual>) -> Option<Pages> {
        let inner = Arc::new(linux::Tracked::new(memory.data_mut(&mut *store), usual.0.load(Ordering::Relaxed))?);
        linux::listen(store, Arc::clone(&inner));
        Some(Pages { inner, usual: Arc::clone(usual) })
    }

    /// # Safety
    /// Nothing is tracked here, so there is nothing to keep.
    #[cfg(not(target_os = "linux"))]
    pub(super) unsafe fn track<T>(_: &mut Store<T>, _: Memory, _: &Arc<Usual>) -> Option<Pages> {
        None
    }

    /// Makes a part of the memory, in bytes from its beginning, writable for the host.
    pub(super) fn touch(&self, bytes: std::ops::Range<usize>) {
        #[cfg(target_os = "linux")]
        self.inner.touch(bytes);
        let _ = bytes;
    }

    /// Calls `each` with every part of the memory that may have been written to. `false`: it may be all of it.
    pub(super) fn written(&self, each: impl FnMut(std::ops::Range<usize>)) -> bool {
        #[cfg(target_os = "linux")]
        return self.inner.written(each);
        #[cfg(not(target_os = "linux"))]
        return {
            let _ = each;
            false
        };
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        {
            self.usual.0.fetch_or(self.inner.counted(), Ordering::Relaxed);
            // The memory's place goes to another instance.
            self.inner.open_all();
        }
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::c_void;
    use std::ops::Range;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

    use rustix::mm::{MprotectFlags, mprotect};
    use rustix::process::Signal;
    use wasmtime::Store;
    use wasmtime::unix::StoreExt;

    use super::COUNTED;

    /// An instance that has more pages open than this gets all of its memory: faults cost time that fuel does not see.
    const MOST_PAGES: usize = 24;

    /// Ranges of pages that are writable, at most. The kernel has a mapping for each and for what lies between them, and a
    /// process has a limited number of mappings (65 530 by default), which no bot may use up.
    pub(super) const MOST_RANGES: usize = 4;

    /// Memories that are tracked at a time in this process, at most: beyond, memory is reset whole. All their mappings
    /// stay below a third of what a process may have.
    const MOST_TRACKED: usize = 2_048;

    /// Stands for a count of ranges: all pages are writable.
    const ALL: usize = usize::MAX;

    /// Memories that are tracked now.
    static TRACKED: AtomicUsize = AtomicUsize::new(0);

    /// A memory, parts of which are read-only. Used by one thread at a time: the one that runs the instance, and its
    /// signal handler.
    pub(super) struct Tracked {
        base: *mut c_void,
        length: usize,
        page: usize,
        /// The number of `ranges` that are writable, or [`ALL`].
        count: AtomicUsize,
        /// The first page of each range and the one after its last, in the upper and the lower half. They do not overlap.
        ranges: [AtomicU64; MOST_RANGES],
    }

    // SAFETY: the pointer is an address that is only ever handed to `mprotect`; all else is atomic.
    unsafe impl Send for Tracked {}
    // SAFETY: as above.
    unsafe impl Sync for Tracked {}

    impl Drop for Tracked {
        fn drop(&mut self) {
            TRACKED.fetch_sub(1, Ordering::Relaxed);
        }
    }

    impl Tracked {
        pub(super) fn new(memory: &mut [u8], usual: u64) -> Option<Tracked> {
            let page = rustix::param::page_size();
            let base: *mut c_void = memory.as_mut_ptr().cast();
            if !base.addr().is_multiple_of(page) || !memory.len().is_multiple_of(page) || memory.is_empty() {
                return None;
            }
            let tracked = TRACKED.fetch_add(1, Ordering::Relaxed);
            // From here on it is counted out when it is dropped.
            let tracked_memory = Tracked {
                base,
                length: memory.len(),
                page,
                count: AtomicUsize::new(0),
                ranges: [const { AtomicU64::new(0) }; MOST_RANGES],
            };
            if tracked >= MOST_TRACKED {
                return None;
            }
            if !tracked_memory.protect(0..tracked_memory.length, MprotectFlags::READ) {
                tracked_memory.open_all();
                return None;
            }
            let pages = COUNTED.min(tracked_memory.length / tracked_memory.page);
            for page in (0..pages).filter(|page| usual >> page & 1 != 0) {
                tracked_memory.open(page);
            }
            Some(tracked_memory)
        }

        /// Sets the protection of a part of the memory, in bytes.
        fn protect(&self, bytes: Range<usize>, flags: MprotectFlags) -> bool {
            let start = self.base.wrapping_byte_add(bytes.start);
            // SAFETY: the range is whole pages within a memory that is mapped for as long as its store lives, which
            // outlives this. It is never made less than readable; WebAssembly's writes go on after a fault, and what the
            // host writes to itself is opened first (`Pages::touch`, `Pages::written`).
            unsafe { mprotect(start, bytes.len(), flags) }.is_ok()
        }

        /// The ranges of pages that are writable, if they are counted.
        fn opened(&self) -> Option<impl Iterator<Item = Range<usize>> + '_> {
            let count = self.count.load(Ordering::Relaxed);
            let range = |range: &AtomicU64| {
                let range = range.load(Ordering::Relaxed);
                (range >> 32) as usize..(range & 0xffff_ffff) as usize
            };
            (count != ALL).then(|| self.ranges[..count.min(MOST_RANGES)].iter().map(range))
        }

        fn set(&self, number: usize, range: Range<usize>) {
            self.ranges[number].store((range.start as u64) << 32 | range.end as u64, Ordering::Relaxed);
        }

        /// Makes a page writable. `false`: it was already.
        fn open(&self, page: usize) -> bool {
            let Some(opened) = self.opened() else { return false };
            let (mut pages, mut ranges) = (0, 0);
            // What a range would have to take in to have the page too: nothing but the page itself if it is next to it.
            let mut nearest: Option<(usize, Range<usize>)> = None;
            for (number, range) in opened.enumerate() {
                if range.contains(&page) {
                    return false;
                }
                let missing = if page < range.start { page..range.start } else { range.end..page + 1 };
                if nearest.as_ref().is_none_or(|(_, nearest)| missing.len() < nearest.len()) {
                    nearest = Some((number, missing));
                }
                pages += range.len();
                ranges += 1;
            }
            let (number, missing) = match nearest {
                Some((number, missing)) if missing.len() == 1 || ranges == MOST_RANGES => (number, missing),
                _ => (ranges, page..page + 1),
            };
            let bytes = missing.start * self.page..missing.end * self.page;
            if pages + missing.len() > MOST_PAGES || !self.protect(bytes, MprotectFlags::READ | MprotectFlags::WRITE) {
                self.open_all();
                return true;
            }
            if number == ranges {
                self.set(number, missing);
                self.count.store(ranges + 1, Ordering::Relaxed);
            } else if let Some(range) = self.opened().and_then(|mut opened| opened.nth(number)) {
                self.set(number, range.start.min(missing.start)..range.end.max(missing.end));
            }
            true
        }

        /// Makes all of the memory writable, as it was.
        pub(super) fn open_all(&self) {
            self.count.store(ALL, Ordering::Relaxed);
            if !self.protect(0..self.length, MprotectFlags::READ | MprotectFlags::WRITE) {
                // One mapping in place of many cannot be refused; a memory that stays read-only would be a fault of
                // a bot that did nothing wrong.
                std::process::abort();
            }
        }

        /// Handles a write to a byte. `false`: that is no write to a page that was closed.
        fn fault(&self, address: usize) -> bool {
            let offset = address.wrapping_sub(self.base.addr());
            offset < self.length && self.open(offset / self.page)
        }

        pub(super) fn touch(&self, bytes: Range<usize>) {
            if !bytes.is_empty() {
                let last = (bytes.end - 1).min(self.length - 1);
                for page in bytes.start / self.page..=last / self.page {
                    self.open(page);
                }
            }
        }

        pub(super) fn written(&self, mut each: impl FnMut(Range<usize>)) -> bool {
            let Some(opened) = self.opened() else { return false };
            for range in opened {
                each(range.start * self.page..range.end * self.page);
            }
            true
        }

        /// The pages that are writable, as far as they can be counted, as bits.
        pub(super) fn counted(&self) -> u64 {
            let opened = self.opened().into_iter().flatten().flatten();
            opened.filter(|&page| page < COUNTED).fold(0, |bits, page| bits | 1 << page)
        }
    }

    /// Has faults of a store's WebAssembly told to `tracked` first.
    pub(super) fn listen<T>(store: &mut Store<T>, tracked: Arc<Tracked>) {
        // SAFETY: the handler does nothing that a signal handler must not: it reads and writes atomics, calls
        // `mprotect`, and at worst `abort`. It says that it has handled a fault only if it has just made the page
        // writable, so the instruction goes on where it was, and it cannot come back for the same page.
        unsafe {
            store.set_signal_handler(move |signal, info, _| {
                signal == Signal::SEGV.as_raw() && !info.is_null() && tracked.fault((*info).si_addr().addr())
            });
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use wasmtime::{Engine, Instance, Module, TypedFunc};

    struct Bot {
        store: Store<()>,
        memory: wasmtime::Memory,
        write: TypedFunc<(i32, i32), ()>,
        fill: TypedFunc<(i32, i32), ()>,
    }

    fn bot() -> Bot {
        let engine = Engine::default();
        let text = r#"(module (memory (export "m") 4)
            (func (export "write") (param i32 i32) (i32.store8 (local.get 0) (local.get 1)))
            (func (export "fill") (param i32 i32) (memory.fill (local.get 0) (i32.const 1) (local.get 1))))"#;
        let module = Module::new(&engine, wat::parse_str(text).unwrap()).unwrap();
        let mut store = Store::new(&engine, ());
        let instance = Instance::new(&mut store, &module, &[]).unwrap();
        Bot {
            memory: instance.get_memory(&mut store, "m").unwrap(),
            write: instance.get_typed_func(&mut store, "write").unwrap(),
            fill: instance.get_typed_func(&mut store, "fill").unwrap(),
            store,
        }
    }

    impl Bot {
        fn track(&mut self, usual: &Arc<Usual>) -> Pages {
            // SAFETY: tests write to a memory themselves only where they have touched it.
            unsafe { Pages::track(&mut self.store, self.memory, usual) }.unwrap()
        }
    }

    fn written(pages: &Pages) -> Option<Vec<usize>> {
        let mut all = Vec::new();
        pages.written(|range| all.extend(range.start / 4096..range.end / 4096)).then(|| {
            all.sort_unstable();
            all
        })
    }

    #[test]
    fn every_page_that_is_written_to_is_told_and_no_other() {
        let mut bot = bot();
        let pages = bot.track(&Arc::default());
        assert_eq!(written(&pages), Some(vec![]));
        bot.write.call(&mut bot.store, (4096 * 3, 7)).unwrap();
        bot.write.call(&mut bot.store, (4096 * 3 + 1, 8)).unwrap();
        // Written by the host on the bot's behalf.
        bot.fill.call(&mut bot.store, (4096 * 10 - 1, 2)).unwrap();
        assert_eq!(written(&pages), Some(vec![3, 9, 10]));
        assert_eq!(bot.memory.data(&bot.store)[4096 * 3..][..2], [7, 8]);
        assert_eq!(bot.memory.data(&bot.store)[4096 * 10 - 1..][..3], [1, 1, 0]);
        pages.touch(4096..4097);
        bot.memory.data_mut(&mut bot.store)[4096] = 1;
        assert_eq!(written(&pages), Some(vec![1, 3, 9, 10]));
    }

    /// What `/proc/self/maps` has of the memory.
    fn mappings(bot: &mut Bot) -> usize {
        let memory = bot.memory.data(&bot.store);
        let memory = memory.as_ptr().addr()..memory.as_ptr().addr() + memory.len();
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let within = |line: &&str| {
            let (start, end) = line.split(' ').next().unwrap().split_once('-').unwrap();
            let [start, end] = [start, end].map(|address| usize::from_str_radix(address, 16).unwrap());
            start < memory.end && memory.start < end
        };
        maps.lines().filter(within).count()
    }

    /// SECURITY.md says how many mappings a tracked memory has at most.
    #[test]
    fn however_far_apart_a_bot_writes_its_mappings_stay_few() {
        for stride in [1, 2, 3, 7] {
            let mut bot = bot();
            let pages = bot.track(&Arc::default());
            let mut most = 0;
            let mut expected = Vec::new();
            for page in (0..64).step_by(stride) {
                bot.write.call(&mut bot.store, (4096 * page as i32, 7)).unwrap();
                most = mappings(&mut bot).max(most);
                expected.push(page);
                // Nothing that was written to is missed.
                if let Some(written) = written(&pages) {
                    assert!(expected.iter().all(|page| written.contains(page)), "{expected:?}: {written:?}");
                    assert!(written.len() <= 24);
                }
            }
            assert!(most <= 2 * linux::MOST_RANGES + 1, "every {stride}: {most}");
        }
    }

    #[test]
    fn beyond_its_memory_a_bot_still_traps() {
        let mut bot = bot();
        let _pages = bot.track(&Arc::default());
        for address in [4 * 65_536, -1] {
            assert!(bot.write.call(&mut bot.store, (address, 1)).is_err());
        }
        bot.write.call(&mut bot.store, (4 * 65_536 - 1, 1)).unwrap();
    }

    #[test]
    fn one_that_writes_everywhere_gets_everything() {
        let mut bot = bot();
        let pages = bot.track(&Arc::default());
        bot.fill.call(&mut bot.store, (0, 4 * 65_536)).unwrap();
        assert_eq!(written(&pages), None);
        assert!(bot.memory.data(&bot.store).iter().all(|&byte| byte == 1));
    }

    #[test]
    fn what_is_usual_is_open_from_the_beginning_and_the_rest_in_the_end() {
        let usual = Arc::default();
        let mut first = bot();
        let pages = first.track(&usual);
        first.write.call(&mut first.store, (4096 * 5, 1)).unwrap();
        drop(pages);
        // Nothing protects it any more.
        first.memory.data_mut(&mut first.store).fill(1);
        let mut second = bot();
        let pages = second.track(&usual);
        assert_eq!(written(&pages), Some(vec![5]));
        second.write.call(&mut second.store, (4096 * 6, 1)).unwrap();
        assert_eq!(written(&pages), Some(vec![5, 6]));
    }
}
