//! Lines opened by captures: a man takes something and goes on, and leaves a line open for others.
//!
//! The tables of [`super::ground`] hold for one set of enemy men. This is what is asked where one
//! of them is taken and the taker does not stay there. Which captures may be of use is handed down
//! from a position to those after quiet moves: what cannot mate with one move more cannot do so
//! with one less.

use arrayvec::ArrayVec;

use super::{
    bound::Bound,
    closer::Closer,
    cover::{Cover, Failures},
    ground::{Entry, Ground, Mask, REACH},
    roster::{MEN, Member, Roster},
    travel::{FORMS, forms},
    walls::Closed,
};
use crate::rules::{Bitboard, Move, MoveKind, Rank, Role, SeriesPosition, Square};

/// What may still lead to a mate in a position with two or more moves left.
#[derive(Clone, Debug)]
pub(super) struct Hopes {
    /// Whether one may do without lines opened by captures.
    plain: bool,
    /// The captures after which the taker may go on; `None` if nothing is known.
    takers: Option<ArrayVec<Hope, MEN>>,
}

/// What one man may take and go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hope {
    square: Square,
    ghost: bool,
    prey: Bitboard,
    /// That of the prey which it can take even when another man moves before.
    soon: Bitboard,
}

impl Hopes {
    /// Nothing is known.
    pub(super) const UNKNOWN: Hopes = Hopes {
        plain: true,
        takers: None,
    };

    /// There is no mate but without lines opened by captures.
    pub(super) fn only_plain() -> Hopes {
        Hopes {
            plain: true,
            takers: Some(ArrayVec::new()),
        }
    }

    /// Hopes taken apart by [`Hopes::plain`] and [`Hopes::takers`].
    pub(super) fn of(plain: bool, takers: &[Hope]) -> Hopes {
        Hopes {
            plain,
            takers: Some(takers.iter().copied().collect()),
        }
    }

    /// Whether one may do without lines opened by captures.
    pub(super) fn plain(&self) -> bool {
        self.plain
    }

    /// The captures after which the taker may go on, if they are known.
    pub(super) fn takers(&self) -> &[Hope] {
        self.takers.as_deref().unwrap_or_default()
    }

    /// What of it holds after `m`, where the enemy men are `enemy`.
    #[inline]
    pub(super) fn after(&self, enemy: Bitboard, m: Move) -> Option<Inherited<'_>> {
        let is_quiet =
            matches!(m.kind(), MoveKind::Normal | MoveKind::DoubleStep) && !enemy.contains(m.to());
        (is_quiet && self.takers.is_some()).then(|| self.after_quiet(m))
    }

    /// What of it holds after `m`, which takes nothing.
    #[inline]
    pub(super) fn after_quiet(&self, m: Move) -> Inherited<'_> {
        Inherited {
            hopes: self,
            from: m.from(),
            to: m.to(),
        }
    }

    /// Whether a mate with lines opened by captures is possible after `m`, where the enemy men are
    /// `enemy`. A man that takes something with `m` and stays there opens nothing.
    #[inline]
    pub(super) fn outlive(&self, enemy: Bitboard, m: Move) -> bool {
        let Some(takers) = &self.takers else {
            return true;
        };
        let takes = enemy.contains(m.to());
        takers.iter().any(|hope| {
            if hope.square == m.from() && !hope.ghost {
                !takes || hope.prey.contains(m.to())
            } else {
                hope.soon.any()
            }
        })
    }
}

/// What is known of a position after a quiet move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inherited<'h> {
    hopes: &'h Hopes,
    from: Square,
    to: Square,
}

impl Inherited<'_> {
    /// Whether there may be a mate without lines opened by captures.
    #[inline]
    pub(super) fn plain(self) -> bool {
        self.hopes.plain
    }

    /// What the man may take and go on.
    #[inline]
    fn prey(self, member: Member) -> Bitboard {
        let Some(takers) = &self.hopes.takers else {
            return Bitboard::FULL;
        };
        let moved = member.square == self.to && !member.ghost;
        let square = if moved { self.from } else { member.square };
        takers
            .iter()
            .find(|hope| hope.square == square && hope.ghost == member.ghost)
            .map_or(
                Bitboard::EMPTY,
                |hope| {
                    if moved { hope.prey } else { hope.soon }
                },
            )
    }

    fn is_hopeless(self) -> bool {
        self.hopes.takers.as_ref().is_some_and(ArrayVec::is_empty)
    }
}

/// A man that may take something and go on.
struct Taker {
    member: Member,
    index: usize,
    /// By form, as in [`forms`], and number of moves: what it can take with the last of them, and
    /// not earlier.
    prey: [[Bitboard; REACH]; FORMS],
    /// What the other men hold, with all lines clear.
    held: Mask,
}

