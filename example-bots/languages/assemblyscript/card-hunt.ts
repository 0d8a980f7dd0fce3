// Every allowed card equally likely, a pass like a card: legal, and a start. Make `arena_decide` better.
import { CARD_HUNT_FOLLOW, CardHuntView, Rng, VIEW, count, nth } from "./arena";
export { arena_abi } from "./arena";

let dice = new Rng(0);

// Called at the start of each match: what the bot remembers begins here.
export function arena_init(seat: u32, seats: u32, seed: u64): usize {
  dice = new Rng(seed);
  return VIEW;
}

export function arena_decide(decision: u32, length: u32): i64 {
  const view = changetype<CardHuntView>(VIEW);
  // Card c is bit c - 2, so that the cards above c are the bits from c - 1 on.
  let playable = view.hands(view.seat);
  if (view.laid > 0) {
    const highest = view.trick(view.laid - 1).card;
    playable = (playable >> (highest - 1)) << (highest - 1);
  }
  const pass: u32 = decision == CARD_HUNT_FOLLOW ? 1 : 0;
  const choice = dice.below(count(playable) + pass);
  return choice < pass ? 0 : nth(playable, choice - pass) + 2;
}
