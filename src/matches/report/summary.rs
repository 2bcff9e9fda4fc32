//! All results of a match as one value: what the text shows and the JSON report holds.

use serde::Serialize;

use super::super::{
    config::MatchConfig,
    run::MatchOutcome,
    schedule::pairings,
    standings::{EngineTally, Standings, Tally},
};
use crate::stats::{
    Assessment, Estimate, Pairing, RatingSettings, Ratings, StoppedEstimate, Trinomial,
};

/// The summary of a match.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Summary {
    /// `complete`, `incomplete`, `engine failure` or `interrupted`; `running` while it runs.
    pub outcome: &'static str,
    /// The reason, where there is one.
    pub reason: Option<String>,
    /// Games played.
    pub games: u64,
    /// Games of the whole match.
    pub games_planned: u64,
    /// Pairs of which one game is played.
    pub half_pairs: usize,
    /// Wins, draws and losses of White.
    pub white: Trinomial,
    /// All engines.
    pub engines: Vec<EngineSummary>,
    /// Every two engines that met, over all variants.
    pub pairings: Vec<PairingSummary>,
    /// The same for each variant; empty if there is only one.
    pub variants: Vec<PairingSummary>,
    /// The sequential test.
    pub sprt: Option<SprtSummary>,
    /// Games by the way they ended.
    pub ends: Vec<EndCount>,
    /// Games by opening.
    pub openings: Vec<OpeningCount>,
    /// Games by length in series.
    pub lengths: Vec<LengthCount>,
}

/// One engine.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct EngineSummary {
    /// Its name.
    pub name: String,
    /// Wins, draws and losses.
    pub games: Trinomial,
    /// Points per game.
    pub score: Option<f64>,
    /// Joint rating, relative to the average of the field, and half the width of its 95 %
    /// interval; missing for two engines and for fields without a finite rating.
    pub rating: Option<f64>,
    /// See `rating`.
    pub rating_error: Option<f64>,
    /// Mean time per series, milliseconds.
    pub mean_time: Option<f64>,
    /// Mean depth.
    pub mean_depth: Option<f64>,
    /// Nodes.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: Option<f64>,
    /// Mean lag of the runner's reader per series, milliseconds.
    pub mean_lag: Option<f64>,
    /// The largest lag, milliseconds.
    pub max_lag: f64,
    /// Games lost on time.
    pub time_losses: u64,
    /// Games lost by each kind of fault.
    pub faults: std::collections::BTreeMap<&'static str, u64>,
}

/// Two engines that met.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct PairingSummary {
    /// The variant, if it is about one.
    pub variant: Option<String>,
    /// The first engine, from whose view the rest is.
    pub first: String,
    /// The second engine.
    pub second: String,
    /// Wins, draws and losses.
    pub games: Trinomial,
    /// Complete pairs by points of the first engine: 0, 1/2, 1, 1 1/2, 2.
    pub pairs: [u64; 5],
    /// What that says.
    pub estimate: Option<Estimate>,
}

/// The sequential test.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SprtSummary {
    /// Difference under H0.
    pub elo0: f64,
    /// Difference under H1.
    pub elo1: f64,
    /// Error of the first kind.
    pub alpha: f64,
    /// Error of the second kind.
    pub beta: f64,
    /// Unit of the differences.
    pub model: String,
    /// Where it stands; missing before the first complete pair.
    pub assessment: Option<Assessment>,
    /// An estimate that the stopping does not bias.
    pub unbiased: Option<Unbiased>,
}

/// An estimate from a stopped test.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Unbiased {
    /// Median-unbiased Elo.
    pub elo: f64,
    /// Lower end of the 95 % interval.
    pub elo_low: f64,
    /// Upper end of the 95 % interval.
    pub elo_high: f64,
}

/// Games that ended in one way.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct EndCount {
    /// The way.
    pub end: &'static str,
    /// How many.
    pub games: u64,
}

/// Games from one opening.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct OpeningCount {
    /// The variant.
    pub variant: String,
    /// The opening's number in its book; 0 without one.
    pub opening: u64,
    /// Wins, draws and losses of White.
    pub white: Trinomial,
}

/// Games of one length.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct LengthCount {
    /// Series, the book's too.
    pub series: usize,
    /// How many.
    pub games: u64,
}

