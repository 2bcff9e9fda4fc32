//! The notation room as a whole: round trips over random games in every preset, the published
//! games, and hostile texts.
#![allow(missing_docs, clippy::unwrap_used, clippy::pedantic)]

mod reference;

use std::{collections::HashSet, fmt::Write};

use reference::{Rules, random::Rng, random_games};
use serde_json::Value;
use seriatim::{
    notation::{
        CastlingText, PgnGame, PgnReader, format_fen, format_movetext, format_series, parse_fen,
        parse_movetext, parse_san, parse_series, parse_uci_move, san, uci_text, write_null_pgn,
        write_pgn,
    },
    rules::{Move, Preset, Role, RuleSet, SeriesPosition},
};

/// Random games of a preset, replayed in the library's rules.
fn games(preset: Preset, seed: u64, how_many: usize) -> Vec<PgnGame> {
    random_games(seed, &Rules::preset(preset.as_str()))
        .take(how_many)
        .map(|random| {
            let start = parse_fen(preset.rules(), &random.start_fen).unwrap();
            let mut game = PgnGame::new(start);
            for text in &random.moves {
                let m = parse_uci_move(game.end(), text).unwrap();
                game.push(m).unwrap();
            }
            game
        })
        .collect()
}

fn moves_of(game: &PgnGame) -> Vec<Move> {
    game.line().moves().iter().map(|m| m.played()).collect()
}

/// Every position of a game's main line, the last one too.
fn positions_of(game: &PgnGame) -> Vec<SeriesPosition> {
    let mut positions = vec![*game.start()];
    for m in moves_of(game) {
        positions.push(positions.last().unwrap().after(m));
    }
    positions
}

fn long_algebraic(position: &SeriesPosition, m: Move) -> String {
    let takes = san(position, m).contains('x');
    let mut text = match m.role() {
        Role::Pawn => String::new(),
        role => role.upper_char().to_string(),
    };
    let sign = if takes { 'x' } else { '-' };
    write!(text, "{}{sign}{}", m.from(), m.to()).unwrap();
    if let Some(role) = m.promotion() {
        write!(text, "={}", role.upper_char()).unwrap();
    }
    text
}

#[test]
fn every_move_reads_back_in_every_spelling() {
    for &preset in Preset::ALL {
        let mut positions = 0;
        for game in games(preset, 11, 400) {
            for position in positions_of(&game) {
                let mut texts = HashSet::new();
                for m in position.legal_moves() {
                    let text = san(&position, m);
                    let fen = || format!("{preset} {} {text}", format_fen(&position));
                    assert_eq!(parse_san(&position, &text), Ok(m), "{}", fen());
                    assert!(texts.insert(text.clone()), "{}", fen());
                    let bare = text.trim_end_matches(['+', '#']);
                    assert_eq!(parse_san(&position, bare), Ok(m), "{}", fen());
                    for castling in [CastlingText::KingMove, CastlingText::KingTakesRook] {
                        let uci = uci_text(m, castling);
                        assert_eq!(parse_san(&position, &uci), Ok(m), "{} {uci}", fen());
                    }
                    if !m.is_castle() {
                        let long = long_algebraic(&position, m);
                        assert_eq!(parse_san(&position, &long), Ok(m), "{} {long}", fen());
                    }
                }
                positions += 1;
            }
        }
        assert!(positions > 2000, "{preset}: {positions}");
    }
}

#[test]
fn moves_without_any_letter_too_few_are_ambiguous() {
    let mut ambiguous = 0;
    for game in games(Preset::Scottish, 12, 300) {
        for position in positions_of(&game) {
            let moves = position.legal_moves();
            for &m in &moves {
                let twins = moves
                    .iter()
                    .filter(|other| other.role() == m.role() && other.to() == m.to())
                    .filter(|other| !other.is_castle())
                    .count();
                if twins > 1 && m.role() != Role::Pawn && !m.is_castle() {
                    let text = format!("{}{}", m.role().upper_char(), m.to());
                    let error = parse_san(&position, &text).unwrap_err().to_string();
                    assert!(error.contains("ambiguous"), "{error}");
                    ambiguous += 1;
                }
            }
        }
    }
    assert!(ambiguous > 100);
}

#[test]
fn positions_read_back_in_mid_series() {
    for &preset in Preset::ALL {
        for game in games(preset, 13, 300) {
            for position in positions_of(&game) {
                let fen = format_fen(&position);
                let read = parse_fen(preset.rules(), &fen).unwrap();
                assert_eq!((read, read.key()), (position, position.key()), "{fen}");
            }
        }
    }
}

