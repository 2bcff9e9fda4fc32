//! Series as clients see them that only know alternating chess: the waiting side passes.
//!
//! Turn `k` of length `L(k)` takes `2 L(k) - 1` plies of such a game, so under the schedule `1+1`
//! it starts at ply `(k - 1)^2`, and the orthodox counters of a FEN tell turn and moves left. They
//! do not tell quiet series, nor double steps before the last ply; and where a check ends a series
//! early they assume that none did.

use super::fen::{FenError, parse_setup};
use crate::rules::{Bitboard, Color, RuleSet, SeriesPosition, Setup, Square};

/// A spelling of the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PassText {
    /// `0000`, as UCI has it.
    #[default]
    Zeros,
    /// `@@@@`.
    Ats,
    /// `--`.
    Dashes,
    /// `Z0`.
    ZZero,
    /// `pass`.
    Pass,
    /// `null`.
    Null,
    /// The king's square twice, `e8e8`.
    King,
}

impl PassText {
    /// All spellings.
    pub const ALL: [PassText; 7] = [
        PassText::Zeros,
        PassText::Ats,
        PassText::Dashes,
        PassText::ZZero,
        PassText::Pass,
        PassText::Null,
        PassText::King,
    ];

    /// The pass of the side whose king stands on `king`; without a king the king's spelling is
    /// `0000`.
    pub fn text(self, king: Option<Square>) -> String {
        match (self, king) {
            (PassText::King, Some(king)) => format!("{king}{king}"),
            (PassText::Zeros | PassText::King, _) => "0000".to_owned(),
            (PassText::Ats, _) => "@@@@".to_owned(),
            (PassText::Dashes, _) => "--".to_owned(),
            (PassText::ZZero, _) => "Z0".to_owned(),
            (PassText::Pass, _) => "pass".to_owned(),
            (PassText::Null, _) => "null".to_owned(),
        }
    }
}

/// Whether a text is a pass, in any spelling and case.
pub fn is_pass(text: &str) -> bool {
    let fixed = ["0000", "@@@@", "--", "z0", "pass", "null"];
    let lower = text.to_ascii_lowercase();
    fixed.contains(&lower.as_str())
        || (lower.len() == 4
            && lower.is_ascii()
            && lower[..2] == lower[2..]
            && lower[..2].parse::<Square>().is_ok())
}

/// An orthodox FEN of an alternating client: what it says, not yet what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlternatingFen {
    text: String,
    /// Placement, castling rights and en passant square; the side to move in the client's eyes.
    pub setup: Setup,
    /// The client's ply, counted from 0.
    pub ply: u32,
    /// Plies without capture or pawn move.
    pub half_move_clock: u16,
}

/// A position as an alternating client sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlternatingPosition {
    /// The position; its side is the one that plays the series.
    pub position: SeriesPosition,
    /// Whether the other side is to move in the client's eyes, which can only pass.
    pub is_waiting: bool,
}

impl AlternatingFen {
    /// Reads an orthodox FEN: fields 5 and 6 are half-move clock and move number.
    ///
    /// # Errors
    /// [`FenError`] names the field, its text and what was expected.
    pub fn parse(fen: &str) -> Result<AlternatingFen, FenError> {
        if let Some(state) = fen.split_ascii_whitespace().nth(6) {
            return Err(FenError::Field {
                field: "series state",
                text: state.to_owned(),
                expected: "no seventh field: in alternating mode the move number tells the state",
            });
        }
        let setup = parse_setup(fen)?;
        let ply = 2 * (u32::from(setup.turn.max(1)) - 1) + u32::from(setup.side == Color::Black);
        Ok(AlternatingFen {
            text: fen.trim().to_owned(),
            ply,
            half_move_clock: setup.quiet,
            setup,
        })
    }

    /// What it means under `rules`, if no check has ended a series early.
    ///
    /// # Errors
    /// [`FenError::Setup`] where it cannot stand under the rules.
    pub fn position(&self, rules: RuleSet) -> Result<AlternatingPosition, FenError> {
        let length = |turn| u32::from(rules.schedule.length(turn));
        let (mut turn, mut start) = (1u16, 0u32);
        while start + 2 * length(turn) - 1 <= self.ply && turn < u16::MAX {
            start += 2 * length(turn) - 1;
            turn += 1;
        }
        let offset = self.ply - start;
        let is_waiting = offset % 2 == 1;
        let played = offset.div_ceil(2).min(length(turn) - 1) as u16;
        let mut setup = Setup {
            turn,
            quiet: 0,
            ..self.setup.clone()
        };
        if is_waiting {
            setup.side = !setup.side;
            // The last double step belongs to the series that goes on.
            setup.passed = setup.en_passant;
        }
        if played > 0 {
            setup.en_passant = Bitboard::EMPTY;
            setup.moves_left = Some(length(turn) as u16 - played);
            setup.progress = self.half_move_clock < 2 * played;
        }
        let position =
            SeriesPosition::from_setup(rules, &setup).map_err(|error| FenError::Setup {
                fen: self.text.clone(),
                error,
            })?;
        Ok(AlternatingPosition {
            position,
            is_waiting,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;

    #[test]
    fn move_numbers_tell_turn_and_moves_left() {
        let read = |side: &str, number: u32| {
            let fen = format!("4k3/8/8/8/8/8/8/4K3 {side} - - 0 {number}");
            let rules = Preset::Italian.rules();
            let read = AlternatingFen::parse(&fen)
                .unwrap()
                .position(rules)
                .unwrap();
            (
                read.position.turn().0,
                read.position.moves_left(),
                read.is_waiting,
            )
        };
        assert_eq!(read("w", 1), (1, 1, false));
        assert_eq!(read("b", 1), (2, 2, false));
        assert_eq!(read("w", 2), (2, 1, true));
        assert_eq!(read("b", 2), (2, 1, false));
        assert_eq!(read("w", 3), (3, 3, false));
        assert_eq!(read("b", 3), (3, 2, true));
        assert_eq!(read("w", 4), (3, 2, false));
        assert_eq!(read("b", 5), (4, 4, false));
    }

    #[test]
    fn passes_read_in_every_spelling() {
        for text in [
            "0000", "@@@@", "--", "Z0", "z0", "pass", "NULL", "e1e1", "e8e8",
        ] {
            assert!(is_pass(text), "{text}");
        }
        for text in ["e2e4", "", "e9e9", "000", "ee", "\u{e9}\u{e9}"] {
            assert!(!is_pass(text), "{text}");
        }
        for pass in PassText::ALL {
            assert!(is_pass(&pass.text(Some(Square::E8))));
            assert!(is_pass(&pass.text(None)));
        }
    }
}
