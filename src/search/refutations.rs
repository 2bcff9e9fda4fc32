//! Mates that have worked lately: tried first against every new candidate.

#[cfg(test)]
use crate::rules::Square;
use crate::rules::{Color, Move, MoveKind, Role, SeriesPosition, Status, attacks};

/// How many mates are kept.
const KEPT: usize = 64;

/// Mates of one side, those that worked last in front.
#[derive(Debug, Default)]
pub(super) struct Refutations {
    lines: Vec<Vec<Move>>,
}

/// Whether `m` can go on this board as far as its man, its way and its target tell. Cheap, and
/// wrong only in one way: what it lets through may still be illegal.
fn may_go(position: &SeriesPosition, m: Move) -> bool {
    let men = position.men();
    let us = position.side();
    if !men.men(us, m.role()).contains(m.from()) {
        return false;
    }
    if m.is_castle() {
        return men.men(us, Role::Rook).contains(m.to());
    }
    if men.of(us).contains(m.to()) {
        return false;
    }
    let occupied = men.occupied();
    if m.role() == Role::Pawn {
        let straight = m.from().file() == m.to().file();
        return if straight {
            !occupied.contains(m.to())
        } else {
            m.kind() == MoveKind::EnPassant || occupied.contains(m.to())
        };
    }
    (attacks::between(m.from(), m.to()) & occupied).is_empty()
}

impl Refutations {
    /// Whether a mate kept here works in `end`, whose side on turn is to mate; the mate, then.
    /// `tried` counts the moves made.
    pub(super) fn probe(&mut self, end: &SeriesPosition, tried: &mut u64) -> Option<&[Move]> {
        let works = (0..self.lines.len()).find(|&index| works(end, &self.lines[index], tried))?;
        // Success moves a line forward, past half of those before it.
        let better = works / 2;
        self.lines[better..=works].rotate_right(1);
        Some(&self.lines[better])
    }

    /// Keeps a mate.
    pub(super) fn keep(&mut self, line: Vec<Move>) {
        if self.lines.len() == KEPT {
            self.lines.pop();
        }
        let place = self.lines.len() / 2;
        self.lines.insert(place, line);
    }
}

/// Whether `line` can be played from `end` and wins.
fn works(end: &SeriesPosition, line: &[Move], tried: &mut u64) -> bool {
    let side: Color = end.side();
    let Some(&first) = line.first() else {
        return false;
    };
    if !may_go(end, first) {
        return false;
    }
    let mut at = *end;
    for &m in line {
        *tried += 1;
        if at.side() != side || !may_go(&at, m) || !at.is_legal(m) {
            return false;
        }
        at.play(m);
    }
    matches!(at.status(), Status::Over(outcome) if outcome.winner == Some(side))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{notation::parse_fen, rules::Preset};

    #[test]
    fn a_mate_is_found_again_where_it_still_works() {
        let rules = Preset::Italian.rules();
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3";
        let position = parse_fen(rules, fen).unwrap();
        let mut line = Vec::new();
        let mut at = position;
        for (from, to) in [
            (Square::F1, Square::C4),
            (Square::D1, Square::H5),
            (Square::H5, Square::F7),
        ] {
            let m = *at
                .legal_moves()
                .iter()
                .find(|m| m.from() == from && m.to() == to)
                .unwrap();
            line.push(m);
            at.play(m);
        }
        let mut known = Refutations::default();
        known.keep(line.clone());
        let mut tried = 0;
        assert_eq!(known.probe(&position, &mut tried), Some(line.as_slice()));
        assert_eq!(tried, 3);
        let guarded = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3";
        let guarded = parse_fen(rules, guarded).unwrap();
        // Black takes on f7's attacker is no matter: the queen passes h5 attacked, yet mates.
        assert!(known.probe(&guarded, &mut tried).is_some());
        let blocked = "rnbqkbnr/pppp2pp/5p2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3";
        let blocked = parse_fen(rules, blocked).unwrap();
        assert!(known.probe(&blocked, &mut tried).is_none());
    }
}
