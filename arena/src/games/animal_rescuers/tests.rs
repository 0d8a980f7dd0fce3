//! The page's examples by name, what must always hold, and values that were computed elsewhere.

use bot_sdk::Plain;
use bot_sdk::abi::{MAX_SEATS, NO_ACTION};
use proptest::prelude::*;

use super::*;
use crate::games::conformance::{Recorded, Told, random_match};
use crate::ids::{Answer, Fault};
use crate::play::scripted::Scripted;
use crate::play::{MatchPlan, MatchRecord, play_match};

/// The own hand and what lies on the table; at the end of a round what everybody was dealt.
pub(crate) struct Notes {
    view: View,
    /// Told when the round ends.
    dealt: Vec<Cards>,
}

impl Told for AnimalRescuers {
    type Notes = Notes;

    fn notes(options: &Options, seats: usize, seat: Seat) -> Notes {
        let view = View { seat: seat.0, seats: seats as u8, chart: options.chart.rules(), ..View::zeroed() };
        Notes { view, dealt: Vec::new() }
    }

    fn tell(Notes { view, dealt }: &mut Notes, event: &Event) {
        match event {
            Event::RoundBegins { round, dealer, limit, hands, .. } => {
                let own = &hands[usize::from(view.seat)];
                view.round = *round;
                view.dealer = dealer.0;
                view.limit = *limit;
                view.own_hand = cards_of(own);
                view.hand_sizes = [0; SEATS];
                hands.iter().zip(&mut view.hand_sizes).for_each(|(hand, size)| *size = hand.len() as u8);
                view.played = [[0; HAND]; SEATS];
                view.passed = [0; SEATS];
                view.sum = 0;
                *dealt = hands.iter().map(|hand| cards_of(hand)).collect();
            }
            Event::Played { seat, card, sum } => {
                let seat = seat.index();
                let place = view.played[seat].iter().position(|&card| card == 0).expect("a free place");
                view.played[seat][place] = *card;
                view.hand_sizes[seat] -= 1;
                if seat == usize::from(view.seat) {
                    view.own_hand = view.own_hand.without(Card::from_number(*card).expect("a card"));
                }
                view.sum = *sum;
            }
            Event::Passed { seat, .. } => view.passed[seat.index()] = 1,
            Event::RoundEnds { animal, thanked, thanks, .. } => {
                let mut previous = PreviousRound { animal: *animal, played: view.played, ..PreviousRound::zeroed() };
                for (seat, hand) in dealt.iter().enumerate() {
                    previous.hands[seat] = hand.minus(view.in_play(seat));
                }
                thanked.iter().for_each(|seat| previous.thanked[seat.index()] = 1);
                thanks.iter().zip(&mut view.thanks).for_each(|(&thanks, shown)| *shown = thanks as u8);
                view.previous = previous;
            }
        }
    }

    fn view(notes: &Notes) -> View {
        notes.view
    }
}

/// A card of a short name: `0`, `6c`, `6t`.
fn card(name: &str) -> Card {
    let rank = name[..1].parse().expect("a rank");
    match &name[1..] {
        "" => Some(Card::ANT),
        "c" => Card::circle(rank),
        "t" => Card::triangle(rank),
        _ => None,
    }
    .expect("a card")
}

fn cards(names: &str) -> Cards {
    names.split_whitespace().map(card).collect()
}

fn start(seats: usize) -> AnimalRescuers {
    AnimalRescuers::initial_state(&Options::default(), seats, &mut DealRng::new([0; 32]), &mut ())
}

/// A round in which each seat holds and has played these cards; seat 1 has the turn.
fn position(animal: &str, seats: &[(&str, &str)]) -> AnimalRescuers {
    let mut state = start(seats.len());
    state.animal = card(animal);
    for (seat, (hand, played)) in seats.iter().enumerate() {
        state.hands[seat] = cards(hand);
        for (place, name) in state.played[seat].iter_mut().zip(played.split_whitespace()) {
            *place = card(name).number();
            state.sum += card(name).rank();
        }
    }
    state
}

/// The seat whose turn it is acts; `None` is a failed decision.
fn act(state: &mut AnimalRescuers, action: Option<Action>) -> Vec<Event> {
    let mut choices = [None; MAX_SEATS];
    choices[state.turn.index()] = action;
    let mut events = Recorded::default();
    state.apply(&choices, &mut DealRng::new([1; 32]), &mut events);
    events.0
}

fn play(state: &mut AnimalRescuers, name: &str) -> Vec<Event> {
    let action = Action::Play(card(name));
    assert_eq!(state.judge(state.turn, action.pack()), Verdict::Legal(action));
    act(state, Some(action))
}

