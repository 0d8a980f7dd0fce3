use bot_sdk::Plain;
use bot_sdk::abi::{MAX_SEATS, NO_ACTION};
use proptest::prelude::*;

use super::*;
use crate::games::conformance::{Recorded, Told, random_match};
use crate::ids::Fault;
use crate::play::native::Native;
use crate::play::scripted::Scripted;
use crate::play::{MatchPlan, MatchRecord, Player, play_match};

fn start(seats: usize) -> CardHunt {
    CardHunt::initial_state(&Options {}, seats, &mut DealRng::new([0; 32]), &mut ())
}

/// Nothing is hidden: every seat is told every event.
impl Told for CardHunt {
    type Notes = View;

    fn notes(_options: &Options, seats: usize, seat: Seat) -> View {
        View { seat: seat.0, seats: seats as u8, ..View::zeroed() }
    }

    fn tell(view: &mut View, event: &Event) {
        let seats = view.seats;
        let begin_trick = |view: &mut View, leader: u8| {
            view.leader = leader;
            view.in_trick = ((1u16 << seats) - 1) as u8;
            view.trick = [Laid { seat: 0, card: 0 }; RANKS];
            view.laid = 0;
        };
        match event {
            Event::RoundBegins { round, dealer } => {
                view.round = *round;
                view.hands[..seats.into()].fill(Hand::full());
                view.round_points = [0; MOST_SEATS];
                begin_trick(view, (dealer.0 + 1) % seats);
            }
            Event::Led { seat, card, .. } | Event::Followed { seat, card, .. } => {
                view.trick[usize::from(view.laid)] = Laid { seat: seat.0, card: *card };
                view.laid += 1;
                view.hands[seat.index()] = view.hands[seat.index()].without(*card);
            }
            Event::Passed { seat, .. } => view.in_trick &= !(1 << seat.0),
            Event::TrickEnds { winner, cards } => {
                view.round_points[winner.index()] += cards;
                view.match_points[winner.index()] =
                    (view.match_points[winner.index()].get() + u16::from(*cards)).into();
                begin_trick(view, (winner.0 + 1) % seats);
            }
            Event::RoundEnds { .. } | Event::MatchEnds { .. } => {}
        }
    }

    fn view(view: &View) -> View {
        *view
    }
}

/// The seat in turn does it, `None` is a failed decision.
fn act(state: &mut CardHunt, seat: u8, choice: Option<Action>) -> Vec<Event> {
    assert_eq!(state.turn, Seat(seat), "whose turn it is");
    if let Some(action) = choice {
        assert_eq!(state.judge(Seat(seat), action.pack()), Verdict::Legal(action));
    }
    let mut choices = [None; MAX_SEATS];
    choices[usize::from(seat)] = choice;
    let mut events = Recorded::default();
    state.apply(&choices, &mut DealRng::new([0; 32]), &mut events);
    events.0
}

fn play(state: &mut CardHunt, seat: u8, card: u8) -> Vec<Event> {
    act(state, seat, Some(Action::Play(card)))
}

fn pass(state: &mut CardHunt, seat: u8) -> Vec<Event> {
    act(state, seat, Some(Action::Pass))
}

fn hand(cards: &[u8]) -> Hand {
    Hand::from_bits(cards.iter().fold(0, |bits, card| bits | 1 << (card - 2)))
}

fn view(state: &CardHunt, seat: u8) -> View {
    let mut view = View::zeroed();
    state.observe(Seat(seat), &mut view);
    view
}

fn asked(state: &CardHunt) -> (u32, Seat) {
    match state.node() {
        Node::Act { decision, seats } => {
            assert_eq!(seats.len(), 1);
            (decision.into(), seats.iter().next().unwrap())
        }
        Node::Terminal => panic!("the match is over"),
    }
}

mod rules {
    use super::*;

