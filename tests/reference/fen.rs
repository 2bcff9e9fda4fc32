//! FEN of six fields in the series meaning: field 4 holds any number of en passant squares,
//! field 5 the number of quiet series, field 6 the number of the turn.

use std::rc::Rc;

use super::board::{
    Board, Man, Side, Square, SquareSet, file_of, rank_of, square_at, square_name, square_named,
};
use super::moves::pawn_beyond;
use super::position::Position;
use super::rules::{EnPassant, Rules};

pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl Position {
    /// Reads a position at the start of a turn.
    pub fn from_fen(rules: &Rules, fen: &str) -> Result<Self, String> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let [placement, side, castling, en_passant, quiet, turn] = fields[..] else {
            return Err(format!("{fen:?} has not six fields"));
        };
        let number = |text: &str| {
            text.parse::<u32>()
                .map_err(|_| format!("{text:?} is no number"))
        };
        let board = read_placement(placement)?;
        let side = match side {
            "w" => Side::White,
            "b" => Side::Black,
            other => return Err(format!("{other:?} is no side")),
        };
        let turn = number(turn)?;
        if turn == 0 {
            return Err("turns are numbered from 1".to_string());
        }
        let castling = read_castling(&board, castling)?;
        let mut position = Self {
            rules: Rc::new(rules.clone()),
            board,
            side,
            castling_rights: if rules.castling {
                castling.rights
            } else {
                SquareSet::EMPTY
            },
            unmoved_kings: castling.unmoved_kings,
            en_passant_targets: read_en_passant(rules, &board, side, en_passant)?,
            own_passed: SquareSet::EMPTY,
            en_passant_chain: false,
            turn,
            moves_left: rules.schedule.moves_in_turn(turn),
            moves_made: 0,
            quiet: number(quiet)?,
            progress: false,
            began_in_check: false,
            counts: [0; 64],
            resting: SquareSet::EMPTY,
            chess960: castling.chess960,
        };
        position.began_in_check = position.in_check();
        position.must_make_sense()?;
        Ok(position)
    }

    fn must_make_sense(&self) -> Result<(), String> {
        for side in [Side::White, Side::Black] {
            if self
                .board
                .men(side)
                .any(|(square, man)| man == Man::Pawn && matches!(rank_of(square), 0 | 7))
            {
                return Err("a pawn stands on the first or last rank".to_string());
            }
            let kings = self.board.men(side).filter(|(_, man)| *man == Man::King);
            if self.rules.kings_are_royal() && kings.count() != 1 {
                return Err("each side must have one king".to_string());
            }
        }
        if self.rules.kings_are_royal() && self.board.king_is_attacked(self.side.other()) {
            return Err("the side that is not on turn stands in check".to_string());
        }
        if !self.rules.kings_are_royal() && self.board.men(self.side.other()).next().is_none() {
            return Err("the side that is not on turn has no men".to_string());
        }
        Ok(())
    }

    /// The first field of the FEN.
    pub fn placement(&self) -> String {
        let ranks: Vec<String> = (0..8)
            .rev()
            .map(|rank| {
                let mut text = String::new();
                let mut gap = 0;
                for file in 0..8 {
                    let Some((side, man)) = self.board.at(square_at(file, rank)) else {
                        gap += 1;
                        continue;
                    };
                    if gap > 0 {
                        text += &gap.to_string();
                        gap = 0;
                    }
                    text.push(match side {
                        Side::White => man.letter().to_ascii_uppercase(),
                        Side::Black => man.letter(),
                    });
                }
                if gap > 0 {
                    text += &gap.to_string();
                }
                text
            })
            .collect();
        ranks.join("/")
    }

    /// The six fields; they tell everything about a position at the start of a turn.
    pub fn fen(&self) -> String {
        let dash_if_empty = |text: String| {
            if text.is_empty() {
                "-".to_string()
            } else {
                text
            }
        };
        let mut castling = String::new();
        for side in [Side::White, Side::Black] {
            let mut rooks: Vec<Square> = self.castling_rooks(side).collect();
            rooks.reverse(); // the king's side first
            for rook in rooks {
                let letter = match (self.chess960, file_of(rook)) {
                    (false, 7) => 'k',
                    (false, 0) => 'q',
                    (_, file) => (b'a' + file as u8) as char,
                };
                castling.push(match side {
                    Side::White => letter.to_ascii_uppercase(),
                    Side::Black => letter,
                });
            }
        }
        let en_passant: String = self.en_passant_targets.squares().map(square_name).collect();
        let side = match self.side {
            Side::White => 'w',
            Side::Black => 'b',
        };
        format!(
            "{} {side} {} {} {} {}",
            self.placement(),
            dash_if_empty(castling),
            dash_if_empty(en_passant),
            self.quiet,
            self.turn
        )
    }
}

