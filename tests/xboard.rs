//! The real XBoard plays with the real engine, on a screen of its own: a game of a human who
//! clicks, a game of two engines, and the games of a match, loaded to look at.
//!
//! What was said is taken from XBoard's debug file, and each game from the PGN that it saved.

#![allow(clippy::unwrap_used)]

mod conversation;
mod viewers;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use conversation::stretched;
use regex::Regex;
use seriatim::{
    notation::{format_fen, parse_uci_move, uci_text},
    rules::{Color, Game, Move, MoveKind, Outcome, Preset, Role, SeriesPosition, Status},
    search::{Limits, Request, Searcher, Settings, Signals},
};
use viewers::{
    directory, games, match_games, output, read_with_python_chess,
    screen::{Group, Screen, program},
};

/// How long something may take to appear.
const PATIENCE: Duration = Duration::from_secs(40);
/// How often it is looked for.
const PAUSE: Duration = Duration::from_millis(40);
/// What XBoard is told for progressive chess: the rules of its board are those of ordinary chess,
/// so who has won is not its business. The rest makes it quick and quiet.
const PROGRESSIVE: &[&str] = &[
    "-variant",
    "progressive",
    "-testLegality",
    "true",
    "-checkMates",
    "false",
    "-testClaims",
    "false",
    "-materialDraws",
    "false",
    "-animateMoving",
    "false",
    "-soundProgram",
    "",
    "-alwaysPromoteToQueen",
    "true",
    "-autoDisplayTags",
    "false",
    "-autoDisplayComment",
    "false",
    // Nothing may lie over the board.
    "-engineOutputUp",
    "false",
    "-moveHistoryUp",
    "false",
    "-evalGraphUp",
    "false",
];

/// Probes until there is something; panics with `state` if it takes too long.
fn wait<T>(what: &str, state: impl Fn() -> String, mut probe: impl FnMut() -> Option<T>) -> T {
    let by = Instant::now() + stretched(PATIENCE);
    loop {
        if let Some(found) = probe() {
            return found;
        }
        assert!(Instant::now() < by, "no {what}; so far:\n{}", state());
        thread::sleep(PAUSE);
    }
}

/// A running XBoard.
struct Board<'s> {
    screen: &'s Screen,
    directory: PathBuf,
    separator: Regex,
    _group: Group,
}

/// One line between XBoard and an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    by_board: bool,
    text: String,
}