#[test]
fn series_and_movetext_read_back() {
    for &preset in Preset::ALL {
        for game in games(preset, 14, 300) {
            let series = game.series();
            let text = format_movetext(game.start(), &moves_of(&game));
            assert_eq!(
                parse_movetext(game.start(), &text),
                Ok(series.clone()),
                "{text}"
            );
            let mut position = *game.start();
            for moves in series {
                let text = format_series(&position, &moves);
                for spelled in [
                    text.clone(),
                    text.replace(' ', ","),
                    text.replace(' ', " / "),
                ] {
                    assert_eq!(
                        parse_series(&position, &spelled),
                        Ok(moves.clone()),
                        "{spelled}"
                    );
                }
                for m in moves {
                    position.play(m);
                }
            }
        }
    }
}

/// A game as PGN text with random comments, glyphs, separators and variations.
fn decorated(game: &PgnGame, rng: &mut Rng) -> String {
    let mut text = write_pgn(game);
    let end = text.trim_end().rfind("\n\n").unwrap();
    text.truncate(end + 2);
    let moves = moves_of(game);
    write_decorated(*game.start(), &moves, 3, rng, &mut text);
    text.push_str(" *\n\n");
    text
}

fn write_decorated(
    mut position: SeriesPosition,
    moves: &[Move],
    depth: u32,
    rng: &mut Rng,
    text: &mut String,
) {
    if rng.below(6) == 0 {
        text.push_str("{before [%clk 0:00:01]} ");
    }
    for (index, &m) in moves.iter().enumerate() {
        if position.is_turn_start() {
            write!(text, "{}.", position.turn()).unwrap();
        } else if index > 0 && rng.below(4) == 0 && text.ends_with(' ') {
            text.truncate(text.trim_end().len());
            text.push_str(
                if text.ends_with(['}', ')', '!', '?']) || text.ends_with("$7") {
                    " "
                } else {
                    [", ", " / ", ","][rng.below(3)]
                },
            );
        }
        text.push_str(&match rng.below(4) {
            0 if !m.is_castle() => long_algebraic(&position, m),
            1 => uci_text(m, CastlingText::KingTakesRook),
            _ => san(&position, m),
        });
        text.push_str(["", "", "", "!", "?!"][rng.below(5)]);
        text.push_str([" ", "\n", " $7 ", " {é; note} ", "\r\n ;line\n"][rng.below(5)]);
        if depth > 0 && rng.below(6) == 0 {
            let mut line = Vec::new();
            let mut other = position;
            while line.len() < 1 + rng.below(4) && other.board_outcome().is_none() {
                let legal = other.legal_moves();
                let choice = *rng.pick(&legal);
                line.push(choice);
                other.play(choice);
            }
            text.push('(');
            write_decorated(position, &line, depth - 1, rng, text);
            text.push_str(") ");
        }
        position.play(m);
    }
}

fn read_all(text: &str) -> Vec<PgnGame> {
    PgnReader::new("t", text.as_bytes(), RuleSet::default())
        .map(|game| game.unwrap_or_else(|error| panic!("{error}\n{text}")))
        .collect()
}

#[test]
fn pgn_games_read_back_with_everything() {
    let mut rng = Rng::new(15);
    for &preset in Preset::ALL {
        let mut all = String::new();
        let mut written = Vec::new();
        for plain in games(preset, 15, 150) {
            assert_eq!(read_all(&write_pgn(&plain)), std::slice::from_ref(&plain));
            let text = decorated(&plain, &mut rng);
            let game = read_all(&text).remove(0);
            assert_eq!(moves_of(&game), moves_of(&plain), "{text}");
            let pgn = write_pgn(&game);
            assert!(
                pgn.lines()
                    .all(|line| line.chars().count() < 80 || line.starts_with('['))
            );
            assert_eq!(read_all(&pgn), std::slice::from_ref(&game), "{text}\n{pgn}");
            all += &pgn;
            written.push(game);
        }
        assert_eq!(read_all(&all), written);
    }
}

#[test]
fn null_move_pgn_reads_back_with_its_splits() {
    let mut rng = Rng::new(16);
    for &preset in Preset::ALL {
        if matches!(preset, Preset::Circe | Preset::FullCapture) {
            continue;
        }
        let mut splits = 0;
        let mut all = String::new();
        let mut written = Vec::new();
        for plain in games(preset, 16, 400) {
            let text = write_null_pgn(&plain).unwrap();
            splits += text.matches("[SeriesCapture ").count();
            assert_eq!(read_all(&text), std::slice::from_ref(&plain), "{text}");
            all += &text;
            written.push(plain.clone());
            let decorated = read_all(&decorated(&plain, &mut rng)).remove(0);
            let read = read_all(&write_null_pgn(&decorated).unwrap()).remove(0);
            assert_eq!(moves_of(&read), moves_of(&plain));
        }
        assert_eq!(read_all(&all), written);
        let sees_all = matches!(preset, Preset::English | Preset::Logical);
        assert!(sees_all || splits > 10, "{preset}: {splits} splits");
    }
}

