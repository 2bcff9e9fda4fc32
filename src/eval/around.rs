//! What the networks see of a king: the men and the attacks around it; and sums over that, which are
//! changed instead of made anew where positions are alike.

use arrayvec::ArrayVec;

use super::{
    features::Side,
    network::{HIDDEN, LENGTHS, Network, Row, row_of},
};
use crate::rules::{Bitboard, Color, Man, Men, SeriesPosition, Square, attacks};

/// Men by owner, role, and place relative to the king within seven files and ranks each way.
const PLACES: usize = 15 * 15;
/// The king's own place: by rank, and by distance from the nearer edge file.
const KING: usize = 2 * 6 * PLACES;
/// Whether the king is attacked now.
const CHECK: usize = KING + 32;
/// The length of the series.
const LENGTH: usize = CHECK + 1;
/// The squares beside the king that are attacked now,
const ATTACKED: usize = LENGTH + LENGTHS;
/// and those it could flee to.
const FREE: usize = ATTACKED + 8;
/// Inputs for one king.
pub(super) const ONE_KING: usize = FREE + 8;
/// The most inputs of one king that are set at once: 31 men, its place, check, the length, and
/// the squares beside it.
pub(super) const SET_MAX: usize = 31 + 3 + 8;
/// The most inputs that change at once: a man on each square, and what is not a man.
const CHANGES: usize = 64 + 2 + 16;

/// A square as the owner of a king sees it, with the king on the left half.
#[derive(Clone, Copy, Debug)]
struct View {
    us: Color,
    king: Square,
    /// What turns a square's number into the one seen.
    turn: i32,
    /// What turns the place of a square on a board of fifteen files into the one relative to the
    /// king.
    shift: i32,
}

/// The place of a square, as seen, on a board of fifteen files.
fn wide(seen: i32) -> i32 {
    seen + (seen >> 3) * 7
}

impl View {
    fn new(us: Color, king: Square) -> View {
        let mirror = if king.file() as u8 > 3 { 7 } else { 0 };
        let turn = us.fold_wb(0, 0o70) ^ mirror;
        View {
            us,
            king,
            turn,
            shift: 7 * 15 + 7 - wide(king as i32 ^ turn),
        }
    }

    /// The input for the king's place.
    fn place(self) -> u16 {
        let king = self.king as usize ^ self.turn as usize;
        (KING + (king >> 3) * 4 + (king & 7)) as u16
    }

    /// The place of a square relative to the king: of 15 times 15 the middle one is the king's.
    fn relative(self, square: Square) -> i32 {
        wide(square as i32 ^ self.turn) + self.shift
    }

    /// The input for a man on `square`.
    fn man(self, man: Man, square: Square) -> u16 {
        let kind = usize::from(man.color != self.us) * 6 + man.role as usize - 1;
        (kind * PLACES) as u16 + self.relative(square) as u16
    }

    /// The input for a square beside the king, from those that begin with `first`.
    fn beside(self, first: usize, square: Square) -> u16 {
        // Three rows of three, fifteen apart; of these nine places the middle one is the king's.
        let place = match self.relative(square) - 6 * 15 - 6 {
            place @ 0..15 => place,
            place @ 15..30 => place - 12,
            place => place - 24,
        };
        first as u16 + (place - i32::from(place > 4)) as u16
    }
}

/// What there is around a king.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<'p> {
    view: View,
    men: &'p Men,
    /// Squares beside it that are attacked, and those it could flee to.
    attacked: Bitboard,
    free: Bitboard,
    in_check: bool,
    /// The row of the length of the series that is coming.
    length: usize,
}

/// The squares beside the king of `us`, on `king`, each with its number below 8 as its owner sees it.
pub(super) fn beside(us: Color, king: Square) -> impl Iterator<Item = (Square, usize)> {
    let view = View::new(us, king);
    let squares = attacks::king_attacks(king).into_iter();
    squares.map(move |square| (square, usize::from(view.beside(0, square))))
}

