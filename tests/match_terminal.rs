//! What a match shows on a terminal and in a pipe, and what it does when the terminal is closed.
//! The terminal is that of `script` (util-linux).

#![allow(clippy::unwrap_used)]

mod matches_support;

use std::{
    fs,
    io::Write,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use matches_support::Bout;

const ESCAPE: char = '\u{1b}';

/// A match of two engines that think a little, under a test; each loses one of the first games.
fn bout(name: &str, rounds: u32) -> Bout {
    Bout::new(name)
        .engine("A", "think=5000 fault=illegal at=20")
        .engine("B", "think=5000 fault=illegal at=11")
        .flags("--each nodes=100 --max-turns 6 --sprt elo0=0 elo1=1")
        .flags(&format!("--rounds {rounds}"))
}

/// A runner on a terminal of its own, of 30 lines and 100 columns; what it shows goes into the file
/// `screen`.
struct OnTerminal {
    bout: Bout,
    script: Child,
}

impl OnTerminal {
    fn start(bout: Bout) -> OnTerminal {
        let command = bout.command();
        // `exec`, so that the runner leads the terminal's session, as one started by hand does.
        let mut line = "stty rows 30 cols 100; exec".to_owned();
        for word in std::iter::once(command.get_program()).chain(command.get_args()) {
            line.push_str(" '");
            line.push_str(word.to_str().unwrap());
            line.push('\'');
        }
        let script = Command::new("script")
            .args(["--quiet", "--flush", "--return", "--command", &line])
            .arg(bout.directory.join("screen"))
            .current_dir(&bout.directory)
            .env("TERM", "xterm")
            .env("SHELL", "/bin/sh")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        OnTerminal { bout, script }
    }

    fn screen(&self) -> String {
        let bytes = fs::read(self.bout.directory.join("screen")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn press(&mut self, key: &[u8]) {
        let keys = self.script.stdin.as_mut().unwrap();
        keys.write_all(key).unwrap();
        keys.flush().unwrap();
    }

    #[track_caller]
    fn wait(&self, what: &str, condition: impl Fn(&OnTerminal) -> bool) {
        let until = Instant::now() + Duration::from_secs(30);
        while !condition(self) {
            assert!(Instant::now() < until, "{what}:\n{}", self.screen());
            sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn a_terminal_shows_a_live_table_and_then_the_report() {
    let mut terminal = OnTerminal::start(bout("terminal-table", 60));
    terminal.wait("a table with a pace", |terminal| {
        let screen = terminal.screen();
        screen.contains("of 120 games, ") && screen.contains("pair ratio")
    });
    let table = terminal.screen();
    for needle in [
        "A against B",
        "score",
        "Elo ",
        "nElo",
        "LOS",
        "pair ratio",
        "LLR",
        "normalized [0, 1]",
        "[=",
        "games per minute, at most",
    ] {
        assert!(table.contains(needle), "{needle}:\n{table}");
    }
    // It is redrawn in its place, and no game has a line of its own.
    assert!(table.contains(ESCAPE), "{table}");
    assert!(!table.contains("game 1 (A - B)"), "{table}");
    assert_eq!(terminal.script.wait().unwrap().code(), Some(0));
    let end = terminal.screen();
    assert!(
        end.contains("Complete") && end.contains("120 of 120 games played"),
        "{end}"
    );
    terminal.bout.assert_nobody_left();
}

#[test]
fn a_pipe_gets_plain_lines() {
    let played = bout("terminal-pipe", 10).play(20.0);
    assert_eq!(played.code, Some(0), "{}", played.text);
    assert!(!played.text.contains(ESCAPE), "{}", played.text);
    assert!(played.text.contains("game 1 (A - B)"), "{}", played.text);
    assert!(played.text.contains("games per minute"), "{}", played.text);
}

#[test]
fn a_closed_terminal_saves_the_match_and_ends_it() {
    let mut terminal = OnTerminal::start(bout("terminal-closed", 10_000));
    terminal.wait("two games", |terminal| terminal.bout.records().len() >= 2);
    // The terminal goes away with the program that keeps it, and the kernel hangs up.
    terminal.script.kill().unwrap();
    terminal.script.wait().unwrap();
    terminal.wait("the end", |terminal| terminal.bout.processes().is_empty());
    assert!(terminal.bout.result("report.txt").contains("interrupted"));
    let played = terminal.bout.records().len();
    let games = terminal.bout.result("games.pgn");
    assert_eq!(games.matches("[Event ").count(), played);
}

#[test]
fn ctrl_c_on_a_terminal_saves_the_match_and_says_how_to_go_on() {
    let mut terminal = OnTerminal::start(bout("terminal-ctrl-c", 10_000));
    terminal.wait("two games", |terminal| terminal.bout.records().len() >= 2);
    terminal.press(b"\x03");
    assert_eq!(terminal.script.wait().unwrap().code(), Some(130));
    let screen = terminal.screen();
    assert!(screen.contains("seriatim-match resume"), "{screen}");
    assert!(terminal.bout.result("report.txt").contains("interrupted"));
    terminal.bout.assert_nobody_left();
}

#[test]
fn ctrl_z_on_a_terminal_pauses_the_match() {
    let mut terminal = OnTerminal::start(bout("terminal-ctrl-z", 10_000));
    terminal.wait("a game", |terminal| !terminal.bout.records().is_empty());
    terminal.press(b"\x1a");
    terminal.wait("a pause", |terminal| terminal.screen().contains("paused: "));
    // The game that was running is finished, and no other.
    sleep(Duration::from_millis(500));
    let games = terminal.bout.records().len();
    sleep(Duration::from_millis(500));
    assert_eq!(terminal.bout.records().len(), games);
    terminal.press(b"\x1a");
    terminal.wait("more games", |terminal| {
        terminal.screen().contains("going on") && terminal.bout.records().len() > games
    });
    terminal.press(b"\x03");
    assert_eq!(terminal.script.wait().unwrap().code(), Some(130));
    terminal.bout.assert_nobody_left();
}
