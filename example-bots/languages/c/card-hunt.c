// Every allowed card equally likely, a pass like a card: legal, and a start. Make `decide` better.
#include "arena.h"

ARENA_BOT(card_hunt, "{name}", "0.1.0", "{author}", "Every allowed card and the pass equally likely")

static arena_rng dice;

// Called at the start of each match: what the bot remembers begins here.
static void init(uint32_t seat, uint32_t seats, uint64_t seed) {
    (void)seat, (void)seats;
    dice = arena_rng_new(seed);
}

static int64_t decide(uint32_t decision, const card_hunt_view *view) {
    // Card c is bit c - 2, so that the cards above c are the bits from c - 1 on.
    uint32_t playable = view->hands[view->seat];
    if (view->laid) {
        uint32_t highest = view->trick[view->laid - 1].card;
        playable = playable >> (highest - 1) << (highest - 1);
    }
    uint32_t pass = decision == CARD_HUNT_FOLLOW;
    uint32_t choice = arena_below(&dice, arena_count(playable) + pass);
    return choice < pass ? 0 : arena_nth(playable, choice - pass) + 2;
}
