// Write a bot for arena in C: this header is all it takes, no libc.
//
// A bot is ARENA_BOT and two functions, `init` and `decide`; a game's view is a struct below. Build with clang and lld:
//
//     clang --target=wasm32 -O2 -ffreestanding -mbulk-memory -nostdlib                                                \
//         -Wl,--no-entry,--stack-first,--strip-all,-z,stack-size=16384 -o bot.wasm bot.c
//
// --stack-first puts the stack below the data, so that a stack that overflows traps and does not overwrite them.
//
// Licensed under MIT or Apache-2.0, at your option.
#ifndef ARENA_H
#define ARENA_H

#include <stdint.h>

#if !defined(__wasm__) || __STDC_VERSION__ < 201112L
#error "arena.h is for C11 or later, compiled with --target=wasm32"
#endif

// An action that is legal in no game and in no decision.
#define ARENA_NO_ACTION INT64_MIN

// Makes a module of the functions `init` and `decide`: the exports that arena calls, and what it tells of the bot.
// ARENA_BOT(little_hunters, "name", "1.0.0", "author", "what it does"); the texts without quotes or backslashes.
// Constructors (`__attribute__((constructor))`) run once for each instance, before `init`: if nothing called them, the
// linker would put them before every call, also before each decision.
#define ARENA_BOT(game, name, version, author, description)                                                            \
    __asm__(".section .custom_section.arena.bot,\"\",@\n"                                                              \
            ".ascii \"{\\\"game\\\":\\\"" ARENA_NAME_##game "\\\",\\\"name\\\":\\\"" name                              \
            "\\\",\\\"version\\\":\\\"" version "\\\",\\\"author\\\":\\\"" author                                      \
            "\\\",\\\"description\\\":\\\"" description                                                                \
            "\\\",\\\"language\\\":\\\"c\\\"}\"\n");                                                                   \
    static void init(uint32_t seat, uint32_t seats, uint64_t seed);                                                    \
    static int64_t decide(uint32_t decision, const game##_view *view);                                                 \
    static _Alignas(8) game##_view arena_view;                                                                         \
    void __wasm_call_ctors(void);                                                                                      \
    ARENA_EXPORT(_initialize) void arena_initialize(void) { __wasm_call_ctors(); }                                     \
    ARENA_EXPORT(arena_abi) int32_t arena_abi(void) { return 1; }                                                      \
    ARENA_EXPORT(arena_init) void *arena_init(uint32_t seat, uint32_t seats, uint64_t seed) {                          \
        init(seat, seats, seed);                                                                                       \
        return &arena_view;                                                                                            \
    }                                                                                                                  \
    ARENA_EXPORT(arena_decide) int64_t arena_decide(uint32_t decision, uint32_t length) {                              \
        return length < sizeof arena_view ? ARENA_NO_ACTION : decide(decision, &arena_view);                           \
    }

#define ARENA_EXPORT(function) __attribute__((export_name(#function)))

__attribute__((import_module("arena"), import_name("log"))) void arena_log_bytes(const char *text, uint32_t length);

// A line for the bot's author: `arena play` shows it, leagues drop it. It costs 100 fuel and 1 for each byte.
static inline void arena_log(const char *text) {
    uint32_t length = 0;
    while (text[length]) length++;
    arena_log_bytes(text, length);
}

// How many cards a set of bits holds.
static inline uint32_t arena_count(uint32_t bits) { return __builtin_popcount(bits); }

// The place of the `index`th bit from below, counted from 0; 32 if there are not so many.
static inline uint32_t arena_nth(uint32_t bits, uint32_t index) {
    while (bits && index--) bits &= bits - 1;
    return bits ? __builtin_ctz(bits) : 32;
}

// A random generator, xoshiro256++ seeded by SplitMix64: the numbers of the Rust SDK's `Rng`.
typedef struct {
    uint64_t state[4];
} arena_rng;

static inline arena_rng arena_rng_new(uint64_t seed) {
    arena_rng rng;
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        rng.state[i] = z ^ z >> 31;
    }
    return rng;
}

