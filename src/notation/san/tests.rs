use super::*;
use crate::{
    notation::parse_fen,
    rules::{Preset, RuleSet},
};

fn position(preset: Preset, fen: &str) -> SeriesPosition {
    parse_fen(preset.rules(), fen).unwrap()
}

#[track_caller]
fn reads_as(position: &SeriesPosition, text: &str, expected: &str) {
    match parse_san(position, text) {
        Ok(m) => assert_eq!(san(position, m), expected, "{text}"),
        Err(error) => panic!("{text}: {error}"),
    }
}

#[track_caller]
fn fails(position: &SeriesPosition, text: &str, needle: &str) {
    let error = parse_san(position, text).unwrap_err();
    assert_eq!(error.text(), text);
    assert!(error.to_string().contains(needle), "{text}: {error}");
}

#[test]
fn spellings_of_ordinary_moves() {
    let start = SeriesPosition::start(RuleSet::default());
    for text in [
        "e4", "e2e4", "e2-e4", "Pe4", "Pe2-e4", "e4!", "e4??", "e4!?",
    ] {
        reads_as(&start, text, "e4");
    }
    for text in ["Nf3", "Ng1f3", "Ng1-f3", "g1f3", "Ngf3", "N1f3", "g1-f3"] {
        reads_as(&start, text, "Nf3");
    }
}

#[test]
fn malformed_texts() {
    let start = SeriesPosition::start(RuleSet::default());
    for text in [
        "", "e", "4", "e9", "Nf", "e4,", "e4/d4", "xe4", "Nf3-", "e4-", "-e4", "e4+++", "e4!!!",
        "e4e5e6", "O-O-", "nf3", "--", "0000", "Nf3#+", "é4", "e4=", "e-e4", "ee4=Q=Q", "N2-f3",
    ] {
        fails(&start, text, "is no move");
    }
    let long = "e".repeat(100_000);
    assert!(parse_san(&start, &long).unwrap_err().to_string().len() < 300);
}

#[test]
fn claims_must_be_true() {
    let start = SeriesPosition::start(RuleSet::default());
    fails(&start, "Nxf3", "nothing is captured: expected Nf3");
    fails(&start, "exe4", "nothing is captured");
    fails(&start, "e4+", "gives no check: expected e4");
    fails(&start, "e4e.p.", "no en passant capture");
    fails(&start, "Nf3(Ng8)", "no man comes back");
    let capture = position(Preset::Scottish, "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 3");
    reads_as(&capture, "exd5", "exd5");
    reads_as(&capture, "ed5", "exd5");
    reads_as(&capture, "e4xd5", "exd5");
    fails(&capture, "e4-d5", "a man is captured: expected exd5");
    fails(&capture, "d5", "white has no pawn there");
}

#[test]
fn en_passant_castling_and_promotion() {
    let ep = position(Preset::Italian, "4k3/8/8/8/1pP1P3/8/8/4K3 b - c3e3 0 4");
    for text in ["bxc3", "bxc3ep", "bxc3e.p.", "bc3", "b4c3", "b4xc3e.p."] {
        reads_as(&ep, text, "bxc3");
    }
    let castle = position(Preset::Italian, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 3");
    for text in ["O-O", "0-0", "o-o", "e1g1", "e1h1", "Ke1-g1", "O-O!"] {
        reads_as(&castle, text, "O-O");
    }
    for text in ["O-O-O", "0-0-0", "e1c1", "e1a1"] {
        reads_as(&castle, text, "O-O-O");
    }
    fails(&castle, "Kg1", "cannot go");
    let promotion = position(Preset::Scottish, "7k/P7/8/8/8/8/8/K7 w - - 0 3");
    for text in [
        "a8=Q", "a8Q", "a8(Q)", "a8/Q", "a8=Q+", "a7a8q", "a8=q", "a8=Q++",
    ] {
        reads_as(&promotion, text, "a8=Q+");
    }
    fails(&promotion, "a8", "promotion letter");
    fails(&promotion, "a8=K", "king");
    fails(&promotion, "a8=P", "is no move");
    let kings = position(Preset::FullCapture, "7k/P7/8/8/8/8/8/K7 w - - 0 3");
    reads_as(&kings, "a8=K", "a8=K");
}

#[test]
fn refusals_give_the_rules_reason() {
    let early = position(Preset::Italian, "7k/8/8/8/8/8/R7/K7 w - - 0 3");
    fails(&early, "Rh2", "only on the last move");
    let pinned = position(Preset::Italian, "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 3");
    fails(&pinned, "Nc3", "in check");
    fails(&pinned, "Bc3", "has no bishop");
    fails(&pinned, "O-O", "castling");
    fails(&pinned, "e4e5", "no man stands on e4");
}

#[test]
fn disambiguation_is_minimal_among_allowed_moves() {
    let knights = position(Preset::Italian, "7k/8/8/8/8/8/8/KN3N2 w - - 0 3");
    let texts: Vec<String> = knights
        .legal_moves()
        .iter()
        .map(|&m| san(&knights, m))
        .collect();
    assert!(texts.contains(&"Nbd2".to_owned()) && texts.contains(&"Nfd2".to_owned()));
    assert!(texts.contains(&"Ne3".to_owned()) && texts.contains(&"Nc3".to_owned()));
    fails(&knights, "Nd2", "ambiguous: expected one of Nb1d2, Nf1d2");
    // The knight on e2 may not discover a check yet, so the other one needs no letter.
    let shy = position(Preset::Italian, "4k3/8/8/8/8/1N6/4N3/K3R3 w - - 0 3");
    reads_as(&shy, "Nb3d4", "Nd4");
    let queens = position(Preset::Scottish, "8/6k1/8/Q2Q4/8/8/Q7/4K3 w - - 0 1");
    reads_as(&queens, "Qa5d2", "Qa5d2");
    reads_as(&queens, "Qd5d2", "Qdd2");
    reads_as(&queens, "Qa2d2", "Q2d2");
}

#[test]
fn marks_tell_what_the_series_game_makes_of_it() {
    let mate = "rnbqkb1r/pppp1ppp/5n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 3 left=1";
    reads_as(&position(Preset::Italian, mate), "Qxf7", "Qxf7#");
    let last_man = position(Preset::FullCapture, "7k/8/8/8/8/8/8/K6R w - - 0 3");
    reads_as(&last_man, "Rxh8", "Rxh8#");
    let check = position(Preset::FullCapture, "7k/7p/8/8/8/8/8/K6R w - - 0 3");
    reads_as(&check, "Rxh7", "Rxh7");
    fails(&check, "Rxh7+", "gives no check");
}

#[test]
fn circe_suffixes_are_checked() {
    let fen = "7k/8/8/8/3n4/1N6/8/K7 w - - 0 3";
    let circe = position(Preset::Circe, fen);
    reads_as(&circe, "Nxd4", "Nxd4");
    reads_as(&circe, "Nxd4(Nb8)", "Nxd4");
    fails(&circe, "Nxd4(Ng8)", "expected Nxd4(Nb8)");
    fails(
        &position(Preset::Italian, fen),
        "Nxd4(Nb8)",
        "no man comes back",
    );
    let pawn = position(Preset::Circe, "7k/8/8/8/3p4/1N6/8/K7 w - - 0 3");
    reads_as(&pawn, "Nxd4(d7)", "Nxd4");
    reads_as(&pawn, "Nxd4(Pd7)", "Nxd4");
}
