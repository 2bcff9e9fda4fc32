//! The values of all options, and how setting one changes them.

use std::{path::PathBuf, time::Duration};

use thiserror::Error;

use crate::{
    book::Source,
    notation::{CastlingText, PassText},
    protocol::options::{self, OptionKey, OptionKind, OptionSpec},
    rules::{Preset, RuleSet, ScheduleError, Switch, SwitchError},
    search::{self, Level, Skill},
};

/// Whether a client sends and gets whole series or single moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// Whole series.
    Series,
    /// Single moves, the waiting side passing.
    Alternating,
}

/// An option that cannot be set so.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("no option named '{0}' (expected one that the answer to uci lists)")]
    Unknown(String),
    /// A value is missing.
    #[error("option {name} without a value (expected {expected})")]
    NoValue {
        /// The option.
        name: &'static str,
        /// What it takes.
        expected: String,
    },
    /// A value it does not take.
    #[error("option {name} does not take '{value}' (expected {expected})")]
    Value {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// What it takes.
        expected: String,
    },
    /// More memory than there is.
    #[error("option {name} '{value}': the system does not give so much memory (expected less)")]
    Memory {
        /// The option.
        name: &'static str,
        /// The value.
        value: i64,
    },
    /// A length schedule that cannot be read.
    #[error("option {name}: {error}")]
    Schedule {
        /// The option.
        name: &'static str,
        /// What is wrong.
        error: ScheduleError,
    },
}

/// What else has to happen when an option was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    Nothing,
    /// The search gets new settings.
    Search,
    /// The search forgets everything.
    Clear,
    /// The opening book has to be read.
    Book,
}

/// The values of `OwnBook`, `BookFile` and `BookChoice`.
#[derive(Clone, Debug, Default)]
struct BookSettings {
    is_played: bool,
    file: Option<PathBuf>,
    plays_best: bool,
}

/// The values of all options.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    table: Vec<OptionSpec>,
    /// Settings of the search.
    pub search: search::Settings,
    /// How many best series to show.
    pub lines: usize,
    /// Held back from every time limit.
    pub overhead: Duration,
    /// How castling is written.
    pub castling: CastlingText,
    /// The rules in force; the combination may still be meaningless.
    pub rules: RuleSet,
    /// Whether scores are told as chances too.
    pub shows_wdl: bool,
    /// Whether the opponent's mates are told.
    pub shows_refutations: bool,
    book: BookSettings,
    /// Whole series or single moves.
    pub turns: Turns,
    /// How a pass is written.
    pub pass: PassText,
    /// The value of option `Skill Level`.
    skill_level: u8,
    /// The values of `UCI_LimitStrength` and `UCI_Elo`.
    limits_strength: bool,
    elo: i32,
    /// The value of option `Preset`.
    preset: Preset,
    /// The preset the switches were set on top of.
    base: Preset,
}

impl Default for EngineSettings {
    fn default() -> EngineSettings {
        EngineSettings {
            table: options::table(),
            search: search::Settings::default(),
            lines: 1,
            overhead: Duration::from_millis(30),
            castling: CastlingText::KingMove,
            rules: RuleSet::default(),
            shows_wdl: false,
            shows_refutations: false,
            book: BookSettings::default(),
            turns: Turns::Series,
            pass: PassText::default(),
            skill_level: Skill::MAX,
            limits_strength: false,
            elo: Skill::elo_min(),
            preset: Preset::Italian,
            base: Preset::Italian,
        }
    }
}

/// What an option takes, in words.
fn expected(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Check { .. } => "true or false".to_owned(),
        OptionKind::Spin { min, max, .. } => format!("a whole number {min}..{max}"),
        OptionKind::Combo { values, .. } => values.join("|"),
        OptionKind::Button => "no value".to_owned(),
        OptionKind::Text { .. } => "a text".to_owned(),
    }
}