impl Taker {
    /// Nothing of what it can take is taken with the last of `budget` moves.
    fn new(
        member: Member,
        index: usize,
        entry: &Entry,
        prey: &[Bitboard; REACH],
        budget: usize,
        last_rank: Bitboard,
    ) -> Taker {
        let mut taker = Taker {
            member,
            index,
            prey: [[Bitboard::EMPTY; REACH]; FORMS],
            held: Mask::MAX,
        };
        let promotion = promotion(member.role, entry, last_rank);
        let (mut seen, mut seen_promoted) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for moves in 1..budget {
            let prey = prey[moves - 1];
            let mut fresh = prey & !seen;
            seen |= prey;
            if member.role == Role::Pawn {
                // It promotes with the capture, or has promoted before.
                let promoted = if moves > promotion {
                    prey
                } else {
                    prey & last_rank
                } & !seen_promoted;
                seen_promoted |= promoted;
                fresh &= !last_rank;
                taker.prey[1][moves - 1] = promoted;
                taker.prey[2][moves - 1] = promoted;
            }
            taker.prey[0][moves - 1] = fresh;
        }
        taker
    }

    /// The forms it can be of, and what it can take with so many moves then.
    fn preys(&mut self, budget: usize) -> impl Iterator<Item = (Role, usize, &mut Bitboard)> {
        forms(self.member.role)
            .iter()
            .zip(&mut self.prey)
            .flat_map(move |(&role, prey)| {
                prey.iter_mut()
                    .take(budget - 1)
                    .enumerate()
                    .map(move |(nth, prey)| (role, nth + 1, prey))
            })
    }
}

/// A man that has taken something and must go on.
#[derive(Clone, Copy)]
struct Goer {
    /// Where it came from.
    origin: Square,
    role: Role,
    square: Square,
    /// What the other men hold at most.
    held: Mask,
    /// What had to be covered before it took the last man.
    goal: Mask,
}

impl Bound {
    /// Whether a mate is possible with a line opened by a capture, in a position with two to
    /// [`super::bound::BOUND_MAX`] moves left and the men of `roster`.
    pub(super) fn opens(
        &mut self,
        position: &SeriesPosition,
        roster: &mut Roster,
        inherited: Option<Inherited<'_>>,
    ) -> bool {
        !inherited.is_some_and(Inherited::is_hopeless)
            && self.any_opening(position, roster, inherited, |_, _, _| true)
    }

    /// All hopes of such a position: a mate without such lines is possible as `plain` says.
    pub(super) fn hopes(
        &mut self,
        position: &SeriesPosition,
        plain: bool,
        inherited: Option<Inherited<'_>>,
    ) -> Hopes {
        let mut takers: ArrayVec<Hope, MEN> = ArrayVec::new();
        let budget = usize::from(position.moves_left());
        let enemy = position.men().of(!position.side());
        let Some(ground) = self.ground(position, enemy, enemy) else {
            return Hopes::UNKNOWN;
        };
        let mut roster = Roster::new(position, ground, budget, Bitboard::EMPTY);
        self.any_opening(position, &mut roster, inherited, |member, taken, moves| {
            let known = takers
                .iter_mut()
                .find(|hope| hope.square == member.square && hope.ghost == member.ghost);
            let prey = Bitboard::from_square(taken);
            let soon = if moves + 2 <= budget {
                prey
            } else {
                Bitboard::EMPTY
            };
            match known {
                Some(hope) => {
                    hope.prey |= prey;
                    hope.soon |= soon;
                }
                None => takers.push(Hope {
                    square: member.square,
                    ghost: member.ghost,
                    prey,
                    soon,
                }),
            }
            false
        });
        Hopes {
            plain,
            takers: Some(takers),
        }
    }

    /// Tells `found` of the captures with which a mate is possible: the man, what it takes and
    /// with which of its moves. Ends with true as soon as `found` says so.
    fn any_opening(
        &mut self,
        position: &SeriesPosition,
        roster: &mut Roster,
        inherited: Option<Inherited<'_>>,
        mut found: impl FnMut(&Member, Square, usize) -> bool,
    ) -> bool {
        let budget = usize::from(position.moves_left());
        let enemy = position.men().of(!position.side());
        let mut takers = ArrayVec::new();
        self.takers(position, roster, inherited, &mut takers);
        takers.iter_mut().any(|taker| {
            let (member, held) = (taker.member, taker.held);
            let origin = origin(position, member);
            taker.preys(budget).any(|(role, moves, prey)| {
                prey.into_iter().any(|square| {
                    let enemy = enemy & !Bitboard::from_square(square);
                    let goer = Goer {
                        origin,
                        role,
                        square,
                        held,
                        goal: 0,
                    };
                    self.goes_on(position, enemy, goer, budget - moves)
                        && found(&member, square, moves)
                })
            })
        })
    }

