//! The session without threads: events in, effects out.

use std::time::Duration;

use super::*;
use crate::{notation::parse_fen, rules::Preset};

/// A session and what it has written.
struct Talk {
    session: Session,
    now: Instant,
    jobs: Vec<Job>,
}

impl Talk {
    fn new() -> Talk {
        let now = Instant::now();
        Talk {
            session: Session::new(now),
            now,
            jobs: Vec::new(),
        }
    }

    fn event(&mut self, event: Event) -> Vec<String> {
        self.now += Duration::from_millis(1);
        let mut lines = Vec::new();
        for effect in self.session.handle(event, self.now) {
            match effect {
                Effect::Send(reply) => lines.extend(reply.to_string().lines().map(str::to_owned)),
                Effect::Start(job) => self.jobs.push(job),
                Effect::Quit => lines.push("[quit]".to_owned()),
                Effect::Exit => lines.push("[exit]".to_owned()),
                Effect::Tell(_) => {}
            }
        }
        lines
    }

    fn say(&mut self, line: &str) -> Vec<String> {
        self.event(Event::Line(Line::Text(line.to_owned())))
    }

    /// Carries out the last search order with a stopped search, and hands in the answer.
    fn answer(&mut self) -> Vec<String> {
        let Some(Job::Search(request, _)) = self.jobs.pop() else {
            panic!("no search was ordered");
        };
        let signals = Signals::default();
        signals.stop();
        let answer = search::Searcher::new(search::Settings::default()).search(
            &request,
            &signals,
            &mut |_| {},
        );
        self.event(Event::Answer(answer))
    }
}

fn best_moves(lines: &[String]) -> usize {
    lines
        .iter()
        .filter(|line| line.starts_with("bestmove "))
        .count()
}

#[test]
fn every_accepted_go_gets_one_best_move_after_an_info_line() {
    let mut talk = Talk::new();
    assert!(talk.say("go movetime 100").is_empty());
    let lines = talk.answer();
    assert_eq!(best_moves(&lines), 1);
    assert!(lines[0].starts_with("info depth "));
    assert!(lines.last().unwrap().starts_with("bestmove "));
    assert!(talk.say("stop").is_empty());
    assert!(talk.say("ponderhit").is_empty());
}

#[test]
fn endless_searches_are_silent_until_stop() {
    for go in [
        "go",
        "go infinite",
        "go ponder wtime 100 btime 100",
        "go ponder depth 1",
    ] {
        let mut talk = Talk::new();
        talk.say(go);
        assert!(talk.answer().is_empty(), "{go}");
        assert_eq!(talk.say("isready"), ["readyok"]);
        assert_eq!(best_moves(&talk.say("stop")), 1, "{go}");
        assert!(talk.say("stop").is_empty());
    }
}

#[test]
fn ready_is_said_when_the_tables_are_made() {
    let mut talk = Talk::new();
    talk.say("setoption name Hash value 32");
    talk.say("ucinewgame");
    assert!(talk.say("isready").is_empty());
    assert!(talk.say("position startpos").is_empty());
    assert!(talk.event(Event::Prepared).is_empty());
    assert_eq!(talk.event(Event::Prepared), ["readyok"]);
    assert_eq!(talk.say("isready"), ["readyok"]);
    // The answer that is owed is given before the end.
    talk.say("setoption name Clear Hash");
    talk.say("isready");
    assert_eq!(talk.say("quit"), ["readyok", "[exit]"]);
}

#[test]
fn a_ponder_hit_releases_only_a_ponder_search() {
    let mut talk = Talk::new();
    talk.say("go ponder wtime 100 btime 100");
    talk.answer();
    assert_eq!(best_moves(&talk.say("ponderhit")), 1);
    talk.say("go infinite");
    talk.answer();
    assert!(talk.say("ponderhit").is_empty());
    assert_eq!(best_moves(&talk.say("stop")), 1);
    talk.say("go ponder");
    assert!(talk.say("ponderhit").is_empty());
    assert_eq!(best_moves(&talk.answer()), 1);
}

