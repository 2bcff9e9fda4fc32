//! A scripted engine for the match runner's tests: it plays legal series, the same ones for the
//! same position and seed, and misbehaves on request.
//!
//! Arguments are `KEY=VALUE`. `fault=NAME` names a misbehaviour (see [`Fault`]), `at=N` the `go`
//! at which it happens (default 1, counted over the life of the process); the other keys are read
//! in [`Script::read`].

// A tool for tests: brevity goes before the last allocation.
#![allow(
    clippy::assigning_clones,
    clippy::format_push_string,
    clippy::needless_pass_by_value,
    clippy::too_many_lines,
    clippy::zombie_processes
)]

mod script;

use std::{
    fs::OpenOptions,
    io::{BufRead, Write, stdin, stdout},
    process::Command,
    thread::sleep,
    time::{Duration, Instant},
};

use seriatim::{
    notation::{CastlingText, parse_fen, parse_uci_move, uci_text},
    rules::{Move, Preset, RuleSet, SeriesPosition, Status, Switch},
};

use script::{Fault, Script};

struct Fake {
    script: Script,
    begun: Instant,
    rules: RuleSet,
    preset: RuleSet,
    chess960: bool,
    position: SeriesPosition,
    turns: usize,
    goes: u64,
    readies: u64,
}

fn main() {
    let script = Script::read();
    let rules = RuleSet::default();
    let mut fake = Fake {
        script,
        begun: Instant::now(),
        rules,
        preset: rules,
        chess960: false,
        position: SeriesPosition::start(rules),
        turns: 0,
        goes: 0,
        readies: 0,
    };
    fake.note(&format!("start {}", allowed_cpus()));
    for line in stdin().lock().split(b'\n') {
        let Ok(line) = line else { break };
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        fake.note(&line);
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "uci" => fake.greet(),
            "isready" => fake.ready(),
            "setoption" => fake.set(rest),
            "position" if fake.script.instant => {
                let moves = rest.split_once("moves ").map_or("", |(_, moves)| moves);
                fake.turns = moves.split_ascii_whitespace().count();
            }
            "go" if fake.script.instant => {
                let line = &fake.script.line;
                let series = &line[fake.turns % line.len()];
                say(format!("info depth 1 score cp 0 nodes 1\nbestmove {series}\n").as_bytes());
            }
            "position" => fake.place(rest),
            "go" => fake.go(),
            "quit" if fake.script.fault == Fault::IgnoreQuit => {}
            "quit" if fake.script.fault == Fault::IgnoreAll => loop {
                sleep(Duration::from_secs(1));
            },
            "quit" => {
                fake.note("end");
                return;
            }
            _ => {}
        }
    }
    if fake.script.fault == Fault::IgnoreAll {
        loop {
            sleep(Duration::from_secs(1));
        }
    }
    fake.note("end");
}

/// The processors this process may run on, as the kernel writes them.
fn allowed_cpus() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    line.unwrap_or("?").trim().to_owned()
}

