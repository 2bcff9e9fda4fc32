//! Games of series chess in PGN: the tree of a game, its reader and its writer.
//!
//! In movetext every turn has its own number: `1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#`. The tags that say
//! what is played:
//!
//! - `[Variant "italian"]` names a preset;
//! - `[Rules "quiet-limit=12;ep=last"]` lists the switches that differ from it, joined by `;`;
//! - `[SetUp "1"]` and `[FEN "..."]` give another start in series FEN.
//!
//! A game is written with [`write_pgn`] and read with [`PgnReader`].

mod error;
mod movetext;
mod note;
mod reader;
mod tags;
mod wrap;
mod writer;

use std::{fmt, str::FromStr};

use super::lexer::clean_comment;
use crate::rules::{Color, Game, GameError, Move, Outcome, RuleSet, SeriesPosition};

pub use error::{PgnError, PgnProblem};
pub use note::{Score, SeriesNote};
pub use reader::PgnReader;
pub use tags::{VariantError, rules_text, variant_named};
pub use writer::write_pgn;

pub use movetext::VARIATION_DEPTH_MAX;
pub(super) use movetext::{Movetext, Numbering, Step, View};
pub(super) use tags::{is_managed, tag_name};
pub(super) use wrap::Wrap;
pub(super) use writer::{write_beside, write_comments, write_tag_section};

/// What a game's score sheet says at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished, or not known.
    #[default]
    Open,
}

impl GameResult {
    /// As PGN writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Open => "*",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for GameResult {
    type Err = ();

    fn from_str(text: &str) -> Result<GameResult, ()> {
        match text.trim() {
            "1-0" => Ok(GameResult::WhiteWins),
            "0-1" => Ok(GameResult::BlackWins),
            "1/2-1/2" => Ok(GameResult::Draw),
            "*" => Ok(GameResult::Open),
            _ => Err(()),
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        match outcome.winner {
            Some(Color::White) => GameResult::WhiteWins,
            Some(Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }
}

/// A move with what has been written beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnMove {
    pub(super) played: Move,
    pub(super) glyphs: Vec<u8>,
    pub(super) comments: Vec<String>,
    pub(super) variations: Vec<Line>,
}

impl PgnMove {
    /// A move with nothing beside it.
    pub fn new(played: Move) -> PgnMove {
        PgnMove {
            played,
            glyphs: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
        }
    }

    /// Adds a numeric glyph.
    pub fn add_glyph(&mut self, glyph: u8) {
        self.glyphs.push(glyph);
    }

    /// Adds a comment behind it; an empty one is none.
    pub fn add_comment(&mut self, text: &str) {
        push_comment(&mut self.comments, text);
    }

    /// Adds another line from the position before it; an empty one is none.
    pub fn add_variation(&mut self, line: Line) {
        if !line.moves.is_empty() {
            self.variations.push(line);
        }
    }

    /// The move.
    pub fn played(&self) -> Move {
        self.played
    }

    /// Its numeric glyphs (NAG), such as 1 for `!`.
    pub fn glyphs(&self) -> &[u8] {
        &self.glyphs
    }

    /// The comments behind it.
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// Other lines from the position before it.
    pub fn variations(&self) -> &[Line] {
        &self.variations
    }
}

/// A sequence of moves across series borders: a game's main line, or a variation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub(super) comments: Vec<String>,
    pub(super) moves: Vec<PgnMove>,
}

/// Adds a comment in a form that can be written and read back.
fn push_comment(comments: &mut Vec<String>, text: &str) {
    let text = clean_comment(text);
    if !text.is_empty() {
        comments.push(text);
    }
}

impl Line {
    /// Adds a move.
    pub fn push(&mut self, m: PgnMove) {
        self.moves.push(m);
    }

    /// Whether all moves of the line and of its variations are allowed, from `position` on. The
    /// variations may be nested `depth` times.
    fn is_legal(&self, mut position: SeriesPosition, depth: usize) -> bool {
        self.moves.iter().all(|m| {
            let before = position;
            if !before.is_legal(m.played) {
                return false;
            }
            position.play(m.played);
            m.variations.is_empty()
                || depth > 0
                    && m.variations
                        .iter()
                        .all(|line| line.is_legal(before, depth - 1))
        })
    }

    /// The comments before its first move.
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// Its moves; the rules tell where a series ends.
    pub fn moves(&self) -> &[PgnMove] {
        &self.moves
    }
}

/// A line that cannot be part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a move of the line is not allowed, or its variations are nested more than {VARIATION_DEPTH_MAX} deep"
)]
pub struct LineError;

/// A game: tags, start position, moves with everything written beside them, result.
///
/// All its moves are legal. The runner builds one with [`PgnGame::push_series`]; the reader
/// returns one.
#[derive(Clone, Debug, PartialEq)]
pub struct PgnGame {
    /// Tags other than those that follow from the fields below: the roster's first, the others
    /// in the order in which they were set.
    tags: Vec<(String, String)>,
    start: SeriesPosition,
    end: SeriesPosition,
    line: Line,
    result: GameResult,
}

impl PgnGame {
    /// A game without moves.
    pub fn new(start: SeriesPosition) -> PgnGame {
        PgnGame {
            tags: Vec::new(),
            start,
            end: start,
            line: Line::default(),
            result: GameResult::Open,
        }
    }

