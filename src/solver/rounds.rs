//! Rounds under balance: how many moves are left to men that have moved already.
//!
//! No man moves again before all others that can have moved. With fewer moves left than it takes to
//! come to that, every man makes one move at most; with one more, the last move may be an extra one.

use arrayvec::ArrayVec;

use super::{
    ground::{Ground, ROLES},
    plans::Plans,
    roster::castled_king,
};
use crate::rules::{Bitboard, Round, SeriesPosition, Square, attacks};

/// The weight of a man that is blocked, divisible by all numbers of ways it can have.
const WHOLE: u32 = 840;

/// With more extra moves than this nothing special is known.
const EXTRA_MAX: usize = 1;

/// What can still be played in a round, in a position.
pub(super) struct Rest {
    round: Round,
    /// How many moves may be extra at most.
    pub(super) extra: usize,
    /// The men that must have moved before any extra move is made.
    owing: Bitboard,
}

impl Rest {
    /// `None` where too many moves may be extra.
    pub(super) fn new(position: &SeriesPosition, ground: &Ground, left: usize) -> Option<Rest> {
        let round = position.round()?;
        if round.late.any() {
            return None;
        }
        let ends = Ends::new(position, ground, &round, left)?;
        // The first extra move comes when all the others are done.
        let extra = (0..=EXTRA_MAX).find(|extra| !ends.can_come_within(left - 1 - extra))?;
        let owing = if extra > 0 {
            ends.owing(left)
        } else {
            Bitboard::EMPTY
        };
        Some(Rest {
            round,
            extra,
            owing,
        })
    }

    /// The plans in which some moves may be `extra`, or none.
    pub(super) fn plan(
        &self,
        position: &SeriesPosition,
        ground: &Ground,
        left: usize,
        extra: usize,
    ) -> Plans {
        let owing = if extra > 0 {
            self.owing
        } else {
            Bitboard::EMPTY
        };
        Plans::new(position, ground, &self.round, left, extra, owing)
    }
}

/// What it takes until all men that are free have moved, or cannot any more.
///
/// Only then may a man move again. A man that has not moved cannot any more if it is pinned, or if
/// men of ours went to all its exits. (The enemy stands still, and what stood on an exit to be taken
/// is still there if none of us went there.) Men that were blocked may move too, but that does not
/// hurry the others.
struct Ends<'p> {
    position: &'p SeriesPosition,
    round: &'p Round,
    king: Square,
    /// The men that must have moved, be blocked or be pinned; our king is left aside.
    free: Bitboard,
    /// Those of them that cannot be blocked.
    firm: Bitboard,
    /// Enemy men that can pin.
    snipers: Bitboard,
    /// How much going to each of the squares helps to block men, the best first: a man with so many
    /// exits is blocked by as many parts of it.
    weights: ArrayVec<u32, 64>,
    /// Where our king may go.
    near: Bitboard,
    castled: Bitboard,
}

impl<'p> Ends<'p> {
    /// For the men of `round`, within `moves` moves.
    fn new(
        position: &'p SeriesPosition,
        ground: &Ground,
        round: &'p Round,
        moves: usize,
    ) -> Option<Ends<'p>> {
        let us = position.side();
        let men = position.men();
        let king = men.king(us)?;
        let stays = men.of(us) & !round.waiting;
        let closed = ground.enemy | stays;
        // Squares that one man can go to, and two.
        let (mut once, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for role in ROLES {
            for from in round.waiting & men.with_role(role) {
                let to = ground.real_steps(role, from, closed);
                twice |= once & to;
                once |= to;
            }
        }
        let rooks = position.castling_rooks(us);
        let mut ends = Ends {
            position,
            round,
            king,
            free: round.free & !Bitboard::from_square(king),
            firm: Bitboard::EMPTY,
            snipers: men.line_sliders(!us) | men.diagonal_sliders(!us),
            weights: ArrayVec::new(),
            near: Bitboard::EMPTY,
            castled: rooks
                .into_iter()
                .map(|rook| castled_king(king, rook))
                .collect(),
        };
        if round.waiting.contains(king) {
            ends.near =
                attacks::king_attacks(king) & !attacks::king_attacks(ground.king()) & !stays;
        }
        let mut weights = [0u32; 64];
        let mut touched = Bitboard::EMPTY;
        for square in ends.free {
            let exits = round.exits[square as usize];
            let ways = exits.count();
            // Another man than this one has to go there; castling goes to two squares.
            if ways > moves + 1 || ((exits & !twice).any() && rooks.is_empty()) {
                ends.firm.add(square);
                continue;
            }
            for exit in exits {
                weights[exit as usize] += WHOLE / ways as u32;
                touched.add(exit);
            }
        }
        ends.weights
            .extend(touched.into_iter().map(|square| weights[square as usize]));
        ends.weights
            .sort_unstable_by_key(|&weight| std::cmp::Reverse(weight));
        Some(ends)
    }

    /// Whether it can be within `moves` moves.
    fn can_come_within(&self, moves: usize) -> bool {
        // Our king may be one that moves, and expose others; castling moves a rook too.
        self.can_come(moves, moves, self.king)
            || moves > 0
                && (self
                    .near
                    .into_iter()
                    .any(|to| self.can_come(moves - 1, moves, to))
                    || (self.castled.into_iter()).any(|to| self.can_come(moves, moves + 1, to)))
    }

    /// Whether it can be after `moved` of the men have moved and `squares` have been gone to, with
    /// our king on `king`.
    fn can_come(&self, moved: usize, squares: usize, king: Square) -> bool {
        let blocked: u32 = self.weights.iter().take(squares).sum();
        let done = moved + (blocked / WHOLE) as usize;
        let count = self.free.count();
        if done >= count {
            return true;
        }
        done + self.snipers.count() >= count && done + self.pins(king, squares).count() >= count
    }

    /// The men that can get pinned, for each line of which one can be, when our king stands on
    /// `king` and `moves` moves are made. Whoever can go along the line is not among them.
    fn pins(&self, king: Square, moves: usize) -> impl Iterator<Item = Bitboard> {
        let men = self.position.men();
        let us = self.position.side();
        let free = self.free;
        let stays = men.of(us) & !self.round.waiting;
        let straight = attacks::rook_attacks(king, Bitboard::EMPTY);
        let oblique = attacks::bishop_attacks(king, Bitboard::EMPTY);
        let snipers = straight & men.line_sliders(!us) | oblique & men.diagonal_sliders(!us);
        snipers.into_iter().filter_map(move |sniper| {
            let between = attacks::between(king, sniper);
            // They could take it.
            let along = if straight.contains(sniper) {
                men.line_sliders(us)
            } else {
                men.diagonal_sliders(us)
            };
            let pinned = between & free & !along;
            (pinned.any()
                && (between & stays).is_empty()
                && (between & men.occupied()).count() <= moves + 1)
                .then_some(pinned)
        })
    }

    /// The men that must have moved if it comes to that within `moves` moves.
    fn owing(&self, moves: usize) -> Bitboard {
        let kings = self.near | self.castled | Bitboard::from_square(self.king);
        kings.into_iter().fold(self.firm, |owing, king| {
            self.pins(king, moves + 1)
                .fold(owing, |owing, pinned| owing & !pinned)
        })
    }
}
