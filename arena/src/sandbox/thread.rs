//! Threads that bots may run on.
//!
//! A bot runs on its caller's stack, and whatever its fuel allows must end before the stack does. So an instance is started
//! only with a [`BotThread`], which nobody has but on a thread with such a stack, and stays on that thread.

use std::cell::Cell;
use std::marker::PhantomData;

use rayon::prelude::*;

use super::settings::THREAD_STACK;
use crate::failure::HostError;

thread_local! {
    static IS_BOT_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// Says that the current thread has the stack that bots need. It cannot leave its thread.
#[derive(Debug, Clone, Copy)]
pub struct BotThread(PhantomData<*const ()>);

impl BotThread {
    /// Runs something on a thread that bots may run on: this one, or a new one whose end is waited for.
    ///
    /// # Errors
    /// The host's, if there can be no new thread.
    ///
    /// # Panics
    /// If `work` does.
    pub fn run<T: Send>(work: impl FnOnce(BotThread) -> T + Send) -> Result<T, HostError> {
        if let Some(thread) = BotThread::current() {
            return Ok(work(thread));
        }
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name("arena".into()).stack_size(THREAD_STACK);
            let begin = || {
                IS_BOT_THREAD.set(true);
                work(BotThread(PhantomData))
            };
            let thread = thread.spawn_scoped(scope, begin).map_err(|error| HostError::new("start a thread", error))?;
            Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }

    /// That of the current thread, if bots may run on it.
    pub fn current() -> Option<BotThread> {
        IS_BOT_THREAD.get().then_some(BotThread(PhantomData))
    }

    fn of_pool() -> BotThread {
        BotThread::current().expect("the pool's threads are begun for bots")
    }
}

/// Threads that bots may run on, several at a time.
pub struct BotThreads(rayon::ThreadPool);

impl BotThreads {
    /// A number of threads.
    ///
    /// # Errors
    /// The host's, if it cannot start that many.
    pub fn new(count: usize) -> Result<BotThreads, HostError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .stack_size(THREAD_STACK)
            .start_handler(|_| IS_BOT_THREAD.set(true));
        pool.build().map(BotThreads).map_err(|error| HostError::new("start threads", error))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.current_num_threads()
    }

    /// Runs each of `works` on one of the threads, and `meanwhile` on the current one; what that gives, once all have ended.
    pub fn run<T>(
        &self,
        works: impl IntoIterator<Item = impl FnOnce(BotThread) + Send>,
        meanwhile: impl FnOnce() -> T,
    ) -> T {
        self.0.in_place_scope(|scope| {
            works.into_iter().for_each(|work| scope.spawn(|_| work(BotThread::of_pool())));
            meanwhile()
        })
    }

    /// What `work` gives for each item, in their order.
    pub fn map<I: Sync, R: Send>(&self, items: &[I], work: impl Fn(BotThread, &I) -> R + Sync) -> Vec<R> {
        self.0.install(|| items.par_iter().map(|item| work(BotThread::of_pool(), item)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More than an ordinary thread has.
    fn use_stack(depth: u32) -> u64 {
        let page = std::hint::black_box([depth as u8; 4096]);
        if depth == 0 { 0 } else { u64::from(page[7]) + use_stack(depth - 1) }
    }

    #[test]
    fn bots_have_more_stack_than_ordinary_threads() {
        let deep = || use_stack(16_000);
        let here = BotThread::run(|_| deep()).unwrap();
        let threads = BotThreads::new(2).unwrap();
        assert_eq!(threads.map(&[1, 2, 3], |_, _| deep()), [here; 3]);
        let (sender, received) = std::sync::mpsc::channel();
        let works = (0..threads.count()).map(|_| {
            let sender = sender.clone();
            move |_| sender.send(deep()).unwrap()
        });
        let works: Vec<_> = works.collect();
        drop(sender);
        assert_eq!(threads.run(works, || received.iter().collect::<Vec<_>>()), [here; 2]);
    }

    #[test]
    fn a_panic_comes_through() {
        let panicked = std::panic::catch_unwind(|| BotThread::run(|_| panic!("on the other thread")));
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"on the other thread"));
        // One that is a bot's thread already is not left.
        let id = || std::thread::current().id();
        let (outer, inner) = BotThread::run(|_| (id(), BotThread::run(|_| id()).unwrap())).unwrap();
        assert!(outer == inner && outer != id());
    }
}
