//! What a search may cost, and what it has cost.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// What a search may cost. The default sets no bound.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'s> {
    /// The most positions to visit.
    pub nodes: Option<u64>,
    /// The most time to take, wall clock.
    pub time: Option<Duration>,
    /// Set by anybody to make the search give up soon (within about a millisecond).
    pub stop: Option<&'s AtomicBool>,
}

impl Limits<'_> {
    /// At most `nodes` positions, however long it takes.
    pub fn nodes(nodes: u64) -> Limits<'static> {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// At most `time`, wall clock.
    pub fn time(time: Duration) -> Limits<'static> {
        Limits {
            time: Some(time),
            ..Limits::default()
        }
    }
}

/// What a search has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Positions visited.
    pub nodes: u64,
}

/// How many positions are visited between two looks at the clock and the stop flag, less one.
const LOOK_MASK: u64 = 0xff;
/// How much other work is done between two such looks, in steps.
const WORK: u64 = 0x7ff;

/// Counts positions and says when to give up.
#[derive(Debug)]
pub(super) struct Meter<'l> {
    nodes: u64,
    nodes_max: u64,
    /// Work since the last look that it led to.
    worked: u64,
    deadline: Option<Instant>,
    stop: Option<&'l AtomicBool>,
    /// Where several threads count together, and what of the own count is not in it yet.
    pool: Option<(&'l AtomicU64, u64)>,
    /// Set when another thread has found what was looked for.
    halt: Option<&'l AtomicBool>,
    stopped: bool,
}

impl<'l> Meter<'l> {
    pub(super) fn new(limits: &Limits<'l>) -> Meter<'l> {
        Meter {
            nodes: 0,
            nodes_max: limits.nodes.unwrap_or(u64::MAX),
            worked: 0,
            deadline: limits
                .time
                .and_then(|time| Instant::now().checked_add(time)),
            stop: limits.stop,
            pool: None,
            halt: None,
            stopped: false,
        }
    }

    /// Counts one position. False when the search has to give up.
    #[inline]
    pub(super) fn count(&mut self) -> bool {
        if self.nodes & LOOK_MASK == 0 {
            self.look();
        }
        if self.stopped || self.nodes >= self.nodes_max {
            self.stopped = true;
            return false;
        }
        self.nodes += 1;
        true
    }

    /// Takes note of work between two positions, in steps of a microsecond at most.
    #[inline]
    pub(super) fn work(&mut self, steps: u64) {
        self.worked += steps;
        if self.worked > WORK {
            self.worked = 0;
            self.look();
        }
    }

    /// Whether the search has to give up.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    #[cold]
    fn look(&mut self) {
        self.settle();
        self.stopped |= self.halt.is_some_and(|halt| halt.load(Ordering::Relaxed));
        self.stopped |= self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline);
    }

    /// The meter of one of several threads that count together in `pool`, which starts at the
    /// count of this one; all stop when `halt` is set.
    pub(super) fn share<'m>(&self, pool: &'m AtomicU64, halt: &'m AtomicBool) -> Meter<'m>
    where
        'l: 'm,
    {
        Meter {
            nodes: self.nodes,
            nodes_max: self.nodes_max,
            worked: 0,
            deadline: self.deadline,
            stop: self.stop,
            pool: Some((pool, self.nodes)),
            halt: Some(halt),
            stopped: false,
        }
    }

    /// Hands in what was counted to the common count, and takes over that.
    pub(super) fn settle(&mut self) {
        if let Some((pool, known)) = &mut self.pool {
            let fresh = self.nodes - *known;
            self.nodes = pool.fetch_add(fresh, Ordering::Relaxed) + fresh;
            *known = self.nodes;
        }
    }

    /// Lets at most `nodes` more positions be visited until [`Meter::lift`]; what was allowed
    /// before is returned.
    pub(super) fn limit(&mut self, nodes: u64) -> u64 {
        let before = self.nodes_max;
        self.nodes_max = before.min(self.nodes.saturating_add(nodes));
        before
    }

    /// Allows `nodes_max` positions again. False if the search has to give up nevertheless.
    pub(super) fn lift(&mut self, nodes_max: u64) -> bool {
        let was_limit = self.nodes >= self.nodes_max && self.nodes < nodes_max;
        self.nodes_max = nodes_max;
        if was_limit {
            self.stopped = false;
            self.look();
        }
        !self.stopped
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn set_nodes(&mut self, nodes: u64) {
        self.nodes = nodes;
    }

    pub(super) fn stats(&self) -> Stats {
        Stats { nodes: self.nodes }
    }
}