#[test]
fn commands_after_stop_wait_their_turn() {
    let mut talk = Talk::new();
    talk.say("go infinite");
    talk.say("stop");
    assert!(talk.say("position startpos moves e2e4").is_empty());
    assert!(talk.say("go infinite").is_empty());
    assert!(talk.say("stop").is_empty());
    assert!(talk.say("isready").is_empty());
    // The position is set by the time of readyok, and the second search runs and is stopped.
    let lines = talk.answer();
    assert_eq!(best_moves(&lines), 1);
    assert_eq!(lines.last().unwrap(), "readyok");
    let lines = talk.answer();
    assert_eq!(best_moves(&lines), 1);
}

#[test]
fn what_would_disturb_a_search_is_refused() {
    let mut talk = Talk::new();
    talk.say("go infinite");
    for line in [
        "setoption name Hash value 1",
        "ucinewgame",
        "position startpos",
        "go depth 1",
        "go perft 1",
        "bench",
    ] {
        let lines = talk.say(line);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with("info string error: "), "{lines:?}");
        assert!(lines[0].contains("expected stop first"), "{lines:?}");
    }
    assert!(talk.say("d").len() > 8);
    assert_eq!(talk.jobs.len(), 1);
}

#[test]
fn rules_are_judged_when_they_are_used() {
    let mut talk = Talk::new();
    assert!(talk.say("setoption name Checks value none").is_empty());
    for line in ["position startpos", "d", "go depth 1", "go perft 1", "eval"] {
        let lines = talk.say(line);
        assert!(
            lines[0].contains("info string error: the rules"),
            "{lines:?}"
        );
        assert!(lines[0].contains("objective=capture"), "{lines:?}");
    }
    assert!(talk.jobs.is_empty());
    assert!(
        talk.say("setoption name Objective value capture")
            .is_empty()
    );
    assert!(talk.say("go depth 1").is_empty());
    assert_eq!(talk.jobs.len(), 1);
}

#[test]
fn a_place_outlives_a_change_of_rules() {
    let mut talk = Talk::new();
    talk.say("position startpos moves e2e4 e7e5");
    talk.say("setoption name Preset value scottish");
    let lines = talk.say("d");
    assert!(lines.contains(&"Rules: scottish".to_owned()));
    assert!(lines.iter().any(|line| line.contains("4P3")), "{lines:?}");
    // The double step is not there in the logical game, so the old list cannot be played.
    talk.say("setoption name Preset value logical");
    assert!(talk.say("d")[0].contains("e2e4"));
    assert!(talk.say("position startpos").is_empty());
}

#[test]
fn quit_ends_at_once_or_after_the_last_words() {
    assert_eq!(Talk::new().say("quit"), ["[exit]"]);
    assert_eq!(Talk::new().event(Event::InputEnded), ["[exit]"]);
    let mut talk = Talk::new();
    talk.say("go infinite");
    assert_eq!(talk.say("quit"), ["[quit]"]);
    assert!(talk.say("isready").is_empty());
    let lines = talk.answer();
    assert_eq!(best_moves(&lines), 1);
    assert_eq!(lines.last().unwrap(), "[exit]");
}

#[test]
fn work_that_breaks_off_still_gives_a_legal_series() {
    let mut talk = Talk::new();
    talk.say("position startpos moves e2e4");
    talk.say("go depth 3 searchmoves b8c6");
    let lines = talk.event(Event::Failed);
    assert!(lines[0].contains("error"));
    let best = lines.last().unwrap();
    assert!(best.starts_with("bestmove b8c6 "), "{best}");
    assert_eq!(best.split(' ').count(), 3);
    assert_eq!(talk.say("isready"), ["readyok"]);
}

#[test]
fn in_alternating_mode_the_plan_is_followed() {
    let mut talk = Talk::new();
    talk.say("setoption name Turns value alternating");
    talk.say("position startpos moves e2e4");
    talk.say("go depth 1");
    let lines = talk.answer();
    let (info, best) = (&lines[0], lines.last().unwrap());
    let pv: Vec<&str> = info.split_once(" pv ").unwrap().1.split(' ').collect();
    assert_eq!(pv[1], "0000", "{info}");
    assert_eq!(best, &format!("bestmove {}", pv[0]));
    // The waiting side passes at once, with an info line.
    talk.say(&format!("position startpos moves e2e4 {}", pv[0]));
    let lines = talk.say("go depth 1");
    assert!(lines[0].starts_with("info depth "));
    assert_eq!(lines[1], "bestmove 0000");
    // The planned move follows without another search.
    talk.say(&format!("position startpos moves e2e4 {} 0000", pv[0]));
    let lines = talk.say("go depth 1");
    assert!(talk.jobs.is_empty());
    assert!(
        lines
            .last()
            .unwrap()
            .starts_with(&format!("bestmove {}", pv[2]))
    );
}

