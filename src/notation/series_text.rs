//! Series and whole games as plain movetext: `e5 Nf6` and `1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#`.

use std::fmt::Write;

use thiserror::Error;

use super::{
    lexer::{LexError, Lexer, Spot, Token},
    pgn::{Movetext, Numbering, PgnProblem, Step},
    san::san,
};
use crate::rules::{Move, SeriesPosition};

/// A text that is no series, or no game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct SeriesTextError {
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
    /// What is wrong.
    pub problem: PgnProblem,
}

fn at(spot: Spot, problem: PgnProblem) -> SeriesTextError {
    SeriesTextError {
        line: spot.line,
        column: spot.column,
        problem,
    }
}

fn not_a_token(error: LexError) -> SeriesTextError {
    at(
        error.at,
        PgnProblem::unexpected(error.found, error.expected),
    )
}

/// Writes legal moves of one series, separated by blanks: `e5 Nf6`.
pub fn format_series(position: &SeriesPosition, moves: &[Move]) -> String {
    let mut position = *position;
    let mut words = Vec::with_capacity(moves.len());
    for &m in moves {
        words.push(san(&position, m));
        position.play(m);
    }
    words.join(" ")
}

/// Writes legal moves as movetext, with the number of every turn:
/// `1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#`.
pub fn format_movetext(start: &SeriesPosition, moves: &[Move]) -> String {
    let mut position = *start;
    let mut text = String::new();
    // Writing to a String cannot fail.
    for (index, &m) in moves.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        if position.is_turn_start() {
            let _ = write!(text, "{}.", position.turn());
        } else if index == 0 {
            let _ = write!(text, "{}...", position.turn());
        }
        text.push_str(&san(&position, m));
        position.play(m);
    }
    text
}

/// Reads moves of the current series, from its beginning or what is left of it: separated by
/// blanks, commas or slashes, in any spelling that [`super::parse_san`] takes. The turn's number
/// may stand before them. The series need not be complete.
///
/// # Errors
/// [`SeriesTextError`] with the place and what was expected.
pub fn parse_series(position: &SeriesPosition, text: &str) -> Result<Vec<Move>, SeriesTextError> {
    let mut lexer = Lexer::new(text.as_bytes());
    lexer.set_rebirth(position.rules().has_rebirth());
    let mut movetext = Movetext::new(*position, Numbering::Series);
    let mut is_first = true;
    loop {
        let (spot, token) = lexer.next().map_err(not_a_token)?;
        let belongs = match &token {
            Token::End => {
                let line = movetext.finish(&token).map_err(|error| at(spot, error))?;
                return Ok(line.moves().iter().map(super::PgnMove::played).collect());
            }
            Token::Number { .. } => is_first,
            Token::Move(_) | Token::Separator(_) | Token::EnPassant | Token::Glyph(_) => true,
            _ => false,
        };
        if !belongs {
            let problem = PgnProblem::unexpected(token.describe(), "moves of one series only");
            return Err(at(spot, problem));
        }
        if is_first && position.is_turn_start() && !matches!(token, Token::Number { .. }) {
            let number = Token::Number {
                number: u32::from(position.turn().0),
                dots: 1,
            };
            movetext.take(number).map_err(|error| at(spot, error))?;
        }
        is_first = false;
        movetext.take(token).map_err(|error| at(spot, error))?;
    }
}

