//! What a match result is worth: Elo with its error, likelihood of superiority, sequential tests
//! and joint ratings.
//!
//! Pure arithmetic on counts. It never reads a file, a clock or a random number, and it never lets
//! a NaN or an infinity out: every answer is finite, or it is a [`StatsError`] that names the
//! offending value. The match runner calls it after every finished game pair.
//!
//! Four things cover ordinary use:
//!
//! - [`Trinomial`] and [`Pentanomial`] hold results of single games and of game pairs;
//! - [`Estimate::new`] turns either into Elo, normalized Elo, LOS and ratios;
//! - [`Sprt::assess`] gives the log-likelihood ratio and the decision, and
//!   [`StoppedEstimate::new`] an estimate that the stopping rule doesn't bias;
//! - [`Ratings::fit`] rates many engines from one cross table.

mod counts;
mod elo;
mod error;
mod estimate;
mod likelihood;
mod ratings;
mod roots;
mod sprt;
mod stopped;

pub use counts::{Counts, GameScore, Pentanomial, Trinomial};
pub use elo::{
    NELO_PER_T_VALUE, bayes_elo_probabilities, draw_elo, elo_from_score, expected_score,
};
pub use error::StatsError;
pub use estimate::Estimate;
pub use ratings::{Anchor, Pairing, Rating, RatingSettings, Ratings};
pub use sprt::{Assessment, Decision, Model, Sprt};
pub use stopped::StoppedEstimate;