    #[test]
    fn worked_example_1_an_ace_is_captured_without_a_question() {
        let mut state = start(2);
        let events = play(&mut state, 1, 14);
        assert_eq!(
            events,
            [
                Event::Led { seat: Seat(1), card: 14, left: (2..14).collect() },
                Event::Passed { seat: Seat(0), why: Passed::NoHigherCard },
                Event::TrickEnds { winner: Seat(1), cards: 1 },
            ]
        );
        assert_eq!(state.round_points[..2], [0, 1]);
        assert_eq!(asked(&state), (decision::LEAD, Seat(0)));
    }

    #[test]
    fn worked_example_2_the_last_card_of_a_trick_captures_it() {
        let mut state = start(2);
        play(&mut state, 1, 2);
        play(&mut state, 0, 3);
        play(&mut state, 1, 4);
        play(&mut state, 0, 5);
        let events = pass(&mut state, 1);
        assert_eq!(events[1], Event::TrickEnds { winner: Seat(0), cards: 4 });
        assert_eq!(state.round_points[..2], [4, 0]);
        assert_eq!(asked(&state), (decision::LEAD, Seat(1)));
    }

    #[test]
    fn worked_example_3_who_passed_is_out_and_the_winners_left_leads() {
        let mut state = start(3);
        let [a, b, c] = [1, 2, 0];
        play(&mut state, a, 5);
        pass(&mut state, b);
        play(&mut state, c, 6);
        play(&mut state, a, 7);
        pass(&mut state, c);
        assert_eq!(state.round_points[..3], [0, 3, 0]);
        assert_eq!(asked(&state), (decision::LEAD, Seat(b)));
    }

    #[test]
    fn worked_example_4_the_trick_of_a_last_card_is_finished_and_then_the_round_ends() {
        let mut state = start(3);
        state.hands[1] = hand(&[2]);
        play(&mut state, 1, 2);
        assert_eq!(asked(&state), (decision::FOLLOW, Seat(2)));
        play(&mut state, 2, 9);
        let events = pass(&mut state, 0);
        assert_eq!(
            events[2..4],
            [
                Event::TrickEnds { winner: Seat(2), cards: 2 },
                Event::RoundEnds { captured: vec![0, 0, 2], left: vec![13, 0, 12] },
            ]
        );
        assert_eq!((state.round, state.match_points[..3].to_vec()), (1, vec![0, 0, 2]));
    }

    #[test]
    fn a_last_card_in_the_middle_of_a_trick_ends_the_round_after_it_too() {
        let mut state = start(2);
        state.hands[0] = hand(&[8]);
        play(&mut state, 1, 2);
        play(&mut state, 0, 8);
        // Seat 1 may still go over it; with an empty hand seat 0 is not asked again.
        let events = play(&mut state, 1, 9);
        assert_eq!(events[1], Event::Passed { seat: Seat(0), why: Passed::NoHigherCard });
        assert_eq!(events[2], Event::TrickEnds { winner: Seat(1), cards: 3 });
        assert!(matches!(events[3], Event::RoundEnds { .. }));
    }

    #[test]
    fn the_deal_passes_to_the_left_and_there_are_as_many_rounds_as_seats() {
        for seats in 2..=MOST_SEATS {
            let mut state = start(seats);
            for round in 0..seats {
                assert_eq!(asked(&state), (decision::LEAD, Seat(((round + 1) % seats) as u8)));
                let leader = state.turn;
                state.hands[leader.index()] = hand(&[14]);
                let events = play(&mut state, leader.0, 14);
                let begins = Event::RoundBegins { round: round as u8 + 1, dealer: Seat((round + 1) as u8) };
                assert_eq!(events.contains(&begins), round + 1 < seats);
                assert_eq!(events.iter().any(|event| matches!(event, Event::MatchEnds { .. })), round + 1 == seats);
            }
            assert_eq!(state.node(), Node::Terminal);
            assert_eq!(state.outcome().points(), vec![1; seats]);
            assert_eq!(state.outcome().placements(), vec![1; seats]);
        }
    }

