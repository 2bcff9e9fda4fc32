//! Reading algebraic notation: first the spelling, then the allowed move that it names, last the
//! claims it makes about that move.

use shakmaty::{File, Rank};

use super::{SanError, check_mark, is_capture, reborn_man, san};
use crate::{
    notation::{
        lexer::printable,
        uci_move::{CastlingText, uci_text},
    },
    rules::{Move, MoveKind, Refusal, Role, SeriesPosition, Square},
};

/// The longest text that is looked at.
const TEXT_MAX: usize = 32;

/// A judgement such as `!?`, as its numeric glyph.
pub(in crate::notation) type Glyph = u8;

/// A move text taken apart.
#[derive(Debug, PartialEq, Eq)]
struct Spelling {
    shape: Shape,
    promotion: Option<Role>,
    en_passant: bool,
    reborn: Option<(Role, Square)>,
    check: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Shape {
    Castling { king_side: bool },
    Man(ManMove),
}

/// A move of a man as far as the text tells it.
#[derive(Debug, PartialEq, Eq)]
struct ManMove {
    /// `None` without a letter.
    role: Option<Role>,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    sign: Sign,
    to: Square,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    None,
    Dash,
    Takes,
}

impl ManMove {
    fn from(&self) -> Option<Square> {
        Some(Square::from_coords(self.from_file?, self.from_rank?))
    }

    /// Whether `m` starts where the text says.
    fn starts(&self, from: Square) -> bool {
        self.from_file.is_none_or(|file| file == from.file())
            && self.from_rank.is_none_or(|rank| rank == from.rank())
    }

    /// Whether a man of `role` on `from` may be the one that is meant.
    fn means(&self, role: Role, from: Square) -> bool {
        let fits = match self.role {
            Some(said) => said == role,
            // Two squares alone are the machine's notation, for any man.
            None => role == Role::Pawn || self.from().is_some(),
        };
        // A pawn move that names no file stays on its own.
        let on_file = self.role.is_some_and(|said| said != Role::Pawn)
            || self.from_file.is_some()
            || from.file() == self.to.file();
        fits && on_file && self.starts(from)
    }
}

/// Reads a move of `position` in algebraic notation, in any of the usual spellings: `Nf3`,
/// `Ng1-f3`, `g1f3`, `exd6 e.p.` (without the blank), `e8=Q`, `e8Q`, `e8(Q)`, `e8/Q`, `O-O`,
/// `0-0`, with `+`, `++`, `#`, `!`, `?`, and with a Circe suffix: `Nxd4(Nb8)`.
///
/// # Errors
/// [`SanError`] with the text, what was expected, and for a well-formed text the rules' reason.
/// A capture sign, check mark, `e.p.` or suffix that is not true is an error too; a missing one
/// is none, and `+` may stand for `#` and the other way round, since not everybody knows what
/// mates in a series game.
pub fn parse_san(position: &SeriesPosition, text: &str) -> Result<Move, SanError> {
    let spelling = spell(text).ok_or_else(|| SanError::Malformed(shortened(text)))?;
    let m = match &spelling.shape {
        Shape::Castling { king_side } => find_castling(position, text, *king_side)?,
        Shape::Man(man) => find_man_move(position, text, man, spelling.promotion)?,
    };
    check_claims(position, text, &spelling, m)?;
    Ok(m)
}

/// The text as a message shows it: its beginning if it is long.
fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(TEXT_MAX).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    printable(&short)
}

/// Takes a judgement off the end of a move text: `Nf3!?` is `Nf3` and glyph 5.
pub(in crate::notation) fn split_glyph(text: &str) -> (&str, Option<Glyph>) {
    let body = text.trim_end_matches(['!', '?']);
    let glyph = match &text[body.len()..] {
        "!" => Some(1),
        "?" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        _ => None,
    };
    glyph.map_or((text, None), |glyph| (body, Some(glyph)))
}

