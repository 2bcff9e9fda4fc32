//! Tables over one set-up of enemy men: which squares the enemy king could flee to, from where
//! each kind of man covers them, and what a man can cover within a few moves.
//!
//! The enemy stands still during a series, so these tables hold until one of its men is taken.
//! They are relaxed on purpose: own men are transparent and never in each other's way, so that
//! what the tables call impossible is impossible.

use shakmaty::attacks;

use crate::rules::{Bitboard, CheckRule, Color, Rank, Role, SeriesPosition, Square};

/// A set of requirements: bits 0..=7 are the neighbours of the enemy king, bit 8 is the check.
pub(super) type Mask = u16;

/// The requirement that the enemy king itself is attacked.
pub(super) const CHECK: Mask = 1 << 8;
pub(super) const BITS: usize = 9;

/// The most moves the options of a man look ahead.
pub(super) const REACH: usize = 5;
/// The most options kept for one man; what does not fit is merged, which is weaker but sound.
const OPTIONS: usize = 26;

/// What a man could cover after some moves: nine bits of [`Mask`], and from bit 16 on the
/// neighbour square that another man must protect because this one stands there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Choice(u32);

impl Choice {
    #[inline]
    pub(super) fn mask(self) -> Mask {
        self.0 as Mask
    }

    #[inline]
    pub(super) fn need(self) -> Mask {
        (self.0 >> 16) as Mask
    }

    /// Whether this is at least as good as `other`.
    #[inline]
    fn dominates(self, other: Choice) -> bool {
        other.mask() & !self.mask() == 0 && self.need() & !other.need() == 0
    }
}

/// Everything a man could cover within `i` moves, each bit by some option; a vector register full.
pub(super) type Caps = [Mask; 8];

/// What a man of one role on one square could cover after one, two, ... moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Options that cost `i` moves end here; those for one move start at 0.
    ends: [u8; REACH + 1],
    options: [Choice; OPTIONS],
    /// Squares that can be reached within `i + 1` moves.
    pub(super) reach: [Bitboard; REACH],
}

impl Entry {
    pub(super) const EMPTY: Entry = Entry {
        ends: [0; REACH + 1],
        options: [Choice(0); OPTIONS],
        reach: [Bitboard::EMPTY; REACH],
    };

    /// The options that cost exactly `moves` (1..=[`REACH`]).
    #[inline]
    pub(super) fn options(&self, moves: usize) -> &[Choice] {
        &self.options[self.ends[moves - 1] as usize..self.ends[moves] as usize]
    }

    /// Begins the options that cost `moves` moves; those for fewer are complete.
    fn start(&mut self, moves: usize) {
        self.ends[moves] = self.ends[moves - 1];
    }

    /// Adds what can be covered from some square after `moves` moves.
    fn add(&mut self, moves: usize, mask: Mask, need: Mask) {
        let option = Choice(u32::from(mask) | u32::from(need) << 16);
        let end = self.ends[moves] as usize;
        if self.options[..end].iter().any(|old| old.dominates(option)) {
            return;
        }
        // Dominated options of the same cost make room.
        let start = self.ends[moves - 1] as usize;
        let mut kept = start;
        for index in start..end {
            if !option.dominates(self.options[index]) {
                self.options[kept] = self.options[index];
                kept += 1;
            }
        }
        // Every cost keeps a place of its own; what does not fit is merged into its last option.
        if kept < OPTIONS - (REACH - moves) {
            self.options[kept] = option;
            kept += 1;
        } else {
            let last = &mut self.options[kept - 1];
            let need = last.need() & need;
            *last = Choice(u32::from(last.mask() | mask) | u32::from(need) << 16);
        }
        self.ends[moves] = kept as u8;
    }
}

/// What does not change while one position is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    us: Color,
    /// The enemy king's square.
    king: Square,
    double_step: bool,
    /// Whether the enemy may not answer with a check.
    answers_shy: bool,
}

impl Frame {
    /// `None` where there is no enemy king to mate.
    pub(super) fn new(position: &SeriesPosition) -> Option<Frame> {
        let rules = position.rules();
        Some(Frame {
            us: position.side(),
            king: position.men().king(!position.side())?,
            double_step: rules.double_step,
            answers_shy: rules.checks == CheckRule::Last,
        })
    }
}

