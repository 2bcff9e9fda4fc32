//! Balance (English progressive): how often each man has moved in the series, and who may move.

use shakmaty::{Bitboard, Square};

use super::{
    key,
    moves::{Move, MoveList},
    position::SeriesPosition,
    rule_set::Balance,
};

const PLANES: usize = 5;
/// The mark of a man that may not move again in this series.
pub(super) const RETIRED: u8 = 31;
/// The largest count. A man that moved oftener in one series counts as having moved so often.
pub(super) const COUNT_MAX: u8 = 30;

/// A small number for every square, bit-sliced: plane *i* holds bit *i* of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct MoveCounts([Bitboard; PLANES]);

impl MoveCounts {
    #[inline]
    pub(super) fn get(&self, square: Square) -> u8 {
        (0..PLANES).fold(0, |count, bit| {
            count | u8::from(self.0[bit].contains(square)) << bit
        })
    }

    #[inline]
    pub(super) fn set(&mut self, square: Square, count: u8) {
        for (bit, plane) in self.0.iter_mut().enumerate() {
            plane.set(square, count >> bit & 1 != 0);
        }
    }

    /// Forgets all counts but those of retired men: a new round.
    fn start_round(&mut self) {
        let retired = self
            .0
            .iter()
            .fold(Bitboard::FULL, |all, &plane| all & plane);
        self.0 = [retired; PLANES];
    }

    /// A word that differs between counts; 0 where nothing has moved.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        if self.0.iter().all(|plane| plane.is_empty()) {
            return 0;
        }
        self.0
            .iter()
            .fold(0, |word, plane| key::mix(word ^ plane.0))
    }
}

impl SeriesPosition {
    /// Whether the man on `square` may not move again in this series.
    pub(super) fn is_retired(&self, square: Square) -> bool {
        self.counts.get(square) == RETIRED
    }

    /// The level of a move: the largest count among the men it moves.
    fn level(&self, m: Move) -> u8 {
        let level = self.counts.get(m.from());
        if m.is_castle() {
            level.max(self.counts.get(m.to()))
        } else {
            level
        }
    }

    /// Keeps the moves that balance allows: those at the lowest level any of them has. A castling
    /// move needs both its men to be eligible, so its level is the higher one of theirs. Retired
    /// men never move, with or without balance.
    pub(super) fn retain_balanced(&self, moves: &mut MoveList) {
        if self.rules.balance == Balance::Off {
            moves.retain(|&mut m| self.level(m) < RETIRED);
            return;
        }
        let lowest = moves
            .iter()
            .map(|&m| self.level(m))
            .min()
            .unwrap_or(RETIRED);
        moves.retain(|&mut m| lowest < RETIRED && self.level(m) == lowest);
    }

    /// Counts `m`, before the men are moved; `retires` where its man may not move again.
    pub(super) fn count_move(&mut self, m: Move, retires: bool) {
        if self.rules.balance == Balance::Rounds && self.level(m) > 0 {
            self.counts.start_round();
        }
        let balanced = self.rules.balance != Balance::Off;
        let next = |count: u8| {
            if balanced && count < RETIRED {
                (count + 1).min(COUNT_MAX)
            } else {
                count
            }
        };
        let count = if retires {
            RETIRED
        } else {
            next(self.counts.get(m.from()))
        };
        if m.is_castle() {
            let rook = next(self.counts.get(m.to()));
            let (king_to, rook_to) = m.castling_targets();
            self.counts.set(m.from(), 0);
            self.counts.set(m.to(), 0);
            self.counts.set(king_to, count);
            self.counts.set(rook_to, rook);
        } else {
            self.counts.set(m.from(), 0);
            self.counts.set(m.to(), count);
        }
    }
}
