//! Problems as EPD lines: a series FEN of four to seven fields, then operations ended by `;`, of
//! which `id "..."` and `n MOVES` are used.

use super::{ProblemError, Read, turn_of_length};
use crate::{
    notation::parse_setup,
    rules::{RuleSet, SeriesPosition},
};

pub(super) fn read_problem(line: &str, rules: RuleSet) -> Result<Read, ProblemError> {
    let (fen, operations) = split_fen(line);
    let mut setup = parse_setup(fen)?;
    let mut id = None;
    for operation in split_operations(operations) {
        let (name, value) = operation
            .split_once(char::is_whitespace)
            .unwrap_or((operation, ""));
        let value = value.trim();
        match name {
            "id" => id = Some(value.trim_matches('"').into()),
            "n" => {
                let moves = value.parse().map_err(|_| ProblemError::Text {
                    found: operation.to_owned(),
                    expected: "n and a number of moves",
                })?;
                setup.turn = turn_of_length(&rules, moves)?;
                setup.moves_left = None;
            }
            // Other operations (bm, acd, ...) have no meaning for a mate.
            _ => {}
        }
    }
    Ok((id, SeriesPosition::from_setup(rules, &setup)?))
}

/// The FEN at the start of the line, and what follows it. The counters are numbers, and the
/// seventh field holds `=` or one of two words; anything else begins the operations.
fn split_fen(line: &str) -> (&str, &str) {
    let mut end = 0;
    for (index, word) in words(line).enumerate() {
        let text = word.1.trim_end_matches(';');
        let belongs = match index {
            0..=3 => true,
            4 | 5 => !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()),
            6 => text == "-" || text == "progress" || text == "escape" || text.contains('='),
            _ => false,
        };
        if !belongs {
            break;
        }
        end = word.0 + text.len();
        if text.len() < word.1.len() {
            break;
        }
    }
    line.split_at(end)
}

/// The words of a line with where they begin.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    line.split_whitespace().map(move |word| {
        // Words come in order, so each is found at or after the last one's end.
        let begin = at + line[at..].find(word).unwrap_or(0);
        at = begin + word.len();
        (begin, word)
    })
}

/// The operations, split at `;` outside quotes.
fn split_operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |letter| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    })
    .map(str::trim)
    .filter(|operation| !operation.is_empty())
}
