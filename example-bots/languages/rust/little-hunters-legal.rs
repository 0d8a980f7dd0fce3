//! The bot's answers are legal. It runs natively here: a debugger and `println!` work.

use bot::MyBot;
use bot_sdk::Plain;
use bot_sdk::little_hunters::{Bot, Hand, View};

#[test]
fn it_plays_a_card_of_its_hand() {
    for seed in 0..100 {
        let mut bot = MyBot::new(0, 2, seed);
        for hand in 1..=31 {
            let view = View { own_hand: Hand(hand), opponent_hand: Hand::FULL, ..View::zeroed() };
            let card = bot.play(&view);
            assert!(view.own_hand.contains(card), "{card} with {view:?}");
        }
    }
}

#[test]
fn it_guesses_a_card_or_skips() {
    for seed in 0..100 {
        let mut bot = MyBot::new(0, 2, seed);
        for own_card in 1..=4 {
            let view = View { own_hand: Hand::FULL, opponent_hand: Hand::FULL, own_card, ..View::zeroed() };
            let guess = bot.guess(&view);
            assert!(guess <= 5, "{guess} with {view:?}");
        }
    }
}