impl<'p> Around<'p> {
    /// What there is around the king of `us`, when the enemy, whose men attack as `enemy` says, has
    /// a series of `length` moves. Nothing without a king.
    pub(super) fn new(
        position: &'p SeriesPosition,
        us: Color,
        enemy: &Side,
        length: u16,
    ) -> Option<Around<'p>> {
        let men = position.men();
        let king = men.king(us)?;
        let beside = attacks::king_attacks(king);
        Some(Around {
            view: View::new(us, king),
            men,
            attacked: beside & enemy.attacked,
            free: beside & !enemy.attacked & !men.of(us),
            in_check: enemy.attacked.contains(king),
            length: row_of(length),
        })
    }

    /// The inputs that are set (see [`Around::new`]).
    pub(super) fn inputs(
        position: &SeriesPosition,
        us: Color,
        enemy: &Side,
        length: u16,
    ) -> ArrayVec<u16, SET_MAX> {
        let mut set = ArrayVec::new();
        if let Some(around) = Around::new(position, us, enemy, length) {
            // There are at most 32 men; a set-up board with more of them is seen in part.
            let add = |input| {
                let _ = set.try_push(input);
            };
            around.changes(&Before::NOTHING, |_| {}, add);
        }
        set
    }

    /// Tells which inputs are set no more, and which are new.
    fn changes(&self, before: &Before, mut gone: impl FnMut(u16), mut new: impl FnMut(u16)) {
        let view = self.view;
        if before.length != Some(self.length) {
            if let Some(length) = before.length {
                gone((LENGTH + length) as u16);
            } else {
                new(view.place());
            }
            new((LENGTH + self.length) as u16);
        }
        match (before.in_check, self.in_check) {
            (true, false) => gone(CHECK as u16),
            (false, true) => new(CHECK as u16),
            _ => {}
        }
        for (first, old, now) in [
            (ATTACKED, before.attacked, self.attacked),
            (FREE, before.free, self.free),
        ] {
            for square in old ^ now {
                let input = view.beside(first, square);
                if now.contains(square) {
                    new(input);
                } else {
                    gone(input);
                }
            }
        }
        for square in before.men.difference(self.men) & !Bitboard::from_square(view.king) {
            if let Some(man) = before.men.man_at(square) {
                gone(view.man(man, square));
            }
            if let Some(man) = self.men.man_at(square) {
                new(view.man(man, square));
            }
        }
    }
}

/// What there was around a king on some square.
#[derive(Clone, Copy, Debug)]
struct Before {
    men: Men,
    attacked: Bitboard,
    free: Bitboard,
    in_check: bool,
    length: Option<usize>,
}

impl Before {
    /// Nothing yet, not even a king.
    const NOTHING: Before = Before {
        men: Men::EMPTY,
        attacked: Bitboard::EMPTY,
        free: Bitboard::EMPTY,
        in_check: false,
        length: None,
    };
}

/// The inputs of a network for one of the kings that it looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) network: &'static Network,
    /// The first of them.
    pub(super) first: u16,
}

impl Part {
    /// Its part of the hidden layer without any input: the first king's has the bias.
    pub(super) fn start(self) -> Row {
        if self.first == 0 {
            self.network.bias()
        } else {
            [0; HIDDEN]
        }
    }
}

/// A part of the hidden layer, for what there was around a king on some square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    before: Before,
    hidden: Row,
}

impl Sum {
    /// Before anything was there.
    pub(super) fn empty(part: Part) -> Sum {
        Sum {
            before: Before::NOTHING,
            hidden: part.start(),
        }
    }

    /// Changes it to what is there now, with the king on the same square as ever, and returns that
    /// part of the hidden layer.
    pub(super) fn with(&mut self, part: Part, around: &Around<'_>) -> Row {
        let mut gone: ArrayVec<u16, CHANGES> = ArrayVec::new();
        let mut new: ArrayVec<u16, CHANGES> = ArrayVec::new();
        around.changes(
            &self.before,
            |input| gone.push(part.first + input),
            |input| new.push(part.first + input),
        );
        part.network.exchange(&mut self.hidden, &gone, &new);
        self.before = Before {
            men: *around.men,
            attacked: around.attacked,
            free: around.free,
            in_check: around.in_check,
            length: Some(around.length),
        };
        self.hidden
    }
}

/// A part of the hidden layer for each king on each square, as they were last: positions that come
/// one after the other differ in a man or two.
#[derive(Debug, Default)]
pub(super) struct Sums {
    network: Option<&'static Network>,
    /// By colour and square.
    kings: Vec<Sum>,
}

impl Sums {
    /// The part of the hidden layer, which is always that of the same king of a network.
    pub(super) fn hidden(&mut self, part: Part, around: &Around<'_>) -> Row {
        let is_known = |known: &Network| std::ptr::eq(known, part.network);
        if !self.network.is_some_and(is_known) {
            self.network = Some(part.network);
            self.kings.clear();
            self.kings.resize(2 * 64, Sum::empty(part));
        }
        let view = around.view;
        self.kings[view.us as usize * 64 + view.king as usize].with(part, around)
    }
}
