//! What `d` and `eval` show.

use std::fmt::Write;

use super::{
    place::Place,
    settings::{EngineSettings, Turns},
};
use crate::{
    eval,
    notation::uci_text,
    rules::{File, Rank, Square, Status},
};

/// The position in words and as a diagram, for people; the lines are described in `protocol.md`.
pub(super) fn display(place: &Place, settings: &EngineSettings) -> String {
    let position = place.game.position();
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, "{} ", rank.char());
        for file in File::ALL {
            let man = position.men().man_at(Square::from_coords(file, rank));
            let letter = man.map_or('.', |man| {
                man.color.fold_wb(man.role.upper_char(), man.role.char())
            });
            let _ = write!(text, " {letter}");
        }
        text.push('\n');
    }
    text.push_str("   a b c d e f g h\n");
    let status = match place.game.status() {
        Status::Ongoing => "ongoing".to_owned(),
        Status::QuietLimit => "quiet limit reached: drawn unless won in this series".to_owned(),
        Status::Over(outcome) => format!("{} {}", outcome.result(), outcome.ending),
    };
    let moves: Vec<String> = position
        .legal_moves()
        .iter()
        .map(|&m| uci_text(m, settings.castling))
        .collect();
    // Writing to a String cannot fail.
    let _ = writeln!(text, "Fen: {}", place.fen());
    if settings.turns == Turns::Alternating {
        let _ = writeln!(text, "Series fen: {}", place.series_fen());
    }
    let _ = writeln!(text, "Key: {:016x}", position.key());
    let _ = writeln!(text, "Rules: {}", settings.describe_rules());
    let _ = writeln!(
        text,
        "Turn: {} {}, {} of {} moves left",
        position.turn(),
        position.side(),
        position.moves_left(),
        position.series_length(position.turn())
    );
    if settings.turns == Turns::Alternating {
        let _ = writeln!(
            text,
            "Ply: {}, {} {}",
            place.ply,
            place.client_side(),
            if place.is_waiting { "passes" } else { "moves" }
        );
    }
    let checkers: Vec<String> = position
        .checkers()
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    let _ = writeln!(text, "Checkers: {}", checkers.join(" "));
    let _ = writeln!(text, "Status: {status}");
    let _ = writeln!(text, "Legal moves ({}): {}", moves.len(), moves.join(" "));
    text
}

/// The static evaluation of the position for the side on turn.
pub(super) fn evaluation(place: &Place) -> String {
    let position = place.game.position();
    format!(
        "Evaluation: {} centipawns for {}",
        eval::evaluate(position).0,
        position.side()
    )
}
