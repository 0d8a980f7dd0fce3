;; Always the lowest card, and the highest guess: legal, and a start. Make `arena_decide` better.
(module
  (@custom "arena.bot" "{\"game\":\"little-hunters\",\"name\":\"{name}\",\"version\":\"0.1.0\",\"author\":\"{author}\",\"description\":\"Always the lowest card and the highest guess\",\"language\":\"wat\"}")

  ;; The view: arena writes it to the address that `arena_init` returns, here 0. RULES.md has the offsets.
  (memory (export "memory") 1)
  (global $own_hand i32 (i32.const 0))
  (global $opponent_hand i32 (i32.const 1))

  (func (export "arena_abi") (result i32)
    (i32.const 1))

  ;; Called at the start of each match: what the bot remembers begins here.
  (func (export "arena_init") (param $seat i32) (param $seats i32) (param $seed i64) (result i32)
    (i32.const 0))

  ;; Decision 0 is `play`, 1 is `guess`. Card c of a hand is bit c - 1.
  (func (export "arena_decide") (param $decision i32) (param $length i32) (result i64)
    (i64.extend_i32_u
      (if (result i32) (i32.eqz (local.get $decision))
        (then (i32.add (i32.ctz (i32.load8_u (global.get $own_hand))) (i32.const 1)))
        (else (i32.sub (i32.const 32) (i32.clz (i32.load8_u (global.get $opponent_hand)))))))))
