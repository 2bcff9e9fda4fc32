//! What an engine says about itself, and whether that is enough for this match.

use std::collections::BTreeMap;

use super::config::{EngineConfig, Mode, Variant};
use crate::protocol::options::switch_option;

/// The version of the series protocol this runner speaks.
pub const PROTOCOL_VERSION: u32 = crate::protocol::SERIES_PROTOCOL;

/// An option an engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedOption {
    /// Its name as the engine writes it.
    pub name: String,
    /// `check`, `spin`, `combo`, `button` or `string`.
    pub kind: String,
    /// The values of a combo.
    pub values: Vec<String>,
    /// The least value of a spin.
    pub min: Option<i64>,
    /// The greatest value of a spin.
    pub max: Option<i64>,
}

impl OfferedOption {
    /// Whether it takes `value`. An engine that says too little about an option is believed.
    ///
    /// # Errors
    /// In words: the option, the value, and what was expected.
    fn check(&self, value: &str) -> Result<(), String> {
        let expected = match self.kind.as_str() {
            "check" => (!["true", "false"].contains(&value)).then(|| "true or false".to_owned()),
            "button" => (!value.is_empty()).then(|| "no value: it is a button".to_owned()),
            "combo" => {
                let known = |offered: &String| offered.eq_ignore_ascii_case(value);
                let wrong = !self.values.is_empty() && !self.values.iter().any(known);
                wrong.then(|| format!("one of {}", self.values.join(", ")))
            }
            "spin" => {
                let number: Option<i64> = value.parse().ok();
                let (min, max) = self.range();
                let wrong = number.is_none_or(|number| number < min || number > max);
                wrong.then(|| self.range_text())
            }
            _ => None,
        };
        match expected {
            None => Ok(()),
            Some(expected) => Err(format!(
                "its option {} does not take '{value}': expected {expected}",
                self.name
            )),
        }
    }

    /// The range of a spin; without an end where the engine names none.
    fn range(&self) -> (i64, i64) {
        (self.min.unwrap_or(i64::MIN), self.max.unwrap_or(i64::MAX))
    }

    fn range_text(&self) -> String {
        match (self.min, self.max) {
            (Some(min), Some(max)) => format!("a whole number from {min} to {max}"),
            (Some(min), None) => format!("a whole number from {min} on"),
            (None, Some(max)) => format!("a whole number up to {max}"),
            (None, None) => "a whole number".to_owned(),
        }
    }

    /// `value` with the game's seed in it, brought into the range of a spin.
    fn with_seed(&self, value: &str, seed: u64) -> String {
        // Thirty-one bits fit what most engines take.
        let seed = (seed & 0x7fff_ffff) as i64;
        let (min, max) = self.range();
        let seed = if value == SEED && self.kind == "spin" && (seed < min || seed > max) {
            // In wider integers, since the range may be that of all numbers.
            let span = i128::from(max) - i128::from(min) + 1;
            let seed = i128::from(min) + i128::from(seed).rem_euclid(span.max(1));
            seed as i64
        } else {
            seed
        };
        value.replace(SEED, &seed.to_string())
    }
}

/// What an engine answered to `uci`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// `id name`.
    pub name: Option<String>,
    /// `id author`.
    pub author: Option<String>,
    /// The number of `protocol series N`.
    pub protocol: Option<String>,
    /// The options by name in lower case.
    options: BTreeMap<String, OfferedOption>,
}

impl Identity {
    /// Takes in one line; what is not understood is passed over.
    pub fn read(&mut self, line: &str) {
        let (word, rest) = split_word(line);
        match word {
            "id" => match split_word(rest) {
                ("name", name) => self.name = Some(name.to_owned()),
                ("author", author) => self.author = Some(author.to_owned()),
                _ => {}
            },
            "protocol" => {
                if let ("series", version) = split_word(rest) {
                    self.protocol = Some(version.to_owned());
                }
            }
            "option" => {
                if let Some(option) = read_option(rest) {
                    self.options
                        .insert(option.name.to_ascii_lowercase(), option);
                }
            }
            _ => {}
        }
    }

    /// The option of that name, in any case.
    pub fn option(&self, name: &str) -> Option<&OfferedOption> {
        self.options.get(&name.to_ascii_lowercase())
    }

