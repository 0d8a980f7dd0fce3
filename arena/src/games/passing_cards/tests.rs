//! The rules as tests: the page's worked examples by name, every ruling, every failed decision.

use bot_sdk::{Plain, Rng, abi};
use proptest::prelude::*;

use super::*;
use crate::games::conformance::{Recorded, Told, random_match, views_follow_from_what_seats_are_told};
use crate::ids::{Answer, Fault};
use crate::play::native::{Native, make};
use crate::play::scripted::Scripted;
use crate::play::{MatchPlan, MatchRecord, Player, play_match};

fn deal(number: u64) -> DealRng {
    DealRng::new(key(number))
}

fn key(number: u64) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&number.to_le_bytes());
    key
}

fn start() -> PassingCards {
    PassingCards::initial_state(&Options::default(), SEATS, &mut deal(0), &mut ())
}

/// Hands of which the first three hold all names but 9.
const NINE_NAMES: [[u8; HAND]; SEATS] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 0, 9], [1, 1, 9], [2, 2, 9], [3, 3, 4], [4, 5, 5], [6, 6, 7], [7, 8, 8]];

fn at(round: u8, hands: [[u8; HAND]; SEATS]) -> PassingCards {
    let mut state = start();
    state.round = round;
    state.options = cycle::options(&state.cycles[usize::from(round) - 1]);
    state.hands = hands;
    state
}

fn view(state: &PassingCards, seat: u8) -> View {
    let mut view = View::zeroed();
    state.observe(Seat(seat), &mut view);
    view
}

/// Everybody answers; those without orders leave all to the defaults.
fn act(state: &mut PassingCards, orders: &[(u8, Orders)]) -> Vec<Event> {
    act_in(state, orders, &mut deal(1))
}

fn act_in(state: &mut PassingCards, orders: &[(u8, Orders)], deal: &mut DealRng) -> Vec<Event> {
    let mut choices: Choices<Action> = [None; abi::MAX_SEATS];
    for &(seat, orders) in orders {
        choices[usize::from(seat)] = match state.judge(Seat(seat), orders.pack()) {
            Verdict::Legal(action) => Some(action),
            other => panic!("seat {seat}: {orders:?} is {other:?}"),
        };
    }
    let mut events = Recorded::default();
    state.apply(&choices, deal, &mut events);
    events.0
}

fn vote(state: &mut PassingCards, votes: &[(u8, u8)], deal: &mut DealRng) {
    let mut choices: Choices<Action> = [None; abi::MAX_SEATS];
    for &(seat, candidate) in votes {
        choices[usize::from(seat)] = Some(Action::Vote(Seat(candidate)));
    }
    state.apply(&choices, deal, &mut ());
}

fn claim(a: u8, b: u8) -> Orders {
    Orders { claim: [a, b], ..Orders::NONE }
}

fn challenge(option: u8) -> Orders {
    Orders { challenge: option, ..Orders::NONE }
}

fn peek() -> Orders {
    Orders { peek: true, ..Orders::NONE }
}

fn gifts(gifts: &[(u8, u8)]) -> Orders {
    let mut orders = Orders::NONE;
    gifts.iter().for_each(|&(partner, card)| orders.give(partner, card));
    orders
}

fn loser(state: &PassingCards) -> u8 {
    match state.stage {
        Stage::Over(seat) => seat.0,
        stage => panic!("{stage:?}"),
    }
}

fn set(seats: &[u8]) -> SeatSet {
    seats.iter().map(|&seat| Seat(seat)).collect()
}

fn play<P: Player>(number: u64, players: &mut [P]) -> MatchRecord {
    let mut seeds = Rng::new(number);
    let seeds: Vec<u64> = (0..SEATS).map(|_| seeds.next_u64()).collect();
    let options = Options::default();
    let plan = MatchPlan::<PassingCards> { options: &options, deal: key(number), seeds: &seeds, max_restarts: 10 };
    play_match(plan, players, &mut ()).unwrap()
}

/// The notice of each round and what the seat's own orders add to it; at the vote, candidates and claims.
pub(crate) struct Notes {
    view: View,
    /// What a peek of this round adds to the next notice.
    ahead: [u8; 2],
    /// Who challenged whom in this round: the trades of the next.
    challenges: Vec<(u8, u8)>,
    received: Vec<Received>,
}

impl Told for PassingCards {
    type Notes = Notes;

    fn notes(options: &Options, _seats: usize, seat: Seat) -> Notes {
        let view = View {
            own_seat: seat.0,
            own_garnets: options.garnets,
            next_options: [NOBODY; 2],
            partners: [Partner::NONE; HAND],
            received: [Received::NONE; HAND],
            claims: [[NOBODY; 2]; SEATS],
            ..View::zeroed()
        };
        Notes { view, ahead: [NOBODY; 2], challenges: Vec::new(), received: Vec::new() }
    }

