//! The solver against published and independently proved positions.
#![allow(missing_docs, clippy::unwrap_used)]

use seriatim::{
    rules::{Ending, Move, Objective, Preset, RuleSet, SeriesPosition, Status},
    solver::{Answer, Limits, Solver},
};

#[path = "positions/mod.rs"]
mod positions;

const PEERS: &str = include_str!("data/mates_peers.jsonl");
const GENERATED: &str = include_str!("data/mates_generated.jsonl");
const LATE: &str = include_str!("data/mates_late.jsonl");
const POSITIONS: &str = include_str!("data/positions.jsonl");

/// Replays a mating line move by move and checks that it ends in a win for its side.
#[track_caller]
fn assert_wins(position: &SeriesPosition, series: &[Move], id: &str) {
    let side = position.side();
    let mut now = *position;
    for &m in series {
        assert_eq!(now.side(), side, "{id}: the series was over");
        assert!(now.is_legal(m), "{id}: {m:?}");
        now.play(m);
    }
    if position.rules().objective == Objective::Mate {
        assert!(now.is_turn_start(), "{id}");
    }
    match now.status() {
        Status::Over(outcome) => {
            assert_eq!(outcome.winner, Some(side), "{id}");
            assert!(
                matches!(
                    outcome.ending,
                    Ending::Checkmate | Ending::ProgressiveCheckmate | Ending::AllCaptured
                ),
                "{id}"
            );
        }
        status => panic!("{id}: {status:?}"),
    }
}

#[track_caller]
fn assert_answer(solver: &mut Solver, position: &SeriesPosition, mate: bool, id: &str) {
    match solver.first_mate(position, &Limits::default()).answer {
        Answer::Mate(series) => {
            assert!(mate, "{id}: mate found where there is none");
            assert_wins(position, &series, id);
        }
        answer => assert_eq!(
            (answer, mate),
            (Answer::NoMate, false),
            "{id}: mate overlooked"
        ),
    }
}

/// With one thread and with two, since they share what the search keeps.
#[test]
fn late_positions_come_out() {
    for threads in [1, 2] {
        let mut solver = Solver::new(64, threads);
        for line in positions::lines(LATE) {
            let position = positions::from_json(&line, positions::rules(&line));
            let id = line["id"].as_str().unwrap();
            assert_answer(&mut solver, &position, line["mate"] == true, id);
        }
    }
}

#[test]
fn peers_positions_come_out() {
    let mut solver = Solver::new(64, 1);
    for line in positions::lines(PEERS) {
        let id = line["id"].as_str().unwrap();
        let position = positions::from_json(&line, positions::rules(&line));
        let mate = line["solvable"].as_bool().unwrap();
        assert_answer(&mut solver, &position, mate, id);
    }
}

#[test]
fn two_threads_give_the_same_answers() {
    let mut solver = Solver::new(64, 2);
    for line in positions::lines(GENERATED) {
        let id = line["id"].as_str().unwrap();
        let position = positions::from_json(&line, positions::rules(&line));
        let mate = line["mate"].as_bool().unwrap();
        assert_answer(&mut solver, &position, mate, id);
    }
}

#[test]
fn a_small_table_is_slower_but_never_wrong() {
    let mut solver = Solver::new(0, 1);
    for line in positions::lines(GENERATED) {
        let id = line["id"].as_str().unwrap();
        let position = positions::from_json(&line, positions::rules(&line));
        let mate = line["mate"].as_bool().unwrap();
        assert_answer(&mut solver, &position, mate, id);
    }
}

#[test]
fn budgets_are_kept_and_answers_repeat() {
    let line = positions::lines(PEERS)
        .into_iter()
        .find(|line| line["id"] == "lj44")
        .unwrap();
    let position = positions::from_json(&line, positions::rules(&line));
    for threads in [1, 2] {
        let mut solver = Solver::new(16, threads);
        let report = solver.first_mate(&position, &Limits::nodes(1000));
        assert_eq!(report.answer, Answer::Unknown);
        assert!(report.stats.nodes <= 1000 + 256 * threads as u64);
        let stop = std::sync::atomic::AtomicBool::new(true);
        let limits = Limits {
            stop: Some(&stop),
            ..Limits::default()
        };
        solver.forget();
        assert_eq!(
            solver.first_mate(&position, &limits).answer,
            Answer::Unknown
        );
        let time = Limits::time(std::time::Duration::ZERO);
        assert_eq!(solver.first_mate(&position, &time).answer, Answer::Unknown);
    }
    let fresh = || Solver::new(16, 1).first_mate(&position, &Limits::default());
    assert_eq!(fresh(), fresh());
}

#[test]
fn peers_counts_come_out() {
    let mut solver = Solver::new(64, 1);
    for line in positions::lines(PEERS) {
        let id = line["id"].as_str().unwrap();
        let position = positions::from_json(&line, positions::rules(&line));
        let report = solver.count_mates(&position, 3, &Limits::default());
        let count = report.count.unwrap();
        assert_eq!(
            Some(count.wins),
            line["solutions_checkmate"].as_u64(),
            "{id}"
        );
        if let Some(total) = line["solutions_italian"].as_u64() {
            assert_eq!(count.total(), total, "{id}");
        }
        assert_eq!(report.listed.len() as u64, count.total().min(3), "{id}");
        for series in &report.listed {
            assert_wins(&position, series, id);
        }
    }
}

#[test]
fn generated_positions_come_out() {
    let mut solver = Solver::new(64, 1);
    for line in positions::lines(GENERATED) {
        let id = line["id"].as_str().unwrap();
        let position = positions::from_json(&line, positions::rules(&line));
        let mate = line["mate"].as_bool().unwrap();
        assert_answer(&mut solver, &position, mate, id);
    }
}

#[test]
fn published_counts_come_out() {
    let mut solver = Solver::new(64, 1);
    for line in positions::lines(POSITIONS) {
        let id = line["id"].as_str().unwrap();
        for (field, preset) in [
            ("exact_italian", Preset::Italian),
            ("exact_scottish", Preset::Scottish),
        ] {
            let Some(mates) = line[field]["mateRaw"].as_u64() else {
                continue;
            };
            let position = positions::from_json(&line, preset.rules());
            let report = solver.count_mates(&position, 0, &Limits::default());
            let count = report.count.unwrap();
            assert_eq!(count.total(), mates, "{id} {field}");
            let progressive = line[field]["progOnlyMateRaw"].as_u64().unwrap_or(0);
            assert_eq!(count.progressive, progressive, "{id} {field}");
        }
    }
}

#[test]
fn published_solutions_are_confirmed() {
    let mut solver = Solver::new(64, 1);
    for line in positions::lines(POSITIONS) {
        let id = line["id"].as_str().unwrap();
        let rules: RuleSet = positions::rules(&line);
        let position = positions::from_json(&line, rules);
        if !line["solution"].is_array() || line["n"].as_u64() > Some(10) {
            continue;
        }
        assert_answer(&mut solver, &position, true, id);
    }
}
