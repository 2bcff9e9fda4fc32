//! The generator: every allowed move of the side on turn, for all rule sets.
//!
//! Pins, discoveries and check squares are found once for each position; most moves then come
//! out as whole sets of target squares. Moves that change more than two squares (captures with
//! rebirth, en passant, castling) are tried on a copy of the men instead.

// Measured: the generator is one function for each way of taking moves, or a third slower.
#![allow(clippy::inline_always)]

mod bounds;
mod sink;
mod special;

use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};

use super::{
    balance::Balanced,
    moves::{Move, MoveKind, MoveList},
    position::SeriesPosition,
    rule_set::CheckRule,
};
use bounds::Bounds;
use sink::{Any, Count};
use special::{captures_with_rebirth, castling, en_passant};

pub(super) use bounds::{CheckSquares, Checks};
pub(super) use sink::{Forgetful, Sink, pawn_origin};

/// Generates every allowed move, without balance.
#[inline(always)]
pub(super) fn generate<S: Sink>(position: &SeriesPosition, checks: Checks, sink: &mut S) {
    let men = &position.men;
    let us = position.side;
    let occupied = men.occupied();
    let own = men.of(us);
    let royal = position.rules.has_royal_kings();
    let king = if royal { men.king(us) } else { None };
    // Own moves never leave the king in check, so only the first move of a series can meet one.
    let checkers = match king {
        Some(king) if position.is_turn_start() => men.attackers(!us, king, occupied),
        _ => Bitboard::EMPTY,
    };
    let mut bounds = Bounds {
        position,
        us,
        occupied,
        own,
        enemy: men.of(!us),
        king,
        pinned: king.map_or(Bitboard::EMPTY, |king| {
            men.line_blockers(king, !us, occupied) & own
        }),
        evasions: Bitboard::FULL,
        shy: match men.king(!us) {
            Some(enemy) if royal && checks == Checks::Forbidden => {
                Some(CheckSquares::new(men, us, enemy))
            }
            _ => None,
        },
    };
    let rebirth = position.rules.has_rebirth();
    king_moves(&bounds, rebirth, sink);
    if sink.is_full() {
        return;
    }
    if rebirth {
        captures_with_rebirth(&bounds, sink);
        bounds.enemy = Bitboard::EMPTY;
    }
    if position.en_passant != 0 {
        en_passant(&bounds, sink);
    }
    if let (Some(king), Some(checker)) = (king, checkers.first()) {
        if checkers.more_than_one() {
            return;
        }
        bounds.evasions = attacks::between(king, checker) | Bitboard::from_square(checker);
    } else if position.castling[us as usize] != 0 {
        castling(&bounds, sink);
    }
    men_moves(&bounds, sink);
    if sink.is_full() {
        return;
    }
    pawn_moves(&bounds, sink);
}

#[inline]
fn king_moves<S: Sink>(bounds: &Bounds<'_>, rebirth: bool, sink: &mut S) {
    let men = &bounds.position.men;
    let barred = if rebirth { bounds.occupied } else { bounds.own };
    for from in men.men(bounds.us, Role::King) {
        let mut targets = attacks::king_attacks(from) & !barred;
        if bounds.king.is_some() {
            targets &= bounds.line_bound_of_king(from);
            let occupied = bounds.occupied ^ Bitboard::from_square(from);
            for to in targets {
                if men.attackers(!bounds.us, to, occupied).any() {
                    targets.discard(to);
                }
            }
        }
        sink.targets(Role::King, from, targets);
    }
}

#[inline(always)]
fn men_moves<S: Sink>(bounds: &Bounds<'_>, sink: &mut S) {
    let occupied = bounds.occupied;
    role_moves(bounds, Role::Knight, attacks::knight_attacks, sink);
    role_moves(
        bounds,
        Role::Bishop,
        |from| attacks::bishop_attacks(from, occupied),
        sink,
    );
    role_moves(
        bounds,
        Role::Rook,
        |from| attacks::rook_attacks(from, occupied),
        sink,
    );
    role_moves(
        bounds,
        Role::Queen,
        |from| attacks::queen_attacks(from, occupied),
        sink,
    );
}

