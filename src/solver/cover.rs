//! The set cover problem behind the bound: each man may cover one of several sets of requirements,
//! at so many moves, and together they have to cover all.

use std::cell::OnceCell;

use arrayvec::ArrayVec;

use super::{
    closer::{Anything, Judge, Movers},
    ground::{BITS, Caps, Entry, Ground, Mask, Place, REACH},
    roster::{Holds, MEN, Roster},
};
use crate::rules::{Role, Square};

/// Plans that leave so many moves are not looked at more closely.
pub(super) const SPARE: usize = 2;

/// Room for all men, in whole vector registers.
const ONES: usize = MEN.next_multiple_of(8);

/// One set cover problem.
pub(super) struct Cover<'r> {
    roster: &'r Roster,
    ground: &'r Ground,
    holds: Holds,
    /// By man: what it could do.
    entries: [&'r Entry; MEN],
    /// By man: what it could cover, or open, within so many moves.
    reach: [Caps; MEN],
    /// The same with one move.
    ones: [Mask; ONES],
    /// What all men together could cover within so many moves, at most.
    caps: Caps,
    /// By number of moves and requirement: the men that could cover or open it, once asked for.
    able: [OnceCell<[u32; BITS]>; REACH + 1],
}

/// Problems that could not be solved, of one set of used men.
pub(super) struct Failures(ArrayVec<(Mask, Mask, u8), 24>);

impl Failures {
    pub(super) fn new() -> Failures {
        Failures(ArrayVec::new())
    }

    /// Whether what moved men cover, what is required and the moves left make it no easier than a
    /// problem that failed.
    fn cover(&self, base: Mask, required: Mask, left: usize) -> bool {
        self.0.iter().any(|&(failed_base, failed_required, moves)| {
            base & !failed_base == 0 && failed_required & !required == 0 && left <= moves.into()
        })
    }

    fn add(&mut self, base: Mask, required: Mask, left: usize) {
        // With no room left, less is known.
        let _ = self.0.try_push((base, required, left as u8));
    }
}

/// As the set of used men: another man has moved, so nobody is stuck.
pub(super) const NOBODY: u32 = 1 << 31;

impl<'r> Cover<'r> {
    pub(super) fn new(roster: &'r Roster, ground: &'r Ground) -> Cover<'r> {
        let mut entries = [ground.entry_at(Place::NOBODY); MEN];
        let mut reach = [[0; 8]; MEN];
        let mut caps = [0; 8];
        let mut ones = [0; ONES];
        let slots = entries.iter_mut().zip(&mut reach).zip(&mut ones);
        let men = roster.members.iter().zip(&roster.places);
        for (((slot, reach), one), (member, &place)) in slots.zip(men) {
            let (most, entry) = ground.prospect_at(place);
            *slot = entry;
            *reach = most.map(|mask| mask | member.opens);
            *one = reach[1];
            for (all, mask) in caps.iter_mut().zip(reach) {
                *all |= *mask;
            }
        }
        Cover {
            roster,
            ground,
            holds: roster.holds(),
            entries,
            reach,
            ones,
            caps,
            able: [const { OnceCell::new() }; REACH + 1],
        }
    }
}

