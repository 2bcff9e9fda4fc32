//! Every switch of a rule set by name, so that options, configurations and tests set them alike.

use std::{fmt, str::FromStr};

use thiserror::Error;

use super::{rule_set::RuleSet, schedule::ScheduleError};

/// The largest quiet limit that can be set.
pub const QUIET_LIMIT_MAX: u16 = 1000;

/// A switch of [`RuleSet`], by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Switch {
    /// [`RuleSet::schedule`].
    Schedule,
    /// [`RuleSet::checks`].
    Checks,
    /// [`RuleSet::en_passant`].
    EnPassant,
    /// [`RuleSet::en_passant_chain`].
    EnPassantChain,
    /// [`RuleSet::double_step`].
    DoubleStep,
    /// [`RuleSet::castling`].
    Castling,
    /// [`RuleSet::balance`].
    Balance,
    /// [`RuleSet::promoted_man`].
    PromotedMan,
    /// [`RuleSet::promotion_to_king`].
    PromotionToKing,
    /// [`RuleSet::objective`].
    Objective,
    /// [`RuleSet::rebirth`].
    Rebirth,
    /// [`RuleSet::rebirth_castling`].
    RebirthCastling,
    /// [`RuleSet::quiet_limit`].
    QuietLimit,
    /// [`RuleSet::quiet_progress`].
    QuietProgress,
    /// [`RuleSet::quiet_settlement`].
    QuietSettlement,
    /// [`RuleSet::unfinished_escape`].
    UnfinishedEscape,
    /// [`RuleSet::dead_material`].
    DeadMaterial,
    /// [`RuleSet::repetition`].
    Repetition,
}

/// A switch setting that was not understood.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SwitchError {
    /// There is no switch of that name.
    #[error("no switch named '{0}': expected one of {list}", list = Switch::names())]
    Name(String),
    /// The switch does not take that value.
    #[error("switch {switch} does not take '{value}': expected {expected}")]
    Value {
        /// The switch.
        switch: Switch,
        /// The value as given.
        value: String,
        /// What it takes.
        expected: String,
    },
    /// The length schedule could not be read.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
}

const ON_OFF: &[&str] = &["on", "off"];

