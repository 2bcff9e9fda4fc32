//! What the evaluation looks at, as numbers for each side.

use crate::rules::{Bitboard, Color, Objective, Rank, Role, SeriesPosition, TurnNumber, attacks};

/// How many features there are.
pub(super) const FEATURES: usize = 18;

/// The features: counts of one side, later taken as the difference of the side on turn and the
/// other, but for the last four, which belong to the side on turn or to the whole position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Feature {
    /// Men by role, pawn to king (a king counts only where it is an ordinary man).
    Men = 0,
    /// The squares of the steps that pawns have made.
    Advance = 6,
    /// Pawns with a free way that the side's next series is long enough to queen.
    CanQueen = 7,
    /// Moves that the next series has left after queening with the nearest such pawn.
    Nearest = 8,
    /// Squares the pieces can go to.
    Mobility = 9,
    /// Squares the own king could flee to, at most six.
    Flights = 10,
    /// One if there are none.
    NoFlights = 11,
    /// Attacks on the enemy king and the squares beside it.
    Pressure = 12,
    /// How near the own king stands to the centre.
    Centre = 13,
    /// One if the side on turn is in check.
    InCheck = 14,
    /// One.
    OnTurn = 15,
    /// Worth of the attacked men of the waiting side, in pawns.
    AttackedWaiting = 16,
    /// Worth of the attacked men of the side on turn, in pawns.
    AttackedOnTurn = 17,
}

/// The stage of the game, the row of the weights.
pub(super) fn stage(position: &SeriesPosition) -> usize {
    let rules = position.rules();
    if rules.objective == Objective::Capture {
        return 1;
    }
    let turn = position.turn();
    if position.series_length(TurnNumber(60)) <= 3 {
        return 0;
    }
    match position.series_length(turn) {
        0..=4 => 2,
        5 | 6 => 3,
        7 | 8 => 4,
        _ => 5,
    }
}

/// Pawns' worth of a man that can be taken.
const TAKEN: [i32; 6] = [1, 3, 3, 5, 9, 3];

/// What one side's men do on the board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Side {
    /// Squares attacked.
    pub attacked: Bitboard,
    /// Attacks on the enemy king's zone.
    pub pressure: i32,
    /// Squares the pieces can go to.
    pub mobility: i32,
}

/// What `pawns` of `color` attack, to the one side and to the other.
pub(super) fn pawn_attacks(pawns: Bitboard, color: Color) -> (Bitboard, Bitboard) {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let pawns = pawns.0;
    match color {
        Color::White => (
            Bitboard((pawns & NOT_A) << 7),
            Bitboard((pawns & NOT_H) << 9),
        ),
        Color::Black => (
            Bitboard((pawns & NOT_A) >> 9),
            Bitboard((pawns & NOT_H) >> 7),
        ),
    }
}

impl Side {
    /// Looks at the men of `us`; `zone` is the enemy king's.
    pub(super) fn new(position: &SeriesPosition, us: Color, zone: Bitboard) -> Side {
        let men = position.men();
        let own = men.of(us);
        let occupied = men.occupied();
        let mut side = Side::default();
        let (left, right) = pawn_attacks(men.men(us, Role::Pawn), us);
        side.attacked = left | right;
        side.pressure = ((left & zone).count() + (right & zone).count()) as i32;
        let mut piece = |reach: Bitboard| {
            side.attacked |= reach;
            side.pressure += (reach & zone).count() as i32;
            side.mobility += (reach & !own).count() as i32;
        };
        for from in men.men(us, Role::Knight) {
            piece(attacks::knight_attacks(from));
        }
        for from in men.diagonal_sliders(us) {
            piece(attacks::bishop_attacks(from, occupied));
        }
        for from in men.line_sliders(us) {
            piece(attacks::rook_attacks(from, occupied));
        }
        for from in men.men(us, Role::King) {
            side.attacked |= attacks::king_attacks(from);
        }
        side
    }
}

/// A king's square and those beside it, where kings are royal.
pub(super) fn zone(position: &SeriesPosition, of: Color) -> Bitboard {
    if !position.rules().has_royal_kings() {
        return Bitboard::EMPTY;
    }
    position.men().king(of).map_or(Bitboard::EMPTY, |king| {
        attacks::king_attacks(king) | Bitboard::from_square(king)
    })
}

/// How many moves the next series of `us` has (the current one, for the side on turn).
fn next_length(position: &SeriesPosition, us: Color) -> i32 {
    if position.side() == us {
        i32::from(position.moves_left())
    } else {
        i32::from(position.series_length(position.turn().next()))
    }
}

