;; grow_60000_pages: accepted; memory.grow answers -1 at a small price, and the bot goes on
(module
  (memory (export "memory") 1)
  (func (export "arena_abi") (result i32) (i32.const 1))
  (func (export "arena_init") (param i32 i32 i64) (result i32) (i32.const 1024))
  (func (export "arena_decide") (param i32 i32) (result i64)
    (if (i32.ne (memory.grow (i32.const 60000)) (i32.const -1)) (then (unreachable)))
    (i64.const -1)))