impl Board<'_> {
    fn start<'s>(screen: &'s Screen, directory: &Path, arguments: &[&str]) -> Board<'s> {
        let mut xboard = Command::new(program("xboard"));
        xboard
            .args(arguments)
            .args([
                "-debug",
                "-debugfile",
                "debug",
                "-saveGameFile",
                "saved.pgn",
            ])
            .current_dir(directory)
            .env("DISPLAY", &screen.display)
            // Its settings are nobody's.
            .env("HOME", directory)
            .env_remove("SERIATIM_LOG")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Board {
            screen,
            directory: directory.to_owned(),
            separator: Regex::new(r"\d+ ([<>])first : ").unwrap(),
            _group: Group::start(&mut xboard),
        }
    }

    fn debug(&self) -> String {
        let bytes = fs::read(self.directory.join("debug")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// What was said between XBoard and its first engine.
    fn said(&self) -> Vec<Said> {
        let debug = self.debug();
        // The last line may still be written on.
        let whole = debug.rsplit_once('\n').map_or("", |(whole, _)| whole);
        let mut said = Vec::new();
        for line in whole.lines() {
            // A command that XBoard sends in two pieces stands in one line with two heads.
            let text: String = self.separator.split(line).skip(1).collect();
            if let Some(head) = self.separator.captures(line) {
                said.push(Said {
                    by_board: &head[1] == ">",
                    text,
                });
            }
        }
        said
    }

    fn state(&self) -> String {
        let said = self.said();
        let from = said.len().saturating_sub(25);
        let lines: Vec<String> = said[from..]
            .iter()
            .map(|line| format!("{} {}", if line.by_board { '>' } else { '<' }, line.text))
            .collect();
        lines.join("\n")
    }

    /// Waits until the conversation shows something.
    fn wait<T>(&self, what: &str, mut probe: impl FnMut(&[Said]) -> Option<T>) -> T {
        wait(what, || self.state(), || probe(&self.said()))
    }

    /// The plies that stand on the board: those played and not taken back.
    fn plies(said: &[Said]) -> Vec<String> {
        let mut plies = Vec::new();
        for line in said {
            let by = if line.by_board { "usermove " } else { "move " };
            if let Some(text) = line.text.strip_prefix(by) {
                plies.push(text.trim().to_owned());
            } else if line.by_board && line.text == "remove" {
                plies.truncate(plies.len() - 2);
            } else if line.text.starts_with("Illegal move") {
                plies.pop();
            }
        }
        plies
    }

    /// The result that the engine has told.
    fn result(said: &[Said]) -> Option<String> {
        said.iter()
            .find(|line| !line.by_board && line.text.contains('{') && line.text.ends_with('}'))
            .map(|line| line.text.clone())
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        output(
            Command::new(program("xdotool"))
                .args(arguments)
                .env("DISPLAY", &self.screen.display),
        )
    }

    /// The main window and its size.
    fn window(&self) -> (String, [i32; 2]) {
        wait(
            "main window",
            || self.state(),
            || {
                let search = Command::new(program("xdotool"))
                    .args(["search", "--onlyvisible", "--name", "."])
                    .env("DISPLAY", &self.screen.display)
                    .output()
                    .unwrap();
                let found = String::from_utf8_lossy(&search.stdout).into_owned();
                found.split_whitespace().find_map(|window| {
                    let geometry = Command::new(program("xdotool"))
                        .args(["getwindowgeometry", "--shell", window])
                        .env("DISPLAY", &self.screen.display)
                        .output()
                        .unwrap();
                    let text = String::from_utf8_lossy(&geometry.stdout).into_owned();
                    let value = |name: &str| {
                        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
                        line.parse::<i32>().ok()
                    };
                    let size = [value("WIDTH=")?, value("HEIGHT=")?];
                    (size[0] >= 400 && size[1] >= 450).then(|| (window.to_owned(), size))
                })
            },
        )
    }

    /// Clicks on the squares of a move, until the engine hears of it.
    fn click(&self, m: Move) {
        let text = uci_text(m, seriatim::notation::CastlingText::KingMove);
        let heard = |said: &[Said]| {
            said.iter()
                .filter(|line| line.by_board && line.text.trim() == format!("usermove {text}"))
                .count()
        };
        let before = heard(&self.said());
        for _ in 0..10 {
            let (window, size) = self.window();
            // Squares of 49 points and lines of one, at the window's left and bottom edges.
            let place = |square: &str| {
                let [file, rank] = [square.as_bytes()[0] - b'a', square.as_bytes()[1] - b'1'];
                [
                    (2 + 25 + 50 * i32::from(file)).to_string(),
                    (size[1] - 2 - 25 - 50 * i32::from(rank)).to_string(),
                ]
            };
            // The window of the engine's thinking comes up over the board; nothing manages windows.
            self.xdotool(&["windowraise", &window]);
            for square in [&text[0..2], &text[2..4]] {
                let [x, y] = place(square);
                self.xdotool(&["mousemove", "--window", &window, &x, &y, "click", "1"]);
                thread::sleep(PAUSE);
            }
            let by = Instant::now() + stretched(Duration::from_secs(2));
            while Instant::now() < by {
                if heard(&self.said()) > before {
                    return;
                }
                thread::sleep(PAUSE);
            }
        }
        panic!("XBoard does not take {text}; so far:\n{}", self.state());
    }

    /// Menu entry "Retract Move" of the engine.
    fn retract(&self) {
        let removes = |said: &[Said]| said.iter().filter(|line| line.text == "remove").count();
        let before = removes(&self.said());
        let (window, _) = self.window();
        self.xdotool(&["windowfocus", "--sync", &window, "key", "ctrl+x"]);
        self.wait("remove", |said| (removes(said) > before).then_some(()));
    }

    /// The PGN that it has saved.
    fn saved(&self) -> PathBuf {
        let path = self.directory.join("saved.pgn");
        wait(
            "saved game",
            || self.state(),
            || {
                let text = fs::read_to_string(&path).unwrap_or_default();
                text.contains("} 1")
                    .then_some(())
                    .or_else(|| text.contains("} 0").then_some(()))
            },
        );
        path
    }
}

/// A game from the plies of the board, passes left out.
fn game_of(plies: &[String]) -> Game {
    let mut game = Game::new(SeriesPosition::start(Preset::Italian.rules()));
    for text in plies.iter().filter(|text| *text != "@@@@") {
        let m = parse_uci_move(game.position(), text).unwrap();
        game.play(m).unwrap();
    }
    game
}

/// Passes stand where they have to: after every move that does not end a series.
fn assert_passes(plies: &[String]) {
    let mut game = Game::new(SeriesPosition::start(Preset::Italian.rules()));
    let mut is_waiting = false;
    for (number, text) in plies.iter().enumerate() {
        assert_eq!(text == "@@@@", is_waiting, "ply {number} of {plies:?}");
        if is_waiting {
            is_waiting = false;
            continue;
        }
        let m = parse_uci_move(game.position(), text).unwrap();
        game.play(m).unwrap();
        is_waiting = !game.position().is_turn_start();
    }
}

/// The human's next series: found by the engine's own search with a little thought, since the
/// game has to come to an end; other `nodes` make another game. XBoard itself plays only en passant captures of the last ply, and
/// here it always promotes to a queen.
fn human_series(searcher: &mut Searcher, game: &Game, nodes: u64) -> Vec<Move> {
    let mut request = Request::new(
        game.clone(),
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        },
    );
    request.lines = 20;
    let answer = searcher.search(&request, &Signals::default(), &mut |_| {});
    let is_playable = |m: &Move| {
        m.kind() != MoveKind::EnPassant && m.promotion().is_none_or(|role| role == Role::Queen)
    };
    let mut lines = answer.lines.iter().map(|line| &line.pv[0]);
    let series = lines.find(|series| series.iter().all(is_playable));
    series
        .expect("one of twenty series without en passant")
        .clone()
}

