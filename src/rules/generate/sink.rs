//! Ways of taking generated moves: into a list, counted, or only whether there is one.

use shakmaty::{Bitboard, Role, Square};

use super::super::moves::{Move, MoveKind, MoveList};

/// The square that a pawn comes from whose move by `step` leads to `to`. What is asked about was found by
/// shifting pawns by `step`, so that going back stays on the board.
#[inline]
pub(in crate::rules) fn pawn_origin(to: Square, step: i32) -> Square {
    Square::new((to as i32 - step) as u32)
}

/// Takes generated moves.
pub(in crate::rules) trait Sink {
    /// `role` on `from` may go to each of `targets`; no pawn moves.
    fn targets(&mut self, role: Role, from: Square, targets: Bitboard);
    /// Pawns may go to each of `targets` from the square `step` before it; no promotions.
    fn pawns(&mut self, targets: Bitboard, step: i32, kind: MoveKind);
    /// One move.
    fn single(&mut self, m: Move);
    /// Whether enough moves have been seen.
    fn is_full(&self) -> bool {
        false
    }
}

/// A sink that can forget the moves taken so far.
pub(in crate::rules) trait Forgetful: Sink {
    fn forget(&mut self);
}

impl Sink for MoveList {
    #[inline]
    fn targets(&mut self, role: Role, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::new(role, from, to, MoveKind::Normal));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i32, kind: MoveKind) {
        for to in targets {
            let from = pawn_origin(to, step);
            self.push(Move::new(Role::Pawn, from, to, kind));
        }
    }

    #[inline]
    fn single(&mut self, m: Move) {
        self.push(m);
    }
}

impl Forgetful for MoveList {
    #[inline]
    fn forget(&mut self) {
        self.clear();
    }
}

/// Counts moves without making a list.
#[derive(Default)]
pub(in crate::rules) struct Count(pub(in crate::rules) u64);

impl Sink for Count {
    #[inline]
    fn targets(&mut self, _: Role, _: Square, targets: Bitboard) {
        self.0 += targets.count() as u64;
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i32, _: MoveKind) {
        self.0 += targets.count() as u64;
    }

    #[inline]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }
}

impl Forgetful for Count {
    #[inline]
    fn forget(&mut self) {
        self.0 = 0;
    }
}

/// Looks for any move.
#[derive(Default)]
pub(in crate::rules) struct Any(pub(in crate::rules) bool);

impl Sink for Any {
    #[inline]
    fn targets(&mut self, _: Role, _: Square, targets: Bitboard) {
        self.0 |= targets.any();
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i32, _: MoveKind) {
        self.0 |= targets.any();
    }

    #[inline]
    fn single(&mut self, _: Move) {
        self.0 = true;
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.0
    }
}
