//! From bytes to the tokens of movetext and tag sections, each with the place where it stands.
//!
//! Series text, PGN and null-move PGN share it. It reads as a stream and keeps no more than a
//! token, so that files of any size can be read; it never decides what a token means.

mod source;
mod words;

use std::io::Read;

use super::pgn::GameResult;
use source::Source;
pub(super) use source::Spot;

/// A piece of movetext or of a tag section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `[Name "value"]`
    Tag { name: String, value: String },
    /// `3.` or `3...`
    Number { number: u32, dots: usize },
    /// A word that may be a move, with its judgement if it has one: `Nxf7#!?`.
    Move(String),
    /// `--` and its like.
    Null(String),
    /// `e.p.` as a word of its own.
    EnPassant,
    /// `,` or `/`.
    Separator(char),
    /// `$5` or `!?`.
    Glyph(u8),
    /// `{...}` or `;...`, its blanks collapsed.
    Comment(String),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `1-0`, `0-1`, `1/2-1/2`, `*`
    Result(GameResult),
    /// Nothing follows.
    End,
}

impl Token {
    /// The token as messages show it.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Tag { name, .. } => format!("tag [{name} ...]"),
            Token::Number { number, dots } => format!("'{number}{}'", ".".repeat((*dots).min(3))),
            Token::Move(text) | Token::Null(text) => format!("'{text}'"),
            Token::EnPassant => "'e.p.'".to_owned(),
            Token::Separator(mark) => format!("'{mark}'"),
            Token::Glyph(number) => format!("glyph ${number}"),
            Token::Comment(_) => "a comment".to_owned(),
            Token::Open => "'('".to_owned(),
            Token::Close => "')'".to_owned(),
            Token::Result(result) => format!("result {result}"),
            Token::End => "the end of the text".to_owned(),
        }
    }
}

/// Something that is no token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LexError {
    pub(super) at: Spot,
    pub(super) found: String,
    pub(super) expected: &'static str,
}

/// The most digits of a turn number.
const NUMBER_DIGITS: usize = 9;

/// Cuts bytes into tokens.
pub(super) struct Lexer<R> {
    source: Source<R>,
    peeked: Option<Result<(Spot, Token), LexError>>,
    /// Whether a man's square in brackets after a capture is a Circe suffix.
    rebirth: bool,
}

impl<R: Read> Lexer<R> {
    pub(super) fn new(reader: R) -> Lexer<R> {
        Lexer {
            source: Source::new(reader),
            peeked: None,
            rebirth: false,
        }
    }

    /// Says whether `Nxd4(Nb8)` is one word, a capture with rebirth, or a move with a variation.
    pub(super) fn set_rebirth(&mut self, on: bool) {
        self.rebirth = on;
    }

    /// Starts the count against the limit of bytes for one game anew.
    pub(super) fn start_game(&mut self) {
        self.source.start_count();
        self.rebirth = false;
    }

    /// The place that has been reached.
    pub(super) fn spot(&self) -> Spot {
        self.source.spot()
    }

    /// Why reading failed, if it did; tokens end there.
    pub(super) fn failure(&mut self) -> Option<std::io::Error> {
        self.source.failure()
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Result<(Spot, Token), LexError> {
        match self.peeked.take() {
            Some(token) => token,
            None => self.read(),
        }
    }

    /// Puts a token or an error back, to be read again.
    pub(super) fn put_back(&mut self, token: Result<(Spot, Token), LexError>) {
        self.peeked = Some(token);
    }

    fn read(&mut self) -> Result<(Spot, Token), LexError> {
        loop {
            self.source.skip_blanks();
            let at = self.source.spot();
            let Some(byte) = self.source.peek(0) else {
                return Ok((at, Token::End));
            };
            if self.source.is_over_limit() {
                return Err(too_large(at));
            }
            if byte == b'%' && self.source.is_at_column_one() {
                self.source.skip_line();
                continue;
            }
            return self.token(at, byte).map(|token| (at, token));
        }
    }

    fn token(&mut self, at: Spot, byte: u8) -> Result<Token, LexError> {
        let single = match byte {
            b'(' => Some(Token::Open),
            b')' => Some(Token::Close),
            b',' | b'/' => Some(Token::Separator(char::from(byte))),
            b'*' => Some(Token::Result(GameResult::Open)),
            _ => None,
        };
        if let Some(token) = single {
            self.source.bump();
            return Ok(token);
        }
        match byte {
            b'[' if self.source.is_first_on_line() => self.tag(at),
            b'{' => self.comment(at),
            b';' => {
                self.source.bump();
                let mut text = Vec::new();
                while self.source.peek(0).is_some_and(|byte| !is_line_end(byte)) {
                    text.extend(self.source.bump());
                    if self.source.is_over_limit() {
                        return Err(too_large(at));
                    }
                }
                Ok(Token::Comment(clean_comment(&decode(text))))
            }
            b'$' => self.numeric_glyph(at),
            b'0'..=b'9' => self.number_or_word(at),
            b'[' | b']' | b'}' | b'<' | b'>' | b'"' => {
                self.source.bump();
                Err(LexError {
                    at,
                    found: format!("'{}'", char::from(byte)),
                    expected: "a move, a turn number, a comment or a result",
                })
            }
            _ => {
                let text = self.word();
                words::classify(text).map_err(|text| LexError {
                    at,
                    found: format!("'{text}'"),
                    expected: "a move, a turn number, a comment or a result",
                })
            }
        }
    }

    fn numeric_glyph(&mut self, at: Spot) -> Result<Token, LexError> {
        self.source.bump();
        let text = self.word();
        let number = text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(glyph) if number => Ok(Token::Glyph(glyph)),
            _ => Err(LexError {
                at,
                found: format!("'${text}'"),
                expected: "a numeric glyph $0..$255",
            }),
        }
    }