    #[test]
    fn more_points_place_higher_and_equal_points_share() {
        let mut state = start(3);
        state.match_points[..3].copy_from_slice(&[40, 20, 40]);
        assert_eq!(state.outcome().placements(), [1, 3, 1]);
        assert_eq!(state.outcome().points(), [40, 20, 40]);
    }

    #[test]
    fn a_lead_is_a_card_in_hand_and_no_pass() {
        let mut state = start(2);
        state.hands[1] = hand(&[3, 9]);
        for answer in [0, 1, 2, 4, 15, -1, 256 + 3, (1 << 32) + 3, NO_ACTION, i64::MAX] {
            assert_eq!(state.judge(Seat(1), answer), Verdict::Illegal, "{answer}");
        }
        assert_eq!(state.judge(Seat(1), 9), Verdict::Legal(Action::Play(9)));
    }

    #[test]
    fn a_follow_is_a_higher_card_in_hand_or_a_pass() {
        let mut state = start(2);
        state.hands[0] = hand(&[3, 5, 9]);
        play(&mut state, 1, 5);
        for answer in [1, 3, 4, 5, 6, 15, -9, 256, 256 + 9, NO_ACTION, i64::MAX] {
            assert_eq!(state.judge(Seat(0), answer), Verdict::Illegal, "{answer}");
        }
        assert_eq!(state.judge(Seat(0), 0), Verdict::Legal(Action::Pass));
        assert_eq!(state.judge(Seat(0), 9), Verdict::Legal(Action::Play(9)));
    }

    #[test]
    fn there_are_no_options() {
        assert!(serde_json::from_str::<Options>("{}").is_ok());
        let error = serde_json::from_str::<Options>("{\"decks\": 2}").unwrap_err().to_string();
        assert!(error.contains("decks"), "{error}");
    }

    #[test]
    fn an_account_reads_as_text() {
        let mut state = start(2);
        let mut events = play(&mut state, 1, 11);
        events.extend(play(&mut state, 0, 14));
        events.push(Event::RoundEnds { captured: vec![2, 0], left: vec![12, 12] });
        let text: Vec<String> = events.iter().map(Event::to_string).collect();
        assert_eq!(
            text,
            [
                "\n  seat 1\tleads jack   and keeps 2 3 4 5 6 7 8 9 10 Q K A",
                "  seat 0\tplays ace    and keeps 2 3 4 5 6 7 8 9 10 J Q K",
                "  seat 1\thas no higher card",
                "  seat 0\tcaptures 2 cards",
                "  The round ends; captured seat 0 2, seat 1 0; the fox gets 24",
            ]
        );
    }
}

mod failures {
    use super::*;

    #[test]
    fn a_failed_lead_leads_the_lowest_card() {
        let mut state = start(2);
        state.hands[1] = hand(&[4, 7, 14]);
        let events = act(&mut state, 1, None);
        assert_eq!(events, [Event::Led { seat: Seat(1), card: 4, left: vec![7, 14] }]);
        assert_eq!(state.hands[1], hand(&[7, 14]));
        assert_eq!(asked(&state), (decision::FOLLOW, Seat(0)));
    }

    #[test]
    fn a_failed_follow_is_a_pass() {
        let mut state = start(3);
        play(&mut state, 1, 4);
        let events = act(&mut state, 2, None);
        assert_eq!(events, [Event::Passed { seat: Seat(2), why: Passed::Asked }]);
        assert_eq!(state.hands[2], Hand::full());
        assert!(!state.in_trick.contains(Seat(2)));
    }

    #[test]
    fn a_bot_that_only_fails_plays_like_one_that_always_passes() {
        let miser = || bot("miser");
        let passer = record(vec![miser(), bot("passer")], 0).outcome;
        for fault in [Fault::Timeout, Fault::Crash, Fault::Protocol] {
            let failing = Box::new(Scripted::failing(fault));
            let played = record(vec![miser(), failing], 0);
            assert_eq!(played.outcome, passer);
            assert_eq!(played.seats[1].faults[fault as usize], 10);
            assert_eq!(played.seats[1].faults[Fault::Retired as usize], played.seats[1].decisions - 10);
        }
        let illegal = record(vec![miser(), Box::new(Scripted::answering(15))], 0);
        assert_eq!(illegal.outcome, passer);
        assert_eq!(illegal.seats[1].faults, [illegal.seats[1].decisions, 0, 0, 0, 0]);
    }
}

