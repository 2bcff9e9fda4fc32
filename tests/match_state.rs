//! Journal, resumption, interruption, and what a match writes.

#![allow(clippy::unwrap_used)]

mod matches_support;

use std::{
    io::Write,
    process::Child,
    thread::sleep,
    time::{Duration, Instant},
};

use matches_support::Bout;
use rustix::process::{Pid, Signal, kill_process};
use seriatim::{matches::record::GameRecord, notation::PgnReader, rules::RuleSet};

const NODES: &str = "--each nodes=100 --max-turns 6";

/// Sends a signal without starting a program, which takes its time on a busy machine.
fn signal(child: &Child, signal: Signal) {
    let process = Pid::from_raw(child.id() as i32).unwrap();
    kill_process(process, signal).unwrap();
}

/// Number, engines, opening, moves and end of a game.
type Essence = (u64, [usize; 2], u64, Vec<String>, String);

/// What is decided by configuration and seed: everything but the times.
fn essence(records: &[GameRecord]) -> Vec<Essence> {
    let mut games: Vec<_> = records
        .iter()
        .map(|record| {
            let moves = record.turns.iter().map(|turn| turn.moves.clone()).collect();
            (
                record.game.0,
                record.engines,
                record.opening,
                moves,
                record.end.describe(["w", "b"]),
            )
        })
        .collect();
    games.sort();
    games
}

fn wait_for(condition: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < until, "waited in vain");
        sleep(Duration::from_millis(5));
    }
}

fn wait_for_games(bout: &Bout, games: usize) {
    wait_for(|| bout.records().len() >= games);
}

/// How many lines that begin with a word an engine has read.
fn lines(bout: &Bout, engine: &str, word: &str) -> usize {
    let log = bout.log(engine);
    log.iter()
        .filter(|(_, _, line)| line.starts_with(word))
        .count()
}

const BOOK: &str = "e2e4\nd2d4\nc2c4 e7e5 g8f6\ng1f3\nb1c3\n";

/// A match of 24 games that depends on the seed in every way it can.
fn seeded(name: &str, flags: &str) -> Bout {
    let bout = Bout::new(name)
        .engine("A", " ; option.Seed={seed}")
        .engine("B", "think=2000 ; option.Seed={seed}")
        .flags(NODES)
        .flags("--seed 7 --rounds 12")
        .flags(flags);
    let book = bout.file("book.txt", BOOK);
    bout.flag(&[
        "--openings",
        &format!("file={book}"),
        "order=random",
        "start=9",
    ])
}

#[test]
fn the_same_seed_gives_the_same_games_whatever_the_concurrency() {
    let one = seeded("seed-one", "").play(20.0);
    let four = seeded("seed-four", "--concurrency 4").play(20.0);
    assert_eq!(one.code, Some(0), "{}", one.text);
    assert_eq!(one.records.len(), 24);
    assert_eq!(essence(&one.records), essence(&four.records));
    // The pairs share their openings, and the book wraps round in shuffled order.
    for pair in essence(&one.records).chunks(2) {
        assert_eq!(pair[0].2, pair[1].2);
        assert_eq!(pair[0].1, [pair[1].1[1], pair[1].1[0]]);
    }
    let other = Bout::new("seed-other")
        .engine("A", "")
        .engine("B", "")
        .flags(NODES)
        .play(10.0);
    assert_ne!(essence(&one.records)[0].3, essence(&other.records)[0].3);
}

