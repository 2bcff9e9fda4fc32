//! What bounds the moves of a side: pins, the check to be answered, the check not to be given.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::{
    super::{men::Men, moves::Move, position::SeriesPosition},
    sink::Sink,
};

/// Whether moves that check may be generated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::rules) enum Checks {
    Allowed,
    Forbidden,
}

/// The squares from which, and the men by whose departure, the side on turn checks.
#[derive(Clone, Copy)]
pub(in crate::rules) struct CheckSquares {
    pub(in crate::rules) king: Square,
    pub(in crate::rules) discoverers: Bitboard,
    by_role: [Bitboard; 6],
}

impl CheckSquares {
    pub(in crate::rules) fn new(men: &Men, us: Color, king: Square) -> CheckSquares {
        let occupied = men.occupied();
        let diagonal = attacks::bishop_attacks(king, occupied);
        let line = attacks::rook_attacks(king, occupied);
        CheckSquares {
            king,
            discoverers: men.line_blockers(king, us, occupied) & men.of(us),
            by_role: [
                attacks::pawn_attacks(!us, king),
                attacks::knight_attacks(king),
                diagonal,
                line,
                diagonal | line,
                Bitboard::EMPTY,
            ],
        }
    }

    #[inline]
    pub(in crate::rules) fn of(&self, role: Role) -> Bitboard {
        self.by_role[role as usize - 1]
    }
}

/// What bounds the moves of a side, apart from how its men go.
pub(super) struct Bounds<'p> {
    pub(super) position: &'p SeriesPosition,
    pub(super) us: Color,
    pub(super) occupied: Bitboard,
    pub(super) own: Bitboard,
    pub(super) enemy: Bitboard,
    /// The royal king, and own men that may only move on the line through it and themselves.
    pub(super) king: Option<Square>,
    pub(super) pinned: Bitboard,
    /// Squares that answer the check, or all.
    pub(super) evasions: Bitboard,
    /// Where checks are forbidden: the squares and men that would give one.
    pub(super) shy: Option<CheckSquares>,
}

impl Bounds<'_> {
    /// The men for which [`Bounds::line_bound`] says something.
    #[inline]
    pub(super) fn bound_men(&self) -> Bitboard {
        match &self.shy {
            Some(shy) => self.pinned | shy.discoverers,
            None => self.pinned,
        }
    }

    /// The squares the man on `from` may enter with regard to pins and discoveries.
    #[inline]
    pub(super) fn line_bound(&self, from: Square) -> Bitboard {
        let mut bound = Bitboard::FULL;
        if self.pinned.contains(from)
            && let Some(king) = self.king
        {
            bound &= attacks::ray(king, from);
        }
        if let Some(shy) = &self.shy
            && shy.discoverers.contains(from)
        {
            bound &= attacks::ray(shy.king, from);
        }
        bound
    }

    /// The squares the king may enter without discovering a forbidden check.
    #[inline]
    pub(super) fn line_bound_of_king(&self, from: Square) -> Bitboard {
        match &self.shy {
            Some(shy) if shy.discoverers.contains(from) => attacks::ray(shy.king, from),
            _ => Bitboard::FULL,
        }
    }

    /// Whether `men`, the placement after an unusual move, leaves the own king safe and gives no
    /// forbidden check.
    pub(super) fn allows(&self, men: &Men) -> bool {
        let safe = self.king.is_none()
            || men
                .king(self.us)
                .is_some_and(|king| !men.is_attacked(!self.us, king));
        safe && !self
            .shy
            .is_some_and(|shy| men.is_attacked(self.us, shy.king))
    }

    #[inline]
    pub(super) fn try_single<S: Sink>(&self, m: Move, sink: &mut S) {
        if self.allows(&self.position.men_after(m)) {
            sink.single(m);
        }
    }
}
