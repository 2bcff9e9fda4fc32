//! A legal series at once, without any search.

use super::{
    generator::{decided, ends_at_once},
    request::{Answer, Report, Score},
};
use crate::{
    eval,
    rules::{Move, SeriesPosition},
};

/// Some complete legal series of `position`, at once: move by move the best by evaluation.
pub(super) fn quick_series(position: &SeriesPosition, first_moves: &[Move]) -> Vec<Move> {
    let side = position.side();
    let mut at = *position;
    let mut series = Vec::new();
    loop {
        let moves = at.legal_moves();
        let best = moves
            .iter()
            .filter(|m| !series.is_empty() || first_moves.is_empty() || first_moves.contains(m))
            .max_by_key(|&&m| {
                let next = at.after(m);
                if next.side() == side {
                    return (next.has_legal_move(), eval::evaluate(&next).0);
                }
                let worth = decided(next.status(), side);
                (true, worth.unwrap_or_else(|| -eval::evaluate(&next).0))
            });
        let Some(&m) = best else { break };
        series.push(m);
        at.play(m);
        if at.is_turn_start() || ends_at_once(&at) {
            break;
        }
    }
    series
}

/// Some complete legal series of `position`, which is not over, without any search: for the case
/// that a search failed.
pub fn quick_answer(position: &SeriesPosition, first_moves: &[Move]) -> Answer {
    Answer {
        lines: vec![Report {
            depth: 0,
            line: 0,
            candidates: 0,
            verified: 0,
            refuted: 0,
            score: Score::Centipawns(0),
            nodes: 0,
            elapsed: std::time::Duration::ZERO,
            hashfull: 0,
            pv: vec![quick_series(position, first_moves)],
        }],
    }
}
