//! What engines do wrong.

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};

use crate::matches::process::{ExitReport, last_words};

/// What an engine was asked for when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Started, and `uci` sent: `uciok` is due.
    Start,
    /// `isready` sent: `readyok` is due.
    Ready,
    /// `go` sent without a clock: `bestmove` is due.
    Think,
    /// It has to read what is sent.
    Input,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Start => "before 'uciok'",
            Phase::Ready => "before 'readyok'",
            Phase::Think => "while it had to think",
            Phase::Input => "without reading its input",
        })
    }
}

/// What an engine did wrong. One cause for each game that is lost by it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "fault",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case"
)]
pub enum Fault {
    /// A well-formed move that the rules don't allow.
    IllegalMove {
        /// The whole answer.
        answer: String,
        /// Which move of the series, from 1.
        number: usize,
        /// That move.
        text: String,
        /// Why not.
        reason: String,
    },
    /// Something in the answer is no move.
    Malformed {
        /// The whole answer.
        answer: String,
        /// Which word of the series, from 1.
        number: usize,
        /// That word.
        text: String,
    },
    /// All moves are legal, but the series is not complete.
    TooShort {
        /// The whole answer.
        answer: String,
        /// How many moves it has.
        found: usize,
        /// How many are missing.
        missing: usize,
    },
    /// All moves are legal, but the series was complete before.
    TooLong {
        /// The whole answer.
        answer: String,
        /// How many moves it has.
        found: usize,
        /// How many the series has.
        expected: usize,
    },
    /// `bestmove (none)`, `0000` or nothing where there are moves.
    NoMove {
        /// The whole answer.
        answer: String,
    },
    /// The time was up.
    TimeForfeit {
        /// What it had, milliseconds, without the margin.
        budget: f64,
        /// By how much it was late, milliseconds; missing if it never answered.
        overrun: Option<f64>,
    },
    /// The process ended.
    Crash {
        /// How, and its last words.
        #[serde(flatten)]
        report: ExitReport,
        /// When.
        during: Phase,
    },
    /// No answer, and no clock to forfeit on.
    Stall {
        /// When.
        during: Phase,
        /// For how long, milliseconds.
        waited: f64,
    },
    /// It could not be started, or cannot play this match.
    StartFailure {
        /// Why.
        problem: String,
    },
    /// It wrote more than any turn needs.
    Flood {
        /// The limit, bytes.
        limit: u64,
    },
}

impl Fault {
    /// One or two words for tables and PGN: each fault has its own.
    pub fn name(&self) -> &'static str {
        match self {
            Fault::IllegalMove { .. } => "illegal move",
            Fault::Malformed { .. } => "malformed answer",
            Fault::TooShort { .. } => "series too short",
            Fault::TooLong { .. } => "series too long",
            Fault::NoMove { .. } => "no move",
            Fault::TimeForfeit { .. } => "time forfeit",
            Fault::Crash { .. } => "crash",
            Fault::Stall { .. } => "stall",
            Fault::StartFailure { .. } => "start failure",
            Fault::Flood { .. } => "protocol flood",
        }
    }

    /// Whether the engine is unfit to go on and has to be started anew.
    pub fn is_fatal(&self) -> bool {
        matches!(
            self,
            Fault::Crash { .. }
                | Fault::Stall { .. }
                | Fault::StartFailure { .. }
                | Fault::Flood { .. }
        )
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |milliseconds: f64| milliseconds / 1000.0;
        match self {
            Fault::IllegalMove {
                answer,
                number,
                text,
                reason,
            } => {
                write!(
                    f,
                    "illegal move: move {number} '{text}' of '{answer}': {reason}"
                )
            }
            Fault::Malformed {
                answer,
                number,
                text,
            } => {
                write!(
                    f,
                    "malformed answer: word {number} '{text}' of '{answer}' is no move"
                )
            }
            Fault::TooShort {
                answer,
                found,
                missing,
            } => write!(
                f,
                "series too short: '{answer}' has {found} legal moves, {missing} more are due"
            ),
            Fault::TooLong {
                answer,
                found,
                expected,
            } => write!(
                f,
                "series too long: '{answer}' has {found} moves, the series is complete after {expected}"
            ),
            Fault::NoMove { answer } => write!(f, "no move: '{answer}' where there are moves"),
            Fault::TimeForfeit { budget, overrun } => match overrun {
                Some(overrun) => write!(
                    f,
                    "time forfeit: {:.3} s too late on a budget of {:.3} s",
                    seconds(*overrun),
                    seconds(*budget)
                ),
                None => write!(
                    f,
                    "time forfeit: no answer on a budget of {:.3} s",
                    seconds(*budget)
                ),
            },
            Fault::Crash { report, during } => {
                let said = last_words(&report.stderr);
                write!(f, "crash: {} {during}{said}", report.exit)
            }
            Fault::Stall { during, waited } => {
                write!(
                    f,
                    "stall: no answer within {:.1} s {during}",
                    seconds(*waited)
                )
            }
            Fault::StartFailure { problem } => write!(f, "start failure: {problem}"),
            Fault::Flood { limit } => {
                write!(f, "protocol flood: more than {limit} bytes in one turn")
            }
        }
    }
}

/// Milliseconds, as results carry times.
pub(in crate::matches) fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
