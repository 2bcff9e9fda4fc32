//! Seriatim: progressive chess, in which a turn is a *series* of moves.
//!
//! Read the rooms top down; imports run one way only.
//! [`rules`] (what is legal) stands on nothing,
//! [`notation`] (how it is written) on the rules,
//! [`protocol`] (lines to commands, replies to lines) on the notation,
//! [`solver`] (mate in the series, or none) and [`eval`] (what a position is worth) on the rules,
//! [`search`] (the best series) on both,
//! [`engine`] (the daemon) on all of them,
//! [`commands`] (the tools beside the daemon) on all of these,
//! [`stats`] (how much stronger) on nothing,
//! [`matches`] (the match runner) on everything but the search,
//! and `board` (the web board, feature `board`) on what the runner stands on and the runner.

#![cfg_attr(test, allow(clippy::unwrap_used))]

#[cfg(feature = "board")]
pub mod board;
pub mod book;
pub mod commands;
pub mod engine;
pub mod eval;
pub mod matches;
pub mod notation;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod solver;
pub mod stats;
pub mod version;
