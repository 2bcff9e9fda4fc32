//! The daemon as a process: ends, times, floods, logs and odd bytes.

#![allow(clippy::unwrap_used)]

mod conversation;

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use conversation::{Engine, stretched};
use seriatim::{
    notation::parse_uci_move,
    rules::{Preset, SeriesPosition, Status},
};

/// Whether the moves are a whole series of `position`.
fn is_whole_series(position: &SeriesPosition, moves: &[&str]) -> bool {
    let mut at = *position;
    for text in moves {
        let Ok(m) = parse_uci_move(&at, text) else {
            return false;
        };
        at.play(m);
    }
    at.turn() != position.turn() || matches!(at.status(), Status::Over(_))
}

fn best_series(line: &str) -> Vec<&str> {
    line["bestmove ".len()..]
        .split(" ponder ")
        .next()
        .unwrap()
        .split(' ')
        .collect()
}

#[test]
fn quit_and_the_end_of_input_end_it_within_200_ms() {
    for go in [
        "go infinite",
        "go wtime 600000 btime 600000",
        "go perft 8",
        "bench 100000000",
        "isready",
    ] {
        for quits in [true, false] {
            let mut engine = Engine::start();
            engine.send("position startpos moves e2e4 e7e5 b8c6 d2d4 d4e5 g1f3");
            engine.send(go);
            thread::sleep(Duration::from_millis(150));
            let begun = Instant::now();
            if quits {
                engine.send("quit");
            } else {
                engine.close();
            }
            let (_, status) = engine.finish(stretched(Duration::from_millis(200)));
            assert!(
                status.is_some_and(|status| status.success()),
                "{go} {quits}"
            );
            assert!(begun.elapsed() < stretched(Duration::from_millis(200)));
        }
    }
}

#[test]
fn a_millisecond_is_enough_for_a_legal_series() {
    for &preset in Preset::ALL {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name UCI_Variant value {preset}"));
        let mut position = SeriesPosition::start(preset.rules());
        let mut played = String::new();
        for _ in 0..6 {
            engine.send(&format!("position startpos moves{played}"));
            engine.send("go movetime 1");
            let begun = Instant::now();
            let lines = engine.lines_to("bestmove ");
            assert!(begun.elapsed() < stretched(Duration::from_millis(200)));
            let best = lines.last().unwrap();
            if best == "bestmove (none)" {
                assert!(matches!(position.status(), Status::Over(_)));
                break;
            }
            assert!(lines[lines.len() - 2].starts_with("info depth "));
            let series = best_series(best);
            assert!(
                is_whole_series(&position, &series),
                "{preset}{played}: {best}"
            );
            for text in series {
                let m = parse_uci_move(&position, text).unwrap();
                position.play(m);
                played.push(' ');
                played.push_str(text);
            }
        }
    }
}

#[test]
fn a_clock_is_never_overrun() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4 e7e5 b8c6 d2d4 d4e5 g1f3");
    for milliseconds in [50, 200, 800] {
        // A busy machine may hold up the engine, but not every time.
        let holds = (0..10).any(|_| {
            let begun = Instant::now();
            engine.send(&format!("go wtime {milliseconds} btime {milliseconds}"));
            engine.lines_to("bestmove ");
            begun.elapsed() < Duration::from_millis(milliseconds)
        });
        assert!(holds, "{milliseconds}");
    }
}

#[test]
fn more_memory_than_there_is_is_refused() {
    let mut engine = Engine::start_within(2_000_000);
    engine.send("setoption name Hash value 65536");
    engine.send("setoption name Hash value 64");
    engine.send("isready");
    let error = "info string error: option Hash '65536': the system does not give so much memory (expected less)";
    assert_eq!(engine.lines_to("readyok"), [error, "readyok"]);
    engine.send("go nodes 1000");
    engine.lines_to("bestmove ");
    let mut cecp = Engine::start_within(2_000_000);
    cecp.send("xboard");
    cecp.send("memory 65536");
    cecp.send("ping 1");
    let lines = cecp.lines_to("pong 1");
    assert!(
        lines[0].starts_with("Error (option Hash '65536': "),
        "{lines:?}"
    );
}

#[test]
fn a_ponder_hit_starts_the_clock() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4 e7e5 b8c6 d2d4 d4e5 g1f3");
    engine.send("go ponder movetime 300");
    assert!(
        engine
            .line_until(Duration::from_millis(600), |line| line
                .starts_with("bestmove"))
            .is_none()
    );
    engine.send("ponderhit");
    engine.lines_to("bestmove ");
    engine.send("isready");
    assert_eq!(engine.lines_to("readyok").len(), 1);
}

