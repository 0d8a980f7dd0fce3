//! Bots to learn from and to play against, one short file each.
//!
//! Each file is a whole bot: built for WebAssembly it is a module of its own (an `[[example]]` in `Cargo.toml`; `build.sh`
//! makes them all), and here the same type runs natively.
#![cfg_attr(target_arch = "wasm32", no_std)]
// On WebAssembly each bot is a crate of its own, and their exports must not meet here.
#![cfg(not(target_arch = "wasm32"))]

use bot_sdk::Bot;

/// A bot that runs natively.
#[derive(Clone, Copy)]
pub struct NativeBot {
    /// The game it plays.
    pub game: &'static str,
    /// Its name, which is that of its file.
    pub name: &'static str,
    /// Makes one at the start of a match: seat, seats, seed.
    pub make: fn(u32, u32, u64) -> Box<dyn Bot>,
    /// The same bot as a WebAssembly module.
    pub wasm: &'static [u8],
}

macro_rules! bots {
    ($($(#[$doc:meta])* $game:ident in $folder:literal { $($bot:ident :: $type:ident),+ $(,)? })+) => {
        $(
            $(#[$doc])*
            pub mod $game { $(pub mod $bot;)+ }
        )+

        /// All bots, by game and in the order of their files' names.
        pub const BOTS: &[NativeBot] = &[$($(NativeBot {
            game: bot_sdk::$game::NAME,
            name: stringify!($bot),
            make: |seat, seats, seed| {
                Box::new(<bot_sdk::$game::Adapter<$game::$bot::$type> as Bot>::start(seat, seats, seed))
            },
            wasm: include_bytes!(concat!("wasm/", $folder, "/", stringify!($bot), ".wasm")),
        }),+),+];
    };
}

bots! {
    /// Bots for Animal Rescuers.
    animal_rescuers in "animal-rescuers" {
        hasty::Hasty,
        high::High,
        low::Low,
        pass::Pass,
        random::Random,
        thankful::Thankful,
    }
    /// Bots for Card Hunt.
    card_hunt in "card-hunt" {
        counter::Counter,
        miser::Miser,
        passer::Passer,
        random::Random,
        searcher::Searcher,
        spender::Spender,
    }
    /// Bots for Little Hunters.
    little_hunters in "little-hunters" {
        highest::Highest,
        lowest::Lowest,
        nash::Nash,
        reader::Reader,
        repeater::Repeater,
        silent::Silent,
        uniform::Uniform,
    }
    /// Bots for Passing Cards.
    passing_cards in "passing-cards" {
        collector::Collector,
        hoarder::Hoarder,
        random::Random,
        silent::Silent,
        tracker::Tracker,
    }
}

/// The native bot of a game and name.
pub fn find(game: &str, name: &str) -> Option<NativeBot> {
    BOTS.iter().copied().find(|bot| bot.game == game && bot.name == name)
}
