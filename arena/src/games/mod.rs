//! The games: rules, and nothing else.
//!
//! A game knows no bytes from a bot, no WebAssembly, no threads and no files. It says who is to decide, what that
//! seat may know, whether an answer is legal, what follows, and how the match ended. The driver (`play`) asks
//! the bots, counts their faults and hands their choices back; it is written once for all games.
//!
//! A node where one seat acts is a joint action of one, so turn-based and simultaneous games share one method.
//!
//! The implementor of [`Game`] is a state of the game. `games!` below is the table of games: its entry is
//! all that the rest of the program needs to know of a game.

pub mod animal_rescuers;
pub mod card_hunt;
#[cfg(test)]
mod conformance;
mod deal;
pub mod little_hunters;
pub mod passing_cards;
pub mod words;

use std::fmt;

use bot_sdk::Plain;
use bot_sdk::abi::MAX_SEATS;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::ids::{Seat, SeatSet};

pub use deal::DealRng;

/// What a game is, as data.
#[derive(Debug, Clone, Copy)]
pub struct GameInfo {
    /// The name in leagues, metadata and results.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The fewest and the most seats.
    pub seats: (usize, usize),
    /// Whether seats ever decide at the same time.
    pub dynamics: Dynamics,
    /// Whether chance has a part: if not, a deal is nothing but the bots' seeds.
    pub chance: bool,
    /// Whether a seat's view leaves out what another seat's holds.
    pub hidden: bool,
    /// The decisions; a decision's number is its index.
    pub decisions: &'static [DecisionInfo],
    /// How the seats of a lineup are filled over the deals.
    pub seating: Seating,
    /// Counts changes of the rules: results of different versions are never mixed.
    pub rules_version: u32,
}

/// Whether seats decide in turn or at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dynamics {
    /// One seat at a time.
    Sequential,
    /// Several seats at once, at least sometimes.
    Simultaneous,
}

/// How the seats of a lineup are filled over the deals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seating {
    /// Every deal is played in every rotation of a cyclic order that changes from deal to deal.
    EveryRotation,
    /// Every deal is played once, the seats shuffled.
    Shuffled,
}

/// One kind of question to a bot.
#[derive(Debug, Clone, Copy)]
pub struct DecisionInfo {
    /// The name in accounts and event streams.
    pub name: &'static str,
    /// Its share of the league's fuel for a decision, in percent.
    pub fuel_percent: u64,
}

/// Where a match stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Node {
    /// These seats are to decide, at the same time.
    Act {
        /// The decision, an index into [`GameInfo::decisions`].
        decision: u8,
        /// Who is asked; never empty.
        seats: SeatSet,
    },
    /// The match is over.
    Terminal,
}

/// The game's judgement of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict<A> {
    /// Legal.
    Legal(A),
    /// Illegal in a part: one fault, and the legal rest stands.
    Partly(A),
    /// Illegal.
    Illegal,
}

/// What each asked seat chose. `None`: the seat was not asked, or its decision failed, whatever the cause.
pub type Choices<A> = [Option<A>; MAX_SEATS];

/// How a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The number of seats.
    pub seats: usize,
    /// The game's own points, by seat; beyond the seats 0.
    pub points: [i32; MAX_SEATS],
    /// Placements, 1 for the best; tied seats share one (1, 1, 3); beyond the seats 0.
    pub placements: [u8; MAX_SEATS],
}

impl Outcome {
    /// The outcome where more points place higher and equal points share a placement.
    pub fn by_points(points: &[i32]) -> Outcome {
        Outcome::by_key(points, |seat| points[seat.index()])
    }

