//! The command line: parse, run, one error printed, an exit code.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::process::ExitCode;

use arena::cli;
use arena::sandbox::BotThread;
use arena::sandbox::compiling_process::out_of_memory;

/// The system's allocator. Where it has no memory left, a process that compiles a bot can still say why.
struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

// SAFETY: all is done by the system's allocator; `out_of_memory` allocates nothing.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is passed on.
        reported(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is passed on.
        reported(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise is passed on.
        reported(unsafe { System.realloc(pointer, layout, size) }, size)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[inline]
fn reported(pointer: *mut u8, size: usize) -> *mut u8 {
    if pointer.is_null() {
        out_of_memory(size);
    }
    pointer
}

fn main() -> ExitCode {
    // A panic has told where it was.
    match std::panic::catch_unwind(|| BotThread::run(cli::main)) {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => {
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(cli::exit::ARENA_FAULT)
        }
        Err(_) => ExitCode::from(cli::exit::ARENA_FAULT),
    }
}
