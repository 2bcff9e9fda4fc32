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
            Role::Bishop => {
                (now.into_iter()).fold(Bitboard::EMPTY, |all, square| all | alike(square))
            }
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

/// The squares of the colour of `square`.
fn alike(square: Square) -> Bitboard {
    if Bitboard::DARK_SQUARES.contains(square) {
        Bitboard::DARK_SQUARES
    } else {
        Bitboard::LIGHT_SQUARES
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
            Role::Bishop => (all & alike(prey)).any(),
            Role::Rook | Role::Queen => all.any(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{notation::parse_fen, rules::Preset};

    /// What it takes to capture everything in `fen` with as many moves left as the turn has.
    fn needed_in(fen: &str) -> usize {
        let position = parse_fen(Preset::FullCapture.rules(), fen).unwrap();
        needed(&position, usize::from(position.moves_left()))
    }

    #[test]
    fn men_are_taken_one_after_the_other() {
        assert_eq!(needed_in("n7/8/8/8/n7/8/8/R7 w - - 0 5"), 2);
        // Both only from b1: Nxa3, Nb1, Nxc3.
        assert_eq!(needed_in("8/8/8/8/8/n1n5/8/1N6 w - - 0 5"), 3);
        // Each from where the other one stands, but somebody has to come there first.
        assert_eq!(needed_in("8/8/6n1/4n3/8/8/8/N7 w - - 0 7"), 3);
    }

    #[test]
    fn a_pawn_becomes_what_it_has_to_be() {
        // a8=Q, Qxh1.
        assert_eq!(needed_in("8/P7/8/8/8/8/8/7n w - - 0 3"), 2);
        // A double step and a capture; with one more step it is more than two.
        assert_eq!(needed_in("8/8/8/3n4/8/8/4P3/8 w - - 0 3"), 2);
        assert_eq!(needed_in("8/8/3n4/8/8/8/4P3/8 w - - 0 3"), 3);
        // A bishop of the other colour never comes, and with so few moves nobody else does.
        assert_eq!(needed_in("8/8/8/8/8/8/8/B6n w - - 0 5"), 3);
    }

    #[test]
    fn with_nothing_to_spare_only_captures_are_tried() {
        let position = |fen| parse_fen(Preset::FullCapture.rules(), fen).unwrap();
        let judged = |fen| outlook(&position(fen)).judgement;
        assert_eq!(judged("n7/8/8/8/n7/8/8/R7 w - - 0 1"), Judgement::Hopeless);
        assert_eq!(judged("n7/8/8/8/n7/8/8/R7 w - - 0 3"), Judgement::Blind);
        let exact = "n7/n7/8/8/n7/8/8/R7 w - - 0 3";
        assert_eq!(judged(exact), Judgement::Taking);
        let mut moves = MoveList::new();
        position(exact).write_legal_moves(&mut moves);
        retain_captures(&position(exact), &mut moves);
        assert_eq!(moves.len(), 1);
    }
}
