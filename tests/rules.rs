//! The rules room against the slow reference, against the collected rule cases, and its own
//! properties: keys, refusals and series FEN.
#![allow(missing_docs, clippy::unwrap_used, clippy::pedantic)]

mod reference;

use std::collections::{BTreeSet, HashMap};

use reference::{Ending as SlowEnding, Rules, random_games};
use serde_json::Value;
use seriatim::{
    notation::{CastlingText, format_fen, parse_fen, parse_setup, parse_uci_move, uci_text},
    rules::{
        Bitboard, Color, Ending, Game, Outcome, Preset, RuleSet, SeriesPosition, Square, Status,
        Switch,
    },
};

/// The rule sets that are compared: every preset, and switches on top of it as the fast rules and
/// the reference name them.
fn rule_sets() -> Vec<(String, RuleSet, Rules)> {
    let mut sets: Vec<(String, RuleSet, Rules)> = Preset::ALL
        .iter()
        .map(|preset| {
            (
                preset.to_string(),
                preset.rules(),
                Rules::preset(preset.as_str()),
            )
        })
        .collect();
    let mut add = |preset: Preset, switches: &[(Switch, &str, &str, &str)]| {
        let mut fast = preset.rules();
        let mut slow = Rules::preset(preset.as_str());
        let mut name = preset.to_string();
        for &(switch, value, slow_switch, slow_value) in switches {
            switch.set(&mut fast, value).unwrap();
            slow = slow.with(slow_switch, slow_value);
            name = format!("{name} {switch}={value}");
        }
        sets.push((name, fast, slow));
    };
    use Switch as S;
    add(Preset::Italian, &[(S::EnPassant, "last", "ep", "last")]);
    add(
        Preset::Italian,
        &[
            (S::EnPassant, "none", "ep", "none"),
            (S::Castling, "off", "castling", "off"),
        ],
    );
    add(
        Preset::Italian,
        &[
            (S::Schedule, "1+1x2", "series", "1+1x2"),
            (S::DoubleStep, "off", "double-step", "off"),
        ],
    );
    add(
        Preset::Italian,
        &[
            (S::Balance, "counts", "balance", "counts"),
            (S::QuietLimit, "2", "quiet", "2"),
        ],
    );
    add(
        Preset::Italian,
        &[(S::PromotedMan, "next-series", "promoted", "next-series")],
    );
    add(
        Preset::Italian,
        &[
            (S::UnfinishedEscape, "loss", "unfinished-escape", "loss"),
            (S::DeadMaterial, "off", "dead-material", "off"),
        ],
    );
    add(
        Preset::Scottish,
        &[
            (S::Schedule, "1+1<=3", "series", "1+1<=3"),
            (S::QuietLimit, "0", "quiet", "off"),
        ],
    );
    add(
        Preset::English,
        &[(S::Balance, "rounds", "balance", "rounds")],
    );
    add(
        Preset::English,
        &[
            (S::PromotedMan, "next-series", "promoted", "next-series"),
            (S::EnPassant, "any", "ep", "any"),
        ],
    );
    add(
        Preset::English,
        &[
            (S::Balance, "rounds", "balance", "rounds"),
            (S::PromotedMan, "next-series", "promoted", "next-series"),
        ],
    );
    add(Preset::Logical, &[(S::Checks, "last", "checks", "last")]);
    add(
        Preset::FullCapture,
        &[(S::Castling, "on", "castling", "on")],
    );
    add(
        Preset::FullCapture,
        &[
            (S::PromotionToKing, "off", "king-promotion", "off"),
            (S::Balance, "counts", "balance", "counts"),
        ],
    );
    add(
        Preset::Circe,
        &[(S::Checks, "ends", "checks", "ends-series")],
    );
    add(
        Preset::Circe,
        &[(S::RebirthCastling, "off", "rebirth-castling", "off")],
    );
    add(
        Preset::Circe,
        &[
            (S::Balance, "counts", "balance", "counts"),
            (S::EnPassantChain, "on", "ep-chain", "on"),
        ],
    );
    add(
        Preset::Marseillais,
        &[(S::EnPassantChain, "off", "ep-chain", "off")],
    );
    add(
        Preset::Marseillais,
        &[
            (S::Checks, "last", "checks", "last"),
            (S::QuietSettlement, "auto", "quiet-verdict", "auto"),
        ],
    );
    add(Preset::Scottish, &[(S::Schedule, "1+0", "series", "1+0")]);
    sets
}

fn same_ending(fast: Status, slow: Option<SlowEnding>) -> bool {
    let outcome = match fast {
        Status::Ongoing => return slow.is_none(),
        Status::QuietLimit => return slow == Some(SlowEnding::QuietLimitReached),
        Status::Over(outcome) => outcome,
    };
    let Some(slow) = slow else { return false };
    let winner = slow.winner().map(|side| match side {
        reference::Side::White => Color::White,
        reference::Side::Black => Color::Black,
    });
    let ending = match slow {
        SlowEnding::Checkmate { .. } => Ending::Checkmate,
        SlowEnding::ProgressiveCheckmate { .. } => Ending::ProgressiveCheckmate,
        SlowEnding::StalemateAtStart => Ending::Stalemate,
        SlowEnding::StalemateInSeries => Ending::StalemateInSeries,
        SlowEnding::UnfinishedEscape { .. } => Ending::UnfinishedEscape,
        SlowEnding::QuietLimitReached => return false,
        SlowEnding::QuietDraw => Ending::QuietDraw,
        SlowEnding::DeadMaterial => Ending::DeadMaterial,
        SlowEnding::AllCaptured { .. } => Ending::AllCaptured,
        SlowEnding::Repetition => Ending::Repetition,
    };
    outcome == Outcome { ending, winner }
}

