//! What the tests with other people's programs share: games of a real match, and python-chess.

#![allow(dead_code, clippy::unwrap_used)]

pub mod screen;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use seriatim::{
    notation::{PgnGame, PgnReader},
    rules::RuleSet,
};

/// An empty directory for a test's files.
pub fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory
}

/// Runs a program, which has to succeed, and returns what it wrote.
pub fn output(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}; run scripts/setup"));
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {messages}");
    String::from_utf8(output.stdout).unwrap()
}

/// The games of a PGN file, read by this program's own reader.
pub fn games(pgn: &Path, rules: RuleSet) -> Vec<PgnGame> {
    let text = fs::read_to_string(pgn).unwrap();
    PgnReader::new(pgn.display().to_string(), text.as_bytes(), rules)
        .map(|game| game.unwrap_or_else(|error| panic!("{error}")))
        .collect()
}

/// Plays a short match under `variant`, and converts its games for viewers. Returns the games
/// and the converted file.
pub fn match_games(directory: &Path, variant: &str, rules: RuleSet) -> (Vec<PgnGame>, PathBuf) {
    let engine = env!("CARGO_BIN_EXE_seriatim");
    let root = env!("CARGO_MANIFEST_DIR");
    let openings = format!("file={root}/tests/data/openings/{variant}.txt");
    output(
        Command::new(env!("CARGO_BIN_EXE_seriatim-match"))
            .args(["run", "--variant", variant, "--rounds", "2", "--seed", "7"])
            .args(["--engine", &format!("cmd={engine}"), "name=one"])
            .args(["--engine", &format!("cmd={engine}"), "name=other"])
            .args(["option.Level=one-series", "--each", "nodes=3000"])
            .args(["--out", "match", "--openings", &openings, "order=random"])
            .current_dir(directory),
    );
    let pgn = directory.join("match/games.pgn");
    let converted = output(
        Command::new(engine)
            .args(["convert", "--to", "null-pgn"])
            .arg(&pgn),
    );
    let null_pgn = directory.join("null.pgn");
    fs::write(&null_pgn, converted).unwrap();
    (games(&pgn, rules), null_pgn)
}

/// The Python that has python-chess.
pub fn python() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/.venv/bin/python").to_owned()
}

/// What python-chess makes of a PGN file: an object for each game.
pub fn read_with_python_chess(pgn: &Path) -> Vec<Value> {
    let reader = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/read_pgn.py");
    output(Command::new(python()).arg(reader).arg(pgn))
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
