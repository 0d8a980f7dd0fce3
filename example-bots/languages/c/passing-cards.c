// Random challenges, gifts, and from round 11 on claims: legal, and a start. Make `orders` and `vote` better.
#include "arena.h"

ARENA_BOT(passing_cards, "{name}", "0.1.0", "{author}", "Random challenges and gifts, and random claims from round 11 on")

static arena_rng dice;

// Called at the start of each match: what the bot remembers begins here.
static void init(uint32_t seat, uint32_t seats, uint64_t seed) {
    (void)seat, (void)seats;
    dice = arena_rng_new(seed);
}

// The `index`th other player. Those from the own seat on are one further.
static uint8_t other(const passing_cards_view *view, uint32_t index) { return index + (index >= view->own_seat); }

static int64_t orders(const passing_cards_view *view) {
    int64_t orders = 0;
    uint8_t cards[3];
    for (int i = 0; i < 3; i++) cards[i] = view->own_cards[i];
    for (uint32_t i = 2; i > 0; i--) {
        uint32_t place = arena_below(&dice, i + 1);
        uint8_t card = cards[i];
        cards[i] = cards[place];
        cards[place] = card;
    }
    for (int i = 0; i < 3 && view->partners[i].seat != 255; i++) {
        orders |= passing_cards_give(view->partners[i].seat, cards[i]);
    }
    uint32_t option = arena_below(&dice, 3);
    if (option < 2) orders |= passing_cards_challenge(view->options[option]);
    if (view->round >= 11) {
        uint32_t one = arena_below(&dice, 9);
        uint32_t another = (one + 1 + arena_below(&dice, 8)) % 9;
        orders |= passing_cards_claim(other(view, one), other(view, another));
    }
    return orders;
}

static int64_t vote(const passing_cards_view *view) {
    uint32_t candidates = 0;
    for (int seat = 0; seat < 10; seat++) candidates |= view->candidates[seat] << seat;
    return arena_nth(candidates, arena_below(&dice, arena_count(candidates)));
}

static int64_t decide(uint32_t decision, const passing_cards_view *view) {
    return decision == PASSING_CARDS_ORDERS ? orders(view) : vote(view);
}
