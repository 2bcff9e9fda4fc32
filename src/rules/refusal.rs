//! Why a move is not allowed, in words a player understands.

use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};
use thiserror::Error;

use super::{
    generate::Checks,
    moves::Move,
    position::{SeriesPosition, back_rank},
};

/// The reason why a move is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// Nothing stands on the square it starts from.
    #[error("no man stands on {0}")]
    NoMan(Square),
    /// The other side's man stands there.
    #[error("the man on {square} is not {side}'s")]
    EnemyMan {
        /// The square.
        square: Square,
        /// The side on turn.
        side: Color,
    },
    /// The man does not move so.
    #[error("the {role} on {from} cannot go to {to}", role = role_name(*.role))]
    Unreachable {
        /// What stands there.
        role: Role,
        /// Where from.
        from: Square,
        /// Where to.
        to: Square,
    },
    /// A pawn reaches the last rank without saying what it becomes.
    #[error("a pawn that reaches the last rank needs a promotion letter")]
    PromotionMissing,
    /// A promotion that is none, or to something pawns do not become here.
    #[error("no promotion to a {} is possible here", role_name(*.0))]
    Promotion(Role),
    /// Castling without its conditions.
    #[error(
        "castling is not possible: it needs the right, free squares and no attacked square on the king's way"
    )]
    Castling,
    /// The own king would stand in check.
    #[error("{0}'s own king would stand in check")]
    KingInCheck(Color),
    /// The check rule.
    #[error("it gives check, and a check is allowed only on the last move of the series")]
    CheckTooEarly,
    /// Balance.
    #[error("balance: another man that can move has moved less often in this series")]
    Balance,
    /// A promoted man where it may not move before the next series.
    #[error("the man on {0} was promoted in this series and may not move before the next one")]
    Resting(Square),
    /// En passant after the first move, or without a right to it.
    #[error("there is no en passant capture on {0} now")]
    EnPassant(Square),
}

/// The English name of a role.
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

impl SeriesPosition {
    /// Why the move from `from` to `to` is not allowed; meaningful only if it is not.
    pub fn refusal(&self, from: Square, to: Square, promotion: Option<Role>) -> Refusal {
        let us = self.side;
        let Some(man) = self.men.man_at(from) else {
            return Refusal::NoMan(from);
        };
        if man.color != us {
            return Refusal::EnemyMan {
                square: from,
                side: us,
            };
        }
        // Castling may be named by the king's two squares or by the king's and the rook's. Where it
        // is allowed, only its name is wrong.
        let allowed = self.legal_moves();
        let castles = |m: &Move| {
            m.is_castle()
                && from.file() == File::E
                && from.distance(to) == 2
                && m.castling_targets().0 == to
                && !allowed.contains(m)
        };
        let named = |m: &Move| m.from() == from && (m.to() == to || castles(m));
        let exactly = |m: &Move| named(m) && m.promotion() == promotion;
        let unbalanced = self.unbalanced_moves(self.checks_now());
        if unbalanced.iter().any(exactly) {
            return if self.is_retired(from) {
                Refusal::Resting(from)
            } else {
                Refusal::Balance
            };
        }
        let with_checks = self.unbalanced_moves(Checks::Allowed);
        if with_checks.iter().any(exactly) {
            return Refusal::CheckTooEarly;
        }
        if with_checks.iter().any(named) || man.role != Role::Pawn {
            match promotion {
                Some(role) => return Refusal::Promotion(role),
                None if with_checks.iter().any(named) => return Refusal::PromotionMissing,
                None => {}
            }
        }
        let step = if from.file() > to.file() {
            from.file() as u32 - to.file() as u32
        } else {
            to.file() as u32 - from.file() as u32
        };
        let own_rook = self.men.men(us, Role::Rook).contains(to);
        if man.role == Role::King
            && from.rank() == to.rank()
            && from.rank() == back_rank(us)
            && (step > 1 || own_rook)
        {
            return Refusal::Castling;
        }
        if self.reaches(man.role, from, to) || self.reaches_en_passant(man.role, from, to) {
            return Refusal::KingInCheck(us);
        }
        if man.role == Role::Pawn
            && attacks::pawn_attacks(us, from).contains(to)
            && !self.men.occupied().contains(to)
        {
            return Refusal::EnPassant(to);
        }
        Refusal::Unreachable {
            role: man.role,
            from,
            to,
        }
    }

    /// Whether a pawn on `from` may take en passant on `to` when checks are left aside.
    fn reaches_en_passant(&self, role: Role, from: Square, to: Square) -> bool {
        role == Role::Pawn
            && self.en_passant_squares().contains(to)
            && attacks::pawn_attacks(self.side, from).contains(to)
    }

    /// Whether the man on `from` goes to `to` when checks are left aside.
    fn reaches(&self, role: Role, from: Square, to: Square) -> bool {
        let us = self.side;
        let occupied = self.men.occupied();
        if self.men.of(us).contains(to) {
            return false;
        }
        if role != Role::Pawn {
            return attacks::attacks(from, shakmaty::Piece { color: us, role }, occupied)
                .contains(to);
        }
        if attacks::pawn_attacks(us, from).contains(to) && occupied.contains(to) {
            return true;
        }
        let step = us.fold_wb(8, -8);
        let one = Bitboard::from_square(from).shift(step) & !occupied;
        let third = Bitboard::from_rank(us.fold_wb(Rank::Third, Rank::Sixth));
        let two = if self.rules.double_step {
            (one & third).shift(step) & !occupied
        } else {
            Bitboard::EMPTY
        };
        (one | two).contains(to)
    }
}
