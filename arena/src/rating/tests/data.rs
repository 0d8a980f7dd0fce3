//! Real result files, with ratings that were computed independently.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::bootstrap::bootstrap;
use super::super::bradley_terry::{Advantage, Fit, Standing, fit};
use super::super::collected::Collected;
use super::super::covariance::{Covariance, Warning, covariance};
use super::super::fit_options::{FitOptions, Prior};
use super::super::random::SplitMix64;
use super::close;

const FOOTBALL: &str = include_str!("../../../../tests/data/football-2018-19.csv");
const CUP: &str = include_str!("../../../../tests/data/football-cup-2018-19.csv");
const RACES: &str = include_str!("../../../../tests/data/races-2023.csv");
const ENGINES_2021: &str = include_str!("../../../../tests/data/engines-frc-2021.pgn");
const ENGINES_2022: &str = include_str!("../../../../tests/data/engines-frc-2022.pgn");

#[derive(Deserialize)]
struct Reference {
    football: Table,
    races: Table,
}

#[derive(Deserialize)]
struct Table {
    ratings: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    name: String,
    elo_mean_zero: f64,
    fisher_se: Option<f64>,
}

fn reference() -> Reference {
    serde_json::from_str(include_str!("../testdata/data.json")).unwrap()
}

/// Names in order of appearance, and matches as (cluster, first, second, first's score).
#[derive(Default)]
struct Matches {
    names: Vec<String>,
    clusters: BTreeMap<String, u64>,
    matches: Vec<(u64, u32, u32, f64)>,
}

impl Matches {
    fn player(&mut self, name: &str) -> u32 {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        }) as u32
    }

    fn add(&mut self, cluster: String, first: &str, second: &str, score: f64) {
        let (first, second) = (self.player(first), self.player(second));
        let next = self.clusters.len() as u64;
        let cluster = *self.clusters.entry(cluster).or_insert(next);
        self.matches.push((cluster, first, second, score));
    }

    fn results(&self) -> Collected {
        let mut results = Collected::new(self.names.len());
        for &(cluster, first, second, score) in &self.matches {
            results.add_match(cluster, first, second, score).unwrap();
        }
        results
    }

    fn index(&self, name: &str) -> u32 {
        self.names.iter().position(|known| known == name).unwrap() as u32
    }
}

fn score(mine: i32, theirs: i32) -> f64 {
    match mine.cmp(&theirs) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    }
}

/// Every match is a cluster.
fn football(text: &str) -> Matches {
    let mut matches = Matches::default();
    for (number, line) in text.lines().enumerate().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (home, away) = fields[3].split_once('-').unwrap();
        let goals = |text: &str| -> i32 {
            let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().unwrap()
        };
        let result = score(goals(home), goals(away));
        matches.add(number.to_string(), fields[2], fields[4], result);
    }
    matches
}

/// A deal is a cluster: the same event, starting position and pair of names.
fn engines(text: &str) -> Matches {
    let mut matches = Matches::default();
    for game in text.split("[Event ").skip(1) {
        let tag = |name: &str| -> &str {
            let start = game.find(&format!("[{name} \"")).unwrap() + name.len() + 3;
            &game[start..start + game[start..].find("\"]").unwrap()]
        };
        let event = &game[..game.find(']').unwrap()];
        let (white, black) = (tag("White"), tag("Black"));
        let result = match tag("Result") {
            "1-0" => 1.0,
            "0-1" => 0.0,
            "1/2-1/2" => 0.5,
            other => panic!("unfinished game {other}"),
        };
        let pair = (white.min(black), white.max(black));
        let deal = format!("{event}|{}|{}|{}", tag("FEN"), pair.0, pair.1);
        matches.add(deal, white, black, result);
    }
    matches
}

fn races() -> (Vec<String>, Collected) {
    let mut events: BTreeMap<&str, Vec<(&str, u32)>> = BTreeMap::new();
    let mut names: Vec<String> = Vec::new();
    for line in RACES.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let placement = fields[2].parse().unwrap();
        events.entry(fields[0]).or_default().push((fields[1], placement));
        if !names.iter().any(|name| name == fields[1]) {
            names.push(fields[1].to_owned());
        }
    }
    let mut results = Collected::new(names.len());
    for (cluster, event) in events.values().enumerate() {
        let index = |name: &str| names.iter().position(|known| known == name).unwrap() as u32;
        let players: Vec<u32> = event.iter().map(|row| index(row.0)).collect();
        let placements: Vec<u32> = event.iter().map(|row| row.1).collect();
        results.add_placements(cluster as u64, &players, &placements, 1.0).unwrap();
    }
    (names, results)
}

fn median_ratio(fit: &Fit, covariance: &Covariance<'_>) -> f64 {
    let mut ratios: Vec<f64> = (0..fit.ratings.len() as u32)
        .filter_map(|player| covariance.rating(player))
        .filter_map(|rating| Some(rating.se? / rating.fisher_se?))
        .collect();
    ratios.sort_by(f64::total_cmp);
    let middle = ratios.len() / 2;
    if ratios.len() % 2 == 1 { ratios[middle] } else { 0.5 * (ratios[middle - 1] + ratios[middle]) }
}

