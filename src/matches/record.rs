//! A finished game as the journal keeps it; everything else derives from such records.

use serde::{Deserialize, Serialize};

use super::{ending::GameEnd, info::Score, schedule::GameNumber};
use crate::rules::Color;

/// One series of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct TurnRecord {
    /// The moves, as UCI text separated by blanks; castling is king-takes-rook.
    #[serde(rename = "m")]
    pub moves: String,
    /// The time used, milliseconds; missing for book moves.
    #[serde(rename = "t", skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// How late the reader was, milliseconds; not part of `time`.
    #[serde(rename = "l", skip_serializing_if = "is_zero")]
    pub lag: f64,
    /// The engine's score.
    #[serde(rename = "s", skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The engine's depth.
    #[serde(rename = "d", skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The engine's nodes.
    #[serde(rename = "n", skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

// The signature is serde's.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct GameRecord {
    /// Its number in the match.
    pub game: GameNumber,
    /// The round, from 0.
    pub round: u64,
    /// Index of the variant.
    pub variant: usize,
    /// Indices of the engines, white's first.
    pub engines: [usize; 2],
    /// The opening's number in the book; 0 without a book.
    pub opening: u64,
    /// The first position as series FEN; missing if it is the ordinary one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fen: Option<String>,
    /// How many of the turns are the book's.
    pub book_turns: usize,
    /// The turns that were played to their end.
    pub turns: Vec<TurnRecord>,
    /// How it ended.
    pub end: GameEnd,
    /// When it began, seconds since 1970 (UTC).
    pub started: u64,
    /// How long it lasted, milliseconds.
    pub duration: f64,
}

impl GameRecord {
    /// The side that played the turn at `index`.
    pub fn side_of(&self, index: usize) -> Color {
        let black_begins = self
            .fen
            .as_deref()
            .is_some_and(|fen| fen.split(' ').nth(1) == Some("b"));
        Color::from_white((index % 2 == 1) == black_begins)
    }
}
