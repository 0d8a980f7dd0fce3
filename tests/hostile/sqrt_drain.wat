;; sqrt_drain: accepted; in play: timeout; each square root waits for the one before
(module
  (memory (export "memory") 1)
  (func (export "arena_abi") (result i32) (i32.const 1))
  (func (export "arena_init") (param i32 i32 i64) (result i32) (i32.const 1024))
  (func (export "arena_decide") (param i32 i32) (result i64) (local $f f64)
    (local.set $f (f64.const 1e300))
    (loop $l
      (local.set $f (f64.sqrt (local.get $f)))
      (local.set $f (f64.sqrt (local.get $f)))
      (local.set $f (f64.sqrt (local.get $f)))
      (local.set $f (f64.sqrt (local.get $f)))
      (local.set $f (f64.sqrt (local.get $f)))
      (local.set $f (f64.sqrt (local.get $f)))
      (local.set $f (f64.sqrt (local.get $f)))
      (local.set $f (f64.sqrt (local.get $f)))
      (br $l))
    (i64.const 1)))
