//! The command line: parse, run, one error printed, an exit code.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::process::ExitCode;

use arena::cli;
use arena::sandbox::compiling_process::out_of_memory;
use arena::sandbox::settings::THREAD_STACK;

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
    // Bots run on their caller's stack, and the main thread's is too small for what their fuel allows.
    let command = std::thread::Builder::new().name("arena".into()).stack_size(THREAD_STACK).spawn(cli::main);
    let fault = ExitCode::from(cli::exit::ARENA_FAULT);
    match command.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // A panic has told where it was.
        Ok(Err(_)) => fault,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: failed to start the program's thread: {error}");
            fault
        }
    }
}
