//! The mate solver: finds a mate in the series, counts them all, or proves that there is none.
//!
//! It asks one question about one series: can the side on turn win before its series is over?
//! Winning is mating the king, in whichever way the rule set counts it, or, where everything has
//! to be captured, taking the last enemy man. Draw rules are not looked at, since a win comes
//! before them.
//!
//! The room does no I/O and knows no clock but the budget it is given. The search room and the
//! referee's quiet rule call it, and so do the problem-solving commands. The way in is
//! [`Solver::first_mate`]; how it works is told in `docs/solver.md`.

mod balance;
mod bound;
mod closer;
mod count;
mod cover;
mod frontier;
mod gallery;
mod ground;
mod hunt;
mod limits;
mod opening;
mod parallel;
mod parry;
mod pictures;
mod plans;
mod roster;
mod rounds;
mod scene;
mod search;
mod settle;
mod tours;
mod travel;
mod visited;
mod walls;
mod within;

use std::sync::Arc;

pub use count::{CountReport, MateCount};
pub use limits::{Limits, Stats};
pub use settle::{QuietSettled, SETTLE_NODES};
pub use within::WithinReport;

use crate::rules::{Move, SeriesPosition, Setup, TurnNumber};
use bound::Bound;
use frontier::Frontier;
use limits::Meter;
use search::Searcher;
use visited::Visited;

/// The moves of one series, in order.
pub type Series = Vec<Move>;

/// The most moves a series may still have for the solver to look at it; longer ones are answered
/// with [`Answer::Unknown`].
pub const SERIES_MAX: u16 = 200;

/// Positions in a front for each MiB of the table: they take up to about a quarter of its size.
const FRONT_PER_MIB: usize = 512;
/// However much memory there is, a front has room for no more: a mate is mostly found before, and
/// where there is none depth first search proves it in less time.
const FRONT_MOST: usize = 2560;
/// What a position in a front takes at most, with its places in the queues and the set of those
/// seen, and what is handed down to it.
const FRONT_BYTES: usize = 320;
/// However little memory there is, a front has room for so many.
const FRONT_LEAST: usize = 64;

/// What the solver found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The rest of the series can win, for instance like this.
    Mate(Series),
    /// No continuation of the series wins. This is a proof.
    NoMate,
    /// The budget was spent, or the search stopped, before either was known.
    Unknown,
}

impl Answer {
    /// The winning series, if one was found.
    pub fn series(&self) -> Option<&[Move]> {
        match self {
            Answer::Mate(series) => Some(series),
            Answer::NoMate | Answer::Unknown => None,
        }
    }
}

/// An answer and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What was found.
    pub answer: Answer,
    /// What it cost.
    pub stats: Stats,
}

/// The shortest mate: how many moves the series needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortestReport {
    /// The number of moves of the series in [`Answer::Mate`]. After [`Answer::NoMate`] all
    /// lengths up to that of the position were refuted; after [`Answer::Unknown`] all shorter
    /// ones than this.
    pub moves: u16,
    /// What was found.
    pub answer: Answer,
    /// What it cost, all lengths together.
    pub stats: Stats,
}

/// A mate solver with its tables.
///
/// It keeps what it has proved between calls as long as the enemy's men stay the same, so that
/// many similar positions cost less than as many fresh ones. Answers do not depend on what was
/// asked before; which of several mates is found may. With one thread equal calls on fresh
/// solvers give equal reports.
#[derive(Debug)]
pub struct Solver {
    visited: Arc<Visited>,
    /// How many positions a front may hold.
    room: usize,
    /// The tables of each thread.
    bounds: Vec<Bound>,
}

impl Solver {
    /// A solver whose table takes `hash_mib` MiB (0 is read as 1) and that searches with
    /// `threads` threads (0 is read as 1). What it keeps beside the table, up to 25 MiB and a
    /// quarter of the table, is for callers whose memory does not matter; others ask for a solver
    /// [`Solver::within`] bounds.
    pub fn new(hash_mib: usize, threads: usize) -> Solver {
        Solver {
            visited: Arc::new(Visited::new(hash_mib.max(1).saturating_mul(1 << 20))),
            room: hash_mib
                .saturating_mul(FRONT_PER_MIB)
                .clamp(FRONT_PER_MIB, FRONT_MOST),
            bounds: std::iter::repeat_with(Bound::default)
                .take(threads.max(1))
                .collect(),
        }
    }