/// The tables over one enemy set-up.
pub(super) struct Ground {
    frame: Frame,
    /// All enemy men.
    pub(super) enemy: Bitboard,
    /// Those of them that block lines.
    blocking: Bitboard,
    /// What a mate must cover: the neighbour squares without enemy men, and the check.
    pub(super) goal: Mask,
    targets: [Option<Square>; BITS],
    /// By role and square: what a man covers from there.
    cover: [[Mask; 64]; 6],
    /// By role: the squares from where anything is covered.
    zone: [Bitboard; 6],
    /// By role and requirement: the squares from where it is covered.
    sources: [[Bitboard; BITS]; 6],
    /// By role and square.
    places: [[Place; 64]; 6],
    /// What the men asked about could do: a few dozen of all men on all squares, close together.
    prospects: Vec<Prospect>,
}

/// What a man of one role on one square could do.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Prospect {
    caps: Caps,
    /// How many moves ahead this is worked out.
    filled: u8,
    entry: Entry,
}

impl Prospect {
    const NONE: Prospect = Prospect {
        caps: [0; 8],
        filled: 0,
        entry: Entry::EMPTY,
    };
}

/// Where the prospects of a man are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(u16);

impl Place {
    /// Those of nobody, who can do nothing.
    pub(super) const NOBODY: Place = Place(0);
}

/// Room for so many is there at first.
const PROSPECTS: usize = 32;

impl Ground {
    /// What one takes at most.
    pub(super) const BYTES: usize = size_of::<Ground>() + (6 * 64 + 1) * size_of::<Prospect>();

    /// The tables over `enemy`, of which only `blocking` block lines.
    pub(super) fn new(
        frame: Frame,
        position: &SeriesPosition,
        enemy: Bitboard,
        blocking: Bitboard,
    ) -> Ground {
        let mut ground = Ground {
            frame,
            enemy,
            blocking,
            goal: 0,
            targets: [None; BITS],
            cover: [[0; 64]; 6],
            zone: [Bitboard::EMPTY; 6],
            sources: [[Bitboard::EMPTY; BITS]; 6],
            places: [[Place::NOBODY; 64]; 6],
            prospects: Vec::with_capacity(PROSPECTS),
        };
        ground.build(position);
        ground
    }

    /// Whether these are the tables for that.
    #[inline]
    pub(super) fn is_for(&self, frame: Frame, enemy: Bitboard, blocking: Bitboard) -> bool {
        self.enemy == enemy && self.blocking == blocking && self.frame == frame
    }

    /// Makes these the tables over another set-up.
    pub(super) fn reuse(
        &mut self,
        frame: Frame,
        position: &SeriesPosition,
        enemy: Bitboard,
        blocking: Bitboard,
    ) {
        self.frame = frame;
        self.enemy = enemy;
        self.blocking = blocking;
        self.goal = 0;
        self.targets = [None; BITS];
        self.cover = [[0; 64]; 6];
        self.zone = [Bitboard::EMPTY; 6];
        self.sources = [[Bitboard::EMPTY; BITS]; 6];
        self.places = [[Place::NOBODY; 64]; 6];
        self.build(position);
    }

    fn build(&mut self, position: &SeriesPosition) {
        self.prospects.clear();
        self.prospects.push(Prospect::NONE);
        let king = self.frame.king;
        let near = attacks::king_attacks(king);
        let lit = self.blocking & !Bitboard::from_square(king);
        for (bit, square) in near.into_iter().chain([king]).enumerate() {
            let bit = if square == king { BITS - 1 } else { bit };
            self.targets[bit] = Some(square);
            if !self.enemy.contains(square) || square == king {
                self.goal |= 1 << bit;
            }
            let line = attacks::rook_attacks(square, lit);
            let diagonal = attacks::bishop_attacks(square, lit);
            let by_king = if square == king {
                Bitboard::EMPTY
            } else {
                attacks::king_attacks(square) & !near & !Bitboard::from_square(king)
            };
            let sources = [
                attacks::pawn_attacks(!self.frame.us, square),
                attacks::knight_attacks(square),
                diagonal,
                line,
                line | diagonal,
                by_king,
            ];
            for (role, squares) in sources.into_iter().enumerate() {
                self.sources[role][bit] = squares;
                self.zone[role] |= squares;
                for from in squares {
                    self.cover[role][from as usize] |= 1 << bit;
                }
            }
        }
        if self.frame.answers_shy {
            self.spare_shy_flights(position);
        }
    }

