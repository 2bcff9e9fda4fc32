//! The quiet rule's last word: whether a side at the limit wins in the series it is about to play.

use super::{Answer, Limits, Series, Solver};
use crate::rules::{SeriesPosition, Status};

/// How many positions may be visited to settle the quiet limit.
pub const SETTLE_NODES: u64 = 2_000_000;

/// How the quiet limit was settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuietSettled {
    /// The limit is not reached here, or the game is over anyway.
    NotReached,
    /// The side on turn wins in this series, for instance like this: the game goes on for it.
    Wins(Series),
    /// No win was proved within the node budget: the game is drawn.
    Draw,
}

impl Solver {
    /// Settles a position whose status is [`Status::QuietLimit`]: a win must be proved within
    /// [`SETTLE_NODES`] positions, and what is not proved is a draw. The same position gets the
    /// same answer everywhere: nothing is remembered from earlier calls, and only positions are
    /// counted, never time.
    pub fn settle_quiet_limit(position: &SeriesPosition) -> QuietSettled {
        if position.status() != Status::QuietLimit {
            return QuietSettled::NotReached;
        }
        let mut solver = Solver::new(SETTLE_HASH_MIB, 1);
        match solver
            .first_mate(position, &Limits::nodes(SETTLE_NODES))
            .answer
        {
            Answer::Mate(series) => QuietSettled::Wins(series),
            Answer::NoMate | Answer::Unknown => QuietSettled::Draw,
        }
    }
}

/// The table size is part of the rule: it decides which positions are visited twice.
const SETTLE_HASH_MIB: usize = 16;