#[inline(always)]
fn role_moves<S: Sink>(
    bounds: &Bounds<'_>,
    role: Role,
    reach: impl Fn(Square) -> Bitboard,
    sink: &mut S,
) {
    let reachable = (!bounds.occupied | bounds.enemy) & bounds.evasions;
    let free = match &bounds.shy {
        Some(shy) => reachable & !shy.of(role),
        None => reachable,
    };
    let bound_men = bounds.bound_men();
    for from in bounds.position.men.with_role(role) & bounds.own {
        let mut targets = reach(from) & free;
        if bound_men.contains(from) {
            targets &= bounds.line_bound(from);
        }
        sink.targets(role, from, targets);
    }
}

#[inline(always)]
fn pawn_moves<S: Sink>(bounds: &Bounds<'_>, sink: &mut S) {
    match bounds.us {
        Color::White => pawn_moves_of::<true, S>(bounds, sink),
        Color::Black => pawn_moves_of::<false, S>(bounds, sink),
    }
}

#[inline(always)]
fn pawn_moves_of<const WHITE: bool, S: Sink>(bounds: &Bounds<'_>, sink: &mut S) {
    let pawns = bounds.position.men.men(bounds.us, Role::Pawn);
    let bound_men = bounds.bound_men() & pawns;
    pawn_set::<WHITE, S>(bounds, pawns ^ bound_men, Bitboard::FULL, sink);
    for from in bound_men {
        let bound = bounds.line_bound(from);
        bound_pawn::<WHITE, S>(bounds, from, bound, sink);
    }
}

#[inline(never)]
fn bound_pawn<const WHITE: bool, S: Sink>(
    bounds: &Bounds<'_>,
    from: Square,
    bound: Bitboard,
    sink: &mut S,
) {
    pawn_set::<WHITE, S>(bounds, Bitboard::from_square(from), bound, sink);
}

/// Moves a set of squares by `STEP`; what leaves the board on the first or last rank is lost.
#[inline(always)]
const fn shift<const STEP: i32>(squares: Bitboard) -> Bitboard {
    if STEP > 0 {
        Bitboard(squares.0 << STEP)
    } else {
        Bitboard(squares.0 >> -STEP)
    }
}

/// The moves of a set of pawns that share one bound.
#[inline(always)]
fn pawn_set<const WHITE: bool, S: Sink>(
    bounds: &Bounds<'_>,
    pawns: Bitboard,
    bound: Bitboard,
    sink: &mut S,
) {
    let shifted =
        |squares: Bitboard, white: fn(Bitboard) -> Bitboard, black: fn(Bitboard) -> Bitboard| {
            if WHITE {
                white(squares)
            } else {
                black(squares)
            }
        };
    let (forward_step, left_step, right_step) = if WHITE { (8, 7, 9) } else { (-8, -9, -7) };
    let empty = !bounds.occupied;
    let last_rank = Bitboard::from_rank(if WHITE { Rank::Eighth } else { Rank::First });
    let third_rank = Bitboard::from_rank(if WHITE { Rank::Third } else { Rank::Sixth });
    let allowed = bounds.evasions & bound;
    let quiet = match &bounds.shy {
        Some(shy) => allowed & !shy.of(Role::Pawn),
        None => allowed,
    };

    let forward = shifted(pawns, shift::<8>, shift::<-8>) & empty;
    sink.pawns(forward & quiet & !last_rank, forward_step, MoveKind::Normal);
    if bounds.position.rules.double_step {
        let double = shifted(forward & third_rank, shift::<8>, shift::<-8>) & empty;
        sink.pawns(double & quiet, 2 * forward_step, MoveKind::DoubleStep);
    }
    let a_file = Bitboard::from_file(File::A);
    let h_file = Bitboard::from_file(File::H);
    let left = shifted(pawns & !a_file, shift::<7>, shift::<-9>) & bounds.enemy;
    let right = shifted(pawns & !h_file, shift::<9>, shift::<-7>) & bounds.enemy;
    sink.pawns(left & quiet & !last_rank, left_step, MoveKind::Normal);
    sink.pawns(right & quiet & !last_rank, right_step, MoveKind::Normal);
    if ((forward | left | right) & last_rank).any() {
        for (targets, step) in [
            (forward, forward_step),
            (left, left_step),
            (right, right_step),
        ] {
            promotions(bounds, targets & allowed & last_rank, step, sink);
        }
    }
}

