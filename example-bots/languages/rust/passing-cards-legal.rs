//! The bot's answers are legal. It runs natively here: a debugger and `println!` work.

use bot::MyBot;
use bot_sdk::Plain;
use bot_sdk::passing_cards::{Bot, NOBODY, Partner, SEATS, View, side};

#[test]
fn its_orders_are_legal() {
    for seed in 0..1000 {
        let own_seat = (seed % 10) as u8;
        let other = |step: u8| (own_seat + step) % 10;
        let mut bot = MyBot::new(own_seat.into(), 10, seed);
        for round in 1..=14 {
            let mut view = View { own_seat, round, own_garnets: 2, own_cards: [1, 5, 5], ..View::zeroed() };
            view.options = [other(1), other(2)];
            view.next_options = [NOBODY; 2];
            view.partners = [
                Partner { seat: other(3), side: side::PARTNER },
                Partner { seat: other(4), side: side::SELF },
                Partner::NONE,
            ];
            let orders = bot.orders(&view);
            for seat in 0..SEATS as u8 {
                let card = orders.gifts[usize::from(seat)];
                let partner = view.partners().any(|partner| partner == seat);
                assert!(card == NOBODY || partner && view.own_cards.contains(&card), "{orders:?} with {view:?}");
            }
            assert!(orders.challenge == NOBODY || view.options.contains(&orders.challenge), "{orders:?} with {view:?}");
            let [one, another] = orders.claim;
            let claims = one != another && [one, another].iter().all(|&seat| seat < 10 && seat != own_seat);
            assert!(orders.claim == [NOBODY; 2] || claims, "{orders:?} with {view:?}");
            assert!(!orders.peek || round <= 12, "{orders:?} with {view:?}");
        }
    }
}

#[test]
fn it_votes_for_a_candidate() {
    for seed in 0..100 {
        let mut view = View::zeroed();
        (view.candidates[3], view.candidates[8]) = (1, 1);
        let vote = MyBot::new(0, 10, seed).vote(&view);
        assert!(vote == 3 || vote == 8, "{vote}");
    }
}