/// What must happen when a published game is read.
fn expected_error(id: &str) -> Option<(usize, usize, &'static str)> {
    match id {
        "chesscom-2" => Some((4, 2, "bishop on c8 cannot go to g4")),
        "chesscom-3" => Some((3, 3, "expected the turn number 4.")),
        "english-illegal-1" => Some((3, 3, "balance")),
        "giveaway-1" => Some((6, 4, "knight on e7 cannot go to g5")),
        _ => None,
    }
}

#[test]
fn published_games_replay_and_illegal_ones_are_refused_at_the_right_move() {
    let path = format!("{}/tests/data/games.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let mut count = 0;
    for line in text.lines() {
        count += 1;
        let game: Value = serde_json::from_str(line).unwrap();
        let id = game["id"].as_str().unwrap();
        let rules = match game["variant"].as_str().unwrap() {
            // Giveaway's moves are those of full capture, but for its duty to capture.
            "giveaway" => Preset::FullCapture.rules(),
            name => name.parse::<Preset>().unwrap().rules(),
        };
        let start = SeriesPosition::start(rules);
        let mut text = String::new();
        let mut columns = Vec::new();
        for (turn, series) in game["moves"].as_array().unwrap().iter().enumerate() {
            write!(text, "{}.", turn + 1).unwrap();
            let mut places = Vec::new();
            for m in series.as_array().unwrap() {
                places.push(text.chars().count() as u64 + 1);
                write!(text, "{} ", m.as_str().unwrap()).unwrap();
            }
            columns.push(places);
        }
        match (parse_movetext(&start, &text), expected_error(id)) {
            (Ok(series), None) => {
                let uci: Vec<Vec<String>> = series
                    .iter()
                    .map(|moves| {
                        let text = |&m| uci_text(m, CastlingText::KingMove);
                        moves.iter().map(text).collect()
                    })
                    .collect();
                if game["uci"].is_array() {
                    assert_eq!(serde_json::to_value(&uci).unwrap(), game["uci"], "{id}");
                }
                let mut end = start;
                series.iter().flatten().for_each(|&m| end.play(m));
                let verified = &game["verified"];
                let placement = verified["full-capture"]["final_placement"]
                    .as_str()
                    .or_else(|| verified["final_placement"].as_str())
                    .or_else(|| {
                        let fen = &verified[game["variant"].as_str().unwrap()]["final_fen"];
                        fen.as_str().and_then(|fen| fen.split(' ').next())
                    });
                if let Some(placement) = placement {
                    assert!(format_fen(&end).starts_with(placement), "{id}");
                }
            }
            (Err(error), Some((turn, number, needle))) => {
                assert_eq!(error.column, columns[turn - 1][number - 1], "{id}: {error}");
                assert!(error.to_string().contains(needle), "{id}: {error}");
            }
            (Ok(_), Some(_)) => panic!("{id} is illegal"),
            (Err(error), None) => panic!("{id}: {error}\n{text}"),
        }
    }
    assert_eq!(count, 29);
}

#[test]
fn damaged_texts_never_panic_and_always_end() {
    let mut rng = Rng::new(17);
    let mut read = 0;
    for &preset in &[Preset::Scottish, Preset::Circe, Preset::FullCapture] {
        for game in games(preset, 17, 60) {
            let mut text = decorated(&game, &mut rng);
            if let Ok(nulls) = write_null_pgn(&game) {
                text += &nulls;
            }
            let whole = text.repeat(2).into_bytes();
            for _ in 0..20 {
                let mut bytes = whole.clone();
                bytes.truncate(1 + rng.below(whole.len()));
                for _ in 0..rng.below(6) {
                    let at = rng.below(bytes.len());
                    match rng.below(3) {
                        0 => bytes[at] = rng.next() as u8,
                        1 => drop(bytes.remove(at)),
                        _ => bytes.insert(at, *rng.pick(b"()[]{};%\"$/,.*\n\r 01-x#")),
                    }
                    if bytes.is_empty() {
                        bytes.push(b'(');
                    }
                }
                let limit = bytes.len() + 2;
                read += PgnReader::new("t", &*bytes, preset.rules())
                    .take(limit)
                    .count();
                let text = String::from_utf8_lossy(&bytes);
                let _ = parse_movetext(game.start(), &text);
                let _ = parse_series(game.start(), &text);
            }
        }
    }
    assert!(read > 1000);
}