    /// Whether the engine speaks the series protocol in a version we know.
    ///
    /// # Errors
    /// In words, what is wrong and what to do.
    pub fn check_protocol(&self) -> Result<(), String> {
        match self.protocol.as_deref() {
            None => Err(format!(
                "it does not speak the series protocol (no line 'protocol series {PROTOCOL_VERSION}' before 'uciok'); \
                 if it answers one move at a time, give it mode=alternating"
            )),
            Some(version) if version.parse() == Ok(PROTOCOL_VERSION) => Ok(()),
            Some(version) => Err(format!(
                "it speaks version '{version}' of the series protocol, this runner speaks version {PROTOCOL_VERSION}; \
                 use an engine and a runner of the same version"
            )),
        }
    }

    /// The `setoption` lines that prepare the engine for `variant`: the preset, its switches, the
    /// way of writing castling, and then the user's options in their order. With `{seed}` in a
    /// value the option belongs to a game and is left out here.
    ///
    /// # Errors
    /// In words, what the engine lacks.
    pub fn prepare(&self, engine: &EngineConfig, variant: &Variant) -> Result<String, String> {
        let mut lines = String::new();
        let mut set = |option: &OfferedOption, value: &str| {
            option.check(value)?;
            lines.push_str(&setoption(&option.name, value));
            Ok::<(), String>(())
        };
        let series = engine.mode == Mode::Series;
        if series {
            self.check_protocol()?;
        }
        if let Some(option) = self.option("UCI_Variant") {
            let preset = variant.preset.as_str();
            if option.values.iter().any(|value| value == preset) {
                set(option, preset)?;
            } else if series || !option.values.is_empty() {
                return Err(format!(
                    "it does not play '{preset}': its option UCI_Variant offers {}",
                    option.values.join(", ")
                ));
            }
        } else if series {
            return Err(format!(
                "it does not play '{}': it has no option UCI_Variant",
                variant.preset
            ));
        }
        for (switch, value) in variant.switches() {
            let name = switch_option(switch);
            match self.option(name) {
                Some(option) => set(option, &value_for(&option.kind, &value))?,
                None if series => {
                    return Err(format!(
                        "it cannot play {switch}={value}: it has no option {name}"
                    ));
                }
                None => {}
            }
        }
        match self.option("UCI_Chess960") {
            Some(option) => set(option, if variant.chess960 { "true" } else { "false" })?,
            None if variant.chess960 => {
                return Err("it cannot play chess960: it has no option UCI_Chess960".to_owned());
            }
            None => {}
        }
        if let (false, Some(option)) = (series, self.option("Turns")) {
            set(option, "alternating")?;
        }
        for text in &engine.options {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            let option = self.option(name).ok_or_else(|| self.no_option(name))?;
            if value.contains(SEED) {
                option.check(&option.with_seed(value, 0))?;
            } else {
                set(option, value)?;
            }
        }
        Ok(lines)
    }

    /// The `setoption` lines that belong to one game: those whose value contains `{seed}`.
    pub fn game_options(&self, engine: &EngineConfig, seed: u64) -> String {
        let mut lines = String::new();
        for text in &engine.options {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            if let (true, Some(option)) = (value.contains(SEED), self.option(name)) {
                lines.push_str(&setoption(&option.name, &option.with_seed(value, seed)));
            }
        }
        lines
    }

    fn no_option(&self, name: &str) -> String {
        let names: Vec<&str> = self
            .options
            .values()
            .map(|option| option.name.as_str())
            .collect();
        format!("it has no option '{name}'; it has: {}", names.join(", "))
    }
}

/// What stands for a game's seed in an option's value.
const SEED: &str = "{seed}";

/// The line, with its end.
fn setoption(name: &str, value: &str) -> String {
    if value.is_empty() {
        format!("setoption name {name}\n")
    } else {
        format!("setoption name {name} value {value}\n")
    }
}

/// Check options say true and false where switches say on and off.
fn value_for(kind: &str, value: &str) -> String {
    match (kind, value) {
        ("check", "on") => "true".to_owned(),
        ("check", "off") => "false".to_owned(),
        _ => value.to_owned(),
    }
}

fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.split_once(|c: char| c.is_ascii_whitespace()) {
        Some((word, rest)) => (word, rest.trim()),
        None => (text, ""),
    }
}