#[test]
fn football_ratings_standard_errors_and_home_advantage() {
    let matches = football(FOOTBALL);
    let results = matches.results();
    let fitted = fit(&results, &FitOptions::default()).unwrap();
    let covariance = covariance(&results, &fitted).unwrap();
    for row in reference().football.ratings {
        let found = covariance.rating(matches.index(&row.name)).unwrap();
        close(found.elo, row.elo_mean_zero, 6e-5);
        close(found.fisher_se.unwrap(), row.fisher_se.unwrap(), 6e-5);
    }
    assert!(fitted.groups.iter().all(|group| group.prior_games == 0.0));
    close(median_ratio(&fitted, &covariance), 0.87, 0.01);
    let top = covariance.rating(matches.index("Liverpool FC")).unwrap();
    close(top.se.unwrap(), 54.0, 0.5);
    assert_eq!(covariance.warnings(), []);

    let options = FitOptions { first_advantage: true, ..FitOptions::default() };
    let fitted = fit(&results, &options).unwrap();
    let Advantage::Elo(advantage) = fitted.advantage else { panic!("{:?}", fitted.advantage) };
    close(advantage, 65.26, 0.01);
}

#[test]
fn engines_deals_halve_the_standard_errors() {
    for (text, ratio, advantage) in [(ENGINES_2021, 0.48, Some(79.80)), (ENGINES_2022, 0.60, None)] {
        let mut matches = engines(text);
        // the reference leaves out the one player of 2022 that never took a point
        let out = matches.names.iter().position(|name| name == "Cheese 3.0.1");
        if let Some(out) = out.filter(|_| text == ENGINES_2022) {
            let out = out as u32;
            matches.matches.retain(|m| m.1 != out && m.2 != out);
        }
        let results = matches.results();
        let fitted = fit(&results, &FitOptions::default()).unwrap();
        let found = covariance(&results, &fitted).unwrap();
        close(median_ratio(&fitted, &found), ratio, 0.01);
        let options = FitOptions { first_advantage: true, ..FitOptions::default() };
        let fitted = fit(&results, &options).unwrap();
        let found = covariance(&results, &fitted).unwrap().advantage().unwrap();
        if let Some(advantage) = advantage {
            close(found.elo, advantage, 0.01);
        }
        assert!(found.se.unwrap() > 0.0 && found.interval.low.unwrap() > 0.0);
    }
}

#[test]
fn a_player_without_a_point_is_flagged_and_the_rest_rated() {
    let matches = engines(ENGINES_2022);
    let fitted = fit(&matches.results(), &FitOptions::default()).unwrap();
    let lost: Vec<usize> = (0..fitted.ratings.len()).filter(|&p| fitted.standings[p] == Standing::NoPoints).collect();
    assert_eq!(lost.len(), 1);
    assert!(fitted.open[lost[0]].low && !fitted.open[lost[0]].high);
    let lowest = fitted.ratings.iter().copied().fold(f64::MAX, f64::min);
    assert_eq!(fitted.ratings[lost[0]], lowest);
}

#[test]
fn race_ratings_and_warnings_about_few_events() {
    let (names, results) = races();
    let fitted = fit(&results, &FitOptions::default()).unwrap();
    let covariance = covariance(&results, &fitted).unwrap();
    for row in reference().races.ratings {
        let player = names.iter().position(|name| *name == row.name).unwrap();
        close(fitted.ratings[player], row.elo_mean_zero, 6e-5);
    }
    close(median_ratio(&fitted, &covariance), 1.98, 0.01);
    let warnings = covariance.warnings();
    assert!(warnings.contains(&Warning::FewClusters { clusters: 22 }));
    assert!(warnings.contains(&Warning::FewerClustersThanPlayers { clusters: 22 }));
    let player = names.iter().position(|name| name == "D22").unwrap() as u32;
    assert!(warnings.contains(&Warning::FewClustersOfPlayer { player, clusters: 5 }));
    let replicated = bootstrap(&results, &fitted, 1000, &mut SplitMix64::new(1)).unwrap();
    // 33 were counted elsewhere with other draws
    assert!((15..=55).contains(&replicated.degenerate), "{}", replicated.degenerate);
    assert_eq!(replicated.usable() as u32 + replicated.degenerate, 1000);
}

#[test]
fn cup_winner_depends_on_the_prior_and_is_open_above() {
    let matches = football(CUP);
    let results = matches.results();
    for (games, expected) in [(0.1, 1945.0), (0.5, 1069.0), (1.0, 753.0), (2.0, 496.0)] {
        let options = FitOptions { prior: Prior::WhenNeeded { games }, ..FitOptions::default() };
        let fitted = fit(&results, &options).unwrap();
        let winner = matches.index("Manchester City FC");
        assert_eq!(fitted.standings[winner as usize], Standing::PerfectScore);
        assert!(fitted.open[winner as usize].high);
        let covariance = covariance(&results, &fitted).unwrap();
        let rating = covariance.rating(winner).unwrap();
        assert_eq!(rating.interval.high, None);
        close(fitted.above_virtual(winner).unwrap(), expected, 1.0);
        let sum: f64 = fitted.ratings.iter().sum();
        close(sum, 0.0, 1e-6);
    }
    let never = FitOptions { prior: Prior::Never, ..FitOptions::default() };
    assert!(fit(&results, &never).is_err());
}