#[test]
fn an_alternating_client_never_sees_an_en_passant_capture_it_does_not_know() {
    let mut talk = Talk::new();
    talk.say("setoption name Turns value alternating");
    // White's pawn stands on e5; Black's d7d5 is followed by another move.
    talk.say("position startpos moves e2e4 a7a6 0000 a6a5 e4e5 0000 h2h3 0000 h3h4");
    talk.say("position startpos moves e2e4 a7a6 0000 a6a5 e4e5 0000 h2h3 0000 h3h4 d7d5 0000 b7b6 0000 b6b5 0000 b8c6");
    let display = talk.say("d");
    let moves = display
        .iter()
        .find(|line| line.starts_with("Legal moves"))
        .unwrap();
    assert!(moves.contains("e5d6"), "{moves}");
    talk.say("go depth 1");
    let Some(Job::Search(request, _)) = talk.jobs.last() else {
        panic!("no search")
    };
    assert!(!request.first_moves.is_empty());
    assert!(
        request
            .first_moves
            .iter()
            .all(|m| m.kind() != crate::rules::MoveKind::EnPassant)
    );
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mut talk = Talk::new();
    talk.say("position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1 moves f7g7");
    let lines = talk.say("go depth 1");
    assert!(lines[0].contains("checkmate"));
    assert!(lines[1].contains("score mate 0 "));
    assert_eq!(lines[2], "bestmove (none)");
    assert!(talk.say("go infinite").is_empty());
    assert_eq!(best_moves(&talk.say("stop")), 1);
    talk.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 2");
    let lines = talk.say("go depth 1");
    assert!(lines[1].contains("score cp 0 "), "{lines:?}");
}

#[test]
fn what_may_be_searched_is_judged_first() {
    let refused = |talk: &mut Talk, go: &str, why: &str| {
        let lines = talk.say(go);
        assert_eq!(lines.len(), 1, "{go}: {lines:?}");
        assert!(lines[0].starts_with("info string error: "), "{lines:?}");
        assert!(lines[0].contains(why), "{go}: {lines:?}");
        assert!(talk.say("stop").is_empty());
    };
    let mut talk = Talk::new();
    talk.say("position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1 moves f7g7");
    refused(&mut talk, "go searchmoves h8g8", "searchmoves: move 'h8g8'");
    refused(&mut talk, "go searchseries h8g8 g8h8", "series number 1");
    assert_eq!(best_moves(&talk.say("go depth 1")), 1);
    talk.say("setoption name Turns value alternating");
    talk.say("position startpos moves e2e4 e7e5");
    refused(
        &mut talk,
        "go depth 1 searchmoves d2d4",
        "where white waits",
    );
    refused(&mut talk, "go searchseries g8f6", "alternating mode");
    let lines = talk.say("go depth 1 searchmoves 0000 e1e1");
    assert_eq!(lines.last().unwrap(), "bestmove 0000");
}

#[test]
fn what_the_search_tells_is_written_and_thinned() {
    let mut talk = Talk::new();
    talk.say("setoption name UCI_ShowRefutations value true");
    talk.say("position startpos moves e2e4");
    talk.say("go infinite");
    let position = parse_fen(
        Preset::Italian.rules(),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
    )
    .unwrap();
    let series: Vec<Move> = search::quick_answer(&position, &[])
        .lines
        .remove(0)
        .pv
        .remove(0);
    let text = spelling::series_text(&series, &talk.session.settings).join(" ");
    let lines = talk.event(Event::Progress(search::Progress {
        depth: 1,
        series: series.clone(),
        number: 7,
        candidates: 300,
        verified: 20,
        refuted: 15,
        nodes: 4000,
        elapsed: Duration::from_millis(1200),
    }));
    let first = text.split(' ').next().unwrap();
    assert_eq!(
        lines,
        [format!(
            "info depth 1 currmove {first} currmovenumber 7 nodes 4000 time 1200 candidates 300 verified 20 refuted 15 currseries {text}"
        )]
    );
    let lines = talk.event(Event::Threat(series.clone()));
    assert_eq!(lines, [format!("info threat {text}")]);
    let refutation = || Event::Refutation {
        series: series.clone(),
        mate: Vec::new(),
    };
    let lines = talk.event(refutation());
    assert_eq!(lines, [format!("info refutation {text}")]);
    let written: usize = (0..1000).map(|_| talk.event(refutation()).len()).sum();
    assert!(written < 45, "{written}");
    talk.say("stop");
    talk.answer();
    // What comes late is not told.
    assert!(talk.event(refutation()).is_empty());
}

