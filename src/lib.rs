//! Seriatim: progressive chess, in which a turn is a *series* of moves.
//!
//! Read the rooms top down; imports run one way only:
//! [`rules`] (what is legal) stands on nothing, [`notation`] (how it is written) on the rules,
//! [`stats`] (how much stronger) on nothing, and [`matches`] (the match runner) on all of them.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod matches;
pub mod notation;
pub mod rules;
pub mod stats;
