//! Write a bot for arena in Zig: import this file.
//!
//! A bot is a struct with `init` and `decide`, handed to `bot`; a game is a namespace below.
//!
//! Licensed under MIT or Apache-2.0, at your option.

const std = @import("std");
const assert = std.debug.assert;

/// An action that is legal in no game and in no decision.
pub const no_action: i64 = -1 << 63;

/// What arena tells of the bot; texts without quotes or backslashes.
pub const About = struct { name: []const u8, version: []const u8, author: []const u8, description: []const u8 };

/// Makes a module of a bot: the exports that arena calls, and the metadata. `comptime { arena.bot(…); }`
pub fn bot(comptime game: type, comptime Bot: type, comptime about: About) void {
    const exports = struct {
        var view: game.View align(8) = undefined;
        var player: Bot = undefined;

        comptime {
            asm (std.fmt.comptimePrint(
                    \\.section .custom_section.arena.bot,"",@
                    \\.ascii "{{\"game\":\"{s}\",\"name\":\"{s}\",\"version\":\"{s}\",\"author\":\"{s}\","
                    \\.ascii "\"description\":\"{s}\",\"language\":\"zig\"}}"
                    \\
                , .{ game.name, about.name, about.version, about.author, about.description }));
        }

        fn arenaAbi() callconv(.c) i32 {
            return 1;
        }

        fn arenaInit(seat: u32, seats: u32, seed: u64) callconv(.c) *anyopaque {
            player = Bot.init(seat, seats, seed);
            return &view;
        }

        fn arenaDecide(decision: u32, length: u32) callconv(.c) i64 {
            if (length < @sizeOf(game.View)) return no_action;
            return player.decide(decision, &view);
        }
    };
    @export(&exports.arenaAbi, .{ .name = "arena_abi" });
    @export(&exports.arenaInit, .{ .name = "arena_init" });
    @export(&exports.arenaDecide, .{ .name = "arena_decide" });
}

const host = struct {
    extern "arena" fn log(text: [*]const u8, length: usize) void;
};

/// A line for the bot's author: `arena play` shows it, leagues drop it. It costs 100 fuel and 1 for each byte.
pub fn log(text: []const u8) void {
    host.log(text.ptr, text.len);
}

/// The place of the `index`th bit from below, counted from 0; 32 if there are not so many. `@popCount` counts them.
pub fn nth(bits: u32, index: u32) u8 {
    var rest = bits;
    for (0..index) |_| rest &= rest -% 1;
    return @ctz(rest);
}

/// A random generator, xoshiro256++ seeded by SplitMix64: the numbers of the Rust SDK's `Rng`.
pub const Rng = struct {
    state: [4]u64,

    pub fn init(seed: u64) Rng {
        var rng: Rng = undefined;
        var mix = seed;
        for (&rng.state) |*word| {
            mix +%= 0x9e3779b97f4a7c15;
            var z = (mix ^ mix >> 30) *% 0xbf58476d1ce4e5b9;
            z = (z ^ z >> 27) *% 0x94d049bb133111eb;
            word.* = z ^ z >> 31;
        }
        return rng;
    }

    /// The next 64 random bits.
    pub fn next(rng: *Rng) u64 {
        const s = &rng.state;
        const sum = s[0] +% s[3];
        const result = (sum << 23 | sum >> 41) +% s[0];
        const shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = s[3] << 45 | s[3] >> 19;
        return result;
    }

    /// A number from 0 to n - 1, each equally likely; 0 for n = 0.
    pub fn below(rng: *Rng, n: u32) u32 {
        // Lemire's multiplication with rejection.
        while (true) {
            const product = @as(u64, @as(u32, @truncate(rng.next()))) * n;
            const low: u32 = @truncate(product);
            if (low >= n or low >= (0 -% n) % n) return @intCast(product >> 32);
        }
    }
};