    fn number_or_word(&mut self, at: Spot) -> Result<Token, LexError> {
        const DRAW: &[u8] = b"1/2-1/2";
        if (0..DRAW.len()).all(|n| self.source.peek(n) == Some(DRAW[n])) {
            for _ in DRAW {
                self.source.bump();
            }
            return Ok(Token::Result(GameResult::Draw));
        }
        let digits = (0..=NUMBER_DIGITS)
            .take_while(|&n| self.source.peek(n).is_some_and(|b| b.is_ascii_digit()))
            .count();
        let dotted = self.source.peek(digits) == Some(b'.');
        let text = if dotted {
            (0..digits)
                .filter_map(|_| self.source.bump())
                .map(char::from)
                .collect()
        } else {
            self.word()
        };
        let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if is_number && text != "0000" {
            let dots = self.dots();
            let number = Some(&text).filter(|text| text.len() <= NUMBER_DIGITS);
            return number
                .and_then(|text| text.parse().ok())
                .map(|number| Token::Number { number, dots })
                .ok_or_else(|| LexError {
                    at,
                    found: format!("'{text}'"),
                    expected: "a turn number of at most nine digits",
                });
        }
        words::classify(text).map_err(|text| LexError {
            at,
            found: format!("'{text}'"),
            expected: "a turn number, a move or a result (1-0, 0-1, 1/2-1/2, *)",
        })
    }

    /// Takes the dots behind a number, those of `3. ... e5` too, and counts them.
    fn dots(&mut self) -> usize {
        let mut dots = 0;
        loop {
            self.source.skip_blanks();
            if self.source.peek(0) != Some(b'.') {
                return dots;
            }
            self.source.bump();
            dots += 1;
        }
    }

    fn tag(&mut self, at: Spot) -> Result<Token, LexError> {
        let wrong = |found: String, expected| LexError {
            at,
            found,
            expected,
        };
        self.source.bump();
        self.source.skip_blanks_in_line();
        let mut name = String::new();
        while let Some(byte) = self.source.peek(0) {
            if !(byte.is_ascii_alphanumeric() || byte == b'_') || name.len() >= words::WORD_MAX {
                break;
            }
            self.source.bump();
            name.push(char::from(byte));
        }
        self.source.skip_blanks_in_line();
        if name.is_empty() || self.source.peek(0) != Some(b'"') {
            return Err(wrong(
                format!("'[{name}'"),
                "a tag of the form [Name \"value\"]",
            ));
        }
        self.source.bump();
        let mut value = Vec::new();
        loop {
            match self.source.peek(0) {
                Some(b'"') => break,
                Some(b'\\') if matches!(self.source.peek(1), Some(b'"' | b'\\')) => {
                    self.source.bump();
                }
                _ if self.source.is_over_limit() => return Err(too_large(at)),
                Some(byte) if !is_line_end(byte) => {}
                _ => {
                    return Err(wrong(
                        format!("tag {name} without the end of its value"),
                        "a closing '\"' on the same line",
                    ));
                }
            }
            value.extend(self.source.bump());
        }
        self.source.bump();
        self.source.skip_blanks_in_line();
        if self.source.peek(0) != Some(b']') {
            return Err(wrong(
                format!("tag {name} with more after its value"),
                "']' after the value; a '\"' inside a value is written \\\"",
            ));
        }
        self.source.bump();
        let value = decode(value);
        Ok(Token::Tag { name, value })
    }

