//! A position inside a series, with everything the rest of the game depends on.

use std::fmt;

use shakmaty::{Bitboard, Color, File, Rank, Square};

use super::{
    balance::MoveCounts,
    key,
    men::Men,
    moves::Move,
    rule_set::{EnPassantRule, RuleSet},
};

/// The number of a turn, counted from 1 and alternating between the sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TurnNumber(pub u16);

impl TurnNumber {
    /// The next turn; the last number is its own successor.
    #[must_use]
    pub fn next(self) -> TurnNumber {
        TurnNumber(self.0.saturating_add(1))
    }
}

impl fmt::Display for TurnNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A position, at the start of a series or in the middle of it, with the rules it is played by.
///
/// 160 bytes, made to be copied: [`SeriesPosition::after`] copies and plays. Two equal positions
/// have equal futures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SeriesPosition {
    pub(super) men: Men,
    pub(super) rules: RuleSet,
    /// The placement's key, seeded with the rule set's fingerprint, kept incrementally.
    pub(super) placement_key: u64,
    pub(super) counts: MoveCounts,
    pub(super) turn: u16,
    pub(super) moves_left: u16,
    pub(super) moves_played: u16,
    pub(super) quiet: u16,
    /// Files of the back-rank rooks that may castle, by colour.
    pub(super) castling: [u8; 2],
    /// The file of the king that has not moved, by colour: as a set of one or none. Kept only
    /// where it can matter: with castling rights, or where a reborn rook may castle.
    pub(super) unmoved_king: [u8; 2],
    /// Files of enemy double steps of the last series that can be answered now.
    pub(super) en_passant: u8,
    /// Files of own double steps of this series whose pawns have not moved since.
    pub(super) passed: u8,
    pub(super) side: Color,
    pub(super) marks: Marks,
}

/// What has happened in the current series and matters later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Marks(u8);

impl Marks {
    /// A capture or pawn move, as the quiet rule counts them.
    pub(super) const PROGRESS: Marks = Marks(1);
    /// The series began in check; kept only where an unfinished escape loses.
    pub(super) const ESCAPE: Marks = Marks(2);

    #[inline]
    pub(super) fn contains(self, mark: Marks) -> bool {
        self.0 & mark.0 != 0
    }

    #[inline]
    pub(super) fn set(&mut self, mark: Marks, on: bool) {
        self.0 |= mark.0 * u8::from(on);
    }
}

/// The set of one file.
#[inline]
pub(super) const fn file_bit(file: File) -> u8 {
    1 << file as u8
}

/// The files of a set, in order.
#[inline]
pub(super) fn files(set: u8) -> impl Iterator<Item = File> {
    Bitboard(u64::from(set)).into_iter().map(Square::file)
}

/// The back rank of `color`.
#[inline]
pub fn back_rank(color: Color) -> Rank {
    color.fold_wb(Rank::First, Rank::Eighth)
}

/// The square a double step of `color` on `file` passes over.
#[inline]
pub(super) fn passed_square(color: Color, file: File) -> Square {
    Square::from_coords(file, color.fold_wb(Rank::Third, Rank::Sixth))
}

/// The square a double step of `color` on `file` ends on.
#[inline]
pub(super) fn double_step_square(color: Color, file: File) -> Square {
    Square::from_coords(file, color.fold_wb(Rank::Fourth, Rank::Fifth))
}

impl SeriesPosition {
    /// The start position.
    pub fn start(rules: RuleSet) -> SeriesPosition {
        super::Chess960Number::ORTHODOX.start(rules)
    }

    /// The rules this position is played by.
    #[inline]
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Where the men stand.
    #[inline]
    pub fn men(&self) -> &Men {
        &self.men
    }

    /// The side whose series it is.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The number of the current turn.
    #[inline]
    pub fn turn(&self) -> TurnNumber {
        TurnNumber(self.turn)
    }

    /// How many moves the current series may still have, at least 1.
    #[inline]
    pub fn moves_left(&self) -> u16 {
        self.moves_left
    }

    /// How many moves of the current series have been played.
    #[inline]
    pub fn moves_played(&self) -> u16 {
        self.moves_played
    }

    /// Whether the next move is the first of its series.
    #[inline]
    pub fn is_turn_start(&self) -> bool {
        self.moves_played == 0
    }

    /// How many quiet series in a row have been completed.
    #[inline]
    pub fn quiet(&self) -> u16 {
        self.quiet
    }

    /// How many moves turn `turn` has under this position's schedule.
    pub fn series_length(&self, turn: TurnNumber) -> u16 {
        self.rules.schedule.length(turn.0)
    }

    /// The rooks of `color` that may castle.
    pub fn castling_rooks(&self, color: Color) -> Bitboard {
        files(self.castling[color as usize])
            .map(|file| Square::from_coords(file, back_rank(color)))
            .collect()
    }

    /// The squares passed over by double steps of the last series that can be answered by the
    /// next move, whether or not a pawn stands there to do it.
    pub fn en_passant_squares(&self) -> Bitboard {
        files(self.en_passant)
            .map(|file| passed_square(!self.side, file))
            .collect()
    }

    /// The squares passed over by own double steps of this series that still count.
    pub fn passed_squares(&self) -> Bitboard {
        files(self.passed)
            .map(|file| passed_square(self.side, file))
            .collect()
    }

