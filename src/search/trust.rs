//! How far the danger is trusted, by rules.
//!
//! Under balance a proof takes much longer than elsewhere, men matter less and the enemy's next
//! series more (`docs/strength.md`): the danger weighs more, and it says what is worth a proof.

use crate::rules::{Balance, RuleSet};

/// How far the danger is trusted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trust {
    /// What a thousandth of danger costs, in thousandths of a centipawn.
    price: i32,
    /// Below this danger a series that could not be verified is counted on all the same.
    hoped_safe: i32,
    /// Whether candidates are ordered by their worth too, in turn with worth and danger together.
    pub by_worth: bool,
    /// Whether the danger tells how much effort an own mate is worth.
    pub weighs_mates: bool,
    /// The narrowest beam of a look ahead.
    pub width_least: usize,
}

/// Where a proof costs about as much as several looks ahead.
const USUAL: Trust = Trust {
    price: 600,
    hoped_safe: 0,
    by_worth: true,
    weighs_mates: false,
    width_least: 80,
};

/// Where it costs far more.
const BALANCED: Trust = Trust {
    price: 2000,
    hoped_safe: 250,
    by_worth: false,
    weighs_mates: true,
    width_least: 24,
};

impl Default for Trust {
    fn default() -> Trust {
        USUAL
    }
}

impl Trust {
    /// How far it is trusted under `rules`.
    pub(super) fn under(rules: &RuleSet) -> Trust {
        match rules.balance {
            Balance::Off => USUAL,
            Balance::Counts | Balance::Rounds => BALANCED,
        }
    }

    /// What `danger` costs, in centipawns.
    pub(super) fn price(self, danger: i32) -> i32 {
        danger * self.price / 1000
    }

    /// Whether a series of this danger is counted on where it could not be verified.
    pub(super) fn hopes(self, danger: Option<i32>) -> bool {
        danger.is_some_and(|danger| danger < self.hoped_safe)
    }
}
