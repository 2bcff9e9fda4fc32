//! A legal series at once, without any search.

use super::{
    generator::{decided, ends_at_once},
    request::{Answer, Report},
    score::told,
};
use crate::{
    eval::{self, Terms},
    rules::{Color, Move, SeriesPosition},
};

/// So many moves are judged; in a longer series any move will do after that.
const JUDGED_MAX: usize = 2000;
/// The last moves of a series are judged even then: they decide what the opponent finds.
const LAST_MOVES: u16 = 2;

/// Some complete legal series of `position`, at once: move by move the best by evaluation. The
/// longest series there are take some tenths of a second.
pub(super) fn quick_series(position: &SeriesPosition, first_moves: &[Move]) -> Vec<Move> {
    let side = position.side();
    let mut at = *position;
    let mut series = Vec::new();
    let mut judged = 0;
    loop {
        let moves = at.legal_moves();
        let mut allowed = moves
            .iter()
            .filter(|m| !series.is_empty() || first_moves.is_empty() || first_moves.contains(m));
        let best = if judged < JUDGED_MAX || at.moves_left() <= LAST_MOVES {
            judged += moves.len();
            allowed.max_by_key(|&&m| {
                let next = at.after(m);
                if next.side() == side {
                    return (next.has_legal_move(), eval::evaluate(&next).0);
                }
                (true, worth_of_end(&next, side, Terms::All))
            })
        } else {
            allowed
                .clone()
                .find(|&&m| {
                    let next = at.after(m);
                    next.side() != side || next.has_legal_move()
                })
                .or_else(|| allowed.next())
        };
        let Some(&m) = best else { break };
        series.push(m);
        at.play(m);
        if at.is_turn_start() || ends_at_once(&at) {
            break;
        }
    }
    series
}

/// What a series that ends in `end` is worth for `side`, which played it, by `terms` without looking
/// ahead.
pub(super) fn worth_of_end(end: &SeriesPosition, side: Color, terms: Terms) -> i32 {
    decided(end.status(), side).unwrap_or_else(|| {
        let worth = eval::assess(end, terms).worth.0;
        if end.side() == side { worth } else { -worth }
    })
}

/// The same for a series of `position`.
pub(super) fn worth_of(position: &SeriesPosition, series: &[Move], terms: Terms) -> i32 {
    let end = series
        .iter()
        .fold(*position, |position, &m| position.after(m));
    worth_of_end(&end, position.side(), terms)
}

/// Some complete legal series of `position`, which is not over, without any search: for the case
/// that a search failed.
pub fn quick_answer(position: &SeriesPosition, first_moves: &[Move]) -> Answer {
    let series = quick_series(position, first_moves);
    Answer {
        lines: vec![Report {
            depth: 0,
            line: 0,
            candidates: 0,
            verified: 0,
            refuted: 0,
            score: told(worth_of(position, &series, Terms::All)),
            nodes: 0,
            elapsed: std::time::Duration::ZERO,
            hashfull: 0,
            pv: vec![series],
        }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        notation::parse_fen,
        rules::{Preset, Status},
    };

    #[test]
    fn the_longest_series_is_complete() {
        for preset in [Preset::Italian, Preset::English, Preset::FullCapture] {
            let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 9001";
            let position = parse_fen(preset.rules(), fen).unwrap();
            let series = quick_series(&position, &[]);
            let end = series.iter().fold(position, |at, &m| {
                assert!(at.is_legal(m));
                at.after(m)
            });
            assert!(end.turn() != position.turn() || matches!(end.status(), Status::Over(_)));
        }
    }
}
