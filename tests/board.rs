//! The web board's server: what pages ask it, against the real binary and the real engine. Bounds and
//! hostile input: `tests/board_guard.rs`.
#![cfg(feature = "board")]
#![allow(missing_docs, clippy::unwrap_used, clippy::pedantic)]

mod board_support;
mod matches_support;
mod viewers;

use std::{fs, path::Path, process::Command};

use board_support::{Server, analyse, game, play};
use matches_support::fake_engine;
use serde_json::{Value, json};

/// White mates in the series after these.
const OPENING: &str = "e2e4 e7e5 b8c6";

#[test]
fn a_page_is_greeted_with_what_there_is() {
    let server = Server::start(&[]);
    let hello = server.page().ask(json!({"hello": {}}));
    let names = |list: &str| -> Vec<&str> {
        hello[list]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["name"].as_str().or(item.as_str()).unwrap())
            .collect()
    };
    assert_eq!(names("presets")[..2], ["italian", "scottish"]);
    assert_eq!(names("presets").len(), 9);
    assert!(names("switches").contains(&"quiet-limit"));
    assert_eq!(names("engines"), ["seriatim"]);
    assert_eq!(names("levels").len(), 8);
    assert!(
        hello["program"]
            .as_str()
            .unwrap()
            .starts_with("Seriatim 0.")
    );
}

#[test]
fn a_view_shows_targets_refusals_and_the_series() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let mut view = |rules: &str, start: &str, moves: &str| {
        page.ask(json!({"view": {"game": game(rules, start, moves)}}))
    };
    let start = view("italian", "startpos", "");
    assert_eq!(start["targets"]["e2"], json!(["e3", "e4"]));
    assert_eq!(
        (&start["length"], &start["left"], &start["nextLength"]),
        (&json!(1), &json!(1), &json!(2))
    );

    // Black to play two moves: a check by the first one is refused, with the reason.
    let italian = view("italian", "startpos", "d2d3");
    let reason = view("italian", "startpos", "d2d3 e7e6");
    assert_eq!(italian["left"], 2);
    assert_eq!(reason["left"], 1);
    assert_eq!(reason["turns"][1]["complete"], false);
    assert_eq!(reason["turns"][1]["moves"][0]["san"], "e6");
    let early = view("italian", "startpos", "d2d3 e7e5 d7d5 e2e4");
    let refused = early["refused"]["f1"]["b5"].clone();
    assert!(
        refused.is_null(),
        "the own pawn on d3 is in the way: {refused}"
    );
    let early = view("italian", "startpos", "e2e4 d7d5 e7e6");
    let refused = early["refused"]["f1"]["b5"].as_str().unwrap();
    assert!(refused.contains("only on the last move"), "{refused}");
    assert!(
        early["targets"]["f1"]
            .as_array()
            .unwrap()
            .iter()
            .all(|square| square != "b5")
    );
    let scottish = view("scottish", "startpos", "e2e4 d7d5 e7e6 f1b5");
    assert_eq!(scottish["side"], "black");
    assert_eq!(scottish["check"], "e8");
    assert_eq!(scottish["turns"][2]["complete"], true);

    // A promotion, and the end of a game in words.
    let promotion = view("italian", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "");
    assert_eq!(promotion["promotions"]["a7a8"].as_array().unwrap().len(), 4);
    let over = view("italian", "startpos", "e2e4 e7e5 b8c6 d1h5 f1c4 h5f7");
    assert_eq!(over["over"]["text"], "White wins: checkmate");
    assert_eq!(over["over"]["result"], "1-0");
    assert_eq!(over["targets"], json!({}));

    let early = view("italian", "7k/P7/8/8/8/8/8/K7 w - - 0 3", "");
    assert!(
        early["promotions"]["a7a8"]
            .as_array()
            .unwrap()
            .iter()
            .all(|role| role != "q")
    );

    // Castling is offered on both squares; a random array has its own.
    let castling = view("italian", "4k3/8/8/8/8/8/8/4K2R w K - 0 3", "");
    let squares = castling["targets"]["e1"].as_array().unwrap().clone();
    assert!(squares.contains(&json!("g1")) && squares.contains(&json!("h1")));
    let random = view("circe", "startpos960 0", "");
    assert!(random["fen"].as_str().unwrap().starts_with("bbqnnrkr/"));
}

