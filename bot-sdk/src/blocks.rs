//! The allocator of bots: small, and for one thread.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::ptr::null_mut;

/// Bytes of a page, by which memory grows.
pub(crate) const PAGE: usize = 65536;

/// Where blocks come from.
pub(crate) trait Memory {
    /// The addresses where it begins, which is not 0, and ends.
    fn range(&self) -> (usize, usize);

    /// Adds so many pages, if it can; the address where they begin, which is the end unless somebody else has grown it.
    fn grow(&self, pages: usize) -> Option<usize>;
}

/// The smallest block, 16 bytes: room for a free list's link and alignment for everything common.
const SMALLEST: u32 = 4;
const CLASSES: usize = 32 - SMALLEST as usize;

/// Blocks of powers of two, with a free list for each size; memory is asked of the host when it runs out and
/// never given back (an instance lives for one match).
pub(crate) struct Blocks<M> {
    memory: M,
    free: UnsafeCell<[*mut u8; CLASSES]>,
    /// Where untouched memory begins and ends; both 0 until the first use.
    fresh: UnsafeCell<(usize, usize)>,
}

// SAFETY: a bot has one thread.
unsafe impl<M> Sync for Blocks<M> {}

impl<M: Memory> Blocks<M> {
    /// All of it still fresh.
    pub(crate) const fn new(memory: M) -> Blocks<M> {
        Blocks { memory, free: UnsafeCell::new([null_mut(); CLASSES]), fresh: UnsafeCell::new((0, 0)) }
    }
}

fn class(layout: &Layout) -> usize {
    let size = layout.size().max(layout.align()).max(1 << SMALLEST);
    (size.next_power_of_two().trailing_zeros() - SMALLEST) as usize
}

// SAFETY: a block is handed out once until it comes back; it is at least as large and as aligned as asked,
// since fresh blocks are aligned to their own (power of two) size.
unsafe impl<M: Memory> GlobalAlloc for Blocks<M> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let class = class(&layout);
        let size = 1usize << (class + SMALLEST as usize);
        // SAFETY: one thread, and no reference to either cell outlives this call.
        let (free, fresh) = unsafe { (&mut *self.free.get(), &mut *self.fresh.get()) };
        if !free[class].is_null() {
            let block = free[class];
            // SAFETY: a free block holds the link to the next one in its first bytes.
            free[class] = unsafe { *block.cast() };
            return block;
        }
        if fresh.1 == 0 {
            *fresh = self.memory.range();
        }
        loop {
            let start = fresh.0.next_multiple_of(size);
            let Some(end) = start.checked_add(size) else {
                return null_mut();
            };
            if end <= fresh.1 {
                fresh.0 = end;
                return start as *mut u8;
            }
            let pages = (end - fresh.1).div_ceil(PAGE);
            match self.memory.grow(pages) {
                None => return null_mut(),
                Some(begin) if begin == fresh.1 => fresh.1 += pages * PAGE,
                // What lies before belongs to somebody else.
                Some(begin) => *fresh = (begin, begin + pages * PAGE),
            }
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let class = class(&layout);
        // SAFETY: as in `alloc`; the block is the caller's and large enough for a link.
        unsafe {
            let free = &mut *self.free.get();
            *block.cast() = free[class];
            free[class] = block;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use std::boxed::Box;
    use std::vec::Vec;

    const PAGES: usize = 16;

    /// Some pages of the heap, of which one is there from the beginning.
    struct Heap {
        bytes: Box<[UnsafeCell<u8>]>,
        pages: core::cell::Cell<usize>,
    }

    impl Memory for Heap {
        fn range(&self) -> (usize, usize) {
            let start = self.bytes.as_ptr().expose_provenance();
            (start, start + self.pages.get() * PAGE)
        }

        fn grow(&self, pages: usize) -> Option<usize> {
            let (_, end) = self.range();
            let grown = self.pages.get() + pages;
            (grown <= PAGES).then(|| {
                self.pages.set(grown);
                end
            })
        }
    }

    fn blocks() -> Blocks<Heap> {
        let bytes = (0..PAGES * PAGE).map(|_| UnsafeCell::new(0)).collect();
        Blocks::new(Heap { bytes, pages: core::cell::Cell::new(1) })
    }

    fn layout(size: usize, align: usize) -> Layout {
        Layout::from_size_align(size, align).expect("a layout")
    }

    #[test]
    fn blocks_are_as_asked_and_no_two_share_a_byte() {
        let blocks = blocks();
        let mut rng = Rng::new(1);
        let mut alive: Vec<(*mut u8, Layout, u8)> = Vec::new();
        for round in 0..20_000u32 {
            if alive.len() < 100 && rng.below(2) == 0 {
                let layout = layout(1 + rng.below(3000) as usize, 1 << rng.below(7));
                // SAFETY: the layout is of more than 0 bytes.
                let block = unsafe { blocks.alloc(layout) };
                assert!(!block.is_null() && (block as usize).is_multiple_of(layout.align()));
                // SAFETY: the block has as many bytes.
                unsafe { block.write_bytes(round as u8, layout.size()) };
                alive.push((block, layout, round as u8));
            } else if !alive.is_empty() {
                let (block, layout, value) = alive.swap_remove(rng.below(alive.len() as u32) as usize);
                // SAFETY: it was allocated with this layout, written in full, and is given back once.
                let bytes = unsafe { core::slice::from_raw_parts(block, layout.size()) };
                assert!(bytes.iter().all(|&byte| byte == value));
                // SAFETY: as above.
                unsafe { blocks.dealloc(block, layout) };
            }
        }
    }

    #[test]
    fn what_is_given_back_is_used_again() {
        let blocks = blocks();
        for _ in 0..1000 {
            // SAFETY: a layout of more than 0 bytes; what was allocated is given back once.
            unsafe {
                let block = blocks.alloc(layout(PAGE, 8));
                assert!(!block.is_null());
                blocks.dealloc(block, layout(PAGE, 8));
            }
        }
        assert!(blocks.memory.pages.get() <= 3);
    }

    #[test]
    fn pages_that_somebody_else_has_added_are_left_alone() {
        let blocks = blocks();
        // SAFETY: layouts of more than 0 bytes.
        let next = |size| unsafe { blocks.alloc(layout(size, 8)) } as usize;
        assert_ne!(next(64), 0);
        let theirs = blocks.memory.grow(1).expect("a page");
        let taken: Vec<usize> = (0..4 * PAGE / 64).map(|_| next(64)).chain([next(2 * PAGE)]).collect();
        assert!(taken.iter().all(|&block| block != 0 && !(theirs - 63..theirs + PAGE).contains(&block)));
    }

    #[test]
    fn where_memory_ends_there_is_no_block() {
        let blocks = blocks();
        // SAFETY: layouts of more than 0 bytes.
        let next = || unsafe { blocks.alloc(layout(PAGE, 1)) };
        let fitted = (0..2 * PAGES).take_while(|_| !next().is_null()).count();
        assert!((PAGES - 2..=PAGES).contains(&fitted), "{fitted}");
        assert!(next().is_null());
        // SAFETY: as above.
        assert!(unsafe { blocks.alloc(layout(1 << 30, 1)) }.is_null());
    }
}