    /// Puts into `takers` our men that can take something and go on, with which there could be a
    /// mate if all lines were open.
    fn takers(
        &mut self,
        position: &SeriesPosition,
        roster: &mut Roster,
        inherited: Option<Inherited<'_>>,
        takers: &mut ArrayVec<Taker, MEN>,
    ) {
        let budget = usize::from(position.moves_left());
        let us = position.side();
        let enemy = position.men().of(!us);
        let last_rank = Bitboard::from_rank(us.fold_wb(Rank::Eighth, Rank::First));
        let Some(ground) = self.ground(position, enemy, enemy) else {
            return;
        };
        roster.prepare(ground, budget);
        let mut closed = None;
        for (index, (&member, entry)) in roster.entries(ground).enumerate() {
            let mut prey = entry.reach[budget - 2] & enemy;
            if prey.any()
                && let Some(inherited) = inherited
            {
                prey &= inherited.prey(member);
            }
            if prey.is_empty() {
                continue;
            }
            let mut within = entry.reach.map(|squares| squares & prey);
            if matches!(member.role, Role::Bishop | Role::Rook | Role::Queen) {
                closed
                    .get_or_insert_with(|| Closed::new(position, ground, roster, budget))
                    .keep_open(ground, member.role, member.square, &mut within);
            }
            if within[..budget - 1].iter().any(|prey| prey.any()) {
                takers.push(Taker::new(member, index, entry, &within, budget, last_rank));
            }
        }
        if !takers.is_empty() {
            self.keep_promising(position, budget, takers);
        }
    }

    /// Leaves to the takers what they can take and go on, if there could be a mate with all enemy
    /// men but the king out of the way of all lines.
    fn keep_promising(
        &mut self,
        position: &SeriesPosition,
        budget: usize,
        takers: &mut ArrayVec<Taker, MEN>,
    ) {
        let us = position.side();
        let enemy = position.men().of(!us);
        let royal = position.men().men(!us, Role::King);
        let Some(clear) = self.ground(position, enemy, royal) else {
            return;
        };
        let mut roster = Roster::new(position, clear, budget, Bitboard::EMPTY);
        roster.prepare(clear, budget);
        for taker in takers.iter_mut() {
            for (role, moves, prey) in taker.preys(budget) {
                for square in *prey {
                    clear.prepare(role, square, budget - moves);
                }
            }
        }
        let cover = Cover::new(&roster, clear);
        takers.retain(|taker| {
            let index = taker.index;
            let mut failures = Failures::new();
            let mut is_promising = false;
            for (role, moves, prey) in taker.preys(budget) {
                for square in *prey {
                    if cover.goes_on_from(index, role, square, budget - moves, &mut failures) {
                        is_promising = true;
                    } else {
                        prey.discard(square);
                    }
                }
            }
            taker.held = cover.held_or_opened_without(index);
            is_promising
        });
    }

    /// Whether there can be a mate within `left` moves when `goer` has taken one of the men that
    /// are not in `enemy` any more and has to go on.
    fn goes_on(
        &mut self,
        position: &SeriesPosition,
        enemy: Bitboard,
        goer: Goer,
        left: usize,
    ) -> bool {
        let Goer {
            origin,
            role,
            square,
            ..
        } = goer;
        let us = position.side();
        let apart = Bitboard::from_square(origin);
        // Others might take something and go on too: with all lines clear it could be.
        if left > 3 || left == 3 && self.two_go_on(position, enemy, goer) {
            return true;
        }
        let Some(ground) = self.ground(position, enemy, enemy) else {
            return true;
        };
        if left == 1 && !ground.can_finish(role, square, ground.goal, goer.held) {
            return false;
        }
        let mut roster = Roster::new(position, ground, left, apart);
        if left > 1 {
            roster.prepare(ground, left);
        }
        ground.prepare(role, square, left);
        let mut closer = Closer::new(position, ground, &roster);
        if roster.can_cover_with(ground, role, square, left, Some(&mut closer)) {
            return true;
        }
        // It may take something else before it goes on.
        let reach = ground.entry(role, square).reach;
        let goer = Goer {
            goal: ground.goal,
            ..goer
        };
        let last_rank = Bitboard::from_rank(us.fold_wb(Rank::Eighth, Rank::First));
        let mut seen = Bitboard::EMPTY;
        (1..left).any(|moves| {
            let fresh = reach[moves - 1] & enemy & !seen;
            seen |= fresh;
            fresh.into_iter().any(|taken| {
                let enemy = enemy & !Bitboard::from_square(taken);
                // A pawn may have promoted on its way.
                let roles: &[Role] = match role {
                    Role::Pawn if last_rank.contains(taken) => &[Role::Queen, Role::Knight],
                    Role::Pawn if moves > 1 => &[Role::Pawn, Role::Queen, Role::Knight],
                    _ => std::slice::from_ref(&role),
                };
                roles.iter().any(|&role| {
                    let goer = Goer {
                        origin,
                        role,
                        square: taken,
                        ..goer
                    };
                    if left == moves + 1 && !self.may_finish(position, goer) {
                        return false;
                    }
                    self.goes_on(position, enemy, goer, left - moves)
                })
            })
        })
    }

