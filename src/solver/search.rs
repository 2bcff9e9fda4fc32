//! The search for a first mate: depth first over distinct positions.

use arrayvec::ArrayVec;

use super::{
    SERIES_MAX, Series,
    bound::{Bound, Judgement, Outlook},
    frontier::{Frontier, Open, Task},
    limits::Meter,
    opening::{Hopes, Inherited},
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

/// Where nothing is known of promise, a front is kept of positions after so many moves, for the
/// threads to share.
const BLIND_DEPTH: u16 = 2;

/// A move to be tried, and what the bound says of the position after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) m: Move,
    pub(super) key: u64,
    pub(super) outlook: Outlook,
}

/// One thread's search.
pub(super) struct Searcher<'s, 'l> {
    visited: &'s Visited,
    bound: &'s mut Bound,
    meter: &'s mut Meter<'l>,
    /// The positions next to be searched, of all open nodes on the line.
    children: Vec<Child>,
    /// What may lead to a mate where they come from, if they are to be put into a front.
    hopes: Hopes,
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
            hopes: Hopes::UNKNOWN,
            line: ArrayVec::new(),
        }
    }

    /// The winning series after [`Verdict::Mate`].
    pub(super) fn series(&self) -> Series {
        self.line.iter().rev().copied().collect()
    }

    /// Searches on from the positions of `frontier` until there are none or the budget is spent.
    pub(super) fn work(&mut self, frontier: &Frontier) {
        while let Some(task) = frontier.next() {
            match self.advance(&task) {
                Verdict::Mate => frontier.end(&task, self.series()),
                Verdict::NoMate => frontier.put(&task, &self.children, &self.hopes),
                Verdict::Stopped => {
                    frontier.give_back(task);
                    break;
                }
            }
        }
    }

    /// Searches on from a position of a front: depth first if it is nearly done, else what it
    /// leads to is put into `children`.
    fn advance(&mut self, task: &Task) -> Verdict {
        self.line.clear();
        self.children.clear();
        let Open {
            position,
            key,
            judgement,
            ..
        } = &task.open;
        if self.visited.contains(*key) {
            return Verdict::NoMate;
        }
        self.bound.widen_all();
        if self.bound.is_out_of_reach(position, self.meter) {
            self.visited.insert(*key);
            return Verdict::NoMate;
        }
        if position.moves_left() == 1 {
            return self.search(position, None);
        }
        let inherited = task.inherited();
        let judgement = match judgement {
            Some(judgement) => *judgement,
            None if !self.meter.count() => return Verdict::Stopped,
            None => self.bound.outlook(position, inherited).judgement,
        };
        let is_deep = !self.bound.is_on() && task.depth >= BLIND_DEPTH;
        if task.is_full || is_deep || position.moves_left() <= ORDER_MIN {
            let verdict = self.expand(position, *key, judgement, inherited);
            self.children.clear();
            return verdict;
        }
        let mut moves = MoveList::new();
        self.bound.focus(position);
        let hopes = self.bound.prospects(position, judgement, inherited);
        self.bound
            .candidates(position, judgement, &hopes, &mut moves);
        let verdict = self.judge_all(position, &moves, &hopes);
        self.hopes = hopes;
        verdict
    }

    /// Hands in the count of positions visited.
    pub(super) fn settle(&mut self) {
        self.meter.settle();
    }

    fn search(&mut self, position: &SeriesPosition, inherited: Option<Inherited<'_>>) -> Verdict {
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
        if self.bound.is_out_of_reach(position, self.meter) {
            self.visited.insert(key);
            return Verdict::NoMate;
        }
        let judgement = self.bound.outlook(position, inherited).judgement;
        self.expand(position, key, judgement, inherited)
    }

    /// Searches on from a position of which the bound says `judgement`.
    fn expand(
        &mut self,
        position: &SeriesPosition,
        key: u64,
        judgement: Judgement,
        inherited: Option<Inherited<'_>>,
    ) -> Verdict {
        let mut moves = MoveList::new();
        self.bound.focus(position);
        let hopes = self.bound.prospects(position, judgement, inherited);
        self.bound
            .candidates(position, judgement, &hopes, &mut moves);
        let verdict = if position.moves_left() > ORDER_MIN && self.bound.is_on() {
            self.try_nearest_first(position, &moves, &hopes)
        } else {
            self.try_all(position, &moves, &hopes)
        };
        self.bound.widen();
        if verdict == Verdict::NoMate {
            self.visited.insert(key);
        }
        verdict
    }

    fn try_all(&mut self, position: &SeriesPosition, moves: &[Move], hopes: &Hopes) -> Verdict {
        let enemy = position.men().of(!position.side());
        for &m in moves {
            let next = position.after(m);
            let verdict = if wins(position, &next) {
                Verdict::Mate
            } else if next.side() == position.side() {
                self.search(&next, hopes.after(enemy, m))
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
    fn try_nearest_first(
        &mut self,
        position: &SeriesPosition,
        moves: &[Move],
        hopes: &Hopes,
    ) -> Verdict {
        let enemy = position.men().of(!position.side());
        let base = self.children.len();
        let verdict = self.judge_all(position, moves, hopes);
        if verdict != Verdict::NoMate {
            self.children.truncate(base);
            return verdict;
        }
        self.children[base..].sort_unstable_by_key(|child| (child.outlook.rank, child.m));
        let end = self.children.len();
        for index in base..end {
            let child = self.children[index];
            if self.visited.contains(child.key) {
                continue;
            }
            let next = position.after(child.m);
            let verdict = self.expand(
                &next,
                child.key,
                child.outlook.judgement,
                hopes.after(enemy, child.m),
            );
            if verdict != Verdict::NoMate {
                return self.found(child.m, verdict);
            }
        }
        self.children.truncate(base);
        Verdict::NoMate
    }

    /// Puts the positions that the moves lead to among the children, if there can be a mate.
    fn judge_all(&mut self, position: &SeriesPosition, moves: &[Move], hopes: &Hopes) -> Verdict {
        let enemy = position.men().of(!position.side());
        for &m in moves {
            let next = position.after(m);
            if wins(position, &next) {
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
            if self.bound.is_out_of_reach(&next, self.meter) {
                self.visited.insert(key);
                continue;
            }
            let mut outlook = self.bound.outlook(&next, hopes.after(enemy, m));
            match outlook.judgement {
                Judgement::Hopeless => {
                    self.visited.insert(key);
                    continue;
                }
                Judgement::Unknown => {
                    let Some(rank) = self.bound.far_rank(&next, self.meter) else {
                        self.visited.insert(key);
                        continue;
                    };
                    outlook.rank = rank;
                }
                Judgement::Static
                | Judgement::Once
                | Judgement::Blind
                | Judgement::Taking
                | Judgement::Twice
                | Judgement::OpenOnly
                | Judgement::Open => {}
            }
            self.children.push(Child { m, key, outlook });
        }
        Verdict::NoMate
    }

    fn found(&mut self, m: Move, verdict: Verdict) -> Verdict {
        if verdict == Verdict::Mate {
            self.line.push(m);
        }
        verdict
    }

    fn last_move(&mut self, position: &SeriesPosition) -> Verdict {
        for &m in &last_moves(position, self.bound) {
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
