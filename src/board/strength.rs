//! How strong an engine plays against people: a few levels, each an option and a limit of nodes.

/// A level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Its name.
    pub name: &'static str,
    /// The value of the engine's option `Level`, where it has one.
    pub level: &'static str,
    /// The most positions it may make for one series; `None` leaves it to the clock.
    pub nodes: Option<u64>,
}

/// How long the strongest level thinks without a clock, milliseconds.
pub const FULL_TIME: u64 = 2000;

const fn strength(name: &'static str, level: &'static str, nodes: u64) -> Strength {
    Strength {
        name,
        level,
        nodes: Some(nodes),
    }
}

/// The levels, weakest first. In matches of thirty Italian games from random openings each scored
/// 60 to 90 per cent against the one before it; they are steps for people, not a measure.
pub const STRENGTHS: [Strength; 8] = [
    strength("1 (weakest)", "one-series", 1),
    strength("2", "one-series", 1000),
    strength("3", "two-series", 2000),
    strength("4", "two-series", 20_000),
    strength("5", "full", 30_000),
    strength("6", "full", 120_000),
    strength("7", "full", 500_000),
    Strength {
        name: "8 (strongest)",
        level: "full",
        nodes: None,
    },
];
