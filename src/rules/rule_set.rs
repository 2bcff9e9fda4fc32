//! A rule set: orthogonal switches, and the named presets that set them.

use std::{fmt, str::FromStr};

use thiserror::Error;

use super::schedule::LengthSchedule;

/// Defines an enum whose values have one spelling each, as options and files write them.
macro_rules! spelled {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// Every value, in the order options list them.
            pub const ALL: &'static [$name] = &[$($name::$variant,)+];

            /// The spelling in options, files and configurations.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $name {
            /// The list of spellings that would have been understood.
            type Err = &'static [&'static str];

            /// Reads a spelling, in any case.
            fn from_str(text: &str) -> Result<$name, Self::Err> {
                $name::ALL.iter().copied().find(|value| value.as_str().eq_ignore_ascii_case(text))
                    .ok_or(const { &[$($text,)+] })
            }
        }
    };
}

spelled! {
    /// When a check may be given, and whether there is such a thing.
    CheckRule {
        /// Only on the last move of the full series (Italian).
        Last = "last",
        /// On any move; it ends the series (Scottish).
        Ends = "ends",
        /// Kings are ordinary men: no check, no mate (full capture).
        None = "none",
    }
}

spelled! {
    /// Which double steps of the last series can be answered en passant, on the first move.
    EnPassantRule {
        /// Every one of the series whose pawn has not moved since.
        Any = "any",
        /// Only the series' last move.
        Last = "last",
        /// None.
        None = "none",
    }
}

spelled! {
    /// Whether the men of a side must move equally often in a series (English).
    Balance {
        /// Any man any number of times.
        Off = "off",
        /// Among the men that have an allowed move only those with the fewest moves may move.
        Counts = "counts",
        /// When no unmoved man can move, a new round begins with all men unmoved (AISE).
        Rounds = "rounds",
    }
}

spelled! {
    /// When a promoted man may move.
    PromotedMan {
        /// In the same series; under balance it keeps its pawn's count.
        SameSeries = "same-series",
        /// Not before the next series; under balance nobody waits for it.
        NextSeries = "next-series",
    }
}

spelled! {
    /// What wins.
    Objective {
        /// Mating the king.
        Mate = "mate",
        /// Capturing the last enemy man.
        Capture = "capture",
    }
}

spelled! {
    /// Whether captured men come back.
    Rebirth {
        /// They are gone.
        Off = "off",
        /// They reappear on their home square if it is free.
        Circe = "circe",
    }
}

spelled! {
    /// What ends a run of quiet series.
    QuietProgress {
        /// A capture or a pawn move.
        CapturesAndPawns = "captures+pawns",
        /// A pawn move only.
        Pawns = "pawns",
    }
}

spelled! {
    /// How the quiet limit is settled.
    QuietSettlement {
        /// The side on turn gets one more series if a win in it is proven.
        Proof = "proof",
        /// The game is drawn at once.
        Auto = "auto",
    }
}

spelled! {
    /// The result when a side that began in check parried and then ran dry.
    UnfinishedEscape {
        /// A draw, as every series that runs dry.
        Draw = "draw",
        /// That side has lost.
        Loss = "loss",
    }
}

spelled! {
    /// The named rule sets.
    Preset {
        /// Checks only on the last move.
        Italian = "italian",
        /// A check ends the series.
        Scottish = "scottish",
        /// Scottish with balance and without en passant.
        English = "english",
        /// Scottish without double step, en passant and castling.
        Logical = "logical",
        /// Capture everything; kings are ordinary men.
        FullCapture = "fullcapture",
        /// Italian with rebirth of captured men.
        Circe = "circe",
        /// Italian as a Russian server plays it.
        ItalianPortal = "italian-portal",
        /// Series of 1, 2, 2, 2, ...
        Marseillais = "marseillais",
        /// Series of 2, 2, 2, ...
        MarseillaisUnbalanced = "marseillais-unbalanced",
    }
}

