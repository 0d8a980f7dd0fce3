;; misaligned_buffer: refused at check: the view buffer must begin at a multiple of 8
(module
  (memory (export "memory") 1)
  (func (export "arena_abi") (result i32) (i32.const 1))
  (func (export "arena_init") (param i32 i32 i64) (result i32) (i32.const 1028))
  (func (export "arena_decide") (param i32 i32) (result i64) (i64.const 1)))
