//! What the evaluation looks at, as numbers for each side.

use crate::rules::{
    Balance, Bitboard, Color, Objective, Role, SeriesPosition, TurnNumber, attacks,
};

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
    if rules.balance != Balance::Off {
        return 6;
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
    /// Squares that the enemy king could flee to.
    pub leaves: i32,
}

/// What the men of the side on turn do, and those of the other.
pub(super) fn sides(position: &SeriesPosition) -> (Side, Side) {
    let us = position.side();
    (Side::new(position, us), Side::new(position, !us))
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
    /// Looks at the men of `us`.
    pub(super) fn new(position: &SeriesPosition, us: Color) -> Side {
        let zone = zone(position, !us);
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
        side.leaves = (zone & !side.attacked & !men.of(!us)).count() as i32;
        side
    }
}

/// A king's square and those beside it, where kings are royal.
fn zone(position: &SeriesPosition, of: Color) -> Bitboard {
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

/// How a side's pawns stand.
struct Pawns {
    /// The squares of the steps that they have made.
    advance: i32,
    /// How many have nobody in front of them and can queen in the next series of the side,
    can_queen: i32,
    /// and the most moves that leaves, and one; zero if none can.
    nearest: i32,
}

impl Pawns {
    /// The pawns of `us`, whose next series has `length` moves.
    fn new(position: &SeriesPosition, us: Color, length: i32) -> Pawns {
        const FROM_SECOND_TO_SEVENTH: u64 = 0x00ff_ffff_ffff_ff00;
        // As White's: the rank is the number of the byte, from 0.
        let seen = |squares: Bitboard| us.fold_wb(squares.0, squares.0.swap_bytes());
        let men = position.men();
        let pawns = seen(men.men(us, Role::Pawn));
        let mut advance = 0;
        for steps in 1..6 {
            let here = pawns & 0xff << (8 * (steps + 1));
            advance += (steps * steps * here.count_ones()) as i32;
        }
        let mut behind = seen(men.occupied()) >> 8;
        behind |= behind >> 8;
        behind |= behind >> 16;
        behind |= behind >> 32;
        // To the last rank, byte 7, a move for each; a double step saves one.
        let double_step = i32::from(position.rules().double_step);
        let lowest = if length + double_step >= 6 {
            1
        } else {
            (7 - length).clamp(2, 7)
        };
        let can_queen = pawns & !behind & FROM_SECOND_TO_SEVENTH & u64::MAX << (8 * lowest);
        let nearest = if can_queen == 0 {
            0
        } else {
            let rank = can_queen.ilog2() as i32 / 8;
            let needed = if rank == 1 { 6 - double_step } else { 7 - rank };
            length - needed + 1
        };
        Pawns {
            advance,
            can_queen: can_queen.count_ones() as i32,
            nearest,
        }
    }
}

/// Features that are counts of one side.
const SIDED: usize = Feature::InCheck as usize;

/// The counts of `us`.
fn of_side(position: &SeriesPosition, us: Color, own: &Side, enemy: &Side) -> [i32; SIDED] {
    let men = position.men();
    let royal = position.rules().has_royal_kings();
    let mut counts = [0; SIDED];
    let mut set = |feature: Feature, value: i32| counts[feature as usize] = value;
    let pawns = Pawns::new(position, us, next_length(position, us));
    set(Feature::Advance, pawns.advance);
    set(Feature::CanQueen, pawns.can_queen);
    set(Feature::Nearest, pawns.nearest);
    set(Feature::Mobility, own.mobility);
    set(Feature::Pressure, own.pressure);
    if royal && let Some(king) = men.king(us) {
        set(Feature::Flights, enemy.leaves.min(6));
        set(Feature::NoFlights, i32::from(enemy.leaves == 0));
        let (file, rank) = (king.file() as i32, king.rank() as i32);
        let centre = file.min(7 - file) + rank.min(7 - rank);
        set(Feature::Centre, centre);
    }
    for (index, role) in Role::ALL.into_iter().enumerate() {
        if role != Role::King || !royal {
            counts[Feature::Men as usize + index] = men.men(us, role).count() as i32;
        }
    }
    counts
}

/// Whether `us` has so little that a king in the centre cannot be mated: it stands still while a
/// whole series is played against it, and nothing drives it to the edge. A queen or rook needs a
/// second piece or a pawn, two minor pieces are too few.
pub(super) fn hardly_mates(position: &SeriesPosition, us: Color) -> bool {
    let men = position.men();
    if men.men(us, Role::Pawn).any() {
        return false;
    }
    let rules = position.rules();
    if !rules.has_royal_kings() || rules.has_rebirth() || stage(position) < 2 {
        return false;
    }
    let minors = men.men(us, Role::Knight).count() + men.men(us, Role::Bishop).count();
    let majors = men.men(us, Role::Rook).count() + men.men(us, Role::Queen).count();
    minors + majors <= 1 || (majors == 0 && minors <= 2)
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

/// All features, for the side on turn; `own` and `enemy` are [`sides`].
pub(super) fn features(position: &SeriesPosition, own: &Side, enemy: &Side) -> [i32; FEATURES] {
    let us = position.side();
    let ours = of_side(position, us, own, enemy);
    let theirs = of_side(position, !us, enemy, own);
    let mut features = [0; FEATURES];
    for (feature, (ours, theirs)) in features.iter_mut().zip(ours.iter().zip(&theirs)) {
        *feature = ours - theirs;
    }
    features[Feature::InCheck as usize] = i32::from(in_check(position, enemy));
    features[Feature::OnTurn as usize] = 1;
    features[Feature::AttackedWaiting as usize] = -attacked_worth(position, !us, own);
    features[Feature::AttackedOnTurn as usize] = attacked_worth(position, us, enemy);
    features
}

/// Whether the side on turn, whose enemy's men do as `enemy` says, begins its series in check.
fn in_check(position: &SeriesPosition, enemy: &Side) -> bool {
    if !position.is_turn_start() || !position.rules().has_royal_kings() {
        return false;
    }
    let king = position.men().king(position.side());
    king.is_some_and(|king| enemy.attacked.contains(king))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{notation::parse_fen, rules::Preset};

    #[test]
    fn pawns_are_counted_that_can_queen_in_the_series() {
        // From c7 it takes one move, from b5 three, from a2 five; the h-pawns block each other.
        let pawns = |turn: i32, side: &str| {
            let fen = format!("8/2P5/8/1P6/7p/7P/P7/4K2k {side} - - 0 {turn}");
            let position = parse_fen(Preset::Italian.rules(), &fen).unwrap();
            let (own, enemy) = sides(&position);
            let features = features(&position, &own, &enemy);
            [Feature::Advance, Feature::CanQueen, Feature::Nearest]
                .map(|feature| features[feature as usize])
        };
        assert_eq!(pawns(3, "w"), [25 + 9 + 1 - 9, 2, 3]);
        assert_eq!(pawns(5, "w"), [26, 3, 5]);
        // White's next series has five moves.
        assert_eq!(pawns(4, "b"), [-26, -3, -5]);
        assert_eq!(pawns(2, "b"), [-26, -2, -3]);
    }
}