    /// The outcome where a higher key places higher and equal keys share a placement.
    pub fn by_key<K: Ord>(points: &[i32], key: impl Fn(Seat) -> K) -> Outcome {
        let seats = points.len();
        let mut outcome = Outcome { seats, points: [0; MAX_SEATS], placements: [0; MAX_SEATS] };
        outcome.points[..seats].copy_from_slice(points);
        for seat in Seat::all(seats) {
            let own = key(seat);
            let better = Seat::all(seats).filter(|&other| key(other) > own).count();
            outcome.placements[seat.index()] = better as u8 + 1;
        }
        outcome
    }

    /// Placements of the match's seats.
    pub fn placements(&self) -> &[u8] {
        &self.placements[..self.seats]
    }

    /// Points of the match's seats.
    pub fn points(&self) -> &[i32] {
        &self.points[..self.seats]
    }
}

/// Who is told what happens in a match.
pub trait Witness<E> {
    /// Something that everybody at the table could see, or that an account of the match needs.
    fn event(&mut self, event: impl FnOnce() -> E);
}

/// Nobody is told: leagues pay nothing for events.
impl<E> Witness<E> for () {
    #[inline(always)]
    fn event(&mut self, _: impl FnOnce() -> E) {}
}

/// An option that the game refuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {reason}")]
pub struct BadOption {
    /// The option's key.
    pub key: String,
    /// What is wrong and what would be right.
    pub reason: String,
}

impl BadOption {
    /// What is wrong with the option of a key.
    pub fn new(key: impl Into<String>, reason: impl Into<String>) -> BadOption {
        BadOption { key: key.into(), reason: reason.into() }
    }
}

/// Reads an option that is a whole number from `LEAST` to `MOST`, for `#[serde(deserialize_with = …)]`: what else stands
/// there is refused with the range.
fn whole_number<'de, const LEAST: u8, const MOST: u8, D: serde::Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    struct Whole<const LEAST: u8, const MOST: u8>;

    impl<const LEAST: u8, const MOST: u8> serde::de::Visitor<'_> for Whole<LEAST, MOST> {
        type Value = u8;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a whole number from {LEAST} to {MOST}")
        }

        fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<u8, E> {
            let allowed = u8::try_from(number).ok().filter(|number| (LEAST..=MOST).contains(number));
            allowed.ok_or_else(|| E::invalid_value(serde::de::Unexpected::Signed(number), &self))
        }

        fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<u8, E> {
            let allowed = u8::try_from(number).ok().filter(|number| (LEAST..=MOST).contains(number));
            allowed.ok_or_else(|| E::invalid_value(serde::de::Unexpected::Unsigned(number), &self))
        }
    }

    from.deserialize_u64(Whole::<LEAST, MOST>)
}