impl Switch {
    /// Every switch.
    pub const ALL: &'static [Switch] = &[
        Switch::Schedule,
        Switch::Checks,
        Switch::EnPassant,
        Switch::EnPassantChain,
        Switch::DoubleStep,
        Switch::Castling,
        Switch::Balance,
        Switch::PromotedMan,
        Switch::PromotionToKing,
        Switch::Objective,
        Switch::Rebirth,
        Switch::RebirthCastling,
        Switch::QuietLimit,
        Switch::QuietProgress,
        Switch::QuietSettlement,
        Switch::UnfinishedEscape,
        Switch::DeadMaterial,
        Switch::Repetition,
    ];

    /// The switch's name in configurations, and (in any case) in options.
    pub const fn name(self) -> &'static str {
        match self {
            Switch::Schedule => "schedule",
            Switch::Checks => "checks",
            Switch::EnPassant => "ep",
            Switch::EnPassantChain => "ep-chain",
            Switch::DoubleStep => "double-step",
            Switch::Castling => "castling",
            Switch::Balance => "balance",
            Switch::PromotedMan => "promoted",
            Switch::PromotionToKing => "promote-king",
            Switch::Objective => "objective",
            Switch::Rebirth => "rebirth",
            Switch::RebirthCastling => "rebirth-castling",
            Switch::QuietLimit => "quiet-limit",
            Switch::QuietProgress => "quiet-counts",
            Switch::QuietSettlement => "quiet-proof",
            Switch::UnfinishedEscape => "unfinished-escape",
            Switch::DeadMaterial => "dead-material",
            Switch::Repetition => "repetition",
        }
    }

    /// The values the switch takes, where they are a list; `None` for the schedule (a text) and
    /// the quiet limit (a number).
    pub fn values(self) -> Option<Vec<&'static str>> {
        use super::rule_set as set;
        fn spell<T: Copy>(all: &[T], spelling: fn(T) -> &'static str) -> Vec<&'static str> {
            all.iter().map(|&value| spelling(value)).collect()
        }
        Some(match self {
            Switch::Schedule | Switch::QuietLimit => return None,
            Switch::Checks => spell(set::CheckRule::ALL, set::CheckRule::as_str),
            Switch::EnPassant => spell(set::EnPassantRule::ALL, set::EnPassantRule::as_str),
            Switch::Balance => spell(set::Balance::ALL, set::Balance::as_str),
            Switch::PromotedMan => spell(set::PromotedMan::ALL, set::PromotedMan::as_str),
            Switch::Objective => spell(set::Objective::ALL, set::Objective::as_str),
            Switch::Rebirth => spell(set::Rebirth::ALL, set::Rebirth::as_str),
            Switch::QuietProgress => spell(set::QuietProgress::ALL, set::QuietProgress::as_str),
            Switch::QuietSettlement => {
                spell(set::QuietSettlement::ALL, set::QuietSettlement::as_str)
            }
            Switch::UnfinishedEscape => {
                spell(set::UnfinishedEscape::ALL, set::UnfinishedEscape::as_str)
            }
            Switch::EnPassantChain
            | Switch::DoubleStep
            | Switch::Castling
            | Switch::PromotionToKing
            | Switch::RebirthCastling
            | Switch::DeadMaterial
            | Switch::Repetition => ON_OFF.to_vec(),
        })
    }

    /// The value the switch has in `rules`.
    pub fn get(self, rules: &RuleSet) -> String {
        let on_off = |on: bool| if on { "on" } else { "off" }.to_owned();
        match self {
            Switch::Schedule => rules.schedule.to_string(),
            Switch::Checks => rules.checks.to_string(),
            Switch::EnPassant => rules.en_passant.to_string(),
            Switch::EnPassantChain => on_off(rules.en_passant_chain),
            Switch::DoubleStep => on_off(rules.double_step),
            Switch::Castling => on_off(rules.castling),
            Switch::Balance => rules.balance.to_string(),
            Switch::PromotedMan => rules.promoted_man.to_string(),
            Switch::PromotionToKing => on_off(rules.promotion_to_king),
            Switch::Objective => rules.objective.to_string(),
            Switch::Rebirth => rules.rebirth.to_string(),
            Switch::RebirthCastling => on_off(rules.rebirth_castling),
            Switch::QuietLimit => rules.quiet_limit.to_string(),
            Switch::QuietProgress => rules.quiet_progress.to_string(),
            Switch::QuietSettlement => rules.quiet_settlement.to_string(),
            Switch::UnfinishedEscape => rules.unfinished_escape.to_string(),
            Switch::DeadMaterial => on_off(rules.dead_material),
            Switch::Repetition => on_off(rules.repetition),
        }
    }

    /// Sets the switch in `rules`; on an error `rules` is unchanged.
    ///
    /// The combination is not judged here, since switches are set one after another: ask
    /// [`RuleSet::validate`] when all are set.
    ///
    /// # Errors
    /// [`SwitchError`] names the switch, the value and what was expected.
    pub fn set(self, rules: &mut RuleSet, value: &str) -> Result<(), SwitchError> {
        let wrong = |expected: String| SwitchError::Value {
            switch: self,
            value: value.to_owned(),
            expected,
        };
        let one_of = |values: &'static [&'static str]| wrong(values.join("|"));
        let on_off = || match value.to_ascii_lowercase().as_str() {
            "on" | "true" => Ok(true),
            "off" | "false" => Ok(false),
            _ => Err(one_of(ON_OFF)),
        };
        match self {
            Switch::Schedule => rules.schedule = value.parse()?,
            Switch::Checks => rules.checks = value.parse().map_err(one_of)?,
            Switch::EnPassant => rules.en_passant = value.parse().map_err(one_of)?,
            Switch::EnPassantChain => rules.en_passant_chain = on_off()?,
            Switch::DoubleStep => rules.double_step = on_off()?,
            Switch::Castling => rules.castling = on_off()?,
            Switch::Balance => rules.balance = value.parse().map_err(one_of)?,
            Switch::PromotedMan => rules.promoted_man = value.parse().map_err(one_of)?,
            Switch::PromotionToKing => rules.promotion_to_king = on_off()?,
            Switch::Objective => rules.objective = value.parse().map_err(one_of)?,
            Switch::Rebirth => rules.rebirth = value.parse().map_err(one_of)?,
            Switch::RebirthCastling => rules.rebirth_castling = on_off()?,
            Switch::QuietLimit => {
                rules.quiet_limit = value
                    .parse()
                    .ok()
                    .filter(|&limit| limit <= QUIET_LIMIT_MAX)
                    .ok_or_else(|| {
                        wrong(format!(
                            "a number of series 0..{QUIET_LIMIT_MAX} (0: no limit)"
                        ))
                    })?;
            }
            Switch::QuietProgress => rules.quiet_progress = value.parse().map_err(one_of)?,
            Switch::QuietSettlement => rules.quiet_settlement = value.parse().map_err(one_of)?,
            Switch::UnfinishedEscape => rules.unfinished_escape = value.parse().map_err(one_of)?,
            Switch::DeadMaterial => rules.dead_material = on_off()?,
            Switch::Repetition => rules.repetition = on_off()?,
        }
        Ok(())
    }

    fn names() -> String {
        Switch::ALL
            .iter()
            .map(|switch| switch.name())
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl fmt::Display for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Switch {
    type Err = SwitchError;

    fn from_str(text: &str) -> Result<Switch, SwitchError> {
        Switch::ALL
            .iter()
            .copied()
            .find(|switch| switch.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| SwitchError::Name(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Preset, RuleSetError};
    use super::*;

    #[test]
    fn every_value_of_every_switch_reads_back() {
        for &switch in Switch::ALL {
            let mut rules = RuleSet::default();
            for value in switch.values().unwrap_or_else(|| match switch {
                Switch::Schedule => vec!["1+1", "1,2+0", "2+3x4<=9"],
                _ => vec!["0", "7", "1000"],
            }) {
                switch.set(&mut rules, value).unwrap();
                assert_eq!(switch.get(&rules), value);
            }
            let before = rules;
            assert!(switch.set(&mut rules, "nonsense").is_err());
            assert_eq!(rules, before);
            assert_eq!(switch.name().parse::<Switch>().unwrap(), switch);
        }
    }

    #[test]
    fn fingerprints_differ_for_every_single_switch() {
        let mut seen = std::collections::HashSet::new();
        for &preset in Preset::ALL {
            assert!(seen.insert(preset.rules().fingerprint()), "{preset}");
            assert_eq!(preset.rules().validate(), Ok(()));
            assert_eq!(preset.rules().preset(), Some(preset));
        }
        let base = RuleSet::default();
        for &switch in Switch::ALL {
            for value in switch.values().unwrap_or_default() {
                let mut rules = base;
                switch.set(&mut rules, value).unwrap();
                assert_eq!(
                    rules == base,
                    rules.fingerprint() == base.fingerprint(),
                    "{switch}={value}"
                );
            }
        }
    }

    #[test]
    fn contradictions_are_refused() {
        let set = |preset: Preset, switches: &[(Switch, &str)]| {
            let mut rules = preset.rules();
            for (switch, value) in switches {
                switch.set(&mut rules, value).unwrap();
            }
            rules.validate()
        };
        assert_eq!(
            set(Preset::Italian, &[(Switch::Checks, "none")]),
            Err(RuleSetError::MateWithoutCheck)
        );
        assert_eq!(
            set(Preset::Italian, &[(Switch::Objective, "capture")]),
            Err(RuleSetError::CaptureOfRoyalKing)
        );
        assert_eq!(
            set(Preset::Scottish, &[(Switch::PromotionToKing, "on")]),
            Err(RuleSetError::SecondRoyalKing)
        );
        assert_eq!(
            set(Preset::FullCapture, &[(Switch::Rebirth, "circe")]),
            Err(RuleSetError::EndlessSupply)
        );
    }
}
