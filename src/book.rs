//! The opening book: positions, the series to be played in them, and what is known of each, kept
//! apart by whether it is proven or only believed.
//!
//! A [`Book`] is read from bytes or from a file, asked with [`Book::probe`], and written again.
//! Its format is described in `docs/book.md`. The room knows the rules and how series are written;
//! it never searches: `seriatim book build` makes books, the engine plays from them.
//!
//! Whatever a file holds, reading it ends in a book or in a [`FormatError`] that says where and
//! what is wrong, and a series that cannot be played where it is asked for is an
//! [`IllegalSeries`].

mod choice;
mod format;
mod key;
mod packed;
mod source;

use std::collections::BTreeMap;

use thiserror::Error;

use crate::{
    notation::{CastlingText, format_fen, uci_text},
    rules::{Move, RuleSet, SeriesPosition, Status},
};
pub use choice::choose;
pub use format::{FORMAT_VERSION, FormatError, checksum, switches_text};
pub use key::{book_key, key_text};
pub use packed::PackedMove;
pub use source::{Source, SourceError};

/// What a series is worth for the side that plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// So many hundredths of a pawn, as a search believes; whether the opponent mates in the
    /// answer is not known.
    Believed(i16),
    /// So many hundredths of a pawn, as a search believes; it is proven that the opponent has no
    /// mate in the answer.
    Safe(i16),
    /// Proven: it wins by force, in so many own series, itself included. At least 1.
    Win(u8),
    /// Proven: the opponent wins by force, in so many series of his. At least 1.
    Loss(u8),
}

/// Wins are worth more than any score, losses less.
const DECIDED: i32 = 100_000;

impl Worth {
    /// A number that orders worths: greater is better.
    pub fn rank(self) -> i32 {
        match self {
            Worth::Believed(score) | Worth::Safe(score) => i32::from(score),
            Worth::Win(series) => DECIDED - i32::from(series),
            Worth::Loss(series) => i32::from(series) - DECIDED,
        }
    }

    /// Whether the game is proven to be won or lost.
    pub fn is_decided(self) -> bool {
        matches!(self, Worth::Win(_) | Worth::Loss(_))
    }
}

/// What is proven of a position, for the side on turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Outlook {
    /// Neither a win nor a loss is proven.
    #[default]
    Open,
    /// It wins by force, in so many own series. At least 1.
    Won(u8),
    /// Whatever it plays, the opponent wins by force in so many series of his at most. At least 1.
    Lost(u8),
}

/// A series of a position, as the book keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is worth.
    pub worth: Worth,
    /// How often it is to be played, against the other series of the position; 0 is never.
    pub weight: u8,
    /// How many games of self-play went through it.
    pub games: u16,
    /// What they brought the side that played it, in half points.
    pub half_points: u16,
    /// Its moves, at least one.
    pub moves: Vec<PackedMove>,
}

/// What the book knows of a position.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Known {
    /// What is proven.
    pub outlook: Outlook,
    /// Its series, the best first; at least one, at most 255.
    pub entries: Vec<Entry>,
}

/// A series that can be played in the position that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its moves: a whole series.
    pub series: Vec<Move>,
    /// What it is worth.
    pub worth: Worth,
    /// How often it is to be played, against the other ones; 0 is never.
    pub weight: u8,
    /// How many games of self-play went through it.
    pub games: u16,
    /// What they brought the side that played it, in half points.
    pub half_points: u16,
}

/// What the book knows of the position that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What is proven.
    pub outlook: Outlook,
    /// Its series, the best first; at least one.
    pub choices: Vec<Choice>,
}

/// A series of the book that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "series '{series}' of the book is no whole legal series in {fen} (expected legal moves to the end of the turn)"
)]
pub struct IllegalSeries {
    /// The series as it stands in the book.
    pub series: String,
    /// The position.
    pub fen: String,
}

