//! The match runner: everything behind the commands of `seriatim-match`.
//!
//! [`run`](mod@run) directs a match. Each slot ([`slot`]) is a thread that plays one game at a
//! time ([`game`]) with two engine processes ([`engine`] on [`process`]); the referee asks the
//! rules room and never believes an engine. A finished game is a [`record`] in the [`journal`],
//! and every number and report derives from these records.

pub mod adjudication;
pub mod check;
pub mod config;
pub mod display;
pub mod ending;
mod engine;
mod game;
mod handshake;
pub mod info;
pub mod journal;
mod line_buffer;
pub mod openings;
mod pgn;
mod position_text;
mod process;
mod random;
pub mod record;
mod referee;
pub mod report;
pub mod run;
pub mod schedule;
mod settle;
mod slot;
pub mod standings;
pub mod stats_command;
pub mod time_control;

/// A request that can't be carried out as given: the program ends with exit code 2.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct UsageError(#[from] pub anyhow::Error);
