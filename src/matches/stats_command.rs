//! `seriatim-match stats`: match statistics from counts, without a match.
//!
//! It reads its arguments and writes one table or one JSON object; all arithmetic is in
//! [`stats`](crate::stats).

use std::fmt::{self, Display};
use std::io::Write;
use std::num::IntErrorKind;

use anyhow::Result;
use clap::{ArgGroup, Args};
use serde::Serialize;

use super::UsageError;
use crate::stats::{
    Assessment, Counts, Decision, Estimate, Model, Pentanomial, Sprt, StatsError, StoppedEstimate,
    Trinomial,
};

const EXAMPLES: &str = "\
Examples:
  seriatim-match stats --wdl 880,1863,759
      Elo, its error and likelihood of superiority, from single games
  seriatim-match stats --ptnml 127,4883,10712,5150,104 --elo0 -1.75 --elo1 0.25
      the same from game pairs, and where a sequential test with these bounds stands
  seriatim-match stats --wdl 880,1863,759 --model logistic --elo0 0 --elo1 5 --json
      one line for a script; a value that doesn't exist is null

Exit code: 0, or 2 if the arguments make no sense.";

/// Evaluate match results given as counts: Elo, nElo, LOS and SPRT.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("results").required(true).args(["wdl", "ptnml"]))]
pub struct StatsArgs {
    /// Games won, drawn and lost by the first engine.
    #[arg(long, value_name = "W,D,L", value_parser = parse_trinomial, allow_hyphen_values = true)]
    wdl: Option<Trinomial>,

    /// Game pairs by points of the first engine: 0, 1/2, 1, 1 1/2, 2 (better than --wdl if games
    /// were played in pairs).
    #[arg(long, value_name = "LL,LD,DD,WD,WW", value_parser = parse_pentanomial, allow_hyphen_values = true)]
    ptnml: Option<Pentanomial>,

    /// Difference under hypothesis H0, in the unit of --model.
    #[arg(
        long,
        value_name = "ELO",
        requires = "elo1",
        allow_negative_numbers = true
    )]
    elo0: Option<f64>,

    /// Difference under hypothesis H1; greater than --elo0.
    #[arg(
        long,
        value_name = "ELO",
        requires = "elo0",
        allow_negative_numbers = true
    )]
    elo1: Option<f64>,

    /// Probability of accepting H1 when H0 holds.
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.05,
        allow_negative_numbers = true
    )]
    alpha: f64,

    /// Probability of accepting H0 when H1 holds.
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.05,
        allow_negative_numbers = true
    )]
    beta: f64,

    /// Unit of --elo0 and --elo1: normalized, logistic, or (only with --wdl) bayesian.
    #[arg(long, value_name = "MODEL", default_value_t = Model::Normalized)]
    model: Model,

    /// Write one JSON object instead of the table.
    #[arg(long)]
    json: bool,
}

/// Evaluates the counts and writes the answer to `out`.
///
/// # Errors
/// [`UsageError`] if the arguments make no sense; else what writing to `out` or the arithmetic
/// reports.
pub fn run(args: &StatsArgs, out: &mut dyn Write) -> Result<()> {
    let report = Report::new(args).map_err(|error| match error {
        StatsError::NoConvergence { .. } => error.into(),
        error => anyhow::Error::from(UsageError(error.into())),
    })?;
    if args.json {
        serde_json::to_writer(&mut *out, &report.to_json())?;
        writeln!(out)?;
    } else {
        write!(out, "{report}")?;
    }
    Ok(())
}

fn parse_trinomial(text: &str) -> Result<Trinomial, String> {
    let [wins, draws, losses] = parse_counts(text)?;
    Ok(Trinomial {
        wins,
        draws,
        losses,
    })
}

fn parse_pentanomial(text: &str) -> Result<Pentanomial, String> {
    Ok(Pentanomial(parse_counts(text)?))
}

fn parse_counts<const N: usize>(text: &str) -> Result<[u64; N], String> {
    let counts = text
        .split(',')
        .map(|item| parse_count(item.trim()))
        .collect::<Result<Vec<u64>, String>>()?;
    <[u64; N]>::try_from(counts)
        .map_err(|counts| format!("expected {N} counts, but found {}", counts.len()))
}

fn parse_count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|error: std::num::ParseIntError| {
        if *error.kind() == IntErrorKind::PosOverflow {
            format!("count {text} is too large")
        } else {
            format!("'{text}' is no count: counts are whole numbers from 0 up")
        }
    })
}

/// A test and where it stands.
struct TestReport {
    test: Sprt,
    assessment: Assessment,
    /// Missing for results that say nothing, such as draws only.
    stopped: Option<StoppedEstimate>,
}

/// All there is to say about the counts.
struct Report {
    estimate: Estimate,
    test: Option<TestReport>,
}

impl Report {
    fn new(args: &StatsArgs) -> Result<Self, StatsError> {
        let counts = match (args.wdl, args.ptnml) {
            (Some(games), _) => Counts::from(games),
            (None, Some(pairs)) => Counts::from(pairs),
            // The argument group asks for one of them.
            (None, None) => return Err(StatsError::NoGames),
        };
        Sprt::bounds_for(args.alpha, args.beta)?;
        let test = match (args.elo0, args.elo1) {
            (Some(elo0), Some(elo1)) => {
                let test = Sprt::new(args.model, elo0, elo1, args.alpha, args.beta)?;
                Some(TestReport {
                    test,
                    assessment: test.assess(counts)?,
                    stopped: StoppedEstimate::new(&test, counts).ok(),
                })
            }
            _ => None,
        };
        Ok(Self {
            estimate: Estimate::new(counts)?,
            test,
        })
    }

