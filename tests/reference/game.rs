//! How a game ends, repetition, and perft.

use std::collections::HashSet;

use super::board::{Board, Man, Side, Square, SquareSet, step};
use super::moves::RefMove;
use super::position::Position;
use super::rules::{Objective, QuietVerdict, UnfinishedEscape};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// No parry exists on the board.
    Checkmate {
        winner: Side,
    },
    /// Parries exist on the board, but each would give a check that is not allowed.
    ProgressiveCheckmate {
        winner: Side,
    },
    StalemateAtStart,
    StalemateInSeries,
    /// Parried, then ran dry, where the rules call that a loss.
    UnfinishedEscape {
        winner: Side,
    },
    /// A draw unless the side on turn can be shown to win in the series it is about to play.
    QuietLimitReached,
    QuietDraw,
    DeadMaterial,
    AllCaptured {
        winner: Side,
    },
    Repetition,
}

impl Ending {
    /// Who wins; nobody in a draw.
    pub fn winner(self) -> Option<Side> {
        match self {
            Self::Checkmate { winner }
            | Self::ProgressiveCheckmate { winner }
            | Self::UnfinishedEscape { winner }
            | Self::AllCaptured { winner } => Some(winner),
            _ => None,
        }
    }
}

impl Position {
    /// How the game has ended here, repetition apart. Where several reasons hold, the order is:
    /// everything captured, dead material, no move, quiet limit.
    pub fn outcome(&self) -> Option<Ending> {
        if let Some(winner) = self.side_that_captured_all() {
            return Some(Ending::AllCaptured { winner });
        }
        if self.has_dead_material() {
            return Some(Ending::DeadMaterial);
        }
        if self.legal_moves().is_empty() {
            return Some(self.ending_without_a_move());
        }
        let at_start = self.moves_made == 0;
        match self.rules.quiet_limit {
            Some(limit) if at_start && self.quiet >= limit => {
                Some(match self.rules.quiet_verdict {
                    QuietVerdict::Proof if self.quiet == limit => Ending::QuietLimitReached,
                    QuietVerdict::Proof | QuietVerdict::Auto => Ending::QuietDraw,
                })
            }
            _ => None,
        }
    }

    fn ending_without_a_move(&self) -> Ending {
        let winner = self.side.other();
        let in_series = self.moves_made > 0;
        if self.in_check() {
            if self.moves_without_self_check().is_empty() {
                Ending::Checkmate { winner }
            } else {
                Ending::ProgressiveCheckmate { winner }
            }
        } else if !in_series {
            Ending::StalemateAtStart
        } else if self.began_in_check && self.rules.unfinished_escape == UnfinishedEscape::Loss {
            Ending::UnfinishedEscape { winner }
        } else {
            Ending::StalemateInSeries
        }
    }

    pub fn side_that_captured_all(&self) -> Option<Side> {
        if self.rules.objective != Objective::CaptureAll {
            return None;
        }
        [Side::White, Side::Black]
            .into_iter()
            .find(|side| self.board.men(side.other()).next().is_none())
    }

    /// King against king, or against king and one bishop or knight.
    fn has_dead_material(&self) -> bool {
        if !self.rules.dead_material || !self.rules.kings_are_royal() {
            return false;
        }
        let others: Vec<Man> = self
            .board
            .men(Side::White)
            .chain(self.board.men(Side::Black))
            .map(|(_, man)| man)
            .filter(|man| *man != Man::King)
            .collect();
        matches!(others[..], [] | [Man::Bishop | Man::Knight])
    }

    /// Whether the side on turn can mate (or capture the last man) before its series is over,
    /// tried out move by move. This settles a quiet limit that asks for a proof.
    pub fn can_win_in_this_series(&self) -> bool {
        self.legal_moves().iter().any(|mv| {
            let next = self.play(mv);
            if next.turn != self.turn || next.side_that_captured_all().is_some() {
                // Cheap tests first: nobody is mated who is not in check.
                let decided = next.in_check() || next.side_that_captured_all().is_some();
                return decided && next.outcome().and_then(Ending::winner) == Some(self.side);
            }
            next.can_win_in_this_series()
        })
    }

    /// En passant targets next to which a pawn stands that could take.
    pub fn real_en_passant_targets(&self) -> SquareSet {
        self.en_passant_targets.only(|passed| {
            [-1, 1].into_iter().any(|sideways| {
                step(passed, sideways, -self.side.forward())
                    .is_some_and(|from| self.board.has(from, self.side, Man::Pawn))
            })
        })
    }