    /// Where our king would be attacked as soon as the enemy king leaves a line, the enemy may
    /// not leave that line: it counts as if our king covered the squares off it.
    fn spare_shy_flights(&mut self, position: &SeriesPosition) {
        let king = self.frame.king;
        let men = position.men();
        let them = !self.frame.us;
        let snipers = (attacks::rook_attacks(king, Bitboard::EMPTY) & men.line_sliders(them))
            | (attacks::bishop_attacks(king, Bitboard::EMPTY) & men.diagonal_sliders(them));
        for sniper in snipers & self.enemy {
            if (attacks::between(king, sniper) & self.blocking).any() {
                continue;
            }
            let line = attacks::ray(king, sniper);
            let reach = attacks::queen_attacks(king, self.blocking) & line;
            let beyond = reach & !attacks::between(king, sniper) & !Bitboard::from_square(sniper);
            let off_line = (0..BITS - 1)
                .filter(|&bit| self.targets[bit].is_some_and(|square| !line.contains(square)))
                .fold(0, |mask, bit| mask | 1 << bit);
            for square in beyond {
                self.cover[KING][square as usize] |= off_line;
                self.zone[KING].add(square);
                for bit in 0..BITS - 1 {
                    if off_line & 1 << bit != 0 {
                        self.sources[KING][bit].add(square);
                    }
                }
            }
        }
    }

    /// The enemy men that block lines.
    pub(super) fn blocking(&self) -> Bitboard {
        self.blocking
    }

    /// The enemy king's square.
    pub(super) fn king(&self) -> Square {
        self.frame.king
    }

    /// The enemy king.
    pub(super) fn enemy_king(&self) -> Bitboard {
        Bitboard::from_square(self.frame.king)
    }

    /// What a man of `role` covers from `square`.
    #[inline]
    pub(super) fn cover(&self, role: Role, square: Square) -> Mask {
        self.cover[index(role)][square as usize]
    }

    /// The square behind a requirement.
    #[inline]
    pub(super) fn target(&self, bit: usize) -> Square {
        self.targets[bit].unwrap_or(self.frame.king)
    }

