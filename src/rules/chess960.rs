//! Random start (R-progressive): the 960 arrays of Fischer random chess.

use shakmaty::{Bitboard, Color, File, Rank, Role, Square};
use thiserror::Error;

use super::{
    men::{Man, Men},
    position::SeriesPosition,
    rule_set::RuleSet,
    setup::Setup,
};

/// The number of a Chess960 array, 0..=959, in Scharnagl's numbering; 518 is the orthodox one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chess960Number(u16);

/// A number that names no array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{0} is no Chess960 array: expected 0..959")]
pub struct Chess960NumberError(pub u32);

impl TryFrom<u32> for Chess960Number {
    type Error = Chess960NumberError;

    fn try_from(number: u32) -> Result<Chess960Number, Chess960NumberError> {
        if number < 960 {
            Ok(Chess960Number(number as u16))
        } else {
            Err(Chess960NumberError(number))
        }
    }
}

impl Chess960Number {
    /// The orthodox array.
    pub const ORTHODOX: Chess960Number = Chess960Number(518);

    /// The number.
    pub const fn get(self) -> u16 {
        self.0
    }

    /// The back-rank men from the a-file to the h-file.
    pub fn array(self) -> [Role; 8] {
        // Scharnagl: the remainders place the bishops and the queen, then the knights by a table
        // of pairs, then rook, king, rook from left to right.
        const KNIGHTS: [(usize, usize); 10] = [
            (0, 1),
            (0, 2),
            (0, 3),
            (0, 4),
            (1, 2),
            (1, 3),
            (1, 4),
            (2, 3),
            (2, 4),
            (3, 4),
        ];
        let mut array = [None; 8];
        let number = usize::from(self.0);
        array[number % 4 * 2 + 1] = Some(Role::Bishop);
        array[number / 4 % 4 * 2] = Some(Role::Bishop);
        let mut put = |nth: usize, role: Role| {
            if let Some(place) = array.iter_mut().filter(|place| place.is_none()).nth(nth) {
                *place = Some(role);
            }
        };
        put(number / 16 % 6, Role::Queen);
        let (first, second) = KNIGHTS[number / 96];
        // The second knight first: the numbers of the free places on its left stay valid.
        put(second, Role::Knight);
        put(first, Role::Knight);
        put(0, Role::Rook);
        put(0, Role::King);
        put(0, Role::Rook);
        array.map(|role| role.unwrap_or(Role::Pawn))
    }

    /// The start position with this array for both sides.
    pub fn start(self, rules: RuleSet) -> SeriesPosition {
        let mut men = Men::EMPTY;
        let mut castling_rooks = Bitboard::EMPTY;
        for (file, role) in File::ALL.into_iter().zip(self.array()) {
            for (color, back, front) in [
                (Color::White, Rank::First, Rank::Second),
                (Color::Black, Rank::Eighth, Rank::Seventh),
            ] {
                let square = Square::from_coords(file, back);
                men.put(square, Man { color, role });
                men.put(
                    Square::from_coords(file, front),
                    Man {
                        color,
                        role: Role::Pawn,
                    },
                );
                if role == Role::Rook {
                    castling_rooks.add(square);
                }
            }
        }
        let setup = Setup {
            men,
            castling_rooks,
            unmoved_kings: Some([true; 2]),
            ..Setup::default()
        };
        #[allow(clippy::expect_used)]
        SeriesPosition::from_setup(rules, &setup)
            // Each side has one king, sixteen men and rooks on its back rank; only contradictory
            // rules could be refused, and those are refused where rules are chosen.
            .expect("a start array is a position under every valid rule set")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_arrays_come_out() {
        use Role::{Bishop, King, Knight, Queen, Rook};
        let array = |number: u32| Chess960Number::try_from(number).unwrap().array();
        assert_eq!(
            array(518),
            [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook]
        );
        assert_eq!(
            array(0),
            [Bishop, Bishop, Queen, Knight, Knight, Rook, King, Rook]
        );
        assert_eq!(
            array(959),
            [Rook, King, Rook, Knight, Knight, Queen, Bishop, Bishop]
        );
        assert!(Chess960Number::try_from(960).is_err());
    }

    #[test]
    fn all_arrays_differ_and_have_the_king_between_the_rooks() {
        let mut seen = std::collections::HashSet::new();
        for number in 0..960 {
            let array = Chess960Number::try_from(number).unwrap().array();
            assert!(seen.insert(array));
            let place = |role| array.iter().position(|&r| r == role).unwrap();
            let last_rook = array.iter().rposition(|&r| r == Role::Rook).unwrap();
            assert!(place(Role::Rook) < place(Role::King) && place(Role::King) < last_rook);
        }
    }
}