/// The saved game is the one that was played, for this program and for python-chess.
fn assert_saved(board: &Board<'_>, game: &Game, result: &str) {
    let pgn = board.saved();
    let saved = games(&pgn, Preset::Italian.rules());
    assert_eq!(saved.len(), 1);
    assert_eq!(saved[0].series(), game.series());
    assert_eq!(saved[0].result().as_str(), result);
    // python-chess knows no variant of that name; converted, the game is ordinary to it.
    let converted = output(
        Command::new(env!("CARGO_BIN_EXE_seriatim"))
            .args(["convert", "--to", "null-pgn"])
            .arg(&pgn),
    );
    let path = board.directory.join("converted.pgn");
    fs::write(&path, converted).unwrap();
    let read = read_with_python_chess(&path);
    let last = read.last().unwrap();
    assert_eq!(last["errors"], serde_json::json!([]));
    assert_eq!(last["result"], result);
    let fen = format_fen(game.position());
    assert_eq!(last["placement"], fen.split(' ').next().unwrap());
}

/// Games until somebody wins one, since any single one may be drawn.
fn until_won<T>(tries: &[T], play: impl Fn(&T) -> Outcome) {
    let is_won = |one: &T| play(one).winner.is_some();
    assert!(tries.iter().any(is_won), "drawn each time");
}

#[test]
fn a_human_plays_a_game_takes_a_move_back_and_somebody_mates() {
    until_won(&[400_000, 300_000, 200_000], |&nodes| play_as_human(nodes));
}

/// A human's game against the engine: what is shown, said and saved is right.
fn play_as_human(nodes: u64) -> Outcome {
    let screen = Screen::open();
    let directory = directory("xboard-human");
    let mut arguments = PROGRESSIVE.to_vec();
    let engine = env!("CARGO_BIN_EXE_seriatim");
    // An opponent that has no time at all loses soon, and always in the same way.
    arguments.extend(["-fcp", engine, "-searchTime", "0:01"]);
    arguments.extend(["-firstOptions", "Move Overhead=5000"]);
    let board = Board::start(&screen, &directory, &arguments);
    // The start: variant and its board, and the engine is ready.
    board.wait("handshake", |said| {
        let setup = said
            .iter()
            .position(|line| line.text.starts_with("setup (PNBRQ"))?;
        said[setup..]
            .iter()
            .find(|line| line.text.starts_with("pong"))
            .map(|_| ())
    });
    let mut searcher = Searcher::new(Settings::default());
    let mut has_retracted = false;
    let (plies, told) = 'game: loop {
        // The human's turn, once the engine's series (or its pass) is there.
        let plies = board.wait("move of the engine", |said| {
            let plies = Board::plies(said);
            let game = game_of(&plies);
            let is_over = matches!(game.status(), Status::Over(_));
            let is_ours = game.position().side() == Color::White && plies.len().is_multiple_of(2);
            (is_over || is_ours).then_some(plies)
        });
        let game = game_of(&plies);
        if matches!(game.status(), Status::Over(_)) {
            let told = board.wait("result", Board::result);
            break (plies, told);
        }
        assert_passes(&plies);
        for (index, &m) in human_series(&mut searcher, &game, nodes).iter().enumerate() {
            let before = Board::plies(&board.said()).len();
            board.click(m);
            let passes = |said: &[Said]| {
                let plies = Board::plies(said);
                let is_there = plies.len() >= before + 2;
                (is_there || Board::result(said).is_some()).then_some(())
            };
            board.wait("pass or answer", passes);
            if !has_retracted && index == 0 && game.position().moves_left() > 1 {
                has_retracted = true;
                board.retract();
                assert_eq!(Board::plies(&board.said()).len(), before);
                board.click(m);
                board.wait("pass or answer", passes);
            }
            if Board::result(&board.said()).is_some() {
                continue 'game;
            }
        }
    };
    assert!(has_retracted);
    assert_passes(&plies);
    let game = game_of(&plies);
    let Status::Over(outcome) = game.status() else {
        panic!("the game is not over")
    };
    assert_eq!(told, format!("{} {{{}}}", outcome.result(), outcome.ending));
    assert_saved(&board, &game, outcome.result());
    outcome
}

