//! Reading games one after another from a stream of bytes.

use std::io::Read;

use super::{
    GameResult, PgnError, PgnGame, PgnProblem,
    error::Placed,
    movetext::{Movetext, Step},
    tags::{self, Tag},
};
use crate::{
    notation::{
        lexer::{LexError, Lexer, Spot, Token},
        null_pgn::{self, Part},
    },
    rules::RuleSet,
};

/// Reads the games of a PGN text, series notation and null-move notation alike.
///
/// It is an iterator of games and errors; after an error it goes on with the next game. It keeps
/// one game at a time, and no game of more than 4 MiB of text, so a file of any size can be
/// read. Text that is not UTF-8 is taken as Latin-1.
///
/// ```
/// use seriatim::notation::PgnReader;
/// use seriatim::rules::RuleSet;
///
/// let text = "1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7# 1-0";
/// for game in PgnReader::new("example.pgn", text.as_bytes(), RuleSet::default()) {
///     assert_eq!(game.unwrap().series().len(), 3);
/// }
/// ```
pub struct PgnReader<R> {
    file: String,
    rules: RuleSet,
    lexer: Lexer<R>,
    games: u64,
    /// What was read beyond the parts of a game that belong together.
    waiting: Option<Result<RawGame, PgnError>>,
    is_done: bool,
    last: Spot,
}

/// The most tags of one game.
const TAGS_MAX: usize = 512;

/// A game as it stands in the text: a part of one if it is written with null moves and split.
pub(in crate::notation) struct RawGame {
    pub(in crate::notation) game: PgnGame,
    pub(in crate::notation) part: Part,
    at: Spot,
    number: u64,
}

impl<R: Read> PgnReader<R> {
    /// Reads from `reader`; `file` names the text in errors, `rules` are those of games whose
    /// tags name none.
    pub fn new(file: impl Into<String>, reader: R, rules: RuleSet) -> PgnReader<R> {
        PgnReader {
            file: file.into(),
            rules,
            lexer: Lexer::new(reader),
            games: 0,
            waiting: None,
            is_done: false,
            last: Spot { line: 1, column: 1 },
        }
    }

    /// The line in which the movetext of the last game begins that was returned.
    pub fn line_of_last_game(&self) -> u64 {
        self.last.line
    }

    /// The column in which the movetext of the last game begins that was returned.
    pub fn column_of_last_game(&self) -> u64 {
        self.last.column
    }

    fn error(&self, (at, problem): Placed) -> PgnError {
        PgnError {
            file: self.file.clone(),
            game: self.games,
            line: at.line,
            column: at.column,
            problem: Box::new(problem),
        }
    }

    fn read_raw(&mut self) -> Option<Result<RawGame, PgnError>> {
        if let Some(waiting) = self.waiting.take() {
            return Some(waiting);
        }
        if self.is_done {
            return None;
        }
        self.lexer.start_game();
        self.games += 1;
        let mut in_moves = false;
        let read = self.read_game(&mut in_moves);
        if let Some(failure) = self.lexer.failure() {
            self.is_done = true;
            let at = self.lexer.spot();
            return Some(Err(self.error((at, PgnProblem::Read(failure.to_string())))));
        }
        match read {
            Ok(None) => {
                self.is_done = true;
                None
            }
            Ok(Some(game)) => Some(Ok(game)),
            Err(placed) => {
                let error = self.error(placed);
                self.lexer.skip_game(in_moves);
                Some(Err(error))
            }
        }
    }

    fn read_game(&mut self, in_moves: &mut bool) -> Result<Option<RawGame>, Placed> {
        let mut comments = Vec::new();
        let mut tags: Vec<Tag> = Vec::new();
        let first = loop {
            let (at, token) = self.next_token()?;
            match token {
                Token::Comment(text) => comments.push(text),
                Token::Tag { name, value } => {
                    if tags.iter().any(|tag| tag.name == name) {
                        let found = format!("a second tag {name}");
                        let expected = "movetext, or each tag once";
                        return Err((at, PgnProblem::unexpected(found, expected)));
                    }
                    if tags.len() >= TAGS_MAX {
                        let found = format!("more than {TAGS_MAX} tags");
                        return Err((at, PgnProblem::unexpected(found, "movetext")));
                    }
                    tags.push(Tag { name, value, at });
                }
                Token::End if tags.is_empty() => return Ok(None),
                token => break (at, token),
            }
        };
        let (at, _) = first;
        if first.1 == Token::End {
            let expected = "movetext or a result behind the tags";
            return Err((at, PgnProblem::unexpected(first.1.describe(), expected)));
        }
        let start = tags::start(&tags, self.rules)?;
        self.lexer.set_rebirth(start.position.rules().has_rebirth());
        self.lexer.put_back(Ok(first));
        *in_moves = true;

        let mut movetext = Movetext::new(start.position, start.numbering);
        for text in comments {
            movetext.comment(text);
        }
        let result = self.read_moves(&mut movetext)?;
        let (end_at, last, result) = match result {
            Ended::Result(at, result) => {
                self.read_closing_comments(at, &mut movetext);
                (at, Token::Result(result), Some(result))
            }
            Ended::Without(at, token) => (at, token, None),
        };
        let line = movetext
            .finish(&last)
            .map_err(|problem| (end_at, problem))?;
        let result = settle_result(&tags, result, end_at, &last)?;
        let (tags, part) = (tags::others(&tags), start.part);
        Ok(Some(RawGame {
            game: PgnGame::from_parts(start.position, line, result, tags),
            part,
            at,
            number: self.games,
        }))
    }

