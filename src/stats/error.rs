//! Everything that the statistics refuse, with the value that made them refuse.

use thiserror::Error;

/// Why there is no number to give.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StatsError {
    /// All counts are zero.
    #[error("no games: every count is zero")]
    NoGames,
    /// A count beyond which neighbouring counts are no longer told apart.
    #[error("count {value} is too large: the limit is {limit}")]
    CountTooLarge {
        /// The count given.
        value: u64,
        /// The largest count accepted.
        limit: u64,
    },
    /// A score has no Elo difference unless it lies strictly between 0 and 1.
    #[error("score {0} has no Elo difference: it must lie strictly between 0 and 1")]
    ScoreOutOfRange(f64),
    /// An Elo value that isn't finite, or too far out to be told from a certain result.
    #[error("Elo value {value} is out of range: it must lie within -{limit}..{limit}")]
    EloOutOfRange {
        /// The value given.
        value: f64,
        /// The largest magnitude accepted.
        limit: f64,
    },
    /// The hypotheses of a test are equal or the wrong way round.
    #[error("elo0 must be less than elo1, but elo0 is {elo0} and elo1 is {elo1}")]
    HypothesesNotOrdered {
        /// Elo under H0.
        elo0: f64,
        /// Elo under H1.
        elo1: f64,
    },
    /// An error probability that is none.
    #[error("{name} must lie strictly between 0 and 1, but is {value}")]
    ErrorRateOutOfRange {
        /// `alpha` or `beta`.
        name: &'static str,
        /// The value given.
        value: f64,
    },
    /// Error probabilities so large that the bounds of the test would cross.
    #[error("alpha + beta must be less than 1, but alpha is {alpha} and beta is {beta}")]
    ErrorRatesCross {
        /// Probability of accepting H1 when H0 holds.
        alpha: f64,
        /// Probability of accepting H0 when H1 holds.
        beta: f64,
    },
    /// The Bayesian model knows wins, draws and losses of single games only.
    #[error("the Bayesian model needs wins, draws and losses; it can't use pair results {0:?}")]
    BayesianNeedsTrinomial([u64; 5]),
    /// A name that is no Elo model.
    #[error("'{0}' is no Elo model: expected normalized, logistic or bayesian")]
    UnknownModel(String),
    /// A numerical search ended without an answer that meets its own check.
    #[error("the search for {what} ended without an answer after {iterations} steps")]
    NoConvergence {
        /// What was searched for.
        what: &'static str,
        /// Steps taken.
        iterations: usize,
    },
    /// A player number that names nobody.
    #[error("player {player} doesn't exist: there are {players} players, numbered from 0")]
    UnknownPlayer {
        /// The number given.
        player: usize,
        /// How many players there are.
        players: usize,
    },
    /// A pairing of a player with itself.
    #[error("player {0} is paired with itself")]
    SelfPairing(usize),
    /// Virtual draws must be a finite number, not negative.
    #[error("virtual draws must be a finite number from 0 up, but are {0}")]
    VirtualDrawsOutOfRange(f64),
    /// Some players took no point from the rest (or never met them), so that no finite rating
    /// difference fits best.
    #[error(
        "ratings have no finite answer: players {0:?} took no point from any of the others (virtual draws help if they met)"
    )]
    NotConnected(Vec<usize>),
}
