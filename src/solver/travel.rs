//! How many moves a man needs to a square at least, however far: on a board where nothing is in its
//! way but the enemy king.
//!
//! Pawns leave their file only where an enemy man stands to be taken; what they may promote to is
//! a queen or a knight, since a queen does whatever else a rook or a bishop could.

use shakmaty::attacks;

use crate::rules::{Bitboard, Color, Rank, Role, SeriesPosition, Square};

/// No way is longer.
pub(super) const FAR: usize = 15;

/// What is never reached.
pub(super) const NEVER: usize = u8::MAX as usize;

/// What a man may be at its goal.
pub(super) fn forms(role: Role) -> &'static [Role] {
    match role {
        Role::Pawn => &[Role::Pawn, Role::Queen, Role::Knight],
        Role::Knight => &[Role::Knight],
        Role::Bishop => &[Role::Bishop],
        Role::Rook => &[Role::Rook],
        Role::Queen => &[Role::Queen],
        Role::King => &[Role::King],
    }
}

/// No man has more forms.
pub(super) const FORMS: usize = 3;
/// Six roles on every square.
const WAYS: usize = 6 * 64;

/// The ways of a man from one square.
#[derive(Clone, Copy)]
struct Ways {
    /// By form: the squares within so many moves.
    within: [[Bitboard; FAR + 1]; FORMS],
    /// By form and square: the moves it takes.
    moves: [[u8; 64]; FORMS],
}

impl Ways {
    const EMPTY: Ways = Ways {
        within: [[Bitboard::EMPTY; FAR + 1]; FORMS],
        moves: [[u8::MAX; 64]; FORMS],
    };
}

/// What the ways depend on.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Land {
    us: Color,
    /// The enemy king's square.
    king: Square,
    double_step: bool,
    /// The enemy men that pawns may take: those there are or were.
    prey: Bitboard,
}

/// The ways of all men of one side, worked out as they are asked for.
#[derive(Default)]
pub(super) struct Travel {
    land: Option<Land>,
    /// By role and square: one more than the place in `ways`, 0 for what is not known.
    places: Places,
    /// Those asked for: a few dozen, close together.
    ways: Vec<Ways>,
}

/// By role and square: a place.
struct Places([[u16; 64]; 6]);

impl Default for Places {
    fn default() -> Places {
        Places([[0; 64]; 6])
    }
}

impl Travel {
    /// What the ways take at most.
    pub(super) const BYTES: usize = WAYS * size_of::<Ways>();

    /// Prepares for `position` and what follows from it. There are no ways without an enemy king.
    pub(super) fn begin(&mut self, position: &SeriesPosition) {
        let us = position.side();
        let men = position.men();
        let land = men.king(!us).map(|king| Land {
            us,
            king,
            double_step: position.rules().double_step,
            prey: men.of(!us) & !Bitboard::from_square(king),
        });
        if land != self.land {
            self.land = land;
            self.places = Places::default();
            self.ways.clear();
        }
    }

    /// The squares a `role` on `from` reaches within `moves` moves, when it is then the form of
    /// that index in [`forms`].
    #[inline]
    pub(super) fn within(
        &mut self,
        role: Role,
        from: Square,
        form: usize,
        moves: usize,
    ) -> Bitboard {
        self.ways(role, from).within[form][moves.min(FAR)]
    }

    /// The squares it reaches with `moves` moves and no fewer.
    #[inline]
    pub(super) fn just_within(
        &mut self,
        role: Role,
        from: Square,
        form: usize,
        moves: usize,
    ) -> Bitboard {
        let within = &self.ways(role, from).within[form];
        match moves {
            0 => within[0],
            1..=FAR => within[moves] & !within[moves - 1],
            _ => Bitboard::EMPTY,
        }
    }

    /// The moves a `role` on `from` needs to `to`, as the form of that index in [`forms`];
    /// [`NEVER`] if it cannot get there.
    #[inline]
    pub(super) fn moves(&mut self, role: Role, from: Square, form: usize, to: Square) -> usize {
        usize::from(self.ways(role, from).moves[form][to as usize])
    }

    #[inline]
    fn ways(&mut self, role: Role, from: Square) -> &Ways {
        let place = match self.places.0[index(role)][from as usize] {
            0 => self.fill(role, from),
            place => usize::from(place) - 1,
        };
        &self.ways[place]
    }

    #[cold]
    fn fill(&mut self, role: Role, from: Square) -> usize {
        let mut ways = Ways::EMPTY;
        if let Some(land) = self.land {
            land.fill(role, from, &mut ways);
        }
        self.ways.push(ways);
        self.places.0[index(role)][from as usize] = self.ways.len() as u16;
        self.ways.len() - 1
    }
}

impl Land {
    /// Puts into `ways` those of a `role` from `from`.
    fn fill(self, role: Role, from: Square, ways: &mut Ways) {
        let forms = forms(role);
        let mut fresh = [Bitboard::EMPTY; FORMS];
        fresh[0] = Bitboard::from_square(from);
        for moves in 0..=FAR {
            for (form, fresh) in fresh.iter_mut().enumerate().take(forms.len()) {
                if moves > 0 {
                    ways.within[form][moves] = ways.within[form][moves - 1];
                }
                *fresh &= !ways.within[form][moves];
                ways.within[form][moves] |= *fresh;
                for to in *fresh {
                    ways.moves[form][to as usize] = moves as u8;
                }
            }
            let mut next = [Bitboard::EMPTY; FORMS];
            for (form, &role) in forms.iter().enumerate() {
                for from in fresh[form] {
                    next[form] |= self.steps(role, from);
                }
            }
            if role == Role::Pawn {
                let last = Bitboard::from_rank(self.us.fold_wb(Rank::Eighth, Rank::First));
                let promoted = next[0] & last;
                next[0] &= !last;
                next[1] |= promoted;
                next[2] |= promoted;
            }
            fresh = next;
        }
    }

    /// Where a man could go with one move.
    fn steps(&self, role: Role, from: Square) -> Bitboard {
        let king = Bitboard::from_square(self.king);
        let squares = match role {
            Role::Pawn => {
                let step = self.us.fold_wb(8, -8);
                let one = Bitboard::from_square(from).shift(step) & !king;
                let third = Bitboard::from_rank(self.us.fold_wb(Rank::Third, Rank::Sixth));
                let two = if self.double_step {
                    (one & third).shift(step)
                } else {
                    Bitboard::EMPTY
                };
                one | two | (attacks::pawn_attacks(self.us, from) & self.prey)
            }
            Role::Knight => attacks::knight_attacks(from),
            Role::Bishop => attacks::bishop_attacks(from, king),
            Role::Rook => attacks::rook_attacks(from, king),
            Role::Queen => attacks::queen_attacks(from, king),
            Role::King => attacks::king_attacks(from) & !attacks::king_attacks(self.king),
        };
        squares & !king
    }
}

#[inline]
pub(super) fn index(role: Role) -> usize {
    role as usize - 1
}
