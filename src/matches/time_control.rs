//! How long an engine may think: limits as written, and the running clock of one side.
//!
//! All times are for a whole *series*: the clock counts series, and the increment is paid once
//! for each. Nothing here reads a clock; the game loop says how much was used.

use std::{fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The longest time that can be written, about 11 days; keeps all sums far from overflow.
const TIME_MAX: Duration = Duration::from_secs(1_000_000);

/// A time control that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "time control '{text}': {problem}; expected [SERIES/]TIME[+INCREMENT][:...], e.g. 10+0.1, 4/10:6/10+0.1 (times in seconds, or with ms, s, m, h)"
)]
pub struct TimeControlError {
    /// The text as given.
    pub text: String,
    /// What is wrong with it.
    pub problem: String,
}

/// One period of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// For how many series the period's time has to do; `None` is the rest of the game.
    pub series: Option<u32>,
    /// The time added when the period begins.
    pub time: Duration,
    /// The time added after every series.
    pub increment: Duration,
}

/// Periods of time; the last one comes again and again.
///
/// Written `[SERIES/]TIME[+INCREMENT]`, several of them joined by `:`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl(Vec<Period>);

impl TimeControl {
    /// The periods, at least one.
    pub fn periods(&self) -> &[Period] {
        &self.0
    }
}

/// Reads a time such as `10`, `0.1`, `100ms`, `2m` (seconds without a unit).
///
/// # Errors
/// In words, if the text is no time or longer than 1000000 seconds.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = if let Some(number) = text.strip_suffix("ms") {
        (number, 0.001)
    } else if let Some(number) = text.strip_suffix('s') {
        (number, 1.0)
    } else if let Some(number) = text.strip_suffix('m') {
        (number, 60.0)
    } else if let Some(number) = text.strip_suffix('h') {
        (number, 3600.0)
    } else {
        (text, 1.0)
    };
    let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    digits
        .then(|| number.parse::<f64>().ok())
        .flatten()
        .map(|number| number * unit)
        .filter(|&seconds| seconds <= TIME_MAX.as_secs_f64())
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("'{text}' is no time"))
}

/// Writes a time in seconds, as short as possible.
pub fn format_time(time: Duration) -> String {
    let mut text = format!("{:.6}", time.as_secs_f64());
    while text.ends_with('0') {
        text.pop();
    }
    if text.ends_with('.') {
        text.pop();
    }
    text
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let wrong = |problem: String| TimeControlError {
            text: text.to_owned(),
            problem,
        };
        let mut periods = Vec::new();
        for part in text.split(':') {
            let (series, rest) = match part.split_once('/') {
                None => (None, part),
                Some((series, rest)) => {
                    let series = series
                        .parse()
                        .ok()
                        .filter(|&series: &u32| series > 0)
                        .ok_or_else(|| wrong(format!("'{series}' is no number of series")))?;
                    (Some(series), rest)
                }
            };
            let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let period = Period {
                series,
                time: parse_time(time).map_err(wrong)?,
                increment: parse_time(increment).map_err(wrong)?,
            };
            if period.time.is_zero() && period.increment.is_zero() {
                return Err(wrong(format!("'{part}' gives no time at all")));
            }
            periods.push(period);
        }
        let last = periods.len() - 1;
        if periods[..last].iter().any(|period| period.series.is_none()) {
            return Err(wrong("every period but the last needs SERIES/".to_owned()));
        }
        Ok(TimeControl(periods))
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, period) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(":")?;
            }
            if let Some(series) = period.series {
                write!(f, "{series}/")?;
            }
            f.write_str(&format_time(period.time))?;
            if !period.increment.is_zero() {
                write!(f, "+{}", format_time(period.increment))?;
            }
        }
        Ok(())
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<TimeControl, TimeControlError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

/// What ends an engine's thinking about one series. Several limits may stand at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ThinkLimit {
    /// A clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tc: Option<TimeControl>,
    /// A fixed time for each series, milliseconds (`go movetime`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Nodes for each series (`go nodes`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth for each series (`go depth`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// `go infinite`, and `stop` after this many milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infinite: Option<u64>,
}

impl ThinkLimit {
    /// Whether anything at all ends the thinking.
    pub fn is_bounded(&self) -> bool {
        self.tc.is_some()
            || self.movetime.is_some()
            || self.nodes.is_some()
            || self.depth.is_some()
            || self.infinite.is_some()
    }
}

impl fmt::Display for ThinkLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(tc) = &self.tc {
            parts.push(tc.to_string());
        }
        if let Some(time) = self.movetime {
            parts.push(format!(
                "{}/series",
                format_time(Duration::from_millis(time))
            ));
        }
        if let Some(nodes) = self.nodes {
            parts.push(format!("nodes={nodes}"));
        }
        if let Some(depth) = self.depth {
            parts.push(format!("depth={depth}"));
        }
        if let Some(time) = self.infinite {
            parts.push(format!(
                "infinite={}",
                format_time(Duration::from_millis(time))
            ));
        }
        f.write_str(&parts.join(" "))
    }
}

/// The running clock of one side in one game.
#[derive(Clone, Debug)]
pub struct Clock {
    control: Option<TimeControl>,
    movetime: Option<Duration>,
    period: usize,
    /// Series until the current period is over.
    series_left: Option<u32>,
    remaining: Duration,
}

impl Clock {
    /// A full clock.
    pub fn new(limit: &ThinkLimit) -> Clock {
        let first = limit.tc.as_ref().map(|control| control.0[0]);
        Clock {
            control: limit.tc.clone(),
            movetime: limit.movetime.map(Duration::from_millis),
            period: 0,
            series_left: first.and_then(|period| period.series),
            remaining: first.map_or(Duration::ZERO, |period| period.time),
        }
    }