/// An opening book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    rules: RuleSet,
    note: String,
    positions: BTreeMap<u64, Known>,
}

/// The series that `moves` are in `position`, if they are a whole legal one.
fn unpack(position: &SeriesPosition, moves: &[PackedMove]) -> Option<Vec<Move>> {
    let mut at = *position;
    let mut series = Vec::with_capacity(moves.len());
    for packed in moves {
        if is_whole(&at, position) {
            return None;
        }
        let m = packed.find(&at)?;
        at.play(m);
        series.push(m);
    }
    is_whole(&at, position).then_some(series)
}

/// Whether the series that began at `from` is over at `at`.
fn is_whole(at: &SeriesPosition, from: &SeriesPosition) -> bool {
    at.turn() != from.turn() || matches!(at.status(), Status::Over(_))
}

impl Book {
    /// An empty book for `rules`; `note` says how it was made.
    pub fn new(rules: RuleSet, note: impl Into<String>) -> Book {
        Book {
            rules,
            note: note.into(),
            positions: BTreeMap::new(),
        }
    }

    /// The rules it is for.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// How it was made.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// How many positions it knows.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether it knows nothing.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Its positions by [`book_key`], in the order of the keys.
    pub fn positions(&self) -> impl Iterator<Item = (u64, &Known)> {
        self.positions.iter().map(|(&key, known)| (key, known))
    }

    /// Puts in what is known of `position`, the start of a turn, in place of what was known before.
    pub fn insert(&mut self, position: &SeriesPosition, known: Known) {
        self.positions.insert(book_key(position), known);
    }

    /// What is known of `position`: nothing where other rules are in force, in the middle of a
    /// series, and where the game is over.
    ///
    /// # Errors
    /// When one of its series cannot be played there.
    pub fn probe(&self, position: &SeriesPosition) -> Result<Option<Found>, IllegalSeries> {
        let is_asked = *position.rules() == self.rules
            && position.is_turn_start()
            && position.status() == Status::Ongoing;
        let Some(known) = self.positions.get(&book_key(position)).filter(|_| is_asked) else {
            return Ok(None);
        };
        let choices = known
            .entries
            .iter()
            .map(|entry| {
                let series = unpack(position, &entry.moves).ok_or_else(|| IllegalSeries {
                    series: packed_text(&entry.moves),
                    fen: format_fen(position),
                })?;
                Ok(Choice {
                    series,
                    worth: entry.worth,
                    weight: entry.weight,
                    games: entry.games,
                    half_points: entry.half_points,
                })
            })
            .collect::<Result<_, IllegalSeries>>()?;
        Ok(Some(Found {
            outlook: known.outlook,
            choices,
        }))
    }

    /// The play that the book expects from `position` on: its best series in turn, at most `most`
    /// of them.
    pub fn line(&self, position: &SeriesPosition, most: usize) -> Vec<Vec<Move>> {
        let mut at = *position;
        let mut line = Vec::new();
        while line.len() < most {
            let Ok(Some(found)) = self.probe(&at) else {
                break;
            };
            let Some(best) = found.choices.into_iter().next() else {
                break;
            };
            for &m in &best.series {
                at.play(m);
            }
            line.push(best.series);
        }
        line
    }
}

impl Found {
    /// The series to play: chosen by weight with `seed`, or the best where `seed` is `None`. The
    /// same seed chooses the same series. `None` where none is to be played.
    pub fn choose(&self, position: &SeriesPosition, seed: Option<u64>) -> Option<&Choice> {
        choose(self, position, seed)
    }
}

/// Packed moves as text, also those that are not legal anywhere.
fn packed_text(moves: &[PackedMove]) -> String {
    let words: Vec<String> = moves.iter().map(ToString::to_string).collect();
    words.join(" ")
}

/// A series as text.
pub fn series_text(series: &[Move]) -> String {
    let words: Vec<String> = series
        .iter()
        .map(|&m| uci_text(m, CastlingText::KingMove))
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests;
