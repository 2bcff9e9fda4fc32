//! Talks to the real engine through pipes, for the tests that hold conversations.

#![allow(dead_code, clippy::unwrap_used)]

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

/// How much longer than written waits and limits may take: machines that test are busy.
pub fn stretch() -> f64 {
    let fixed = std::env::var("SERIATIM_TEST_STRETCH").ok();
    fixed
        .and_then(|text| text.parse().ok())
        .unwrap_or(if std::env::var_os("CI").is_some() {
            5.0
        } else {
            2.0
        })
}

/// `time`, stretched.
pub fn stretched(time: Duration) -> Duration {
    time.mul_f64(stretch())
}

/// A running engine.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: mpsc::Receiver<(Instant, String)>,
}

impl Engine {
    /// Starts the engine.
    pub fn start() -> Engine {
        Engine::start_with(&[])
    }

    /// Starts the engine with command-line arguments.
    pub fn start_with(arguments: &[&str]) -> Engine {
        Engine::start_as(Command::new(env!("CARGO_BIN_EXE_seriatim")).args(arguments))
    }

    /// Starts the engine with at most so many KiB of memory.
    pub fn start_within(kib: u32) -> Engine {
        Engine::start_as(Command::new("sh").args([
            "-c",
            &format!("ulimit -v {kib} && exec \"$0\""),
            env!("CARGO_BIN_EXE_seriatim"),
        ]))
    }

    fn start_as(command: &mut Command) -> Engine {
        let mut child = command
            .env_remove("SERIATIM_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let stdout = child.stdout.take().unwrap();
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        Engine {
            child,
            input,
            output,
        }
    }

    /// Sends bytes as they are. An engine that has gone is no failure here.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_raw(format!("{line}\n").as_bytes());
    }

    /// Ends the engine's input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// The next line within `time` (as it is, not stretched).
    pub fn line(&self, time: Duration) -> Option<String> {
        self.output.recv_timeout(time).ok().map(|(_, line)| line)
    }

    /// A line that `holds` within `time` (as it is, not stretched); others are thrown away.
    pub fn line_until(&self, time: Duration, holds: impl Fn(&str) -> bool) -> Option<String> {
        let by = Instant::now() + time;
        loop {
            let left = by.saturating_duration_since(Instant::now());
            let line = self.line(left)?;
            if holds(&line) {
                return Some(line);
            }
        }
    }

    /// Lines up to one that begins with `start`; panics if it does not come.
    pub fn lines_to(&self, start: &str) -> Vec<String> {
        let by = Instant::now() + stretched(Duration::from_secs(10));
        let mut lines = Vec::new();
        loop {
            let left = by.saturating_duration_since(Instant::now());
            let Some(line) = self.line(left) else {
                panic!("no '{start}' came; so far: {lines:#?}");
            };
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// The most memory that it has had so far, in KiB (Linux).
    #[cfg(target_os = "linux")]
    pub fn peak_memory(&self) -> u64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap();
        let peak = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .unwrap();
        peak.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Everything written so far and until the engine has ended, which must be within `time`.
    pub fn finish(&mut self, time: Duration) -> (Vec<String>, Option<ExitStatus>) {
        let by = Instant::now() + time;
        let mut status = None;
        while status.is_none() && Instant::now() < by {
            status = self.child.try_wait().unwrap();
            if status.is_none() {
                thread::sleep(Duration::from_millis(5));
            }
        }
        if status.is_none() {
            self.child.kill().unwrap();
            self.child.wait().unwrap();
        }
        (self.output.iter().map(|(_, line)| line).collect(), status)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
