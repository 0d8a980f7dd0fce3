//! What a `no_std` module needs to stand alone: a panic handler and an allocator, both small.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::ptr::null_mut;

/// A panic is a trap: the host counts a `crash` and makes a new instance.
#[panic_handler]
fn panic(_info: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

const PAGE: usize = 65536;
/// The smallest block, 16 bytes: room for a free list's link and alignment for everything common.
const SMALLEST: u32 = 4;
const CLASSES: usize = 32 - SMALLEST as usize;

/// Blocks of powers of two, with a free list for each size; memory is asked of the host when it runs out and
/// never given back (an instance lives for one match).
struct Blocks {
    free: UnsafeCell<[*mut u8; CLASSES]>,
    /// Where untouched memory begins and ends; both 0 until the first use.
    fresh: UnsafeCell<(usize, usize)>,
}

// SAFETY: a bot has one thread.
unsafe impl Sync for Blocks {}

#[global_allocator]
static BLOCKS: Blocks = Blocks { free: UnsafeCell::new([null_mut(); CLASSES]), fresh: UnsafeCell::new((0, 0)) };

fn class(layout: &Layout) -> usize {
    let size = layout.size().max(layout.align()).max(1 << SMALLEST);
    (size.next_power_of_two().trailing_zeros() - SMALLEST) as usize
}

// SAFETY: a block is handed out once until it comes back; it is at least as large and as aligned as asked,
// since fresh blocks are aligned to their own (power of two) size.
unsafe impl GlobalAlloc for Blocks {
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
            *fresh = (heap_base(), core::arch::wasm32::memory_size(0) * PAGE);
        }
        let start = fresh.0.next_multiple_of(size);
        let Some(end) = start.checked_add(size) else {
            return null_mut();
        };
        if end > fresh.1 {
            let pages = (end - fresh.1).div_ceil(PAGE);
            if core::arch::wasm32::memory_grow(0, pages) == usize::MAX {
                return null_mut();
            }
            fresh.1 += pages * PAGE;
        }
        fresh.0 = end;
        start as *mut u8
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

/// Where the linker says that static data and stack end.
fn heap_base() -> usize {
    unsafe extern "C" {
        static __heap_base: u8;
    }
    // Only the address is taken; the linker defines the symbol.
    &raw const __heap_base as usize
}