    fn tell(notes: &mut Notes, event: &Event) {
        let Notes { view, ahead, challenges, received } = notes;
        let own = Seat(view.own_seat);
        match event {
            Event::RoundBegins { round, needed, cycle, hands, garnets } => {
                view.round = *round;
                view.needed = *needed;
                view.own_cards = hands[own.index()].map(|card| card.0);
                view.own_garnets = garnets[own.index()];
                let place = cycle.iter().position(|&seat| seat == own).expect("everybody is in the cycle");
                view.options = [1, 2].map(|steps| cycle[(place + steps) % SEATS].0);
                view.next_options = std::mem::replace(ahead, [NOBODY; 2]);
                let forced_by = challenges.iter().filter(|(_, option)| *option == own.0);
                let forced = challenges.iter().filter(|(seat, _)| *seat == own.0);
                let mut partners: Vec<_> = forced_by.map(|&(seat, _)| Partner { seat, side: side::PARTNER }).collect();
                partners.sort_by_key(|partner| partner.seat);
                partners.extend(forced.map(|&(_, seat)| Partner { seat, side: side::SELF }));
                // What came in stands in the order of the partners from whom it came.
                view.received = [Received::NONE; HAND];
                for (place, partner) in view.partners.iter().take_while(|partner| partner.seat != NOBODY).enumerate() {
                    let from = received.iter().find(|received| received.giver == partner.seat);
                    view.received[place] = *from.expect("a partner gives a card");
                }
                view.partners = [Partner::NONE; HAND];
                view.partners[..partners.len()].copy_from_slice(&partners);
                challenges.clear();
                received.clear();
            }
            Event::Peeked { seat, options } if *seat == own => {
                view.own_garnets -= 1;
                *ahead = options.expect("a peek shows something").map(|seat| seat.0);
            }
            Event::Claimed { seat, right: false, .. } if *seat == own => {
                view.own_garnets = view.own_garnets.saturating_sub(1);
            }
            Event::Claimed { seat, others, right: true, .. } => {
                // All true claims are told to those who vote.
                view.claims[seat.index()] = others.map(|other| other.0);
                view.own_garnets += if *seat == own { 3 } else { 0 };
            }
            Event::Won { candidates, .. } => candidates.iter().for_each(|seat| view.candidates[seat.index()] = 1),
            Event::Traded { seat, partner, got, .. } if *seat == own => {
                view.own_trades += 1;
                received.push(Received { giver: partner.0, card: got.0 });
            }
            Event::Traded { seat, partner, given, .. } if *partner == own => {
                view.own_trades += 1;
                received.push(Received { giver: seat.0, card: given.0 });
            }
            Event::Challenged { seat, option } if *seat == own || *option == own => {
                challenges.push((seat.0, option.0));
            }
            _ => {}
        }
    }

    fn view(notes: &Notes) -> View {
        notes.view
    }
}

/// With two garnets random players are soon out of them and peek in no round that ends with a vote.
#[test]
fn views_at_the_vote_follow_from_what_seats_were_told_whoever_peeks() {
    let votes: usize = (0..200)
        .map(|seed| views_follow_from_what_seats_are_told::<PassingCards>(&Options { garnets: 100 }, SEATS, seed)[1])
        .sum();
    assert!(votes > 100, "{votes} votes");
}

#[test]
fn worked_example_1_without_challenges_and_claims_the_host_draws_the_candidate() {
    let mut last = [0u32; SEATS];
    for number in 0..1000 {
        let mut players: Vec<Scripted> = (0..SEATS).map(|_| Scripted::answering(0)).collect();
        let record = play(number, &mut players);
        assert!(record.seats.iter().all(|seat| seat.decisions == 14 && seat.faults == [0; 5]));
        let mut places = record.outcome.placements().to_vec();
        last[places.iter().position(|&place| place == 10).unwrap()] += 1;
        places.sort_unstable();
        assert_eq!(places, [1, 1, 1, 1, 1, 1, 1, 1, 1, 10]);
        assert_eq!(record.outcome.points(), [2; SEATS]);
    }
    // Standard deviation 9.5: four of them.
    assert!(last.iter().all(|count| count.abs_diff(100) <= 38), "{last:?}");

    let mut state = start();
    for _ in 1..14 {
        act(&mut state, &[]);
    }
    let events = act(&mut state, &[]);
    assert_eq!(events[0], Event::NobodyWon { trades: [0; SEATS] });
    assert!(matches!(events[1], Event::Eliminated { reason: Reason::DrawnAmongFewestTrades, lost_token: false, .. }));
}

#[test]
fn worked_example_2_a_challenge_of_round_1_is_a_trade_of_round_2() {
    let mut state = start();
    let (i, j) = (4, state.options[4][1]);
    act(&mut state, &[(i, challenge(j))]);
    assert_eq!(view(&state, i).partners[0], Partner { seat: j, side: side::SELF });
    assert_eq!(view(&state, j).partners[0], Partner { seat: i, side: side::PARTNER });
    assert_eq!(state.trades, [0; SEATS]);
    act(&mut state, &[(i, gifts(&[(j, i)])), (j, gifts(&[(i, j)]))]);
    let (seen_by_i, seen_by_j) = (view(&state, i), view(&state, j));
    assert!(seen_by_i.own_cards.contains(&j) && seen_by_j.own_cards.contains(&i));
    assert_eq!(seen_by_i.received[0], Received { giver: j, card: j });
    assert_eq!(seen_by_j.received[0], Received { giver: i, card: i });
    assert_eq!((seen_by_i.own_trades, seen_by_j.own_trades), (1, 1));
    assert_eq!(seen_by_i.partners, [Partner::NONE; HAND]);
}