// The next 64 random bits.
static inline uint64_t arena_random(arena_rng *rng) {
    uint64_t *s = rng->state, sum = s[0] + s[3], shifted = s[1] << 17;
    uint64_t result = (sum << 23 | sum >> 41) + s[0];
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

// A number from 0 to n - 1, each equally likely; 0 for n = 0.
static inline uint32_t arena_below(arena_rng *rng, uint32_t n) {
    // Lemire's multiplication with rejection.
    uint64_t product;
    do product = (arena_random(rng) & UINT32_MAX) * n;
    while ((uint32_t)product < n && (uint32_t)product < -n % n);
    return product >> 32;
}

// Orders of Passing Cards begin as 0, which leaves everything to its default, and parts are added, each once.
static inline int64_t passing_cards_give(uint8_t partner, uint8_t card) { return (card + 1LL) << 4 * partner; }
static inline int64_t passing_cards_challenge(uint8_t option) { return (option + 1LL) << 40; }
static inline int64_t passing_cards_claim(uint8_t one, uint8_t other) {
    return (one + 1LL) << 44 | (other + 1LL) << 48;
}
#define PASSING_CARDS_PEEK (1LL << 52)

// The games. Below, all is written from bot-sdk/src by `ARENA_BLESS=1 cargo test --release -p arena --test it`.

#define ARENA_NAME_little_hunters "little-hunters"

enum {
    LITTLE_HUNTERS_PLAY = 0,
    LITTLE_HUNTERS_GUESS = 1,
};

typedef struct __attribute__((packed)) {
    // The own card, 0 if it was not revealed.
    uint8_t own_card;
    // The opponent's card, 0 if it was not revealed.
    uint8_t opponent_card;
    // Who guessed: 0 nobody, 1 the bot itself, 2 its opponent.
    uint8_t guesser;
    // The guess, 0 for a skipped one (or nobody guessed).
    uint8_t guess;
    // 1 if the guess was right, else 0.
    uint8_t right;
} little_hunters_round;
_Static_assert(__builtin_offsetof(little_hunters_round, own_card) == 0, "");
_Static_assert(__builtin_offsetof(little_hunters_round, opponent_card) == 1, "");
_Static_assert(__builtin_offsetof(little_hunters_round, guesser) == 2, "");
_Static_assert(__builtin_offsetof(little_hunters_round, guess) == 3, "");
_Static_assert(__builtin_offsetof(little_hunters_round, right) == 4, "");
_Static_assert(sizeof(little_hunters_round) == 5, "");

typedef struct __attribute__((packed)) {
    // The own cards, card c is bit c - 1. At `guess` the card just laid is still among them.
    uint8_t own_hand;
    // The opponent's cards, likewise: its pending card is one of them.
    uint8_t opponent_hand;
    // At `guess`, the own card just revealed; 0 at `play`.
    uint8_t own_card;
    // The round of this bout, 0 to 2.
    uint8_t round;
    // The bout of this series, counted from 0.
    uint8_t bout;
    // The series: 0 the main one (best of 15), then the tie-breaks (best of 5) 1, 2, 3.
    uint8_t series;
    // Bouts of this series won by the bot itself.
    uint8_t own_wins;
    // Bouts of this series won by the opponent.
    uint8_t opponent_wins;
    // Bouts of this series tied.
    uint8_t ties;
    // This bout's rounds so far; those to come are all 0.
    little_hunters_round rounds[3];
    // The whole of the previous bout.
    little_hunters_round previous_rounds[3];
    // Its result: 0 there was none, 1 won, 2 lost, 3 tied.
    uint8_t previous_result;
    // By what it ended: 0 there was none, 1 a right guess, 2 the sums, 3 the sets compared, 4 a failed play.
    uint8_t previous_ending;
} little_hunters_view;
_Static_assert(__builtin_offsetof(little_hunters_view, own_hand) == 0, "");
_Static_assert(__builtin_offsetof(little_hunters_view, opponent_hand) == 1, "");
_Static_assert(__builtin_offsetof(little_hunters_view, own_card) == 2, "");
_Static_assert(__builtin_offsetof(little_hunters_view, round) == 3, "");
_Static_assert(__builtin_offsetof(little_hunters_view, bout) == 4, "");
_Static_assert(__builtin_offsetof(little_hunters_view, series) == 5, "");
_Static_assert(__builtin_offsetof(little_hunters_view, own_wins) == 6, "");
_Static_assert(__builtin_offsetof(little_hunters_view, opponent_wins) == 7, "");
_Static_assert(__builtin_offsetof(little_hunters_view, ties) == 8, "");
_Static_assert(__builtin_offsetof(little_hunters_view, rounds) == 9, "");
_Static_assert(__builtin_offsetof(little_hunters_view, previous_rounds) == 24, "");
_Static_assert(__builtin_offsetof(little_hunters_view, previous_result) == 39, "");
_Static_assert(__builtin_offsetof(little_hunters_view, previous_ending) == 40, "");
_Static_assert(sizeof(little_hunters_view) == 41, "");

#define ARENA_NAME_card_hunt "card-hunt"

enum {
    CARD_HUNT_LEAD = 0,
    CARD_HUNT_FOLLOW = 1,
};

typedef struct __attribute__((packed)) {
    // Who laid it.
    uint8_t seat;
    // Its rank, 2 to 14.
    uint8_t card;
} card_hunt_laid;
_Static_assert(__builtin_offsetof(card_hunt_laid, seat) == 0, "");
_Static_assert(__builtin_offsetof(card_hunt_laid, card) == 1, "");
_Static_assert(sizeof(card_hunt_laid) == 2, "");

typedef struct __attribute__((packed)) {
    // The own seat, counted from 0.
    uint8_t seat;
    // The number of seats.
    uint8_t seats;
    // The round, counted from 0; there are as many as seats.
    uint8_t round;
    // The seat that leads this trick.
    uint8_t leader;
    // The seats still in the trick, seat s is bit s.
    uint8_t in_trick;
    // The cards in the trick so far; 0 at `lead`.
    uint8_t laid;
    // The trick's cards in the order they were laid; those to come are all 0.
    card_hunt_laid trick[13];
    // Every seat's hand, card c is bit c - 2.
    uint16_t hands[8];
    // The cards that every seat captured this round.
    uint8_t round_points[8];
    // The cards that every seat captured in the match, this round's included.
    uint16_t match_points[8];
} card_hunt_view;
_Static_assert(__builtin_offsetof(card_hunt_view, seat) == 0, "");
_Static_assert(__builtin_offsetof(card_hunt_view, seats) == 1, "");
_Static_assert(__builtin_offsetof(card_hunt_view, round) == 2, "");
_Static_assert(__builtin_offsetof(card_hunt_view, leader) == 3, "");
_Static_assert(__builtin_offsetof(card_hunt_view, in_trick) == 4, "");
_Static_assert(__builtin_offsetof(card_hunt_view, laid) == 5, "");
_Static_assert(__builtin_offsetof(card_hunt_view, trick) == 6, "");
_Static_assert(__builtin_offsetof(card_hunt_view, hands) == 32, "");
_Static_assert(__builtin_offsetof(card_hunt_view, round_points) == 48, "");
_Static_assert(__builtin_offsetof(card_hunt_view, match_points) == 56, "");
_Static_assert(sizeof(card_hunt_view) == 72, "");

#define ARENA_NAME_animal_rescuers "animal-rescuers"

enum {
    ANIMAL_RESCUERS_TURN = 0,
};

typedef struct __attribute__((packed)) {
    // Where: 0 among the cards in play, 1 among the cards in hand.
    uint8_t zone;
    // Which cards count: 0 all, 1 only circles, 2 only triangles.
    uint8_t shape;
    // 0 the highest, 1 the lowest.
    uint8_t which;
} animal_rescuers_rule;
_Static_assert(__builtin_offsetof(animal_rescuers_rule, zone) == 0, "");
_Static_assert(__builtin_offsetof(animal_rescuers_rule, shape) == 1, "");
_Static_assert(__builtin_offsetof(animal_rescuers_rule, which) == 2, "");
_Static_assert(sizeof(animal_rescuers_rule) == 3, "");

typedef struct __attribute__((packed)) {
    // The animal that was hidden, by its card's number; 0 if there was no round before.
    uint8_t animal;
    // Each seat's cards left in hand at the round's end: bit n for the card of number n.
    uint16_t hands[4];
    // Each seat's cards in play at the round's end, in the order played; then 0.
    uint8_t played[4][6];
    // For each seat 1 if it was thanked, else 0.
    uint8_t thanked[4];
} animal_rescuers_previous_round;
_Static_assert(__builtin_offsetof(animal_rescuers_previous_round, animal) == 0, "");
_Static_assert(__builtin_offsetof(animal_rescuers_previous_round, hands) == 1, "");
_Static_assert(__builtin_offsetof(animal_rescuers_previous_round, played) == 9, "");
_Static_assert(__builtin_offsetof(animal_rescuers_previous_round, thanked) == 33, "");
_Static_assert(sizeof(animal_rescuers_previous_round) == 37, "");

typedef struct __attribute__((packed)) {
    // The own seat.
    uint8_t seat;
    // The number of seats; lists by seat are all 0 beyond it.
    uint8_t seats;
    // The round, counted from 0; a match has as many as seats.
    uint8_t round;
    // The dealer's seat; the seat after it went first.
    uint8_t dealer;
    // The own hand: bit n for the card of number n.
    uint16_t own_hand;
    // The number of cards in each seat's hand.
    uint8_t hand_sizes[4];
    // Each seat's cards in play, by number, in the order played; then 0.
    uint8_t played[4][6];
    // For each seat 1 if it has passed in this round, else 0.
    uint8_t passed[4];
    // The sum of the ranks in play.
    uint8_t sum;
    // The sum that ends the round.
    uint8_t limit;
    // Whom each animal thanks, by card from number 2 (1 circle, 1 triangle, 2 circle, …) to 13.
    animal_rescuers_rule chart[12];
    // Thanks of the rounds before, by seat.
    uint8_t thanks[4];
    // The round before.
    animal_rescuers_previous_round previous;
} animal_rescuers_view;
_Static_assert(__builtin_offsetof(animal_rescuers_view, seat) == 0, "");
_Static_assert(__builtin_offsetof(animal_rescuers_view, seats) == 1, "");
_Static_assert(__builtin_offsetof(animal_rescuers_view, round) == 2, "");
_Static_assert(__builtin_offsetof(animal_rescuers_view, dealer) == 3, "");
_Static_assert(__builtin_offsetof(animal_rescuers_view, own_hand) == 4, "");
_Static_assert(__builtin_offsetof(animal_rescuers_view, hand_sizes) == 6, "");
_Static_assert(__builtin_offsetof(animal_rescuers_view, played) == 10, "");
_Static_assert(__builtin_offsetof(animal_rescuers_view, passed) == 34, "");
_Static_assert(__builtin_offsetof(animal_rescuers_view, sum) == 38, "");
_Static_assert(__builtin_offsetof(animal_rescuers_view, limit) == 39, "");
_Static_assert(__builtin_offsetof(animal_rescuers_view, chart) == 40, "");
_Static_assert(__builtin_offsetof(animal_rescuers_view, thanks) == 76, "");
_Static_assert(__builtin_offsetof(animal_rescuers_view, previous) == 80, "");
_Static_assert(sizeof(animal_rescuers_view) == 117, "");

#define ARENA_NAME_passing_cards "passing-cards"

enum {
    PASSING_CARDS_ORDERS = 0,
    PASSING_CARDS_VOTE = 1,
};

typedef struct __attribute__((packed)) {
    // The partner, 255 for none.
    uint8_t seat;
    // Who forced the trade: 0 there is none, 1 the partner, 2 the bot itself.
    uint8_t side;
} passing_cards_partner;
_Static_assert(__builtin_offsetof(passing_cards_partner, seat) == 0, "");
_Static_assert(__builtin_offsetof(passing_cards_partner, side) == 1, "");
_Static_assert(sizeof(passing_cards_partner) == 2, "");

typedef struct __attribute__((packed)) {
    // Who gave it, 255 for none.
    uint8_t giver;
    // The card, 255 for none.
    uint8_t card;
} passing_cards_received;
_Static_assert(__builtin_offsetof(passing_cards_received, giver) == 0, "");
_Static_assert(__builtin_offsetof(passing_cards_received, card) == 1, "");
_Static_assert(sizeof(passing_cards_received) == 2, "");

typedef struct __attribute__((packed)) {
    // The own seat, which is also the own name.
    uint8_t own_seat;
    // The round, 1 to 14.
    uint8_t round;
    // How many different names a claim needs this round.
    uint8_t needed;
    // The own garnets. At `vote` the winner's 3 are among them.
    uint8_t own_garnets;
    // The trades that the bot has taken part in so far.
    uint8_t own_trades;
    // The own cards.
    uint8_t own_cards[3];
    // The two players that the bot can challenge this round.
    uint8_t options[2];
    // After a peek, its options of the next round; else 255, 255.
    uint8_t next_options[2];
    // The trade partners of this round in partner order: those who forced the bot, by seat, then the one that it
    // forced; then none.
    passing_cards_partner partners[3];
    // The cards that came in at the end of the round before, in the partner order of that round; then none.
    passing_cards_received received[3];
    // At `vote`, by seat: 1 for a candidate, else 0.
    uint8_t candidates[10];
    // At `vote`, by seat: the two others that the seat named in its true claim; 255, 255 for a seat without one.
    uint8_t claims[10][2];
} passing_cards_view;
_Static_assert(__builtin_offsetof(passing_cards_view, own_seat) == 0, "");
_Static_assert(__builtin_offsetof(passing_cards_view, round) == 1, "");
_Static_assert(__builtin_offsetof(passing_cards_view, needed) == 2, "");
_Static_assert(__builtin_offsetof(passing_cards_view, own_garnets) == 3, "");
_Static_assert(__builtin_offsetof(passing_cards_view, own_trades) == 4, "");
_Static_assert(__builtin_offsetof(passing_cards_view, own_cards) == 5, "");
_Static_assert(__builtin_offsetof(passing_cards_view, options) == 8, "");
_Static_assert(__builtin_offsetof(passing_cards_view, next_options) == 10, "");
_Static_assert(__builtin_offsetof(passing_cards_view, partners) == 12, "");
_Static_assert(__builtin_offsetof(passing_cards_view, received) == 18, "");
_Static_assert(__builtin_offsetof(passing_cards_view, candidates) == 24, "");
_Static_assert(__builtin_offsetof(passing_cards_view, claims) == 34, "");
_Static_assert(sizeof(passing_cards_view) == 54, "");

// End of the games.

#endif
