use super::*;
use crate::{
    notation::{PgnError, PgnReader, parse_fen, parse_movetext},
    rules::Preset,
};

fn read(text: &str) -> Vec<Result<PgnGame, PgnError>> {
    PgnReader::new("t.pgn", text.as_bytes(), RuleSet::default()).collect()
}

fn game(preset: Preset, text: &str) -> PgnGame {
    let start = SeriesPosition::start(preset.rules());
    let mut game = PgnGame::new(start);
    for series in parse_movetext(&start, text).unwrap() {
        game.push_series(&series, "").unwrap();
    }
    game
}

#[track_caller]
fn reads_back(game: &PgnGame, parts: usize) -> String {
    let text = write_null_pgn(game).unwrap();
    assert_eq!(text.matches("[Event ").count(), parts, "{text}");
    let games = read(&text);
    assert_eq!(games.len(), 1, "{text}");
    match &games[0] {
        Ok(read) => assert_eq!(read, game, "{text}"),
        Err(error) => panic!("{error}\n{text}"),
    }
    text
}

fn movetext(text: &str) -> &str {
    text.trim_end().rsplit("\n\n").next().unwrap()
}

#[test]
fn the_waiting_side_makes_null_moves() {
    let mut game = game(Preset::Italian, "1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#");
    game.set_result(GameResult::WhiteWins);
    let text = reads_back(&game, 1);
    assert_eq!(
        movetext(&text),
        "1. e4 e5 2. -- Nf6 3. Bc4 -- 4. Qh5 -- 5. Qxf7# 1-0"
    );
    assert!(text.contains("[SeriesNotation \"null-moves\"]\n[SeriesVariant \"italian\"]\n"));
    assert!(!text.contains("[Variant"));
}

#[test]
fn other_peoples_null_moves_are_recognised() {
    for text in [
        "1. e4 e5 2. -- Nf6 3. Bc4 -- 4. Qh5 -- 5. Qxf7# 1-0",
        "1.e4 1...e5 2.Z0 Nf6 3.Bc4 0000 4.Qh5 @@@@ 5.Qxf7+ 1-0",
        // As XBoard saves it.
        "[Variant \"progressive\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 {+8.69/3} e5 {+0.44/3 1.0} 2. -- Nf6 3. Bc4 -- 4. Qh5 -- 5. Qxf7#\n{checkmate} 1-0",
    ] {
        let games = read(text);
        assert_eq!(games[0].as_ref().unwrap().series().len(), 3);
    }
    let unbalanced = "[SeriesVariant \"marseillais-unbalanced\"]\n\n1. e4 -- 2. d4 e5 3. -- d5 *";
    assert_eq!(read(unbalanced)[0].as_ref().unwrap().series().len(), 2);
    let error = read("1. e4 e5 2. Nf3 Nc6 *")[0]
        .clone()
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("1:13") && error.contains("expected a null move"),
        "{error}"
    );
}

#[test]
fn an_en_passant_capture_out_of_sight_splits_the_game() {
    // The double step is the first of three moves.
    let mut game = game(
        Preset::Scottish,
        "1.d4 2.c5 cxd4 3.e4 Bd3 Ke2 4.dxe3 Qc7 Qf4 Qxf2#",
    );
    game.set_result(GameResult::BlackWins);
    game.set_tag("White", "Galvin");
    let text = reads_back(&game, 2);
    assert!(text.contains("[SeriesPart \"1/2\"]") && text.contains("[SeriesPart \"2/2\"]"));
    assert!(text.contains("[SeriesCapture \"dxe3\"]"));
    assert!(
        text.contains("4. Bd3 -- 5. Ke2 {Continued in part 2: dxe3} *"),
        "{text}"
    );
    assert_eq!(movetext(&text), "6. -- Qc7 7. -- Qf4 8. -- Qxf2# 0-1");
    assert!(text.contains("w kq - 0 6\"]"), "{text}");
}

#[test]
fn a_capture_in_sight_does_not_split() {
    let game = game(Preset::Italian, "1.e4 2.a6 a5 3.Nf3 e5 Be2 4.d5 b6 c6 c5");
    let text = "1.e4 2.a6 a5 3.Nf3 e5 Be2 4.b6 c6 c5 d5 5.exd6 O-O a3 h3 h4";
    reads_back(&game, 1);
    let mut seen = self::game(Preset::Italian, text);
    seen.comment("done");
    let text = reads_back(&seen, 1);
    assert!(text.contains("8. -- d5\n9. exd6 -- 10. O-O"), "{text}");
}