    fn comment(&mut self, at: Spot) -> Result<Token, LexError> {
        self.source.bump();
        let mut text = Vec::new();
        loop {
            let next = self.source.peek(0);
            if next == Some(b'}') {
                self.source.bump();
                return Ok(Token::Comment(clean_comment(&decode(text))));
            }
            if self.source.is_over_limit() {
                return Err(too_large(at));
            }
            if next.is_none() || self.at_new_game() {
                return Err(LexError {
                    at,
                    found: "a comment without an end".to_owned(),
                    expected: "'}' before the next game",
                });
            }
            text.extend(self.source.bump());
        }
    }

    /// Whether a game surely begins here, even if a comment was left open: an `Event` tag after
    /// an empty line.
    fn at_new_game(&mut self) -> bool {
        const EVENT: &[u8] = b"[Event \"";
        self.source.is_at_column_one()
            && self.source.follows_empty_line()
            && (0..EVENT.len()).all(|n| self.source.peek(n) == Some(EVENT[n]))
    }

    /// Skips the rest of a game in which an error was found: up to a tag section, or behind a
    /// result that something new follows. `in_moves` says whether movetext has begun, so that a
    /// tag starts another game.
    pub(super) fn skip_game(&mut self, mut in_moves: bool) {
        if in_moves && matches!(self.peeked, Some(Ok((_, Token::Tag { .. })))) {
            return;
        }
        self.peeked = None;
        self.source.stop_count();
        loop {
            self.source.skip_blanks();
            let Some(byte) = self.source.peek(0) else {
                return;
            };
            let in_tag = byte == b'['
                && self.source.is_first_on_line()
                && self.source.peek(1).is_some_and(|b| b.is_ascii_alphabetic());
            if in_tag {
                if in_moves {
                    return;
                }
                self.source.skip_line();
            } else if byte == b';' || (byte == b'%' && self.source.is_at_column_one()) {
                self.source.skip_line();
            } else if byte == b'{' {
                self.skip_comment();
            } else if words::is_delimiter(byte) && byte != b'*' {
                self.source.bump();
            } else {
                in_moves = true;
                if self.skip_word() && self.is_between_games() {
                    return;
                }
            }
        }
    }

    fn skip_comment(&mut self) {
        self.source.bump();
        while let Some(byte) = self.source.peek(0) {
            if self.at_new_game() {
                return;
            }
            self.source.bump();
            if byte == b'}' {
                return;
            }
        }
    }

    /// Skips a word; tells whether it was a result.
    fn skip_word(&mut self) -> bool {
        let mut text = Vec::new();
        while let Some(byte) = self.source.peek(0) {
            let slash = byte == b'/';
            if (words::is_delimiter(byte) && !slash) && !(byte == b'*' && text.is_empty()) {
                break;
            }
            self.source.bump();
            if text.len() < words::WORD_MAX {
                text.push(byte);
            }
            if byte == b'*' {
                break;
            }
        }
        matches!(text.as_slice(), b"1-0" | b"0-1" | b"1/2-1/2" | b"*")
    }

    /// Whether a game may begin here: nothing, a tag, a comment or a number follows.
    fn is_between_games(&mut self) -> bool {
        self.source.skip_blanks();
        self.source
            .peek(0)
            .is_none_or(|byte| matches!(byte, b'[' | b'{' | b';' | b'%' | b'0'..=b'9'))
    }

    /// Reads a word: up to a blank or a delimiter, but with a promotion or a rebirth in brackets
    /// and a promotion after a slash.
    fn word(&mut self) -> String {
        let mut text = Vec::new();
        let mut cut = false;
        while let Some(byte) = self.source.peek(0) {
            let ahead: [Option<u8>; 6] = std::array::from_fn(|n| self.source.peek(n));
            let inside = !words::is_delimiter(byte)
                || words::slash_promotes(&text, ahead)
                || words::bracket_length(&text, ahead, self.rebirth) > 0;
            if !inside {
                break;
            }
            let take = words::bracket_length(&text, ahead, self.rebirth).max(1);
            for _ in 0..take {
                let byte = self.source.bump();
                if text.len() < words::WORD_MAX {
                    text.extend(byte);
                } else {
                    cut = true;
                }
            }
        }
        let mut text = printable(&decode(text));
        if cut {
            text.push_str("...");
        }
        text
    }
}

/// The game whose text at `at` goes beyond the limit.
fn too_large(at: Spot) -> LexError {
    LexError {
        at,
        found: format!("a game of more than {} bytes", source::GAME_BYTES_MAX),
        expected: "a shorter one",
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Text of bytes: UTF-8 where they are, else Latin-1.
pub(super) fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

/// The text without control characters, fit for a message.
pub(super) fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

/// A comment as it can be written and read again: single blanks, no control characters, no
/// closing brace.
pub(super) fn clean_comment(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        if word.is_empty() {
            continue;
        }
        if !clean.is_empty() {
            clean.push(' ');
        }
        clean.push_str(word);
    }
    clean.replace('}', ")")
}

#[cfg(test)]
mod tests;
