//! Bytes from an engine, cut into lines; bounded whatever the engine writes.

use std::{ops::Range, time::Instant};

/// The longest line that is kept. Longer ones are dropped whole.
pub const LINE_MAX: usize = 1 << 20;

/// Cuts a stream of bytes into lines, each with the time at which its end was read.
#[derive(Debug)]
pub struct LineBuffer {
    bytes: Vec<u8>,
    /// Where the first line that has not been taken begins.
    start: usize,
    /// Up to where there is no line feed for sure.
    searched: usize,
    /// The current line is too long, and dropped up to its end.
    skipping: bool,
    dropped: u64,
    arrival: Instant,
}

impl LineBuffer {
    /// An empty buffer.
    pub fn new(now: Instant) -> LineBuffer {
        LineBuffer {
            bytes: Vec::with_capacity(4096),
            start: 0,
            searched: 0,
            skipping: false,
            dropped: 0,
            arrival: now,
        }
    }

    /// Adds bytes that were read at `arrival`. All earlier lines should have been taken.
    pub fn push(&mut self, bytes: &[u8], arrival: Instant) {
        self.arrival = arrival;
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Takes the next whole line; [`LineBuffer::line`] gives its bytes, until the next push.
    pub fn take(&mut self) -> Option<Range<usize>> {
        loop {
            let Some(length) = memchr::memchr(b'\n', &self.bytes[self.searched..]) else {
                self.searched = self.bytes.len();
                if self.searched - self.start > LINE_MAX {
                    self.skipping = true;
                }
                if self.skipping {
                    self.clear();
                }
                return None;
            };
            let (from, to) = (self.start, self.searched + length);
            self.start = to + 1;
            self.searched = to + 1;
            if self.skipping || to - from > LINE_MAX {
                self.skipping = false;
                self.dropped += 1;
                continue;
            }
            return Some(from..to);
        }
    }

    /// The bytes of a line just taken, without its end, blanks around it and a carriage return.
    pub fn line(&self, range: Range<usize>) -> &[u8] {
        self.bytes[range].trim_ascii()
    }

    /// When the bytes pushed last were read.
    pub fn arrival(&self) -> Instant {
        self.arrival
    }

    /// How many lines were dropped because they were too long.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(LINE_MAX);
        self.start = 0;
        self.searched = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(buffer: &mut LineBuffer) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(range) = buffer.take() {
            lines.push(String::from_utf8_lossy(buffer.line(range)).into_owned());
        }
        lines
    }

    #[test]
    fn lines_are_cut_wherever_the_reads_fall() {
        let text = b"uciok\r\n\r\n  bestmove e2e4\t\r\nreadyok\nhalf";
        for size in 1..text.len() {
            let mut buffer = LineBuffer::new(Instant::now());
            let mut found = Vec::new();
            for chunk in text.chunks(size) {
                buffer.push(chunk, Instant::now());
                found.extend(lines(&mut buffer));
            }
            assert_eq!(found, ["uciok", "", "bestmove e2e4", "readyok"]);
        }
    }

    #[test]
    fn overlong_lines_are_dropped_and_memory_stays_bounded() {
        let mut buffer = LineBuffer::new(Instant::now());
        let chunk = vec![b'x'; 65536];
        for _ in 0..1024 {
            buffer.push(&chunk, Instant::now());
            assert!(buffer.take().is_none());
            assert!(buffer.bytes.capacity() < 4 * LINE_MAX);
        }
        buffer.push(b"\nok\n", Instant::now());
        assert_eq!(lines(&mut buffer), ["ok"]);
        assert_eq!(buffer.dropped(), 1);
    }
}
