//! Every way in which an engine can fail has its own ending, and none holds the match up.

#![allow(clippy::unwrap_used)]

mod matches_support;

use matches_support::{Bout, Played};
use seriatim::matches::ending::Fault;

const QUICK: &str = "tc=1+0.1 margin=50ms";
const NODES: &str = "nodes=100";

/// Plays a pair in which B fails at its first `go` of each game that it starts, and checks how the
/// first game ended.
#[track_caller]
fn fails(name: &str, script: &str, each: &str, termination: &str, needles: &[&str]) -> Played {
    let bout = Bout::with_fault(name, script, each).flags("--max-turns 6 --failure-limit 9");
    let played = bout.play(6.0);
    assert_eq!(played.code, Some(0), "{}", played.text);
    assert_eq!(played.records.len(), 2, "{}", played.text);
    assert_eq!(played.terminations()[0], termination, "{}", played.text);
    let record = &played.records[0];
    assert_eq!(record.engines, [0, 1]);
    assert_eq!(record.end.result(), "1-0");
    // Nothing of the failed series is applied.
    assert_eq!(record.turns.len(), 1);
    for needle in needles {
        assert!(
            played.description(0).contains(needle),
            "{}",
            played.description(0)
        );
    }
    let pgn = bout.result("games.pgn");
    assert!(
        pgn.contains(&format!("[Termination \"{termination}\"]")),
        "{pgn}"
    );
    played
}

/// Plays a pair in which B behaves oddly, and checks that the odd behaviour decides nothing.
#[track_caller]
fn is_tolerated(name: &str, script: &str, each: &str) -> Played {
    let played = Bout::with_fault(name, script, each)
        .flags("--max-turns 6")
        .play(6.0);
    assert_eq!(played.code, Some(0), "{}", played.text);
    for record in &played.records {
        assert_eq!(record.end.fault(), None, "{}", played.text);
        assert!(record.turns.len() >= 4, "{}", played.text);
    }
    assert_eq!(played.records.len(), 2);
    played
}

#[test]
fn answers_that_are_no_legal_series() {
    let cases: &[(&str, &str, &str)] = &[
        ("illegal", "rules infraction: illegal move", "move 1 'a1a8'"),
        (
            "illegal-second",
            "rules infraction: illegal move",
            "move 2 'a1a8'",
        ),
        ("upper-case", "rules infraction: malformed answer", "word 1"),
        ("commas", "rules infraction: malformed answer", "is no move"),
        ("none-move", "rules infraction: no move", "(none)"),
        ("null-move", "rules infraction: no move", "0000"),
        ("empty", "rules infraction: no move", "''"),
        (
            "short",
            "rules infraction: series too short",
            "1 more are due",
        ),
        (
            "long",
            "rules infraction: series too long",
            "complete after 2",
        ),
    ];
    for (fault, termination, needle) in cases {
        fails(
            &format!("answer-{fault}"),
            &format!("fault={fault}"),
            QUICK,
            termination,
            &[needle],
        );
    }
}

#[test]
fn a_check_before_the_last_move_of_an_italian_series() {
    let bout = Bout::new("early-check")
        .engine("A", "")
        .engine("B", "line=e2e1_e1e2_e2e3_e3e4")
        .flags(&format!("--each {QUICK} --max-turns 6"));
    let book = bout.file("book.epd", "4k3/8/8/8/8/8/4r3/K7 b - - 0 4\n");
    let played = bout
        .flag(&["--openings", &format!("file={book}")])
        .play(6.0);
    assert_eq!(
        played.terminations()[0],
        "rules infraction: illegal move",
        "{}",
        played.text
    );
    assert!(
        played.description(0).contains("only on the last move"),
        "{}",
        played.text
    );
}

#[test]
fn a_late_answer_forfeits_with_the_true_overrun() {
    for (name, delay, each, budget) in [
        ("late", 1500, QUICK, 1000),
        // Even if it is only a little later than the margin.
        ("late-little", 1080, QUICK, 1000),
        // The same with a fixed time for each series.
        ("late-fixed", 450, "movetime=300ms margin=50ms", 300),
        // The time of the next period comes too late.
        ("late-period", 450, "tc=1/0.3:1/5 margin=50ms", 300),
    ] {
        let script = format!("fault=late delay={delay}");
        let each = format!("{each} --patience stop=5s");
        let played = fails(name, &script, &each, "time forfeit", &["too late"]);
        let Some(Fault::TimeForfeit {
            overrun: Some(overrun),
            ..
        }) = played.records[0].end.fault()
        else {
            panic!("{}", played.text);
        };
        // A busy machine may wake the engine later still, but not after the end of the game.
        let least = f64::from(delay - budget);
        let most = played.records[0].duration - f64::from(budget);
        assert!((least..=most).contains(overrun), "{name}: {overrun}");
    }
}

#[test]
fn an_answer_inside_the_margin_is_in_time() {
    is_tolerated(
        "inside-margin",
        "fault=late delay=320",
        "movetime=300ms margin=2s",
    );
}

