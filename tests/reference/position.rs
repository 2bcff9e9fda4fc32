//! The state of a game between two moves, the allowed moves, and what playing one does.

use std::rc::Rc;

use super::board::{Board, Man, Side, Square, SquareSet, rank_of, step};
use super::moves::{Consequence, RefMove, pawn_beyond};
use super::rules::{Balance, Checks, EnPassant, Promoted, QuietCounts, Rules};

#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // each is a fact of its own
pub struct Position {
    pub rules: Rc<Rules>,
    pub board: Board,
    /// Who is on turn.
    pub side: Side,
    /// The squares of the rooks that may still castle, of both sides.
    pub castling_rights: SquareSet,
    /// Where the kings stand that have not moved yet, White's first. For Circe a king on its
    /// home square counts as unmoved even when there is no rook left to castle with.
    pub unmoved_kings: [Option<Square>; 2],
    /// Passed-over squares on which the side on turn may capture en passant with its next move.
    pub en_passant_targets: SquareSet,
    /// Squares passed over by double steps of this series whose pawn has not moved since.
    pub own_passed: SquareSet,
    /// The first move of this series was an en passant capture and the second may be one too.
    pub en_passant_chain: bool,
    pub turn: u32,
    pub moves_left: u32,
    pub moves_made: u32,
    /// Complete quiet series up to now.
    pub quiet: u32,
    /// This series is not quiet any more.
    pub progress: bool,
    pub began_in_check: bool,
    /// How often the man on each square has moved in this series (with `rounds`: in this
    /// round). Kept only when the rules ask for balance.
    pub counts: [u8; 64],
    /// Men promoted in this series that may not move before the next one.
    pub resting: SquareSet,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
}

impl Position {
    pub fn unmoved_king(&self, side: Side) -> Option<Square> {
        self.unmoved_kings[side as usize]
    }

    /// The rooks of a side that may still castle.
    pub fn castling_rooks(&self, side: Side) -> impl Iterator<Item = Square> {
        self.castling_rights
            .squares()
            .filter(move |rook| rank_of(*rook) == side.back_rank())
    }

    /// Whether the side on turn stands in check.
    pub fn in_check(&self) -> bool {
        self.rules.kings_are_royal() && self.board.king_is_attacked(self.side)
    }

    /// Moves that leave no king of the own side in check, whatever the check rule and the
    /// balance say about them.
    pub fn moves_without_self_check(&self) -> Vec<RefMove> {
        let mut moves = self.pseudo_moves();
        if self.rules.kings_are_royal() {
            moves.retain(|mv| !self.carry_out(mv).board.king_is_attacked(self.side));
        }
        moves
    }

    /// The moves that may be played now. The draw rules (quiet limit, dead material) are not
    /// looked at; a game that was won by capturing everything has no more moves.
    pub fn legal_moves(&self) -> Vec<RefMove> {
        if self.side_that_captured_all().is_some() {
            return Vec::new();
        }
        let mut moves = self.moves_without_self_check();
        if self.rules.checks == Checks::Last && self.moves_left > 1 {
            moves.retain(|mv| !self.carry_out(mv).board.king_is_attacked(self.side.other()));
        }
        if self.rules.balance != Balance::Off
            && let Some(lowest) = moves.iter().map(|mv| self.balance_level(mv)).min()
        {
            moves.retain(|mv| self.balance_level(mv) == lowest);
        }
        moves
    }

    /// The largest count among the men that a move moves.
    fn balance_level(&self, mv: &RefMove) -> u8 {
        if mv.castling {
            self.counts[mv.from].max(self.counts[mv.to])
        } else {
            self.counts[mv.from]
        }
    }

    /// The legal move with that text, in the notation of this position.
    pub fn find_move(&self, uci: &str) -> Option<RefMove> {
        self.legal_moves()
            .into_iter()
            .find(|mv| mv.uci(self.chess960) == uci)
    }