#[test]
fn what_is_beside_the_moves_reads_back_across_a_split() {
    let text = "[Variant \"scottish\"]\n\n{start} 1.d4! {good} (1.e4 2.e5 Nc6) 2.c5 cxd4 $2 \
                (2...d5 3.e4) 3.e4 Bd3 Ke2 {last} 4.dxe3 $1 $14 {ep} Qc7 (4...f5) Qf4 {end} *";
    let game = read(text)[0].clone().unwrap();
    let written = reads_back(&game, 2);
    assert!(
        written.contains("[SeriesCapture \"dxe3 $1 $14\"]"),
        "{written}"
    );
}

#[test]
fn variations_a_viewer_cannot_follow_become_comments() {
    let text = "[Variant \"scottish\"]\n\n1.d4 2.c5 cxd4 3.e4 Bd3 Ke2 4.Nc6 (4.dxe3 Qc7) Nf6 \
                (4...Nh6) d6 e5 *";
    let game = read(text)[0].clone().unwrap();
    let written = write_null_pgn(&game).unwrap();
    assert!(written.contains("{Instead: 4.dxe3 Qc7}"), "{written}");
    assert_eq!(read(&written)[0].as_ref().unwrap().series(), game.series());
}

#[test]
fn captures_in_a_marseillais_chain_split_twice() {
    let fen = "4k3/8/8/8/pPpP4/8/8/4K3 b - b3d3 0 4";
    let start = parse_fen(Preset::Marseillais.rules(), fen).unwrap();
    let mut game = PgnGame::new(start);
    let series = parse_movetext(&start, "4.axb3 cxd3 5.Kd2 Kxd3").unwrap();
    for moves in series {
        game.push_series(&moves, "").unwrap();
    }
    let text = reads_back(&game, 2);
    assert!(text.contains("[SeriesFEN "), "{text}");
}

#[test]
fn missing_and_foreign_parts_are_errors() {
    let whole = write_null_pgn(&game(
        Preset::Scottish,
        "1.d4 2.c5 cxd4 3.e4 Bd3 Ke2 4.dxe3 Qc7 Qf4 Qxf2#",
    ))
    .unwrap();
    let second = whole.match_indices("[Event ").nth(1).unwrap().0;
    let (one, two) = whole.split_at(second);
    assert!(read(one)[0].is_err());
    assert!(read(two)[0].is_err());
    let other = "[Event \"x\"]\n\n1.e4 *\n\n";
    let games = read(&format!("{one}{other}{two}"));
    assert!(games[0].is_err() && games[1].is_ok() && games[2].is_err());
    let forged = whole.replace("\"dxe3\"", "\"dxc3\"");
    assert!(
        read(&forged)[0]
            .clone()
            .unwrap_err()
            .to_string()
            .contains("SeriesCapture")
    );
}

#[test]
fn some_rules_have_no_such_notation() {
    let circe = PgnGame::new(SeriesPosition::start(Preset::Circe.rules()));
    assert_eq!(write_null_pgn(&circe), Err(NullPgnError::Rebirth));
    let kings = PgnGame::new(SeriesPosition::start(Preset::FullCapture.rules()));
    assert_eq!(write_null_pgn(&kings), Err(NullPgnError::OrdinaryKings));
}

#[test]
fn set_ups_carry_both_fens() {
    let fen = "4k3/8/8/8/1pP1P3/8/8/4K3 b - c3e3 2 4";
    let start = parse_fen(RuleSet::default(), fen).unwrap();
    let mut game = PgnGame::new(start);
    let series = parse_movetext(&start, "4.bxc3 c2 c1=Q+").unwrap_err();
    assert!(series.to_string().contains("last move"));
    let series = parse_movetext(&start, "4.bxc3 c2 Ke7").unwrap();
    game.push_series(&series[0], "").unwrap();
    let text = reads_back(&game, 1);
    assert!(
        text.contains("[FEN \"4k3/8/8/8/1pP1P3/8/8/4K3 b - c3 0 5\"]"),
        "{text}"
    );
    assert!(text.contains(&format!("[SeriesFEN \"{fen}\"]")), "{text}");
    let forged = text.replace("[FEN \"4k3", "[FEN \"3k4");
    assert!(read(&forged)[0].is_err());
}

#[test]
fn an_orthodox_fen_alone_tells_turn_and_moves_left() {
    // Ply 6 is White's, the second of the three moves of turn 3.
    let text = "[SeriesNotation \"null-moves\"]\n[SetUp \"1\"]\n\
                [FEN \"rnbqkb1r/pppp1ppp/5n2/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 0 4\"]\n\n\
                4. Qh5 -- 5. Qxf7# 1-0";
    let game = read(text)[0].clone().unwrap();
    assert_eq!((game.start().turn().0, game.start().moves_left()), (3, 2));
    reads_back(&game, 1);
    let without = text.replace("[SeriesNotation \"null-moves\"]\n", "");
    let error = read(&without)[0].clone().unwrap_err().to_string();
    assert!(error.contains("found"), "{error}");
}
