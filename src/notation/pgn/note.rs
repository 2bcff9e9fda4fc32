//! What a player notes beside a series: the value, the depth, the time and the clock.

use std::{fmt, time::Duration};

/// The value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// So many series until mate; negative if it is the own king's.
    Mate(i32),
}

/// A comment on a series in the form that match tools know, `+0.35/3 1.2s`, and commands that
/// viewers know: `[%clk 0:01:58.8]`, `[%eval 0.35]`. What is `None` is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeriesNote {
    /// The value for the side that played the series.
    pub score: Option<Score>,
    /// How deep it was searched, in series.
    pub depth: Option<u32>,
    /// The time used.
    pub time: Option<Duration>,
    /// The time left on the clock.
    pub clock: Option<Duration>,
    /// The value for White, for viewers.
    pub eval: Option<Score>,
    /// Anything else, at the end.
    pub text: String,
}

impl fmt::Display for SeriesNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        let depth = self.depth.map(|depth| format!("/{depth}"));
        match self.score {
            Some(Score::Centipawns(value)) => {
                parts.push(format!("{:+.2}", f64::from(value) / 100.0));
            }
            Some(Score::Mate(series)) => {
                let sign = if series < 0 { '-' } else { '+' };
                parts.push(format!("{sign}M{}", series.unsigned_abs()));
            }
            None => {}
        }
        if let (Some(depth), Some(score)) = (depth, parts.last_mut()) {
            score.push_str(&depth);
        }
        if let Some(time) = self.time {
            parts.push(format!("{}s", tenths(time)));
        }
        if let Some(clock) = self.clock {
            let seconds = clock.as_secs();
            parts.push(format!(
                "[%clk {}:{:02}:{:02}.{}]",
                seconds / 3600,
                seconds / 60 % 60,
                seconds % 60,
                clock.subsec_millis() / 100
            ));
        }
        match self.eval {
            Some(Score::Centipawns(value)) => {
                parts.push(format!("[%eval {:.2}]", f64::from(value) / 100.0));
            }
            Some(Score::Mate(series)) => parts.push(format!("[%eval #{series}]")),
            None => {}
        }
        if !self.text.is_empty() {
            parts.push(self.text.clone());
        }
        f.write_str(&parts.join(" "))
    }
}

/// Seconds with one decimal, rounded down; three below a tenth, so that quick games tell apart.
fn tenths(time: Duration) -> String {
    if time < Duration::from_millis(100) {
        format!("{:.3}", time.as_secs_f64())
    } else {
        format!("{}.{}", time.as_secs(), time.subsec_millis() / 100)
    }
}