/// A text that is read from the left.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take<T>(&mut self, read: impl Fn(char) -> Option<T>) -> Option<T> {
        let (&first, rest) = self.0.split_first()?;
        let value = read(char::from(first))?;
        self.0 = rest;
        Some(value)
    }

    fn take_text(&mut self, text: &str) -> bool {
        let rest = self.0.strip_prefix(text.as_bytes());
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// Tries `read`; nothing is taken if it fails.
    fn attempt<T>(&mut self, read: impl Fn(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.0;
        let value = read(self);
        if value.is_none() {
            self.0 = before;
        }
        value
    }
}

fn spell(text: &str) -> Option<Spelling> {
    if !text.is_ascii() || text.len() > TEXT_MAX {
        return None;
    }
    let (text, _) = split_glyph(text);
    let mut rest = Rest(text.as_bytes());
    let shape = castling_shape(&mut rest).or_else(|| man_shape(&mut rest).map(Shape::Man))?;
    let mut spelling = Spelling {
        shape,
        promotion: None,
        en_passant: false,
        reborn: None,
        check: false,
    };
    while !rest.0.is_empty() {
        suffix(&mut rest, &mut spelling)?;
    }
    Some(spelling)
}

fn castling_shape(rest: &mut Rest<'_>) -> Option<Shape> {
    for (long, short) in [("O-O-O", "O-O"), ("0-0-0", "0-0"), ("o-o-o", "o-o")] {
        if rest.take_text(long) {
            return Some(Shape::Castling { king_side: false });
        }
        if rest.take_text(short) {
            return Some(Shape::Castling { king_side: true });
        }
    }
    None
}

fn upper_role(letter: char) -> Option<Role> {
    letter
        .is_ascii_uppercase()
        .then(|| Role::from_char(letter))
        .flatten()
}

fn promotion_role(letter: char) -> Option<Role> {
    Role::from_char(letter).filter(|&role| role != Role::Pawn)
}

fn man_shape(rest: &mut Rest<'_>) -> Option<ManMove> {
    let role = rest.take(upper_role);
    let first_file = rest.take(File::from_char);
    let first_rank = rest.take(Rank::from_char);
    let sign = if rest.take_text("x") {
        Sign::Takes
    } else if rest.take_text("-") {
        Sign::Dash
    } else {
        Sign::None
    };
    let second = rest.attempt(|rest| {
        let file = rest.take(File::from_char)?;
        Some(Square::from_coords(file, rest.take(Rank::from_char)?))
    });
    let (from_file, from_rank, to) = match second {
        Some(to) => (first_file, first_rank, to),
        None if sign == Sign::None => (None, None, Square::from_coords(first_file?, first_rank?)),
        None => return None,
    };
    let is_pawn = role.is_none_or(|role| role == Role::Pawn);
    let clear = match sign {
        // A dash stands between two squares, and a pawn that takes says from where.
        Sign::Dash => from_file.is_some() && from_rank.is_some(),
        Sign::Takes => !is_pawn || from_file.is_some(),
        Sign::None => !is_pawn || from_rank.is_none() || from_file.is_some(),
    };
    clear.then_some(ManMove {
        role,
        from_file,
        from_rank,
        sign,
        to,
    })
}

/// Reads one suffix; each may stand once.
fn suffix(rest: &mut Rest<'_>, spelling: &mut Spelling) -> Option<()> {
    let reborn = rest.attempt(|rest| {
        rest.take_text("(").then_some(())?;
        let role = rest.take(upper_role).unwrap_or(Role::Pawn);
        let file = rest.take(File::from_char)?;
        let square = Square::from_coords(file, rest.take(Rank::from_char)?);
        rest.take_text(")").then_some((role, square))
    });
    if reborn.is_some() {
        return (spelling.reborn.replace(reborn?).is_none()).then_some(());
    }
    if ["e.p.", "e.p", "ep"].iter().any(|ep| rest.take_text(ep)) {
        return (!std::mem::replace(&mut spelling.en_passant, true)).then_some(());
    }
    if ["++", "+", "#"].iter().any(|mark| rest.take_text(mark)) {
        return (!std::mem::replace(&mut spelling.check, true)).then_some(());
    }
    let promotion = rest.attempt(|rest| {
        if rest.take_text("(") {
            let role = rest.take(promotion_role)?;
            return rest.take_text(")").then_some(role);
        }
        let _sign = rest.take_text("=") || rest.take_text("/");
        rest.take(promotion_role)
    })?;
    spelling
        .promotion
        .replace(promotion)
        .is_none()
        .then_some(())
}

fn find_castling(position: &SeriesPosition, text: &str, king_side: bool) -> Result<Move, SanError> {
    let moves = position.legal_moves();
    let mut found = moves
        .iter()
        .filter(|m| m.is_castle() && (m.to().file() > m.from().file()) == king_side);
    match (found.next(), found.next()) {
        (Some(&m), None) => Ok(m),
        (Some(&one), Some(&other)) => Err(ambiguous(position, text, &[one, other])),
        (None, _) => Err(SanError::Illegal {
            text: shortened(text),
            reason: castling_refusal(position, king_side),
        }),
    }
}

/// Why castling to that side is not allowed, asked of the rook that has the right to it.
fn castling_refusal(position: &SeriesPosition, king_side: bool) -> Refusal {
    let side = position.side();
    let Some(king) = position.men().men(side, Role::King).first() else {
        return Refusal::Castling;
    };
    position
        .castling_rooks(side)
        .into_iter()
        .find(|rook| (rook.file() > king.file()) == king_side)
        .map_or(Refusal::Castling, |rook| position.refusal(king, rook, None))
}

fn find_man_move(
    position: &SeriesPosition,
    text: &str,
    man: &ManMove,
    promotion: Option<Role>,
) -> Result<Move, SanError> {
    let moves = position.legal_moves();
    let found: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|&m| {
            !m.is_castle()
                && m.to() == man.to
                && m.promotion() == promotion
                && man.means(m.role(), m.from())
        })
        .collect();
    match found.as_slice() {
        [m] => return Ok(*m),
        [] => {}
        several => return Err(ambiguous(position, text, several)),
    }
    // Castling written with squares: the king's two, or the king's and the rook's.
    let by_squares = moves.iter().copied().find(|m| {
        m.is_castle()
            && promotion.is_none()
            && man.sign != Sign::Takes
            && man.role.is_none_or(|role| role == Role::King)
            && man.from() == Some(m.from())
            && (man.to == m.to()
                || (m.from().file() == File::E
                    && m.from().distance(man.to) == 2
                    && man.to == m.castling_targets().0))
    });
    by_squares.ok_or_else(|| refused(position, text, man, promotion))
}

