//! Every card in hand and every possible guess equally likely: legal, and a start. Make `decide` better.
const arena = @import("arena.zig");
const game = arena.little_hunters;

const Bot = struct {
    dice: arena.Rng,

    /// Called at the start of each match: what the bot remembers begins here.
    pub fn init(_: u32, _: u32, seed: u64) Bot {
        return .{ .dice = .init(seed) };
    }

    pub fn decide(self: *Bot, decision: u32, view: *const game.View) i64 {
        return switch (decision) {
            game.play => self.anyOf(view.own_hand),
            // The own card was the lower one, so the other is above it.
            game.guess => self.anyOf(view.opponent_hand & @as(u32, 0xff) << @intCast(view.own_card)),
            else => arena.no_action,
        };
    }

    /// A card of a hand at random. Card c is bit c - 1.
    fn anyOf(self: *Bot, hand: u32) i64 {
        return arena.nth(hand, self.dice.below(@popCount(hand))) + 1;
    }
};

comptime {
    arena.bot(game, Bot, .{
        .name = "{name}",
        .version = "0.1.0",
        .author = "{author}",
        .description = "Every card and every possible guess equally likely",
    });
}