impl EngineSettings {
    /// Sets an option by name; on an error nothing is changed.
    ///
    /// # Errors
    /// [`OptionError`] names the option, the value and what was expected.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, OptionError> {
        let spec = self
            .table
            .iter()
            .find(|spec| spec.name.eq_ignore_ascii_case(name))
            .cloned()
            .ok_or_else(|| OptionError::Unknown(name.chars().take(60).collect()))?;
        let value = value.map(str::trim).filter(|value| !value.is_empty());
        if spec.kind == OptionKind::Button {
            // Some clients write that there is no value.
            return match value {
                None | Some("<empty>") => Ok(Change::Clear),
                Some(value) => Err(OptionError::Value {
                    name: spec.name,
                    value: value.chars().take(60).collect(),
                    expected: expected(&spec.kind),
                }),
            };
        }
        let value = match (spec.key, value) {
            // An empty text names no file.
            (OptionKey::BookFile, None) => Some(options::EMPTY),
            (_, value) => value,
        };
        let value = value.ok_or_else(|| OptionError::NoValue {
            name: spec.name,
            expected: expected(&spec.kind),
        })?;
        self.apply(&spec, value)
    }

    fn apply(&mut self, spec: &OptionSpec, value: &str) -> Result<Change, OptionError> {
        let wrong = |expected: String| OptionError::Value {
            name: spec.name,
            value: value.chars().take(60).collect(),
            expected,
        };
        let refused = || wrong(expected(&spec.kind));
        let number = || match &spec.kind {
            OptionKind::Spin { min, max, .. } => value
                .parse::<i64>()
                .ok()
                .filter(|number| (min..=max).contains(&number))
                .ok_or_else(refused),
            _ => Err(refused()),
        };
        let yes_no = || match value.to_ascii_lowercase().as_str() {
            "true" | "on" => Ok(true),
            "false" | "off" => Ok(false),
            _ => Err(refused()),
        };
        let place = |values: &[&str]| {
            values
                .iter()
                .position(|one| one.eq_ignore_ascii_case(value))
                .ok_or_else(refused)
        };
        let mut change = match spec.key {
            OptionKey::OwnBook | OptionKey::BookFile => Change::Book,
            _ => Change::Nothing,
        };
        match spec.key {
            OptionKey::Hash | OptionKey::Threads => change = self.take_room(spec, number()?)?,
            OptionKey::ClearHash => change = Change::Clear,
            OptionKey::MultiPv => self.lines = number()? as usize,
            OptionKey::MoveOverhead => self.overhead = Duration::from_millis(number()? as u64),
            OptionKey::Ponder => {
                yes_no()?;
            }
            OptionKey::Chess960 => {
                self.castling = if yes_no()? {
                    CastlingText::KingTakesRook
                } else {
                    CastlingText::KingMove
                };
            }
            OptionKey::Variant if value.eq_ignore_ascii_case(options::VARIANT_CHESS) => {
                // The choice is left to option Preset. Clients send this on their own, so it must
                // not undo switches set on top of that preset.
                if self.base != self.preset {
                    self.choose(self.preset);
                }
            }
            OptionKey::Variant => {
                let preset = value.parse().map_err(|_| refused())?;
                self.choose(preset);
            }
            OptionKey::Preset => {
                self.preset = value.parse().map_err(|_| refused())?;
                self.choose(self.preset);
            }
            OptionKey::Switch(switch) => {
                let name = spec.name;
                let refusal = |error| match error {
                    SwitchError::Schedule(error) => OptionError::Schedule { name, error },
                    _ => refused(),
                };
                switch.set(&mut self.rules, value).map_err(refusal)?;
            }
            OptionKey::SkillLevel => self.skill_level = number()? as u8,
            OptionKey::LimitStrength => self.limits_strength = yes_no()?,
            OptionKey::Elo => self.elo = number()? as i32,
            OptionKey::Seed => {
                self.search.seed = number()? as u64;
                change = Change::Search;
            }
            OptionKey::OwnBook => self.book.is_played = yes_no()?,
            OptionKey::BookFile => {
                self.book.file = (value != options::EMPTY).then(|| PathBuf::from(value));
            }
            OptionKey::BookChoice => {
                self.book.plays_best = place(&options::BOOK_CHOICES)? == 1;
            }
            OptionKey::ShowWdl => self.shows_wdl = yes_no()?,
            OptionKey::ShowRefutations => self.shows_refutations = yes_no()?,
            OptionKey::Level => {
                self.search.level = value.parse().map_err(|()| refused())?;
                change = Change::Search;
            }
            OptionKey::Turns => {
                self.turns = match place(&options::TURNS)? {
                    0 => Turns::Series,
                    _ => Turns::Alternating,
                };
            }
            OptionKey::PassNotation => {
                self.pass = PassText::ALL[place(&options::PASSES)?];
            }
        }
        if self.skill() != self.search.skill {
            self.search.skill = self.skill();
            change = Change::Search;
        }
        Ok(change)
    }

    /// Sets how large the tables are, or how many threads search, if the system gives the memory.
    fn take_room(&mut self, spec: &OptionSpec, number: i64) -> Result<Change, OptionError> {
        let mut settings = self.search;
        match spec.key {
            OptionKey::Threads => settings.threads = number as u16,
            _ => settings.hash_mib = number as u32,
        }
        if !settings.has_room() {
            return Err(OptionError::Memory {
                name: spec.name,
                value: number,
            });
        }
        self.search = settings;
        Ok(Change::Search)
    }

    /// The opening book that is to be read, if one is: also where it is not played from yet, so
    /// that a bad file is told at once.
    pub fn book(&self) -> Option<Source> {
        match &self.book.file {
            Some(path) => Some(Source::File(path.clone())),
            None => self.book.is_played.then_some(Source::BuiltIn),
        }
    }

    /// Whether series of the book are played; the frozen reference players know none.
    pub(super) fn plays_from_book(&self) -> bool {
        let is_reference = matches!(self.search.level, Level::OneSeries | Level::TwoSeries);
        self.book.is_played && self.lines == 1 && !is_reference
    }

    /// The seed that a series of the book is chosen with; none is the best.
    pub(super) fn book_seed(&self) -> Option<u64> {
        (!self.book.plays_best).then_some(self.search.seed)
    }

    /// The rating decides where strength is limited, else the level.
    fn skill(&self) -> Skill {
        if self.limits_strength {
            Skill::of_elo(self.elo)
        } else {
            Skill::new(self.skill_level)
        }
    }

    fn choose(&mut self, preset: Preset) {
        self.base = preset;
        self.rules = preset.rules();
    }

    /// The rules in words: the preset they stand on, and the switches that differ from it.
    pub fn describe_rules(&self) -> String {
        if let Some(preset) = self.rules.preset() {
            return preset.to_string();
        }
        let base = self.base.rules();
        let mut text = self.base.to_string();
        for &switch in Switch::ALL {
            let value = switch.get(&self.rules);
            if value != switch.get(&base) {
                text.push(' ');
                text.push_str(options::switch_option(switch));
                text.push('=');
                text.push_str(&value);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_of_the_table_is_the_value_at_the_start() {
        let fresh = EngineSettings::default();
        for spec in options::table() {
            let default = match &spec.kind {
                OptionKind::Check { default } => default.to_string(),
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Combo { default, .. } | OptionKind::Text { default } => {
                    (*default).to_owned()
                }
                OptionKind::Button => continue,
            };
            let mut settings = fresh.clone();
            settings.set(spec.name, Some(&default)).unwrap();
            assert_eq!(
                format!("{fresh:?}"),
                format!("{settings:?}"),
                "{}",
                spec.name
            );
        }
    }

    #[test]
    fn the_levels_on_offer_are_those_of_the_search() {
        let names: Vec<&str> = search::Level::ALL.iter().map(|l| l.as_str()).collect();
        assert_eq!(names, options::LEVELS);
        assert_eq!(options::SKILL_MAX, i64::from(Skill::MAX));
        let ratings = [Skill::elo_min(), Skill::elo_max()].map(i64::from);
        assert_eq!(ratings, options::ELO);
    }

    #[test]
    fn a_limited_strength_decides_over_the_level() {
        let mut settings = EngineSettings::default();
        let mut set = |name: &str, value: &str| {
            settings.set(name, Some(value)).unwrap();
            settings.search.skill.level()
        };
        assert_eq!(set("Skill Level", "7"), 7);
        assert_eq!(set("UCI_Elo", &Skill::new(12).elo().to_string()), 7);
        assert_eq!(set("UCI_LimitStrength", "true"), 12);
        assert_eq!(set("Skill Level", "3"), 12);
        assert_eq!(set("UCI_LimitStrength", "false"), 3);
    }

    #[test]
    fn a_button_takes_no_value() {
        let mut settings = EngineSettings::default();
        for value in [None, Some(""), Some("<empty>")] {
            assert_eq!(settings.set("Clear Hash", value), Ok(Change::Clear));
        }
        let error = settings.set("Clear Hash", Some("3")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "option Clear Hash does not take '3' (expected no value)"
        );
    }

    #[test]
    fn the_last_choice_of_rules_decides() {
        let mut settings = EngineSettings::default();
        let mut set = |name: &str, value: &str| {
            settings.set(name, Some(value)).unwrap();
            settings.describe_rules()
        };
        assert_eq!(set("preset", "scottish"), "scottish");
        assert_eq!(set("EnPassant", "none"), "scottish EnPassant=none");
        assert_eq!(set("UCI_Variant", "chess"), "scottish EnPassant=none");
        assert_eq!(set("UCI_Variant", "circe"), "circe");
        assert_eq!(set("Schedule", "1+1<=8"), "circe Schedule=1+1<=8");
        assert_eq!(set("UCI_Variant", "chess"), "scottish");
        assert_eq!(set("UCI_Variant", "scottish"), "scottish");
    }

    #[test]
    fn no_system_gives_any_amount_of_memory() {
        let mut settings = EngineSettings::default();
        let before = settings.search;
        let most = i64::from(u32::MAX);
        let error = settings.take_room(&options::table()[0], most).unwrap_err();
        assert_eq!(settings.search, before);
        assert_eq!(
            error.to_string(),
            "option Hash '4294967295': the system does not give so much memory (expected less)"
        );
    }

    #[test]
    fn wrong_values_change_nothing() {
        let mut settings = EngineSettings::default();
        let before = format!("{settings:?}");
        for (name, value) in [
            ("Nope", Some("3")),
            ("Hash", Some("999999999999999")),
            ("Hash", Some("abc")),
            ("Hash", Some("-5")),
            ("Hash", None),
            ("Checks", Some("sometimes")),
            ("Schedule", Some("1-1")),
            ("Castling", Some("maybe")),
            ("UCI_Variant", Some("atomic")),
            ("Preset", Some("chess")),
            ("Turns", Some("")),
        ] {
            assert!(settings.set(name, value).is_err(), "{name} {value:?}");
            assert_eq!(format!("{settings:?}"), before);
        }
    }
}
