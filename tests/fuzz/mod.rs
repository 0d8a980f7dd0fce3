//! Mutated bots: a clear refusal, or played to the end; never a panic, a hang or a leak. `ARENA_FUZZ=n` does n times as much.
//!
//! Random modules are in `arena/crates/fuzz`, since what makes them has the engine built anew.

mod feeding;

use arena::games::GameId;

use self::feeding::{Dice, feed, on_a_bot_thread, resident, times};
use crate::harness::repository;

/// A thousand mutated copies of each prebuilt bot of a game, those in other languages too.
fn mutated_copies_are_refused_or_played(game: GameId) {
    on_a_bot_thread(move |thread, sandbox| {
        let mut dice = Dice(0x2545_f491_4f6c_dd1d);
        let mut before = 0;
        let (mut fed, mut played) = (0, 0);
        let folders = ["example-bots/wasm", "example-bots/wasm/languages"];
        let folders =
            folders.map(|folder| std::fs::read_dir(repository().join(folder).join(game.name())).expect("bots"));
        let mut files: Vec<_> = folders.into_iter().flatten().map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        for file in files {
            let whole = std::fs::read(file).expect("a bot");
            assert!(feed(thread, sandbox, game, &whole));
            for _ in 0..1000 * times() {
                let mut bytes = whole.clone();
                for _ in 0..=dice.below(3) {
                    let at = dice.below(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
                    match dice.below(4) {
                        _ if bytes.is_empty() => bytes.push(dice.roll() as u8),
                        0 | 1 => bytes[at] ^= 1 << dice.below(8),
                        2 => {
                            let end = (at + 1 + dice.below(16)).min(bytes.len());
                            if dice.below(8) == 0 { bytes.truncate(at) } else { drop(bytes.drain(at..end)) }
                        }
                        _ => {
                            let more: Vec<u8> = (0..=dice.below(16)).map(|_| dice.roll() as u8).collect();
                            drop(bytes.splice(at..at, more));
                        }
                    }
                }
                played += usize::from(feed(thread, sandbox, game, &bytes));
                fed += 1;
                if fed == 500 {
                    before = resident();
                }
            }
        }
        let grown = resident().saturating_sub(before);
        eprintln!("{fed} mutated, {played} played, {} KiB more memory", grown >> 10);
        assert!(played > fed / 100, "mutations leave some bots whole: {played} of {fed}");
        // Other tests run in this process at the same time; a leak of what a module takes would be larger.
        assert!(grown < 512 << 20, "{grown} bytes more than at the start");
    });
}

#[test]
fn mutated_little_hunters_bots_are_refused_or_played() {
    mutated_copies_are_refused_or_played(GameId::LittleHunters);
}

#[test]
fn mutated_card_hunt_bots_are_refused_or_played() {
    mutated_copies_are_refused_or_played(GameId::CardHunt);
}

#[test]
fn mutated_animal_rescuers_bots_are_refused_or_played() {
    mutated_copies_are_refused_or_played(GameId::AnimalRescuers);
}

#[test]
fn mutated_passing_cards_bots_are_refused_or_played() {
    mutated_copies_are_refused_or_played(GameId::PassingCards);
}
