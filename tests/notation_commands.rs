//! The commands `perft`, `convert` and `validate` of the real program: streams and exit codes.
#![allow(missing_docs, clippy::unwrap_used, clippy::pedantic)]

mod commands;

use commands::seriatim;

#[track_caller]
fn expect(args: &[&str], input: &str, code: i32, out: &str, err: &str) {
    let output = seriatim(args, input);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{stdout}\n{stderr}");
    assert!(stdout.contains(out), "{stdout}");
    assert!(stderr.contains(err), "{stderr}");
}

const GAMES: &str = "[White \"A\"]\r\n\r\n1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7# 1-0\r\n";

#[test]
fn perft_prints_what_others_print() {
    expect(&["perft", "--moves", "2"], "", 0, "e2e4: 20\n", "");
    expect(
        &["perft", "--moves", "2"],
        "",
        0,
        "\nNodes searched: 400\n",
        "",
    );
    let logical = ["perft", "--variant", "logical", "--series", "2"];
    expect(&logical, "", 0, "series: 2124\nmates: 0\n", "");
    expect(&["perft"], "", 2, "", "--series");
    expect(
        &["perft", "--series", "1", "--fen", "x"],
        "",
        2,
        "",
        "4 to 7",
    );
    expect(
        &["perft", "--series", "1", "--set", "ep=x"],
        "",
        2,
        "",
        "any|last|none",
    );
}

#[test]
fn convert_reads_standard_input_and_keeps_errors_apart() {
    let nulls = "1. e4 e5 2. -- Nf6 3. Bc4 -- 4. Qh5 -- 5. Qxf7# 1-0\n";
    expect(&["convert", "-", "--to", "null-pgn"], GAMES, 0, nulls, "");
    let series = "[Variant \"italian\"]\n\n1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7# 1-0\n";
    expect(&["convert", "-", "--to", "pgn"], nulls, 0, series, "");
    let damaged = format!("{GAMES}\n1.e4 2.e5 Bg4 *\n");
    let fen = "rnbqkb1r/pppp1Qpp/5n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4\n";
    expect(
        &["convert", "-", "--to", "fen"],
        &damaged,
        1,
        fen,
        "-:5:11: 'Bg4' is not allowed",
    );
    expect(&["convert", "-", "--to", "html"], "", 2, "", "null-pgn");
    expect(
        &["convert", "/nonexistent", "--to", "fen"],
        "",
        2,
        "",
        "/nonexistent cannot be opened",
    );
}

#[test]
fn validate_tells_by_its_exit_code() {
    expect(
        &["validate", "-"],
        GAMES,
        0,
        "-: 1 games, 0 with errors\n",
        "",
    );
    let wrong = GAMES.replace("1-0", "1/2-1/2");
    let message = "-:3:1: found result 1/2-1/2: expected 1-0, since the game ends with checkmate";
    expect(&["validate", "-"], &wrong, 1, message, "");
    expect(
        &["validate", "-", "--variant", "chess"],
        "",
        2,
        "",
        "italian",
    );
}

#[test]
fn openings_are_judged_by_games_too() {
    let suite = |games: &str| {
        let args = [
            "openings", "--count", "4", "--seed", "5", "--nodes", "500", "--window", "5000",
            "--games", games,
        ];
        let output = seriatim(&args, "");
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let judged = suite("8");
    assert!(judged.starts_with("# seriatim openings: 4 of seed 5"));
    assert!(judged.lines().next().unwrap().ends_with("8 games"));
    // Two series, of one move and two; what games judge is less than what a search lets pass.
    let openings: Vec<&str> = judged.lines().skip(1).collect();
    assert_eq!(openings.len(), 4);
    assert!(openings.iter().all(|line| line.split(' ').count() == 3));
    assert_eq!(judged, suite("8"));
    assert_ne!(openings, suite("0").lines().skip(1).collect::<Vec<&str>>());
    expect(&["openings", "--games", "x"], "", 2, "", "--games");
}
