//! One engine process: its own process group, its pipes with deadlines, and its end.
//!
//! Knows nothing of the protocol: lines go in and come out as bytes. Each wait has a deadline and
//! ends at once when the process dies or the match is stopped. The process and everything it
//! started are gone when this is dropped.

mod exit;
mod groups;
mod lag_meter;
mod launch;

use std::{
    collections::VecDeque,
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use rustix::process::Signal;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt, ReadBuf},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command},
    sync::watch,
    task::JoinHandle,
    time::Sleep,
};

pub use exit::{Exit, ExitReport, last_words};
pub use groups::ProcessGroups;
pub use lag_meter::LagMeter;
pub use launch::{Launch, foreign_processor};

use groups::signal_group;

use super::{excerpt::excerpt, line_buffer::LineBuffer};

/// How many bytes of standard error are kept for a failure report.
const STDERR_TAIL: usize = 4096;
/// How many of its last lines a failure report shows.
const STDERR_LINES: usize = 5;
/// How long a process that closed its output may take to end before it is taken for a fault of
/// its own; and how long to wait for the last bytes of standard error.
const EXIT_PATIENCE: Duration = Duration::from_millis(500);

/// What the match wants of everybody who plays in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Control {
    /// Go on.
    Play,
    /// Start no new game.
    Pause,
    /// Leave the games where they are and end the engines.
    Stop,
}

/// Why a wait ended without what it waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// The time was up.
    Deadline,
    /// The process ended; [`EngineProcess::exit_report`] tells how.
    Exited,
    /// It wrote more than one turn's worth of output.
    Flood,
    /// The match is stopped.
    Stopped,
}

/// The last bytes of standard error.
#[derive(Clone, Debug, Default)]
struct Tail(Arc<Mutex<VecDeque<u8>>>);

impl Tail {
    async fn fill(self, mut stderr: ChildStderr) {
        let mut chunk = [0; 4096];
        while let Ok(read @ 1..) = stderr.read(&mut chunk).await {
            let mut tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            tail.extend(&chunk[..read]);
            let excess = tail.len().saturating_sub(STDERR_TAIL);
            tail.drain(..excess);
        }
    }

    fn lines(&self) -> Vec<String> {
        let mut tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(tail.make_contiguous()).into_owned();
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let from = lines.len().saturating_sub(STDERR_LINES);
        lines[from..].iter().map(|line| excerpt(line)).collect()
    }
}

/// A running engine.
pub struct EngineProcess {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    chunk: Box<[u8]>,
    buffer: LineBuffer,
    tail: Tail,
    tail_task: JoinHandle<()>,
    /// Process id, which is also the number of its process group.
    group: i32,
    groups: ProcessGroups,
    timer: Pin<Box<Sleep>>,
    control: watch::Receiver<Control>,
    meter: Arc<LagMeter>,
    /// The meter when the current wait began, and the lag of the bytes read last.
    meter_before: Duration,
    lag: Duration,
    /// Bytes read since [`EngineProcess::begin_turn`], and how many it may be.
    traffic: u64,
    traffic_limit: u64,
    exit: Option<Exit>,
    /// All its groups' members are gone.
    ended: bool,
}

/// What a new process needs beside its launch data.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Where living process groups are noted.
    pub groups: ProcessGroups,
    /// What the match wants.
    pub control: watch::Receiver<Control>,
    /// The lag of the thread that reads.
    pub meter: Arc<LagMeter>,
    /// How many bytes an engine may write in one turn.
    pub traffic_limit: u64,
}

