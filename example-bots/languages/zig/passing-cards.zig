//! Random challenges, gifts, and from round 11 on claims: legal, and a start. Make `orders` and `vote` better.
const std = @import("std");
const arena = @import("arena.zig");
const game = arena.passing_cards;

const Bot = struct {
    dice: arena.Rng,

    /// Called at the start of each match: what the bot remembers begins here.
    pub fn init(_: u32, _: u32, seed: u64) Bot {
        return .{ .dice = .init(seed) };
    }

    pub fn decide(self: *Bot, decision: u32, view: *const game.View) i64 {
        return if (decision == game.orders) self.orders(view) else self.vote(view);
    }

    fn orders(self: *Bot, view: *const game.View) i64 {
        var packed_orders: i64 = 0;
        var cards = view.own_cards;
        for ([_]u32{ 2, 1 }) |i| std.mem.swap(u8, &cards[i], &cards[self.dice.below(i + 1)]);
        for (view.partners, cards) |partner, card| {
            if (partner.seat != 255) packed_orders |= arena.orders.give(partner.seat, card);
        }
        const option = self.dice.below(3);
        if (option < 2) packed_orders |= arena.orders.challenge(view.options[option]);
        if (view.round >= 11) {
            const one = self.dice.below(9);
            const another = (one + 1 + self.dice.below(8)) % 9;
            packed_orders |= arena.orders.claim(other(view, one), other(view, another));
        }
        return packed_orders;
    }

    fn vote(self: *Bot, view: *const game.View) i64 {
        var candidates: u32 = 0;
        for (view.candidates, 0..) |candidate, seat| candidates |= @as(u32, candidate) << @intCast(seat);
        return arena.nth(candidates, self.dice.below(@popCount(candidates)));
    }

    /// The `index`th other player. Those from the own seat on are one further.
    fn other(view: *const game.View, index: u32) u8 {
        return @intCast(if (index < view.own_seat) index else index + 1);
    }
};

comptime {
    arena.bot(game, Bot, .{
        .name = "{name}",
        .version = "0.1.0",
        .author = "{author}",
        .description = "Random challenges and gifts, and random claims from round 11 on",
    });
}
