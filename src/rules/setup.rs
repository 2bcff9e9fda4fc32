//! A set-up as somebody wrote it down, and the checks that make a position of it.

use shakmaty::{Bitboard, Color, File, Rank, Role, Square};
use thiserror::Error;

use super::{
    balance::{COUNT_MAX, MoveCounts, RETIRED},
    key,
    men::Men,
    position::{Marks, SeriesPosition, back_rank, double_step_square, file_bit, passed_square},
    rule_set::{EnPassantRule, RuleSet, RuleSetError, UnfinishedEscape},
};

/// The most men a side may have: what a move list has room for. No game has more than sixteen, but
/// published problem positions do.
const MEN_MAX: usize = 18;

/// An unchecked description of a position, in the terms of series FEN.
///
/// Fields that the rule set has no use for (castling rights in the logical game, en passant
/// squares in the English one) are dropped when a position is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Where the men stand.
    pub men: Men,
    /// The side on turn.
    pub side: Color,
    /// Rooks that may castle.
    pub castling_rooks: Bitboard,
    /// Squares the enemy's double steps of the last series passed over.
    pub en_passant: Bitboard,
    /// Quiet series completed in a row.
    pub quiet: u16,
    /// The turn number; 0 is read as 1.
    pub turn: u16,
    /// Moves left in the series; `None` is all of them.
    pub moves_left: Option<u16>,
    /// Squares passed over by own double steps of this series.
    pub passed: Bitboard,
    /// Whether this series has seen a capture or pawn move, as the quiet rule counts them.
    pub progress: bool,
    /// Whether this series began in check.
    pub escape: bool,
    /// How often men have moved in this series; `None` for a man that may not move again.
    pub counts: Vec<(Square, Option<u8>)>,
    /// Which kings count as unmoved, where it is said; else those on their home square and those
    /// with castling rights.
    pub unmoved_kings: Option<[bool; 2]>,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            men: Men::EMPTY,
            side: Color::White,
            castling_rooks: Bitboard::EMPTY,
            en_passant: Bitboard::EMPTY,
            quiet: 0,
            turn: 1,
            moves_left: None,
            passed: Bitboard::EMPTY,
            progress: false,
            escape: false,
            counts: Vec::new(),
            unmoved_kings: None,
        }
    }
}

/// Why a set-up is no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The rules contradict themselves.
    #[error(transparent)]
    Rules(#[from] RuleSetError),
    /// A royal king is missing, or there are several.
    #[error("{0} has {1} kings: expected exactly one")]
    Kings(Color, usize),
    /// More men than a side can have.
    #[error("{0} has {1} men: expected at most {MEN_MAX}")]
    Men(Color, usize),
    /// The board is empty.
    #[error("the board is empty: expected at least one man")]
    Empty,
    /// The side that is not on turn has been captured out, yet it is not its turn to have lost.
    #[error(
        "{0} has no men and it is not {0}'s turn: whose last man is captured is on turn, and has lost"
    )]
    CapturedOut(Color),
    /// A pawn on the first or last rank.
    #[error("a pawn stands on {0}: expected none on the first and eighth rank")]
    BackRankPawn(Square),
    /// The side that is not on turn is in check.
    #[error("{0} is in check but it is not {0}'s turn")]
    OtherSideInCheck(Color),
    /// The side on turn is in check in the middle of its series.
    #[error("{0} is in check in the middle of its own series")]
    InCheckInSeries(Color),
    /// A castling right without its rook.
    #[error("castling right on {0}: no rook stands there on its own back rank")]
    CastlingRook(Square),
    /// A castling right without a king on the back rank.
    #[error("castling right of {0}: its king is not on its back rank")]
    CastlingKing(Color),
    /// An en passant square without its pawn.
    #[error("en passant square {0}: no pawn stands beyond it that could have stepped over it")]
    EnPassant(Square),
    /// A square passed over in this series without its pawn.
    #[error("passed square {0}: no own pawn stands beyond it")]
    Passed(Square),
    /// The moves left do not fit the turn.
    #[error("{left} moves left in turn {turn}: expected 1..{length}")]
    MovesLeft {
        /// As given.
        left: u16,
        /// The turn.
        turn: u16,
        /// Its length.
        length: u16,
    },
    /// An en passant square when the first move has been played.
    #[error(
        "an en passant square in the middle of a series: expected one only at its start, or before its second move under ep-chain=on"
    )]
    EnPassantInSeries,
    /// A state that only the middle of a series can have.
    #[error("{0} given at the start of a series")]
    NotInSeries(&'static str),
    /// A count on a square where no own man stands, or out of range.
    #[error("move count on {0}: expected an own man with 1..{COUNT_MAX} moves")]
    Count(Square),
}

