//! The table of options: names, types, defaults and ranges. `protocol.md` lists the same ones.

use crate::rules::{Preset, Switch};

/// The type of an option, with default and range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// The default.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The default.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// One of a list.
    Combo {
        /// The default.
        default: &'static str,
        /// The values.
        values: Vec<&'static str>,
    },
    /// An action.
    Button,
    /// Any text.
    Text {
        /// The default.
        default: &'static str,
    },
}

/// An option as offered in the handshake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Its name; case does not matter when it is set.
    pub name: &'static str,
    /// What it sets.
    pub key: OptionKey,
    /// Its type, default and range.
    pub kind: OptionKind,
}

/// What an option sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKey {
    /// Memory for all that grows with a search, in MiB.
    Hash,
    /// Empties the hash table.
    ClearHash,
    /// Search threads.
    Threads,
    /// How many best series to show.
    MultiPv,
    /// Whether the client ponders; the engine plays alike.
    Ponder,
    /// The rules, by the name clients look for; `chess` leaves it to [`OptionKey::Preset`].
    Variant,
    /// The rules.
    Preset,
    /// Castling written as king takes rook.
    Chess960,
    /// A switch of the rules.
    Switch(Switch),
    /// Whether the engine plays from its opening book.
    OwnBook,
    /// The file of that book.
    BookFile,
    /// How a series of the book is chosen.
    BookChoice,
    /// Milliseconds held back from every time limit.
    MoveOverhead,
    /// How the engine plays.
    Level,
    /// How well it plays.
    SkillLevel,
    /// Whether [`OptionKey::Elo`] tells how well it plays.
    LimitStrength,
    /// How well it plays, as a rating.
    Elo,
    /// What the chances of lower skill depend on.
    Seed,
    /// Whether scores are told as chances to win, draw and lose too.
    ShowWdl,
    /// Whether the opponent's mates are told.
    ShowRefutations,
    /// Whole series, or single moves with passes.
    Turns,
    /// How a pass is written.
    PassNotation,
}

/// The value of `UCI_Variant` that names no preset.
pub const VARIANT_CHESS: &str = "chess";

/// The values of `Turns`.
pub const TURNS: [&str; 2] = ["series", "alternating"];

/// The values of `PassNotation`. `king` writes the king's square twice.
pub const PASSES: [&str; 7] = ["0000", "@@@@", "--", "Z0", "pass", "null", "king"];

/// How a text without letters is written.
pub const EMPTY: &str = "<empty>";

/// The values of `BookChoice`: by weight with `Seed`, or always the best.
pub const BOOK_CHOICES: [&str; 2] = ["weighted", "best"];

/// The values of `Level`: everything, the two frozen reference players, and everything but one
/// part.
pub const LEVELS: [&str; 9] = [
    "full",
    "two-series",
    "one-series",
    "without-look-ahead",
    "without-reply-count",
    "without-enumeration",
    "without-safety-order",
    "without-networks",
    "without-evaluation",
];

/// The greatest `Skill Level`.
pub const SKILL_MAX: i64 = 20;

/// The least and the greatest `UCI_Elo`: the ratings of the search's least and full skill.
pub const ELO: [i64; 2] = [1099, 2000];

/// The name of a switch's option.
pub const fn switch_option(switch: Switch) -> &'static str {
    match switch {
        Switch::Schedule => "Schedule",
        Switch::Checks => "Checks",
        Switch::EnPassant => "EnPassant",
        Switch::EnPassantChain => "EnPassantChain",
        Switch::DoubleStep => "DoubleStep",
        Switch::Castling => "Castling",
        Switch::Balance => "Balance",
        Switch::PromotedMan => "PromotedMan",
        Switch::PromotionToKing => "PromotionToKing",
        Switch::Objective => "Objective",
        Switch::Rebirth => "Rebirth",
        Switch::RebirthCastling => "RebirthCastling",
        Switch::QuietLimit => "QuietLimit",
        Switch::QuietProgress => "QuietCounts",
        Switch::QuietSettlement => "QuietProof",
        Switch::UnfinishedEscape => "UnfinishedEscape",
        Switch::DeadMaterial => "DeadMaterial",
        Switch::Repetition => "Repetition",
    }
}

