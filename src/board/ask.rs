//! What a page may ask. Reading is strict: an unknown field or kind is an error, and everything
//! that could grow has a bound.

use serde::Deserialize;

use super::BoardError;

/// The longest message that is read, in bytes.
pub const MESSAGE_MAX: usize = 1 << 20;
/// The most moves of one line.
pub const MOVES_MAX: usize = 4096;
/// The most moves of a tree of variations.
pub const NODES_MAX: usize = 8192;
/// The most lines an analysis shows.
pub const LINES_MAX: u32 = 10;
/// The longest text of one comment or tag, in bytes.
pub const TEXT_MAX: usize = 8192;

/// One message of a page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Chosen by the page; every answer carries it.
    pub id: u32,
    /// What is asked.
    pub ask: Ask,
}

/// A game as data: everything the server needs to know it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameText {
    /// A preset with switches, as match configurations write it: `italian quiet-limit=8`.
    pub rules: String,
    /// `startpos`, `startpos960 N` or a series FEN.
    pub start: String,
    /// The moves as UCI text, flat across series.
    pub moves: Vec<String>,
}

/// Which of a page's engines is meant; each is a process of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// The player of the white men.
    White,
    /// The player of the black men.
    Black,
    /// The analyst.
    Analysis,
}

impl Seat {
    /// How many there are.
    pub const COUNT: usize = 3;
}

/// The clocks of a game, milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clocks {
    /// White's time left.
    pub white: u64,
    /// Black's time left.
    pub black: u64,
    /// What each series adds.
    pub increment: u64,
}

/// A move of a tree.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeMove {
    /// The index of the move it follows, which must stand earlier in the list; none for a first
    /// move. Of moves that follow the same one the first is the main line.
    pub parent: Option<usize>,
    /// UCI text.
    pub uci: String,
    /// Comments behind it.
    #[serde(default)]
    pub comments: Vec<String>,
    /// Numeric glyphs.
    #[serde(default)]
    pub glyphs: Vec<u8>,
}

/// How an exported game is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PgnForm {
    /// One number for each series: `1.e4 2.e5 Nf6`.
    Series,
    /// With null moves, for viewers of alternating chess; the main line only.
    NullMoves,
}

/// What a page asks.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ask {
    /// What there is: rules, engines, levels, matches.
    Hello {},
    /// The position after a game's moves, with all that a board shows.
    View {
        /// The game.
        game: GameText,
    },
    /// Read moves of the current series as a person types them: UCI text or SAN. It also tells
    /// why a move is not allowed.
    Read {
        /// The game.
        game: GameText,
        /// The moves.
        text: String,
    },
    /// Let an engine play the rest of the series.
    Play {
        /// The game.
        game: GameText,
        /// Whose engine.
        seat: Seat,
        /// Index of the engine.
        engine: usize,
        /// Index of the level.
        level: usize,
        /// What the chances of lower levels depend on: another one gives another game.
        seed: u32,
        /// The clocks, if there are any.
        clocks: Option<Clocks>,
    },
    /// Look at the position until told to stop.
    Analyse {
        /// The game.
        game: GameText,
        /// Index of the engine.
        engine: usize,
        /// How many lines to show.
        lines: u32,
        /// Look at what the other side could do if the side on turn passed.
        threat: bool,
        /// Stop by itself after so many milliseconds.
        time: Option<u64>,
    },
    /// End what an engine does; nothing is played.
    Stop {
        /// Whose engine.
        seat: Seat,
    },
    /// Have a playing engine play what it has found so far.
    MoveNow {
        /// Whose engine.
        seat: Seat,
    },
    /// Read games of a PGN text, in either form.
    Import {
        /// The text.
        pgn: String,
        /// The rules of games that name none.
        rules: String,
    },
    /// Write a tree as PGN.
    Export {
        /// The rules.
        rules: String,
        /// The start, as in [`GameText`].
        start: String,
        /// Tags by name.
        tags: Vec<(String, String)>,
        /// Comments before the first move.
        comments: Vec<String>,
        /// The moves.
        moves: Vec<TreeMove>,
        /// The result, `*` if open.
        result: String,
        /// The form.
        form: PgnForm,
    },
    /// The list of problems.
    Problems {},
    /// The next move, or the whole way, to mate in this series.
    Hint {
        /// The problem and the moves tried so far.
        game: GameText,
    },
    /// Follow a match.
    Watch {
        /// Its name, one of those in the greeting.
        source: String,
    },
    /// Follow no match any more.
    Unwatch {},
}

/// Reads a message.
///
/// # Errors
/// In words, with the message's number if it could be read.
pub fn read_message(text: &str) -> Result<Message, (u32, BoardError)> {
    /// What is left of a message that was not understood.
    #[derive(Deserialize)]
    struct Number {
        id: u32,
    }
    if text.len() > MESSAGE_MAX {
        return Err((
            0,
            BoardError(format!(
                "the message has {} bytes: at most {MESSAGE_MAX} are read",
                text.len()
            )),
        ));
    }
    serde_json::from_str(text).map_err(|error| {
        let id = serde_json::from_str::<Number>(text).map_or(0, |number| number.id);
        let error = format!("the message was not understood: {error}");
        (id, BoardError(error))
    })
}
