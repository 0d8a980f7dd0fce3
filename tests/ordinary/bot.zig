//! An ordinary program: a large switch, a table-driven parser, a book, recursion, floats, a log when it begins.
const std = @import("std");
const arena = @import("arena.zig");
const game = arena.little_hunters;

const book = @embedFile("book.bin");
var table: [64]u32 = @splat(0);

fn switched() u32 {
    var s: u32 = 0;
    var dice: arena.Rng = .init(1);
    for (0..500) |_| {
        const arm = dice.below(150);
        const r: u32 = @truncate(dice.next());
        switch (arm) {
            // ARMS {i} => { s ^= r *% {a}; s +%= {b}; table[s % 64] +%= {i}; },
            else => {},
        }
    }
    for (table, 0..) |entry, i| s ^= entry << @intCast(i % 8);
    return s;
}

const precedence = blk: {
    var all: [128]u8 = @splat(0);
    all['('] = 1;
    all['+'] = 2;
    all['-'] = 2;
    all['*'] = 3;
    all['/'] = 3;
    break :blk all;
};

fn apply(operator: u8, left: i32, right: i32) i32 {
    return switch (operator) {
        '+' => left +% right,
        '-' => left -% right,
        '*' => left *% right,
        else => if (right != 0) @divTrunc(left, right) else 0,
    };
}

fn parsed(text: []const u8) i32 {
    var values: [16]i32 = undefined;
    var operators: [16]u8 = undefined;
    var v: usize = 0;
    var o: usize = 0;
    var at: usize = 0;
    while (at < text.len) : (at += 1) {
        const c = text[at];
        if (std.ascii.isDigit(c)) {
            var number: i32 = 0;
            while (at < text.len and std.ascii.isDigit(text[at])) : (at += 1) number = number * 10 + (text[at] - '0');
            at -= 1;
            values[v] = number;
            v += 1;
            continue;
        }
        if (c != '(') {
            while (o > 0 and operators[o - 1] != '(' and precedence[operators[o - 1]] >= precedence[c]) {
                v -= 1;
                o -= 1;
                values[v - 1] = apply(operators[o], values[v - 1], values[v]);
            }
        }
        if (c == ')') {
            o -= 1;
        } else {
            operators[o] = c;
            o += 1;
        }
    }
    while (o > 0) {
        v -= 1;
        o -= 1;
        values[v - 1] = apply(operators[o], values[v - 1], values[v]);
    }
    return values[0];
}

fn booked() u32 {
    var hash: u32 = 0;
    for (book) |byte| hash = hash *% 31 +% byte;
    return hash;
}

fn ways(stones: i32) u32 {
    if (stones < 0) return 0;
    return if (stones == 0) 1 else ways(stones - 1) + ways(stones - 2) + ways(stones - 3);
}

fn rootOfTwo() u32 {
    var x: f64 = 1;
    for (0..20) |_| x = (x + 2 / x) / 2;
    return @trunc(x * 1e6);
}

const Bot = struct {
    dice: arena.Rng,

    pub fn init(_: u32, _: u32, seed: u64) Bot {
        arena.log("constructed");
        const expression: u32 = @bitCast(parsed("(1+2)*3-4*(5-16)+70/7"));
        const total = switched() +% expression +% booked() +% ways(12) +% rootOfTwo();
        var text: [32]u8 = undefined;
        arena.log(std.fmt.bufPrint(&text, "total {d:0>10}", .{total}) catch "too long");
        return .{ .dice = .init(seed) };
    }

    pub fn decide(self: *Bot, decision: u32, view: *const game.View) i64 {
        const hand = if (decision == game.play) view.own_hand else view.opponent_hand & @as(u32, 0xff) << @intCast(view.own_card);
        return arena.nth(hand, self.dice.below(@popCount(hand))) + 1;
    }
};

comptime {
    arena.bot(game, Bot, .{ .name = "ordinary", .version = "0.1.0", .author = "arena", .description = "An ordinary program in Zig" });
}