impl EngineProcess {
    /// Starts the program in a process group of its own, on its processors from its first
    /// instruction on, and bound to die with the calling thread.
    ///
    /// # Errors
    /// What the system says.
    pub fn start(launch: &Launch, surroundings: &Surroundings) -> io::Result<EngineProcess> {
        let mut child = Command::from(launch.command()).kill_on_drop(true).spawn()?;
        let missing = || io::Error::other("the new process has no pipes");
        let (stdin, stdout, stderr) = (
            child.stdin.take().ok_or_else(missing)?,
            child.stdout.take().ok_or_else(missing)?,
            child.stderr.take().ok_or_else(missing)?,
        );
        let group = child.id().ok_or_else(missing)? as i32;
        surroundings.groups.add(group);
        let tail = Tail::default();
        let now = Instant::now();
        Ok(EngineProcess {
            child,
            stdin: Some(stdin),
            stdout,
            chunk: vec![0; 16 * 1024].into_boxed_slice(),
            buffer: LineBuffer::new(now),
            tail_task: tokio::spawn(tail.clone().fill(stderr)),
            tail,
            group,
            groups: surroundings.groups.clone(),
            timer: Box::pin(tokio::time::sleep_until(now.into())),
            control: surroundings.control.clone(),
            meter: Arc::clone(&surroundings.meter),
            meter_before: surroundings.meter.read(),
            lag: Duration::ZERO,
            traffic: 0,
            traffic_limit: surroundings.traffic_limit,
            exit: None,
            ended: false,
        })
    }

    /// When the line returned last was read, and how late the reader got to it for want of a
    /// processor.
    pub fn arrival(&self) -> (Instant, Duration) {
        (self.buffer.arrival(), self.lag)
    }

    /// How many overlong lines were dropped.
    pub fn dropped_lines(&self) -> u64 {
        self.buffer.dropped()
    }

    /// How many bytes it may write in one turn.
    pub fn traffic_limit(&self) -> u64 {
        self.traffic_limit
    }

    /// Starts a new count of output, of which one turn may have only so much.
    pub fn begin_turn(&mut self) {
        self.traffic = 0;
    }

    /// Writes `bytes`, reading meanwhile so that neither side can block the other.
    ///
    /// # Errors
    /// Why not all could be written.
    pub async fn send(&mut self, bytes: &[u8], deadline: Instant) -> Result<(), Interruption> {
        self.timer.as_mut().reset(deadline.into());
        let mut done = 0;
        while done < bytes.len() {
            let Some(stdin) = self.stdin.as_mut() else {
                return Err(self.note_exit().await);
            };
            // How much was written, or else how much was read.
            let step = tokio::select! {
                biased;
                written = stdin.write(&bytes[done..]) => written.map(Ok),
                read = self.stdout.read(&mut self.chunk) => match read {
                    Ok(read @ 1..) => Ok(Err(read)),
                    _ => Err(io::ErrorKind::BrokenPipe.into()),
                },
                () = self.timer.as_mut() => return Err(Interruption::Deadline),
                _ = self.control.wait_for(|&control| control == Control::Stop) => {
                    return Err(Interruption::Stopped);
                }
            };
            match step {
                Ok(Ok(written)) => done += written,
                Ok(Err(read)) => self.accept(read),
                Err(_) => return Err(self.note_exit().await),
            }
        }
        self.meter_before = self.meter.read();
        Ok(())
    }

