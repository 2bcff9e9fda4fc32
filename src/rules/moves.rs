//! One move of a series.

use arrayvec::ArrayVec;
use shakmaty::{Role, Square};

/// What is special about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum MoveKind {
    /// A step or a capture, a promotion too.
    Normal,
    /// A pawn's double step.
    DoubleStep,
    /// A pawn takes another one on the square that this passed over.
    EnPassant,
    /// King and rook move together; `from` is the king's square and `to` the rook's.
    Castle,
}

/// One move of a series, four bytes.
///
/// It is only meaningful in the position it was generated for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    from: Square,
    to: Square,
    role: Role,
    /// The kind in the low three bits, the promotion role above them.
    packed: u8,
}

const PROMOTION_SHIFT: u8 = 3;
const KIND_MASK: u8 = 7;

impl Move {
    #[inline]
    pub(super) fn new(role: Role, from: Square, to: Square, kind: MoveKind) -> Move {
        Move {
            from,
            to,
            role,
            packed: kind as u8,
        }
    }

    #[inline]
    pub(super) fn promotion_to(promotion: Role, from: Square, to: Square) -> Move {
        Move {
            from,
            to,
            role: Role::Pawn,
            packed: (promotion as u8) << PROMOTION_SHIFT,
        }
    }

    /// The square the man leaves; of a castling move the king's.
    #[inline]
    pub fn from(self) -> Square {
        self.from
    }

    /// The square the man enters; of a castling move the rook's.
    #[inline]
    pub fn to(self) -> Square {
        self.to
    }

    /// The man that moves, before any promotion; of a castling move the king.
    #[inline]
    pub fn role(self) -> Role {
        self.role
    }

    /// What is special about the move.
    #[inline]
    pub fn kind(self) -> MoveKind {
        match self.packed & KIND_MASK {
            0 => MoveKind::Normal,
            1 => MoveKind::DoubleStep,
            2 => MoveKind::EnPassant,
            _ => MoveKind::Castle,
        }
    }

    /// What a pawn becomes.
    #[inline]
    pub fn promotion(self) -> Option<Role> {
        Role::try_from(self.packed >> PROMOTION_SHIFT).ok()
    }

    /// Whether this is castling.
    #[inline]
    pub fn is_castle(self) -> bool {
        self.kind() == MoveKind::Castle
    }

    /// Where the king and the rook of a castling move come to stand: on the g- and f-file when
    /// the rook stands on the king's right, else on the c- and d-file.
    pub fn castling_targets(self) -> (Square, Square) {
        castling_targets(self.from, self.to)
    }
}

/// Where king and rook end when the king on `king` castles with the rook on `rook`.
pub(super) fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    use shakmaty::File;
    let rank = king.rank();
    if rook.file() > king.file() {
        (
            Square::from_coords(File::G, rank),
            Square::from_coords(File::F, rank),
        )
    } else {
        (
            Square::from_coords(File::C, rank),
            Square::from_coords(File::D, rank),
        )
    }
}

/// A list of moves on the stack.
///
/// A side has at most 18 men (a set-up with more is refused), none of which has more than 27
/// moves, so 512 places always do.
pub type MoveList = ArrayVec<Move, 512>;
