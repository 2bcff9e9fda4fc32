//! The reference implementation on its own: the rule cases, the published games, and the
//! numbers that must come out.

#![allow(clippy::unwrap_used)]

mod reference;

use std::collections::{BTreeMap, BTreeSet};

use reference::{Ending, Game, Man, Position, RefMove, Rules, fen, rules};
use serde_json::Value;

fn data(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn strings(value: &Value) -> Vec<String> {
    let list = value.as_array().unwrap();
    list.iter()
        .map(|text| text.as_str().unwrap().to_string())
        .collect()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap()
}

fn rules_of(line: &Value) -> Rules {
    let mut rules = match text(line, "variant") {
        "logical with Italian checks" => Rules::preset("logical").with("checks", "last"),
        preset => Rules::preset(preset),
    };
    if let Some(switches) = line["switches"].as_object() {
        for (switch, value) in switches {
            rules = rules.with(switch, value.as_str().unwrap());
        }
    }
    rules
}

/// The word for an ending in the data. A quiet limit that asks for a proof is settled here.
fn word_for(position: &Position) -> &'static str {
    match position.outcome() {
        None => "ongoing",
        Some(Ending::Checkmate { .. }) => "checkmate",
        Some(Ending::ProgressiveCheckmate { .. }) => "progressive checkmate",
        Some(Ending::StalemateAtStart | Ending::StalemateInSeries) => "stalemate",
        Some(Ending::UnfinishedEscape { .. }) => "unfinished escape",
        Some(Ending::QuietLimitReached) if position.can_win_in_this_series() => "ongoing",
        Some(Ending::QuietLimitReached | Ending::QuietDraw) => "quiet draw",
        Some(Ending::DeadMaterial) => "dead material",
        Some(Ending::AllCaptured { .. }) => "captured",
        Some(Ending::Repetition) => "repetition",
    }
}

fn legal_texts(position: &Position) -> BTreeSet<String> {
    let moves = position.legal_moves();
    let texts: BTreeSet<String> = moves.iter().map(|mv| mv.uci(position.chess960)).collect();
    assert_eq!(texts.len(), moves.len(), "two moves with one text");
    texts
}

fn play_all(mut position: Position, moves: &[impl AsRef<str>]) -> Position {
    for uci in moves {
        let uci = uci.as_ref();
        let mv = position
            .find_move(uci)
            .unwrap_or_else(|| panic!("{uci} is not legal in {}", position.fen()));
        position = position.play(&mv);
    }
    position
}

fn position(preset: &str, fen: &str) -> Position {
    Position::from_fen(&Rules::preset(preset), fen).unwrap()
}

#[test]
fn rule_cases() {
    let cases = data("rule_cases.jsonl");
    assert_eq!(cases.len(), 85);
    for case in &cases {
        let id = text(case, "id");
        let start = Position::from_fen(&rules_of(case), text(case, "fen")).unwrap();
        let end = play_all(start, &strings(&case["moves"]));
        if case["legal"].is_array() {
            let expected: BTreeSet<String> = strings(&case["legal"]).into_iter().collect();
            assert_eq!(legal_texts(&end), expected, "{id}");
            assert_eq!(word_for(&end), "ongoing", "{id}");
        } else {
            assert_eq!(word_for(&end), text(case, "outcome"), "{id}");
        }
    }
}

#[test]
fn rule_tests() {
    let cases = data("rule_tests.jsonl");
    assert_eq!(cases.len(), 13);
    for case in &cases {
        let id = text(case, "id");
        let fields: Vec<&str> = text(case, "fen").split(' ').collect();
        let mut targets = strings(&case["ep_targets"]).concat();
        if targets.is_empty() {
            targets.push('-');
        }
        let fen = format!(
            "{} {} {} {targets} 0 {}",
            fields[0],
            text(case, "side"),
            fields[2],
            case["n"]
        );
        let mut position = Position::from_fen(&rules_of(case), &fen).unwrap();
        let first_turn = position.turn;
        let mut result = None;
        for (index, uci) in strings(&case["moves"]).iter().enumerate() {
            let number = index + 1;
            if position.turn != first_turn {
                result = Some(format!("series ended at move {index}"));
                break;
            }
            let Some(mv) = position.find_move(uci) else {
                result = Some(format!("illegal at move {number}"));
                break;
            };
            position = position.play(&mv);
        }
        let result = result.unwrap_or_else(|| match word_for(&position) {
            "progressive checkmate" => "progressive-mate".to_string(),
            word => word.to_string(),
        });
        assert_eq!(result, text(case, "expected"), "{id}");
    }
}

