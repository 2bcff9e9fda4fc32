//! The bound where everything has to be captured: how many moves that takes at least.
//!
//! Every enemy man is taken by a move that comes either from a square where one of our men stands
//! now or from one where another enemy man was taken before, and no two of these moves come from the
//! same square on the way of one man. What lies in between costs moves that take nothing. Lines are
//! relaxed: men in the way may have gone or been taken by then.

use shakmaty::attacks;

use super::bound::{Judgement, Outlook, rank};
use crate::rules::{Bitboard, Color, File, MoveKind, MoveList, Rank, Role, SeriesPosition, Square};

/// What our men of one role could be at some time of the series.
#[derive(Clone, Copy)]
struct Hunters {
    role: Role,
    /// Where they stand now.
    now: Bitboard,
    /// Enemy squares they may come to.
    later: Bitboard,
}

/// What there is to say of `position`.
pub(super) fn outlook(position: &SeriesPosition) -> Outlook {
    let left = usize::from(position.moves_left());
    let enemies = position.men().of(!position.side()).count();
    let needed = if enemies > left {
        enemies
    } else {
        needed(position, left)
    };
    Outlook {
        judgement: if needed > left {
            Judgement::Hopeless
        } else if enemies == left {
            Judgement::Taking
        } else {
            Judgement::Blind
        },
        rank: rank(needed, 0),
    }
}

/// Keeps the moves that take something.
pub(super) fn retain_captures(position: &SeriesPosition, moves: &mut MoveList) {
    let enemy = position.men().of(!position.side());
    moves.retain(|m| enemy.contains(m.to()) || m.kind() == MoveKind::EnPassant);
}

/// How many moves it takes at least to take all enemy men with `left` moves; more than `left` if it
/// cannot be done.
fn needed(position: &SeriesPosition, left: usize) -> usize {
    let us = position.side();
    let enemy = position.men().of(!us);
    let count = enemy.count();
    // Men taken en passant are not taken where they stand.
    if position.can_take_en_passant() {
        return count;
    }
    let hunters = hunters(position, left);
    // From where each man can be taken at once, as far as it can.
    let mut sources = [Bitboard::EMPTY; 64];
    let mut at_once = Bitboard::EMPTY;
    let mut cost = 0;
    for prey in enemy {
        let mut from = Bitboard::EMPTY;
        for hunter in &hunters {
            from |= reach(hunter.role, prey, us) & (hunter.now | hunter.later);
        }
        sources[prey as usize] = from;
        if from.any() {
            at_once.add(prey);
            cost += 1;
        } else {
            cost += way(us, &hunters, prey);
        }
    }
    // Castling is a move on the way of two men.
    let spare = usize::from(position.castling_rooks(us).any());
    if cost > left + spare {
        return cost - spare;
    }
    // Whoever has no square of his own to be taken from takes a move more, and so does one of those
    // that can only be taken one from the square of the other.
    let more = at_once.count() - matching(at_once, &sources);
    let reached = position.men().of(us) | enemy & !at_once;
    let is_cut_off = more == 0 && !are_connected(at_once, &sources, reached);
    (cost + more + usize::from(is_cut_off) - spare).max(count)
}

/// Our men by what they are or can become.
fn hunters(position: &SeriesPosition, left: usize) -> [Hunters; 6] {
    let us = position.side();
    let men = position.men();
    let enemy = men.of(!us);
    let pawns = men.men(us, Role::Pawn);
    let can_promote = pawns
        .into_iter()
        .any(|pawn| steps_to_promote(position, pawn) < left);
    Role::ALL.map(|role| {
        let now = men.men(us, role);
        let later = match role {
            Role::Pawn => pawns
                .into_iter()
                .fold(Bitboard::EMPTY, |cone, pawn| cone | ahead(us, pawn)),
            _ if can_promote => Bitboard::FULL,
            Role::Bishop => [Bitboard::DARK_SQUARES, Bitboard::LIGHT_SQUARES]
                .into_iter()
                .filter(|&squares| (squares & now).any())
                .fold(Bitboard::EMPTY, |all, squares| all | squares),
            _ if now.any() => Bitboard::FULL,
            _ => Bitboard::EMPTY,
        };
        Hunters {
            role,
            now,
            later: later & enemy,
        }
    })
}