#[test]
fn a_match_killed_at_any_moment_goes_on_as_if_nothing_had_happened() {
    let whole = essence(&seeded("kill-never", "").play(20.0).records);
    let bout = seeded("kill-often", "--concurrency 2");
    let mut child = bout.command().spawn().unwrap();
    for games in [1, 5, 11] {
        wait_for_games(&bout, games);
        // SIGKILL: no chance to tidy up. The engines go with their runner.
        child.kill().unwrap();
        child.wait().unwrap();
        bout.assert_nobody_left();
        // A line cut in the middle is what a crash while writing leaves.
        let path = bout.directory.join("out/journal.jsonl");
        let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
        file.write_all(b"{\"game\":23,\"round\":").unwrap();
        child = bout.command_with(&["resume", "out"]).spawn().unwrap();
    }
    let played = bout.finish(child, 20.0);
    assert_eq!(played.code, Some(0), "{}", played.text);
    assert_eq!(essence(&played.records), whole);
    // The numbers are those of an uninterrupted match, and the games are all in the PGN, once.
    assert!(played.text.contains("24 games"), "{}", played.text);
    let pgn = bout.result("games.pgn");
    assert_eq!(pgn.matches("[Event ").count(), 24);
    // A complete match has nothing left to play.
    let again = bout.resume(5.0);
    assert_eq!(
        (again.code, again.records.len()),
        (Some(0), 24),
        "{}",
        again.text
    );
}

#[test]
fn the_first_signal_ends_a_match_within_about_a_second() {
    for (name, number) in [
        ("INT", Signal::INT),
        ("TERM", Signal::TERM),
        ("HUP", Signal::HUP),
    ] {
        let bout = Bout::new(&format!("signal-{name}"))
            .engine("A", "")
            .engine("B", "fault=dead at=20")
            .flags("--each tc=60 --max-turns 8 --rounds 100");
        let child = bout.command().spawn().unwrap();
        wait_for_games(&bout, 4);
        sleep(Duration::from_millis(100));
        signal(&child, number);
        let played = bout.finish(child, 2.0);
        assert_eq!(played.code, Some(130), "{}", played.text);
        assert!(
            played.text.contains("resume out") || played.text.contains("seriatim-match resume")
        );
        assert!(played.records.len() >= 4);
        assert!(bout.result("report.txt").contains("interrupted"));
    }
}

#[test]
fn the_second_signal_ends_it_at_once() {
    let bout = Bout::new("signal-twice")
        .engine("A", "fault=ignore-all think=300000")
        .engine("B", "fault=ignore-all")
        .flags("--each tc=60 --max-turns 8 --rounds 1000");
    let child = bout.command().spawn().unwrap();
    // Before a game there is nobody to wait for, so the first signal alone would end it at once.
    wait_for(|| lines(&bout, "A", "go") > 0);
    let dismissed = lines(&bout, "B", "quit");
    signal(&child, Signal::INT);
    // Two signals that come before the first is obeyed are one.
    wait_for(|| lines(&bout, "B", "quit") > dismissed);
    signal(&child, Signal::INT);
    let played = bout.finish(child, 0.5);
    assert_eq!(played.code, Some(130), "{}", played.text);
    // It did not wait for the engines, which end at nothing, to write the reports after them.
    assert!(!bout.directory.join("out/report.txt").exists());
}

#[test]
fn a_signal_during_the_start_ends_it_too() {
    let bout = Bout::new("signal-start")
        .engine("A", "")
        .engine("B", "fault=mute-at-start")
        .flags(NODES);
    let child = bout.command().spawn().unwrap();
    sleep(Duration::from_millis(300));
    signal(&child, Signal::INT);
    let played = bout.finish(child, 1.0);
    assert_eq!(played.code, Some(130), "{}", played.text);
}

#[test]
fn a_closed_output_does_not_end_a_match() {
    let bout = Bout::new("closed-output")
        .engine("A", "")
        .engine("B", "think=500")
        .flags(NODES)
        .flags("--rounds 10");
    let mut child = bout.command().spawn().unwrap();
    drop(child.stdout.take());
    drop(child.stderr.take());
    let played = bout.finish(child, 10.0);
    assert_eq!((played.code, played.records.len()), (Some(0), 20));
}

