//! Whether the enemy surely has a man that takes a checking man, or steps in between.
//!
//! Surely means: whatever those of our men do that may still move.

use shakmaty::{Piece, attacks};

use crate::rules::{Bitboard, CheckRule, Rank, Role, SeriesPosition, Square};

/// What parries are judged by.
pub(super) struct Parries<'p> {
    pub(super) position: &'p SeriesPosition,
    /// The enemy men that have not been taken yet.
    pub(super) enemy: Bitboard,
    /// Where men of ours may come to stand, apart from where they stand and from the checking man.
    pub(super) helpers: Bitboard,
    /// Enemy men that may be taken.
    pub(super) prey: Bitboard,
    /// Where our king may be.
    pub(super) kings: Bitboard,
}

impl Parries<'_> {
    /// Whether a check of a `role` on `checker`, given by that man alone, is surely parried.
    pub(super) fn are_sure(&self, role: Role, checker: Square) -> bool {
        let men = self.position.men();
        let them = !self.position.side();
        let Some(king) = men.king(them) else {
            return false;
        };
        // What stands on the checker's square now will have been taken.
        let there = Bitboard::from_square(checker);
        let gone = Bitboard::from_square(king) | there | self.prey;
        let occupied = men.occupied() | self.helpers | there;
        let takers = men.attackers(them, checker, occupied) & !gone;
        if self.any_sure(takers, king, checker, checker) {
            return true;
        }
        if role == Role::Knight || role == Role::Pawn {
            return false;
        }
        // The line is empty, or it would be no check.
        let pawns = men.men(them, Role::Pawn) & !gone;
        let step = them.fold_wb(8, -8);
        let home = Bitboard::from_rank(them.fold_wb(Rank::First, Rank::Eighth));
        let start = Bitboard::from_rank(them.fold_wb(Rank::Second, Rank::Seventh));
        attacks::between(king, checker).into_iter().any(|square| {
            let men_there =
                men.attackers(them, square, occupied) & !gone & !men.with_role(Role::Pawn);
            let one = Bitboard::from_square(square).shift(-step) & !home;
            let mut pawns_there = one & pawns;
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
        let (own, enemy) = (men.of(us), self.enemy);
        let between = attacks::between(king, from);
        let royal = Bitboard::from_square(king);
        let beyond = attacks::queen_attacks(from, royal) & attacks::ray(king, from);
        let pinners =
            (own | self.helpers | Bitboard::from_square(checker)) & beyond & !between & !royal;
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
        let rest = enemy & !Bitboard::from_square(from);
        let sliders = (men.line_sliders(!us) | men.diagonal_sliders(!us)) & rest;
        let man = Piece { color: !us, role };
        let exposed = sliders
            .into_iter()
            .fold(attacks::attacks(to, man, rest), |exposed, slider| {
                exposed | attacks::ray(slider, from)
            });
        (exposed & self.kings).is_empty()
    }
}
