//! Balance (English progressive): how often each man has moved in the series, and who may move.

use shakmaty::{Bitboard, Role, Square, attacks};

use super::{
    generate::{Checks, Forgetful, Sink, generate, pawn_origin},
    key,
    moves::{Move, MoveKind},
    position::SeriesPosition,
    rule_set::{Balance, CheckRule},
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

    /// The squares of retired men.
    #[inline]
    fn retired(&self) -> Bitboard {
        self.0
            .iter()
            .fold(Bitboard::FULL, |all, &plane| all & plane)
    }

    /// Whether any man may not move again in this series.
    #[inline]
    pub(super) fn any_retired(&self) -> bool {
        self.retired().any()
    }

    /// Forgets all counts but those of retired men: a new round.
    fn start_round(&mut self) {
        self.0 = [self.retired(); PLANES];
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

/// Hands on the moves that balance allows: those at the lowest level that any of them has. A castling
/// move needs both its men to be eligible, so its level is the higher one of theirs. Retired men never
/// move, with or without balance.
pub(super) struct Balanced<'p, S> {
    position: &'p SeriesPosition,
    sink: &'p mut S,
    /// The highest level that is handed on, and under balance the only one.
    level: u8,
    only_lowest: bool,
}

impl<'p, S: Forgetful> Balanced<'p, S> {
    pub(super) fn new(position: &'p SeriesPosition, sink: &'p mut S) -> Self {
        Balanced {
            position,
            sink,
            level: COUNT_MAX,
            only_lowest: position.rules.balance != Balance::Off,
        }
    }

    /// Whether a move of this level is handed on; if it is lower than those before, they are forgotten.
    #[inline]
    fn admits(&mut self, level: u8) -> bool {
        if self.only_lowest && level < self.level {
            self.level = level;
            self.sink.forget();
        }
        level <= self.level
    }
}

impl<S: Forgetful> Sink for Balanced<'_, S> {
    #[inline]
    fn targets(&mut self, role: Role, from: Square, targets: Bitboard) {
        if targets.any() && self.admits(self.position.counts.get(from)) {
            self.sink.targets(role, from, targets);
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i32, kind: MoveKind) {
        for to in targets {
            let from = pawn_origin(to, step);
            if self.admits(self.position.counts.get(from)) {
                self.sink.pawns(Bitboard::from_square(to), step, kind);
            }
        }
    }

    #[inline]
    fn single(&mut self, m: Move) {
        if self.admits(self.position.level(m)) {
            self.sink.single(m);
        }
    }
}

/// How the present round of a balanced series stands: in a round every man moves once before any
/// moves again.
pub(crate) struct Round {
    /// Own men that have not moved in this round, whether they can or not.
    pub(crate) waiting: Bitboard,
    /// Those of them that may move more than once in it, since they were blocked in an earlier one.
    pub(crate) late: Bitboard,
    /// Those of them that can move now, castling and captures en passant apart.
    pub(crate) free: Bitboard,
    /// By square of a free man: the first squares on its ways. It can go to each of them as long as
    /// nobody else does and the man is not pinned.
    pub(crate) exits: [Bitboard; 64],
}

/// Notes who can move, and where the ways begin.
struct Ways<'p> {
    position: &'p SeriesPosition,
    free: Bitboard,
    exits: [Bitboard; 64],
    lowest: u8,
}

impl Ways<'_> {
    #[inline]
    fn add(&mut self, from: Square, exits: Bitboard) {
        self.free.add(from);
        self.exits[from as usize] |= exits;
    }
}

impl Sink for Ways<'_> {
    #[inline]
    fn targets(&mut self, role: Role, from: Square, targets: Bitboard) {
        if targets.any() {
            let near = match role {
                Role::Knight => targets,
                _ => targets & attacks::king_attacks(from),
            };
            self.add(from, near);
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i32, kind: MoveKind) {
        if kind == MoveKind::DoubleStep {
            return;
        }
        for to in targets {
            let from = pawn_origin(to, step);
            self.add(from, Bitboard::from_square(to));
        }
    }

    #[inline]
    fn single(&mut self, m: Move) {
        if matches!(m.kind(), MoveKind::Castle | MoveKind::EnPassant) {
            self.lowest = self.lowest.min(self.position.level(m));
        } else {
            self.add(m.from(), Bitboard::from_square(m.to()));
        }
    }
}

impl SeriesPosition {
    /// The present round; `None` without balance, in check, where the check rule may forbid a move
    /// later that is allowed now, and where nothing can be said.
    pub(crate) fn round(&self) -> Option<Round> {
        let is_known = self.rules.balance != Balance::Off
            && self.rules.checks == CheckRule::Ends
            && !self.rules.has_rebirth()
            && self.en_passant == 0
            && !(self.is_turn_start() && self.is_check());
        if !is_known {
            return None;
        }
        let mut ways = Ways {
            position: self,
            free: Bitboard::EMPTY,
            exits: [Bitboard::EMPTY; 64],
            lowest: RETIRED,
        };
        generate(self, Checks::Allowed, &mut ways);
        let level = ways
            .free
            .into_iter()
            .map(|square| self.counts.get(square))
            .fold(ways.lowest, u8::min);
        // The highest count is kept however often a man moves then.
        if level >= COUNT_MAX {
            return None;
        }
        // Where nobody can move but those that have, their next move begins a new round.
        let begins = self.rules.balance == Balance::Rounds && level > 0;
        let mut round = Round {
            waiting: Bitboard::EMPTY,
            late: Bitboard::EMPTY,
            free: ways.free,
            exits: ways.exits,
        };
        for square in self.men.of(self.side) {
            let count = self.counts.get(square);
            if count <= level || begins && count < RETIRED {
                round.waiting.add(square);
                if count < level && !begins {
                    round.late.add(square);
                }
            }
        }
        round.free &= round.waiting;
        Some(round)
    }
}