/// The option of a switch. Its default is the value under the default preset.
fn switch_spec(switch: Switch) -> OptionSpec {
    let rules = Preset::Italian.rules();
    let kind = match switch {
        Switch::Schedule => OptionKind::Text { default: "1+1" },
        Switch::QuietLimit => OptionKind::Spin {
            default: i64::from(rules.quiet_limit),
            min: 0,
            max: i64::from(crate::rules::QUIET_LIMIT_MAX),
        },
        _ => {
            let values = switch.values().unwrap_or_default();
            let value = switch.get(&rules);
            if values == ["on", "off"] {
                OptionKind::Check {
                    default: value == "on",
                }
            } else {
                OptionKind::Combo {
                    default: values.iter().find(|&&v| v == value).copied().unwrap_or(""),
                    values,
                }
            }
        }
    };
    OptionSpec {
        name: switch_option(switch),
        key: OptionKey::Switch(switch),
        kind,
    }
}

/// Every option, in the order of the handshake.
pub fn table() -> Vec<OptionSpec> {
    let spin = |default, min, max| OptionKind::Spin { default, min, max };
    let presets: Vec<&'static str> = Preset::ALL.iter().map(|preset| preset.as_str()).collect();
    let mut variants = vec![VARIANT_CHESS];
    variants.extend(&presets);
    let combo = |default, values: &[&'static str]| OptionKind::Combo {
        default,
        values: values.to_vec(),
    };
    let option = |name, key, kind| OptionSpec { name, key, kind };
    let check = OptionKind::Check { default: false };
    let default_preset = Preset::Italian.as_str();
    let mut table = vec![
        option("Hash", OptionKey::Hash, spin(16, 1, 65536)),
        option("Clear Hash", OptionKey::ClearHash, OptionKind::Button),
        option("Threads", OptionKey::Threads, spin(1, 1, 512)),
        option("MultiPV", OptionKey::MultiPv, spin(1, 1, 256)),
        option("Ponder", OptionKey::Ponder, check.clone()),
        option("OwnBook", OptionKey::OwnBook, check.clone()),
        option(
            "BookFile",
            OptionKey::BookFile,
            OptionKind::Text { default: EMPTY },
        ),
        option(
            "BookChoice",
            OptionKey::BookChoice,
            combo(BOOK_CHOICES[0], &BOOK_CHOICES),
        ),
        option("Move Overhead", OptionKey::MoveOverhead, spin(30, 0, 5000)),
        option(
            "UCI_Variant",
            OptionKey::Variant,
            combo(default_preset, &variants),
        ),
        option("Preset", OptionKey::Preset, combo(default_preset, &presets)),
        option("UCI_Chess960", OptionKey::Chess960, check.clone()),
        option("UCI_ShowWDL", OptionKey::ShowWdl, check.clone()),
        option(
            "UCI_ShowRefutations",
            OptionKey::ShowRefutations,
            check.clone(),
        ),
        option(
            "Skill Level",
            OptionKey::SkillLevel,
            spin(SKILL_MAX, 0, SKILL_MAX),
        ),
        option("UCI_LimitStrength", OptionKey::LimitStrength, check),
        option("UCI_Elo", OptionKey::Elo, spin(ELO[0], ELO[0], ELO[1])),
        option("Seed", OptionKey::Seed, spin(0, 0, i64::from(i32::MAX))),
    ];
    table.extend(Switch::ALL.iter().map(|&switch| switch_spec(switch)));
    table.push(option("Level", OptionKey::Level, combo(LEVELS[0], &LEVELS)));
    table.push(option("Turns", OptionKey::Turns, combo(TURNS[0], &TURNS)));
    table.push(option(
        "PassNotation",
        OptionKey::PassNotation,
        combo(PASSES[0], &PASSES),
    ));
    table
}
