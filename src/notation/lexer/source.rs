//! A stream of bytes with its place in lines and columns.

use std::io::{ErrorKind, Read};

/// The most bytes of one game; more is refused, so that no input fills the memory.
pub(super) const GAME_BYTES_MAX: u64 = 4 << 20;

const CHUNK: usize = 8 << 10;

/// A place in a text, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::notation) struct Spot {
    pub(in crate::notation) line: u64,
    pub(in crate::notation) column: u64,
}

pub(super) struct Source<R> {
    reader: R,
    buffer: Vec<u8>,
    start: usize,
    is_at_end: bool,
    failure: Option<std::io::Error>,
    spot: Spot,
    /// Whether the line so far is blank, and whether the one before was empty.
    is_blank_line: bool,
    follows_empty_line: bool,
    counted: u64,
    limit: u64,
}

impl<R: Read> Source<R> {
    pub(super) fn new(reader: R) -> Source<R> {
        Source {
            reader,
            buffer: Vec::new(),
            start: 0,
            is_at_end: false,
            failure: None,
            spot: Spot { line: 1, column: 1 },
            is_blank_line: true,
            follows_empty_line: false,
            counted: 0,
            limit: GAME_BYTES_MAX,
        }
    }

    pub(super) fn spot(&self) -> Spot {
        self.spot
    }

    pub(super) fn failure(&mut self) -> Option<std::io::Error> {
        self.failure.take()
    }

    pub(super) fn is_at_column_one(&self) -> bool {
        self.spot.column == 1
    }

    pub(super) fn is_first_on_line(&self) -> bool {
        self.is_blank_line
    }

    pub(super) fn follows_empty_line(&self) -> bool {
        self.follows_empty_line
    }

    pub(super) fn start_count(&mut self) {
        self.counted = 0;
        self.limit = GAME_BYTES_MAX;
    }

    /// Lifts the limit, for text that is skipped and not kept.
    pub(super) fn stop_count(&mut self) {
        self.limit = u64::MAX;
    }

    pub(super) fn is_over_limit(&self) -> bool {
        self.counted > self.limit
    }

    /// The byte `ahead` places on, without taking it.
    pub(super) fn peek(&mut self, ahead: usize) -> Option<u8> {
        while self.start + ahead >= self.buffer.len() && !self.is_at_end {
            self.fill();
        }
        self.buffer.get(self.start + ahead).copied()
    }

    fn fill(&mut self) {
        self.buffer.drain(..self.start);
        self.start = 0;
        let kept = self.buffer.len();
        self.buffer.resize(kept + CHUNK, 0);
        let got = loop {
            match self.reader.read(&mut self.buffer[kept..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(error);
                    break 0;
                }
                Ok(got) => break got,
            }
        };
        self.buffer.truncate(kept + got);
        self.is_at_end = got == 0;
    }

    /// Takes a byte; every kind of line end is taken as one `\n`.
    pub(super) fn bump(&mut self) -> Option<u8> {
        let byte = self.peek(0)?;
        self.start += 1;
        self.counted += 1;
        if byte == b'\r' && self.peek(0) == Some(b'\n') {
            self.start += 1;
        }
        if matches!(byte, b'\r' | b'\n') {
            self.follows_empty_line = self.is_blank_line;
            self.is_blank_line = true;
            self.spot.line += 1;
            self.spot.column = 1;
            return Some(b'\n');
        }
        self.is_blank_line &= is_blank(byte);
        // Continuation bytes of UTF-8 are no characters of their own.
        self.spot.column += u64::from(byte & 0xc0 != 0x80);
        Some(byte)
    }

    /// Skips blanks, line ends and byte order marks.
    pub(super) fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek(0) {
            if is_blank(byte) {
                self.bump();
            } else if byte == 0xef && self.peek(1) == Some(0xbb) && self.peek(2) == Some(0xbf) {
                self.start += 3;
            } else {
                return;
            }
        }
    }

    pub(super) fn skip_blanks_in_line(&mut self) {
        while self
            .peek(0)
            .is_some_and(|b| is_blank(b) && !matches!(b, b'\n' | b'\r'))
        {
            self.bump();
        }
    }

    /// Skips to the start of the next line.
    pub(super) fn skip_line(&mut self) {
        while self.bump().is_some_and(|byte| byte != b'\n') {}
    }
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}