#[test]
fn en_passant_rule_tests_take_the_right_pawns() {
    let any = position("italian", "4k3/8/8/8/1pP1Pp2/8/8/3K4 b - c3e3 0 4");
    let after = play_all(any, &["b4c3"]);
    assert_eq!(after.placement(), "4k3/8/8/8/4Pp2/2p5/8/3K4");
    let occupied = position("italian", "4k3/8/8/8/2pPp3/3N4/8/4K3 b - d3 0 2");
    let after = play_all(occupied, &["e4d3"]);
    assert_eq!(after.placement(), "4k3/8/8/8/2pP4/3p4/8/4K3");
}

/// Replays series of UCI moves. Each list must fill its series, or end it early, or be the last.
fn replay(rules: &Rules, series: &Value) -> Result<Position, String> {
    let mut position = Position::from_fen(rules, fen::START).unwrap();
    let lists = series.as_array().unwrap();
    for (index, list) in lists.iter().enumerate() {
        let turn = index as u32 + 1;
        for (move_index, uci) in strings(list).iter().enumerate() {
            let place = format!("series {turn} move {}", move_index + 1);
            if position.turn != turn {
                return Err(format!("{place}: the series is over"));
            }
            let Some(mv) = position.find_move(uci) else {
                return Err(format!("{place}: illegal"));
            };
            position = position.play(&mv);
        }
        if position.turn != turn + 1 && index + 1 < lists.len() {
            return Err(format!("series {turn}: too short"));
        }
    }
    Ok(position)
}

#[test]
fn published_games() {
    let mut replayed = 0;
    for game in data("games.jsonl") {
        if !game["uci"].is_array() || text(&game, "variant") == "giveaway" {
            continue; // giveaway is none of the presets
        }
        let verified = game["verified"].as_object().unwrap();
        for (name, verdict) in verified {
            let preset = match name.as_str() {
                "full-capture" => "fullcapture",
                name => name,
            };
            let id = format!("{} as {preset}", text(&game, "id"));
            let result = replay(&Rules::preset(preset), &game["uci"]);
            if verdict["ok"] == true {
                let end = result.unwrap_or_else(|problem| panic!("{id}: {problem}"));
                check_end(&id, verdict, &end);
                replayed += 1;
                continue;
            }
            match text(&game, "id") {
                // The stored moves stop where the line turns illegal or its series ends.
                "chesscom-2" => {
                    let end = result.unwrap();
                    assert!(end.find_move("c8g4").is_none(), "{id}: d7 is in the way");
                    assert_eq!((end.turn, end.moves_made), (4, 1), "{id}");
                }
                "chesscom-3" if preset == "italian" => {
                    assert_eq!(result.unwrap_err(), "series 3 move 2: illegal", "{id}");
                }
                "chesscom-3" => {
                    let end = result.unwrap();
                    assert_eq!(
                        (end.turn, end.moves_made),
                        (4, 0),
                        "{id}: the check ends it"
                    );
                    assert_eq!(end.find_move("f7e8"), None, "{id}");
                }
                // As an Italian game it was over one series earlier.
                "sklangen-1" => {
                    let series = &game["uci"].as_array().unwrap()[..7];
                    let end = replay(&Rules::preset(preset), &Value::from(series)).unwrap();
                    assert_eq!(word_for(&end), "progressive checkmate", "{id}");
                    assert_eq!(result.unwrap_err(), "series 8 move 1: illegal", "{id}");
                }
                other => panic!("{other} should be legal"),
            }
        }
    }
    assert_eq!(replayed, 34);
}

fn check_end(id: &str, verdict: &Value, end: &Position) {
    let placement = end.placement();
    if let Some(fen) = verdict["final_fen"].as_str() {
        let fields: Vec<&str> = fen.split(' ').collect();
        assert_eq!(placement, fields[0], "{id}");
        let side = end.fen().split(' ').nth(1).unwrap().to_string();
        assert_eq!(side, fields[1], "{id}");
        let rights = end.fen().split(' ').nth(2).unwrap().to_string();
        assert_eq!(rights, fields[2], "{id}");
    }
    if let Some(expected) = verdict["final_placement"].as_str() {
        assert_eq!(placement, expected, "{id}");
    }
    if let Some(word) = verdict["final"].as_str() {
        let mine = match word_for(end) {
            "checkmate" => "mate",
            other => other,
        };
        assert_eq!(mine, word, "{id}");
    }
}

