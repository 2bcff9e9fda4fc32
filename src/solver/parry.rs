//! Whether the enemy surely has a man that takes a checking man, or steps in between, whatever
//! else the mating side does with its last moves as long as it takes nothing.

use shakmaty::{Piece, attacks};

use crate::rules::{Bitboard, CheckRule, Rank, Role, SeriesPosition, Square};

/// What parries are judged by: a position with two moves left, of which the first, no capture,
/// goes to `first`.
pub(super) struct Parries<'p> {
    pub(super) position: &'p SeriesPosition,
    /// Where the first move ends.
    pub(super) first: Square,
}

impl Parries<'_> {
    /// Whether a check of a `role` on `checker`, given by the last move and no other man, is
    /// surely parried. The king has not moved.
    pub(super) fn are_sure(&self, role: Role, checker: Square) -> bool {
        let men = self.position.men();
        let them = !self.position.side();
        let Some(king) = men.king(them) else {
            return false;
        };
        // What stands on the checker's square now will have been taken.
        let there = Bitboard::from_square(checker);
        let gone = Bitboard::from_square(king) | there;
        let occupied = men.occupied() | Bitboard::from_square(self.first) | there;
        let takers = men.attackers(them, checker, occupied) & !gone;
        if self.any_sure(takers, king, checker, checker) {
            return true;
        }
        if role == Role::Knight || role == Role::Pawn {
            return false;
        }
        let pawns = men.men(them, Role::Pawn) & !gone;
        (attacks::between(king, checker) & !occupied)
            .into_iter()
            .any(|square| {
                let men_there =
                    men.attackers(them, square, occupied) & !gone & !men.with_role(Role::Pawn);
                let step = them.fold_wb(8, -8);
                let there = Bitboard::from_square(square);
                let one = there.shift(-step)
                    & !Bitboard::from_rank(them.fold_wb(Rank::First, Rank::Eighth));
                let mut pawns_there = one & pawns;
                let start = Bitboard::from_rank(them.fold_wb(Rank::Second, Rank::Seventh));
                if self.position.rules().double_step && (one & occupied).is_empty() {
                    pawns_there |= one.shift(-step) & start & pawns;
                }
                self.any_sure(men_there | pawns_there, king, square, checker)
            })
    }

    fn any_sure(&self, men: Bitboard, king: Square, to: Square, checker: Square) -> bool {
        men.into_iter()
            .any(|from| self.is_sure(from, king, to, checker))
    }

    /// Whether the man on `from` can surely go `to`: nothing can pin it, and it gives no check
    /// that the rules forbid.
    fn is_sure(&self, from: Square, king: Square, to: Square, checker: Square) -> bool {
        let men = self.position.men();
        let us = self.position.side();
        let (own, enemy) = (men.of(us), men.of(!us));
        let here = Bitboard::from_square(from);
        let between = attacks::between(king, from);
        let pinners = (own | Bitboard::from_square(self.first) | Bitboard::from_square(checker))
            & attacks::ray(king, from)
            & !between;
        if pinners.any() && (between & enemy).is_empty() {
            return false;
        }
        let Some(role) = men.role_at(from) else {
            return false;
        };
        if self.position.rules().checks != CheckRule::Last {
            return true;
        }
        if role == Role::Pawn && matches!(to.rank(), Rank::First | Rank::Eighth) {
            return false;
        }
        let Some(our_king) = men.king(us) else {
            return false;
        };
        let sliders = men.line_sliders(!us) | men.diagonal_sliders(!us);
        let man = Piece { color: !us, role };
        (sliders & attacks::ray(our_king, from) & !here).is_empty()
            && !attacks::attacks(to, man, enemy & !here).contains(our_king)
    }
}
