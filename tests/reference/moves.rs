//! What the men can do on the board before the rules of check and balance are asked, and what
//! the board looks like afterwards.

use super::board::{
    BISHOP_STEPS, Board, KING_STEPS, KNIGHT_STEPS, Man, ROOK_STEPS, Side, Square, file_of, is_dark,
    rank_of, square_at, square_name, step,
};
use super::position::Position;

/// One move. Castling goes from the square of the king to the square of the rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RefMove {
    pub from: Square,
    pub to: Square,
    pub promotion: Option<Man>,
    pub castling: bool,
}

impl RefMove {
    /// The text of the move: castling as `e1g1`, or with `chess960` as king takes rook.
    pub fn uci(&self, chess960: bool) -> String {
        let to = if self.castling && !chess960 {
            self.castled_squares().0
        } else {
            self.to
        };
        let mut text = square_name(self.from) + &square_name(to);
        if let Some(man) = self.promotion {
            text.push(man.letter());
        }
        text
    }

    /// Where king and rook stand after castling.
    pub fn castled_squares(&self) -> (Square, Square) {
        let rank = rank_of(self.from);
        if file_of(self.to) > file_of(self.from) {
            (square_at(6, rank), square_at(5, rank))
        } else {
            (square_at(2, rank), square_at(3, rank))
        }
    }
}

/// What a move does to the board.
pub struct Consequence {
    pub board: Board,
    /// What was taken and where it stood.
    pub captured: Option<(Square, Man)>,
    pub en_passant: bool,
    /// What came back, and where (Circe).
    pub reborn: Option<(Square, Man)>,
    /// The square a pawn passed over with a double step.
    pub passed_over: Option<Square>,
}

impl Position {
    /// All moves of the side on turn as if kings could be left in check and checks were free.
    /// Castling conditions are tested here.
    pub fn pseudo_moves(&self) -> Vec<RefMove> {
        let mut moves = Vec::new();
        for (from, man) in self.board.men(self.side) {
            if self.resting.contains(from) {
                continue;
            }
            match man {
                Man::Pawn => self.pawn_moves(from, &mut moves),
                Man::Knight => self.steps(from, &KNIGHT_STEPS, &mut moves),
                Man::King => self.steps(from, &KING_STEPS, &mut moves),
                Man::Bishop => self.slides(from, &BISHOP_STEPS, &mut moves),
                Man::Rook => self.slides(from, &ROOK_STEPS, &mut moves),
                Man::Queen => {
                    self.slides(from, &ROOK_STEPS, &mut moves);
                    self.slides(from, &BISHOP_STEPS, &mut moves);
                }
            }
        }
        self.castlings(&mut moves);
        moves
    }

    fn owner(&self, square: Square) -> Option<Side> {
        self.board.at(square).map(|(side, _)| side)
    }

    fn steps(&self, from: Square, steps: &[(i32, i32)], moves: &mut Vec<RefMove>) {
        for &(files, ranks) in steps {
            if let Some(to) = step(from, files, ranks)
                && self.owner(to) != Some(self.side)
            {
                moves.push(plain(from, to));
            }
        }
    }

    fn slides(&self, from: Square, steps: &[(i32, i32)], moves: &mut Vec<RefMove>) {
        for &(files, ranks) in steps {
            let mut here = from;
            while let Some(to) = step(here, files, ranks) {
                if self.owner(to) == Some(self.side) {
                    break;
                }
                moves.push(plain(from, to));
                if !self.board.is_empty(to) {
                    break;
                }
                here = to;
            }
        }
    }

    fn pawn_moves(&self, from: Square, moves: &mut Vec<RefMove>) {
        let forward = self.side.forward();
        if let Some(one) = step(from, 0, forward)
            && self.board.is_empty(one)
        {
            self.pawn_move(from, one, moves);
            if self.rules.double_step
                && rank_of(from) == self.side.pawn_rank()
                && let Some(two) = step(from, 0, 2 * forward)
                && self.board.is_empty(two)
            {
                moves.push(plain(from, two));
            }
        }
        for sideways in [-1, 1] {
            if let Some(to) = step(from, sideways, forward)
                && (self.owner(to) == Some(self.side.other()) || self.can_be_taken_in_passing(to))
            {
                self.pawn_move(from, to, moves);
            }
        }
    }

    fn can_be_taken_in_passing(&self, passed: Square) -> bool {
        self.en_passant_targets.contains(passed) && self.board.is_empty(passed)
    }

