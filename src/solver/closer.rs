//! The closer look at a plan that uses up all moves: then it is known who moves and who does not.
//!
//! Men that do not move are walls for the others, and an enemy man that can take the checking man
//! or step in between does so, unless one of those that move deals with it.

use arrayvec::ArrayVec;

use super::{
    cover::Cover,
    ground::{CHECK, Ground, Mask, REACH},
    parry::Parries,
    roster::{Member, Roster},
};
use crate::rules::{Bitboard, Rank, Role, SeriesPosition, Square};

/// Takes the plans that the cover recursion finds, and says which are good enough.
pub(super) trait Judge {
    /// The man `index` moves so many times, and covers and opens `mask`.
    fn push(&mut self, index: usize, moves: usize, mask: Mask);
    /// The man pushed last does not.
    fn pop(&mut self);
    /// Whether the plan, which uses up all moves and covers `required`, is good enough.
    fn accepts(&self, cover: &Cover<'_>, used: u32, required: Mask) -> bool;
}

/// Accepts every plan.
pub(super) struct Anything;

impl Judge for Anything {
    #[inline]
    fn push(&mut self, _: usize, _: usize, _: Mask) {}

    #[inline]
    fn pop(&mut self) {}

    #[inline]
    fn accepts(&self, _: &Cover<'_>, _: u32, _: Mask) -> bool {
        true
    }
}

/// One man's part in a plan.
#[derive(Clone, Copy)]
struct Part {
    role: Role,
    square: Square,
    /// The king where it may castle to.
    ghost: bool,
    moves: usize,
    /// What it covers and opens, and what of that it opens.
    mask: Mask,
    opens: Mask,
}

/// Looks closely at plans.
pub(super) struct Closer<'c> {
    position: &'c SeriesPosition,
    ground: &'c Ground,
    members: &'c [Member],
    /// Own men that stand in the way while they do not move.
    solid: Bitboard,
    parts: ArrayVec<Part, { REACH + 1 }>,
}

impl Judge for Closer<'_> {
    fn push(&mut self, index: usize, moves: usize, mask: Mask) {
        let member = &self.members[index];
        self.parts.push(Part {
            role: member.role,
            square: member.square,
            ghost: member.ghost,
            moves,
            mask,
            opens: member.opens,
        });
    }

    fn pop(&mut self) {
        self.parts.pop();
    }

    fn accepts(&self, cover: &Cover<'_>, used: u32, required: Mask) -> bool {
        let held = cover.held_without(used);
        let walls = self.parts.iter().fold(self.solid, |walls, part| {
            walls & !Bitboard::from_square(part.square)
        });
        (0..self.parts.len()).all(|nth| {
            let others = self
                .parts
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != nth)
                .fold(held, |others, (_, part)| others | part.mask);
            // What nobody else covers, and what this man opens itself comes for free.
            let needed = required & !(others | self.parts[nth].opens);
            needed == 0 || self.can_play(nth, needed, walls)
        })
    }
}

