//! The web board's server: every message, and hostile input, against the real binary and the real
//! engine.
#![cfg(feature = "board")]
#![allow(missing_docs, clippy::unwrap_used, clippy::pedantic)]

mod matches_support;
mod viewers;

use std::{
    fs,
    io::{BufRead, BufReader, ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use matches_support::fake_engine;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket, client::IntoClientRequest, http::HeaderValue};

/// Generous: nothing here takes long, but machines may.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_seriatim-board"))
            .args(["--port", "0"])
            .args(arguments)
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .split("http://")
            .nth(1)
            .and_then(|rest| rest.split('/').next())
            .unwrap_or_else(|| panic!("no address in '{line}'"))
            .parse()
            .unwrap();
        Server { child, address }
    }

    fn page(&self) -> Page {
        let mut page = self.silent_page();
        let hello = page.ask(json!({"hello": {}}));
        assert_eq!(hello["is"], "hello", "{hello}");
        page
    }

    /// A page that has asked nothing yet.
    fn silent_page(&self) -> Page {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut request = format!("ws://{}/socket", self.address)
            .into_client_request()
            .unwrap();
        let origin = format!("http://{}", self.address);
        request
            .headers_mut()
            .insert("Origin", HeaderValue::from_str(&origin).unwrap());
        let (socket, _) = tungstenite::client(request, stream).unwrap();
        Page { socket, last: 0 }
    }

    /// Sends a request as it is and returns the whole answer.
    fn raw(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let request = request.replace("{host}", &self.address.to_string());
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page that is connected.
struct Page {
    socket: WebSocket<TcpStream>,
    last: u64,
}

impl Page {
    fn send(&mut self, ask: Value) -> u64 {
        self.last += 1;
        let text = json!({"id": self.last, "ask": ask}).to_string();
        self.socket.send(Message::text(text)).unwrap();
        self.last
    }

    fn receive(&mut self) -> Value {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).unwrap(),
                Ok(_) => {}
                // The end of a child elsewhere in the process may interrupt a read with a timeout.
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => panic!("no answer: {error}"),
            }
        }
    }

    /// The next answer to a question that is no line of thinking and no notice.
    fn answer(&mut self, id: u64) -> Value {
        loop {
            let answer = self.receive();
            if answer["id"] == id && answer["is"] != "lines" && answer["is"] != "notice" {
                return answer;
            }
        }
    }

    fn ask(&mut self, ask: Value) -> Value {
        let id = self.send(ask);
        self.answer(id)
    }

    /// Sends text that may be no message.
    fn say(&mut self, text: &str) -> Value {
        self.socket.send(Message::text(text)).unwrap();
        self.receive()
    }

    fn error(&mut self, ask: Value) -> String {
        let answer = self.ask(ask.clone());
        assert_eq!(answer["is"], "error", "{ask} -> {answer}");
        answer["text"].as_str().unwrap().to_owned()
    }
}

fn game(rules: &str, start: &str, moves: &str) -> Value {
    json!({
        "rules": rules,
        "start": start,
        "moves": moves.split_whitespace().collect::<Vec<_>>(),
    })
}

fn play(game: Value) -> Value {
    json!({"play": {"game": game, "seat": "white", "engine": 0, "level": 2, "seed": 1, "clocks": null}})
}

fn analyse(game: Value, lines: u32, threat: bool, time: Value) -> Value {
    json!({"analyse": {"game": game, "engine": 0, "lines": lines, "threat": threat, "time": time}})
}

