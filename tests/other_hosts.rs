//! protocol.md is enough to write an engine from: the small one in Python that was written so
//! passes the check of the runner, counts what the document says, and plays matches in which
//! nobody breaks a rule.

#![allow(clippy::unwrap_used)]

mod viewers;

use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

use seriatim::{
    protocol::options::switch_option,
    rules::{Preset, Switch},
};
use viewers::{directory, games, output, python};

const ENGINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/reference_engine.py");

/// What the reference engine answers to these lines.
fn talk(lines: &str) -> String {
    let mut engine = Command::new(python())
        .arg(ENGINE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}; run scripts/setup", python()));
    let mut input = engine.stdin.take().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    drop(input);
    let output = engine.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_reference_engine_passes_the_check() {
    let check = || {
        let mut check = Command::new(env!("CARGO_BIN_EXE_seriatim-match"));
        check.args(["check", &python(), "--", ENGINE]);
        let output = check.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.success(), text)
    };
    // Some steps are about fractions of a second, which a busy machine may not have.
    let mut tries: Vec<(bool, String)> = Vec::new();
    while tries.len() < 3 && !tries.last().is_some_and(|(passes, _)| *passes) {
        tries.push(check());
    }
    let (passes, text) = tries.pop().unwrap();
    assert!(passes, "{text}");
    assert!(text.contains("nothing against the protocol"), "{text}");
}

#[test]
fn the_reference_engine_counts_what_protocol_md_says() {
    let perft = "position startpos\ngo perft 1\ngo perft 2\ngo perft 3\n";
    let scottish = "setoption name UCI_Variant value scottish\n";
    let said = talk(&format!("{perft}{scottish}{perft}"));
    let counts: Vec<&str> = said.lines().collect();
    let expected = ["20", "400", "8902"].map(|count| format!("Nodes searched: {count}"));
    assert_eq!(counts, [expected.clone(), expected].concat());
    // Two pawns open to en passant at once; both captures, and a check that is too early.
    let italian = talk("position fen 4k3/8/8/8/1pP1Pp2/8/8/3K4 b - c3e3 0 4\nd\n");
    for m in ["b4c3", "f4e3"] {
        assert!(italian.contains(m), "{italian}");
    }
}

#[test]
fn wrong_input_is_named_and_the_game_goes_on() {
    let said = talk(
        "position startpos moves e2e5\nposition fen 4k3/8/8/8/8/8/8/4K3 w - - 0 3 passed=zz\nposition fen 4k3/8 w - - 0 1\nxyzzy\nsetoption name Seed value x\ngo depth 1\n",
    );
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 7, "{said}");
    assert!(
        lines[..5]
            .iter()
            .all(|line| line.starts_with("info string error: ")),
        "{said}"
    );
    assert!(lines[6].starts_with("bestmove "), "{said}");
}

#[test]
fn the_words_of_go_are_obeyed() {
    for (go, answer) in [
        ("searchmoves e7e5 movetime 100", "bestmove e7e5 "),
        ("depth 1 searchseries e7e5 g8f6", "bestmove e7e5 g8f6\n"),
        (
            "depth 1 searchseries e7e5 / g8f6 f6e4",
            "info string error: searchseries e7e5, ",
        ),
        (
            "searchseries e7e5 g8f6 f6e4",
            "info string error: 'f6e4' in searchseries",
        ),
        (
            "searchmoves depth 1",
            "info string error: searchmoves, expected moves",
        ),
        (
            "depth x",
            "info string error: depth x, expected a whole number",
        ),
        ("depth 1 depth 2", "info string error: 'depth' in go, "),
        ("fast", "info string error: 'fast' in go, "),
    ] {
        let said = talk(&format!("position startpos moves e2e4\ngo {go}\n"));
        let last = said.split_inclusive('\n').next_back().unwrap();
        assert!(last.starts_with(answer), "{go}: {said}");
    }
}

#[test]
fn the_same_seed_gives_the_same_series() {
    let series = |seed: u32| {
        talk(&format!(
            "setoption name Seed value {seed}\nposition startpos moves e2e4\ngo depth 1\n"
        ))
        .lines()
        .last()
        .unwrap()
        .to_owned()
    };
    assert_eq!(series(5), series(5));
    assert!((6..12).any(|seed| series(seed) != series(5)));
}

#[test]
fn the_reference_engine_plays_matches_without_a_fault() {
    let directory = directory("reference-match");
    let python = python();
    let program = format!("cmd={python}");
    let script = format!("arg={ENGINE}");
    let reference = |name: &'static str| {
        [
            "--engine",
            &program,
            &script,
            name,
            "option.Seed={seed}",
            "tc=60+20",
        ]
        .map(str::to_owned)
    };
    let mut run = Command::new(env!("CARGO_BIN_EXE_seriatim-match"));
    run.args(["run", "--variant", "italian", "--variant", "scottish"])
        .args(["--engine", concat!("cmd=", env!("CARGO_BIN_EXE_seriatim"))])
        .args(["name=seriatim", "nodes=300"])
        .args(reference("name=reference"))
        .args(reference("name=twin"))
        .args([
            "--rounds",
            "1",
            "--seed",
            "3",
            "--max-turns",
            "16",
            "--out",
            "match",
        ])
        .current_dir(&directory);
    let report = output(&mut run);
    let pgn = directory.join("match/games.pgn");
    let text = fs::read_to_string(&pgn).unwrap();
    let played = games(&pgn, Preset::Italian.rules());
    assert_eq!(played.len(), 12, "{report}");
    for ending in text
        .lines()
        .filter(|line| line.starts_with("[Termination "))
    {
        let is_regular =
            ending.contains("\"normal\"") || ending.contains("\"adjudication: turn limit\"");
        assert!(is_regular, "{ending}\n{report}");
    }
    // Long games of random moves reach what short ones do not.
    let longest = played.iter().map(|game| game.series().len()).max();
    assert!(longest >= Some(7), "{report}");
}

#[test]
fn protocol_md_says_what_each_preset_is() {
    let text = include_str!("../protocol.md");
    for &preset in Preset::ALL {
        let head = format!("| `{preset}` | ");
        let row = text.lines().find(|line| line.starts_with(&head));
        let row = row.unwrap_or_else(|| panic!("protocol.md has no row for {preset}"));
        let (base, rules) = (Preset::Italian.rules(), preset.rules());
        let differences: Vec<String> = Switch::ALL
            .iter()
            .filter(|switch| switch.get(&rules) != switch.get(&base))
            .map(|&switch| format!("{}={}", switch_option(switch), switch.get(&rules)))
            .collect();
        let expected = if differences.is_empty() {
            "the defaults of the handshake".to_owned()
        } else {
            format!("`{}`", differences.join(" "))
        };
        assert_eq!(row, format!("{head}{expected} |"));
    }
}
