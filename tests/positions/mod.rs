//! Positions of the test data: orthodox FEN with the fields of the data beside it.
#![allow(dead_code)]

use serde_json::Value;
use seriatim::{
    notation::parse_setup,
    rules::{Preset, RuleSet, SeriesPosition, SetupError, Square},
};

/// Turn `n` with as many moves from the first fields of a FEN, with these en passant squares.
pub fn position(
    rules: RuleSet,
    fen: &str,
    n: u16,
    en_passant: &[Square],
) -> Result<SeriesPosition, SetupError> {
    let mut setup = parse_setup(fen).expect("a FEN");
    setup.turn = n;
    setup.quiet = 0;
    setup.en_passant = en_passant.iter().copied().collect();
    SeriesPosition::from_setup(rules, &setup)
}

/// The position of one line of the data files.
pub fn try_from_json(line: &Value, rules: RuleSet) -> Result<SeriesPosition, SetupError> {
    let targets: Vec<Square> = line["ep_targets"]
        .as_array()
        .map(|list| {
            list.iter()
                .map(|square| {
                    square
                        .as_str()
                        .expect("a square")
                        .parse()
                        .expect("a square")
                })
                .collect()
        })
        .unwrap_or_default();
    let n = line["n"].as_u64().expect("n") as u16;
    position(rules, line["fen"].as_str().expect("fen"), n, &targets)
}

/// The position of one line of the data files.
pub fn from_json(line: &Value, rules: RuleSet) -> SeriesPosition {
    try_from_json(line, rules).expect("a position")
}

/// The rules a line of the data files names.
pub fn rules(line: &Value) -> RuleSet {
    line["variant"]
        .as_str()
        .and_then(|name| name.parse::<Preset>().ok())
        .unwrap_or(Preset::Italian)
        .rules()
}

/// The lines of a data file.
pub fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
}
