//! The match runner: everything behind the commands of `seriatim-match`.

pub mod stats_command;

/// A request that can't be carried out as given: the program ends with exit code 2.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct UsageError(#[from] pub anyhow::Error);
