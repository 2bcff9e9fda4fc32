//! Seriatim: progressive chess, in which a turn is a *series* of moves.
//!
//! Read the rooms top down; imports run one way only:
//! [`rules`] (what is legal) stands on nothing.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod rules;
