//! The variants a CECP client can choose.

use std::fmt;

use crate::rules::{EnPassantRule, Preset, QuietSettlement, RuleSet};

/// A variant on offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variant {
    /// Ordinary chess, which clients start with: series of one move.
    Normal,
    /// What the options say: a preset and perhaps switches.
    Progressive,
    /// A preset.
    Preset(Preset),
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Variant::Normal => f.write_str("normal"),
            Variant::Progressive => f.write_str("progressive"),
            Variant::Preset(preset) => f.write_str(preset.as_str()),
        }
    }
}

impl Variant {
    /// All variants on offer. Those in which captured men come back or kings are captured are
    /// not among them: the client moves the men itself and would not follow.
    pub(super) fn all() -> Vec<Variant> {
        let presets = Preset::ALL
            .iter()
            .copied()
            .filter(|preset| is_followed(&preset.rules()));
        [Variant::Normal, Variant::Progressive]
            .into_iter()
            .chain(presets.map(Variant::Preset))
            .collect()
    }

    /// Finds a variant by name.
    pub(super) fn named(name: &str) -> Option<Variant> {
        Variant::all()
            .into_iter()
            .find(|variant| variant.to_string() == name)
    }

    /// Its rules, where the options say `options`.
    pub(super) fn rules(self, options: RuleSet) -> RuleSet {
        match self {
            Variant::Normal => ordinary_chess(),
            Variant::Progressive => options,
            Variant::Preset(preset) => preset.rules(),
        }
    }
}

/// Whether a client that knows ordinary chess and passes can follow.
pub(super) fn is_followed(rules: &RuleSet) -> bool {
    rules.has_royal_kings() && !rules.has_rebirth()
}

/// Chess as everybody knows it, but for the fifty-move rule, which ends the game without a claim.
fn ordinary_chess() -> RuleSet {
    RuleSet {
        en_passant: EnPassantRule::Last,
        quiet_limit: 100,
        quiet_settlement: QuietSettlement::Auto,
        ..RuleSet::ORDINARY
    }
}