#[test]
fn worked_example_3_true_claims_win_and_the_missing_name_is_the_candidate() {
    let mut state = at(5, NINE_NAMES);
    // Seat 0 and seat 1 claim the same three hands, seat 3 others.
    let events = act(&mut state, &[(0, claim(1, 2)), (1, claim(0, 2)), (3, claim(4, 5))]);
    assert_eq!(events.len(), 5, "{events:?}");
    assert_eq!(state.node(), Node::Terminal);
    assert_eq!(state.winners, set(&[0, 1]));
    assert_eq!(loser(&state), 9);
    assert_eq!(state.garnets, [5, 5, 2, 1, 2, 2, 2, 2, 2, 2]);
    assert_eq!(state.outcome().placements(), [1, 1, 3, 9, 3, 3, 3, 3, 3, 10]);
    assert_eq!(events[4], Event::Eliminated { seat: Seat(9), reason: Reason::OnlyMissing, lost_token: false });
}

/// Round 12, where seat 0 claims with seats 1 and 2 and only names 0 to 6 are found.
fn seven_names() -> PassingCards {
    let mut hands = NINE_NAMES;
    hands[2] = [6, 6, 6];
    hands[8] = [7, 8, 7];
    at(12, hands)
}

#[test]
fn worked_example_4_three_names_missing_and_the_winners_vote() {
    let mut state = seven_names();
    act(&mut state, &[(0, claim(1, 2)), (1, claim(2, 0))]);
    assert_eq!(state.node(), Node::Act { decision: decision::VOTE as u8, seats: set(&[0, 1]) });
    for seat in [0, 1] {
        let view = view(&state, seat);
        assert!(view.candidates().eq([7, 8, 9]));
        assert_eq!((view.claims[0], view.claims[1], view.claims[2]), ([1, 2], [2, 0], [NOBODY; 2]));
        assert_eq!(view.own_garnets, 5);
    }
    vote(&mut state, &[(0, 8), (1, 8)], &mut deal(1));
    assert_eq!(loser(&state), 8);
    assert_eq!(state.outcome().placements(), [1, 1, 3, 3, 3, 3, 3, 3, 10, 3]);
}

