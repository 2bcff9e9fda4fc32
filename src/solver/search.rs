//! The search for a first mate: depth first over distinct positions.

use arrayvec::ArrayVec;

use super::{
    SERIES_MAX, Series,
    bound::{Bound, Judgement, Outlook},
    limits::Meter,
    visited::Visited,
};
use crate::rules::{CheckRule, Move, MoveList, Objective, SeriesPosition};

/// How the search of a position ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Mate,
    NoMate,
    Stopped,
}

/// With more moves left than this, moves are tried in the order of their promise.
const ORDER_MIN: u16 = 3;

/// A move to be tried, and what the bound says of the position after it.
#[derive(Clone, Copy, Debug)]
struct Child {
    m: Move,
    key: u64,
    outlook: Outlook,
}

/// One thread's search.
pub(super) struct Searcher<'s, 'l> {
    visited: &'s Visited,
    bound: &'s mut Bound,
    meter: &'s mut Meter<'l>,
    /// The positions next to be searched, of all open nodes on the line.
    children: Vec<Child>,
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
            children: Vec::with_capacity(1024),
            line: ArrayVec::new(),
        }
    }

    /// The winning series after [`Verdict::Mate`].
    pub(super) fn series(&self) -> Series {
        self.line.iter().rev().copied().collect()
    }

    /// Searches the rest of the series from `position`.
    pub(super) fn solve(&mut self, position: &SeriesPosition) -> Verdict {
        self.line.clear();
        self.children.clear();
        self.search(position)
    }

    /// Hands in the count of positions visited.
    pub(super) fn settle(&mut self) {
        self.meter.settle();
    }

    fn search(&mut self, position: &SeriesPosition) -> Verdict {
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
        let judgement = self.bound.outlook(position).judgement;
        self.expand(position, key, judgement)
    }

    /// Searches on from a position of which the bound says `judgement`.
    fn expand(&mut self, position: &SeriesPosition, key: u64, judgement: Judgement) -> Verdict {
        let mut moves = MoveList::new();
        self.bound.candidates(position, judgement, &mut moves);
        let verdict = if position.moves_left() > ORDER_MIN && self.bound.is_on() {
            self.try_nearest_first(position, &moves)
        } else {
            self.try_all(position, &moves)
        };
        if verdict == Verdict::NoMate {
            self.visited.insert(key);
        }
        verdict
    }

    fn try_all(&mut self, position: &SeriesPosition, moves: &[Move]) -> Verdict {
        for &m in moves {
            let next = position.after(m);
            let verdict = if wins(position, &next) {
                Verdict::Mate
            } else if next.side() == position.side() {
                self.search(&next)
            } else {
                Verdict::NoMate
            };
            if verdict != Verdict::NoMate {
                return self.found(m, verdict);
            }
        }
        Verdict::NoMate
    }

    /// Judges all positions that the moves lead to, and searches those first that seem nearest to
    /// a mate.
    fn try_nearest_first(&mut self, position: &SeriesPosition, moves: &[Move]) -> Verdict {
        let base = self.children.len();
        for &m in moves {
            let next = position.after(m);
            if wins(position, &next) {
                self.children.truncate(base);
                return self.found(m, Verdict::Mate);
            }
            if next.side() != position.side() {
                continue;
            }
            if !self.meter.count() {
                return Verdict::Stopped;
            }
            let key = next.series_key();
            if self.visited.contains(key) {
                continue;
            }
            let mut outlook = self.bound.outlook(&next);
            match outlook.judgement {
                Judgement::Hopeless => {
                    self.visited.insert(key);
                    continue;
                }
                Judgement::Unknown => outlook.rank = self.bound.rank(&next),
                Judgement::Static | Judgement::OpenOnly | Judgement::Open => {}
            }
            self.children.push(Child { m, key, outlook });
        }
        self.children[base..].sort_unstable_by_key(|child| (child.outlook.rank, child.m));
        let end = self.children.len();
        for index in base..end {
            let child = self.children[index];
            if self.visited.contains(child.key) {
                continue;
            }
            let next = position.after(child.m);
            let verdict = self.expand(&next, child.key, child.outlook.judgement);
            if verdict != Verdict::NoMate {
                return self.found(child.m, verdict);
            }
        }
        self.children.truncate(base);
        Verdict::NoMate
    }

    fn found(&mut self, m: Move, verdict: Verdict) -> Verdict {
        if verdict == Verdict::Mate {
            self.line.push(m);
        }
        verdict
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