#[test]
fn typed_moves_are_read_and_refusals_explained() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let mut read = |moves: &str, text: &str| {
        page.ask(json!({"read": {"game": game("italian", "startpos", moves), "text": text}}))
    };
    assert_eq!(read("e2e4", "e5 Nf6")["moves"], json!(["e7e5", "g8f6"]));
    assert_eq!(read("e2e4", "e7e5, g8f6")["moves"], json!(["e7e5", "g8f6"]));
    let refused = read("e2e4 d7d5 e7e6", "f1b5");
    assert_eq!(refused["moves"], json!([]));
    assert!(
        refused["text"]
            .as_str()
            .unwrap()
            .contains("only on the last move")
    );
    assert!(
        read("", "e2e5")["text"]
            .as_str()
            .unwrap()
            .contains("cannot go to")
    );
    assert!(!read("", "nonsense")["text"].as_str().unwrap().is_empty());
    // A series ends where it ends, in either notation.
    for text in [
        "e7e5 g8f6 d2d4",
        "e5 Nf6 d4",
        "e7e5 g8f6 d4",
        "e7e5 a7a6 zzz",
    ] {
        let refused = read("e2e4", text);
        assert_eq!(refused["moves"], json!([]), "{text}: {refused}");
        assert!(!refused["text"].as_str().unwrap().is_empty(), "{text}");
    }
}

#[test]
fn an_engine_plays_whole_series_at_any_level_and_by_the_clock() {
    let server = Server::start(&[]);
    let mut page = server.page();
    for (level, clocks) in [
        (0, json!(null)),
        (3, json!(null)),
        (7, json!({"white": 1000, "black": 1000, "increment": 0})),
    ] {
        let asked = json!({"play": {
            "game": game("italian", "startpos", "g1h3"), "seat": "black",
            "engine": 0, "level": level, "seed": 1, "clocks": clocks,
        }});
        let played = page.ask(asked);
        let moves = played["moves"].as_array().unwrap();
        assert_eq!(moves.len(), 2, "{played}");
        let line = format!(
            "g1h3 {} {}",
            moves[0].as_str().unwrap(),
            moves[1].as_str().unwrap()
        );
        let view = page.ask(json!({"view": {"game": game("italian", "startpos", &line)}}));
        assert_eq!(view["turn"], 3);
    }
    let mate = page.ask(play(game("italian", "startpos", OPENING)));
    assert_eq!(mate["moves"].as_array().unwrap().len(), 3, "{mate}");
    let stopped = page.ask(json!({"stop": {"seat": "white"}}));
    assert_eq!(stopped["is"], "stopped");
}

#[test]
fn another_seed_gives_another_game_and_the_same_one_the_same() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let mut series = |seed: u32| {
        let played = page.ask(json!({"play": {
            "game": game("italian", "startpos", "g1h3"), "seat": "black",
            "engine": 0, "level": 0, "seed": seed, "clocks": null,
        }}));
        assert_eq!(played["is"], "played", "{played}");
        played["moves"].to_string()
    };
    let first = series(1);
    let others: Vec<String> = (2..10).map(&mut series).collect();
    assert!(others.iter().any(|other| *other != first), "{others:?}");
    assert_eq!(series(1), first);
}

#[test]
fn move_now_gives_the_series_found_so_far() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let clocks = json!({"white": 36_000_000, "black": 36_000_000, "increment": 0});
    let id = page.send(json!({"play": {
        "game": game("italian", "startpos", "e2e4"), "seat": "black",
        "engine": 0, "level": 7, "seed": 1, "clocks": clocks,
    }}));
    // It thinks: a first line has come.
    while page.receive()["is"] != "lines" {}
    page.send(json!({"move-now": {"seat": "black"}}));
    let played = page.answer(id);
    assert_eq!(played["moves"].as_array().unwrap().len(), 2, "{played}");
}

