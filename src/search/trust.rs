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
    /// Whether looking ahead the danger is part of what a series is worth. Candidates are looked at
    /// without a proof then, and only those that lead after it are verified. Else a series is taken for
    /// safe below [`BELIEVED_SAFE`], and for lost beyond it.
    pub weighs_ahead: bool,
    /// How many answers to a series are looked at further, and one for each step of breadth.
    pub replies: usize,
    /// The narrowest beam of a look ahead.
    pub width_least: usize,
}

/// Looking ahead, a series is taken for safe without a proof below this danger: a proof costs as
/// much as several looks. At this danger one series in five is safe. The series that is played is
/// always verified.
const BELIEVED_SAFE: i32 = 1500;

/// Where a proof costs about as much as several looks ahead.
const USUAL: Trust = Trust {
    price: 600,
    hoped_safe: 0,
    by_worth: true,
    weighs_mates: false,
    weighs_ahead: false,
    replies: 3,
    width_least: 80,
};

/// Where it costs far more.
const BALANCED: Trust = Trust {
    price: 3000,
    hoped_safe: 250,
    by_worth: false,
    weighs_mates: true,
    weighs_ahead: true,
    replies: 6,
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

    /// What a series of this worth and danger promises, looking ahead.
    pub(super) fn promise(self, worth: i32, danger: Option<i32>) -> i32 {
        let danger = danger.filter(|_| self.weighs_ahead);
        worth - danger.map_or(0, |danger| self.price(danger))
    }

    /// Whether a series of this danger is looked at further, looking ahead, without a proof.
    pub(super) fn believes(self, danger: i32) -> bool {
        self.weighs_ahead || danger < BELIEVED_SAFE
    }

    /// Whether a series of this danger is counted on where it could not be verified.
    pub(super) fn hopes(self, danger: Option<i32>) -> bool {
        danger.is_some_and(|danger| danger < self.hoped_safe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;

    #[test]
    fn only_under_balance_does_danger_count_in_looking_ahead() {
        let [usual, balanced] =
            [Preset::Italian, Preset::English].map(|p| Trust::under(&p.rules()));
        assert_eq!(usual.promise(100, Some(2000)), 100);
        assert_eq!(usual.promise(100, None), 100);
        assert!(!usual.believes(2000));
        assert_eq!(balanced.promise(100, None), 100);
        assert_eq!(
            balanced.promise(100, Some(2000)),
            100 - balanced.price(2000)
        );
        assert!(balanced.promise(100, Some(2000)) < balanced.promise(100, Some(1000)));
        assert!(balanced.believes(2000));
    }
}