fn ambiguous(position: &SeriesPosition, text: &str, moves: &[Move]) -> SanError {
    let full = |m: &Move| {
        let sign = if is_capture(position, *m) { "x" } else { "" };
        let letter = match m.role() {
            Role::Pawn => String::new(),
            role => role.upper_char().to_string(),
        };
        if m.is_castle() {
            return uci_text(*m, CastlingText::KingTakesRook);
        }
        format!("{letter}{}{sign}{}", m.from(), m.to())
    };
    SanError::Ambiguous {
        text: shortened(text),
        candidates: moves.iter().map(full).collect::<Vec<_>>().join(", "),
    }
}

/// Asks every man that may be meant why it may not move so, and gives the reason that comes
/// closest to a move.
fn refused(
    position: &SeriesPosition,
    text: &str,
    man: &ManMove,
    promotion: Option<Role>,
) -> SanError {
    let side = position.side();
    let men = position.men();
    let nearest = men
        .of(side)
        .into_iter()
        .filter(|&from| men.role_at(from).is_some_and(|role| man.means(role, from)))
        .map(|from| position.refusal(from, man.to, promotion))
        .min_by_key(|&reason| distance_from_legal(reason));
    let text = shortened(text);
    match (nearest, man.from()) {
        // `Kg1` is a king's step; castling has its own spelling.
        (Some(Refusal::Castling), None) => SanError::Illegal {
            text,
            reason: Refusal::Unreachable {
                role: Role::King,
                from: men.men(side, Role::King).first().unwrap_or(man.to),
                to: man.to,
            },
        },
        (Some(reason), _) => SanError::Illegal { text, reason },
        (None, Some(from)) if man.role.is_none() || men.man_at(from).is_none() => {
            SanError::Illegal {
                text,
                reason: position.refusal(from, man.to, promotion),
            }
        }
        (None, _) => SanError::NoSuchMan {
            text,
            side,
            role: man.role.unwrap_or(Role::Pawn),
        },
    }
}

fn distance_from_legal(refusal: Refusal) -> u8 {
    match refusal {
        Refusal::CheckTooEarly | Refusal::Balance | Refusal::Resting(_) => 0,
        Refusal::KingInCheck(_) => 1,
        Refusal::PromotionMissing | Refusal::Promotion(_) | Refusal::EnPassant(_) => 2,
        Refusal::Castling => 3,
        Refusal::Unreachable { .. } => 4,
        Refusal::EnemyMan { .. } | Refusal::NoMan(_) => 5,
    }
}

fn check_claims(
    position: &SeriesPosition,
    text: &str,
    spelling: &Spelling,
    m: Move,
) -> Result<(), SanError> {
    let takes = is_capture(position, m);
    let sign = match &spelling.shape {
        Shape::Man(man) => man.sign,
        Shape::Castling { .. } => Sign::None,
    };
    let claim = if sign == Sign::Takes && !takes {
        "nothing is captured"
    } else if sign == Sign::Dash && takes {
        "a man is captured"
    } else if spelling.en_passant && m.kind() != MoveKind::EnPassant {
        "this is no en passant capture"
    } else if spelling.check && check_mark(position, m).is_none() {
        "it gives no check"
    } else if spelling.reborn.is_some() {
        let really = reborn_man(position, m).map(|(square, man)| (man.role, square));
        match really {
            really if really == spelling.reborn => return Ok(()),
            None => "no man comes back",
            Some(_) => "another man comes back",
        }
    } else {
        return Ok(());
    };
    let mut expected = san(position, m);
    if let Some((square, man)) = reborn_man(position, m) {
        let body = expected.trim_end_matches(['+', '#']).len();
        let suffix = format!("({}{square})", man.role.upper_char());
        expected.insert_str(body, &suffix);
    }
    Err(SanError::FalseClaim {
        text: shortened(text),
        claim,
        expected,
    })
}
