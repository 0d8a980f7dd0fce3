//! The options of ratings that several commands share.

use clap::{Args, ValueEnum};

use super::error::Failure;
use crate::league::rating_options::{PriorFor, RatingOptions};
use crate::rating::rated::Intervals;
use crate::words::shell_word;

#[derive(Clone, Copy, ValueEnum)]
enum IntervalsArg {
    /// The cluster-robust covariance, with the deal as its unit
    Sandwich,
    /// Resampled deals
    Bootstrap,
}

#[derive(Clone, Copy, ValueEnum)]
enum PriorForArg {
    /// Where the results alone bound not every rating
    Needed,
    /// Everybody
    All,
}

/// How results are rated. What is not given is as the league file says.
#[derive(Args, Default)]
#[command(next_help_heading = "Ratings")]
pub(super) struct RatingArgs {
    /// Where intervals come from [default: sandwich]
    #[arg(long, value_enum, value_name = "METHOD")]
    intervals: Option<IntervalsArg>,
    /// Replicates of a bootstrap [default: 1000]
    #[arg(long, value_name = "N")]
    replicates: Option<u32>,
    /// Virtual matches of each player, half won, against an opponent at the mean; 0 for none [default: 0.5]
    #[arg(long, value_name = "MATCHES")]
    prior: Option<f64>,
    /// Who gets virtual matches [default: needed]
    #[arg(long, value_enum, value_name = "WHO")]
    prior_for: Option<PriorForArg>,
    /// The player whose rating is fixed at the mean [default: none, the mean of all is]
    #[arg(long, value_name = "NAME")]
    anchor: Option<String>,
    /// The mean, or the anchor's rating [default: 1500]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    mean: Option<f64>,
}

impl RatingArgs {
    /// Puts what is given in the place of what was, and checks it among the names of the players.
    pub(super) fn apply<'n>(
        &self,
        options: &mut RatingOptions,
        names: impl Iterator<Item = &'n str> + Clone,
    ) -> Result<(), Failure> {
        let set = RatingOptions {
            anchor: self.anchor.clone().or(options.anchor.take()),
            mean: self.mean.or(options.mean),
            prior: self.prior.or(options.prior),
            prior_for: self.prior_for.map(PriorForArg::meaning).or(options.prior_for),
            intervals: self.intervals.map(IntervalsArg::meaning).or(options.intervals),
            replicates: self.replicates.or(options.replicates),
        };
        *options = set;
        options.check(names).map_err(|(key, message)| Failure::Refused(format!("--{key}: {message}")))
    }
}

impl RatingArgs {
    /// The options that were given, as they stand in a command line.
    pub(super) fn command(&self) -> String {
        let mut command = String::new();
        let mut add = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                command += &format!(" --{name} {value}");
            }
        };
        let word = |value: Option<clap::builder::PossibleValue>| value.map(|value| value.get_name().to_owned());
        add("intervals", word(self.intervals.and_then(|value| value.to_possible_value())));
        add("replicates", self.replicates.map(|value| value.to_string()));
        add("prior", self.prior.map(|value| value.to_string()));
        add("prior-for", word(self.prior_for.and_then(|value| value.to_possible_value())));
        add("anchor", self.anchor.as_deref().map(shell_word));
        add("mean", self.mean.map(|value| value.to_string()));
        command
    }
}

impl IntervalsArg {
    fn meaning(self) -> Intervals {
        match self {
            IntervalsArg::Sandwich => Intervals::Sandwich,
            IntervalsArg::Bootstrap => Intervals::Bootstrap,
        }
    }
}

impl PriorForArg {
    fn meaning(self) -> PriorFor {
        match self {
            PriorForArg::Needed => PriorFor::Needed,
            PriorForArg::All => PriorFor::All,
        }
    }
}