/// Orders of Passing Cards begin as 0, which leaves everything to its default, and parts are added, each once.
pub const orders = struct {
    pub const peek: i64 = 1 << 52;
    pub fn give(partner: u8, card: u8) i64 {
        return (@as(i64, card) + 1) << @intCast(4 * @as(u32, partner));
    }
    pub fn challenge(option: u8) i64 {
        return (@as(i64, option) + 1) << 40;
    }
    pub fn claim(one: u8, other: u8) i64 {
        return (@as(i64, one) + 1) << 44 | (@as(i64, other) + 1) << 48;
    }
};

// The games. Below, all is written from bot-sdk/src by `ARENA_BLESS=1 cargo test --release -p arena --test it`.

pub const little_hunters = struct {
    pub const name = "little-hunters";
    pub const play: u32 = 0;
    pub const guess: u32 = 1;

    pub const Round = extern struct {
        /// The own card, 0 if it was not revealed.
        own_card: u8,
        /// The opponent's card, 0 if it was not revealed.
        opponent_card: u8,
        /// Who guessed: 0 nobody, 1 the bot itself, 2 its opponent.
        guesser: u8,
        /// The guess, 0 for a skipped one (or nobody guessed).
        guess: u8,
        /// 1 if the guess was right, else 0.
        right: u8,
    };
    comptime {
        assert(@sizeOf(Round) == 5);
    }

    pub const View = extern struct {
        /// The own cards, card c is bit c - 1. At `guess` the card just laid is still among them.
        own_hand: u8,
        /// The opponent's cards, likewise: its pending card is one of them.
        opponent_hand: u8,
        /// At `guess`, the own card just revealed; 0 at `play`.
        own_card: u8,
        /// The round of this bout, 0 to 2.
        round: u8,
        /// The bout of this series, counted from 0.
        bout: u8,
        /// The series: 0 the main one (best of 15), then the tie-breaks (best of 5) 1, 2, 3.
        series: u8,
        /// Bouts of this series won by the bot itself.
        own_wins: u8,
        /// Bouts of this series won by the opponent.
        opponent_wins: u8,
        /// Bouts of this series tied.
        ties: u8,
        /// This bout's rounds so far; those to come are all 0.
        rounds: [3]Round,
        /// The whole of the previous bout.
        previous_rounds: [3]Round,
        /// Its result: 0 there was none, 1 won, 2 lost, 3 tied.
        previous_result: u8,
        /// By what it ended: 0 there was none, 1 a right guess, 2 the sums, 3 the sets compared, 4 a failed play.
        previous_ending: u8,
    };
    comptime {
        assert(@sizeOf(View) == 41);
    }
};

pub const card_hunt = struct {
    pub const name = "card-hunt";
    pub const lead: u32 = 0;
    pub const follow: u32 = 1;

    pub const Laid = extern struct {
        /// Who laid it.
        seat: u8,
        /// Its rank, 2 to 14.
        card: u8,
    };
    comptime {
        assert(@sizeOf(Laid) == 2);
    }

    pub const View = extern struct {
        /// The own seat, counted from 0.
        seat: u8,
        /// The number of seats.
        seats: u8,
        /// The round, counted from 0; there are as many as seats.
        round: u8,
        /// The seat that leads this trick.
        leader: u8,
        /// The seats still in the trick, seat s is bit s.
        in_trick: u8,
        /// The cards in the trick so far; 0 at `lead`.
        laid: u8,
        /// The trick's cards in the order they were laid; those to come are all 0.
        trick: [13]Laid,
        /// Every seat's hand, card c is bit c - 2.
        hands: [8]u16 align(1),
        /// The cards that every seat captured this round.
        round_points: [8]u8,
        /// The cards that every seat captured in the match, this round's included.
        match_points: [8]u16 align(1),
    };
    comptime {
        assert(@sizeOf(View) == 72);
    }
};

