//! What is wrong with a PGN text, and where.

use std::fmt;

use thiserror::Error;

use super::tags::VariantError;
use crate::notation::{FenError, SanError, lexer::Spot};

/// An error in a PGN text. The reader goes on with the next game after it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct PgnError {
    /// The name of the text, as the caller gave it.
    pub file: String,
    /// The number of the game in it, from 1.
    pub game: u64,
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
    /// What is wrong.
    pub problem: Box<PgnProblem>,
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PgnError {
            file,
            line,
            column,
            problem,
            ..
        } = self;
        write!(f, "{file}:{line}:{column}: {problem}")
    }
}

/// What is wrong with a PGN text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PgnProblem {
    /// Something stands where something else was expected.
    #[error("found {found}: expected {expected}")]
    Unexpected {
        /// What stands there.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// A move text that names no allowed move.
    #[error("{error} ({turn})")]
    Move {
        /// What is wrong with it.
        error: SanError,
        /// Whose move of which turn it would be.
        turn: String,
    },
    /// The FEN tag.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The tags that name the rules.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// The text could not be read any further.
    #[error("cannot be read: {0}")]
    Read(String),
}

impl PgnProblem {
    pub(in crate::notation) fn unexpected(
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> PgnProblem {
        PgnProblem::Unexpected {
            found: found.into(),
            expected: expected.into(),
        }
    }
}

/// A problem with its place, before the reader adds the file.
pub(in crate::notation) type Placed = (Spot, PgnProblem);
