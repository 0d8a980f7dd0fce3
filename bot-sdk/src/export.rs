//! From a bot's type to a module's exports.

/// Makes a module of a bot: the exports of `ABI.md` and the metadata section.
///
/// `export!(game, Type, name: "…", author: "…", description: "…")`, where `game` is the game's module in this
/// crate and `Type` implements its `Bot`. The version is the package's own. On other targets than WebAssembly only
/// `METADATA` is defined, so the same file can be part of a native program.
///
/// The texts go into JSON as they are: no quotes, backslashes or control characters (checked at compile time).
#[macro_export]
macro_rules! export {
    (
        $game:ident, $bot:ty,
        name: $name:literal,
        author: $author:literal,
        description: $description:literal $(,)?
    ) => {
        const __TEXTS: &[&str] = &[
            "{\"game\":\"",
            <$crate::$game::Adapter<$bot> as $crate::Exported>::GAME,
            "\",\"name\":\"",
            $name,
            "\",\"version\":\"",
            env!("CARGO_PKG_VERSION"),
            "\",\"author\":\"",
            $author,
            "\",\"description\":\"",
            $description,
            "\",\"language\":\"rust\"}",
        ];
        const _: () = {
            assert!($crate::__metadata_text_is_plain($name), "a name without quotes or backslashes");
            assert!($crate::__metadata_text_is_plain($author), "an author without quotes or backslashes");
            assert!($crate::__metadata_text_is_plain($description), "a description without quotes or backslashes");
        };

        /// The bot's metadata, JSON, as the module's section `arena.bot` holds it.
        // SAFETY: a custom section holds nothing that the module itself could use.
        #[cfg_attr(target_arch = "wasm32", unsafe(link_section = "arena.bot"))]
        pub static METADATA: [u8; $crate::__joined_len(__TEXTS)] =
            $crate::__joined::<{ $crate::__joined_len(__TEXTS) }>(__TEXTS);

        #[cfg(target_arch = "wasm32")]
        mod __exports {
            use super::*;
            use core::cell::UnsafeCell;

            type Adapted = $crate::$game::Adapter<$bot>;

            const VIEW_SIZE: usize = <Adapted as $crate::Exported>::VIEW_SIZE;

            // The view comes first: its address is the aligned one.
            #[repr(C, align(8))]
            struct Instance {
                view: UnsafeCell<[u8; VIEW_SIZE]>,
                bot: UnsafeCell<Option<Adapted>>,
            }

            // SAFETY: a module has one thread.
            unsafe impl Sync for Instance {}

            static INSTANCE: Instance = Instance { view: UnsafeCell::new([0; VIEW_SIZE]), bot: UnsafeCell::new(None) };

            // SAFETY: of this and the next two: the names are the interface's, and a module has one bot.
            #[unsafe(no_mangle)]
            extern "C" fn arena_abi() -> i32 {
                $crate::abi::VERSION
            }

            #[unsafe(no_mangle)]
            extern "C" fn arena_init(seat: u32, seats: u32, seed: u64) -> *mut u8 {
                // SAFETY: one thread, and calls do not nest: nothing else borrows the cell.
                unsafe {
                    *INSTANCE.bot.get() = Some($crate::Bot::start(seat, seats, seed));
                }
                INSTANCE.view.get().cast()
            }

            #[unsafe(no_mangle)]
            extern "C" fn arena_decide(decision: u32, len: u32) -> i64 {
                // SAFETY: as in `arena_init`; the host wrote the view before this call.
                let (view, bot) = unsafe { (&*INSTANCE.view.get(), &mut *INSTANCE.bot.get()) };
                match (bot, view.get(..len as usize)) {
                    (Some(bot), Some(view)) => $crate::Bot::decide(bot, decision, view),
                    _ => $crate::abi::NO_ACTION,
                }
            }
        }
    };
}

/// The length of `parts` joined.
#[doc(hidden)]
pub const fn __joined_len(parts: &[&str]) -> usize {
    let mut total = 0;
    let mut i = 0;
    while i < parts.len() {
        total += parts[i].len();
        i += 1;
    }
    total
}

/// The bytes of `parts`, one after the other.
#[doc(hidden)]
pub const fn __joined<const N: usize>(parts: &[&str]) -> [u8; N] {
    let mut joined = [0; N];
    let mut at = 0;
    let mut i = 0;
    while i < parts.len() {
        let bytes = parts[i].as_bytes();
        let mut j = 0;
        while j < bytes.len() {
            joined[at] = bytes[j];
            at += 1;
            j += 1;
        }
        i += 1;
    }
    joined
}

/// Whether a text can stand between JSON's quotes as it is.
#[doc(hidden)]
pub const fn __metadata_text_is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i] < b' ' || bytes[i] == b'"' || bytes[i] == b'\\' {
            return false;
        }
        i += 1;
    }
    true
}
