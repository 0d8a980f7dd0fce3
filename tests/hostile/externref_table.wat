;; externref_table: refused at check: each instance that names externref would take a second slot of the memory pool
(module
  (memory (export "memory") 1)
  (table 1 externref)
  (func (export "arena_abi") (result i32) (i32.const 1))
  (func (export "arena_init") (param i32 i32 i64) (result i32) (i32.const 1024))
  (func (export "arena_decide") (param i32 i32) (result i64) (i64.const 1)))
