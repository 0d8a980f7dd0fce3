//! `run.json`: what was played, by what, and how it went.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::escaped;
use crate::league::Results;
use crate::league::identity::Identity;

/// All but `sitting` is the same whenever and wherever the league is played.
#[derive(Serialize)]
pub struct RunRecord<'a> {
    league: String,
    #[serde(flatten)]
    identity: &'a Identity,
    matches: u64,
    planned: u64,
    complete: bool,
    /// A hash over every decision of every match.
    digest: String,
    sitting: Sitting,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sitting {
    matches: u64,
    threads: usize,
    seconds: f64,
    /// What the sitting was expected to take, after blocks from all over the league; absent for a short one.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated_seconds: Option<f64>,
    matches_per_second: f64,
    platform: String,
}

impl<'a> RunRecord<'a> {
    /// The record of a run that has just played so many matches.
    pub fn new(
        league: &Path,
        results: &'a Results,
        played: u64,
        threads: usize,
        duration: Duration,
        estimate: Option<Duration>,
    ) -> RunRecord<'a> {
        let seconds = duration.as_secs_f64();
        let league = league.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let sitting = Sitting {
            matches: played,
            threads,
            seconds,
            estimated_seconds: estimate.map(|estimate| estimate.as_secs_f64()),
            matches_per_second: played as f64 / seconds.max(1e-9),
            platform: format!("{} {}", std::env::consts::ARCH, std::env::consts::OS),
        };
        RunRecord::of(results, league, sitting)
    }

    fn of(results: &'a Results, league: String, sitting: Sitting) -> RunRecord<'a> {
        RunRecord {
            league,
            identity: &results.identity,
            matches: results.matches,
            planned: results.planned,
            complete: results.matches == results.planned,
            digest: format!("{:016x}", results.digest),
            sitting,
        }
    }

    /// The file's bytes.
    pub fn json(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec_pretty(self).expect("a record is plain data");
        json.push(b'\n');
        json
    }
}

/// In what a `run.json` is not that of these results, a sentence each. The league file's name and the figures of the last
/// sitting follow from no journal: only their form is checked.
pub fn problems(file: &[u8], results: &Results) -> Vec<String> {
    let found: Value = match serde_json::from_slice(file) {
        Ok(found) => found,
        Err(error) => return vec![format!("it is not whole JSON: {}", escaped(&error.to_string(), 100))],
    };
    let Some(fields) = found.as_object() else { return vec!["it is not a JSON object".into()] };
    let mut problems = Vec::new();
    let league = fields.get("league").and_then(Value::as_str).unwrap_or_else(|| {
        problems.push("`league` is not the name of a league file".into());
        ""
    });
    let sitting = fields.get("sitting").cloned().unwrap_or_default();
    let sitting = Sitting::deserialize(sitting).unwrap_or_else(|error| {
        problems.push(format!("`sitting` is not what a run writes: {}", escaped(&error.to_string(), 100)));
        Sitting {
            matches: 0,
            threads: 0,
            seconds: 0.0,
            estimated_seconds: None,
            matches_per_second: 0.0,
            platform: String::new(),
        }
    });
    let record = RunRecord::of(results, league.to_owned(), sitting);
    let expected = serde_json::to_value(&record).expect("a record is plain data");
    let expected = expected.as_object().into_iter().flatten();
    let follows = |key: &str| !matches!(key, "league" | "sitting");
    for (key, expected) in expected.clone().filter(|(key, _)| follows(key)) {
        match fields.get(key) {
            Some(found) if found == expected => {}
            Some(found) => {
                problems.push(format!("`{key}` is {}, and the journal gives {}", brief(found), brief(expected)))
            }
            None => problems.push(format!("`{key}` is missing")),
        }
    }
    let known: Vec<&String> = expected.map(|(key, _)| key).collect();
    for key in fields.keys().filter(|key| !known.contains(key)) {
        problems.push(format!("`{}` is not a key of it", escaped(key, 60)));
    }
    if problems.is_empty() && file != record.json() {
        problems.push("its values are right, but it is not the text that a run writes".into());
    }
    problems
}

/// A value as a message shows it.
fn brief(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("a list of {}", items.len()),
        other => escaped(&other.to_string(), 60),
    }
}
