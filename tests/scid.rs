//! Scid imports the games of a match that were converted for viewers, without a warning, and ends
//! in the same positions.

#![allow(clippy::unwrap_used)]

mod viewers;

use std::process::Command;

use seriatim::{notation::format_fen, rules::Preset};
use viewers::{
    directory, match_games, output,
    screen::{Screen, program},
};

#[test]
fn games_of_a_match_are_imported() {
    let screen = Screen::open();
    let directory = directory("scid");
    let (games, null_pgn) = match_games(&directory, "scottish", Preset::Scottish.rules());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scid/import.tcl");
    let told = output(
        Command::new(program("tkscid"))
            .arg(script)
            .arg(directory.join("base"))
            .arg(&null_pgn)
            .env("DISPLAY", &screen.display)
            .env("HOME", &directory),
    );
    let mut lines = told.lines();
    let (count, warnings) = lines.next().unwrap().split_once(' ').unwrap();
    assert_eq!(warnings, "{}", "{told}");
    // A split game is several to Scid; its end is the part that has a result.
    let ends: Vec<&str> = lines.filter(|line| !line.ends_with(" *")).collect();
    assert!(count.parse::<usize>().unwrap() >= games.len());
    assert_eq!(ends.len(), games.len(), "{told}");
    for (game, end) in games.iter().zip(ends) {
        let fen = format_fen(game.end());
        let placement = fen.split(' ').next().unwrap();
        let result = match game.result().as_str() {
            "1/2-1/2" => "=-=",
            result => result,
        };
        let seen = end.replace("1/2-1/2", "=-=");
        assert!(seen.starts_with(placement), "{end} is not {fen}");
        assert!(seen.ends_with(result), "{end} is not {result}");
    }
}
