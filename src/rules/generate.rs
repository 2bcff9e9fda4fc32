//! The generator: every allowed move of the side on turn, for all rule sets.
//!
//! Pins, discoveries and check squares are found once for each position; most moves then come
//! out as whole sets of target squares. Moves that change more than two squares (captures with
//! rebirth, en passant, castling) are tried on a copy of the men instead.

// Measured: the generator is one function for each way of taking moves, or a third slower.
#![allow(clippy::inline_always)]

use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};

use super::{
    men::Men,
    moves::{Move, MoveKind, MoveList},
    position::{SeriesPosition, back_rank, double_step_square, files, passed_square},
    rule_set::CheckRule,
};

/// Takes generated moves.
pub(super) trait Sink {
    /// `role` on `from` may go to each of `targets`; no pawn moves.
    fn targets(&mut self, role: Role, from: Square, targets: Bitboard);
    /// Pawns may go to each of `targets` from the square `step` before it; no promotions.
    fn pawns(&mut self, targets: Bitboard, step: i32, kind: MoveKind);
    /// One move.
    fn single(&mut self, m: Move);
    /// Whether enough moves have been seen.
    fn is_full(&self) -> bool {
        false
    }
}

impl Sink for MoveList {
    #[inline]
    fn targets(&mut self, role: Role, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::new(role, from, to, MoveKind::Normal));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i32, kind: MoveKind) {
        for to in targets {
            // The target came from a pawn shifted by `step`, so going back stays on the board.
            let from = Square::new((to as i32 - step) as u32);
            self.push(Move::new(Role::Pawn, from, to, kind));
        }
    }

    #[inline]
    fn single(&mut self, m: Move) {
        self.push(m);
    }
}

/// Counts moves without making a list.
#[derive(Default)]
struct Count(u64);

impl Sink for Count {
    #[inline]
    fn targets(&mut self, _: Role, _: Square, targets: Bitboard) {
        self.0 += targets.count() as u64;
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i32, _: MoveKind) {
        self.0 += targets.count() as u64;
    }

    #[inline]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Looks for any move.
#[derive(Default)]
struct Any(bool);

impl Sink for Any {
    #[inline]
    fn targets(&mut self, _: Role, _: Square, targets: Bitboard) {
        self.0 |= targets.any();
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i32, _: MoveKind) {
        self.0 |= targets.any();
    }

    #[inline]
    fn single(&mut self, _: Move) {
        self.0 = true;
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.0
    }
}

/// Whether moves that check may be generated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Checks {
    Allowed,
    Forbidden,
}

/// The squares from which, and the men by whose departure, the side on turn checks.
#[derive(Clone, Copy)]
pub(super) struct CheckSquares {
    pub(super) king: Square,
    pub(super) discoverers: Bitboard,
    by_role: [Bitboard; 6],
}

impl CheckSquares {
    pub(super) fn new(men: &Men, us: Color, king: Square) -> CheckSquares {
        let occupied = men.occupied();
        let diagonal = attacks::bishop_attacks(king, occupied);
        let line = attacks::rook_attacks(king, occupied);
        CheckSquares {
            king,
            discoverers: men.line_blockers(king, us, occupied) & men.of(us),
            by_role: [
                attacks::pawn_attacks(!us, king),
                attacks::knight_attacks(king),
                diagonal,
                line,
                diagonal | line,
                Bitboard::EMPTY,
            ],
        }
    }

    #[inline]
    pub(super) fn of(&self, role: Role) -> Bitboard {
        self.by_role[role as usize - 1]
    }
}

/// What bounds the moves of a side, apart from how its men go.
struct Bounds<'p> {
    position: &'p SeriesPosition,
    us: Color,
    occupied: Bitboard,
    own: Bitboard,
    enemy: Bitboard,
    /// The royal king, and own men that may only move on the line through it and themselves.
    king: Option<Square>,
    pinned: Bitboard,
    /// Squares that answer the check, or all.
    evasions: Bitboard,
    /// Where checks are forbidden: the squares and men that would give one.
    shy: Option<CheckSquares>,
}

impl Bounds<'_> {
    /// The men for which [`Bounds::line_bound`] says something.
    #[inline]
    fn bound_men(&self) -> Bitboard {
        match &self.shy {
            Some(shy) => self.pinned | shy.discoverers,
            None => self.pinned,
        }
    }

    /// The squares the man on `from` may enter with regard to pins and discoveries.
    #[inline]
    fn line_bound(&self, from: Square) -> Bitboard {
        let mut bound = Bitboard::FULL;
        if self.pinned.contains(from)
            && let Some(king) = self.king
        {
            bound &= attacks::ray(king, from);
        }
        if let Some(shy) = &self.shy
            && shy.discoverers.contains(from)
        {
            bound &= attacks::ray(shy.king, from);
        }
        bound
    }

    /// Whether `men`, the placement after an unusual move, leaves the own king safe and gives no
    /// forbidden check.
    fn allows(&self, men: &Men) -> bool {
        let safe = self.king.is_none()
            || men
                .king(self.us)
                .is_some_and(|king| !men.is_attacked(!self.us, king));
        safe && !self
            .shy
            .is_some_and(|shy| men.is_attacked(self.us, shy.king))
    }

    #[inline]
    fn try_single<S: Sink>(&self, m: Move, sink: &mut S) {
        if self.allows(&self.position.men_after(m)) {
            sink.single(m);
        }
    }
}

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