#[test]
fn english_examples() {
    let start = position("english", fen::START);
    play_all(
        start.clone(),
        &["e2e4", "e7e6", "f7f6", "e4e5", "g1f3", "f1c4"],
    );
    let after = play_all(start, &["e2e4", "e7e6", "f7f6", "e4e5", "f1a6"]);
    assert_eq!(after.find_move("a6b7"), None);
}

#[test]
fn move_perft() {
    let logical_italian = Rules::preset("logical").with("checks", "last");
    for (rules, numbers) in [
        (Rules::preset("italian"), [20, 400, 8902, 196_812]),
        (Rules::preset("scottish"), [20, 400, 8902, 197_281]),
        (Rules::preset("english"), [20, 400, 8256, 183_168]),
        (Rules::preset("logical"), [12, 144, 2124, 31_250]),
        (logical_italian, [12, 144, 2124, 31_171]),
    ] {
        let start = Position::from_fen(&rules, fen::START).unwrap();
        for (depth, number) in (1..).zip(numbers) {
            assert_eq!(start.move_perft(depth), number, "depth {depth}, {rules:?}");
        }
    }
}

/// With one move in every turn the rules are those of orthodox chess, whose numbers are known:
/// the usual test positions, and two from Chess960.
#[test]
fn orthodox_perft() {
    let rules = Rules::preset("italian").with("series", "1+0");
    for (fen, numbers) in [
        (fen::START, [20, 400, 8902, 197_281]),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            [48, 2039, 97_862, 4_085_603],
        ),
        (
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            [14, 191, 2812, 43_238],
        ),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            [6, 264, 9467, 422_333],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 0 1",
            [44, 1486, 62_379, 2_103_487],
        ),
        (
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            [21, 528, 12_189, 326_672],
        ),
        (
            "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
            [21, 807, 18_002, 667_366],
        ),
    ] {
        let start = Position::from_fen(&rules, fen).unwrap();
        for (depth, number) in (1..).zip(numbers) {
            assert_eq!(start.move_perft(depth), number, "depth {depth}, {fen}");
        }
    }
}

fn start_of(line: &Value) -> (Position, u32) {
    let rules = rules_of(line);
    let series = line["series"].as_u64().unwrap() as u32;
    match text(line, "start") {
        "startpos" => (Position::from_fen(&rules, fen::START).unwrap(), series),
        "startpos after 1.e4" => {
            let start = Position::from_fen(&rules, fen::START).unwrap();
            (play_all(start, &["e2e4"]), 1)
        }
        orthodox => {
            let mut fields: Vec<&str> = orthodox.split(' ').collect();
            let turn = series.to_string();
            fields[5] = &turn;
            (Position::from_fen(&rules, &fields.join(" ")).unwrap(), 1)
        }
    }
}

#[test]
fn series_perft() {
    for line in data("perft.jsonl") {
        if line["series"] == 3 {
            continue; // see below
        }
        let (start, turns) = start_of(&line);
        assert_eq!(
            Some(start.turns_perft(turns)),
            line["raw"].as_u64(),
            "{line}"
        );
        let (diagrams, with_rights) = start.distinct_ends(turns);
        if let Some(number) = line["distinct_diagrams"].as_u64() {
            assert_eq!(diagrams as u64, number, "{line}");
        }
        if let Some(number) = line["distinct_with_castling_and_ep"].as_u64() {
            assert_eq!(with_rights as u64, number, "{line}");
        }
        if let Some(number) = line["distinct_placement_castling"].as_u64() {
            // English knows no en passant, so these are the same.
            assert_eq!(with_rights as u64, number, "{line}");
        }
    }
}

#[test]
fn series_perft_of_turn_three() {
    for line in data("perft.jsonl") {
        if line["series"] == 3 {
            let (start, turns) = start_of(&line);
            assert_eq!(
                Some(start.turns_perft(turns)),
                line["raw"].as_u64(),
                "{line}"
            );
        }
    }
}

