//! The statistics against published values and by simulation, and `seriatim-match stats` as a
//! program.

#![allow(clippy::unwrap_used)]

#[path = "stats/command.rs"]
mod command;
#[path = "stats/reference.rs"]
mod reference;
#[path = "stats/simulation.rs"]
mod simulation;
