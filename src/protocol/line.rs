//! Bytes into lines: capped, and tolerant of CR, a byte order mark and odd encodings.

use std::io::{self, BufRead};

/// The longest line that is read, in bytes. Longer ones are thrown away up to their end.
pub const LINE_MAX: usize = 1 << 20;

/// One line of input, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line; bytes that are no UTF-8 are replaced.
    Text(String),
    /// A line longer than [`LINE_MAX`], thrown away.
    TooLong,
}

/// Reads lines from a stream of bytes.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    at_start: bool,
}

impl<R: BufRead> LineReader<R> {
    /// A reader at the start of `input`.
    pub fn new(input: R) -> LineReader<R> {
        LineReader {
            input,
            at_start: true,
        }
    }

    /// The next line, or `None` at the end of input. A last line without an end counts.
    ///
    /// # Errors
    /// Those of the stream; interruptions are not among them.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        let mut line = Vec::new();
        let mut too_long = false;
        let mut ended = false;
        let mut read_any = false;
        while !ended {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                break;
            }
            read_any = true;
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            if line.len() + part.len() > LINE_MAX {
                too_long = true;
                line = Vec::new();
            } else if !too_long {
                line.extend_from_slice(part);
            }
            ended = end.is_some();
            let used = end.map_or(chunk.len(), |end| end + 1);
            self.input.consume(used);
        }
        if !read_any {
            return Ok(None);
        }
        if too_long {
            return Ok(Some(Line::TooLong));
        }
        let text = String::from_utf8_lossy(&line);
        let mut text = text.trim_end_matches('\r');
        if std::mem::take(&mut self.at_start) {
            text = text.trim_start_matches('\u{feff}');
        }
        Ok(Some(Line::Text(text.to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Line> {
        let mut reader = LineReader::new(io::BufReader::with_capacity(7, input));
        std::iter::from_fn(|| reader.next_line().unwrap()).collect()
    }

    fn text(line: &str) -> Line {
        Line::Text(line.to_owned())
    }

    #[test]
    fn ends_and_marks_are_stripped() {
        assert_eq!(
            lines(b"\xef\xbb\xbfuci\r\n\nisready\nquit"),
            [text("uci"), text(""), text("isready"), text("quit")]
        );
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"a\xffb\n"), [text("a\u{fffd}b")]);
    }

    #[test]
    fn long_lines_are_thrown_away_whole() {
        let mut input = vec![b'x'; LINE_MAX + 1];
        input.extend_from_slice(b"\nisready\n");
        assert_eq!(lines(&input), [Line::TooLong, text("isready")]);
        let mut input = vec![b'x'; LINE_MAX];
        input.push(b'\n');
        assert_eq!(lines(&input).len(), 1);
        assert_ne!(lines(&input), [Line::TooLong]);
    }
}
