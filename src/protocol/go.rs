//! The `go` command in all its forms.

use super::{
    command::{Command, CommandError, GoRequest},
    shown,
};

const EXPECTED: &str = "wtime, btime, winc, binc, movestogo, movetime, depth, nodes, mate, infinite, ponder, perft, searchmoves or searchseries";

const KEYWORDS: &[&str] = &[
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "infinite",
    "ponder",
    "perft",
    "searchmoves",
    "searchseries",
];

fn is_keyword(word: &str) -> bool {
    KEYWORDS.iter().any(|key| key.eq_ignore_ascii_case(word))
}

/// A whole number, perhaps with a sign, held inside the range of an `i64`.
fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let magnitude = digits.parse().unwrap_or(i64::MAX);
    Some(if negative { -magnitude } else { magnitude })
}

struct Words<'a> {
    words: &'a [&'a str],
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    fn until_keyword(&mut self) -> Vec<&'a str> {
        let end = self
            .words
            .iter()
            .position(|word| is_keyword(word))
            .unwrap_or(self.words.len());
        let (taken, rest) = self.words.split_at(end);
        self.words = rest;
        taken.to_vec()
    }

    fn signed(&mut self, after: &str) -> Result<i64, CommandError> {
        let text = self.next().ok_or_else(|| CommandError::Missing {
            after: after.to_owned(),
            expected: "a number",
        })?;
        number(text).ok_or_else(|| CommandError::Unexpected {
            command: "go",
            text: format!("{after} {}", shown(text)),
            expected: "a whole number",
        })
    }

    /// A number where a negative one has no meaning; it is read as 0.
    fn unsigned(&mut self, after: &str) -> Result<u64, CommandError> {
        self.signed(after).map(|value| value.max(0) as u64)
    }

    fn small(&mut self, after: &str) -> Result<u32, CommandError> {
        self.unsigned(after)
            .map(|value| u32::try_from(value).unwrap_or(u32::MAX))
    }
}

/// Reads the words after `go`.
pub(super) fn parse_go(words: &[&str]) -> Result<Command, CommandError> {
    let words: Vec<&str> = words.iter().flat_map(|word| cut_at_slashes(word)).collect();
    let mut words = Words { words: &words };
    let mut go = GoRequest::default();
    let mut seen: Vec<String> = Vec::new();
    while let Some(word) = words.next() {
        let key = word.to_ascii_lowercase();
        if seen.contains(&key) {
            return Err(CommandError::Conflict {
                command: "go",
                first: key.clone(),
                second: key,
            });
        }
        match key.as_str() {
            "wtime" => go.time[0] = Some(words.signed(&key)?),
            "btime" => go.time[1] = Some(words.signed(&key)?),
            "winc" => go.increment[0] = Some(words.signed(&key)?),
            "binc" => go.increment[1] = Some(words.signed(&key)?),
            "movestogo" => go.moves_to_go = Some(words.small(&key)?),
            "movetime" => go.move_time = Some(words.signed(&key)?),
            "depth" => go.depth = Some(words.small(&key)?),
            "nodes" => go.nodes = Some(words.unsigned(&key)?),
            "mate" => go.mate = Some(words.small(&key)?),
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "perft" => return parse_perft(&mut words, &seen),
            "searchmoves" => go.first_moves = owned(&non_empty(&mut words, "searchmoves")?),
            "searchseries" => {
                let listed = non_empty(&mut words, "searchseries")?;
                go.series = split_series(&listed)?;
            }
            _ => {
                return Err(CommandError::Unexpected {
                    command: "go",
                    text: shown(word),
                    expected: EXPECTED,
                });
            }
        }
        seen.push(key);
    }
    for (first, second, both) in [
        ("infinite", "ponder", go.infinite && go.ponder),
        (
            "searchmoves",
            "searchseries",
            !go.first_moves.is_empty() && !go.series.is_empty(),
        ),
    ] {
        if both {
            return Err(CommandError::Conflict {
                command: "go",
                first: first.to_owned(),
                second: second.to_owned(),
            });
        }
    }
    Ok(Command::Go(go))
}

fn parse_perft(words: &mut Words<'_>, seen: &[String]) -> Result<Command, CommandError> {
    let depth = words.small("perft")?;
    if let Some(other) = seen.first().map(String::as_str).or_else(|| words.next()) {
        return Err(CommandError::Conflict {
            command: "go",
            first: "perft".to_owned(),
            second: shown(other),
        });
    }
    Ok(Command::Perft(depth))
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn non_empty<'a>(words: &mut Words<'a>, after: &str) -> Result<Vec<&'a str>, CommandError> {
    let list = words.until_keyword();
    if list.is_empty() {
        return Err(CommandError::Missing {
            after: after.to_owned(),
            expected: "moves",
        });
    }
    Ok(list)
}

/// `/` is a word of its own, whether or not blanks stand around it.
fn cut_at_slashes(word: &str) -> impl Iterator<Item = &str> {
    word.split_inclusive('/').flat_map(|part| {
        let (before, slash) = part.split_at(part.len() - usize::from(part.ends_with('/')));
        [before, slash]
            .into_iter()
            .filter(|piece| !piece.is_empty())
    })
}

/// Splits at the words `/`.
fn split_series(words: &[&str]) -> Result<Vec<Vec<String>>, CommandError> {
    words
        .split(|&word| word == "/")
        .map(|moves| {
            if moves.is_empty() {
                Err(CommandError::Missing {
                    after: "/".to_owned(),
                    expected: "the moves of a series on each side of '/'",
                })
            } else {
                Ok(owned(moves))
            }
        })
        .collect()
}
