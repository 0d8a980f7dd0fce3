//! What a match costs on one thread: `cargo bench`.
//!
//! For each game, the bot that plays at random sits in every seat, and the same deals are played
//!
//! - `wasm`: in the sandbox, a block of a league with new instances, without a journal;
//! - `native`: by the same driver, with the same bots called natively;
//! - `floor`: nothing but the sandbox's own work for them: as many fresh instances and as many calls with views of the
//!   same size, of a bot that does nothing;
//! - `reset_floor`: likewise with instances that are set back from match to match.
//!
//! The ratio of two lines of one run says more than any of them alone. `arena bench` has more of them.

use arena::bench::{Floor, Subject};
use arena::games::GameId;
use arena::sandbox::{BotModule, BotThread, Limits, Sandbox};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    BotThread::run(|_| divan::main()).expect("a thread");
}

fn games() -> Vec<&'static str> {
    GameId::ALL.iter().map(|game| game.name()).collect()
}

fn subject(name: &str) -> Subject {
    GameId::from_name(name).and_then(Subject::of).expect("a game with a bot that plays at random")
}

fn sandbox() -> Sandbox {
    Sandbox::new(Limits::default(), 12).expect("a sandbox")
}

/// Benchmarks run where `main` has them run.
fn thread() -> BotThread {
    BotThread::current().expect("a thread for bots")
}

fn matches(subject: Subject) -> ItemsCount {
    ItemsCount::new(subject.native_block(0).expect("a block").matches)
}

#[divan::bench(args = games())]
fn wasm(bencher: Bencher<'_, '_>, name: &str) {
    let subject = subject(name);
    let sandbox = sandbox();
    let module =
        BotModule::load(&sandbox, subject.wasm, subject.game.view_size(), subject.game.info().seats.0).expect("a bot");
    let thread = thread();
    bencher.counter(matches(subject)).bench_local(|| subject.module_block(thread, &module, 0));
}

#[divan::bench(args = games())]
fn native(bencher: Bencher<'_, '_>, name: &str) {
    let subject = subject(name);
    bencher.counter(matches(subject)).bench_local(|| subject.native_block(0));
}

fn bare(bencher: Bencher<'_, '_>, name: &str, work: fn(&Floor, BotThread) -> std::io::Result<u64>) {
    let subject = subject(name);
    let sandbox = sandbox();
    let floor =
        Floor::of(&sandbox, subject.game, &subject.native_block(0).expect("a block")).expect("the idle bot is one");
    let thread = thread();
    bencher.counter(matches(subject)).bench_local(|| work(&floor, thread).expect("the idle bot answers"));
}

#[divan::bench(args = games())]
fn floor(bencher: Bencher<'_, '_>, name: &str) {
    bare(bencher, name, Floor::fresh);
}

#[divan::bench(args = games())]
fn reset_floor(bencher: Bencher<'_, '_>, name: &str) {
    bare(bencher, name, Floor::reused);
}