/// A game; the implementor is a state of it.
pub trait Game: Clone + fmt::Debug + 'static {
    /// What the game is.
    const INFO: GameInfo;
    /// The league file's options of the game; unknown keys are to be refused.
    type Options: Serialize + DeserializeOwned + Default + Clone + fmt::Debug + Send + Sync;
    /// What a seat may know: its information state.
    type View: Plain + fmt::Debug;
    /// A legal answer, understood.
    type Action: Copy + fmt::Debug + PartialEq;
    /// What happens in a match: with the decisions, enough to derive the result again. `Display` is for
    /// accounts that people read; its seats are `seat N`, which the account replaces by names. A tab after one makes what
    /// follows stand in a column.
    type Event: Serialize + fmt::Display;

    /// Refuses options that no match can be played with.
    ///
    /// # Errors
    /// The option and what would be right.
    fn check_options(options: &Self::Options, seats: usize) -> Result<(), BadOption>;

    /// The state at the start of a match.
    fn initial_state<W: Witness<Self::Event>>(
        options: &Self::Options,
        seats: usize,
        deal: &mut DealRng,
        witness: &mut W,
    ) -> Self;

    /// Who is to decide what.
    fn node(&self) -> Node;

    /// Judges a seat's answer to the decision it was asked.
    fn judge(&self, seat: Seat, answer: i64) -> Verdict<Self::Action>;

    /// Calls `each` with every legal answer of a seat that is to decide, or, where they are too many, with a
    /// fair choice of them. For tests and random players; not for the hot path.
    fn legal_answers(&self, seat: Seat, each: &mut dyn FnMut(i64));

    /// Writes what a seat that is to decide may know. `view` is all zeros.
    fn observe(&self, seat: Seat, view: &mut Self::View);

    /// Goes on with the choices of the asked seats.
    fn apply<W: Witness<Self::Event>>(&mut self, choices: &Choices<Self::Action>, deal: &mut DealRng, witness: &mut W);

    /// The result of a match that is over.
    fn outcome(&self) -> Outcome;

    // What follows is for people at the table; a game that says none of it can be played all the same.

    /// A view in words, as its seat may read it. Other seats are `seat N`, as in events.
    fn describe(view: &Self::View, _decision: u8) -> String {
        format!("{view:#?}")
    }

    /// A legal answer as a person types it.
    fn phrase(_decision: u8, answer: i64) -> String {
        answer.to_string()
    }

    /// Reads an answer of several parts, which the phrases of [`legal_answers`](Game::legal_answers) are too few for.
    /// `None`: the phrases are all there is.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn read(_view: &Self::View, _decision: u8, _text: &str) -> Option<Result<i64, String>> {
        None
    }

    /// What a seat hears of an event while the match is on; in a game where something is hidden nothing, if the game
    /// does not say.
    fn heard(event: &Self::Event, _seat: Seat) -> Option<String> {
        (!Self::INFO.hidden).then(|| event.to_string())
    }
}

macro_rules! games {
    ($d:tt $($game:ident = $module:ident::$state:ident),+ $(,)?) => {
        /// A game, chosen at run time.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum GameId {
            $(#[doc = concat!("[`", stringify!($state), "`]($module::$state)")] $game),+
        }

        impl GameId {
            /// All games.
            pub const ALL: &[GameId] = &[$(GameId::$game),+];

            /// What the game is.
            pub fn info(self) -> &'static GameInfo {
                match self { $(GameId::$game => &<$module::$state as Game>::INFO),+ }
            }
        }

        /// The options of a game, of the type that the game gives them.
        #[derive(Debug, Clone)]
        pub enum GameOptions {
            $(#[doc = concat!("Those of [`", stringify!($state), "`]($module::$state).")]
            $game(<$module::$state as Game>::Options)),+
        }

        impl GameOptions {
            /// The game.
            pub fn game(&self) -> GameId {
                match self { $(GameOptions::$game(_) => GameId::$game),+ }
            }

            /// The game's own.
            pub fn default_of(game: GameId) -> GameOptions {
                match game { $(GameId::$game => GameOptions::$game(Default::default())),+ }
            }

            /// Reads a game's options, without checking what they come to: see [`check`](GameOptions::check).
            ///
            /// # Errors
            /// The reader's.
            pub fn deserialize<'de, D: serde::Deserializer<'de>>(game: GameId, from: D) -> Result<GameOptions, D::Error> {
                Ok(match game { $(GameId::$game => GameOptions::$game(serde::Deserialize::deserialize(from)?)),+ })
            }

            fn any(&self) -> &dyn std::any::Any {
                match self { $(GameOptions::$game(options) => options),+ }
            }

            /// Refuses options that no match of this number of seats can be played with.
            ///
            /// # Errors
            /// The option and what would be right.
            pub fn check(&self, seats: usize) -> Result<(), BadOption> {
                match self {
                    $(GameOptions::$game(options) => <$module::$state as Game>::check_options(options, seats)),+
                }
            }

            /// All options, as JSON.
            pub fn to_json(&self) -> serde_json::Value {
                let json = match self { $(GameOptions::$game(options) => serde_json::to_value(options)),+ };
                json.expect("options are plain data")
            }
        }

        /// Goes from a [`GameId`] to the game's type, once: `with_game!(id, G => …)` is the expression with `G` as that type, and
        /// all calls in it are static.
        #[macro_export]
        macro_rules! with_game {
            ($d id:expr, $d name:ident => $d body:expr) => {
                match $d id {
                    $($crate::games::GameId::$game => {
                        type $d name = $crate::games::$module::$state;
                        $d body
                    })+
                }
            };
        }

        #[cfg(test)]
        mod every_game {
            use super::*;
            $(#[test] #[allow(non_snake_case)] fn $game() { conformance::check::<$module::$state>(); })+
        }
    };
}

