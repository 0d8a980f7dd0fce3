;; Always the lowest card that is allowed, never a pass: legal, and a start. Make `arena_decide` better.
(module
  (@custom "arena.bot" "{\"game\":\"card-hunt\",\"name\":\"{name}\",\"version\":\"0.1.0\",\"author\":\"{author}\",\"description\":\"The lowest card that is allowed, never a pass\",\"language\":\"wat\"}")

  ;; The view: arena writes it to the address that `arena_init` returns, here 0. RULES.md has the offsets.
  (memory (export "memory") 1)
  (global $seat i32 (i32.const 0))
  (global $laid i32 (i32.const 5))
  (global $trick i32 (i32.const 6))
  (global $hands i32 (i32.const 32))

  (func (export "arena_abi") (result i32)
    (i32.const 1))

  ;; Called at the start of each match: what the bot remembers begins here.
  (func (export "arena_init") (param $seat i32) (param $seats i32) (param $seed i64) (result i32)
    (i32.const 0))

  ;; The own cards that may be laid now. Card c is bit c - 2, so that the cards above c are the bits from c - 1 on.
  (func $playable (result i32)
    (local $cards i32) (local $laid i32) (local $from i32)
    (local.set $cards
      (i32.load16_u (i32.add (global.get $hands) (i32.mul (i32.load8_u (global.get $seat)) (i32.const 2)))))
    (local.set $laid (i32.load8_u (global.get $laid)))
    (if (local.get $laid)
      (then
        ;; The trick's last card is its highest: a record of two bytes, the second the card.
        (local.set $from
          (i32.sub
            (i32.load8_u (i32.sub (i32.add (global.get $trick) (i32.mul (local.get $laid) (i32.const 2))) (i32.const 1)))
            (i32.const 1)))
        (local.set $cards (i32.shl (i32.shr_u (local.get $cards) (local.get $from)) (local.get $from)))))
    (local.get $cards))

  ;; Decision 0 is `lead`, 1 is `follow`; 0 would be a pass.
  (func (export "arena_decide") (param $decision i32) (param $length i32) (result i64)
    (i64.extend_i32_u (i32.add (i32.ctz (call $playable)) (i32.const 2)))))
