//! The tables of one search and the questions asked of them: can there be a mate at all, and
//! after which moves?

use arrayvec::ArrayVec;

use super::{
    balance::Planned,
    closer::{Closer, Movers},
    cover::Cover,
    ground::{CHECK, Frame, Ground, Mask},
    hunt,
    limits::Meter,
    opening::{Hopes, Inherited},
    parry::Parries,
    pictures::{Pictures, Reach},
    roster::{Holds, MEN, Roster},
};

use crate::rules::{
    Balance, Bitboard, CheckRule, Move, MoveKind, MoveList, Objective, Rank, Role, Selection,
    SeriesPosition, Square,
};

/// How many enemy set-ups are kept where memory does not matter.
const SLOTS: usize = 256;
/// In how many places each can be.
const WAYS: usize = 4;

/// The bound can be asked with at most so many moves left.
pub(super) const BOUND_MAX: u16 = 5;

/// With at most so many moves left, first moves are judged before they are made.
const FILTER_MAX: u16 = 3;

/// In series so long many men move twice, and what can be done without balance tells more than it
/// costs with three moves left too, not only with two.
const LONG_BALANCED: u16 = 11;

/// The bound, with the tables it keeps.
pub(super) struct Bound {
    frame: Option<Frame>,
    setup: u64,
    /// Whether a man moves again only when the others have moved.
    is_balanced: bool,
    /// With at most so many moves left that is left aside where it tells nothing.
    pub(super) unbalanced_max: u16,
    /// Whether everything is to be captured.
    is_hunt: bool,
    /// What was planned last under balance.
    pub(super) planned: Option<Planned>,
    slots: Vec<Option<Box<Ground>>>,
    /// How many sets of [`WAYS`] slots there are.
    sets: usize,
    pictures: Pictures,
}

impl Default for Bound {
    fn default() -> Bound {
        Bound::within(SLOTS * Ground::BYTES + Pictures::BYTES)
    }
}

impl std::fmt::Debug for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bound({:?})", self.frame)
    }
}

impl Bound {
    /// A bound whose tables take at most about `bytes` bytes; a few are kept at least.
    pub(super) fn within(bytes: usize) -> Bound {
        let slots = (bytes.saturating_sub(Pictures::BYTES) / Ground::BYTES).min(SLOTS);
        Bound {
            frame: None,
            setup: 0,
            is_balanced: false,
            unbalanced_max: 0,
            is_hunt: false,
            planned: None,
            slots: Vec::new(),
            sets: (slots / WAYS).max(1),
            pictures: Pictures::default(),
        }
    }

    /// Prepares for `position`. Without effect where the rules are such that the bound would not
    /// be sound: [`Bound::is_on`] says so.
    pub(super) fn begin(&mut self, position: &SeriesPosition) {
        let rules = position.rules();
        let sound =
            rules.objective == Objective::Mate && rules.has_royal_kings() && !rules.has_rebirth();
        let frame = if sound { Frame::new(position) } else { None };
        let setup = position.enemy_key();
        self.planned = None;
        self.is_hunt = rules.objective == Objective::Capture;
        self.is_balanced =
            sound && rules.balance != Balance::Off && rules.checks == CheckRule::Ends;
        self.unbalanced_max = if position.moves_left() < LONG_BALANCED {
            2
        } else {
            3
        };
        if frame != self.frame || setup != self.setup {
            self.frame = frame;
            self.setup = setup;
            for slot in self.slots.iter_mut().flatten() {
                slot.spoil();
            }
        }
        if self.slots.is_empty() {
            self.slots.resize_with(self.sets * WAYS, || None);
        }
        self.pictures.begin(position);
    }

    /// Forgets the tables.
    pub(super) fn forget(&mut self) {
        for slot in self.slots.iter_mut().flatten() {
            slot.spoil();
        }
    }

    /// Whether the bound can be used.
    pub(super) fn is_on(&self) -> bool {
        self.frame.is_some() || self.is_hunt
    }