#[test]
fn a_pause_starts_no_game_and_ends_again() {
    let bout = Bout::new("pause")
        .engine("A", "")
        .engine("B", "think=3000")
        .flags(NODES)
        .flags("--rounds 20");
    let child = bout.command().spawn().unwrap();
    wait_for_games(&bout, 2);
    signal(&child, Signal::USR1);
    sleep(Duration::from_millis(200));
    let paused = bout.records().len();
    sleep(Duration::from_millis(300));
    assert_eq!(bout.records().len(), paused);
    signal(&child, Signal::USR1);
    let played = bout.finish(child, 20.0);
    assert_eq!(
        (played.code, played.records.len()),
        (Some(0), 40),
        "{}",
        played.text
    );
    assert!(played.text.contains("paused"), "{}", played.text);
}

#[test]
fn a_journal_is_nobody_elses() {
    let bout = Bout::new("locked")
        .engine("A", "")
        .engine("B", "think=5000")
        .flags(NODES)
        .flags("--rounds 400");
    let child = bout.command().spawn().unwrap();
    wait_for_games(&bout, 1);
    let second = bout.command_with(&["resume", "out"]).output().unwrap();
    assert_eq!(second.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&second.stderr).contains("in use"));
    signal(&child, Signal::INT);
    bout.finish(child, 2.0);
    // A new match does not overwrite it.
    let new = bout.command().output().unwrap();
    assert_eq!(new.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&new.stderr).contains("resume"));
}

#[test]
fn a_changed_book_is_noticed_on_resumption() {
    let bout = seeded("changed-book", "");
    let child = bout.command().spawn().unwrap();
    wait_for_games(&bout, 2);
    signal(&child, Signal::INT);
    bout.finish(child, 2.0);
    bout.file("book.txt", &BOOK.replace("d2d4", "d2d3"));
    let resumed = bout.resume(5.0);
    assert_eq!(resumed.code, Some(2));
    assert!(
        resumed.text.contains("openings have changed"),
        "{}",
        resumed.text
    );
}

#[test]
fn the_written_configuration_plays_the_same_match() {
    let bout = seeded("configuration", "--concurrency 2");
    let first = bout.play(20.0);
    let config = bout.directory.join("out/config.toml").display().to_string();
    let again = Bout::new("configuration-again")
        .flag(&["--config", &config])
        .play(20.0);
    assert_eq!(again.code, Some(0), "{}", again.text);
    assert_eq!(essence(&first.records), essence(&again.records));
}

#[test]
fn the_games_are_legal_pgn_in_order() {
    let bout = seeded("pgn", "--concurrency 4");
    let played = bout.play(20.0);
    let pgn = bout.result("games.pgn");
    let games: Vec<_> = PgnReader::new("games.pgn", pgn.as_bytes(), RuleSet::default())
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(games.len(), 24);
    let rounds: Vec<&str> = games.iter().filter_map(|game| game.tag("Round")).collect();
    assert_eq!(rounds[..3], ["1.1", "1.2", "2.1"]);
    for (game, (_, engines, _, moves, _)) in games.iter().zip(essence(&played.records)) {
        assert_eq!(game.tag("White"), Some(["A", "B"][engines[0]]));
        assert_eq!(game.series().len(), moves.len());
    }
    assert!(pgn.lines().all(|line| line.len() <= 80));
    assert!(pgn.contains("+0.12/3"), "{pgn}");
}