    /// A solver for one thread all of whose memory together takes about `bytes` bytes: a half for
    /// the table, an eighth for a front, the rest for the tables over enemy set-ups.
    pub fn within(bytes: usize) -> Solver {
        let (table, front) = (bytes / 2, bytes / 8);
        Solver {
            visited: Arc::new(Visited::new(table)),
            room: (front / FRONT_BYTES).clamp(FRONT_LEAST, FRONT_MOST),
            bounds: vec![Bound::within(bytes - table - front)],
        }
    }

    /// How many threads it searches with.
    pub fn threads(&self) -> usize {
        self.bounds.len()
    }

    /// Forgets everything proved so far.
    pub fn forget(&mut self) {
        self.visited.forget();
        for bound in &mut self.bounds {
            bound.forget();
        }
    }

    /// Looks for any way to win in the rest of the series.
    ///
    /// Under rules with exact length (checks only on the last move) the series in the answer has
    /// exactly [`SeriesPosition::moves_left`] moves, else at most as many.
    pub fn first_mate(&mut self, position: &SeriesPosition, limits: &Limits) -> Report {
        let mut meter = Meter::new(limits);
        let answer = self.solve(position, &mut meter);
        Report {
            answer,
            stats: meter.stats(),
        }
    }

    fn solve(&mut self, position: &SeriesPosition, meter: &mut Meter<'_>) -> Answer {
        if position.moves_left() > SERIES_MAX {
            return Answer::Unknown;
        }
        self.visited.begin(position);
        let threads = self.bounds.len();
        let Some(bound) = self.bounds.first_mut() else {
            return Answer::Unknown;
        };
        bound.begin(position);
        let frontier = Frontier::new(position, self.room);
        let nodes_max = meter.limit(if threads > 1 {
            parallel::ALONE_NODES
        } else {
            u64::MAX
        });
        Searcher::new(&self.visited, bound, meter).work(&frontier);
        let mut answer = frontier.answer();
        if meter.lift(nodes_max) && answer.is_none() {
            parallel::work(&self.visited, &mut self.bounds, position, &frontier, meter);
            answer = frontier.answer();
        }
        answer.unwrap_or(Answer::Unknown)
    }

    /// Looks for the shortest series that wins: tries one move, two moves, and so on up to
    /// [`SeriesPosition::moves_left`]. Under rules with exact length that asks for each length
    /// whether a series of just that length would mate.
    ///
    /// The position must be the start of a series: in the middle of one there is nothing to
    /// shorten, and the answer is that of [`Solver::first_mate`].
    pub fn shortest_mate(&mut self, position: &SeriesPosition, limits: &Limits) -> ShortestReport {
        let mut meter = Meter::new(limits);
        let length = position.moves_left();
        let mut report = ShortestReport {
            moves: length,
            answer: Answer::NoMate,
            stats: Stats::default(),
        };
        let first = if position.is_turn_start() { 1 } else { length };
        for moves in first..=length {
            let Some(shorter) = with_series_length(position, moves) else {
                continue;
            };
            let answer = self.solve(&shorter, &mut meter);
            if answer != Answer::NoMate {
                report.moves = answer.series().map_or(moves, |series| series.len() as u16);
                report.answer = answer;
                break;
            }
        }
        report.stats = meter.stats();
        report
    }
}

/// The same position at the start of a series of `moves` moves, if the schedule has such a turn.
fn with_series_length(position: &SeriesPosition, moves: u16) -> Option<SeriesPosition> {
    if position.moves_left() == moves {
        return Some(*position);
    }
    let turn = (1..=position.turn().0)
        .rev()
        .find(|&turn| position.series_length(TurnNumber(turn)) == moves)?;
    let setup = Setup {
        turn,
        ..position.to_setup()
    };
    SeriesPosition::from_setup(*position.rules(), &setup).ok()
}