    /// The tables over `enemy`, of which `blocking` block lines, where the bound is on.
    pub(super) fn ground(
        &mut self,
        position: &SeriesPosition,
        enemy: Bitboard,
        blocking: Bitboard,
    ) -> Option<&mut Ground> {
        let frame = self.frame?;
        let word = (enemy.0 ^ blocking.0.rotate_left(23)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let first = (((word >> 32) * self.sets as u64) >> 32) as usize * WAYS;
        let set = &mut self.slots[first..first + WAYS];
        let known = set.iter().position(|slot| {
            slot.as_ref()
                .is_some_and(|ground| ground.is_for(frame, enemy, blocking))
        });
        if known == Some(0) {
            return set[0].as_deref_mut();
        }
        // Moved to the front when used, so that the last place holds the oldest.
        let way = known.unwrap_or(WAYS - 1);
        set[..=way].rotate_right(1);
        if known.is_none()
            && let Some(ground) = &mut set[0]
        {
            ground.reuse(frame, position, enemy, blocking);
        }
        Some(set[0].get_or_insert_with(|| Box::new(Ground::new(frame, position, enemy, blocking))))
    }

    /// What the bound says of a position with two or more moves left.
    #[inline]
    pub(super) fn outlook(
        &mut self,
        position: &SeriesPosition,
        inherited: Option<Inherited<'_>>,
    ) -> Outlook {
        if self.is_balanced {
            return self.outlook_balanced(position, inherited);
        }
        if self.is_hunt {
            return hunt::outlook(position);
        }
        let left = position.moves_left();
        if !self.is_on() || left > BOUND_MAX || position.can_take_en_passant() {
            return Outlook::UNKNOWN;
        }
        self.judge(position, inherited)
    }

    /// How near a mate seems, smaller is nearer, with more moves left than [`Bound::outlook`] looks
    /// ahead; `None` if there is none.
    pub(super) fn far_rank(
        &mut self,
        position: &SeriesPosition,
        meter: &mut Meter<'_>,
    ) -> Option<u16> {
        let budget = usize::from(BOUND_MAX);
        let enemy = position.men().of(!position.side());
        if !self.is_on() {
            return Some(0);
        }
        let Some(ground) = self.ground(position, enemy, enemy) else {
            return Some(0);
        };
        let mut roster = Roster::new(position, ground, budget, Bitboard::EMPTY);
        roster.prepare(ground, budget);
        let missing = roster.missing(ground);
        let near = Cover::new(&roster, ground).cost(budget);
        let is_asked = position.moves_left() > BOUND_MAX
            && (near.is_none() || self.pictures.are_worth_asking());
        let reach = if is_asked {
            self.pictures.reach(position, meter)
        } else {
            Reach::Unknown
        };
        let cost = match (near, reach) {
            (_, Reach::Nothing) => return None,
            (Some(cost), Reach::Within(moves)) if self.pictures.are_for_long() => {
                cost.max(usize::from(moves))
            }
            (Some(cost), _) => cost,
            (None, Reach::Within(moves)) => usize::from(moves).max(budget + 1),
            (None, Reach::Unknown) => budget + 1,
        };
        Some(rank(cost, missing))
    }

    /// Whether it is known that no mating picture can be reached.
    #[inline]
    pub(super) fn is_out_of_reach(
        &mut self,
        position: &SeriesPosition,
        meter: &mut Meter<'_>,
    ) -> bool {
        self.pictures.are_out_of_reach(position, meter)
    }

    /// From now on positions are asked about that follow from `position`, until [`Bound::widen`].
    #[inline]
    pub(super) fn focus(&mut self, position: &SeriesPosition) {
        self.pictures.focus(position);
    }

    /// Ends what [`Bound::focus`] began last.
    #[inline]
    pub(super) fn widen(&mut self) {
        self.pictures.widen();
    }

    /// Ends all that [`Bound::focus`] has begun.
    #[inline]
    pub(super) fn widen_all(&mut self) {
        self.pictures.widen_all();
    }

    /// Puts into `moves` those after which there can be a mate, when the bound says `judgement`.
    #[inline]
    pub(super) fn candidates(
        &mut self,
        position: &SeriesPosition,
        judgement: Judgement,
        hopes: &Hopes,
        moves: &mut MoveList,
    ) {
        if judgement == Judgement::Hopeless {
            moves.clear();
            return;
        }
        position.write_legal_moves(moves);
        if matches!(judgement, Judgement::Once | Judgement::Twice) {
            self.first_balanced(position, judgement == Judgement::Twice, moves);
            return;
        }
        if judgement == Judgement::Taking {
            hunt::retain_captures(position, moves);
            return;
        }
        if judgement == Judgement::Blind {
            return;
        }
        let left = position.moves_left();
        let enemy = position.men().of(!position.side());
        if judgement == Judgement::OpenOnly && left == 2 {
            // Somebody has to take something now and go on with the last move.
            moves.retain(|m| enemy.contains(m.to()));
        } else if judgement != Judgement::Unknown && left == 2 {
            self.first_of_two(position, moves);
        } else if judgement != Judgement::Unknown {
            self.first_of_several(position, hopes, moves);
        }
    }

    /// What there is to say of a position with two to [`BOUND_MAX`] moves left.
    pub(super) fn judge(
        &mut self,
        position: &SeriesPosition,
        inherited: Option<Inherited<'_>>,
    ) -> Outlook {
        let budget = usize::from(position.moves_left());
        let enemy = position.men().of(!position.side());
        let Some(ground) = self.ground(position, enemy, enemy) else {
            return Outlook::UNKNOWN;
        };
        let mut roster = Roster::new(position, ground, budget, Bitboard::EMPTY);
        let mut cost = None;
        if inherited.is_none_or(Inherited::plain) {
            roster.prepare(ground, budget);
            let cover = Cover::new(&roster, ground);
            let mut closer = Closer::new(position, ground, &roster);
            cost = cover.judged_cost(budget, &mut closer);
        }
        let rank = rank(cost.unwrap_or(budget), roster.missing(ground));
        let covers = cost.is_some();
        if covers && (budget == 2 || budget > usize::from(FILTER_MAX)) {
            return Outlook {
                judgement: Judgement::Open,
                rank,
            };
        }
        let opens = self.opens(position, &mut roster, inherited);
        Outlook {
            judgement: match (covers, opens) {
                (true, true) => Judgement::Open,
                (false, true) => Judgement::OpenOnly,
                (true, false) => Judgement::Static,
                (false, false) => Judgement::Hopeless,
            },
            rank,
        }
    }

    /// What may lead to a mate in a position of which the bound says `judgement`.
    pub(super) fn prospects(
        &mut self,
        position: &SeriesPosition,
        judgement: Judgement,
        inherited: Option<Inherited<'_>>,
    ) -> Hopes {
        match judgement {
            Judgement::Unknown | Judgement::Twice | Judgement::Blind | Judgement::Taking => {
                Hopes::UNKNOWN
            }
            Judgement::Hopeless | Judgement::Static | Judgement::Once => Hopes::only_plain(),
            // With two moves left nothing is handed down.
            _ if position.moves_left() <= 2 => Hopes::UNKNOWN,
            Judgement::OpenOnly => self.hopes(position, false, inherited),
            Judgement::Open => self.hopes(position, true, inherited),
        }
    }

    /// Keeps the moves after which there can be a mate with as many left as there are then.
    fn first_of_several(&mut self, position: &SeriesPosition, hopes: &Hopes, moves: &mut MoveList) {
        let budget = usize::from(position.moves_left());
        let enemy = position.men().of(!position.side());
        if !hopes.plain() {
            moves.retain(|&mut m| !is_plain(m) || hopes.outlive(enemy, m));
        }
        if !hopes.plain() || budget > usize::from(FILTER_MAX) {
            return;
        }
        let Some(ground) = self.ground(position, enemy, enemy) else {
            return;
        };
        let mut roster = Roster::new(position, ground, budget, Bitboard::EMPTY);
        roster.prepare(ground, budget);
        let cover = Cover::new(&roster, ground);
        let movers = cover.movers(budget, Movers::new(Closer::new(position, ground, &roster)));
        // Special moves, and those after which a line may still be opened, are not judged here.
        let is_judged = |m: Move| is_plain(m) && !hopes.outlive(enemy, m);
        moves.retain(|&mut m| !is_judged(m) || movers >> roster.index_of(m.from()) & 1 != 0);
        for &m in moves.iter().filter(|&&m| is_judged(m)) {
            ground.prepare(m.promotion().unwrap_or(m.role()), m.to(), budget - 1);
        }
        let cover = Cover::new(&roster, ground);
        moves.retain(|&mut m| {
            let landing = m.promotion().unwrap_or(m.role());
            let index = roster.index_of(m.from());
            !is_judged(m) || cover.goes_on(index, landing, m.to(), budget - 1)
        });
    }

    /// Keeps the moves after which there can be a mate with the next one, with two left.
    fn first_of_two(&mut self, position: &SeriesPosition, moves: &mut MoveList) {
        let enemy = position.men().of(!position.side());
        let Some(ground) = self.ground(position, enemy, enemy) else {
            return;
        };
        let mut roster = Roster::new(position, ground, 2, Bitboard::EMPTY);
        roster.prepare(ground, 1);
        let rooks = position.castling_rooks(position.side());
        let two_left = TwoLeft {
            position,
            ground,
            roster: &roster,
            holds: roster.holds(),
            castlers: if rooks.any() {
                rooks | position.men().men(position.side(), Role::King)
            } else {
                Bitboard::EMPTY
            },
        };
        let mut follow = Follow::default();
        let mut mover = usize::MAX;
        retain_quiet(moves, enemy, &roster, |index, m| {
            if mover != index {
                mover = index;
                follow = two_left.follow(index);
            }
            two_left.completes(index, &follow, m)
        });
    }

    /// The moves that may mate, with one left.
    pub(super) fn last(&mut self, position: &SeriesPosition) -> MoveList {
        let enemy = position.men().of(!position.side());
        let Some(ground) = self.ground(position, enemy, enemy) else {
            return position.checking_moves();
        };
        let roster = Roster::new(position, ground, 1, Bitboard::EMPTY);
        let holds = roster.holds();
        let mut required = [Mask::MAX; 64];
        for member in &roster.members {
            required[member.square as usize] &=
                ground.goal & !(holds.without(member.holds) | member.opens);
        }
        position.selected_moves(&Completing {
            ground,
            required: &required,
        })
    }
}

/// How near a mate seems: first the moves it takes at least, then what is not covered yet.
pub(super) fn rank(cost: usize, missing: u32) -> u16 {
    (cost as u16) << 4 | missing as u16
}

/// What the bound says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outlook {
    pub(super) judgement: Judgement,
    /// How near a mate seems, smaller is nearer.
    pub(super) rank: u16,
}