proptest! {
    #[test]
    fn worked_example_5_three_cards_of_every_name_and_in_every_hand(seed: u64) {
        random_match::<PassingCards>(&Options::default(), SEATS, seed, |state| {
            let mut counts = [0; SEATS];
            state.hands.iter().flatten().for_each(|&card| counts[usize::from(card)] += 1);
            assert_eq!(counts, [3; SEATS]);
        });
    }

    #[test]
    fn trades_have_two_sides_and_never_more_partners_than_cards(seed: u64) {
        let (end, events) = random_match::<PassingCards>(&Options::default(), SEATS, seed, |state| {
            for own in 0..SEATS {
                let mut seen = SeatSet::EMPTY;
                for (index, partner) in state.partners(own) {
                    assert!(!seen.contains(Seat(partner.seat)) && usize::from(partner.seat) != own);
                    seen.insert(Seat(partner.seat));
                    let mirrored = state.partners[usize::from(partner.seat)].iter();
                    assert_eq!(mirrored.filter(|back| usize::from(back.seat) == own && back.side != partner.side).count(), 1);
                    // Partner order: those who forced by seat, then the one forced.
                    if let Some(next) = state.partners[own].get(index + 1).filter(|next| next.side != side::NONE) {
                        assert!(partner.side == side::PARTNER);
                        assert!(next.side == side::SELF || next.seat > partner.seat);
                    }
                }
            }
        });
        let mut trades = [0; SEATS];
        for event in &events {
            if let Event::Traded { seat, partner, .. } = event {
                trades[seat.index()] += 1;
                trades[partner.index()] += 1;
            }
        }
        prop_assert_eq!(trades, end.trades);
    }

    #[test]
    fn options_are_the_next_two_of_the_cycle_and_new_each_round(seed: u64) {
        let mut last = [[NOBODY; 2]; SEATS];
        let mut round = 0;
        random_match::<PassingCards>(&Options::default(), SEATS, seed, |state| {
            if state.round == round {
                return;
            }
            round = state.round;
            let options: [[u8; 2]; SEATS] = std::array::from_fn(|seat| view(state, seat as u8).options);
            assert_eq!(options, cycle::options(&state.cycles[usize::from(round) - 1]));
            for seat in 0..SEATS {
                assert!(options[seat].iter().all(|option| !last[seat].contains(option)));
            }
            last = options;
        });
    }

    #[test]
    fn events_tell_all_that_the_result_follows_from(seed: u64) {
        let (end, events) = random_match::<PassingCards>(&Options::default(), SEATS, seed, |_| {});
        let mut hands: [[u8; HAND]; SEATS] = std::array::from_fn(|seat| [seat as u8; HAND]);
        let mut garnets = [2u8; SEATS];
        let mut winners = SeatSet::EMPTY;
        let mut out = None;
        // The trades of a round happen at once: a card that came in does not go out again.
        let mut goes: Vec<(usize, u8)> = Vec::new();
        let mut comes: Vec<(usize, u8)> = Vec::new();
        let settle = |hands: &mut [[u8; HAND]; SEATS], goes: &mut Vec<(usize, u8)>, comes: &mut Vec<(usize, u8)>| {
            let places: Vec<_> = goes.drain(..).map(|(seat, card)| {
                let place = hands[seat].iter().position(|&held| held == card).expect("only cards in hand are given");
                hands[seat][place] = NOBODY;
                (seat, place)
            }).collect();
            for ((seat, place), (to, card)) in places.into_iter().zip(comes.drain(..)) {
                assert_eq!(seat, to);
                hands[seat][place] = card;
            }
        };
        for event in &events {
            match event {
                Event::RoundBegins { hands: told, .. } => {
                    settle(&mut hands, &mut goes, &mut comes);
                    for (hand, told) in hands.iter().zip(told) {
                        let (mut hand, mut told) = (*hand, told.map(|card| card.0));
                        hand.sort_unstable();
                        told.sort_unstable();
                        prop_assert_eq!(hand, told);
                    }
                }
                Event::Peeked { seat, .. } => garnets[seat.index()] -= 1,
                Event::Claimed { seat, right: true, .. } => {
                    garnets[seat.index()] += 3;
                    winners.insert(*seat);
                }
                Event::Claimed { seat, .. } => garnets[seat.index()] = garnets[seat.index()].saturating_sub(1),
                Event::Traded { seat, partner, given, got, .. } => {
                    goes.extend([(seat.index(), given.0), (partner.index(), got.0)]);
                    comes.extend([(seat.index(), got.0), (partner.index(), given.0)]);
                }
                Event::Eliminated { seat, lost_token, .. } => {
                    prop_assert_eq!(*lost_token, winners.contains(*seat));
                    out = Some(*seat);
                }
                _ => {}
            }
            prop_assert!(!event.to_string().is_empty());
        }
        let class = |seat: Seat| if out == Some(seat) { 0 } else { 1 + u8::from(winners.contains(seat)) };
        let derived = Outcome::by_key(&garnets.map(i32::from), |seat| (class(seat), garnets[seat.index()]));
        prop_assert_eq!(derived, end.outcome());
    }

    #[test]
    fn a_view_does_not_depend_on_what_its_seat_may_not_know(seed: u64) {
        random_match::<PassingCards>(&Options::default(), SEATS, seed, |state| {
            let Node::Act { seats, .. } = state.node() else { return };
            for seat in seats.iter() {
                let own = seat.index();
                let mut other = state.clone();
                for hidden in (0..SEATS).filter(|&hidden| hidden != own) {
                    other.hands[hidden] = [hidden as u8; HAND];
                    other.garnets[hidden] = 77;
                    other.trades[hidden] = 77;
                    other.options[hidden] = [own as u8; 2];
                    other.partners[hidden] = [Partner::NONE; HAND];
                    other.received[hidden] = [Received::NONE; HAND];
                    other.peeked.insert(Seat(hidden as u8));
                }
                if !state.peeked.contains(seat) {
                    other.cycles.iter_mut().for_each(|cycle| cycle[1..].reverse());
                }
                assert_eq!(view(state, seat.0).as_bytes(), view(&other, seat.0).as_bytes());
            }
        });
    }

    #[test]
    fn packed_orders_are_those_unpacked(answer: i64, masked: bool) {
        // Half of the answers without the bits that mean nothing.
        let answer = if masked { answer & ((1 << 53) - 1) } else { answer };
        match Orders::unpack(answer) {
            Some(orders) => prop_assert_eq!(orders.pack(), answer),
            None => prop_assert!(answer as u64 >> 53 != 0),
        }
    }

    #[test]
    fn the_legal_parts_of_any_answer_are_legal(seed: u64, answers: [i64; SEATS], masked: bool) {
        random_match::<PassingCards>(&Options::default(), SEATS, seed, |state| {
            let Node::Act { decision: 0, .. } = state.node() else { return };
            for (seat, &answer) in Seat::all(SEATS).zip(&answers) {
                let answer = if masked { answer & ((1 << 53) - 1) } else { answer };
                match state.judge(seat, answer) {
                    Verdict::Legal(Action::Orders(orders)) => assert_eq!(orders.pack(), answer),
                    Verdict::Partly(Action::Orders(orders)) => {
                        let legal = Verdict::Legal(Action::Orders(orders));
                        assert_eq!(state.judge(seat, orders.pack()), legal);
                    }
                    Verdict::Illegal => assert_ne!(answer as u64 >> 53, 0),
                    other => panic!("{other:?}"),
                }
            }
        });
    }
}

/// Round 2, a seat with three trades, and its partners in their order.
fn three_partners() -> (PassingCards, u8, [u8; HAND]) {
    let mut state = start();
    let own = 3;
    let mut forcers: Vec<u8> =
        (0..SEATS as u8).filter(|&seat| state.options[usize::from(seat)].contains(&own)).collect();
    forcers.sort_unstable();
    let forced = state.options[usize::from(own)][0];
    act(&mut state, &[(forcers[0], challenge(own)), (forcers[1], challenge(own)), (own, challenge(forced))]);
    assert!(view(&state, own).partners().eq([forcers[0], forcers[1], forced]));
    (state, own, [forcers[0], forcers[1], forced])
}

