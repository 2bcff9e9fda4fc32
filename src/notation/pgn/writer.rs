//! Writing games as PGN.

use std::fmt::Write;

use super::{
    GameResult, Line, PgnGame, PgnMove,
    tags::{ROSTER, rules_text},
    wrap::Wrap,
};
use crate::{
    notation::{format_fen, san},
    rules::SeriesPosition,
};

/// Writes a game as PGN: tags, an empty line, movetext in lines of less than 80 characters, an
/// empty line. Reading it back gives an equal game.
pub fn write_pgn(game: &PgnGame) -> String {
    let (variant, rules) = rules_text(game.rules());
    let mut own = vec![("Variant", variant.as_str().to_owned())];
    if !rules.is_empty() {
        own.push(("Rules", rules));
    }
    if *game.start() != SeriesPosition::start(*game.rules()) {
        own.push(("SetUp", "1".to_owned()));
        own.push(("FEN", format_fen(game.start())));
    }
    let mut text = String::new();
    write_tag_section(&mut text, game, game.result(), &own);
    let mut wrap = Wrap::default();
    write_line(&mut wrap, *game.start(), game.line());
    wrap.word(game.result().as_str());
    text.push_str(&wrap.finish());
    text.push('\n');
    text
}

/// The tag section with the empty line behind it: the roster, `own`, the other tags.
pub(in crate::notation) fn write_tag_section(
    text: &mut String,
    game: &PgnGame,
    result: GameResult,
    own: &[(&str, String)],
) {
    for (name, unknown) in ROSTER {
        write_tag(text, name, game.tag(name).unwrap_or(unknown));
    }
    write_tag(text, "Result", result.as_str());
    for (name, value) in own {
        write_tag(text, name, value);
    }
    for (name, value) in game.tags() {
        if ROSTER.iter().all(|(other, _)| *other != name) {
            write_tag(text, name, value);
        }
    }
    text.push('\n');
}

/// One tag in a line of its own.
fn write_tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    // Writing to a String cannot fail.
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

/// The moves of a line, and its variations in brackets. Its depth is bounded by the reader, the
/// only maker of variations.
fn write_line(wrap: &mut Wrap, mut position: SeriesPosition, line: &Line) {
    write_comments(wrap, &line.comments);
    let mut needs_number = true;
    for m in &line.moves {
        wrap.word(&number_before(&position, needs_number));
        wrap.glue(&san(&position, m.played));
        write_beside(wrap, m);
        for variation in &m.variations {
            wrap.open();
            write_line(wrap, position, variation);
            wrap.glue(")");
        }
        needs_number = !m.variations.is_empty();
        position.play(m.played);
    }
}

/// The turn number where one stands: at the start of a turn, and where a reader may have lost
/// the thread.
fn number_before(position: &SeriesPosition, needed: bool) -> String {
    if position.is_turn_start() {
        format!("{}.", position.turn())
    } else if needed {
        format!("{}...", position.turn())
    } else {
        String::new()
    }
}

/// Glyphs and comments behind a move.
pub(in crate::notation) fn write_beside(wrap: &mut Wrap, m: &PgnMove) {
    for glyph in &m.glyphs {
        wrap.word(&format!("${glyph}"));
    }
    write_comments(wrap, &m.comments);
}

/// Comments in braces.
pub(in crate::notation) fn write_comments(wrap: &mut Wrap, comments: &[String]) {
    for comment in comments {
        wrap.comment(comment);
    }
}
