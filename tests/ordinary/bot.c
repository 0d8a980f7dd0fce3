// An ordinary program: a large switch, a table-driven parser, a book, recursion, floats, a log in a constructor.
#include "arena.h"
#include "book.h"

ARENA_BOT(little_hunters, "ordinary", "0.1.0", "arena", "An ordinary program in C")

__attribute__((constructor)) static void constructed(void) { arena_log("constructed"); }

static arena_rng dice;
static uint32_t table[64];

static uint32_t switched(void) {
    uint32_t s = 0;
    dice = arena_rng_new(1);
    for (int i = 0; i < 500; i++) {
        uint32_t arm = arena_below(&dice, 150), r = arena_random(&dice);
        switch (arm) {
            // ARMS case {i}: s ^= r * {a}u; s += {b}u; table[s % 64] += {i}; break;
        }
    }
    for (int i = 0; i < 64; i++) s ^= table[i] << i % 8;
    return s;
}

static const uint8_t precedence[128] = {['('] = 1, ['+'] = 2, ['-'] = 2, ['*'] = 3, ['/'] = 3};

static int32_t apply(char operator, int32_t left, int32_t right) {
    switch (operator) {
    case '+': return left + right;
    case '-': return left - right;
    case '*': return left * right;
    default: return right ? left / right : 0;
    }
}

static int32_t parsed(const char *text) {
    int32_t values[16];
    char operators[16];
    int v = 0, o = 0;
    for (; *text; text++) {
        char c = *text;
        if (c >= '0' && c <= '9') {
            int32_t number = 0;
            for (; *text >= '0' && *text <= '9'; text++) number = number * 10 + (*text - '0');
            text--;
            values[v++] = number;
            continue;
        }
        if (c == '(') {
            operators[o++] = c;
            continue;
        }
        while (o && operators[o - 1] != '(' && precedence[(int)operators[o - 1]] >= precedence[(int)c]) {
            v--, o--;
            values[v - 1] = apply(operators[o], values[v - 1], values[v]);
        }
        if (c == ')') o--;
        else operators[o++] = c;
    }
    while (o) {
        v--, o--;
        values[v - 1] = apply(operators[o], values[v - 1], values[v]);
    }
    return values[0];
}

static uint32_t booked(void) {
    uint32_t hash = 0;
    for (uint32_t i = 0; i < sizeof book; i++) hash = hash * 31 + book[i];
    return hash;
}

static uint32_t ways(int32_t stones) {
    return stones < 0 ? 0 : stones == 0 ? 1 : ways(stones - 1) + ways(stones - 2) + ways(stones - 3);
}

static uint32_t root_of_two(void) {
    double x = 1;
    for (int i = 0; i < 20; i++) x = (x + 2 / x) / 2;
    return x * 1e6;
}

static void init(uint32_t seat, uint32_t seats, uint64_t seed) {
    (void)seat, (void)seats;
    uint32_t total = switched() + parsed("(1+2)*3-4*(5-16)+70/7") + booked() + ways(12) + root_of_two();
    char text[] = "total 0000000000";
    for (int i = sizeof text - 2; total; i--, total /= 10) text[i] = '0' + total % 10;
    arena_log(text);
    dice = arena_rng_new(seed);
}

static int64_t any_of(uint32_t hand) { return arena_nth(hand, arena_below(&dice, arena_count(hand))) + 1; }

static int64_t decide(uint32_t decision, const little_hunters_view *view) {
    return any_of(decision == LITTLE_HUNTERS_PLAY ? view->own_hand : view->opponent_hand >> view->own_card << view->own_card);
}
