//! Plans under balance: which men could cover all that a mate needs, when each moves once and stays
//! where it is, and at most one moves again with the last move.
//!
//! It is the set cover problem of [`super::cover`], of which more is known: men that have moved are
//! walls, and no man takes something and goes on, but the one that moves again. Men that may still
//! move are in nobody's way, and what they go to is not looked at for check, so that what cannot be
//! covered here cannot be covered at all.

use arrayvec::ArrayVec;

use super::{
    ground::{BITS, CHECK, Ground, Mask, ROLES},
    roster::{MEN, castled_king},
};
use crate::rules::{Bitboard, Men, Move, Rank, Role, Round, SeriesPosition, Square, attacks};

/// A search for a cover that takes more steps than this is given up: there may be one.
const STEPS: u32 = 400;

/// What a man could cover after so many moves, and what others must cover then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    mask: Mask,
    need: Mask,
    moves: u8,
}

impl Choice {
    /// Whether this, with as many moves, is at least as good as `other`.
    fn dominates(self, other: Choice) -> bool {
        self.moves == other.moves && other.mask & !self.mask == 0 && self.need & !other.need == 0
    }
}

/// The most choices kept for one man; where there are more, nothing is said of the position.
const CHOICES: usize = 16;
/// Room for all men, in whole vector registers.
const ROOM: usize = MEN.next_multiple_of(8);
/// What each man has of something, or whether it may be used: all bits or none.
type Each = [Mask; ROOM];

/// A man that may still move.
struct Mover {
    square: Square,
    /// The moves it has in this round; what it makes beyond them is extra.
    first: u8,
    /// Whether its last move could be off a line to the enemy king.
    discovers: bool,
    /// What others would cover if it went away.
    opens: Mask,
    choices: ArrayVec<Choice, CHOICES>,
}

/// A position in which men move once, but for so many extra moves in all.
pub(super) struct Plans {
    /// What has to be covered, but for what is anyway.
    goal: Mask,
    movers: ArrayVec<Mover, MEN>,
    /// By mover: what it covers where it stands, and all that it could cover or open.
    holds: Each,
    caps: Each,
    /// How many moves may be extra.
    extra: usize,
    /// The movers that have to move before any extra move is made.
    owing: u32,
    /// By role and requirement: the squares from where it is covered.
    sources: [[Bitboard; BITS]; 6],
    /// What may have to be covered and is not anyway.
    relevant: Mask,
    /// By role: the squares from where any of that is covered.
    zones: [Bitboard; 6],
    /// There was no room for all choices.
    is_vague: bool,
}

/// What is asked of plans: to meet `required` with so many `moves`, `extra` ones among them, of the
/// men not in `used`, when those cover or open `base`.
#[derive(Clone, Copy)]
struct Task {
    used: u32,
    /// All bits for every mover that is not used.
    unused: Each,
    base: Mask,
    required: Mask,
    moves: usize,
    extra: usize,
}

impl Task {
    /// What is to be done besides when the mover `index` has done what `choice` says.
    fn after(&self, index: usize, mover: &Mover, choice: Choice) -> Option<Task> {
        let moves = usize::from(choice.moves);
        let extra = usize::from(choice.moves.saturating_sub(mover.first));
        if moves > self.moves || extra > self.extra {
            return None;
        }
        let mut task = *self;
        task.used |= 1 << index;
        task.unused[index] = 0;
        task.base |= choice.mask | mover.opens;
        task.required |= choice.need;
        task.moves -= moves;
        task.extra -= extra;
        Some(task)
    }
}

/// Our men, by how they may move.
struct Sides {
    own: Bitboard,
    /// King and rooks that may castle: they are in nobody's way.
    castlers: Bitboard,
    /// How many moves may be extra.
    extra: usize,
    /// What stands in the way of whoever moves, our men that may go away aside.
    closed: Bitboard,
    last_rank: Bitboard,
}

#[inline]
fn is_long_range(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}