/// The legal rest of orders that are illegal in a part.
fn rest(state: &PassingCards, seat: u8, orders: Orders) -> Orders {
    match state.judge(Seat(seat), orders.pack()) {
        Verdict::Partly(Action::Orders(rest)) => rest,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_card_named_for_two_gifts_goes_to_the_first_in_partner_order() {
    let (mut state, own, [a, b, c]) = three_partners();
    state.hands[usize::from(own)] = [5, 6, 6];
    assert_eq!(rest(&state, own, gifts(&[(c, 5), (b, 5), (a, 5)])), gifts(&[(a, 5)]));
    assert_eq!(rest(&state, own, gifts(&[(c, 5), (b, 5), (a, 6)])), gifts(&[(a, 6), (b, 5)]));
    // Held twice, it is two cards.
    assert!(matches!(state.judge(Seat(own), gifts(&[(a, 6), (c, 6), (b, 5)]).pack()), Verdict::Legal(_)));
}

#[test]
fn a_gift_to_no_partner_or_of_no_card_in_hand_is_an_illegal_part() {
    let (state, own, [a, b, c]) = three_partners();
    let stranger = (0..10).find(|seat| ![a, b, c].contains(seat)).unwrap();
    for illegal in [(stranger, own), (b, own + 1), (b, 10), (b, 14)] {
        assert_eq!(rest(&state, own, gifts(&[(a, own), illegal])), gifts(&[(a, own)]));
    }
    let mut first = start();
    first.hands[0] = [1, 2, 3];
    assert_eq!(rest(&first, 0, gifts(&[(4, 1)])), Orders::NONE);
}

#[test]
fn a_left_out_gift_is_no_fault() {
    let (state, own, [a, ..]) = three_partners();
    for orders in [Orders::NONE, gifts(&[(a, own)])] {
        assert_eq!(state.judge(Seat(own), orders.pack()), Verdict::Legal(Action::Orders(orders)));
    }
}

#[test]
fn only_options_can_be_challenged() {
    let state = start();
    let options = state.options[0];
    for other in (0..15).filter(|other| !options.contains(other)) {
        let orders = Orders { peek: true, ..challenge(other) };
        assert_eq!(rest(&state, 0, orders), peek(), "{other}");
    }
    for option in options {
        assert!(matches!(state.judge(Seat(0), challenge(option).pack()), Verdict::Legal(_)));
    }
}

#[test]
fn a_claim_names_two_different_others() {
    let state = start();
    let option = state.options[4][0];
    for illegal in [[4, 1], [1, 4], [1, 1], [4, 4], [1, NOBODY], [NOBODY, 1], [10, 1], [1, 14]] {
        let orders = Orders { claim: illegal, ..challenge(option) };
        assert_eq!(rest(&state, 4, orders), challenge(option), "{illegal:?}");
    }
    assert!(matches!(state.judge(Seat(4), claim(9, 0).pack()), Verdict::Legal(_)));
}

#[test]
fn an_answer_with_unknown_bits_is_wholly_illegal() {
    let state = start();
    for answer in [-1, i64::MIN, i64::MAX, 1 << 53, peek().pack() | 1 << 62, abi::NO_ACTION] {
        assert_eq!(state.judge(Seat(0), answer), Verdict::Illegal, "{answer}");
    }
}

#[test]
fn a_partly_illegal_answer_is_one_fault_and_its_legal_parts_stand() {
    // Everybody challenges an option and claims with itself, all match long.
    let mut players: Vec<Scripted> = (0..SEATS)
        .map(|_| {
            Scripted::new(|_, view| {
                let view = View::from_bytes(view).ok_or(Fault::Protocol)?;
                Ok(Orders { claim: [view.own_seat; 2], ..challenge(view.options[0]) }.pack())
            })
        })
        .collect();
    let record = play(5, &mut players);
    assert!(record.seats.iter().all(|seat| seat.faults == [14, 0, 0, 0, 0]));
    // The first of the two ahead is challenged by nobody else: everybody has two trades a round.
    let mut state = start();
    let everybody = |state: &PassingCards| -> Vec<(u8, Orders)> {
        (0..10).map(|seat| (seat, challenge(state.options[usize::from(seat)][0]))).collect()
    };
    for _ in 0..14 {
        let orders = everybody(&state);
        act(&mut state, &orders);
    }
    assert_eq!(state.trades, [26; SEATS]);
}

#[test]
fn a_peek_shows_the_options_of_the_round_after_the_next_notice() {
    for round in 1..=12 {
        let mut state = at(round, NINE_NAMES);
        act(&mut state, &[(0, peek())]);
        assert_eq!(state.garnets[0], 1);
        let seen = view(&state, 0).next_options;
        assert_eq!(view(&state, 1).next_options, [NOBODY; 2]);
        act(&mut state, &[]);
        assert_eq!(view(&state, 0).options, seen);
        assert_eq!(view(&state, 0).next_options, [NOBODY; 2]);
        assert_eq!(state.round, round + 2);
    }
}

#[test]
fn the_vote_shows_the_notice_of_its_round_whoever_peeks_in_it() {
    let mut state = at(11, NINE_NAMES);
    act(&mut state, &[(0, peek())]);
    state.hands = seven_names().hands;
    let notice = [0, 1].map(|seat| view(&state, seat));
    assert_ne!(notice[0].next_options, [NOBODY; 2], "seat 0 peeked in the round before");
    assert_eq!(notice[1].next_options, [NOBODY; 2]);
    // Now seat 1 peeks, and both win.
    act(&mut state, &[(0, claim(1, 2)), (1, Orders { peek: true, ..claim(2, 0) })]);
    assert_eq!(state.node(), Node::Act { decision: decision::VOTE as u8, seats: set(&[0, 1]) });
    for (seat, notice) in [0, 1].into_iter().zip(notice) {
        let shown = view(&state, seat);
        assert_eq!((shown.options, shown.next_options), (notice.options, notice.next_options), "seat {seat}");
    }
}

#[test]
fn a_peek_without_a_garnet_or_in_the_last_two_rounds_is_illegal_and_free() {
    let mut poor = start();
    poor.garnets[0] = 0;
    for mut state in [poor, at(13, NINE_NAMES), at(14, NINE_NAMES)] {
        let before = state.garnets;
        assert_eq!(rest(&state, 0, peek()), Orders::NONE);
        act(&mut state, &[(0, Orders::NONE)]);
        assert_eq!(state.garnets, before);
    }
}

#[test]
fn a_peek_is_paid_before_a_false_claim_and_stays_paid_when_the_match_ends() {
    let mut state = at(5, NINE_NAMES);
    state.garnets[3] = 1;
    act(&mut state, &[(3, Orders { peek: true, ..claim(4, 5) }), (4, peek()), (0, claim(1, 2))]);
    assert_eq!(state.garnets, [5, 2, 2, 0, 1, 2, 2, 2, 2, 2]);
    assert_eq!(state.node(), Node::Terminal);
}

#[test]
fn a_false_claim_costs_a_garnet_but_not_below_none() {
    let mut state = start();
    for left in [1, 0, 0] {
        act(&mut state, &[(6, claim(0, 1))]);
        assert_eq!(state.garnets[6], left);
    }
}

#[test]
fn a_true_claim_ends_the_match_before_any_trade() {
    let mut state = at(5, NINE_NAMES);
    let option = state.options[0][0];
    act(&mut state, &[(0, challenge(option))]);
    let mut events = act(&mut state, &[(0, claim(1, 2))]);
    assert!(events.iter().all(|event| !matches!(event, Event::Traded { .. })));
    assert_eq!((state.hands, state.trades), (NINE_NAMES, [0; SEATS]));
    // Without the claim the trade takes place.
    let mut state = at(5, NINE_NAMES);
    act(&mut state, &[(0, challenge(option))]);
    events = act(&mut state, &[(0, claim(1, 3))]);
    assert!(events.iter().any(|event| matches!(event, Event::Traded { .. })));
}

#[test]
fn claims_are_checked_by_the_needed_number_of_the_round() {
    for round in 1..=14 {
        for found in 3..=9u8 {
            let mut hands = NINE_NAMES;
            // Only as many names among the first three hands; which cards the others hold is of no matter here.
            hands[..3].iter_mut().flatten().for_each(|card| *card = (*card).min(found - 1));
            let mut state = at(round, hands);
            act(&mut state, &[(0, claim(1, 2))]);
            assert_eq!(!state.winners.is_empty(), found >= needed(round), "{round} {found}");
            if !state.winners.is_empty() {
                assert_eq!(state.candidates.len(), 10 - usize::from(found));
            }
        }
    }
}

#[test]
fn who_is_missing_from_one_of_several_true_claims_is_a_candidate() {
    let mut hands = NINE_NAMES;
    // Seats 3 to 5: names 0 1 2 3 4 5 6 and not 7, 8, 9.
    hands[3] = [0, 1, 2];
    hands[4] = [3, 4, 5];
    hands[5] = [6, 0, 1];
    // Seats 0 to 2 lack 9 alone.
    let mut state = at(12, hands);
    act(&mut state, &[(0, claim(1, 2)), (3, claim(4, 5))]);
    assert_eq!(state.candidates, set(&[7, 8, 9]));
    assert_eq!(state.winners, set(&[0, 3]));
}

#[test]
fn a_winner_who_is_eliminated_loses_the_token_and_keeps_the_garnets() {
    let mut state = seven_names();
    // Seat 7 wins with the same names, its own not among them.
    state.hands[7] = [0, 1, 2];
    act(&mut state, &[(0, claim(1, 2)), (7, claim(1, 2))]);
    assert_eq!(state.candidates, set(&[7, 8, 9]));
    vote(&mut state, &[(0, 7)], &mut deal(1));
    assert_eq!(loser(&state), 7);
    assert_eq!(state.outcome().points()[7], 5);
    assert_eq!(state.outcome().placements(), [1, 2, 2, 2, 2, 2, 2, 10, 2, 2]);
}

#[test]
fn a_vote_is_for_a_candidate() {
    let mut state = seven_names();
    act(&mut state, &[(0, claim(1, 2))]);
    for answer in [7, 8, 9] {
        assert_eq!(state.judge(Seat(0), answer), Verdict::Legal(Action::Vote(Seat(answer as u8))));
    }
    for answer in [0, 6, 10, -1, 255, 256 + 7, i64::MIN, i64::MAX] {
        assert_eq!(state.judge(Seat(0), answer), Verdict::Illegal, "{answer}");
    }
}

/// How often each seat is eliminated by these votes, over many draws.
fn eliminated(votes: &[(u8, u8)]) -> [u32; SEATS] {
    let mut before = seven_names();
    act(&mut before, &[(0, claim(1, 2)), (1, claim(0, 2)), (2, claim(0, 1))]);
    let mut counts = [0; SEATS];
    for number in 0..3000 {
        let mut state = before.clone();
        vote(&mut state, votes, &mut deal(number));
        counts[usize::from(loser(&state))] += 1;
    }
    counts
}

#[test]
fn the_most_votes_decide_and_a_tied_vote_is_drawn() {
    assert_eq!(eliminated(&[(0, 8), (1, 7), (2, 8)])[8], 3000);
    let tied = eliminated(&[(0, 8), (1, 7)]);
    // Standard deviation 27: four of them.
    assert!(tied[8].abs_diff(1500) < 110 && tied[7] + tied[8] == 3000, "{tied:?}");
}

#[test]
fn failed_vote_is_no_vote_and_without_any_the_host_draws_among_all_candidates() {
    assert_eq!(eliminated(&[(2, 9)])[9], 3000);
    let drawn = eliminated(&[]);
    // Standard deviation 26: four of them.
    assert!(drawn[7..].iter().all(|count| count.abs_diff(1000) < 104), "{drawn:?}");
}

#[test]
fn failed_orders_are_random_gifts_and_nothing_else() {
    // By place in hand: what goes to the first and the second partner, the own name at place 0.
    let mut counts = [[0u32; HAND]; 2];
    for number in 0..2000 {
        let (mut state, own, [a, b, c]) = three_partners();
        let index = usize::from(own);
        state.hands[index] = [own, 5, 6];
        let events = act_in(&mut state, &[], &mut deal(number));
        let given =
            |partner: u8| view(&state, partner).received().find(|received| received.giver == own).expect("a gift").card;
        for (count, partner) in counts.iter_mut().zip([a, b]) {
            let card = given(partner);
            count[if card == own { 0 } else { usize::from(card) - 4 }] += 1;
        }
        assert_eq!(given(c), own, "the own name goes when nothing else is left");
        assert_eq!(state.garnets, [2; SEATS]);
        assert!(events.iter().all(|event| match event {
            Event::Traded { defaults, .. } => *defaults == [true; 2],
            event => matches!(event, Event::RoundBegins { .. }),
        }));
        assert!((0..10).all(|seat| view(&state, seat).partners().count() == 0));
    }
    // Standard deviation 22: four of them.
    for count in counts {
        assert!(count[0] == 0 && count[1].abs_diff(1000) < 90 && count[1] + count[2] == 2000, "{counts:?}");
    }
}

#[test]
fn a_missing_gift_is_drawn_from_what_the_named_ones_leave() {
    for number in 0..100 {
        let (mut state, own, [a, b, c]) = three_partners();
        state.hands[usize::from(own)] = [5, 6, own];
        act_in(&mut state, &[(own, gifts(&[(c, 5)]))], &mut deal(number));
        let received = |partner: u8| view(&state, partner).received().find(|gift| gift.giver == own).unwrap().card;
        assert_eq!((received(a), received(b), received(c)), (6, own, 5));
    }
}

#[test]
fn failing_players_play_a_whole_match_and_each_failed_decision_counts() {
    let mut players: Vec<Scripted> = (0..SEATS).map(|_| Scripted::failing(Fault::Crash)).collect();
    let record = play(3, &mut players);
    assert!(record.seats.iter().all(|seat| seat.faults == [0, 0, 10, 0, 4]));
    assert_eq!(record.outcome.points(), [2; SEATS]);
}

#[test]
fn a_challenge_in_the_last_round_is_legal_and_has_no_effect() {
    let mut state = at(14, NINE_NAMES);
    let option = state.options[0][1];
    let events = act(&mut state, &[(0, challenge(option))]);
    assert_eq!((state.node(), state.trades), (Node::Terminal, [0; SEATS]));
    assert!(matches!(events[..], [Event::NobodyWon { .. }, Event::Eliminated { .. }]));
}

#[test]
fn without_winners_the_fewest_trades_are_eliminated() {
    let mut state = at(14, NINE_NAMES);
    state.trades = [3, 4, 5, 2, 3, 4, 5, 3, 4, 5];
    state.garnets = [0, 1, 2, 2, 4, 5, 6, 7, 8, 9];
    act(&mut state, &[]);
    assert_eq!(loser(&state), 3);
    assert_eq!(state.outcome().placements(), [9, 8, 7, 10, 6, 5, 4, 3, 2, 1]);
}

#[test]
fn garnets_are_the_leagues_to_choose_up_to_100() {
    let options: Options = toml::from_str("garnets = 7").unwrap();
    let state = PassingCards::initial_state(&options, SEATS, &mut deal(0), &mut ());
    assert_eq!(view(&state, 0).own_garnets, 7);
    assert_eq!(PassingCards::check_options(&Options { garnets: 100 }, SEATS), Ok(()));
    let refused = PassingCards::check_options(&Options { garnets: 101 }, SEATS).unwrap_err();
    assert_eq!(
        (refused.key.as_str(), refused.reason.as_str()),
        ("garnets", "expected a whole number from 0 to 100, found 101")
    );
    assert!(toml::from_str::<Options>("garnet = 7").is_err());
}

/// Ten equal players: challenge uniform among option 1, option 2, none; gifts uniform; from round 11 on any claim.
struct Uniform(Rng);

impl bot_sdk::passing_cards::Bot for Uniform {
    fn new(_seat: u32, _seats: u32, seed: u64) -> Self {
        Uniform(Rng::new(seed))
    }

    fn orders(&mut self, view: &View) -> Orders {
        let mut orders = Orders::NONE;
        let mut cards = view.own_cards;
        self.0.shuffle(&mut cards);
        view.partners().zip(cards).for_each(|(partner, card)| orders.give(partner, card));
        orders.challenge = [view.options[0], view.options[1], NOBODY][self.0.below(3) as usize];
        if view.round >= 11 {
            let mut others: Vec<u8> = (0..10).filter(|&seat| seat != view.own_seat).collect();
            self.0.shuffle(&mut others);
            orders.claim = [others[0], others[1]];
        }
        orders
    }

    fn vote(&mut self, view: &View) -> u8 {
        let candidates: Vec<u8> = view.candidates().collect();
        candidates[self.0.below(candidates.len() as u32) as usize]
    }
}

#[test]
fn random_play_gives_the_values_computed_elsewhere() {
    // Theirs: 1500 matches.
    const THEIRS: f64 = 1500.0;
    const OURS: u64 = 20_000;
    let ours = OURS as f64;
    let mut last_round = [0u32; 15];
    let (mut winners, mut trades) = ((0.0, 0.0), (0.0, 0.0));
    for number in 0..OURS {
        struct Told {
            round: u8,
            /// With a token at the end: who is eliminated has not won.
            winners: usize,
            trades: usize,
        }
        impl Witness<Event> for Told {
            fn event(&mut self, event: impl FnOnce() -> Event) {
                match event() {
                    Event::RoundBegins { round, .. } => self.round = round,
                    Event::Won { winners, .. } => self.winners = winners.len(),
                    Event::Eliminated { lost_token: true, .. } => self.winners -= 1,
                    Event::Traded { .. } => self.trades += 1,
                    _ => {}
                }
            }
        }
        impl crate::play::Observer<PassingCards> for Told {
            fn decision(&mut self, _: Seat, _: u8, _: &View, _: Option<Answer>, fault: Option<Fault>) {
                assert_eq!(fault, None);
            }
        }
        let mut told = Told { round: 0, winners: 0, trades: 0 };
        let mut players: Vec<Native> =
            (0..SEATS).map(|_| Native::new(make::<bot_sdk::passing_cards::Adapter<Uniform>>)).collect();
        let mut seeds = Rng::new(number);
        let seeds: Vec<u64> = (0..SEATS).map(|_| seeds.next_u64()).collect();
        let options = Options::default();
        let plan = MatchPlan { options: &options, deal: key(number), seeds: &seeds, max_restarts: 10 };
        play_match::<PassingCards, _, _>(plan, &mut players, &mut told).unwrap();
        last_round[usize::from(told.round)] += 1;
        let add = |sums: &mut (f64, f64), x: f64| *sums = (sums.0 + x, sums.1 + x * x);
        add(&mut winners, told.winners as f64);
        add(&mut trades, told.trades as f64 * 2.0 / SEATS as f64);
    }
    let errors = 1.0 / ours + 1.0 / THEIRS;
    for (round, share) in [(11, 0.7913333333333333), (12, 0.208), (13, 0.0006666666666666666)] {
        let own = f64::from(last_round[round]) / ours;
        let standard_error = (own * (1.0 - own) * errors).sqrt();
        println!("last round {round}: {own:.5}, theirs {share:.5}, {:.2} SE", (own - share) / standard_error);
        assert!((own - share).abs() < 4.0 * standard_error, "last round {round}: {own} and {share}");
    }
    for (name, sums, theirs) in [("winners", winners, 2.69), ("trades", trades, 12.272133333333333)] {
        let mean = sums.0 / ours;
        let standard_error = ((sums.1 / ours - mean * mean) * errors).sqrt();
        println!("{name}: {mean:.5}, theirs {theirs:.5}, {:.2} SE", (mean - theirs) / standard_error);
        assert!((mean - theirs).abs() < 4.0 * standard_error, "{name}: {mean} and {theirs}");
    }
}

#[test]
fn the_bots_are_of_clearly_different_strength() {
    // Two of each at every table. A score is the share of the other bots' seats that a seat places above, ties half.
    let bots: Vec<_> = example_bots::BOTS.iter().filter(|bot| bot.game == NAME).collect();
    assert_eq!(bots.len() * 2, SEATS);
    let mut rng = Rng::new(1);
    let mut scores = vec![0.0; bots.len()];
    let matches = 1500;
    for number in 0..matches {
        let mut seated: [usize; SEATS] = std::array::from_fn(|seat| seat / 2);
        rng.shuffle(&mut seated);
        let mut players: Vec<Native> = seated.iter().map(|&bot| Native::new(bots[bot].make)).collect();
        let record = play(number, &mut players);
        assert!(record.seats.iter().all(|seat| seat.faults == [0; 5]));
        let places = record.outcome.placements();
        for (&bot, place) in seated.iter().zip(places) {
            for (_, other) in seated.iter().zip(places).filter(|&(&other, _)| other != bot) {
                let points = if place < other {
                    1.0
                } else if place == other {
                    0.5
                } else {
                    0.0
                };
                scores[bot] += points / (2 * 8 * matches) as f64;
            }
        }
    }
    let score = |name: &str| scores[bots.iter().position(|bot| bot.name == name).expect("a bot of this name")];
    let [tracker, collector, hoarder, silent, random] =
        ["tracker", "collector", "hoarder", "silent", "random"].map(score);
    println!(
        "tracker {tracker:.3}, collector {collector:.3}, hoarder {hoarder:.3}, silent {silent:.3}, random {random:.3}"
    );
    let order = [tracker, collector, hoarder, silent, random];
    assert!(order.windows(2).all(|pair| pair[0] > pair[1] + 0.015), "not in this order, each clearly above the next");
}

#[test]
fn the_pages_example_of_orders_is_what_it_says() {
    let orders = Orders { challenge: 2, claim: [5, 6], ..gifts(&[(2, 4)]) };
    assert_eq!(orders.pack(), 0x0007_6300_0000_0500);
    assert!(include_str!("../../../docs/passing-cards.md").contains("`0x0007_6300_0000_0500`"));
}