#[test]
fn a_change_of_turns_sets_the_place_up_again() {
    let mut talk = Talk::new();
    talk.say("setoption name Turns value alternating");
    talk.say("position startpos moves e2e4 e7e5");
    assert!(talk.say("d").contains(&"Ply: 2, white passes".to_owned()));
    talk.say("setoption name Turns value series");
    assert!(talk.say("go depth 1").is_empty());
    let lines = talk.answer();
    let best = lines.last().unwrap();
    assert_eq!(
        best.split(" ponder ").next().unwrap().split(' ').count(),
        2,
        "{best}"
    );
}

#[test]
fn random_lines_from_the_vocabulary_never_panic() {
    const WORDS: &[&str] = &[
        "uci",
        "isready",
        "position",
        "startpos",
        "startpos960",
        "fen",
        "moves",
        "go",
        "perft",
        "depth",
        "nodes",
        "mate",
        "movestogo",
        "wtime",
        "btime",
        "winc",
        "movetime",
        "infinite",
        "ponder",
        "searchmoves",
        "searchseries",
        "/",
        "stop",
        "ponderhit",
        "setoption",
        "name",
        "value",
        "Hash",
        "Preset",
        "Turns",
        "alternating",
        "series",
        "UCI_Variant",
        "circe",
        "fullcapture",
        "Schedule",
        "1,2+0",
        "255+255",
        "Checks",
        "none",
        "d",
        "eval",
        "ucinewgame",
        "e2e4",
        "e7e5",
        "g8f6",
        "e7e8k",
        "e1g1",
        "0000",
        "--",
        "e1e1",
        "-1",
        "0",
        "1",
        "300",
        "99999999999999999999",
        "8/8/8/8/8/8/8/K1k5",
        "4k3/8/8/8/8/8/8/4K2R",
        "w",
        "b",
        "-",
        "K",
        "KQkq",
        "e3",
        "c3e3",
        "left=2;passed=e3",
        "counts=e1:1",
        "unmoved=Kk",
        "65535",
        "\u{e9}",
        "\0",
        "\t",
        "debug",
        "register",
        "bench",
    ];
    let mut random = fastrand::Rng::with_seed(7);
    let mut talk = Talk::new();
    for _ in 0..30_000 {
        let count = random.usize(1..12);
        let words: Vec<&str> = (0..count)
            .map(|_| WORDS[random.usize(..WORDS.len())])
            .collect();
        talk.say(&words.join(" "));
        if talk.session.task.is_some() && random.bool() {
            talk.say("stop");
            talk.event(Event::Done(Reply::Note("done".to_owned())));
        }
        talk.jobs.clear();
    }
}

#[test]
fn any_line_gets_an_answer_or_none_but_never_a_panic() {
    let mut talk = Talk::new();
    for line in [
        "position",
        "position fen",
        "position fen \u{e9} w - - 0 1",
        "position startpos moves \u{1f600}\u{1f600}",
        "position startpos960 960",
        "position startpos960 -1",
        "go depth",
        "go depth x",
        "go depth 1 depth 2",
        "go searchmoves",
        "go searchmoves e2e5",
        "go searchseries e2e4 e7e5",
        "go searchseries e2e4 /",
        "go infinite ponder",
        "go perft 4000000000",
        "setoption",
        "setoption name",
        "setoption name \u{e9} value",
        "setoption \u{e9}\u{e9}",
        "debug maybe",
        "bench 0",
        "xyzzy",
        "uci now",
    ] {
        let lines = talk.say(line);
        assert_eq!(lines.len(), 1, "{line}: {lines:?}");
        assert!(lines[0].starts_with("info string error: "), "{line}");
        assert!(talk.jobs.is_empty(), "{line}");
    }
    assert_eq!(talk.session.settings.rules, Preset::Italian.rules());
}

