//! What the engine says in CECP, and how it is written.

use std::fmt;

use crate::protocol::{
    Score,
    options::{EMPTY, OptionKind, OptionSpec},
    reply::one_line,
};

/// An option as `feature option` offers it, with the value in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CecpOption(pub OptionSpec);

/// A line of thinking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThinkingLine {
    /// Series looked ahead.
    pub depth: u32,
    /// What it is worth for the engine, in an analysis for the side to move.
    pub score: Score,
    /// Time since the search began, in milliseconds.
    pub milliseconds: u64,
    /// Positions made so far.
    pub nodes: u64,
    /// The moves in algebraic notation, with the passes.
    pub pv: Vec<String>,
}

/// A message of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CecpReply {
    /// The answer to `protover`.
    Features {
        /// Name, version and commit.
        name: String,
        /// The variants on offer.
        variants: Vec<String>,
        /// The options on offer.
        options: Vec<CecpOption>,
    },
    /// `setup ...`: what the board of a variant looks like.
    Setup {
        /// The start position, as an orthodox FEN.
        fen: String,
    },
    /// `move ...`: the engine plays, or somebody passes.
    Move(String),
    /// `pong N`.
    Pong(u64),
    /// `Illegal move (REASON): MOVE`.
    IllegalMove {
        /// The move as given.
        text: String,
        /// Why not.
        reason: String,
    },
    /// `Error (REASON): LINE`.
    Error {
        /// Why not.
        reason: String,
        /// The command as given.
        line: String,
    },
    /// A whole error line of the parser.
    Line(String),
    /// `tellusererror ...`: shown to the user.
    UserError(String),
    /// `1-0 {REASON}`: the game is over.
    Result {
        /// The result.
        result: &'static str,
        /// Why.
        reason: String,
    },
    /// A line of thinking.
    Thinking(ThinkingLine),
    /// `stat01: ...`: how far an analysis is.
    Progress {
        /// The last line of it.
        line: ThinkingLine,
        /// How many series are still to be looked at.
        left: u32,
        /// How many there are.
        total: u32,
    },
    /// `Hint: MOVE`.
    Hint(String),
    /// What the book has: lines for people.
    Book(Vec<String>),
    /// `# ...`: words for whoever looks into the client's log.
    Comment(String),
    /// `offer draw`: a draw is welcome.
    OfferDraw,
}

/// The features that do not depend on anything.
const FEATURES: &str = "feature done=0\n\
     feature ping=1 setboard=1 playother=1 usermove=1 time=1 draw=1 sigint=0 sigterm=0\n\
     feature reuse=1 analyze=1 colors=0 san=0 name=1 memory=1 smp=1 nps=0 debug=1";

/// What a variant with passes looks like to XBoard: it knows passes from its variant `lion`, and
/// of that only the letters of the men of ordinary chess are used.
const SETUP: &str = "setup (PNBRQ......Kpnbrq......k) 8x8+0_lion";

impl fmt::Display for CecpOption {
    /// Writes the text between the quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CecpOption(spec) = self;
        write!(f, "{} ", spec.name)?;
        match &spec.kind {
            OptionKind::Check { default } => write!(f, "-check {}", u8::from(*default)),
            OptionKind::Spin { default, min, max } => write!(f, "-spin {default} {min} {max}"),
            OptionKind::Combo { default, values } => {
                let marked: Vec<String> = values
                    .iter()
                    .map(|value| {
                        let mark = if value == default { "*" } else { "" };
                        format!("{mark}{value}")
                    })
                    .collect();
                write!(f, "-combo {}", marked.join(" /// "))
            }
            OptionKind::Button => f.write_str("-button"),
            OptionKind::Text { default: EMPTY } => f.write_str("-string "),
            OptionKind::Text { default } => write!(f, "-string {default}"),
        }
    }
}

/// Mates are written as `100000 + N` and `-100000 - N`, `N` in series of the winning side.
fn score(score: Score) -> i32 {
    const MATE: i32 = 100_000;
    match score {
        Score::Centipawns(score) => score,
        Score::Mate(series) if series > 0 => MATE.saturating_add(series),
        Score::Mate(series) => series.saturating_sub(MATE),
    }
}

impl fmt::Display for CecpReply {
    /// Writes the message without the end of its last line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CecpReply::Features {
                name,
                variants,
                options,
            } => {
                writeln!(f, "{FEATURES}")?;
                writeln!(f, "feature myname=\"{name}\"")?;
                writeln!(f, "feature variants=\"{}\"", variants.join(","))?;
                for option in options {
                    writeln!(f, "feature option=\"{option}\"")?;
                }
                f.write_str("feature done=1")
            }
            CecpReply::Setup { fen } => write!(f, "{SETUP} {fen}"),
            CecpReply::Move(text) => write!(f, "move {text}"),
            CecpReply::Pong(number) => write!(f, "pong {number}"),
            CecpReply::IllegalMove { text, reason } => {
                write!(f, "Illegal move ({}): {}", one_line(reason), one_line(text))
            }
            CecpReply::Error { reason, line } => {
                write!(f, "Error ({}): {}", one_line(reason), one_line(line))
            }
            CecpReply::Line(line) => f.write_str(&one_line(line)),
            CecpReply::UserError(text) => write!(f, "tellusererror {}", one_line(text)),
            CecpReply::Result { result, reason } => write!(f, "{result} {{{reason}}}"),
            CecpReply::Thinking(line) => write!(
                f,
                "{} {} {} {} {}",
                line.depth,
                score(line.score),
                line.milliseconds / 10,
                line.nodes,
                line.pv.join(" ")
            ),
            CecpReply::Progress { line, left, total } => write!(
                f,
                "stat01: {} {} {} {left} {total}",
                line.milliseconds / 10,
                line.nodes,
                line.depth
            ),
            CecpReply::Hint(text) => write!(f, "Hint: {text}"),
            CecpReply::Book(lines) => lines
                .iter()
                .try_for_each(|line| writeln!(f, " {}", one_line(line))),
            CecpReply::Comment(text) => write!(f, "# {}", one_line(text)),
            CecpReply::OfferDraw => f.write_str("offer draw"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_is_written_in_the_units_of_the_protocol() {
        let line = |score| {
            CecpReply::Thinking(ThinkingLine {
                depth: 2,
                score,
                milliseconds: 1234,
                nodes: 5000,
                pv: vec!["Bc4".to_owned(), "--".to_owned(), "Qh5".to_owned()],
            })
            .to_string()
        };
        assert_eq!(line(Score::Centipawns(-35)), "2 -35 123 5000 Bc4 -- Qh5");
        assert_eq!(line(Score::Mate(1)), "2 100001 123 5000 Bc4 -- Qh5");
        assert_eq!(line(Score::Mate(-2)), "2 -100002 123 5000 Bc4 -- Qh5");
        assert_eq!(line(Score::Mate(0)), "2 -100000 123 5000 Bc4 -- Qh5");
    }
}
