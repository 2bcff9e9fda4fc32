//! Whether an answer is a legal series. One list of moves, one verdict, nothing half applied.

use super::{ending::Fault, excerpt::excerpt};
use crate::{
    notation::{MoveTextError, parse_uci_move},
    rules::{Move, SeriesPosition, Status},
};

/// Judges a whole series in answer to one `go`.
///
/// Where the game ends in mid-series by the rules (dry, dead, everything captured), what the
/// answer says beyond that end is not looked at: the board decides.
///
/// # Errors
/// The first fault in reading order.
pub fn judge_series(position: &SeriesPosition, answer: &str) -> Result<Vec<Move>, Fault> {
    let words: Vec<&str> = answer.split_ascii_whitespace().collect();
    if is_no_move(&words) {
        return Err(Fault::NoMove {
            answer: excerpt(answer),
        });
    }
    let turn = position.turn();
    let mut position = *position;
    let mut moves = Vec::with_capacity(words.len());
    for (index, text) in words.iter().enumerate() {
        if position.turn() != turn {
            return Err(Fault::TooLong {
                answer: excerpt(answer),
                found: words.len(),
                expected: index,
            });
        }
        let m = read_move(&position, answer, index + 1, text)?;
        position.play(m);
        moves.push(m);
        if position.turn() == turn && is_over(&position) {
            return Ok(moves);
        }
    }
    if position.turn() == turn {
        return Err(Fault::TooShort {
            answer: excerpt(answer),
            found: moves.len(),
            missing: usize::from(position.moves_left()),
        });
    }
    Ok(moves)
}

/// Judges one move of a series in answer to one `go` (alternating mode); `before` are the texts
/// of the series' earlier moves.
///
/// # Errors
/// The fault.
pub fn judge_move(
    position: &SeriesPosition,
    before: &[String],
    answer: &str,
) -> Result<Move, Fault> {
    let words: Vec<&str> = answer.split_ascii_whitespace().collect();
    let number = before.len() + 1;
    if is_no_move(&words) {
        return Err(Fault::NoMove {
            answer: excerpt(answer),
        });
    }
    if words.len() > 1 {
        return Err(Fault::TooLong {
            answer: excerpt(answer),
            found: words.len(),
            expected: 1,
        });
    }
    read_move(position, answer, number, words[0])
}

fn is_no_move(words: &[&str]) -> bool {
    matches!(
        words,
        [] | ["(none)" | "none" | "0000" | "NULL" | "null" | "--"]
    )
}

fn is_over(position: &SeriesPosition) -> bool {
    matches!(position.status(), Status::Over(_))
}

fn read_move(
    position: &SeriesPosition,
    answer: &str,
    number: usize,
    text: &str,
) -> Result<Move, Fault> {
    parse_uci_move(position, text).map_err(|error| match error {
        MoveTextError::Malformed(text) => Fault::Malformed {
            answer: excerpt(answer),
            number,
            text: excerpt(&text),
        },
        MoveTextError::Illegal { text, reason } => Fault::IllegalMove {
            answer: excerpt(answer),
            number,
            text,
            reason: reason.to_string(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{notation::parse_fen, rules::Preset};

    fn judge(preset: Preset, fen: &str, answer: &str) -> Result<usize, &'static str> {
        let position = parse_fen(preset.rules(), fen).unwrap();
        judge_series(&position, answer)
            .map(|moves| moves.len())
            .map_err(|fault| fault.name())
    }

    const TURN_3: &str = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3";

    #[test]
    fn each_fault_is_told_apart() {
        let italian = |answer| judge(Preset::Italian, TURN_3, answer);
        assert_eq!(italian("f1c4 d1h5 h5f7"), Ok(3));
        assert_eq!(italian("f1c4 d1h5"), Err("series too short"));
        assert_eq!(italian("f1c4 d1h5 h5f7 e1e2"), Err("series too long"));
        assert_eq!(italian("f1c4 c4f7 d1h5"), Err("illegal move"));
        assert_eq!(italian("f1c4,d1h5,h5f7"), Err("malformed answer"));
        assert_eq!(italian("f1c4 d1h5 Qxf7"), Err("malformed answer"));
        assert_eq!(italian("F1C4 d1h5 h5f7"), Err("malformed answer"));
        for nothing in ["", "(none)", "0000"] {
            assert_eq!(italian(nothing), Err("no move"));
        }
        assert_eq!(italian("0000 d1h5 h5f7"), Err("malformed answer"));
        // A check ends a Scottish series.
        assert_eq!(judge(Preset::Scottish, TURN_3, "f1c4 c4f7"), Ok(2));
        assert_eq!(
            judge(Preset::Scottish, TURN_3, "f1c4 c4f7 d1h5"),
            Err("series too long")
        );
    }

    #[test]
    fn the_fault_names_the_move_and_the_reason() {
        let position = parse_fen(Preset::Italian.rules(), TURN_3).unwrap();
        let fault = judge_series(&position, "f1c4 c4f7 d1h5")
            .unwrap_err()
            .to_string();
        assert!(
            fault.contains("move 2 'c4f7'") && fault.contains("last move of the series"),
            "{fault}"
        );
    }

    #[test]
    fn a_fault_keeps_a_readable_part_of_an_answer() {
        let position = parse_fen(Preset::Italian.rules(), TURN_3).unwrap();
        for junk in ["x".repeat(1 << 20), "\u{1b}[2J".to_owned()] {
            let fault = judge_series(&position, &format!("f1c4 {junk}"))
                .unwrap_err()
                .to_string();
            assert!(fault.contains("word 2 '"), "{fault}");
            assert!(fault.len() < 3000 && !fault.contains('\u{1b}'));
        }
    }

    #[test]
    fn a_game_that_ends_in_mid_series_needs_no_more_moves() {
        // The black king takes the last man: dead material, whatever follows.
        let fen = "8/8/8/8/8/2k5/1P6/7K b - - 0 4";
        assert_eq!(judge(Preset::Italian, fen, "c3b2"), Ok(1));
        assert_eq!(judge(Preset::Italian, fen, "c3b2 b2b3 b3b4 b4b5"), Ok(1));
    }
}
