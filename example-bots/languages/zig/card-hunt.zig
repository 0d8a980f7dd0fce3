//! Every allowed card equally likely, a pass like a card: legal, and a start. Make `decide` better.
const arena = @import("arena.zig");
const game = arena.card_hunt;

const Bot = struct {
    dice: arena.Rng,

    /// Called at the start of each match: what the bot remembers begins here.
    pub fn init(_: u32, _: u32, seed: u64) Bot {
        return .{ .dice = .init(seed) };
    }

    pub fn decide(self: *Bot, decision: u32, view: *const game.View) i64 {
        // Card c is bit c - 2, so that the cards above c are the bits from c - 1 on.
        var playable: u32 = view.hands[view.seat];
        if (view.laid > 0) playable &= @as(u32, 0xffff) << @intCast(view.trick[view.laid - 1].card - 1);
        const pass: u32 = if (decision == game.follow) 1 else 0;
        const choice = self.dice.below(@popCount(playable) + pass);
        return if (choice < pass) 0 else arena.nth(playable, choice - pass) + 2;
    }
};

comptime {
    arena.bot(game, Bot, .{
        .name = "{name}",
        .version = "0.1.0",
        .author = "{author}",
        .description = "Every allowed card and the pass equally likely",
    });
}