#[test]
fn analysis_streams_lines_until_stopped_and_shows_threats() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let id = page.send(analyse(
        game("italian", "startpos", "e2e4"),
        3,
        false,
        json!(null),
    ));
    let mut ranks = [false; 3];
    while ranks != [true; 3] {
        let lines = page.receive();
        assert_eq!(
            (&lines["is"], &lines["id"]),
            (&json!("lines"), &json!(id)),
            "{lines}"
        );
        ranks[lines["rank"].as_u64().unwrap() as usize - 1] = true;
        assert_eq!(lines["turns"][0]["turn"], 2);
        assert_eq!(lines["turns"][0]["moves"].as_array().unwrap().len(), 2);
        assert!(lines["score"].as_str().unwrap().starts_with(['+', '-']));
    }

    // Another position takes its place; a mate in this series is said to be one.
    let first = id;
    let id = page.send(analyse(
        game("italian", "startpos", OPENING),
        1,
        false,
        json!(null),
    ));
    let mut ended = false;
    let lines = loop {
        let lines = page.receive();
        if lines["id"] == first {
            ended |= lines["is"] == "stopped";
        } else if lines["id"] == id && lines["wins"] == true {
            break lines;
        }
    };
    assert!(ended, "the first analysis does not say that it ended");
    assert_eq!(lines["score"], "+M1");
    assert_eq!(
        page.ask(json!({"stop": {"seat": "analysis"}}))["is"],
        "stopped"
    );
    // What was stopped says so too, after which nothing more comes of it.
    assert_eq!(page.answer(id)["is"], "stopped");

    // Black is on turn; what White could do to it next.
    let threat = game("italian", "startpos", "e2e4 e7e5");
    let id = page.send(analyse(threat, 1, true, json!(500)));
    let mut seen = false;
    loop {
        let answer = page.receive();
        if answer["id"] != id {
            continue;
        }
        match answer["is"].as_str().unwrap() {
            "lines" => {
                assert_eq!(answer["turns"][0]["side"], "white");
                assert_eq!(answer["turns"][0]["turn"], 3);
                seen = true;
            }
            other => {
                assert_eq!(other, "stopped", "{answer}");
                break;
            }
        }
    }
    assert!(seen);
    let check = game("scottish", "startpos", "e2e4 d7d5 e7e6 f1b5");
    assert!(
        page.error(analyse(check, 1, true, json!(null)))
            .contains("in check")
    );
    let over = game("italian", "startpos", "e2e4 e7e5 b8c6 d1h5 f1c4 h5f7");
    assert!(
        page.error(analyse(over, 1, false, json!(null)))
            .contains("over")
    );
}

#[test]
fn games_are_read_and_written_in_both_forms() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let pgn = "[White \"A\"]\n[Black \"B\"]\n\n1.e4 {best} 2.e5 (2.d5 dxe4) 2...Nf6 3.Bc4! Qh5 Qxf7# 1-0\n";
    let read = page.ask(json!({"import": {"pgn": pgn, "rules": "italian"}}));
    assert_eq!(read["errors"], json!([]), "{read}");
    let sheet = &read["games"][0];
    assert_eq!(sheet["tags"], json!([["White", "A"], ["Black", "B"]]));
    let moves = sheet["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 8);
    assert_eq!(moves[0]["comments"], json!(["best"]));
    assert_eq!(
        moves[2],
        json!({"parent": 0, "uci": "d7d5", "san": "d5", "turn": 2, "comments": [], "glyphs": []})
    );

    let tree: Vec<Value> = moves
        .iter()
        .map(|m| json!({"parent": m["parent"], "uci": m["uci"], "comments": m["comments"], "glyphs": m["glyphs"]}))
        .collect();
    let mut export = |form: &str| {
        let written = page.ask(json!({"export": {
            "rules": "italian", "start": "startpos", "tags": sheet["tags"], "comments": [],
            "moves": tree, "result": "1-0", "form": form,
        }}));
        written["pgn"]
            .as_str()
            .unwrap_or_else(|| panic!("{written}"))
            .to_owned()
    };
    let series = export("series");
    assert!(
        series.contains("1.e4 {best} 2.e5 (2.d5 dxe4) 2...Nf6 3.Bc4"),
        "{series}"
    );
    let nulls = export("null-moves");
    assert!(nulls.contains("--"), "{nulls}");
    // Other people's programs read it, variations and all.
    let path = viewers::directory("board-export").join("game.pgn");
    fs::write(&path, &nulls).unwrap();
    let read = viewers::read_with_python_chess(&path);
    assert_eq!(read.len(), 1);
    assert_eq!(read[0]["errors"], json!([]));
    assert_eq!(read[0]["result"], "1-0");
    assert_eq!(read[0]["plies"], 9);
    assert_eq!(
        read[0]["placement"],
        "rnbqkb1r/pppp1Qpp/5n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR"
    );
    for text in [series, nulls] {
        let again = page.ask(json!({"import": {"pgn": text, "rules": "scottish"}}));
        assert_eq!(
            again["games"][0]["moves"].as_array().unwrap().len(),
            8,
            "{again}"
        );
        assert_eq!(again["games"][0]["rules"], "italian");
    }
    let wrong = page.ask(json!({"import": {"pgn": "1.e4 2.e5 Ke2", "rules": "italian"}}));
    assert_eq!(wrong["games"], json!([]));
    assert!(
        wrong["errors"][0].as_str().unwrap().contains("Ke2"),
        "{wrong}"
    );
}

