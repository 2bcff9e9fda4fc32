//! The command `seriatim solve` of the real program: formats read and written, exit codes.
#![allow(missing_docs, clippy::unwrap_used)]

mod commands;

use std::collections::HashMap;

use commands::seriatim;
use serde_json::Value;

/// Exit code, standard output and standard error.
fn solve(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let output = seriatim(&[&["solve"], args].concat(), input);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn objects(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The set as it stands, with the answers that three programs agreed on.
#[test]
fn json_lines_are_read_as_they_stand() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/mates_generated.jsonl"
    );
    let expected: HashMap<String, bool> = objects(&std::fs::read_to_string(file).unwrap())
        .iter()
        .map(|line| {
            let id = line["id"].as_str().unwrap().to_owned();
            (id, line["mate"].as_bool().unwrap())
        })
        .collect();
    let (code, out, err) = solve(&["--json", "--threads", "2", file], "");
    assert_eq!((code, err.as_str()), (Some(1), ""));
    let told = objects(&out);
    assert_eq!(told.len(), expected.len());
    for line in told {
        let is_mate = expected[line["id"].as_str().unwrap()];
        assert_eq!(line["result"], if is_mate { "mate" } else { "none" });
        assert_eq!(line["series"].is_array(), is_mate, "{line}");
        assert!(line["nodes"].is_u64() && line["time_ms"].is_f64(), "{line}");
    }
}

/// A king in the corner, which the queen mates with the help of its own king.
const QUEEN: &str = "8/8/8/8/8/2K5/3Q4/k7 w - - 0 1";

#[test]
fn one_position_by_its_fen() {
    let (code, out, _) = solve(&["--fen", QUEEN], "");
    assert_eq!(code, Some(0));
    assert!(out.contains(": mate  1.Qb2#"), "{out}");
    let (code, out, _) = solve(&["--all", "--json", "--fen", QUEEN], "");
    assert_eq!(code, Some(0));
    let told = &objects(&out)[0];
    // Qa2, and from the side along the first rank: Qc1, Qd1 and no other.
    assert_eq!(
        told["count"],
        told["all"].as_array().unwrap().len(),
        "{told}"
    );
    let none = "8/8/8/8/8/8/3Q4/k6K w - - 0 1";
    let (code, out, _) = solve(&["--fen", none], "");
    assert_eq!(code, Some(1));
    assert!(out.contains(": none"), "{out}");
}

#[test]
fn a_spent_budget_is_told() {
    let fen = "r3k2N/pppnb1pp/3p4/4p3/4P3/3P4/PPP2P1P/RN1K1B1b w q - 0 7";
    let (code, out, _) = solve(&["--nodes", "10", "--json", "--fen", fen], "");
    assert_eq!(code, Some(3));
    assert_eq!(objects(&out)[0]["result"], "unknown");
}

#[test]
fn a_win_within_two_series() {
    // No single move mates; the rook keeps the king on the edge, and three moves mate it.
    let fen = "8/8/8/8/2K5/8/7R/k7 w - - 0 1";
    let (code, _, _) = solve(&["--fen", fen], "");
    assert_eq!(code, Some(1));
    let (code, out, _) = solve(&["--within", "1", "--fen", fen], "");
    assert_eq!(code, Some(1));
    assert!(out.contains(": none within 1 series"), "{out}");
    let (code, out, _) = solve(&["--within", "2", "--json", "--fen", fen], "");
    assert_eq!(code, Some(0));
    assert_eq!(objects(&out)[0]["result"], "mate");
    assert_eq!(objects(&out)[0]["within"], 2);
    let (code, out, _) = solve(&["--within", "2", "--nodes", "5", "--fen", fen], "");
    assert_eq!(code, Some(3));
    assert!(
        out.contains(": unknown, budget spent, none within 1 series"),
        "{out}"
    );
}

#[test]
fn epd_and_popeyes_notation_are_read() {
    let epd = "8/8/8/8/8/2K5/3Q4/k7 w - - id \"corner\"; n 1;\n";
    let (code, out, err) = solve(&["-"], epd);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("corner: mate"), "{out}");
    let popeye = "BeginProblem\nTitle corner\nPieces White Kc3 Qd2 Black Ka1\n\
                  Stipulation ser-#1\nEndProblem\n";
    let (code, out, err) = solve(&["-"], popeye);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("corner: mate"), "{out}");
}

#[test]
fn wrong_input_is_named_and_the_rest_is_solved() {
    let list = format!(
        "{{\"id\": 7, \"fen\": \"{QUEEN}\", \"n\": 1}}\n{{\"fen\": \"8/8 w\", \"n\": 1}}\n"
    );
    let (code, out, err) = solve(&["--json", "-"], &list);
    assert_eq!(code, Some(2));
    assert_eq!(objects(&out).len(), 1);
    assert_eq!(objects(&out)[0]["id"], 7);
    assert!(err.starts_with("-:2: "), "{err}");

    let (code, _, err) = solve(&["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "");
    assert_eq!(code, Some(2));
    assert!(err.contains("the board is empty: expected"), "{err}");
    let (code, _, err) = solve(&["no-such-file.jsonl"], "");
    assert_eq!(code, Some(2));
    assert!(err.contains("no-such-file.jsonl"), "{err}");
    let (code, _, err) = solve(&["--time", "soon", "--fen", QUEEN], "");
    assert_eq!(code, Some(2));
    assert!(err.contains("expected a number of seconds"), "{err}");
}
