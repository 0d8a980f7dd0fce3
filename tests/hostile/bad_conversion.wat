;; bad_conversion: accepted; in play: crash, by a trap of a conversion
(module
  (memory (export "memory") 1)
  (func (export "arena_abi") (result i32) (i32.const 1))
  (func (export "arena_init") (param i32 i32 i64) (result i32) (i32.const 1024))
  (func (export "arena_decide") (param i32 i32) (result i64)
    (drop (i32.trunc_f64_s (f64.const 1e300)))
    (i64.const 1)))