impl Bounds<'_> {
    /// The squares the king may enter without discovering a forbidden check.
    #[inline]
    fn line_bound_of_king(&self, from: Square) -> Bitboard {
        match &self.shy {
            Some(shy) if shy.discoverers.contains(from) => attacks::ray(shy.king, from),
            _ => Bitboard::FULL,
        }
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
        // As in `MoveList::pawns`: the target came from a pawn shifted by `step`.
        let from = Square::new((to as i32 - step) as u32);
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

/// Captures where the captured man comes back: it may close a line, so that pinned men and men
/// that do not answer a check directly may capture too, or open fire, so that they may not.
fn captures_with_rebirth<S: Sink>(bounds: &Bounds<'_>, sink: &mut S) {
    let position = bounds.position;
    let last_rank = Bitboard::from_rank(back_rank(!bounds.us));
    for from in bounds.own {
        // Own squares always hold a man.
        let Some(role) = position.men.role_at(from) else {
            continue;
        };
        let man = shakmaty::Piece {
            color: bounds.us,
            role,
        };
        let targets = attacks::attacks(from, man, bounds.occupied) & bounds.enemy;
        for to in targets & !position.men.men(!bounds.us, Role::King) {
            if role == Role::Pawn && last_rank.contains(to) {
                for &promotion in promotion_roles(position) {
                    bounds.try_single(Move::promotion_to(promotion, from, to), sink);
                }
            } else {
                bounds.try_single(Move::new(role, from, to, MoveKind::Normal), sink);
            }
        }
    }
}

fn en_passant<S: Sink>(bounds: &Bounds<'_>, sink: &mut S) {
    let position = bounds.position;
    let pawns = position.men.men(bounds.us, Role::Pawn);
    for file in files(position.en_passant) {
        let to = passed_square(!bounds.us, file);
        let victim = double_step_square(!bounds.us, file);
        if bounds.occupied.contains(to)
            || !position.men.men(!bounds.us, Role::Pawn).contains(victim)
        {
            continue;
        }
        for from in attacks::pawn_attacks(!bounds.us, to) & pawns {
            bounds.try_single(Move::new(Role::Pawn, from, to, MoveKind::EnPassant), sink);
        }
    }
}

/// The files from `from` to `to`, both included.
const fn file_span(from: u8, to: u8) -> u8 {
    let (low, high) = if from < to { (from, to) } else { (to, from) };
    (0xff << low) & (0xff >> (7 - high))
}

/// For a king and a rook on these files: the files of the king's way including its target, and
/// those that must be empty but for the two men.
const CASTLING_WAYS: [[(u8, u8); 8]; 8] = {
    let mut ways = [[(0, 0); 8]; 8];
    let mut king = 0;
    while king < 8 {
        let mut rook = 0;
        while rook < 8 {
            let (king_to, rook_to) = if rook > king { (6, 5) } else { (2, 3) };
            let king_way = file_span(king, king_to);
            let both = king_way | file_span(rook, rook_to);
            let men = 1 << king | 1 << rook;
            ways[king as usize][rook as usize] = (king_way & !(1 << king), both & !men);
            rook += 1;
        }
        king += 1;
    }
    ways
};

/// Castling: nothing between the two men and their targets, no attacked square on the king's
/// way. Where kings are ordinary men no square is barred to them.
#[inline]
fn castling<S: Sink>(bounds: &Bounds<'_>, sink: &mut S) {
    let position = bounds.position;
    let us = bounds.us;
    let Some(king_file) = files(position.unmoved_king[us as usize]).next() else {
        return;
    };
    let back_rank_shift = us.fold_wb(0, 56);
    let occupied_files = (bounds.occupied.0 >> back_rank_shift) as u8;
    for rook_file in files(position.castling[us as usize]) {
        let (king_way, empty) = CASTLING_WAYS[king_file as usize][rook_file as usize];
        if occupied_files & empty == 0 {
            let king_way = Bitboard(u64::from(king_way) << back_rank_shift);
            castle_with(bounds, king_file, rook_file, king_way, sink);
        }
    }
}

#[inline(never)]
fn castle_with<S: Sink>(
    bounds: &Bounds<'_>,
    king_file: File,
    rook_file: File,
    king_way: Bitboard,
    sink: &mut S,
) {
    let rank = back_rank(bounds.us);
    let king = Square::from_coords(king_file, rank);
    let rook = Square::from_coords(rook_file, rank);
    let lit = bounds.occupied ^ Bitboard::from_square(king);
    let men = &bounds.position.men;
    let barred = |square| men.attackers(!bounds.us, square, lit).any();
    if bounds.king.is_none() || !king_way.into_iter().any(barred) {
        bounds.try_single(Move::new(Role::King, king, rook, MoveKind::Castle), sink);
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
        let mut moves = self.unbalanced_moves(self.checks_now());
        if self.rules.counts_moves() {
            self.retain_balanced(&mut moves);
        }
        moves
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
        if self.rules.counts_moves() {
            return self.legal_moves().len() as u64;
        }
        let mut count = Count::default();
        generate(self, self.checks_now(), &mut count);
        count.0
    }

    /// Whether there is any allowed move.
    #[inline]
    pub fn has_legal_move(&self) -> bool {
        if self.rules.counts_moves() {
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