impl Summary {
    /// The summary of a match; without an outcome it is still running.
    pub fn new(
        config: &MatchConfig,
        standings: &Standings,
        planned: u64,
        outcome: Option<&MatchOutcome>,
    ) -> Summary {
        let (outcome, reason) = match outcome {
            None => ("running", None),
            Some(MatchOutcome::Complete) => ("complete", None),
            Some(MatchOutcome::Incomplete(reason)) => ("incomplete", Some(reason.clone())),
            Some(MatchOutcome::EngineFailure(reason)) => ("engine failure", Some(reason.clone())),
            Some(MatchOutcome::Interrupted) => ("interrupted", None),
        };
        let names: Vec<&str> = config
            .engines
            .iter()
            .map(|engine| engine.name.as_str())
            .collect();
        let variants = if config.variants.len() > 1 {
            standings
                .results
                .iter()
                .map(|(&(variant, first, second), tally)| {
                    let variant = config.variants[variant].name();
                    pairing(Some(variant), names[first], names[second], tally)
                })
                .collect()
        } else {
            Vec::new()
        };
        let ratings = ratings(config, standings);
        Summary {
            outcome,
            reason,
            games: standings.games(),
            games_planned: planned,
            half_pairs: standings.half_pairs(),
            white: standings.white,
            engines: standings
                .engines
                .iter()
                .enumerate()
                .map(|(index, tally)| engine(names[index], tally, ratings.as_ref(), index))
                .collect(),
            pairings: met(config, standings)
                .into_iter()
                .map(|(first, second, tally)| pairing(None, names[first], names[second], &tally))
                .collect(),
            variants,
            sprt: sprt(standings),
            ends: standings
                .ends
                .iter()
                .map(|(&end, &games)| EndCount { end, games })
                .collect(),
            openings: standings
                .openings
                .iter()
                .map(|(&(variant, opening), &white)| OpeningCount {
                    variant: config.variants[variant].name(),
                    opening,
                    white,
                })
                .collect(),
            lengths: standings
                .lengths
                .iter()
                .map(|(&series, &games)| LengthCount { series, games })
                .collect(),
        }
    }
}

/// The engines that met, with their results over all variants.
fn met(config: &MatchConfig, standings: &Standings) -> Vec<(usize, usize, Tally)> {
    pairings(config.format, config.engines.len())
        .into_iter()
        .map(|(first, second)| (first, second, standings.between(first, second)))
        .filter(|(_, _, tally)| tally.games.games() > 0)
        .collect()
}

fn pairing(variant: Option<String>, first: &str, second: &str, tally: &Tally) -> PairingSummary {
    PairingSummary {
        variant,
        first: first.to_owned(),
        second: second.to_owned(),
        games: tally.games,
        pairs: tally.pairs.0,
        estimate: tally.estimate(),
    }
}

/// Joint ratings of three engines or more. One virtual draw for each pairing gives a rating to
/// those who won or lost everything.
fn ratings(config: &MatchConfig, standings: &Standings) -> Option<Ratings> {
    if config.engines.len() < 3 {
        return None;
    }
    let pairings: Vec<Pairing> = met(config, standings)
        .into_iter()
        .map(|(first, second, tally)| Pairing {
            first,
            second,
            counts: tally.counts(),
        })
        .collect();
    let settings = RatingSettings {
        virtual_draws: 1.0,
        ..RatingSettings::default()
    };
    Ratings::fit(config.engines.len(), &pairings, &settings).ok()
}

fn engine(
    name: &str,
    tally: &EngineTally,
    ratings: Option<&Ratings>,
    index: usize,
) -> EngineSummary {
    let rating = ratings.and_then(|ratings| ratings.players().get(index));
    let games = tally.games.games();
    let points = tally.games.wins as f64 + tally.games.draws as f64 / 2.0;
    EngineSummary {
        name: name.to_owned(),
        games: tally.games,
        score: (games > 0).then(|| points / games as f64),
        rating: rating.map(|rating| rating.elo),
        rating_error: rating.map(|rating| rating.error),
        mean_time: tally.mean_time(),
        mean_depth: tally.mean_depth(),
        nodes: tally.nodes,
        nps: tally.nps(),
        mean_lag: tally.mean_lag(),
        max_lag: tally.lag_max,
        time_losses: tally.time_losses(),
        faults: tally.faults.clone(),
    }
}

fn sprt(standings: &Standings) -> Option<SprtSummary> {
    let test = standings.sprt()?;
    let total = standings.total();
    let unbiased = (total.pairs.pairs() > 0)
        .then(|| StoppedEstimate::new(test, total.pairs).ok())
        .flatten();
    Some(SprtSummary {
        elo0: test.elo0(),
        elo1: test.elo1(),
        alpha: test.alpha(),
        beta: test.beta(),
        model: test.model().to_string(),
        assessment: standings.assessment(),
        unbiased: unbiased.map(|estimate| Unbiased {
            elo: estimate.elo,
            elo_low: estimate.elo_low,
            elo_high: estimate.elo_high,
        }),
    })
}