#[test]
fn odd_bytes_and_long_lines_do_no_harm() {
    let mut engine = Engine::start();
    engine.send_raw(b"\xef\xbb\xbfisready\r\n");
    assert_eq!(engine.lines_to("readyok").len(), 1);
    engine.send_raw(b"\0\xff\xfe garbage \x07\nisready\n");
    let lines = engine.lines_to("readyok");
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with("info string error: unknown command"));
    let mut long = b"position startpos moves".to_vec();
    for _ in 0..400_000 {
        long.extend_from_slice(b" e2e4");
    }
    long.extend_from_slice(b"\nisready\n");
    engine.send_raw(&long);
    let lines = engine.lines_to("readyok");
    assert!(lines[0].contains("longer than 1048576 bytes"), "{lines:?}");
    engine.send_raw(b"isready");
    engine.close();
    let (lines, _) = engine.finish(stretched(Duration::from_millis(200)));
    assert_eq!(lines, ["readyok"]);
}

#[test]
fn a_flood_of_commands_is_answered_in_order() {
    let mut engine = Engine::start();
    let mut flood = String::from("go infinite\n");
    for _ in 0..20_000 {
        flood.push_str("isready\nnonsense\n");
    }
    flood.push_str("stop\n");
    engine.send_raw(flood.as_bytes());
    let lines = engine.lines_to("bestmove ");
    let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(count("readyok"), 20_000);
    assert_eq!(count("info string error: unknown command"), 20_000);
}

#[test]
fn logs_go_to_standard_error_or_a_file() {
    let path = std::env::temp_dir().join(format!("seriatim-log-test-{}", std::process::id()));
    let name = path.to_str().unwrap().to_owned();
    let mut engine = Engine::start_with(&["--log", "trace", "--log-file", &name]);
    engine.send("isready");
    assert_eq!(engine.lines_to("readyok").len(), 1);
    engine.send("quit");
    let (lines, status) = engine.finish(stretched(Duration::from_millis(200)));
    assert!(status.unwrap().success());
    assert!(lines.is_empty(), "{lines:?}");
    let log = fs::read_to_string(&path).unwrap();
    let _ = fs::remove_file(&path);
    assert!(log.contains("isready") && log.contains("readyok"), "{log}");
}

#[test]
fn the_version_names_the_commit() {
    let run = |argument: &str| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_seriatim"))
            .arg(argument)
            .output()
            .unwrap();
        (String::from_utf8(output.stdout).unwrap(), output.status)
    };
    let (text, status) = run("--version");
    assert!(status.success());
    assert_eq!(
        text.trim(),
        format!("seriatim {}", seriatim::version::VERSION)
    );
    let mut engine = Engine::start();
    engine.send("uci");
    let name = &engine.lines_to("uciok")[0];
    assert_eq!(
        name,
        &format!("id name Seriatim {}", seriatim::version::VERSION)
    );
    assert!(!run("--nonsense").1.success());
}

/// What the engine may take beside `Hash`, as `protocol.md` says, in KiB.
#[cfg(target_os = "linux")]
const BESIDE_HASH: u64 = 16 << 10;

/// Positions in the middle of a game, with long series and no mate at once.
#[cfg(target_os = "linux")]
const MIDDLE: [&str; 2] = [
    "rn3b1B/ppp1pk1p/8/8/1P6/4P3/P1PPKPP1/7R b - b3 0 8",
    "r4b1B/1ppnpk1p/8/8/8/4P3/P2PKPq1/8 w - - 0 9",
];

#[test]
#[cfg(target_os = "linux")]
fn memory_stays_within_what_hash_allows() {
    for (hash, threads) in [(16, 1), (48, 2)] {
        let mut engine = Engine::start();
        // Changing the size must not hold both tables at once.
        engine.send(&format!("setoption name Hash value {}", hash * 3 / 4));
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send(&format!("setoption name Hash value {hash}"));
        for fen in MIDDLE {
            engine.send(&format!("position fen {fen}"));
            engine.send("go movetime 3000");
            let best = |line: &str| line.starts_with("bestmove ");
            assert!(
                engine
                    .line_until(stretched(Duration::from_secs(15)), best)
                    .is_some()
            );
        }
        let peak = engine.peak_memory();
        let allowed = hash * 1024 * 105 / 100 + BESIDE_HASH;
        assert!(
            (hash * 1024 / 3..=allowed).contains(&peak),
            "Hash {hash}, {threads} threads: {peak} KiB, {allowed} KiB are allowed"
        );
    }
}
