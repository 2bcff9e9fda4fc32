//! What a position is worth without looking ahead.
//!
//! The score is for the side on turn, in centipawns. It counts material, the pawns' way to
//! promotion, mobility, and how hard each king is to mate: in series chess a king falls to a
//! long series wherever its flight squares can be covered. It never searches; the search calls it.

use crate::rules::{Bitboard, Color, Role, SeriesPosition, Square};

/// A score in hundredths of a pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Centipawns(pub i32);

impl std::ops::Neg for Centipawns {
    type Output = Centipawns;

    fn neg(self) -> Centipawns {
        Centipawns(-self.0)
    }
}

/// No evaluation is greater than this, or less than its negative.
pub const EVALUATION_MAX: i32 = 20_000;

/// Worth of pawn, knight, bishop, rook and queen, and of a king where it is an ordinary man.
const WORTH: [(Role, i32); 6] = [
    (Role::Pawn, 100),
    (Role::Knight, 300),
    (Role::Bishop, 310),
    (Role::Rook, 480),
    (Role::Queen, 900),
    (Role::King, 350),
];
/// Per square a piece can go to.
const MOBILITY: i32 = 3;
/// Per step of a pawn, times the steps it has made: a pawn near promotion is nearly a queen.
const ADVANCE: i32 = 4;
/// Per square the king could flee to.
const FLIGHT: i32 = 12;
/// Per attack of an enemy man on the king or a square beside it.
const PRESSURE: i32 = 9;

/// The worth of `position` for the side on turn.
pub fn evaluate(position: &SeriesPosition) -> Centipawns {
    let us = position.side();
    let score = side_score(position, us) - side_score(position, !us);
    Centipawns(score.clamp(-EVALUATION_MAX, EVALUATION_MAX))
}

fn side_score(position: &SeriesPosition, us: Color) -> i32 {
    let men = position.men();
    let royal = position.rules().has_royal_kings();
    let own = men.of(us);
    let mut score = 0;
    for (role, worth) in WORTH {
        if role != Role::King || !royal {
            score += worth * men.men(us, role).count() as i32;
        }
    }
    for pawn in men.men(us, Role::Pawn) {
        let rank = pawn.rank() as i32;
        let steps = us.fold_wb(rank - 1, 6 - rank);
        score += ADVANCE * steps * steps;
    }
    let zone = if royal {
        men.king(!us)
            .map_or(Bitboard::EMPTY, |king| zone_of(position, king))
    } else {
        Bitboard::EMPTY
    };
    let mut attacked = Bitboard::EMPTY;
    let pieces = own & !men.with_role(Role::Pawn);
    for square in own {
        let reach = men.attacks_from(square);
        attacked |= reach;
        score += PRESSURE * (reach & zone).count() as i32;
        if pieces.contains(square) {
            score += MOBILITY * (reach & !own).count() as i32;
        }
    }
    if royal && let Some(king) = men.king(!us) {
        let flights = men.attacks_from(king) & !men.of(!us) & !attacked;
        score -= FLIGHT * (flights.count() as i32).min(4);
    }
    score
}

/// A king's square and those beside it.
fn zone_of(position: &SeriesPosition, king: Square) -> Bitboard {
    position.men().attacks_from(king) | Bitboard::from_square(king)
}

/// How near the side on turn is to mating: higher is nearer. It orders the positions inside a
/// series when a mate is looked for, and means nothing else.
pub fn mating_chances(position: &SeriesPosition) -> i32 {
    let us = position.side();
    let men = position.men();
    let Some(king) = men.king(!us) else {
        return evaluate(position).0;
    };
    let zone = zone_of(position, king);
    let mut covered = Bitboard::EMPTY;
    let mut score = 0;
    for square in men.of(us) & !men.with_role(Role::King) {
        let reach = men.attacks_from(square);
        covered |= reach & zone;
        score += 4 * (reach & zone).count() as i32 - square.distance(king) as i32;
    }
    score += 30 * men.men(us, Role::Queen).count() as i32;
    let flights = men.attacks_from(king) & !men.of(!us) & !covered;
    let advanced: i32 = men
        .men(us, Role::Pawn)
        .into_iter()
        .map(|pawn| us.fold_wb(pawn.rank() as i32 - 1, 6 - pawn.rank() as i32))
        .map(|steps| steps * steps)
        .sum();
    score - 20 * flights.count() as i32 + advanced
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_fen;
    use crate::rules::Preset;

    #[test]
    fn both_sides_see_the_same_score() {
        for &preset in Preset::ALL {
            let start = SeriesPosition::start(preset.rules());
            assert_eq!(evaluate(&start), Centipawns(0), "{preset}");
        }
        let fen = |side| format!("r3k3/8/8/8/8/8/8/Q3K3 {side} - - 0 3");
        let white = parse_fen(Preset::Scottish.rules(), &fen("w")).unwrap();
        let black = parse_fen(Preset::Scottish.rules(), &fen("b")).unwrap();
        assert_eq!(evaluate(&white), -evaluate(&black));
        assert!(evaluate(&white) > Centipawns(200));
    }
}