mod properties {
    use super::*;

    /// A state made of nothing but a view.
    fn state_of(view: &View) -> CardHunt {
        CardHunt {
            seats: view.seats.into(),
            round: view.round.into(),
            leader: Seat(view.leader),
            turn: Seat(view.seat),
            in_trick: Seat::all(view.seats.into()).filter(|seat| view.is_in_trick(seat.0)).collect(),
            trick: view.trick,
            laid: view.laid.into(),
            hands: view.hands,
            round_points: view.round_points,
            match_points: view.match_points.map(|points| points.get()),
        }
    }

    #[test]
    fn nothing_is_hidden_and_views_of_all_seats_differ_in_the_own_seat_only() {
        random_match::<CardHunt>(&Options {}, 4, 7, |state| {
            let first = view(state, 0);
            for seat in 1..4 {
                assert_eq!(view(state, seat), View { seat, ..first });
            }
        });
    }

    proptest! {
        #[test]
        fn cards_are_conserved(seed: u64, seats in 2..=MOST_SEATS) {
            random_match::<CardHunt>(&Options {}, seats, seed, |state| {
                if state.node() == Node::Terminal {
                    return;
                }
                let captured: usize = state.round_points.iter().map(|&points| usize::from(points)).sum();
                let held: usize = state.hands.iter().map(|hand| hand.len() as usize).sum();
                assert_eq!(captured + held + state.laid, 13 * seats);
            });
        }

        #[test]
        fn captured_and_left_cards_of_every_round_are_all_cards(seed: u64, seats in 2..=MOST_SEATS) {
            let (end, events) = random_match::<CardHunt>(&Options {}, seats, seed, |_| {});
            let mut rounds = 0;
            for event in &events {
                let Event::RoundEnds { captured, left } = event else { continue };
                let all = captured.iter().chain(left).map(|&cards| usize::from(cards)).sum::<usize>();
                prop_assert_eq!(all, 13 * seats);
                prop_assert!(left.contains(&0));
                rounds += 1;
            }
            prop_assert_eq!(rounds, seats);
            prop_assert!(end.outcome().points().iter().sum::<i32>() <= (13 * seats * seats) as i32);
        }

        #[test]
        fn tricks_rise_and_their_cards_are_in_no_hand(seed: u64, seats in 2..=MOST_SEATS) {
            random_match::<CardHunt>(&Options {}, seats, seed, |state| {
                let trick = &state.trick[..state.laid];
                assert!(trick.is_sorted_by(|a, b| a.card < b.card));
                for laid in trick {
                    assert!(!state.hands[usize::from(laid.seat)].contains(laid.card));
                }
                if let (Node::Act { .. }, Some(last)) = (state.node(), trick.last()) {
                    assert!(state.in_trick.contains(Seat(last.seat)));
                    assert_ne!(state.turn, Seat(last.seat));
                    assert!(state.in_trick.contains(state.turn));
                }
            });
        }

        #[test]
        fn a_view_holds_the_whole_state(seed: u64, seats in 2..=MOST_SEATS) {
            random_match::<CardHunt>(&Options {}, seats, seed, |state| {
                if state.node() != Node::Terminal {
                    assert_eq!(&state_of(&view(state, state.turn.0)), state);
                }
            });
        }

        #[test]
        fn events_lead_to_the_result(seed: u64, seats in 2..=MOST_SEATS) {
            let (end, events) = random_match::<CardHunt>(&Options {}, seats, seed, |_| {});
            let mut points = vec![0; seats];
            let mut trick: Vec<(Seat, u8)> = Vec::new();
            for event in events {
                match event {
                    Event::Led { seat, card, .. } => trick = vec![(seat, card)],
                    Event::Followed { seat, card, .. } => trick.push((seat, card)),
                    Event::TrickEnds { winner, cards } => {
                        prop_assert_eq!(trick.last().map(|laid| laid.0), Some(winner));
                        prop_assert_eq!(trick.len(), usize::from(cards));
                        points[winner.index()] += i32::from(cards);
                    }
                    _ => {}
                }
            }
            prop_assert_eq!(end.outcome(), Outcome::by_points(&points));
        }

        #[test]
        fn an_integer_is_one_action_or_none(answer: i64, small in -20i64..40) {
            for answer in [answer, small] {
                if let Some(action) = Action::unpack(answer) {
                    prop_assert_eq!(action.pack(), answer);
                }
            }
        }

        #[test]
        fn a_view_is_its_bytes(bytes in proptest::collection::vec(any::<u8>(), size_of::<View>())) {
            prop_assert_eq!(View::from_bytes(&bytes).unwrap().as_bytes(), &bytes[..]);
        }
    }
}