impl Sides {
    /// Where a man could go with one move: nobody that has moved makes room before the last one.
    fn steps(&self, ground: &Ground, role: Role, from: Square, walls: Bitboard) -> Bitboard {
        ground.real_steps(role, from, self.closed | walls) & !walls
    }
}

/// Squares that one man can go to, by what it is then.
type Landings = ArrayVec<(Role, Bitboard), 3>;

fn merge(landings: &mut Landings, role: Role, squares: Bitboard) {
    if squares.is_empty() {
        return;
    }
    match landings.iter_mut().find(|(other, _)| *other == role) {
        Some((_, known)) => *known |= squares,
        // A pawn can become two things.
        None => landings.push((role, squares)),
    }
}

impl Sides {
    /// The men that cannot move, those of `still` among them, and by square where the others can go.
    fn all_steps(&self, ground: &Ground, men: &Men, still: Bitboard) -> (Bitboard, [Bitboard; 64]) {
        let mut walls = still;
        let mut steps = [Bitboard::EMPTY; 64];
        loop {
            let mut stuck = Bitboard::EMPTY;
            for role in ROLES {
                for from in self.own & men.with_role(role) & !walls {
                    let to = self.steps(ground, role, from, walls);
                    steps[from as usize] = to;
                    if to.is_empty() && !self.castlers.contains(from) {
                        stuck.add(from);
                    }
                }
            }
            if stuck.is_empty() {
                return (walls, steps);
            }
            walls |= stuck;
        }
    }

    /// Adds the squares that a man of `role` goes to.
    fn land(&self, role: Role, to: Bitboard, landings: &mut Landings) {
        if role == Role::Pawn {
            merge(landings, Role::Pawn, to & !self.last_rank);
            merge(landings, Role::Queen, to & self.last_rank);
            merge(landings, Role::Knight, to & self.last_rank);
        } else {
            merge(landings, role, to);
        }
    }
}

impl Plans {
    /// The position with `budget` moves left in a `round`, over the tables of the enemy's men, when
    /// so many moves may be `extra` and, if any, those of `owing` must have moved.
    pub(super) fn new(
        position: &SeriesPosition,
        ground: &Ground,
        round: &Round,
        budget: usize,
        extra: usize,
        owing: Bitboard,
    ) -> Plans {
        let us = position.side();
        let men = position.men();
        let own = men.of(us);
        let rooks = position.castling_rooks(us);
        let mut castlers = Bitboard::EMPTY;
        if rooks.any() {
            castlers = rooks | men.men(us, Role::King);
        }
        let done = own & !round.waiting;
        let sides = Sides {
            own,
            castlers,
            extra,
            closed: ground.enemy | done & !castlers,
            last_rank: Bitboard::from_rank(us.fold_wb(Rank::Eighth, Rank::First)),
        };
        let still = if extra == 0 {
            done & !castlers
        } else {
            Bitboard::EMPTY
        };
        let (walls, steps) = sides.all_steps(ground, men, still);
        // A man that takes something and goes on, which is extra, leaves a line open.
        let prey = (round.waiting & !walls)
            .into_iter()
            .fold(Bitboard::EMPTY, |prey, from| prey | steps[from as usize]);
        let openable = match extra {
            0 => Bitboard::EMPTY,
            _ => (prey & ground.enemy | done) & !walls,
        };
        let mut plans = Plans {
            goal: ground.goal,
            movers: ArrayVec::new(),
            holds: [0; ROOM],
            caps: [0; ROOM],
            extra,
            owing: 0,
            sources: sources(ground, sides.closed | walls, openable),
            relevant: 0,
            zones: [Bitboard::EMPTY; 6],
            is_vague: false,
        };
        let (holds, opens) = plans.lines(ground, men, &sides, budget);
        let mut fixed = (walls.into_iter()).fold(0, |fixed, square| fixed | holds[square as usize]);
        let mut ghosts: ArrayVec<Square, 2> = ArrayVec::new();
        if let Some(king) = men.king(us) {
            // Castling is counted as the rook's move; the king may go on from there.
            ghosts.extend(
                rooks
                    .into_iter()
                    .take(2)
                    .map(|rook| castled_king(king, rook)),
            );
        }
        for &square in &ghosts {
            fixed |= plans.cover(Role::King, square);
        }
        plans.set_goal(ground, fixed);
        let to_king = attacks::queen_attacks(ground.king(), walls);
        for role in ROLES {
            for square in own & men.with_role(role) & !walls {
                let here = square as usize;
                let waits = round.waiting.contains(square);
                let mover = Mover {
                    square,
                    first: u8::from(waits),
                    discovers: if waits {
                        (steps[here] & to_king).any()
                    } else {
                        to_king.contains(square)
                    },
                    opens: opens[here] & plans.relevant,
                    choices: ArrayVec::new(),
                };
                let held = if owing.contains(square) {
                    plans.owing |= 1 << plans.movers.len();
                    0
                } else {
                    holds[here] & plans.relevant
                };
                plans.add(ground, &sides, walls, (mover, held), (role, steps[here]));
            }
        }
        if extra > 0 {
            for square in ghosts {
                let ghost = Mover {
                    square,
                    first: 0,
                    discovers: true,
                    opens: 0,
                    choices: ArrayVec::new(),
                };
                let to = sides.steps(ground, Role::King, square, walls);
                plans.add(ground, &sides, walls, (ghost, 0), (Role::King, to));
            }
        }
        plans
    }

