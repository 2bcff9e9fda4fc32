//! A move text in a position: the first line is a FEN, the second one the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seriatim::notation::{CastlingText, parse_fen, parse_san, parse_uci_move, san, uci_text};
use seriatim_fuzz::rules_and_text;

fuzz_target!(|data: &[u8]| {
    let Some((rules, text)) = rules_and_text(data) else {
        return;
    };
    let (fen, text) = text.split_once('\n').unwrap_or((
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        text,
    ));
    let Ok(position) = parse_fen(rules, fen) else {
        return;
    };
    if let Ok(m) = parse_uci_move(&position, text) {
        assert!(position.is_legal(m));
        for castling in [CastlingText::KingMove, CastlingText::KingTakesRook] {
            assert_eq!(parse_uci_move(&position, &uci_text(m, castling)), Ok(m));
        }
    }
    if let Ok(m) = parse_san(&position, text) {
        assert!(position.is_legal(m));
        assert_eq!(parse_san(&position, &san(&position, m)), Ok(m));
    }
});