/// The tag `Round` of each game in games.pgn, in the order of the file.
fn rounds(bout: &Bout) -> Vec<String> {
    let pgn = bout.result("games.pgn");
    pgn.lines()
        .filter_map(|line| line.strip_prefix("[Round \"")?.strip_suffix("\"]"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_games_of_a_running_match_are_in_its_pgn() {
    let bout = Bout::new("live-pgn")
        .engine("A", "")
        .engine("B", "think=10000")
        .flags(NODES)
        .flags("--rounds 40 --concurrency 2");
    let mut child = bout.command().spawn().unwrap();
    wait_for_games(&bout, 3);
    // A game is in the journal first.
    wait_for(|| rounds(&bout).len() >= 3);
    // A report in the middle disturbs nothing, and the PGN goes on growing.
    let report = bout.command_with(&["report", "out"]).output().unwrap();
    assert_eq!(report.status.code(), Some(0));
    assert!(bout.result("report.txt").contains("Not complete"));
    let games = rounds(&bout).len();
    wait_for_games(&bout, games + 3);
    // After a kill and a resumption none is missing and none is there twice, and at the end all
    // are in order.
    child.kill().unwrap();
    child.wait().unwrap();
    let child = bout.command_with(&["resume", "out"]).spawn().unwrap();
    wait_for_games(&bout, games + 6);
    let found = rounds(&bout);
    assert!(found.len() >= games + 3);
    let different: std::collections::BTreeSet<&String> = found.iter().collect();
    assert_eq!(different.len(), found.len());
    let played = bout.finish(child, 30.0);
    assert_eq!(played.code, Some(0), "{}", played.text);
    let expected: Vec<String> = (1..=40)
        .flat_map(|round| [format!("{round}.1"), format!("{round}.2")])
        .collect();
    assert_eq!(rounds(&bout), expected);
}

#[test]
fn what_cannot_be_written_is_no_complete_match() {
    let bout = Bout::new("unwritable")
        .engine("A", "")
        .engine("B", "")
        .flags(NODES);
    // A directory where a file has to be.
    std::fs::create_dir_all(bout.directory.join("out/games.pgn")).unwrap();
    let played = bout.play(5.0);
    assert_eq!(played.code, Some(1), "{}", played.text);
    assert!(
        played.text.contains("cannot write") && played.text.contains("games.pgn"),
        "{}",
        played.text
    );
}

#[test]
fn a_log_filter_that_makes_no_sense_is_refused() {
    for (filter, code) in [
        ("debgu", 2),
        ("warn,seriatim=loud", 2),
        ("debug", 0),
        ("", 0),
    ] {
        let output = Bout::new("log-filter")
            .command_with(&["stats", "--wdl", "10,5,3"])
            .env("SERIATIM_LOG", filter)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{filter}: {text}");
        assert!(code == 0 || text.contains("SERIATIM_LOG"), "{text}");
    }
}

#[test]
fn usage_errors_have_their_exit_code_and_say_what_to_do() {
    for (flags, needle) in [
        ("--each nodes=1", "two engines"),
        (
            "--engine cmd=/bin/true --engine cmd=/bin/true",
            "think for ever",
        ),
        (
            "--engine cmd=/no/such/engine --engine cmd=/bin/true --each nodes=1",
            "no program",
        ),
        ("--config /no/such/file", "cannot read"),
        (
            "--engine cmd=/bin/true cmd=/bin/false --engine cmd=/bin/true --each nodes=1",
            "'cmd=/bin/false' comes after 'cmd=/bin/true'",
        ),
        (
            "--engine cmd=/bin/true --engine cmd=/bin/true --each nodes=0",
            "nodes=0",
        ),
        (
            "--engine cmd=/bin/true --engine cmd=/bin/true --each nodes=1 --variant italian --variant italian",
            "'italian' is given twice",
        ),
        (
            "--engine cmd=/bin/true --engine cmd=/bin/true --each nodes=1 --variant italian checks=ends checks=last",
            "'checks' stands twice",
        ),
        (
            "--engine cmd=/bin/true --engine cmd=/bin/true --each nodes=1 --max-turns 0",
            "--max-turns 0",
        ),
        (
            "--engine cmd=/bin/true --engine cmd=/bin/true --each nodes=1 --cpus 4000",
            "processor 4000",
        ),
        ("--interval 0", "interval"),
        ("--rounds -3", "--rounds"),
        (
            "--engine cmd=/bin/true --engine cmd=/bin/true --each nodes=-5",
            "'-5' can't stand here: expected a whole number",
        ),
        ("--nonsense", "--nonsense"),
    ] {
        let played = Bout::new("usage").flags(flags).play(5.0);
        assert_eq!(played.code, Some(2), "{flags}: {}", played.text);
        assert!(played.text.contains(needle), "{flags}: {}", played.text);
        assert!(!played.text.contains("Stack backtrace"), "{}", played.text);
    }
    let resumed = Bout::new("usage-resume").resume(5.0);
    assert_eq!(resumed.code, Some(2));
}
