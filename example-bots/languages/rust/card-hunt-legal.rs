//! The bot's answers are legal. It runs natively here: a debugger and `println!` work.

use bot::MyBot;
use bot_sdk::Plain;
use bot_sdk::card_hunt::{Action, Bot, Hand, Laid, View};

/// The own hand has the cards of `bits`, the other seat all 13.
fn view(bits: u16) -> View {
    let mut view = View { seats: 2, leader: 1, in_trick: 0b11, ..View::zeroed() };
    view.hands[0] = Hand::from_bits(bits);
    view.hands[1] = Hand::full();
    view
}

#[test]
fn it_leads_a_card_of_its_hand() {
    let mut bot = MyBot::new(0, 2, 1);
    for bits in 1..1 << 13 {
        let view = view(bits);
        let card = bot.lead(&view);
        assert!(view.own_hand().contains(card), "{card} with {view:?}");
    }
}

#[test]
fn it_follows_with_a_higher_card_or_passes() {
    let mut bot = MyBot::new(0, 2, 2);
    for bits in 1..1 << 13 {
        for led in 2..Hand::from_bits(bits).highest() {
            let mut view = view(bits);
            view.laid = 1;
            view.trick[0] = Laid { seat: 1, card: led };
            let action = bot.follow(&view);
            let legal = match action {
                Action::Pass => true,
                Action::Play(card) => view.playable().contains(card),
            };
            assert!(legal, "{action:?} with {view:?}");
        }
    }
}