/// The pawns of `us` that have nobody in front of them.
fn free_pawns(pawns: Bitboard, occupied: Bitboard, us: Color) -> Bitboard {
    let mut behind = occupied.0;
    match us {
        Color::White => {
            behind >>= 8;
            behind |= behind >> 8;
            behind |= behind >> 16;
            behind |= behind >> 32;
        }
        Color::Black => {
            behind <<= 8;
            behind |= behind << 8;
            behind |= behind << 16;
            behind |= behind << 32;
        }
    }
    pawns & !Bitboard(behind)
}

/// How many squares a king on `square` could flee to.
pub(super) fn flights(position: &SeriesPosition, us: Color, enemy: &Side) -> i32 {
    if !position.rules().has_royal_kings() {
        return 0;
    }
    let men = position.men();
    men.king(us).map_or(0, |king| {
        (attacks::king_attacks(king) & !men.of(us) & !enemy.attacked).count() as i32
    })
}

/// Fills in what belongs to `us` alone.
fn add_side(
    position: &SeriesPosition,
    us: Color,
    own: &Side,
    enemy: &Side,
    sign: i32,
    features: &mut [i32; FEATURES],
) {
    let men = position.men();
    let royal = position.rules().has_royal_kings();
    let mut add = |feature: usize, value: i32| features[feature] += sign * value;
    for (index, role) in Role::ALL.into_iter().enumerate() {
        if role != Role::King || !royal {
            add(
                Feature::Men as usize + index,
                men.men(us, role).count() as i32,
            );
        }
    }
    let length = next_length(position, us);
    let double_step = position.rules().double_step;
    let pawns = men.men(us, Role::Pawn);
    let free = free_pawns(pawns, men.occupied(), us);
    let mut advance = 0;
    let mut can_queen = 0;
    let mut spare = -1;
    for steps in 0..6 {
        let rank = Bitboard::from_rank(Rank::new(us.fold_wb(1 + steps, 6 - steps)));
        advance += (steps * steps) as i32 * (pawns & rank).count() as i32;
        let needed = 6 - steps as i32 - i32::from(steps == 0 && double_step);
        let here = (free & rank).count() as i32;
        if needed <= length && here > 0 {
            can_queen += here;
            spare = spare.max(length - needed);
        }
    }
    add(Feature::Advance as usize, advance);
    add(Feature::CanQueen as usize, can_queen);
    add(Feature::Nearest as usize, spare + 1);
    add(Feature::Mobility as usize, own.mobility);
    add(Feature::Pressure as usize, own.pressure);
    if royal && let Some(king) = men.king(us) {
        let flights = flights(position, us, enemy);
        add(Feature::Flights as usize, flights.min(6));
        add(Feature::NoFlights as usize, i32::from(flights == 0));
        let (file, rank) = (king.file() as i32, king.rank() as i32);
        add(
            Feature::Centre as usize,
            file.min(7 - file) + rank.min(7 - rank),
        );
    }
}

/// Whether `us` has so little that a king in the centre cannot be mated: it stands still while a
/// whole series is played against it, and nothing drives it to the edge. A queen or rook needs a
/// second piece or a pawn, two minor pieces are too few.
pub(super) fn hardly_mates(position: &SeriesPosition, us: Color) -> bool {
    let rules = position.rules();
    if !rules.has_royal_kings() || rules.has_rebirth() || stage(position) < 2 {
        return false;
    }
    let men = position.men();
    let minors = men.men(us, Role::Knight).count() + men.men(us, Role::Bishop).count();
    let majors = men.men(us, Role::Rook).count() + men.men(us, Role::Queen).count();
    men.men(us, Role::Pawn).is_empty() && (minors + majors <= 1 || (majors == 0 && minors <= 2))
}

/// The worth in pawns of the men of `us` that `enemy` attacks.
fn attacked_worth(position: &SeriesPosition, us: Color, enemy: &Side) -> i32 {
    let men = position.men();
    let attacked = men.of(us) & enemy.attacked;
    let royal = position.rules().has_royal_kings();
    Role::ALL
        .into_iter()
        .zip(TAKEN)
        .filter(|&(role, _)| role != Role::King || !royal)
        .map(|(role, worth)| worth * (attacked & men.with_role(role)).count() as i32)
        .sum()
}

/// All features, for the side on turn.
pub(super) fn features(position: &SeriesPosition, own: &Side, enemy: &Side) -> [i32; FEATURES] {
    let us = position.side();
    let mut features = [0; FEATURES];
    add_side(position, us, own, enemy, 1, &mut features);
    add_side(position, !us, enemy, own, -1, &mut features);
    features[Feature::InCheck as usize] = i32::from(
        position.is_turn_start() && {
            let king = if position.rules().has_royal_kings() {
                position.men().king(us)
            } else {
                None
            };
            king.is_some_and(|king| enemy.attacked.contains(king))
        },
    );
    features[Feature::OnTurn as usize] = 1;
    features[Feature::AttackedWaiting as usize] = -attacked_worth(position, !us, own);
    features[Feature::AttackedOnTurn as usize] = attacked_worth(position, us, enemy);
    features
}
