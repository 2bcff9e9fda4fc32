//! What each man can do to the enemy king in one move: under balance a man has seldom more.

use arrayvec::ArrayVec;

use super::{around::beside, features::pawn_attacks};
use crate::rules::{Bitboard, Color, Rank, Role, SeriesPosition, Square, attacks, back_rank};

/// The king's square and those beside it.
const ZONE: usize = 9;
/// Roles that can give check.
const CHECKING: usize = 5;
/// More men than this that bear on a square are not told apart,
const COVER_MAX: usize = 4;
/// nor more men of a role that can check,
const CHECKS_MAX: usize = 3;
/// nor more that bear on the king's surroundings at all,
const NEAR_MAX: usize = 12;
/// nor more that can move,
const MOBILE_MAX: usize = 16;
/// nor a series longer or shorter by more moves than men can move.
const SPARE_MAX: i32 = 8;

/// Where the inputs begin: of each kind first those on the board as it is, then those with every
/// line open that men of the same side stand on.
const COVER: usize = 0;
const CHECKS: usize = COVER + 2 * ZONE * COVER_MAX;
const NEAR: usize = CHECKS + 2 * CHECKING * CHECKS_MAX;
const MOBILE: usize = NEAR + 2 * (NEAR_MAX + 1);
const SPARE: usize = MOBILE + MOBILE_MAX + 1;
/// How many there are.
pub(super) const REACH_INPUTS: usize = SPARE + 2 * SPARE_MAX as usize + 1;
/// The most that are set at once.
pub(super) const REACH_SET: usize = 2 * (ZONE + CHECKING + 1) + 2;

/// Room for the zone, in whole vector registers.
const ROOM: usize = ZONE.next_multiple_of(4);
/// By square of the zone: from where a man bears on it.
type From = [Bitboard; ROOM];

/// What men can do in one move.
#[derive(Default)]
struct Tally {
    cover: [u64; ROOM],
    checks: [usize; CHECKING],
    near: usize,
    mobile: usize,
}

/// From where a man bears on each square of `zone`, by the square.
fn from(zone: &[Square], bears: impl Fn(Square) -> Bitboard) -> From {
    let mut from = [Bitboard::EMPTY; ROOM];
    for (from, &square) in from.iter_mut().zip(zone) {
        *from = bears(square);
    }
    from
}

/// The king and the squares beside it, the king's first, and from where men of one side bear on them
/// whatever stands on the board.
struct Zone {
    squares: ArrayVec<Square, ZONE>,
    knight: From,
    pawn: From,
    king: From,
}

impl Zone {
    fn new(squares: ArrayVec<Square, ZONE>, them: Color) -> Zone {
        Zone {
            knight: from(&squares, attacks::knight_attacks),
            pawn: from(&squares, |square| attacks::pawn_attacks(!them, square)),
            king: from(&squares, attacks::king_attacks),
            squares,
        }
    }
}

/// Counts what the men of `them` can do in one move to the squares of `zone`; `open` are men of
/// theirs that are not in the way.
fn tally(position: &SeriesPosition, them: Color, zone: &Zone, open: Bitboard) -> Tally {
    let men = position.men();
    let theirs = men.of(them);
    let king = zone.squares.first().copied();
    let occupied = men.occupied() & !open;
    // A king that flees does not stand in its own way.
    let behind = king.map_or(occupied, |king| occupied & !Bitboard::from_square(king));
    let diagonal = from(&zone.squares, |square| {
        attacks::bishop_attacks(square, behind)
    });
    let line = from(&zone.squares, |square| {
        attacks::rook_attacks(square, behind)
    });
    let mut both = [Bitboard::EMPTY; ROOM];
    let mut promoted = [Bitboard::EMPTY; ROOM];
    for place in 0..ROOM {
        both[place] = diagonal[place] | line[place];
        promoted[place] = both[place] | zone.knight[place];
    }
    let beside_king = king.map_or(Bitboard::EMPTY, attacks::king_attacks);
    let last = Bitboard::from_rank(back_rank(!them));
    let stay = theirs & !open;
    let mut tally = Tally::default();
    for (index, role) in Role::ALL.into_iter().enumerate() {
        let from = match role {
            Role::Pawn => &zone.pawn,
            Role::Knight => &zone.knight,
            Role::Bishop => &diagonal,
            Role::Rook => &line,
            Role::Queen => &both,
            Role::King => &zone.king,
        };
        for square in men.men(them, role) {
            let own = Bitboard::from_square(square);
            let to = match role {
                Role::Pawn => {
                    let (left, right) = pawn_attacks(own, them);
                    let takes = (left | right) & men.of(!them);
                    takes | steps(own, them, occupied)
                }
                Role::Knight => attacks::knight_attacks(square),
                Role::Bishop => attacks::bishop_attacks(square, occupied),
                Role::Rook => attacks::rook_attacks(square, occupied),
                Role::Queen => attacks::queen_attacks(square, occupied),
                Role::King => attacks::king_attacks(square) & !beside_king,
            } & !stay
                & !own;
            tally.mobile += usize::from(to.any());
            let at = to | own;
            let queens = if role == Role::Pawn {
                at & last
            } else {
                Bitboard::EMPTY
            };
            let mut covers = [0; ROOM];
            for ((covers, from), promoted) in covers.iter_mut().zip(from).zip(&promoted) {
                *covers = (at & *from | queens & *promoted).0;
            }
            for (cover, covers) in tally.cover.iter_mut().zip(covers) {
                *cover += u64::from(covers != 0);
            }
            if index < CHECKING {
                tally.checks[index] += usize::from(covers[0] != 0);
            }
            let near = covers.iter().fold(0, |near, covers| near | covers);
            tally.near += usize::from(near != 0);
        }
    }
    tally
}

