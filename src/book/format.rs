//! A book as bytes; `docs/book.md` describes them.

use std::{collections::BTreeMap, hash::Hasher, str};

use fnv::FnvHasher;
use thiserror::Error;

use super::{Book, Entry, Known, Outlook, PackedMove, Worth};
use crate::rules::{RuleSet, RuleSetError, Switch, SwitchError};

/// The version of the format that is written, and the only one that is read.
pub const FORMAT_VERSION: u16 = 1;

/// How every book begins.
const MAGIC: &[u8; 8] = b"SeriBook";
/// The kinds of [`Worth`].
const BELIEVED: u8 = 0;
const SAFE: u8 = 1;
const WIN: u8 = 2;
const LOSS: u8 = 3;

/// Why bytes are no book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FormatError {
    /// They are something else.
    #[error("it does not begin as a book does (expected the letters 'SeriBook')")]
    NoBook,
    /// Another program wrote it.
    #[error("format version {0} is not known (expected {FORMAT_VERSION})")]
    Version(u16),
    /// Something is missing.
    #[error("it ends at byte {end} in the middle of {what} (expected more; was it cut off?)")]
    Truncated {
        /// How many bytes there are.
        end: usize,
        /// What is not complete.
        what: &'static str,
    },
    /// It was changed.
    #[error("checksum {found:016x} does not fit the contents (expected {expected:016x})")]
    Checksum {
        /// What it holds.
        found: u64,
        /// What belongs there.
        expected: u64,
    },
    /// Something cannot be.
    #[error("byte {at}: {what} {found} (expected {expected})")]
    Value {
        /// Where.
        at: usize,
        /// What it is.
        what: &'static str,
        /// What stands there.
        found: String,
        /// What would make sense.
        expected: &'static str,
    },
    /// A switch of the rules that is not understood.
    #[error("its rules: {0}")]
    Switch(#[from] SwitchError),
    /// Rules without meaning.
    #[error("its rules: {0}")]
    Rules(#[from] RuleSetError),
}

/// The checksum of a book's bytes before it: FNV-1a, 64 bits.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// Bytes, and how far they have been read.
struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn take(&mut self, count: usize, what: &'static str) -> Result<&'b [u8], FormatError> {
        let rest = &self.bytes[self.at..];
        let Some(taken) = rest.get(..count) else {
            return Err(FormatError::Truncated {
                end: self.bytes.len(),
                what,
            });
        };
        self.at += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], FormatError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, what)?);
        Ok(array)
    }

    fn byte(&mut self, what: &'static str) -> Result<u8, FormatError> {
        Ok(self.array::<1>(what)?[0])
    }

    fn word(&mut self, what: &'static str) -> Result<u16, FormatError> {
        self.array(what).map(u16::from_le_bytes)
    }

    fn text(&mut self, what: &'static str) -> Result<&'b str, FormatError> {
        let length = self.word(what)?;
        let at = self.at;
        let bytes = self.take(usize::from(length), what)?;
        str::from_utf8(bytes).map_err(|_| FormatError::Value {
            at,
            what,
            found: String::from_utf8_lossy(bytes).chars().take(40).collect(),
            expected: "UTF-8",
        })
    }

    /// An error about the `size` bytes that were read last.
    fn wrong(
        &self,
        size: usize,
        what: &'static str,
        found: &dyn ToString,
        expected: &'static str,
    ) -> FormatError {
        FormatError::Value {
            at: self.at - size,
            what,
            found: found.to_string(),
            expected,
        }
    }

    fn known(&mut self) -> Result<Known, FormatError> {
        let outlook = match self.byte("a position")? as i8 {
            0 => Outlook::Open,
            i8::MIN => {
                return Err(self.wrong(1, "outlook", &i8::MIN, "-127..127"));
            }
            series if series > 0 => Outlook::Won(series.unsigned_abs()),
            series => Outlook::Lost(series.unsigned_abs()),
        };
        let count = self.byte("a position")?;
        if count == 0 {
            return Err(self.wrong(1, "number of series", &0, "1..255"));
        }
        let entries = (0..count)
            .map(|_| self.entry())
            .collect::<Result<_, FormatError>>()?;
        Ok(Known { outlook, entries })
    }

    fn entry(&mut self) -> Result<Entry, FormatError> {
        const WHAT: &str = "a series";
        let kind = self.byte(WHAT)?;
        if kind > LOSS {
            return Err(self.wrong(1, "kind of a series", &kind, "0..3"));
        }
        let value = self.word(WHAT)? as i16;
        let worth = match kind {
            BELIEVED => Worth::Believed(value),
            SAFE => Worth::Safe(value),
            _ => {
                let series = u8::try_from(value)
                    .ok()
                    .filter(|&series| (1..=127).contains(&series))
                    .ok_or_else(|| {
                        self.wrong(2, "number of series to the end", &value, "1..127")
                    })?;
                if kind == WIN {
                    Worth::Win(series)
                } else {
                    Worth::Loss(series)
                }
            }
        };
        let weight = self.byte(WHAT)?;
        let games = self.word(WHAT)?;
        let half_points = self.word(WHAT)?;
        if u32::from(half_points) > 2 * u32::from(games) {
            return Err(self.wrong(2, "half points", &half_points, "two a game at most"));
        }
        let count = self.byte(WHAT)?;
        if count == 0 {
            return Err(self.wrong(1, "number of moves", &0, "1..255"));
        }
        let moves = (0..count)
            .map(|_| {
                let word = self.word(WHAT)?;
                PackedMove::from_word(word).ok_or_else(|| {
                    let found = format!("{word:#06x}");
                    self.wrong(2, "move", &found, "two squares and a role")
                })
            })
            .collect::<Result<_, FormatError>>()?;
        Ok(Entry {
            worth,
            weight,
            games,
            half_points,
            moves,
        })
    }
}