/// An example bot, run natively.
fn bot(name: &str) -> Box<dyn Player> {
    let bot = example_bots::find(NAME, name).unwrap_or_else(|| panic!("no bot {name}"));
    Box::new(Native::new(bot.make))
}

fn record(mut players: Vec<Box<dyn Player>>, number: u64) -> MatchRecord {
    let mut mix = bot_sdk::Rng::new(number);
    let seeds: Vec<u64> = players.iter().map(|_| mix.next_u64()).collect();
    let plan = MatchPlan::<CardHunt> { options: &Options {}, deal: [0; 32], seeds: &seeds, max_restarts: 10 };
    play_match(plan, &mut players, &mut ()).unwrap()
}

/// Numbers that were computed apart from this program.
mod values {
    use std::collections::HashMap;

    use super::*;

    /// What the seat in turn captures more than the other in the rest of a round between two, both playing perfectly.
    fn perfect(state: &CardHunt, known: &mut HashMap<(u16, u16), i32>) -> i32 {
        let own = state.turn;
        let other = state.left_of(own);
        // Only leads are remembered: nothing but the hands matters for the rest then.
        let hands = (state.hands[own.index()].bits(), state.hands[other.index()].bits());
        if let (0, Some(&value)) = (state.laid, known.get(&hands)) {
            return value;
        }
        let lead = |state: &CardHunt| {
            i32::from(state.match_points[own.index()]) - i32::from(state.match_points[other.index()])
        };
        let mut best = i32::MIN;
        let mut legal = Vec::new();
        state.legal_answers(own, &mut |answer| legal.push(answer));
        for answer in legal {
            let mut next = state.clone();
            act(&mut next, own.0, Action::unpack(answer));
            let gain = lead(&next) - lead(state);
            let rest = match next.round > state.round {
                true => 0,
                false if next.turn == own => perfect(&next, known),
                false => -perfect(&next, known),
            };
            best = best.max(gain + rest);
        }
        if state.laid == 0 {
            known.insert(hands, best);
        }
        best
    }

    #[test]
    fn perfect_play_of_a_short_suit_is_worth_nothing_to_the_leader_or_one_less() {
        for ranks in 2..=6 {
            let mut state = start(2);
            state.hands[..2].fill(Hand::from_bits((1 << ranks) - 1));
            let value = perfect(&state, &mut HashMap::new());
            assert_eq!(value, if ranks % 2 == 1 { 0 } else { -1 }, "{ranks} ranks");
        }
    }

