//! Where the men stand: eight bitboards, cheap to copy and to change.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

/// A man: a colour and a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Man {
    /// Whose man it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
}

/// The placement of all men.
///
/// 64 bytes, one cache line. It knows attacks but no rules: any number of kings, pawns anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Men {
    roles: [Bitboard; 6],
    colors: [Bitboard; 2],
}

/// All roles, in the order of the role's index.
pub(super) const ROLES: [Role; 6] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

const fn role_index(role: Role) -> usize {
    role as usize - 1
}

impl Default for Men {
    fn default() -> Men {
        Men::EMPTY
    }
}

impl Men {
    /// The empty board.
    pub const EMPTY: Men = Men {
        roles: [Bitboard::EMPTY; 6],
        colors: [Bitboard::EMPTY; 2],
    };

    /// All squares with a man on them.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// All men of `color`.
    #[inline]
    pub fn of(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// All men of `role`, both colours.
    #[inline]
    pub fn with_role(&self, role: Role) -> Bitboard {
        self.roles[role_index(role)]
    }

    /// The men of `color` that are `role`.
    #[inline]
    pub fn men(&self, color: Color, role: Role) -> Bitboard {
        self.of(color) & self.with_role(role)
    }

    /// Rooks and queens of `color`.
    #[inline]
    pub fn line_sliders(&self, color: Color) -> Bitboard {
        self.of(color) & (self.with_role(Role::Rook) | self.with_role(Role::Queen))
    }

    /// Bishops and queens of `color`.
    #[inline]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.of(color) & (self.with_role(Role::Bishop) | self.with_role(Role::Queen))
    }

    /// The king of `color` where it has exactly one, as everywhere where kings are royal.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.men(color, Role::King).first()
    }

    /// The role of the man on `square`.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        // The digits of the role's number: quicker than one role after the other, which nobody
        // foresees.
        let [pawns, knights, bishops, rooks, queens, kings] = self.roles;
        let digits = [
            pawns | bishops | queens,
            knights | bishops | kings,
            rooks | queens | kings,
        ];
        let digit = |set: Bitboard| (set.0 >> square as u32) as u32 & 1;
        let number = digit(digits[0]) | digit(digits[1]) << 1 | digit(digits[2]) << 2;
        number.checked_sub(1).map(|index| ROLES[index as usize])
    }

    /// The man on `square`.
    pub fn man_at(&self, square: Square) -> Option<Man> {
        let color = Color::from_white(self.of(Color::White).contains(square));
        self.role_at(square).map(|role| Man { color, role })
    }

    /// The squares where other men stand than in `other`.
    #[inline]
    pub fn difference(&self, other: &Men) -> Bitboard {
        let mut all = self.colors[0] ^ other.colors[0] | self.colors[1] ^ other.colors[1];
        for (index, &role) in self.roles.iter().enumerate() {
            all |= role ^ other.roles[index];
        }
        all
    }

    /// Puts a man on an empty square, or takes it off: the square changes sides of "there".
    #[inline]
    pub(super) fn toggle(&mut self, color: Color, role: Role, squares: Bitboard) {
        self.roles[role_index(role)] ^= squares;
        self.colors[color as usize] ^= squares;
    }

    /// Puts `man` on `square`, in place of whatever stood there.
    pub fn put(&mut self, square: Square, man: Man) {
        if let Some(old) = self.man_at(square) {
            self.toggle(old.color, old.role, Bitboard::from_square(square));
        }
        self.toggle(man.color, man.role, Bitboard::from_square(square));
    }

    /// Takes the man off `square`; nothing happens if there is none.
    pub fn remove(&mut self, square: Square) {
        if let Some(old) = self.man_at(square) {
            self.toggle(old.color, old.role, Bitboard::from_square(square));
        }
    }

    /// The men of `by` that attack `square` when the squares of `occupied` block lines.
    #[inline]
    pub fn attackers(&self, by: Color, square: Square, occupied: Bitboard) -> Bitboard {
        self.of(by)
            & ((attacks::pawn_attacks(!by, square) & self.with_role(Role::Pawn))
                | (attacks::knight_attacks(square) & self.with_role(Role::Knight))
                | (attacks::king_attacks(square) & self.with_role(Role::King))
                | self.slider_attacks(square, occupied))
    }

    #[inline]
    fn slider_attacks(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.with_role(Role::Queen);
        (attacks::rook_attacks(square, occupied) & (queens | self.with_role(Role::Rook)))
            | (attacks::bishop_attacks(square, occupied) & (queens | self.with_role(Role::Bishop)))
    }

    /// Whether a man of `by` attacks `square` on the board as it stands.
    #[inline]
    pub fn is_attacked(&self, by: Color, square: Square) -> bool {
        self.attackers(by, square, self.occupied()).any()
    }

    /// Men that stand alone between `king` and a slider of `sliders_of` that would otherwise
    /// attack it: pinned men when the king is their own, discoverers when it is the enemy's.
    #[inline]
    pub(super) fn line_blockers(
        &self,
        king: Square,
        sliders_of: Color,
        occupied: Bitboard,
    ) -> Bitboard {
        let snipers = (attacks::rook_attacks(king, Bitboard::EMPTY)
            & self.line_sliders(sliders_of))
            | (attacks::bishop_attacks(king, Bitboard::EMPTY) & self.diagonal_sliders(sliders_of));
        let mut blockers = Bitboard::EMPTY;
        for sniper in snipers {
            let between = attacks::between(king, sniper) & occupied;
            if !between.more_than_one() {
                blockers |= between;
            }
        }
        blockers
    }
}