#[test]
fn two_engines_play_to_mate() {
    // One of them has no time at all, so that it does not take long.
    until_won(&["5000", "4999", "970"], |overhead| play_engines(overhead));
}

/// A game between two engines, of which the second keeps back so much of each second: what is said
/// and saved is right.
fn play_engines(overhead: &str) -> Outcome {
    let screen = Screen::open();
    let directory = directory("xboard-engines");
    let mut arguments = PROGRESSIVE.to_vec();
    let engine = env!("CARGO_BIN_EXE_seriatim");
    arguments.extend(["-fcp", engine, "-scp", engine, "-searchTime", "0:01"]);
    let held_back = format!("Move Overhead={overhead}");
    arguments.extend(["-secondOptions", &held_back]);
    arguments.extend(["-matchGames", "1", "-mode", "TwoMachines"]);
    let board = Board::start(&screen, &directory, &arguments);
    let told = board.wait("result", |said| {
        // XBoard tells the engine, whoever has claimed it.
        let result = said
            .iter()
            .find(|line| line.by_board && line.text.starts_with("result "));
        result.map(|line| line.text.clone())
    });
    let said = board.said();
    assert!(
        said.iter()
            .any(|line| line.by_board && line.text == "computer")
    );
    let plies = Board::plies(&said);
    assert_passes(&plies);
    let game = game_of(&plies);
    let Status::Over(outcome) = game.status() else {
        panic!("{told}, but the game is not over")
    };
    assert_eq!(
        told,
        format!("result {} {{{}}}", outcome.result(), outcome.ending)
    );
    assert_saved(&board, &game, outcome.result());
    outcome
}

#[test]
fn the_games_of_a_match_can_be_looked_at() {
    let screen = Screen::open();
    let directory = directory("xboard-viewer");
    let (games, null_pgn) = match_games(&directory, "italian", Preset::Italian.rules());
    // A game that is split for viewers is several to them; python-chess tells how long each is.
    let parts = read_with_python_chess(&null_pgn);
    assert!(games.len() == 4 && parts.len() >= games.len(), "{parts:?}");
    for (index, part) in parts.iter().enumerate() {
        let plies = part["plies"].as_u64().unwrap();
        watch(&screen, &directory, &null_pgn, index + 1, plies);
    }
}

/// XBoard plays a game of the file through to its end.
fn watch(screen: &Screen, directory: &Path, pgn: &Path, number: usize, plies: u64) {
    let folder = directory.join(format!("game-{number}"));
    fs::create_dir_all(&folder).unwrap();
    let number = number.to_string();
    let mut arguments = vec!["-ncp", "-testLegality", "true", "-timeDelay", "0.01"];
    arguments.extend(["-animateMoving", "false", "-soundProgram", ""]);
    let path = pgn.display().to_string();
    arguments.extend(["-loadGameFile", &path, "-loadGameIndex", &number]);
    let board = Board::start(screen, &folder, &arguments);
    let last = format!("AutoPlayOneMove(): current {plies}\n");
    wait(
        "end of the game",
        || board.debug(),
        || board.debug().contains(&last).then_some(()),
    );
    let debug = board.debug().to_lowercase();
    assert!(
        !debug.contains("illegal") && !debug.contains("ambiguous"),
        "{debug}"
    );
}
