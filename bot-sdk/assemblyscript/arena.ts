// Write a bot for arena in AssemblyScript: import this file.
//
// A bot exports `arena_abi` (below), `arena_init`, which returns VIEW, and `arena_decide`. A game's view is a class below:
// `changetype<LittleHuntersView>(VIEW)`. Its lists are methods: `view.hands(seat)`.
//
// Licensed under MIT or Apache-2.0, at your option.

/** An action that is legal in no game and in no decision. */
export const NO_ACTION: i64 = i64.MIN_VALUE;

/** The version of the interface: export it as it is. */
export function arena_abi(): i32 {
  return 1;
}

@external("arena", "log")
declare function log_bytes(text: usize, length: usize): void;

/** A line for the bot's author: `arena play` shows it, leagues drop it. It costs 100 fuel and 1 for each byte. */
export function log(text: string): void {
  const bytes = String.UTF8.encode(text);
  log_bytes(changetype<usize>(bytes), bytes.byteLength);
}

/** How many cards a set of bits holds. */
export function count(bits: u32): u32 {
  return popcnt(bits);
}

/** The place of the `index`th bit from below, counted from 0; 32 if there are not so many. */
export function nth(bits: u32, index: u32): u32 {
  for (; bits != 0 && index != 0; index--) bits &= bits - 1;
  return ctz(bits);
}

/** A random generator, xoshiro256++ seeded by SplitMix64: the numbers of the Rust SDK's `Rng`. */
export class Rng {
  private s0: u64;
  private s1: u64;
  private s2: u64;
  private s3: u64;

  constructor(private seed: u64) {
    this.s0 = this.mix();
    this.s1 = this.mix();
    this.s2 = this.mix();
    this.s3 = this.mix();
  }

