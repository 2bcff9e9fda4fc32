//! Seriatim: progressive chess, in which a turn is a *series* of moves.
//!
//! Read the rooms top down; imports run one way only:
//! [`rules`] (what is legal) and [`stats`] stand on nothing.

#![cfg_attr(test, allow(clippy::unwrap_used))]

/// The match runner.
pub mod matches;
pub mod rules;
pub mod stats;
