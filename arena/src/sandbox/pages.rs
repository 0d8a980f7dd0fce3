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
    /// Until this is dropped, the host must not write to the memory but after [`Pages::touch`] or to what is
    /// [`Pages::written`]: the rest is read-only. The store's WebAssembly may, and so may the engine for it.
    #[cfg(target_os = "linux")]
    pub(super) unsafe fn track<T>(store: &mut Store<T>, memory: Memory, usual: &Arc<Usual>) -> Option<Pages> {
        let inner = Arc::new(linux::Tracked::new(memory.data_mut(&mut *store), usual.0.load(Ordering::Relaxed))?);
        linux::listen(store, Arc::clone(&inner));
        Some(Pages { inner, usual: Arc::clone(usual) })
    }

    /// # Safety
    /// None is needed here.
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
    use std::sync::atomic::{AtomicUsize, Ordering};

    use rustix::mm::{MprotectFlags, mprotect};
    use rustix::process::Signal;
    use wasmtime::Store;
    use wasmtime::unix::StoreExt;

    use super::COUNTED;

    /// An instance that writes to more pages than this gets all of its memory: faults cost time that fuel does not
    /// see, and every hole in the protection costs the kernel a mapping.
    const MOST: usize = 24;

    /// Stands for a count of pages: all of them are writable.
    const ALL: usize = usize::MAX;

    /// A memory, parts of which are read-only. Used by one thread at a time: the one that runs the instance, and its
    /// signal handler.
    pub(super) struct Tracked {
        base: *mut c_void,
        length: usize,
        page: usize,
        /// So many of `pages` are writable, or [`ALL`].
        count: AtomicUsize,
        pages: [AtomicUsize; MOST],
    }

    // SAFETY: the pointer is an address that is only ever handed to `mprotect`; all else is atomic.
    unsafe impl Send for Tracked {}
    // SAFETY: as above.
    unsafe impl Sync for Tracked {}

    impl Tracked {
        pub(super) fn new(memory: &mut [u8], usual: u64) -> Option<Tracked> {
            let page = rustix::param::page_size();
            let base: *mut c_void = memory.as_mut_ptr().cast();
            if !base.addr().is_multiple_of(page) || !memory.len().is_multiple_of(page) || memory.is_empty() {
                return None;
            }
            let tracked = Tracked {
                base,
                length: memory.len(),
                page,
                count: AtomicUsize::new(0),
                pages: [const { AtomicUsize::new(0) }; MOST],
            };
            if !tracked.protect(0..tracked.length, MprotectFlags::READ) {
                tracked.open_all();
                return None;
            }
            for page in (0..COUNTED.min(tracked.length / tracked.page)).filter(|page| usual >> page & 1 != 0) {
                tracked.open(page);
            }
            Some(tracked)
        }

        /// Sets the protection of a part of the memory, in bytes.
        fn protect(&self, bytes: Range<usize>, flags: MprotectFlags) -> bool {
            let start = self.base.wrapping_byte_add(bytes.start);
            // SAFETY: the range is whole pages within a memory that is mapped for as long as its store lives, which
            // outlives this. It is never made less than readable; WebAssembly's writes go on after a fault, and what the
            // host writes to itself is opened first (`Pages::touch`, `Pages::written`).
            unsafe { mprotect(start, bytes.len(), flags) }.is_ok()
        }

        /// The pages that are writable, if they are counted.
        fn opened(&self) -> Option<impl Iterator<Item = usize> + '_> {
            let count = self.count.load(Ordering::Relaxed);
            (count != ALL).then(|| self.pages[..count.min(MOST)].iter().map(|page| page.load(Ordering::Relaxed)))
        }

        /// Makes a page writable. `false`: it was already.
        fn open(&self, page: usize) -> bool {
            let Some(mut opened) = self.opened() else { return false };
            if opened.any(|open| open == page) {
                return false;
            }
            let count = self.count.load(Ordering::Relaxed);
            let start = page * self.page;
            if count < MOST && self.protect(start..start + self.page, MprotectFlags::READ | MprotectFlags::WRITE) {
                self.pages[count].store(page, Ordering::Relaxed);
                self.count.store(count + 1, Ordering::Relaxed);
            } else {
                self.open_all();
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
            for page in opened {
                each(page * self.page..(page + 1) * self.page);
            }
            true
        }

        /// The pages that are writable, as far as they can be counted, as bits.
        pub(super) fn counted(&self) -> u64 {
            let opened = self.opened().into_iter().flatten();
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
        pages.written(|range| all.push(range.start / 4096)).then(|| {
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