    /// Plays so many matches; points, and shares of sole and of shared first places, by seat, each as (mean, standard error).
    fn simulated(names: &str, matches: u64) -> Vec<[(f64, f64); 3]> {
        let seats = names.split(' ').count();
        let mut sums = vec![[(0.0, 0.0); 3]; seats];
        for number in 0..matches {
            let played = record(names.split(' ').map(bot).collect(), number);
            let outcome = &played.outcome;
            assert!(played.seats.iter().all(|seat| seat.faults == [0; 5]), "{names}: a bot at fault");
            let shared = outcome.placements().iter().filter(|&&place| place == 1).count() > 1;
            for (seat, sums) in sums.iter_mut().enumerate() {
                let first = outcome.placements()[seat] == 1;
                let values = [f64::from(outcome.points()[seat]), (first && !shared).into(), (first && shared).into()];
                for ((sum, squares), value) in sums.iter_mut().zip(values) {
                    *sum += value;
                    *squares += value * value;
                }
            }
        }
        let n = matches as f64;
        let estimate = |(sum, squares): (f64, f64)| {
            let mean = sum / n;
            (mean, ((squares / n - mean * mean).max(0.0) / n).sqrt())
        };
        sums.into_iter().map(|sums| sums.map(estimate)).collect()
    }

    fn check_exact(names: &str, points: &[i32], places: &[u8]) {
        for number in 0..3 {
            let outcome = record(names.split(' ').map(bot).collect(), number).outcome;
            assert_eq!((outcome.points(), outcome.placements()), (points, places), "{names}");
        }
    }

    /// `theirs`: for each seat mean points with standard error, then the shares; from 40 000 matches.
    fn check_simulated(names: &str, theirs: &[[f64; 4]]) {
        const THEIR_MATCHES: f64 = 40_000.0;
        let ours = simulated(names, 20_000);
        assert_eq!(ours.len(), theirs.len());
        for (seat, ([points, sole, shared], &[their_points, their_error, their_sole, their_shared])) in
            ours.into_iter().zip(theirs).enumerate()
        {
            let share_error = |share: f64| (share * (1.0 - share) / THEIR_MATCHES).sqrt();
            let compared = [
                ("points", points, their_points, their_error),
                ("sole first", sole, their_sole, share_error(their_sole)),
                ("shared first", shared, their_shared, share_error(their_shared)),
            ];
            for (what, (mean, error), their_mean, their_error) in compared {
                let allowed = 4.0 * error.hypot(their_error);
                println!("{names}, seat {seat}: {what} {mean:.4}, theirs {their_mean:.4}, allowed {allowed:.4}");
                assert!((mean - their_mean).abs() <= allowed, "{names}, seat {seat}: {what} {mean} and {their_mean}");
            }
        }
    }

    #[test]
    fn misers_share_everything() {
        check_exact("miser miser", &[26, 26], &[1, 1]);
    }

    #[test]
    fn a_passer_leaves_all_but_a_card_to_a_miser() {
        check_exact("miser passer", &[49, 1], &[1, 2]);
    }

    #[test]
    fn a_spender_has_spent_all_when_it_counts() {
        check_exact("spender miser", &[3, 48], &[2, 1]);
    }

    #[test]
    fn three_policies_in_three_seats() {
        check_exact("miser passer spender", &[86, 13, 7], &[1, 2, 3]);
    }

    #[test]
    fn two_random_players() {
        check_simulated(
            "random random",
            &[[25.1797, 0.019371, 0.46385, 0.06885], [25.24195, 0.019385, 0.4673, 0.06885]],
        );
    }

    #[test]
    fn three_random_players() {
        check_simulated(
            "random random random",
            &[
                [35.81475, 0.031426, 0.3157, 0.0354],
                [35.754075, 0.031329, 0.314975, 0.0353],
                [35.822625, 0.031374, 0.3171, 0.035075],
            ],
        );
    }

    #[test]
    fn a_miser_against_a_random_player() {
        check_simulated("miser random", &[[43.625075, 0.013301, 1.0, 0.0], [7.37315, 0.013303, 0.0, 0.0]]);
    }

    #[test]
    fn a_spender_against_a_random_player() {
        check_simulated(
            "spender random",
            &[[16.84805, 0.014898, 0.00335, 0.0032], [33.5026, 0.015391, 0.99345, 0.0032]],
        );
    }

