//! How much time a series gets.

use std::time::Duration;

use super::request::Limits;
use crate::rules::{Balance, SeriesPosition, TurnNumber};

/// The time for one series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TurnTime {
    /// When it is reached, nothing new is begun unless something important is open.
    pub soft: Duration,
    /// It is never exceeded.
    pub hard: Duration,
}

/// Games seldom last beyond series of this length, and under balance, where hardly anybody is mated in
/// short series, of that.
const LAST_SERIES: u16 = 12;
const LAST_SERIES_BALANCED: u16 = 15;
/// Even late in a game so many own turns are reckoned with.
const TURNS_LEAST: u32 = 2;
const TURNS_LEAST_BALANCED: u32 = 3;
/// Where the series do not grow, so many own turns are reckoned with.
const TURNS_CONSTANT: u32 = 20;
/// How far an important series may go beyond its share.
const STRETCH: f64 = 2.5;
/// Where series grow, short ones decide little and take this part of their even share. Under balance
/// nothing is known of that.
const SHORT: u16 = 4;
const SHORT_PART: f64 = 0.5;

/// Whether the series become long.
fn grows(position: &SeriesPosition) -> bool {
    position.series_length(TurnNumber(60)) > 3
}

/// How many own turns are probably still to come, this one included.
fn turns_expected(position: &SeriesPosition) -> u32 {
    let turn = position.turn().0;
    if !grows(position) {
        return TURNS_CONSTANT;
    }
    let (last, least) = match position.rules().balance {
        Balance::Off => (LAST_SERIES, TURNS_LEAST),
        Balance::Counts | Balance::Rounds => (LAST_SERIES_BALANCED, TURNS_LEAST_BALANCED),
    };
    u32::from(last.saturating_sub(turn) / 2).max(least)
}

/// The time that the limits allow for this turn; `None` if there is no limit of time.
pub(super) fn turn_time(limits: &Limits, position: &SeriesPosition) -> Option<TurnTime> {
    let over = |time: Duration| time.saturating_sub(limits.overhead);
    if let Some(time) = limits.move_time {
        let time = over(time);
        return Some(TurnTime {
            soft: time,
            hard: time,
        });
    }
    let clock = limits.clock(position.side())?;
    let left = over(clock.remaining);
    let turns = limits
        .turns_to_go
        .filter(|&turns| turns > 0)
        .unwrap_or_else(|| turns_expected(position));
    let mut share = left / turns + clock.increment.mul_f64(0.8);
    let is_short = grows(position) && position.series_length(position.turn()) <= SHORT;
    // On the last turn before the control there is nothing to save for.
    if is_short && turns > 1 && position.rules().balance == Balance::Off {
        share = share.mul_f64(SHORT_PART);
    }
    // Never more than half of what is left, except on the last turn before the control.
    let most = if turns == 1 {
        left.mul_f64(0.8)
    } else {
        left / 2
    };
    let soft = share.min(most);
    Some(TurnTime {
        soft,
        hard: share.mul_f64(STRETCH).min(most),
    })
}

#[cfg(test)]
mod tests {
    use super::super::request::Clock;
    use super::*;
    use crate::rules::{Preset, Setup};

    fn time(remaining: u64, increment: u64, turns_to_go: Option<u32>) -> TurnTime {
        time_under(Preset::Italian, remaining, increment, turns_to_go)
    }

    fn time_under(
        preset: Preset,
        remaining: u64,
        increment: u64,
        turns_to_go: Option<u32>,
    ) -> TurnTime {
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
        let position = SeriesPosition::start(preset.rules());
        turn_time(&limits, &position).unwrap()
    }

    #[test]
    fn short_series_get_less() {
        let soft = |turn: u16| {
            let setup = Setup {
                turn,
                ..SeriesPosition::start(Preset::Italian.rules()).to_setup()
            };
            let position = SeriesPosition::from_setup(Preset::Italian.rules(), &setup).unwrap();
            let clock = Clock {
                remaining: Duration::from_secs(12),
                increment: Duration::ZERO,
            };
            let limits = Limits {
                clocks: [Some(clock); 2],
                ..Limits::default()
            };
            turn_time(&limits, &position).unwrap().soft.as_millis()
        };
        // Of even shares for four, three and two turns the first is halved.
        assert_eq!(soft(4), 1500);
        assert_eq!(soft(6), 4000);
        assert_eq!(soft(8), 6000);
    }

    #[test]
    fn before_the_control_nothing_is_saved() {
        let soft = |turns| time(10_030, 0, Some(turns)).soft;
        assert_eq!(soft(1), Duration::from_secs(8));
        assert_eq!(soft(2), Duration::from_millis(2500));
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
            assert!(used.hard <= Duration::from_millis(remaining.saturating_sub(30)));
            assert!(used.soft <= used.hard);
        }
        assert_eq!(time(8030, 100, Some(8)).soft, Duration::from_millis(540));
    }

    #[test]
    fn under_balance_time_is_kept_for_later() {
        assert_eq!(time(5030, 0, None).soft, Duration::from_millis(500));
        let balanced = time_under(Preset::English, 7030, 0, None);
        assert_eq!(balanced.soft, Duration::from_secs(1));
    }
}
