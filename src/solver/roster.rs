//! The bound: could our men, with so many moves, attack the enemy king and cover all its flights?
//!
//! It is admissible: it says no only where there is no mate. Men move through each other, never
//! get in check and are never in each other's way, but the moves are counted. Three things need
//! care, since they let men do more than the tables over the present enemy men say: a man that
//! takes an enemy man and goes on opens lines for the others ([`Roster::opens_lines`]); castling
//! moves two men at once; a flight may be illegal because the enemy may not answer with a check
//! (the tables count that as covered).

use arrayvec::ArrayVec;
use shakmaty::attacks;

use super::{
    closer::{Anything, Closer, Judge},
    cover::{Cover, NOBODY, SPARE},
    ground::{Entry, Ground, Mask, Place, ROLES},
};
use crate::rules::{Bitboard, Color, Role, SeriesPosition, Square};

/// Most men of a side, and the squares its king may castle to beside them.
pub(super) const MEN: usize = 18 + 2;

/// One of our men.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) role: Role,
    pub(super) square: Square,
    /// What it covers where it stands, as own men block its lines now.
    pub(super) holds: Mask,
    /// What others would cover if it went away.
    pub(super) opens: Mask,
    /// Not a man of its own but the king where it may castle to, free of charge: the move is
    /// counted as the rook's. It may move on from there.
    pub(super) ghost: bool,
}

/// Our men in one position, over the tables of the enemy's.
pub(super) struct Roster {
    pub(super) members: ArrayVec<Member, MEN>,
    /// By man: where its entry is, once [`Roster::prepare`] has been asked for it.
    pub(super) places: [Place; MEN],
    us: Color,
    own: Bitboard,
    occupied: Bitboard,
    /// Men that may castle: they are in nobody's way, and never stuck.
    movable: Bitboard,
}

impl Roster {
    /// The men of the side on turn but those on `apart`. Lines that more than `budget` own men
    /// block stay closed.
    pub(super) fn new(
        position: &SeriesPosition,
        ground: &Ground,
        budget: usize,
        apart: Bitboard,
    ) -> Roster {
        let us = position.side();
        let men = position.men();
        let own = men.of(us) & !apart;
        let occupied = own | ground.enemy;
        let rooks = position.castling_rooks(us);
        let mut movable = Bitboard::EMPTY;
        if rooks.any() {
            movable = rooks | men.men(us, Role::King);
        }
        let mut roster = Roster {
            members: ArrayVec::new(),
            places: [Place::NOBODY; MEN],
            us,
            own,
            occupied,
            movable,
        };
        for role in ROLES {
            for square in men.men(us, role) & !apart {
                roster.members.push(Member {
                    role,
                    square,
                    holds: ground.cover(role, square),
                    opens: 0,
                    ghost: false,
                });
            }
        }
        roster.close_lines(ground, own & !movable, budget);
        if let (true, Some(king)) = (rooks.any(), men.king(us)) {
            for rook in rooks {
                let to = castled_king(king, rook);
                roster.members.push(Member {
                    role: Role::King,
                    square: to,
                    holds: ground.cover(Role::King, to),
                    opens: 0,
                    ghost: true,
                });
            }
        }
        roster
    }

    /// Takes away what lines do not reach because of own men, and notes who opens them.
    fn close_lines(&mut self, ground: &Ground, own: Bitboard, budget: usize) {
        let mut opened = [0; 64];
        let mut any = false;
        for member in &mut self.members {
            if !matches!(member.role, Role::Bishop | Role::Rook | Role::Queen) {
                continue;
            }
            let mut rest = member.holds;
            while rest != 0 {
                let bit = rest & rest.wrapping_neg();
                rest ^= bit;
                let target = ground.target(bit.trailing_zeros() as usize);
                let blockers = attacks::between(member.square, target) & own;
                if let Some(first) = blockers.first() {
                    member.holds ^= bit;
                    if blockers.count() <= budget {
                        opened[first as usize] |= bit;
                        any = true;
                    }
                }
            }
        }
        if any {
            for member in &mut self.members {
                member.opens |= opened[member.square as usize];
            }
        }
    }

    /// Works out the tables' entries of all men for up to `moves` moves.
    pub(super) fn prepare(&mut self, ground: &mut Ground, moves: usize) {
        for (place, member) in self.places.iter_mut().zip(&self.members) {
            *place = ground.prepare(member.role, member.square, moves);
        }
    }

