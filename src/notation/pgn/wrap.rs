//! Movetext in lines of less than 80 characters.

/// The longest line, as the PGN standard asks of export files.
const WIDTH: usize = 79;

/// Collects words and breaks lines between them.
#[derive(Debug, Default)]
pub(in crate::notation) struct Wrap {
    text: String,
    column: usize,
    word: String,
    /// Whether the next word belongs to this one.
    is_open: bool,
}

impl Wrap {
    /// Ends the word before and begins another one.
    pub(in crate::notation) fn word(&mut self, word: &str) {
        if !std::mem::take(&mut self.is_open) {
            self.flush();
        }
        self.word.push_str(word);
    }

    /// Begins a variation.
    pub(in crate::notation) fn open(&mut self) {
        self.word("(");
        self.is_open = true;
    }

    /// Adds to the word before, without a blank.
    pub(in crate::notation) fn glue(&mut self, text: &str) {
        self.word.push_str(text);
    }

    /// A comment in braces; `text` must be clean.
    pub(in crate::notation) fn comment(&mut self, text: &str) {
        for (n, word) in text.split(' ').enumerate() {
            if n == 0 {
                self.word("{");
                self.glue(word);
            } else if word.starts_with(['[', '%']) {
                // At the start of a line these would be a tag or an escape to simple readers.
                self.glue(" ");
                self.glue(word);
            } else {
                self.word(word);
            }
        }
        self.glue("}");
    }

    /// The text, with a line end if there is any.
    pub(in crate::notation) fn finish(mut self) -> String {
        self.flush();
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text
    }

    fn flush(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let length = self.word.chars().count();
        if self.column == 0 {
        } else if self.column + 1 + length > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(&self.word);
        self.column += length;
        self.word.clear();
    }
}
