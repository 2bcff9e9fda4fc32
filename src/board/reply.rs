//! What the server answers.

use std::collections::BTreeMap;

use serde::Serialize;

/// An answer, with the number of the message that asked.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The number; 0 where nothing was asked.
    pub id: u32,
    /// The answer.
    #[serde(flatten)]
    pub reply: Reply,
}

/// The kinds of answers.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Reply {
    /// What there is.
    Hello(Box<Hello>),
    /// A position.
    View(Box<View>),
    /// Moves that were read.
    Read {
        /// UCI text; empty if they are not allowed.
        moves: Vec<String>,
        /// Why they are not allowed, or empty.
        text: String,
    },
    /// What an engine sees so far.
    Lines(Box<Lines>),
    /// The series an engine plays.
    Played {
        /// UCI moves.
        moves: Vec<String>,
        /// Milliseconds it took.
        time: u64,
    },
    /// An engine's work ended, without a move.
    Stopped {},
    /// Games that were read.
    Imported {
        /// The games, in order.
        games: Vec<Sheet>,
        /// What could not be read.
        errors: Vec<String>,
    },
    /// A game as text.
    Exported {
        /// PGN.
        pgn: String,
    },
    /// The problems.
    Problems {
        /// All of them.
        problems: Vec<ProblemText>,
    },
    /// A way to mate in this series.
    Hint {
        /// The moves; empty if there is none.
        moves: Vec<MoveView>,
        /// In words.
        text: String,
    },
    /// A match as it stands.
    Match(Box<super::watch::MatchView>),
    /// Something a person should know, such as an engine that was started anew.
    Notice {
        /// In words.
        text: String,
    },
    /// The question could not be answered.
    Error {
        /// In words.
        text: String,
    },
}

/// What there is to choose from.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hello {
    /// Name and version of the program.
    pub program: String,
    /// The presets, the default first.
    pub presets: Vec<PresetText>,
    /// The switches.
    pub switches: Vec<SwitchText>,
    /// Names of the engines.
    pub engines: Vec<String>,
    /// Names of the levels, weakest first.
    pub levels: Vec<&'static str>,
    /// Names of the matches to watch.
    pub matches: Vec<String>,
}

/// A preset.
#[derive(Clone, Debug, Serialize)]
pub struct PresetText {
    /// Its name.
    pub name: &'static str,
    /// What makes it, in a few words.
    pub summary: String,
    /// The value of every switch.
    pub values: BTreeMap<&'static str, String>,
}

/// A switch.
#[derive(Clone, Debug, Serialize)]
pub struct SwitchText {
    /// Its name.
    pub name: &'static str,
    /// The values, where they are a list.
    pub values: Option<Vec<&'static str>>,
}

/// A position with all that a board shows of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// The rules, as text.
    pub rules: String,
    /// Series FEN of the start.
    pub start: String,
    /// Series FEN of the position.
    pub fen: String,
    /// The side on turn.
    pub side: &'static str,
    /// The turn's number.
    pub turn: u16,
    /// How many moves its series has.
    pub length: u16,
    /// How many of them are left.
    pub left: u16,
    /// How many moves the next series has.
    pub next_length: u16,
    /// Whether checks end a series, wait for its last move, or do not exist.
    pub checks: &'static str,
    /// The square of a king in check.
    pub check: Option<String>,
    /// The game so far, turn by turn.
    pub turns: Vec<TurnView>,
    /// Squares that men can go to.
    pub targets: BTreeMap<String, Vec<String>>,
    /// What pawns can become, by the move without its letter.
    pub promotions: BTreeMap<String, Vec<char>>,
    /// Squares that men reach but may not go to, with the reason.
    pub refused: BTreeMap<String, BTreeMap<String, String>>,
    /// The end of the game.
    pub over: Option<Over>,
    /// Quiet series in a row, and how many of them draw (0: never).
    pub quiet: [u16; 2],
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Over {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: &'static str,
    /// The winner.
    pub winner: Option<&'static str>,
    /// Why, in words.
    pub reason: &'static str,
    /// Both, as a sentence.
    pub text: String,
}

/// A turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TurnView {
    /// Its number.
    pub turn: u16,
    /// Who plays it.
    pub side: &'static str,
    /// How many moves it may have.
    pub length: u16,
    /// Its moves.
    pub moves: Vec<MoveView>,
    /// Whether it is complete.
    pub complete: bool,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveView {
    /// UCI text.
    pub uci: String,
    /// For people.
    pub san: String,
    /// From where to where the man goes, for arrows.
    pub from: String,
    /// See `from`.
    pub to: String,
    /// The placement after it, as in FEN.
    pub board: String,
    /// The square of a king that it checks.
    pub check: Option<String>,
}

/// What an engine sees.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lines {
    /// The rank of this line, from 1.
    pub rank: u32,
    /// Depth in series.
    pub depth: u32,
    /// From White's view, as text: `+0.35`, `-M2`.
    pub score: String,
    /// From White's view, hundredths of a pawn; mates are beyond 29,000.
    pub value: i32,
    /// Whether the side on turn mates (or captures all) in this very series.
    pub wins: bool,
    /// Positions looked at.
    pub nodes: u64,
    /// The same in a second.
    pub nps: u64,
    /// Milliseconds.
    pub time: u64,
    /// The series, from the position on.
    pub turns: Vec<TurnView>,
    /// The placement it begins with.
    pub board: String,
}

/// A game with its variations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sheet {
    /// Tags by name.
    pub tags: Vec<(String, String)>,
    /// The rules, as text.
    pub rules: String,
    /// Series FEN of the start.
    pub start: String,
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves, as in [`super::ask::TreeMove`].
    pub moves: Vec<SheetMove>,
    /// The result as written.
    pub result: String,
}

/// A move of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SheetMove {
    /// The index of the move it follows.
    pub parent: Option<usize>,
    /// UCI text.
    pub uci: String,
    /// For people.
    pub san: String,
    /// The number of its turn.
    pub turn: u16,
    /// Comments behind it.
    pub comments: Vec<String>,
    /// Numeric glyphs.
    pub glyphs: Vec<u8>,
}

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProblemText {
    /// Its name.
    pub id: String,
    /// The rules, as text.
    pub rules: String,
    /// Series FEN.
    pub fen: String,
    /// How many moves the series has.
    pub length: u16,
    /// The side that mates.
    pub side: &'static str,
}