const PROMOTIONS: [Role; 5] = [
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::King,
];

/// What pawns may become under these rules.
fn promotion_roles(position: &SeriesPosition) -> &'static [Role] {
    if position.rules.promotion_to_king {
        &PROMOTIONS
    } else {
        &PROMOTIONS[..4]
    }
}

fn promotions<S: Sink>(bounds: &Bounds<'_>, targets: Bitboard, step: i32, sink: &mut S) {
    for to in targets {
        let from = pawn_origin(to, step);
        for &role in promotion_roles(bounds.position) {
            let m = Move::promotion_to(role, from, to);
            let checks = bounds.shy.is_some_and(|shy| {
                let occupied = bounds.occupied ^ Bitboard::from_square(from);
                let man = shakmaty::Piece {
                    color: bounds.us,
                    role,
                };
                attacks::attacks(to, man, occupied).contains(shy.king)
            });
            if !checks {
                sink.single(m);
            }
        }
    }
}

impl SeriesPosition {
    /// Whether the check rule forbids a check on the next move.
    #[inline]
    pub(super) fn checks_now(&self) -> Checks {
        if self.rules.checks == CheckRule::Last && self.moves_left > 1 {
            Checks::Forbidden
        } else {
            Checks::Allowed
        }
    }

    /// Every allowed move of the side on turn. Draw rules are not looked at.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate_allowed(&mut moves);
        moves
    }

    /// Gives every allowed move to `sink`.
    #[inline(always)]
    pub(super) fn generate_allowed<S: Forgetful>(&self, sink: &mut S) {
        if self.rules.counts_moves() {
            generate(self, self.checks_now(), &mut Balanced::new(self, sink));
        } else {
            generate(self, self.checks_now(), sink);
        }
    }

    /// Puts every allowed move into `moves`, in place of what was there: as
    /// [`SeriesPosition::legal_moves`], without moving the list.
    #[inline]
    pub(crate) fn write_legal_moves(&self, moves: &mut MoveList) {
        moves.clear();
        self.generate_allowed(moves);
    }

    /// The allowed moves with balance left aside, if checks were allowed as given.
    #[inline]
    pub(super) fn unbalanced_moves(&self, checks: Checks) -> MoveList {
        let mut moves = MoveList::new();
        generate(self, checks, &mut moves);
        moves
    }

    /// How many moves [`SeriesPosition::legal_moves`] has.
    #[inline]
    pub fn count_legal_moves(&self) -> u64 {
        let mut count = Count::default();
        self.generate_allowed(&mut count);
        count.0
    }

    /// Whether there is any allowed move.
    #[inline]
    pub fn has_legal_move(&self) -> bool {
        // Balance leaves some move wherever there is one, unless all are of men that are done.
        if self.rules.counts_moves() && self.counts.any_retired() {
            return !self.legal_moves().is_empty();
        }
        self.has_move(self.checks_now())
    }

    /// Whether there would be a move, balance aside, if checks were allowed as given.
    pub(super) fn has_move(&self, checks: Checks) -> bool {
        let mut any = Any::default();
        generate(self, checks, &mut any);
        any.0
    }

    /// Whether `m` is among the allowed moves.
    pub fn is_legal(&self, m: Move) -> bool {
        self.legal_moves().contains(&m)
    }

    /// Whether the allowed move `m` attacks the enemy king. False where kings are ordinary men.
    pub fn gives_check(&self, m: Move) -> bool {
        self.rules.has_royal_kings()
            && self
                .men
                .king(!self.side)
                .is_some_and(|king| self.men_after(m).is_attacked(self.side, king))
    }
}
