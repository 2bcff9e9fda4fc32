//! Tags: which ones follow from the game itself, and how they spell the rules.

use thiserror::Error;

use super::{
    PgnProblem,
    error::Placed,
    movetext::{Numbering, View},
};
use crate::{
    notation::{
        AlternatingFen,
        lexer::Spot,
        null_pgn::{NULL_MOVES, Part},
        parse_fen, parse_setup,
    },
    rules::{Preset, RuleSet, RuleSetError, SeriesPosition, Switch, SwitchError},
};

/// The tags every game has, with what they say when nothing is known.
pub(super) const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// Tags that are made of the rest of the game when it is written.
const MANAGED: [&str; 11] = [
    "Result",
    "Variant",
    "Rules",
    "SetUp",
    "FEN",
    "SeriesNotation",
    "SeriesVariant",
    "SeriesRules",
    "SeriesFEN",
    "SeriesPart",
    "SeriesCapture",
];

/// Whether a tag follows from the rest of the game.
pub(in crate::notation) fn is_managed(name: &str) -> bool {
    MANAGED.contains(&name)
}

/// A tag's place in the roster; the others come behind it.
pub(super) fn roster_rank(name: &str) -> usize {
    let place = ROSTER.iter().position(|(other, _)| *other == name);
    place.unwrap_or(ROSTER.len())
}

/// Whether a tag of the roster says that nothing is known.
pub(super) fn says_nothing(name: &str, value: &str) -> bool {
    ROSTER.contains(&(name, value))
}

/// A name that a tag can have.
pub(in crate::notation) fn tag_name(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if name.is_empty() {
        "_".to_owned()
    } else {
        name
    }
}

/// A variant or rule tag that was not understood.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VariantError {
    /// No such variant.
    #[error("variant '{text}': expected one of {presets}")]
    Name {
        /// The name as given.
        text: String,
        /// The names there are.
        presets: String,
    },
    /// A switch without a value.
    #[error("rules '{0}': expected switch=value joined by ';', e.g. quiet-limit=12;ep=last")]
    Form(String),
    /// A switch or its value.
    #[error(transparent)]
    Switch(#[from] SwitchError),
    /// The switches contradict each other.
    #[error(transparent)]
    Contradiction(#[from] RuleSetError),
}

/// The preset that a name means: its own, or one dressed with words such as `Progressive`,
/// `chess` or `Chess960`. Nothing but such words means `otherwise`.
///
/// # Errors
/// If it names no preset.
pub fn variant_named(text: &str, otherwise: RuleSet) -> Result<RuleSet, VariantError> {
    const DRESSING: [&str; 8] = [
        "progressive",
        "series",
        "chess",
        "chess960",
        "fischerandom",
        "random",
        "rules",
        "standard",
    ];
    let words: Vec<String> = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .map(str::to_ascii_lowercase)
        .filter(|word| !word.is_empty() && !DRESSING.contains(&word.as_str()))
        .collect();
    if words.is_empty() {
        return Ok(otherwise);
    }
    let name = words.concat();
    Preset::ALL
        .iter()
        .find(|preset| preset.as_str().replace('-', "") == name)
        .map(|preset| preset.rules())
        .ok_or_else(|| VariantError::Name {
            text: text.to_owned(),
            presets: Preset::ALL
                .iter()
                .map(|preset| preset.as_str())
                .collect::<Vec<_>>()
                .join(", "),
        })
}

/// Sets the switches of a `Rules` tag.
pub(super) fn set_rules(rules: &mut RuleSet, text: &str) -> Result<(), VariantError> {
    for item in text
        .split(';')
        .map(str::trim)
        .filter(|item| !item.is_empty())
    {
        let (name, value) = item
            .split_once('=')
            .ok_or_else(|| VariantError::Form(item.to_owned()))?;
        let switch: Switch = name.trim().parse()?;
        switch.set(rules, value.trim())?;
    }
    rules.validate()?;
    Ok(())
}

/// The rules as the tags `Variant` and `Rules` write them: the preset that differs least, and
/// the switches that differ (empty if none does).
pub fn rules_text(rules: &RuleSet) -> (Preset, String) {
    let differing = |preset: Preset| {
        let base = preset.rules();
        Switch::ALL
            .iter()
            .filter(|switch| switch.get(rules) != switch.get(&base))
            .map(|switch| format!("{switch}={}", switch.get(rules)))
            .collect::<Vec<_>>()
    };
    let mut best = (Preset::Italian, differing(Preset::Italian));
    for &preset in Preset::ALL {
        let switches = differing(preset);
        if switches.len() < best.1.len() {
            best = (preset, switches);
        }
    }
    (best.0, best.1.join(";"))
}

/// A tag with its place.
#[derive(Debug)]
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) at: Spot,
}

/// What the tags say about a game.
pub(super) struct Start {
    pub(super) position: SeriesPosition,
    pub(super) numbering: Numbering,
    pub(super) part: Part,
}