fn pass(state: &mut AnimalRescuers) -> Vec<Event> {
    assert_eq!(state.judge(state.turn, 0), Verdict::Legal(Action::Pass));
    act(state, Some(Action::Pass))
}

/// Who is thanked if the round ends as it stands.
fn thanked_now(mut state: AnimalRescuers) -> Vec<u8> {
    state.end_round(Ending::Passes, &mut DealRng::new([1; 32]), &mut ());
    let seats = state.seats();
    state.previous.expect("a round is over").thanked[..seats].to_vec()
}

fn ending(events: &[Event]) -> Option<Ending> {
    events.iter().find_map(|event| match event {
        Event::RoundEnds { ending, .. } => Some(*ending),
        _ => None,
    })
}

#[test]
fn worked_example_1_tied_sixes_the_next_card_decides() {
    assert_eq!(thanked_now(position("1t", &[("", "6c"), ("", "6t 5c")])), [0, 1]);
}

#[test]
fn worked_example_2_no_matching_card_thanks_nobody() {
    assert_eq!(thanked_now(position("5c", &[("6c 1c", "0 3t"), ("2c", "6t")])), [0, 0]);
}

#[test]
fn worked_example_3_the_0_keeps_the_sum_and_a_1_ends_the_round() {
    let mut state = position("2c", &[("1c 4t", "6c 1t"), ("0 3c", "6t 1t")]);
    assert_eq!(state.sum, 14);
    let events = play(&mut state, "0");
    assert_eq!((state.sum, ending(&events)), (14, None));
    let events = play(&mut state, "1c");
    assert!(matches!(events[0], Event::Played { sum: 15, .. }));
    assert_eq!(ending(&events), Some(Ending::Limit));
    assert_eq!(state.round, 1);
}

#[test]
fn worked_example_4_passes_need_not_follow_each_other() {
    let mut state = position("2c", &[("1c 4t", ""), ("0 3c", "")]);
    // Seat 1 is A.
    assert_eq!(ending(&pass(&mut state)), None);
    assert_eq!(ending(&play(&mut state, "4t")), None);
    assert_eq!(ending(&play(&mut state, "3c")), None);
    assert_eq!(ending(&pass(&mut state)), Some(Ending::Passes));
}

#[test]
fn the_default_chart_is_the_documented_one() {
    let told: Vec<_> =
        animals().map(|animal| format!("{animal}: {}", Chart::default().entry(animal).unwrap())).collect();
    let wanted = [
        "1 circle: the lowest card in hand",
        "1 triangle: the highest card in play",
        "2 circle: the lowest triangle in play",
        "2 triangle: the highest circle in hand",
        "3 circle: the highest triangle in play",
        "3 triangle: the lowest circle in hand",
        "4 circle: the lowest circle in play",
        "4 triangle: the highest triangle in hand",
        "5 circle: the highest circle in play",
        "5 triangle: the lowest triangle in hand",
        "6 circle: the highest card in hand",
        "6 triangle: the lowest card in play",
    ];
    assert_eq!(told, wanted);
    assert_eq!(Chart::default().check(), Ok(()));
    let documented: Vec<_> = include_str!("../../../docs/animal-rescuers.md")
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "))
        .filter(|(animal, _)| animals().any(|card| card.to_string() == *animal))
        .map(|(animal, told)| format!("{animal}: {told}"))
        .collect();
    assert_eq!(documented, wanted);
}

#[test]
fn the_ant_thanks_everybody_and_counts_only_where_no_shape_is_asked() {
    assert_eq!(thanked_now(position("0", &[("", ""), ("", "1c"), ("6c", "")])), [1, 1, 1]);
    // The lowest card in play; the lowest card in hand.
    assert_eq!(thanked_now(position("6t", &[("", "0"), ("", "1c")])), [1, 0]);
    assert_eq!(thanked_now(position("1c", &[("2c", ""), ("0 6c", "")])), [0, 1]);
    // The lowest circle in play; the lowest triangle in hand.
    assert_eq!(thanked_now(position("4c", &[("", "0"), ("", "6c")])), [0, 1]);
    assert_eq!(thanked_now(position("5t", &[("0", ""), ("6c", "")])), [0, 0]);
}

#[test]
fn players_equal_to_the_end_are_all_thanked() {
    assert_eq!(thanked_now(position("1t", &[("", "6c 2t"), ("", "6t 2c"), ("", "5c 5t")])), [1, 1, 0]);
    assert_eq!(thanked_now(position("6t", &[("", "6c 2t"), ("", "6t 2c"), ("", "5c 5t")])), [1, 1, 0]);
}

