//! What a match does when all goes well: pairing, options, clocks, adjudication, reports.

#![allow(clippy::unwrap_used)]

mod matches_support;

use matches_support::{Bout, fake_engine};
use seriatim::{matches::ending::GameEnd, rules::Color};

const NODES: &str = "--each nodes=100";

fn lines_of(bout: &Bout, engine: &str, word: &str) -> Vec<String> {
    bout.log(engine)
        .into_iter()
        .map(|(_, _, line)| line)
        .filter(|line| line.starts_with(word))
        .collect()
}

#[test]
fn options_come_in_their_order_before_the_first_game() {
    let bout = Bout::new("options")
        .engine("A", " ; option.Seed=3 option.Hash=32 option.Hash=64")
        .engine("B", "")
        .flags(NODES)
        .flags("--max-turns 4")
        .flag(&["--variant", "scottish", "quiet-limit=8"]);
    let played = bout.play(5.0);
    assert_eq!(played.code, Some(0), "{}", played.text);
    let log: Vec<String> = bout.log("A").into_iter().map(|(_, _, line)| line).collect();
    // The first process is the probe.
    let second = log.iter().rposition(|line| line == "uci").unwrap();
    assert_eq!(
        log[second..second + 9],
        [
            "uci",
            "setoption name UCI_Variant value scottish",
            "setoption name QuietLimit value 8",
            "setoption name UCI_Chess960 value false",
            "setoption name Seed value 3",
            "setoption name Hash value 32",
            "setoption name Hash value 64",
            "ucinewgame",
            "isready",
        ]
    );
    // One process plays both games; at the second only the game is new.
    assert_eq!(
        log[second..].iter().filter(|line| *line == "uci").count(),
        1
    );
    assert_eq!(
        log[second..]
            .iter()
            .filter(|line| *line == "ucinewgame")
            .count(),
        2
    );
}

#[test]
fn each_engine_has_its_own_limits_and_go_says_what_the_clocks_say() {
    let bout = Bout::new("odds")
        .engine("A", " ; tc=2/1:1/0.5+0.25")
        .engine("B", " ; depth=7 nodes=500")
        .flags("--max-turns 8 --rounds 1");
    let played = bout.play(5.0);
    assert_eq!(played.code, Some(0), "{}", played.text);
    let goes = lines_of(&bout, "A", "go");
    // The second period's time is added when the first one is over, the increment belongs to it.
    assert!(
        goes[0].starts_with("go wtime 1000 winc 0 movestogo 2"),
        "{goes:?}"
    );
    assert!(goes[1].contains("winc 0 movestogo 1"), "{goes:?}");
    assert!(goes[2].contains("winc 250 movestogo 1"), "{goes:?}");
    // White's clock has lost what the journal says, and nothing else.
    let turns = &played.records[0].turns;
    let (first, second) = (turns[0].time.unwrap(), turns[2].time.unwrap());
    for (go, expected) in [
        (&goes[1], 1000.0 - first),
        (&goes[2], 1500.0 - first - second),
    ] {
        let shown: f64 = go.split(' ').nth(2).unwrap().parse().unwrap();
        assert!((shown - expected).abs() <= 1.0, "{go}: {expected}");
    }
    let other = lines_of(&bout, "B", "go");
    assert!(
        other[0].contains("wtime") && other[0].ends_with("nodes 500 depth 7"),
        "{other:?}"
    );
}

#[test]
fn infinite_search_is_stopped() {
    let bout = Bout::new("infinite")
        .engine("A", " ; infinite=100ms")
        .engine("B", "fault=silent ; nodes=1")
        .flags("--max-turns 4 --patience think=300ms stop=200ms");
    let played = bout.play(6.0);
    assert_eq!(played.code, Some(0), "{}", played.text);
    assert_eq!(lines_of(&bout, "A", "go")[0], "go infinite");
    // The scripted engine answers at once; one that doesn't is sent stop.
    let bout = Bout::new("infinite-stop")
        .engine("A", "")
        .engine("B", "fault=silent ; infinite=100ms")
        .flags("--each nodes=1 --max-turns 4 --patience stop=200ms");
    let played = bout.play(6.0);
    assert_eq!(
        played.terminations()[0],
        "abandoned: stall",
        "{}",
        played.text
    );
    assert_eq!(lines_of(&bout, "B", "stop").len(), 2);
}

