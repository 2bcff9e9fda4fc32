//! Movetext, token by token: which move, turn number or bracket may stand where.

use std::fmt::Write;

use super::{GameResult, Line, PgnMove, PgnProblem};
use crate::{
    notation::{
        lexer::Token,
        parse_san,
        san::{SanError, split_glyph},
    },
    rules::{Color, MoveKind, SeriesPosition},
};

/// The deepest nesting of variations.
pub const VARIATION_DEPTH_MAX: usize = 64;

/// How turns are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::notation) enum Numbering {
    /// Every turn has its own number.
    Series,
    /// As in alternating chess, with null moves for the side that waits.
    Alternating(View),
    /// One of the two; the first turns tell. Only for games from the start position.
    Either,
}

/// What a viewer of alternating chess believes: who is to move, and the move number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::notation) struct View {
    pub(in crate::notation) side: Color,
    pub(in crate::notation) number: u32,
}

impl View {
    pub(in crate::notation) const START: View = View {
        side: Color::White,
        number: 1,
    };

    /// After one more move of either kind.
    pub(in crate::notation) fn next(self) -> View {
        View {
            side: !self.side,
            number: self.number.saturating_add(u32::from(self.side.is_black())),
        }
    }
}

/// Whether the text goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::notation) enum Step {
    GoesOn,
    Result(GameResult),
}

/// What was read before and asks for a move now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    Nothing,
    Number,
    Separator(char),
}

/// The state of one line of moves: the main line or an open variation.
struct Frame {
    line: Line,
    position: SeriesPosition,
    view: Option<View>,
    /// The state before the last move, where a variation would start.
    before: Option<(SeriesPosition, Option<View>)>,
    /// The start of the turn of the last move, and the number of moves before it. In a game
    /// that is set up in mid-series, its start.
    turn_start: Option<(SeriesPosition, usize)>,
    /// The move of the outer line that the line replaces.
    replaces: usize,
    pending: Pending,
    after_null: bool,
}

impl Frame {
    fn new(position: SeriesPosition, view: Option<View>) -> Frame {
        Frame {
            line: Line::default(),
            position,
            view,
            before: None,
            turn_start: None,
            replaces: 0,
            pending: Pending::Nothing,
            after_null: false,
        }
    }

    /// Whether it is the turn of the side that waits.
    fn expects_null(&self) -> bool {
        self.view
            .is_some_and(|view| view.side != self.position.side())
    }

    fn expected(&self) -> String {
        if let Some(outcome) = self.position.board_outcome() {
            return format!("the result, since the game is over: {}", outcome.ending);
        }
        if self.expects_null() {
            return format!(
                "a null move --, since {} waits for {}",
                !self.position.side(),
                turn_text(&self.position)
            );
        }
        let number = self.view.is_none()
            && self.position.is_turn_start()
            && self.pending == Pending::Nothing;
        let moves = turn_text(&self.position);
        if number {
            format!(
                "the turn number {}. ({moves}) or the result",
                self.position.turn()
            )
        } else {
            format!("a move of {moves}")
        }
    }
}

/// Whose turn it is and how much of it is left.
fn turn_text(position: &SeriesPosition) -> String {
    let left = position.moves_left();
    format!(
        "{}'s turn {}, {left} of {} moves left",
        position.side(),
        position.turn(),
        left + position.moves_played()
    )
}

/// The reader of one game's movetext.
pub(in crate::notation) struct Movetext {
    frames: Vec<Frame>,
    /// The innermost frame.
    top: Frame,
    may_alternate: bool,
    /// The move just read whose lack of a number meant null moves.
    guess: Option<String>,
}

impl Movetext {
    pub(in crate::notation) fn new(start: SeriesPosition, numbering: Numbering) -> Movetext {
        let view = match numbering {
            Numbering::Alternating(view) => Some(view),
            Numbering::Series | Numbering::Either => None,
        };
        let mut top = Frame::new(start, view);
        top.turn_start = Some((start, 0));
        Movetext {
            frames: Vec::new(),
            top,
            may_alternate: numbering == Numbering::Either,
            guess: None,
        }
    }

