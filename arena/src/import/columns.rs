//! Which column of a CSV file means what.

use std::collections::BTreeMap;

use crate::ids::escaped;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The first side: home, white.
    First,
    /// The second side.
    Second,
    /// The result as `2-1`, or win, draw, loss of the first side.
    Result,
    /// The first side's score.
    FirstScore,
    /// The second side's score.
    SecondScore,
    /// The event that a placement is of.
    Event,
    /// Who was placed.
    Participant,
    /// The placement, 1 for the best.
    Placement,
    /// What matches have in common that are not independent of each other.
    Cluster,
}

impl Role {
    /// All roles, by name, with the headers by which a column is found: in lower case, letters and digits only.
    const ALL: [(Role, &'static str, &'static [&'static str]); 9] = [
        (Role::First, "first", &["first", "white", "home", "hometeam", "team1", "player1", "bot1", "side1"]),
        (Role::Second, "second", &["second", "black", "away", "awayteam", "team2", "player2", "bot2", "side2"]),
        (Role::Result, "result", &["result", "score", "ft", "fulltime"]),
        (
            Role::FirstScore,
            "first-score",
            &["firstscore", "score1", "homescore", "homegoals", "fthg", "whitescore", "points1"],
        ),
        (
            Role::SecondScore,
            "second-score",
            &["secondscore", "score2", "awayscore", "awaygoals", "ftag", "blackscore", "points2"],
        ),
        (Role::Event, "event", &["event", "race", "contest"]),
        (Role::Participant, "participant", &["participant", "player", "bot", "driver", "competitor"]),
        (Role::Placement, "placement", &["placement", "place", "position", "rank", "pos"]),
        (Role::Cluster, "cluster", &["cluster", "deal"]),
    ];

    /// The role's name on the command line.
    pub fn name(self) -> &'static str {
        Role::ALL.iter().find(|(role, ..)| *role == self).map_or("", |(_, name, _)| name)
    }
}

/// Columns that were given by their headers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns {
    given: BTreeMap<Role, String>,
}

impl Columns {
    /// Reads `role=header,role=header,…`.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn parse(text: &str) -> Result<Columns, String> {
        let mut given = BTreeMap::new();
        for part in text.split(',') {
            let names = || Role::ALL.map(|(_, name, _)| name).join(", ");
            let (name, header) =
                part.split_once('=').ok_or_else(|| format!("\"{}\": role=header is wanted", escaped(part, 60)))?;
            let role = Role::ALL.iter().find(|(_, known, _)| *known == name.trim()).map(|(role, ..)| *role);
            let role =
                role.ok_or_else(|| format!("there is no role \"{}\"; there are {}", escaped(name, 60), names()))?;
            if given.insert(role, header.trim().to_owned()).is_some() {
                return Err(format!("{} is given twice", role.name()));
            }
        }
        Ok(Columns { given })
    }

    /// The column of each role in a file with this header: given ones first, then by name.
    pub(super) fn find(&self, header: &[&str]) -> Result<BTreeMap<Role, usize>, String> {
        let plain = |text: &str| -> String {
            text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
        };
        let listed = || header.iter().map(|name| escaped(name, 40)).collect::<Vec<_>>().join(", ");
        let mut found = BTreeMap::new();
        for (role, wanted) in &self.given {
            let at = header
                .iter()
                .position(|name| name.trim() == wanted)
                .ok_or_else(|| format!("there is no column \"{}\"; there are {}", escaped(wanted, 60), listed()))?;
            found.insert(*role, at);
        }
        for (role, name, headers) in Role::ALL {
            if found.contains_key(&role) {
                continue;
            }
            let candidates: Vec<usize> =
                (0..header.len()).filter(|&at| headers.contains(&plain(header[at]).as_str())).collect();
            match candidates[..] {
                [] => {}
                [at] => {
                    found.insert(role, at);
                }
                _ => {
                    let names: Vec<_> = candidates.iter().map(|&at| escaped(header[at], 40)).collect();
                    let names = names.join(", ");
                    return Err(format!(
                        "more than one column may be {name}: {names}; say which with --columns {name}=…"
                    ));
                }
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name_or_given() {
        let found = Columns::default().find(&["Round", "Date", "Team 1", "FT", "Team 2"]).unwrap();
        assert_eq!(found, BTreeMap::from([(Role::First, 2), (Role::Second, 4), (Role::Result, 3)]));
        let given = Columns::parse("first=X,second=Y,result=Z").unwrap();
        let found = given.find(&["Z", "Y", "X"]).unwrap();
        assert_eq!(found, BTreeMap::from([(Role::First, 2), (Role::Second, 1), (Role::Result, 0)]));
    }

    #[test]
    fn what_is_not_clear_is_refused() {
        assert!(Columns::default().find(&["home", "white"]).unwrap_err().contains("more than one column may be first"));
        assert!(Columns::parse("one=a").unwrap_err().contains("there is no role \"one\"; there are first, second"));
        assert!(Columns::parse("first").is_err() && Columns::parse("first=a,first=b").is_err());
        let given = Columns::parse("first=Nobody").unwrap();
        assert_eq!(given.find(&["a", "b"]).unwrap_err(), "there is no column \"Nobody\"; there are a, b");
    }
}
