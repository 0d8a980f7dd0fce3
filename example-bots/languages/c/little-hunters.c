// Every card in hand and every possible guess equally likely: legal, and a start. Make `decide` better.
#include "arena.h"

ARENA_BOT(little_hunters, "{name}", "0.1.0", "{author}", "Every card and every possible guess equally likely")

static arena_rng dice;

// Called at the start of each match: what the bot remembers begins here.
static void init(uint32_t seat, uint32_t seats, uint64_t seed) {
    (void)seat, (void)seats;
    dice = arena_rng_new(seed);
}

// A card of a hand at random. Card c is bit c - 1.
static int64_t any_of(uint32_t hand) { return arena_nth(hand, arena_below(&dice, arena_count(hand))) + 1; }

static int64_t decide(uint32_t decision, const little_hunters_view *view) {
    switch (decision) {
    case LITTLE_HUNTERS_PLAY:
        return any_of(view->own_hand);
    case LITTLE_HUNTERS_GUESS:
        // The own card was the lower one, so the other is above it.
        return any_of(view->opponent_hand >> view->own_card << view->own_card);
    default:
        return ARENA_NO_ACTION;
    }
}