#[test]
fn an_alternating_engine_fails_in_the_same_ways() {
    // Black's series on turn 2 has two moves, the second of which decides.
    for (fault, termination, needle) in [
        ("illegal", "rules infraction: illegal move", "move 2 'a1a8'"),
        ("none-move", "rules infraction: no move", "(none)"),
        ("late delay=1500", "time forfeit", "too late"),
        ("abort", "abandoned: crash", "SIGABRT"),
    ] {
        let script = format!("alternating=yes protocol= at=2 fault={fault} ; mode=alternating");
        let name = format!("alternating-{}", fault.split(' ').next().unwrap());
        fails(&name, &script, QUICK, termination, &[needle]);
    }
}

#[test]
fn silence_forfeits_on_time_and_the_match_goes_on() {
    for fault in ["silent", "dead", "talkative", "no-newline"] {
        fails(
            &format!("clock-{fault}"),
            &format!("fault={fault}"),
            QUICK,
            "time forfeit",
            &["no answer"],
        );
    }
}

#[test]
fn silence_without_a_clock_is_a_stall() {
    let patience = format!("{NODES} --patience think=500ms stop=100ms");
    for fault in ["silent", "dead", "no-newline"] {
        fails(
            &format!("nodes-{fault}"),
            &format!("fault={fault}"),
            &patience,
            "abandoned: stall",
            &["0.5 s"],
        );
    }
}

#[test]
fn crashes_tell_status_signal_and_last_words() {
    fails(
        "exit",
        "fault=exit",
        QUICK,
        "abandoned: crash",
        &["exited with status 3", "last word"],
    );
    fails(
        "abort",
        "fault=abort",
        QUICK,
        "abandoned: crash",
        &["SIGABRT"],
    );
    fails(
        "abort-nodes",
        "fault=abort",
        NODES,
        "abandoned: crash",
        &["SIGABRT"],
    );
    fails(
        "half-and-abort",
        "fault=half-and-abort",
        QUICK,
        "abandoned: crash",
        &["SIGABRT"],
    );
}

#[test]
fn an_answer_before_the_end_counts() {
    let bout =
        Bout::with_fault("answer-and-exit", "fault=answer-and-exit", QUICK).flags("--max-turns 6");
    let played = bout.play(6.0);
    let record = &played.records[0];
    assert_eq!(record.turns.len(), 3, "{}", played.text);
    assert_eq!(record.end.termination(), "abandoned: crash");
    assert!(played.description(0).contains("exited with status 0"));
}

#[test]
fn a_flood_is_cut_off() {
    let each = format!("{NODES} --flood-limit 1000000");
    fails(
        "flood",
        "fault=flood",
        &each,
        "abandoned: protocol flood",
        &["1000000 bytes"],
    );
    fails(
        "flood-clock",
        "fault=flood",
        "tc=0.5 --flood-limit 100000000000",
        "time forfeit",
        &["no answer"],
    );
}

#[test]
fn odd_lines_decide_nothing() {
    for fault in ["crlf", "junk", "double", "long-line"] {
        is_tolerated(
            &format!("odd-{fault}"),
            &format!("fault={fault}"),
            "tc=5+0.1",
        );
    }
    let played = is_tolerated("odd-double-later", "fault=double-later", "tc=5+0.1");
    // The opponent answers at once, so the second answer comes while A or B is on turn again.
    assert_eq!(played.records.len(), 2);
}

#[test]
fn the_greatest_numbers_an_engine_can_say_decide_nothing() {
    let numbers =
        "scores=M-2147483648,-2147483648,M2147483647,99999999999 nodes=18446744073709551615";
    // Reports and PGN are written from the journal, so they prove that it reads back.
    is_tolerated("odd-numbers", numbers, NODES);
    let alternating = format!("{numbers} alternating=yes protocol= ; mode=alternating");
    is_tolerated("odd-numbers-alternating", &alternating, NODES);
}

#[test]
fn an_illegal_answer_repeated_is_judged_soon() {
    for (name, each) in [("clock", "tc=30+0"), ("nodes", NODES)] {
        // A answers every go alike; its first answer is legal, its second is not.
        let bout = Bout::new(&format!("same-answer-{name}"))
            .engine("A", "line=e2e4/x/e2e4")
            .engine("B", "")
            .flags(&format!("--each {each} --max-turns 6"));
        let played = bout.play(8.0);
        assert_eq!(
            played.terminations()[0],
            "rules infraction: illegal move",
            "{}",
            played.text
        );
        assert!(
            played.description(0).contains("move 1 'e2e4'"),
            "{}",
            played.text
        );
        assert_eq!(played.records[0].turns.len(), 2, "{}", played.text);
    }
}

#[test]
fn a_double_before_a_long_thought_decides_nothing() {
    // The wait for the true answer is longer than the runner's first patience with a repeat.
    is_tolerated(
        "double-think",
        "fault=double-later think=300000",
        "tc=5+0.1",
    );
}