#[test]
fn arguments_directory_and_environment_reach_the_engine_as_they_are() {
    let bout = Bout::new("surroundings");
    let place = bout.directory.join("a place");
    std::fs::create_dir(&place).unwrap();
    std::os::unix::fs::symlink(fake_engine(), place.join("an engine")).unwrap();
    // A program with a blank in its name, and a shell that notes how it was started and then becomes the engine.
    let script = format!(
        "arg=printf '%s|' \"$PWD\" \"$COLOUR\" \"$@\" > noted; exec '{}'",
        fake_engine().display()
    );
    let bout = bout
        .flag(&["--engine", "cmd=/bin/sh", "name=A", "arg=-c", &script])
        .flag(&["arg=shell", "arg=two words", "arg=", "arg=a=b"])
        .flag(&["env.COLOUR=dark  blue", &format!("dir={}", place.display())])
        .flag(&["--engine", "cmd=./a place/an engine", "name=B"])
        .flags(NODES)
        // More slots than games, of which only two are opened.
        .flags("--max-turns 4 --concurrency 14");
    let played = bout.play(5.0);
    assert_eq!(played.code, Some(0), "{}", played.text);
    let noted = std::fs::read_to_string(place.join("noted")).unwrap();
    assert_eq!(
        noted,
        format!("{}|dark  blue|two words||a=b|", place.display())
    );
}

#[test]
fn engines_are_pinned_before_they_run() {
    // It thinks long enough for the second slot to get its share of the games.
    let bout = Bout::new("pinning")
        .engine("A", "think=20000")
        .engine("B", "")
        .flags(NODES)
        .flags("--max-turns 4 --rounds 3 --concurrency 2 --cpus 0-1");
    let played = bout.play(5.0);
    assert_eq!(played.code, Some(0), "{}", played.text);
    let mut masks: Vec<String> = lines_of(&bout, "A", "start").split_off(1);
    // Two slots, no more and no fewer, each with an engine A of its own.
    masks.sort();
    assert_eq!(masks, ["start 0", "start 1"]);
}

#[test]
fn an_alternating_engine_plays_move_by_move() {
    let bout = Bout::new("alternating")
        .engine("A", "alternating=yes protocol= ; mode=alternating")
        .engine("B", "")
        .flags("--each tc=10 --max-turns 6");
    let played = bout.play(5.0);
    assert_eq!(played.code, Some(0), "{}", played.text);
    assert!(
        played
            .records
            .iter()
            .all(|record| record.end == GameEnd::TurnLimit),
        "{}",
        played.text
    );
    let positions = lines_of(&bout, "A", "position");
    assert!(positions[1].contains(" 0000 "), "{positions:?}");
    // As White it moves on turns 1, 3 and 5: nine moves; as Black on 2, 4 and 6: twelve.
    assert_eq!(lines_of(&bout, "A", "go").len(), 21);
    assert!(
        lines_of(&bout, "A", "setoption")
            .iter()
            .any(|line| line.ends_with("Turns value alternating"))
    );
}

