//! The rules of a match: a preset, switches on top, and what openings they are played from.

use std::{
    fmt::{self, Write},
    path::PathBuf,
    str::FromStr,
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::rules::{Preset, RuleSet, RuleSetError, Switch, SwitchError};

/// A variant that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VariantError {
    /// No such preset.
    #[error("no preset named '{0}': expected one of {list}", list = preset_names())]
    Preset(String),
    /// A wrong switch.
    #[error("variant '{text}': {error}")]
    Switch {
        /// The whole text.
        text: String,
        /// What is wrong.
        error: SwitchError,
    },
    /// Switches that contradict each other.
    #[error("variant '{text}': {error}")]
    Rules {
        /// The whole text.
        text: String,
        /// What is wrong.
        error: RuleSetError,
    },
    /// A word that has been there before.
    #[error("variant '{text}': '{word}' stands twice, but only one of them can hold")]
    Twice {
        /// The whole text.
        text: String,
        /// What comes twice: a switch, `chess960` or `book`.
        word: String,
    },
    /// A word that is neither a switch nor a setting.
    #[error(
        "variant '{text}': '{word}' is not understood; expected PRESET [SWITCH=VALUE ...] [chess960] [book=FILE]"
    )]
    Word {
        /// The whole text.
        text: String,
        /// The word.
        word: String,
    },
}

fn preset_names() -> String {
    Preset::ALL
        .iter()
        .map(|preset| preset.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

/// One set of rules that a match plays. Written `PRESET [SWITCH=VALUE ...] [chess960]
/// [book=FILE]`, the words separated by blanks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Variant {
    /// The preset.
    pub preset: Preset,
    /// The preset with the switches.
    pub rules: RuleSet,
    /// Whether castling is written king-takes-rook and, without a book, games start from random
    /// arrays.
    pub chess960: bool,
    /// Its own book instead of the match's.
    pub book: Option<PathBuf>,
}

impl Variant {
    /// The switches that differ from the preset, with their values.
    pub fn switches(&self) -> Vec<(Switch, String)> {
        let preset = self.preset.rules();
        Switch::ALL
            .iter()
            .map(|&switch| (switch, switch.get(&self.rules)))
            .filter(|(switch, value)| *value != switch.get(&preset))
            .collect()
    }

    /// The name in tables: everything but the book.
    pub fn name(&self) -> String {
        let mut name = self.preset.to_string();
        for (switch, value) in self.switches() {
            // Writing to a String cannot fail.
            let _ = write!(name, " {switch}={value}");
        }
        if self.chess960 {
            name.push_str(" chess960");
        }
        name
    }
}

impl From<Preset> for Variant {
    fn from(preset: Preset) -> Variant {
        Variant {
            preset,
            rules: preset.rules(),
            chess960: false,
            book: None,
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())?;
        match &self.book {
            Some(book) => write!(f, " book={}", book.display()),
            None => Ok(()),
        }
    }
}

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(text: &str) -> Result<Variant, VariantError> {
        // A book is the last word, so that its path may contain blanks.
        let (words, book) = match text.split_once(" book=") {
            Some((words, book)) => (words, Some(PathBuf::from(book.trim()))),
            None => (text, None),
        };
        let twice = |word: &str| VariantError::Twice {
            text: text.to_owned(),
            word: word.to_owned(),
        };
        if book
            .as_ref()
            .is_some_and(|book| book.to_string_lossy().contains(" book="))
        {
            return Err(twice("book"));
        }
        let mut words = words.split_whitespace();
        let preset = words.next().unwrap_or_default();
        let preset: Preset = preset
            .parse()
            .map_err(|_| VariantError::Preset(preset.to_owned()))?;
        let mut variant = Variant {
            book,
            ..preset.into()
        };
        let mut seen = Vec::new();
        for word in words {
            let name = word.split_once('=').map_or(word, |(name, _)| name);
            if seen.contains(&name) {
                return Err(twice(name));
            }
            seen.push(name);
            if word == "chess960" {
                variant.chess960 = true;
                continue;
            }
            let (name, value) = word.split_once('=').ok_or_else(|| VariantError::Word {
                text: text.to_owned(),
                word: word.to_owned(),
            })?;
            name.parse::<Switch>()
                .and_then(|switch| switch.set(&mut variant.rules, value))
                .map_err(|error| VariantError::Switch {
                    text: text.to_owned(),
                    error,
                })?;
        }
        variant
            .rules
            .validate()
            .map_err(|error| VariantError::Rules {
                text: text.to_owned(),
                error,
            })?;
        Ok(variant)
    }
}

impl TryFrom<String> for Variant {
    type Error = VariantError;

    fn try_from(text: String) -> Result<Variant, VariantError> {
        text.parse()
    }
}

impl From<Variant> for String {
    fn from(variant: Variant) -> String {
        variant.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_read_back() {
        for text in [
            "italian",
            "scottish quiet-limit=8",
            "english schedule=1,2+0 chess960",
            "circe book=/tmp/a book.epd",
        ] {
            assert_eq!(text.parse::<Variant>().unwrap().to_string(), text);
        }
        for bad in [
            "",
            "klingon",
            "italian 960",
            "italian chekcs=last",
            "italian checks=none",
            "italian checks=last checks=ends",
            "italian chess960 chess960",
            "italian book=a book=b",
        ] {
            assert!(bad.parse::<Variant>().is_err(), "{bad}");
        }
    }
}