    /// Whether `goer` might cover with its last move what the others do not, if all lines were clear.
    fn may_finish(&mut self, position: &SeriesPosition, goer: Goer) -> bool {
        let them = !position.side();
        let enemy = position.men().of(them);
        let royal = position.men().men(them, Role::King);
        let Some(clear) = self.ground(position, enemy, royal) else {
            return true;
        };
        let goal = goer.goal | clear.need(goer.square);
        clear.can_finish(goer.role, goer.square, goal, goer.held)
    }

    /// Whether there can be a mate when `goer` goes on with one move, and another man takes
    /// something with one move and goes on with one. `roster` holds the others, with all lines
    /// clear.
    fn two_go_on(&mut self, position: &SeriesPosition, enemy: Bitboard, goer: Goer) -> bool {
        let us = position.side();
        let last_rank = Bitboard::from_rank(us.fold_wb(Rank::Eighth, Rank::First));
        let royal = position.men().men(!us, Role::King);
        let Some(clear) = self.ground(position, enemy, royal) else {
            return true;
        };
        let apart = Bitboard::from_square(goer.origin);
        let mut roster = Roster::new(position, clear, 3, apart);
        roster.prepare(clear, 1);
        clear.prepare(goer.role, goer.square, 1);
        let holds = roster.holds();
        let one = (goer.role, goer.square);
        roster.members.iter().any(|member| {
            let Some(clear) = self.ground(position, enemy, royal) else {
                return true;
            };
            let prey = clear.entry(member.role, member.square).reach[0] & enemy & !royal;
            let held = holds.without(member.holds) | member.opens;
            prey.into_iter().any(|taken| {
                let roles: &[Role] = match member.role {
                    Role::Pawn if last_rank.contains(taken) => &[Role::Queen, Role::Knight],
                    _ => std::slice::from_ref(&member.role),
                };
                roles.iter().any(|&other| {
                    let Some(clear) = self.ground(position, enemy, royal) else {
                        return true;
                    };
                    clear.prepare(other, taken, 1);
                    if !pair_covers(clear, held, one, (other, taken)) {
                        return false;
                    }
                    let enemy = enemy & !Bitboard::from_square(taken);
                    let Some(ground) = self.ground(position, enemy, enemy) else {
                        return true;
                    };
                    let apart = Bitboard::from_square(goer.origin)
                        | Bitboard::from_square(origin(position, *member));
                    let rest = Roster::new(position, ground, 3, apart);
                    ground.prepare(goer.role, goer.square, 1);
                    ground.prepare(other, taken, 1);
                    pair_covers(ground, rest.holds().all(), one, (other, taken))
                })
            })
        })
    }
}

/// The moves after which a man can have promoted.
fn promotion(role: Role, entry: &Entry, last_rank: Bitboard) -> usize {
    let is_there = |squares: &Bitboard| (*squares & last_rank).any();
    match role {
        Role::Pawn => entry.reach.iter().position(is_there),
        _ => None,
    }
    .map_or(usize::MAX, |nth| nth + 1)
}

/// Where the man stands; the king, where it may castle to, still where it castles from.
fn origin(position: &SeriesPosition, member: Member) -> Square {
    match position.men().king(position.side()) {
        Some(king) if member.ghost => king,
        _ => member.square,
    }
}

/// Whether two men, with one move each, cover what is not `held`.
fn pair_covers(ground: &Ground, held: Mask, one: (Role, Square), other: (Role, Square)) -> bool {
    let missing = ground.goal & !held;
    let most = ground.caps(other.0, other.1)[1];
    let others = ground.entry(other.0, other.1).options(1);
    ground.entry(one.0, one.1).options(1).iter().any(|first| {
        let missing = missing & !first.mask();
        missing & !most == 0
            && others.iter().any(|second| {
                let needs = (first.need() | second.need()) & !held;
                (missing | needs) & !(second.mask() | first.mask()) == 0
            })
    })
}