    /// The position after a legal move.
    #[must_use]
    pub fn play(&self, mv: &RefMove) -> Self {
        let (_, man) = self.board.at(mv.from).expect("a man moves");
        let done = self.carry_out(mv);
        let mut next = self.clone();
        next.board = done.board;
        next.moves_made += 1;
        next.moves_left -= 1;
        next.update_castling(mv, &done);
        next.update_en_passant(self, mv, man, &done);
        next.update_balance(self, mv);
        let captured = done.captured.is_some();
        next.progress |= man == Man::Pawn
            || (captured && self.rules.quiet_counts == QuietCounts::CapturesAndPawns);

        let gives_check = done.board.king_is_attacked(self.side.other());
        let captured_all =
            !self.rules.kings_are_royal() && done.board.men(self.side.other()).next().is_none();
        if next.moves_left == 0
            || (self.rules.checks == Checks::EndsSeries && gives_check)
            || captured_all
        {
            next.end_series();
        }
        next
    }

    fn update_castling(&mut self, mv: &RefMove, done: &Consequence) {
        let mover = self.side;
        if self.unmoved_king(mover) == Some(mv.from) {
            self.king_is_spent(mover);
        }
        self.castling_rights.remove(mv.from);
        if let Some((square, _)) = done.captured {
            self.castling_rights.remove(square);
            if self.unmoved_king(mover.other()) == Some(square) {
                self.king_is_spent(mover.other());
            }
        }
        if let Some((home, Man::Rook)) = done.reborn
            && self.rules.castling
            && self.rules.rebirth_castling
            && self.unmoved_king(mover.other()).is_some()
        {
            self.castling_rights.insert(home);
        }
    }

    /// The unmoved king of that side has moved or is gone.
    fn king_is_spent(&mut self, side: Side) {
        self.unmoved_kings[side as usize] = None;
        self.castling_rights = self
            .castling_rights
            .only(|rook| rank_of(rook) != side.back_rank());
    }

    fn update_en_passant(&mut self, before: &Self, mv: &RefMove, man: Man, done: &Consequence) {
        // What could be taken before this move.
        let enemy = self.side.other();
        self.en_passant_chain =
            self.rules.en_passant_chain && before.moves_made == 0 && done.en_passant;
        self.en_passant_targets = if self.en_passant_chain {
            before.en_passant_targets.only(|passed| {
                done.board.is_empty(passed)
                    && done.board.has(pawn_beyond(passed, enemy), enemy, Man::Pawn)
            })
        } else {
            SquareSet::EMPTY
        };
        // What the answering series may take.
        if man == Man::Pawn
            && let Some(behind) = step(mv.from, 0, -self.side.forward())
        {
            self.own_passed.remove(behind); // if it made a double step it has moved on now
        }
        if self.rules.en_passant == EnPassant::Last {
            self.own_passed = SquareSet::EMPTY;
        }
        if let Some(passed) = done.passed_over
            && self.rules.en_passant != EnPassant::None
        {
            self.own_passed.insert(passed);
        }
    }

    fn update_balance(&mut self, before: &Self, mv: &RefMove) {
        if self.rules.balance == Balance::Rounds && before.balance_level(mv) > 0 {
            self.counts = [0; 64]; // a new round: nobody unmoved could move
        }
        if self.rules.balance != Balance::Off {
            if mv.castling {
                let (king_to, rook_to) = mv.castled_squares();
                let (king, rook) = (self.counts[mv.from], self.counts[mv.to]);
                self.counts[mv.from] = 0;
                self.counts[mv.to] = 0;
                self.counts[king_to] = king + 1;
                self.counts[rook_to] = rook + 1;
            } else {
                let count = self.counts[mv.from];
                self.counts[mv.from] = 0;
                self.counts[mv.to] = count + 1;
            }
        }
        if mv.promotion.is_some() && self.rules.promoted == Promoted::NextSeries {
            self.resting.insert(mv.to);
        }
    }

    fn end_series(&mut self) {
        self.side = self.side.other();
        self.turn += 1;
        self.moves_left = self.rules.schedule.moves_in_turn(self.turn);
        self.moves_made = 0;
        // The one series granted at the limit has to win; whatever else it does, the draw stands.
        let granted = self
            .rules
            .quiet_limit
            .is_some_and(|limit| self.quiet >= limit);
        self.quiet = if self.progress && !granted {
            0
        } else {
            self.quiet + 1
        };
        self.progress = false;
        let board = self.board;
        self.en_passant_targets = self.own_passed.only(|passed| board.is_empty(passed));
        self.own_passed = SquareSet::EMPTY;
        self.en_passant_chain = false;
        self.counts = [0; 64];
        self.resting = SquareSet::EMPTY;
        self.began_in_check = self.in_check();
    }
}