fn read_placement(text: &str) -> Result<Board, String> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(format!("{text:?} has not eight ranks"));
    }
    let mut board = Board::EMPTY;
    for (row, rank_text) in ranks.iter().enumerate() {
        let rank = 7 - row;
        let mut file = 0;
        for letter in rank_text.chars() {
            if let Some(gap @ 1..=8) = letter.to_digit(10) {
                file += gap as usize;
                continue;
            }
            let man = Man::from_letter(letter.to_ascii_lowercase())
                .ok_or_else(|| format!("{letter:?} is no man"))?;
            let side = if letter.is_ascii_uppercase() {
                Side::White
            } else {
                Side::Black
            };
            if file > 7 {
                return Err(format!("rank {rank_text:?} is too long"));
            }
            board.put(square_at(file, rank), side, man);
            file += 1;
        }
        if file != 8 {
            return Err(format!("rank {rank_text:?} has not eight squares"));
        }
    }
    Ok(board)
}

struct CastlingField {
    rights: SquareSet,
    unmoved_kings: [Option<Square>; 2],
    chess960: bool,
}

/// `K` and `Q` mean the outermost rook on that side of the king, a file letter the rook on that
/// file. A right whose king or rook is not there is dropped.
fn read_castling(board: &Board, text: &str) -> Result<CastlingField, String> {
    let mut field = CastlingField {
        rights: SquareSet::EMPTY,
        unmoved_kings: [None; 2],
        chess960: false,
    };
    for side in [Side::White, Side::Black] {
        let orthodox = square_at(4, side.back_rank());
        if board.has(orthodox, side, Man::King) {
            field.unmoved_kings[side as usize] = Some(orthodox);
        }
    }
    if text == "-" {
        return Ok(field);
    }
    for letter in text.chars() {
        let side = if letter.is_ascii_uppercase() {
            Side::White
        } else {
            Side::Black
        };
        let on_back_rank = |file: usize| square_at(file, side.back_rank());
        let king_file = field.unmoved_kings[side as usize]
            .map(file_of)
            .or_else(|| (0..8).find(|file| board.has(on_back_rank(*file), side, Man::King)));
        let rook_file = king_file.and_then(|king_file| {
            let has_rook = |file: &usize| board.has(on_back_rank(*file), side, Man::Rook);
            match letter.to_ascii_lowercase() {
                'k' => (king_file + 1..8).rev().find(has_rook),
                'q' => (0..king_file).find(has_rook),
                file => {
                    Some(file as usize - 'a' as usize).filter(|file| *file < 8 && has_rook(file))
                }
            }
        });
        match letter.to_ascii_lowercase() {
            'k' | 'q' => {}
            'a'..='h' => field.chess960 = true,
            _ => return Err(format!("{letter:?} is no castling right")),
        }
        if let (Some(king_file), Some(rook_file)) = (king_file, rook_file) {
            field.unmoved_kings[side as usize] = Some(on_back_rank(king_file));
            field.rights.insert(on_back_rank(rook_file));
            field.chess960 |= king_file != 4 || !matches!(rook_file, 0 | 7);
        }
    }
    Ok(field)
}

/// Squares on which a man stands or beyond which no pawn stands are dropped.
fn read_en_passant(
    rules: &Rules,
    board: &Board,
    side: Side,
    text: &str,
) -> Result<SquareSet, String> {
    let mut targets = SquareSet::EMPTY;
    if text == "-" {
        return Ok(targets);
    }
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return Err(format!("{text:?} is no list of squares"));
    }
    let enemy = side.other();
    let passed_rank = match enemy {
        Side::White => 2,
        Side::Black => 5,
    };
    for start in (0..text.len()).step_by(2) {
        let name = &text[start..start + 2];
        let square = square_named(name).ok_or_else(|| format!("{name:?} is no square"))?;
        if rules.en_passant != EnPassant::None
            && rank_of(square) == passed_rank
            && board.is_empty(square)
            && board.has(pawn_beyond(square, enemy), enemy, Man::Pawn)
        {
            targets.insert(square);
        }
    }
    Ok(targets)
}
