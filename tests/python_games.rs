//! Whole games against the engine through python-chess, which knows nothing but alternating chess.
//! Every game is replayed here: each series must be legal and complete, and the game must be over
//! where the engine said so.

#![allow(clippy::unwrap_used)]

use std::process::Command;

use serde_json::Value;
use seriatim::{
    notation::parse_uci_move,
    rules::{Game, Preset, SeriesPosition, Status},
};

/// The turn after which a game is broken off (also in the script).
const LAST_TURN: u16 = 12;

/// Plays with python-chess; the script fails where the engine says something it should not.
fn play(preset: Preset, how: &str, games: usize, seed: u64) -> Vec<Value> {
    let root = env!("CARGO_MANIFEST_DIR");
    let python = format!("{root}/.venv/bin/python");
    let output = Command::new(&python)
        .arg(format!("{root}/tests/python/play_alternating.py"))
        .args([env!("CARGO_BIN_EXE_seriatim"), preset.as_str(), how])
        .args([games.to_string(), "3000".to_owned(), seed.to_string()])
        .output()
        .unwrap_or_else(|error| panic!("{python}: {error}; run scripts/setup or scripts/test"));
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{preset} {how}: {messages}");
    // python-chess logs what it does not understand of an engine's lines.
    assert!(!messages.contains("Exception"), "{messages}");
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// What came of some games.
#[derive(Default, Debug)]
struct Tally {
    over: usize,
    decided: usize,
    passes: u64,
}

fn check(preset: Preset, how: &str, games: usize, seed: u64) -> Tally {
    let played = play(preset, how, games, seed);
    assert_eq!(played.len(), games);
    let mut tally = Tally::default();
    for (number, talk) in played.iter().enumerate() {
        let sides = [vec!["white"], vec!["black"], vec!["white", "black"]];
        assert_eq!(talk["engine"], serde_json::json!(sides[number % 3]));
        let mut game = Game::new(SeriesPosition::start(preset.rules()));
        let mut waits = false;
        for text in talk["moves"].as_array().unwrap() {
            let text = text.as_str().unwrap();
            assert_eq!(text == "0000", waits, "{talk}");
            if waits {
                waits = false;
                continue;
            }
            let m = parse_uci_move(game.position(), text).unwrap();
            game.play(m).unwrap();
            waits = !game.position().is_turn_start();
        }
        // The script looks no further than the board and the last turn.
        if game.position().turn().0 <= LAST_TURN {
            let Status::Over(outcome) = game.status() else {
                panic!("{talk} ended early: {:?}", game.status());
            };
            assert_eq!(talk["played_on"], Value::Null, "{talk}");
            tally.over += 1;
            tally.decided += usize::from(outcome.winner.is_some());
        }
        tally.passes += talk["asked_to_pass"].as_u64().unwrap();
    }
    tally
}

#[test]
fn italian_games_of_both_colours() {
    for (how, seed) in [("lists", 1), ("fens", 2)] {
        let tally = check(Preset::Italian, how, 15, seed);
        // Random play falls to a mate soon; the engine against itself lasts longer.
        assert!(tally.decided >= 10 && tally.passes > 40, "{how}: {tally:?}");
    }
}

#[test]
fn scottish_games_by_move_lists() {
    let tally = check(Preset::Scottish, "lists", 9, 3);
    assert!(tally.decided >= 6 && tally.passes > 15, "{tally:?}");
}
