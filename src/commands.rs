//! The command-line tools beside the daemon: they read arguments, ask the rooms, and write text.

pub mod openings;
mod problems;
mod rule_args;
pub mod solve;

use std::fmt::Display;

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
