//! Looking for the best series.
//!
//! The seam is small: make a [`Searcher`], hand it a [`Request`], and it returns an [`Answer`]
//! whose first line is a whole legal series, whenever it is stopped. It reports through a callback
//! and is told to stop (or that the expected series was played) through [`Signals`]. It never
//! writes to standard output and knows no protocol.
//!
//! The order of business: an own mate (the solver); the ends of the own series, all of them where
//! that fits, else a wide beam by several orders; those after which the opponent mates are found
//! by known mates first and by the solver then; and the safe ones are looked at several series
//! deep, by alpha-beta over series with a table of positions.

mod control;
mod ends;
mod generator;
mod level;
mod look;
mod memory;
mod node;
mod quick;
mod reference;
mod refutations;
mod request;
mod root;
mod score;
mod searcher;
mod seen;
mod skill;
mod table;
mod telling;
mod threat;
mod time;
mod trust;

#[doc(hidden)]
pub use ends::EndList;
pub use level::Level;
pub use quick::quick_answer;
pub use request::{
    Answer, Clock, Limits, Listener, News, Progress, Report, Request, Score, Settings, Signals,
};
pub use searcher::Searcher;
pub use skill::Skill;
