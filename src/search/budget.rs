//! When a search has to end: counting nodes, looking at the clock and at the signals.

use std::time::{Duration, Instant};

use super::request::{Limits, Request, Signals};
use crate::{rules::Color, solver};

/// How many nodes pass between two looks at the clock.
const NODES_PER_LOOK: u64 = 256;
/// Into how many turns the remaining time is divided when the client does not say: series games
/// are decided early, and the turns that decide come soon.
const TURNS_EXPECTED: u32 = 8;

/// The time a clock allows for this turn.
fn turn_time(limits: &Limits, side: Color) -> Option<Duration> {
    let over = |time: Duration| time.saturating_sub(limits.overhead);
    if let Some(time) = limits.move_time {
        return Some(over(time));
    }
    let clock = limits.clock(side)?;
    let turns = limits
        .turns_to_go
        .filter(|&turns| turns > 0)
        .unwrap_or(TURNS_EXPECTED);
    let share = clock.remaining / turns + clock.increment.mul_f64(0.8);
    // Never more than half of what is left, except on the last turn before the control.
    let most = if turns == 1 {
        clock.remaining.mul_f64(0.8)
    } else {
        clock.remaining / 2
    };
    Some(share.min(most).min(over(clock.remaining)))
}

/// Counts nodes and tells when to end.
pub(super) struct Budget<'a> {
    signals: &'a Signals,
    limits: Limits,
    received: Instant,
    time: Option<Duration>,
    /// When the time began to run: at the order's arrival, or at the ponder hit.
    time_starts: Option<Instant>,
    nodes: u64,
    next_look: u64,
    is_spent: bool,
}

impl<'a> Budget<'a> {
    pub(super) fn new(request: &Request, signals: &'a Signals) -> Budget<'a> {
        let limits = request.limits;
        let mut budget = Budget {
            signals,
            limits,
            received: request.received,
            time: turn_time(&limits, request.game.position().side()),
            time_starts: (!signals.is_pondering()).then_some(request.received),
            nodes: 0,
            next_look: 0,
            is_spent: false,
        };
        budget.look();
        budget
    }

    fn look(&mut self) {
        self.next_look = self.nodes + NODES_PER_LOOK;
        if self.time_starts.is_none() && !self.signals.is_pondering() {
            self.time_starts = Some(Instant::now());
        }
        let time_is_up = match (self.time, self.time_starts) {
            (Some(time), Some(start)) => start.elapsed() >= time,
            _ => false,
        };
        if time_is_up || self.signals.is_stopped() {
            self.is_spent = true;
        }
    }

    /// Counts a node; false when the search has to end.
    pub(super) fn spend(&mut self) -> bool {
        self.spend_many(1)
    }

    /// Counts nodes made elsewhere; false when the search has to end.
    pub(super) fn spend_many(&mut self, nodes: u64) -> bool {
        self.nodes += nodes;
        if self.limits.nodes.is_some_and(|nodes| self.nodes >= nodes) {
            self.is_spent = true;
        }
        if self.nodes >= self.next_look {
            self.look();
        }
        !self.is_spent
    }

    /// What a helper may cost that is asked to visit at most `nodes` positions.
    pub(super) fn solver_limits(&self, nodes: u64) -> solver::Limits<'a> {
        let left = self
            .limits
            .nodes
            .map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
        let time = self
            .time
            .zip(self.time_starts)
            .map(|(time, start)| time.saturating_sub(start.elapsed()));
        solver::Limits {
            nodes: Some(nodes.min(left)),
            time,
            stop: Some(self.signals.stop_flag()),
        }
    }

    /// Whether the search has to end.
    pub(super) fn is_spent(&self) -> bool {
        self.is_spent
    }

    /// Whether so much time has gone that another, longer iteration is of no use.
    pub(super) fn is_mostly_spent(&self) -> bool {
        match (self.limits.move_time, self.time, self.time_starts) {
            (None, Some(time), Some(start)) => start.elapsed() >= time / 2,
            _ => false,
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.received.elapsed()
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }
}

#[cfg(test)]
mod tests {
    use super::super::request::Clock;
    use super::*;

    fn time(remaining: u64, increment: u64, turns_to_go: Option<u32>) -> Duration {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
        };
        let limits = Limits {
            clocks: [Some(clock); 2],
            turns_to_go,
            overhead: Duration::from_millis(30),
            ..Limits::default()
        };
        turn_time(&limits, Color::White).unwrap()
    }

    #[test]
    fn a_turn_never_takes_what_is_not_there() {
        for (remaining, increment, turns) in [
            (0, 0, None),
            (1, 0, None),
            (29, 1000, Some(1)),
            (1000, 0, Some(1)),
            (1000, 5000, None),
            (60_000, 0, Some(0)),
        ] {
            let used = time(remaining, increment, turns);
            assert!(used <= Duration::from_millis(remaining.saturating_sub(30)));
        }
        assert_eq!(time(8000, 100, None), Duration::from_millis(1080));
    }
}