/// The moves that `pawn` needs at least to promote.
fn steps_to_promote(position: &SeriesPosition, pawn: Square) -> usize {
    let rank = pawn.rank() as usize;
    let steps = position.side().fold_wb(7 - rank, rank);
    let has_double_step = position.rules().double_step && steps >= 6;
    steps - usize::from(has_double_step)
}

/// The squares that a pawn may come to by steps and captures, its own one left out.
fn ahead(us: Color, pawn: Square) -> Bitboard {
    let mut row = Bitboard::from_square(pawn);
    let mut cone = Bitboard::EMPTY;
    loop {
        let up = us.fold_wb(row.0 << 8, row.0 >> 8);
        if up == 0 {
            return cone;
        }
        let right = (up & !Bitboard::from_file(File::H).0) << 1;
        let left = (up & !Bitboard::from_file(File::A).0) >> 1;
        row = Bitboard(up | right | left);
        cone |= row;
    }
}

/// The squares from where a man of `role` could take on `prey` if nothing stood in between.
fn reach(role: Role, prey: Square, us: Color) -> Bitboard {
    match role {
        Role::Pawn => attacks::pawn_attacks(!us, prey),
        Role::Knight => attacks::knight_attacks(prey),
        Role::Bishop => attacks::bishop_attacks(prey, Bitboard::EMPTY),
        Role::Rook => attacks::rook_attacks(prey, Bitboard::EMPTY),
        Role::Queen => attacks::queen_attacks(prey, Bitboard::EMPTY),
        Role::King => attacks::king_attacks(prey),
    }
}

/// How many moves it takes at least to come from elsewhere and take on `prey`, which nobody can take
/// at once: 2, or 3 for more.
fn way(us: Color, hunters: &[Hunters; 6], prey: Square) -> usize {
    let comes = hunters.iter().any(|hunter| {
        let all = hunter.now | hunter.later;
        let from = reach(hunter.role, prey, us);
        match hunter.role {
            // A step, or two at once; or a step to the last rank, from where anything can follow.
            Role::Pawn => {
                let (one, two) =
                    us.fold_wb((from.0 >> 8, from.0 >> 16), (from.0 << 8, from.0 << 16));
                let seventh = Bitboard::from_rank(us.fold_wb(Rank::Seventh, Rank::Second));
                ((Bitboard(one | two) | seventh) & all).any()
            }
            // From one line to another.
            Role::Bishop | Role::Rook | Role::Queen => all.any(),
            Role::Knight => {
                (from.into_iter()).any(|square| (attacks::knight_attacks(square) & all).any())
            }
            Role::King => {
                (from.into_iter()).any(|square| (attacks::king_attacks(square) & all).any())
            }
        }
    });
    if comes { 2 } else { 3 }
}

/// How many of `prey` can be taken each from another one of its `sources`.
fn matching(prey: Bitboard, sources: &[Bitboard; 64]) -> usize {
    let mut taken_from = [None; 64];
    prey.into_iter()
        .filter(|&one| {
            let mut tried = Bitboard::EMPTY;
            finds_source(one, sources, &mut taken_from, &mut tried)
        })
        .count()
}

/// Finds a source for `prey`, moving others to another one of theirs where it has to be.
fn finds_source(
    prey: Square,
    sources: &[Bitboard; 64],
    taken_from: &mut [Option<Square>; 64],
    tried: &mut Bitboard,
) -> bool {
    let from = sources[prey as usize];
    let free = (from & !*tried)
        .into_iter()
        .find(|&source| taken_from[source as usize].is_none());
    if let Some(source) = free {
        taken_from[source as usize] = Some(prey);
        return true;
    }
    for source in from {
        if tried.contains(source) {
            continue;
        }
        tried.add(source);
        let Some(other) = taken_from[source as usize] else {
            continue;
        };
        if finds_source(other, sources, taken_from, tried) {
            taken_from[source as usize] = Some(prey);
            return true;
        }
    }
    false
}

/// Whether all of `prey` can be taken at once one after the other, from squares that are `reached`.
fn are_connected(prey: Bitboard, sources: &[Bitboard; 64], mut reached: Bitboard) -> bool {
    let mut rest = prey;
    loop {
        let next: Bitboard = (rest.into_iter())
            .filter(|&one| (sources[one as usize] & reached).any())
            .collect();
        if next.is_empty() {
            return rest.is_empty();
        }
        reached |= next;
        rest &= !next;
    }
}
