//! The closer look at a plan that uses up all moves: then it is known who moves and who does not.
//!
//! Men that do not move are walls for the others, and an enemy man that can take the checking man
//! or step in between does so, unless one of those that move deals with it.

use arrayvec::ArrayVec;
use shakmaty::attacks;

use super::{
    cover::Cover,
    ground::{CHECK, Ground, Mask, REACH},
    parry::Parries,
    roster::{Member, Roster},
    walls::{FilePawn, slide},
};
use crate::rules::{Bitboard, Rank, Role, SeriesPosition, Square};

/// Takes the plans that the cover recursion finds, and says which are good enough.
pub(super) trait Judge {
    /// The man `index` moves so many times, and covers and opens `mask`.
    fn push(&mut self, index: usize, moves: usize, mask: Mask);
    /// The man pushed last does not.
    fn pop(&mut self);
    /// Whether the plan, which leaves `left` moves and covers `required`, is good enough.
    fn accepts(&mut self, cover: &Cover<'_>, used: u32, required: Mask, left: usize) -> bool;
}

/// Accepts every plan.
pub(super) struct Anything;

impl Judge for Anything {
    #[inline]
    fn push(&mut self, _: usize, _: usize, _: Mask) {}

    #[inline]
    fn pop(&mut self) {}

    #[inline]
    fn accepts(&mut self, _: &Cover<'_>, _: u32, _: Mask, _: usize) -> bool {
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
    enemy_king: Square,
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

    fn accepts(&mut self, cover: &Cover<'_>, used: u32, required: Mask, left: usize) -> bool {
        match left {
            0 => self.holds_up(cover, used, required, Spare::None, 0),
            // The move left over may help a man of the plan, or be another man's.
            1 => {
                self.holds_up_with_more(cover, used, required)
                    || self.any_beside(cover, used, required, |_| true)
            }
            _ => true,
        }
    }
}

/// Gathers the men that move in some plan that is good enough.
pub(super) struct Movers<'c> {
    closer: Closer<'c>,
    /// The men that have been found to move.
    pub(super) found: u32,
    /// All that can.
    all: u32,
}

impl<'c> Movers<'c> {
    /// For plans that `closer` judges, of as many men.
    pub(super) fn new(closer: Closer<'c>) -> Movers<'c> {
        let all = (1 << closer.members.len()) - 1;
        Movers {
            closer,
            found: 0,
            all,
        }
    }
}

impl Judge for Movers<'_> {
    fn push(&mut self, index: usize, moves: usize, mask: Mask) {
        self.closer.push(index, moves, mask);
    }

    fn pop(&mut self) {
        self.closer.pop();
    }

    /// Only when everybody moves there is nothing more to be found.
    fn accepts(&mut self, cover: &Cover<'_>, used: u32, required: Mask, left: usize) -> bool {
        match left {
            0 => {
                if used & !self.found != 0 && self.closer.accepts(cover, used, required, 0) {
                    self.found |= used;
                }
            }
            1 => {
                if used & !self.found != 0 && self.closer.holds_up_with_more(cover, used, required)
                {
                    self.found |= used;
                }
                let found = &mut self.found;
                self.closer.any_beside(cover, used, required, |index| {
                    *found |= used | 1 << index;
                    false
                });
            }
            _ => self.found = self.all,
        }
        self.found == self.all
    }
}

/// What becomes of a move that a plan leaves over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spare {
    None,
    /// The man of this part makes one move more.
    More(usize),
    /// This man, which has no part, makes a move.
    Other(usize),
    /// One of these men, which have no part, makes a move that covers nothing.
    AnyOf(u32),
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
            enemy_king: ground.king(),
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

    /// Whether every man can play its part when one of them makes a move more.
    fn holds_up_with_more(&self, cover: &Cover<'_>, used: u32, required: Mask) -> bool {
        (0..self.parts.len()).any(|nth| self.holds_up(cover, used, required, Spare::More(nth), 0))
    }

    /// Tells `found` of the men without a part with whose move every man can play its part. Ends
    /// with true as soon as `found` says so.
    fn any_beside(
        &self,
        cover: &Cover<'_>,
        used: u32,
        required: Mask,
        mut found: impl FnMut(usize) -> bool,
    ) -> bool {
        let (mut covering, mut idle) = (0u32, 0u32);
        for index in 0..self.members.len() {
            if used >> index & 1 != 0 || !cover.can_move(index) {
                continue;
            }
            if cover.mask_of_one(index) & required == 0 {
                idle |= 1 << index;
            } else {
                covering |= 1 << index;
            }
        }
        let mut beside = |men: u32| {
            bits(men)
                .any(|index| self.holds_up_beside(cover, used, required, index) && found(index))
        };
        // Where no one of those helps that can only get out of the way or into it, even if all do
        // so at once, they need not be looked at one by one.
        beside(covering)
            || (self.holds_up(cover, used, required, Spare::AnyOf(idle), 0) && beside(idle))
    }

    /// Whether every man can play its part when the man `index` makes a move too.
    fn holds_up_beside(&self, cover: &Cover<'_>, used: u32, required: Mask, index: usize) -> bool {
        let spare = Spare::Other(index);
        let member = &self.members[index];
        let mask = cover.mask_of_one(index);
        // Two men check at once only by discovery: one of them is a long-range man, and the other
        // leaves a line to the king. If that cannot be, either this man checks or one of the plan.
        let is_on_line =
            attacks::queen_attacks(self.enemy_king, Bitboard::EMPTY).contains(member.square);
        let discovers = is_on_line || !matches!(member.role, Role::Knight | Role::King);
        if discovers || mask & CHECK == 0 {
            return self.holds_up(cover, used, required, spare, mask);
        }
        if self.holds_up(cover, used, required, spare, mask & !CHECK) {
            return true;
        }
        let walls = self.walls(spare);
        let part = Part {
            role: member.role,
            square: member.square,
            ghost: member.ghost,
            moves: 1,
            mask: CHECK,
            opens: 0,
        };
        self.can_play(&part, usize::MAX, CHECK, walls, Spare::None)
            && self.holds_up(cover, used, required, spare, mask)
    }

