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
        let mut set = |name: &str, value: &str| {
            lines.push_str(&setoption(name, value));
            lines.push('\n');
        };
        let series = engine.mode == Mode::Series;
        if series {
            self.check_protocol()?;
        }
        if let Some(option) = self.option("UCI_Variant") {
            let preset = variant.preset.as_str();
            if option.values.iter().any(|value| value == preset) {
                set(&option.name, preset);
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
                Some(option) => set(&option.name, &value_for(&option.kind, &value)),
                None if series => {
                    return Err(format!(
                        "it cannot play {switch}={value}: it has no option {name}"
                    ));
                }
                None => {}
            }
        }
        match self.option("UCI_Chess960") {
            Some(option) => set(
                &option.name,
                if variant.chess960 { "true" } else { "false" },
            ),
            None if variant.chess960 => {
                return Err("it cannot play chess960: it has no option UCI_Chess960".to_owned());
            }
            None => {}
        }
        if let (false, Some(option)) = (series, self.option("Turns")) {
            set(&option.name, "alternating");
        }
        for text in &engine.options {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            let option = self.option(name).ok_or_else(|| self.no_option(name))?;
            if !value.contains(SEED) {
                set(&option.name, value);
            }
        }
        Ok(lines)
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

/// The `setoption` lines that belong to one game: those whose value contains `{seed}`.
pub fn game_options(engine: &EngineConfig, seed: u64) -> String {
    let mut lines = String::new();
    for text in &engine.options {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        if value.contains(SEED) {
            // Thirty-one bits fit every spin an engine may offer.
            let value = value.replace(SEED, &(seed & 0x7fff_ffff).to_string());
            lines.push_str(&setoption(name, &value));
            lines.push('\n');
        }
    }
    lines
}

const SEED: &str = "{seed}";

fn setoption(name: &str, value: &str) -> String {
    if value.is_empty() {
        format!("setoption name {name}")
    } else {
        format!("setoption name {name} value {value}")
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
    let padded = format!(" {rest}");
    let values = padded
        .split(" var ")
        .skip(1)
        .map(|value| value.trim().to_owned())
        .collect();
    Some(OfferedOption {
        name: name.trim().to_owned(),
        kind: kind.to_owned(),
        values,
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
        assert_eq!(game_options(&engine, 7), "setoption name Seed value 7\n");
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
