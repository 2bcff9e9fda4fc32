//! A move in two bytes.

use std::fmt;

use crate::rules::{Move, Role, SeriesPosition, Square};

/// A move in two bytes: the square it leaves in bits 0 to 5 and the one it enters in bits 6 to 11
/// (a1 is 0, b1 is 1, h8 is 63), what a pawn becomes in bits 12 to 14 (0 nothing, 2 knight,
/// 3 bishop, 4 rook, 5 queen, 6 king). Castling goes from the king's square to the rook's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedMove(u16);

const SQUARE_BITS: u16 = 6;
const SQUARE_MASK: u16 = (1 << SQUARE_BITS) - 1;
const PROMOTION_SHIFT: u16 = 2 * SQUARE_BITS;

impl PackedMove {
    /// Packs a move.
    pub fn new(m: Move) -> PackedMove {
        let promotion = m.promotion().map_or(0, |role| role as u16);
        PackedMove(m.from() as u16 | (m.to() as u16) << SQUARE_BITS | promotion << PROMOTION_SHIFT)
    }

    /// A whole series.
    pub fn series(series: &[Move]) -> Vec<PackedMove> {
        series.iter().map(|&m| PackedMove::new(m)).collect()
    }

    /// Reads it from two bytes; `None` where they say nothing.
    pub(super) fn from_word(word: u16) -> Option<PackedMove> {
        let packed = PackedMove(word);
        let is_promotion = match word >> PROMOTION_SHIFT {
            0 => true,
            role => (Role::Knight as u16..=Role::King as u16).contains(&role),
        };
        (is_promotion && packed.from() != packed.to()).then_some(packed)
    }

    pub(super) fn word(self) -> u16 {
        self.0
    }

    fn from(self) -> Square {
        Square::new(u32::from(self.0 & SQUARE_MASK))
    }

    fn to(self) -> Square {
        Square::new(u32::from(self.0 >> SQUARE_BITS & SQUARE_MASK))
    }

    fn promotion(self) -> Option<Role> {
        Role::try_from((self.0 >> PROMOTION_SHIFT) as u8).ok()
    }

    /// The legal move of `position` that it names.
    pub fn find(self, position: &SeriesPosition) -> Option<Move> {
        position
            .legal_moves()
            .into_iter()
            .find(|&m| PackedMove::new(m) == self)
    }
}

impl fmt::Display for PackedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(role) => write!(f, "{}", role.char()),
            None => Ok(()),
        }
    }
}