games! { $
    LittleHunters = little_hunters::LittleHunters,
    CardHunt = card_hunt::CardHunt,
    AnimalRescuers = animal_rescuers::AnimalRescuers,
    PassingCards = passing_cards::PassingCards,
}

pub use with_game;

impl GameOptions {
    /// Reads and checks options that were written as JSON; keys that are missing have the game's own values.
    ///
    /// # Errors
    /// The first option that is wrong; the key is empty where it is not one option that is.
    pub fn from_json(game: GameId, json: &serde_json::Value, seats: usize) -> Result<GameOptions, BadOption> {
        let read = |json: &serde_json::Value, key: &str| {
            GameOptions::deserialize(game, json).map_err(|error| BadOption::new(key, error.to_string()))
        };
        // Alone first, so that an error names the option that is wrong.
        for (key, value) in json.as_object().into_iter().flatten() {
            read(&serde_json::Map::from_iter([(key.clone(), value.clone())]).into(), key)?;
        }
        let options = read(json, "")?;
        options.check(seats)?;
        Ok(options)
    }

    /// The options as their game's own type.
    ///
    /// # Panics
    /// For another game.
    pub fn of<G: Game>(&self) -> &G::Options {
        self.any().downcast_ref().expect("the options of this game")
    }
}

impl GameId {
    /// The game's name.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The game of a name.
    pub fn from_name(name: &str) -> Option<GameId> {
        GameId::ALL.iter().copied().find(|game| game.name() == name)
    }

    /// All names, for error messages.
    pub fn names() -> String {
        let names: Vec<_> = GameId::ALL.iter().map(|game| game.name()).collect();
        names.join(", ")
    }

    /// The size of the game's view, in bytes.
    pub fn view_size(self) -> usize {
        with_game!(self, G => size_of::<<G as Game>::View>())
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_points_share_a_placement_and_the_next_is_skipped() {
        let outcome = Outcome::by_points(&[3, 7, 7, 1]);
        assert_eq!(outcome.placements(), [3, 1, 1, 4]);
        assert_eq!(outcome.points(), [3, 7, 7, 1]);
    }

    #[test]
    fn options_from_json_are_read_and_checked_by_their_game() {
        let read = |json| GameOptions::from_json(GameId::LittleHunters, &json, 2);
        let options = read(serde_json::json!({"tiebreak_series": 7})).unwrap();
        assert_eq!(options.of::<little_hunters::LittleHunters>().tiebreak_series, 7);
        assert_eq!(options.to_json(), serde_json::json!({"tiebreak_series": 7}));
        for (json, key, wanted) in [
            (serde_json::json!({"tiebreak_series": 999}), "tiebreak_series", "a whole number from 0 to 100"),
            (serde_json::json!({"tiebreak_serie": 0}), "tiebreak_serie", "unknown field"),
            (serde_json::json!(7), "", "struct Options"),
        ] {
            let bad = read(json).unwrap_err();
            assert!(bad.key == key && bad.reason.contains(wanted), "{bad}");
        }
        for &game in GameId::ALL {
            assert_eq!(GameOptions::default_of(game).game(), game);
        }
    }

    #[test]
    fn names_lead_back_to_games() {
        for &game in GameId::ALL {
            assert_eq!(GameId::from_name(game.name()), Some(game));
        }
        assert_eq!(GameId::from_name("chess"), None);
    }
}