/// Reads the book that was ordered, as the worker would.
fn read_book(talk: &mut Talk) -> Vec<String> {
    let Some(Job::Book(source)) = talk.jobs.pop() else {
        panic!("no book was ordered");
    };
    let read = super::super::shelf::BookRead::from(source);
    let mut lines = talk.event(Event::Book(Box::new(read)));
    lines.extend(talk.event(Event::Prepared));
    lines
}

#[test]
fn a_book_move_comes_at_once() {
    let mut talk = Talk::new();
    assert!(talk.say("setoption name OwnBook value true").is_empty());
    // What comes while the book is read waits in its order.
    assert!(talk.say("position startpos moves e2e4").is_empty());
    assert!(talk.say("go nodes 1000").is_empty());
    assert!(talk.say("isready").is_empty());
    let lines = read_book(&mut talk);
    assert!(
        lines[0].starts_with("info string book built-in: "),
        "{lines:#?}"
    );
    assert_eq!(lines[1], "readyok");
    assert!(
        lines[2].starts_with("info string book built-in: proven safe"),
        "{lines:#?}"
    );
    assert!(lines[3].starts_with("info depth "), "{lines:#?}");
    assert_eq!(best_moves(&lines), 1);
    assert!(talk.jobs.is_empty());
    // The same seed plays the same series, another one or the best may be another.
    let again = talk.say("go nodes 1000");
    assert_eq!(again.last(), lines.last());
    talk.say("setoption name BookChoice value best");
    let best = talk.say("go movetime 1000");
    assert_eq!(best_moves(&best), 1);
    assert!(talk.jobs.is_empty());
}

#[test]
fn the_book_leaves_to_the_search_what_is_asked_of_that() {
    let mut talk = Talk::new();
    talk.say("setoption name OwnBook value true");
    read_book(&mut talk);
    for go in [
        "go infinite",
        "go ponder nodes 1000",
        "go mate 2",
        "go nodes 1000 searchmoves a2a3",
        "go nodes 1000 searchseries a2a3 / a2a4",
    ] {
        assert!(talk.say(go).is_empty(), "{go}");
        talk.say("stop");
        assert_eq!(best_moves(&talk.answer()), 1, "{go}");
    }
    for setting in [
        "setoption name MultiPV value 2",
        "setoption name MultiPV value 1",
        "setoption name Level value one-series",
        "setoption name Level value full",
        "setoption name UCI_Variant value scottish",
        "setoption name UCI_Variant value italian",
    ] {
        talk.say(setting);
        let is_asked =
            setting.ends_with(" 1") || setting.ends_with("full") || setting.ends_with("italian");
        talk.jobs.clear();
        assert_eq!(
            best_moves(&talk.say("go nodes 1000")),
            usize::from(is_asked),
            "{setting}"
        );
        if !is_asked {
            assert_eq!(best_moves(&talk.answer()), 1, "{setting}");
        }
    }
    talk.say("setoption name OwnBook value false");
    assert!(talk.jobs.is_empty());
    assert!(talk.say("go nodes 1000").is_empty());
}

#[test]
fn without_a_readable_book_the_engine_goes_on() {
    let mut talk = Talk::new();
    talk.say("setoption name OwnBook value true");
    read_book(&mut talk);
    talk.say("setoption name BookFile value /no/such/file.book");
    let lines = read_book(&mut talk);
    assert_eq!(lines.len(), 1);
    assert!(
        lines[0].starts_with("info string error: book '/no/such/file.book' cannot be read: "),
        "{lines:#?}"
    );
    assert!(talk.say("go nodes 1000").is_empty());
    assert_eq!(best_moves(&talk.answer()), 1);
    talk.say("setoption name BookFile value");
    read_book(&mut talk);
    assert_eq!(best_moves(&talk.say("go nodes 1000")), 1);
}

#[test]
fn quit_comes_after_what_waits_for_the_book() {
    let mut talk = Talk::new();
    talk.say("setoption name OwnBook value true");
    talk.say("isready");
    talk.say("go nodes 100");
    assert_eq!(talk.say("quit"), ["[quit]"]);
    talk.say("go infinite");
    let lines = read_book(&mut talk);
    assert_eq!(lines[1], "readyok");
    assert_eq!(best_moves(&lines), 1);
    assert_eq!(lines.last().unwrap(), "[exit]");
    assert!(talk.jobs.is_empty());
}
