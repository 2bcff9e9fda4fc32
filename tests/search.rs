//! Properties of the search in every preset: a search ended anywhere has a whole legal series,
//! fixed nodes repeat, and limits are kept.

#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use seriatim::{
    notation::{format_fen, parse_fen},
    rules::{Game, Move, Preset, SeriesPosition, Status},
    search::{Answer, Clock, Level, Limits, Report, Request, Score, Searcher, Settings, Signals},
    solver::{self, Solver},
};

fn request(position: SeriesPosition, limits: Limits) -> Request {
    Request {
        game: Game::new(position),
        limits,
        first_moves: Vec::new(),
        series: Vec::new(),
        lines: 1,
        received: Instant::now(),
    }
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

fn search(request: &Request) -> (Answer, Vec<Report>) {
    let mut reports = Vec::new();
    let answer =
        Searcher::new(Settings::default()).search(request, &Signals::default(), &mut |report| {
            reports.push(report.clone());
        });
    (answer, reports)
}

/// Positions on the way of random games, at the start of series and inside them.
fn random_positions(
    preset: Preset,
    count: usize,
    random: &mut fastrand::Rng,
) -> Vec<SeriesPosition> {
    let mut found = Vec::new();
    let mut position = SeriesPosition::start(preset.rules());
    while found.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || position.turn().0 > 9 || matches!(position.status(), Status::Over(_))
        {
            position = SeriesPosition::start(preset.rules());
            continue;
        }
        if random.u8(..5) == 0 {
            found.push(position);
        }
        position.play(moves[random.usize(..moves.len())]);
    }
    found
}

/// Plays a line; every series must be legal and complete.
#[track_caller]
fn check_line(from: &SeriesPosition, pv: &[Vec<Move>]) {
    let mut position = *from;
    let context = || format!("{}: {pv:?}", format_fen(from));
    assert!(!pv.is_empty() && !pv[0].is_empty(), "{}", context());
    for series in pv {
        let turn = position.turn();
        for &m in series {
            assert!(position.is_legal(m), "{}", context());
            assert_eq!(position.turn(), turn, "{}", context());
            position.play(m);
        }
        let complete = position.turn() != turn || matches!(position.status(), Status::Over(_));
        assert!(complete, "{}", context());
    }
}

#[test]
fn a_search_ended_anywhere_has_a_whole_legal_series() {
    let mut random = fastrand::Rng::with_seed(20);
    for &preset in Preset::ALL {
        for position in random_positions(preset, 12, &mut random) {
            let limit = 1 << random.u32(..14);
            let mut request = request(position, nodes(limit));
            request.lines = 1 + random.usize(..3);
            let (answer, reports) = search(&request);
            assert!(!answer.lines.is_empty());
            for line in answer.lines.iter().chain(&reports) {
                check_line(&position, &line.pv);
                assert_ne!(line.score, Score::Mate(0));
            }
            for (index, line) in answer.lines.iter().enumerate() {
                assert_eq!(line.line, index);
                let twice = answer.lines[..index]
                    .iter()
                    .any(|other| other.pv[0] == line.pv[0]);
                assert!(!twice, "{}", format_fen(&position));
            }
        }
    }
}

#[test]
fn fixed_nodes_repeat_whatever_came_before() {
    let mut random = fastrand::Rng::with_seed(21);
    let mut used = Searcher::new(Settings::default());
    for &preset in Preset::ALL {
        for position in random_positions(preset, 2, &mut random) {
            let request = request(position, nodes(20_000));
            let (fresh, _) = search(&request);
            let again = used.search(&request, &Signals::default(), &mut |_| {});
            let said = |answer: &Answer| {
                let best = &answer.lines[0];
                (best.pv.clone(), best.score, best.nodes, best.depth)
            };
            assert_eq!(
                said(&fresh),
                said(&again),
                "{preset} {}",
                format_fen(&position)
            );
        }
    }
}