  private mix(): u64 {
    this.seed += 0x9e3779b97f4a7c15;
    let z = this.seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /** The next 64 random bits. */
  next(): u64 {
    const result = rotl<u64>(this.s0 + this.s3, 23) + this.s0;
    const shifted = this.s1 << 17;
    this.s2 ^= this.s0;
    this.s3 ^= this.s1;
    this.s1 ^= this.s2;
    this.s0 ^= this.s3;
    this.s2 ^= shifted;
    this.s3 = rotl<u64>(this.s3, 45);
    return result;
  }

  /** A number from 0 to n - 1, each equally likely; 0 for n = 0. */
  below(n: u32): u32 {
    // Lemire's multiplication with rejection.
    let product: u64;
    do {
      product = (this.next() & 0xffffffff) * n;
    } while (<u32>product < n && <u32>product < (0 - n) % n);
    return <u32>(product >> 32);
  }
}

// Orders of Passing Cards begin as 0, which leaves everything to its default, and parts are added, each once.
export namespace PassingCards {
  export const PEEK: i64 = 1 << 52;
  export function give(partner: u32, card: u32): i64 {
    return <i64>(card + 1) << (4 * partner);
  }
  export function challenge(option: u32): i64 {
    return <i64>(option + 1) << 40;
  }
  export function claim(one: u32, other: u32): i64 {
    return (<i64>(one + 1) << 44) | (<i64>(other + 1) << 48);
  }
}

// The games. Below, all is written from bot-sdk/src by `ARENA_BLESS=1 cargo test --release -p arena --test it`.

/** Where the host writes the views: the address for `arena_init` to return. */
export const VIEW: usize = memory.data(117, 8);

export const LITTLE_HUNTERS_PLAY: u32 = 0;
export const LITTLE_HUNTERS_GUESS: u32 = 1;

/** 5 bytes. */
@unmanaged
export class LittleHuntersRound {
  // The own card, 0 if it was not revealed.
  get own_card(): u32 {
    return load<u8>(changetype<usize>(this), 0);
  }
  // The opponent's card, 0 if it was not revealed.
  get opponent_card(): u32 {
    return load<u8>(changetype<usize>(this), 1);
  }
  // Who guessed: 0 nobody, 1 the bot itself, 2 its opponent.
  get guesser(): u32 {
    return load<u8>(changetype<usize>(this), 2);
  }
  // The guess, 0 for a skipped one (or nobody guessed).
  get guess(): u32 {
    return load<u8>(changetype<usize>(this), 3);
  }
  // 1 if the guess was right, else 0.
  get right(): u32 {
    return load<u8>(changetype<usize>(this), 4);
  }
}

/** 41 bytes. */
@unmanaged
export class LittleHuntersView {
  // The own cards, card c is bit c - 1. At `guess` the card just laid is still among them.
  get own_hand(): u32 {
    return load<u8>(changetype<usize>(this), 0);
  }
  // The opponent's cards, likewise: its pending card is one of them.
  get opponent_hand(): u32 {
    return load<u8>(changetype<usize>(this), 1);
  }
  // At `guess`, the own card just revealed; 0 at `play`.
  get own_card(): u32 {
    return load<u8>(changetype<usize>(this), 2);
  }
  // The round of this bout, 0 to 2.
  get round(): u32 {
    return load<u8>(changetype<usize>(this), 3);
  }
  // The bout of this series, counted from 0.
  get bout(): u32 {
    return load<u8>(changetype<usize>(this), 4);
  }
  // The series: 0 the main one (best of 15), then the tie-breaks (best of 5) 1, 2, 3.
  get series(): u32 {
    return load<u8>(changetype<usize>(this), 5);
  }
  // Bouts of this series won by the bot itself.
  get own_wins(): u32 {
    return load<u8>(changetype<usize>(this), 6);
  }
  // Bouts of this series won by the opponent.
  get opponent_wins(): u32 {
    return load<u8>(changetype<usize>(this), 7);
  }
  // Bouts of this series tied.
  get ties(): u32 {
    return load<u8>(changetype<usize>(this), 8);
  }
  // This bout's rounds so far; those to come are all 0.
  rounds(i: u32): LittleHuntersRound {
    return changetype<LittleHuntersRound>(changetype<usize>(this) + <usize>i * 5 + 9);
  }
  // The whole of the previous bout.
  previous_rounds(i: u32): LittleHuntersRound {
    return changetype<LittleHuntersRound>(changetype<usize>(this) + <usize>i * 5 + 24);
  }
  // Its result: 0 there was none, 1 won, 2 lost, 3 tied.
  get previous_result(): u32 {
    return load<u8>(changetype<usize>(this), 39);
  }
  // By what it ended: 0 there was none, 1 a right guess, 2 the sums, 3 the sets compared, 4 a failed play.
  get previous_ending(): u32 {
    return load<u8>(changetype<usize>(this), 40);
  }
}

export const CARD_HUNT_LEAD: u32 = 0;
export const CARD_HUNT_FOLLOW: u32 = 1;

/** 2 bytes. */
@unmanaged
export class CardHuntLaid {
  // Who laid it.
  get seat(): u32 {
    return load<u8>(changetype<usize>(this), 0);
  }
  // Its rank, 2 to 14.
  get card(): u32 {
    return load<u8>(changetype<usize>(this), 1);
  }
}

/** 72 bytes. */
@unmanaged
export class CardHuntView {
  // The own seat, counted from 0.
  get seat(): u32 {
    return load<u8>(changetype<usize>(this), 0);
  }
  // The number of seats.
  get seats(): u32 {
    return load<u8>(changetype<usize>(this), 1);
  }
  // The round, counted from 0; there are as many as seats.
  get round(): u32 {
    return load<u8>(changetype<usize>(this), 2);
  }
  // The seat that leads this trick.
  get leader(): u32 {
    return load<u8>(changetype<usize>(this), 3);
  }
  // The seats still in the trick, seat s is bit s.
  get in_trick(): u32 {
    return load<u8>(changetype<usize>(this), 4);
  }
  // The cards in the trick so far; 0 at `lead`.
  get laid(): u32 {
    return load<u8>(changetype<usize>(this), 5);
  }
  // The trick's cards in the order they were laid; those to come are all 0.
  trick(i: u32): CardHuntLaid {
    return changetype<CardHuntLaid>(changetype<usize>(this) + <usize>i * 2 + 6);
  }
  // Every seat's hand, card c is bit c - 2.
  hands(i: u32): u32 {
    return load<u16>(changetype<usize>(this) + <usize>i * 2, 32);
  }
  // The cards that every seat captured this round.
  round_points(i: u32): u32 {
    return load<u8>(changetype<usize>(this) + <usize>i, 48);
  }
  // The cards that every seat captured in the match, this round's included.
  match_points(i: u32): u32 {
    return load<u16>(changetype<usize>(this) + <usize>i * 2, 56);
  }
}

export const ANIMAL_RESCUERS_TURN: u32 = 0;

/** 3 bytes. */
@unmanaged
export class AnimalRescuersRule {
  // Where: 0 among the cards in play, 1 among the cards in hand.
  get zone(): u32 {
    return load<u8>(changetype<usize>(this), 0);
  }
  // Which cards count: 0 all, 1 only circles, 2 only triangles.
  get shape(): u32 {
    return load<u8>(changetype<usize>(this), 1);
  }
  // 0 the highest, 1 the lowest.
  get which(): u32 {
    return load<u8>(changetype<usize>(this), 2);
  }
}

/** 37 bytes. */
@unmanaged
export class AnimalRescuersPreviousRound {
  // The animal that was hidden, by its card's number; 0 if there was no round before.
  get animal(): u32 {
    return load<u8>(changetype<usize>(this), 0);
  }
  // Each seat's cards left in hand at the round's end: bit n for the card of number n.
  hands(i: u32): u32 {
    return load<u16>(changetype<usize>(this) + <usize>i * 2, 1);
  }
  // Each seat's cards in play at the round's end, in the order played; then 0.
  played(i: u32, j: u32): u32 {
    return load<u8>(changetype<usize>(this) + <usize>i * 6 + <usize>j, 9);
  }
  // For each seat 1 if it was thanked, else 0.
  thanked(i: u32): u32 {
    return load<u8>(changetype<usize>(this) + <usize>i, 33);
  }
}

/** 117 bytes. */
@unmanaged
export class AnimalRescuersView {
  // The own seat.
  get seat(): u32 {
    return load<u8>(changetype<usize>(this), 0);
  }
  // The number of seats; lists by seat are all 0 beyond it.
  get seats(): u32 {
    return load<u8>(changetype<usize>(this), 1);
  }
  // The round, counted from 0; a match has as many as seats.
  get round(): u32 {
    return load<u8>(changetype<usize>(this), 2);
  }
  // The dealer's seat; the seat after it went first.
  get dealer(): u32 {
    return load<u8>(changetype<usize>(this), 3);
  }
  // The own hand: bit n for the card of number n.
  get own_hand(): u32 {
    return load<u16>(changetype<usize>(this), 4);
  }
  // The number of cards in each seat's hand.
  hand_sizes(i: u32): u32 {
    return load<u8>(changetype<usize>(this) + <usize>i, 6);
  }
  // Each seat's cards in play, by number, in the order played; then 0.
  played(i: u32, j: u32): u32 {
    return load<u8>(changetype<usize>(this) + <usize>i * 6 + <usize>j, 10);
  }
  // For each seat 1 if it has passed in this round, else 0.
  passed(i: u32): u32 {
    return load<u8>(changetype<usize>(this) + <usize>i, 34);
  }
  // The sum of the ranks in play.
  get sum(): u32 {
    return load<u8>(changetype<usize>(this), 38);
  }
  // The sum that ends the round.
  get limit(): u32 {
    return load<u8>(changetype<usize>(this), 39);
  }
  // Whom each animal thanks, by card from number 2 (1 circle, 1 triangle, 2 circle, …) to 13.
  chart(i: u32): AnimalRescuersRule {
    return changetype<AnimalRescuersRule>(changetype<usize>(this) + <usize>i * 3 + 40);
  }
  // Thanks of the rounds before, by seat.
  thanks(i: u32): u32 {
    return load<u8>(changetype<usize>(this) + <usize>i, 76);
  }
  // The round before.
  get previous(): AnimalRescuersPreviousRound {
    return changetype<AnimalRescuersPreviousRound>(changetype<usize>(this) + 80);
  }
}

export const PASSING_CARDS_ORDERS: u32 = 0;
export const PASSING_CARDS_VOTE: u32 = 1;

/** 2 bytes. */
@unmanaged
export class PassingCardsPartner {
  // The partner, 255 for none.
  get seat(): u32 {
    return load<u8>(changetype<usize>(this), 0);
  }
  // Who forced the trade: 0 there is none, 1 the partner, 2 the bot itself.
  get side(): u32 {
    return load<u8>(changetype<usize>(this), 1);
  }
}

/** 2 bytes. */
@unmanaged
export class PassingCardsReceived {
  // Who gave it, 255 for none.
  get giver(): u32 {
    return load<u8>(changetype<usize>(this), 0);
  }
  // The card, 255 for none.
  get card(): u32 {
    return load<u8>(changetype<usize>(this), 1);
  }
}

/** 54 bytes. */
@unmanaged
export class PassingCardsView {
  // The own seat, which is also the own name.
  get own_seat(): u32 {
    return load<u8>(changetype<usize>(this), 0);
  }
  // The round, 1 to 14.
  get round(): u32 {
    return load<u8>(changetype<usize>(this), 1);
  }
  // How many different names a claim needs this round.
  get needed(): u32 {
    return load<u8>(changetype<usize>(this), 2);
  }
  // The own garnets. At `vote` the winner's 3 are among them.
  get own_garnets(): u32 {
    return load<u8>(changetype<usize>(this), 3);
  }
  // The trades that the bot has taken part in so far.
  get own_trades(): u32 {
    return load<u8>(changetype<usize>(this), 4);
  }
  // The own cards.
  own_cards(i: u32): u32 {
    return load<u8>(changetype<usize>(this) + <usize>i, 5);
  }
  // The two players that the bot can challenge this round.
  options(i: u32): u32 {
    return load<u8>(changetype<usize>(this) + <usize>i, 8);
  }
  // After a peek, its options of the next round; else 255, 255.
  next_options(i: u32): u32 {
    return load<u8>(changetype<usize>(this) + <usize>i, 10);
  }
  // The trade partners of this round in partner order: those who forced the bot, by seat, then the one that it
  // forced; then none.
  partners(i: u32): PassingCardsPartner {
    return changetype<PassingCardsPartner>(changetype<usize>(this) + <usize>i * 2 + 12);
  }
  // The cards that came in at the end of the round before, in the partner order of that round; then none.
  received(i: u32): PassingCardsReceived {
    return changetype<PassingCardsReceived>(changetype<usize>(this) + <usize>i * 2 + 18);
  }
  // At `vote`, by seat: 1 for a candidate, else 0.
  candidates(i: u32): u32 {
    return load<u8>(changetype<usize>(this) + <usize>i, 24);
  }
  // At `vote`, by seat: the two others that the seat named in its true claim; 255, 255 for a seat without one.
  claims(i: u32, j: u32): u32 {
    return load<u8>(changetype<usize>(this) + <usize>i * 2 + <usize>j, 34);
  }
}

// End of the games.
