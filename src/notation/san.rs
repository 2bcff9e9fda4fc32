//! Standard algebraic notation of one move, in the light of the position before it.
//!
//! The writer gives the shortest text that is clear among the allowed moves; the reader takes all
//! the usual spellings and is strict about everything a text claims: a capture sign, a check
//! mark, `e.p.` and a Circe suffix must be true.

mod read;

use shakmaty::{File, Rank};
use thiserror::Error;

use super::uci_move::{CastlingText, uci_text};
use crate::rules::{
    Color, Ending, Man, Move, MoveKind, Refusal, Role, SeriesPosition, Square, role_name,
};

pub use read::parse_san;
pub(super) use read::split_glyph;

/// A text that is no move of the position, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SanError {
    /// It does not have the form of a move.
    #[error(
        "'{0}' is no move: expected algebraic notation such as e4, Nf3, exd5, Ng1-f3, e8=Q, O-O or e2e4"
    )]
    Malformed(String),
    /// A move of a side that has no such man.
    #[error("'{text}' is not allowed: {side} has no {man} there", man = role_name(*.role))]
    NoSuchMan {
        /// The text as given.
        text: String,
        /// The side on turn.
        side: Color,
        /// What the text moves.
        role: Role,
    },
    /// A move that the rules do not allow here.
    #[error("'{text}' is not allowed: {reason}")]
    Illegal {
        /// The text as given.
        text: String,
        /// Why not.
        reason: Refusal,
    },
    /// Several allowed moves fit the text.
    #[error("'{text}' is ambiguous: expected one of {candidates}")]
    Ambiguous {
        /// The text as given.
        text: String,
        /// The moves it could mean, in full.
        candidates: String,
    },
    /// A claim of the text is not true of the move it names.
    #[error("'{text}': {claim}: expected {expected}")]
    FalseClaim {
        /// The text as given.
        text: String,
        /// What is wrong with it.
        claim: &'static str,
        /// How the move is written here.
        expected: String,
    },
}

impl SanError {
    /// The text that was not understood.
    pub fn text(&self) -> &str {
        match self {
            SanError::Malformed(text)
            | SanError::NoSuchMan { text, .. }
            | SanError::Illegal { text, .. }
            | SanError::Ambiguous { text, .. }
            | SanError::FalseClaim { text, .. } => text,
        }
    }
}

/// The allowed move `m` of `position` in algebraic notation: `Nbd2`, `exd6`, `e8=Q+`, `O-O`.
///
/// `+` marks a check, `#` whatever wins at once: mate, progressive mate, and the capture of the
/// last man where that is the aim.
pub fn san(position: &SeriesPosition, m: Move) -> String {
    let mut text = san_among(position, m, &position.legal_moves());
    text.extend(check_mark(position, m));
    text
}

/// The move without a check mark, made clear among `moves`.
pub(super) fn san_among(position: &SeriesPosition, m: Move, moves: &[Move]) -> String {
    if m.is_castle() {
        return castling_text(m, moves);
    }
    let mut text = String::with_capacity(8);
    if m.role() == Role::Pawn {
        if is_capture(position, m) {
            text.push(m.from().file().char());
        }
    } else {
        text.push(m.role().upper_char());
        let (file, rank) = needed_origin(m, moves);
        text.extend(file.map(File::char));
        text.extend(rank.map(Rank::char));
    }
    if is_capture(position, m) {
        text.push('x');
    }
    text.push_str(&m.to().to_string());
    if let Some(role) = m.promotion() {
        text.push('=');
        text.push(role.upper_char());
    }
    text
}

fn castling_text(m: Move, moves: &[Move]) -> String {
    let king_side = |m: Move| m.to().file() > m.from().file();
    let twins = moves
        .iter()
        .filter(|&&other| other.is_castle() && king_side(other) == king_side(m));
    // Never both allowed at once, since the inner rook stands in the outer one's way; if they
    // ever are, squares are clear where words are not.
    if twins.count() > 1 {
        return uci_text(m, CastlingText::KingTakesRook);
    }
    if king_side(m) { "O-O" } else { "O-O-O" }.to_owned()
}

/// What of its origin a move of a man must say to be clear.
fn needed_origin(m: Move, moves: &[Move]) -> (Option<File>, Option<Rank>) {
    let rivals = || {
        moves.iter().filter(|other| {
            other.role() == m.role()
                && other.to() == m.to()
                && other.from() != m.from()
                && !other.is_castle()
        })
    };
    let (file, rank) = (m.from().file(), m.from().rank());
    if rivals().next().is_none() {
        (None, None)
    } else if rivals().all(|other| other.from().file() != file) {
        (Some(file), None)
    } else if rivals().all(|other| other.from().rank() != rank) {
        (None, Some(rank))
    } else {
        (Some(file), Some(rank))
    }
}

/// Whether `m` takes a man.
pub(super) fn is_capture(position: &SeriesPosition, m: Move) -> bool {
    !m.is_castle()
        && (m.kind() == MoveKind::EnPassant || position.men().of(!position.side()).contains(m.to()))
}

/// `+`, `#` or nothing.
pub(super) fn check_mark(position: &SeriesPosition, m: Move) -> Option<char> {
    let royal = position.rules().has_royal_kings();
    if royal && !position.gives_check(m) {
        return None;
    }
    let next = position.after(m);
    match next.board_outcome().map(|outcome| outcome.ending) {
        Some(Ending::Checkmate | Ending::ProgressiveCheckmate | Ending::AllCaptured) => Some('#'),
        _ => royal.then_some('+'),
    }
}

/// The man that `m` makes reappear, and where, in games with rebirth.
pub(super) fn reborn_man(position: &SeriesPosition, m: Move) -> Option<(Square, Man)> {
    if !position.rules().has_rebirth() {
        return None;
    }
    let enemy = !position.side();
    let after = *position.after(m).men();
    let square = (after.of(enemy) & !position.men().of(enemy)).first()?;
    after.man_at(square).map(|man| (square, man))
}

#[cfg(test)]
mod tests;
