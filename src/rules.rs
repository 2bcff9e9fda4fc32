//! What is legal: rule sets, positions inside a series, moves, outcomes, hash keys and perft.
//!
//! Every rule of series chess exists once, here. The engine, the runner, the notation and the
//! board ask this room; none of them knows a variant by name. It does no I/O, reads no clock and
//! spawns no thread.
//!
//! The way in: pick a [`RuleSet`] (a preset with switches), make a [`SeriesPosition`] (the start,
//! a random start or a checked [`Setup`]), ask it for [`SeriesPosition::legal_moves`], play them
//! one by one, and ask for the [`SeriesPosition::status`]. A [`Game`] adds the history that
//! repetition needs.

mod balance;
mod chess960;
mod game;
mod generate;
mod key;
mod men;
mod moves;
mod outcome;
mod perft;
mod play;
mod position;
mod refusal;
mod rule_set;
mod schedule;
mod select;
mod setup;
mod switches;

pub(crate) use balance::Round;
pub use chess960::{Chess960Number, Chess960NumberError};
pub use game::{Game, GameError};
pub(crate) use key::KeySet;
pub use men::{Man, Men};
pub use moves::{Move, MoveKind, MoveList};
pub use outcome::{Ending, Outcome, Status};
pub use perft::{DistinctCount, SeriesCount, count_distinct, count_moves, count_series};
pub use position::{SeriesPosition, TurnNumber, back_rank};
pub use refusal::{Refusal, role_name};
pub use rule_set::{
    Balance, CheckRule, EnPassantRule, Objective, Preset, PromotedMan, QuietProgress,
    QuietSettlement, Rebirth, RuleSet, RuleSetError, UnfinishedEscape,
};
pub use schedule::{LengthSchedule, ScheduleError};
pub(crate) use select::Selection;
pub use setup::{Setup, SetupError};
pub(crate) use shakmaty::attacks;
pub use shakmaty::{Bitboard, Color, File, Rank, Role, Square};
pub use switches::{QUIET_LIMIT_MAX, Switch, SwitchError};
