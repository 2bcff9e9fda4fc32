//! CECP, the protocol of XBoard and WinBoard: a line to and from our own types.
//!
//! [`parse_cecp_line`] reads what the client says, [`CecpReply`] is what the engine answers. As
//! with UCI, moves and positions stay texts here, and nothing in it panics or does I/O.

mod command;
mod parse;
mod reply;

pub use command::{CecpCommand, CecpError};
pub use parse::parse_cecp_line;
pub use reply::{CecpOption, CecpReply, ThinkingLine};

/// The first word of a conversation in this protocol.
pub const CECP_GREETING: &str = "xboard";
