use std::{io::Read, time::Duration};

use super::*;
use crate::{
    notation::{parse_fen, parse_movetext, parse_uci_move},
    rules::Preset,
};

type Read1 = Vec<Result<PgnGame, PgnError>>;

fn read(bytes: &[u8]) -> Read1 {
    PgnReader::new("t.pgn", bytes, RuleSet::default()).collect()
}

#[track_caller]
fn one(text: &str) -> PgnGame {
    let mut games = read(text.as_bytes());
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn fails(text: &str, place: &str, needle: &str) {
    let games = read(text.as_bytes());
    let error = games[0].as_ref().unwrap_err().to_string();
    assert!(error.starts_with(&format!("t.pgn:{place}: ")), "{error}");
    assert!(error.contains(needle), "{error}");
}

#[track_caller]
fn reads_back(game: &PgnGame) {
    let text = write_pgn(game);
    assert!(
        text.lines()
            .all(|line| line.starts_with('[') || line.chars().count() < 80)
    );
    assert_eq!(&one(&text), game, "{text}");
    assert_eq!(write_pgn(&one(&text)), text);
}

const SCHOLAR: &str = "1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#";

fn scholar() -> PgnGame {
    let start = SeriesPosition::start(RuleSet::default());
    let mut game = PgnGame::new(start);
    for series in parse_movetext(&start, SCHOLAR).unwrap() {
        game.push_series(&series, "").unwrap();
    }
    game.set_result(GameResult::WhiteWins);
    game
}

#[test]
fn a_game_is_written_with_our_tags() {
    let mut game = scholar();
    game.set_tag("Termination", "?");
    game.set_tag("White", "A \"quoted\" \\ name");
    game.set_tag("Termination", "checkmate");
    game.set_tag("Result", "0-1");
    game.set_tag("Event", "?");
    game.comment("+M1/1 0.2s");
    assert_eq!(
        write_pgn(&game),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
         [White \"A \\\"quoted\\\" \\\\ name\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\
         [Variant \"italian\"]\n[Termination \"checkmate\"]\n\n\
         1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7# {+M1/1 0.2s} 1-0\n\n"
    );
    reads_back(&game);
}

#[test]
fn everything_beside_the_moves_reads_back() {
    let game = one(
        "{before} 1.e4! {a} $3 (1.d4 {x} 2.d5 Nc6 (2...Nf6?! {deep} 3.c4 (3.Nf3)) 3.c4) (1.c4) {b}\n\
         2.e5 Nf6 (2...Nc6 3.Bc4) ; to the end\n 3.Bc4 Qh5 1/2-1/2 {agreed}",
    );
    assert_eq!(game.line().comments(), ["before"]);
    let first = &game.line().moves()[0];
    assert_eq!(
        (first.glyphs(), first.comments()),
        (&[1, 3][..], &["a".into(), "b".into()][..])
    );
    assert_eq!(first.variations().len(), 2);
    assert_eq!(game.result(), GameResult::Draw);
    assert_eq!(game.line().moves()[4].comments(), ["agreed"]);
    reads_back(&game);
}

#[test]
fn a_turn_number_takes_a_variation_to_the_start_of_its_turn() {
    let variations = |text: &str| {
        let game = one(text);
        reads_back(&game);
        let count = |m: &PgnMove| {
            let lines = m.variations().iter();
            lines.map(|line| line.moves().len()).collect::<Vec<_>>()
        };
        game.line().moves().iter().map(count).collect::<Vec<_>>()
    };
    let (none, line) = (Vec::new, |length| vec![length]);
    for (variation, first, last) in [
        ("(3.d4)", line(1), none()),
        ("(3. {instead} d4 d5 d6)", line(3), none()),
        ("(3 d4 d5 d6 4.Nxe4)", line(4), none()),
        ("(3...d4)", none(), line(1)),
        ("(3. ... d4)", none(), line(1)),
        ("(d4 4.Nxe4)", none(), line(2)),
        ("(3...d4) (3.d4)", line(1), line(1)),
    ] {
        let text = format!("1.e4 2.e5 Nf6 3.Nf3 Nc3 Bc4 {variation} *");
        let expected = [none(), none(), none(), first, none(), last];
        assert_eq!(variations(&text), expected, "{text}");
    }
    let nested = one("1.e4 2.e5 Nf6 3.Nf3 Nc3 (3.d4 d5 (3.Nc3)) Bc4 *");
    reads_back(&nested);
    let outer = &nested.line().moves()[3].variations()[0];
    assert_eq!(outer.moves()[0].variations().len(), 1);
    fails(
        "1.e4 2.e5 Nf6 3.Nf3 Nc3 (4.d5) *",
        "1:26",
        "expected the turn number 3. or 3...",
    );
    fails(
        "1.e4 2.e5 Nf6 3.Nf3 (2.d5) *",
        "1:22",
        "expected the turn number 3. ",
    );
    fails(
        "1.e4 2.e5 Nf6 3.Nf3 Nc3 (3...d4 d5 (3.Nc3)) *",
        "1:37",
        "found '3.' where turn 3 began outside the variation",
    );
}

#[test]
fn a_turn_begins_once() {
    let plain = one("1.e4 2.e5 Nf6 3.Nf3 Nc3 Bc4 *");
    for text in [
        "1.e4 2.e5 {good} 2...Nf6 3.Nf3 3...Nc3 3. ... Bc4 *",
        "1.e4 2.e5, Nf6 3.Nf3 / Nc3 / Bc4 *",
    ] {
        assert_eq!(one(text).series(), plain.series(), "{text}");
    }
    fails(
        "1.e4 2.e5 2.Nf6 *",
        "1:11",
        "or 2... to go on with the turn",
    );
    fails(
        "1.e4 2.e5 Nf6 3.Nf3 Nc3 (3.d4 3.d5 d6) *",
        "1:31",
        "or 3... to go on with the turn",
    );
}

#[test]
fn a_variation_reaches_back_to_a_start_in_mid_series() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 3 left=2";
    let game = one(&format!("[FEN \"{fen}\"]\n\n3...e3 e4 (3.Kd1) *"));
    assert_eq!(game.line().moves()[0].variations().len(), 1);
    reads_back(&game);
}

#[test]
fn long_comments_are_wrapped_and_made_safe() {
    let mut game = scholar();
    let long = "word ".repeat(60) + "} { [%clk 0:01:00.0] %x\n\n[Event \"no\"] ;x (";
    game.comment(&long);
    game.comment(&"x".repeat(300));
    game.comment(" \n ");
    game.set_tag("Annotator", "two\nlines");
    let text = write_pgn(&game);
    assert_eq!(text.matches("\n\n").count(), 2);
    assert!(!text.contains("\n[%") && !text.contains("\n%"));
    assert_eq!(one(&text), game);
}

#[test]
fn rules_are_named_by_preset_and_switches() {
    for &preset in Preset::ALL {
        reads_back(&PgnGame::new(SeriesPosition::start(preset.rules())));
        assert_eq!(rules_text(&preset.rules()), (preset, String::new()));
    }
    let mut rules = Preset::English.rules();
    rules.quiet_limit = 12;
    rules.en_passant = crate::rules::EnPassantRule::Last;
    assert_eq!(
        rules_text(&rules),
        (Preset::English, "ep=last;quiet-limit=12".into())
    );
    reads_back(&PgnGame::new(SeriesPosition::start(rules)));
    let otherwise = Preset::Circe.rules();
    for (name, expected) in [
        ("Scottish Progressive Chess", Preset::Scottish),
        ("Full Capture", Preset::FullCapture),
        ("MARSEILLAIS-UNBALANCED", Preset::MarseillaisUnbalanced),
        ("Progressive", Preset::Circe),
        ("Chess960", Preset::Circe),
    ] {
        assert_eq!(
            variant_named(name, otherwise),
            Ok(expected.rules()),
            "{name}"
        );
    }
    assert!(variant_named("Crazyhouse", otherwise).is_err());
}

#[test]
fn other_starts_are_set_up() {
    let fen = "4k3/8/8/8/1pP1P3/8/8/4K3 b - c3e3 2 4";
    let start = parse_fen(RuleSet::default(), fen).unwrap();
    let mut game = PgnGame::new(start);
    game.push_series(&parse_movetext(&start, "4.bxc3e.p. c2").unwrap()[0], "")
        .unwrap();
    assert!(write_pgn(&game).contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]")));
    reads_back(&game);
    let middle = PgnGame::new(*game.end());
    assert!(!middle.start().is_turn_start());
    reads_back(&middle);
}

#[test]
fn several_games_with_every_kind_of_line_end() {
    let text = "\u{feff}[Event \"1\"]\r\n[Result \"*\"]\r\n\r\n1.e4\r\n2.e5 *\r\n\r\n\
                \u{feff}[Event \"2\"]\r\r1.d4 1-0\r\n1.c4 * 1.b4 0-1\n\n% escaped\n[Event \"5\"]\n*\n; end\n";
    let games = read(text.as_bytes());
    let shown: Vec<_> = games
        .iter()
        .map(|game| {
            let game = game.as_ref().unwrap();
            (
                game.tag("Event"),
                game.line().moves().len(),
                game.result().as_str(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            (Some("1"), 2, "*"),
            (Some("2"), 1, "1-0"),
            (None, 1, "*"),
            (None, 1, "0-1"),
            (Some("5"), 0, "*")
        ]
    );
    assert!(read(b"").is_empty() && read(b" \n{only a comment}").is_empty());
}

#[test]
fn after_an_error_the_next_game_is_read() {
    let text = "[Event \"1\"]\n\n1.e4 2.e5 Nf7 *\n\n[Event \"2\"]\n\n1.d4 2.d5 Nc6 *\n\
                [Event \"3\"]\n\n1.e4 {open\n\n[Event \"4\"]\n\n1.e4 *\n[Event \"5]\n[White \"x\"]\n\n1.e4 *\n\
                [Event \"6\"]\n\n1.e4 ( 2.e5 *\n\n1.c4 *";
    let games: Vec<String> = read(text.as_bytes())
        .into_iter()
        .map(|game| match game {
            Ok(game) => format!("game {}", game.tag("Event").unwrap_or("-")),
            Err(error) => format!("error {}:{} in {}", error.line, error.column, error.game),
        })
        .collect();
    assert_eq!(
        games,
        [
            "error 3:11 in 1",
            "game 2",
            "error 10:6 in 3",
            "game 4",
            "error 15:1 in 5",
            "error 21:8 in 6",
            "game -"
        ]
    );
}

#[test]
fn errors_name_place_and_expectation() {
    fails(
        "1.e4 2.e5 Nf6 3.Bc4 Bb3 Bc4 d4 *",
        "1:29",
        "expected the turn number 4.",
    );
    fails("1.e4 e5 Nf6 *", "1:9", "or the turn number 2. before 'e5'");
    fails("1.e4\n 2.e5\n  Bd6 d6 *", "3:7", "found 'd6'");
    fails(
        "[Variant \"crazyhouse\"]\n\n1.e4 *",
        "1:1",
        "expected one of italian",
    );
    fails("[Rules \"quiet-limit\"]\n\n1.e4 *", "1:1", "switch=value");
    fails("[Rules \"quiet-limit=x\"]\n\n1.e4 *", "1:1", "quiet-limit");
    fails("[FEN \"nonsense\"]\n\n1.e4 *", "1:1", "expected 4 to 7");
    fails("[SetUp \"1\"]\n\n1.e4 *", "1:1", "FEN");
    fails(
        "[Event \"a\"]\n[Event \"b\"]\n\n1.e4 *",
        "2:1",
        "each tag once",
    );
    fails("[Result \"1-0\"]\n\n1.e4 0-1", "3:6", "result 1-0");
    fails("[Result \"1-0\"]\n\n1.e4", "3:5", "result 1-0");
    fails("[Result \"won\"]\n\n1.e4 1-0", "1:1", "1-0, 0-1");
    fails("[Event \"a\"]\n", "2:1", "movetext");
    fails("<html>", "1:1", "found '<'");
    fails(
        "1.e4 2.e5 Bg4 *",
        "1:11",
        "black's turn 2, 1 of 2 moves left",
    );
    fails("[SeriesPart \"2/2\"]\n\n1.e4 *", "3:1", "parts before it");
}

#[test]
fn latin_1_names_are_read() {
    let games = read(b"[White \"M\xfcller\"]\n\n1.e4 {na\xefve} *");
    let game = games[0].as_ref().unwrap();
    assert_eq!(game.tag("White"), Some("Müller"));
    assert_eq!(game.line().moves()[0].comments(), ["naïve"]);
}

#[test]
fn hostile_texts_are_bounded() {
    let deep = "1.e4 ".to_owned() + &"(1.d4 ".repeat(100_000);
    assert!(read(deep.as_bytes())[0].is_err());
    let allowed = "1.e4 ".to_owned() + &"(1.d4 ".repeat(64) + &")".repeat(64) + " *";
    reads_back(&one(&allowed));
    let tags: Vec<String> = (0..100_000).map(|n| format!("[T{n} \"\"]")).collect();
    let tags = tags.join("\n");
    assert!(
        read(tags.as_bytes())[0]
            .as_ref()
            .unwrap_err()
            .to_string()
            .contains("tags")
    );
    let line = "x".repeat(3 << 20);
    assert!(
        read(line.as_bytes())[0]
            .as_ref()
            .unwrap_err()
            .to_string()
            .len()
            < 300
    );
    assert!(
        read(&[0xff, 0, 0x80, b'[', b'{', 0x7f].repeat(1000))
            .iter()
            .all(Result::is_err)
    );
    let endless = std::io::repeat(b'a').take(64 << 20);
    let text = (&b"1.e4 {"[..]).chain(endless);
    let mut games = PgnReader::new("endless", text, RuleSet::default());
    let error = games.next().unwrap().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("a game of more than 4194304 bytes")
    );
    assert!(games.next().is_none());
}

#[test]
fn a_failing_reader_is_reported_and_ends_the_games() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("disk on fire"))
        }
    }
    let text = (&b"1.e4 * 1.d4"[..]).chain(Broken);
    let games: Read1 = PgnReader::new("t", text, RuleSet::default()).collect();
    assert!(
        games
            .last()
            .unwrap()
            .as_ref()
            .unwrap_err()
            .to_string()
            .contains("disk on fire")
    );
    assert!(games.len() <= 2);
}

