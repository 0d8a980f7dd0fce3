// Random challenges, gifts, and from round 11 on claims: legal, and a start. Make `orders` and `vote` better.
import { PASSING_CARDS_ORDERS, PassingCards, PassingCardsView, Rng, VIEW, count, nth } from "./arena";
export { arena_abi } from "./arena";

let dice = new Rng(0);

// Called at the start of each match: what the bot remembers begins here.
export function arena_init(seat: u32, seats: u32, seed: u64): usize {
  dice = new Rng(seed);
  return VIEW;
}

// The `index`th other player. Those from the own seat on are one further.
function other(view: PassingCardsView, index: u32): u32 {
  return index < view.own_seat ? index : index + 1;
}

const cards = new StaticArray<u32>(3);

function orders(view: PassingCardsView): i64 {
  let orders: i64 = 0;
  for (let i = 0; i < 3; i++) cards[i] = view.own_cards(i);
  for (let i = 2; i > 0; i--) {
    const place = dice.below(i + 1);
    const card = cards[i];
    cards[i] = cards[place];
    cards[place] = card;
  }
  for (let i = 0; i < 3 && view.partners(i).seat != 255; i++) {
    orders |= PassingCards.give(view.partners(i).seat, cards[i]);
  }
  const option = dice.below(3);
  if (option < 2) orders |= PassingCards.challenge(view.options(option));
  if (view.round >= 11) {
    const one = dice.below(9);
    const another = (one + 1 + dice.below(8)) % 9;
    orders |= PassingCards.claim(other(view, one), other(view, another));
  }
  return orders;
}

function vote(view: PassingCardsView): i64 {
  let candidates: u32 = 0;
  for (let seat = 0; seat < 10; seat++) candidates |= view.candidates(seat) << seat;
  return nth(candidates, dice.below(count(candidates)));
}

export function arena_decide(decision: u32, length: u32): i64 {
  const view = changetype<PassingCardsView>(VIEW);
  return decision == PASSING_CARDS_ORDERS ? orders(view) : vote(view);
}