/// Positions compared for each rule set.
const POSITIONS: usize = 20_000;

#[test]
fn the_fast_rules_and_the_reference_agree_everywhere() {
    for (name, fast_rules, slow_rules) in rule_sets() {
        let mut compared = 0;
        for game in random_games(20_261, &slow_rules) {
            let castling = if game.chess960 {
                CastlingText::KingTakesRook
            } else {
                CastlingText::KingMove
            };
            let mut fast = parse_fen(fast_rules, &game.start_fen).unwrap();
            for (index, slow) in game.positions.iter().enumerate() {
                let context = || {
                    format!(
                        "{name}: {} after {:?}",
                        game.start_fen,
                        &game.moves[..index]
                    )
                };
                let ours: BTreeSet<String> = fast
                    .legal_moves()
                    .iter()
                    .map(|&m| uci_text(m, castling))
                    .collect();
                let theirs: BTreeSet<String> = slow
                    .legal_moves()
                    .iter()
                    .map(|m| m.uci(game.chess960))
                    .collect();
                let over = matches!(fast.status(), Status::Over(outcome) if outcome.ending == Ending::AllCaptured);
                assert!(
                    over || ours == theirs,
                    "{}\nours {ours:?}\nreference {theirs:?}",
                    context()
                );
                assert_eq!(
                    fast.count_legal_moves(),
                    fast.legal_moves().len() as u64,
                    "{}",
                    context()
                );
                assert_eq!(
                    fast.has_legal_move(),
                    !fast.legal_moves().is_empty(),
                    "{}",
                    context()
                );
                assert!(
                    same_ending(fast.status(), slow.outcome()),
                    "{}: {:?} but {:?}",
                    context(),
                    fast.status(),
                    slow.outcome()
                );
                assert_eq!(fast.moves_left() as u32, slow.moves_left, "{}", context());
                assert_eq!(fast.quiet() as u32, slow.quiet, "{}", context());
                assert_eq!(fast.is_check(), slow.in_check(), "{}", context());
                assert_eq!(
                    fast.placement_key(),
                    fast.placement_key_from_scratch(),
                    "{}",
                    context()
                );
                let read_back = parse_fen(fast_rules, &format_fen(&fast));
                assert_eq!(
                    read_back.as_ref(),
                    Ok(&fast),
                    "{}: {}",
                    context(),
                    format_fen(&fast)
                );
                assert_eq!(read_back.unwrap().key(), fast.key());
                compared += 1;
                if let Some(next) = game.moves.get(index) {
                    let m = parse_uci_move(&fast, next)
                        .unwrap_or_else(|error| panic!("{}: {error}", context()));
                    let slow_move = slow.find_move(next).unwrap();
                    let checks = slow.rules.kings_are_royal()
                        && slow
                            .carry_out(&slow_move)
                            .board
                            .king_is_attacked(slow.side.other());
                    assert_eq!(fast.gives_check(m), checks, "{}: {next}", context());
                    fast.play(m);
                }
            }
            if compared >= POSITIONS {
                break;
            }
        }
    }
}

/// Every state met is kept with its key: equal keys must mean equal placements, rights, moves and
/// endings.
#[test]
fn equal_keys_mean_equal_futures() {
    let mut by_key: HashMap<u64, (String, BTreeSet<String>)> = HashMap::new();
    let mut met_again = 0;
    for (_, fast_rules, slow_rules) in rule_sets() {
        for game in random_games(7, &slow_rules).take(400) {
            let mut fast = parse_fen(fast_rules, &game.start_fen).unwrap();
            for next in game.moves.iter().map(Some).chain([None]) {
                // En passant squares that no pawn can use may differ; everything else may not.
                let fen: Vec<String> = format_fen(&fast).split(' ').map(str::to_owned).collect();
                let quiet = if fast.rules().quiet_limit == 0 {
                    "any"
                } else {
                    &fen[4]
                };
                let turn = if fast.rules().schedule.is_constant_from(fast.turn().0) {
                    "any"
                } else {
                    &fen[5]
                };
                let state = format!(
                    "{:?} {} {} {} {quiet} {turn} {:?}",
                    fast.rules(),
                    fen[0],
                    fen[1],
                    fen[2],
                    fen.get(6)
                );
                let moves = fast
                    .legal_moves()
                    .iter()
                    .map(|&m| uci_text(m, CastlingText::KingTakesRook))
                    .collect();
                let met = by_key
                    .entry(fast.key())
                    .or_insert_with(|| (state.clone(), BTreeSet::clone(&moves)));
                assert_eq!((&met.0, &met.1), (&state, &moves));
                met_again += 1;
                if let Some(next) = next {
                    fast.play(parse_uci_move(&fast, next).unwrap());
                }
            }
        }
    }
    assert!(
        met_again > by_key.len(),
        "some states must be met twice for this to test anything"
    );
}

