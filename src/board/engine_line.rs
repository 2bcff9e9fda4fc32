//! What an engine says, made into what a board shows.

use super::{
    reply::Lines,
    view::{placement, turns},
};
use crate::{
    matches::info::{InfoLine, Score},
    notation::parse_uci_move,
    rules::{Color, Move, SeriesPosition},
};

/// The most moves of a line that are shown.
const SHOWN_MAX: usize = 60;

/// The legal beginning of a list of moves: an engine's line is shown as far as it makes sense.
fn legal_moves<'w>(position: &SeriesPosition, words: impl Iterator<Item = &'w str>) -> Vec<Move> {
    let mut position = *position;
    let mut moves = Vec::new();
    for word in words.take(SHOWN_MAX) {
        let Ok(played) = parse_uci_move(&position, word) else {
            break;
        };
        position.play(played);
        moves.push(played);
    }
    moves
}

/// Reads an `info` line (without the word `info`) about `position`; `None` if it shows nothing.
pub fn read(position: &SeriesPosition, line: &str) -> Option<Lines> {
    let info = InfoLine::read(line);
    let score = info.score?;
    let moves = legal_moves(position, info.pv);
    if moves.is_empty() || info.rank == 0 {
        return None;
    }
    let white = match position.side() {
        Color::White => score,
        Color::Black => score.of_the_other_side(),
    };
    Some(Lines {
        rank: info.rank,
        depth: info.depth.unwrap_or(0),
        score: white.to_string(),
        value: white.centipawns(),
        wins: score == Score::Mate(1),
        nodes: info.nodes.unwrap_or(0),
        nps: info.nps.unwrap_or(0),
        time: info.time.unwrap_or(0),
        turns: turns(position, &moves),
        board: placement(position),
    })
}

/// Reads the answer to `go` (without the word `bestmove`): a whole legal series.
///
/// # Errors
/// In words, what is wrong with it.
pub fn read_series(position: &SeriesPosition, text: &str) -> Result<Vec<String>, String> {
    let mut after = *position;
    let mut moves = Vec::new();
    for word in text
        .split_ascii_whitespace()
        .take_while(|&word| word != "ponder")
    {
        if !moves.is_empty() && after.is_turn_start() {
            return Err(format!("it answered '{text}', more than one series"));
        }
        let played = parse_uci_move(&after, word).map_err(|error| error.to_string())?;
        after.play(played);
        moves.push(word.to_owned());
    }
    if moves.is_empty() {
        return Err(format!("it answered '{text}', no move"));
    }
    if !after.is_turn_start() && after.board_outcome().is_none() {
        return Err(format!("it answered '{text}', less than a series"));
    }
    Ok(moves)
}
