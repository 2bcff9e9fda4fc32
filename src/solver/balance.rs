//! The bound under balance, where it is much stronger: see [`super::rounds`] and [`super::plans`].

use std::cell::OnceCell;

use arrayvec::ArrayVec;

use super::{
    bound::{BOUND_MAX, Bound, Judgement, Outlook, rank},
    ground::Ground,
    opening::Inherited,
    plans::{Choice, Plans},
    rounds::Rest,
};
use crate::rules::{Move, MoveKind, MoveList, SeriesPosition, Square};

/// What was asked about last, since a position is mostly searched as soon as it is judged.
pub(super) struct Planned {
    key: u64,
    rest: Rest,
    plans: Plans,
}

impl Bound {
    /// What is to be said of a position under balance with two or more moves left. Where several
    /// men can move again, balance tells nothing, and near the end it is left aside: what cannot be
    /// done without it cannot be done.
    pub(super) fn outlook_balanced(
        &mut self,
        position: &SeriesPosition,
        inherited: Option<Inherited<'_>>,
    ) -> Outlook {
        let moves = position.moves_left();
        let left = usize::from(moves);
        if let Some(outlook) = self.planned_outlook(position, left) {
            return outlook;
        }
        if moves <= self.unbalanced_max && !position.can_take_en_passant() {
            return self.judge(position, inherited);
        }
        let judgement = if moves > BOUND_MAX {
            Judgement::Unknown
        } else {
            Judgement::Blind
        };
        Outlook {
            judgement,
            rank: rank(left, 0),
        }
    }

    fn planned_outlook(&mut self, position: &SeriesPosition, left: usize) -> Option<Outlook> {
        let enemy = position.men().of(!position.side());
        let ground = self.ground(position, enemy, enemy)?;
        let rest = Rest::new(position, ground, left)?;
        // How many it takes is asked for where moves are ordered by it.
        let is_wanted = left > 3;
        let mut plans = rest.plan(position, ground, left, rest.extra);
        let mut cost = plans.cost(left, is_wanted);
        let mut judgement = Judgement::Once;
        if rest.extra > 0 && cost.is_some() {
            judgement = Judgement::Twice;
        } else if rest.extra > 0 {
            plans = rest.plan(position, ground, left, 0);
            cost = plans.cost(left, is_wanted);
        }
        let missing = plans.missing();
        let Some(cost) = cost else {
            return Some(Outlook {
                judgement: Judgement::Hopeless,
                rank: rank(left, missing),
            });
        };
        // Where moves are not ordered, the position is searched at once.
        if !is_wanted {
            let key = position.series_key();
            self.planned = Some(Planned { key, rest, plans });
        }
        Some(Outlook {
            judgement,
            rank: rank(cost, missing),
        })
    }

    /// Keeps the moves after which there can be a mate under balance, where some men can move
    /// `again` or none.
    pub(super) fn first_balanced(
        &mut self,
        position: &SeriesPosition,
        again: bool,
        moves: &mut MoveList,
    ) {
        let left = usize::from(position.moves_left());
        let enemy = position.men().of(!position.side());
        let key = position.series_key();
        let planned = self.planned.take().filter(|planned| planned.key == key);
        let Some(ground) = self.ground(position, enemy, enemy) else {
            return;
        };
        let planned = planned.or_else(|| {
            let rest = Rest::new(position, ground, left)?;
            let plans = rest.plan(position, ground, left, if again { rest.extra } else { 0 });
            Some(Planned { key, rest, plans })
        });
        let Some(planned) = planned else {
            return;
        };
        let Planned {
            rest, plans: main, ..
        } = &planned;
        let other = OnceCell::new();
        let without_extra = || other.get_or_init(|| rest.plan(position, ground, left, 0));
        let mut answers = [Answers::default(), Answers::default()];
        moves.retain(|&mut m| {
            if !matches!(m.kind(), MoveKind::Normal | MoveKind::DoubleStep) {
                return true;
            }
            answers[0].of(main, ground, m, left - 1)
                || again && answers[1].of(without_extra(), ground, m, left - 1)
        });
    }
}

/// What is known of the moves of one man: most cover nothing, or the same as another.
#[derive(Default)]
struct Answers {
    from: Option<Square>,
    known: ArrayVec<(Choice, bool), 8>,
}

impl Answers {
    /// Whether there can be a mate within `left` moves after `m`, as `plans` see it.
    fn of(&mut self, plans: &Plans, ground: &Ground, m: Move, left: usize) -> bool {
        if self.from != Some(m.from()) {
            self.from = Some(m.from());
            self.known.clear();
        }
        let choice = plans.choice(ground, m);
        if let Some(&(_, answer)) = self.known.iter().find(|(known, _)| *known == choice) {
            return answer;
        }
        let answer = plans.goes_on(m.from(), choice, left);
        // With no room left, it is worked out again.
        let _ = self.known.try_push((choice, answer));
        answer
    }
}
