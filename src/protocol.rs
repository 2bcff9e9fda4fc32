//! The protocol: a line of bytes to and from our own [`Command`] and [`Reply`] types.
//!
//! [`LineReader`] cuts bytes into lines, [`parse_line`] reads one line, [`Reply`] writes itself,
//! and [`options`] is the table of options. It never panics on any input, does no I/O but for
//! the reader it is given, and leaks no type of the UCI library it uses inside. [`parse_cecp_line`]
//! and [`CecpReply`] are the same for XBoard's protocol. What is *legal*
//! it does not know: moves and positions stay texts here.

mod cecp;
mod command;
mod go;
mod line;
pub mod options;
mod parse;
mod reply;
mod uci;

pub use cecp::{
    CECP_GREETING, CecpCommand, CecpError, CecpOption, CecpReply, ThinkingLine, parse_cecp_line,
};
pub use command::{Command, CommandError, GoRequest, Origin, PositionRequest};
pub use line::{LINE_MAX, Line, LineReader};
pub use parse::parse_line;
pub use reply::{InfoLine, ProgressLine, Reply, Score, SeriesCounts};

/// The version of the series protocol; the handshake names it as `protocol series 1`.
pub const SERIES_PROTOCOL: u32 = 1;

/// A text cut to a length that an error line can show.
fn shown(text: &str) -> String {
    const MAX: usize = 60;
    if text.chars().count() <= MAX {
        text.to_owned()
    } else {
        text.chars().take(MAX).chain("...".chars()).collect()
    }
}
