//! How a game ends, as far as the position alone tells.

use std::fmt;

use shakmaty::{Bitboard, Color, Role};

use super::{
    generate::Checks,
    position::{Marks, SeriesPosition},
    rule_set::{CheckRule, QuietSettlement, UnfinishedEscape},
};

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// In check, and no move on the board answers it.
    Checkmate,
    /// In check, and every answer on the board would give a check the rules do not allow yet.
    ProgressiveCheckmate,
    /// Not in check at the start of the series, and no allowed move.
    Stalemate,
    /// No allowed move in the middle of the series.
    StalemateInSeries,
    /// Ran dry after parrying a check, where the rules call that lost.
    UnfinishedEscape,
    /// Too many quiet series in a row.
    QuietDraw,
    /// Neither side can mate.
    DeadMaterial,
    /// The same state for the third time.
    Repetition,
    /// The last enemy man was captured.
    AllCaptured,
}

impl Ending {
    /// Words for people, also used in results and PGN comments.
    pub const fn as_str(self) -> &'static str {
        match self {
            Ending::Checkmate => "checkmate",
            Ending::ProgressiveCheckmate => "progressive checkmate",
            Ending::Stalemate => "progressive stalemate at the start of the series",
            Ending::StalemateInSeries => "progressive stalemate in mid-series",
            Ending::UnfinishedEscape => "unfinished escape",
            Ending::QuietDraw => "quiet draw",
            Ending::DeadMaterial => "dead material",
            Ending::Repetition => "threefold repetition",
            Ending::AllCaptured => "all men captured",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The end of a game: why, and who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Why it is over.
    pub ending: Ending,
    /// The winner, or `None` for a draw.
    pub winner: Option<Color>,
}

impl Outcome {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

/// Whether a position is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The side on turn has to move.
    Ongoing,
    /// The quiet limit is reached: the game is drawn unless the side on turn is proven to win in
    /// the series it is about to play. Rules do not search, so somebody else settles it.
    QuietLimit,
    /// The game is over.
    Over(Outcome),
}

impl SeriesPosition {
    /// Whether the game is over here. Dead material ends it at once; then the board is looked at
    /// (everything captured, no allowed move), then the quiet limit; repetition needs a
    /// [`super::Game`].
    pub fn status(&self) -> Status {
        let draw = |ending| {
            Status::Over(Outcome {
                ending,
                winner: None,
            })
        };
        if self.is_dead_material() {
            return draw(Ending::DeadMaterial);
        }
        if let Some(outcome) = self.board_outcome() {
            return Status::Over(outcome);
        }
        let limit = self.rules.quiet_limit;
        if limit != 0 && self.is_turn_start() && self.quiet >= limit {
            let grace =
                self.quiet == limit && self.rules.quiet_settlement == QuietSettlement::Proof;
            return if grace {
                Status::QuietLimit
            } else {
                draw(Ending::QuietDraw)
            };
        }
        Status::Ongoing
    }

    /// The end that the board alone brings: everything captured, mate or stalemate.
    pub fn board_outcome(&self) -> Option<Outcome> {
        if !self.rules.has_royal_kings() {
            for color in Color::ALL {
                if self.men.of(color).is_empty() {
                    return Some(Outcome {
                        ending: Ending::AllCaptured,
                        winner: Some(!color),
                    });
                }
            }
        }
        if self.has_legal_move() {
            return None;
        }
        let won_by_the_other = |ending| Outcome {
            ending,
            winner: Some(!self.side),
        };
        Some(if self.is_check() {
            let barred = self.rules.checks == CheckRule::Last && self.has_move(Checks::Allowed);
            won_by_the_other(if barred {
                Ending::ProgressiveCheckmate
            } else {
                Ending::Checkmate
            })
        } else if self.is_turn_start() {
            Outcome {
                ending: Ending::Stalemate,
                winner: None,
            }
        } else if self.marks.contains(Marks::ESCAPE)
            && self.rules.unfinished_escape == UnfinishedEscape::Loss
        {
            won_by_the_other(Ending::UnfinishedEscape)
        } else {
            Outcome {
                ending: Ending::StalemateInSeries,
                winner: None,
            }
        })
    }

    /// Whether neither side can ever mate: K v K, K+B v K, K+N v K (where the rule is on).
    fn is_dead_material(&self) -> bool {
        let men = &self.men;
        self.rules.dead_material
            && self.rules.has_royal_kings()
            && men.occupied().count() <= 3
            && (men.with_role(Role::Pawn) | men.with_role(Role::Rook) | men.with_role(Role::Queen))
                == Bitboard::EMPTY
    }
}
