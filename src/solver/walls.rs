//! Lines closed by own men that cannot get out of the way in time.
//!
//! The tables let men move through their own side. Here the long-range men of one position are
//! looked at again: with nothing left for the others every own man is a wall; with some moves
//! left a pawn that cannot leave its file by then still closes the file, and one that cannot move
//! at all closes every line.

use arrayvec::ArrayVec;
use shakmaty::attacks;

use super::{
    ground::{Ground, REACH},
    roster::Roster,
};
use crate::rules::{Bitboard, Color, Rank, Role, SeriesPosition, Square};

/// What stands in the way of a long-range man while the others have some moves left.
#[derive(Clone, Debug, Default)]
struct Walls {
    /// In every direction.
    all: Bitboard,
    /// Pawns that stay on their file.
    pawns: ArrayVec<FilePawn, 18>,
}

/// The walls of one position, by the moves that the other men have left.
pub(super) struct Closed {
    us: Color,
    budget: usize,
    walls: [Walls; REACH],
}

impl Closed {
    /// For `budget` moves in all.
    pub(super) fn new(
        position: &SeriesPosition,
        ground: &Ground,
        roster: &Roster,
        budget: usize,
    ) -> Closed {
        let us = position.side();
        let mut walls: [Walls; REACH] = Default::default();
        // Castling takes king and rook out of the way at once.
        walls[0].all = position.men().of(us) & !roster.movable();
        for member in &roster.members {
            if member.role != Role::Pawn {
                continue;
            }
            let here = Bitboard::from_square(member.square);
            let reach = &ground.entry(Role::Pawn, member.square).reach;
            for left in 1..budget {
                let reach = reach[left - 1];
                if reach.is_empty() {
                    walls[left].all |= here;
                } else if let Some(pawn) = FilePawn::new(us, member.square, reach) {
                    walls[left].pawns.push(pawn);
                }
            }
        }
        Closed { us, budget, walls }
    }

    /// Leaves of `prey` what a long-range man can take within one, two, ... moves so that it can
    /// still go on.
    pub(super) fn keep_open(
        &self,
        ground: &Ground,
        role: Role,
        square: Square,
        prey: &mut [Bitboard; REACH],
    ) {
        for moves in 1..self.budget {
            if prey[moves - 1].any() {
                let left = self.budget - moves - 1;
                prey[moves - 1] &= self.within(ground, role, square, moves, left);
            }
        }
    }

    /// The squares within `moves` moves when the others have `left`.
    fn within(
        &self,
        ground: &Ground,
        role: Role,
        square: Square,
        moves: usize,
        left: usize,
    ) -> Bitboard {
        let walls = &self.walls[left];
        let mut fresh = Bitboard::from_square(square);
        let mut seen = fresh;
        // A man is not in its own way.
        let all = walls.all & !fresh;
        for _ in 0..moves {
            let next = fresh.into_iter().fold(Bitboard::EMPTY, |next, from| {
                next | slide(self.us, role, from, ground.blocking() | all, &walls.pawns)
            });
            fresh = next & !all & !seen;
            seen |= fresh;
        }
        seen & !ground.enemy_king()
    }
}

/// Where a long-range man can go with one move when `closed` blocks lines, and pawns that stay on
/// their file.
#[inline]
pub(super) fn slide(
    us: Color,
    role: Role,
    from: Square,
    closed: Bitboard,
    pawns: &[FilePawn],
) -> Bitboard {
    let mut to = Bitboard::EMPTY;
    if role != Role::Rook {
        to |= attacks::bishop_attacks(from, closed);
    }
    if role == Role::Bishop {
        return to;
    }
    let file = Bitboard::from_file(from.file());
    let ahead = ahead_of(us, from.rank());
    let (mut forward, mut backward) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for &FilePawn { square, farthest } in pawns {
        if square.file() != from.file() {
            continue;
        }
        if square == from || ahead.contains(square) {
            forward.add(farthest);
        } else if farthest != from && !ahead.contains(farthest) {
            backward.add(square);
        }
        // Where the pawn may have passed already, it closes nothing for sure.
    }
    to | attacks::rook_attacks(from, closed) & !file
        | attacks::rook_attacks(from, closed | forward) & file & ahead & !forward
        | attacks::rook_attacks(from, closed | backward) & file & !ahead & !backward
}

/// A pawn that can move, but not leave its file.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilePawn {
    square: Square,
    /// As far as it can get.
    farthest: Square,
}

impl FilePawn {
    /// The pawn of `us` on `square` that can reach the squares of `reach`, if it cannot leave its
    /// file and can move.
    pub(super) fn new(us: Color, square: Square, reach: Bitboard) -> Option<FilePawn> {
        let leaves = !Bitboard::from_file(square.file())
            | Bitboard::from_rank(us.fold_wb(Rank::Eighth, Rank::First));
        let farthest = us.fold_wb(reach.last(), reach.first())?;
        (reach & leaves)
            .is_empty()
            .then_some(FilePawn { square, farthest })
    }
}

/// The ranks beyond `rank` as `us` sees them.
fn ahead_of(us: Color, rank: Rank) -> Bitboard {
    let rank = rank as u32;
    Bitboard(match us {
        Color::White => u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0),
        Color::Black => !(u64::MAX << (8 * rank)),
    })
}
