//! Series FEN: the six fields of FEN in series meaning, and a seventh for mid-series state.
//!
//! Field 4 holds any number of en passant squares joined (`c3e3`), field 5 the quiet series so
//! far, field 6 the turn number. The optional seventh field joins items by `;`:
//! `left=N`, `passed=c3e3`, `progress`, `escape`, `counts=e4:1,f3:x`, `unmoved=Kk` (or
//! `unmoved=-`). Their meaning is that of the fields of [`Setup`].

use std::{fmt::Write, str::FromStr};

use thiserror::Error;

use crate::rules::{
    Bitboard, Color, File, Man, Men, Rank, Role, RuleSet, SeriesPosition, Setup, SetupError,
    Square, back_rank,
};

/// Why a text is no series FEN, or none that the rules allow.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// The wrong number of fields.
    #[error(
        "FEN '{fen}' has {found} fields: expected 4 to 7 (placement side castling en-passant [quiet-series turn-number [series-state]])"
    )]
    Fields {
        /// The whole text.
        fen: String,
        /// How many fields it has.
        found: usize,
    },
    /// A field that was not understood.
    #[error("FEN field {field} '{text}': expected {expected}")]
    Field {
        /// The field's name.
        field: &'static str,
        /// Its text.
        text: String,
        /// What was expected.
        expected: &'static str,
    },
    /// The fields were understood, but no position has them all.
    #[error("FEN '{fen}': {error}")]
    Setup {
        /// The whole text.
        fen: String,
        /// What is wrong with the set-up.
        error: SetupError,
    },
}

fn wrong(field: &'static str, text: &str, expected: &'static str) -> FenError {
    FenError::Field {
        field,
        text: text.to_owned(),
        expected,
    }
}

/// Reads a series FEN as a position under `rules`.
///
/// # Errors
/// [`FenError`] names the field, its text and what was expected.
pub fn parse_fen(rules: RuleSet, fen: &str) -> Result<SeriesPosition, FenError> {
    let setup = parse_setup(fen)?;
    SeriesPosition::from_setup(rules, &setup).map_err(|error| FenError::Setup {
        fen: fen.trim().to_owned(),
        error,
    })
}

/// Reads a series FEN as an unchecked set-up. Four fields are understood as quiet 0, turn 1; turn
/// 0 is read as turn 1; castling letters may be `KQkq` (the outermost rook, as in X-FEN) or file
/// letters.
///
/// # Errors
/// [`FenError`] names the field, its text and what was expected.
pub fn parse_setup(fen: &str) -> Result<Setup, FenError> {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let (placement, side, castling, en_passant, rest) = match fields.as_slice() {
        [placement, side, castling, en_passant, rest @ ..] if rest.len() <= 3 => {
            (*placement, *side, *castling, *en_passant, rest)
        }
        _ => {
            return Err(FenError::Fields {
                fen: fen.trim().to_owned(),
                found: fields.len(),
            });
        }
    };
    let men = parse_placement(placement)?;
    let side = match side {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err(wrong("side", side, "w or b")),
    };
    let number = |index: usize, field, otherwise: u16| {
        rest.get(index).map_or(Ok(otherwise), |text| {
            digits(text).ok_or_else(|| wrong(field, text, "a number 0..65535"))
        })
    };
    let mut setup = Setup {
        castling_rooks: parse_castling(&men, castling)?,
        men,
        side,
        en_passant: parse_squares("en passant", en_passant)?,
        quiet: number(0, "quiet series", 0)?,
        turn: number(1, "turn number", 1)?.max(1),
        ..Setup::default()
    };
    if let Some(state) = rest.get(2) {
        parse_state(state, &mut setup)?;
    }
    Ok(setup)
}

/// A number of digits only, without a sign.
fn digits<N: FromStr>(text: &str) -> Option<N> {
    let all = text.bytes().all(|byte| byte.is_ascii_digit());
    all.then(|| text.parse().ok()).flatten()
}

