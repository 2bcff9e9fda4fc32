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

/// The levels, weakest first.
pub const STRENGTHS: [Strength; 8] = [
    strength("1 – newcomer", "one-series", 50),
    strength("2 – casual", "one-series", 1000),
    strength("3 – hobby", "two-series", 2000),
    strength("4 – club", "two-series", 20_000),
    strength("5 – advanced", "full", 10_000),
    strength("6 – expert", "full", 60_000),
    strength("7 – master", "full", 400_000),
    Strength {
        name: "8 – full strength",
        level: "full",
        nodes: None,
    },
];