#[test]
fn who_runs_out_of_cards_first_loses_upwards_and_downwards() {
    assert_eq!(thanked_now(position("6c", &[("4c 1c", ""), ("4t", "")])), [1, 0]);
    assert_eq!(thanked_now(position("1c", &[("4c", ""), ("4t 6c", "")])), [0, 1]);
}

#[test]
fn a_pass_does_not_bar_from_playing_later() {
    let mut state = position("2c", &[("1c 4t", ""), ("0 3c", "")]);
    pass(&mut state);
    play(&mut state, "1c");
    play(&mut state, "3c");
    assert_eq!((state.round, state.sum), (0, 4));
}

#[test]
fn without_cards_a_seat_passes_unasked() {
    let mut state = position("2c", &[("1c 4t", ""), ("", "3c"), ("0 6c", "1t")]);
    state.turn = Seat(0);
    let events = play(&mut state, "1c");
    assert_eq!(events[1..], [Event::Passed { seat: Seat(1), reason: PassReason::NoCards }]);
    assert_eq!(state.turn, Seat(2));
    let events = pass(&mut state);
    assert_eq!(state.turn, Seat(0));
    assert_eq!(ending(&events), None);
    let events = pass(&mut state);
    assert_eq!(ending(&events), Some(Ending::Passes));
}

#[test]
fn the_last_pass_of_a_seat_without_cards_ends_the_round() {
    let mut state = position("2c", &[("1c", ""), ("3c", "")]);
    state.turn = Seat(0);
    pass(&mut state);
    play(&mut state, "3c");
    // Seat 0 plays its last card; seat 1 has none and passes: both have passed.
    let events = play(&mut state, "1c");
    assert_eq!(events[1], Event::Passed { seat: Seat(1), reason: PassReason::NoCards });
    assert_eq!(ending(&events), Some(Ending::Passes));
}

#[test]
fn limits_and_hands_by_seats() {
    for (seats, limit, hand) in [(2, 15, 6), (3, 20, 4), (4, 25, 3)] {
        let state = start(seats);
        let mut view = View::zeroed();
        state.observe(state.turn, &mut view);
        assert_eq!(view.limit, limit);
        assert!(view.hand_sizes[..seats].iter().all(|&size| size == hand));
        assert_eq!(state.turn, Seat(1));
    }
}

#[test]
fn as_many_rounds_as_seats_and_the_deal_passes_left() {
    for seats in 2..=4 {
        let mut state = start(seats);
        for round in 0..seats as u8 {
            let mut view = View::zeroed();
            state.observe(state.turn, &mut view);
            assert_eq!((view.round, view.dealer), (round, round));
            for turn in 1..=seats as u8 {
                assert_eq!(state.turn, Seat((round + turn) % seats as u8));
                pass(&mut state);
            }
        }
        assert_eq!(state.node(), Node::Terminal);
    }
}

#[test]
fn most_thanks_win_and_equal_thanks_share() {
    let mut state = start(4);
    state.thanks = [1, 2, 0, 2];
    assert_eq!(state.outcome().placements(), [3, 1, 4, 1]);
    assert_eq!(state.outcome().points(), [1, 2, 0, 2]);
}

#[test]
fn only_cards_in_hand_and_passes_are_legal() {
    let state = position("2c", &[("1c 4t", ""), ("0 3c", "6t")]);
    let legal: Vec<i64> = (-20..300).filter(|&answer| state.judge(Seat(1), answer) != Verdict::Illegal).collect();
    assert_eq!(legal, [0, 1, 6]);
    for answer in [NO_ACTION, i64::MAX, 257, 1 << 32 | 6] {
        assert_eq!(state.judge(Seat(1), answer), Verdict::Illegal, "{answer}");
    }
}

#[test]
fn failed_turn_is_a_pass() {
    let mut state = position("2c", &[("1c 4t", ""), ("0 3c", "")]);
    let events = act(&mut state, None);
    assert_eq!(events, [Event::Passed { seat: Seat(1), reason: PassReason::Failed }]);
    assert!(state.passed.contains(Seat(1)));
    assert_eq!(state.turn, Seat(0));
    assert_eq!(ending(&act(&mut state, None)), Some(Ending::Passes));
}