impl Outlook {
    const UNKNOWN: Outlook = Outlook {
        judgement: Judgement::Unknown,
        rank: 0,
    };
}

/// Whether there can be a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    /// Nothing is known.
    Unknown,
    /// There is no mate.
    Hopeless,
    /// There can only be a mate without lines opened by a man that takes something and goes on.
    Static,
    /// The same under balance, since nobody can move twice any more.
    Once,
    /// There can be a mate under balance, and few men can move twice.
    Twice,
    /// Nothing is known under balance, and the tables would not tell enough for what they cost; or
    /// everything is to be captured, and it may be done with a move that captures nothing.
    Blind,
    /// Everything is to be captured, and each move has to take something.
    Taking,
    /// There can only be a mate with lines opened so.
    OpenOnly,
    /// There can be a mate.
    Open,
}

/// A position with two moves left, about which first moves are asked.
struct TwoLeft<'t> {
    position: &'t SeriesPosition,
    ground: &'t Ground,
    roster: &'t Roster,
    holds: Holds,
    /// Men whose last move may be castling.
    castlers: Bitboard,
}

/// What could follow a first move of some man.
#[derive(Default)]
struct Follow {
    /// What it must cover itself with the last move.
    alone: Mask,
    /// From where it does so; for a pawn nothing is said.
    sources: Bitboard,
    /// The other men that could make the last move, with what is missing then unless the first move
    /// covers it, and what each of them could cover of that.
    partners: ArrayVec<(u8, Mask, Mask), MEN>,
}

