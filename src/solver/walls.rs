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
    /// Pawns that stay on their file: where they are, and as far as they could get.
    pawns: ArrayVec<(Square, Square), 18>,
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
            let file = Bitboard::from_file(member.square.file());
            let reach = &ground.entry(Role::Pawn, member.square).reach;
            for left in 1..budget {
                let reach = reach[left - 1];
                if reach.is_empty() {
                    walls[left].all |= here;
                } else if (reach & !file).is_empty() && !reaches_last_rank(us, reach) {
                    let farthest = us.fold_wb(reach.last(), reach.first());
                    let farthest = farthest.unwrap_or(member.square);
                    walls[left].pawns.push((member.square, farthest));
                }
            }
        }
        Closed { us, budget, walls }
    }

    /// The enemy men a long-range man can take within one, two, ... moves so that it can still go
    /// on; `known` for others.
    pub(super) fn prey(
        &self,
        ground: &Ground,
        role: Role,
        square: Square,
        known: &[Bitboard; REACH],
    ) -> [Bitboard; REACH] {
        let mut prey = *known;
        if matches!(role, Role::Bishop | Role::Rook | Role::Queen) {
            for moves in 1..self.budget {
                let left = self.budget - moves - 1;
                prey[moves - 1] = self.within(ground, role, square, moves, left);
            }
        }
        prey.map(|squares| squares & ground.enemy)
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
                next | self.slide(ground, role, from, all, &walls.pawns)
            });
            fresh = next & !seen;
            seen |= next;
        }
        seen & !ground.enemy_king()
    }

    #[inline]
    fn slide(
        &self,
        ground: &Ground,
        role: Role,
        from: Square,
        walls: Bitboard,
        pawns: &[(Square, Square)],
    ) -> Bitboard {
        let closed = ground.blocking() | walls;
        let mut to = Bitboard::EMPTY;
        if role != Role::Rook {
            to |= attacks::bishop_attacks(from, closed);
        }
        if role != Role::Bishop {
            let file = Bitboard::from_file(from.file());
            let ahead = ahead_of(self.us, from.rank());
            let (mut forward, mut backward) = (Bitboard::EMPTY, Bitboard::EMPTY);
            for &(pawn, farthest) in pawns {
                if pawn.file() != from.file() {
                    continue;
                }
                if pawn == from || ahead.contains(pawn) {
                    forward.add(farthest);
                } else if farthest != from && !ahead.contains(farthest) {
                    backward.add(pawn);
                }
                // Where the pawn may have passed already, it closes nothing for sure.
            }
            to |= attacks::rook_attacks(from, closed) & !file;
            to |= attacks::rook_attacks(from, closed | forward) & file & ahead & !forward;
            to |= attacks::rook_attacks(from, closed | backward) & file & !ahead & !backward;
        }
        to & !walls
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

fn reaches_last_rank(us: Color, squares: Bitboard) -> bool {
    (squares & Bitboard::from_rank(us.fold_wb(Rank::Eighth, Rank::First))).any()
}
