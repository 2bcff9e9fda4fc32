//! How many moves our men need at least to make a given mating picture: who goes to which place, and
//! who takes what on its way.
//!
//! The men go as on an empty board (see [`super::travel`]). What is said first is cheap: every place
//! is filled by the man nearest to it, and each enemy man is taken by one that goes round by there.
//! Only where one man is wanted twice, or those detours together are too long, all ways to share out
//! the work are tried.

use arrayvec::ArrayVec;

use super::{
    ground::ROLES,
    scene::CREW,
    travel::{FORMS, NEVER, Travel, forms, index},
};
use crate::rules::{Bitboard, Role, SeriesPosition, Square};

/// Our men and where they stand, and where the enemy's stand.
#[derive(Clone)]
pub(super) struct Crew {
    men: ArrayVec<(Role, Square), CREW>,
    enemy: Bitboard,
}

impl Crew {
    pub(super) fn of(position: &SeriesPosition) -> Crew {
        let us = position.side();
        let board = position.men();
        let mut men = ArrayVec::new();
        for role in ROLES {
            for square in board.men(us, role) {
                men.push((role, square));
            }
        }
        Crew {
            men,
            enemy: board.of(!us),
        }
    }

    /// How many rooks and bishops there are.
    pub(super) fn lines(&self) -> usize {
        let is_line = |&&(role, _): &&(Role, Square)| matches!(role, Role::Rook | Role::Bishop);
        self.men.iter().filter(is_line).count()
    }
}

/// What is not worked out yet.
const UNKNOWN: u8 = u8::MAX - 1;

/// Our men in a position and how far they are from the squares of pictures.
pub(super) struct Near<'t> {
    men: ArrayVec<(Role, Square), CREW>,
    enemy: Bitboard,
    travel: &'t mut Travel,
    /// Whether a pawn has become a rook or a bishop: a picture takes that for a queen.
    has_stand_ins: bool,
    /// By role and square: the moves the nearest man needs, and which one that is.
    known: [[(u8, u8); 64]; 6],
}

impl<'t> Near<'t> {
    /// The men of `crew`, when there were `lines` rooks and bishops at the start.
    pub(super) fn new(crew: Crew, travel: &'t mut Travel, lines: usize) -> Near<'t> {
        Near {
            has_stand_ins: crew.lines() > lines,
            men: crew.men,
            enemy: crew.enemy,
            travel,
            known: [[(UNKNOWN, 0); 64]; 6],
        }
    }

    /// The moves to a picture, at least, if these are at most `most`: men of ours in all `slots`, and
    /// the enemy men on `gone` taken.
    pub(super) fn moves(
        &mut self,
        slots: &[(Role, Square)],
        gone: Bitboard,
        most: usize,
    ) -> Option<usize> {
        let gone = gone & self.enemy;
        if gone.count() > most {
            return None;
        }
        let mut moves = 0;
        let mut busy = 0u32;
        let mut is_clear = true;
        for &(role, square) in slots {
            moves += self.to(role, square);
            if moves > most {
                return None;
            }
            let man = 1 << self.who(role, square);
            is_clear &= busy & man == 0;
            busy |= man;
        }
        let mut needed = moves.max(gone.count());
        let mut all = moves;
        for prey in gone {
            let over = self.over(slots, moves, prey);
            needed = needed.max(over);
            if needed > most {
                return None;
            }
            // A man that counts as something else may seem nearer by the way round.
            all += over.saturating_sub(moves);
        }
        // Where the nearest men can do it all there is nothing to refute.
        if is_clear && all <= most {
            return Some(needed);
        }
        let prey: ArrayVec<Square, TOUR> = gone.into_iter().take(TOUR).collect();
        let mut tours = Tours {
            near: self,
            slots,
            prey: &prey,
            most: most + 1,
        };
        let mut none = [NEVER as u8; SETS];
        none[0] = 0;
        tours.fill(0, 0, none);
        let exact = tours.most;
        (exact <= most).then_some(needed.max(exact))
    }

    /// The moves of the man that is nearest to being a `role` on `square`.
    #[inline]
    fn to(&mut self, role: Role, square: Square) -> usize {
        match self.known[index(role)][square as usize].0 {
            UNKNOWN => self.work_out(role, square),
            known => usize::from(known),
        }
    }

    /// That man, after [`Near::to`].
    #[inline]
    fn who(&self, role: Role, square: Square) -> u8 {
        self.known[index(role)][square as usize].1
    }

    fn work_out(&mut self, role: Role, square: Square) -> usize {
        let mut least = NEVER;
        let mut who = 0;
        for nth in 0..self.men.len() {
            let (now, from) = self.men[nth];
            if let Some(form) = form_as(now, role, self.has_stand_ins) {
                let moves = self.travel.moves(now, from, form, square);
                if moves < least {
                    (least, who) = (moves, nth);
                }
            }
        }
        self.known[index(role)][square as usize] = (least as u8, who as u8);
        least
    }

    /// The moves to a picture that is `moves` moves away when a man takes what stands on `prey`.
    #[inline]
    fn over(&mut self, slots: &[(Role, Square)], moves: usize, prey: Square) -> usize {
        let mut least = NEVER;
        if self.men.len() > slots.len() {
            // One without a place takes it.
            for role in ROLES {
                least = least.min(moves + self.to(role, prey));
            }
        }
        for &(role, square) in slots {
            // The nearest man has been counted for this place; the one that takes it goes there.
            let others = moves - self.to(role, square);
            for &then in before(role, self.has_stand_ins) {
                let there = self.to(then, prey);
                if others + there >= least {
                    continue;
                }
                if let Some(form) = form_as(then, role, self.has_stand_ins) {
                    let on = self.travel.moves(then, prey, form, square);
                    least = least.min(others + there + on);
                }
            }
        }
        least.min(NEVER)
    }
}

/// What a man that is a `role` in a picture may be on its way there.
#[inline]
fn before(role: Role, has_stand_ins: bool) -> &'static [Role] {
    match role {
        Role::Pawn => &[Role::Pawn],
        Role::Knight => &[Role::Knight, Role::Pawn],
        Role::Bishop => &[Role::Bishop],
        Role::Rook => &[Role::Rook],
        Role::Queen if has_stand_ins => &[Role::Queen, Role::Pawn, Role::Rook, Role::Bishop],
        Role::Queen => &[Role::Queen, Role::Pawn],
        Role::King => &[Role::King],
    }
}