fn say(bytes: &[u8]) {
    let mut out = stdout().lock();
    // The runner may have gone; what to do then is decided by reading.
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

impl Fake {
    fn note(&self, line: &str) {
        if let Some(log) = &self.script.log {
            let mut file = OpenOptions::new()
                .create(true)
                .append(true)
                .open(log)
                .expect("a log");
            let time = self.begun.elapsed().as_millis();
            // In one write, since several engines append to one file.
            let noted = format!("{} {time} {line}\n", std::process::id());
            file.write_all(noted.as_bytes()).expect("a log line");
        }
    }

    fn greet(&self) {
        match self.script.fault {
            Fault::ExitAtStart => {
                eprintln!("cannot find my network");
                std::process::exit(7);
            }
            Fault::MuteAtStart => return,
            Fault::SlowStart => sleep(self.script.delay),
            Fault::Child => {
                Command::new("sleep").arg("37").spawn().expect("a child");
            }
            _ => {}
        }
        let mut text = String::from("id name Fake 1.0\nid author nobody\n");
        text.push_str("option name UCI_Variant type combo default chess var chess");
        for variant in &self.script.variants {
            text.push_str(&format!(" var {variant}"));
        }
        text.push_str("\noption name UCI_Chess960 type check default false\n");
        for (name, _) in SWITCH_OPTIONS {
            text.push_str(&format!("option name {name} type string default <empty>\n"));
        }
        text.push_str("option name Turns type combo default series var series var alternating\n");
        text.push_str("option name Hash type spin default 16 min 1 max 1024\n");
        text.push_str("option name Seed type spin default 0 min 0 max 4294967295\n");
        if !self.script.protocol.is_empty() {
            text.push_str(&format!("protocol series {}\n", self.script.protocol));
        }
        text.push_str("uciok\n");
        say(text.as_bytes());
    }

    fn ready(&mut self) {
        self.readies += 1;
        if self.readies >= self.script.at {
            match self.script.fault {
                Fault::MuteAtReady => return,
                Fault::ExitAtReady => std::process::exit(5),
                _ => {}
            }
        }
        say(b"readyok\n");
    }

    fn set(&mut self, rest: &str) {
        let rest = rest.strip_prefix("name ").unwrap_or(rest);
        let (name, value) = rest.split_once(" value ").unwrap_or((rest, ""));
        if name == self.script.refuse {
            let text = format!("info string error: option {name} does not take '{value}'\n");
            say(text.as_bytes());
        } else if name == "UCI_Variant" {
            self.preset = value.parse::<Preset>().map_or(self.rules, Preset::rules);
            self.rules = self.preset;
        } else if name == "UCI_Chess960" {
            self.chess960 = value == "true";
        } else if name == "Seed" {
            self.script.seed = value.parse().expect("a seed");
        } else if let Some((_, switch)) = SWITCH_OPTIONS.iter().find(|(option, _)| *option == name)
        {
            switch
                .set(&mut self.rules, value)
                .expect("a value of the switch");
        }
    }

    fn place(&mut self, rest: &str) {
        let (start, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
        self.position = match start.strip_prefix("fen ") {
            Some(fen) => parse_fen(self.rules, fen).expect("a FEN"),
            None => SeriesPosition::start(self.rules),
        };
        self.turns = 0;
        for text in moves
            .split_ascii_whitespace()
            .filter(|text| *text != "0000")
        {
            let turn = self.position.turn();
            let m = parse_uci_move(&self.position, text).expect("a legal move");
            self.position.play(m);
            self.turns += usize::from(self.position.turn() != turn);
        }
    }

    /// A complete legal series; empty if there is none.
    fn series(&self) -> Vec<String> {
        if let Some(series) = self.script.line.get(self.turns) {
            return series.split('_').map(str::to_owned).collect();
        }
        let mut position = self.position;
        let turn = position.turn();
        let mut series = Vec::new();
        while position.turn() == turn && !matches!(position.status(), Status::Over(_)) {
            let moves = position.legal_moves();
            let m: Move =
                moves[(mix(position.key() ^ self.script.seed) % moves.len() as u64) as usize];
            let castling = if self.chess960 {
                CastlingText::KingTakesRook
            } else {
                CastlingText::KingMove
            };
            series.push(uci_text(m, castling));
            position.play(m);
            if self.script.alternating {
                break;
            }
        }
        series
    }

    fn go(&mut self) {
        self.goes += 1;
        let series = self.series();
        let score = self.scores_due();
        let mut answer = format!(
            "info depth 3 {score}nodes {}\nbestmove {}\n",
            self.script.nodes,
            series.join(" ")
        );
        if series.is_empty() {
            answer = "bestmove (none)\n".to_owned();
        }
        if !self.script.think.is_zero() {
            sleep(self.script.think);
        }
        if self.goes == self.script.at {
            self.misbehave(&series, answer);
        } else if self.script.fault == Fault::CrLf {
            say(answer.replace('\n', "\r\n").as_bytes());
        } else {
            say(answer.as_bytes());
        }
    }

    fn scores_due(&self) -> String {
        let scores = &self.script.scores;
        let index = (self.goes as usize - 1).min(scores.len().saturating_sub(1));
        match scores.get(index).map(String::as_str) {
            None => "score cp 12 ".to_owned(),
            Some("-") => String::new(),
            Some(score) => match score.strip_prefix('M') {
                Some(mate) => format!("score mate {mate} "),
                None => format!("score cp {score} "),
            },
        }
    }

    fn misbehave(&mut self, series: &[String], answer: String) {
        let bestmove = |moves: &str| say(format!("bestmove {moves}\n").as_bytes());
        match self.script.fault {
            Fault::Exit => {
                eprintln!("first word\nlast word");
                std::process::exit(3);
            }
            Fault::Abort => std::process::abort(),
            Fault::Silent => {}
            Fault::Dead => loop {
                sleep(Duration::from_secs(1));
            },
            Fault::Late => {
                sleep(self.script.delay);
                say(answer.as_bytes());
            }
            Fault::Talkative => loop {
                say(b"info depth 1 nodes 1 string still here\n");
                sleep(Duration::from_millis(20));
            },
            Fault::Flood => {
                let block = b"info depth 1 nodes 1\n".repeat(1000);
                loop {
                    say(&block);
                }
            }
            Fault::NoNewline => say(answer.trim_end().as_bytes()),
            Fault::LongLine => {
                let block = vec![b'x'; 1 << 20];
                for _ in 0..64 {
                    say(&block);
                }
                say(b"\n");
                say(answer.as_bytes());
            }
            Fault::AnswerAndExit => {
                say(answer.as_bytes());
                std::process::exit(0);
            }
            Fault::HalfAndAbort => {
                say(format!("bestmove {}", series[0]).as_bytes());
                std::process::abort();
            }
            Fault::Illegal => bestmove("a1a8"),
            Fault::IllegalSecond => bestmove(&format!("{} a1a8", series[0])),
            Fault::UpperCase => bestmove(&series.join(" ").to_ascii_uppercase()),
            Fault::NoneMove => bestmove("(none)"),
            Fault::NullMove => bestmove("0000"),
            Fault::Empty => say(b"bestmove\n"),
            Fault::Commas => bestmove(&series.join(",")),
            Fault::Short => bestmove(&series[..series.len() - 1].join(" ")),
            Fault::Long => bestmove(&format!("{} a7a6", series.join(" "))),
            Fault::Double => say(answer.repeat(2).as_bytes()),
            Fault::DoubleLater => {
                say(answer.as_bytes());
                sleep(Duration::from_millis(30));
                say(answer.as_bytes());
            }
            Fault::Junk => {
                say(b"info string \xff\xfe\x00\n\xc3\x28\n\n   \t\nhello\ninfo\ninfo score\nbestmovee e2e4\n");
                let block = vec![b'e'; 1 << 16];
                for _ in 0..128 {
                    std::io::stderr().write_all(&block).expect("standard error");
                }
                say(answer.as_bytes());
            }
            _ => say(answer.as_bytes()),
        }
    }
}

const SWITCH_OPTIONS: &[(&str, Switch)] = &[
    ("Schedule", Switch::Schedule),
    ("Checks", Switch::Checks),
    ("EnPassant", Switch::EnPassant),
    ("QuietLimit", Switch::QuietLimit),
    ("QuietProof", Switch::QuietSettlement),
    ("DeadMaterial", Switch::DeadMaterial),
    ("Repetition", Switch::Repetition),
];

fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