    /// All men with their entries.
    pub(super) fn entries<'g>(
        &self,
        ground: &'g Ground,
    ) -> impl Iterator<Item = (&Member, &'g Entry)> {
        self.members
            .iter()
            .zip(&self.places)
            .map(|(member, &place)| (member, ground.entry_at(place)))
    }

    /// The men that stand in the way while they do not move.
    pub(super) fn solid(&self) -> Bitboard {
        self.own & !self.movable
    }

    /// Men that may castle: they are in nobody's way.
    pub(super) fn movable(&self) -> Bitboard {
        self.movable
    }

    /// How many requirements are not met now.
    pub(super) fn missing(&self, ground: &Ground) -> u32 {
        (ground.goal & !self.holds().once).count_ones()
    }

    /// Whether the goal could be covered within `budget` moves (1..=[`super::ground::REACH`])
    /// when one more man, which is not among these and stands as a `role` on `square`, has to
    /// move too. A plan that takes all moves must please `closer`, if it is there.
    pub(super) fn can_cover_with(
        &self,
        ground: &Ground,
        role: Role,
        square: Square,
        budget: usize,
        closer: Option<&mut Closer<'_>>,
    ) -> bool {
        let cover = Cover::new(self, ground);
        let held = self.holds().all();
        let entry = ground.entry(role, square);
        let within = |budget: usize, mut closer: Option<&mut Closer<'_>>| {
            (1..=budget).any(|moves| {
                entry.options(moves).iter().any(|option| {
                    let required = ground.goal | option.need();
                    let left = budget - moves;
                    let Some(closer) = closer.as_deref_mut() else {
                        let judge = &mut Anything;
                        return cover.solve(judge, NOBODY, held, option.mask(), required, left);
                    };
                    closer.push_taker(role, square, moves, option.mask());
                    let is_found = cover.solve(closer, NOBODY, held, option.mask(), required, left);
                    closer.pop();
                    is_found
                })
            })
        };
        match closer {
            None => within(budget, None),
            Some(closer) => {
                within(budget.saturating_sub(SPARE), None) || within(budget, Some(closer))
            }
        }
    }

    /// The place of the man on `square`, which must be one of these.
    #[inline]
    pub(super) fn index_of(&self, square: Square) -> usize {
        self.members
            .iter()
            .position(|member| member.square == square)
            .unwrap_or_default()
    }

    /// What the men hold, counted: by one or more, two or more, three or more.
    pub(super) fn holds(&self) -> Holds {
        let mut holds = Holds::default();
        for member in &self.members {
            holds.thrice |= holds.twice & member.holds;
            holds.twice |= holds.once & member.holds;
            holds.once |= member.holds;
        }
        holds
    }
}

/// What several men hold: by one or more, two or more, three or more of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Holds {
    once: Mask,
    twice: Mask,
    thrice: Mask,
}

impl Holds {
    /// What is held.
    #[inline]
    pub(super) fn all(self) -> Mask {
        self.once
    }

    /// What is held without the man that holds `one`.
    #[inline]
    pub(super) fn without(self, one: Mask) -> Mask {
        self.twice | (self.once & !one)
    }

    /// What is held without the men that hold `one` and `other`.
    #[inline]
    pub(super) fn without_both(self, one: Mask, other: Mask) -> Mask {
        self.thrice | (self.twice & !(one & other)) | (self.once & !one & !other)
    }
}

/// Where the king castles to with `rook`.
pub(super) fn castled_king(king: Square, rook: Square) -> Square {
    let file = if rook.file() > king.file() {
        crate::rules::File::G
    } else {
        crate::rules::File::C
    };
    Square::from_coords(file, king.rank())
}

impl Roster {
    /// Whether a man has no move, safe or not, unless another man moves first.
    #[inline]
    pub(super) fn is_stuck(&self, member: Member) -> bool {
        let square = member.square;
        if member.ghost || self.movable.contains(square) {
            return false;
        }
        if member.role == Role::Pawn {
            let ahead = Bitboard::from_square(square).shift(self.us.fold_wb(8, -8));
            let prey = attacks::pawn_attacks(self.us, square) & self.occupied & !self.own;
            return (ahead & !self.occupied).is_empty() && prey.is_empty();
        }
        let near = attacks::king_attacks(square);
        let next = match member.role {
            Role::Knight => attacks::knight_attacks(square),
            Role::Bishop => near & attacks::bishop_attacks(square, self.occupied),
            Role::Rook => near & attacks::rook_attacks(square, self.occupied),
            _ => near,
        };
        (next & !self.own).is_empty()
    }
}
