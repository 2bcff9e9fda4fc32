//! Games of a PGN text are refused with a place, or read back as themselves.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seriatim::{
    notation::{PgnGame, PgnReader, write_null_pgn, write_pgn},
    rules::RuleSet,
};

fn only_game(text: &str) -> PgnGame {
    let mut games = PgnReader::new("again", text.as_bytes(), RuleSet::default());
    match (games.next(), games.next()) {
        (Some(Ok(game)), None) => game,
        other => panic!("{other:?} from\n{text}"),
    }
}

fuzz_target!(|data: &[u8]| {
    for game in PgnReader::new("fuzz", data, RuleSet::default()) {
        match game {
            Err(error) => {
                assert!(error.line > 0 && error.column > 0 && !error.to_string().is_empty());
            }
            Ok(game) => {
                assert_eq!(only_game(&write_pgn(&game)), game);
                if let Ok(text) = write_null_pgn(&game) {
                    assert_eq!(only_game(&text).series(), game.series(), "{text}");
                }
            }
        }
    }
});