fn parse_placement(text: &str) -> Result<Men, FenError> {
    const EXPECTED: &str = "eight ranks separated by '/', from the eighth to the first, of eight squares each: KQRBNPkqrbnp or a number of empty squares, not two numbers in a row";
    let error = || wrong("placement", text, EXPECTED);
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(error());
    }
    let mut men = Men::EMPTY;
    for (rank, row) in Rank::ALL.into_iter().rev().zip(ranks) {
        let mut file = 0;
        let mut after_digit = false;
        for letter in row.chars() {
            let empty = letter.to_digit(10).filter(|digit| (1..=8).contains(digit));
            if after_digit && empty.is_some() {
                return Err(error());
            }
            after_digit = empty.is_some();
            if let Some(empty) = empty {
                file += empty;
            } else {
                let role = Role::from_char(letter).ok_or_else(error)?;
                if file >= 8 {
                    return Err(error());
                }
                let color = Color::from_white(letter.is_ascii_uppercase());
                men.put(
                    Square::from_coords(File::new(file), rank),
                    Man { color, role },
                );
                file += 1;
            }
        }
        if file != 8 {
            return Err(error());
        }
    }
    Ok(men)
}

/// The outermost rook of `color` on its back rank, on the h-side of its king or the a-side.
fn outermost_rook(men: &Men, color: Color, king_side: bool) -> Option<Square> {
    let rank = Bitboard::from_rank(back_rank(color));
    let king = (men.men(color, Role::King) & rank).first()?;
    let rooks = men.men(color, Role::Rook) & rank;
    let rook = if king_side {
        rooks.last()
    } else {
        rooks.first()
    }?;
    ((rook.file() > king.file()) == king_side).then_some(rook)
}

fn parse_castling(men: &Men, text: &str) -> Result<Bitboard, FenError> {
    const EXPECTED: &str = "- or letters of KQkq, or file letters A-H a-h, each for another rook on its back rank beside its king";
    let error = || wrong("castling", text, EXPECTED);
    let mut rooks = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rooks);
    }
    if text.is_empty() {
        return Err(error());
    }
    for letter in text.chars() {
        let color = Color::from_white(letter.is_ascii_uppercase());
        let rook = match letter.to_ascii_lowercase() {
            'k' => outermost_rook(men, color, true),
            'q' => outermost_rook(men, color, false),
            file => File::from_char(file).map(|file| Square::from_coords(file, back_rank(color))),
        }
        .ok_or_else(error)?;
        if rooks.contains(rook) {
            return Err(error());
        }
        rooks.add(rook);
    }
    Ok(rooks)
}

fn parse_squares(field: &'static str, text: &str) -> Result<Bitboard, FenError> {
    const EXPECTED: &str = "- or squares joined, such as c3e3";
    if text == "-" {
        return Ok(Bitboard::EMPTY);
    }
    if text.is_empty() || !text.len().is_multiple_of(2) || !text.is_ascii() {
        return Err(wrong(field, text, EXPECTED));
    }
    (0..text.len())
        .step_by(2)
        .map(|at| {
            text[at..at + 2]
                .parse::<Square>()
                .map_err(|_| wrong(field, text, EXPECTED))
        })
        .collect()
}

fn parse_state(text: &str, setup: &mut Setup) -> Result<(), FenError> {
    const EXPECTED: &str = "- or items joined by ';', each once, of left=N, passed=c3e3, progress, escape, counts=e4:1,f3:x, unmoved=Kk";
    let error = || wrong("series state", text, EXPECTED);
    if text == "-" {
        return Ok(());
    }
    let mut names = Vec::new();
    for item in text.split(';') {
        let name = item.split('=').next().unwrap_or_default();
        if names.contains(&name) {
            return Err(error());
        }
        names.push(name);
        match item.split_once('=') {
            Some(("left", left)) => setup.moves_left = Some(digits(left).ok_or_else(error)?),
            Some(("passed", squares)) => {
                setup.passed = parse_squares("series state: passed", squares)?;
            }
            Some(("counts", counts)) => {
                for count in counts.split(',') {
                    let (square, count) = count.split_once(':').ok_or_else(error)?;
                    let square = square.parse().map_err(|_| error())?;
                    let count = match count {
                        "x" => None,
                        count => Some(digits(count).ok_or_else(error)?),
                    };
                    setup.counts.push((square, count));
                }
            }
            Some(("unmoved", kings)) => {
                let unmoved = match kings {
                    "-" => [false, false],
                    "K" => [false, true],
                    "k" => [true, false],
                    "Kk" | "kK" => [true, true],
                    _ => return Err(error()),
                };
                setup.unmoved_kings = Some(unmoved);
            }
            None if item == "progress" => setup.progress = true,
            None if item == "escape" => setup.escape = true,
            _ => return Err(error()),
        }
    }
    Ok(())
}

