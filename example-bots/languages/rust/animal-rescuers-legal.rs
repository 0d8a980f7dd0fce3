//! The bot's answers are legal. It runs natively here: a debugger and `println!` work.

use bot::MyBot;
use bot_sdk::Plain;
use bot_sdk::animal_rescuers::{Action, Bot, Cards, View};

#[test]
fn it_plays_a_card_of_its_hand_or_passes() {
    let mut bot = MyBot::new(0, 2, 1);
    for bits in 2..1 << 14 {
        let own_hand = Cards::from_bits(bits);
        if !(1..=6).contains(&own_hand.len()) {
            continue;
        }
        let view = View { seats: 2, own_hand, limit: 15, ..View::zeroed() };
        let action = bot.turn(&view);
        let legal = match action {
            Action::Pass => true,
            Action::Play(card) => own_hand.contains(card),
        };
        assert!(legal, "{action:?} with {view:?}");
    }
}