impl TwoLeft<'_> {
    /// What could mate after a move of the man `index`.
    fn follow(&self, index: usize) -> Follow {
        let (ground, holds) = (self.ground, self.holds);
        let mover = &self.roster.members[index];
        let most = ground.caps(mover.role, mover.square)[1] | mover.opens;
        let mut partners = ArrayVec::new();
        for (other, member) in self.roster.members.iter().enumerate() {
            // Castling comes last or first, never in between two moves.
            if other == index || member.ghost {
                continue;
            }
            let missing =
                ground.goal & !(holds.without_both(mover.holds, member.holds) | member.opens);
            let one = ground.caps(member.role, member.square)[1];
            if missing & !(most | one) == 0 {
                partners.push((other as u8, missing, one));
            }
        }
        let alone = ground.goal & !(holds.without(mover.holds) | mover.opens);
        Follow {
            alone,
            sources: ground.sources(mover.role, alone),
            partners,
        }
    }

    /// Whether one more move after `m`, which takes nothing, of the man `index` could mate.
    fn completes(&self, index: usize, follow: &Follow, m: Move) -> bool {
        let (ground, holds) = (self.ground, self.holds);
        let mover = &self.roster.members[index];
        let landing = m.promotion().unwrap_or(m.role());
        let base = ground.cover(landing, m.to()) | mover.opens;
        if ground.goal & !(holds.without(mover.holds) | base) == 0 {
            return true;
        }
        let alone = follow.alone;
        let can_step = if mover.role == Role::Pawn {
            ground.can_step_to_cover(landing, m.to(), alone)
        } else {
            follow.sources.any() && (ground.steps(landing, m.to()) & follow.sources).any()
        };
        if can_step && self.finishes(m, landing, m.to(), alone) {
            return true;
        }
        follow.partners.iter().any(|&(other, missing, one)| {
            let missing = missing & !base;
            if missing & !one != 0 {
                return false;
            }
            let member = &self.roster.members[usize::from(other)];
            ground
                .entry(member.role, member.square)
                .options(1)
                .iter()
                .any(|option| missing & !option.mask() == 0)
                && self.finishes(m, member.role, member.square, missing)
        })
    }

    /// Whether the man on `from`, once `m` is played, can really go where it covers `missing`
    /// and is not surely answered.
    fn finishes(&self, m: Move, role: Role, from: Square, missing: Mask) -> bool {
        if self.castlers.contains(from) {
            return true;
        }
        let us = self.position.side();
        let own = self.position.men().of(us) ^ Bitboard::from_square(m.from())
            | Bitboard::from_square(m.to());
        let occupied = own | self.ground.enemy;
        let to = self.ground.real_steps(role, from, occupied) & !own;
        let landings: &[Role] = match role {
            Role::Pawn => &[Role::Pawn, Role::Queen, Role::Knight],
            _ => std::slice::from_ref(&role),
        };
        let kings = self.position.men().men(us, Role::King);
        let parries = (missing & CHECK != 0 && role != Role::King && m.role() != Role::King)
            .then_some(Parries {
                position: self.position,
                enemy: self.ground.enemy,
                helpers: Bitboard::from_square(m.to()),
                prey: Bitboard::EMPTY,
                kings,
            });
        landings.iter().any(|&landing| {
            let mut squares = to & self.ground.sources(landing, missing);
            if role == Role::Pawn {
                let last_rank = Bitboard::from_rank(us.fold_wb(Rank::Eighth, Rank::First));
                squares &= if landing == Role::Pawn {
                    !last_rank
                } else {
                    last_rank
                };
            }
            match &parries {
                None => squares.any(),
                Some(parries) => squares
                    .into_iter()
                    .any(|square| !parries.are_sure(landing, square)),
            }
        })
    }
}

