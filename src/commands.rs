//! The command-line tools beside the daemon: they read arguments, ask the rooms, and write text.

pub mod book;
pub mod convert;
pub mod openings;
pub mod perft;
mod problems;
mod rule_args;
mod self_play;
mod series;
pub mod solve;
pub mod validate;

use std::{fmt::Display, fs::File, io::Read, process::ExitCode};

pub use rule_args::RuleArgs;

/// Arguments or input that were not understood: the program ends with exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(String);

impl UsageError {
    fn new(error: impl Display) -> UsageError {
        UsageError(error.to_string())
    }
}

/// How a command ended that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Everything was in order.
    Clean,
    /// There were errors in what was read; they have been reported.
    Flawed,
}

impl From<Finish> for ExitCode {
    fn from(finish: Finish) -> ExitCode {
        match finish {
            Finish::Clean => ExitCode::SUCCESS,
            Finish::Flawed => ExitCode::FAILURE,
        }
    }
}

/// Opens a file, or standard input for `-`.
fn open(name: &str) -> Result<Box<dyn Read>, UsageError> {
    if name == "-" {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let file = File::open(name)
        .map_err(|error| UsageError(format!("{name} cannot be opened: {error}")))?;
    Ok(Box::new(file))
}

#[cfg(test)]
mod tests;