/// Counts all series of published positions, and those that mate.
fn check_published_counts(wanted: impl Fn(u64) -> bool) {
    let mut checked = 0;
    for line in data("positions.jsonl") {
        for preset in ["italian", "scottish"] {
            let exact = &line[format!("exact_{preset}")];
            if !exact["raw"].as_u64().is_some_and(&wanted) {
                continue;
            }
            let fields: Vec<&str> = text(&line, "fen").split(' ').collect();
            let fen = format!("{} 0 {}", fields[..4].join(" "), line["n"]);
            let mut counts = [0, 0, 0];
            position(preset, &fen).each_series(&mut |end| {
                counts[0] += 1;
                let ending = if end.in_check() { end.outcome() } else { None };
                match ending {
                    Some(Ending::Checkmate { .. }) => counts[1] += 1,
                    Some(Ending::ProgressiveCheckmate { .. }) => {
                        counts[1] += 1;
                        counts[2] += 1;
                    }
                    _ => {}
                }
            });
            let expected = ["raw", "mateRaw", "progOnlyMateRaw"].map(|key| exact[key].as_u64());
            assert_eq!(counts.map(Some), expected, "{preset}: {line}");
            checked += 1;
        }
    }
    assert!(checked > 0);
}

#[test]
fn published_positions() {
    check_published_counts(|raw| raw < 300_000 || raw == 947_658);
}

#[test]
fn large_published_positions() {
    check_published_counts(|raw| raw < 5_000_000);
}

#[test]
fn white_alone() {
    for (turn, raw, distinct) in [(1, 20, 20), (2, 445, 268), (3, 11_048, 3036)] {
        let start = position(
            "italian",
            &fen::START.replace(" 0 1", &format!(" 0 {turn}")),
        );
        assert_eq!(start.series_perft(), raw, "{turn} moves");
        assert_eq!(start.distinct_ends(1).1, distinct, "{turn} moves");
    }
}