pub const animal_rescuers = struct {
    pub const name = "animal-rescuers";
    pub const turn: u32 = 0;

    pub const Rule = extern struct {
        /// Where: 0 among the cards in play, 1 among the cards in hand.
        zone: u8,
        /// Which cards count: 0 all, 1 only circles, 2 only triangles.
        shape: u8,
        /// 0 the highest, 1 the lowest.
        which: u8,
    };
    comptime {
        assert(@sizeOf(Rule) == 3);
    }

    pub const PreviousRound = extern struct {
        /// The animal that was hidden, by its card's number; 0 if there was no round before.
        animal: u8,
        /// Each seat's cards left in hand at the round's end: bit n for the card of number n.
        hands: [4]u16 align(1),
        /// Each seat's cards in play at the round's end, in the order played; then 0.
        played: [4][6]u8,
        /// For each seat 1 if it was thanked, else 0.
        thanked: [4]u8,
    };
    comptime {
        assert(@sizeOf(PreviousRound) == 37);
    }

    pub const View = extern struct {
        /// The own seat.
        seat: u8,
        /// The number of seats; lists by seat are all 0 beyond it.
        seats: u8,
        /// The round, counted from 0; a match has as many as seats.
        round: u8,
        /// The dealer's seat; the seat after it went first.
        dealer: u8,
        /// The own hand: bit n for the card of number n.
        own_hand: u16 align(1),
        /// The number of cards in each seat's hand.
        hand_sizes: [4]u8,
        /// Each seat's cards in play, by number, in the order played; then 0.
        played: [4][6]u8,
        /// For each seat 1 if it has passed in this round, else 0.
        passed: [4]u8,
        /// The sum of the ranks in play.
        sum: u8,
        /// The sum that ends the round.
        limit: u8,
        /// Whom each animal thanks, by card from number 2 (1 circle, 1 triangle, 2 circle, …) to 13.
        chart: [12]Rule,
        /// Thanks of the rounds before, by seat.
        thanks: [4]u8,
        /// The round before.
        previous: PreviousRound,
    };
    comptime {
        assert(@sizeOf(View) == 117);
    }
};

pub const passing_cards = struct {
    pub const name = "passing-cards";
    pub const orders: u32 = 0;
    pub const vote: u32 = 1;

    pub const Partner = extern struct {
        /// The partner, 255 for none.
        seat: u8,
        /// Who forced the trade: 0 there is none, 1 the partner, 2 the bot itself.
        side: u8,
    };
    comptime {
        assert(@sizeOf(Partner) == 2);
    }

    pub const Received = extern struct {
        /// Who gave it, 255 for none.
        giver: u8,
        /// The card, 255 for none.
        card: u8,
    };
    comptime {
        assert(@sizeOf(Received) == 2);
    }

    pub const View = extern struct {
        /// The own seat, which is also the own name.
        own_seat: u8,
        /// The round, 1 to 14.
        round: u8,
        /// How many different names a claim needs this round.
        needed: u8,
        /// The own garnets. At `vote` the winner's 3 are among them.
        own_garnets: u8,
        /// The trades that the bot has taken part in so far.
        own_trades: u8,
        /// The own cards.
        own_cards: [3]u8,
        /// The two players that the bot can challenge this round.
        options: [2]u8,
        /// After a peek, its options of the next round; else 255, 255.
        next_options: [2]u8,
        /// The trade partners of this round in partner order: those who forced the bot, by seat, then the one that it
        /// forced; then none.
        partners: [3]Partner,
        /// The cards that came in at the end of the round before, in the partner order of that round; then none.
        received: [3]Received,
        /// At `vote`, by seat: 1 for a candidate, else 0.
        candidates: [10]u8,
        /// At `vote`, by seat: the two others that the seat named in its true claim; 255, 255 for a seat without one.
        claims: [10][2]u8,
    };
    comptime {
        assert(@sizeOf(View) == 54);
    }
};

// End of the games.
