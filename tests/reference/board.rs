//! Men on squares, and who attacks what.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    White,
    Black,
}

impl Side {
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// The direction in which the pawns of this side walk.
    pub fn forward(self) -> i32 {
        match self {
            Self::White => 1,
            Self::Black => -1,
        }
    }

    /// The rank (0 to 7) on which the officers of this side start.
    pub fn back_rank(self) -> usize {
        match self {
            Self::White => 0,
            Self::Black => 7,
        }
    }

    /// The rank on which the pawns of this side start.
    pub fn pawn_rank(self) -> usize {
        match self {
            Self::White => 1,
            Self::Black => 6,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Man {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Man {
    pub fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    pub fn from_letter(letter: char) -> Option<Self> {
        [
            Self::Pawn,
            Self::Knight,
            Self::Bishop,
            Self::Rook,
            Self::Queen,
            Self::King,
        ]
        .into_iter()
        .find(|man| man.letter() == letter)
    }
}

/// 0 is a1, 1 is b1, ..., 63 is h8.
pub type Square = usize;

pub fn square_at(file: usize, rank: usize) -> Square {
    rank * 8 + file
}

pub fn file_of(square: Square) -> usize {
    square % 8
}

pub fn rank_of(square: Square) -> usize {
    square / 8
}

pub fn is_dark(square: Square) -> bool {
    (file_of(square) + rank_of(square)).is_multiple_of(2)
}

pub fn square_name(square: Square) -> String {
    let file = (b'a' + file_of(square) as u8) as char;
    format!("{file}{}", rank_of(square) + 1)
}

pub fn square_named(name: &str) -> Option<Square> {
    match name.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
            Some(square_at((file - b'a') as usize, (rank - b'1') as usize))
        }
        _ => None,
    }
}

/// The square so many files to the right and ranks up, if it is on the board.
pub fn step(from: Square, files: i32, ranks: i32) -> Option<Square> {
    let file = file_of(from) as i32 + files;
    let rank = rank_of(from) as i32 + ranks;
    if (0..8).contains(&file) && (0..8).contains(&rank) {
        Some(square_at(file as usize, rank as usize))
    } else {
        None
    }
}

/// A set of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SquareSet {
    members: [bool; 64],
}

impl SquareSet {
    pub const EMPTY: Self = Self {
        members: [false; 64],
    };

    pub fn insert(&mut self, square: Square) {
        self.members[square] = true;
    }

    pub fn remove(&mut self, square: Square) {
        self.members[square] = false;
    }

    pub fn contains(&self, square: Square) -> bool {
        self.members[square]
    }

    pub fn squares(&self) -> impl Iterator<Item = Square> {
        (0..64).filter(|square| self.members[*square])
    }

    #[must_use]
    pub fn only(&self, keep: impl Fn(Square) -> bool) -> Self {
        let mut kept = Self::EMPTY;
        for square in self.squares().filter(|square| keep(*square)) {
            kept.insert(square);
        }
        kept
    }
}

pub const ROOK_STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
pub const BISHOP_STEPS: [(i32, i32); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
pub const KING_STEPS: [(i32, i32); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];
pub const KNIGHT_STEPS: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// What stands on each square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    squares: [Option<(Side, Man)>; 64],
}

impl Board {
    pub const EMPTY: Self = Self {
        squares: [None; 64],
    };

    pub fn at(&self, square: Square) -> Option<(Side, Man)> {
        self.squares[square]
    }

    pub fn is_empty(&self, square: Square) -> bool {
        self.squares[square].is_none()
    }

    pub fn has(&self, square: Square, side: Side, man: Man) -> bool {
        self.squares[square] == Some((side, man))
    }

    pub fn put(&mut self, square: Square, side: Side, man: Man) {
        self.squares[square] = Some((side, man));
    }

    pub fn take(&mut self, square: Square) -> Option<(Side, Man)> {
        self.squares[square].take()
    }

    /// The squares and kinds of the men of a side.
    pub fn men(&self, side: Side) -> impl Iterator<Item = (Square, Man)> {
        (0..64).filter_map(move |square| match self.squares[square] {
            Some((owner, man)) if owner == side => Some((square, man)),
            _ => None,
        })
    }

    /// Whether a man of side `by` attacks the square, whatever stands there.
    pub fn is_attacked(&self, square: Square, by: Side) -> bool {
        let stands = |files, ranks, man| {
            step(square, files, ranks).is_some_and(|from| self.has(from, by, man))
        };
        // A pawn stands one step back, as its own side sees it, and to the left or right.
        if stands(-1, -by.forward(), Man::Pawn) || stands(1, -by.forward(), Man::Pawn) {
            return true;
        }
        if KNIGHT_STEPS.iter().any(|&(f, r)| stands(f, r, Man::Knight)) {
            return true;
        }
        if KING_STEPS.iter().any(|&(f, r)| stands(f, r, Man::King)) {
            return true;
        }
        let slides = |steps: &[(i32, i32)], slider: Man| {
            steps.iter().any(|&(f, r)| {
                matches!(self.first_man_towards(square, f, r),
                    Some((side, man)) if side == by && (man == slider || man == Man::Queen))
            })
        };
        slides(&ROOK_STEPS, Man::Rook) || slides(&BISHOP_STEPS, Man::Bishop)
    }

    fn first_man_towards(&self, from: Square, files: i32, ranks: i32) -> Option<(Side, Man)> {
        let mut here = from;
        while let Some(next) = step(here, files, ranks) {
            if let Some(man) = self.at(next) {
                return Some(man);
            }
            here = next;
        }
        None
    }

    /// Whether a king of that side is attacked.
    pub fn king_is_attacked(&self, side: Side) -> bool {
        self.men(side)
            .any(|(square, man)| man == Man::King && self.is_attacked(square, side.other()))
    }
}