    /// The pawn that makes the spare move, if it stays on its file.
    fn file_pawn(&self, spare: Spare) -> Option<FilePawn> {
        let Spare::Other(index) = spare else {
            return None;
        };
        let Member { role, square, .. } = self.members[index];
        if role != Role::Pawn {
            return None;
        }
        let reach = self.ground.entry(role, square).reach[0];
        FilePawn::new(self.position.side(), square, reach)
    }

    /// Own men that stay where they are.
    fn walls(&self, spare: Spare) -> Bitboard {
        let walls = self.parts.iter().fold(self.solid, |walls, part| {
            walls & !Bitboard::from_square(part.square)
        });
        match spare {
            Spare::Other(index) => walls & !Bitboard::from_square(self.members[index].square),
            Spare::AnyOf(men) => bits(men).fold(walls, |walls, index| {
                walls & !Bitboard::from_square(self.members[index].square)
            }),
            Spare::None | Spare::More(_) => walls,
        }
    }

    /// Whether every man can play its part; `spare_mask` is what another man covers.
    fn holds_up(
        &self,
        cover: &Cover<'_>,
        used: u32,
        required: Mask,
        spare: Spare,
        spare_mask: Mask,
    ) -> bool {
        let walls = self.walls(spare);
        let used = match spare {
            Spare::Other(index) => used | 1 << index,
            Spare::None | Spare::More(_) | Spare::AnyOf(_) => used,
        };
        let held = cover.held_without(used) | spare_mask;
        let mask = |(other, part): (usize, &Part)| match spare {
            Spare::More(nth) if nth == other => {
                self.ground.caps(part.role, part.square)[part.moves + 1] | part.opens
            }
            _ => part.mask,
        };
        // Most plans fail at the man that was chosen last.
        (0..self.parts.len()).rev().all(|nth| {
            let others = self
                .parts
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != nth)
                .map(mask)
                .fold(held, |others, mask| others | mask);
            // What nobody else covers, and what this man opens itself comes for free.
            let needed = required & !(others | self.parts[nth].opens);
            needed == 0 || self.can_play(&self.parts[nth], nth, needed, walls, spare)
        })
    }

    /// Whether the man of `part`, the one with number `nth`, can cover all of `needed` without passing `walls`, and
    /// is not surely answered if it alone checks.
    fn can_play(
        &self,
        part: &Part,
        nth: usize,
        needed: Mask,
        walls: Bitboard,
        spare: Spare,
    ) -> bool {
        let moves = part.moves + usize::from(spare == Spare::More(nth));
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
                    .get_or_insert_with(|| self.parries(nth, spare))
                    .are_sure(role, square)
            })
        };
        if part.role == Role::Pawn {
            return self.pawn_can_play(part.square, moves, needed, walls, &mut is_good);
        }
        let sources = self.ground.sources(part.role, needed);
        let closed = self.ground.blocking() | walls;
        let king = self.ground.enemy_king();
        let pawn = self.file_pawn(spare);
        let step = |from: Square| match (&pawn, part.role) {
            (Some(pawn), Role::Rook | Role::Queen) => {
                let us = self.position.side();
                slide(us, part.role, from, closed, std::slice::from_ref(pawn)) & !king
            }
            _ => self.ground.real_steps(part.role, from, closed),
        };
        let mut fresh = Bitboard::from_square(part.square);
        let mut seen = fresh;
        for left in (0..moves).rev() {
            let next = fresh
                .into_iter()
                .fold(Bitboard::EMPTY, |next, from| next | step(from));
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
    fn parries(&self, nth: usize, spare: Spare) -> Parries<'_> {
        let mut parries = Parries {
            position: self.position,
            enemy: self.ground.enemy,
            helpers: Bitboard::EMPTY,
            prey: Bitboard::EMPTY,
            kings: self.position.men().men(self.position.side(), Role::King),
        };
        // Those where the king may castle to are the last ones.
        for member in self.members.iter().rev().take_while(|member| member.ghost) {
            parries.kings.add(member.square);
            parries.helpers.add(member.square);
        }
        for (other, part) in self.parts.iter().enumerate() {
            let reach = &self.ground.entry(part.role, part.square).reach;
            let moves = part.moves + usize::from(spare == Spare::More(other));
            if other != nth {
                parries.helpers |= reach[moves - 1];
            } else if moves >= 2 {
                parries.prey |= reach[moves - 2];
            }
            if part.role == Role::King {
                parries.kings |= reach[moves - 1];
            }
        }
        let others = match spare {
            Spare::Other(index) => 1 << index,
            Spare::AnyOf(men) => men,
            Spare::None | Spare::More(_) => 0,
        };
        for index in bits(others) {
            let member = &self.members[index];
            let reach = self.ground.entry(member.role, member.square).reach[0];
            parries.helpers |= reach;
            if member.role == Role::King {
                parries.kings |= reach;
            }
        }
        let enemy = self.ground.enemy;
        // What has been taken before the plan begins cannot parry either.
        parries.prey = (parries.prey | parries.helpers) & enemy
            | (self.position.men().of(!self.position.side()) & !enemy);
        parries
    }
}

/// The places of the ones in `men`.
fn bits(men: u32) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(men), |men| Some(men & men.wrapping_sub(1)))
        .take_while(|&men| men != 0)
        .map(|men| men.trailing_zeros() as usize)
}
