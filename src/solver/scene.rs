//! One mating picture as far as it is known, and what the enemy could do against it.
//!
//! What is said here stays true whatever else our men come to do, but for what the picture can still
//! grow by: see [`super::pictures`].

use arrayvec::ArrayVec;
use shakmaty::{Piece, attacks};

use super::travel::index;
use crate::rules::{Bitboard, Color, Men, Rank, Role, Square};

/// More men of ours than these make too many pictures.
pub(super) const CREW: usize = 8;

/// A man of ours in a picture.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    /// Its place in the crew.
    pub(super) hand: usize,
    /// The index in [`forms`] of what it is then.
    pub(super) form: usize,
    pub(super) role: Role,
    pub(super) square: Square,
}

/// What is known of a picture so far.
#[derive(Clone, Default)]
pub(super) struct Picture {
    pub(super) placed: ArrayVec<Placed, CREW>,
    /// The squares of our men in it.
    pub(super) own: Bitboard,
    /// The enemy men that must be taken.
    pub(super) gone: Bitboard,
    /// The moves of the men in it.
    pub(super) moves: usize,
}

impl Picture {
    pub(super) fn has(&self, hand: usize) -> bool {
        self.placed.iter().any(|placed| placed.hand == hand)
    }

    pub(super) fn king(&self) -> Option<Square> {
        self.placed
            .iter()
            .find(|placed| placed.role == Role::King)
            .map(|placed| placed.square)
    }

    pub(super) fn with_gone(&self, gone: Bitboard) -> Picture {
        let mut picture = self.clone();
        picture.gone |= gone;
        picture
    }
}

/// The squares, by role, where a man could be put.
pub(super) type Places = [Bitboard; 6];

/// The enemy's men and rules.
pub(super) struct Scene<'q> {
    pub(super) men: &'q Men,
    pub(super) us: Color,
    /// The enemy king's square.
    pub(super) king: Square,
    /// The enemy men but the king.
    pub(super) enemy: Bitboard,
    /// Whether the enemy may not answer with a check.
    pub(super) shy: bool,
    pub(super) double_step: bool,
}

impl Scene<'_> {
    /// From where men attack `square` when no other man is in the way.
    pub(super) fn places_against(&self, square: Square) -> Places {
        let none = Bitboard::EMPTY;
        [
            attacks::pawn_attacks(!self.us, square),
            attacks::knight_attacks(square),
            attacks::bishop_attacks(square, none),
            attacks::rook_attacks(square, none),
            attacks::queen_attacks(square, none),
            attacks::king_attacks(square),
        ]
    }

    /// Where our king might be attacked when the enemy king goes to `square`: on lines that it
    /// leaves.
    pub(super) fn shy_of_flight(&self, square: Square, rest: Bitboard) -> Bitboard {
        self.snipers(self.king, rest)
            .into_iter()
            .filter(|&sniper| !attacks::ray(sniper, self.king).contains(square))
            .fold(Bitboard::EMPTY, |all, sniper| {
                all | beyond(sniper, self.king)
            })
    }

    /// The long-range enemy men on lines with `square`.
    fn snipers(&self, square: Square, rest: Bitboard) -> Bitboard {
        let none = Bitboard::EMPTY;
        let them = !self.us;
        (attacks::rook_attacks(square, none) & self.men.line_sliders(them)
            | attacks::bishop_attacks(square, none) & self.men.diagonal_sliders(them))
            & rest
    }

    /// Where our king might be attacked when an enemy man goes from `from` to `to`.
    pub(super) fn shy_of_move(&self, from: Square, to: Square, rest: Bitboard) -> Bitboard {
        let none = Bitboard::EMPTY;
        let attacked = match self.men.role_at(from) {
            Some(Role::Pawn) if matches!(to.rank(), Rank::First | Rank::Eighth) => {
                attacks::queen_attacks(to, none) | attacks::knight_attacks(to)
            }
            Some(role) => attacks::attacks(
                to,
                Piece {
                    color: !self.us,
                    role,
                },
                none,
            ),
            None => none,
        };
        self.snipers(from, rest)
            .into_iter()
            .fold(attacked, |all, sniper| all | beyond(sniper, from))
    }

    /// An enemy man that parries the check of `checker`, and where it goes, as far as the picture
    /// tells.
    pub(super) fn parry(
        &self,
        picture: &Picture,
        checker: Placed,
        rest: Bitboard,
        occupied: Bitboard,
    ) -> Option<(Square, Square)> {
        let them = !self.us;
        let takers = self.men.attackers(them, checker.square, occupied) & rest;
        let is_parry = |from: Square, to: Square| {
            let is_shy = self.shy
                && picture
                    .king()
                    .is_some_and(|king| self.shy_of_move(from, to, rest).contains(king));
            !is_shy && !self.is_pinned(picture, from, to, rest)
        };
        if let Some(from) = takers
            .into_iter()
            .find(|&from| is_parry(from, checker.square))
        {
            return Some((from, checker.square));
        }
        if matches!(checker.role, Role::Knight | Role::Pawn) {
            return None;
        }
        let pawns = self.men.men(them, Role::Pawn) & rest;
        let step = them.fold_wb(8, -8);
        let start = Bitboard::from_rank(them.fold_wb(Rank::Second, Rank::Seventh));
        attacks::between(checker.square, self.king)
            .into_iter()
            .find_map(|to| {
                let here = self.men.attackers(them, to, occupied) & rest & !pawns;
                // Square numbers run on past the edges of the board only along files here.
                let one = Bitboard::from_square(to).shift(-step);
                let mut pushed = one & pawns;
                if self.double_step && (one & occupied).is_empty() {
                    pushed |= one.shift(-step) & start & pawns;
                }
                (here | pushed)
                    .into_iter()
                    .find(|&from| is_parry(from, to))
                    .map(|from| (from, to))
            })
    }

    /// Whether a man of the picture pins the enemy man on `from`, so that it cannot go to `to`.
    fn is_pinned(&self, picture: &Picture, from: Square, to: Square, rest: Bitboard) -> bool {
        let line = attacks::ray(self.king, from);
        if line.is_empty() || line.contains(to) {
            return false;
        }
        let places = self.pinning_places(from);
        picture.placed.iter().any(|placed| {
            let between = attacks::between(placed.square, self.king);
            places[index(placed.role)].contains(placed.square)
                && (between & !Bitboard::from_square(from) & (rest | picture.own)).is_empty()
        })
    }

    /// From where men pin an enemy man on `from`.
    pub(super) fn pinning_places(&self, from: Square) -> Places {
        let mut places = [Bitboard::EMPTY; 6];
        let beyond = beyond(self.king, from);
        let straight = (attacks::rook_attacks(self.king, Bitboard::EMPTY)).contains(from);
        places[index(Role::Queen)] = beyond;
        places[index(if straight { Role::Rook } else { Role::Bishop })] = beyond;
        places
    }
}

/// The squares of the line from `square` over `other` that are beyond that.
fn beyond(square: Square, other: Square) -> Bitboard {
    let start = Bitboard::from_square(square);
    attacks::ray(square, other)
        & attacks::queen_attacks(other, start)
        & !attacks::between(square, other)
        & !start
}
