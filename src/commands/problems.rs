//! Lists of problems: JSON lines, EPD with series FEN, or Popeye's notation of ser-#n problems.

mod epd;
mod json;
mod popeye;

use thiserror::Error;

use crate::notation::FenError;
use crate::rules::{RuleSet, RuleSetError, SeriesPosition, SetupError, SwitchError};

/// A problem as it stands in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What the list calls it: a string or a number in JSON, the `id` of an EPD line, the title
    /// in Popeye's notation.
    pub id: Option<serde_json::Value>,
    /// The line it begins on, from 1.
    pub line: usize,
    /// The position, at the start of the series to be played.
    pub position: SeriesPosition,
}

/// Why a problem was not understood.
#[derive(Debug, Error)]
pub enum ProblemError {
    /// Not JSON, or not the fields that are needed.
    #[error(
        "not a problem in JSON: {0} (expected an object with fen, and perhaps id, n, variant, switches, ep_targets)"
    )]
    Json(#[from] serde_json::Error),
    /// No rule set of that name.
    #[error("variant '{0}': expected a preset such as italian, scottish or circe")]
    Variant(String),
    /// A switch setting that was not understood.
    #[error(transparent)]
    Switch(#[from] SwitchError),
    /// The rules contradict themselves.
    #[error(transparent)]
    Rules(#[from] RuleSetError),
    /// The FEN was not understood.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// What stands in the list is no position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A square that is none.
    #[error("'{0}' is no square: expected a1 to h8")]
    Square(String),
    /// The rules have no turn of that many moves.
    #[error("no turn of schedule {schedule} has {moves} moves")]
    Length {
        /// The number of moves asked for.
        moves: u16,
        /// The schedule.
        schedule: String,
    },
    /// Something in an EPD line or in Popeye's notation.
    #[error("'{found}': expected {expected}")]
    Text {
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
}

/// A problem, or the line of the list that is none and why.
pub type ProblemResult = Result<Problem, (usize, ProblemError)>;

/// Reads a list; the notation is told from the text. `rules` hold where the list does not say.
pub fn read_problems(text: &str, rules: RuleSet) -> Vec<ProblemResult> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let first_word = text.split_whitespace().next().unwrap_or("");
    if first_word.starts_with('{') {
        lines(text, rules, json::read_problem)
    } else if first_word.to_ascii_lowercase().starts_with("begin") {
        popeye::read_problems(text, rules)
    } else {
        lines(text, rules, epd::read_problem)
    }
}

type Read = (Option<serde_json::Value>, SeriesPosition);

/// Reads a list of one problem a line; blank lines and `#` comments are passed over.
fn lines(
    text: &str,
    rules: RuleSet,
    read: fn(&str, RuleSet) -> Result<Read, ProblemError>,
) -> Vec<ProblemResult> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| match read(line, rules) {
            Ok((id, position)) => Ok(Problem {
                id,
                line: number,
                position,
            }),
            Err(error) => Err((number, error)),
        })
        .collect()
}

/// The turn number with which a series has `moves` moves: `moves` itself in progressive chess.
fn turn_of_length(rules: &RuleSet, moves: u16) -> Result<u16, ProblemError> {
    (1..=moves.max(1) * 2)
        .chain([u16::MAX])
        .find(|&turn| rules.schedule.length(turn) == moves)
        .ok_or_else(|| ProblemError::Length {
            moves,
            schedule: rules.schedule.to_string(),
        })
}