    /// Takes note of what is to be covered when `fixed` is anyway.
    fn set_goal(&mut self, ground: &Ground, fixed: Mask) {
        let captured = (ground.enemy & attacks::king_attacks(ground.king())).into_iter();
        let needs = captured.fold(0, |needs, square| needs | ground.need(square));
        let relevant = (ground.goal | needs) & !fixed;
        self.goal = ground.goal & !fixed;
        self.relevant = relevant;
        for (zone, sources) in self.zones.iter_mut().zip(&self.sources) {
            let squares = sources.iter().enumerate();
            *zone = squares
                .filter(|(bit, _)| relevant >> bit & 1 != 0)
                .fold(Bitboard::EMPTY, |zone, (_, &squares)| zone | squares);
        }
    }

    /// By square of a man: what it covers where it stands, and what others would cover if it went
    /// away.
    fn lines(
        &self,
        ground: &Ground,
        men: &Men,
        sides: &Sides,
        budget: usize,
    ) -> ([Mask; 64], [Mask; 64]) {
        let mut holds = [0; 64];
        let mut opens = [0; 64];
        for role in ROLES {
            for square in sides.own & men.with_role(role) {
                let covered = self.cover(role, square);
                if !is_long_range(role) {
                    holds[square as usize] = covered;
                    continue;
                }
                let mut rest = covered;
                while rest != 0 {
                    let bit = rest & rest.wrapping_neg();
                    rest ^= bit;
                    let target = ground.target(bit.trailing_zeros() as usize);
                    let blockers = attacks::between(square, target) & sides.own & !sides.castlers;
                    match blockers.first() {
                        None => holds[square as usize] |= bit,
                        Some(first) if blockers.count() <= budget => {
                            opens[first as usize] |= bit;
                        }
                        Some(_) => {}
                    }
                }
            }
        }
        (holds, opens)
    }

    /// What a man of `role` covers from `square`, other men that may move aside.
    #[inline]
    fn cover(&self, role: Role, square: Square) -> Mask {
        let here = Bitboard::from_square(square);
        self.sources[role as usize - 1]
            .iter()
            .enumerate()
            .fold(0, |mask, (bit, squares)| {
                mask | Mask::from((*squares & here).any()) << bit
            })
    }