#[test]
fn every_kind_of_fault_costs_the_same_as_a_pass() {
    let passing = play_with(2, 5, vec![Scripted::answering(0), policy(Policy::High, 0)], &mut ());
    for fault in [Fault::Timeout, Fault::Crash, Fault::Protocol] {
        let record = play_with(2, 5, vec![Scripted::failing(fault), policy(Policy::High, 0)], &mut ());
        assert_eq!(record.outcome, passing.outcome);
        assert_eq!(record.seats[0].faults[fault as usize], passing.seats[0].decisions);
    }
    let record = play_with(2, 5, vec![Scripted::answering(14), policy(Policy::High, 0)], &mut ());
    assert_eq!(record.outcome, passing.outcome);
    assert_eq!(record.seats[0].faults[Fault::Illegal as usize], passing.seats[0].decisions);
}

#[test]
fn the_previous_round_is_seen_in_full() {
    let mut state = position("1t", &[("1c 4t", "6c"), ("0 3c", "6t")]);
    play(&mut state, "3c");
    let mut view = View::zeroed();
    state.observe(state.turn, &mut view);
    // The first round of the deal made the position: there is a next one, dealt by seat 1.
    assert_eq!((view.round, view.dealer, view.seat), (1, 1, 0));
    assert_eq!(view.previous.animal, card("1t").number());
    assert_eq!(view.previous.hands[..2], [cards("1c 4t"), cards("0")]);
    assert_eq!(cards_of(&view.previous.played[1]), cards("6t 3c"));
    assert_eq!(view.previous.thanked, [0, 1, 0, 0]);
    assert_eq!(view.thanks, [0, 1, 0, 0]);
    assert_eq!(view.in_play(0), Cards::EMPTY);
}

#[test]
fn events_read_as_an_account() {
    let told = |event: &Event| event.to_string();
    let hands = vec![vec![1, 2], vec![13]];
    let entry = Chart::default().entry(Card::from_number(3).unwrap());
    let begins = Event::RoundBegins { round: 0, dealer: Seat(0), limit: 15, animal: 3, entry, hands };
    assert_eq!(
        told(&begins),
        "\nRound 1: seat 0 deals, the limit is 15\
         \n  hidden from all: 1 triangle, which looks for the highest card in play\
         \n  seat 0\tholds 0, 1 circle\n  seat 1\tholds 6 triangle"
    );
    // What is hidden from all is hidden from a person at the table.
    assert_eq!(AnimalRescuers::heard(&begins, Seat(1)).unwrap(), "\nRound 1: seat 0 deals, the limit is 15");
    assert_eq!(told(&Event::Played { seat: Seat(1), card: 13, sum: 6 }), "  seat 1\tplays 6 triangle  the sum is 6");
    let ends = |animal: u8, thanked| Event::RoundEnds {
        ending: Ending::Passes,
        animal,
        entry: Chart::default().entry(Card::from_number(animal).unwrap()),
        thanked,
        thanks: vec![0, 1],
    };
    assert_eq!(
        told(&ends(3, vec![Seat(1)])),
        "  All have passed; 1 triangle looks for the highest card in play and thanks seat 1\
         \n  Thanks so far: seat 0 0, seat 1 1"
    );
    assert!(told(&ends(3, vec![])).contains("thanks nobody\n"));
    assert!(told(&ends(1, vec![Seat(0), Seat(1)])).contains("0 thanks everybody: seat 0, seat 1\n"));
}

// The chart as an option.

fn options(chart: &Chart) -> serde_json::Value {
    serde_json::to_value(Options { chart: *chart }).unwrap()
}

#[test]
fn a_chart_comes_back_from_its_text() {
    let value = options(&Chart::default());
    assert_eq!(
        value["chart"]["2 circle"],
        serde_json::json!({"zone": "in-play", "shape": "triangle", "which": "lowest"})
    );
    let back: Options = serde_json::from_value(value).unwrap();
    assert_eq!(back.chart, Chart::default());
    let none: Options = toml::from_str("").unwrap();
    assert_eq!(none.chart, Chart::default());
}

#[test]
fn a_chart_may_be_another_and_decides_who_is_thanked() {
    let mut chart = Chart::default();
    chart.0.swap(0, 1);
    let options = Options { chart };
    assert_eq!(AnimalRescuers::check_options(&options, 2), Ok(()));
    let mut state = AnimalRescuers::initial_state(&options, 2, &mut DealRng::new([0; 32]), &mut ());
    state.animal = card("1c");
    state.hands = [cards("1t"), cards("6c"), Cards::EMPTY, Cards::EMPTY];
    state.played[0][0] = card("6t").number();
    let mut view = View::zeroed();
    state.observe(Seat(0), &mut view);
    assert_eq!(view.chart, chart.rules());
    // The highest card in play, no longer the lowest in hand.
    state.hands.swap(0, 1);
    assert_eq!(thanked_now(state), [1, 0]);
}

