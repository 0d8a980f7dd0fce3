// An ordinary program: a large switch, a table-driven parser, a book, recursion, floats, a log at the top level.
import { LITTLE_HUNTERS_PLAY, LittleHuntersView, Rng, VIEW, count, log, nth } from "./arena";
import { BOOK, BOOK_LENGTH } from "./book";
export { arena_abi } from "./arena";

log("constructed");

let dice = new Rng(0);
const table = new StaticArray<u32>(64);

function switched(): u32 {
  let s: u32 = 0;
  dice = new Rng(1);
  for (let i = 0; i < 500; i++) {
    const arm = dice.below(150);
    const r = <u32>dice.next();
    switch (arm) {
      // ARMS case {i}: s ^= r * {a}; s += {b}; table[s % 64] += {i}; break;
    }
  }
  for (let i = 0; i < 64; i++) s ^= table[i] << (i % 8);
  return s;
}

const precedence = new Map<string, i32>();
precedence.set("(", 1);
precedence.set("+", 2);
precedence.set("-", 2);
precedence.set("*", 3);
precedence.set("/", 3);
precedence.set(")", 0);

function apply(operator: string, left: i32, right: i32): i32 {
  if (operator == "+") return left + right;
  if (operator == "-") return left - right;
  if (operator == "*") return left * right;
  return right ? left / right : 0;
}

function parsed(text: string): i32 {
  const values: i32[] = [];
  const operators: string[] = [];
  const reduce = (values: i32[], operators: string[]): void => {
    const right = values.pop();
    const left = values.pop();
    values.push(apply(operators.pop(), left, right));
  };
  for (let at = 0; at < text.length; at++) {
    const c = text.charAt(at);
    if (c >= "0" && c <= "9") {
      let end = at;
      while (end < text.length && text.charAt(end) >= "0" && text.charAt(end) <= "9") end++;
      values.push(<i32>parseInt(text.substring(at, end)));
      at = end - 1;
    } else if (c == "(") {
      operators.push(c);
    } else {
      while (operators.length && operators[operators.length - 1] != "("
        && precedence.get(operators[operators.length - 1]) >= precedence.get(c)) reduce(values, operators);
      if (c == ")") operators.pop();
      else operators.push(c);
    }
  }
  while (operators.length) reduce(values, operators);
  return values[0];
}

function booked(): u32 {
  let hash: u32 = 0;
  for (let i: usize = 0; i < BOOK_LENGTH; i++) hash = hash * 31 + load<u8>(BOOK + i);
  return hash;
}

function ways(stones: i32): u32 {
  return stones < 0 ? 0 : stones == 0 ? 1 : ways(stones - 1) + ways(stones - 2) + ways(stones - 3);
}

function rootOfTwo(): u32 {
  let x: f64 = 1;
  for (let i = 0; i < 20; i++) x = (x + 2 / x) / 2;
  return <u32>(x * 1e6);
}

export function arena_init(seat: u32, seats: u32, seed: u64): usize {
  const total: u32 = switched() + <u32>parsed("(1+2)*3-4*(5-16)+70/7") + booked() + ways(12) + rootOfTwo();
  log("total " + total.toString().padStart(10, "0"));
  dice = new Rng(seed);
  return VIEW;
}

function anyOf(hand: u32): i64 {
  return nth(hand, dice.below(count(hand))) + 1;
}

export function arena_decide(decision: u32, length: u32): i64 {
  const view = changetype<LittleHuntersView>(VIEW);
  return anyOf(decision == LITTLE_HUNTERS_PLAY ? view.own_hand : (view.opponent_hand >> view.own_card) << view.own_card);
}
