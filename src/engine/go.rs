//! A `go` command made into a search order.

use std::time::{Duration, Instant};

use thiserror::Error;

use super::{
    place::Place,
    settings::{EngineSettings, Turns},
};
use crate::{
    notation::{MoveTextError, is_pass, parse_uci_move},
    protocol::GoRequest,
    rules::{Color, Move, MoveKind, SeriesPosition, Status},
    search::{Clock, Limits, Request},
};

/// Why a `go` command cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum GoError {
    /// A first move that cannot be played.
    #[error("searchmoves: {0}")]
    FirstMove(MoveTextError),
    /// A move of a series that cannot be played.
    #[error("searchseries, series number {number}: {error}")]
    Series {
        /// Which series, from 1.
        number: usize,
        /// What is wrong.
        error: MoveTextError,
    },
    /// A series with moves after its end.
    #[error(
        "searchseries, series number {number}: '{text}' comes after the end of the series (expected {length} moves)"
    )]
    TooLong {
        /// Which series, from 1.
        number: usize,
        /// The first move too many.
        text: String,
        /// How many moves the series has.
        length: usize,
    },
    /// A series that is not complete.
    #[error(
        "searchseries, series number {number} has {given} moves (expected a whole series, {left} more)"
    )]
    TooShort {
        /// Which series, from 1.
        number: usize,
        /// How many moves were given.
        given: usize,
        /// How many are missing.
        left: u16,
    },
    /// A move of the side that waits.
    #[error("searchmoves: '{text}' where {side} waits (expected a pass)")]
    Waiting {
        /// The move.
        text: String,
        /// Who waits.
        side: Color,
    },
    /// Whole series where the client moves single men.
    #[error("searchseries in alternating mode (expected searchmoves)")]
    SeriesInAlternating,
}

fn milliseconds(time: i64) -> Duration {
    Duration::from_millis(time.max(0) as u64)
}

/// The limits of a search. Where only the other side's clock is given, it is taken for both.
pub(super) fn limits(go: &GoRequest, settings: &EngineSettings) -> Limits {
    let clock = |color: Color| {
        let index = color.fold_wb(0, 1);
        let remaining = go.time[index].or(go.time[1 - index])?;
        let increment = go.increment[index].unwrap_or(0);
        Some(Clock {
            remaining: milliseconds(remaining),
            increment: milliseconds(increment),
        })
    };
    Limits {
        clocks: [clock(Color::Black), clock(Color::White)],
        turns_to_go: go.moves_to_go.filter(|&turns| turns > 0),
        move_time: go.move_time.map(milliseconds),
        overhead: settings.overhead,
        nodes: go.nodes,
        depth: go.depth,
        mate: go.mate,
    }
}

/// Whether a search would never end by itself.
pub(super) fn is_endless(go: &GoRequest) -> bool {
    go.infinite
        || (go.time == [None, None]
            && go.move_time.is_none()
            && go.depth.is_none()
            && go.nodes.is_none()
            && go.mate.is_none())
}

/// The search order for `go` at `place`. Where the side to move has to wait, it asks for nothing
/// but what the command may ask for there.
pub(super) fn order(
    go: &GoRequest,
    place: &Place,
    settings: &EngineSettings,
    received: Instant,
) -> Result<Request, GoError> {
    let position = place.game.position();
    let is_no_pass = |text: &&String| place.is_waiting && !is_pass(text);
    if let Some(text) = go.first_moves.iter().find(is_no_pass) {
        return Err(GoError::Waiting {
            text: text.chars().take(20).collect(),
            side: place.client_side(),
        });
    }
    let mut first_moves = go
        .first_moves
        .iter()
        .filter(|_| !place.is_waiting)
        .map(|text| parse_uci_move(position, text).map_err(GoError::FirstMove))
        .collect::<Result<Vec<Move>, GoError>>()?;
    if settings.turns == Turns::Alternating {
        if !go.series.is_empty() {
            return Err(GoError::SeriesInAlternating);
        }
        if first_moves.is_empty() {
            first_moves = moves_a_client_can_see(place);
        }
    }
    let series = go
        .series
        .iter()
        .enumerate()
        .map(|(index, texts)| whole_series(position, index + 1, texts))
        .collect::<Result<_, GoError>>()?;
    Ok(Request {
        game: place.game.clone(),
        limits: limits(go, settings),
        first_moves,
        series,
        lines: settings.lines,
        received,
        refutations: settings.shows_refutations,
    })
}

fn whole_series(
    position: &SeriesPosition,
    number: usize,
    texts: &[String],
) -> Result<Vec<Move>, GoError> {
    let mut at = *position;
    let mut series = Vec::new();
    for text in texts {
        if is_complete(&at, position) {
            return Err(GoError::TooLong {
                number,
                text: text.chars().take(20).collect(),
                length: series.len(),
            });
        }
        let m = parse_uci_move(&at, text).map_err(|error| GoError::Series { number, error })?;
        at.play(m);
        series.push(m);
    }
    if is_complete(&at, position) {
        Ok(series)
    } else {
        Err(GoError::TooShort {
            number,
            given: series.len(),
            left: at.moves_left(),
        })
    }
}

/// Whether the series that began (or went on) at `from` is over at `at`.
fn is_complete(at: &SeriesPosition, from: &SeriesPosition) -> bool {
    at.turn() != from.turn() || matches!(at.status(), Status::Over(_))
}

/// The first moves without en passant captures that an alternating client's library does not
/// know: those of a pawn whose double step was not the last ply. Empty if all moves may be
/// played, or if there are no others.
fn moves_a_client_can_see(place: &Place) -> Vec<Move> {
    let position = place.game.position();
    let last = place.game.series().last().and_then(|series| series.last());
    let is_hidden = |m: &Move| {
        m.kind() == MoveKind::EnPassant
            && last.is_some_and(|last| {
                last.kind() != MoveKind::DoubleStep || last.to().file() != m.to().file()
            })
    };
    let moves = position.legal_moves();
    if !moves.iter().any(is_hidden) {
        return Vec::new();
    }
    moves.into_iter().filter(|m| !is_hidden(m)).collect()
}