/// Reads `name X type T [default D] [min A] [max B] [var V]...`; names and values may contain
/// blanks.
fn read_option(text: &str) -> Option<OfferedOption> {
    let text = text.strip_prefix("name")?.trim_start();
    let (name, rest) = text.split_once(" type ")?;
    let (kind, rest) = split_word(rest);
    let padded = format!(" {rest} ");
    let bound = |word: &str| {
        let (_, rest) = padded.split_once(word)?;
        split_word(rest).0.parse().ok()
    };
    let values = padded
        .split(" var ")
        .skip(1)
        .map(|value| value.trim().to_owned())
        .collect();
    Some(OfferedOption {
        name: name.trim().to_owned(),
        kind: kind.to_owned(),
        values,
        min: bound(" min "),
        max: bound(" max "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::config::Settings;

    fn identity(lines: &[&str]) -> Identity {
        let mut identity = Identity::default();
        for line in lines {
            identity.read(line);
        }
        identity
    }

    fn engine(options: &str) -> EngineConfig {
        let text = format!(
            "each = {{ nodes = 1, options = {options} }}\nengines = [{{ command = 'sh' }}, {{ command = 'sh' }}]"
        );
        let settings: Settings = toml::from_str(&text).unwrap();
        settings.resolve().unwrap().engines.remove(0)
    }

    const FULL: &[&str] = &[
        "id name Some Engine 1.0",
        "option name UCI_Variant type combo default chess var chess var italian var scottish",
        "option name QuietLimit type spin default 10 min 0 max 1000",
        "option name Castling type combo default on var on var off",
        "option name UCI_Chess960 type check default false",
        "option name Clear Hash type button",
        "option name Seed type spin default 0 min 0 max 9",
        "protocol series 1",
    ];

    #[test]
    fn options_are_set_in_order_after_the_rules() {
        let identity = identity(FULL);
        let variant: Variant = "scottish quiet-limit=8".parse().unwrap();
        let engine = engine("['Seed={seed}', 'clear hash=', 'QuietLimit=9']");
        assert_eq!(
            identity.prepare(&engine, &variant).unwrap(),
            "setoption name UCI_Variant value scottish\nsetoption name QuietLimit value 8\n\
             setoption name UCI_Chess960 value false\nsetoption name Clear Hash\n\
             setoption name QuietLimit value 9\n"
        );
        assert_eq!(
            identity.game_options(&engine, 7),
            "setoption name Seed value 7\n"
        );
        // A number beyond the engine's range is brought into it.
        assert_eq!(
            identity.game_options(&engine, 1234),
            "setoption name Seed value 4\n"
        );
    }

    #[test]
    fn values_that_an_option_does_not_take_are_said() {
        let identity = identity(FULL);
        let variant: Variant = "italian".parse().unwrap();
        for (option, value, expected) in [
            ("QuietLimit", "1001", "from 0 to 1000"),
            ("quietlimit", "-1", "from 0 to 1000"),
            ("QuietLimit", "many", "a whole number"),
            ("Castling", "yes", "one of on, off"),
            ("UCI_Chess960", "yes", "true or false"),
            ("Clear Hash", "now", "button"),
            ("Seed", "{seed}x", "from 0 to 9"),
        ] {
            let problem = identity
                .prepare(&engine(&format!("['{option}={value}']")), &variant)
                .unwrap_err();
            let value = value.replace("{seed}", "0");
            for needle in [&format!("'{value}'"), expected] {
                assert!(problem.contains(needle), "{problem}");
            }
            let name = &identity.option(option).unwrap().name;
            assert!(problem.contains(name), "{problem}");
        }
        for fine in ["QuietLimit=1000", "castling=OFF", "Clear Hash="] {
            let engine = engine(&format!("['{fine}']"));
            assert!(identity.prepare(&engine, &variant).is_ok(), "{fine}");
        }
    }

    #[test]
    fn what_an_engine_lacks_is_said() {
        let variant: Variant = "english".parse().unwrap();
        let refused = |identity: &Identity, options: &str, variant: &Variant| {
            identity.prepare(&engine(options), variant).unwrap_err()
        };
        assert!(refused(&identity(FULL), "[]", &variant).contains("'english'"));
        assert!(refused(&identity(&FULL[..7]), "[]", &variant).contains("mode=alternating"));
        assert!(refused(&identity(&["protocol series 2"]), "[]", &variant).contains("version '2'"));
        assert!(refused(&identity(&["protocol series 1"]), "[]", &variant).contains("UCI_Variant"));
        let italian: Variant = "italian checks=ends".parse().unwrap();
        assert!(refused(&identity(FULL), "[]", &italian).contains("Checks"));
        let plain: Variant = "italian".parse().unwrap();
        assert!(refused(&identity(FULL), "['Nonsense=1']", &plain).contains("Clear Hash"));
    }
}
