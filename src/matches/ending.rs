//! How a game of a match ends. Every ending is a value; all words derive from it.

use std::{fmt, time::Duration};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::process::ExitReport;
use crate::rules::{Color, Ending, Outcome};

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
                write!(f, "crash: {} {during}", report.exit)?;
                write_stderr(f, &report.stderr)
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

/// Appends the last lines of standard error, if there are any.
pub(super) fn write_stderr(f: &mut fmt::Formatter<'_>, lines: &[String]) -> fmt::Result {
    if lines.is_empty() {
        Ok(())
    } else {
        write!(f, " (standard error: {})", lines.join(" | "))
    }
}

/// Milliseconds, as results carry times.
pub(super) fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum GameEnd {
    /// By the rules of the game.
    Board {
        /// What happened on the board.
        #[serde(serialize_with = "write_ending", deserialize_with = "read_ending")]
        ending: Ending,
        /// Who won; `None` is a draw.
        #[serde(with = "winner")]
        winner: Option<Color>,
    },
    /// The scores said for long enough that one side is lost.
    Resignation {
        /// The other side.
        #[serde(with = "winner")]
        winner: Option<Color>,
    },
    /// The scores said for long enough that the game is level.
    DrawAdjudication,
    /// The game reached the longest length allowed.
    TurnLimit,
    /// Our own solver proved a mate in the series about to be played.
    ProvenMate {
        /// The side on turn.
        #[serde(with = "winner")]
        winner: Option<Color>,
    },
    /// An engine failed.
    Failure {
        /// The other side.
        #[serde(with = "winner")]
        winner: Option<Color>,
        /// What happened.
        #[serde(flatten)]
        fault: Fault,
    },
}

impl GameEnd {
    /// The end that the rules say.
    pub fn board(outcome: Outcome) -> GameEnd {
        GameEnd::Board {
            ending: outcome.ending,
            winner: outcome.winner,
        }
    }

    /// The loss of `loser` by a fault.
    pub fn failure(loser: Color, fault: Fault) -> GameEnd {
        GameEnd::Failure {
            winner: Some(!loser),
            fault,
        }
    }

    /// Who won; `None` is a draw.
    pub fn winner(&self) -> Option<Color> {
        match self {
            GameEnd::Board { winner, .. }
            | GameEnd::Resignation { winner }
            | GameEnd::ProvenMate { winner }
            | GameEnd::Failure { winner, .. } => *winner,
            GameEnd::DrawAdjudication | GameEnd::TurnLimit => None,
        }
    }

    /// The fault, if an engine failed.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            GameEnd::Failure { fault, .. } => Some(fault),
            _ => None,
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// One to four words for tables.
    pub fn name(&self) -> &'static str {
        match self {
            GameEnd::Board { ending, .. } => ending.as_str(),
            GameEnd::Resignation { .. } => "resignation by score",
            GameEnd::DrawAdjudication => "draw by score",
            GameEnd::TurnLimit => "turn limit",
            GameEnd::ProvenMate { .. } => "proven mate",
            GameEnd::Failure { fault, .. } => fault.name(),
        }
    }

    /// The value of the PGN tag `Termination`; one for each kind of end.
    pub fn termination(&self) -> &'static str {
        match self {
            GameEnd::Board { .. } => "normal",
            GameEnd::Resignation { .. } => "adjudication: resignation by score",
            GameEnd::DrawAdjudication => "adjudication: draw by score",
            GameEnd::TurnLimit => "adjudication: turn limit",
            GameEnd::ProvenMate { .. } => "adjudication: proven mate",
            GameEnd::Failure { fault, .. } => match fault {
                Fault::IllegalMove { .. } => "rules infraction: illegal move",
                Fault::Malformed { .. } => "rules infraction: malformed answer",
                Fault::TooShort { .. } => "rules infraction: series too short",
                Fault::TooLong { .. } => "rules infraction: series too long",
                Fault::NoMove { .. } => "rules infraction: no move",
                Fault::TimeForfeit { .. } => "time forfeit",
                Fault::Crash { .. } => "abandoned: crash",
                Fault::Stall { .. } => "abandoned: stall",
                Fault::StartFailure { .. } => "abandoned: start failure",
                Fault::Flood { .. } => "abandoned: protocol flood",
            },
        }
    }

    /// A sentence for people, with the sides' names (white's first).
    pub fn describe(&self, names: [&str; 2]) -> String {
        let name = |color: Option<Color>| match color {
            Some(color) => color.fold_wb(names[0], names[1]),
            None => "nobody",
        };
        match self {
            GameEnd::Board {
                ending,
                winner: None,
            } => format!("draw: {ending}"),
            GameEnd::Board { ending, winner } => format!("{} wins: {ending}", name(*winner)),
            GameEnd::Resignation { winner } => {
                format!(
                    "{} wins: adjudicated, the scores agree for long enough",
                    name(*winner)
                )
            }
            GameEnd::DrawAdjudication => {
                "draw: adjudicated, the scores are level for long enough".to_owned()
            }
            GameEnd::TurnLimit => "draw: the turn limit is reached".to_owned(),
            GameEnd::ProvenMate { winner } => {
                format!(
                    "{} wins: adjudicated, the solver proves a mate in the coming series",
                    name(*winner)
                )
            }
            GameEnd::Failure { winner, fault } => {
                format!("{} loses: {fault}", name(winner.map(|winner| !winner)))
            }
        }
    }
}

