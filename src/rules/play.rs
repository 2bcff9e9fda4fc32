//! Playing a move: what it does to the men, to the rights, and to the series.

use shakmaty::{Bitboard, Color, File, Role, Square};

use super::{
    balance::MoveCounts,
    key::man_key,
    men::Men,
    moves::{Move, MoveKind},
    position::{
        Marks, SeriesPosition, back_rank, double_step_square, file_bit, files, passed_square,
    },
    rule_set::{CheckRule, EnPassantRule, PromotedMan, QuietProgress, UnfinishedEscape},
};

/// What a move took, and where the man came back.
#[derive(Clone, Copy)]
pub(super) struct Capture {
    role: Role,
    square: Square,
    reborn: Option<Square>,
}

/// The home square of a man of `color` taken on `taken` (rules, Circe): queens on the d-file,
/// pawns on their file, the others on the home square of the colour of the square they stood on.
pub(super) fn home_square(color: Color, role: Role, taken: Square) -> Option<Square> {
    let rank = back_rank(color);
    let on_color_of_taken = |one: File, other: File| {
        let first = Square::from_coords(one, rank);
        if first.is_light() == taken.is_light() {
            first
        } else {
            Square::from_coords(other, rank)
        }
    };
    Some(match role {
        Role::Pawn => Square::from_coords(
            taken.file(),
            color.fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh),
        ),
        Role::Knight => on_color_of_taken(File::B, File::G),
        Role::Bishop => on_color_of_taken(File::C, File::F),
        Role::Rook => on_color_of_taken(File::A, File::H),
        Role::Queen => Square::from_coords(File::D, rank),
        Role::King => return None,
    })
}

impl SeriesPosition {
    /// Moves the men of `m`, a move of `us`, on `men` and keeps `key` in step.
    #[inline]
    fn move_men(
        us: Color,
        rebirth: bool,
        m: Move,
        men: &mut Men,
        key: &mut u64,
    ) -> Option<Capture> {
        let toggle = |men: &mut Men, key: &mut u64, color, role, square| {
            men.toggle(color, role, Bitboard::from_square(square));
            *key ^= man_key(color, role, square);
        };
        if m.is_castle() {
            let (king_to, rook_to) = m.castling_targets();
            toggle(men, key, us, Role::King, m.from());
            toggle(men, key, us, Role::Rook, m.to());
            toggle(men, key, us, Role::King, king_to);
            toggle(men, key, us, Role::Rook, rook_to);
            return None;
        }
        let square = match m.kind() {
            MoveKind::EnPassant => double_step_square(!us, m.to().file()),
            _ => m.to(),
        };
        let captured = if men.of(!us).contains(square) {
            men.role_at(square)
        } else {
            None
        };
        if let Some(role) = captured {
            toggle(men, key, !us, role, square);
        }
        toggle(men, key, us, m.role(), m.from());
        toggle(men, key, us, m.promotion().unwrap_or(m.role()), m.to());
        let role = captured?;
        let mut reborn = None;
        if rebirth {
            reborn = home_square(!us, role, square).filter(|&home| !men.occupied().contains(home));
            if let Some(home) = reborn {
                toggle(men, key, !us, role, home);
            }
        }
        Some(Capture {
            role,
            square,
            reborn,
        })
    }

    /// The men after `m`, without the rest of the state.
    pub(super) fn men_after(&self, m: Move) -> Men {
        let (mut men, mut key) = (self.men, 0);
        Self::move_men(self.side, self.rules.has_rebirth(), m, &mut men, &mut key);
        men
    }

    /// Plays `m`, which must be legal here; a move that is not leaves a meaningless position.
    #[inline]
    pub fn play(&mut self, m: Move) {
        if self.rules.unfinished_escape == UnfinishedEscape::Loss && self.is_turn_start() {
            self.marks.set(Marks::ESCAPE, self.is_check());
        }
        if self.rules.counts_moves() {
            let retires =
                m.promotion().is_some() && self.rules.promoted_man == PromotedMan::NextSeries;
            self.count_move(m, retires);
        }
        let rebirth = self.rules.has_rebirth();
        let capture = Self::move_men(
            self.side,
            rebirth,
            m,
            &mut self.men,
            &mut self.placement_key,
        );

        let pawn_move = m.role() == Role::Pawn;
        let counts =
            capture.is_some() && self.rules.quiet_progress == QuietProgress::CapturesAndPawns;
        self.marks.set(Marks::PROGRESS, pawn_move || counts);
        self.update_castling(m, capture);
        self.update_passed_squares(m, pawn_move);
        let chained =
            self.rules.en_passant_chain && self.is_turn_start() && m.kind() == MoveKind::EnPassant;
        self.en_passant = if chained {
            self.en_passant & !file_bit(m.to().file())
        } else {
            0
        };

        self.moves_played += 1;
        self.moves_left -= 1;
        if self.moves_left == 0 || self.is_series_decided() {
            self.finish_series();
        }
    }