#[test]
fn a_chart_that_breaks_the_counts_is_refused_with_the_count() {
    type Break = fn(&mut Chart);
    let cases: [(Break, &str); 7] = [
        (|chart| chart.0[0].which = Which::Highest, "7 animals thank for the highest, and 6 should"),
        (|chart| chart.0[1].which = Which::Lowest, "5 animals thank for the highest, and 6 should"),
        (|chart| chart.0[0].zone = Zone::InPlay, "7 animals thank for cards in play, and 6 should"),
        (|chart| chart.0[0].shape = Shape::Circle, "5 animals thank for circles, and 4 should"),
        (|chart| chart.0[0].shape = Shape::Triangle, "5 animals thank for triangles, and 4 should"),
        (|chart| chart.0[2].shape = Shape::Any, "3 animals thank for triangles, and 4 should"),
        (
            |chart| (chart.0[0].which, chart.0[1].which) = (Which::Highest, Which::Lowest),
            "2 animals thank for the highest card in hand, and 1 should",
        ),
    ];
    for (break_it, wanted) in cases {
        let mut chart = Chart::default();
        break_it(&mut chart);
        let refused = AnimalRescuers::check_options(&Options { chart }, 2).unwrap_err();
        assert_eq!((refused.key.as_str(), refused.reason.as_str()), ("chart", wanted));
    }
}

#[test]
fn a_chart_with_missing_unknown_or_wrong_entries_is_refused() {
    let read = |edit: &dyn Fn(&mut serde_json::Map<String, serde_json::Value>)| {
        let mut value = options(&Chart::default());
        edit(value["chart"].as_object_mut().unwrap());
        serde_json::from_value::<Options>(value).unwrap_err().to_string()
    };
    assert_eq!(
        read(&|chart| drop(chart.remove("3 circle"))),
        "the chart has 11 entries, and 12 are wanted: \"3 circle\" has none"
    );
    let entry = serde_json::json!({"zone": "in-play", "shape": "any", "which": "lowest"});
    for key in ["0", "7 circle", "1 square", "circle 1"] {
        let entry = entry.clone();
        let message = read(&move |chart| drop(chart.insert(key.into(), entry.clone())));
        assert!(message.starts_with(&format!("\"{key}\" has no place in a chart; cards from")), "{message}");
    }
    let message = read(&|chart| chart["1 circle"]["zone"] = "table".into());
    assert!(message.contains("unknown variant `table`, expected `in-play` or `in-hand`"), "{message}");
    let message = read(&|chart| chart["1 circle"]["color"] = "red".into());
    assert!(message.contains("unknown field `color`"), "{message}");
    let message = read(&|chart| drop(chart["1 circle"].as_object_mut().unwrap().remove("which")));
    assert!(message.contains("missing field `which`"), "{message}");
}

// What must always hold.

/// Who is thanked, from the page's words alone: lists of ranks, compared card by card.
fn thanked_by_lists(entry: Option<Entry>, hands: &[Cards], in_play: &[Cards]) -> Vec<u8> {
    let Some(entry) = entry else { return vec![1; hands.len()] };
    let lists: Vec<Vec<i8>> = hands
        .iter()
        .zip(in_play)
        .map(|(&hand, &in_play)| {
            let cards = if entry.zone == Zone::InHand { hand } else { in_play };
            let mut ranks: Vec<i8> = cards
                .iter()
                .filter(|card| match entry.shape {
                    Shape::Any => true,
                    Shape::Circle => card.is_circle(),
                    Shape::Triangle => card.is_triangle(),
                })
                // Looked for from the lowest, a lower rank is the better one.
                .map(|card| if entry.which == Which::Highest { card.rank() as i8 } else { -(card.rank() as i8) })
                .collect();
            ranks.sort_by(|a, b| b.cmp(a));
            ranks
        })
        .collect();
    // Lists compare item by item, and a list that ends first is the lesser one.
    let best = lists.iter().max().unwrap();
    lists.iter().map(|list| (!list.is_empty() && list == best).into()).collect()
}

