//! The web board's server where something is amiss: hostile input, too many pages and engines, engines
//! that fail, and wrong arguments.
#![cfg(feature = "board")]
#![allow(missing_docs, clippy::unwrap_used, clippy::pedantic)]

mod board_support;
mod matches_support;

use std::{
    process::Command,
    time::{Duration, Instant},
};

use board_support::{PATIENCE, Page, Server, analyse, game, play, scripted_engine};
use serde_json::json;
use tungstenite::Message;

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
