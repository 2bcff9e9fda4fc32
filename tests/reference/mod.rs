//! A slow and obvious implementation of the rules, the oracle for the fast one.
//!
//! It is written from the rules alone and shares no code with the library: an array of 64
//! squares, pseudo-legal moves, a copy of the board for each of them, and a scan for attacks.
//! Nothing here is clever on purpose.
//!
//! - [`rules`]: the switches and presets, the schedule of series lengths;
//! - [`board`]: men, squares, attacks;
//! - [`moves`]: what a man may do on the board, castling, rebirth;
//! - [`position`]: the state between two moves, allowed moves, playing a move;
//! - [`game`]: endings, repetition, perft;
//! - [`fen`]: reading and writing of the six fields in their series meaning;
//! - [`random`]: seeded random games to compare another implementation with, from
//!   the [`setups`] among others.

// Every test crate that includes this module uses a part of it only.
#![allow(dead_code, unused_imports)]
#![allow(clippy::unwrap_used)]

pub mod board;
pub mod fen;
pub mod game;
pub mod moves;
pub mod position;
pub mod random;
pub mod rules;
pub mod setups;

pub use board::{Board, Man, Side, Square, SquareSet, square_name};
pub use game::{Ending, Game};
pub use moves::RefMove;
pub use position::Position;
pub use random::{RandomGame, Sample, random_games, random_positions};
pub use rules::Rules;
