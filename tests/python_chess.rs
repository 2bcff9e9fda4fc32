//! python-chess reads every null-move PGN that we write, and ends in the same position.
#![allow(missing_docs, clippy::unwrap_used, clippy::pedantic)]

mod reference;

use std::{path::Path, process::Command};

use reference::{Rules, random_games};
use serde_json::Value;
use seriatim::{
    notation::{GameResult, PgnGame, format_fen, parse_fen, parse_uci_move, write_null_pgn},
    rules::Preset,
};

/// Games of each preset.
const GAMES: usize = 1000;

fn read_with_python_chess(pgn: &Path) -> Vec<Value> {
    let root = env!("CARGO_MANIFEST_DIR");
    let python = format!("{root}/.venv/bin/python");
    let output = Command::new(&python)
        .arg(format!("{root}/tests/python/read_pgn.py"))
        .arg(pgn)
        .output()
        .unwrap_or_else(|error| panic!("{python}: {error}; run scripts/setup or scripts/test"));
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "python-chess does not run; run scripts/setup or scripts/test\n{messages}"
    );
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn check(preset: Preset) {
    let games: Vec<PgnGame> = random_games(960, &Rules::preset(preset.as_str()))
        .take(GAMES)
        .map(|random| {
            let start = parse_fen(preset.rules(), &random.start_fen).unwrap();
            let mut game = PgnGame::new(start);
            for text in &random.moves {
                let m = parse_uci_move(game.end(), text).unwrap();
                game.push_series(&[m], "+0.35/3 1.2s [%clk 0:00:01.0]")
                    .unwrap();
            }
            if let Some(outcome) = game.end().board_outcome() {
                game.set_result(outcome);
            }
            game
        })
        .collect();
    let texts: Vec<String> = games
        .iter()
        .map(|game| write_null_pgn(game).unwrap())
        .collect();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{preset}.null.pgn"));
    std::fs::write(&path, texts.concat()).unwrap();

    let mut read = read_with_python_chess(&path).into_iter();
    let mut split = 0;
    for (game, text) in games.iter().zip(&texts) {
        let parts = text.matches("[Event ").count();
        split += usize::from(parts > 1);
        for part in 1..=parts {
            let seen = read.next().unwrap();
            assert_eq!(seen["errors"], serde_json::json!([]), "{text}");
            if part < parts {
                assert_eq!(seen["result"], "*");
                continue;
            }
            let fen = format_fen(game.end());
            let mut fields = fen.split(' ');
            assert_eq!(seen["placement"], fields.next().unwrap(), "{text}");
            assert_eq!(seen["castling"], fields.nth(1).unwrap(), "{text}");
            assert_eq!(seen["result"], game.result().as_str());
        }
    }
    assert!(read.next().is_none());
    let decided = games
        .iter()
        .filter(|game| game.result() != GameResult::Open)
        .count();
    assert!(
        split > 15 && decided > 15,
        "{split} split, {decided} decided"
    );
}

#[test]
fn italian_games() {
    check(Preset::Italian);
}

#[test]
fn scottish_games() {
    check(Preset::Scottish);
}
