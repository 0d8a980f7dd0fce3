//! Tests of arena whose dependencies nothing else of it needs: `tests/` plays random modules and solves games by linear
//! programming, `examples/` computes the table of the bot `nash`.
//!
//! `wasm-smith` and `microlp` switch on features of packages that the engine is built on. Here they do not have it built
//! a second time for those who only run arena and its tests.
