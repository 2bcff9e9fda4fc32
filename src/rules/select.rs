//! Generating only some of the moves: those that check, or those that end where somebody wants.
//!
//! The mate solver asks for these; what is legal stays with the generator.

use shakmaty::{Bitboard, Role, Square, attacks};

use super::{
    generate::{CheckSquares, Forgetful, Sink, pawn_origin},
    moves::{Move, MoveKind, MoveList},
    position::SeriesPosition,
};

/// Says which moves are wanted.
pub(crate) trait Selection {
    /// Those of `targets` that a man on `from` should go to; `landing` is what it is afterwards.
    /// No castling, no en passant.
    fn wanted(&self, landing: Role, from: Square, targets: Bitboard) -> Bitboard;

    /// Whether a castling or en passant move is wanted.
    fn wants(&self, special: Move) -> bool;
}

struct Selected<'s, S> {
    selection: &'s S,
    moves: &'s mut MoveList,
}

impl<S: Selection> Sink for Selected<'_, S> {
    #[inline]
    fn targets(&mut self, role: Role, from: Square, targets: Bitboard) {
        if targets.any() {
            for to in self.selection.wanted(role, from, targets) {
                self.moves.push(Move::new(role, from, to, MoveKind::Normal));
            }
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i32, kind: MoveKind) {
        for to in targets {
            let from = pawn_origin(to, step);
            let target = Bitboard::from_square(to);
            if self.selection.wanted(Role::Pawn, from, target).any() {
                self.moves.push(Move::new(Role::Pawn, from, to, kind));
            }
        }
    }

    #[inline]
    fn single(&mut self, m: Move) {
        let is_wanted = match m.kind() {
            MoveKind::Castle | MoveKind::EnPassant => self.selection.wants(m),
            MoveKind::Normal | MoveKind::DoubleStep => {
                let landing = m.promotion().unwrap_or(m.role());
                let target = Bitboard::from_square(m.to());
                self.selection.wanted(landing, m.from(), target).any()
            }
        };
        if is_wanted {
            self.moves.push(m);
        }
    }
}

impl<S: Selection> Forgetful for Selected<'_, S> {
    #[inline]
    fn forget(&mut self) {
        self.moves.clear();
    }
}

/// The moves that attack the enemy king, directly or by discovery.
struct Checking<'p> {
    position: &'p SeriesPosition,
    squares: CheckSquares,
}

impl Selection for Checking<'_> {
    #[inline]
    fn wanted(&self, landing: Role, from: Square, targets: Bitboard) -> Bitboard {
        let king = self.squares.king;
        let mut wanted = targets & self.squares.of(landing);
        if self.squares.discoverers.contains(from) {
            wanted |= targets & !attacks::ray(king, from);
        }
        // A pawn that promotes can check along the line it came from.
        if self
            .position
            .men()
            .men(self.position.side(), Role::Pawn)
            .contains(from)
            && landing != Role::Pawn
        {
            let occupied = self.position.men().occupied() ^ Bitboard::from_square(from);
            for to in targets & !wanted {
                let man = shakmaty::Piece {
                    color: self.position.side(),
                    role: landing,
                };
                if attacks::attacks(to, man, occupied).contains(king) {
                    wanted.add(to);
                }
            }
        }
        wanted
    }

    fn wants(&self, special: Move) -> bool {
        self.position.gives_check(special)
    }
}

impl SeriesPosition {
    /// The allowed moves that `selection` wants.
    #[inline]
    pub(crate) fn selected_moves<S: Selection>(&self, selection: &S) -> MoveList {
        let mut moves = MoveList::new();
        let mut selected = Selected {
            selection,
            moves: &mut moves,
        };
        self.generate_allowed(&mut selected);
        moves
    }

    /// The allowed moves that attack the enemy king. Empty where kings are ordinary men, and
    /// where the check rule forbids a check on the next move.
    #[inline]
    pub fn checking_moves(&self) -> MoveList {
        if !self.rules.has_royal_kings() {
            return MoveList::new();
        }
        let Some(king) = self.men.king(!self.side) else {
            return MoveList::new();
        };
        if self.rules.has_rebirth() {
            // A reborn man may close the line of the check: only the board after the move tells.
            let mut moves = self.legal_moves();
            moves.retain(|&mut m| self.gives_check(m));
            return moves;
        }
        self.selected_moves(&Checking {
            position: self,
            squares: CheckSquares::new(&self.men, self.side, king),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Preset, RuleSet};

    fn compare(position: &SeriesPosition, depth: u32) -> u64 {
        let mut expected = position.legal_moves();
        expected.retain(|&mut m| position.gives_check(m));
        let mut found = position.checking_moves();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(expected, found, "{position:?}");
        if depth == 0 {
            return found.len() as u64;
        }
        position
            .legal_moves()
            .iter()
            .map(|&m| compare(&position.after(m), depth - 1))
            .sum()
    }

    #[test]
    fn checking_moves_are_the_legal_moves_that_check() {
        for &preset in Preset::ALL {
            let start = SeriesPosition::start(preset.rules());
            compare(&start, 3);
        }
        assert!(compare(&SeriesPosition::start(RuleSet::ORDINARY), 3) > 0);
    }
}