    /// The squares from which a man of `role` covers all of `mask`.
    #[inline]
    pub(super) fn sources(&self, role: Role, mask: Mask) -> Bitboard {
        let sources = &self.sources[index(role)];
        let mut squares = Bitboard::FULL;
        let mut rest = mask;
        while rest != 0 {
            squares &= sources[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        squares
    }

    /// What a man of `role` on `square` could cover; [`Ground::prepare`] must have seen it.
    #[inline]
    pub(super) fn entry(&self, role: Role, square: Square) -> &Entry {
        self.entry_at(self.place(role, square))
    }

    /// Everything that man could cover.
    #[inline]
    pub(super) fn caps(&self, role: Role, square: Square) -> &Caps {
        self.prospect_at(self.place(role, square)).0
    }

    #[inline]
    fn place(&self, role: Role, square: Square) -> Place {
        self.places[index(role)][square as usize]
    }

    /// What the man there could cover.
    #[inline]
    pub(super) fn entry_at(&self, place: Place) -> &Entry {
        &self.prospects[usize::from(place.0)].entry
    }

    /// Both of the man there.
    #[inline]
    pub(super) fn prospect_at(&self, place: Place) -> (&Caps, &Entry) {
        let prospect = &self.prospects[usize::from(place.0)];
        (&prospect.caps, &prospect.entry)
    }

    /// Whether a man of `role` on `from` could cover with one move all of `goal` that is not `held`.
    pub(super) fn can_finish(&mut self, role: Role, from: Square, goal: Mask, held: Mask) -> bool {
        self.prepare(role, from, 1);
        goal & !(held | self.caps(role, from)[1]) == 0
            && self
                .entry(role, from)
                .options(1)
                .iter()
                .any(|option| (goal | option.need()) & !(held | option.mask()) == 0)
    }

    /// Whether a man of `role` on `from` could cover all of `mask` after one more move.
    #[inline]
    pub(super) fn can_step_to_cover(&self, role: Role, from: Square, mask: Mask) -> bool {
        if role != Role::Pawn {
            let sources = self.sources(role, mask);
            return sources.any() && (self.steps(role, from) & sources).any();
        }
        let last_rank = Bitboard::from_rank(self.frame.us.fold_wb(Rank::Eighth, Rank::First));
        let to = self.steps(Role::Pawn, from);
        (to & !last_rank & self.sources(Role::Pawn, mask)).any()
            || (to
                & last_rank
                & (self.sources(Role::Queen, mask) | self.sources(Role::Knight, mask)))
            .any()
    }

    /// Makes sure that these tables are not taken for those of another search.
    pub(super) fn spoil(&mut self) {
        self.enemy = Bitboard::EMPTY;
    }

    /// Works out the entry of a man for up to `moves` moves, and tells where it is.
    #[inline]
    pub(super) fn prepare(&mut self, role: Role, square: Square, moves: usize) -> Place {
        let place = self.place(role, square);
        if usize::from(self.prospects[usize::from(place.0)].filled) >= moves {
            return place;
        }
        self.fill(role, square, moves)
    }

    /// The neighbour square that another man must protect when one has taken something there.
    pub(super) fn need(&self, square: Square) -> Mask {
        if !self.enemy.contains(square) {
            return 0;
        }
        (0..BITS - 1)
            .filter(|&bit| self.targets[bit] == Some(square))
            .fold(0, |mask, bit| mask | 1 << bit)
    }

    fn fill(&mut self, role: Role, square: Square, most: usize) -> Place {
        let mut entry = Entry::EMPTY;
        let mut caps = [0; 8];
        let start = Bitboard::from_square(square);
        // What the man may be then, and the squares first reached after some moves as that.
        let forms: &[Role] = match role {
            Role::Pawn => &[Role::Pawn, Role::Knight, Role::Queen],
            _ => std::slice::from_ref(&role),
        };
        let mut fresh = [start, Bitboard::EMPTY, Bitboard::EMPTY];
        let mut seen = fresh;
        let last_rank = Bitboard::from_rank(self.frame.us.fold_wb(Rank::Eighth, Rank::First));
        let mut reach = Bitboard::EMPTY;
        for moves in 1..=most {
            let mut next = [Bitboard::EMPTY; 3];
            for ((&role, fresh), next) in forms.iter().zip(fresh).zip(&mut next) {
                for from in fresh {
                    *next |= self.steps(role, from);
                }
            }
            if role == Role::Pawn {
                let promoted = next[0] & last_rank;
                next[0] &= !last_rank;
                next[1] |= promoted;
                next[2] |= promoted;
            }
            entry.start(moves);
            for (form, &role) in forms.iter().enumerate() {
                fresh[form] = next[form] & !seen[form];
                seen[form] |= next[form];
                reach |= next[form];
                for to in fresh[form] & self.zone[index(role)] {
                    entry.add(moves, self.cover(role, to), self.need(to));
                    caps[moves] |= self.cover(role, to);
                }
            }
            if moves == 1 && reach.any() {
                // Going anywhere may be all that is wanted, to open a line.
                entry.add(1, 0, 0);
            }
            caps[moves] |= caps[moves - 1];
            entry.reach[moves - 1] = reach;
        }
        let prospect = Prospect {
            caps,
            filled: most as u8,
            entry,
        };
        let place = &mut self.places[index(role)][square as usize];
        if *place == Place::NOBODY {
            *place = Place(self.prospects.len() as u16);
            self.prospects.push(prospect);
        } else {
            self.prospects[usize::from(place.0)] = prospect;
        }
        *place
    }

    /// Where a man could go with one move, if own men were never in the way.
    #[inline]
    pub(super) fn steps(&self, role: Role, from: Square) -> Bitboard {
        self.real_steps(role, from, self.blocking)
    }

    /// Where a man could go with one move when `occupied` is in its way; onto own men too.
    #[inline]
    pub(super) fn real_steps(&self, role: Role, from: Square, occupied: Bitboard) -> Bitboard {
        let king = Bitboard::from_square(self.frame.king);
        let us = self.frame.us;
        let squares = match role {
            Role::Pawn => {
                let step = us.fold_wb(8, -8);
                let one = Bitboard::from_square(from).shift(step) & !occupied;
                let third = Bitboard::from_rank(us.fold_wb(Rank::Third, Rank::Sixth));
                let two = if self.frame.double_step {
                    (one & third).shift(step) & !occupied
                } else {
                    Bitboard::EMPTY
                };
                one | two | (attacks::pawn_attacks(us, from) & self.enemy)
            }
            Role::Knight => attacks::knight_attacks(from),
            Role::Bishop => attacks::bishop_attacks(from, occupied),
            Role::Rook => attacks::rook_attacks(from, occupied),
            Role::Queen => attacks::queen_attacks(from, occupied),
            Role::King => attacks::king_attacks(from) & !attacks::king_attacks(self.frame.king),
        };
        squares & !king
    }
}

const KING: usize = 5;

pub(super) const ROLES: [Role; 6] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

#[inline]
fn index(role: Role) -> usize {
    role as usize - 1
}