/// The tags that do not follow from the game.
pub(super) fn others(tags: &[Tag]) -> Vec<(String, String)> {
    tags.iter()
        .filter(|tag| !is_managed(&tag.name))
        .map(|tag| (tag.name.clone(), tag.value.clone()))
        .collect()
}

/// The tags by name.
struct Tags<'a>(&'a [Tag]);

impl<'a> Tags<'a> {
    fn get(&self, name: &str) -> Option<&'a Tag> {
        self.0.iter().find(|tag| tag.name == name)
    }

    /// The value of one tag, or of another that stands for it.
    fn either(&self, name: &str, other: &str) -> Option<&'a Tag> {
        self.get(name).or_else(|| self.get(other))
    }
}

fn unexpected(tag: &Tag, expected: &str) -> Placed {
    let found = format!("[{} \"{}\"]", tag.name, tag.value);
    (tag.at, PgnProblem::unexpected(found, expected))
}

/// The start position and the notation that the tags name; `rules` where they name none.
pub(super) fn start(tags: &[Tag], rules: RuleSet) -> Result<Start, Placed> {
    let tags = Tags(tags);
    let alternating = match tags.get("SeriesNotation") {
        None => false,
        Some(tag) if tag.value == NULL_MOVES => true,
        Some(tag) => {
            return Err(unexpected(
                tag,
                "[SeriesNotation \"null-moves\"] or no such tag",
            ));
        }
    };
    let rules = rules_of(&tags, rules)?;
    let fen = setup_fen(&tags)?;
    let position =
        |tag: &Tag| parse_fen(rules, &tag.value).map_err(|error| (tag.at, PgnProblem::from(error)));
    let (position, numbering) = match (alternating, fen) {
        (false, None) => (SeriesPosition::start(rules), Numbering::Either),
        (false, Some(fen)) => {
            let start = position(fen)?;
            // XBoard names the initial position of its variants too.
            let is_initial = start == SeriesPosition::start(rules);
            let numbering = if is_initial {
                Numbering::Either
            } else {
                Numbering::Series
            };
            (start, numbering)
        }
        (true, None) => (
            SeriesPosition::start(rules),
            Numbering::Alternating(View::START),
        ),
        (true, Some(fen)) => {
            let start = match tags.get("SeriesFEN") {
                Some(series) => position(series)?,
                // Other programs' counters tell the turn and the moves left, if not more.
                None => {
                    AlternatingFen::parse(&fen.value)
                        .and_then(|fen| fen.position(rules))
                        .map_err(|error| (fen.at, PgnProblem::from(error)))?
                        .position
                }
            };
            (start, Numbering::Alternating(view_of(fen, &start)?))
        }
    };
    Ok(Start {
        position,
        numbering,
        part: part_of(&tags)?,
    })
}

fn rules_of(tags: &Tags<'_>, otherwise: RuleSet) -> Result<RuleSet, Placed> {
    let mut rules = otherwise;
    if let Some(tag) = tags.either("SeriesVariant", "Variant") {
        rules = variant_named(&tag.value, otherwise)
            .map_err(|error| (tag.at, PgnProblem::from(error)))?;
    }
    if let Some(tag) = tags.either("SeriesRules", "Rules") {
        set_rules(&mut rules, &tag.value).map_err(|error| (tag.at, PgnProblem::from(error)))?;
    }
    Ok(rules)
}

/// The FEN tag, if it does not contradict the `SetUp` tag.
fn setup_fen<'a>(tags: &Tags<'a>) -> Result<Option<&'a Tag>, Placed> {
    let fen = tags.get("FEN");
    match tags.get("SetUp") {
        Some(tag) if tag.value == "1" && fen.is_none() => {
            Err(unexpected(tag, "a tag FEN beside it"))
        }
        Some(tag) if tag.value == "0" && fen.is_some() => {
            Err(unexpected(tag, "[SetUp \"1\"] beside a tag FEN"))
        }
        Some(tag) if !matches!(tag.value.as_str(), "0" | "1") => {
            Err(unexpected(tag, "[SetUp \"0\"] or [SetUp \"1\"]"))
        }
        _ => Ok(fen),
    }
}

/// What a viewer makes of an orthodox FEN, which must show the same men as the series FEN.
fn view_of(fen: &Tag, start: &SeriesPosition) -> Result<View, Placed> {
    let setup = parse_setup(&fen.value).map_err(|error| (fen.at, PgnProblem::from(error)))?;
    if setup.men != *start.men() {
        return Err(unexpected(fen, "the same men as in the tag SeriesFEN"));
    }
    Ok(View {
        side: setup.side,
        number: u32::from(setup.turn),
    })
}

fn part_of(tags: &Tags<'_>) -> Result<Part, Placed> {
    let mut part = Part::WHOLE;
    if let Some(tag) = tags.get("SeriesPart") {
        let numbers = tag
            .value
            .split_once('/')
            .and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => {
                part.number = number;
                part.of = of;
            }
            _ => return Err(unexpected(tag, "a part and the number of parts, e.g. 2/3")),
        }
    }
    part.capture = tags.get("SeriesCapture").map(|tag| tag.value.clone());
    Ok(part)
}