/// Reads the movetext of a game that starts with `start`, turn by turn; the last turn may be
/// unfinished. Comments and variations are checked but not returned; a result may end the text.
///
/// # Errors
/// [`SeriesTextError`] with the place and what was expected.
pub fn parse_movetext(
    start: &SeriesPosition,
    text: &str,
) -> Result<Vec<Vec<Move>>, SeriesTextError> {
    let mut lexer = Lexer::new(text.as_bytes());
    lexer.set_rebirth(start.rules().has_rebirth());
    let mut movetext = Movetext::new(*start, Numbering::Series);
    let mut ended = false;
    let line = loop {
        let (spot, token) = lexer.next().map_err(not_a_token)?;
        if token == Token::End {
            break movetext.finish(&token).map_err(|error| at(spot, error))?;
        }
        if ended && !matches!(token, Token::Comment(_)) {
            let problem = PgnProblem::unexpected(token.describe(), "nothing behind the result");
            return Err(at(spot, problem));
        }
        let step = movetext.take(token).map_err(|error| at(spot, error))?;
        ended |= step != Step::GoesOn;
    };
    let mut game = super::PgnGame::new(*start);
    for m in line.moves() {
        game.append(super::PgnMove::new(m.played()));
    }
    Ok(game.series())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Preset, RuleSet};

    fn start(preset: Preset) -> SeriesPosition {
        SeriesPosition::start(preset.rules())
    }

    #[test]
    fn a_game_reads_and_writes() {
        let start = start(Preset::Italian);
        let text = "1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#";
        for spelled in [
            text,
            "1.e4 2.e5, Nf6 3.Bc4,Qh5,Qxf7",
            "1. e4 2. e5 / Nf6 3. Bc4 / Qh5 / Qxf7#",
            "1.e2-e4 {king's pawn} 2.e5 (2.d5 Nc6) 2...Ng8-f6!? 3.Bc4 Qh5 $1 Qxf7++ 1-0",
            "1 e4 2 e7e5 g8f6 3 f1c4 d1h5 h5f7",
        ] {
            let series = parse_movetext(&start, spelled).unwrap();
            assert_eq!(format_movetext(&start, &series.concat()), text);
        }
    }

    #[test]
    fn a_series_reads_and_writes() {
        let position = parse_movetext(&start(Preset::Italian), "1.e4").unwrap();
        let position = start(Preset::Italian).after(position[0][0]);
        for text in ["e5 Nf6", "e5,Nf6", "e5 / Nf6", "2.e5 Nf6", "e5/Nf6"] {
            let series = parse_series(&position, text).unwrap();
            assert_eq!(format_series(&position, &series), "e5 Nf6", "{text}");
        }
        assert_eq!(parse_series(&position, "e5").unwrap().len(), 1);
        assert!(parse_series(&position, "").unwrap().is_empty());
        let rest = position.after(parse_series(&position, "e5").unwrap()[0]);
        assert_eq!(parse_series(&rest, "Nf6").unwrap().len(), 1);
    }

    #[track_caller]
    fn fails(preset: Preset, text: &str, column: u64, needle: &str) {
        let error = parse_movetext(&start(preset), text).unwrap_err();
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.to_string().contains(needle), "{text}: {error}");
    }

    #[test]
    fn what_is_not_understood_is_an_error_with_its_place() {
        let it = Preset::Italian;
        fails(it, "e4", 1, "expected the turn number 1.");
        fails(
            it,
            "1.e4 2.e5 3.Bc4",
            11,
            "black's turn 2, 1 of 2 moves left",
        );
        fails(it, "1.e4 2.e5 Nf6 d5", 15, "expected the turn number 3.");
        fails(it, "1.e4 2.e5, 3.Bc4", 12, "expected a move");
        fails(it, "1.e4, 2.e5", 5, "found ','");
        fails(it, "1.e4 2.e5 Nf6,", 14, "found ','");
        fails(it, "1.e4 2.e5/", 11, "the end of the text");
        fails(it, "1.e4 2.e5/d5ep", 11, "no en passant");
        fails(
            it,
            "1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7# 4.Kxf7",
            31,
            "the game is over: checkmate",
        );
        fails(it, "1.e4 2.e5 e.p. Nf6", 11, "en passant");
        fails(it, "1.e4 2.e5 -- Nf6", 11, "found '--'");
        fails(it, "1.e4 (1.d4 2.e5", 16, "')'");
        fails(it, "1.e4 () 2.e5", 7, "found ')'");
        fails(it, "(1.e4)", 1, "behind a move");
        fails(it, "1.e4) 2.e5", 5, "found ')'");
        fails(it, "1.e4 * 2.e5", 8, "nothing behind the result");
        fails(it, "1.1.e4", 3, "found '1.'");
        fails(it, "$1 1.e4", 1, "glyph");
        fails(it, "1.e4 2.e5 Nf3", 11, "cannot go");
        fails(
            Preset::Scottish,
            "1.e4 2.d5 f6 3.Qh5+ Qe8",
            21,
            "turn number 4.",
        );
    }

    #[test]
    fn null_moves_are_no_series_text() {
        let position = SeriesPosition::start(RuleSet::default());
        assert!(parse_series(&position, "--").is_err());
        assert!(parse_series(&position, "e4 e5").is_err());
        assert!(parse_series(&position, "1.e4 2.e5").is_err());
        assert!(parse_series(&position, "e4 {x}").is_err());
    }
}
