//! Moves that change more than two squares, each tried on a copy of the men: captures with
//! rebirth, en passant, castling.

use shakmaty::{Bitboard, File, Role, Square, attacks};

use super::{
    super::{
        moves::{Move, MoveKind},
        position::{back_rank, double_step_square, files, passed_square},
    },
    bounds::Bounds,
    promotion_roles,
    sink::Sink,
};

/// Captures where the captured man comes back: it may close a line, so that pinned men and men
/// that do not answer a check directly may capture too, or open fire, so that they may not.
pub(super) fn captures_with_rebirth<S: Sink>(bounds: &Bounds<'_>, sink: &mut S) {
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

pub(super) fn en_passant<S: Sink>(bounds: &Bounds<'_>, sink: &mut S) {
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
pub(super) fn castling<S: Sink>(bounds: &Bounds<'_>, sink: &mut S) {
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
