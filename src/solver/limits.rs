//! What a search may cost, and what it has cost.

use std::{
    sync::atomic::{AtomicBool, Ordering},
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

/// Counts positions and says when to give up.
#[derive(Debug)]
pub(super) struct Meter<'l> {
    nodes: u64,
    nodes_max: u64,
    deadline: Option<Instant>,
    stop: Option<&'l AtomicBool>,
    stopped: bool,
}

impl<'l> Meter<'l> {
    pub(super) fn new(limits: &Limits<'l>) -> Meter<'l> {
        Meter {
            nodes: 0,
            nodes_max: limits.nodes.unwrap_or(u64::MAX),
            deadline: limits
                .time
                .and_then(|time| Instant::now().checked_add(time)),
            stop: limits.stop,
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

    #[cold]
    fn look(&mut self) {
        self.stopped |= self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline);
    }

    pub(super) fn stats(&self) -> Stats {
        Stats { nodes: self.nodes }
    }
}