/// Plays the events again, from the deals alone, and says what each seat's thanks are.
fn thanks_by_events(events: &[Event], seats: usize) -> Vec<i32> {
    let mut total = vec![0; seats];
    let (mut hands, mut in_play) = (vec![], vec![]);
    let (mut passed, mut sum, mut to_move, mut hidden) = (vec![], 0, 0, 0);
    for event in events {
        match event {
            Event::RoundBegins { dealer, animal, hands: dealt, .. } => {
                hands = dealt.iter().map(|hand| cards_of(hand)).collect::<Vec<_>>();
                in_play = vec![Cards::EMPTY; seats];
                passed = vec![false; seats];
                (sum, to_move, hidden) = (0, (dealer.index() + 1) % seats, *animal);
            }
            Event::Played { seat, card, sum: told } => {
                assert_eq!(seat.index(), to_move);
                let card = Card::from_number(*card).unwrap();
                assert!(hands[to_move].contains(card));
                hands[to_move] = hands[to_move].without(card);
                in_play[to_move] = in_play[to_move].with(card);
                sum += card.rank();
                assert_eq!(sum, *told);
                to_move = (to_move + 1) % seats;
            }
            Event::Passed { seat, reason } => {
                assert_eq!(seat.index(), to_move);
                assert_eq!(*reason == PassReason::NoCards, hands[to_move].is_empty());
                passed[to_move] = true;
                to_move = (to_move + 1) % seats;
            }
            Event::RoundEnds { ending, animal, entry, thanked, thanks } => {
                assert_eq!(*animal, hidden);
                assert_eq!(*entry, Chart::default().entry(Card::from_number(hidden).unwrap()));
                assert_eq!(*ending == Ending::Limit, sum >= [15, 20, 25][seats - 2]);
                assert_eq!(*ending == Ending::Passes, passed.iter().all(|&passed| passed));
                let seen = thanked_by_lists(*entry, &hands, &in_play);
                assert!(Seat::all(seats).all(|seat| thanked.contains(&seat) == (seen[seat.index()] == 1)));
                total.iter_mut().zip(seen).for_each(|(total, thank)| *total += i32::from(thank));
                assert_eq!(total, *thanks);
            }
        }
    }
    total
}

proptest! {
    #[test]
    fn cards_are_conserved_and_rounds_end_in_time(seed: u64, seats in 2usize..=4) {
        random_match::<AnimalRescuers>(&Options::default(), seats, seed, |state| {
            let piles = state.hands.into_iter().chain(state.in_play());
            let mut all = Cards::EMPTY.with(state.animal);
            let mut count = 1;
            for pile in piles {
                count += pile.len();
                all = all.or(pile);
            }
            assert_eq!((count, all), (13, Cards::ALL));
            assert_eq!(state.sum, state.in_play().iter().map(|cards| cards.sum()).sum::<u8>());
            assert!(state.hands[seats..].iter().all(|hand| hand.is_empty()));
            for seat in 0..seats {
                let (hand, played) = (state.hands[seat], state.in_play()[seat]);
                assert_eq!(hand.len() + played.len(), 12 / seats as u32);
            }
            if !state.over {
                assert!(state.sum < limit(seats) && state.passed.len() < seats);
                assert!(!state.hands[state.turn.index()].is_empty());
            }
        });
    }

    #[test]
    fn events_suffice_for_the_result(seed: u64, seats in 2usize..=4) {
        let (end, events) = random_match::<AnimalRescuers>(&Options::default(), seats, seed, |_| {});
        let outcome = end.outcome();
        prop_assert_eq!(thanks_by_events(&events, seats), outcome.points());
        let rounds = events.iter().filter(|event| matches!(event, Event::RoundEnds { .. })).count();
        prop_assert_eq!(rounds, seats);
    }

    #[test]
    fn what_is_hidden_is_in_no_view(seed: u64, seats in 2usize..=4) {
        let mut dice = DealRng::new([seed as u8; 32]);
        random_match::<AnimalRescuers>(&Options::default(), seats, seed, |state| {
            for seat in Seat::all(seats) {
                let mut view = View::zeroed();
                state.observe(seat, &mut view);
                // The unseen cards, dealt anew.
                let mut unseen: Vec<Card> = view.unseen().iter().collect();
                dice.shuffle(&mut unseen);
                let mut other = state.clone();
                let mut unseen = unseen.into_iter();
                other.animal = unseen.next().unwrap();
                for hand in Seat::all(seats).filter(|&other| other != seat).map(Seat::index) {
                    other.hands[hand] = unseen.by_ref().take(state.hands[hand].len() as usize).collect();
                }
                assert_eq!(unseen.next(), None);
                let mut same = View::zeroed();
                other.observe(seat, &mut same);
                assert_eq!(view, same);
            }
        });
    }

    #[test]
    fn thanks_go_as_the_page_says(cards_at in proptest::collection::vec(0usize..9, 13), seats in 2usize..=4) {
        // Each card lies anywhere: in a hand, in play, or hidden.
        let at = |zone: usize, seat: usize| -> Cards {
            let there = Cards::ALL.iter().zip(&cards_at).filter(|(_, place)| **place == zone * 4 + seat);
            there.map(|(card, _)| card).collect()
        };
        let hands: Vec<Cards> = (0..seats).map(|seat| at(0, seat)).collect();
        let in_play: Vec<Cards> = (0..seats).map(|seat| at(1, seat)).collect();
        let chart = Chart::default();
        for animal in Cards::ALL.iter() {
            let bits = thanked(rule_of(&chart.rules(), animal), &hands, &in_play);
            let lists = thanked_by_lists(chart.entry(animal), &hands, &in_play);
            let seats: Vec<u8> = (0..seats).map(|seat| bits >> seat & 1).collect();
            prop_assert_eq!(seats, lists, "{} {:?} {:?}", animal, &hands, &in_play);
        }
    }

    #[test]
    fn an_answer_is_legal_if_and_only_if_it_is_among_the_legal_ones(seed: u64, answer: i64, small in -2i64..16) {
        random_match::<AnimalRescuers>(&Options::default(), 3, seed, |state| {
            if state.over {
                return;
            }
            let mut legal = Vec::new();
            state.legal_answers(state.turn, &mut |answer| legal.push(answer));
            for answer in [answer, small] {
                let wanted = Action::unpack(answer).filter(|_| legal.contains(&answer));
                assert_eq!(state.judge(state.turn, answer), wanted.map_or(Verdict::Illegal, Verdict::Legal));
            }
        });
    }
}

