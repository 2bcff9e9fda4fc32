//! Matches of many games: fairness on short clocks, a test between settings of the daemon, memory.

#![allow(clippy::unwrap_used)]

mod matches_support;

use std::{fs, thread::sleep, time::Duration};

use matches_support::{Bout, Played};
use seriatim::matches::{
    ending::Fault,
    time_control::{Clock, ThinkLimit},
};

#[test]
fn nobody_loses_on_time_who_was_inside_the_budget() {
    let bout = Bout::new("soak")
        .engine("A", "think=300")
        .engine("B", "think=100")
        .flags("--each tc=0.2+0.002 margin=20ms --rounds 40 --max-turns 16 --concurrency 2");
    let played = bout.play(60.0);
    assert_eq!(played.code, Some(0), "{}", played.text);
    assert_eq!(played.records.len(), 80);
    let limit = ThinkLimit {
        tc: Some("0.2+0.002".parse().unwrap()),
        ..ThinkLimit::default()
    };
    let margin = Duration::from_millis(20);
    for record in &played.records {
        let mut clocks = [Clock::new(&limit), Clock::new(&limit)];
        for (index, turn) in record.turns.iter().enumerate() {
            let clock = &mut clocks[index % 2];
            let used = Duration::from_secs_f64(turn.time.unwrap() / 1000.0);
            assert!(used <= clock.budget().unwrap() + margin);
            clock.spend(used);
        }
        match record.end.fault() {
            None => {}
            // A machine so busy that the engine itself was late: then it was later than the margin.
            Some(Fault::TimeForfeit { overrun, .. }) => {
                assert!(
                    overrun.is_none_or(|overrun| overrun > 20.0),
                    "{}",
                    played.text
                );
            }
            Some(fault) => panic!("{fault}"),
        }
    }
}

#[test]
fn the_daemon_plays_in_both_modes() {
    let daemon = env!("CARGO_BIN_EXE_seriatim");
    let bout = Bout::new("daemon")
        .flag(&["--engine", &format!("cmd={daemon}"), "name=series"])
        .flag(&[
            "--engine",
            &format!("cmd={daemon}"),
            "name=alternating",
            "mode=alternating",
        ])
        .flags("--each nodes=3000 --max-turns 7")
        .flag(&[
            "--variant",
            "italian",
            "--variant",
            "scottish",
            "--variant",
            "circe",
        ]);
    let played = bout.play(120.0);
    assert_eq!(played.code, Some(0), "{}", played.text);
    assert_eq!(played.records.len(), 6);
    for record in &played.records {
        assert_eq!(record.end.fault(), None, "{}", played.text);
    }
}

/// A sequential test between two settings of the daemon.
fn daemon_test(name: &str, first: &str, second: &str) -> Played {
    let daemon = format!("cmd={}", env!("CARGO_BIN_EXE_seriatim"));
    let bout = Bout::new(name)
        .flag(&["--engine", &daemon, "name=A", first])
        .flag(&["--engine", &daemon, "name=B", second])
        .flags("--each option.Hash=4 --sprt elo0=0 elo1=200 alpha=0.01 beta=0.01 --max-turns 12 --concurrency 2");
    let book = format!(
        "file={}/tests/data/openings/italian.txt",
        env!("CARGO_MANIFEST_DIR")
    );
    let played = bout.flag(&["--openings", &book]).play(60.0);
    assert_eq!(played.code, Some(0), "{}", played.text);
    assert!(played.records.len() < 400, "{}", played.text);
    for record in &played.records {
        assert_eq!(record.end.fault(), None, "{}", played.text);
    }
    played
}

#[test]
fn a_test_between_a_strong_and_a_weak_setting_of_the_daemon_decides_rightly() {
    let (strong, weak) = ("nodes=2000", "nodes=1");
    let played = daemon_test("daemon-stronger", strong, weak);
    assert!(played.text.contains("H1 accepted"), "{}", played.text);
    let played = daemon_test("daemon-weaker", weak, strong);
    assert!(played.text.contains("H0 accepted"), "{}", played.text);
}

/// The memory of a living process without that of files, such as its program, KiB.
fn own_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[test]
fn the_memory_of_the_runner_does_not_grow_with_the_games() {
    const GAMES: u64 = 2000;
    /// About the length of a game's line in the journal.
    const LINE: u64 = 9000;
    let line = "instant=yes line=g1f3/g8f6/f3g1/f6g8";
    let bout = Bout::new("memory")
        .engine("A", line)
        .engine("B", line)
        .flags("--each tc=60+1 --max-turns 160 --concurrency 2 --output quiet")
        .flags(&format!("--rounds {}", GAMES / 2))
        .flags("--variant italian schedule=1+0 quiet-limit=0 repetition=off");
    let mut child = bout.command().spawn().unwrap();
    let journal = bout.directory.join("out/journal.jsonl");
    let played = |size: u64| size / LINE;
    // The most that has been seen: after a quarter of the games, and in all.
    let (mut early, mut peak) = (None, 0);
    while child.try_wait().unwrap().is_none() {
        if let Some(memory) = own_memory(child.id()) {
            peak = memory.max(peak);
            let size = fs::metadata(&journal).map_or(0, |journal| journal.len());
            if early.is_none() && played(size) >= GAMES / 4 {
                early = Some(peak);
            }
        }
        sleep(Duration::from_millis(10));
    }
    let finished = bout.finish(child, 60.0);
    assert_eq!(finished.code, Some(0), "{}", finished.text);
    assert_eq!(finished.records.len() as u64, GAMES);
    // The first hundreds of games fill buffers, and the system may turn a few of them into huge
    // pages of 2 MiB. To keep the games after them in any form would take several times as much.
    let early = early.unwrap();
    assert!(peak < early + 10 * 1024, "{early} KiB, then {peak} KiB");
}