/// Writes a position as series FEN: six fields, and the seventh only where it is needed.
/// Reading it back under the same rules gives an equal position.
pub fn format_fen(position: &SeriesPosition) -> String {
    let setup = position.to_setup();
    let mut fen = String::with_capacity(96);
    write_placement(&setup.men, &mut fen);
    let side = setup.side.fold_wb('w', 'b');
    // Writing to a String cannot fail, here and below.
    let _ = write!(fen, " {side} ");
    write_castling(&setup, &mut fen);
    fen.push(' ');
    write_squares(setup.en_passant, &mut fen);
    let _ = write!(fen, " {} {}", setup.quiet, setup.turn);
    write_state(&setup, &mut fen);
    fen
}

fn write_placement(men: &Men, fen: &mut String) {
    for rank in Rank::ALL.into_iter().rev() {
        if rank != Rank::Eighth {
            fen.push('/');
        }
        let mut empty = 0;
        for file in File::ALL {
            match men.man_at(Square::from_coords(file, rank)) {
                None => empty += 1,
                Some(man) => {
                    if empty > 0 {
                        let _ = write!(fen, "{empty}");
                        empty = 0;
                    }
                    fen.push(man.color.fold_wb(man.role.upper_char(), man.role.char()));
                }
            }
        }
        if empty > 0 {
            let _ = write!(fen, "{empty}");
        }
    }
}

fn write_castling(setup: &Setup, fen: &mut String) {
    let before = fen.len();
    for color in [Color::White, Color::Black] {
        let rooks = setup.castling_rooks & Bitboard::from_rank(back_rank(color));
        // From the h-file to the a-file, so that K comes before Q.
        for rook in rooks.into_iter().rev() {
            let letter = if outermost_rook(&setup.men, color, true) == Some(rook) {
                'k'
            } else if outermost_rook(&setup.men, color, false) == Some(rook) {
                'q'
            } else {
                rook.file().char()
            };
            fen.push(color.fold_wb(letter.to_ascii_uppercase(), letter));
        }
    }
    if fen.len() == before {
        fen.push('-');
    }
}

fn write_squares(squares: Bitboard, fen: &mut String) {
    if squares.is_empty() {
        fen.push('-');
    }
    for square in squares {
        let _ = write!(fen, "{square}");
    }
}

