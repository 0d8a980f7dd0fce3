;; scattered_pages: accepted: writes to 22 pages of the host far from each other, which must not use up the mappings of its process
(module
  (memory (export "memory") 18 64)
  (func (export "arena_abi") (result i32) (i32.const 1))
  (func (export "arena_init") (param i32 i32 i64) (result i32) (local $i i32)
    (loop $l
      (i32.store (i32.add (i32.const 16384) (i32.shl (local.get $i) (i32.const 13))) (i32.const 1))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 22))))
    (i32.const 1024))
  (func (export "arena_decide") (param i32 i32) (result i64) (i64.const 1)))
