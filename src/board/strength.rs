//! How strong an engine plays against people: a few levels, each an option and a limit of nodes.

/// A level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Its name.
    pub name: &'static str,
    /// The value of the engine's option `Skill Level`, where it has one.
    pub skill: u8,
    /// The most positions it may make for one series; `None` leaves it to the clock.
    pub nodes: Option<u64>,
}

/// How long the strongest level thinks without a clock, milliseconds.
pub const FULL_TIME: u64 = 2000;

/// The nodes with which the engine's skills were measured (docs/strength.md).
const NODES: u64 = 50_000;

const fn strength(name: &'static str, skill: u8) -> Strength {
    Strength {
        name,
        skill,
        nodes: Some(NODES),
    }
}

/// The levels, weakest first.
pub const STRENGTHS: [Strength; 8] = [
    strength("1 (weakest)", 0),
    strength("2", 4),
    strength("3", 8),
    strength("4", 11),
    strength("5", 14),
    strength("6", 17),
    strength("7", 20),
    Strength {
        name: "8 (strongest)",
        skill: 20,
        nodes: None,
    },
];
