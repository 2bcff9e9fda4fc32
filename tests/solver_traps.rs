//! One position for each trap that a bound or a generator of last moves can fall into: the only
//! series that wins, found by trying everything, or none where something small prevents it.
#![allow(missing_docs, clippy::unwrap_used)]

use seriatim::{
    notation::{CastlingText, parse_fen, uci_text},
    rules::Preset,
    solver::{Answer, Limits, MateCount, Solver},
};

#[track_caller]
fn assert_only(preset: Preset, fen: &str, series: &str) -> MateCount {
    let position = parse_fen(preset.rules(), fen).unwrap();
    let mut solver = Solver::new(1, 1);
    let text = |series: &[seriatim::rules::Move]| {
        let moves: Vec<_> = series
            .iter()
            .map(|&m| uci_text(m, CastlingText::KingMove))
            .collect();
        moves.join(" ")
    };
    let answer = solver.first_mate(&position, &Limits::default()).answer;
    assert_eq!(answer.series().map(text).as_deref(), Some(series), "{fen}");
    let report = solver.count_mates(&position, 10, &Limits::default());
    assert_eq!(report.listed.len(), 1, "{fen}");
    report.count.unwrap()
}

#[track_caller]
fn assert_none(preset: Preset, fen: &str) {
    let position = parse_fen(preset.rules(), fen).unwrap();
    let answer = Solver::new(1, 1)
        .first_mate(&position, &Limits::default())
        .answer;
    assert_eq!(answer, Answer::NoMate, "{fen}");
}

#[test]
fn en_passant_opens_two_lines_at_once() {
    let fen = "3rkr2/5p2/8/2NpP3/8/8/8/4R1K1 w - d6 0 1";
    assert_only(Preset::Italian, fen, "e5d6");
    // Without the right there is no mate.
    assert_none(Preset::Italian, "3rkr2/5p2/8/2NpP3/8/8/8/4R1K1 w - - 0 1");
}

#[test]
fn the_enemy_takes_a_checking_pawn_in_passing() {
    // The pawn would mate if none stood beside it.
    assert_none(Preset::Italian, "6R1/8/R7/7k/7p/8/6P1/6K1 w - - 0 1");
    let fen = "6R1/8/R7/7k/7b/8/6P1/6K1 w - - 0 1";
    assert_only(Preset::Italian, fen, "g2g4");
}

#[test]
fn castling_moves_two_men_at_once() {
    let fen = "8/5R2/3P4/3P2r1/2p1p3/4k3/8/R3K2R w KQ - 0 2";
    assert_only(Preset::Italian, fen, "e1c1 h1e1");
    assert_only(
        Preset::Scottish,
        "r3k1KR/8/8/3r2p1/5n2/8/6r1/7Q b q - 0 2",
        "d5d7 e8c8",
    );
}

#[test]
fn the_enemy_may_not_answer_with_a_check() {
    let fen = "8/7q/7p/8/8/2k2KNQ/q7/3R4 b - - 0 2";
    let count = assert_only(Preset::Italian, fen, "a2c2 h7e4");
    assert_eq!((count.wins, count.progressive), (0, 1));
    // Where it may, it does.
    let scottish = parse_fen(Preset::Scottish.rules(), fen).unwrap();
    let report = Solver::new(1, 1).count_mates(&scottish, 10, &Limits::default());
    assert_eq!(report.count.unwrap().progressive, 0);
}

#[test]
fn a_pawn_becomes_less_than_a_queen() {
    // To a knight, which goes on; to a rook or bishop, since a queen would check too early.
    assert_only(
        Preset::Italian,
        "1k6/8/8/8/6r1/4p3/2p5/R3K3 b Q - 0 2",
        "c2c1n g4g1",
    );
    assert_only(
        Preset::Italian,
        "8/8/K1k4n/2p5/7p/7p/5p2/8 b - - 0 2",
        "f2f1r f1a1",
    );
    assert_only(
        Preset::Scottish,
        "Q2qk3/1N4P1/8/8/8/4K3/8/8 w - - 0 2",
        "g7g8b a8d8",
    );
    assert_only(
        Preset::Logical,
        "8/8/8/Q2Q4/p7/8/2k3pp/3RK3 b - - 0 3",
        "h2h1n h1g3 g2g1q",
    );
}

#[test]
fn no_move_without_a_check_is_no_mate() {
    // The queen next to the cornered king mates with its own king's help, not from afar.
    assert_only(Preset::Italian, "8/8/8/8/8/2K5/3Q4/k7 w - - 0 1", "d2b2");
    // Every last move of the queen that leaves no flight gives stalemate.
    assert_none(Preset::Italian, "8/8/8/8/8/8/3Q4/k6K w - - 0 1");
}