#[test]
fn engines_that_do_not_start_are_named_before_the_first_game() {
    for (name, script, needles) in [
        (
            "start-exit",
            "fault=exit-at-start",
            &["engine B", "status 7", "cannot find my network"][..],
        ),
        ("start-mute", "fault=mute-at-start", &["engine B", "uciok"]),
        (
            "start-variant",
            "variants=chess,scottish",
            &["engine B", "'italian'", "scottish"],
        ),
        ("start-protocol", "protocol=2", &["engine B", "version '2'"]),
        (
            "start-foreign",
            "protocol=",
            &["engine B", "mode=alternating"],
        ),
        (
            "start-ready",
            "fault=mute-at-ready",
            &["engine B", "readyok"],
        ),
    ] {
        let bout = Bout::with_fault(name, script, QUICK).flags("--patience start=1s ready=1s");
        let played = bout.play(5.0);
        assert_eq!(played.code, Some(3), "{name}: {}", played.text);
        for needle in needles {
            assert!(played.text.contains(needle), "{name}: {}", played.text);
        }
        assert!(played.records.is_empty());
    }
    // Standard output is left to results.
    let bout = Bout::with_fault(
        "start-output",
        "fault=exit-at-start",
        "nodes=1 --output json",
    );
    let output = bout.command().output().unwrap();
    assert!(output.stdout.is_empty() && !output.stderr.is_empty());
}

#[test]
fn options_an_engine_does_not_take_are_named_before_the_first_game() {
    for (name, script, option, needles) in [
        (
            "spin",
            "",
            "Hash=4096",
            &["engine B", "option Hash", "'4096'", "from 1 to 1024"][..],
        ),
        (
            "word",
            "",
            "hash=much",
            &["option Hash", "'much'", "number"],
        ),
        (
            "combo",
            "",
            "Turns=both",
            &["option Turns", "series, alternating"],
        ),
        (
            "check",
            "",
            "UCI_Chess960=1",
            &["UCI_Chess960", "true or false"],
        ),
        ("unknown", "", "Hsah=16", &["engine B", "'Hsah'", "Hash, "]),
        (
            "refused",
            "refuse=Seed",
            "Seed=3",
            &[
                "engine B",
                "refuses",
                "error: option Seed does not take '3'",
            ],
        ),
    ] {
        let script = format!("{script} ; option.{option}");
        let played = Bout::with_fault(&format!("option-{name}"), &script, NODES).play(5.0);
        assert_eq!(played.code, Some(3), "{name}: {}", played.text);
        for needle in needles {
            assert!(played.text.contains(needle), "{name}: {}", played.text);
        }
        assert!(played.records.is_empty());
    }
    // What only the second variant sets is tried too.
    let played = Bout::with_fault("option-second", "refuse=QuietLimit", NODES)
        .flags("--variant italian --variant scottish quiet-limit=8")
        .play(5.0);
    assert_eq!(played.code, Some(3), "{}", played.text);
    assert!(
        played.text.contains("option QuietLimit does not take '8'"),
        "{}",
        played.text
    );
    assert!(played.records.is_empty());
}

#[test]
fn a_slow_start_is_no_fault() {
    is_tolerated("slow-start", "fault=slow-start delay=700", QUICK);
}

#[test]
fn an_engine_that_fails_before_its_game_begins_is_started_anew() {
    // The probe sees the first isready; in the match each process survives its first game.
    for fault in ["exit-at-ready", "mute-at-ready"] {
        let bout = Bout::with_fault(
            &format!("again-{fault}"),
            &format!("fault={fault} at=2"),
            QUICK,
        )
        .flags("--max-turns 6 --rounds 2 --patience ready=1s");
        let played = bout.play(6.0);
        assert_eq!(played.code, Some(0), "{}", played.text);
        assert_eq!(played.records.len(), 4);
        assert!(
            played
                .records
                .iter()
                .all(|record| record.end.fault().is_none()),
            "{}",
            played.text
        );
    }
}

#[test]
fn nobody_is_left_behind() {
    // `play` checks that no process of the match is alive at its end.
    for fault in ["ignore-quit", "ignore-all", "child"] {
        is_tolerated(&format!("left-{fault}"), &format!("fault={fault}"), QUICK);
    }
}

#[test]
fn repeated_failures_stop_the_match() {
    let bout = Bout::with_fault("failure-limit", "fault=abort", QUICK)
        .flags("--max-turns 6 --rounds 20 --failure-limit 3");
    let played = bout.play(10.0);
    assert_eq!(played.code, Some(3), "{}", played.text);
    assert_eq!(played.records.len(), 3);
    assert!(
        played.text.contains("3 games in a row") && played.text.contains("resume"),
        "{}",
        played.text
    );
    let bout = Bout::with_fault("recover-stop", "fault=abort", QUICK)
        .flags("--max-turns 6 --rounds 20 --recover stop");
    let played = bout.play(10.0);
    assert_eq!(
        (played.code, played.records.len()),
        (Some(3), 1),
        "{}",
        played.text
    );
}