    /// Takes the next token. Tags and the end of the text are the caller's.
    pub(in crate::notation) fn take(&mut self, token: Token) -> Result<Step, PgnProblem> {
        let is_move = matches!(token, Token::Move(_) | Token::Comment(_) | Token::Null(_));
        let may_follow = match self.top.pending {
            Pending::Nothing => true,
            Pending::Number => is_move,
            Pending::Separator(_) => is_move && !matches!(token, Token::Null(_)),
        };
        if !may_follow {
            return Err(self.unexpected(&token));
        }
        match token {
            Token::Number { number, dots } => self.number(number, dots)?,
            Token::Move(text) => self.play(text)?,
            Token::Null(text) => self.pass(&text)?,
            Token::EnPassant => self.confirm_en_passant()?,
            Token::Separator(mark) => {
                let in_series = !self.top.position.is_turn_start()
                    && !self.top.line.moves.is_empty()
                    && self.top.view.is_none();
                if !in_series {
                    return Err(self.unexpected(&token));
                }
                self.top.pending = Pending::Separator(mark);
            }
            Token::Glyph(glyph) => match self.top.line.moves.last_mut() {
                Some(last) => last.glyphs.push(glyph),
                None => return Err(self.unexpected(&token)),
            },
            Token::Comment(text) => self.comment(text),
            Token::Open => self.open()?,
            Token::Close => self.close()?,
            Token::Result(result) => {
                if !self.frames.is_empty() {
                    return Err(PgnProblem::unexpected(
                        token.describe(),
                        "')' at the end of the variation",
                    ));
                }
                return Ok(Step::Result(result));
            }
            Token::Tag { .. } | Token::End => return Err(self.unexpected(&token)),
        }
        Ok(Step::GoesOn)
    }

    /// Adds a comment behind the last move of the line that is being read.
    pub(in crate::notation) fn comment(&mut self, text: String) {
        if text.is_empty() {
            return;
        }
        match self.top.line.moves.last_mut() {
            Some(last) => last.comments.push(text),
            None => self.top.line.comments.push(text),
        }
    }

    /// The line, if everything that was begun has been ended; `last` is what follows.
    pub(in crate::notation) fn finish(self, last: &Token) -> Result<Line, PgnProblem> {
        if !self.frames.is_empty() {
            return Err(PgnProblem::unexpected(
                last.describe(),
                "')' at the end of the variation",
            ));
        }
        if self.top.pending != Pending::Nothing {
            return Err(self.unexpected(last));
        }
        Ok(self.top.line)
    }

    fn unexpected(&self, token: &Token) -> PgnProblem {
        PgnProblem::unexpected(token.describe(), self.top.expected())
    }

    /// Goes over to null-move notation, where the text so far allows it.
    fn try_alternating(&mut self) -> bool {
        let possible = self.may_alternate
            && self.top.view.is_none()
            && self.frames.is_empty()
            && self.top.line.moves.len() == 1;
        if possible {
            self.top.view = Some(View::START.next());
            if let Some((_, view)) = &mut self.top.before {
                *view = Some(View::START);
            }
        }
        possible
    }

    fn number(&mut self, number: u32, dots: usize) -> Result<(), PgnProblem> {
        if self.top.view.is_none()
            && number != u32::from(self.top.position.turn().0)
            && number == 1
            && dots > 1
        {
            self.try_alternating();
        }
        let opens = !self.frames.is_empty() && self.top.line.moves.is_empty();
        let right = match self.top.view {
            Some(view) => view.number == number && (dots < 2 || view.side.is_black()),
            None => {
                u32::from(self.top.position.turn().0) == number
                    && self.top.position.board_outcome().is_none()
            }
        };
        if !right {
            let token = Token::Number { number, dots };
            if let Some(view) = self.top.view {
                let dots = view.side.fold_wb(".", "...");
                let expected = format!("the move number {}{dots}", view.number);
                return Err(PgnProblem::unexpected(token.describe(), expected));
            }
            if opens && !self.top.position.is_turn_start() {
                let turn = self.top.position.turn();
                let expected = format!("the turn number {turn}. or {turn}... or a move");
                return Err(PgnProblem::unexpected(token.describe(), expected));
            }
            return Err(self.unexpected(&token));
        }
        let repeats = !opens
            && dots < 2
            && self.top.view.is_none()
            && !self.top.position.is_turn_start()
            && !self.top.line.moves.is_empty();
        if repeats {
            let token = Token::Number { number, dots };
            let expected = format!(
                "{}, or {number}... to go on with the turn",
                self.top.expected()
            );
            return Err(PgnProblem::unexpected(token.describe(), expected));
        }
        if opens && dots < 2 && self.top.view.is_none() {
            self.rewind(number)?;
        }
        self.top.pending = Pending::Number;
        Ok(())
    }