/// So many enemy men to be taken are looked at together.
const TOUR: usize = 3;
const SETS: usize = 1 << TOUR;

/// By set of enemy men: the moves in which they are taken.
type Table = [u8; SETS];

/// The search for who of our men goes to which place of a picture, and who takes what.
struct Tours<'n, 't> {
    near: &'n mut Near<'t>,
    slots: &'n [(Role, Square)],
    prey: &'n [Square],
    /// Only what takes fewer moves is of interest.
    most: usize,
}

impl Tours<'_, '_> {
    /// Finds somebody for the places from `slot` on, when the men of `used` have theirs and take sets
    /// of enemy men in the moves of `table`.
    fn fill(&mut self, slot: usize, used: u32, table: Table) {
        // What those cost that are still to come, at least; the enemy men may be taken by them.
        let done = table[..1 << self.prey.len()]
            .iter()
            .copied()
            .min()
            .map_or(NEVER, usize::from);
        let rest: usize = self.slots[slot..]
            .iter()
            .map(|&(role, square)| self.near.to(role, square))
            .sum();
        if done + rest >= self.most {
            return;
        }
        let Some(&(role, square)) = self.slots.get(slot) else {
            self.finish(used, table);
            return;
        };
        for nth in 0..self.near.men.len() {
            if used >> nth & 1 != 0 {
                continue;
            }
            let (now, from) = self.near.men[nth];
            let Some(form) = form_as(now, role, self.near.has_stand_ins) else {
                continue;
            };
            let direct = self.near.travel.moves(now, from, form, square);
            if done + direct >= self.most {
                continue;
            }
            let own = self.tours(nth, Some((role, square)));
            self.fill(
                slot + 1,
                used | 1 << nth,
                joined(table, own, self.prey.len()),
            );
        }
    }

    /// Has the men without a place take what is left.
    fn finish(&mut self, used: u32, mut table: Table) {
        let all = (1 << self.prey.len()) - 1;
        for nth in 0..self.near.men.len() {
            if all > 0 && used >> nth & 1 == 0 {
                table = joined(table, self.tours(nth, None), self.prey.len());
            }
        }
        self.most = self.most.min(usize::from(table[all]));
    }

    /// By set of enemy men: the moves in which a man takes these and comes to its place.
    fn tours(&mut self, nth: usize, goal: Option<(Role, Square)>) -> Table {
        let (now, from) = self.near.men[nth];
        let has_stand_ins = self.near.has_stand_ins;
        let home = |travel: &mut Travel, then: Role, at: Square| match goal {
            None => 0,
            Some((role, square)) => form_as(then, role, has_stand_ins)
                .map_or(NEVER, |form| travel.moves(then, at, form, square)),
        };
        let mut table = [NEVER as u8; SETS];
        table[0] = home(self.near.travel, now, from) as u8;
        if self.prey.is_empty() {
            return table;
        }
        // By set, the one of it taken last, and what the man is then.
        let mut ways = [[[NEVER as u8; FORMS]; TOUR]; SETS];
        for set in 1..1usize << self.prey.len() {
            for (last, &there) in self.prey.iter().enumerate() {
                let before = set & !(1 << last);
                if before == set {
                    continue;
                }
                for (form, &then) in forms(now).iter().enumerate() {
                    let mut least = NEVER;
                    if before == 0 {
                        least = self.near.travel.moves(now, from, form, there);
                    }
                    for (previous, &at) in self.prey.iter().enumerate() {
                        if before >> previous & 1 == 0 {
                            continue;
                        }
                        for (earlier, &role) in forms(now).iter().enumerate() {
                            let Some(form) = forms(role).iter().position(|&role| role == then)
                            else {
                                continue;
                            };
                            let so_far = usize::from(ways[before][previous][earlier]);
                            let on = self.near.travel.moves(role, at, form, there);
                            least = least.min(so_far + on);
                        }
                    }
                    ways[set][last][form] = least.min(NEVER) as u8;
                    if least < NEVER {
                        let all = least + home(self.near.travel, then, there);
                        table[set] = table[set].min(all.min(NEVER) as u8);
                    }
                }
            }
        }
        table
    }
}

/// The moves in which two take what both together take, of `prey` men.
fn joined(one: Table, other: Table, prey: usize) -> Table {
    let mut both = [NEVER as u8; SETS];
    for (set, both) in both.iter_mut().enumerate().take(1 << prey) {
        let mut part = set;
        loop {
            *both = (*both).min(one[set ^ part].saturating_add(other[part]));
            if part == 0 {
                break;
            }
            part = (part - 1) & set;
        }
    }
    both
}

/// The index among the forms of a `now` of what stands for a `role` in a picture.
#[inline]
fn form_as(now: Role, role: Role, has_stand_ins: bool) -> Option<usize> {
    match (now, role) {
        (Role::Rook | Role::Bishop, Role::Queen) if has_stand_ins => Some(0),
        _ => forms(now).iter().position(|&form| form == role),
    }
}