/// The moves that cover what is missing without them.
struct Completing<'g> {
    ground: &'g Ground,
    /// By square: what must be covered when the man from there has gone.
    required: &'g [Mask; 64],
}

impl Selection for Completing<'_> {
    #[inline]
    fn wanted(&self, landing: Role, from: Square, targets: Bitboard) -> Bitboard {
        targets & self.ground.sources(landing, self.required[from as usize])
    }

    #[inline]
    fn wants(&self, _: Move) -> bool {
        true
    }
}

/// Whether one man goes from one square to another, and takes what is there, if anything is.
fn is_plain(m: Move) -> bool {
    matches!(m.kind(), MoveKind::Normal | MoveKind::DoubleStep)
}

/// Keeps captures and special moves, and of the others those that `keeps` says yes to: it is given
/// the place in the roster of the man that moves. Moves of one man mostly stand together, so that
/// the roster is asked once for them.
fn retain_quiet(
    moves: &mut MoveList,
    enemy: Bitboard,
    roster: &Roster,
    mut keeps: impl FnMut(usize, Move) -> bool,
) {
    let mut last_from = None;
    let mut index = 0;
    moves.retain(|&mut m| {
        if !is_plain(m) || enemy.contains(m.to()) {
            return true;
        }
        if last_from != Some(m.from()) {
            last_from = Some(m.from());
            index = roster.index_of(m.from());
        }
        keeps(index, m)
    });
}
