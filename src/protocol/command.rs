//! What a client can say, and why a line says nothing.

use std::fmt;

use thiserror::Error;

/// A command of the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: introduce yourself.
    Uci,
    /// `debug on|off`: accepted, changes nothing.
    Debug(bool),
    /// `isready`: answer `readyok`, during a search too.
    IsReady,
    /// `setoption name NAME [value VALUE]`.
    SetOption {
        /// The option's name, as given.
        name: String,
        /// The text after `value`, with its inner blanks.
        value: Option<String>,
    },
    /// `register ...`: accepted, changes nothing.
    Register,
    /// `ucinewgame`: what follows is another game.
    NewGame,
    /// `position ...`.
    Position(PositionRequest),
    /// `go ...`: search.
    Go(GoRequest),
    /// `go perft N`: count sequences of N single moves.
    Perft(u32),
    /// `stop`: end the search.
    Stop,
    /// `ponderhit`: the expected series was played.
    PonderHit,
    /// `quit`.
    Quit,
    /// `d`: show the position.
    Display,
    /// `eval`: show the static evaluation.
    Evaluate,
    /// `bench [NODES]`: search fixed positions with this many nodes each.
    Bench(Option<u64>),
}

/// Where a game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `startpos`: the orthodox array.
    Start,
    /// `startpos960 N`: a Chess960 array by number, not yet checked.
    Start960(u32),
    /// `fen ...`: four to seven fields.
    Fen(String),
}

/// A position as given: a start and moves, none of them checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionRequest {
    /// Where the game starts.
    pub origin: Origin,
    /// The moves from there, one flat list across series.
    pub moves: Vec<String>,
}

impl Default for PositionRequest {
    fn default() -> PositionRequest {
        PositionRequest {
            origin: Origin::Start,
            moves: Vec::new(),
        }
    }
}

/// The limits of a search as given. Times are in milliseconds; numbers too large for their type
/// are read as the largest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoRequest {
    /// White's and Black's remaining time; may be negative.
    pub time: [Option<i64>; 2],
    /// White's and Black's increment.
    pub increment: [Option<i64>; 2],
    /// Turns to the next time control.
    pub moves_to_go: Option<u32>,
    /// Search exactly this long.
    pub move_time: Option<i64>,
    /// Search this many series deep.
    pub depth: Option<u32>,
    /// Search this many nodes.
    pub nodes: Option<u64>,
    /// Look for a mate in this many own series.
    pub mate: Option<u32>,
    /// Until `stop`.
    pub infinite: bool,
    /// On the client's expected series, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Only series that begin with one of these moves.
    pub first_moves: Vec<String>,
    /// Only these series.
    pub series: Vec<Vec<String>>,
}

/// A line that is no command. The texts are cut to what an error line can show.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// The line begins with nothing known.
    #[error(
        "unknown command '{0}' (expected uci, isready, setoption, ucinewgame, position, go, stop, ponderhit, d, eval, bench or quit)"
    )]
    Unknown(String),
    /// Something is missing after a word.
    #[error("nothing after '{after}' (expected {expected})")]
    Missing {
        /// The word.
        after: String,
        /// What should follow it.
        expected: &'static str,
    },
    /// A word that does not belong there.
    #[error("'{text}' in {command} (expected {expected})")]
    Unexpected {
        /// The command.
        command: &'static str,
        /// The word.
        text: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// The same thing twice, or two things that exclude each other.
    #[error("{first} and {second} in one {command} (expected only one of them)")]
    Conflict {
        /// The command.
        command: &'static str,
        /// One of the two.
        first: String,
        /// The other.
        second: String,
    },
}

impl fmt::Display for PositionRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("position ")?;
        match &self.origin {
            Origin::Start => f.write_str("startpos")?,
            Origin::Start960(number) => write!(f, "startpos960 {number}")?,
            Origin::Fen(fen) => write!(f, "fen {fen}")?,
        }
        if !self.moves.is_empty() {
            write!(f, " moves {}", self.moves.join(" "))?;
        }
        Ok(())
    }
}

impl fmt::Display for GoRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn field<T: fmt::Display>(
            f: &mut fmt::Formatter<'_>,
            name: &str,
            value: Option<T>,
        ) -> fmt::Result {
            value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
        }
        f.write_str("go")?;
        for (word, on) in [("infinite", self.infinite), ("ponder", self.ponder)] {
            if on {
                write!(f, " {word}")?;
            }
        }
        field(f, "wtime", self.time[0])?;
        field(f, "btime", self.time[1])?;
        field(f, "winc", self.increment[0])?;
        field(f, "binc", self.increment[1])?;
        field(f, "movestogo", self.moves_to_go)?;
        field(f, "movetime", self.move_time)?;
        field(f, "depth", self.depth)?;
        field(f, "nodes", self.nodes)?;
        field(f, "mate", self.mate)?;
        if !self.first_moves.is_empty() {
            write!(f, " searchmoves {}", self.first_moves.join(" "))?;
        }
        if !self.series.is_empty() {
            let series: Vec<String> = self.series.iter().map(|moves| moves.join(" ")).collect();
            write!(f, " searchseries {}", series.join(" / "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Command {
    /// Writes the line that reads as this command.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption {
                name,
                value: Some(value),
            } => write!(f, "setoption name {name} value {value}"),
            Command::Register => f.write_str("register later"),
            Command::NewGame => f.write_str("ucinewgame"),
            Command::Position(position) => position.fmt(f),
            Command::Go(go) => go.fmt(f),
            Command::Perft(depth) => write!(f, "go perft {depth}"),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
            Command::Display => f.write_str("d"),
            Command::Evaluate => f.write_str("eval"),
            Command::Bench(None) => f.write_str("bench"),
            Command::Bench(Some(nodes)) => write!(f, "bench {nodes}"),
        }
    }
}
