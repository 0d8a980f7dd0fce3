// Every card in hand and the pass equally likely: legal, and a start. Make `decide` better.
#include "arena.h"

ARENA_BOT(animal_rescuers, "{name}", "0.1.0", "{author}", "Every card and the pass equally likely")

static arena_rng dice;

// Called at the start of each match: what the bot remembers begins here.
static void init(uint32_t seat, uint32_t seats, uint64_t seed) {
    (void)seat, (void)seats;
    dice = arena_rng_new(seed);
}

// The one decision is ANIMAL_RESCUERS_TURN.
static int64_t decide(uint32_t decision, const animal_rescuers_view *view) {
    (void)decision;
    // The card of number n is bit n. One more than there are cards: the last number is the pass, 0.
    uint32_t cards = arena_count(view->own_hand), choice = arena_below(&dice, cards + 1);
    return choice == cards ? 0 : arena_nth(view->own_hand, choice);
}