    #[test]
    fn three_random_players_and_a_miser() {
        check_simulated(
            "random random random miser",
            &[
                [41.958275, 0.044437, 0.094975, 0.0116],
                [38.6372, 0.041674, 0.0478, 0.0079],
                [35.196075, 0.035094, 0.013675, 0.00325],
                [59.686375, 0.045441, 0.823475, 0.01785],
            ],
        );
    }
}

/// The bots that come with the game.
mod bots {
    use super::*;
    use crate::play::wasm::Wasm;
    use crate::sandbox::{BotModule, BotThread, Limits, Sandbox};

    /// The share of matches that the first named bot wins over all rotations of seats; a shared first is shared.
    fn score(names: &str, matches: u64) -> f64 {
        let names: Vec<&str> = names.split(' ').collect();
        let seats = names.len();
        let mut score = 0.0;
        for number in 0..matches {
            for shift in 0..seats {
                let players = (0..seats).map(|seat| bot(names[(seat + shift) % seats])).collect();
                let outcome = record(players, number).outcome;
                let placements = outcome.placements();
                if placements[(seats - shift) % seats] == 1 {
                    score += 1.0 / placements.iter().filter(|&&place| place == 1).count() as f64;
                }
            }
        }
        score / (matches * seats as u64) as f64
    }

    #[test]
    fn the_searcher_beats_every_other_bot() {
        for other in ["miser", "counter", "spender", "passer", "random"] {
            assert_eq!(score(&format!("searcher {other}"), 1), 1.0, "{other}");
            assert!(score(&format!("searcher {other} {other}"), 1) > 0.6, "{other}");
        }
    }

    #[test]
    fn the_counter_beats_all_but_the_searcher() {
        for (names, matches, least) in [
            ("counter miser", 1, 1.0),
            ("counter spender", 1, 1.0),
            ("counter passer", 1, 1.0),
            ("counter random miser spender", 100, 0.95),
            ("counter miser random spender", 100, 0.85),
            ("counter random", 100, 0.95),
            ("counter random random", 100, 0.95),
        ] {
            let score = score(names, matches);
            assert!(score >= least, "{names}: {score}");
        }
    }

    #[test]
    fn modules_play_like_the_native_bots_and_keep_well_within_the_fuel() {
        let limits = Limits::default();
        let sandbox = Sandbox::new(limits.clone(), 4).unwrap();
        let fuel = [limits.decision_fuel; 2];
        for example in example_bots::BOTS.iter().filter(|bot| bot.game == NAME) {
            let path = format!("{}/../example-bots/wasm/{NAME}/{}.wasm", env!("CARGO_MANIFEST_DIR"), example.name);
            let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
            assert!(bytes.len() < 16 << 10, "{path} has {} bytes", bytes.len());
            let module = BotModule::load(&sandbox, &bytes, size_of::<View>(), 2).unwrap();
            for seats in [2, 3, MOST_SEATS] {
                let play = |own: Box<dyn Player + '_>| {
                    let others = ["random", "counter", "miser", "spender"].into_iter().cycle();
                    let mut players: Vec<Box<dyn Player + '_>> = vec![own];
                    for name in others.take(seats - 1) {
                        players.push(bot(name));
                    }
                    let seeds: Vec<u64> = (0..seats as u64).collect();
                    let plan =
                        MatchPlan::<CardHunt> { options: &Options {}, deal: [0; 32], seeds: &seeds, max_restarts: 10 };
                    play_match(plan, &mut players, &mut ()).unwrap()
                };
                let module = BotThread::run(|thread| play(Box::new(Wasm::new(thread, &module, &fuel)))).unwrap();
                assert_eq!(
                    module.transcript,
                    play(bot(example.name)).transcript,
                    "{} with {seats} seats",
                    example.name
                );
                let used = module.seats[0];
                assert_eq!(used.faults, [0; 5], "{}", example.name);
                assert!(
                    used.fuel_max < limits.decision_fuel * 85 / 100,
                    "{} takes {} fuel",
                    example.name,
                    used.fuel_max
                );
            }
        }
    }
}
