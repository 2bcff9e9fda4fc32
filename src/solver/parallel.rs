//! One search by several threads, which share a front and the table of refuted positions.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::{bound::Bound, frontier::Frontier, limits::Meter, search::Searcher, visited::Visited};
use crate::rules::SeriesPosition;

/// How many positions one thread visits before others are called: about ten milliseconds.
pub(super) const ALONE_NODES: u64 = 10_000;

/// Searches on from `frontier` with as many threads as there are `bounds`.
pub(super) fn work(
    visited: &Visited,
    bounds: &mut [Bound],
    position: &SeriesPosition,
    frontier: &Frontier,
    meter: &mut Meter<'_>,
) {
    let pool = AtomicU64::new(meter.nodes());
    let halt = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for bound in bounds {
            let mut meter = meter.share(&pool, &halt);
            let halt = &halt;
            scope.spawn(move || {
                bound.begin(position);
                let mut searcher = Searcher::new(visited, bound, &mut meter);
                searcher.work(frontier);
                searcher.settle();
                // A mate is found, or nothing is left to do, or the budget is spent.
                halt.store(true, Ordering::Relaxed);
            });
        }
    });
    meter.set_nodes(pool.load(Ordering::Relaxed));
}
