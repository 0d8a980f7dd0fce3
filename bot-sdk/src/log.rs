//! Text for the bot's author.

/// Sends a line of text to the bot's author: `arena play` shows it, leagues drop it.
///
/// On WebAssembly it costs fuel by the text's length, shown or not. Natively it goes to the error stream.
pub fn log(text: &str) {
    #[cfg(target_arch = "wasm32")]
    {
        #[link(wasm_import_module = "arena")]
        unsafe extern "C" {
            #[link_name = "log"]
            fn arena_log(ptr: *const u8, len: usize);
        }
        // SAFETY: the host only reads the text's bytes, which live until the call returns.
        unsafe { arena_log(text.as_ptr(), text.len()) }
    }
    #[cfg(not(target_arch = "wasm32"))]
    std::eprintln!("{text}");
}
