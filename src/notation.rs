//! How positions, moves, series and games are written and read.
//!
//! The rules room decides what is legal; this room only spells. Reading is strict where meaning
//! is at stake: what is not understood is an error that names the text and what was expected.
//! It knows nothing of search, protocol or files.

mod alternating;
mod fen;
mod lexer;
mod null_pgn;
mod pgn;
mod san;
mod series_text;
mod uci_move;

pub use alternating::{AlternatingFen, AlternatingPosition, PassText, is_pass};
pub use fen::{FenError, format_fen, parse_fen, parse_setup};
pub use null_pgn::{NullPgnError, write_null_pgn};
pub use pgn::{
    GameResult, Line, LineError, PgnError, PgnGame, PgnMove, PgnProblem, PgnReader, Score,
    SeriesNote, VARIATION_DEPTH_MAX, VariantError, rules_text, variant_named, write_pgn,
};
pub use san::{SanError, parse_san, san};
pub use series_text::{
    SeriesTextError, format_movetext, format_series, parse_movetext, parse_series,
};
pub use uci_move::{CastlingText, MoveTextError, parse_uci_move, uci_text};