/// A complete set of rules: the value of every switch.
///
/// Build one from a [`Preset`] and change switches on top; [`RuleSet::validate`] tells whether
/// the combination means anything. Positions carry a copy, so there is no way to ask a position
/// about rules it is not played by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools)] // Each is a switch of its own.
pub struct RuleSet {
    /// How many moves each turn has.
    pub schedule: LengthSchedule,
    /// When checks may be given.
    pub checks: CheckRule,
    /// Which double steps can be taken en passant.
    pub en_passant: EnPassantRule,
    /// Whether the second move may be an en passant capture too if the first was one.
    pub en_passant_chain: bool,
    /// Whether pawns have a double step.
    pub double_step: bool,
    /// Whether there is castling.
    pub castling: bool,
    /// Whether men must move equally often.
    pub balance: Balance,
    /// When a promoted man may move.
    pub promoted_man: PromotedMan,
    /// Whether a pawn may become a king.
    pub promotion_to_king: bool,
    /// What wins.
    pub objective: Objective,
    /// Whether captured men come back.
    pub rebirth: Rebirth,
    /// Whether a reborn rook may castle.
    pub rebirth_castling: bool,
    /// After how many consecutive quiet series the game is drawn; 0 is never.
    pub quiet_limit: u16,
    /// What ends a run of quiet series.
    pub quiet_progress: QuietProgress,
    /// How the quiet limit is settled.
    pub quiet_settlement: QuietSettlement,
    /// The result of running dry after a parry.
    pub unfinished_escape: UnfinishedEscape,
    /// Whether K v K, K+B v K and K+N v K end the game.
    pub dead_material: bool,
    /// Whether threefold repetition draws where the series do not grow.
    pub repetition: bool,
}

/// A combination of switches that cannot mean anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RuleSetError {
    /// No check, yet mate is the goal.
    #[error(
        "checks=none with objective=mate cannot be won: without check there is no mate; set objective=capture or checks=last|ends"
    )]
    MateWithoutCheck,
    /// Kings cannot be captured, yet everything has to be.
    #[error(
        "objective=capture with checks=last|ends cannot be won: a royal king is never captured; set checks=none"
    )]
    CaptureOfRoyalKing,
    /// A second royal king.
    #[error(
        "promote-king=on needs ordinary kings: a side with two royal kings has no meaning; set checks=none"
    )]
    SecondRoyalKing,
    /// Captured men come back for ever, yet the last one has to be captured.
    #[error(
        "rebirth=circe with objective=capture has no end: captured men come back as fast as they are taken"
    )]
    EndlessSupply,
}

impl Default for RuleSet {
    fn default() -> RuleSet {
        Preset::Italian.rules()
    }
}

impl Preset {
    /// What makes this preset, for people who choose one.
    pub const fn summary(self) -> &'static str {
        match self {
            Preset::Italian => "a check only on the last move of the series",
            Preset::Scottish => "a check on any move; it ends the series",
            Preset::English => "Scottish; men take turns moving, and no en passant",
            Preset::Logical => "Scottish without double step, en passant and castling",
            Preset::FullCapture => "capture every man; kings are ordinary men",
            Preset::Circe => "Italian; captured men are reborn on their home squares",
            Preset::ItalianPortal => "Italian as a Russian server plays it",
            Preset::Marseillais => "series of 1, 2, 2, 2, ... moves",
            Preset::MarseillaisUnbalanced => "series of 2, 2, 2, ... moves",
        }
    }

    /// The rule set this preset names.
    pub const fn rules(self) -> RuleSet {
        let italian = RuleSet {
            schedule: LengthSchedule::PROGRESSIVE,
            checks: CheckRule::Last,
            en_passant: EnPassantRule::Any,
            en_passant_chain: false,
            double_step: true,
            castling: true,
            balance: Balance::Off,
            promoted_man: PromotedMan::SameSeries,
            promotion_to_king: false,
            objective: Objective::Mate,
            rebirth: Rebirth::Off,
            rebirth_castling: true,
            quiet_limit: 10,
            quiet_progress: QuietProgress::CapturesAndPawns,
            quiet_settlement: QuietSettlement::Proof,
            unfinished_escape: UnfinishedEscape::Draw,
            dead_material: true,
            repetition: true,
        };
        let scottish = RuleSet {
            checks: CheckRule::Ends,
            ..italian
        };
        match self {
            Preset::Italian => italian,
            Preset::Scottish => scottish,
            Preset::English => RuleSet {
                en_passant: EnPassantRule::None,
                balance: Balance::Counts,
                ..scottish
            },
            Preset::Logical => RuleSet {
                en_passant: EnPassantRule::None,
                double_step: false,
                castling: false,
                ..scottish
            },
            Preset::FullCapture => RuleSet {
                checks: CheckRule::None,
                castling: false,
                promotion_to_king: true,
                objective: Objective::Capture,
                dead_material: false,
                ..italian
            },
            Preset::Circe => RuleSet {
                rebirth: Rebirth::Circe,
                ..italian
            },
            Preset::ItalianPortal => RuleSet {
                quiet_progress: QuietProgress::Pawns,
                quiet_settlement: QuietSettlement::Auto,
                unfinished_escape: UnfinishedEscape::Loss,
                ..italian
            },
            Preset::Marseillais => RuleSet {
                schedule: LengthSchedule::MARSEILLAIS,
                en_passant_chain: true,
                ..scottish
            },
            Preset::MarseillaisUnbalanced => RuleSet {
                schedule: LengthSchedule::MARSEILLAIS_UNBALANCED,
                en_passant_chain: true,
                ..scottish
            },
        }
    }
}

