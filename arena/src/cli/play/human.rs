//! A person at the table: reads the view in words, types answers in words.

use std::cell::RefCell;
use std::io::{BufRead, Write};
use std::marker::PhantomData;

use bot_sdk::Plain;

use super::tell::Teller;
use crate::failure::{CallError, HostError};
use crate::games::words::understand;
use crate::games::{Game, Witness};
use crate::ids::{Answer, Fault, Seat, escaped};
use crate::play::account::Account;
use crate::play::random::Legal;
use crate::play::{Observer, Player};

/// What can be typed beside answers.
const HELP: &str = "`help` says what can be answered, `quit` leaves the table.\n";

/// The terminal of a person at the table.
pub(super) struct Console<'a> {
    teller: &'a Teller,
    out: &'a mut dyn Write,
    /// Whether there is no more to read: the person has left.
    left: bool,
    failed: std::io::Result<()>,
}

impl<'a> Console<'a> {
    pub(super) fn new(teller: &'a Teller, out: &'a mut dyn Write) -> Console<'a> {
        Console { teller, out, left: false, failed: Ok(()) }
    }

    /// Whether the person left before the end.
    pub(super) fn end(self) -> std::io::Result<bool> {
        self.failed.map(|()| self.left)
    }

    fn say(&mut self, text: &str) {
        if self.failed.is_ok() && !self.left {
            self.failed = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        }
    }

    fn say_of_seats(&mut self, text: &str) {
        self.say(&format!("{}\n", self.teller.with_names(text)));
    }

    /// Says before the first question what can be typed beside answers.
    pub(super) fn greet(&mut self) {
        self.say(&format!("\n{HELP}"));
    }

    fn leave(&mut self) {
        self.left = true;
    }

    /// A line that is typed; none once the person has left.
    fn line(&mut self) -> Option<String> {
        self.say("> ");
        let mut line = String::new();
        let read = if self.left || self.failed.is_err() { Ok(0) } else { std::io::stdin().lock().read_line(&mut line) };
        // What is no text, or cannot be read, is the end as well.
        if read.is_ok_and(|bytes| bytes > 0) {
            return Some(line);
        }
        self.say("\n");
        self.left = true;
        None
    }
}

/// The person's player.
pub(super) struct Human<'a, 'c, G> {
    console: &'a RefCell<Console<'c>>,
    legal: &'a Legal,
    game: PhantomData<G>,
}

impl<'a, 'c, G: Game> Human<'a, 'c, G> {
    pub(super) fn new(console: &'a RefCell<Console<'c>>, legal: &'a Legal) -> Human<'a, 'c, G> {
        Human { console, legal, game: PhantomData }
    }
}

impl<G: Game> Player for Human<'_, '_, G> {
    fn start(&mut self, _seat: Seat, _seats: usize, _seed: u64) -> Result<(), CallError> {
        Ok(())
    }

    fn decide(&mut self, decision: u8, view: &[u8]) -> Result<Answer, CallError> {
        let mut console = self.console.borrow_mut();
        let other = || HostError::new("read a view", "it is not one of this game");
        let view = G::View::from_bytes(view).ok_or_else(other)?;
        let legal = self.legal.answers();
        console.say_of_seats(&format!("\n{}", G::describe(view, decision)));
        loop {
            // The match is played to its end without the person, so that it has one.
            let Some(line) = console.line() else {
                return Ok(Answer { action: legal.first().copied().unwrap_or(bot_sdk::abi::NO_ACTION), fuel: 0 });
            };
            match understand::<G>(view, decision, &line, &legal) {
                Ok(action) => return Ok(Answer { action, fuel: 0 }),
                // What is an answer, as `q` for a queen, is no command.
                Err(why) => match line.trim().to_lowercase().as_str() {
                    "quit" | "exit" => console.leave(),
                    "q" => console.say("`quit` leaves the table.\n"),
                    "help" | "?" | "h" => {
                        console.say_of_seats(&G::describe(view, decision));
                        console.say(&format!("{}.\n{HELP}", escaped(&why, 400)));
                    }
                    // It may hold what was typed.
                    _ => console.say(&format!("{}.\n", escaped(&why, 400))),
                },
            }
        }
    }
}

/// Tells the person what its seat hears, and the account everything.
pub(super) struct Listening<'a, 'c, G> {
    pub(super) account: Account<'a>,
    console: &'a RefCell<Console<'c>>,
    seat: Seat,
    game: PhantomData<G>,
}

impl<'a, 'c, G: Game> Listening<'a, 'c, G> {
    pub(super) fn new(account: Account<'a>, console: &'a RefCell<Console<'c>>, seat: Seat) -> Listening<'a, 'c, G> {
        Listening { account, console, seat, game: PhantomData }
    }
}

impl<G: Game> Witness<G::Event> for Listening<'_, '_, G> {
    fn event(&mut self, event: impl FnOnce() -> G::Event) {
        let event = event();
        if let Some(text) = G::heard(&event, self.seat) {
            self.console.borrow_mut().say_of_seats(&text);
        }
        self.account.event(|| event);
    }
}

impl<G: Game> Observer<G> for Listening<'_, '_, G> {
    fn asks(&mut self, seat: Seat, decision: u8, state: &G) {
        Observer::<G>::asks(&mut self.account, seat, decision, state);
    }

    fn decision(&mut self, seat: Seat, decision: u8, view: &G::View, answer: Option<Answer>, fault: Option<Fault>) {
        Observer::<G>::decision(&mut self.account, seat, decision, view, answer, fault);
    }
}