    fn to_json(&self) -> JsonReport {
        let Estimate {
            games,
            pairs,
            score,
            elo,
            error,
            nelo,
            nelo_error,
            los,
            draw_ratio,
            pair_ratio,
            ..
        } = self.estimate;
        let test = self.test.as_ref();
        let assessment = test.map(|test| test.assessment);
        let stopped = test.and_then(|test| test.stopped);
        JsonReport {
            games,
            pairs,
            score,
            elo,
            error,
            nelo,
            nelo_error,
            los,
            draw_ratio,
            pair_ratio,
            test: test.map(|test| test.test),
            llr: assessment.map(|assessment| assessment.llr),
            lower: assessment.map(|assessment| assessment.lower),
            upper: assessment.map(|assessment| assessment.upper),
            decision: assessment.map(|assessment| assessment.decision),
            sprt_elo: stopped.map(|stopped| stopped.elo),
            sprt_elo_low: stopped.map(|stopped| stopped.elo_low),
            sprt_elo_high: stopped.map(|stopped| stopped.elo_high),
            sprt_los: stopped.map(|stopped| stopped.los),
        }
    }
}

/// The fields of the JSON object; what doesn't exist is null.
#[derive(Serialize)]
struct JsonReport {
    games: u64,
    pairs: Option<u64>,
    score: f64,
    elo: f64,
    error: f64,
    nelo: Option<f64>,
    nelo_error: Option<f64>,
    los: f64,
    draw_ratio: f64,
    pair_ratio: Option<f64>,
    test: Option<Sprt>,
    llr: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    decision: Option<Decision>,
    sprt_elo: Option<f64>,
    sprt_elo_low: Option<f64>,
    sprt_elo_high: Option<f64>,
    sprt_los: Option<f64>,
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let estimate = &self.estimate;
        let mut line = |label: &str, text: String| writeln!(formatter, "{label:<12} {text}");
        line("games", estimate.games.to_string())?;
        if let Some(pairs) = estimate.pairs {
            line("pairs", pairs.to_string())?;
        }
        line("score", percent(estimate.score))?;
        line("Elo", with_error(estimate.elo, estimate.error))?;
        line(
            "nElo",
            match (estimate.nelo, estimate.nelo_error) {
                (Some(nelo), Some(error)) => with_error(nelo, error),
                _ => "none: all results are alike".to_owned(),
            },
        )?;
        line("LOS", percent(estimate.los))?;
        line("draw ratio", percent(estimate.draw_ratio))?;
        if estimate.pairs.is_some() {
            let ratio = estimate.pair_ratio.map(|ratio| format!("{ratio:.3}"));
            line(
                "pair ratio",
                ratio.unwrap_or_else(|| "none: no pair was lost".to_owned()),
            )?;
        }
        let Some(TestReport {
            test,
            assessment,
            stopped,
        }) = &self.test
        else {
            return Ok(());
        };
        line(
            "SPRT",
            format!(
                "{} Elo [{}, {}], alpha {}, beta {}",
                test.model(),
                test.elo0(),
                test.elo1(),
                test.alpha(),
                test.beta()
            ),
        )?;
        line(
            "LLR",
            format!(
                "{} in ({:.2}, {:.2})",
                two_decimals(assessment.llr),
                assessment.lower,
                assessment.upper
            ),
        )?;
        line(
            "decision",
            match assessment.decision {
                Decision::Continue => "continue".to_owned(),
                Decision::H0 => format!("H0 accepted: Elo {} or less", test.elo0()),
                Decision::H1 => format!("H1 accepted: Elo {} or more", test.elo1()),
            },
        )?;
        if let Some(stopped) = stopped {
            line(
                "unbiased Elo",
                format!(
                    "{} [{}, {}] (logistic; allows for the stopping rule)",
                    two_decimals(stopped.elo),
                    two_decimals(stopped.elo_low),
                    two_decimals(stopped.elo_high)
                ),
            )?;
        }
        Ok(())
    }
}

fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

fn with_error(value: f64, error: f64) -> String {
    format!("{} +/- {error:.2} (95 %)", two_decimals(value))
}

/// Two decimals, but never "-0.00".
fn two_decimals(value: f64) -> String {
    let text = format!("{value:.2}");
    match text.as_str() {
        "-0.00" => "0.00".to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_strictly() {
        assert_eq!(parse_counts("1,2,3"), Ok([1, 2, 3]));
        assert_eq!(parse_counts(" 1, 2 ,3 "), Ok([1, 2, 3]));
        for (text, complaint) in [
            ("1,2", "expected 3 counts, but found 2"),
            ("1,2,3,4", "expected 3 counts, but found 4"),
            ("", "'' is no count"),
            ("1,,3", "'' is no count"),
            ("1,-2,3", "'-2' is no count"),
            ("1,2.5,3", "'2.5' is no count"),
            ("1,2,99999999999999999999", "is too large"),
        ] {
            let error = parse_counts::<3>(text).unwrap_err();
            assert!(error.contains(complaint), "{text}: {error}");
        }
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(two_decimals(-0.001), "0.00");
        assert_eq!(two_decimals(-0.01), "-0.01");
    }
}
