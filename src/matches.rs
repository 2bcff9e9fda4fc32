//! The match runner: everything behind the commands of `seriatim-match`.
//!
//! [`run`](mod@run) has the commands, the director watches over a match. Each slot is a thread
//! that plays one game at a time with two engine processes; the referee asks the rules room and
//! never believes an engine. A finished game is a [`record`] in the [`journal`], and every number
//! and report derives from these records. The web board uses the engine process and the handshake.

pub mod adjudication;
pub mod check;
pub mod config;
mod director;
pub mod display;
pub mod ending;
mod engine;
mod excerpt;
mod game;
pub(crate) mod handshake;
pub mod info;
pub mod journal;
mod line_buffer;
pub mod log;
pub mod openings;
mod pgn;
mod position_text;
pub(crate) mod process;
mod random;
pub mod record;
mod referee;
pub mod report;
pub mod run;
pub mod schedule;
mod settle;
mod signals;
mod slot;
pub mod standings;
pub mod stats_command;
pub mod time_control;

/// A request that can't be carried out as given: the program ends with exit code 2.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct UsageError(#[from] pub anyhow::Error);
