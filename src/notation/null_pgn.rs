//! Null-move PGN, for viewers that only know alternating chess.
//!
//! The side that waits makes null moves: `1. e4 e5 2. -- Nf6 3. Bc4 -- 4. Qh5 -- 5. Qxf7#`.
//! Since no side stands in check while the other goes on moving, a viewer can follow, with one
//! exception: an en passant capture that answers a double step which was not the last move of its
//! series. There the game is split: one part ends with `*` before the capture, the next one
//! starts with a FEN behind it. [`super::PgnReader`] reads this notation too and joins the parts.
//!
//! Tags: `[SeriesNotation "null-moves"]`; `SeriesVariant` and `SeriesRules` as `Variant` and
//! `Rules` of ordinary PGN, since viewers refuse variants they do not know; `FEN` is an orthodox
//! one, beside which `SeriesFEN` gives what it cannot say (without it the FEN's counters have to tell
//! the turn, as in the engine's alternating mode); `[SeriesPart "2/3"]` numbers the parts
//! of a split game, and `[SeriesCapture "dxc3 $1"]` names the capture between two of them.
//!
//! The tree that is read equals the one that was written, but for lines that a viewer cannot
//! follow even so: a variation that needs an en passant capture of that kind, or replaces one,
//! becomes a comment from there on.

mod view;

use thiserror::Error;

use super::{
    lexer::{Lexer, Token},
    parse_san,
    pgn::{
        GameResult, Line, PgnGame, PgnMove, Wrap, rules_text, write_beside, write_comments,
        write_tag_section,
    },
    san::san,
    series_text::format_movetext,
};
use crate::{
    notation::format_fen,
    rules::{Move, MoveKind, RuleSet, SeriesPosition},
};
use view::ViewedPosition;

/// The value of the tag `SeriesNotation`.
pub(super) const NULL_MOVES: &str = "null-moves";

/// How the comment that a split leaves behind begins.
const CONTINUED: &str = "Continued in part ";

/// Why a game cannot be written with null moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NullPgnError {
    /// Captured men come back.
    #[error("null-move PGN cannot show games in which captured men come back")]
    Rebirth,
    /// Kings are captured, or there are several.
    #[error("null-move PGN cannot show games in which kings are ordinary men")]
    OrdinaryKings,
}

/// Which part of a split game a game is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) number: u16,
    pub(super) of: u16,
    /// The capture before it, with glyphs.
    pub(super) capture: Option<String>,
}

impl Part {
    /// A game that is not split.
    pub(super) const WHOLE: Part = Part {
        number: 1,
        of: 1,
        capture: None,
    };

    /// Whether it is all of its game.
    pub(super) fn is_whole(&self) -> bool {
        self.of == 1
    }
}

/// Writes a game as null-move PGN: usually one game, several where it had to be split.
///
/// # Errors
/// If the rules have moves that no viewer of ordinary chess can follow: [`NullPgnError`].
pub fn write_null_pgn(game: &PgnGame) -> Result<String, NullPgnError> {
    let rules = game.rules();
    if rules.has_rebirth() {
        return Err(NullPgnError::Rebirth);
    }
    if !rules.has_royal_kings() {
        return Err(NullPgnError::OrdinaryKings);
    }
    let parts = split(game);
    let mut text = String::new();
    for (index, part) in parts.iter().enumerate() {
        let is_last = index + 1 == parts.len();
        let result = if is_last {
            game.result()
        } else {
            GameResult::Open
        };
        let number = (parts.len() > 1).then(|| format!("{}/{}", index + 1, parts.len()));
        write_tag_section(&mut text, game, result, &own_tags(rules, part, number));
        let mut wrap = Wrap::default();
        write_comments(&mut wrap, &part.comments);
        write_moves(&mut wrap, part.start, part.moves);
        if let Some(next) = parts.get(index + 1) {
            let capture = next.capture.as_deref().unwrap_or_default();
            wrap.comment(&format!("{CONTINUED}{}: {capture}", index + 2));
        }
        wrap.word(result.as_str());
        text.push_str(&wrap.finish());
        text.push('\n');
    }
    Ok(text)
}

/// A stretch of the main line that a viewer can follow.
struct Stretch<'a> {
    start: ViewedPosition,
    capture: Option<String>,
    comments: Vec<String>,
    moves: &'a [PgnMove],
}

fn split(game: &PgnGame) -> Vec<Stretch<'_>> {
    let moves = game.line().moves();
    let mut stretches = Vec::new();
    let mut current = Stretch {
        start: ViewedPosition::first(game.start(), moves.first().map(PgnMove::played)),
        capture: None,
        comments: game.line().comments().to_vec(),
        moves,
    };
    let mut state = current.start;
    let mut begin = 0;
    for (index, m) in moves.iter().enumerate() {
        state.wait();
        if !state.can_show(m.played) {
            let next = after_capture(state, m);
            current.moves = &moves[begin..index];
            stretches.push(current);
            current = Stretch {
                moves: &moves[index + 1..],
                ..next
            };
            begin = index + 1;
            state = current.start;
            continue;
        }
        state.play(m.played);
    }
    stretches.push(current);
    stretches
}

