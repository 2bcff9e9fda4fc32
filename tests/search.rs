//! Properties of the search in every preset: a search ended anywhere has a whole legal series,
//! fixed nodes repeat, and limits are kept.

#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use seriatim::{
    eval::{Terms, assess},
    notation::{CastlingText, format_fen, parse_fen, uci_text},
    rules::{Game, Move, Preset, SeriesPosition, Status},
    search::{
        Answer, Clock, Level, Limits, News, Report, Request, Score, Searcher, Settings, Signals,
    },
    solver::{self, Solver},
};

fn request(position: SeriesPosition, limits: Limits) -> Request {
    Request::new(Game::new(position), limits)
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
        Searcher::new(Settings::default()).search(request, &Signals::default(), &mut |news| {
            if let News::Line(report) = news {
                reports.push(report.clone());
            }
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
    // The last turn number is its own successor, but the side changes there too.
    let whose = |position: &SeriesPosition| (position.turn(), position.side());
    for series in pv {
        let turn = whose(&position);
        for &m in series {
            assert!(position.is_legal(m), "{}", context());
            assert_eq!(whose(&position), turn, "{}", context());
            position.play(m);
        }
        let complete = whose(&position) != turn || matches!(position.status(), Status::Over(_));
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

#[test]
fn limits_hold_in_series_of_any_length() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0";
    for (preset, turn) in [
        (Preset::Italian, 101_u64),
        (Preset::Italian, 501),
        (Preset::Italian, 4001),
        (Preset::Scottish, 501),
        (Preset::English, 65535),
        (Preset::FullCapture, 4001),
    ] {
        let position = parse_fen(preset.rules(), &format!("{start} {turn}")).unwrap();
        for limits in [
            nodes(200),
            nodes(100_000),
            Limits {
                move_time: Some(Duration::from_millis(50)),
                ..Limits::default()
            },
            Limits {
                depth: Some(1),
                ..nodes(300_000)
            },
        ] {
            let request = request(position, limits);
            let (answer, _) = search(&request);
            let best = &answer.lines[0];
            check_line(&position, &best.pv);
            // About as many as asked for: the rescue of a series without its end is what comes on
            // top, a node for each move.
            let asked = limits.nodes.unwrap_or(u64::MAX);
            let most = asked.saturating_add(turn + 4000);
            assert!(
                best.nodes <= most,
                "{preset} {turn} {limits:?}: {}",
                best.nodes
            );
            // Generous: a second is wanted, and other tests run beside this one.
            let took = request.received.elapsed();
            assert!(
                took < Duration::from_secs(5),
                "{preset} {turn} {limits:?}: {took:?}"
            );
        }
        let signals = Signals::default();
        let endless = request(position, Limits::default());
        std::thread::scope(|scope| {
            let searching = scope.spawn(|| {
                Searcher::new(Settings::default()).search(&endless, &signals, &mut |_| {})
            });
            std::thread::sleep(Duration::from_millis(100));
            signals.stop();
            let stopped = Instant::now();
            check_line(&position, &searching.join().unwrap().lines[0].pv);
            assert!(
                stopped.elapsed() < Duration::from_secs(2),
                "{preset} {turn}"
            );
        });
    }
}

#[test]
fn a_search_without_time_scores_soberly() {
    let mut random = fastrand::Rng::with_seed(24);
    let signals = Signals::default();
    signals.stop();
    for &preset in Preset::ALL {
        for position in random_positions(preset, 6, &mut random) {
            let request = request(position, Limits::default());
            let answer = Searcher::new(Settings::default()).search(&request, &signals, &mut |_| {});
            let best = &answer.lines[0];
            let end = after(&position, &best.pv[0]);
            let expected = match end.status() {
                Status::Over(outcome) => match outcome.winner {
                    Some(winner) if winner == position.side() => Score::Mate(1),
                    Some(_) => Score::Mate(-1),
                    None => Score::Centipawns(0),
                },
                // Without limits the worth is the handmade one, as it is where danger is known.
                _ => Score::Centipawns(-assess(&end, Terms::DangerAndHandmade).worth.0),
            };
            assert_eq!(best.score, expected, "{preset} {}", format_fen(&position));
        }
    }
}

#[test]
fn depth_never_goes_back() {
    let mut random = fastrand::Rng::with_seed(25);
    for preset in [Preset::Italian, Preset::Marseillais] {
        for position in random_positions(preset, 4, &mut random) {
            let (answer, reports) = search(&request(position, nodes(300_000)));
            let depths: Vec<u32> = reports.iter().map(|report| report.depth).collect();
            assert!(depths.is_sorted(), "{depths:?}");
            assert!(answer.lines[0].depth >= depths.last().copied().unwrap_or(0));
        }
    }
}

#[test]
fn own_mates_are_found_whatever_is_asked_for() {
    // Scottish: White mates by Bc4, Qh5 and Qxf7, in any order that works, and otherwise.
    let fen = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3";
    let position = parse_fen(Preset::Italian.rules(), fen).unwrap();
    let first = |text: &str| seriatim::notation::parse_uci_move(&position, text).unwrap();
    let ask = |first_moves: Vec<Move>, lines: usize| {
        let order = Request {
            first_moves,
            lines,
            ..request(position, nodes(60_000))
        };
        search(&order).0.lines
    };
    for first_moves in [
        vec![],
        vec![first("d1h5")],
        vec![first("a2a3"), first("f1c4")],
    ] {
        for lines in [1, 4] {
            let answer = ask(first_moves.clone(), lines);
            assert_eq!(answer[0].score, Score::Mate(1), "{first_moves:?} {lines}");
            assert!(first_moves.is_empty() || first_moves.contains(&answer[0].pv[0][0]));
            check_line(&position, &answer[0].pv);
        }
    }
    let without = ask(vec![first("a2a3")], 1);
    assert_eq!(without[0].pv[0][0], first("a2a3"));
    assert_ne!(without[0].score, Score::Mate(1));
}

#[test]
fn several_lines_are_different_ends_in_order() {
    let mut random = fastrand::Rng::with_seed(26);
    for &preset in Preset::ALL {
        for position in random_positions(preset, 4, &mut random) {
            let order = Request {
                lines: 5,
                ..request(position, nodes(40_000))
            };
            let lines = search(&order).0.lines;
            let ends: Vec<u64> = lines
                .iter()
                .map(|line| after(&position, &line.pv[0]).key())
                .collect();
            for (index, end) in ends.iter().enumerate() {
                assert!(!ends[..index].contains(end), "{}", format_fen(&position));
            }
            let scores: Vec<i32> = lines.iter().map(|line| -line.score.rank()).collect();
            assert!(scores.is_sorted(), "{preset} {scores:?}");
            let known = lines[0].candidates as usize;
            assert_eq!(
                lines.len(),
                known.min(5),
                "{preset} {}",
                format_fen(&position)
            );
        }
    }
}

#[test]
fn the_best_of_all_series_are_shown() {
    // A bare king with two moves: every end can be looked at, so that the k best are known.
    let fen = "7k/8/8/8/8/8/1p6/K7 w - - 0 2";
    let position = parse_fen(Preset::Italian.rules(), fen).unwrap();
    let ask = |lines: usize| {
        let order = Request {
            lines,
            ..request(position, nodes(200_000))
        };
        search(&order).0.lines
    };
    let all = ask(50);
    assert_eq!(all.len(), all[0].candidates as usize);
    let best: Vec<u64> = ask(3)
        .iter()
        .map(|line| after(&position, &line.pv[0]).key())
        .collect();
    assert_eq!(best.len(), 3);
    let least = all[2].score.rank();
    for line in &all {
        let is_shown = best.contains(&after(&position, &line.pv[0]).key());
        assert!(!is_shown || line.score.rank() >= least);
    }
}

#[test]
fn progress_and_the_opponents_mates_are_told() {
    // If Black passed after 1.e4, White would mate by Bc4, Qh5 and Qxf7, among others.
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";
    let position = parse_fen(Preset::Italian.rules(), fen).unwrap();
    let limits = Limits {
        move_time: Some(Duration::from_millis(2500)),
        ..Limits::default()
    };
    let order = Request {
        refutations: true,
        ..request(position, limits)
    };
    let (mut progress, mut refutations, mut threat) = (0, 0, Vec::new());
    let mut safe = Vec::new();
    Searcher::new(Settings::default()).search(
        &order,
        &Signals::default(),
        &mut |news| match news {
            News::Line(_) => {}
            News::Progress(told) => {
                progress += 1;
                check_line(&position, std::slice::from_ref(&told.series));
                assert!(told.number >= 1 && told.refuted <= told.verified);
                assert!(told.verified <= told.candidates);
            }
            News::Verdict { series, mate: None } => {
                let end = after(&position, series);
                if safe.len() < 20 {
                    safe.push(end);
                }
            }
            News::Verdict {
                series,
                mate: Some(mate),
            } => {
                refutations += 1;
                let line = [series.to_vec(), mate.to_vec()];
                check_line(&position, &line);
                let end = after(&after(&position, series), mate);
                let winner = !position.side();
                assert!(
                    matches!(end.status(), Status::Over(outcome) if outcome.winner == Some(winner))
                );
            }
            News::Threat(series) => threat = series.to_vec(),
        },
    );
    assert!((1..=6).contains(&progress), "{progress}");
    assert!(refutations > 0);
    assert!(!safe.is_empty());
    for end in safe {
        let limits = solver::Limits::default();
        let report = Solver::new(1, 1).first_mate(&end, &limits);
        assert_eq!(report.answer, solver::Answer::NoMate);
    }
    let texts: Vec<String> = threat
        .iter()
        .map(|&m| seriatim::notation::uci_text(m, seriatim::notation::CastlingText::default()))
        .collect();
    assert_eq!(texts.len(), 3);
    assert_eq!(texts[2][2..], *"f7", "{texts:?}");
}

#[test]
fn a_search_for_a_mate_ends_where_it_cannot_be_any_more() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let position = parse_fen(Preset::Italian.rules(), fen).unwrap();
    let order = request(
        position,
        Limits {
            mate: Some(1),
            ..Limits::default()
        },
    );
    let (answer, _) = search(&order);
    assert_eq!(answer.lines[0].depth, 1);
    assert!(order.received.elapsed() < Duration::from_secs(5));
}

/// Whoever answers 1.e4 with 2.d5 dxe4 or another series gets sound play to series 12: the opponent
/// never mates after a series if the search knew of one after which he does not.
#[test]
fn an_opening_is_played_on_soundly() {
    let mut solver = Solver::new(16, 1);
    for opening in ["e2e4 d7d5 d5e4", "e2e4 d7d5 g8f6", "e2e4 d7d5 c8g4"] {
        let mut game = Game::new(SeriesPosition::start(Preset::Italian.rules()));
        for text in opening.split(' ') {
            let m = *game
                .position()
                .legal_moves()
                .iter()
                .find(|&&m| uci_text(m, CastlingText::KingMove) == text)
                .unwrap();
            game.play(m).unwrap();
        }
        while game.position().turn().0 <= 12 && game.status() == Status::Ongoing {
            let before = *game.position();
            let request = Request::new(game.clone(), nodes(100_000));
            let (answer, _) = search(&request);
            let line = &answer.lines[0];
            check_line(&before, &line.pv);
            for &m in &line.pv[0] {
                game.play(m).unwrap();
            }
            let has_safe = line.verified > line.refuted;
            if has_safe && game.status() == Status::Ongoing {
                let report = solver.first_mate(game.position(), &solver::Limits::default());
                let fen = format_fen(&before);
                assert_eq!(report.answer, solver::Answer::NoMate, "{opening}: {fen}");
            }
        }
        // It came to the middle of the game at least.
        assert!(game.position().turn().0 > 7, "{opening}");
    }
}

#[test]
fn under_balance_only_what_leads_is_verified_but_that_always() {
    // From games; most series lose in the last ones.
    let fens = [
        "rnb1k1n1/5p2/2B5/p2p2Pr/PbPP2PP/8/8/RN1K2NR b q - 0 8",
        "r1b1k1nr/2qB2p1/3P4/5P1p/Pp3PPP/2N5/8/R1B1K1NR b KQkq - 0 8",
        "rnb1k1nQ/8/1p2P3/p1pp1pPR/5P2/2N5/P3P3/1RBK1BN1 b q - 0 8",
    ];
    let (mut refuted, mut verified) = (0, 0);
    for fen in fens {
        let position = parse_fen(Preset::English.rules(), fen).unwrap();
        let request = Request {
            lines: 2,
            ..request(position, nodes(150_000))
        };
        let lines = search(&request).0.lines;
        refuted += lines[0].refuted;
        verified += lines[0].verified;
        for line in &lines {
            let end = after(&position, &line.pv[0]);
            let found = Solver::new(16, 1).first_mate(&end, &solver::Limits::default());
            assert_eq!(found.answer, solver::Answer::NoMate, "{fen}: {line:?}");
        }
    }
    assert!(0 < refuted && refuted < verified, "{refuted} {verified}");
}