    /// How long the series that begins now may take; `None` without a time limit.
    pub fn budget(&self) -> Option<Duration> {
        let clock = self.control.is_some().then_some(self.remaining);
        match (clock, self.movetime) {
            (Some(clock), Some(movetime)) => Some(clock.min(movetime)),
            (clock, movetime) => clock.or(movetime),
        }
    }

    /// What stands on the clock; `None` without one.
    pub fn remaining(&self) -> Option<Duration> {
        self.control.is_some().then_some(self.remaining)
    }

    /// The increment of the current period.
    pub fn increment(&self) -> Duration {
        self.current()
            .map_or(Duration::ZERO, |period| period.increment)
    }

    /// Series until the next period begins (`movestogo`).
    pub fn series_to_go(&self) -> Option<u32> {
        self.series_left
    }

    fn current(&self) -> Option<Period> {
        self.control.as_ref().map(|control| control.0[self.period])
    }

    /// The clock within a series of which `used` is spent: neither increment nor period is due yet.
    #[must_use]
    pub fn part_spent(&self, used: Duration) -> Clock {
        let mut clock = self.clone();
        clock.remaining = clock.remaining.saturating_sub(used);
        clock.movetime = clock.movetime.map(|time| time.saturating_sub(used));
        clock
    }

    /// Takes the time of one series off the clock, and then adds the increment and, where a
    /// period ends, the next one's time. The caller has checked before that `used` was inside the
    /// budget and the margin; time borrowed from the margin is not owed.
    pub fn spend(&mut self, used: Duration) {
        let Some(period) = self.current() else { return };
        self.remaining = self.remaining.saturating_sub(used) + period.increment;
        let Some(left) = self.series_left else { return };
        if left > 1 {
            self.series_left = Some(left - 1);
            return;
        }
        let periods = self.control.as_ref().map_or(0, |control| control.0.len());
        self.period = (self.period + 1).min(periods - 1);
        if let Some(next) = self.current() {
            self.remaining += next.time;
            self.series_left = next.series;
        }
    }
}

/// The `go` command for the side with `own` limits, given both clocks (white's first).
pub fn go_command(limit: &ThinkLimit, own: &Clock, clocks: [&Clock; 2]) -> String {
    use fmt::Write;
    let mut go = String::from("go");
    // Writing to a String cannot fail, here and below.
    let milliseconds = |time: Duration| time.as_millis();
    for (clock, name) in clocks.iter().zip(["wtime", "btime"]) {
        if let Some(remaining) = clock.remaining() {
            let _ = write!(go, " {name} {}", milliseconds(remaining));
        }
    }
    for (clock, name) in clocks.iter().zip(["winc", "binc"]) {
        if clock.remaining().is_some() {
            let _ = write!(go, " {name} {}", milliseconds(clock.increment()));
        }
    }
    if let (Some(_), Some(series)) = (own.remaining(), own.series_to_go()) {
        let _ = write!(go, " movestogo {series}");
    }
    if let Some(movetime) = own.movetime {
        let _ = write!(go, " movetime {}", milliseconds(movetime));
    }
    if let Some(nodes) = limit.nodes {
        let _ = write!(go, " nodes {nodes}");
    }
    if let Some(depth) = limit.depth {
        let _ = write!(go, " depth {depth}");
    }
    if limit.infinite.is_some() {
        go.push_str(" infinite");
    }
    go
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_read_back() {
        for (text, written) in [
            ("10+0.1", "10+0.1"),
            ("4/10:6/10+0.1", "4/10:6/10+0.1"),
            ("2m", "120"),
            ("40/1m+500ms", "40/60+0.5"),
            ("0+1", "0+1"),
        ] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), written);
        }
        for bad in [
            "", "x", "0", "1/", "0/10", "10+", "10:5", "-1", "1e9", "1+1+1", "nan",
        ] {
            assert!(bad.parse::<TimeControl>().is_err(), "{bad}");
        }
    }

    #[test]
    fn increments_come_once_a_series_and_periods_after_their_last() {
        let limit = ThinkLimit {
            tc: Some("2/10+1:1/5".parse().unwrap()),
            ..ThinkLimit::default()
        };
        let mut clock = Clock::new(&limit);
        let seconds = |clock: &Clock| clock.remaining().unwrap().as_secs_f64();
        assert_eq!((seconds(&clock), clock.series_to_go()), (10.0, Some(2)));
        clock.spend(Duration::from_secs(3));
        assert_eq!((seconds(&clock), clock.series_to_go()), (8.0, Some(1)));
        clock.spend(Duration::from_secs(8));
        assert_eq!((seconds(&clock), clock.series_to_go()), (6.0, Some(1)));
        assert_eq!(clock.increment(), Duration::ZERO);
        clock.spend(Duration::from_secs(7));
        assert_eq!((seconds(&clock), clock.series_to_go()), (5.0, Some(1)));
    }

    #[test]
    fn go_names_every_limit_that_stands() {
        let limit = ThinkLimit {
            tc: Some("4/10+0.5".parse().unwrap()),
            nodes: Some(500),
            ..ThinkLimit::default()
        };
        let (white, black) = (Clock::new(&limit), Clock::new(&ThinkLimit::default()));
        assert_eq!(
            go_command(&limit, &white, [&white, &black]),
            "go wtime 10000 winc 500 movestogo 4 nodes 500"
        );
        let fixed = ThinkLimit {
            movetime: Some(250),
            ..ThinkLimit::default()
        };
        let clock = Clock::new(&fixed);
        assert_eq!(clock.budget(), Some(Duration::from_millis(250)));
        assert_eq!(
            go_command(&fixed, &clock, [&clock, &clock]),
            "go movetime 250"
        );
    }
}