#[test]
fn scores_adjudicate() {
    let play = |name: &str, a: &str, b: &str, flags: &str| {
        let bout = Bout::new(name)
            .engine("A", a)
            .engine("B", b)
            .flags(NODES)
            .flags(flags);
        let played = bout.play(5.0);
        assert_eq!(played.code, Some(0), "{}", played.text);
        let record = played.records[0].clone();
        (record.end.clone(), record.turns.len())
    };
    // White's third loss in a row is on turn 5.
    let lost = "scores=-900";
    let won = "scores=900";
    let resign = "--resign score=800 count=3 two-sided=off";
    let wins = |winner| GameEnd::Resignation {
        winner: Some(winner),
    };
    assert_eq!(
        play("resign-white", lost, "", resign),
        (wins(Color::Black), 5)
    );
    assert_eq!(
        play("resign-black", "", lost, resign),
        (wins(Color::White), 6)
    );
    // Two-sided: the winner's third score comes on turn 6.
    let both = "--resign score=800 count=3";
    assert_eq!(
        play("resign-both", lost, won, both),
        (wins(Color::Black), 6)
    );
    let (end, _) = play("resign-alone", lost, "", &format!("{both} --max-turns 9"));
    assert_eq!(end, GameEnd::TurnLimit);
    let level = "scores=5";
    let draw = "--draw from=3 count=2 score=5";
    assert_eq!(
        play("draw", level, level, draw),
        (GameEnd::DrawAdjudication, 6)
    );
    // Mates count as scores; a turn without one breaks the run.
    assert_eq!(
        play("resign-mate", "scores=M-1", "", resign),
        (wins(Color::Black), 5)
    );
    assert_eq!(
        play("resign-gap", "scores=-900,-,-900", "", resign),
        (wins(Color::Black), 9)
    );
}

