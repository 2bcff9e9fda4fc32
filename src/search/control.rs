//! When a search has to end: counted nodes, the clock and the signals, shared by all threads.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use super::{
    request::{Limits, Request, Signals},
    time::{TurnTime, turn_time},
};

/// Nodes that one millisecond is taken to be worth where effort is planned ahead.
const NODES_PER_MS: u64 = 1500;
/// While the opponent's series is a guess, the solver is asked in slices of this length: its time
/// cannot be changed once it runs.
const PONDER_SLICE: Duration = Duration::from_millis(20);
/// A question is given this time at least.
const QUESTION_LEAST: Duration = Duration::from_millis(2);
/// The effort that a search without limits plans with.
const ENDLESS_NODES: u64 = 20_000_000;

/// Counts nodes and tells when to end. Shared by the threads of one search.
#[derive(Debug)]
pub(super) struct Control<'a> {
    signals: &'a Signals,
    limits: Limits,
    received: Instant,
    time: Option<TurnTime>,
    /// When the time began to run: at the order's arrival, or at the ponder hit.
    time_starts: OnceLock<Instant>,
    nodes: AtomicU64,
    is_over: AtomicBool,
    is_paced: bool,
}

impl<'a> Control<'a> {
    /// Control of the search for `request`, whose own limits `limits` may be tighter than.
    pub(super) fn new(request: &Request, limits: Limits, signals: &'a Signals) -> Control<'a> {
        let control = Control {
            signals,
            limits,
            received: request.received,
            time: turn_time(&limits, request.game.position()),
            time_starts: OnceLock::new(),
            nodes: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            is_paced: false,
        };
        if !signals.is_pondering() {
            let _ = control.time_starts.set(request.received);
        }
        control.look();
        control
    }

    /// Looks at the clock and the signals; false when the search has to end.
    pub(super) fn poll(&self) -> bool {
        self.look();
        !self.is_over()
    }

    fn look(&self) {
        if !self.signals.is_pondering() {
            self.time_starts.get_or_init(Instant::now);
        }
        if self.signals.is_stopped() || self.time_left().is_some_and(|left| left.is_zero()) {
            self.is_over.store(true, Ordering::Relaxed);
        }
    }

    /// Time to the hard limit; `None` while none runs.
    fn time_left(&self) -> Option<Duration> {
        let time = self.time?;
        let start = self.time_starts.get()?;
        Some(time.hard.saturating_sub(start.elapsed()))
    }

    /// Counts `nodes` nodes and looks at the clock and the signals; false when the search has to
    /// end. Meant to be called every fraction of a millisecond.
    pub(super) fn count(&self, nodes: u64) -> bool {
        let before = self.nodes.fetch_add(nodes, Ordering::Relaxed);
        let total = before + nodes;
        if self.limits.nodes.is_some_and(|limit| total >= limit) {
            self.is_over.store(true, Ordering::Relaxed);
        }
        if total >> 8 != before >> 8 {
            self.look();
        }
        !self.is_over()
    }

    /// Whether the search has to end.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Whether the client has said how much this search is to take, so that ending early saves
    /// nothing.
    pub(super) fn is_fixed(&self) -> bool {
        self.limits.nodes.is_some() || self.limits.move_time.is_some()
    }

    /// How much of the effort meant for this series has been spent: 1 is all. Zero if there is
    /// no limit.
    pub(super) fn spent(&self) -> f64 {
        let by_nodes = self
            .limits
            .nodes
            .map_or(0.0, |limit| self.nodes() as f64 / limit.max(1) as f64);
        let by_time = match (self.time, self.time_starts.get()) {
            (Some(time), Some(start)) => {
                start.elapsed().as_secs_f64() / time.soft.as_secs_f64().max(1e-4)
            }
            _ => 0.0,
        };
        by_nodes.max(by_time)
    }

    /// The effort this search may take, in nodes, for planning ahead. It does not depend on how
    /// fast the machine is at the moment.
    pub(super) fn effort(&self) -> u64 {
        let by_time = self
            .time
            .map(|time| (time.soft.as_micros() as u64).saturating_mul(NODES_PER_MS) / 1000);
        match (self.limits.nodes, by_time) {
            (Some(nodes), Some(time)) => nodes.min(time),
            (Some(nodes), None) => nodes,
            (None, Some(time)) => time,
            (None, None) => ENDLESS_NODES,
        }
    }

    /// From now on questions to the solver are limited by time too (see [`Control::time_for`]).
    pub(super) fn pace(&mut self) {
        self.is_paced = true;
    }

    /// The time that a question of `nodes` nodes may take where time is limited: the same share of
    /// it, so that rules whose nodes take long do not spend everything on one question.
    pub(super) fn time_for(&self, nodes: u64) -> Option<Duration> {
        let share = nodes as f64 / self.effort().max(1) as f64;
        self.time
            .filter(|_| self.is_paced)
            .map(|time| time.soft.mul_f64(share.min(1.0)).max(QUESTION_LEAST))
    }

    /// Limits for one question to the solver, which takes at most `nodes` nodes.
    pub(super) fn solver_limits(&self, nodes: u64) -> crate::solver::Limits<'_> {
        let rest = self
            .limits
            .nodes
            .map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes()));
        let time = if self.time.is_some() && self.time_starts.get().is_none() {
            Some(PONDER_SLICE)
        } else {
            self.time_left()
        };
        crate::solver::Limits {
            nodes: Some(nodes.min(rest)),
            time,
            stop: Some(self.signals.stop_flag()),
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.received.elapsed()
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }
}
