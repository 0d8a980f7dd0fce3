//! How an instance is brought back to its beginning, exactly, for less than a fresh one costs.
//!
//! All that a WebAssembly instance can change of itself is its memory, its mutable globals, its tables, which
//! passive segments it has dropped, and how large memory and tables are. A module that has no instruction to change
//! tables or to drop segments has only the first two, and its memory is as long as it was unless it grew. Then an
//! instance whose memory and globals are set back to what they were before its first call is a fresh one, by anything
//! that it or its opponents could ever tell. Whatever is not of this shape, has faulted or has grown, is thrown away.

use wasmtime::{Global, Memory, Store, Val};

use super::host::HostState;
use super::pages::Pages;

/// Setting back all of a memory that is larger than this costs more than a fresh instance does: there, writes are tracked
/// from an instance's beginning.
const MOST_MEMORY: usize = 4 * 65_536;

/// What memory and globals are before an instance's first call.
pub(super) struct Image {
    length: usize,
    /// The memory up to the last byte that is not 0.
    bytes: Vec<u8>,
    globals: Vec<Val>,
}

impl Image {
    /// The image of an instance before its first call.
    pub(super) fn of(store: &mut Store<HostState>, memory: &Memory, globals: &[Global]) -> Image {
        let memory = memory.data(&*store);
        let used = memory.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        let (length, bytes) = (memory.len(), memory[..used].to_vec());
        Image { length, bytes, globals: globals.iter().map(|global| global.get(&mut *store)).collect() }
    }

    /// Whether only what was written to may be set back.
    pub(super) fn is_large(&self) -> bool {
        self.length > MOST_MEMORY
    }

    /// Sets an instance of the same module back, all of it but what `pages` know to be untouched. `false`: it cannot
    /// be, or a fresh one is cheaper, and it must be thrown away.
    pub(super) fn restore(
        &self,
        store: &mut Store<HostState>,
        memory: &Memory,
        globals: &[Global],
        pages: Option<&Pages>,
    ) -> bool {
        let bytes = memory.data_mut(&mut *store);
        if bytes.len() != self.length {
            return false;
        }
        if !pages.is_some_and(|pages| pages.written(|part| self.restore_part(bytes, part))) {
            if self.is_large() {
                return false;
            }
            self.restore_part(bytes, 0..self.length);
        }
        globals.iter().zip(&self.globals).all(|(global, value)| global.set(&mut *store, *value).is_ok())
    }

    fn restore_part(&self, memory: &mut [u8], part: std::ops::Range<usize>) {
        let zeros = self.bytes.len().clamp(part.start, part.end);
        if zeros > part.start {
            memory[part.start..zeros].copy_from_slice(&self.bytes[part.start..zeros]);
        }
        memory[zeros..part.end].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use crate::failure::CallError;
    use crate::ids::Seat;
    use crate::sandbox::{BotInstance, BotModule, BotThread, Limits, Sandbox};

    /// A bot that keeps something by `keep` in each decision, and answers with what it kept before, by `kept`.
    fn remembering(pages: u32, more: &str, kept: &str, keep: &str) -> String {
        format!(
            r#"(module (memory (export "memory") {pages} 20) {more}
                (func (export "arena_abi") (result i32) (i32.const 1))
                (func (export "arena_init") (param i32 i32 i64) (result i32) (i32.const 1024))
                (func (export "arena_decide") (param i32 i32) (result i64) {kept} {keep}))"#
        )
    }

    /// What an instance answers in three decisions, and the fuel of them.
    fn answers(instance: &mut BotInstance) -> Vec<Result<(i64, u64), CallError>> {
        let mut all = Vec::new();
        while all.len() < 3 && all.last().is_none_or(Result::is_ok) {
            all.push(instance.decide(0, &[0; 8], 10_000).map(|answer| (answer.action, answer.fuel)));
        }
        all
    }

    #[test]
    fn whatever_a_bot_hides_itself_in_is_as_it_was() {
        let count_at = |address: u32| {
            (
                String::new(),
                format!("(i64.load (i32.const {address}))"),
                format!("(i64.store (i32.const {address}) (i64.add (i64.load (i32.const {address})) (i64.const 1)))"),
            )
        };
        let places = [
            ("the first byte", count_at(0)),
            ("the view's page", count_at(2000)),
            ("the last bytes", count_at(2 * 65_536 - 8)),
        ];
        let own = |more: &str, kept: &str, keep: &str| (more.to_owned(), kept.to_owned(), keep.to_owned());
        let others = [
            (
                "a segment's bytes",
                own(
                    "(data (i32.const 70000) \"text\")",
                    "(i64.load (i32.const 70000))",
                    "(i64.store (i32.const 69998) (i64.const -1))",
                ),
            ),
            (
                "a number",
                own(
                    "(global $g (mut i64) (i64.const 5))",
                    "(global.get $g)",
                    "(global.set $g (i64.add (global.get $g) (i64.const 1)))",
                ),
            ),
            (
                "a vector",
                own(
                    "(global $g (mut v128) (v128.const i64x2 1 2))",
                    "(i64x2.extract_lane 1 (global.get $g))",
                    "(global.set $g (i64x2.splat (i64.const 9)))",
                ),
            ),
            ("grown memory", own("", "(i64.extend_i32_u (memory.size))", "(drop (memory.grow (i32.const 1)))")),
            (
                "a table",
                own(
                    "(table 2 funcref)",
                    "(i64.extend_i32_u (ref.is_null (table.get 0 (i32.const 1))))",
                    "(table.set 0 (i32.const 1) (ref.func 0))",
                ),
            ),
            (
                "a grown table",
                own(
                    "(table 1 funcref)",
                    "(i64.extend_i32_u (table.size))",
                    "(drop (table.grow (ref.null func) (i32.const 1)))",
                ),
            ),
            (
                "a dropped segment",
                own(
                    "(data $d \"x\")",
                    "(memory.init $d (i32.const 0) (i32.const 0) (i32.const 1)) (i64.const 0)",
                    "(data.drop $d)",
                ),
            ),
        ];
        let sandbox = Sandbox::new(Limits::default(), 2).unwrap();
        let all: Vec<_> = places.into_iter().chain(others).collect();
        // Small memories are set back whole at first, large ones never.
        for (pages, (place, (more, kept, keep))) in
            [2, 17].into_iter().flat_map(|pages| all.iter().map(move |all| (pages, all)))
        {
            let more = format!("{more} (elem declare func 0)");
            let bytes = wat::parse_str(remembering(pages, &more, kept, keep)).unwrap();
            let module = BotModule::load(&sandbox, &bytes, 64, 2).unwrap();
            let play = |thread| {
                let start = || Box::new(module.start(thread, Seat(0), 2, 1, None).unwrap());
                let fresh = answers(&mut start());
                assert!(fresh.windows(2).any(|two| two[0] != two[1]), "{place}: it remembers within a match");
                let mut instance = start();
                for round in 0..4 {
                    let now = answers(&mut instance);
                    assert_eq!(now, fresh, "{place}, {pages} pages, match {round}");
                    if now.iter().any(Result::is_err) {
                        break;
                    }
                    instance = module.restart(thread, instance, Seat(0), 2, 1, None).unwrap();
                }
            };
            BotThread::run(play).unwrap();
        }
    }
}