impl<'c> Closer<'c> {
    /// For plans of `roster` over `ground`.
    pub(super) fn new(
        position: &'c SeriesPosition,
        ground: &'c Ground,
        roster: &'c Roster,
    ) -> Closer<'c> {
        Closer {
            position,
            ground,
            members: &roster.members,
            solid: roster.solid(),
            parts: ArrayVec::new(),
        }
    }

    /// A man that is not among the members goes on from `square`, where it took something.
    pub(super) fn push_taker(&mut self, role: Role, square: Square, moves: usize, mask: Mask) {
        self.parts.push(Part {
            role,
            square,
            ghost: false,
            moves,
            mask,
            opens: 0,
        });
    }

    /// Whether the man of the part `nth` can cover all of `needed` without passing `walls`, and
    /// is not surely answered if it alone checks.
    fn can_play(&self, nth: usize, needed: Mask, walls: Bitboard) -> bool {
        let part = &self.parts[nth];
        if part.ghost {
            return true;
        }
        let mut parries = None;
        let mut is_good = |role: Role, squares: Bitboard| {
            if needed & CHECK == 0 {
                return squares.any();
            }
            squares.into_iter().any(|square| {
                !parries
                    .get_or_insert_with(|| self.parries(nth))
                    .are_sure(role, square)
            })
        };
        if part.role == Role::Pawn {
            return self.pawn_can_play(part.square, part.moves, needed, walls, &mut is_good);
        }
        let sources = self.ground.sources(part.role, needed);
        let closed = self.ground.blocking() | walls;
        let mut fresh = Bitboard::from_square(part.square);
        let mut seen = fresh;
        for left in (0..part.moves).rev() {
            let next = fresh.into_iter().fold(Bitboard::EMPTY, |next, from| {
                next | self.ground.real_steps(part.role, from, closed)
            });
            fresh = next & !walls & !seen;
            seen |= fresh;
            // The squares reached earlier would have made a cheaper plan, but it may go by there.
            if is_good(part.role, fresh & sources) {
                return true;
            }
            if left > 0 && fresh.is_empty() {
                return false;
            }
        }
        false
    }

    /// The same for a pawn, which may promote on its way.
    fn pawn_can_play(
        &self,
        from: Square,
        moves: usize,
        needed: Mask,
        walls: Bitboard,
        is_good: &mut impl FnMut(Role, Bitboard) -> bool,
    ) -> bool {
        const LANDINGS: [Role; 3] = [Role::Pawn, Role::Queen, Role::Knight];
        let us = self.position.side();
        let last_rank = Bitboard::from_rank(us.fold_wb(Rank::Eighth, Rank::First));
        let closed = self.ground.blocking() | walls;
        let mut fresh = [
            Bitboard::from_square(from),
            Bitboard::EMPTY,
            Bitboard::EMPTY,
        ];
        for _ in 0..moves {
            let mut next = [Bitboard::EMPTY; 3];
            for (role, squares) in LANDINGS.into_iter().zip(fresh) {
                for from in squares {
                    let to = self.ground.real_steps(role, from, closed) & !walls;
                    match role {
                        Role::Pawn => {
                            next[0] |= to & !last_rank;
                            next[1] |= to & last_rank;
                            next[2] |= to & last_rank;
                        }
                        Role::Queen => next[1] |= to,
                        _ => next[2] |= to,
                    }
                }
            }
            fresh = next;
            let is_there = LANDINGS
                .into_iter()
                .zip(fresh)
                .any(|(role, squares)| is_good(role, squares & self.ground.sources(role, needed)));
            if is_there {
                return true;
            }
        }
        false
    }

    /// What the other men of the plan can do about parries of the check of the part `nth`.
    fn parries(&self, nth: usize) -> Parries<'_> {
        let mut parries = Parries {
            position: self.position,
            enemy: self.ground.enemy,
            helpers: Bitboard::EMPTY,
            prey: Bitboard::EMPTY,
            kings: Bitboard::EMPTY,
        };
        for member in self.members {
            if member.role == Role::King {
                parries.kings.add(member.square);
            }
            if member.ghost {
                parries.helpers.add(member.square);
            }
        }
        for (other, part) in self.parts.iter().enumerate() {
            let reach = &self.ground.entry(part.role, part.square).reach;
            if other != nth {
                parries.helpers |= reach[part.moves - 1];
            } else if part.moves >= 2 {
                parries.prey |= reach[part.moves - 2];
            }
            if part.role == Role::King {
                parries.kings |= reach[part.moves - 1];
            }
        }
        let enemy = self.ground.enemy;
        // What has been taken before the plan begins cannot parry either.
        parries.prey = (parries.prey | parries.helpers) & enemy
            | (self.position.men().of(!self.position.side()) & !enemy);
        parries
    }
}
