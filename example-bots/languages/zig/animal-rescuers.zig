//! Every card in hand and the pass equally likely: legal, and a start. Make `decide` better.
const arena = @import("arena.zig");
const game = arena.animal_rescuers;

const Bot = struct {
    dice: arena.Rng,

    /// Called at the start of each match: what the bot remembers begins here.
    pub fn init(_: u32, _: u32, seed: u64) Bot {
        return .{ .dice = .init(seed) };
    }

    /// The one decision is `game.turn`.
    pub fn decide(self: *Bot, _: u32, view: *const game.View) i64 {
        // The card of number n is bit n. One more than there are cards: the last number is the pass, 0.
        const cards = @popCount(view.own_hand);
        const choice = self.dice.below(@as(u32, cards) + 1);
        return if (choice == cards) 0 else arena.nth(view.own_hand, choice);
    }
};

comptime {
    arena.bot(game, Bot, .{
        .name = "{name}",
        .version = "0.1.0",
        .author = "{author}",
        .description = "Every card and the pass equally likely",
    });
}
