//! Counting and listing all winning series.

use std::collections::HashMap;

use super::{
    Limits, SERIES_MAX, Series, Solver, Stats,
    bound::{Bound, Judgement},
    limits::Meter,
    opening::Hopes,
    search::{last_moves, wins},
    visited::Visited,
};
use crate::rules::{Ending, MoveList, SeriesPosition};

/// How many series win. Series are counted as sequences of moves, promotions apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MateCount {
    /// Those after which the enemy has no move at all, or nothing left on the board.
    pub wins: u64,
    /// Those after which every answer of the enemy would be a check the rules forbid: only
    /// progressive checkmate.
    pub progressive: u64,
}

impl MateCount {
    /// Both kinds together.
    pub fn total(self) -> u64 {
        self.wins.saturating_add(self.progressive)
    }

    fn add(&mut self, other: MateCount) {
        self.wins = self.wins.saturating_add(other.wins);
        self.progressive = self.progressive.saturating_add(other.progressive);
    }
}

/// All mates of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountReport {
    /// How many there are; `None` when the budget was spent first.
    pub count: Option<MateCount>,
    /// As many of them as were asked for, in the order of the generator.
    pub listed: Vec<Series>,
    /// What it cost.
    pub stats: Stats,
}

impl Solver {
    /// Counts every series that wins, and lists the first `list_max` of them.
    ///
    /// Positions in which a mate is still possible are remembered one by one, about 40 bytes
    /// each, beside the tables.
    pub fn count_mates(
        &mut self,
        position: &SeriesPosition,
        list_max: usize,
        limits: &Limits,
    ) -> CountReport {
        let mut meter = Meter::new(limits);
        let mut report = CountReport {
            count: None,
            listed: Vec::new(),
            stats: Stats::default(),
        };
        if let Some(bound) = self.bounds.first_mut()
            && position.moves_left() <= SERIES_MAX
        {
            self.visited.begin(position);
            bound.begin(position);
            let mut counter = Counter {
                visited: &self.visited,
                bound,
                meter: &mut meter,
                known: HashMap::new(),
                line: Vec::new(),
                listed: Vec::new(),
                list_max,
            };
            report.count = counter.count(position);
            report.listed = counter.listed;
        }
        report.stats = meter.stats();
        report
    }
}

struct Counter<'s, 'l> {
    visited: &'s Visited,
    bound: &'s mut Bound,
    meter: &'s mut Meter<'l>,
    /// The counts of positions that hold a mate.
    known: HashMap<u64, MateCount>,
    line: Series,
    listed: Vec<Series>,
    list_max: usize,
}

impl Counter<'_, '_> {
    fn lists(&self) -> bool {
        self.listed.len() < self.list_max
    }

    /// The wins from `position`, or `None` when the budget is spent.
    fn count(&mut self, position: &SeriesPosition) -> Option<MateCount> {
        if !self.meter.count() {
            return None;
        }
        let key = position.series_key();
        let is_last = position.moves_left() == 1;
        if !is_last {
            if self.visited.contains(key) {
                return Some(MateCount::default());
            }
            if let Some(&count) = self.known.get(&key)
                && !self.lists()
            {
                return Some(count);
            }
        }
        let mut count = MateCount::default();
        let mut moves = MoveList::new();
        if is_last {
            moves = last_moves(position, self.bound);
        } else {
            let judgement = self.bound.outlook(position, None).judgement;
            // What may be taken is not worth finding out for one position.
            let hopes = match judgement {
                Judgement::Static => Hopes::only_plain(),
                _ => Hopes::UNKNOWN,
            };
            self.bound
                .candidates(position, judgement, &hopes, &mut moves);
        }
        for m in moves {
            let next = position.after(m);
            self.line.push(m);
            if wins(position, &next) {
                count.add(self.win(&next));
            } else if next.side() == position.side() {
                count.add(self.count(&next)?);
            }
            self.line.pop();
        }
        if !is_last {
            if count.total() == 0 {
                self.visited.insert(key);
            } else {
                self.known.insert(key, count);
            }
        }
        Some(count)
    }

    fn win(&mut self, end: &SeriesPosition) -> MateCount {
        if self.lists() {
            self.listed.push(self.line.clone());
        }
        let progressive = end
            .board_outcome()
            .is_some_and(|outcome| outcome.ending == Ending::ProgressiveCheckmate);
        MateCount {
            wins: u64::from(!progressive),
            progressive: u64::from(progressive),
        }
    }
}
