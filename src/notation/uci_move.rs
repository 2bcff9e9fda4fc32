//! Moves as UCI writes them: `e2e4`, `e7e8q`, `e1g1`; king-takes-rook for Chess960.

use thiserror::Error;

use crate::rules::{File, Move, Refusal, Role, SeriesPosition, Square};

/// How castling is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CastlingText {
    /// The king's two squares (`e1g1`), where that is orthodox castling; else as the other one.
    #[default]
    KingMove,
    /// The king's square and the rook's (`e1h1`), as Chess960 asks.
    KingTakesRook,
}

/// A move text that names no allowed move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveTextError {
    /// It does not have the form of a move.
    #[error(
        "'{0}' is no move: expected two squares and perhaps a promotion letter, e.g. e2e4 or e7e8q"
    )]
    Malformed(String),
    /// It names a move that is not allowed.
    #[error("move '{text}' is not allowed: {reason}")]
    Illegal {
        /// The move as given.
        text: String,
        /// Why not.
        reason: Refusal,
    },
}

/// The move as UCI text.
pub fn uci_text(m: Move, castling: CastlingText) -> String {
    let mut text = m.from().to_string();
    let orthodox = m.from().file() == File::E && matches!(m.to().file(), File::A | File::H);
    let to = if m.is_castle() && orthodox && castling == CastlingText::KingMove {
        m.castling_targets().0
    } else {
        m.to()
    };
    text.push_str(&to.to_string());
    if let Some(role) = m.promotion() {
        text.push(role.char());
    }
    text
}

/// Reads a move of `position`. Either way of writing castling is understood; the promotion letter
/// may be upper case.
///
/// # Errors
/// [`MoveTextError`] with the text, and for a well-formed one the reason why it is not allowed.
pub fn parse_uci_move(position: &SeriesPosition, text: &str) -> Result<Move, MoveTextError> {
    let malformed = || MoveTextError::Malformed(text.to_owned());
    if !text.is_ascii() || !(4..=5).contains(&text.len()) {
        return Err(malformed());
    }
    let from: Square = text[0..2].parse().map_err(|_| malformed())?;
    let to: Square = text[2..4].parse().map_err(|_| malformed())?;
    let promotion = match text[4..].chars().next() {
        None => None,
        Some(letter) => Some(
            Role::from_char(letter)
                .filter(|&role| role != Role::Pawn)
                .ok_or_else(malformed)?,
        ),
    };
    let moves = position.legal_moves();
    // A plain move of the king goes before castling with the same target.
    moves
        .iter()
        .find(|m| m.from() == from && m.to() == to && m.promotion() == promotion)
        .or_else(|| {
            moves.iter().find(|m| {
                m.is_castle()
                    && m.from() == from
                    && from.file() == File::E
                    && m.castling_targets().0 == to
                    && promotion.is_none()
                    && from.distance(to) == 2
            })
        })
        .copied()
        .ok_or_else(|| MoveTextError::Illegal {
            text: text.to_owned(),
            reason: position.refusal(from, to, promotion),
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_fen;
    use crate::rules::Preset;

    #[track_caller]
    fn refusal(preset: Preset, fen: &str, text: &str) -> String {
        let position = parse_fen(preset.rules(), fen).unwrap();
        parse_uci_move(&position, text).unwrap_err().to_string()
    }

    #[test]
    fn castling_reads_both_ways() {
        let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 3";
        let position = parse_fen(Preset::Italian.rules(), fen).unwrap();
        let short = parse_uci_move(&position, "e1g1").unwrap();
        assert_eq!(parse_uci_move(&position, "e1h1").unwrap(), short);
        assert_eq!(uci_text(short, CastlingText::KingMove), "e1g1");
        assert_eq!(uci_text(short, CastlingText::KingTakesRook), "e1h1");
    }

    #[test]
    fn every_legal_move_reads_back() {
        for fen in [
            "r3k2r/pP1pqpb1/bn2pnp1/2pPN3/1p2P3/2N2Q1p/P1PBBPPP/R3K2R w KQkq c6 0 1",
            "1r2k1r1/8/8/8/8/8/8/1R2KRR1 w FQkq - 0 2",
        ] {
            let position = parse_fen(Preset::Scottish.rules(), fen).unwrap();
            for m in position.legal_moves() {
                for castling in [CastlingText::KingMove, CastlingText::KingTakesRook] {
                    assert_eq!(parse_uci_move(&position, &uci_text(m, castling)), Ok(m));
                }
            }
        }
    }

    #[test]
    fn refusals_tell_why() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let it = Preset::Italian;
        assert!(refusal(it, start, "e2").contains("is no move"));
        assert!(refusal(it, start, "e2e9").contains("is no move"));
        assert!(refusal(it, start, "e4e5").contains("no man stands on e4"));
        assert!(refusal(it, start, "e7e5").contains("not white's"));
        assert!(refusal(it, start, "a1a8").contains("cannot go"));
        assert!(refusal(it, start, "e1g1").contains("castl"));
        assert!(refusal(it, "7k/8/8/8/8/8/R7/K7 w - - 0 3", "a2h2").contains("last move"));
        assert!(refusal(it, "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 3", "e2c3").contains("in check"));
        assert!(refusal(it, "7k/P7/8/8/8/8/8/K7 w - - 0 3", "a7a8").contains("promotion"));
        let castle = refusal(it, "5k2/8/8/8/8/8/8/4K2R w K - 0 3", "e1g1");
        assert!(castle.contains("last move"), "{castle}");
        let pinned = refusal(it, "8/8/8/8/k2Pp2Q/8/8/K7 b - d3 0 4", "e4d3");
        assert!(pinned.contains("in check"), "{pinned}");
        let english = "7k/8/8/8/8/8/P7/K7 w - - 0 5 left=4;counts=a1:1";
        assert!(refusal(Preset::English, english, "a1b1").contains("balance"));
    }
}
