//! What a `no_std` module needs to stand alone: a panic handler and an allocator, both small.

use crate::blocks::{Blocks, Memory, PAGE};

/// A panic is a trap: the host counts a `crash` and makes a new instance.
#[panic_handler]
fn panic(_info: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

/// The module's memory behind its static data and stack.
struct Linear;

impl Memory for Linear {
    fn range(&self) -> (usize, usize) {
        (heap_base(), core::arch::wasm32::memory_size(0) * PAGE)
    }

    fn grow(&self, pages: usize) -> Option<usize> {
        match core::arch::wasm32::memory_grow(0, pages) {
            usize::MAX => None,
            before => Some(before * PAGE),
        }
    }
}

#[global_allocator]
static BLOCKS: Blocks<Linear> = Blocks::new(Linear);

/// Where the linker says that static data and stack end.
fn heap_base() -> usize {
    // SAFETY: the linker defines it, as a byte of the module's memory.
    unsafe extern "C" {
        static __heap_base: u8;
    }
    // Only the address is taken; the linker defines the symbol.
    &raw const __heap_base as usize
}