/// The stretch behind a capture that cannot be shown, with what was written beside the capture.
fn after_capture<'a>(mut state: ViewedPosition, m: &PgnMove) -> Stretch<'a> {
    let before = state.position;
    let glyphs = m.glyphs.iter().map(|glyph| format!(" ${glyph}"));
    let capture = san(&before, m.played) + &glyphs.collect::<String>();
    let mut comments = m.comments.clone();
    for variation in &m.variations {
        comments.push(format!("Instead: {}", line_text(&before, &variation.moves)));
    }
    state.play(m.played);
    Stretch {
        start: state.as_setup(),
        capture: Some(capture),
        comments,
        moves: &[],
    }
}

fn line_text(start: &SeriesPosition, moves: &[PgnMove]) -> String {
    let moves: Vec<Move> = moves.iter().map(PgnMove::played).collect();
    format_movetext(start, &moves)
}

fn own_tags(
    rules: &RuleSet,
    part: &Stretch<'_>,
    number: Option<String>,
) -> Vec<(&'static str, String)> {
    let (variant, switches) = rules_text(rules);
    let mut tags = vec![
        ("SeriesNotation", NULL_MOVES.to_owned()),
        ("SeriesVariant", variant.as_str().to_owned()),
    ];
    if !switches.is_empty() {
        tags.push(("SeriesRules", switches));
    }
    tags.extend(number.map(|number| ("SeriesPart", number)));
    tags.extend(
        part.capture
            .clone()
            .map(|capture| ("SeriesCapture", capture)),
    );
    let start = &part.start;
    if start.position != SeriesPosition::start(*rules) {
        if start.needs_chess960() {
            tags.push(("Variant", "Chess960".to_owned()));
        }
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", start.orthodox_fen()));
        tags.push(("SeriesFEN", format_fen(&start.position)));
    }
    tags
}

/// Moves with null moves between them, and variations as far as a viewer can follow them.
fn write_moves(wrap: &mut Wrap, mut state: ViewedPosition, moves: &[PgnMove]) {
    let mut needs_number = true;
    for (index, m) in moves.iter().enumerate() {
        if state.is_waiting() {
            wrap.word(&number_before(&state, needs_number));
            wrap.glue("--");
            state.wait();
            needs_number = false;
        }
        if !state.can_show(m.played) {
            let rest = line_text(&state.position, &moves[index..]);
            wrap.comment(&format!("Goes on with {rest}"));
            return;
        }
        wrap.word(&number_before(&state, needs_number));
        wrap.glue(&state.san(m.played));
        write_beside(wrap, m);
        for variation in &m.variations {
            write_variation(wrap, state, variation);
        }
        needs_number = !m.variations.is_empty() || !m.comments.is_empty();
        state.play(m.played);
    }
}

fn write_variation(wrap: &mut Wrap, state: ViewedPosition, variation: &Line) {
    // A variation without a move that can be shown would be none.
    if variation
        .moves
        .first()
        .is_some_and(|m| !state.can_show(m.played))
    {
        let text = line_text(&state.position, &variation.moves);
        wrap.comment(&format!("Instead: {text}"));
        return;
    }
    wrap.open();
    write_comments(wrap, &variation.comments);
    write_moves(wrap, state, &variation.moves);
    wrap.glue(")");
}

/// The move number with a blank, where one stands.
fn number_before(state: &ViewedPosition, needed: bool) -> String {
    let number = state.view.number;
    if state.view.side.is_white() {
        format!("{number}. ")
    } else if needed {
        format!("{number}... ")
    } else {
        String::new()
    }
}

/// Joins the next part of a split game to `game`.
///
/// # Errors
/// What was found instead of a part that continues it.
pub(super) fn join(game: &mut PgnGame, next: &PgnGame, part: &Part) -> Result<(), String> {
    if game.result() != GameResult::Open {
        return Err(format!("result {} before the last part", game.result()));
    }
    let captures = game.end().legal_moves();
    let capture = captures
        .iter()
        .copied()
        .filter(|m| m.kind() == MoveKind::EnPassant)
        .find(|&m| game.end().after(m) == *next.start())
        .ok_or("a part that does not start behind an en passant capture of the part before it")?;
    let mut played = PgnMove::new(capture);
    played.glyphs = named_glyphs(game.end(), capture, part)?;
    played.comments.clone_from(&next.line().comments);
    let line = game.line_mut();
    let last_comments = match line.moves.last_mut() {
        Some(last) => &mut last.comments,
        None => &mut line.comments,
    };
    if last_comments
        .last()
        .is_some_and(|text| text.starts_with(CONTINUED))
    {
        last_comments.pop();
    }
    game.append(played);
    for m in &next.line().moves {
        game.append(m.clone());
    }
    game.set_result(next.result());
    Ok(())
}

/// The glyphs of the capture between two parts, whose tag must name it.
fn named_glyphs(position: &SeriesPosition, capture: Move, part: &Part) -> Result<Vec<u8>, String> {
    let Some(text) = &part.capture else {
        return Ok(Vec::new());
    };
    let mut lexer = Lexer::new(text.as_bytes());
    let mut glyphs = Vec::new();
    let named = match lexer.next() {
        Ok((_, Token::Move(text))) => parse_san(position, &text).ok(),
        _ => None,
    };
    loop {
        match lexer.next() {
            Ok((_, Token::Glyph(glyph))) => glyphs.push(glyph),
            Ok((_, Token::End)) if named == Some(capture) => return Ok(glyphs),
            _ => {
                let really = san(position, capture);
                return Err(format!(
                    "the tag SeriesCapture \"{text}\" instead of \"{really}\""
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests;
