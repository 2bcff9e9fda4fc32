//! Seeded random games, to compare another implementation with this one.
//!
//! One game in six starts from the usual array, one from a Chess960 array, and the others from
//! set-ups: hand-made ones, middle games with men taken off at random, and a few men scattered
//! over the board, each with a random turn number and quiet count. Captures, promotions, double
//! steps, en passant, castling, checks and moves that end the game are played more often than
//! chance would.

use super::board::{Board, Man, Side, SquareSet, rank_of, square_at, step};
use super::fen;
use super::game::Ending;
use super::moves::{RefMove, pawn_beyond};
use super::position::Position;
use super::rules::{EnPassant, Rules};
use super::setups::SET_UPS;

/// A position and how to get there.
#[derive(Clone, Debug)]
pub struct Sample {
    pub start_fen: String,
    /// The moves from there; castling is king takes rook when `chess960`.
    pub moves: Vec<String>,
    pub chess960: bool,
    pub position: Position,
}

/// A game with every position of it: one more than there are moves.
#[derive(Clone, Debug)]
pub struct RandomGame {
    pub start_fen: String,
    pub moves: Vec<String>,
    pub chess960: bool,
    pub positions: Vec<Position>,
}

/// A xorshift generator.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        let mut rng = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..8 {
            rng.next();
        }
        rng
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: usize) -> usize {
        ((self.next() >> 16) % limit as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// So many positions from random games; equal arguments give equal positions.
pub fn random_positions(seed: u64, rules: &Rules, how_many: usize) -> Vec<Sample> {
    random_games(seed, rules)
        .flat_map(|game| {
            let RandomGame {
                start_fen,
                moves,
                chess960,
                positions,
            } = game;
            positions
                .into_iter()
                .enumerate()
                .map(move |(played, position)| Sample {
                    start_fen: start_fen.clone(),
                    moves: moves[..played].to_vec(),
                    chess960,
                    position,
                })
        })
        .take(how_many)
        .collect()
}

/// Random games without end.
pub fn random_games(seed: u64, rules: &Rules) -> impl Iterator<Item = RandomGame> {
    let mut rng = Rng::new(seed);
    (0..).map(move |number| {
        let start = match number % 6 {
            0 => Position::from_fen(rules, fen::START).expect("the start position is sound"),
            1 => chess960_start(rules, &mut rng),
            _ => set_up(rules, &mut rng),
        };
        // Read it back, so that nothing is used that the FEN does not say.
        let start = Position::from_fen(rules, &start.fen()).expect("it was sound before");
        play_out(start, &mut rng)
    })
}

fn play_out(start: Position, rng: &mut Rng) -> RandomGame {
    let mut game = RandomGame {
        start_fen: start.fen(),
        moves: Vec::new(),
        chess960: start.chess960,
        positions: vec![start],
    };
    let longest = match rng.below(3) {
        0 => 10 + rng.below(40),
        _ => 2 + rng.below(10),
    };
    while game.moves.len() < longest {
        let position = game.positions.last().expect("there is the start");
        match position.outcome() {
            None => {}
            // The series that may still be granted is worth looking at.
            Some(Ending::QuietLimitReached) if rng.below(2) == 0 => {}
            Some(_) => break,
        }
        let mv = choose(position, rng);
        game.moves.push(mv.uci(game.chess960));
        let next = position.play(&mv);
        game.positions.push(next);
    }
    game
}

fn choose(position: &Position, rng: &mut Rng) -> RefMove {
    let moves = position.legal_moves();
    let lively: Vec<RefMove> = moves
        .iter()
        .filter(|mv| {
            let done = position.carry_out(mv);
            mv.castling
                || mv.promotion.is_some()
                || done.en_passant
                || done.captured.is_some()
                || done.passed_over.is_some()
        })
        .copied()
        .collect();
    let rare: Vec<RefMove> = lively
        .iter()
        .filter(|mv| {
            let done = position.carry_out(mv);
            let beside_a_pawn = |sideways| {
                step(mv.to, sideways, 0)
                    .is_some_and(|at| done.board.has(at, position.side.other(), Man::Pawn))
            };
            mv.castling
                || done.en_passant
                || (done.passed_over.is_some() && (beside_a_pawn(-1) || beside_a_pawn(1)))
        })
        .copied()
        .collect();
    if rng.below(2) == 0 {
        let afterwards: Vec<Position> = moves.iter().map(|mv| position.play(mv)).collect();
        let those_with = |what: fn(&Position) -> bool| -> Vec<RefMove> {
            let pairs = moves.iter().zip(&afterwards);
            pairs
                .filter(|(_, next)| what(next))
                .map(|(mv, _)| *mv)
                .collect()
        };
        let ending = those_with(|next| next.outcome().is_some());
        let checking = those_with(Position::in_check);
        if !ending.is_empty() {
            return *rng.pick(&ending);
        }
        if !checking.is_empty() && rng.below(2) == 0 {
            return *rng.pick(&checking);
        }
    }
    if !rare.is_empty() && rng.below(2) == 0 {
        *rng.pick(&rare)
    } else if !lively.is_empty() && rng.below(5) < 2 {
        *rng.pick(&lively)
    } else {
        *rng.pick(&moves)
    }
}

fn chess960_start(rules: &Rules, rng: &mut Rng) -> Position {
    let mut array: Vec<char> = "rnbqkbnr".chars().collect();
    loop {
        shuffle(&mut array, rng);
        let files =
            |letter: char| -> Vec<usize> { (0..8).filter(|file| array[*file] == letter).collect() };
        let (rooks, bishops, king) = (files('r'), files('b'), files('k')[0]);
        let bishops_differ = (bishops[0] + bishops[1]) % 2 == 1;
        if bishops_differ && rooks[0] < king && king < rooks[1] {
            let black: String = array.iter().collect();
            let file_letter = |file: usize| (b'a' + file as u8) as char;
            let rights = format!("{}{}", file_letter(rooks[1]), file_letter(rooks[0]));
            let text = format!(
                "{black}/pppppppp/8/8/8/8/PPPPPPPP/{} w {}{rights} - 0 1",
                black.to_ascii_uppercase(),
                rights.to_ascii_uppercase(),
            );
            return Position::from_fen(rules, &text).expect("an array is sound");
        }
    }
}

fn shuffle(array: &mut [char], rng: &mut Rng) {
    for last in (1..array.len()).rev() {
        array.swap(last, rng.below(last + 1));
    }
}

/// A random set-up that is sound under these rules.
fn set_up(rules: &Rules, rng: &mut Rng) -> Position {
    loop {
        let tenths = rng.below(8);
        let board = match rng.below(4) {
            0 | 1 => scattered(rules, rng),
            2 => thinned(rules, rng, 0),
            _ => thinned(rules, rng, tenths),
        };
        let position = board.and_then(|base| with_random_state(rules, &base, rng));
        // A side of a real game never has more men than it started with.
        if let Some(position) = position.filter(|position| {
            [Side::White, Side::Black]
                .iter()
                .all(|&side| position.board.men(side).count() <= 16)
        }) {
            return position;
        }
    }
}

/// A hand-made set-up; each man but the kings is taken off with a chance of `tenths`/10.
fn thinned(rules: &Rules, rng: &mut Rng, tenths: usize) -> Option<Position> {
    let mut position = Position::from_fen(rules, SET_UPS[rng.below(SET_UPS.len())]).ok()?;
    for square in 0..64 {
        let is_king = matches!(position.board.at(square), Some((_, Man::King)));
        if !is_king && rng.below(10) < tenths {
            position.board.take(square);
        }
    }
    Some(position)
}

/// Two kings and a few other men anywhere, with pawns close to promotion or side by side.
fn scattered(rules: &Rules, rng: &mut Rng) -> Option<Position> {
    let mut position = Position::from_fen(rules, fen::START).ok()?;
    position.board = Board::EMPTY;
    let men = [
        Man::Pawn,
        Man::Pawn,
        Man::Pawn,
        Man::Knight,
        Man::Bishop,
        Man::Rook,
        Man::Queen,
    ];
    for side in [Side::White, Side::Black] {
        let mut team = vec![Man::King];
        for _ in 0..rng.below(7) {
            team.push(*rng.pick(&men));
        }
        for man in team {
            let square = rng.below(64);
            let misplaced = man == Man::Pawn && matches!(rank_of(square), 0 | 7);
            if position.board.is_empty(square) && !misplaced {
                position.board.put(square, side, man);
            }
        }
    }
    Some(position)
}

/// Gives a board a side, a turn, a quiet count and en passant squares, and reads all that as a
/// FEN, so that only what is sound comes through.
fn with_random_state(rules: &Rules, base: &Position, rng: &mut Rng) -> Option<Position> {
    let mut position = base.clone();
    if rng.below(2) == 0 {
        position.side = position.side.other();
    }
    // Short series end soon, and much happens at the end of a series.
    position.turn = match rng.below(2) {
        0 => 1 + rng.below(2) as u32,
        _ => 1 + rng.below(8) as u32,
    };
    position.quiet = match rng.below(5) {
        0 => 7 + rng.below(4) as u32,
        _ => rng.below(7) as u32,
    };
    let board = position.board;
    position.castling_rights = position
        .castling_rights
        .only(|rook| matches!(board.at(rook), Some((_, Man::Rook))));
    position.en_passant_targets = SquareSet::EMPTY;
    if rules.en_passant != EnPassant::None {
        let enemy = position.side.other();
        let rank = match enemy {
            Side::White => 2,
            Side::Black => 5,
        };
        for passed in (0..8).map(|file| square_at(file, rank)) {
            let pawn = pawn_beyond(passed, enemy);
            if board.has(pawn, enemy, Man::Pawn) && board.is_empty(passed) && rng.below(3) > 0 {
                position.en_passant_targets.insert(passed);
                // Give it company that can take, more often than not.
                let sideways = if rng.below(2) == 0 { -1 } else { 1 };
                if let Some(beside) = step(pawn, sideways, 0)
                    && board.is_empty(beside)
                    && rng.below(2) == 0
                {
                    position.board.put(beside, position.side, Man::Pawn);
                }
                if rules.en_passant == EnPassant::Last {
                    break;
                }
            }
        }
    }
    Position::from_fen(rules, &position.fen()).ok()
}