#[test]
fn mates_are_played_and_avoided() {
    let find = |preset: Preset, fen: &str| {
        let position = parse_fen(preset.rules(), fen).unwrap();
        let (answer, _) = search(&request(position, nodes(100_000)));
        (position, answer.lines[0].clone())
    };
    let (position, best) = find(
        Preset::Scottish,
        "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3",
    );
    assert_eq!(best.score, Score::Mate(1));
    let end = best.pv[0]
        .iter()
        .fold(position, |position, &m| position.after(m));
    assert!(matches!(end.status(), Status::Over(outcome) if outcome.winner.is_some()));
    // Black has two moves, and White then mates with three after most of them.
    let (_, best) = find(
        Preset::Italian,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
    );
    assert!(
        matches!(best.score, Score::Centipawns(_)),
        "{:?}",
        best.score
    );
}

#[test]
fn time_is_kept() {
    let position = SeriesPosition::start(Preset::Italian.rules());
    let position = ["e2e4", "e7e5", "g8f6", "d2d3", "c1g5", "b1c3"]
        .iter()
        .fold(position, |position, text| {
            position.after(seriatim::notation::parse_uci_move(&position, text).unwrap())
        });
    let run = |limits: Limits| {
        let request = request(position, limits);
        let (answer, _) = search(&request);
        check_line(&position, &answer.lines[0].pv);
        request.received.elapsed()
    };
    let clock = |remaining: u64| Limits {
        clocks: [Some(Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::ZERO,
        }); 2],
        overhead: Duration::from_millis(10),
        ..Limits::default()
    };
    // Generous: other tests run beside this one.
    assert!(run(clock(0)) < Duration::from_millis(200));
    assert!(run(clock(400)) < Duration::from_millis(400));
    let move_time = Limits {
        move_time: Some(Duration::from_millis(150)),
        ..Limits::default()
    };
    assert!(run(move_time) < Duration::from_millis(400));
}

#[test]
fn a_stop_is_obeyed_at_once() {
    let mut position = SeriesPosition::start(Preset::Italian.rules());
    while position.turn().0 < 6 {
        let moves = position.legal_moves();
        position.play(moves[0]);
    }
    let signals = Signals::default();
    let request = request(position, Limits::default());
    std::thread::scope(|scope| {
        let searching = scope
            .spawn(|| Searcher::new(Settings::default()).search(&request, &signals, &mut |_| {}));
        std::thread::sleep(Duration::from_millis(100));
        let stopped = Instant::now();
        signals.stop();
        let answer = searching.join().unwrap();
        assert!(stopped.elapsed() < Duration::from_millis(300));
        check_line(&position, &answer.lines[0].pv);
    });
}

/// The position after a series.
fn after(from: &SeriesPosition, series: &[Move]) -> SeriesPosition {
    series.iter().fold(*from, |position, &m| position.after(m))
}

#[test]
fn what_the_solver_knows_is_used() {
    let mut random = fastrand::Rng::with_seed(22);
    let mut mates = 0;
    for &preset in &[
        Preset::Italian,
        Preset::Scottish,
        Preset::Circe,
        Preset::Logical,
    ] {
        for position in random_positions(preset, 8, &mut random) {
            if position.turn().0 > 5 || position.status() != Status::Ongoing {
                continue;
            }
            let mut solver = Solver::new(16, 1);
            let limits = solver::Limits::default();
            let can_mate = solver
                .first_mate(&position, &limits)
                .answer
                .series()
                .is_some();
            let (answer, _) = search(&request(position, nodes(2_000_000)));
            let best = &answer.lines[0];
            assert_eq!(
                can_mate,
                best.score == Score::Mate(1),
                "{preset} {}",
                format_fen(&position)
            );
            mates += u32::from(can_mate);
            // Where a safe series is known, none is played that is not.
            if best.verified > best.refuted && !can_mate {
                let end = after(&position, &best.pv[0]);
                let is_mated = !matches!(end.status(), Status::Over(_))
                    && solver.first_mate(&end, &limits).answer.series().is_some();
                assert!(!is_mated, "{preset} {}", format_fen(&position));
            }
        }
    }
    assert!(mates > 0);
}

#[test]
fn every_level_and_two_threads_give_legal_series() {
    let mut random = fastrand::Rng::with_seed(23);
    let position = random_positions(Preset::Italian, 1, &mut random)[0];
    for &level in Level::ALL {
        for threads in [1, 2] {
            let settings = Settings {
                level,
                threads,
                ..Settings::default()
            };
            let order = request(position, nodes(30_000));
            let answer = Searcher::new(settings).search(&order, &Signals::default(), &mut |_| {});
            check_line(&position, &answer.lines[0].pv);
        }
    }
}