impl RuleSet {
    /// Ordinary alternating chess as a series game of length one, without the series draws. The
    /// generator is held against ordinary perft with it.
    pub const ORDINARY: RuleSet = RuleSet {
        schedule: LengthSchedule::ORDINARY,
        ..Preset::Scottish.rules()
    };

    /// Whether kings are royal: check exists and each side has exactly one king.
    #[inline]
    pub fn has_royal_kings(&self) -> bool {
        self.checks != CheckRule::None
    }

    /// Whether captured men come back.
    #[inline]
    pub fn has_rebirth(&self) -> bool {
        self.rebirth == Rebirth::Circe
    }

    /// Whether it matters how often each man has moved in the series.
    #[inline]
    pub(super) fn counts_moves(&self) -> bool {
        self.balance != Balance::Off || self.promoted_man == PromotedMan::NextSeries
    }

    /// The preset with exactly these switches, if there is one.
    pub fn preset(&self) -> Option<Preset> {
        Preset::ALL
            .iter()
            .copied()
            .find(|preset| preset.rules() == *self)
    }

    /// Checks that the combination of switches can mean something.
    ///
    /// # Errors
    /// The first contradiction found, with what to change.
    pub fn validate(&self) -> Result<(), RuleSetError> {
        let royal = self.has_royal_kings();
        match self.objective {
            Objective::Mate if !royal => Err(RuleSetError::MateWithoutCheck),
            Objective::Capture if royal => Err(RuleSetError::CaptureOfRoyalKing),
            Objective::Capture if self.has_rebirth() => Err(RuleSetError::EndlessSupply),
            _ if royal && self.promotion_to_king => Err(RuleSetError::SecondRoyalKing),
            _ => Ok(()),
        }
    }

    /// A word that differs between rule sets, the seed of every position's hash key.
    pub(super) fn fingerprint(&self) -> u64 {
        let switches = [
            self.checks as u64,
            self.en_passant as u64,
            u64::from(self.en_passant_chain),
            u64::from(self.double_step),
            u64::from(self.castling),
            self.balance as u64,
            self.promoted_man as u64,
            u64::from(self.promotion_to_king),
            self.objective as u64,
            self.rebirth as u64,
            u64::from(self.rebirth_castling),
            u64::from(self.quiet_limit),
            self.quiet_progress as u64,
            self.quiet_settlement as u64,
            self.unfinished_escape as u64,
            u64::from(self.dead_material),
            u64::from(self.repetition),
        ];
        switches
            .iter()
            .fold(super::key::mix(self.schedule.words()), |word, &switch| {
                super::key::mix(word ^ switch)
            })
    }
}
