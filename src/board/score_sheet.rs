//! Games with variations: read from PGN for the page, and written from the page's tree.

use super::{
    BoardError,
    ask::{NODES_MAX, PgnForm, TEXT_MAX, TreeMove},
    reply::{Sheet, SheetMove},
    view::{read_rules, read_start, rules_text},
};
use crate::{
    notation::{
        CastlingText, GameResult, Line, PgnGame, PgnMove, PgnReader, VARIATION_DEPTH_MAX,
        format_fen, parse_uci_move, san, uci_text, write_null_pgn, write_pgn,
    },
    rules::SeriesPosition,
};

/// The most games that are read from one text.
const GAMES_MAX: usize = 200;

/// Reads the games of a PGN text, in either form, and says what could not be read.
///
/// # Errors
/// If the rules are not understood.
pub fn import(pgn: &str, rules: &str) -> Result<(Vec<Sheet>, Vec<String>), BoardError> {
    let rules = read_rules(rules)?.rules;
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    for game in PgnReader::new("PGN", pgn.as_bytes(), rules) {
        if games.len() + errors.len() >= GAMES_MAX {
            errors.push(format!("only the first {GAMES_MAX} games were read"));
            break;
        }
        match game.map(|game| sheet(&game)) {
            Ok(Some(sheet)) => games.push(sheet),
            Ok(None) => errors.push(format!(
                "a game has more than {NODES_MAX} moves with all its variations"
            )),
            Err(error) => errors.push(error.to_string()),
        }
    }
    if games.is_empty() && errors.is_empty() {
        errors.push("there is no game in this text".to_owned());
    }
    Ok((games, errors))
}

fn sheet(game: &PgnGame) -> Option<Sheet> {
    let mut moves = Vec::new();
    flatten(game.line(), *game.start(), None, &mut moves)?;
    let own = |name: &str| ["Variant", "Rules", "SetUp", "FEN", "Result"].contains(&name);
    Some(Sheet {
        tags: game
            .tags()
            .filter(|(name, _)| !own(name))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        rules: rules_text(game.rules()),
        start: format_fen(game.start()),
        comments: game.line().comments().to_vec(),
        moves,
        result: game.result().to_string(),
    })
}

/// Adds the moves of a line and of its variations; `None` if they are too many. Variations are
/// nested only as deep as the reader takes them.
fn flatten(
    line: &Line,
    mut position: SeriesPosition,
    mut parent: Option<usize>,
    moves: &mut Vec<SheetMove>,
) -> Option<()> {
    let mut before: &[String] = if parent.is_none() && moves.is_empty() {
        &[]
    } else {
        line.comments()
    };
    for m in line.moves() {
        if moves.len() >= NODES_MAX {
            return None;
        }
        let index = moves.len();
        moves.push(SheetMove {
            parent,
            uci: uci_text(m.played(), CastlingText::KingMove),
            san: san(&position, m.played()),
            turn: position.turn().0,
            comments: before.iter().chain(m.comments()).cloned().collect(),
            glyphs: m.glyphs().to_vec(),
        });
        before = &[];
        for variation in m.variations() {
            flatten(variation, position, parent, moves)?;
        }
        position.play(m.played());
        parent = Some(index);
    }
    Some(())
}

/// A game as a page has it.
#[derive(Clone, Copy, Debug)]
pub struct Tree<'t> {
    /// The rules.
    pub rules: &'t str,
    /// The start.
    pub start: &'t str,
    /// Tags by name.
    pub tags: &'t [(String, String)],
    /// Comments before the first move.
    pub comments: &'t [String],
    /// The moves.
    pub moves: &'t [TreeMove],
    /// The result.
    pub result: &'t str,
}

/// Writes a tree as PGN.
///
/// # Errors
/// In words, what of it is not understood, not allowed, or too much.
pub fn export(tree: Tree<'_>, form: PgnForm) -> Result<String, BoardError> {
    let rules = read_rules(tree.rules)?.rules;
    let start = read_start(rules, tree.start)?;
    if tree.moves.len() > NODES_MAX {
        return Err(BoardError(format!(
            "the game has {} moves with its variations: at most {NODES_MAX} are written",
            tree.moves.len()
        )));
    }
    let mut game = PgnGame::new(start);
    for (name, value) in tree.tags.iter().take(100) {
        game.set_tag(&bounded(name)?, &bounded(value)?);
    }
    for comment in tree.comments {
        game.comment(&bounded(comment)?);
    }
    let children = Children::new(tree.moves)?;
    let line = children.line(&children.first, start, 0)?;
    game.push_line(line).map_err(BoardError::new)?;
    let result: GameResult = tree.result.parse().map_err(|()| {
        BoardError(format!(
            "result '{}': expected 1-0, 0-1, 1/2-1/2 or *",
            tree.result
        ))
    })?;
    game.set_result(result);
    match form {
        PgnForm::Series => Ok(write_pgn(&game)),
        PgnForm::NullMoves => write_null_pgn(&game).map_err(BoardError::new),
    }
}

fn bounded(text: &str) -> Result<String, BoardError> {
    if text.len() > TEXT_MAX {
        return Err(BoardError(format!(
            "a comment or tag has {} bytes: at most {TEXT_MAX} are written",
            text.len()
        )));
    }
    Ok(text.to_owned())
}

/// The moves of a tree by the move they follow.
struct Children<'t> {
    moves: &'t [TreeMove],
    first: Vec<usize>,
    next: Vec<Vec<usize>>,
}

impl<'t> Children<'t> {
    fn new(moves: &'t [TreeMove]) -> Result<Children<'t>, BoardError> {
        let mut children = Children {
            moves,
            first: Vec::new(),
            next: vec![Vec::new(); moves.len()],
        };
        for (index, m) in moves.iter().enumerate() {
            match m.parent {
                None => children.first.push(index),
                Some(parent) if parent < index => children.next[parent].push(index),
                Some(parent) => {
                    return Err(BoardError(format!(
                        "move {index} of the tree follows move {parent}: expected an earlier one"
                    )));
                }
            }
        }
        Ok(children)
    }

    /// The line that begins with the first of `siblings`, which are moves of `position`; the
    /// others are its variations.
    fn line(
        &self,
        siblings: &[usize],
        mut position: SeriesPosition,
        depth: usize,
    ) -> Result<Line, BoardError> {
        if depth > VARIATION_DEPTH_MAX {
            return Err(BoardError(format!(
                "variations nested more than {VARIATION_DEPTH_MAX} deep"
            )));
        }
        let mut line = Line::default();
        let mut siblings = siblings;
        while let Some((&main, others)) = siblings.split_first() {
            let text = &self.moves[main];
            let played = parse_uci_move(&position, &text.uci)
                .map_err(|error| BoardError(format!("move {main} of the tree: {error}")))?;
            let mut m = PgnMove::new(played);
            for &glyph in text.glyphs.iter().take(16) {
                m.add_glyph(glyph);
            }
            for comment in &text.comments {
                m.add_comment(&bounded(comment)?);
            }
            for &other in others {
                m.add_variation(self.line(&[other], position, depth + 1)?);
            }
            line.push(m);
            position.play(played);
            siblings = &self.next[main];
        }
        Ok(line)
    }
}
