//! Hash keys: one incremental word for the placement, the rest mixed in when a key is asked for.

use std::{
    collections::HashSet,
    hash::{BuildHasherDefault, Hasher},
};

use shakmaty::{Bitboard, Color, Role, Square};

/// Keys are random already, so they are their own hash.
#[derive(Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only whole keys are hashed");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// A set of hash keys.
pub(crate) type KeySet = HashSet<u64, BuildHasherDefault<KeyHasher>>;

/// A bijective mixer of 64-bit words (the finaliser of `SplitMix64`, Steele et al. 2014).
#[inline]
pub(super) const fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// One random word for each man on each square (Zobrist 1970), made at compile time.
static MAN_KEYS: [[[u64; 64]; 6]; 2] = {
    let mut keys = [[[0; 64]; 6]; 2];
    let mut seed = 0x5e71_a71a;
    let (mut color, mut role, mut square) = (0, 0, 0);
    while color < 2 {
        while role < 6 {
            while square < 64 {
                seed += 1;
                keys[color][role][square] = mix(mix(seed));
                square += 1;
            }
            (role, square) = (role + 1, 0);
        }
        (color, role) = (color + 1, 0);
    }
    keys
};

/// The key of `role` of `color` on `square`.
#[inline]
pub(super) fn man_key(color: Color, role: Role, square: Square) -> u64 {
    MAN_KEYS[color as usize][role as usize - 1][square as usize]
}

/// The key of a whole placement, from scratch.
pub(super) fn placement_key(men: &super::men::Men) -> u64 {
    side_key(men, Color::White) ^ side_key(men, Color::Black)
}

/// The key of the placement of one side's men.
pub(super) fn side_key(men: &super::men::Men, color: Color) -> u64 {
    super::men::ROLES.into_iter().fold(0, |key, role| {
        key ^ squares_key(color, role, men.men(color, role))
    })
}

fn squares_key(color: Color, role: Role, squares: Bitboard) -> u64 {
    squares
        .into_iter()
        .fold(0, |key, square| key ^ man_key(color, role, square))
}
