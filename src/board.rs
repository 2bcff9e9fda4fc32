//! The web board: a page for people to play, analyse, solve and watch, and the server behind it.
//!
//! The page knows no rules. It holds games as data (rules, start, moves) and asks; the server
//! answers from the rules and notation rooms and runs engines as real processes that speak
//! protocol.md. So a reload of the page, a dead engine and a restarted server lose nothing.
//!
//! [`serve`] is the way in. [`ask`] and [`reply`] are the messages of the WebSocket, [`view`],
//! [`score_sheet`] and [`problems`] answer them as pure functions, the session owns one page's
//! engines, and the server guards the door: hosts, origins, sizes, numbers.

mod args;
pub mod ask;
mod assets;
mod engine_line;
mod guard;
mod link;
pub mod problems;
pub mod reply;
pub mod score_sheet;
mod server;
mod session;
pub mod strength;
pub mod view;
mod watch;

pub use args::BoardArgs;
pub use server::serve;

/// Something asked for that cannot be done; the text is for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BoardError(pub String);

impl BoardError {
    /// An error in words.
    pub fn new(text: impl std::fmt::Display) -> BoardError {
        BoardError(text.to_string())
    }
}
