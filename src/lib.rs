//! Seriatim: progressive chess, in which a turn is a *series* of moves.
//!
//! Read the rooms top down; imports run one way only:
//! [`rules`] (what is legal) stands on nothing,
//! [`notation`] (how it is written) on the rules,
//! [`protocol`] (lines to commands, replies to lines) on the notation,
//! [`eval`] (what a position is worth) and [`search`] (the best series) on the rules,
//! [`engine`] (the daemon) on all of them.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod engine;
pub mod eval;
pub mod notation;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod version;