    /// Adds a mover that holds something, with what it could cover: it is a man of some role that
    /// can go to some squares.
    fn add(
        &mut self,
        ground: &Ground,
        sides: &Sides,
        walls: Bitboard,
        (mover, held): (Mover, Mask),
        (role, to): (Role, Bitboard),
    ) {
        let Mover {
            first,
            discovers,
            opens,
            ..
        } = mover;
        let index = self.movers.len();
        if self.movers.try_push(mover).is_err() {
            // No side has more men than there is room for.
            self.is_vague = true;
            return;
        }
        self.holds[index] = held;
        self.caps[index] = opens;
        let most = usize::from(first) + sides.extra;
        let mut fresh: Landings = ArrayVec::new();
        sides.land(role, to, &mut fresh);
        for moves in 1..=most {
            if opens != 0 || discovers && moves > usize::from(first) {
                self.add_choice(Choice {
                    mask: 0,
                    need: 0,
                    moves: moves as u8,
                });
            }
            for &(role, squares) in &fresh {
                self.add_landings(ground, role, squares, moves as u8);
            }
            if moves == most {
                break;
            }
            let mut next: Landings = ArrayVec::new();
            for &(role, squares) in &fresh {
                for from in squares {
                    sides.land(role, sides.steps(ground, role, from, walls), &mut next);
                }
            }
            fresh = next;
        }
    }

    /// Adds what a man of `role`, the last mover, covers from each of `to`.
    fn add_landings(&mut self, ground: &Ground, role: Role, to: Bitboard, moves: u8) {
        for square in to & self.zones[role as usize - 1] {
            let choice = Choice {
                mask: self.cover(role, square) & self.relevant,
                need: ground.need(square) & self.relevant,
                moves,
            };
            self.add_choice(choice);
        }
    }

    /// Adds a choice of the last mover.
    fn add_choice(&mut self, choice: Choice) {
        let index = self.movers.len() - 1;
        self.caps[index] |= choice.mask;
        let choices = &mut self.movers[index].choices;
        if choices.iter().any(|old| old.dominates(choice)) {
            return;
        }
        choices.retain(|old| !choice.dominates(*old));
        self.is_vague |= choices.try_push(choice).is_err();
    }

    /// The whole task with so many moves.
    fn task(&self, moves: usize) -> Task {
        Task {
            used: 0,
            unused: [Mask::MAX; ROOM],
            base: 0,
            required: self.goal,
            moves,
            extra: self.extra,
        }
    }

    /// What the men that are not used hold where they stand.
    #[inline]
    fn held(&self, unused: &Each) -> Mask {
        self.holds
            .iter()
            .zip(unused)
            .fold(0, |held, (mask, unused)| held | mask & unused)
    }

    /// How many requirements are not met now.
    pub(super) fn missing(&self) -> u32 {
        (self.goal & !self.held(&[Mask::MAX; ROOM])).count_ones()
    }

    /// With how many moves, at most `moves`, all could be covered, if at all; no fewer are looked
    /// for where they are not `wanted`.
    pub(super) fn cost(&self, moves: usize, is_wanted: bool) -> Option<usize> {
        if !self.can_do(&self.task(moves)) {
            return None;
        }
        let fewer = if is_wanted { 1..moves } else { 1..1 };
        Some(
            fewer
                .into_iter()
                .find(|&fewer| self.can_do(&self.task(fewer)))
                .unwrap_or(moves),
        )
    }

    /// Whether `task` can be done.
    fn can_do(&self, task: &Task) -> bool {
        let mut steps = STEPS;
        if self.is_vague {
            return true;
        }
        if task.extra == 0 {
            return self.solve(task, &mut steps);
        }
        // The one extra move is the last: it checks, or uncovers the check.
        self.movers.iter().enumerate().any(|(index, mover)| {
            task.unused[index] != 0
                && mover.choices.iter().any(|&choice| {
                    choice.moves > mover.first
                        && (mover.discovers || (choice.mask | mover.opens) & CHECK != 0)
                        && task
                            .after(index, mover, choice)
                            .is_some_and(|task| self.solve(&task, &mut steps))
                })
        })
    }

