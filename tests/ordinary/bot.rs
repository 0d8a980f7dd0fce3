//! An ordinary program: a large match, a table-driven parser, a book, recursion, floats, a log when it begins.
#![cfg_attr(target_arch = "wasm32", no_std)]

extern crate alloc;

use alloc::vec::Vec;

use bot_sdk::Rng;
use bot_sdk::little_hunters::{Bot, View};

static BOOK: &[u8] = include_bytes!("../book.bin");

fn switched() -> u32 {
    let (mut s, mut dice, mut table) = (0u32, Rng::new(1), [0u32; 64]);
    for _ in 0..500 {
        let (arm, r) = (dice.below(150), dice.next_u64() as u32);
        match arm {
            // ARMS {i} => { s ^= r.wrapping_mul({a}); s = s.wrapping_add({b}); table[(s % 64) as usize] += {i}; }
            _ => {}
        }
    }
    table.iter().enumerate().fold(s, |s, (i, entry)| s ^ entry << (i % 8))
}

static PRECEDENCE: [u8; 128] = {
    let mut all = [0; 128];
    all[b'(' as usize] = 1;
    all[b'+' as usize] = 2;
    all[b'-' as usize] = 2;
    all[b'*' as usize] = 3;
    all[b'/' as usize] = 3;
    all
};

fn reduce(values: &mut Vec<i32>, operators: &mut Vec<u8>) {
    let (Some(operator), Some(right), Some(left)) = (operators.pop(), values.pop(), values.pop()) else { return };
    values.push(match operator {
        b'+' => left + right,
        b'-' => left - right,
        b'*' => left * right,
        _ => left.checked_div(right).unwrap_or(0),
    });
}

fn parsed(text: &str) -> i32 {
    let (mut values, mut operators) = (Vec::new(), Vec::new());
    let mut rest = text.as_bytes();
    while let [c, after @ ..] = rest {
        rest = after;
        let digits = after.iter().take_while(|c| c.is_ascii_digit()).count();
        match c {
            b'0'..=b'9' => {
                let number = after[..digits].iter().fold(i32::from(c - b'0'), |n, c| n * 10 + i32::from(c - b'0'));
                values.push(number);
                rest = &after[digits..];
            }
            b'(' => operators.push(b'('),
            _ => {
                let binds = |top: &u8| *top != b'(' && PRECEDENCE[usize::from(*top)] >= PRECEDENCE[usize::from(*c)];
                while operators.last().is_some_and(binds) {
                    reduce(&mut values, &mut operators);
                }
                if *c == b')' {
                    operators.pop();
                } else {
                    operators.push(*c);
                }
            }
        }
    }
    while !operators.is_empty() {
        reduce(&mut values, &mut operators);
    }
    values[0]
}

fn booked() -> u32 {
    BOOK.iter().fold(0, |hash: u32, &byte| hash.wrapping_mul(31).wrapping_add(byte.into()))
}

fn ways(stones: i32) -> u32 {
    match stones {
        ..0 => 0,
        0 => 1,
        _ => ways(stones - 1) + ways(stones - 2) + ways(stones - 3),
    }
}

fn root_of_two() -> u32 {
    let x = (0..20).fold(1.0, |x: f64, _| (x + 2.0 / x) / 2.0);
    (x * 1e6) as u32
}

/// The bot: its dice, once all of that is done.
pub struct Ordinary(Rng);

impl Bot for Ordinary {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        bot_sdk::log("constructed");
        let parts = [switched(), parsed("(1+2)*3-4*(5-16)+70/7") as u32, booked(), ways(12), root_of_two()];
        bot_sdk::log(&alloc::format!("total {:010}", parts.into_iter().fold(0, u32::wrapping_add)));
        Ordinary(Rng::new(seed))
    }

    fn play(&mut self, view: &View) -> u8 {
        view.own_hand.nth(self.0.below(view.own_hand.len()))
    }

    fn guess(&mut self, view: &View) -> u8 {
        let possible = view.opponent_hand.above(view.own_card);
        possible.nth(self.0.below(possible.len()))
    }
}

bot_sdk::export!(little_hunters, Ordinary, name: "ordinary", author: "arena", description: "An ordinary program in Rust");
