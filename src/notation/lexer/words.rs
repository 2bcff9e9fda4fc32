//! What a word of movetext is, judged by its letters alone.

use super::{Token, source::is_blank};
use crate::notation::{alternating::is_pass, pgn::GameResult, san::split_glyph};

/// The longest word that is kept.
pub(super) const WORD_MAX: usize = 64;

/// Whether `byte` ends a word.
pub(super) fn is_delimiter(byte: u8) -> bool {
    is_blank(byte)
        || matches!(
            byte,
            b'{' | b'}'
                | b'('
                | b')'
                | b'['
                | b']'
                | b';'
                | b','
                | b'/'
                | b'$'
                | b'"'
                | b'<'
                | b'>'
                | b'*'
        )
}

fn is_promotion_letter(byte: u8) -> bool {
    matches!(byte.to_ascii_uppercase(), b'Q' | b'R' | b'B' | b'N' | b'K')
}

fn ends_on_last_rank(text: &[u8]) -> bool {
    matches!(text, [.., b'a'..=b'h', b'1' | b'8'])
}

/// Whether the slash that follows `text` belongs to a promotion, `e8/Q`, and does not separate
/// moves, `e8/Qd4`.
pub(super) fn slash_promotes(text: &[u8], ahead: [Option<u8>; 6]) -> bool {
    let [Some(b'/'), Some(letter), next, ..] = ahead else {
        return false;
    };
    ends_on_last_rank(text)
        && is_promotion_letter(letter)
        && next.is_none_or(|byte| is_delimiter(byte) || matches!(byte, b'+' | b'#' | b'!' | b'?'))
}

/// The length of a bracket that belongs to the word before it: a promotion, `e8(Q)`, or where
/// there is rebirth the man that comes back and its home square, `Nxd4(Nb8)`, `Nxd4(d7)`.
pub(super) fn bracket_length(text: &[u8], ahead: [Option<u8>; 6], rebirth: bool) -> usize {
    let Some(b'(') = ahead[0] else {
        return 0;
    };
    let inside: Vec<u8> = ahead[1..]
        .iter()
        .map_while(|&byte| byte.filter(|&byte| byte != b')'))
        .collect();
    let closed = ahead.get(inside.len() + 1) == Some(&Some(b')'));
    let belongs = match inside.as_slice() {
        [letter] => is_promotion_letter(*letter) && ends_on_last_rank(text),
        [b'a'..=b'h', b'2' | b'7']
        | [b'P', b'a'..=b'h', b'2' | b'7']
        | [b'Q' | b'R' | b'B' | b'N', b'a'..=b'h', b'1' | b'8'] => rebirth,
        _ => false,
    };
    if closed && belongs && !text.is_empty() {
        inside.len() + 2
    } else {
        0
    }
}

/// The token that a word is.
pub(super) fn classify(text: String) -> Result<Token, String> {
    Ok(match text.as_str() {
        "1-0" => Token::Result(GameResult::WhiteWins),
        "0-1" => Token::Result(GameResult::BlackWins),
        _ if is_pass(&text) => Token::Null(text),
        "e.p." | "e.p" | "ep" => Token::EnPassant,
        _ => match split_glyph(&text) {
            ("", Some(glyph)) => Token::Glyph(glyph),
            _ if may_be_move(&text) => Token::Move(text),
            _ => return Err(text),
        },
    })
}

/// Whether a word begins as moves do; the rest is for the reader of moves to judge.
fn may_be_move(text: &str) -> bool {
    let first = text.bytes().next();
    let castling = text.starts_with("0-0") || text.starts_with("o-o");
    castling
        || first.is_some_and(|byte| {
            matches!(
                byte,
                b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N' | b'P' | b'O'
            )
        })
}