#[test]
fn problems_have_hints_that_mate() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let problems = page.ask(json!({"problems": {}}))["problems"].clone();
    let problem = &problems[0];
    let (rules, fen) = (
        problem["rules"].as_str().unwrap(),
        problem["fen"].as_str().unwrap(),
    );
    let hint = page.ask(json!({"hint": {"game": game(rules, fen, "")}}));
    let moves: Vec<&str> = hint["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["uci"].as_str().unwrap())
        .collect();
    assert_eq!(moves.len() as u64, problem["length"].as_u64().unwrap());
    let view = page.ask(json!({"view": {"game": game(rules, fen, &moves.join(" "))}}));
    assert_eq!(view["over"]["winner"], problem["side"]);
    let none = page.ask(json!({"hint": {"game": game("italian", "startpos", "")}}));
    assert_eq!(none["moves"], json!([]));
    assert!(none["text"].as_str().unwrap().contains("no mate"));
}

#[test]
fn a_hint_is_looked_for_while_the_page_goes_on_asking() {
    let server = Server::start(&[]);
    let mut page = server.page();
    // Bishops of one colour never mate, but so many of them can do so much in twelve moves that it
    // takes long to look for.
    let start = "7k/8/8/8/8/1B1B1B1B/B1B1B1B1/K7 w - - 0 12";
    let hard = game("italian", start, "");
    let hint = page.send(json!({"hint": {"game": hard}}));
    let view = page.send(json!({"view": {"game": hard}}));
    let another = page.send(json!({"hint": {"game": hard}}));
    let mut order = Vec::new();
    while order.len() < 3 {
        let answer = page.receive();
        order.push((answer["id"].as_u64().unwrap(), answer["is"].clone()));
    }
    let expected = [
        (view, json!("view")),
        (another, json!("error")),
        (hint, json!("hint")),
    ];
    assert_eq!(order, expected);
}

#[test]
fn a_match_is_followed_while_it_is_played() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("board-match");
    let _ = fs::remove_dir_all(&out);
    let server = Server::start(&["--watch", out.to_str().unwrap()]);
    let mut page = server.page();
    let id = page.send(json!({"watch": {"source": out}}));
    // There is no match yet; it is waited for.
    assert_eq!(page.answer(id)["is"], "error");
    let engine = format!("cmd={}", fake_engine().display());
    let lines = out.with_extension("jsonl");
    let status = Command::new(env!("CARGO_BIN_EXE_seriatim-match"))
        .args(["run", "--engine", &engine, "--engine", &engine])
        .args("--each nodes=1 --rounds 3 --max-turns 5 --output json".split(' '))
        .args("--sprt elo0=0 elo1=50 --out board-match".split(' '))
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdout(fs::File::create(&lines).unwrap())
        .status()
        .unwrap();
    assert!(status.success(), "{status}");
    let seen = loop {
        let seen = page.answer(id);
        assert_eq!(seen["is"], "match", "{seen}");
        if seen["summary"]["games"] == 6 {
            break seen;
        }
    };
    assert_eq!(seen["summary"]["games-planned"], 6);
    assert_eq!(seen["games"].as_array().unwrap().len(), 6);
    assert!(seen["games"][0]["turns"][0]["moves"][0]["board"].is_string());
    assert!(seen["summary"]["sprt"]["assessment"]["llr"].is_number());
    assert!(
        page.error(json!({"watch": {"source": "/etc/passwd"}}))
            .contains("--watch")
    );
    assert_eq!(page.ask(json!({"unwatch": {}}))["is"], "stopped");

    // The runner's own JSON lines lead to the same match.
    let server = Server::start(&["--watch", lines.to_str().unwrap()]);
    let mut page = server.page();
    let id = page.send(json!({"watch": {"source": lines}}));
    assert_eq!(page.answer(id)["summary"]["games"], 6);
    fs::write(&lines, "nothing of the kind\n").unwrap();
    let id = page.send(json!({"watch": {"source": lines}}));
    assert_eq!(page.answer(id)["is"], "error");
}