    /// Whether the side on turn stands in check. False where kings are ordinary men.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// The enemy men that give check to the side on turn.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        if !self.rules.has_royal_kings() {
            return Bitboard::EMPTY;
        }
        self.men.king(self.side).map_or(Bitboard::EMPTY, |king| {
            self.men.attackers(!self.side, king, self.men.occupied())
        })
    }

    /// The position after `m`, which must be legal here.
    #[inline]
    #[must_use]
    pub fn after(&self, m: Move) -> SeriesPosition {
        let mut next = *self;
        next.play(m);
        next
    }

    /// The same position with other rules, as far as it has a meaning there.
    ///
    /// # Errors
    /// Where the set-up cannot stand under the new rules.
    pub fn with_rules(&self, rules: RuleSet) -> Result<SeriesPosition, super::SetupError> {
        SeriesPosition::from_setup(rules, &self.to_setup())
    }

    /// The key of the whole state: equal keys mean (but for chance) equal futures.
    #[inline]
    pub fn key(&self) -> u64 {
        let quiet = if self.rules.quiet_limit == 0 {
            0
        } else {
            self.quiet
        };
        self.state_key(quiet)
    }

    /// The key of the state as repetition sees it: without the count of quiet series.
    pub fn repetition_key(&self) -> u64 {
        self.state_key(0)
    }

    #[inline]
    fn state_key(&self, quiet: u16) -> u64 {
        let phase = self.rules.schedule.phase(self.turn);
        let turn = u64::from(phase)
            | u64::from(self.moves_left) << 16
            | u64::from(self.moves_played) << 32
            | u64::from(quiet) << 48;
        let state = self.rights_word()
            | u64::from(self.passed) << 40
            | u64::from(self.marks.0) << 48
            | u64::from(self.side.is_white()) << 56;
        self.placement_key ^ key::mix(key::mix(turn) ^ state) ^ self.counts.key()
    }

    /// Castling rights, unmoved kings and the en passant files a pawn stands to take on.
    #[inline]
    fn rights_word(&self) -> u64 {
        u64::from(u16::from_le_bytes(self.castling))
            | u64::from(u16::from_le_bytes(self.unmoved_king)) << 16
            | u64::from(self.takeable_en_passant()) << 32
    }

    /// The key of what the rest of the current series, and a mate at its end, depends on: equal
    /// keys mean (but for chance) that the same continuations are allowed and mate. The turn
    /// number and the enemy's castling rights are no part of it.
    #[inline]
    pub fn series_key(&self) -> u64 {
        let us = self.side as usize;
        let answer_is_short = self.rules.schedule.length(self.turn.saturating_add(1)) == 1;
        let word = u64::from(self.castling[us])
            | u64::from(self.unmoved_king[us]) << 8
            | u64::from(self.takeable_en_passant()) << 16
            | u64::from(self.takeable_passed()) << 24
            | u64::from(self.moves_left) << 32
            | u64::from(self.side.is_white()) << 48
            | u64::from(self.is_turn_start()) << 49
            | u64::from(answer_is_short) << 50;
        self.placement_key ^ key::mix(word) ^ self.counts.key()
    }

    /// The key of the rules and of the side that waits with its men: what stays the same for many
    /// positions a solver is asked about.
    pub(crate) fn enemy_key(&self) -> u64 {
        key::side_key(&self.men, !self.side) ^ self.rules.fingerprint()
    }

    /// The key of the placement alone.
    #[inline]
    pub fn placement_key(&self) -> u64 {
        self.placement_key
    }

    /// The key of the placement, castling rights and en passant squares where a pawn really
    /// stands to take.
    pub fn rights_key(&self) -> u64 {
        self.placement_key ^ key::mix(self.rights_word())
    }

    /// The key of the placement, castling rights and a set of double-step files.
    pub(super) fn double_steps_key(&self, passed: u8) -> u64 {
        let rights = u64::from(u16::from_le_bytes(self.castling)) | u64::from(passed) << 32;
        self.placement_key ^ key::mix(rights)
    }

    /// The en passant files on which a pawn of the side on turn stands to take.
    #[inline]
    pub(super) fn takeable_en_passant(&self) -> u8 {
        if self.en_passant == 0 {
            return 0;
        }
        let pawns = self.men.men(self.side, shakmaty::Role::Pawn);
        files(self.en_passant)
            .filter(|&file| {
                let target = passed_square(!self.side, file);
                (shakmaty::attacks::pawn_attacks(!self.side, target) & pawns).any()
            })
            .fold(0, |set, file| set | file_bit(file))
    }

    /// Whether a pawn of the side on turn stands to take en passant now.
    #[inline]
    pub(crate) fn can_take_en_passant(&self) -> bool {
        self.takeable_en_passant() != 0
    }

    /// The files of own double steps of this series that an enemy pawn stands to take.
    #[inline]
    pub(super) fn takeable_passed(&self) -> u8 {
        if self.passed == 0 {
            return 0;
        }
        let pawns = self.men.men(!self.side, shakmaty::Role::Pawn);
        files(self.passed)
            .filter(|&file| {
                let target = passed_square(self.side, file);
                (shakmaty::attacks::pawn_attacks(self.side, target) & pawns).any()
            })
            .fold(0, |set, file| set | file_bit(file))
    }

    /// The key computed anew from the placement, for tests of the incremental one.
    #[doc(hidden)]
    pub fn placement_key_from_scratch(&self) -> u64 {
        self.rules.fingerprint() ^ key::placement_key(&self.men)
    }

    /// Whether an answer en passant is possible at all under these rules.
    #[inline]
    pub(super) fn keeps_passed_squares(&self) -> bool {
        self.rules.en_passant != EnPassantRule::None
    }
}

impl fmt::Debug for SeriesPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SeriesPosition({:?})", self.to_setup())
    }
}

#[cfg(test)]
mod tests {
    use super::SeriesPosition;

    #[test]
    fn a_position_stays_small_enough_to_copy() {
        assert!(size_of::<SeriesPosition>() <= 160);
    }
}
