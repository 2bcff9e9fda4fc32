//! The key of a position in a book: made of its text, so that it stays what it is whatever the
//! program keeps in memory.

use std::hash::Hasher;

use fnv::FnvHasher;

use crate::{
    notation::format_fen,
    rules::{Role, SeriesPosition, Square, attacks},
};

/// The text that [`book_key`] is made of: the series FEN, in whose fourth field only those squares
/// stand where a pawn of the side on turn attacks.
pub fn key_text(position: &SeriesPosition) -> String {
    let fen = format_fen(position);
    if position.en_passant_squares().is_empty() {
        return fen;
    }
    let pawns = position.men().men(position.side(), Role::Pawn);
    let takes = |square: &Square| (attacks::pawn_attacks(!position.side(), *square) & pawns).any();
    let squares: String = position
        .en_passant_squares()
        .into_iter()
        .filter(takes)
        .map(|square| square.to_string())
        .collect();
    let squares = if squares.is_empty() { "-" } else { &squares };
    fen.split(' ')
        .enumerate()
        .map(|(index, field)| if index == 3 { squares } else { field })
        .collect::<Vec<_>>()
        .join(" ")
}

/// The key of a position at the start of a turn: FNV-1a, 64 bits, of [`key_text`].
pub fn book_key(position: &SeriesPosition) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(key_text(position).as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        notation::parse_fen,
        rules::{Preset, RuleSet},
    };

    /// The number was computed with an independent implementation of FNV-1a.
    #[test]
    fn keys_are_those_of_the_documented_text() {
        let start = SeriesPosition::start(RuleSet::default());
        assert_eq!(
            key_text(&start),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
        assert_eq!(book_key(&start), 0xf80b_116a_e972_ccaf);
    }

    #[test]
    fn en_passant_counts_only_where_a_pawn_stands_to_take() {
        let text = |fen: &str| {
            let position = parse_fen(Preset::Italian.rules(), fen).unwrap();
            key_text(&position)
        };
        let idle = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 2";
        assert_eq!(text(idle), idle.replace("e3", "-"));
        let live = "rnbqkbnr/ppp1pppp/8/8/3pP2P/8/PPPP1PP1/RNBQKBNR b KQkq e3h3 0 4";
        assert_eq!(text(live), live.replace("e3h3", "e3"));
    }
}
