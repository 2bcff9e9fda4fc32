//! How a game of a match ends. Every ending is a value; all words derive from it.

mod fault;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

pub(super) use fault::milliseconds;
pub use fault::{Fault, Phase};

use crate::rules::{Color, Ending, Outcome};

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
    use crate::matches::process::{Exit, ExitReport};

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