#[test]
fn a_mate_that_our_solver_proves_ends_the_game() {
    let bout = Bout::new("proven-mate")
        .engine("A", "")
        .engine("B", "")
        .flags(NODES)
        .flags("--mate-nodes 10000");
    let book = bout.file("book.epd", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\n");
    let played = bout
        .flag(&["--openings", &format!("file={book}")])
        .play(5.0);
    assert_eq!(
        played.records[0].end,
        GameEnd::ProvenMate {
            winner: Some(Color::White)
        }
    );
    assert!(played.records[0].turns.is_empty());
}

#[test]
fn a_test_stops_the_match_when_it_is_decided() {
    let bout = Bout::new("sprt")
        .engine("A", "")
        .engine("B", "fault=illegal")
        .engine_is_restarted()
        .flags(NODES)
        .flags("--sprt elo0=0 elo1=50 model=logistic --concurrency 2");
    let played = bout.play(20.0);
    assert_eq!(played.code, Some(0), "{}", played.text);
    assert!(played.text.contains("H1 accepted"), "{}", played.text);
    assert!(played.records.len() < 1000);
    let picture = bout.result("progress.svg");
    assert!(picture.contains("LLR, logistic [0, 50]") && picture.trim_end().ends_with("</svg>"));
}

#[test]
fn many_engines_meet_as_the_format_says() {
    for (format, pairs) in [("round-robin", 6), ("gauntlet", 3)] {
        let bout = Bout::new(&format!("format-{format}"))
            .engine("A", "")
            .engine("A", "seed=1")
            .engine("C", "seed=2")
            .engine("D", "seed=3 fault=short at=3")
            .flags(NODES)
            .flags(&format!(
                "--format {format} --rounds 2 --max-turns 8 --concurrency 3"
            ))
            .flag(&["--variant", "italian", "--variant", "scottish", "chess960"]);
        let played = bout.play(20.0);
        assert_eq!(played.code, Some(0), "{}", played.text);
        assert_eq!(played.records.len(), pairs * 2 * 2 * 2);
        assert!(
            played.text.contains("A (2)") && played.text.contains("rating"),
            "{}",
            played.text
        );
        let report: serde_json::Value = serde_json::from_str(&bout.result("report.json")).unwrap();
        assert_eq!(report["outcome"], "complete");
        assert_eq!(report["pairings"].as_array().unwrap().len(), pairs);
        assert_eq!(report["variants"].as_array().unwrap().len(), 2 * pairs);
        assert!(report["engines"][0]["rating"].is_number());
        let picture = bout.result("ratings.svg");
        assert!(picture.contains("A (2)") && picture.trim_end().ends_with("</svg>"));
        // Random arrays: the same within a pair, not the same in all.
        let mut arrays: Vec<_> = played
            .records
            .iter()
            .filter(|record| record.variant == 1)
            .map(|record| (record.round, record.fen.clone()))
            .collect();
        arrays.sort();
        arrays.dedup();
        assert_eq!(arrays.len(), 2);
    }
}

#[test]
fn all_reports_agree_and_none_says_nan() {
    let bout = Bout::with_fault(
        "reports",
        "fault=late delay=80 at=3",
        "tc=0.05+0.01 margin=0",
    )
    .flags("--rounds 4 --max-turns 8 --output json");
    let played = bout.play(20.0);
    assert_eq!(played.code, Some(0), "{}", played.text);
    let events: Vec<serde_json::Value> = played
        .text
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(events.first().unwrap()["event"], "begin");
    assert_eq!(
        events
            .iter()
            .filter(|event| event["event"] == "game")
            .count(),
        8
    );
    let summary = &events.last().unwrap()["summary"];
    assert_eq!(summary["games"], 8);
    let losses = played
        .records
        .iter()
        .filter(|record| record.end.name() == "time forfeit")
        .count();
    assert_eq!(summary["engines"][1]["time-losses"], losses);
    for counted in ["ends", "lengths"] {
        let rows = summary[counted].as_array().unwrap();
        let games: u64 = rows.iter().map(|row| row["games"].as_u64().unwrap()).sum();
        assert_eq!(games, 8, "{counted}");
    }
    let nodes: u64 = played
        .records
        .iter()
        .flat_map(|record| &record.turns)
        .filter_map(|turn| turn.nodes)
        .sum();
    let counted = |index: usize| summary["engines"][index]["nodes"].as_u64().unwrap();
    assert_eq!(counted(0) + counted(1), nodes);
    assert!(
        summary["engines"][0]["nps"].is_number() && summary["engines"][0]["mean-lag"].is_number()
    );
    let games = bout.result("games.csv");
    assert_eq!(games.lines().count(), 9);
    assert_eq!(games.matches("time forfeit").count(), losses);
    assert_eq!(bout.result("engines.csv").lines().count(), 3);
    assert_eq!(bout.result("pairings.csv").lines().count(), 2);
    for name in [
        "report.txt",
        "report.json",
        "pairings.csv",
        "engines.csv",
        "games.csv",
        "progress.svg",
    ] {
        let text = bout.result(name);
        assert!(
            !text.contains("NaN") && !text.contains("inf"),
            "{name}: {text}"
        );
    }
    // The same reports again from the journal alone.
    let before = bout.result("report.json");
    let again = bout.command_with(&["report", "out"]).output().unwrap();
    assert_eq!(again.status.code(), Some(0));
    assert_eq!(bout.result("report.json"), before);
}

#[test]
fn the_daemon_passes_the_protocol_check_and_a_faulty_engine_does_not() {
    let bout = Bout::new("check");
    let check = |engine: &str, script: &[&str]| {
        let mut words = vec!["check", engine];
        words.extend(script);
        let output = bout.command_with(&words).output().unwrap();
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let (code, text) = check(env!("CARGO_BIN_EXE_seriatim"), &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("nothing against the protocol"), "{text}");
    let fake = fake_engine().display().to_string();
    let (code, text) = check(&fake, &["--", "fault=illegal"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(
        text.contains("FAIL") && text.contains("a1a8") && text.contains("see protocol.md"),
        "{text}"
    );
    let (code, text) = check(&fake, &["--", "fault=exit-at-start"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(
        text.contains("status 7") && text.contains("left out"),
        "{text}"
    );
    let (code, _) = check("/no/such/engine", &[]);
    assert_eq!(code, Some(2));
}