// Values computed elsewhere, by another program from the same rules.

/// The policies that they are for.
#[derive(Clone, Copy)]
enum Policy {
    /// Uniform among the cards in hand and a pass.
    Random,
    High,
    Low,
    Pass,
}

fn policy(policy: Policy, seed: u64) -> Scripted {
    let mut rng = bot_sdk::Rng::new(seed);
    Scripted::new(move |_, view| {
        let hand = View::from_bytes(view).ok_or(Fault::Protocol)?.own_hand;
        let card = match policy {
            Policy::Random => hand.nth(rng.below(hand.len() + 1)),
            Policy::High => hand.highest(),
            Policy::Low => hand.lowest(),
            Policy::Pass => None,
        };
        Ok(Action::from(card).pack())
    })
}

fn play_with(
    seats: usize,
    deal: u32,
    mut players: Vec<Scripted>,
    observer: &mut impl crate::play::Observer<AnimalRescuers>,
) -> MatchRecord {
    let options = Options::default();
    let mut key = [3; 32];
    key[..4].copy_from_slice(&deal.to_le_bytes());
    let plan = MatchPlan { options: &options, deal: key, seeds: &[0; SEATS][..seats], max_restarts: 100 };
    play_match(plan, &mut players, observer).unwrap()
}

/// Counts what the values count: turns, the host's passes among them, and how rounds ended.
#[derive(Default)]
struct Turns {
    turns: u32,
    by_limit: u32,
}

impl Witness<Event> for Turns {
    fn event(&mut self, event: impl FnOnce() -> Event) {
        match event() {
            Event::Played { .. } | Event::Passed { .. } => self.turns += 1,
            Event::RoundEnds { ending: Ending::Limit, .. } => self.by_limit += 1,
            Event::RoundBegins { .. } | Event::RoundEnds { .. } => {}
        }
    }
}

impl crate::play::Observer<AnimalRescuers> for Turns {
    fn decision(&mut self, _: Seat, _: u8, _: &View, _: Option<Answer>, _: Option<Fault>) {}
}

/// Mean and squared standard error.
#[derive(Default)]
struct Mean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    fn variance(&self) -> f64 {
        (self.squares / self.count - self.mean().powi(2)) / self.count
    }
}

/// Both means are of as many matches: the difference has twice the variance.
fn check_mean(what: &str, found: &Mean, wanted: f64) {
    let error = (2.0 * found.variance()).sqrt();
    let off = found.mean() - wanted;
    assert!(off.abs() <= 4.0 * error + 1e-9, "{what}: {} is not {wanted} (standard error {error})", found.mean());
    println!(
        "{what}: {:.5}, elsewhere {wanted:.5}, off by {:.2} standard errors",
        found.mean(),
        off / error.max(1e-12)
    );
}

/// So many matches the values come from, and as many are played here.
const MATCHES: u32 = 40_000;

