//! Seriatim: progressive chess, in which a turn is a *series* of moves.
//!
//! Read the rooms top down; imports run one way only:
//! [`rules`] (what is legal) stands on nothing,
//! [`notation`] (how it is written) and [`solver`] (mate in the series) on the rules.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod notation;
pub mod rules;
pub mod solver;