#[test]
fn schedules() {
    for (text, lengths) in [
        ("1+1", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ("1,2+0", [1, 2, 2, 2, 2, 2, 2, 2, 2, 2]),
        ("2+0", [2; 10]),
        ("1+1x2", [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]),
        ("1+1<=8", [1, 2, 3, 4, 5, 6, 7, 8, 8, 8]),
        ("3,1,2+2x2<=5", [3, 1, 2, 2, 4, 4, 5, 5, 5, 5]),
    ] {
        let schedule = rules::Schedule::parse(text).unwrap();
        let mine: Vec<u32> = (1..=10).map(|turn| schedule.moves_in_turn(turn)).collect();
        assert_eq!(mine, lengths, "{text}");
    }
    for text in [
        "", "1", "+1", "0+1", "1+", "1+1x0", "1+1<=0", "1,+1", "-1+1", "1+1<8",
    ] {
        assert!(rules::Schedule::parse(text).is_err(), "{text}");
    }
}

#[test]
fn chess960_castling() {
    let start = position("italian", "k7/8/8/8/8/8/8/1R3KR1 w GB - 0 3");
    assert!(start.chess960);
    let castled = play_all(start.clone(), &["f1g1"]);
    assert_eq!(castled.placement(), "k7/8/8/8/8/8/8/1R3RK1");
    let castled = play_all(start, &["f1b1"]);
    assert_eq!(castled.placement(), "k7/8/8/8/8/8/8/2KR2R1");
    // The rook on b1 hides the king from a1, but not after castling.
    let start = position("scottish", "7k/8/8/8/8/8/8/rR1K4 w B - 0 3");
    assert_eq!(start.find_move("d1b1"), None);
    // A king that castles without moving: only in king-takes-rook form can it be written.
    let start = position("italian", "k7/8/8/8/8/8/8/6KR w H - 0 3");
    let castled = play_all(start, &["g1h1"]);
    assert_eq!(castled.placement(), "k7/8/8/8/8/8/8/5RK1");
}

#[test]
fn castling_letters() {
    let orthodox = position("italian", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert!(!orthodox.chess960);
    let shredder = position("italian", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1");
    assert!(shredder.chess960);
    assert_eq!(orthodox.castling_rights, shredder.castling_rights);
    // K means the outermost rook: the one on g1 moves away and the right stays.
    let outer = position("italian", "4k3/8/8/8/8/8/8/4K1RR w K - 0 3");
    let after = play_all(outer, &["g1g2"]);
    assert!(after.fen().contains(" w K "), "{}", after.fen());
}

#[test]
fn circe_details() {
    // The king moved and came back: no right for a reborn rook.
    let start = position("circe", "4k3/8/8/r7/8/8/8/Q5K1 b - - 0 2");
    let after = play_all(start, &["e8d8", "d8e8", "a1a5"]);
    assert_eq!(after.placement(), "4k2r/8/8/Q7/8/8/8/6K1");
    assert_eq!(after.castling_rights.squares().count(), 0);
    // With the option off there is none either.
    let rules = Rules::preset("circe").with("rebirth-castling", "off");
    let start = Position::from_fen(&rules, "4k3/8/8/r7/8/8/8/Q5K1 w - - 0 1").unwrap();
    let after = play_all(start, &["a1a5"]);
    assert_eq!(after.find_move("e8g8"), None);
    // The capture brings the queen to d8 with check from there: illegal.
    let start = position("circe", "7k/8/8/8/q7/8/8/R2K4 w - - 0 3");
    assert_eq!(start.find_move("a1a4"), None);
    // An en passant capture puts the pawn back on its home square, and it may step twice.
    let start = position("circe", "k7/8/8/8/2pP4/8/8/7K b - d3 0 1");
    let after = play_all(start, &["c4d3"]);
    assert_eq!(after.placement(), "k7/8/8/8/8/3p4/3P4/7K");
}

#[test]
fn marseillais_chain() {
    let start = position("marseillais", "7k/8/8/8/1pP1Pp2/8/8/7K b - c3e3 0 2");
    let both = play_all(start.clone(), &["b4c3", "f4e3"]);
    assert_eq!(both.placement(), "7k/8/8/8/8/2p1p3/8/7K");
    let after = play_all(start, &["b4c3"]);
    assert!(after.en_passant_chain);
    let rules = Rules::preset("marseillais").with("ep-chain", "off");
    let start = Position::from_fen(&rules, "7k/8/8/8/1pP1Pp2/8/8/7K b - c3e3 0 2").unwrap();
    assert_eq!(play_all(start, &["b4c3"]).find_move("f4e3"), None);
}

#[test]
fn repetition_in_marseillais() {
    let start = position("marseillais", "7k/7p/8/8/8/8/P7/K6R w - - 0 2");
    let mut game = Game::new(start);
    for uci in ["h1g1", "g1h1", "h8g7", "g7h8"].repeat(2) {
        assert_eq!(game.outcome(), None);
        let mv = game.position.find_move(uci).unwrap();
        game.play(&mv);
    }
    assert_eq!(game.outcome(), Some(Ending::Repetition));
}

#[test]
fn quiet_limit_asks_for_a_proof() {
    // Two moves are plenty for a mate with king and queen at hand.
    let fen = "7k/8/6K1/8/8/8/Q7/8 w - - 10 2";
    let start = position("italian", fen);
    assert_eq!(start.outcome(), Some(Ending::QuietLimitReached));
    assert!(start.can_win_in_this_series());
    assert_eq!(
        position("italian-portal", fen).outcome(),
        Some(Ending::QuietDraw)
    );
    let capture = "7k/8/8/8/8/8/8/K6r b - - 10 4";
    assert!(position("fullcapture", capture).can_win_in_this_series());
}

#[test]
fn endings_name_the_winner() {
    use reference::Side::{Black, White};
    let mate = play_all(
        position("scottish", "7k/8/6K1/8/8/8/8/R7 w - - 0 3"),
        &["a1a8"],
    );
    assert_eq!(mate.outcome(), Some(Ending::Checkmate { winner: White }));
    // The queen could take, but that would be a check on the first of four moves.
    let only_a_counter_check = "5k2/8/8/8/8/8/5nPP/5QRK w - - 0 4";
    let winner = Black;
    let italian = position("italian", only_a_counter_check);
    assert_eq!(
        italian.outcome(),
        Some(Ending::ProgressiveCheckmate { winner })
    );
    assert_eq!(position("scottish", only_a_counter_check).outcome(), None);
    let dry = play_all(
        position("italian-portal", "k1N5/2K5/8/8/8/1b6/8/R7 b - - 0 2"),
        &["b3a4"],
    );
    assert_eq!(
        dry.outcome(),
        Some(Ending::UnfinishedEscape { winner: White })
    );
    let bare = play_all(
        position("fullcapture", "7k/8/8/8/8/8/8/K6r b - - 0 4"),
        &["h1a1"],
    );
    assert_eq!(bare.outcome(), Some(Ending::AllCaptured { winner: Black }));
    assert!(bare.legal_moves().is_empty());
    let start = position("italian", "8/8/8/8/8/p7/8/k1K5 b - - 0 2");
    assert_eq!(start.outcome(), None);
    assert_eq!(
        play_all(start, &["a3a2"]).outcome(),
        Some(Ending::StalemateInSeries)
    );
    let at_start = position("italian", "8/8/8/8/8/k7/p7/K7 w - - 0 2");
    assert_eq!(at_start.outcome(), Some(Ending::StalemateAtStart));
}

#[test]
fn fen_fields() {
    for fen in [
        "7k/8/8/8/1pP1Pp2/8/8/7K b - c3e3 4 12",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "1r1k2r1/8/8/8/8/8/8/1R1K2R1 b GBgb - 9 6",
    ] {
        assert_eq!(position("italian", fen).fen(), fen);
    }
    // Dropped: a3 has no pawn beyond, c3 is occupied, e6 is of the wrong side.
    let fen = "7k/4p3/8/8/1pP1Pp2/2N5/8/7K b - a3c3e3e6 0 2";
    assert!(position("italian", fen).fen().contains(" e3 0 2"));
    for wrong in [
        "7k/8/8/8/8/8/8/7K w - - 0",
        "7k/8/8/8/8/8/8/7K w - - 0 0",
        "7k/8/8/8/8/8/7/7K w - - 0 1",
        "8/8/8/8/8/8/8/7K w - - 0 1",
        "7k/8/8/8/8/8/8/p6K w - - 0 1",
        "7k/7R/8/8/8/8/8/7K w - - 0 1",
        "7k/8/8/8/8/8/8/7K w - e 0 1",
        "7k/8/8/8/8/8/8/7K w x - 0 1",
    ] {
        let result = Position::from_fen(&Rules::preset("italian"), wrong);
        assert!(result.is_err(), "{wrong}");
    }
}

/// Only the last move of a series can be an answered double step with `ep=last`.
#[test]
fn last_double_step_only() {
    let rules = Rules::preset("italian").with("ep", "last");
    let start = Position::from_fen(&rules, "7k/8/8/8/1p3p2/8/2P1P3/7K w - - 0 2").unwrap();
    let end = play_all(start, &["c2c4", "e2e4"]);
    assert_eq!(end.find_move("b4c3"), None);
    assert!(end.find_move("f4e3").is_some());
}

#[test]
fn random_positions_are_lively() {
    let count_in = |samples: &[reference::Sample], what: fn(&Position, &RefMove) -> bool| {
        samples
            .iter()
            .filter(|sample| {
                let moves = sample.position.legal_moves();
                moves.iter().any(|mv| what(&sample.position, mv))
            })
            .count()
    };
    for preset in Rules::PRESETS {
        let rules = Rules::preset(preset);
        let samples = reference::random_positions(7, &rules, 10_000);
        assert_eq!(samples.len(), 10_000);
        for sample in samples.iter().step_by(97) {
            let start = Position::from_fen(&rules, &sample.start_fen).unwrap();
            assert_eq!(start.chess960, sample.chess960, "{preset}");
            assert_eq!(start.fen(), sample.start_fen, "{preset}");
            let end = play_all(start, &sample.moves);
            assert_eq!(end, sample.position, "{preset}");
        }
        let castling = count_in(&samples, |_, mv| mv.castling);
        let en_passant = count_in(&samples, |position, mv| position.carry_out(mv).en_passant);
        let promoting = count_in(&samples, |_, mv| mv.promotion.is_some());
        let rebirth = count_in(&samples, |position, mv| {
            position.carry_out(mv).reborn.is_some()
        });
        let kings = count_in(&samples, |_, mv| mv.promotion == Some(Man::King));
        let checked = samples.iter().filter(|s| s.position.in_check()).count();
        let mut endings: BTreeMap<String, usize> = BTreeMap::new();
        for ending in samples.iter().filter_map(|s| s.position.outcome()) {
            *endings.entry(format!("{ending:?}")).or_default() += 1;
        }
        let over: usize = endings.values().sum();
        println!(
            "{preset}: castling {castling}, en passant {en_passant}, promotion {promoting}, \
             rebirth {rebirth}, king {kings}, in check {checked}, over {over} {endings:?}"
        );
        assert_eq!(castling > 200, rules.castling, "{preset}");
        assert_eq!(
            en_passant > 50,
            rules.en_passant != rules::EnPassant::None,
            "{preset}"
        );
        assert!(promoting > 200, "{preset}");
        assert_eq!(rebirth > 100, rules.rebirth, "{preset}");
        assert_eq!(kings > 100, rules.promotion_to_king, "{preset}");
        assert_eq!(checked > 200, rules.kings_are_royal(), "{preset}");
        assert!(over > 80, "{preset}");
    }
}