    fn next_token(&mut self) -> Result<(Spot, Token), Placed> {
        self.lexer.next().map_err(
            |LexError {
                 at,
                 found,
                 expected,
             }| (at, PgnProblem::unexpected(found, expected)),
        )
    }

    fn read_moves(&mut self, movetext: &mut Movetext) -> Result<Ended, Placed> {
        loop {
            let (at, token) = self.next_token()?;
            match token {
                Token::End => return Ok(Ended::Without(at, token)),
                Token::Tag { .. } => {
                    self.lexer.put_back(Ok((at, token.clone())));
                    return Ok(Ended::Without(at, token));
                }
                token => match movetext.take(token) {
                    Ok(Step::GoesOn) => {}
                    Ok(Step::Result(result)) => return Ok(Ended::Result(at, result)),
                    Err(problem) => return Err((at, problem)),
                },
            }
        }
    }

    /// Comments behind the result in the same line belong to the game.
    fn read_closing_comments(&mut self, result_at: Spot, movetext: &mut Movetext) {
        loop {
            match self.lexer.next() {
                Ok((at, Token::Comment(text))) if at.line == result_at.line => {
                    movetext.comment(text);
                }
                other => {
                    self.lexer.put_back(other);
                    return;
                }
            }
        }
    }

    /// Reads on until the parts of a game that was split are all there.
    fn join_parts(&mut self, first: RawGame) -> Result<PgnGame, PgnError> {
        let parts = first.part.of;
        let (mut game, at, number) = (first.game, first.at, first.number);
        let incomplete = |this: &Self, found: String, expected: String| PgnError {
            game: number,
            ..this.error((at, PgnProblem::unexpected(found, expected)))
        };
        if first.part.number != 1 {
            let found = format!("part {} of a game", first.part.number);
            return Err(incomplete(self, found, "the parts before it".to_owned()));
        }
        for number in 2..=parts {
            let expected = format!("part {number} of {parts} of the game next");
            match self.read_raw() {
                Some(Ok(next)) if next.part.number == number && next.part.of == parts => {
                    null_pgn::join(&mut game, &next.game, &next.part)
                        .map_err(|reason| incomplete(self, reason, expected))?;
                }
                other => {
                    self.waiting = other;
                    let found = format!("a game without its part {number}");
                    return Err(incomplete(self, found, expected));
                }
            }
        }
        Ok(game)
    }
}

impl<R: Read> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Result<PgnGame, PgnError>> {
        let raw = self.read_raw()?;
        if let Ok(raw) = &raw {
            self.last = raw.at;
        }
        match raw {
            Ok(raw) if raw.part.is_whole() => Some(Ok(raw.game)),
            Ok(raw) => Some(self.join_parts(raw)),
            Err(error) => Some(Err(error)),
        }
    }
}

/// How movetext ended.
enum Ended {
    Result(Spot, GameResult),
    Without(Spot, Token),
}

/// The result of movetext and tag, which must not contradict each other. Movetext without a
/// result is understood only where no tag says that there is one: then it may be cut off.
fn settle_result(
    tags: &[Tag],
    written: Option<GameResult>,
    end_at: Spot,
    last: &Token,
) -> Result<GameResult, Placed> {
    let Some(tag) = tags.iter().find(|tag| tag.name == "Result") else {
        return Ok(written.unwrap_or_default());
    };
    let claimed: GameResult = tag.value.parse().map_err(|()| {
        let expected = "1-0, 0-1, 1/2-1/2 or *";
        (
            tag.at,
            PgnProblem::unexpected(format!("result '{}'", tag.value), expected),
        )
    })?;
    match written {
        Some(result) if result == claimed => Ok(result),
        _ => Err((
            end_at,
            PgnProblem::unexpected(
                last.describe(),
                format!("the result {claimed}, as the tag says"),
            ),
        )),
    }
}