/// Where pawns can step to.
fn steps(pawns: Bitboard, color: Color, occupied: Bitboard) -> Bitboard {
    let step = |pawns: Bitboard| {
        let ahead = match color {
            Color::White => pawns.0 << 8,
            Color::Black => pawns.0 >> 8,
        };
        Bitboard(ahead) & !occupied
    };
    let once = step(pawns);
    let third = Bitboard::from_rank(color.fold_wb(Rank::Third, Rank::Sixth));
    once | step(once & third)
}

/// Adds the inputs for the king of `us`, if there is one, when the enemy has a series of `length`
/// moves.
pub(super) fn add_inputs(
    position: &SeriesPosition,
    us: Color,
    length: u16,
    mut add: impl FnMut(usize),
) {
    let Some(king) = position.men().king(us) else {
        return;
    };
    let them = !us;
    let mut places: ArrayVec<(Square, usize), ZONE> = ArrayVec::new();
    places.push((king, 0));
    places.extend(beside(us, king).map(|(square, place)| (square, place + 1)));
    let squares = places.iter().map(|&(square, _)| square).collect();
    let zone = Zone::new(squares, them);
    let now = tally(position, them, &zone, Bitboard::EMPTY);
    let open = tally(position, them, &zone, position.men().of(them));
    for (number, tally) in [&now, &open].into_iter().enumerate() {
        for (&(_, place), &count) in places.iter().zip(&tally.cover) {
            if count > 0 {
                let count = (count as usize).min(COVER_MAX);
                add(COVER + (number * ZONE + place) * COVER_MAX + count - 1);
            }
        }
        for (role, &count) in tally.checks.iter().enumerate() {
            if count > 0 {
                add(CHECKS + (number * CHECKING + role) * CHECKS_MAX + count.min(CHECKS_MAX) - 1);
            }
        }
        add(NEAR + number * (NEAR_MAX + 1) + tally.near.min(NEAR_MAX));
    }
    let mobile = now.mobile.min(MOBILE_MAX);
    add(MOBILE + mobile);
    let spare = (i32::from(length) - mobile as i32).clamp(-SPARE_MAX, SPARE_MAX);
    add(SPARE + (spare + SPARE_MAX) as usize);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{notation::parse_fen, rules::Preset};

    #[test]
    fn men_are_counted_that_reach_a_square_in_a_move() {
        let fen = "4k2r/8/8/8/8/2n5/3P4/4K3 b - - 0 8";
        let position = parse_fen(Preset::English.rules(), fen).unwrap();
        let squares = [Square::E1, Square::D1, Square::F2];
        let zone = Zone::new(squares.into_iter().collect(), Color::Black);
        let now = tally(&position, Color::Black, &zone, Bitboard::EMPTY);
        // The rook checks from h1, the knight from nowhere near; d1 both can attack.
        assert_eq!(now.checks, [0, 0, 0, 1, 0]);
        assert_eq!(now.cover[1], 2);
        assert_eq!(now.mobile, 3);
        let theirs = position.men().of(Color::Black);
        let open = tally(&position, Color::Black, &zone, theirs);
        assert_eq!(open.checks, [0, 0, 0, 1, 0]);
    }
}