/// Keys of all distinct states of a perft tree, told apart by the states themselves.
#[test]
fn keys_do_not_collide_over_a_perft_tree() {
    let mut level = vec![SeriesPosition::start(Preset::Italian.rules())];
    let mut states: HashMap<u64, SeriesPosition> = HashMap::new();
    for _ in 0..5 {
        let mut next_level = Vec::new();
        for position in &level {
            for m in position.legal_moves() {
                let next = position.after(m);
                match states.get(&next.key()) {
                    Some(known) => {
                        assert_eq!(known.men(), next.men());
                        assert_eq!(
                            known.castling_rooks(Color::White),
                            next.castling_rooks(Color::White)
                        );
                        assert_eq!(known.passed_squares(), next.passed_squares());
                        assert_eq!(
                            (known.turn(), known.moves_left()),
                            (next.turn(), next.moves_left())
                        );
                    }
                    None => {
                        states.insert(next.key(), next);
                        next_level.push(next);
                    }
                }
            }
        }
        level = next_level;
    }
    assert!(states.len() > 1_000_000, "{}", states.len());
}

fn lines(file: &str) -> Vec<Value> {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn preset_of(line: &Value) -> RuleSet {
    line["variant"]
        .as_str()
        .unwrap()
        .parse::<Preset>()
        .unwrap()
        .rules()
}

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .map(|list| list.iter().map(|text| text.as_str().unwrap()).collect())
        .unwrap_or_default()
}

#[test]
fn rule_cases() {
    for case in lines("rule_cases.jsonl") {
        let id = case["id"].as_str().unwrap();
        let mut rules = preset_of(&case);
        for (name, value) in case["switches"].as_object().into_iter().flatten() {
            name.parse::<Switch>()
                .unwrap()
                .set(&mut rules, value.as_str().unwrap())
                .unwrap();
        }
        let mut game = Game::new(parse_fen(rules, case["fen"].as_str().unwrap()).unwrap());
        for text in texts(&case["moves"]) {
            let m = parse_uci_move(game.position(), text)
                .unwrap_or_else(|error| panic!("{id}: {error}"));
            game.play(m).unwrap();
        }
        if let Some(expected) = case["legal"].as_array() {
            let expected: BTreeSet<&str> =
                expected.iter().map(|text| text.as_str().unwrap()).collect();
            let moves = game.position().legal_moves();
            let ours: Vec<String> = moves
                .iter()
                .map(|&m| uci_text(m, CastlingText::KingMove))
                .collect();
            assert_eq!(
                ours.iter().map(String::as_str).collect::<BTreeSet<_>>(),
                expected,
                "{id}"
            );
        }
        if let Some(outcome) = case["outcome"].as_str() {
            let found = match game.status() {
                Status::Ongoing => "ongoing",
                // The cases name what an exhausted proof leaves.
                Status::QuietLimit => "quiet draw",
                Status::Over(over) => match over.ending {
                    Ending::Checkmate => "checkmate",
                    Ending::ProgressiveCheckmate => "progressive checkmate",
                    Ending::Stalemate | Ending::StalemateInSeries => "stalemate",
                    Ending::UnfinishedEscape => "unfinished escape",
                    Ending::QuietDraw => "quiet draw",
                    Ending::DeadMaterial => "dead material",
                    Ending::Repetition => "repetition",
                    Ending::AllCaptured => "captured",
                },
            };
            assert_eq!(found, outcome, "{id}");
        }
    }
}

#[test]
fn rule_tests() {
    for case in lines("rule_tests.jsonl") {
        let id = case["id"].as_str().unwrap();
        let mut setup = parse_setup(case["fen"].as_str().unwrap()).unwrap();
        setup.turn = case["n"].as_u64().unwrap() as u16;
        setup.en_passant = texts(&case["ep_targets"])
            .iter()
            .map(|s| s.parse::<Square>().unwrap())
            .collect::<Bitboard>();
        let mut position = SeriesPosition::from_setup(preset_of(&case), &setup).unwrap();
        let mut found = "ongoing".to_owned();
        let side = position.side();
        for (index, text) in texts(&case["moves"]).iter().enumerate() {
            let number = index + 1;
            if position.side() != side {
                found = format!("series ended at move {index}");
                break;
            }
            match parse_uci_move(&position, text) {
                Ok(m) => position.play(m),
                Err(_) => {
                    found = format!("illegal at move {number}");
                    break;
                }
            }
        }
        if let Status::Over(outcome) = position.status() {
            found = match outcome.ending {
                Ending::ProgressiveCheckmate => "progressive-mate",
                Ending::Stalemate | Ending::StalemateInSeries => "stalemate",
                other => panic!("{id}: {other}"),
            }
            .to_owned();
        }
        assert_eq!(found, case["expected"].as_str().unwrap(), "{id}");
    }
}