    /// Whether the series is over though moves are left: by a check where a check ends it, by the
    /// capture of the last man where that wins.
    #[inline]
    fn is_series_decided(&self) -> bool {
        match self.rules.checks {
            CheckRule::Last => false,
            CheckRule::Ends => self.gives_check_now(),
            CheckRule::None => self.men.of(!self.side).is_empty(),
        }
    }

    /// Whether the side on turn attacks the enemy king as the men stand.
    #[inline]
    fn gives_check_now(&self) -> bool {
        self.men
            .king(!self.side)
            .is_some_and(|king| self.men.is_attacked(self.side, king))
    }

    #[inline]
    fn update_castling(&mut self, m: Move, capture: Option<Capture>) {
        if self.castling == [0, 0] && self.unmoved_king == [0, 0] {
            return;
        }
        let (us, them) = (self.side as usize, !self.side as usize);
        if m.from().rank() == back_rank(self.side) {
            let bit = file_bit(m.from().file());
            if m.role() == Role::King && self.unmoved_king[us] == bit {
                self.castling[us] = 0;
                self.unmoved_king[us] = 0;
            } else {
                self.castling[us] &= !bit;
            }
        }
        if let Some(capture) = capture {
            if capture.square.rank() == back_rank(!self.side) {
                let bit = file_bit(capture.square.file());
                if capture.role == Role::King && self.unmoved_king[them] == bit {
                    self.castling[them] = 0;
                }
                self.castling[them] &= !bit;
            }
            if let (Role::Rook, Some(home)) = (capture.role, capture.reborn)
                && self.reborn_rooks_castle()
                && self.unmoved_king[them] != 0
            {
                self.castling[them] |= file_bit(home.file());
            }
        }
        if !self.reborn_rooks_castle() {
            for color in [us, them] {
                if self.castling[color] == 0 {
                    self.unmoved_king[color] = 0;
                }
            }
        }
    }

    /// Whether a reborn rook may castle under these rules.
    #[inline]
    pub(super) fn reborn_rooks_castle(&self) -> bool {
        self.rules.has_rebirth() && self.rules.rebirth_castling && self.rules.castling
    }

    #[inline]
    fn update_passed_squares(&mut self, m: Move, pawn_move: bool) {
        if self.rules.en_passant == EnPassantRule::Last {
            self.passed = 0;
        }
        if !pawn_move {
            return;
        }
        if m.from() == double_step_square(self.side, m.from().file()) {
            self.passed &= !file_bit(m.from().file());
        }
        if m.kind() == MoveKind::DoubleStep && self.keeps_passed_squares() {
            self.passed |= file_bit(m.to().file());
        }
    }

    /// The files of own double steps that still count after `m`, before the turn is handed over.
    pub(super) fn passed_after(&self, m: Move) -> u8 {
        let mut after = *self;
        after.update_passed_squares(m, m.role() == Role::Pawn);
        after.passed
    }

    /// Hands the turn over.
    fn finish_series(&mut self) {
        let limit = self.rules.quiet_limit;
        let grace_is_spent = limit != 0 && self.quiet >= limit;
        self.quiet = if self.marks.contains(Marks::PROGRESS) && !grace_is_spent {
            0
        } else {
            self.quiet.saturating_add(1)
        };
        let occupied = self.men.occupied();
        let side = self.side;
        self.en_passant = files(self.passed)
            .filter(|&file| !occupied.contains(passed_square(side, file)))
            .fold(0, |set, file| set | file_bit(file));
        self.passed = 0;
        self.marks = Marks::default();
        if self.rules.counts_moves() {
            self.counts = MoveCounts::default();
        }
        self.side = !self.side;
        self.turn = self.turn.saturating_add(1);
        self.moves_played = 0;
        self.moves_left = self.rules.schedule.length(self.turn);
    }
}