impl SeriesPosition {
    /// Makes a position of a set-up.
    ///
    /// # Errors
    /// [`SetupError`] says what cannot stand under `rules`.
    pub fn from_setup(rules: RuleSet, setup: &Setup) -> Result<SeriesPosition, SetupError> {
        rules.validate()?;
        check_men(&rules, &setup.men)?;
        let turn = setup.turn.max(1);
        let length = rules.schedule.length(turn);
        let moves_left = setup.moves_left.unwrap_or(length);
        if moves_left == 0 || moves_left > length {
            return Err(SetupError::MovesLeft {
                left: moves_left,
                turn,
                length,
            });
        }
        let mut position = SeriesPosition {
            men: setup.men,
            rules,
            placement_key: rules.fingerprint() ^ key::placement_key(&setup.men),
            counts: MoveCounts::default(),
            turn,
            moves_left,
            moves_played: length - moves_left,
            quiet: setup.quiet,
            castling: [0; 2],
            unmoved_king: [0; 2],
            en_passant: 0,
            passed: 0,
            side: setup.side,
            marks: Marks::default(),
        };
        position.check_safety()?;
        position.set_castling(setup)?;
        position.set_en_passant(setup)?;
        position.set_series_state(setup)?;
        Ok(position)
    }

    /// The position as a set-up; making a position of it again gives an equal one.
    pub fn to_setup(&self) -> Setup {
        let own = self.men.of(self.side);
        Setup {
            men: self.men,
            side: self.side,
            castling_rooks: self.castling_rooks(Color::White) | self.castling_rooks(Color::Black),
            en_passant: self.en_passant_squares(),
            quiet: self.quiet,
            turn: self.turn,
            moves_left: (!self.is_turn_start()).then_some(self.moves_left),
            passed: self.passed_squares(),
            progress: self.marks.contains(Marks::PROGRESS),
            escape: self.marks.contains(Marks::ESCAPE),
            counts: own
                .into_iter()
                .map(|square| (square, self.counts.get(square)))
                .filter(|&(_, count)| count != 0)
                .map(|(square, count)| (square, (count != RETIRED).then_some(count)))
                .collect(),
            unmoved_kings: self.unmoved_kings_if_not_implied(),
        }
    }

    /// Which kings count as unmoved, where that differs from what a set-up without it implies.
    fn unmoved_kings_if_not_implied(&self) -> Option<[bool; 2]> {
        if !self.reborn_rooks_castle() {
            return None;
        }
        let said = [Color::Black, Color::White].map(|color| self.unmoved_king[color as usize] != 0);
        let implied = [Color::Black, Color::White].map(|color| {
            self.castling[color as usize] != 0 || self.men.king(color) == Some(home_of_king(color))
        });
        (said != implied).then_some(said)
    }

    fn check_safety(&self) -> Result<(), SetupError> {
        if !self.rules.has_royal_kings() {
            let enemy = !self.side;
            return if self.men.of(enemy).is_empty() {
                Err(SetupError::CapturedOut(enemy))
            } else {
                Ok(())
            };
        }
        let other_in_check = self
            .men
            .king(!self.side)
            .is_some_and(|king| self.men.is_attacked(self.side, king));
        if other_in_check {
            return Err(SetupError::OtherSideInCheck(!self.side));
        }
        if !self.is_turn_start() && self.is_check() {
            return Err(SetupError::InCheckInSeries(self.side));
        }
        Ok(())
    }