const ENDINGS: [Ending; 9] = [
    Ending::Checkmate,
    Ending::ProgressiveCheckmate,
    Ending::Stalemate,
    Ending::StalemateInSeries,
    Ending::UnfinishedEscape,
    Ending::QuietDraw,
    Ending::DeadMaterial,
    Ending::Repetition,
    Ending::AllCaptured,
];

// The signature is serde's.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn write_ending<S: Serializer>(ending: &Ending, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(ending.as_str())
}

fn read_ending<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Ending, D::Error> {
    let text = String::deserialize(deserializer)?;
    ENDINGS
        .into_iter()
        .find(|ending| ending.as_str() == text)
        .ok_or_else(|| de::Error::custom(format!("'{text}' is no ending")))
}

/// Winners as `"white"`, `"black"` or `null`.
mod winner {
    use super::{Color, Deserialize, Deserializer, Serialize, Serializer, de};

    // The signature is serde's.
    #[allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option)]
    pub(super) fn serialize<S: Serializer>(
        winner: &Option<Color>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        winner
            .map(|winner| winner.fold_wb("white", "black"))
            .serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Color>, D::Error> {
        match Option::<String>::deserialize(deserializer)?.as_deref() {
            None => Ok(None),
            Some("white") => Ok(Some(Color::White)),
            Some("black") => Ok(Some(Color::Black)),
            Some(other) => Err(de::Error::custom(format!("'{other}' is no side"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::process::Exit;

    fn examples() -> Vec<GameEnd> {
        let faults = [
            Fault::IllegalMove {
                answer: "a1a8".into(),
                number: 1,
                text: "a1a8".into(),
                reason: "no".into(),
            },
            Fault::Malformed {
                answer: "x".into(),
                number: 1,
                text: "x".into(),
            },
            Fault::TooShort {
                answer: "e7e5".into(),
                found: 1,
                missing: 1,
            },
            Fault::TooLong {
                answer: "e2e4 d2d4".into(),
                found: 2,
                expected: 1,
            },
            Fault::NoMove {
                answer: "(none)".into(),
            },
            Fault::TimeForfeit {
                budget: 1000.0,
                overrun: Some(12.5),
            },
            Fault::Crash {
                report: ExitReport {
                    exit: Exit::Signal(11),
                    stderr: vec!["boom".into()],
                },
                during: Phase::Think,
            },
            Fault::Stall {
                during: Phase::Ready,
                waited: 60_000.0,
            },
            Fault::StartFailure {
                problem: "no such file".into(),
            },
            Fault::Flood { limit: 1 },
        ];
        let mut ends: Vec<GameEnd> = faults
            .into_iter()
            .map(|fault| GameEnd::failure(Color::Black, fault))
            .collect();
        ends.extend(ENDINGS.map(|ending| GameEnd::Board {
            ending,
            winner: None,
        }));
        ends.push(GameEnd::Resignation {
            winner: Some(Color::Black),
        });
        ends.extend([GameEnd::DrawAdjudication, GameEnd::TurnLimit]);
        ends.push(GameEnd::ProvenMate {
            winner: Some(Color::White),
        });
        ends
    }

    #[test]
    fn every_end_reads_back_from_the_journal() {
        for end in examples() {
            let text = serde_json::to_string(&end).unwrap();
            assert_eq!(
                serde_json::from_str::<GameEnd>(&text).unwrap(),
                end,
                "{text}"
            );
        }
    }

    #[test]
    fn every_fault_has_its_own_words() {
        let mut terminations = std::collections::HashSet::new();
        for end in examples().iter().filter(|end| end.fault().is_some()) {
            assert!(
                terminations.insert(end.termination()),
                "{}",
                end.termination()
            );
            assert!(end.describe(["A", "B"]).starts_with("B loses: "));
        }
    }
}
