//! One search by several threads.
//!
//! The first moves of the series are played out to a few hundred distinct positions, nearest to a
//! mate first, and the threads take them one by one. They share the table of refuted positions,
//! so that what one has refuted is known to all.

use std::{
    collections::HashSet,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
};

use super::{
    Answer, Series,
    bound::{BOUND_MAX, Bound, Judgement},
    limits::Meter,
    search::{Searcher, Verdict, wins},
    visited::Visited,
};
use crate::rules::SeriesPosition;

/// How many positions one thread visits before others are called: about ten milliseconds.
pub(super) const ALONE_NODES: u64 = 20_000;
/// The front grows until it has so many positions for each thread.
const TASKS_PER_THREAD: usize = 64;
/// Positions with fewer moves left than this are not split further.
const SPLIT_MIN: u16 = 4;

/// A position to be searched, and the moves that lead to it.
struct Task {
    position: SeriesPosition,
    line: Series,
    rank: u16,
}

/// What came of playing out the first moves.
enum Front {
    Tasks(Vec<Task>),
    Mate(Series),
    Stopped,
}

/// Searches `position` with as many threads as there are `bounds`.
pub(super) fn solve(
    visited: &Visited,
    bounds: &mut [Bound],
    position: &SeriesPosition,
    meter: &mut Meter<'_>,
) -> Answer {
    let wanted = bounds.len() * TASKS_PER_THREAD;
    let Some(first) = bounds.first_mut() else {
        return Answer::Unknown;
    };
    let tasks = match front(visited, first, position, meter, wanted) {
        Front::Tasks(tasks) => tasks,
        Front::Mate(series) => return Answer::Mate(series),
        Front::Stopped => return Answer::Unknown,
    };
    let next = AtomicUsize::new(0);
    let halt = AtomicBool::new(false);
    let pool = AtomicU64::new(meter.nodes());
    let found = Mutex::new(None);
    let is_spent = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for bound in bounds {
            let mut meter = meter.share(&pool, &halt);
            let (tasks, next, halt, found, is_spent) = (&tasks, &next, &halt, &found, &is_spent);
            scope.spawn(move || {
                bound.begin(position);
                let mut searcher = Searcher::new(visited, bound, &mut meter);
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match searcher.solve(&task.position) {
                        Verdict::NoMate => {}
                        Verdict::Mate => {
                            let mut series = task.line.clone();
                            series.extend(searcher.series());
                            *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(series);
                            halt.store(true, Ordering::Relaxed);
                            break;
                        }
                        Verdict::Stopped => {
                            is_spent.store(true, Ordering::Relaxed);
                            break;
                        }
                    }
                }
                searcher.settle();
            });
        }
    });
    meter.set_nodes(pool.load(Ordering::Relaxed));
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    match found {
        Some(series) => Answer::Mate(series),
        None if is_spent.load(Ordering::Relaxed) => Answer::Unknown,
        None => Answer::NoMate,
    }
}

/// Plays out first moves until there are `wanted` positions or few moves are left.
fn front(
    visited: &Visited,
    bound: &mut Bound,
    position: &SeriesPosition,
    meter: &mut Meter<'_>,
    wanted: usize,
) -> Front {
    let mut tasks = vec![Task {
        position: *position,
        line: Series::new(),
        rank: 0,
    }];
    while tasks.len() < wanted
        && tasks
            .first()
            .is_some_and(|task| task.position.moves_left() >= SPLIT_MIN)
    {
        let mut seen = HashSet::new();
        let mut deeper = Vec::new();
        for task in &tasks {
            for m in task.position.legal_moves() {
                let next = task.position.after(m);
                let mut line = task.line.clone();
                line.push(m);
                if wins(&task.position, &next) {
                    return Front::Mate(line);
                }
                let key = next.series_key();
                if next.side() != position.side() || visited.contains(key) || !seen.insert(key) {
                    continue;
                }
                if !meter.count() {
                    return Front::Stopped;
                }
                let mut rank = 0;
                if next.moves_left() > BOUND_MAX {
                    rank = bound.rank(&next);
                } else if next.moves_left() > 1 {
                    let outlook = bound.outlook(&next);
                    rank = outlook.rank;
                    if outlook.judgement == Judgement::Hopeless {
                        continue;
                    }
                }
                deeper.push(Task {
                    position: next,
                    line,
                    rank,
                });
            }
        }
        tasks = deeper;
    }
    tasks.sort_by_key(|task| task.rank);
    Front::Tasks(tasks)
}