fn check_policies(policies: &[Policy], mean_thanks: &[f64], turns_per_round: f64, rounds_ended_by_limit: f64) {
    let seats = policies.len();
    let mut thanks = [(); SEATS].map(|()| Mean::default());
    let (mut turns, mut by_limit) = (Mean::default(), Mean::default());
    for deal in 0..MATCHES {
        let seed = |seat: usize| u64::from(deal) << 8 | seat as u64;
        let players = policies.iter().enumerate().map(|(seat, &kind)| policy(kind, seed(seat))).collect();
        let mut counted = Turns::default();
        let record = play_with(seats, deal, players, &mut counted);
        for (mean, &points) in thanks.iter_mut().zip(record.outcome.points()) {
            mean.add(points.into());
        }
        turns.add(f64::from(counted.turns) / seats as f64);
        by_limit.add(f64::from(counted.by_limit) / seats as f64);
    }
    for (seat, (found, &wanted)) in thanks.iter().zip(mean_thanks).enumerate() {
        check_mean(&format!("thanks of seat {seat} of {seats}"), found, wanted);
    }
    check_mean("turns per round", &turns, turns_per_round);
    check_mean("rounds ended by the limit", &by_limit, rounds_ended_by_limit);
}

#[test]
fn values_of_two_random_players() {
    check_policies(&[Policy::Random; 2], &[1.047925, 1.0552], 5.4064625, 0.796925);
}

#[test]
fn values_of_three_random_players() {
    check_policies(&[Policy::Random; 3], &[1.143925, 1.14205, 1.14465], 7.824425, 0.7658583333333334);
}

#[test]
fn values_of_four_random_players() {
    check_policies(&[Policy::Random; 4], &[1.225175, 1.213275, 1.225225, 1.218325], 10.47143125, 0.64745625);
}

#[test]
fn values_of_high_against_random() {
    check_policies(&[Policy::High, Policy::Random], &[1.026625, 1.102825], 4.182375, 1.0);
}

#[test]
fn values_of_four_different_players() {
    let policies = [Policy::High, Policy::Low, Policy::Pass, Policy::Random];
    check_policies(&policies, &[1.048875, 1.05285, 1.6305, 1.134575], 12.1655625, 0.7285);
}

#[test]
fn values_of_two_that_always_pass() {
    check_policies(&[Policy::Pass; 2], &[0.614075, 0.61695], 2.0, 0.0);
    // Exactly, over all deals of a round: both rounds of a match are alike, and so are the seats.
    let (mut deals, mut thanks) = (0, 0);
    for hand in (0..1u16 << 13).map(|bits| Cards::from_bits(bits << 1)).filter(|hand| hand.len() == 6) {
        for animal in Cards::ALL.minus(hand).iter() {
            let hands = [hand, Cards::ALL.minus(hand).without(animal)];
            let seats = thanked(rule_of(&Chart::default().rules(), animal), &hands, &[Cards::EMPTY; 2]);
            deals += 1;
            thanks += u32::from(seats & 1);
        }
    }
    let exact = 2.0 * f64::from(thanks) / f64::from(deals);
    println!("exactly {exact:.6}");
    for (mean, error) in [(0.614075, 0.00326), (0.61695, 0.00325)] {
        assert!(f64::abs(mean - exact) < 4.0 * error, "{mean} is not {exact}");
    }
}

// The bots that come with the game.

#[test]
fn bots_that_think_are_stronger() {
    use crate::play::native::Native;
    let options = Options::default();
    let mean_lead = |names: [&str; 2]| {
        let mut lead = Mean::default();
        for deal in 0..200u8 {
            // Both seatings of the deal, as one observation.
            let leads = [0, 1].map(|first: usize| {
                let bot = |place: usize| example_bots::find(NAME, names[place]).expect("a bot").make;
                let mut players = [first, 1 - first].map(|place| Native::new(bot(place)));
                let seeds = [u64::from(deal), 1000 + u64::from(deal)];
                let plan =
                    MatchPlan::<AnimalRescuers> { options: &options, deal: [deal; 32], seeds: &seeds, max_restarts: 1 };
                let record = play_match(plan, &mut players, &mut ()).unwrap();
                record.outcome.points[first] - record.outcome.points[1 - first]
            });
            lead.add(f64::from(leads[0] + leads[1]));
        }
        lead
    };
    for names in [["thankful", "random"], ["thankful", "pass"], ["hasty", "random"], ["hasty", "high"]] {
        let lead = mean_lead(names);
        assert!(lead.mean() > 4.0 * lead.variance().sqrt(), "{names:?}: {} ± {}", lead.mean(), lead.variance().sqrt());
    }
}