fn write_state(setup: &Setup, fen: &mut String) {
    let mut items = Vec::new();
    if let Some(left) = setup.moves_left {
        items.push(format!("left={left}"));
    }
    if setup.passed.any() {
        let mut item = String::from("passed=");
        write_squares(setup.passed, &mut item);
        items.push(item);
    }
    if setup.progress {
        items.push("progress".to_owned());
    }
    if setup.escape {
        items.push("escape".to_owned());
    }
    if !setup.counts.is_empty() {
        let counts: Vec<String> = setup
            .counts
            .iter()
            .map(|(square, count)| match count {
                Some(count) => format!("{square}:{count}"),
                None => format!("{square}:x"),
            })
            .collect();
        items.push(format!("counts={}", counts.join(",")));
    }
    if let Some([black, white]) = setup.unmoved_kings {
        items.push(format!(
            "unmoved={}{}{}",
            if white { "K" } else { "" },
            if black { "k" } else { "" },
            if white || black { "" } else { "-" },
        ));
    }
    if !items.is_empty() {
        fen.push(' ');
        fen.push_str(&items.join(";"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[track_caller]
    fn reads_back(preset: Preset, fen: &str) {
        assert_eq!(format_fen(&parse_fen(preset.rules(), fen).unwrap()), fen);
    }

    #[test]
    fn positions_read_back() {
        reads_back(Preset::Italian, START);
        reads_back(Preset::Italian, "4k3/8/8/8/1pP1Pp2/8/8/3K4 b - c3e3 0 4");
        reads_back(
            Preset::Scottish,
            "4k3/8/8/8/1pP1Pp2/8/8/3K4 w - - 3 7 left=5;passed=c3e3;progress",
        );
        reads_back(
            Preset::English,
            "4k3/8/8/8/1pP1Pp2/8/8/3K4 w - - 0 7 left=5;progress;counts=d1:1,c4:1",
        );
        reads_back(
            Preset::ItalianPortal,
            "4k3/8/8/8/1pP1Pp2/8/8/3K4 w - - 0 7 left=5;escape",
        );
        reads_back(
            Preset::Circe,
            "4k3/8/8/8/1pP1Pp2/8/8/4K3 w - - 0 7 unmoved=k",
        );
        reads_back(
            Preset::Circe,
            "4k3/8/8/8/1pP1Pp2/8/8/4K3 w - - 0 7 unmoved=-",
        );
    }

    #[test]
    fn castling_letters_follow_x_fen() {
        let rules = Preset::Italian.rules();
        let shredder = parse_fen(
            rules,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        )
        .unwrap();
        assert_eq!(format_fen(&shredder), START);
        reads_back(Preset::Italian, "1r2k1r1/8/8/8/8/8/8/1R2KRR1 w FQkq - 0 1");
    }

    #[test]
    fn short_and_odd_counters_are_understood() {
        let rules = Preset::Italian.rules();
        let four = parse_fen(rules, "6k1/5ppp/8/8/8/8/8/R5K1 w - -").unwrap();
        assert_eq!((four.quiet(), four.turn().0), (0, 1));
        assert_eq!(
            parse_fen(rules, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 0")
                .unwrap()
                .turn()
                .0,
            1
        );
    }

    #[test]
    fn wrong_fens_are_refused_with_the_field() {
        let rules = Preset::Italian.rules();
        for (fen, needle) in [
            ("blah", "1 fields"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "empty"),
            ("9/8/8/8/8/8/8/8 w - - 0 1", "placement"),
            ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side"),
            ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling"),
            ("4k3/8/8/8/8/8/8/4K2R w KH? - 0 1", "castling"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6e 0 1", "en passant"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant square e6"),
            ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "quiet"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 70000", "turn number"),
            (
                "4k3/8/8/8/8/8/8/4K3 w - - 0 3 left=4",
                "4 moves left in turn 3",
            ),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 3 lift=2", "series state"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 3 left=+2", "series state"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 3 left=2;left=1", "each once"),
            (
                "4k3/8/8/8/8/8/8/4K3 w - - 0 3 left=2;escape;escape",
                "each once",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 w - - 0 3 left=2;counts=e1:+1",
                "series state",
            ),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 3 unmoved=", "series state"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 3 unmoved=K-k", "series state"),
            ("4k3/8/44/8/8/8/8/4K3 w - - 0 3", "two numbers in a row"),
            ("4k3/8/8/8/8/8/8/4K2R w KK - 0 3", "castling"),
            ("4k3/8/8/8/8/8/8/4K2R w KH - 0 3", "castling"),
            ("4k2R/8/8/8/8/8/8/4K3 w - - 0 3", "black is in check"),
            ("4k3/8/8/8/8/8/8/P3K3 w - - 0 3", "pawn stands on a1"),
            ("4kk2/8/8/8/8/8/8/4K3 w - - 0 3", "black has 2 kings"),
        ] {
            let error = parse_fen(rules, fen).unwrap_err().to_string();
            assert!(error.contains(needle), "{fen}: {error}");
        }
    }
}
