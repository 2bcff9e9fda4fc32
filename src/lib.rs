//! Seriatim: progressive chess, in which a turn is a *series* of moves.
//!
//! Read the rooms top down; imports run one way only. [`rules`] (what is legal) stands on
//! nothing, [`notation`] (how it is written) and [`solver`] (mate in the series, or none) on the
//! rules, [`stats`] (how much stronger) on nothing, and [`matches`] (the match runner) on these.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod matches;
pub mod notation;
pub mod rules;
pub mod solver;
pub mod stats;