/// An engine that is the scripted one with `arguments`.
fn scripted_engine(name: &str, arguments: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("board-{name}"));
    let script = format!(
        "#!/bin/sh\nexec '{}' {arguments}\n",
        fake_engine().display()
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

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

#[test]
fn engine_processes_are_bounded() {
    let engine = scripted_engine("quiet", "");
    let server = Server::start(&["--engine", engine.to_str().unwrap()]);
    let mut pages: Vec<Page> = (0..6).map(|_| server.page()).collect();
    let mut refused = Vec::new();
    for page in &mut pages {
        for seat in ["white", "black", "analysis"] {
            let mut ask = play(game("italian", "startpos", ""));
            ask["play"]["seat"] = json!(seat);
            let answer = page.ask(ask);
            if answer["is"] == "error" {
                refused.push(answer["text"].as_str().unwrap().to_owned());
            }
        }
    }
    assert_eq!(refused.len(), 2, "{refused:?}");
    assert!(refused[0].contains("too many engines"), "{refused:?}");
}

#[test]
fn only_our_own_pages_come_in_and_get_nothing_but_the_page() {
    let server = Server::start(&[]);
    let page = server.raw("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    for header in [
        "content-security-policy: default-src 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "frame-ancestors 'none'",
    ] {
        assert!(page.to_lowercase().contains(header), "{header}");
    }
    let upgrade = "GET /socket HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                   Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    for (what, request, status) in [
        ("foreign host", "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".to_owned(), 403),
        ("no host", "GET / HTTP/1.0\r\n\r\n".to_owned(), 403),
        ("foreign origin", "GET / HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n".to_owned(), 403),
        ("no such page", "GET /../Cargo.toml HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".to_owned(), 404),
        ("wrong method", "POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned(), 405),
        ("socket without origin", format!("{upgrade}Host: {{host}}\r\n\r\n").replace("Connection: Upgrade", "Connection: close, Upgrade"), 403),
        ("socket, foreign origin", format!("{upgrade}Host: {{host}}\r\nOrigin: http://evil.example\r\n\r\n").replace("Connection: Upgrade", "Connection: close, Upgrade"), 403),
        ("socket, foreign host", format!("{upgrade}Host: evil.example\r\nOrigin: http://evil.example\r\n\r\n").replace("Connection: Upgrade", "Connection: close, Upgrade"), 403),
    ] {
        let answer = server.raw(&request);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")) || answer.starts_with(&format!("HTTP/1.0 {status}")), "{what}: {answer}");
    }
}

#[test]
fn what_is_not_understood_is_answered_and_changes_nothing() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let deep = format!(
        "{{\"id\":3,\"ask\":{}1{}}}",
        "[".repeat(5000),
        "]".repeat(5000)
    );
    for (text, id) in [
        ("", 0),
        ("nonsense", 0),
        ("{\"id\":1}", 1),
        ("{\"id\":2,\"ask\":{\"nothing\":{}}}", 2),
        ("{\"id\":3,\"ask\":{\"hello\":{}},\"more\":1}", 3),
        ("{\"id\":4,\"ask\":{\"hello\":{\"x\":1}}}", 4),
        ("{\"id\":-1,\"ask\":{\"hello\":{}}}", 0),
        (deep.as_str(), 3),
    ] {
        let answer = page.say(text);
        assert_eq!(answer["is"], "error", "{answer}");
        assert_eq!(answer["id"], id, "{}", &text[..text.len().min(80)]);
    }
    page.socket.send(Message::binary(vec![0, 159])).unwrap();
    assert!(page.receive()["text"].as_str().unwrap().contains("binary"));
    let long = format!(
        "{{\"id\":1,\"ask\":{{\"import\":{{\"rules\":\"italian\",\"pgn\":\"{}\"}}}}}}",
        "x".repeat(1 << 20)
    );
    assert!(page.say(&long)["text"].as_str().unwrap().contains("bytes"));

    let start = |rules: &str, start: &str, moves: &str| json!({"view": {"game": game(rules, start, moves)}});
    for (ask, words) in [
        (start("nonsense", "startpos", ""), "expected one of"),
        (
            start("italian checks=none", "startpos", ""),
            "cannot be won",
        ),
        (
            start("italian book=/etc/passwd", "startpos", ""),
            "expected PRESET",
        ),
        (start("italian", "startpos960 960", ""), "0..959"),
        (start("italian", "8/8/8 w - -", ""), "FEN"),
        (start("italian", "8/8/8/8/8/8/8/R7 w - - 0 1", ""), "king"),
        (start("italian", "startpos", "e2e5"), "move number 1"),
        (
            start("italian", "startpos", &"a2a3 ".repeat(5000)),
            "5000 moves",
        ),
        (
            analyse(game("italian", "startpos", ""), 0, false, json!(null)),
            "1..10",
        ),
        (
            analyse(game("italian", "startpos", ""), 11, false, json!(null)),
            "1..10",
        ),
        (
            json!({"play": {"game": game("italian", "startpos", ""), "seat": "white", "engine": 7, "level": 0, "seed": 1, "clocks": null}}),
            "engine 7",
        ),
        (
            json!({"play": {"game": game("italian", "startpos", ""), "seat": "white", "engine": 0, "level": 99, "seed": 1, "clocks": null}}),
            "level 99",
        ),
        (
            json!({"play": {"game": game("italian", "startpos", ""), "seat": "white", "engine": 0, "level": 0, "seed": 1,
            "clocks": {"white": 99_999_999_999u64, "black": 1, "increment": 0}}}),
            "clock",
        ),
        (
            json!({"export": {"rules": "italian", "start": "startpos", "tags": [], "comments": [],
            "moves": [{"parent": 3, "uci": "e2e4"}], "result": "*", "form": "series"}}),
            "earlier",
        ),
        (
            json!({"export": {"rules": "italian", "start": "startpos", "tags": [], "comments": [],
            "moves": [{"parent": null, "uci": "e2e5"}], "result": "*", "form": "series"}}),
            "not allowed",
        ),
        (
            json!({"export": {"rules": "italian", "start": "startpos", "tags": [], "comments": [],
            "moves": [], "result": "2-0", "form": "series"}}),
            "1-0",
        ),
    ] {
        let error = page.error(ask);
        assert!(error.contains(words), "'{error}' does not say '{words}'");
    }
    // All the while the page is served.
    assert_eq!(page.ask(json!({"hello": {}}))["is"], "hello");

    // A huge message is the end of that page, and of no other.
    let mut other = server.page();
    let huge = "x".repeat(3 << 20);
    let sent = page.socket.send(Message::text(huge));
    let ended = sent.is_err()
        || loop {
            match page.socket.read() {
                Ok(Message::Close(_)) | Err(_) => break true,
                Ok(_) => {}
            }
        };
    assert!(ended);
    assert_eq!(other.ask(json!({"hello": {}}))["is"], "hello");
}

