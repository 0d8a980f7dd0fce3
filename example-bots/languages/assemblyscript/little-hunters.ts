// Every card in hand and every possible guess equally likely: legal, and a start. Make `arena_decide` better.
import { LITTLE_HUNTERS_GUESS, LITTLE_HUNTERS_PLAY, LittleHuntersView, NO_ACTION, Rng, VIEW, count, nth } from "./arena";
export { arena_abi } from "./arena";

let dice = new Rng(0);

// Called at the start of each match: what the bot remembers begins here.
export function arena_init(seat: u32, seats: u32, seed: u64): usize {
  dice = new Rng(seed);
  return VIEW;
}

// A card of a hand at random. Card c is bit c - 1.
function anyOf(hand: u32): i64 {
  return nth(hand, dice.below(count(hand))) + 1;
}

export function arena_decide(decision: u32, length: u32): i64 {
  const view = changetype<LittleHuntersView>(VIEW);
  switch (decision) {
    case LITTLE_HUNTERS_PLAY:
      return anyOf(view.own_hand);
    case LITTLE_HUNTERS_GUESS:
      // The own card was the lower one, so the other is above it.
      return anyOf((view.opponent_hand >> view.own_card) << view.own_card);
    default:
      return NO_ACTION;
  }
}