    fn set_castling(&mut self, setup: &Setup) -> Result<(), SetupError> {
        if !self.rules.castling {
            return Ok(());
        }
        for color in Color::ALL {
            let rank = Bitboard::from_rank(back_rank(color));
            let rooks = setup.castling_rooks & rank;
            if let Some(square) = (rooks & !self.men.men(color, Role::Rook)).first() {
                return Err(SetupError::CastlingRook(square));
            }
            let kings = self.men.men(color, Role::King) & rank;
            let home = home_of_king(color);
            let king = if kings.contains(home) {
                Some(home)
            } else {
                kings.first()
            };
            let unmoved = match setup.unmoved_kings {
                Some(said) => said[color as usize] && king.is_some(),
                None => kings.contains(home),
            };
            if let Some(king) = king {
                if rooks.any() || (unmoved && self.reborn_rooks_castle()) {
                    self.unmoved_king[color as usize] = file_bit(king.file());
                }
            } else if rooks.any() {
                return Err(SetupError::CastlingKing(color));
            }
            self.castling[color as usize] = file_set(rooks);
        }
        match (setup.castling_rooks
            & !(Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth)))
        .first()
        {
            Some(square) => Err(SetupError::CastlingRook(square)),
            None => Ok(()),
        }
    }

    fn set_en_passant(&mut self, setup: &Setup) -> Result<(), SetupError> {
        let enemy = !self.side;
        for square in setup.en_passant {
            let pawns = self.men.men(enemy, Role::Pawn);
            if square != passed_square(enemy, square.file())
                || !pawns.contains(double_step_square(enemy, square.file()))
            {
                return Err(SetupError::EnPassant(square));
            }
            if !self.men.occupied().contains(square) {
                self.en_passant |= file_bit(square.file());
            }
        }
        let chained = self.rules.en_passant_chain && self.moves_played == 1;
        if self.en_passant != 0 && !self.is_turn_start() && !chained {
            return Err(SetupError::EnPassantInSeries);
        }
        if self.rules.en_passant == EnPassantRule::None {
            self.en_passant = 0;
        }
        Ok(())
    }

    fn set_series_state(&mut self, setup: &Setup) -> Result<(), SetupError> {
        let own = self.men.of(self.side);
        if self.is_turn_start() {
            let what = if setup.passed.any() {
                Some("a passed square")
            } else if setup.progress {
                Some("a capture or pawn move of this series")
            } else if setup.escape {
                Some("an escape")
            } else if !setup.counts.is_empty() {
                Some("a move count")
            } else {
                None
            };
            return what.map_or(Ok(()), |what| Err(SetupError::NotInSeries(what)));
        }
        let pawns = self.men.men(self.side, Role::Pawn);
        for square in setup.passed {
            if square != passed_square(self.side, square.file())
                || !pawns.contains(double_step_square(self.side, square.file()))
            {
                return Err(SetupError::Passed(square));
            }
            if self.keeps_passed_squares() {
                self.passed |= file_bit(square.file());
            }
        }
        self.marks.set(Marks::PROGRESS, setup.progress);
        self.marks.set(
            Marks::ESCAPE,
            setup.escape && self.rules.unfinished_escape == UnfinishedEscape::Loss,
        );
        for &(square, count) in &setup.counts {
            if !own.contains(square) || count.is_some_and(|count| count == 0 || count > COUNT_MAX) {
                return Err(SetupError::Count(square));
            }
            if self.rules.counts_moves() {
                self.counts.set(square, count.unwrap_or(RETIRED));
            }
        }
        Ok(())
    }
}

fn check_men(rules: &RuleSet, men: &Men) -> Result<(), SetupError> {
    if men.occupied().is_empty() {
        return Err(SetupError::Empty);
    }
    for color in [Color::White, Color::Black] {
        let kings = men.men(color, Role::King).count();
        if rules.has_royal_kings() && kings != 1 {
            return Err(SetupError::Kings(color, kings));
        }
        let count = men.of(color).count();
        if count > MEN_MAX {
            return Err(SetupError::Men(color, count));
        }
    }
    let back_ranks = Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth);
    match (men.with_role(Role::Pawn) & back_ranks).first() {
        Some(square) => Err(SetupError::BackRankPawn(square)),
        None => Ok(()),
    }
}

fn home_of_king(color: Color) -> Square {
    Square::from_coords(File::E, back_rank(color))
}

fn file_set(squares: Bitboard) -> u8 {
    squares
        .into_iter()
        .fold(0, |set, square| set | file_bit(square.file()))
}