#[test]
fn pages_are_bounded_and_places_come_free_again() {
    let server = Server::start(&[]);
    let mut pages: Vec<Page> = (0..16).map(|_| server.page()).collect();
    let mut refused = server.silent_page();
    let answer = refused.receive();
    assert!(
        answer["text"].as_str().unwrap().contains("Too many pages"),
        "{answer}"
    );
    pages.pop();
    let begun = Instant::now();
    loop {
        let mut page = server.silent_page();
        let hello = page.ask_or_refusal();
        if hello["is"] == "hello" {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "no place comes free");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(pages[0].ask(json!({"hello": {}}))["is"], "hello");
}

impl Page {
    /// The answer to a greeting, or the refusal that may come before it.
    fn ask_or_refusal(&mut self) -> Value {
        // The server may have closed already.
        let _ = self.socket.send(Message::text(
            json!({"id": 1, "ask": {"hello": {}}}).to_string(),
        ));
        self.receive()
    }
}

#[test]
fn a_dead_engine_is_started_again_and_the_page_is_told() {
    let engine = scripted_engine("dies-at-second-go", "fault=exit at=2");
    let server = Server::start(&["--engine", engine.to_str().unwrap()]);
    let mut page = server.page();
    let text = game("italian", "startpos", "");
    assert_eq!(page.ask(play(text.clone()))["is"], "played");
    let id = page.send(play(text));
    let notice = page.receive();
    assert_eq!(notice["is"], "notice", "{notice}");
    let words = notice["text"].as_str().unwrap();
    assert!(
        words.contains("exited with status 3") && words.contains("started again"),
        "{words}"
    );
    assert_eq!(page.answer(id)["is"], "played");
}

#[test]
fn engines_that_cannot_play_are_reported_in_words() {
    for (name, arguments, words) in [
        ("dies", "fault=exit", "failed again"),
        ("never-starts", "fault=exit-at-start", "failed again"),
        ("illegal", "fault=illegal", "no allowed series"),
    ] {
        let engine = scripted_engine(name, arguments);
        let server = Server::start(&["--engine", engine.to_str().unwrap()]);
        let mut page = server.page();
        let error = page.error(play(game("italian", "startpos", "")));
        assert!(error.contains(words), "{name}: {error}");
        assert_eq!(page.ask(json!({"hello": {}}))["is"], "hello");
    }
}

#[test]
fn wrong_arguments_are_named() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_seriatim-board"))
            .args(arguments)
            .output()
            .unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(run(&["--engine", "/no/such/engine"]).contains("/no/such/engine"));
    assert!(run(&["--port", "99999"]).contains("99999"));
    let server = Server::start(&[]);
    let port = server.address.port().to_string();
    assert!(run(&["--port", &port]).contains(&port));
    let help = Command::new(env!("CARGO_BIN_EXE_seriatim-board"))
        .arg("--help")
        .output()
        .unwrap();
    assert!(
        String::from_utf8(help.stdout)
            .unwrap()
            .contains("Examples:")
    );
}