    /// The next line, however it is cut; empty lines too.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn read_line(&mut self, deadline: Instant) -> Result<&[u8], Interruption> {
        let mut armed = false;
        loop {
            if let Some(range) = self.buffer.take() {
                return Ok(self.buffer.line(range));
            }
            if self.exit.is_some() {
                return Err(Interruption::Exited);
            }
            if self.traffic > self.traffic_limit {
                return Err(Interruption::Flood);
            }
            if armed && self.buffer.arrival() > deadline {
                return Err(Interruption::Deadline);
            }
            if !armed {
                self.timer.as_mut().reset(deadline.into());
                armed = true;
            }
            let read = tokio::select! {
                biased;
                read = self.stdout.read(&mut self.chunk) => read.unwrap_or(0),
                _ = self.child.wait() => 0,
                () = self.timer.as_mut() => return Err(Interruption::Deadline),
                _ = self.control.wait_for(|&control| control == Control::Stop) => {
                    return Err(Interruption::Stopped);
                }
            };
            if read > 0 {
                self.accept(read);
            } else {
                self.note_exit().await;
            }
        }
    }

    /// Takes in whatever has been written already, without waiting, and returns the next line of
    /// it.
    pub async fn read_ready_line(&mut self) -> Option<&[u8]> {
        loop {
            if let Some(range) = self.buffer.take() {
                return Some(self.buffer.line(range));
            }
            if !self.read_ready().await {
                return None;
            }
        }
    }

    /// One read that doesn't wait; false if there was nothing.
    async fn read_ready(&mut self) -> bool {
        let stdout = &mut self.stdout;
        let chunk = &mut self.chunk;
        let read = std::future::poll_fn(|context| {
            let mut target = ReadBuf::new(chunk);
            let poll = Pin::new(&mut *stdout).poll_read(context, &mut target);
            std::task::Poll::Ready(if poll.is_ready() {
                target.filled().len()
            } else {
                0
            })
        })
        .await;
        if read > 0 {
            self.accept(read);
        }
        read > 0
    }

    fn accept(&mut self, read: usize) {
        let now = Instant::now();
        let meter = self.meter.read();
        self.lag = meter.saturating_sub(self.meter_before);
        self.meter_before = meter;
        self.traffic += read as u64;
        self.buffer.push(&self.chunk[..read], now);
    }

    /// Reads what is left after the process ended, and notes how.
    async fn note_exit(&mut self) -> Interruption {
        if self.exit.is_none() {
            let arrival = self.buffer.arrival();
            while self.traffic <= self.traffic_limit && self.read_ready().await {}
            self.lag = if self.buffer.arrival() == arrival {
                Duration::ZERO
            } else {
                self.lag
            };
            self.stdin = None;
            self.exit = Some(
                match tokio::time::timeout(EXIT_PATIENCE, self.child.wait()).await {
                    Ok(Ok(status)) => status.into(),
                    Ok(Err(_)) | Err(_) => Exit::OutputClosed,
                },
            );
            signal_group(self.group, Signal::KILL);
            let _ = tokio::time::timeout(EXIT_PATIENCE, &mut self.tail_task).await;
        }
        Interruption::Exited
    }

    /// How the process ended, if it did.
    pub fn exit_report(&self) -> Option<ExitReport> {
        self.exit.map(|exit| ExitReport {
            exit,
            stderr: self.tail.lines(),
        })
    }

    /// Its last lines on standard error.
    pub fn stderr_lines(&self) -> Vec<String> {
        self.tail.lines()
    }

    /// Ends the process and its group: `quit` and end of input, after `grace` SIGTERM, after
    /// another one SIGKILL.
    pub async fn shut_down(mut self, grace: Duration) {
        if let Some(mut stdin) = self.stdin.take() {
            let _ = tokio::time::timeout(grace, stdin.write_all(b"quit\n")).await;
        }
        if !self.wait_for_end(grace).await {
            signal_group(self.group, Signal::TERM);
            if !self.wait_for_end(grace).await {
                signal_group(self.group, Signal::KILL);
                self.wait_for_end(Duration::from_secs(5)).await;
            }
        }
        self.end_group();
    }

    /// Whether the process ends within `patience` without being asked again; its group ends in
    /// any case.
    pub async fn ends_by_itself(mut self, patience: Duration) -> bool {
        let ended = self.wait_for_end(patience).await;
        if !ended {
            self.kill().await;
        }
        ended
    }

    /// The same after its input is closed.
    pub async fn ends_at_end_of_input(mut self, patience: Duration) -> bool {
        self.stdin = None;
        self.ends_by_itself(patience).await
    }

    /// Ends the process and its group at once.
    pub async fn kill(mut self) {
        signal_group(self.group, Signal::KILL);
        self.wait_for_end(Duration::from_secs(5)).await;
        self.end_group();
    }

    /// Waits for the end of the process, throwing its output away.
    async fn wait_for_end(&mut self, patience: Duration) -> bool {
        let deadline = tokio::time::Instant::now() + patience;
        let mut open = true;
        loop {
            tokio::select! {
                biased;
                _ = self.child.wait() => return true,
                () = tokio::time::sleep_until(deadline) => return false,
                read = self.stdout.read(&mut self.chunk), if open => open = matches!(read, Ok(1..)),
            }
        }
    }

    /// Kills what the process left behind. The group's number cannot have been given to others
    /// while a member lives, and process numbers are not reused within this instant.
    fn end_group(&mut self) {
        if !self.ended {
            self.ended = true;
            signal_group(self.group, Signal::KILL);
            self.groups.remove(self.group);
            self.tail_task.abort();
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.end_group();
    }
}