    /// The moves of `game`, with its result if it is over.
    pub fn from_game(game: &Game) -> PgnGame {
        let mut record = PgnGame::new(*game.start());
        for &m in game.series().iter().flatten() {
            record.append(PgnMove::new(m));
        }
        if let crate::rules::Status::Over(outcome) = game.status() {
            record.result = outcome.into();
        }
        record
    }

    /// The rules it is played by.
    pub fn rules(&self) -> &RuleSet {
        self.start.rules()
    }

    /// The position it starts from.
    pub fn start(&self) -> &SeriesPosition {
        &self.start
    }

    /// The position after its last move.
    pub fn end(&self) -> &SeriesPosition {
        &self.end
    }

    /// The main line.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// The result as written.
    pub fn result(&self) -> GameResult {
        self.result
    }

    /// Sets the result.
    pub fn set_result(&mut self, result: impl Into<GameResult>) {
        self.result = result.into();
    }

    /// The tags, but for those that follow from the rest: `Variant`, `Rules`, `SetUp`, `FEN`,
    /// `Result` and those of null-move PGN.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of a tag listed by [`PgnGame::tags`].
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags()
            .find_map(|(other, value)| (other == name).then_some(value))
    }

    /// Sets a tag, e.g. `White`, `TimeControl` or `Termination`; setting it again replaces it.
    /// Characters that a tag name cannot have become `_`, control characters of the value
    /// blanks. A tag that follows from the rest is left alone, and so is one that says that
    /// nothing is known (`?`), which is what its absence says.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        let name = tag_name(name);
        let value: String = value
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        if is_managed(&name) || tags::says_nothing(&name, &value) {
            return;
        }
        if let Some((_, old)) = self.tags.iter_mut().find(|(other, _)| *other == name) {
            *old = value;
            return;
        }
        let rank = tags::roster_rank(&name);
        let place = self
            .tags
            .partition_point(|(other, _)| tags::roster_rank(other) <= rank);
        self.tags.insert(place, (name, value));
    }

    /// Adds a move to the main line.
    ///
    /// # Errors
    /// If it is not allowed; the game is unchanged then.
    pub fn push(&mut self, m: Move) -> Result<(), GameError> {
        if !self.end.is_legal(m) {
            return Err(GameError::Illegal(m));
        }
        self.append(PgnMove::new(m));
        Ok(())
    }

    /// Adds the moves of a series, and a comment behind its last one if `comment` is not empty.
    ///
    /// # Errors
    /// If one is not allowed; those before it are added then.
    pub fn push_series(&mut self, moves: &[Move], comment: &str) -> Result<(), GameError> {
        for &m in moves {
            self.push(m)?;
        }
        self.comment(comment);
        Ok(())
    }

    /// Adds a comment behind the last move, or before the first; an empty one is none.
    pub fn comment(&mut self, text: &str) {
        let comments = match self.line.moves.last_mut() {
            Some(last) => &mut last.comments,
            None => &mut self.line.comments,
        };
        push_comment(comments, text);
    }

    /// Adds a whole line with its variations behind the last move.
    ///
    /// # Errors
    /// If a move of it is not allowed, or variations are nested deeper than the reader takes
    /// them; the game is unchanged then.
    pub fn push_line(&mut self, line: Line) -> Result<(), LineError> {
        if !line.is_legal(self.end, VARIATION_DEPTH_MAX) {
            return Err(LineError);
        }
        for comment in &line.comments {
            self.comment(comment);
        }
        for m in line.moves {
            self.append(m);
        }
        Ok(())
    }

    /// The moves of the main line, turn by turn; the last turn may be unfinished.
    pub fn series(&self) -> Vec<Vec<Move>> {
        let mut series: Vec<Vec<Move>> = Vec::new();
        let mut position = self.start;
        for m in self.line.moves.iter().map(PgnMove::played) {
            if position.is_turn_start() || series.is_empty() {
                series.push(Vec::new());
            }
            if let Some(last) = series.last_mut() {
                last.push(m);
            }
            position.play(m);
        }
        series
    }

    /// The game as the rules know it, with the history that repetition needs.
    ///
    /// # Errors
    /// Never for a game that was read or built move by move.
    pub fn to_game(&self) -> Result<Game, GameError> {
        let mut game = Game::new(self.start);
        for m in &self.line.moves {
            game.play(m.played)?;
        }
        Ok(game)
    }

    /// Adds a move that is known to be legal.
    pub(super) fn append(&mut self, m: PgnMove) {
        self.end.play(m.played);
        self.line.moves.push(m);
    }

    pub(super) fn line_mut(&mut self) -> &mut Line {
        &mut self.line
    }

    pub(super) fn from_parts(
        start: SeriesPosition,
        line: Line,
        result: GameResult,
        tags: Vec<(String, String)>,
    ) -> PgnGame {
        let mut game = PgnGame::new(start);
        for (name, value) in tags {
            game.set_tag(&name, &value);
        }
        game.line.comments = line.comments;
        for m in line.moves {
            game.append(m);
        }
        game.result = result;
        game
    }
}

#[cfg(test)]
mod tests;
