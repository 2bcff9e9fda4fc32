//! python-chess reads every null-move PGN that we write, and ends in the same position.
#![allow(missing_docs, clippy::unwrap_used, clippy::pedantic)]

mod reference;
mod viewers;

use std::path::Path;

use reference::{Rules, random_games};
use seriatim::{
    notation::{GameResult, PgnGame, format_fen, parse_fen, parse_uci_move, write_null_pgn},
    rules::Preset,
};
use viewers::{directory, match_games, read_with_python_chess};

/// Games of each preset.
const GAMES: usize = 1000;

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

/// The games of a real match, converted by the program.
fn check_match(preset: Preset) {
    let directory = directory(&format!("python-chess-{preset}"));
    let (games, null_pgn) = match_games(&directory, preset.as_str(), preset.rules());
    assert_eq!(games.len(), 4);
    let read = read_with_python_chess(&null_pgn);
    for part in &read {
        assert_eq!(part["errors"], serde_json::json!([]));
    }
    // A game may be in parts; its end is where its result is.
    let ends: Vec<_> = read.iter().filter(|part| part["result"] != "*").collect();
    assert_eq!(ends.len(), games.len());
    for (game, end) in games.iter().zip(ends) {
        let fen = format_fen(game.end());
        assert_eq!(end["placement"], fen.split(' ').next().unwrap());
        assert_eq!(end["result"], game.result().as_str());
    }
}

#[test]
fn games_of_an_italian_match() {
    check_match(Preset::Italian);
}

#[test]
fn games_of_a_scottish_match() {
    check_match(Preset::Scottish);
}
