//! What an account of a match tells.

use std::fmt;

use bot_sdk::passing_cards::{HAND, SEATS};
use serde::{Deserialize, Serialize};

use crate::games::words::spaced;
use crate::ids::Seat;

/// How the elimination candidate was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The only name missing from the true claims.
    OnlyMissing,
    /// The winners' votes.
    Votes,
    /// Drawn among the most voted.
    DrawnAmongVoted,
    /// Drawn among all candidates, since no vote arrived.
    DrawnWithoutVotes,
    /// No winners, and the fewest trades.
    FewestTrades,
    /// No winners; drawn among those with the fewest trades.
    DrawnAmongFewestTrades,
}

/// What happens in a match. Cards are told by the seat whose name they bear.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it; arena/docs/passing-cards.md lists them")]
pub enum Event {
    /// A round begins: its cycle, and the hands that claims of this round are checked on.
    RoundBegins { round: u8, needed: u8, cycle: [Seat; SEATS], hands: [[Seat; HAND]; SEATS], garnets: [u8; SEATS] },
    /// A garnet was spent on a peek, which shows whom the seat may challenge in the round after the next.
    Peeked { seat: Seat, options: Option<[Seat; 2]> },
    /// A claim, and how many names the three hands hold.
    Claimed { seat: Seat, others: [Seat; 2], names: u8, right: bool },
    /// A trade that `seat` forced in the round before; `defaults` tells which of the two gifts the host drew.
    Traded { seat: Seat, partner: Seat, given: Seat, got: Seat, defaults: [bool; 2] },
    /// A challenge: the two will trade at the end of the next round.
    Challenged { seat: Seat, option: Seat },
    /// True claims ended the match.
    Won { winners: Vec<Seat>, candidates: Vec<Seat> },
    /// A winner's vote.
    Voted { seat: Seat, candidate: Seat },
    /// All rounds are over without a true claim.
    NobodyWon { trades: [u8; SEATS] },
    /// The elimination candidate.
    Eliminated { seat: Seat, reason: Reason, lost_token: bool },
}

/// `seat 1, seat 2 and seat 3`
fn list(f: &mut fmt::Formatter<'_>, seats: &[Seat]) -> fmt::Result {
    for (i, seat) in seats.iter().enumerate() {
        let before = match i {
            0 => "",
            _ if i + 1 == seats.len() => " and ",
            _ => ", ",
        };
        write!(f, "{before}seat {seat}")?;
    }
    Ok(())
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::RoundBegins { round, needed, cycle, hands, garnets } => {
                write!(f, "\nRound {round}: a claim needs {needed} names")?;
                for (seat, (cards, garnets)) in hands.iter().zip(garnets).enumerate() {
                    // Each can challenge the two ahead of it in the circle.
                    let at = cycle.iter().position(|&other| other.index() == seat).unwrap_or(0);
                    let [a, b] = [1, 2].map(|ahead| cycle[(at + ahead) % SEATS]);
                    let s = if *garnets == 1 { "" } else { "s" };
                    write!(f, "\n  {seat} seat {seat}\tholds {}, may challenge {a} {b}, ", spaced(cards))?;
                    write!(f, "has {garnets} garnet{s}")?;
                }
                Ok(())
            }
            Event::Peeked { seat, options: None } => write!(f, "  seat {seat} peeks"),
            Event::Peeked { seat, options: Some([a, b]) } => {
                write!(f, "  seat {seat} peeks: after the next round it may challenge seat {a} and seat {b}")
            }
            Event::Claimed { seat, others: [a, b], names, right } => {
                let verdict = if *right { "true" } else { "false" };
                write!(f, "  seat {seat} claims with seat {a} and seat {b}: {verdict}, {names} names")
            }
            Event::Traded { seat, partner, given, got, defaults } => {
                write!(f, "  seat {seat} gives seat {partner} a card {given} for a card {got}")?;
                match defaults {
                    [false, false] => Ok(()),
                    [true, false] => write!(f, " (the first drawn by the host)"),
                    [false, true] => write!(f, " (the second drawn by the host)"),
                    [true, true] => write!(f, " (both drawn by the host)"),
                }
            }
            Event::Challenged { seat, option } => write!(f, "  seat {seat} challenges seat {option}"),
            Event::Won { winners, candidates } => {
                write!(f, "\nTrue claims by ")?;
                list(f, winners)?;
                write!(f, "; candidates: ")?;
                list(f, candidates)
            }
            Event::Voted { seat, candidate } => write!(f, "  seat {seat} votes for seat {candidate}"),
            Event::NobodyWon { trades } => {
                write!(f, "\nNobody made a true claim. Trades:")?;
                for (seat, count) in trades.iter().enumerate() {
                    write!(f, "{} seat {seat} {count}", if seat == 0 { "" } else { "," })?;
                }
                Ok(())
            }
            Event::Eliminated { seat, reason, lost_token } => {
                write!(f, "  The elimination candidate is seat {seat}, ")?;
                f.write_str(match reason {
                    Reason::OnlyMissing => "the only name missing",
                    Reason::Votes => "by the votes",
                    Reason::DrawnAmongVoted => "drawn among the most voted",
                    Reason::DrawnWithoutVotes => "drawn, since nobody voted",
                    Reason::FewestTrades => "with the fewest trades",
                    Reason::DrawnAmongFewestTrades => "drawn among those with the fewest trades",
                })?;
                if *lost_token { write!(f, "; its token is lost") } else { Ok(()) }
            }
        }
    }
}
