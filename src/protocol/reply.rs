//! What the engine says, and how it is written.

use std::fmt;

use super::{SERIES_PROTOCOL, options::OptionSpec, uci};

/// The longest error or note, in characters; longer ones are cut.
const TEXT_MAX: usize = 500;

/// A score, from the view of the side on turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// Mate, counted in series of the mating side: 1 mates in the series to be played, -1 is
    /// mated in the answer to it, 0 is mated already.
    Mate(i32),
}

/// What is known of the series of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeriesCounts {
    /// How many are known.
    pub candidates: u32,
    /// After how many of them it is known whether the opponent mates.
    pub verified: u32,
    /// After how many of them he does.
    pub refuted: u32,
}

/// How far a search is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgressLine {
    /// Series looked ahead in this round.
    pub depth: u32,
    /// The number of the series that is looked at, from 1.
    pub number: u32,
    /// Positions made so far.
    pub nodes: u64,
    /// Milliseconds since the search began.
    pub milliseconds: u64,
    /// What is known so far.
    pub counts: SeriesCounts,
    /// The series that is looked at; it has at least one move.
    pub series: Vec<String>,
}

/// A line of search information.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InfoLine {
    /// Series looked ahead.
    pub depth: u32,
    /// Which of the best series this is, from 1.
    pub multipv: u32,
    /// What it is worth.
    pub score: Score,
    /// The chances to win, draw and lose, in thousandths, where they are wanted.
    pub wdl: Option<[u16; 3]>,
    /// Positions made so far.
    pub nodes: u64,
    /// Milliseconds since the search began.
    pub milliseconds: u64,
    /// How full the hash table is, in thousandths.
    pub hashfull: u16,
    /// How many series are known and judged, where a search has counted them.
    pub counts: Option<SeriesCounts>,
    /// The moves, one flat list across series.
    pub pv: Vec<String>,
}

impl InfoLine {
    /// Nodes per second; a time below a millisecond counts as one.
    pub fn nodes_per_second(&self) -> u64 {
        self.nodes.saturating_mul(1000) / self.milliseconds.max(1)
    }
}

/// A message of the engine: one line, or several that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The answer to `uci`: name, options, protocol version, `uciok`.
    Handshake {
        /// Name, version and commit.
        name: String,
        /// The authors.
        author: String,
        /// The options on offer.
        options: Vec<OptionSpec>,
    },
    /// `readyok`.
    ReadyOk,
    /// `info depth ...`.
    Info(InfoLine),
    /// `info ... currmove ...`.
    Progress(ProgressLine),
    /// `info refutation ...`: a series and the mate that answers it, one flat list.
    Refutation(Vec<String>),
    /// `info threat ...`: what the opponent would mate with.
    Threat(Vec<String>),
    /// `bestmove ...`.
    BestMove {
        /// The moves of the series; none is written `(none)`.
        series: Vec<String>,
        /// The expected answer; may be empty.
        ponder: Vec<String>,
    },
    /// `info string error: ...`: what was not understood or cannot be done.
    Error(String),
    /// `info string ...`.
    Note(String),
    /// Lines for people, as `d` and `go perft` write them.
    Text(String),
}

/// A text fit for one line: control characters become blanks, too long ones are cut.
pub(super) fn one_line(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut line: String = clean.clone().take(TEXT_MAX).collect();
    if clean.count() > TEXT_MAX {
        line.push_str("...");
    }
    line
}

impl fmt::Display for Reply {
    /// Writes the message without the end of its last line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Handshake {
                name,
                author,
                options,
            } => {
                writeln!(f, "{}", uci::id_name(name))?;
                writeln!(f, "{}", uci::id_author(author))?;
                for option in options {
                    writeln!(f, "{}", uci::option(option))?;
                }
                writeln!(f, "protocol series {SERIES_PROTOCOL}")?;
                f.write_str(&uci::uci_ok())
            }
            Reply::ReadyOk => f.write_str(&uci::ready_ok()),
            Reply::Info(info) => f.write_str(&uci::info(info)),
            Reply::Progress(progress) => f.write_str(&uci::progress(progress)),
            Reply::Refutation(moves) => f.write_str(&uci::info_moves("refutation", moves)),
            Reply::Threat(moves) => f.write_str(&uci::info_moves("threat", moves)),
            Reply::BestMove { series, ponder } => {
                if series.is_empty() {
                    return f.write_str("bestmove (none)");
                }
                write!(f, "bestmove {}", series.join(" "))?;
                if !ponder.is_empty() {
                    write!(f, " ponder {}", ponder.join(" "))?;
                }
                Ok(())
            }
            Reply::Error(text) => {
                f.write_str(&uci::info_string(&format!("error: {}", one_line(text))))
            }
            Reply::Note(text) => f.write_str(&uci::info_string(&one_line(text))),
            Reply::Text(text) => f.write_str(text.trim_end_matches('\n')),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_written_as_documented() {
        let moves = |text: &str| -> Vec<String> {
            text.split_ascii_whitespace().map(str::to_owned).collect()
        };
        let best = Reply::BestMove {
            series: moves("e7e5 g8f6"),
            ponder: moves("f1c4 d1h5 h5f7"),
        };
        assert_eq!(best.to_string(), "bestmove e7e5 g8f6 ponder f1c4 d1h5 h5f7");
        let none = Reply::BestMove {
            series: vec![],
            ponder: vec![],
        };
        assert_eq!(none.to_string(), "bestmove (none)");
        let info = Reply::Info(InfoLine {
            depth: 300,
            multipv: 1,
            score: Score::Mate(200),
            wdl: Some([1000, 0, 0]),
            nodes: 5000,
            milliseconds: 20,
            hashfull: 3,
            counts: Some(SeriesCounts {
                candidates: 400,
                verified: 12,
                refuted: 7,
            }),
            pv: moves("e7e5 g8f6"),
        });
        assert_eq!(
            info.to_string(),
            "info depth 300 multipv 1 score mate 200 wdl 1000 0 0 nodes 5000 nps 250000 hashfull 3 time 20 candidates 400 verified 12 refuted 7 pv e7e5 g8f6"
        );
        let progress = Reply::Progress(ProgressLine {
            depth: 1,
            number: 9,
            nodes: 100,
            milliseconds: 1500,
            counts: SeriesCounts {
                candidates: 30,
                verified: 8,
                refuted: 6,
            },
            series: moves("e7e5 g8f6"),
        });
        assert_eq!(
            progress.to_string(),
            "info depth 1 currmove e7e5 currmovenumber 9 nodes 100 time 1500 candidates 30 verified 8 refuted 6 currseries e7e5 g8f6"
        );
        assert_eq!(
            Reply::Threat(moves("f1c4 d1h5")).to_string(),
            "info threat f1c4 d1h5"
        );
        assert_eq!(
            Reply::Error("bad\nthing".to_owned()).to_string(),
            "info string error: bad thing"
        );
    }
}