    /// The number of sequences of so many single moves.
    pub fn move_perft(&self, depth: u32) -> u64 {
        let moves = self.legal_moves();
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves
                .iter()
                .map(|mv| self.play(mv).move_perft(depth - 1))
                .sum(),
        }
    }

    /// The number of ways to play the rest of this series. One that runs dry counts as one; a
    /// side that is mated or stalemated before its first move plays none.
    pub fn series_perft(&self) -> u64 {
        let moves = self.legal_moves();
        if moves.is_empty() {
            return u64::from(self.moves_made > 0);
        }
        if self.moves_left == 1 {
            return moves.len() as u64;
        }
        moves
            .iter()
            .map(|mv| {
                let next = self.play(mv);
                if next.turn == self.turn {
                    next.series_perft()
                } else {
                    1
                }
            })
            .sum()
    }

    /// The number of ways to play so many series, this one first.
    pub fn turns_perft(&self, turns: u32) -> u64 {
        if turns == 1 {
            return self.series_perft();
        }
        let mut count = 0;
        self.each_series(&mut |end| {
            if end.turn > self.turn {
                count += end.turns_perft(turns - 1);
            }
        });
        count
    }

    /// Calls `visit` with the position at the end of every way to play the rest of this series.
    pub fn each_series(&self, visit: &mut dyn FnMut(&Self)) {
        let moves = self.legal_moves();
        if moves.is_empty() && self.moves_made > 0 {
            visit(self);
        }
        for mv in &moves {
            let next = self.play(mv);
            if next.turn == self.turn {
                next.each_series(visit);
            } else {
                visit(&next);
            }
        }
    }

    /// The different placements, and the different placements with rights, after the series.
    pub fn distinct_ends(&self, turns: u32) -> (usize, usize) {
        let mut placements = HashSet::new();
        let mut with_rights = HashSet::new();
        self.collect_ends(turns, &mut placements, &mut with_rights);
        (placements.len(), with_rights.len())
    }

    fn collect_ends(
        &self,
        turns: u32,
        placements: &mut HashSet<Board>,
        with_rights: &mut HashSet<(Board, SquareSet, SquareSet)>,
    ) {
        self.each_series(&mut |end| {
            if turns > 1 {
                if end.turn > self.turn {
                    end.collect_ends(turns - 1, placements, with_rights);
                }
            } else {
                placements.insert(end.board);
                let targets = end.real_en_passant_targets();
                with_rights.insert((end.board, end.castling_rights, targets));
            }
        });
    }
}

/// What must be the same for a state to count as repeated. The turn number and the quiet count
/// are left out, because they always grow; the length of the series is not.
#[derive(PartialEq, Eq)]
struct RepeatedState {
    board: Board,
    side: Side,
    castling_rights: SquareSet,
    unmoved_kings: [Option<Square>; 2],
    en_passant_targets: SquareSet,
    moves_left: u32,
}

/// A game remembers its turn starts, for repetition.
pub struct Game {
    pub position: Position,
    turn_starts: Vec<RepeatedState>,
}

impl Game {
    pub fn new(position: Position) -> Self {
        let mut game = Self {
            position,
            turn_starts: Vec::new(),
        };
        game.remember();
        game
    }

    fn remember(&mut self) {
        if self.position.moves_made == 0 {
            self.turn_starts.push(RepeatedState {
                board: self.position.board,
                side: self.position.side,
                castling_rights: self.position.castling_rights,
                unmoved_kings: if self.position.rules.rebirth {
                    self.position.unmoved_kings
                } else {
                    [None; 2] // the castling rights say it all
                },
                en_passant_targets: self.position.en_passant_targets,
                moves_left: self.position.moves_left,
            });
        }
    }

    pub fn play(&mut self, mv: &RefMove) {
        self.position = self.position.play(mv);
        self.remember();
    }

    pub fn outcome(&self) -> Option<Ending> {
        match self.position.outcome() {
            None | Some(Ending::QuietLimitReached) if self.is_third_time() => {
                Some(Ending::Repetition)
            }
            outcome => outcome,
        }
    }

    fn is_third_time(&self) -> bool {
        let Some(now) = self.turn_starts.last() else {
            return false;
        };
        let times = self.turn_starts.iter().filter(|state| *state == now);
        self.position.rules.repetition && self.position.moves_made == 0 && times.count() >= 3
    }
}