/// Every switch with its value, as books hold it.
pub fn switches_text(rules: &RuleSet) -> String {
    let words: Vec<String> = Switch::ALL
        .iter()
        .map(|&switch| format!("{switch}={}", switch.get(rules)))
        .collect();
    words.join(" ")
}

fn read_rules(text: &str, at: usize) -> Result<RuleSet, FormatError> {
    let mut rules = RuleSet::default();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let (name, value) = word.split_once('=').ok_or_else(|| FormatError::Value {
            at,
            what: "switch of the rules",
            found: word.chars().take(40).collect(),
            expected: "NAME=VALUE",
        })?;
        name.parse::<Switch>()?.set(&mut rules, value)?;
    }
    rules.validate()?;
    Ok(rules)
}

/// The longest text that fits, in bytes; a longer one is cut.
fn cut(text: &str) -> &[u8] {
    let end = (0..=text.len().min(usize::from(u16::MAX)))
        .rev()
        .find(|&end| text.is_char_boundary(end));
    &text.as_bytes()[..end.unwrap_or(0)]
}

impl Book {
    /// Reads a book.
    ///
    /// # Errors
    /// [`FormatError`] says where and what is wrong, and what was expected.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, FormatError> {
        let mut reader = Reader { bytes, at: 0 };
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) || bytes.is_empty() {
            return Err(FormatError::NoBook);
        }
        reader.take(MAGIC.len(), "the letters it begins with")?;
        let version = reader.word("its version")?;
        if version != FORMAT_VERSION {
            return Err(FormatError::Version(version));
        }
        let rules = reader.text("its rules")?;
        let rules_at = reader.at - rules.len();
        let note = reader.text("its note")?;
        let count = reader
            .array("the number of positions")
            .map(u32::from_le_bytes)?;
        let mut positions = BTreeMap::new();
        for _ in 0..count {
            let key = reader.array("a position").map(u64::from_le_bytes)?;
            let is_next = positions
                .last_key_value()
                .is_none_or(|(&last, _)| last < key);
            if !is_next {
                let found = format!("{key:016x}");
                return Err(reader.wrong(8, "key", &found, "a greater one than before"));
            }
            positions.insert(key, reader.known()?);
        }
        let end = reader.at;
        let found = reader.array("its checksum").map(u64::from_le_bytes)?;
        let expected = checksum(&bytes[..end]);
        if found != expected {
            return Err(FormatError::Checksum { found, expected });
        }
        if reader.at != bytes.len() {
            let more = bytes.len() - reader.at;
            return Err(FormatError::Value {
                at: reader.at,
                what: "after the checksum",
                found: format!("{more} more bytes"),
                expected: "the end",
            });
        }
        Ok(Book {
            rules: read_rules(rules, rules_at)?,
            note: note.to_owned(),
            positions,
        })
    }

    /// The book as bytes. A note longer than 65,535 bytes is cut.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FORMAT_VERSION.to_le_bytes());
        let rules = switches_text(&self.rules);
        for text in [cut(&rules), cut(&self.note)] {
            bytes.extend((text.len() as u16).to_le_bytes());
            bytes.extend(text);
        }
        bytes.extend((self.positions.len() as u32).to_le_bytes());
        for (key, known) in &self.positions {
            bytes.extend(key.to_le_bytes());
            write_known(known, &mut bytes);
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}

fn write_known(known: &Known, bytes: &mut Vec<u8>) {
    let outlook = match known.outlook {
        Outlook::Open => 0,
        Outlook::Won(series) => series.min(127) as i8,
        Outlook::Lost(series) => -(series.min(127) as i8),
    };
    let entries = &known.entries[..known.entries.len().min(usize::from(u8::MAX))];
    bytes.push(outlook as u8);
    bytes.push(entries.len() as u8);
    for entry in entries {
        let (kind, value) = match entry.worth {
            Worth::Believed(score) => (BELIEVED, score),
            Worth::Safe(score) => (SAFE, score),
            Worth::Win(series) => (WIN, i16::from(series.min(127))),
            Worth::Loss(series) => (LOSS, i16::from(series.min(127))),
        };
        bytes.push(kind);
        bytes.extend(value.to_le_bytes());
        bytes.push(entry.weight);
        bytes.extend(entry.games.to_le_bytes());
        bytes.extend(entry.half_points.to_le_bytes());
        bytes.push(entry.moves.len() as u8);
        for m in &entry.moves {
            bytes.extend(m.word().to_le_bytes());
        }
    }
}
