//! Runs `seriatim-match` with scripted engines, each test in a directory of its own.

// Each test file uses a part of it.
#![allow(dead_code, clippy::unwrap_used)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

use seriatim::matches::{journal::read_journal, record::GameRecord};

/// The scripted engine. It is an example, which `cargo test` and `cargo nextest run` build; with a
/// choice of targets it may have to be built first.
pub fn fake_engine() -> PathBuf {
    let runner = Path::new(env!("CARGO_BIN_EXE_seriatim-match"));
    let path = runner.parent().unwrap().join("examples/fake_engine");
    assert!(
        path.exists(),
        "build it first: cargo build --example fake_engine"
    );
    path
}

/// A match in the making.
pub struct Bout {
    pub directory: PathBuf,
    arguments: Vec<String>,
    engines: usize,
}

impl Bout {
    /// An empty directory for the test `name`.
    pub fn new(name: &str) -> Bout {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("bouts")
            .join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).unwrap();
        let out = directory.join("out").display().to_string();
        Bout {
            arguments: ["run", "--out", &out].map(str::to_owned).to_vec(),
            directory,
            engines: 0,
        }
    }

    /// A match of a well-behaved engine A against B with one fault, one pair of games.
    pub fn with_fault(name: &str, script: &str, each: &str) -> Bout {
        Bout::new(name)
            .engine("A", "")
            .engine("B", script)
            .flags(&format!("--each {each}"))
    }

    /// Adds an engine with the words of its script, and words for the runner after ` ; `.
    pub fn engine(mut self, name: &str, script: &str) -> Bout {
        let (script, settings) = script.split_once(" ; ").unwrap_or((script, ""));
        self.engines += 1;
        let log = self.log_path(name);
        self.arguments.push("--engine".to_owned());
        self.arguments
            .push(format!("cmd={}", fake_engine().display()));
        self.arguments.push(format!("name={name}"));
        self.arguments.push(format!("arg=log={}", log.display()));
        self.arguments
            .extend(script.split_whitespace().map(|word| format!("arg={word}")));
        self.arguments
            .extend(settings.split_whitespace().map(str::to_owned));
        self
    }

    /// The engine added last is started anew for every game.
    pub fn engine_is_restarted(self) -> Bout {
        self.flag(&["restart=on"])
    }

    /// Adds flags, split at blanks.
    pub fn flags(mut self, flags: &str) -> Bout {
        self.arguments
            .extend(flags.split_whitespace().map(str::to_owned));
        self
    }

    /// Adds one flag and its values, not split.
    pub fn flag(mut self, words: &[&str]) -> Bout {
        self.arguments
            .extend(words.iter().map(|&word| word.to_owned()));
        self
    }

    /// Writes a file into the directory and returns its path.
    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.directory.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    /// The runner, not yet started.
    pub fn command(&self) -> Command {
        self.command_with(&self.arguments)
    }

    /// The runner with other arguments.
    pub fn command_with<S: AsRef<std::ffi::OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_seriatim-match"));
        command
            .args(arguments)
            .current_dir(&self.directory)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Plays, and checks that it ends within `seconds` (on a quiet machine) and leaves no process
    /// behind.
    pub fn play(&self, seconds: f64) -> Played {
        self.finish(self.command().spawn().unwrap(), seconds)
    }

    /// Goes on with the match.
    pub fn resume(&self, seconds: f64) -> Played {
        let child = self.command_with(&["resume", "out"]).spawn().unwrap();
        self.finish(child, seconds)
    }

    /// Waits for a running match.
    pub fn finish(&self, child: Child, seconds: f64) -> Played {
        let begun = Instant::now();
        let output = child.wait_with_output().unwrap();
        let lasted = begun.elapsed();
        let patience = Duration::from_secs_f64(seconds * PATIENCE_FACTOR);
        let played = Played {
            code: output.status.code(),
            text: text(&output),
            records: self.records(),
        };
        assert!(lasted < patience, "took {lasted:?}\n{}", played.text);
        self.assert_nobody_left();
        played
    }

    /// The games in the journal.
    pub fn records(&self) -> Vec<GameRecord> {
        let mut records = Vec::new();
        let path = self.directory.join("out/journal.jsonl");
        if path.exists() {
            read_journal(&path, |record| records.push(record)).unwrap();
        }
        records
    }

    /// A file of the results.
    pub fn result(&self, name: &str) -> String {
        fs::read_to_string(self.directory.join("out").join(name)).unwrap()
    }

    /// Where an engine notes what it reads.
    pub fn log_path(&self, name: &str) -> PathBuf {
        self.directory.join(format!("{name}.log"))
    }

    /// What an engine has read: process, milliseconds since its start, line.
    pub fn log(&self, name: &str) -> Vec<(u32, u64, String)> {
        fs::read_to_string(self.log_path(name))
            .unwrap_or_default()
            .lines()
            .map(|line| {
                let mut words = line.splitn(3, ' ');
                let process = words.next().unwrap().parse().unwrap();
                let time = words.next().unwrap().parse().unwrap();
                (process, time, words.next().unwrap_or_default().to_owned())
            })
            .collect()
    }

    /// Panics if a process of this match is alive.
    pub fn assert_nobody_left(&self) {
        // A killed process is still listed for an instant.
        let until = Instant::now() + Duration::from_millis(300);
        while !self.processes().is_empty() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        let left = self.processes();
        assert!(left.is_empty(), "left behind: {left:?}");
    }

    /// Living processes (but for zombies) that were started for this test.
    pub fn processes(&self) -> Vec<(u32, String)> {
        let marker = self.directory.display().to_string();
        fs::read_dir("/proc")
            .unwrap()
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
            .filter(|&process| process != std::process::id())
            .filter_map(|process| {
                let line = fs::read(format!("/proc/{process}/cmdline")).ok()?;
                let line = String::from_utf8_lossy(&line).replace('\0', " ");
                line.contains(&format!("{marker}/"))
                    .then_some((process, line))
            })
            .collect()
    }
}

/// A finished match.
pub struct Played {
    pub code: Option<i32>,
    /// Standard output and error.
    pub text: String,
    pub records: Vec<GameRecord>,
}

impl Played {
    /// The terminations of all games.
    pub fn terminations(&self) -> Vec<&'static str> {
        self.records
            .iter()
            .map(|record| record.end.termination())
            .collect()
    }

    /// What the end of a game says of engines A and B.
    pub fn description(&self, index: usize) -> String {
        let record = &self.records[index];
        record
            .end
            .describe(record.engines.map(|engine| ["A", "B", "C", "D"][engine]))
    }
}

/// Standard output, and then standard error.
pub fn text(output: &Output) -> String {
    format!(
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Tests name what a quiet machine needs; a busy one gets so many times as long.
const PATIENCE_FACTOR: f64 = 5.0;
