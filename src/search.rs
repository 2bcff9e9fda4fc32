//! Looking for the best series.
//!
//! The seam is small: make a [`Searcher`], hand it a [`Request`], and it returns an [`Answer`]
//! whose first line is a whole legal series, whenever it is stopped. It reports through a callback
//! and is told to stop (or that the expected series was played) through [`Signals`]. It never
//! writes to standard output and knows no protocol.
//!
//! What is inside now is simple on purpose: in each iteration it looks for a mate in the series,
//! collects the best ends of series from a beam over distinct positions, holds the best of them
//! against the opponent's best answer (a mate above all), and then does the same more widely.

mod beam;
mod budget;
mod request;
mod searcher;

pub use request::{Answer, Clock, Limits, Report, Request, Score, Settings, Signals};
pub use searcher::{Searcher, quick_answer};
