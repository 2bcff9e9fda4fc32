//! One engine process: its own process group, its pipes with deadlines, and its end.
//!
//! Knows nothing of the protocol: lines go in and come out as bytes. Each wait has a deadline and
//! ends at once when the process dies or the match is stopped. The process and everything it
//! started are gone when this is dropped.

use std::{
    collections::{BTreeSet, VecDeque},
    fs::File,
    io,
    os::unix::{fs::FileExt, process::ExitStatusExt},
    path::PathBuf,
    pin::Pin,
    process::{ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal};
use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt, ReadBuf},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command},
    sync::watch,
    task::JoinHandle,
    time::Sleep,
};

use super::line_buffer::LineBuffer;

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

/// The process groups that are alive, so that a last resort can end them all at once.
#[derive(Clone, Debug, Default)]
pub struct ProcessGroups(Arc<Mutex<BTreeSet<i32>>>);

impl ProcessGroups {
    /// Kills every group, without waiting for anything.
    pub fn kill_all(&self) {
        for &group in self.0.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            signal_group(group, Signal::KILL);
        }
    }

    fn add(&self, group: i32) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(group);
    }

    fn remove(&self, group: i32) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&group);
    }
}

fn signal_group(group: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(group) {
        // It fails when nobody is left in the group, which is what is wanted.
        let _ = rustix::process::kill_process_group(pid, signal);
    }
}

/// How long this thread had to wait for a processor, as the kernel counts it.
///
/// The reader's time stamp is late by that much; the engine must not pay for it.
#[derive(Debug)]
pub struct LagMeter(Option<File>);

impl LagMeter {
    /// A meter for the calling thread; one that always reads 0 where the kernel doesn't tell.
    pub fn for_this_thread() -> LagMeter {
        LagMeter(File::open("/proc/thread-self/schedstat").ok())
    }

    /// The time spent ready to run but not running, since the thread began.
    pub fn read(&self) -> Duration {
        let mut bytes = [0; 96];
        let Some(length) = self
            .0
            .as_ref()
            .and_then(|file| file.read_at(&mut bytes, 0).ok())
        else {
            return Duration::ZERO;
        };
        std::str::from_utf8(&bytes[..length])
            .ok()
            .and_then(|text| text.split_ascii_whitespace().nth(1)?.parse().ok())
            .map_or(Duration::ZERO, Duration::from_nanos)
    }
}

/// What to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program's full path.
    pub program: PathBuf,
    /// Its arguments, never split again.
    pub arguments: Vec<String>,
    /// Its working directory; `None` is the runner's.
    pub directory: Option<PathBuf>,
    /// Variables set on top of the runner's environment.
    pub environment: Vec<(String, String)>,
    /// The processors it may run on; empty is all.
    pub cpus: Vec<usize>,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// It exited by itself with this status.
    Status(i32),
    /// A signal killed it.
    Signal(i32),
    /// It closed its output and went on running.
    OutputClosed,
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Exit::Status(status) => write!(f, "exited with status {status}"),
            Exit::Signal(number) => match signal_name(number) {
                Some(name) => write!(f, "was killed by {name}"),
                None => write!(f, "was killed by signal {number}"),
            },
            Exit::OutputClosed => f.write_str("closed its output"),
        }
    }
}

fn signal_name(number: i32) -> Option<&'static str> {
    // The numbers below 16 are the same on all Linux architectures that matter here.
    Some(match Signal::from_named_raw(number)? {
        Signal::HUP => "SIGHUP",
        Signal::INT => "SIGINT",
        Signal::QUIT => "SIGQUIT",
        Signal::ILL => "SIGILL",
        Signal::TRAP => "SIGTRAP",
        Signal::ABORT => "SIGABRT",
        Signal::BUS => "SIGBUS",
        Signal::FPE => "SIGFPE",
        Signal::KILL => "SIGKILL",
        Signal::SEGV => "SIGSEGV",
        Signal::PIPE => "SIGPIPE",
        Signal::ALARM => "SIGALRM",
        Signal::TERM => "SIGTERM",
        Signal::XCPU => "SIGXCPU",
        Signal::SYS => "SIGSYS",
        _ => return None,
    })
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Exit {
        match (status.code(), status.signal()) {
            (Some(code), _) => Exit::Status(code),
            (None, Some(signal)) => Exit::Signal(signal),
            (None, None) => Exit::OutputClosed,
        }
    }
}

/// The end of a process, with what it last said on standard error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExitReport {
    /// How it ended.
    pub exit: Exit,
    /// Its last lines on standard error.
    pub stderr: Vec<String>,
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
        lines[from..]
            .iter()
            .map(|line| (*line).to_owned())
            .collect()
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
        let mut command = std::process::Command::new(&launch.program);
        command
            .args(&launch.arguments)
            .envs(launch.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        prepare_child(&mut command, &launch.cpus);
        let mut child = Command::from(command).kill_on_drop(true).spawn()?;
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

/// Has the child set its processors and its parent-death signal before it becomes the engine.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn prepare_child(command: &mut std::process::Command, cpus: &[usize]) {
    use rustix::{process, thread};
    use std::os::unix::process::CommandExt;

    let mut set = thread::CpuSet::new();
    for &cpu in cpus.iter().filter(|&&cpu| cpu < thread::CpuSet::MAX_CPU) {
        set.set(cpu);
    }
    let pinned = !cpus.is_empty();
    let parent = process::getpid();
    // SAFETY: between fork and exec only plain system calls are made, which allocate nothing and
    // take no lock.
    unsafe {
        command.pre_exec(move || {
            process::set_parent_process_death_signal(Some(Signal::KILL))?;
            if process::getppid() != Some(parent) {
                return Err(io::ErrorKind::NotFound.into());
            }
            if pinned {
                thread::sched_setaffinity(None, &set)?;
            }
            Ok(())
        });
    }
}

#[cfg(not(target_os = "linux"))]
fn prepare_child(_command: &mut std::process::Command, _cpus: &[usize]) {}
