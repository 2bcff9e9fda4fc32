//! How positions, moves, series and games are written and read.
//!
//! The rules room decides what is legal; this room only spells. Reading is strict where meaning
//! is at stake: what is not understood is an error that names the text and what was expected.
//! It knows nothing of search, protocol or files.

mod alternating;
mod fen;
mod san;
mod uci_move;

pub use alternating::{AlternatingPosition, PassText, is_pass, parse_alternating_fen};
pub use fen::{FenError, format_fen, parse_fen, parse_setup};
pub use san::{SanError, parse_san, san};
pub use uci_move::{CastlingText, MoveTextError, parse_uci_move, uci_text};