    fn solve(&self, task: &Task, steps: &mut u32) -> bool {
        if (self.owing & !task.used).count_ones() as usize > task.moves {
            return false;
        }
        let missing = task.required & !(task.base | self.held(&task.unused));
        if missing == 0 {
            return true;
        }
        if task.moves == 0 {
            return false;
        }
        if *steps == 0 {
            return true;
        }
        *steps -= 1;
        let mut wanted = [0; ROOM];
        let mut all = 0;
        for ((wanted, caps), unused) in wanted.iter_mut().zip(&self.caps).zip(&task.unused) {
            *wanted = caps & unused & missing;
            all |= *wanted;
        }
        if all != missing {
            return false;
        }
        let bit = if task.moves == 1 {
            missing & missing.wrapping_neg()
        } else {
            scarcest(&wanted, missing)
        };
        (self.movers.iter().enumerate()).any(|(index, mover)| {
            let able = wanted[index];
            able & bit != 0
                && (task.moves > 1 || able == missing)
                && mover.choices.iter().any(|&choice| {
                    (choice.mask | mover.opens) & bit != 0
                        && task
                            .after(index, mover, choice)
                            .is_some_and(|task| self.solve(&task, steps))
                })
        })
    }
}

/// The bit of `missing` that the fewest have.
fn scarcest(wanted: &Each, missing: Mask) -> Mask {
    let mut best = 0;
    let mut fewest = Mask::MAX;
    let mut rest = missing;
    while rest != 0 {
        let bit = rest & rest.wrapping_neg();
        rest ^= bit;
        let count = (wanted.iter()).fold(0, |count, mask| count + Mask::from(mask & bit != 0));
        if count < fewest {
            fewest = count;
            best = bit;
        }
    }
    best
}

/// The squares from where a man of each role covers each requirement, when what is `closed` stays
/// but for one of the `openable` on each line.
fn sources(ground: &Ground, closed: Bitboard, openable: Bitboard) -> [[Bitboard; BITS]; 6] {
    let closed = closed & !ground.enemy_king();
    let slide = |attack: fn(Square, Bitboard) -> Bitboard, target: Square| {
        let first = attack(target, closed) & openable;
        attack(target, closed & !first)
    };
    let [mut lines, mut diagonals] = [[Bitboard::EMPTY; BITS]; 2];
    for (bit, (line, diagonal)) in lines.iter_mut().zip(&mut diagonals).enumerate() {
        // Unless it is beyond the edge of the board.
        if ground.sources(Role::Queen, 1 << bit).any() {
            let target = ground.target(bit);
            *line = slide(attacks::rook_attacks, target);
            *diagonal = slide(attacks::bishop_attacks, target);
        }
    }
    let near = |role: Role| std::array::from_fn(|bit| ground.sources(role, 1 << bit));
    ROLES.map(|role| match role {
        Role::Pawn | Role::Knight | Role::King => near(role),
        Role::Bishop => diagonals,
        Role::Rook => lines,
        Role::Queen => std::array::from_fn(|bit| lines[bit] | diagonals[bit]),
    })
}

impl Plans {
    /// What the man that plays `m` covers then.
    pub(super) fn choice(&self, ground: &Ground, m: Move) -> Choice {
        Choice {
            mask: self.cover(m.promotion().unwrap_or(m.role()), m.to()) & self.relevant,
            need: ground.need(m.to()) & self.relevant,
            moves: 1,
        }
    }

    /// Whether there can be a mate with `left` moves, or none, after the man on `from` has moved
    /// and covers what `choice` says.
    pub(super) fn goes_on(&self, from: Square, choice: Choice, left: usize) -> bool {
        let task = self.task(left + 1);
        let Some(index) = self.movers.iter().position(|mover| mover.square == from) else {
            return true;
        };
        let mover = &self.movers[index];
        // It stays there, or goes on, with the last move if that alone is extra.
        task.after(index, mover, choice)
            .is_some_and(|task| self.can_do(&task))
            || mover.choices.iter().any(|&choice| {
                choice.moves > 1
                    && (mover.discovers || (choice.mask | mover.opens) & CHECK != 0)
                    && task
                        .after(index, mover, choice)
                        .is_some_and(|task| self.can_do(&task))
            })
    }
}