impl Cover<'_> {
    /// Within how many moves, at most `budget` (1..=[`REACH`]), the goal could be covered, if at
    /// all.
    pub(super) fn cost(&self, budget: usize) -> Option<usize> {
        let held = self.holds.all();
        let goal = self.ground.goal;
        (1..=budget).find(|&moves| self.solve(&mut Anything, 0, held, 0, goal, moves))
    }

    /// The same, but a plan that leaves fewer than [`SPARE`] moves must please `judge`.
    pub(super) fn judged_cost(&self, budget: usize, judge: &mut impl Judge) -> Option<usize> {
        let (held, goal) = (self.holds.all(), self.ground.goal);
        self.cost(budget.saturating_sub(SPARE)).or_else(|| {
            self.solve(judge, 0, held, 0, goal, budget).then(|| {
                let is_cheaper =
                    budget > 1 && self.solve(&mut Anything, 0, held, 0, goal, budget - 1);
                budget - usize::from(is_cheaper)
            })
        })
    }

    /// The men that move in some plan for `budget` moves that pleases the judge of `movers`.
    pub(super) fn movers(&self, budget: usize, mut movers: Movers<'_>) -> u32 {
        let (held, goal) = (self.holds.all(), self.ground.goal);
        self.solve(&mut movers, 0, held, 0, goal, budget);
        movers.found
    }

    /// What the man `index` covers and opens, at most, with one move.
    pub(super) fn mask_of_one(&self, index: usize) -> Mask {
        self.reach[index][1]
    }

    fn entry(&self, index: usize) -> &'_ Entry {
        self.entries[index]
    }

    /// Whether the man `index` may have a move.
    pub(super) fn can_move(&self, index: usize) -> bool {
        self.entry(index).reach[0].any()
    }

    /// Whether the goal could be covered within `budget` more moves when the man `index` has just
    /// gone to `square`, where it is a `role`.
    pub(super) fn goes_on(&self, index: usize, role: Role, square: Square, budget: usize) -> bool {
        let opens = self.roster.members[index].opens;
        let goal = self.ground.goal;
        let used = 1 << index;
        let held = self.held_without(used);
        // It stays there, and others must protect it if it took something beside the king; or it
        // goes on.
        let here = self.ground.cover(role, square) | opens;
        let required = goal | self.ground.need(square);
        self.solve(&mut Anything, used, held, here, required, budget)
            || (1..=budget).any(|moves| {
                self.ground
                    .entry(role, square)
                    .options(moves)
                    .iter()
                    .any(|option| {
                        let required = goal | option.need();
                        let left = budget - moves;
                        let mask = option.mask() | opens;
                        self.solve(&mut Anything, used, held, mask, required, left)
                    })
            })
    }

    /// Whether the goal could be covered within `budget` more moves when the man `index` has taken
    /// something on `square`, where it is a `role`, and goes on. `failures` are those of this man.
    pub(super) fn goes_on_from(
        &self,
        index: usize,
        role: Role,
        square: Square,
        budget: usize,
        failures: &mut Failures,
    ) -> bool {
        let opens = self.roster.members[index].opens;
        let goal = self.ground.goal | self.ground.need(square);
        let used = 1 << index;
        let held = self.held_without(used);
        (1..=budget).any(|moves| {
            self.ground
                .entry(role, square)
                .options(moves)
                .iter()
                .any(|option| {
                    let required = goal | option.need();
                    let left = budget - moves;
                    let mask = option.mask() | opens;
                    let missing = required & !(mask | held);
                    if missing == 0 {
                        return true;
                    }
                    if missing & !self.most(left) != 0 || failures.cover(mask, required, left) {
                        return false;
                    }
                    let goes = self.search(&mut Anything, used, mask, required, missing, left);
                    if !goes {
                        failures.add(mask, required, left);
                    }
                    goes
                })
        })
    }

    /// What the men but `index` hold, and what it opens by going away.
    pub(super) fn held_or_opened_without(&self, index: usize) -> Mask {
        self.held_without(1 << index) | self.roster.members[index].opens
    }

    /// What the men not in `used` hold.
    #[inline]
    pub(super) fn held_without(&self, used: u32) -> Mask {
        let members = &self.roster.members;
        let mut rest = used & !NOBODY;
        let first = rest.trailing_zeros() as usize;
        match rest.count_ones() {
            0 => self.holds.all(),
            1 => self.holds.without(members[first].holds),
            2 => {
                rest &= rest - 1;
                let second = rest.trailing_zeros() as usize;
                self.holds
                    .without_both(members[first].holds, members[second].holds)
            }
            _ => members
                .iter()
                .enumerate()
                .filter(|(index, _)| used >> index & 1 == 0)
                .fold(0, |held, (_, member)| held | member.holds),
        }
    }

    /// Whether `required` can be covered with `budget` moves of men not in `used`, when moved men
    /// cover or open `base` and the others hold `held`. Each man is chosen once, with all its moves.
    #[inline]
    pub(super) fn solve<J: Judge>(
        &self,
        judge: &mut J,
        used: u32,
        held: Mask,
        base: Mask,
        required: Mask,
        budget: usize,
    ) -> bool {
        let missing = required & !(base | held);
        if missing == 0 {
            return judge.accepts(self, used, required, budget);
        }
        missing & !self.most(budget) == 0
            && self.search(judge, used, base, required, missing, budget)
    }

    /// What all men together could cover within `moves` moves, at most.
    #[inline]
    fn most(&self, moves: usize) -> Mask {
        if moves == 0 { 0 } else { self.caps[moves] }
    }

    /// The same with one or more moves left, of which something is `missing`.
    fn search<J: Judge>(
        &self,
        judge: &mut J,
        used: u32,
        base: Mask,
        required: Mask,
        missing: Mask,
        budget: usize,
    ) -> bool {
        if budget == 1 {
            return self.search_one(judge, used, base, required, missing);
        }
        let Some((bit, able)) = self.scarcest(used, missing, budget) else {
            return false;
        };
        let members = &self.roster.members;
        let mut rest = able;
        while rest != 0 {
            let index = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let member = &members[index];
            let entry = self.entry(index);
            // A stuck man is not the only one that moves.
            let longest = budget - usize::from(used == 0 && self.roster.is_stuck(*member));
            let used = used | 1 << index;
            let base = base | member.opens;
            let held = base | self.held_without(used);
            for moves in 1..=longest {
                let left = budget - moves;
                let most = self.most(left);
                for option in entry.options(moves) {
                    let mask = option.mask();
                    let required = required | option.need();
                    let missing = required & !(held | mask);
                    if missing & !most != 0 || (mask | member.opens) & bit == 0 {
                        continue;
                    }
                    judge.push(index, moves, mask | member.opens);
                    let is_good = if missing == 0 {
                        judge.accepts(self, used, required, left)
                    } else {
                        self.search(judge, used, base | mask, required, missing, left)
                    };
                    if is_good {
                        return true;
                    }
                    judge.pop();
                }
            }
        }
        false
    }

    /// The same with one move left, of which something is `missing`.
    #[inline]
    fn search_one<J: Judge>(
        &self,
        judge: &mut J,
        used: u32,
        base: Mask,
        required: Mask,
        missing: Mask,
    ) -> bool {
        let members = &self.roster.members;
        let mut able = 0;
        for (index, one) in self.ones.iter().enumerate() {
            able |= u32::from(missing & !one == 0) << index;
        }
        able &= !used;
        while able != 0 {
            let index = able.trailing_zeros() as usize;
            able &= able - 1;
            let member = &members[index];
            if used == 0 && self.roster.is_stuck(*member) {
                continue;
            }
            let held = base | self.held_without(used | 1 << index) | member.opens;
            for option in self.entry(index).options(1) {
                let required = required | option.need();
                if required & !(held | option.mask()) == 0 {
                    judge.push(index, 1, option.mask() | member.opens);
                    if judge.accepts(self, used | 1 << index, required, 0) {
                        return true;
                    }
                    judge.pop();
                }
            }
        }
        false
    }

    /// The missing requirement that the fewest men can meet, and those men; `None` if one of the
    /// missing ones can be met by nobody.
    #[inline]
    fn scarcest(&self, used: u32, missing: Mask, budget: usize) -> Option<(Mask, u32)> {
        let able = self.able(budget);
        let mut best = None;
        let mut fewest = u32::MAX;
        let mut rest = missing;
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            let able = able[bit.trailing_zeros() as usize] & !used;
            let count = able.count_ones();
            if count == 0 {
                return None;
            }
            if count < fewest {
                fewest = count;
                best = Some((bit, able));
            }
        }
        best
    }

    /// The men that could cover each requirement within `moves` moves.
    #[inline]
    fn able(&self, moves: usize) -> &[u32; BITS] {
        self.able[moves].get_or_init(|| {
            let mut able = [0; BITS];
            for (index, reach) in self.reach.iter().enumerate() {
                for (bit, men) in able.iter_mut().enumerate() {
                    *men |= u32::from(reach[moves] >> bit & 1) << index;
                }
            }
            able
        })
    }
}
