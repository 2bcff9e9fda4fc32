//! Choosing rules on the command line.

use std::fmt;

use clap::Args;

use super::UsageError;
use crate::rules::{Preset, RuleSet, Switch};

/// The rules to play by: a preset, and switches on top of it.
#[derive(Args, Clone, Debug)]
pub struct RuleArgs {
    /// Rule preset: italian, scottish, english, logical, fullcapture, circe, italian-portal,
    /// marseillais or marseillais-unbalanced
    #[arg(long, value_name = "PRESET", default_value = "italian", value_parser = parse_preset)]
    variant: Preset,
    /// A switch on top of the preset, e.g. --set quiet-limit=12 (may be repeated)
    #[arg(long = "set", value_name = "SWITCH=VALUE")]
    switches: Vec<String>,
}

fn parse_preset(text: &str) -> Result<Preset, String> {
    text.parse()
        .map_err(|names: &[&str]| format!("expected one of {}", names.join(", ")))
}

impl RuleArgs {
    /// The rule set.
    ///
    /// # Errors
    /// If a switch was not understood or the combination means nothing.
    pub fn rules(&self) -> Result<RuleSet, UsageError> {
        let mut rules = self.variant.rules();
        for setting in &self.switches {
            let (name, value) = setting.split_once('=').ok_or_else(|| {
                UsageError::new(format!(
                    "--set '{setting}': expected SWITCH=VALUE, e.g. checks=ends"
                ))
            })?;
            let switch: Switch = name.parse().map_err(UsageError::new)?;
            switch.set(&mut rules, value).map_err(UsageError::new)?;
        }
        rules.validate().map_err(UsageError::new)?;
        Ok(rules)
    }
}

impl fmt::Display for RuleArgs {
    /// Writes the arguments that choose these rules.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--variant {}", self.variant)?;
        self.switches
            .iter()
            .try_for_each(|setting| write!(f, " --set {setting}"))
    }
}