    /// A pawn move that is a promotion on the last rank.
    fn pawn_move(&self, from: Square, to: Square, moves: &mut Vec<RefMove>) {
        if rank_of(to) != self.side.other().back_rank() {
            moves.push(plain(from, to));
            return;
        }
        let mut choices = vec![Man::Queen, Man::Rook, Man::Bishop, Man::Knight];
        if self.rules.promotion_to_king {
            choices.push(Man::King);
        }
        for man in choices {
            moves.push(RefMove {
                promotion: Some(man),
                ..plain(from, to)
            });
        }
    }

    fn castlings(&self, moves: &mut Vec<RefMove>) {
        let Some(king) = self.unmoved_king(self.side) else {
            return;
        };
        for rook in self.castling_rooks(self.side) {
            let castling = RefMove {
                castling: true,
                ..plain(king, rook)
            };
            if self.may_castle(&castling) {
                moves.push(castling);
            }
        }
    }

    fn may_castle(&self, castling: &RefMove) -> bool {
        let (king, rook) = (castling.from, castling.to);
        let (king_to, rook_to) = castling.castled_squares();
        // Every square that king or rook crosses or enters is empty but for the two.
        let way_is_free = between(king, king_to)
            .chain(between(rook, rook_to))
            .all(|square| square == king || square == rook || self.board.is_empty(square));
        // The king neither starts from, crosses nor enters an attacked square. (That it is not
        // in check when all is done is tested like for any other move.)
        let way_is_safe = !self.rules.kings_are_royal()
            || between(king, king_to)
                .all(|square| !self.board.is_attacked(square, self.side.other()));
        way_is_free && way_is_safe
    }

    /// What the board looks like after a pseudo-legal move.
    pub fn carry_out(&self, mv: &RefMove) -> Consequence {
        let mut board = self.board;
        if mv.castling {
            let (king_to, rook_to) = mv.castled_squares();
            board.take(mv.from);
            board.take(mv.to);
            board.put(king_to, self.side, Man::King);
            board.put(rook_to, self.side, Man::Rook);
            return Consequence {
                board,
                captured: None,
                en_passant: false,
                reborn: None,
                passed_over: None,
            };
        }
        let (_, man) = board.take(mv.from).expect("a man moves");
        let is_pawn = man == Man::Pawn;
        let en_passant =
            is_pawn && file_of(mv.from) != file_of(mv.to) && self.board.is_empty(mv.to);
        let victim_square = if en_passant {
            pawn_beyond(mv.to, self.side.other())
        } else {
            mv.to
        };
        let captured = board.take(victim_square).map(|(_, man)| man);
        board.put(mv.to, self.side, mv.promotion.unwrap_or(man));

        let mut reborn = None;
        if let Some(victim) = captured
            && self.rules.rebirth
            && victim != Man::King
        {
            let home = rebirth_square(self.side.other(), victim, victim_square);
            if board.is_empty(home) {
                board.put(home, self.side.other(), victim);
                reborn = Some((home, victim));
            }
        }
        let double_step = is_pawn && rank_of(mv.from).abs_diff(rank_of(mv.to)) == 2;
        Consequence {
            board,
            captured: captured.map(|man| (victim_square, man)),
            en_passant,
            reborn,
            passed_over: double_step.then(|| usize::midpoint(mv.from, mv.to)),
        }
    }
}

fn plain(from: Square, to: Square) -> RefMove {
    RefMove {
        from,
        to,
        promotion: None,
        castling: false,
    }
}

/// The squares of a rank from one to the other, both included.
fn between(one: Square, other: Square) -> impl Iterator<Item = Square> {
    one.min(other)..=one.max(other)
}

/// Where the pawn of `side` stands that passed over that square with a double step.
pub fn pawn_beyond(passed: Square, side: Side) -> Square {
    step(passed, 0, side.forward()).expect("no double step leads off the board")
}

/// Circe: the square on which a man taken on `taken_on` is reborn.
pub fn rebirth_square(side: Side, man: Man, taken_on: Square) -> Square {
    let rank = side.back_rank();
    let home_of_that_colour = |left_file: usize, right_file: usize| {
        let left = square_at(left_file, rank);
        if is_dark(left) == is_dark(taken_on) {
            left
        } else {
            square_at(right_file, rank)
        }
    };
    match man {
        Man::Pawn => square_at(file_of(taken_on), side.pawn_rank()),
        Man::Rook => home_of_that_colour(0, 7),
        Man::Knight => home_of_that_colour(1, 6),
        Man::Bishop => home_of_that_colour(2, 5),
        Man::Queen => square_at(3, rank),
        Man::King => unreachable!("kings are not reborn"),
    }
}