    /// Takes the variation that begins with `number` and fewer than two dots back to the start
    /// of the turn.
    fn rewind(&mut self, number: u32) -> Result<(), PgnProblem> {
        if self.top.position.is_turn_start() {
            return Ok(());
        }
        let Some((position, first)) = self.frames.last().and_then(|outer| outer.turn_start) else {
            let found = format!("'{number}.' where turn {number} began outside the variation");
            let expected = format!("'{number}...' for another last move");
            return Err(PgnProblem::unexpected(found, expected));
        };
        self.top.position = position;
        self.top.replaces = first;
        self.top.turn_start = Some((position, 0));
        Ok(())
    }

    fn play(&mut self, text: String) -> Result<(), PgnProblem> {
        let starts_turn = self.top.position.is_turn_start();
        let unnumbered =
            starts_turn && self.top.view.is_none() && self.top.pending == Pending::Nothing;
        let over = self.top.position.board_outcome().is_some();
        if over || (unnumbered && !self.try_alternating()) || self.top.expects_null() {
            let mut expected = self.top.expected();
            if let Some(guess) = &self.guess {
                let _ = write!(expected, ", or the turn number 2. before '{guess}'");
            }
            let found = Token::Move(text).describe();
            return Err(PgnProblem::unexpected(found, expected));
        }
        self.guess = unnumbered.then(|| text.clone());
        let (body, glyph) = split_glyph(&text);
        let m = parse_san(&self.top.position, body).map_err(|error| self.refused(error))?;
        let mut played = PgnMove::new(m);
        played.glyphs.extend(glyph);
        let top = &mut self.top;
        top.before = Some((top.position, top.view));
        if starts_turn {
            top.turn_start = Some((top.position, top.line.moves.len()));
        }
        top.line.moves.push(played);
        top.position.play(m);
        top.view = top.view.map(View::next);
        top.pending = Pending::Nothing;
        top.after_null = false;
        Ok(())
    }

    fn refused(&self, error: SanError) -> PgnProblem {
        PgnProblem::Move {
            error,
            turn: turn_text(&self.top.position),
        }
    }

    fn pass(&mut self, text: &str) -> Result<(), PgnProblem> {
        if self.top.view.is_none() && self.top.pending == Pending::Nothing {
            self.try_alternating();
        }
        let over = self.top.position.board_outcome().is_some();
        if over || !self.top.expects_null() {
            let mut expected = self.top.expected();
            if self.top.view.is_none() {
                expected += "; null moves need the tag [SeriesNotation \"null-moves\"]";
            }
            return Err(PgnProblem::unexpected(format!("'{text}'"), expected));
        }
        self.top.view = self.top.view.map(View::next);
        self.top.pending = Pending::Nothing;
        self.top.after_null = true;
        Ok(())
    }

    fn confirm_en_passant(&self) -> Result<(), PgnProblem> {
        let last = self.top.line.moves.last();
        if last.is_some_and(|last| last.played.kind() == MoveKind::EnPassant) {
            return Ok(());
        }
        Err(PgnProblem::unexpected(
            Token::EnPassant.describe(),
            "it behind an en passant capture only",
        ))
    }

    fn open(&mut self) -> Result<(), PgnProblem> {
        if self.frames.len() >= VARIATION_DEPTH_MAX {
            return Err(PgnProblem::unexpected(
                format!("variations nested more than {VARIATION_DEPTH_MAX} deep"),
                "fewer",
            ));
        }
        match self.top.before {
            Some((position, view)) if !self.top.after_null => {
                let mut variation = Frame::new(position, view);
                variation.replaces = self.top.line.moves.len().saturating_sub(1);
                self.frames
                    .push(std::mem::replace(&mut self.top, variation));
                Ok(())
            }
            _ => Err(PgnProblem::unexpected(
                Token::Open.describe(),
                "a variation only behind a move",
            )),
        }
    }

    fn close(&mut self) -> Result<(), PgnProblem> {
        if self.top.line.moves.is_empty() {
            return Err(self.unexpected(&Token::Close));
        }
        let Some(outer) = self.frames.pop() else {
            return Err(self.unexpected(&Token::Close));
        };
        let inner = std::mem::replace(&mut self.top, outer);
        if let Some(replaced) = self.top.line.moves.get_mut(inner.replaces) {
            replaced.variations.push(inner.line);
        }
        Ok(())
    }
}