#[test]
fn notes_have_the_usual_forms() {
    let note = SeriesNote {
        score: Some(Score::Centipawns(35)),
        depth: Some(3),
        time: Some(Duration::from_millis(1240)),
        clock: Some(Duration::from_millis(118_870)),
        eval: Some(Score::Centipawns(-35)),
        text: "why not".into(),
    };
    assert_eq!(
        note.to_string(),
        "+0.35/3 1.2s [%clk 0:01:58.8] [%eval -0.35] why not"
    );
    let mate = SeriesNote {
        score: Some(Score::Mate(-2)),
        time: Some(Duration::from_millis(12)),
        ..SeriesNote::default()
    };
    assert_eq!(mate.to_string(), "-M2 0.012s");
    assert_eq!(SeriesNote::default().to_string(), "");
}

#[test]
fn a_finished_game_brings_its_result() {
    let game = scholar().to_game().unwrap();
    assert_eq!(PgnGame::from_game(&game), scholar());
}

#[test]
fn a_line_with_variations_is_built_and_read_back() {
    let start = SeriesPosition::start(RuleSet::default());
    let after = |words: &[&str]| {
        let mut position = start;
        let mut line = Line::default();
        for word in words {
            let played = parse_uci_move(&position, word).unwrap();
            position.play(played);
            line.push(PgnMove::new(played));
        }
        line
    };
    let mut line = after(&["e2e4", "e7e5", "g8f6"]);
    let mut other = after(&["d2d4", "d7d5"]);
    other.moves[0].add_glyph(2);
    other.moves[1].add_comment("so {what}");
    line.moves[0].add_variation(other);
    line.moves[0].add_variation(Line::default());

    let mut game = PgnGame::new(start);
    game.push_line(line.clone()).unwrap();
    assert_eq!(game.line().moves()[0].variations().len(), 1);
    reads_back(&game);

    // Behind another position it is not legal, and nothing of it is taken over.
    let before = game.clone();
    assert_eq!(game.push_line(line), Err(LineError));
    assert_eq!(game, before);
}
