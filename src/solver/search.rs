//! The search for a first mate: depth first over distinct positions.

use arrayvec::ArrayVec;

use super::{SERIES_MAX, Series, bound::Bound, limits::Meter, visited::Visited};
use crate::rules::{CheckRule, Move, MoveList, Objective, SeriesPosition};

/// How the search of a position ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Mate,
    NoMate,
    Stopped,
}

/// One thread's search.
pub(super) struct Searcher<'s, 'l> {
    visited: &'s Visited,
    bound: &'s mut Bound,
    meter: &'s mut Meter<'l>,
    /// The mate found, last move first.
    line: ArrayVec<Move, { SERIES_MAX as usize }>,
}

impl<'s, 'l> Searcher<'s, 'l> {
    pub(super) fn new(
        visited: &'s Visited,
        bound: &'s mut Bound,
        meter: &'s mut Meter<'l>,
    ) -> Searcher<'s, 'l> {
        Searcher {
            visited,
            bound,
            meter,
            line: ArrayVec::new(),
        }
    }

    /// The winning series after [`Verdict::Mate`].
    pub(super) fn series(&self) -> Series {
        self.line.iter().rev().copied().collect()
    }

    /// Searches the rest of the series from `position`.
    pub(super) fn search(&mut self, position: &SeriesPosition) -> Verdict {
        if !self.meter.count() {
            return Verdict::Stopped;
        }
        if position.moves_left() == 1 {
            return self.last_move(position);
        }
        let key = position.series_key();
        if self.visited.contains(key) {
            return Verdict::NoMate;
        }
        let mut moves = MoveList::new();
        self.bound.candidates(position, &mut moves);
        for m in moves {
            let next = position.after(m);
            if wins(position, &next) {
                self.line.push(m);
                return Verdict::Mate;
            }
            if next.side() != position.side() {
                continue;
            }
            match self.search(&next) {
                Verdict::NoMate => {}
                Verdict::Mate => {
                    self.line.push(m);
                    return Verdict::Mate;
                }
                Verdict::Stopped => return Verdict::Stopped,
            }
        }
        self.visited.insert(key);
        Verdict::NoMate
    }

    fn last_move(&mut self, position: &SeriesPosition) -> Verdict {
        for m in last_moves(position, self.bound) {
            if wins(position, &position.after(m)) {
                self.line.push(m);
                return Verdict::Mate;
            }
        }
        Verdict::NoMate
    }
}

/// The moves that can win when only one is left.
pub(super) fn last_moves(position: &SeriesPosition, bound: &mut Bound) -> MoveList {
    match position.rules().objective {
        Objective::Mate => bound.last(position),
        Objective::Capture => {
            let enemy = position.men().of(!position.side());
            if enemy.more_than_one() {
                MoveList::new()
            } else {
                position.legal_moves()
            }
        }
    }
}

/// Whether the move from `position` to `next` has won.
pub(super) fn wins(position: &SeriesPosition, next: &SeriesPosition) -> bool {
    match position.rules().objective {
        Objective::Capture => next.men().of(!position.side()).is_empty(),
        Objective::Mate => {
            // Only the end of the series can mate, and only with a check.
            next.side() != position.side()
                && may_check(position)
                && next.is_check()
                && !next.has_legal_move()
        }
    }
}

#[inline]
fn may_check(position: &SeriesPosition) -> bool {
    position.rules().checks == CheckRule::Ends || position.moves_left() == 1
}
