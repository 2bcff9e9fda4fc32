//! How the engine plays: with everything it has, as one of the frozen reference players, or with
//! one part switched off.

use std::{fmt, str::FromStr};

/// A way to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Level {
    /// With everything.
    #[default]
    Full,
    /// The frozen reference that looks two series ahead from a narrow beam.
    TwoSeries,
    /// The frozen reference that finds its own mates and avoids the opponent's next one.
    OneSeries,
    /// Everything but looking beyond the opponent's next mate.
    WithoutLookAhead,
    /// Everything, but when looking ahead only the best safe answer counts, not how many answers
    /// are refuted.
    WithoutReplyCount,
    /// Everything but the full enumeration: a beam of 300 even where all series would fit.
    WithoutEnumeration,
    /// Everything, but candidates are ordered by worth alone.
    WithoutSafetyOrder,
    /// Everything, but the evaluation is the handmade one.
    WithoutNetworks,
    /// Everything, but the evaluation counts material alone.
    WithoutEvaluation,
}

impl Level {
    /// Every level, in the order options list them.
    pub const ALL: &'static [Level] = &[
        Level::Full,
        Level::TwoSeries,
        Level::OneSeries,
        Level::WithoutLookAhead,
        Level::WithoutReplyCount,
        Level::WithoutEnumeration,
        Level::WithoutSafetyOrder,
        Level::WithoutNetworks,
        Level::WithoutEvaluation,
    ];

    /// The spelling in options.
    pub const fn as_str(self) -> &'static str {
        match self {
            Level::Full => "full",
            Level::TwoSeries => "two-series",
            Level::OneSeries => "one-series",
            Level::WithoutLookAhead => "without-look-ahead",
            Level::WithoutReplyCount => "without-reply-count",
            Level::WithoutEnumeration => "without-enumeration",
            Level::WithoutSafetyOrder => "without-safety-order",
            Level::WithoutNetworks => "without-networks",
            Level::WithoutEvaluation => "without-evaluation",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Level {
    type Err = ();

    fn from_str(text: &str) -> Result<Level, ()> {
        Level::ALL
            .iter()
            .copied()
            .find(|level| level.as_str().eq_ignore_ascii_case(text))
            .ok_or(())
    }
}
