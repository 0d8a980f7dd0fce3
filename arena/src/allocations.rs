//! Counts what a thread allocates: for tests that something allocates nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, counted.
struct Counted;

impl Counted {
    fn count(&self) -> &System {
        COUNT.with(|count| count.set(count.get() + 1));
        &System
    }
}

// SAFETY: every call is the system allocator's own with the same arguments; counting allocates nothing, since the
// thread's count needs neither to be made nor to be dropped.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe { self.count().alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe { self.count().alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe { self.count().realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static COUNTED: Counted = Counted;

/// How often this thread allocates in a call, and what the call gives.
pub(crate) fn counted<T>(call: impl FnOnce() -> T) -> (u64, T) {
    let before = COUNT.get();
    let value = call();
    (COUNT.get() - before, value)
}
